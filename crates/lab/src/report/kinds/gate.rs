//! Impassable Gate: three algorithms, their worst cases, and their measured costs.

use super::super::Block;
use super::super::data::{Data, compared, exponent, power};
use crate::column::Unit;
use crate::figure::{Axis, Figure, Series};
use crate::plots::power_law;
use crate::table::{Cell, Table};
use crate::{Record, column, plots};

/// What is known of an instance: pieces p, steps s of the shortest plan, open cells o, width w.
struct Known {
    p: f64,
    s: f64,
    o: f64,
    w: f64,
}

/// An algorithm and its worst case.
struct Algorithm {
    number: usize,
    with: &'static str,
    about: &'static str,
    /// The worst case, as the axis shows it.
    formula: &'static str,
    /// The most nodes that the algorithm generates and stores.
    worst: fn(&Known) -> f64,
}

const ALGORITHMS: [Algorithm; 3] = [
    Algorithm {
        number: 1,
        with: "classic-1",
        about: "breadth-first search without memory",
        formula: "(4p)ˢ",
        worst: |k| (4.0 * k.p).powf(k.s),
    },
    Algorithm {
        number: 2,
        with: "classic-2",
        about: "breadth-first search that drops duplicates",
        formula: "oᵖ",
        worst: |k| k.o.powf(k.p),
    },
    Algorithm {
        number: 3,
        with: "classic-3",
        about: "Iterated Width",
        formula: "Σ C(p,i)·oⁱ, i = 1 … w",
        worst: |k| (1..=k.w as u32).map(|i| choose(k.p, i) * k.o.powi(i as i32)).sum(),
    },
];

/// The binomial coefficient: the number of ways to choose i of p.
fn choose(p: f64, i: u32) -> f64 {
    (0..i).map(|j| (p - f64::from(j)) / f64::from(j + 1)).product()
}

const LETTERS: &str = "p pieces, s steps of the shortest plan, o open cells, w width";

pub(super) fn blocks(data: &Data) -> Vec<Block> {
    let mut blocks = vec![Block::heading("What each algorithm took")];
    blocks.push(Block::text(
        "Only solved puzzles are listed. `generated` are the nodes put into the queue, `nodes` the exact bytes of the search, \
         `auxiliary` those of the radix trees; `shortest` is the length of a plan that a run has proved shortest; open cells are \
         all that are no wall, empty cells those that no piece covers at the start.",
    ));
    for a in &ALGORITHMS {
        blocks.push(Block::Heading(2, format!("Algorithm {}: {}", a.number, a.about)));
        blocks.push(Block::Table(table(data, a)));
    }
    blocks.push(Block::heading("Time: generated nodes against the worst case"));
    blocks.extend(ALGORITHMS.iter().map(|a| Block::figure(time_figure(data, a))));
    blocks.push(time_answer(data));
    blocks.push(Block::heading("Space: what is stored against what is stored at most"));
    blocks.extend(ALGORITHMS.iter().map(|a| Block::figure(space_figure(data, a))));
    blocks.push(Block::figure(space_together(data)));
    blocks.push(space_answer(data));
    blocks
}

/// The solved runs of an algorithm, with the known quantities of their instances.
fn runs<'a>(data: &'a Data, a: &Algorithm) -> Vec<(&'a Record, Known)> {
    let with = a.with;
    let mine = data.all.iter().filter(move |r| r.options.with == with && r.measured.solved());
    mine.filter_map(|r| {
        let known = Known {
            p: column::number("pieces", r)?,
            s: data.shortest(r)?,
            o: column::number("open cells", r)?,
            w: column::number("width", r).unwrap_or(0.0),
        };
        Some((r, known))
    })
    .collect()
}

fn table(data: &Data, a: &Algorithm) -> Table {
    let width = a.number == 3;
    let mut heads = vec!["puzzle", "pieces", "shortest", "open", "empty"];
    heads.extend(width.then_some("width"));
    heads.extend(["steps found", "generated", "nodes", "auxiliary", "time"]);
    let mut table = Table::new(heads);
    for (record, known) in runs(data, a) {
        let count = |n: f64| Cell::number(n, Unit::Count);
        let mut cells = vec![
            Cell::words(&record.instance),
            count(known.p),
            count(known.s),
            count(known.o),
            column::cell("empty cells", record),
        ];
        cells.extend(width.then(|| count(known.w)));
        cells
            .extend(["steps", "generated", "bytes", "auxiliary", "seconds"].map(|c| column::cell(c, record)));
        table.row(cells);
    }
    let all = data.all.iter().filter(|r| r.options.with == a.with).count();
    table.notes.push(format!("{} of {all} puzzles solved within the limits.", table.rows.len()));
    table
}

