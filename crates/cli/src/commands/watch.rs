//! `beeline watch`.

use beeline_search::Budget;

use super::args::Watch;
use super::interrupt::set_subject;
use super::play::needs_terminal;
use super::run::{self, Ending};
use super::{Exit, Session, input};
use crate::report::{Stop, answer};
use crate::watchdog;

/// Runs a search on its own screen, and prints the result.
pub(super) fn watch(args: &Watch, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let instance = input::load_one(&args.source.puzzle, &args.source.reading, session)?;
    let puzzle = &*instance.puzzle;
    let job = run::job(puzzle.kind(), Some(&args.with), &args.search)?;
    let instead = format!("'beeline solve --with {}' prints what it finds", args.with);
    needs_terminal("watch", &instead, session)?;
    let budget = run::budget(&args.limits, session);
    let strategy = job.strategy.as_deref().unwrap_or_default();
    let title = format!("{} with {strategy}", instance.name());
    // The rounds of Iterated Width are widths. All others are bounds on cost or depth.
    let rounds = if strategy == "iw" { "width" } else { "bound" };
    session.io.out.flush()?;
    // The user may pause the search for any time, so the watchdog only watches it after the user leaves.
    set_subject("watch", &instance.source, false);
    let watch = watchdog::watch(&Budget { time: None, ..budget.clone() });
    let outcome = beeline_terminal::watch(&title, rounds, puzzle, &job, &budget, session.io.screen.look())?;
    drop(watch);
    let run = run::judge(puzzle, &job, outcome, session.world)?;
    answer::whole(&instance, &run, run::in_words(&instance, &run, &budget), session.io)?;
    if let Ending::Rejected(why) = &run.ending {
        return Ok(session.io.report_error(&answer::rejected(&instance, &run, why)));
    }
    Ok(run.exit())
}
