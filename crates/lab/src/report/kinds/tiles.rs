//! Sliding tiles: IDA* instance by instance, and the gain from better heuristics.

use super::super::Block;
use super::super::data::{Data, compared, factor};
use crate::column::Unit;
use crate::fit::{Shape, fit};
use crate::plots::{PlotSpec, cactus, scatter};
use crate::summary::{geometric_mean, median, pairs};
use crate::table::{Cell, Table};
use crate::{Record, column};

pub(super) fn blocks(data: &Data) -> Vec<Block> {
    let classic = data.with("classic");
    let Some(plain) = classic.iter().find(|s| {
        data.of(s)
            .next()
            .is_some_and(|r| matches!(r.options.choices.heuristic.as_deref(), None | Some("manhattan")))
    }) else {
        return vec![Block::text(
            "No run of IDA* with Manhattan distance has ended, so there is nothing to compare with.",
        )];
    };
    let mut blocks = vec![Block::heading("IDA* with Manhattan distance, instance by instance")];
    blocks.push(Block::text(
        "h(s₀) is the estimate of the start; thresholds are the bounds of the rounds; generated counts every child made, expanded \
         every child within the bound.",
    ));
    blocks.push(Block::Table(instances(data, plain)));
    blocks.push(Block::heading("Better heuristics"));
    blocks.push(Block::Table(compare(data, plain, &classic)));
    let records: Vec<Record> = data.all.iter().filter(|r| classic.contains(&r.strategy)).cloned().collect();
    let plot = PlotSpec {
        title: Some("Expanded nodes over the length of the shortest plan".to_owned()),
        x: "steps".to_owned(),
        y: "expanded".to_owned(),
        log: (false, true),
        ..PlotSpec::default()
    };
    let mut figure = scatter(&records, &plot);
    for (colour, name) in classic.iter().enumerate() {
        let points = points(data, name);
        if let Some(found) = fit(Shape::Exponential, &points) {
            figure.curves.push(crate::plots::curve(&format!("{name}: "), &found, &points, false, colour));
        }
    }
    blocks.push(Block::figure(figure));
    blocks.push(Block::figure(cactus(&records, "seconds")));
    blocks.push(growth(data, &classic));
    blocks.push(gains(data, plain, &classic));
    blocks
}

fn points(data: &Data, strategy: &str) -> Vec<(f64, f64)> {
    let value = |r: &Record| Some((r.measured.steps? as f64, r.measured.expanded? as f64));
    data.solved(strategy).filter_map(value).collect()
}

fn instances(data: &Data, plain: &str) -> Table {
    let mut table =
        Table::new(["N", "h(s₀)", "thresholds", "moves", "generated", "expanded", "expanded/s", "time"]);
    for record in data.solved(plain) {
        let columns = ["instance", "h0", "rounds", "steps", "generated", "expanded", "rate", "seconds"];
        table.row(columns.iter().map(|c| column::cell(c, record)).collect());
    }
    table.notes.push("A rate is left out where the run was too short to time.".to_owned());
    table
}

fn compare(data: &Data, plain: &str, all: &[String]) -> Table {
    let heads = [
        "heuristic",
        "solved",
        "expanded, sum",
        "nodes left",
        "expanded/s",
        "time, sum",
        "time left",
        "set-up",
    ];
    let mut table = Table::new(heads);
    for name in all {
        let runs: Vec<&Record> = data.solved(name).collect();
        let sum = |pick: fn(&Record) -> f64| runs.iter().map(|r| pick(r)).sum::<f64>();
        let (expanded, cpu) = (sum(|r| r.measured.expanded.unwrap_or(0) as f64), sum(|r| r.measured.cpu));
        let share = |metric: &str| {
            let both = pairs(&data.all, (plain, name), &|r| column::number(metric, r));
            let long = both.iter().filter(|p| metric != "cpu" || p.1 >= crate::summary::SHORTEST);
            let ratios: Vec<f64> = long.filter(|p| p.1 > 0.0).map(|p| p.2 / p.1).collect();
            geometric_mean(&ratios)
                .map_or_else(Cell::empty, |g| Cell { right: true, ..Cell::words(percent(g)) })
        };
        table.row(vec![
            Cell::words(name),
            Cell::number(runs.len() as f64, Unit::Count),
            Cell::number(expanded, Unit::Count),
            share("expanded"),
            Cell::maybe((cpu >= 0.01).then(|| expanded / cpu), Unit::Rate),
            Cell::number(cpu, Unit::Seconds),
            share("cpu"),
            Cell::maybe(set_up(&runs), Unit::Seconds),
        ]);
    }
    table.notes.push(format!(
        "\"Left\" is the geometric mean of the ratio to {plain} on the boards that both have solved; for time, on those that take \
         {plain} a millisecond or more. Time is processor time, without the set-up: tables that are made once and serve all boards."
    ));
    table
}

/// The median time to build tables.
fn set_up(runs: &[&Record]) -> Option<f64> {
    median(&runs.iter().filter_map(|r| column::number("set-up", r)).collect::<Vec<_>>())
}

fn percent(share: f64) -> String {
    match share * 100.0 {
        p if p >= 10.0 => format!("{p:.0} %"),
        p if p >= 0.1 => format!("{p:.1} %"),
        p => format!("{p:.3} %"),
    }
}

fn growth(data: &Data, all: &[String]) -> Block {
    let mut parts = Vec::new();
    for name in all {
        let points = points(data, name);
        match (fit(Shape::Exponential, &points), compared(&points)) {
            (Some(found), Some(words)) => {
                let figure = factor(&found);
                parts.push(format!("**{name}**: each move more multiplies the nodes by {figure}; {words}."));
            }
            _ => parts.push(format!("**{name}**: too few boards for a fit.")),
        }
    }
    Block::Answer("How does the number of nodes grow with the length of the plan?".into(), parts.join(" "))
}

fn gains(data: &Data, plain: &str, all: &[String]) -> Block {
    let question = format!("What does each heuristic gain over {plain}: in nodes, in speed, in total?");
    let mut parts = Vec::new();
    for name in all.iter().filter(|n| *n != plain) {
        let nodes = pairs(&data.all, (plain, name), &|r| column::number("expanded", r));
        let ratio: Vec<f64> = nodes.iter().filter(|p| p.1 > 0.0).map(|p| p.2 / p.1).collect();
        let times = pairs(&data.all, (plain, name), &|r| Some(r.measured.cpu));
        let (a, b): (f64, f64) = times.iter().fold((0.0, 0.0), |s, t| (s.0 + t.1, s.1 + t.2));
        let (x, y): (f64, f64) = nodes.iter().fold((0.0, 0.0), |s, t| (s.0 + t.1, s.1 + t.2));
        let Some(mean) = geometric_mean(&ratio) else {
            parts.push(format!("**{name}**: no board was solved by both."));
            continue;
        };
        let total = if a < 0.01 || b <= 0.0 {
            "the boards are too easy to compare times".to_owned()
        } else {
            let speed = (y / b) / (x / a);
            let verdict = if b < a { "faster" } else { "slower" };
            format!(
                "a node takes {:.2} times as long; in total it is {:.2} times {verdict} ({:.2} s against {:.2} s)",
                1.0 / speed.max(1e-9),
                if b < a { a / b } else { b / a },
                b,
                a
            )
        };
        parts.push(format!(
            "**{name}** expands {} of the nodes (geometric mean, n = {}); {total}.",
            percent(mean),
            ratio.len()
        ));
    }
    Block::Answer(question, parts.join(" "))
}
