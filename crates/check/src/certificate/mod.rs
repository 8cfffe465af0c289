//! Certificates: evidence that no plan costs less than a claim, or that there is no plan. The checker verifies it with its own
//! rules.
//!
//! docs/certificates.md describes the format, what each kind of evidence proves, and why the bounds may be trusted.

pub(crate) mod boxes;
mod file;
mod layers;
mod lines;
mod pairs;
mod rup;
pub(crate) mod slide;
mod tables;
pub(crate) mod walk;

pub use file::{BlockState, Certificate, Claim, MAGIC, checksum, put_number, states_of, take_number};
pub use pairs::{Encoding, encode};
pub use walk::best_bound;

use crate::{Flaw, bricks, flow, gate, no_kind, sokoban};

/// Why a certificate proves nothing, and at which place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {why}")]
pub struct Fault {
    /// The part of the certificate.
    pub place: String,
    /// The fault.
    pub why: String,
}

impl Fault {
    pub(crate) fn at(place: impl Into<String>, why: impl Into<String>) -> Self {
        Self { place: place.into(), why: why.into() }
    }
}

impl From<Flaw> for Fault {
    fn from(flaw: Flaw) -> Self {
        Self::at("puzzle", flaw.to_string())
    }
}

/// The figures of a verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// States, clauses or nodes of a walk.
    pub items: u64,
}

/// Called at intervals with the work done and the total work (0 if unknown); `false` ends the verification.
pub type GoOn<'a> = &'a (dyn Fn(u64, u64) -> bool + Sync);

/// The fault of a verification that was cancelled.
pub const ENDED: &str = "the verification was stopped";

/// A puzzle as a graph of states that are numbers.
pub trait Graph: Sync {
    /// The start state; `None` if it is a dead end without a number.
    fn start(&self) -> Option<u128>;
    /// Is this the number of a state?
    fn is_state(&self, state: u128) -> bool;
    /// Calls `visit` with each successor and the cost of its move. Omits dead ends that have no number.
    fn successors(&self, state: u128, visit: &mut dyn FnMut(u128, u32));
    /// Is the puzzle solved here?
    fn is_goal(&self, state: u128) -> bool;
    /// A lower bound on the cost from here to a goal; `None`: no goal is reachable.
    fn bound(&self, state: u128) -> Option<u32>;
}

/// The graph of a puzzle under an objective, with a bound by name. `none` is the bound that is always 0.
pub fn graph(kind: &str, text: &str, objective: &str, bound: &str) -> Result<Box<dyn Graph>, Flaw> {
    match kind {
        "gate" => gate::graph(text, objective, bound),
        "tiles" => walk::graph(text, objective, bound),
        "flow" => flow::graph(text, objective, bound),
        "sokoban" => sokoban::graph(text, objective, bound),
        "bricks" => bricks::graph(text, objective, bound),
        _ => no_kind(kind),
    }
}

/// The bounds that layers of a kind may use, the strongest first.
pub fn bounds(kind: &str) -> &'static [&'static str] {
    match kind {
        "gate" | "bricks" => &["way", "none"],
        "tiles" => &["walking-distance", "linear-conflict", "none"],
        "sokoban" => &["assignment", "none"],
        _ => &[],
    }
}

/// The error for a bound that the kind does not have.
pub(crate) fn no_bound<T>(kind: &str, name: &str) -> Result<T, Flaw> {
    Err(Flaw::Unsupported(format!("{kind} has no bound {name}")))
}

/// The error for a board too large for numbered states.
pub(crate) fn too_large<T>(why: &str) -> Result<T, Flaw> {
    Err(Flaw::Unsupported(format!("the board is too large for a certificate: {why}")))
}

/// Verifies every claim of a certificate.
pub fn verify(certificate: &Certificate<'_>, go_on: GoOn<'_>) -> Result<Figures, Fault> {
    let Certificate { kind, text, objective, claim, evidence, .. } = certificate;
    let mut words = evidence.split(' ');
    let (method, bound) = (words.next().unwrap_or_default(), words.next().unwrap_or("none"));
    match (method, kind.as_str()) {
        ("layers", _) => {
            let graph = graph(kind, text, objective, bound)?;
            layers::verify(&*graph, claim.limit()?, certificate, go_on)
        }
        ("parity", "tiles") if *claim == Claim::None => walk::parity(text),
        ("walk" | "tables", "tiles") => {
            let limit =
                claim.limit()?.ok_or_else(|| Fault::at("claim", "a walk proves no board unsolvable"))?;
            walk::verify(certificate, bound, limit, go_on)
        }
        ("rup", "flow") => rup::verify(certificate, go_on),
        _ => Err(Fault::at("evidence", format!("{evidence:?} proves no such claim about {kind}"))),
    }
}
