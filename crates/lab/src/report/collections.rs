//! Level collections: how many levels are solved within a limit, beside published results.
//!
//! A solver that was tuned on a collection looks good on that collection. So levels with odd and with even numbers are counted
//! separately: tune on the odd half, and evaluate on the even half.

use super::Block;
use super::data::Data;
use crate::Record;
use crate::column::Unit;
use crate::plots::cactus;
use crate::spec::Published;
use crate::summary::{answered, par2};
use crate::table::{Cell, Table};

pub(super) fn blocks(data: &Data) -> Vec<Block> {
    let mut suites: Vec<&str> = Vec::new();
    for record in &data.all {
        if !suites.contains(&record.suite.as_str()) {
            suites.push(&record.suite);
        }
    }
    let mut blocks = vec![
        Block::heading("Solved within the limits"),
        Block::text(
            "Odd and even are the levels by their numbers: what is tuned on the one half can be seen on the other.",
        ),
        Block::Table(counted(data, &suites)),
    ];
    if !data.published.is_empty() {
        blocks.push(Block::heading("Beside published results"));
        blocks.push(Block::Table(beside(data, &suites)));
    }
    blocks.push(not_solved(data, &suites));
    blocks.push(Block::figure(cactus(&data.all, "seconds")));
    blocks
}

/// The runs of a strategy on a suite, with the number of their level in it.
fn runs<'a>(data: &'a Data, suite: &str, strategy: &str) -> Vec<(usize, &'a Record)> {
    let levels: Vec<&str> =
        data.instances().into_iter().filter(|r| r.suite == suite).map(|r| r.instance.as_str()).collect();
    let mine = data.all.iter().filter(|r| r.suite == suite && r.strategy == strategy);
    mine.filter_map(|r| Some((1 + levels.iter().position(|l| *l == r.instance)?, r))).collect()
}

fn share(runs: &[(usize, &Record)], which: impl Fn(usize) -> bool) -> Cell {
    let among: Vec<_> = runs.iter().filter(|(number, _)| which(*number)).collect();
    let solved = among.iter().filter(|(_, r)| r.measured.solved()).count();
    Cell { right: true, ..Cell::words(format!("{solved} of {}", among.len())) }
}

fn counted(data: &Data, suites: &[&str]) -> Table {
    let heads =
        ["collection", "strategy", "solved", "odd", "even", "limit", "sum of time", "slowest", "PAR-2"];
    let mut table = Table::new(heads);
    for suite in suites {
        for strategy in data.strategies(|r| r.suite == *suite) {
            let runs = runs(data, suite, &strategy);
            let times: Vec<f64> =
                runs.iter().filter(|(_, r)| answered(r)).map(|(_, r)| r.measured.seconds).collect();
            let records: Vec<&Record> = runs.iter().map(|(_, r)| *r).collect();
            table.row(vec![
                Cell::words(*suite),
                Cell::words(&strategy),
                share(&runs, |_| true),
                share(&runs, |n| n % 2 == 1),
                share(&runs, |n| n % 2 == 0),
                Cell::maybe(runs.first().and_then(|(_, r)| r.limits.seconds), Unit::Seconds),
                Cell::number(times.iter().sum(), Unit::Seconds),
                Cell::maybe(times.iter().copied().reduce(f64::max), Unit::Seconds),
                Cell::maybe(par2(&records), Unit::Seconds),
            ]);
        }
    }
    table
}

/// Our results and published ones, collection by collection, the most first.
fn beside(data: &Data, suites: &[&str]) -> Table {
    let mut table = Table::new(["collection", "who", "solved", "conditions"]);
    for suite in suites {
        let mut rows: Vec<(usize, usize, String, String)> = Vec::new();
        for strategy in data.strategies(|r| r.suite == *suite) {
            let runs = runs(data, suite, &strategy);
            let solved = runs.iter().filter(|(_, r)| r.measured.solved()).count();
            let limit = runs.first().and_then(|(_, r)| r.limits.seconds);
            let limit = limit.map_or_else(String::new, |s| format!("{s} s a level, "));
            rows.push((solved, runs.len(), strategy.clone(), limit + "these runs"));
        }
        for Published { who, solved, of, conditions, .. } in
            data.published.iter().filter(|p| p.suite == *suite)
        {
            rows.push((*solved, *of, who.clone(), conditions.clone()));
        }
        rows.sort_by_key(|row| std::cmp::Reverse(row.0));
        for (solved, of, who, conditions) in rows {
            let solved = Cell { right: true, ..Cell::words(format!("{solved} of {of}")) };
            table.row(vec![Cell::words(*suite), Cell::words(who), solved, Cell::words(conditions)]);
        }
    }
    table.notes.push("What others have published was measured by them, on their machines.".into());
    table
}

fn not_solved(data: &Data, suites: &[&str]) -> Block {
    let mut parts = Vec::new();
    for suite in suites {
        for strategy in data.strategies(|r| r.suite == *suite) {
            let runs = runs(data, suite, &strategy);
            let left = runs.iter().filter(|(_, r)| !r.measured.solved());
            let left: Vec<String> = left
                .map(|(_, r)| {
                    let why = r.measured.reason.as_deref().unwrap_or(&r.measured.verdict);
                    let why = if r.measured.hung() { "**hung**" } else { why };
                    format!("{} ({why})", r.instance)
                })
                .collect();
            let told = if left.is_empty() { "none".to_owned() } else { left.join(", ") };
            parts.push(format!("**{strategy}** on {suite}: {told}"));
        }
    }
    let text = if parts.is_empty() { "Nothing was run.".to_owned() } else { parts.join("; ") + "." };
    Block::Answer("Which levels were not solved, and what stopped them?".into(), text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    #[test]
    fn halves_are_counted_apart_and_others_stand_beside() {
        let verdicts = ["solved", "stopped", "solved", "solved", "solved"];
        let records: Vec<Record> = verdicts
            .iter()
            .enumerate()
            .map(|(i, verdict)| Record { place: i, ..record(&format!("l{i}"), "p", verdict, 1.0, 3) })
            .collect();
        let mut data = Data::new(&records);
        data.published = vec![Published {
            suite: "s".into(),
            who: "somebody".into(),
            solved: 5,
            of: 5,
            conditions: "a day each".into(),
        }];
        let text = |table: &Table| table.write(crate::table::Format::Csv);
        let counted = text(&counted(&data, &["s"]));
        assert!(
            counted.contains("4 of 5") && counted.contains("3 of 3") && counted.contains("1 of 2"),
            "{counted}"
        );
        let beside = text(&beside(&data, &["s"]));
        let rows: Vec<&str> = beside.lines().collect();
        assert!(rows[1].contains("somebody") && rows[2].contains("4 of 5"), "the most first: {beside}");
    }
}
