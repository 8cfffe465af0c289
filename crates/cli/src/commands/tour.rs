//! `beeline` without a command: the one-minute tour.

use std::time::Duration;

use super::args::Limits;
use super::run::{self, Ending};
use super::{Exit, Session, input};
use crate::report::answer::{Run, rejected};
use crate::report::instance::Instance;
use crate::report::{Stop, tour as report};

/// The time limit per kind, so that all kinds together take a minute with time to spare.
const PER_KIND: Duration = Duration::from_secs(10);

/// Solves, draws and checks the first puzzle of every kind, and prints a summary.
pub(super) fn tour(session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    report::hello(session.io)?;
    let mut runs: Vec<(Instance, Run)> = Vec::new();
    let mut worst = Exit::Done;
    for kind in session.world.kinds {
        let Some(example) = kind.examples().first() else { continue };
        let instance = input::load_example(*kind, example)?;
        let limits = Limits { time: Some(PER_KIND), ..Limits::default() };
        let budget = run::budget(&limits, session);
        let run = run::run(&*instance.puzzle, &beeline_puzzles::Job::default(), &budget, session)?;
        report::stop(&instance, example.title, &run, session.io)?;
        if let Ending::Rejected(why) = &run.ending {
            session.io.report_error(&rejected(&instance, &run, why));
        }
        worst = worst.max(run.exit());
        runs.push((instance, run));
        if session.cancel.is_cancelled() {
            break;
        }
    }
    report::summary(&runs, session.io)?;
    Ok(worst)
}
