//! `beeline compare`.

use std::time::Duration;

use beeline_api::answer::usual_strategies;
use beeline_search::{Budget, Limit};

use super::args::Compare;
use super::input::load_all;
use super::interrupt::set_subject;
use super::run::{self, Ending};
use super::{Exit, Session};
use crate::report::answer::{Run, rejected};
use crate::report::compare::{self as table, Row};
use crate::report::instance::Instance;
use crate::report::{Stop, Trouble, json};

/// The time limit of each run if the user sets none.
const USUAL_TIME: Duration = Duration::from_secs(10);

/// Compares strategies on all requested puzzles.
pub(super) fn compare(args: &Compare, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    if args.csv {
        table::csv_head(session.io)?;
    }
    let mut limits = args.limits.clone();
    limits.time = limits.time.or(Some(USUAL_TIME));
    let budget = run::budget(&limits, session);
    let mut worst = Exit::Done;
    let mut first = true;
    for (source, puzzle) in load_all(&args.source, session) {
        let instance = match puzzle {
            Ok(instance) => instance,
            Err(trouble) => {
                if args.json {
                    json::error("compare", &source, &trouble, session.io)?;
                }
                worst = worst.max(session.io.report_error(&trouble));
                continue;
            }
        };
        if !first && !args.csv && !args.json {
            session.io.gap()?;
        }
        first = false;
        worst = worst.max(one(&instance, args, &budget, session)?);
        session.io.out.flush()?;
        if session.cancel.is_cancelled() {
            return Ok(worst.max(Exit::Interrupted));
        }
    }
    Ok(worst)
}

fn one(
    instance: &Instance,
    args: &Compare,
    budget: &Budget,
    session: &mut Session<'_, '_>,
) -> Result<Exit, Stop> {
    let rows = rows(instance, args, budget, session)?;
    let exit = rows.iter().map(|(_, made)| exit(made)).max().unwrap_or_default();
    if !args.csv && !args.json {
        table::table(instance, &rows, args.markdown, session.io)?;
    }
    for (_, made) in &rows {
        match made {
            Ok(run) => {
                if let Ending::Rejected(why) = &run.ending {
                    session.io.report_error(&rejected(instance, run, why));
                }
            }
            Err(trouble) => drop(session.io.report_error(trouble)),
        }
    }
    Ok(exit)
}

/// Runs every strategy. Writes CSV and JSON rows as they come.
fn rows(
    instance: &Instance,
    args: &Compare,
    budget: &Budget,
    session: &mut Session<'_, '_>,
) -> Result<Vec<Row>, Stop> {
    let puzzle = &*instance.puzzle;
    set_subject("compare", &instance.source, args.json);
    let names = if args.with.is_empty() { usual_strategies(puzzle.kind()) } else { args.with.clone() };
    let mut rows: Vec<Row> = Vec::new();
    for name in names {
        if session.cancel.is_cancelled() {
            break;
        }
        let made = run::job(puzzle.kind(), Some(&name), &args.search)
            .and_then(|job| run::run(puzzle, &job, budget, session));
        match &made {
            Ok(run) if args.csv => table::csv(instance, run, session.io)?,
            Ok(run) if args.json => json::run("compare", instance, run, session.io)?,
            Err(trouble) if args.json => {
                json::error("compare", &instance.source, trouble, session.io)?;
            }
            _ => {}
        }
        // The finished rows are kept, however the next run ends.
        session.io.out.flush()?;
        rows.push((name, made));
    }
    Ok(rows)
}

/// The exit code of a run. A limit counts as a result here; a run that could not start does not.
fn exit(made: &Result<Run, Trouble>) -> Exit {
    match made {
        Err(trouble) => trouble.exit,
        Ok(Run { ending: Ending::Rejected(_), .. }) => Exit::Rejected,
        Ok(Run { ending: Ending::Stopped(Limit::Cancelled), .. }) => Exit::Interrupted,
        Ok(_) => Exit::Done,
    }
}