fn caption(runs: &[(&Record, Known)]) -> String {
    let records: Vec<Record> = runs.iter().map(|(r, _)| (*r).clone()).collect();
    format!("n = {} solved puzzles. {} {LETTERS}.", runs.len(), plots::limits(&records))
}

fn time_points(data: &Data, a: &Algorithm) -> Vec<(f64, f64)> {
    let runs = runs(data, a);
    runs.iter().filter_map(|(r, k)| Some(((a.worst)(k), r.measured.generated? as f64))).collect()
}

fn time_figure(data: &Data, a: &Algorithm) -> Figure {
    let points = time_points(data, a);
    let mut figure = Figure {
        title: format!("Algorithm {}: generated nodes against the worst case", a.number),
        caption: caption(&runs(data, a)),
        x: Axis { label: format!("worst case {}", a.formula), log: true },
        y: Axis { label: "generated nodes".to_owned(), log: true },
        series: vec![series("a puzzle", points.clone(), a.number - 1, false)],
        ..Figure::default()
    };
    power_law(&mut figure, "", &points, a.number - 1);
    figure
}

fn series(name: &str, points: Vec<(f64, f64)>, colour: usize, hollow: bool) -> Series {
    Series { name: name.to_owned(), points, joined: false, hollow, colour }
}

fn space_figure(data: &Data, a: &Algorithm) -> Figure {
    let runs = runs(data, a);
    let nodes: Vec<(f64, f64)> = runs.iter().map(|(r, k)| ((a.worst)(k), r.measured.bytes as f64)).collect();
    let auxiliary = |(r, k): &(&Record, Known)| Some(((a.worst)(k), column::number("auxiliary", r)?));
    let auxiliary: Vec<(f64, f64)> = runs.iter().filter_map(auxiliary).filter(|p| p.1 > 0.0).collect();
    let mut figure = Figure {
        title: format!("Algorithm {}: memory against what is stored at most", a.number),
        caption: caption(&runs),
        x: Axis { label: format!("nodes stored at most: {}", a.formula), log: true },
        y: Axis { label: "memory [bytes]".to_owned(), log: true },
        series: vec![series("nodes", nodes.clone(), a.number - 1, false)],
        ..Figure::default()
    };
    power_law(&mut figure, "nodes: ", &nodes, a.number - 1);
    if !auxiliary.is_empty() {
        power_law(&mut figure, "auxiliary: ", &auxiliary, 3);
        figure.series.push(series("auxiliary", auxiliary, 3, true));
    }
    figure
}

/// All memory of an algorithm over the worst case of algorithm 1.
fn together(data: &Data, a: &Algorithm) -> Vec<(f64, f64)> {
    let total = |r: &Record| r.measured.bytes as f64 + column::number("auxiliary", r).unwrap_or(0.0);
    runs(data, a).iter().map(|(r, k)| ((ALGORITHMS[0].worst)(k), total(r))).collect()
}

fn space_together(data: &Data) -> Figure {
    let runs: Vec<(&Record, Known)> = ALGORITHMS.iter().flat_map(|a| runs(data, a)).collect();
    let mut figure = Figure {
        title: "Memory of all three over the worst case of algorithm 1".to_owned(),
        caption: caption(&runs).replace("solved puzzles", "solved runs"),
        x: Axis { label: "nodes that algorithm 1 stores at most: (4p)ˢ".to_owned(), log: true },
        y: Axis { label: "memory of nodes and auxiliary together [bytes]".to_owned(), log: true },
        ..Figure::default()
    };
    for a in &ALGORITHMS {
        let points = together(data, a);
        power_law(&mut figure, &format!("algorithm {}: ", a.number), &points, a.number - 1);
        figure.series.push(series(&format!("algorithm {}", a.number), points, a.number - 1, false));
    }
    figure
}

