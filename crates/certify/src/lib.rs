//! Writes certificates: evidence that no plan costs less than a solver's, or that there is none.
//!
//! A writer runs after the solver and is not trusted: [`beeline_check::certificate`] verifies its output. It therefore
//! enumerates states with the checker's rules. Evidence exists only if those rules and the solver agree about the least cost,
//! so a solver that missed a shorter plan is detected here. docs/certificates.md describes the format.
//!
//! ```
//! use beeline_certify::{Answer, Subject, certify};
//! use beeline_check::certificate::{self, Certificate};
//! use beeline_search::Budget;
//!
//! let subject = Subject { kind: "gate", text: "#####\n#0 G#\n#####\n", objective: "steps" };
//! let plan = ["0r".to_owned(), "0r".to_owned()];
//! let written = certify(&subject, Answer::Shortest(&plan, 2), &Budget::default(), &mut |_, _, _| {})?;
//!
//! let read = Certificate::read(&written.bytes)?;
//! certificate::verify(&read, &|_, _| true)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clauses;
mod file;
mod layers;
mod tables;
mod watch;

use beeline_check::Flaw;
use beeline_check::certificate::{self, Claim, Fault};
use beeline_search::{Budget, Limit};

pub use file::assemble;
pub use watch::{Tick, Unverified, verify};

/// A puzzle under an objective.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The kind by name.
    pub kind: &'a str,
    /// The canonical text.
    pub text: &'a str,
    /// The objective that a plan minimises.
    pub objective: &'a str,
}

/// The answer of a solver.
#[derive(Clone, Copy, Debug)]
pub enum Answer<'a> {
    /// The shortest plan and its cost.
    Shortest(&'a [String], u64),
    /// There is no plan.
    Unsolvable,
}

/// A certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub bytes: Vec<u8>,
    /// The kind of evidence, and its bound.
    pub evidence: String,
    /// The claim.
    pub claim: Claim,
    /// States, clauses or nodes of a walk.
    pub items: u64,
}

/// Why no certificate was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotWritten {
    /// A limit was reached first.
    #[error("the limit on {} was reached before the evidence was complete", .0.name())]
    Stopped(Limit),
    /// No kind of evidence fits.
    #[error("{0}")]
    Unsupported(String),
    /// The rules of the checker disagree with the solver.
    #[error("{0}")]
    Contradicted(String),
}

impl From<Limit> for NotWritten {
    fn from(limit: Limit) -> Self {
        Self::Stopped(limit)
    }
}

impl From<Flaw> for NotWritten {
    fn from(flaw: Flaw) -> Self {
        Self::Unsupported(flaw.to_string())
    }
}

/// Most squares of a tiles board whose evidence is layers; larger boards get a walk, whose file has no states. On long narrow
/// boards a walk visits most states many times.
const LAYERED_SQUARES: usize = 12;

/// Nodes of a walk above which pattern databases are worth building: a few seconds.
const LONG_WALK: u64 = 1 << 26;

/// Evidence by tables for a 4×4 board: the solver's 6-6-3 partition, rotated if the blank is last.
fn large_tables(text: &str) -> Result<Option<String>, NotWritten> {
    const SETS: [&[usize]; 3] = [&[4, 5, 8, 9, 12, 13], &[6, 7, 10, 11, 14, 15], &[1, 2, 3]];
    let drawn = beeline_check::draw("tiles", text)?;
    if squares(&drawn) != 16 || drawn.lines().last().map_or(0, |row| row.split_whitespace().count()) != 4 {
        return Ok(None);
    }
    let turned = drawn.starts_with("goal");
    let tile = |&tile: &usize| if turned { 16 - tile } else { tile }.to_string();
    let sets = SETS.map(|set| set.iter().map(tile).collect::<Vec<_>>().join(","));
    Ok(Some(format!("tables {}", sets.join("/"))))
}

/// Makes the certificate of a solver's answer.
pub fn certify(
    subject: &Subject<'_>,
    answer: Answer<'_>,
    budget: &Budget,
    tick: Tick<'_>,
) -> Result<Written, NotWritten> {
    let (kind, text) = (subject.kind, subject.text);
    let squares = || beeline_check::draw(kind, text).map(|drawn| squares(&drawn));
    let evidence = match (kind, answer) {
        ("flow", _) => "rup".to_owned(),
        ("tiles", Answer::Unsolvable) => "parity".to_owned(),
        ("tiles", _) if squares()? > LAYERED_SQUARES => {
            let walk = format!("walk {}", certificate::best_bound(text)?);
            let short = Budget { nodes: Some(LONG_WALK), ..budget.clone() };
            match certify_by(subject, answer, &walk, &short, tick) {
                Err(NotWritten::Stopped(Limit::Nodes)) => large_tables(text)?.unwrap_or(walk),
                ended => return ended,
            }
        }
        ("tiles", _) => format!("layers {}", certificate::best_bound(text)?),
        _ => format!("layers {}", certificate::bounds(kind).first().unwrap_or(&"none")),
    };
    certify_by(subject, answer, &evidence, budget, tick)
}

/// The number of squares of a tiles board: its numbers, without the line of the goal.
fn squares(drawn: &str) -> usize {
    drawn.lines().filter(|line| !line.starts_with("goal")).flat_map(str::split_whitespace).count()
}

/// The same with a chosen kind of evidence: `layers none`, `walk linear-conflict`, `parity`, `rup`.
pub fn certify_by(
    subject: &Subject<'_>,
    answer: Answer<'_>,
    evidence: &str,
    budget: &Budget,
    tick: Tick<'_>,
) -> Result<Written, NotWritten> {
    let (method, bound) = evidence.split_once(' ').unwrap_or((evidence, "none"));
    let claim = match answer {
        Answer::Unsolvable => Claim::None,
        Answer::Shortest(steps, _) if method == "rup" => Claim::Unique(steps.to_vec()),
        Answer::Shortest(_, cost) => Claim::AtLeast(cost),
    };
    let written = |blocks: &[Vec<u8>], items| {
        let bytes = file::assemble(subject, &claim, evidence, blocks);
        Written { bytes, evidence: evidence.to_owned(), claim: claim.clone(), items }
    };
    match method {
        "layers" => {
            let graph = certificate::graph(subject.kind, subject.text, subject.objective, bound)?;
            let limit = match answer {
                Answer::Shortest(_, cost) => Some(
                    u32::try_from(cost)
                        .map_err(|_| NotWritten::Unsupported("the plan costs too much".into()))?,
                ),
                Answer::Unsolvable => None,
            };
            let (blocks, items) = layers::sweep(&*graph, limit, budget, tick)?;
            Ok(written(&blocks, items))
        }
        "rup" => {
            let solution = match answer {
                Answer::Shortest(steps, _) => Some(steps),
                Answer::Unsolvable => None,
            };
            let encoding = certificate::encode(subject.text, solution)?;
            let (blocks, items) = clauses::refute(&encoding, budget, tick)?;
            Ok(written(&blocks, items))
        }
        // The checker derives the rest by itself. It runs once here, so that no file makes a false claim.
        _ => {
            let blocks =
                if method == "tables" { tables::build(bound, subject.text, budget)? } else { Vec::new() };
            let written = written(&blocks, 0);
            let figures = watch::verify(&written.bytes, budget, tick).map_err(|fault| match fault {
                watch::Unverified::Stopped(limit) => NotWritten::Stopped(limit),
                watch::Unverified::Fault(Fault { place, why }) => {
                    NotWritten::Contradicted(format!("the checker disagrees with the solver: {place}: {why}"))
                }
            })?;
            Ok(Written { items: figures.items, ..written })
        }
    }
}
