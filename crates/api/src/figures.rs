//! A run's figures as JSON, with the names of docs/json.md: one form for the command and one for the page.

use beeline_search::Stats;
use serde::{Serialize, Serializer};

/// The figures of a run.
#[derive(Serialize)]
pub struct Figures {
    expanded: u64,
    generated: u64,
    duplicates: u64,
    reopened: u64,
    #[serde(flatten)]
    pruned: Pruned,
    depth: u64,
    stored: u64,
    frontier_peak: u64,
    bytes: usize,
    seconds: f64,
    rounds: Vec<Round>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shares: Vec<Share>,
}

/// Counts by the name of a rule.
type ByRule = Vec<(&'static str, u64)>;

/// Pruned successors, in the form of the command or of the page.
#[derive(Serialize)]
#[serde(untagged)]
enum Pruned {
    /// The command: an object with a count for each rule.
    Command {
        #[serde(serialize_with = "object")]
        pruned: ByRule,
    },
    /// The page: the sum, and a pair for each rule.
    Page { pruned: u64, rules: ByRule },
}

fn object<S: Serializer>(rules: &ByRule, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(rules.iter().copied())
}

#[derive(Serialize)]
struct Round {
    bound: u64,
    expanded: u64,
    generated: u64,
    duplicates: u64,
}

/// The work of one of several threads or ranks.
#[derive(Serialize)]
struct Share {
    expanded: u64,
    stored: u64,
    bytes: usize,
    sent: u64,
    batches: u64,
    sent_bytes: u64,
    idle_seconds: f64,
}

impl Figures {
    /// The figures in the form of the command's output.
    pub fn of_command(stats: &Stats) -> Self {
        Self::new(stats, Pruned::Command { pruned: stats.pruned.clone() })
    }

    /// The figures in the form that the page reads.
    pub fn of_page(stats: &Stats) -> Self {
        Self::new(stats, Pruned::Page { pruned: stats.pruned_total(), rules: stats.pruned.clone() })
    }

    fn new(stats: &Stats, pruned: Pruned) -> Self {
        let rounds = stats.rounds.iter().map(|r| Round {
            bound: r.bound,
            expanded: r.expanded,
            generated: r.generated,
            duplicates: r.duplicates,
        });
        let shares = stats.shares.iter().map(|s| Share {
            expanded: s.expanded,
            stored: s.stored,
            bytes: s.bytes,
            sent: s.sent,
            batches: s.batches,
            sent_bytes: s.sent_bytes,
            idle_seconds: s.idle.as_secs_f64(),
        });
        Self {
            expanded: stats.expanded,
            generated: stats.generated,
            duplicates: stats.duplicates,
            reopened: stats.reopened,
            pruned,
            depth: stats.depth,
            stored: stats.stored,
            frontier_peak: stats.frontier_peak,
            bytes: stats.bytes,
            seconds: stats.elapsed.as_secs_f64(),
            rounds: rounds.collect(),
            shares: shares.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use beeline_search::{Round, Share};

    use super::*;

    #[test]
    fn both_forms_are_those_of_the_schema() {
        let stats = Stats {
            expanded: 5,
            generated: 9,
            duplicates: 2,
            pruned: vec![("pairs", 3), ("freeze", 1)],
            rounds: vec![Round { bound: 4, expanded: 5, generated: 9, duplicates: 2 }],
            bytes: 100,
            elapsed: Duration::from_millis(500),
            ..Stats::default()
        };
        let head = r#"{"expanded":5,"generated":9,"duplicates":2,"reopened":0,"#;
        let tail = r#""depth":0,"stored":0,"frontier_peak":0,"bytes":100,"seconds":0.5,"rounds":[{"bound":4,"expanded":5,"generated":9,"duplicates":2}]"#;
        let json = |figures: &Figures| serde_json::to_string(figures).unwrap();
        let command = format!(r#"{head}"pruned":{{"pairs":3,"freeze":1}},{tail}}}"#);
        assert_eq!(json(&Figures::of_command(&stats)), command);
        let page = format!(r#"{head}"pruned":4,"rules":[["pairs",3],["freeze",1]],{tail}}}"#);
        assert_eq!(json(&Figures::of_page(&stats)), page);
        let shared = Stats { shares: vec![Share { sent: 7, ..Share::default() }], ..stats };
        let share =
            r#"{"expanded":0,"stored":0,"bytes":0,"sent":7,"batches":0,"sent_bytes":0,"idle_seconds":0.0}"#;
        let command = format!(r#"{},"shares":[{share}]}}"#, command.strip_suffix('}').unwrap());
        assert_eq!(json(&Figures::of_command(&shared)), command);
    }
}
