//! Flow: with and without dead-end detection, over free cells and grid size; and in which order the colours go.

use super::super::Block;
use super::super::data::{Data, compared, factor};
use crate::column::Unit;
use crate::fit::{Shape, fit};
use crate::plots::{PlotSpec, curve, scatter};
use crate::summary::{geometric_mean, pairs};
use crate::table::{Cell, Table};
use crate::{Record, column};

pub(super) fn blocks(data: &Data) -> Vec<Block> {
    let usual = |r: &Record| {
        r.options.with == "classic" && matches!(r.options.order.as_deref(), None | Some("constrained"))
    };
    let rules = |r: &Record| r.options.choices.rules.clone().unwrap_or_default();
    let without = data.strategies(|r| usual(r) && rules(r).is_empty()).into_iter().next();
    let with = data.strategies(|r| usual(r) && rules(r) == ["deadends"]).into_iter().next();
    let (Some(without), Some(with)) = (without, with) else {
        return vec![Block::text(
            "There are no runs both with and without dead-end detection, so there is nothing to compare.",
        )];
    };
    let mut blocks = vec![
        Block::heading("With and without dead-end detection"),
        Block::Table(table(data, &without, &with)),
    ];
    let both: Vec<Record> =
        data.all.iter().filter(|r| r.strategy == without || r.strategy == with).cloned().collect();
    for (x, y, title) in [
        ("free cells", "generated", "Generated nodes over free cells"),
        ("free cells", "seconds", "Time over free cells"),
        ("columns", "generated", "Generated nodes over the side of the grid"),
        ("columns", "seconds", "Time over the side of the grid"),
    ] {
        blocks.push(Block::figure(figure(&both, x, y, title)));
    }
    blocks.push(growth(data, &without, &with));
    blocks.push(benefit(data, &without, &with));
    blocks.extend(more(data, &without));
    blocks
}

fn figure(both: &[Record], x: &str, y: &str, title: &str) -> crate::figure::Figure {
    let long = |r: &&Record| y != "seconds" || r.measured.seconds >= crate::summary::SHORTEST / 100.0;
    let records: Vec<Record> = both.iter().filter(long).cloned().collect();
    let plot = PlotSpec {
        title: Some(title.to_owned()),
        x: x.to_owned(),
        y: y.to_owned(),
        log: (false, true),
        ..PlotSpec::default()
    };
    let mut figure = scatter(&records, &plot);
    if x == "columns" {
        "side of the grid [cells]".clone_into(&mut figure.x.label);
    }
    let series = figure.series.clone();
    for s in &series {
        if let Some(found) = fit(Shape::Exponential, &s.points) {
            figure.curves.push(curve(&format!("{}: ", s.name), &found, &s.points, false, s.colour));
        }
    }
    figure
}

fn table(data: &Data, without: &str, with: &str) -> Table {
    let heads = [
        "board",
        "size",
        "free",
        "generated without",
        "time without",
        "generated with",
        "time with",
        "nodes saved",
    ];
    let mut table = Table::new(heads);
    let mut left = 0;
    for record in data.all.iter().filter(|r| r.strategy == with) {
        let (a, b) = (data.beside(record, without), data.beside(record, with));
        if a.is_none() && b.is_none() {
            left += 1;
            continue;
        }
        let cell = |r: Option<&Record>, name: &str| r.map_or_else(Cell::empty, |r| column::cell(name, r));
        let nodes = |r: Option<&Record>| r.and_then(|r| r.measured.generated).map(|n| n as f64);
        let saved = nodes(a).zip(nodes(b)).map(|(a, b)| format!("{:.1} ×", a / b));
        table.row(vec![
            Cell::words(&record.instance),
            column::cell("columns", record),
            column::cell("free cells", record),
            cell(a, "generated"),
            cell(a, "seconds"),
            cell(b, "generated"),
            cell(b, "seconds"),
            saved.map_or_else(Cell::empty, |text| Cell { right: true, ..Cell::words(text) }),
        ]);
    }
    table.notes.push(format!(
        "An empty cell: stopped by the limit. {left} boards that neither has answered are left out. \"< 1 ms\": too short to time."
    ));
    table
}

fn points(data: &Data, strategy: &str) -> Vec<(f64, f64)> {
    let value = |r: &Record| Some((column::number("free cells", r)?, r.measured.generated? as f64));
    data.of(strategy).filter_map(value).collect()
}

