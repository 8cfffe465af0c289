//! Summaries of many runs. The repeats of a run become one by their median.

use std::collections::BTreeMap;

use crate::Record;
use beeline_api::units::plural;

/// Runs shorter than this many seconds are too short to time.
pub const SHORTEST: f64 = 1e-3;

/// The records with repeats merged, in their order. Counters are the same in all repeats; times are medians.
pub fn merged(records: &[Record]) -> Vec<Record> {
    let mut groups: Vec<(&Record, Vec<&Record>)> = Vec::new();
    let mut places: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    for record in records {
        let key = (record.suite.as_str(), record.instance.as_str(), record.strategy.as_str());
        let at = *places.entry(key).or_insert_with(|| {
            groups.push((record, Vec::new()));
            groups.len() - 1
        });
        groups[at].1.push(record);
    }
    let merge = |(first, all): (&Record, Vec<&Record>)| {
        // A repeat that did not hang must not hide one that did.
        let shown = all.iter().find(|r| r.measured.hung()).copied().unwrap_or(first);
        let mut merged = shown.clone();
        let of = |pick: fn(&Record) -> f64| median(&all.iter().map(|r| pick(r)).collect::<Vec<_>>());
        merged.wall = of(|r| r.wall).unwrap_or(first.wall);
        merged.measured.seconds = of(|r| r.measured.seconds).unwrap_or(first.measured.seconds);
        merged.measured.cpu = of(|r| r.measured.cpu).unwrap_or(first.measured.cpu);
        merged
    };
    groups.into_iter().map(merge).collect()
}

/// A note on the runs that hung, if any did.
pub fn hung_note(records: &[Record]) -> Option<String> {
    let count = records.iter().filter(|r| r.measured.hung()).count();
    (count > 0).then(|| {
        let runs = plural(count, "run");
        format!("{runs} hung: not ended by the time limit but killed after it. That is a bug in the solver.")
    })
}

/// The median; of an even number of values, the mean of the two in the middle.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[half]),
        _ => Some(f64::midpoint(sorted[half - 1], sorted[half])),
    }
}

/// The geometric mean of the positive values.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logs: Vec<f64> = values.iter().filter(|v| **v > 0.0).map(|v| v.ln()).collect();
    (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
}

/// PAR-2: the mean time, where an unsolved run counts twice its limit. `None` if an unsolved run had no limit.
pub fn par2(records: &[&Record]) -> Option<f64> {
    let times: Option<Vec<f64>> = records
        .iter()
        .map(|r| {
            let limit = r.limits.seconds.map(|s| 2.0 * s);
            if r.measured.solved() || r.measured.verdict == "unsolvable" {
                Some(r.measured.seconds)
            } else {
                limit
            }
        })
        .collect();
    let times = times.filter(|t| !t.is_empty())?;
    Some(times.iter().sum::<f64>() / times.len() as f64)
}

/// The summary of one strategy over many instances.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The strategy.
    pub strategy: String,
    /// The number of instances.
    pub runs: usize,
    /// Runs with a plan or a proof that there is none.
    pub answered: usize,
    /// Runs with a plan that is proved shortest.
    pub optimal: usize,
    /// Sum of the seconds of all runs.
    pub seconds: f64,
    /// See [`par2`].
    pub par2: Option<f64>,
    /// Geometric mean of the seconds of answered runs.
    pub mean_seconds: Option<f64>,
    /// Sum of the expanded states of answered runs.
    pub expanded: Option<f64>,
    /// Geometric mean of the expanded states of answered runs.
    pub mean_expanded: Option<f64>,
    /// Geometric mean of the generated states of answered runs.
    pub mean_generated: Option<f64>,
    /// Geometric mean of the bytes that the search counted.
    pub mean_bytes: Option<f64>,
}

/// One summary per strategy, in the order of the records.
pub fn lines(records: &[Record]) -> Vec<Line> {
    strategies(records).iter().map(|name| line(name, records)).collect()
}

/// The names of the strategies, in the order of the records.
pub fn strategies(records: &[Record]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for record in records {
        if !names.contains(&record.strategy) {
            names.push(record.strategy.clone());
        }
    }
    names
}

/// Does the run have an answer: a plan, or the proof that there is none?
pub fn answered(record: &Record) -> bool {
    matches!(record.measured.verdict.as_str(), "solved" | "unsolvable")
}

