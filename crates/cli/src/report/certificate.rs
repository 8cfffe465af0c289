//! The result of writing or verifying a certificate.

use std::io;
use std::time::Duration;

use beeline_api::units::{commas, size, time};
use beeline_check::certificate::Claim;
use serde::Serialize;

use super::layout::entry;
use super::progress::{Progress, bar};
use super::{Exit, Io};

/// The result of writing or verifying a certificate.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Certified {
    /// Does the certificate prove its claim?
    #[serde(rename = "certified")]
    pub(crate) holds: bool,
    pub(crate) claim: Option<String>,
    pub(crate) evidence: Option<String>,
    /// The number of states, clauses or nodes of the proof.
    pub(crate) items: Option<u64>,
    pub(crate) bytes: Option<usize>,
    pub(crate) seconds: f64,
    /// Why there is no certificate, or where it fails.
    pub(crate) reason: Option<String>,
    /// The exit code that results from it.
    #[serde(skip)]
    pub(crate) exit: Exit,
}

impl Certified {
    /// There is no certificate, or it fails.
    pub(crate) fn failed(reason: String, exit: Exit, took: Duration) -> Self {
        let reason = Some(reason);
        let seconds = took.as_secs_f64();
        Self { holds: false, claim: None, evidence: None, items: None, bytes: None, seconds, reason, exit }
    }

    /// A summary in one line: "layers way · 885 states · 2.1 KiB · 3 ms".
    pub(crate) fn words(&self) -> String {
        let took = time(Duration::from_secs_f64(self.seconds));
        match (&self.evidence, &self.claim, self.items, self.bytes) {
            (Some(evidence), Some(claim), Some(items), Some(bytes)) if self.holds => {
                let noun = match evidence.split(' ').next() {
                    Some("layers") => "states",
                    Some("walk") => "nodes",
                    Some("rup") => "steps of a proof",
                    _ => "look at the board",
                };
                let claim = match claim.split(' ').next() {
                    Some("none") => "no plan exists".to_owned(),
                    Some("unique") => "no other solution exists".to_owned(),
                    _ => format!("no plan costs less than {}", claim.trim_start_matches("at least ")),
                };
                format!("{claim} · {evidence} · {} {noun} · {} · {took}", commas(items), size(bytes))
            }
            _ => format!("none: {}", self.reason.as_deref().unwrap_or("nothing is proved")),
        }
    }

    /// Does it prove that no plan costs less than this?
    pub(crate) fn proves(&self, cost: u64) -> bool {
        self.holds && self.claim.as_deref() == Some(&Claim::AtLeast(cost).line())
    }

    /// The mark after "proved shortest" and "proved unsolvable".
    pub(crate) fn mark(&self) -> &'static str {
        if self.holds { " (certified)" } else { " (by the solver)" }
    }
}

/// Prints what a certificate proves, or where it fails.
pub(crate) fn print(certified: &Certified, io: &mut Io<'_>) -> io::Result<()> {
    let screen = io.screen;
    if certified.holds {
        return writeln!(io.out, "{} {}", screen.good("certified"), certified.words());
    }
    let why = certified.reason.as_deref().unwrap_or_default();
    io.out.write_all(entry("invalid", &format!("certificate: {why}"), &screen).as_bytes())
}

/// Shows the progress of writing or verifying.
pub(crate) fn progress(progress: &mut Progress<'_>, what: &str, (done, all, bytes): (u64, u64, usize)) {
    progress.say(|_, elapsed| {
        let done = if all == 0 { commas(done) } else { bar(done, all) };
        format!("{what} {done} · {} · {} · Ctrl-C stops", size(bytes), time(elapsed))
    });
}
