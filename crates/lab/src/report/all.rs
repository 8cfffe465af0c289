//! Every strategy on every kind: one matrix.

use super::Block;
use super::data::Data;
use crate::Record;
use crate::plots::cactus;
use crate::summary::{answered, geometric_mean};
use crate::table::{Cell, Table};

pub(super) fn blocks(data: &Data) -> Vec<Block> {
    let mut kinds: Vec<&str> = Vec::new();
    for record in &data.all {
        if !kinds.contains(&record.kind.as_str()) {
            kinds.push(&record.kind);
        }
    }
    let strategies = data.strategies(|_| true);
    let mut blocks = vec![
        Block::heading("Answered"),
        Block::text(
            "How many puzzles of each kind a strategy has answered within the limits, by a plan or by the proof that there is none. The \
             same counters, the same limits, the same checker for all.",
        ),
        Block::Table(matrix(data, &strategies, &kinds, &answered_cell)),
        Block::heading("Expanded states"),
        Block::text(
            "Geometric mean over the puzzles that the strategy has answered; so compare within a column only where as many are answered.",
        ),
        Block::Table(matrix(data, &strategies, &kinds, &expanded_cell)),
        Block::heading("Length against the shortest"),
        Block::text(
            "Geometric mean of the plan's length over that of the shortest known to be shortest; 1.00 means that every plan is shortest.",
        ),
        Block::Table(matrix(data, &strategies, &kinds, &|runs| length_cell(data, runs))),
    ];
    blocks.push(winners(data, &strategies, &kinds));
    blocks.push(Block::figure(cactus(&data.all, "seconds")));
    blocks
}

fn matrix(data: &Data, strategies: &[String], kinds: &[&str], cell: &dyn Fn(&[&Record]) -> Cell) -> Table {
    let heads = ["strategy"].into_iter().chain(kinds.iter().copied()).chain(["all"]);
    let mut table = Table::new(heads);
    for name in strategies {
        let runs = |kind: Option<&str>| -> Vec<&Record> {
            let mine = data.all.iter().filter(|r| r.strategy == *name);
            mine.filter(|r| kind.is_none_or(|k| r.kind == k)).collect()
        };
        let mut cells = vec![Cell::words(name)];
        cells.extend(kinds.iter().map(|kind| cell(&runs(Some(kind)))));
        cells.push(cell(&runs(None)));
        table.row(cells);
    }
    table
}

fn right(text: String) -> Cell {
    Cell { right: true, ..Cell::words(text) }
}

fn answered_cell(runs: &[&Record]) -> Cell {
    let possible: Vec<&&Record> = runs.iter().filter(|r| r.measured.verdict != "unsupported").collect();
    if possible.is_empty() {
        return Cell::empty();
    }
    let good = possible.iter().filter(|r| answered(r)).count();
    right(format!("{good}/{}", possible.len()))
}

fn expanded_cell(runs: &[&Record]) -> Cell {
    let good = runs.iter().filter(|r| answered(r)).filter_map(|r| r.measured.expanded);
    let mean = geometric_mean(&good.map(|n| n as f64).collect::<Vec<_>>());
    Cell::maybe(mean.map(f64::round), crate::column::Unit::Count)
}

fn length_cell(data: &Data, runs: &[&Record]) -> Cell {
    let ratios = runs.iter().filter(|r| r.measured.solved()).filter_map(|r| {
        let shortest = data.shortest(r).filter(|s| *s > 0.0)?;
        Some(r.measured.steps? as f64 / shortest)
    });
    geometric_mean(&ratios.collect::<Vec<_>>()).map_or_else(Cell::empty, |mean| right(format!("{mean:.2}")))
}

/// The strategy that answers most instances of each kind.
fn winners(data: &Data, strategies: &[String], kinds: &[&str]) -> Block {
    let mut parts = Vec::new();
    for kind in kinds {
        let count = |name: &String| {
            let mine = data.all.iter().filter(|r| r.kind == *kind && r.strategy == *name);
            mine.filter(|r| answered(r)).count()
        };
        let most = strategies.iter().map(count).max().unwrap_or(0);
        let best: Vec<&str> = strategies.iter().filter(|s| count(s) == most).map(String::as_str).collect();
        parts.push(format!("**{kind}**: {most} by {}", best.join(", ")));
    }
    let text = if parts.is_empty() { "Nothing was run.".to_owned() } else { parts.join("; ") + "." };
    Block::Answer("Which strategy answers the most puzzles of each kind?".into(), text)
}
