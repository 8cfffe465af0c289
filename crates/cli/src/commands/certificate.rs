//! Certificates: written after a search, verified by `check`.

use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use beeline_certify::{Answer, NotWritten, Subject, Unverified, certify};
use beeline_check::certificate::{Certificate, Claim};
use beeline_search::{Budget, atomic_file};

use super::Session;
use super::interrupt::SearchGuard;
use super::run::Ending;
use crate::report::answer::Run;
use crate::report::certificate::{Certified, progress as show};
use crate::report::instance::Instance;
use crate::report::progress::Progress;
use crate::report::{Exit, Stop, Trouble};

/// Writes the certificate of a run within the rest of its budget.
pub(super) fn write(
    path: &Path,
    instance: &Instance,
    run: &Run,
    budget: &Budget,
    session: &mut Session<'_, '_>,
) -> Result<Certified, Stop> {
    let begun = Instant::now();
    let (kind, text) = (instance.puzzle.kind().name(), instance.puzzle.text());
    let answer = match &run.ending {
        Ending::Solved(plan) if plan.lower_bound > 0 || kind == "flow" || plan.cost == 0 => {
            Answer::Shortest(&plan.steps, plan.lower_bound)
        }
        Ending::Unsolvable => Answer::Unsolvable,
        _ => return Ok(Certified::failed("nothing is proved".to_owned(), run.exit(), begun.elapsed())),
    };
    let subject = Subject { kind, text: &text, objective: &run.objective };
    let left = Budget { nodes: None, ..budget.after(run.stats.elapsed, 0) };
    let made = {
        let _searching = SearchGuard::begin(&left);
        let screen = session.io.screen;
        let mut progress = Progress::new(&mut *session.io.err, screen.progress, screen.columns);
        certify(&subject, answer, &left, &mut |done, all, bytes| {
            show(&mut progress, "certificate", (done, all, bytes));
        })
    };
    let took = begun.elapsed();
    let written = match made {
        Ok(written) => written,
        Err(why) => {
            // Solvers of Flow claim that there is a solution, not that it is unique.
            let several = kind == "flow" && matches!(run.ending, Ending::Solved(_));
            let (reason, exit) = match why {
                NotWritten::Stopped(limit) => (why.to_string(), limit.into()),
                NotWritten::Contradicted(_) if several => {
                    ("there is another solution".to_owned(), Exit::Unsupported)
                }
                NotWritten::Unsupported(why) => (why, Exit::Unsupported),
                NotWritten::Contradicted(why) => (why, Exit::Rejected),
            };
            return Ok(Certified::failed(reason, exit, took));
        }
    };
    atomic_file::put(path, |mut file| {
        file.write_all(&written.bytes)?;
        file.sync_all()
    })
    .map_err(|error| {
        Trouble::new(Exit::Usage, format!("cannot write the certificate to '{}': {error}", path.display()))
    })?;
    Ok(Certified {
        holds: true,
        claim: Some(written.claim.line()),
        evidence: Some(written.evidence),
        items: Some(written.items),
        bytes: Some(written.bytes.len()),
        seconds: took.as_secs_f64(),
        reason: None,
        exit: Exit::Done,
    })
}

/// The plan that a certificate must match.
pub(super) enum ExpectedPlan<'a> {
    /// A plan of this cost, and its steps.
    Plan(u64, &'a [String]),
    /// No plan was given.
    Nothing,
}

/// Verifies a certificate of a puzzle. An error means that the file cannot be read.
pub(super) fn verify(
    path: &Path,
    instance: &Instance,
    objective: &str,
    expected: &ExpectedPlan<'_>,
    limit: Option<Duration>,
    session: &mut Session<'_, '_>,
) -> Result<Certified, Trouble> {
    let begun = Instant::now();
    let bytes = std::fs::read(path).map_err(|error| {
        Trouble::new(Exit::Input, format!("cannot read the certificate '{}': {error}", path.display()))
    })?;
    let rejected = |why: String| Ok(Certified::failed(why, Exit::Rejected, begun.elapsed()));
    let there = match Certificate::read(&bytes) {
        Ok(there) => there,
        Err(fault) => return rejected(fault.to_string()),
    };
    if let Err(why) = fits(&there, instance, objective, expected) {
        return rejected(why);
    }
    let budget = Budget { time: limit, cancel: session.cancel.clone(), ..Budget::default() };
    let verified = {
        let _searching = SearchGuard::begin(&budget);
        let screen = session.io.screen;
        let mut progress = Progress::new(&mut *session.io.err, screen.progress, screen.columns);
        beeline_certify::verify(&bytes, &budget, &mut |done, all, bytes| {
            show(&mut progress, "verifying", (done, all, bytes));
        })
    };
    match verified {
        Ok(figures) => Ok(Certified {
            holds: true,
            claim: Some(there.claim.line()),
            evidence: Some(there.evidence.clone()),
            items: Some(figures.items),
            bytes: Some(bytes.len()),
            seconds: begun.elapsed().as_secs_f64(),
            reason: None,
            exit: Exit::Done,
        }),
        Err(Unverified::Fault(fault)) => rejected(fault.to_string()),
        Err(Unverified::Stopped(limit)) => {
            let why = Unverified::Stopped(limit).to_string();
            Ok(Certified::failed(why, limit.into(), begun.elapsed()))
        }
    }
}

/// Checks that the certificate belongs to this puzzle, this objective and this plan.
fn fits(
    there: &Certificate<'_>,
    instance: &Instance,
    objective: &str,
    expected: &ExpectedPlan<'_>,
) -> Result<(), String> {
    let kind = instance.puzzle.kind().name();
    let drawn = |kind: &str, text: &str| beeline_check::draw(kind, text).map_err(|flaw| flaw.to_string());
    if there.kind != kind || drawn(kind, &there.text)? != drawn(kind, &instance.puzzle.text())? {
        return Err("puzzle: the certificate is one of another puzzle".to_owned());
    }
    if there.objective != objective {
        let why = format!("objective: the certificate is about {}, not about {objective}", there.objective);
        return Err(why);
    }
    match (&there.claim, expected) {
        (Claim::None, ExpectedPlan::Plan(..)) => {
            Err("claim: that there is no plan, and here is one".to_owned())
        }
        (Claim::AtLeast(claim), ExpectedPlan::Plan(cost, _)) if claim > cost => {
            Err(format!("claim: no plan costs less than {claim}, and this one costs {cost}"))
        }
        (Claim::Unique(claimed), ExpectedPlan::Plan(_, steps)) if sorted(claimed) != sorted(steps) => {
            Err("claim: that another solution is the only one".to_owned())
        }
        _ => Ok(()),
    }
}

/// The steps of a solution of Flow, grouped by colour. The order of colours does not matter. A stable sort keeps the
/// order of steps within a colour, which does.
fn sorted(steps: &[String]) -> Vec<&String> {
    let label = |step: &String| step.chars().take(step.chars().count().saturating_sub(1)).collect::<String>();
    let mut sorted: Vec<&String> = steps.iter().collect();
    sorted.sort_by_key(|step| label(step));
    sorted
}
