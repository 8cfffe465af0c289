//! Columns by name: how to find a value in a record, and how to show it.

use serde_json::Value;

use crate::Record;
use crate::summary::SHORTEST;
use crate::table::{Cell, Table};
use beeline_api::units::{commas, size};

/// The unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A plain count.
    Count,
    /// Seconds.
    Seconds,
    /// Bytes.
    Bytes,
    /// A count per second.
    Rate,
}

impl Unit {
    /// The symbol on an axis, as in `time [s]`.
    pub fn symbol(self) -> Option<&'static str> {
        match self {
            Self::Count => None,
            Self::Seconds => Some("s"),
            Self::Bytes => Some("bytes"),
            Self::Rate => Some("1/s"),
        }
    }

    /// Formats a number for people.
    pub fn show(self, number: f64) -> String {
        match self {
            Self::Count if number.fract() == 0.0 && number.abs() < 1e15 => {
                if number < 0.0 {
                    format!("-{}", commas(-number as u64))
                } else {
                    commas(number as u64)
                }
            }
            Self::Count => format!("{number:.2}"),
            Self::Seconds => seconds(number),
            Self::Bytes => size(number as usize),
            Self::Rate => commas(number as u64),
        }
    }
}

/// A time in few digits: 4 for a short one, whole seconds never.
fn seconds(s: f64) -> String {
    match s {
        s if s < 0.1 => format!("{:.1} ms", s * 1e3),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 100.0 => format!("{s:.2} s"),
        s => format!("{s:.0} s"),
    }
}

/// The columns that every record has, with a description each.
pub const COLUMNS: &[(&str, &str)] = &[
    ("suite", "the suite"),
    ("instance", "the puzzle"),
    ("kind", "its kind"),
    ("strategy", "the strategy's name in the spec"),
    ("result", "how the run ended"),
    ("steps", "steps of the plan, which the checker has replayed"),
    ("cost", "its cost"),
    ("proved", "is it proved shortest?"),
    ("expanded", "states whose moves were enumerated"),
    ("generated", "successors made (classic searches count in their own way)"),
    ("duplicates", "successors that were there before"),
    ("pruned", "successors dropped by rules; pruned:RULE is one of them"),
    ("rounds", "bounds or widths, round by round"),
    ("bytes", "our own bytes, exact, at their largest"),
    ("rss", "resident bytes of the process at their largest"),
    ("seconds", "wall time of the search"),
    ("cpu", "processor time of the search"),
    ("wall", "wall time of the whole process"),
    ("rate", "expanded states a second of processor time"),
];

/// The columns of a table if the user names none.
pub const USUAL: [&str; 9] =
    ["instance", "strategy", "result", "steps", "proved", "expanded", "generated", "bytes", "seconds"];