fn time_answer(data: &Data) -> Block {
    let mut parts = Vec::new();
    for a in &ALGORITHMS {
        let points = time_points(data, a);
        let name = format!("**Algorithm {}**", a.number);
        let Some(fit) = power(&points) else {
            parts.push(format!("{name}: {} solved puzzles are too few for a fit.", points.len()));
            continue;
        };
        let above = points.iter().filter(|p| p.1 > p.0 + 1.0).count();
        let bound = match above {
            0 => "the worst case is never exceeded".to_owned(),
            n => format!(
                "{n} of {} puzzles lie above the worst case (the start is counted as well)",
                points.len()
            ),
        };
        let (low, high) = fit.interval().unwrap_or((0.0, 0.0));
        let verdict = if high < 1.0 {
            "the data grow more slowly than the worst case: the theory holds as an upper bound and is not tight here"
        } else if low > 1.0 {
            "the data grow faster than the formula"
        } else if high - low > 1.0 {
            "the interval is too wide to decide"
        } else {
            "the data grow like the worst case, up to a constant"
        };
        parts.push(format!(
            "{name}: generated nodes grow as the worst case {} to the power {}; {bound}; {verdict}.",
            a.formula,
            exponent(&fit)
        ));
    }
    let steps: Vec<(f64, f64)> = runs(data, &ALGORITHMS[0])
        .iter()
        .filter_map(|(r, k)| Some((k.s, r.measured.generated? as f64)))
        .collect();
    if let Some(words) = compared(&steps) {
        parts.push(format!("Over the steps of the shortest plan alone, algorithm 1 is {words}."));
    }
    Block::Answer("Which time growth do the data show, and does it match the theory?".into(), parts.join(" "))
}

fn space_answer(data: &Data) -> Block {
    let question =
        "What is the space growth of algorithms 2 and 3, and do they grow more slowly than algorithm 1?";
    let solved: Vec<&Record> = runs(data, &ALGORITHMS[0]).iter().map(|(r, _)| *r).collect();
    let common = |a: &Algorithm| {
        let mine = runs(data, a)
            .into_iter()
            .filter(|(r, _)| solved.iter().any(|s| s.instance == r.instance && s.suite == r.suite));
        let total = |r: &Record| r.measured.bytes as f64 + column::number("auxiliary", r).unwrap_or(0.0);
        mine.map(|(r, k)| ((ALGORITHMS[0].worst)(&k), total(r))).collect::<Vec<(f64, f64)>>()
    };
    let fits: Vec<_> = ALGORITHMS.iter().map(|a| power(&common(a))).collect();
    let [Some(first), second, third] = fits.as_slice() else {
        let text = "Algorithm 1 solved too few puzzles for a fit, so this run does not say.";
        return Block::Answer(question.into(), text.into());
    };
    let mut parts = vec![format!(
        "On the puzzles that algorithm 1 solves as well, its memory grows as its worst case (4p)ˢ to the power {}.",
        exponent(first)
    )];
    for (a, fit) in [(&ALGORITHMS[1], second), (&ALGORITHMS[2], third)] {
        let Some(fit) = fit else {
            parts.push(format!("Algorithm {} has too few of them.", a.number));
            continue;
        };
        let (slow, fast) = (fit.interval().unwrap_or_default(), first.interval().unwrap_or_default());
        let verdict = if slow.1 < fast.0 {
            "more slowly: the intervals do not meet"
        } else if slow.0 > fast.1 {
            "faster: the intervals do not meet"
        } else {
            "and the intervals overlap, so these puzzles do not tell it from algorithm 1"
        };
        parts.push(format!("Algorithm {} grows to the power {}, {verdict}.", a.number, exponent(fit)));
    }
    for a in &ALGORITHMS[1..] {
        let own: Vec<(f64, f64)> =
            runs(data, a).iter().map(|(r, k)| ((a.worst)(k), r.measured.bytes as f64)).collect();
        if let Some(fit) = power(&own) {
            parts.push(format!(
                "Against its own bound {}, the nodes of algorithm {} grow to the power {}.",
                a.formula,
                a.number,
                exponent(&fit)
            ));
        }
    }
    parts.push(
        "In theory algorithm 1 stores (4p)ˢ nodes, exponential in the length of the plan; algorithm 2 at most oᵖ, which the \
         length does not enter; algorithm 3 at most Σ C(p,i)·oⁱ for i up to w, a polynomial of degree w in o."
            .to_owned(),
    );
    Block::Answer(question.into(), parts.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worst_cases_by_hand() {
        let known = Known { p: 3.0, s: 2.0, o: 10.0, w: 2.0 };
        assert_eq!(ALGORITHMS.each_ref().map(|a| (a.worst)(&known) as u64), [144, 1000, 30 + 300]);
        assert_eq!(choose(5.0, 2) as u64, 10);
    }
}