fn line(name: &str, records: &[Record]) -> Line {
    let all: Vec<&Record> = records.iter().filter(|r| r.strategy == name).collect();
    let good: Vec<&Record> = all.iter().copied().filter(|r| answered(r)).collect();
    let of = |pick: fn(&Record) -> Option<u64>| {
        good.iter().filter_map(|r| pick(r)).map(|n| n as f64).collect::<Vec<f64>>()
    };
    let expanded = of(|r| r.measured.expanded);
    let seconds: Vec<f64> = good.iter().map(|r| r.measured.seconds).collect();
    Line {
        strategy: name.to_owned(),
        runs: all.len(),
        answered: good.len(),
        optimal: good.iter().filter(|r| r.measured.optimal).count(),
        seconds: all.iter().map(|r| r.measured.seconds).sum(),
        par2: par2(&all),
        mean_seconds: geometric_mean(&seconds),
        expanded: (!expanded.is_empty()).then(|| expanded.iter().sum()),
        mean_expanded: geometric_mean(&expanded),
        mean_generated: geometric_mean(&of(|r| r.measured.generated)),
        mean_bytes: geometric_mean(&of(|r| Some(r.measured.bytes))),
    }
}

/// The values of two strategies on each instance that both answered, in the order of the records.
pub fn pairs(
    records: &[Record],
    (first, second): (&str, &str),
    value: &dyn Fn(&Record) -> Option<f64>,
) -> Vec<(String, f64, f64)> {
    let of = |name: &str, at: &Record| {
        let mut same = records.iter().filter(|r| {
            r.strategy == name && r.instance == at.instance && r.suite == at.suite && answered(r)
        });
        same.next().and_then(value)
    };
    let mine = records.iter().filter(|r| r.strategy == first);
    mine.filter_map(|r| Some((r.instance.clone(), of(first, r)?, of(second, r)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    #[test]
    fn means_and_medians_by_hand() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[]), None);
        let mean = geometric_mean(&[1.0, 10.0, 100.0, 0.0]).unwrap();
        assert!((mean - 10.0).abs() < 1e-9);
    }

    #[test]
    fn a_summary_by_hand() {
        let records = [
            record("a", "p", "solved", 1.0, 10),
            record("b", "p", "solved", 4.0, 1000),
            record("c", "p", "stopped", 10.0, 99),
            record("a", "q", "unsolvable", 2.0, 7),
        ];
        let lines = lines(&records);
        assert_eq!(lines.len(), 2);
        let p = &lines[0];
        assert_eq!((p.runs, p.answered, p.optimal), (3, 2, 0));
        assert!((p.seconds - 15.0).abs() < 1e-9);
        // (1 + 4 + 2 · 10) / 3
        assert!((p.par2.unwrap() - 25.0 / 3.0).abs() < 1e-9);
        assert!((p.mean_seconds.unwrap() - 2.0).abs() < 1e-9);
        assert_eq!(p.expanded, Some(1010.0));
        assert!((p.mean_expanded.unwrap() - 100.0).abs() < 1e-9);
        assert_eq!(lines[1].answered, 1);
        let both = pairs(&records, ("p", "q"), &|r| Some(r.measured.seconds));
        assert_eq!(both, [("a".to_owned(), 1.0, 2.0)]);
    }

    #[test]
    fn repeats_become_their_median() {
        let again = |seconds, repeat| {
            let mut r = record("a", "p", "solved", seconds, 10);
            r.repeat = repeat;
            r
        };
        let merged =
            merged(&[again(1.0, 0), again(9.0, 1), again(2.0, 2), record("b", "p", "solved", 5.0, 1)]);
        assert_eq!(merged.len(), 2);
        assert!((merged[0].measured.seconds - 2.0).abs() < 1e-9);
    }

    #[test]
    fn a_repeat_that_hung_is_shown() {
        let mut hung = record("a", "p", "hung", 0.0, 10);
        hung.repeat = 1;
        let merged =
            merged(&[record("a", "p", "solved", 1.0, 10), hung, record("a", "p", "solved", 1.0, 10)]);
        assert!(merged.len() == 1 && merged[0].measured.hung());
        assert!(hung_note(&merged).is_some_and(|note| note.starts_with("1 run hung")));
        assert_eq!(hung_note(&[record("a", "p", "stopped", 1.0, 10)]), None);
    }
}
