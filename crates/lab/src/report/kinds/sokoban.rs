//! Sokoban: expanded nodes before and after each deadlock rule and each optimisation, on the same maps.

use beeline_puzzles::kind;

use super::super::Block;
use super::super::data::Data;
use crate::column::Unit;
use crate::plots::{cactus, versus};
use crate::summary::{geometric_mean, pairs};
use crate::table::{Cell, Table};
use crate::{Record, column};

pub(super) fn blocks(data: &Data) -> Vec<Block> {
    let bare = data.strategies(|r| {
        r.options.with == "bfs" && r.options.choices.rules.as_ref().is_some_and(Vec::is_empty)
    });
    let Some(bare) = bare.into_iter().next() else {
        return vec![Block::text(
            "There is no run of breadth-first search without rules, so there is nothing to compare with.",
        )];
    };
    let all = data.strategies(|_| true);
    let mut blocks = vec![
        Block::heading("Expanded nodes, before and after"),
        Block::text(format!(
            "The same maps throughout. \"{bare}\" is breadth-first search over steps with duplicates dropped and no deadlock rule: \
             what is to be improved. A cell that names a limit is a run that did not end."
        )),
        Block::Table(data.matrix(&all, "expanded", &["boxes", "squares"])),
        Block::heading("What each rule and each optimisation does"),
        Block::Table(effects(data, &bare, &all)),
    ];
    let every = data.strategies(|r| r.options.with == "bfs" && r.options.choices.rules.is_none());
    if let Some(every) = every.first() {
        blocks.push(Block::figure(versus(&data.all, &bare, every, "expanded")));
    }
    blocks.push(Block::figure(cactus(&data.all, "expanded")));
    blocks.push(answer(data, &bare, &all));
    blocks.push(optimal(data, &all));
    blocks
}

/// Describes a strategy in words.
fn about(record: &Record) -> String {
    let options = &record.options;
    let rule = |name: &str| {
        let rules = kind("sokoban").map(beeline_puzzles::Kind::rules).unwrap_or_default();
        rules.iter().find(|r| r.name == name).map_or_else(String::new, |r| r.about.to_owned())
    };
    match (options.with.as_str(), options.choices.rules.as_deref()) {
        ("classic", _) if options.order.as_deref() == Some("reference") => {
            "the original's search with its corner test, which loses plans".into()
        }
        ("classic", _) => "the original's search with a sound corner test".into(),
        ("best", None) => "searches over pushes, with the rules and tables that pay".into(),
        ("best", Some([])) => "searches over pushes, with no rule but its bound".into(),
        ("bfs", Some([])) => "no rule".into(),
        ("best" | "bfs", Some([one])) => rule(one),
        ("best" | "bfs", Some(many)) => many.join(" + "),
        ("bfs", None) => "all rules together".into(),
        (with, _) => {
            let heuristic = options.choices.heuristic.as_deref().unwrap_or("the default heuristic");
            format!("{with} with {heuristic}, all rules")
        }
    }
}

/// The baseline of a strategy. For a `best` with explicit rules, it is the `best` without rules for the same objective. For
/// any other strategy, it is the bare search.
fn before(data: &Data, bare: &str, name: &str) -> String {
    let options = data.all.iter().find(|r| r.strategy == name).map(|r| &r.options);
    let alike = |r: &Record| {
        let same = options
            .is_some_and(|o| r.options.with == o.with && r.options.choices.objective == o.choices.objective);
        same && r.options.with == "best" && r.options.choices.rules.as_ref().is_some_and(Vec::is_empty)
    };
    let found = data.strategies(alike).into_iter().next();
    found.filter(|other| other != name).unwrap_or_else(|| bare.to_owned())
}

fn shares(data: &Data, bare: &str, name: &str) -> Vec<f64> {
    let before = before(data, bare, name);
    let both = pairs(&data.all, (&before, name), &|r| column::number("expanded", r));
    both.iter().filter(|p| p.1 > 0.0).map(|p| p.2 / p.1).collect()
}

fn effects(data: &Data, bare: &str, all: &[String]) -> Table {
    let mut table =
        Table::new(["search", "answered", "expanded, sum", "nodes left", "of", "time, sum", "what it does"]);
    for name in all {
        let Some(record) = data.all.iter().find(|r| r.strategy == *name) else { continue };
        let runs: Vec<&Record> = data.of(name).collect();
        let left = geometric_mean(&shares(data, bare, name)).map(|g| format!("{:.1} %", 100.0 * g));
        let what = about(record);
        table.row(vec![
            Cell::words(name),
            Cell::number(runs.len() as f64, Unit::Count),
            Cell::number(runs.iter().filter_map(|r| r.measured.expanded).sum::<u64>() as f64, Unit::Count),
            left.map_or_else(Cell::empty, |text| Cell { right: true, ..Cell::words(text) }),
            Cell::words(if name == bare { String::new() } else { before(data, bare, name) }),
            Cell::number(runs.iter().map(|r| r.measured.seconds).sum(), Unit::Seconds),
            Cell::words(what),
        ]);
    }
    table.notes.push(format!(
        "\"Left\" is the geometric mean of the ratio to the search it is compared with, \"{bare}\" or `best` without rules for the same objective, on the maps \
         that both have answered. The solver `best` counts pushes, not steps, so that its nodes are fewer and larger."
    ));
    table
}

fn answer(data: &Data, bare: &str, all: &[String]) -> Block {
    let mut found: Vec<(f64, usize, &String)> = all
        .iter()
        .filter(|name| *name != bare)
        .filter_map(|name| {
            let shares = shares(data, bare, name);
            Some((geometric_mean(&shares)?, shares.len(), name))
        })
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let parts: Vec<String> = found
        .iter()
        .map(|(share, n, name)| {
            let before = before(data, bare, name);
            format!("**{name}** leaves {:.1} % of the nodes that {before} expands (n = {n})", 100.0 * share)
        })
        .collect();
    let text = if parts.is_empty() {
        "No map was answered by two searches.".to_owned()
    } else {
        parts.join("; ") + "."
    };
    Block::Answer("What does each rule and each optimisation save?".into(), text)
}

/// Do all searches that promise a shortest plan agree?
fn optimal(data: &Data, all: &[String]) -> Block {
    let mut differ = Vec::new();
    let mut compared = 0;
    for record in &data.all {
        let Some(shortest) = data.shortest(record) else { continue };
        if !record.measured.solved()
            || !matches!(record.options.choices.objective.as_deref(), None | Some("moves"))
        {
            continue;
        }
        compared += 1;
        let steps = record.measured.steps.unwrap_or(0) as f64;
        if steps > shortest {
            differ.push(format!(
                "{} on {} has {steps} steps, the shortest {shortest}",
                record.strategy, record.instance
            ));
        }
    }
    let lost: Vec<String> = data
        .all
        .iter()
        .filter(|r| r.measured.verdict == "gave up" && data.shortest(r).is_some())
        .map(|r| format!("{} finds none on {}", r.strategy, r.instance))
        .collect();
    let text = if differ.is_empty() && lost.is_empty() {
        format!(
            "Yes: on all {compared} solved runs of {} searches the length is the proved shortest.",
            all.len()
        )
    } else {
        format!(
            "{compared} solved runs were compared. Not shortest: {}.",
            differ.into_iter().chain(lost).collect::<Vec<_>>().join("; ")
        )
    };
    Block::Answer("Are the plans still the shortest?".into(), text)
}
