//! Chooses the search for a job: a strategy of the engine on one of the two spaces, or the strongest solver
//! for the objective.

use std::sync::Arc;

use beeline_search::strategies::Unsupported;
use beeline_search::{Budget, Heuristic, Limit, Meter, Outcome, Prune};

use super::board::{Board, Dir};
use super::bounds::Bound;
use super::field::Field;
use super::optimal::{self, Objective};
use super::plan::lettering;
use super::rules::prune::Rules;
use super::satisficing::{self, Options};
use super::space::Steps;
use super::space::pushes::Pushes;
use beeline_puzzle::game::Notation;
use beeline_puzzle::puzzle::{Job, Watcher};

/// Solves a board as the job asks.
pub(crate) fn solve(
    board: &Board,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<String>, Unsupported> {
    let name = job.strategy.as_deref().unwrap_or("best");
    let objective = job.objective.as_deref().unwrap_or("moves");
    if name == "best" {
        return best(board, objective, job, budget, watcher);
    }
    if objective == "pushes" {
        let space = Pushes::new(board).ok_or_else(|| too_large(name))?;
        let outcome = by_strategy(&space, board, name, job, budget, watcher)?;
        return Ok(named(board, space.in_steps(outcome)));
    }
    if !matches!(objective, "moves" | "any") {
        let why = format!("it counts steps or pushes; the objective {objective} is for the solver best");
        return Err(Unsupported::Needs { strategy: name.to_owned(), why });
    }
    // Every strategy is compiled for each width, so there are only two.
    let outcome = match Steps::<4>::new(board) {
        Some(space) => by_strategy(&space, board, name, job, budget, watcher)?,
        None => by_strategy(&Steps::widest(board), board, name, job, budget, watcher)?,
    };
    Ok(named(board, outcome))
}

/// Runs a general strategy on one of the spaces.
fn by_strategy<S: Notation>(
    space: &S,
    board: &Board,
    name: &str,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<S::Move>, Unsupported>
where
    Bound: Heuristic<S>,
    Rules: Prune<S>,
{
    let mut meter = Meter::new(budget);
    let (bound, rules) = match bound_and_rules(board, job, &mut meter)? {
        Ok(both) => both,
        Err(limit) => return Ok(Outcome::stopped(limit, &meter)),
    };
    let (rest, set_up) = (meter.rest(budget), meter.elapsed());
    let outcome = job.search(space, &rest, watcher).heuristic(bound).prune(rules).run(name)?;
    Ok(outcome.after(set_up, meter.ledger.used()))
}

/// The heuristic and the rules of a job with their tables, or the limit that ended their computation.
fn bound_and_rules(
    board: &Board,
    job: &Job,
    meter: &mut Meter,
) -> Result<Result<(Bound, Rules), Limit>, Unsupported> {
    let wanted = job.heuristic.as_deref();
    let which = Bound::named(wanted).ok_or_else(|| unknown("heuristic", wanted.unwrap_or_default()))?;
    let on = Rules::named(job.rules.as_deref()).map_err(|name| unknown("rule", &name))?;
    Ok(Field::within(board, false, meter).and_then(|field| {
        let field = Arc::new(field);
        Ok((Bound::new(Arc::clone(&field), which), Rules::new(field, on, meter)?))
    }))
}

/// The strongest solver for an objective.
fn best(
    board: &Board,
    objective: &str,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<String>, Unsupported> {
    if objective == "any" {
        if job.rules.is_some() {
            let why = "for the objective any it chooses its rules itself".to_owned();
            return Err(Unsupported::Needs { strategy: "best".to_owned(), why });
        }
        let settings = &job.settings;
        let options = Options { threads: settings.threads, seed: settings.seed, ..Options::default() };
        return Ok(named(board, satisficing::solve(board, &options, budget, watcher)));
    }
    let objective = match objective {
        "moves" => Objective::Moves,
        "pushes" => Objective::Pushes,
        "moves-pushes" => Objective::MovesPushes,
        "pushes-moves" => Objective::PushesMoves,
        other => return Err(unknown("objective", other)),
    };
    let on = job.rules.as_deref().map(|names| Rules::named(Some(names))).transpose();
    let on = on.map_err(|name| unknown("rule", &name))?;
    let mut meter = Meter::new(budget);
    let rules = on.map(|on| Rules::of_board(board, on, &mut meter)).transpose();
    Ok(match rules {
        Ok(rules) => {
            named(board, optimal::best_with(board, objective, rules.as_ref(), (budget, meter), watcher))
        }
        Err(limit) => Outcome::stopped(limit, &meter),
    })
}

fn too_large(strategy: &str) -> Unsupported {
    Unsupported::Needs { strategy: strategy.to_owned(), why: "the board is too large".to_owned() }
}

fn unknown(what: &'static str, name: &str) -> Unsupported {
    Unsupported::Unknown { what, name: name.to_owned() }
}

/// The steps of an outcome as letters, capital where they push.
fn named(board: &Board, outcome: Outcome<Dir>) -> Outcome<String> {
    outcome.map(lettering(board))
}