fn growth(data: &Data, without: &str, with: &str) -> Block {
    let parts = [without, with].map(|name| {
        let points = points(data, name);
        match (compared(&points), fit(Shape::Exponential, &points)) {
            (Some(words), Some(found)) => format!(
                "**{name}**: over free cells the generated nodes are {words}. As an exponential, each free cell more multiplies them \
                 by {}.",
                factor(&found)
            ),
            _ => format!("**{name}**: {} boards are too few to tell.", points.len()),
        }
    });
    Block::Answer("Which growth do the data show?".into(), parts.join(" "))
}

/// Tests whether the ratio grows: if so, the growth rates differ, and if not, only a constant factor does.
fn benefit(data: &Data, without: &str, with: &str) -> Block {
    let question =
        "What is the benefit of dead-end detection: does it lower the growth rate or only the constant?";
    let generated = |r: &Record| r.measured.generated.map(|n| n as f64);
    let both: Vec<(f64, f64)> = data
        .of(without)
        .filter_map(|r| {
            let ratio = generated(r)? / generated(data.beside(r, with)?)?;
            Some((column::number("free cells", r)?, ratio))
        })
        .collect();
    let mean = geometric_mean(&both.iter().map(|p| p.1).collect::<Vec<_>>());
    let (Some(mean), Some(found)) = (mean, fit(Shape::Exponential, &both)) else {
        return Block::Answer(
            question.into(),
            "Too few boards were answered both ways, so this run does not say.".into(),
        );
    };
    let (low, high) = found.interval().unwrap_or((0.0, f64::INFINITY));
    let verdict = if low > 1.0 {
        "the interval lies above 1, so the saving grows with the board: **the growth rate itself is lower**"
    } else if high < 1.0 {
        "the interval lies below 1, so the saving shrinks as boards grow"
    } else {
        "the interval holds 1, so these data show **a lower constant and no lower rate**"
    };
    let alone = data.of(with).filter(|r| data.beside(r, without).is_none()).count();
    let time = pairs(&data.all, (without, with), &|r| Some(r.measured.seconds));
    let long: Vec<f64> =
        time.iter().filter(|t| t.1 >= crate::summary::SHORTEST).map(|t| t.1 / t.2.max(1e-6)).collect();
    let time = geometric_mean(&long).map_or_else(String::new, |g| {
        format!(" On the {} of them that take a millisecond or more without it, it saves a factor of {g:.1} in time.", long.len())
    });
    let text = format!(
        "On the {} boards answered both ways it saves a factor of {mean:.1} in nodes (geometric mean).{time} {alone} boards are \
         answered only with it. The ratio without / with is multiplied by {} for each free cell: {verdict}.",
        both.len(),
        factor(&found)
    );
    Block::Answer(question.into(), text)
}

/// Colour orders and further rules, against the search without any.
fn more(data: &Data, without: &str) -> Vec<Block> {
    let others = data.strategies(|r| r.strategy != without);
    if others.is_empty() {
        return Vec::new();
    }
    let mut table = Table::new(["search", "answered", "generated, mean", "nodes left", "boards in common"]);
    for name in std::iter::once(without.to_owned()).chain(others) {
        let runs: Vec<f64> = data.of(&name).filter_map(|r| r.measured.generated).map(|n| n as f64).collect();
        let both = pairs(&data.all, (without, &name), &|r| column::number("generated", r));
        let ratios: Vec<f64> = both.iter().filter(|p| p.1 > 0.0).map(|p| p.2 / p.1).collect();
        let left = geometric_mean(&ratios).map(|g| format!("{:.1} %", 100.0 * g));
        table.row(vec![
            Cell::words(&name),
            Cell::number(data.of(&name).count() as f64, Unit::Count),
            Cell::maybe(geometric_mean(&runs).map(f64::round), Unit::Count),
            left.map_or_else(Cell::empty, |text| Cell { right: true, ..Cell::words(text) }),
            Cell::number(both.len() as f64, Unit::Count),
        ]);
    }
    table.notes.push(format!(
        "\"Left\" is the geometric mean of the ratio to \"{without}\" on the boards that both have answered. `corner` is the strongest \
         solver, which counts decisions and not nodes of this search."
    ));
    vec![Block::heading("Colour orders, more rules, other solvers"), Block::Table(table)]
}