/// All valid column names: the fixed columns, and the figures in these records.
pub fn known(records: &[Record]) -> Vec<String> {
    let mut names: Vec<String> = COLUMNS.iter().map(|c| c.0.to_owned()).collect();
    for record in records {
        let rules = record.measured.pruned.keys().map(|rule| format!("pruned:{rule}"));
        for name in record.measured.figures.keys().cloned().chain(rules) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// The unit of a column.
pub fn unit(name: &str) -> Unit {
    match name {
        "seconds" | "cpu" | "wall" | "set-up" => Unit::Seconds,
        "bytes" | "rss" | "auxiliary" => Unit::Bytes,
        "rate" => Unit::Rate,
        _ => Unit::Count,
    }
}

/// The number in a column; `None` if the record has none.
pub fn number(name: &str, record: &Record) -> Option<f64> {
    let m = &record.measured;
    let count = |n: Option<u64>| n.map(|n| n as f64);
    match name {
        "steps" => count(m.steps),
        "cost" => count(m.cost),
        "expanded" => count(m.expanded),
        "generated" => count(m.generated),
        "duplicates" => count(m.duplicates),
        "pruned" => (!m.pruned.is_empty()).then(|| m.pruned.values().sum::<u64>() as f64),
        "bytes" => Some(m.bytes as f64).filter(|&b| b > 0.0),
        "rss" => count(m.rss),
        "seconds" => Some(m.seconds),
        "cpu" => Some(m.cpu),
        "wall" => Some(record.wall),
        "rate" => count(m.expanded).filter(|_| m.cpu >= SHORTEST).map(|n| n / m.cpu),
        "repeat" => Some(f64::from(record.repeat)),
        _ => match name.strip_prefix("pruned:") {
            Some(rule) => m.pruned.get(rule).map(|&n| n as f64),
            None => m.figures.get(name).copied(),
        },
    }
}

fn words(name: &str, record: &Record) -> Option<String> {
    let m = &record.measured;
    Some(match name {
        "suite" => record.suite.clone(),
        "instance" => record.instance.clone(),
        "kind" => record.kind.clone(),
        "strategy" => record.strategy.clone(),
        "result" => match &m.reason {
            Some(reason) if m.verdict == "stopped" => reason.clone(),
            // Capital letters stand out: a hang is a fault of the solver, not a result.
            _ if m.hung() => "HUNG".to_owned(),
            _ => m.verdict.clone(),
        },
        "proved" if m.solved() => if m.optimal { "shortest" } else { "–" }.to_owned(),
        "rounds" => m.rounds.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        _ => return None,
    })
}

/// The cell of a column for a record.
pub fn cell(name: &str, record: &Record) -> Cell {
    if let Some(text) = words(name, record) {
        return Cell::words(text);
    }
    match number(name, record) {
        None => Cell::empty(),
        Some(n) if unit(name) == Unit::Seconds && n < SHORTEST => {
            Cell { shown: "< 1 ms".to_owned(), raw: Value::from(n), right: true }
        }
        Some(n) => Cell::number(n, unit(name)),
    }
}

/// A table with one row per record.
pub fn table(records: &[Record], columns: &[String]) -> Table {
    let mut table = Table::new(columns.iter().map(String::as_str));
    for record in records {
        table.row(columns.iter().map(|name| cell(name, record)).collect());
    }
    let timed = columns.iter().any(|c| unit(c) == Unit::Seconds);
    if timed && records.iter().any(|r| r.measured.seconds < SHORTEST) {
        table.notes.push("\"< 1 ms\": too short to time.".to_owned());
    }
    table.notes.extend(crate::summary::hung_note(records));
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    #[test]
    fn cells_of_a_record() {
        let mut r = record("a", "p", "solved", 0.0004, 1234);
        r.measured.figures.insert("pieces".into(), 4.0);
        r.measured.pruned.insert("corner".into(), 7);
        let shown = |name: &str| cell(name, &r).shown;
        let all = ["instance", "result", "expanded", "seconds", "pieces", "pruned:corner", "rate", "width"];
        assert_eq!(all.map(shown), ["a", "solved", "1,234", "< 1 ms", "4", "7", "", ""]);
        assert_eq!(table(&[r.clone()], &["seconds".into()]).notes.len(), 1);
        assert!(known(&[r]).contains(&"pruned:corner".to_owned()));
    }

    #[test]
    fn a_limit_is_a_result() {
        let mut r = record("a", "p", "stopped", 2.0, 1);
        r.measured.reason = Some("time".into());
        assert_eq!(cell("result", &r).shown, "time");
        assert_eq!(cell("seconds", &r).shown, "2.00 s");
    }

    #[test]
    fn a_run_that_hung_stands_out() {
        let (mut hung, good) = (record("a", "p", "hung", 0.0, 1), record("b", "p", "solved", 1.0, 1));
        hung.measured.reason = Some("it did not end".into());
        assert_eq!(cell("result", &hung).shown, "HUNG");
        let notes = |records: &[Record]| table(records, &["result".into()]).notes.concat();
        assert!(notes(&[hung.clone(), good.clone()]).contains("1 run hung"));
        assert!(!notes(&[good]).contains("hung"));
    }
}
