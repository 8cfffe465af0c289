//! What `--json` prints: one object a line. The schema is docs/json.md; a field is never taken away or given another
//! meaning under the same [`SCHEMA`].

use std::io::{self, Write};

use beeline_search::Stats;
use serde::Serialize;
use serde_json::{Map, Value};

use super::certificate::Certified;
use super::input::Instance;
use super::report::Trouble;
use super::run::{Promise, Run};
use crate::watchdog::Hung;

/// The name and version of the schema; the first field of every object.
pub(super) const SCHEMA: &str = "beeline/1";

/// Where a puzzle came from.
#[derive(Serialize)]
pub(super) struct Origin<'a> {
    schema: &'static str,
    command: &'static str,
    source: &'a str,
    level: usize,
    levels: usize,
    title: Option<String>,
    kind: &'static str,
}

impl<'a> Origin<'a> {
    pub(super) fn new(command: &'static str, instance: &'a Instance) -> Self {
        Self {
            schema: SCHEMA,
            command,
            source: &instance.source,
            level: instance.level,
            levels: instance.levels,
            title: instance.title(),
            kind: instance.puzzle.kind().name(),
        }
    }
}

/// One search.
#[derive(Serialize)]
pub(super) struct Record<'a> {
    #[serde(flatten)]
    origin: Origin<'a>,
    facts: Map<String, Value>,
    warnings: Vec<String>,
    strategy: &'a str,
    heuristic: Option<&'a str>,
    objective: &'a str,
    verdict: &'static str,
    exit: u8,
    /// Which limit ended the search, or why the checker rejected the plan.
    reason: Option<String>,
    cost: Option<u64>,
    lower_bound: Option<u64>,
    promise: Option<&'static str>,
    ratio: Option<f64>,
    steps: Option<&'a [String]>,
    plan: Option<String>,
    checked: bool,
    stats: Figures,
    /// Only where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<&'a Certified>,
}

impl<'a> Record<'a> {
    pub(super) fn new(command: &'static str, instance: &'a Instance, run: &'a Run) -> Self {
        let puzzle = &*instance.puzzle;
        let plan = run.ending.plan();
        Self {
            origin: Origin::new(command, instance),
            facts: puzzle.facts().into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect(),
            warnings: puzzle.warnings(),
            strategy: &run.strategy,
            heuristic: run.heuristic.as_deref(),
            objective: &run.objective,
            verdict: run.ending.word(),
            exit: run.exit().code(),
            reason: run.reason(),
            cost: plan.map(|p| p.cost),
            lower_bound: plan.map(|p| p.lower_bound),
            promise: plan.map(|p| p.promise().word()),
            ratio: plan.and_then(|p| match p.promise() {
                Promise::Shortest => Some(1.0),
                Promise::Within(times) => Some(times),
                Promise::Nothing => None,
            }),
            steps: plan.map(|p| p.steps.as_slice()),
            plan: plan.map(|p| puzzle.write_plan(&p.steps)),
            checked: plan.is_some(),
            stats: Figures::new(&run.stats),
            certificate: run.certificate.as_ref(),
        }
    }
}

/// The counters, in the words of the glossary.
#[derive(Serialize)]
struct Figures {
    expanded: u64,
    generated: u64,
    duplicates: u64,
    reopened: u64,
    pruned: Map<String, Value>,
    depth: u64,
    stored: u64,
    frontier_peak: u64,
    bytes: usize,
    seconds: f64,
    rounds: Vec<Round>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shares: Vec<Share>,
}

/// What one of several threads or ranks did.
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

#[derive(Serialize)]
struct Round {
    bound: u64,
    expanded: u64,
    generated: u64,
    duplicates: u64,
}

impl Figures {
    fn new(stats: &Stats) -> Self {
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
            pruned: stats.pruned.iter().map(|&(rule, count)| (rule.to_owned(), count.into())).collect(),
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

/// One check of a plan.
#[derive(Serialize)]
pub(super) struct CheckRecord<'a> {
    #[serde(flatten)]
    pub(super) origin: Origin<'a>,
    pub(super) objective: &'a str,
    pub(super) verdict: &'static str,
    pub(super) exit: u8,
    pub(super) steps: usize,
    pub(super) cost: Option<u64>,
    pub(super) bad_step: Option<usize>,
    pub(super) reason: Option<String>,
    /// Only where one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) certificate: Option<Certified>,
}

/// Something that could not be read or done.
#[derive(Serialize)]
pub(super) struct ErrorRecord<'a> {
    schema: &'static str,
    command: &'static str,
    source: &'a str,
    verdict: &'static str,
    exit: u8,
    message: &'a str,
    line: Option<usize>,
    column: Option<usize>,
    expected: Option<&'a str>,
    help: &'a [String],
}

impl<'a> ErrorRecord<'a> {
    pub(super) fn new(command: &'static str, source: &'a str, trouble: &'a Trouble) -> Self {
        let place = trouble.place.as_ref();
        Self {
            schema: SCHEMA,
            command,
            source,
            verdict: "error",
            exit: trouble.exit.code(),
            message: &trouble.message,
            line: place.map(|p| p.line),
            column: place.map(|p| p.column),
            expected: place.map(|p| p.expected.as_str()),
            help: &trouble.help,
        }
    }
}

/// A search that did not end after its limit.
#[derive(Serialize)]
pub(super) struct HungRecord<'a> {
    #[serde(flatten)]
    error: ErrorRecord<'a>,
    reason: &'static str,
    /// The cost of the best plan that was found, which nobody checked.
    cost: Option<u64>,
    stats: Figures,
}

impl<'a> HungRecord<'a> {
    pub(super) fn new(command: &'static str, source: &'a str, trouble: &'a Trouble, hung: &Hung) -> Self {
        Self {
            error: ErrorRecord::new(command, source, trouble),
            reason: "hung",
            cost: hung.known.best,
            stats: Figures::new(&hung.known.stats),
        }
    }
}

/// Writes one object on one line.
pub(super) fn line(out: &mut dyn Write, record: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, record)?;
    out.write_all(b"\n")
}
