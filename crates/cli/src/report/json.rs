//! The output of `--json`: one object per line. docs/json.md is the schema. Under the same [`SCHEMA`], a field is
//! never removed and never changes its meaning.

use std::io::{self, Write};

use beeline_api::Promise;
use beeline_api::figures::Figures;
use serde::Serialize;
use serde_json::{Map, Value};

use super::answer::Run;
use super::certificate::Certified;
use super::instance::Instance;
use super::{Io, Screen, Trouble};
use crate::leave::own_stdout;
use crate::watchdog::Hung;

/// The name and version of the schema; the first field of every object.
pub(crate) const SCHEMA: &str = "beeline/1";

/// The source of a puzzle.
#[derive(Serialize)]
pub(crate) struct Origin<'a> {
    schema: &'static str,
    command: &'static str,
    source: &'a str,
    level: usize,
    levels: usize,
    title: Option<String>,
    kind: &'static str,
}

impl<'a> Origin<'a> {
    pub(crate) fn new(command: &'static str, instance: &'a Instance) -> Self {
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
struct Record<'a> {
    #[serde(flatten)]
    origin: Origin<'a>,
    facts: Map<String, Value>,
    warnings: Vec<String>,
    strategy: &'a str,
    heuristic: Option<&'a str>,
    objective: &'a str,
    verdict: &'static str,
    exit: u8,
    /// The limit that ended the search, or why the checker rejected the plan.
    reason: Option<String>,
    cost: Option<u64>,
    lower_bound: Option<u64>,
    promise: Option<&'static str>,
    ratio: Option<f64>,
    steps: Option<&'a [String]>,
    plan: Option<String>,
    checked: bool,
    stats: Figures,
    /// Present only if a certificate was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<&'a Certified>,
}

impl<'a> Record<'a> {
    fn new(command: &'static str, instance: &'a Instance, run: &'a Run) -> Self {
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
            stats: Figures::of_command(&run.stats),
            certificate: run.certificate.as_ref(),
        }
    }
}

/// One check of a plan.
#[derive(Serialize)]
pub(crate) struct CheckRecord<'a> {
    #[serde(flatten)]
    pub(crate) origin: Origin<'a>,
    pub(crate) objective: &'a str,
    pub(crate) verdict: &'static str,
    pub(crate) exit: u8,
    pub(crate) steps: usize,
    pub(crate) cost: Option<u64>,
    pub(crate) bad_step: Option<usize>,
    pub(crate) reason: Option<String>,
    /// Present only if a certificate was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) certificate: Option<Certified>,
}

/// An error while reading or doing something.
#[derive(Serialize)]
struct ErrorRecord<'a> {
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
    fn new(command: &'static str, source: &'a str, trouble: &'a Trouble) -> Self {
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
struct HungRecord<'a> {
    #[serde(flatten)]
    error: ErrorRecord<'a>,
    reason: &'static str,
    /// The cost of the best plan so far, which was not checked.
    cost: Option<u64>,
    stats: Figures,
}

impl<'a> HungRecord<'a> {
    fn new(command: &'static str, source: &'a str, trouble: &'a Trouble, hung: &Hung) -> Self {
        Self {
            error: ErrorRecord::new(command, source, trouble),
            reason: "hung",
            cost: hung.known.best,
            stats: Figures::of_command(&hung.known.stats),
        }
    }
}

/// Writes one object on one line.
pub(crate) fn line(out: &mut dyn Write, record: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, record)?;
    out.write_all(b"\n")
}

/// Writes the object of an error.
pub(crate) fn error(
    command: &'static str,
    source: &str,
    trouble: &Trouble,
    io: &mut Io<'_>,
) -> io::Result<()> {
    line(io.out, &ErrorRecord::new(command, source, trouble))
}

/// Writes the object of a run.
pub(crate) fn run(command: &'static str, instance: &Instance, run: &Run, io: &mut Io<'_>) -> io::Result<()> {
    line(io.out, &Record::new(command, instance, run))
}

/// Reports a hanging search on the process's streams. `json` is the command and the puzzle, if the report is in JSON.
pub(crate) fn hung(hung: &Hung, trouble: &Trouble, json: Option<(&'static str, &str)>, screen: &Screen) {
    // Both streams may be closed. The exit code is still returned.
    let _ = io::stderr().write_all(trouble.render(screen).as_bytes());
    if let Some((command, source)) = json
        && let Ok(mut out) = own_stdout()
    {
        let _ = line(&mut out, &HungRecord::new(command, source, trouble, hung));
    }
}
