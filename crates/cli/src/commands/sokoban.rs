//! Commands for Sokoban only: improving a plan (`beeline sokoban improve`, `beeline solve --improve`).

use std::time::Duration;

use beeline_puzzles::sokoban::Sokoban;
use beeline_puzzles::sokoban::board::Dir;
use beeline_puzzles::sokoban::improve::{Figure, Improved, Settings, improve};
use beeline_puzzles::{Job, Puzzle};
use beeline_search::Budget;

use super::args::{Improve, SokobanCommand};
use super::interrupt::{SearchGuard, set_subject};
use super::run::Ending;
use super::{Exit, Session, input, run};
use crate::report::answer::Run;
use crate::report::progress::Progress;
use crate::report::{Stop, Trouble, sokoban as report};

/// Runs a command of the group.
pub(super) fn sokoban(command: &SokobanCommand, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    match command {
        SokobanCommand::Improve(args) => shorten(args, session),
    }
}

/// Shortens a plan. The plans before and after are both checked.
fn shorten(args: &Improve, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    input::not_both_stdin(&args.puzzle, args.plan.as_deref())?;
    let instance = input::load_one(&args.puzzle, &args.reading, session)?;
    let Some(sokoban) = instance.puzzle.as_any().downcast_ref::<Sokoban>() else {
        return Err(
            Trouble::new(Exit::Unsupported, format!("{} is no Sokoban level", instance.name())).into()
        );
    };
    let steps = match &args.plan {
        Some(path) => {
            let (name, text) = input::read_plan(path, session)?;
            instance.puzzle.read_plan(&text).map_err(|error| Trouble::text(&name, &text, &error))?
        }
        None => instance.puzzle.given_plan().ok_or_else(|| {
            let message = format!("there is no plan to improve: {} holds none", instance.name());
            Trouble::new(Exit::Usage, message).help("name a file with the plan")
        })?,
    };
    let flawed = |flaw| Trouble::new(Exit::Rejected, format!("the plan does not hold: {flaw}"));
    let checker = session.world.check;
    checker(&*instance.puzzle, None, &steps).map_err(flawed)?;
    let budget = run::budget(&args.limits, session);
    let settings = Settings {
        figure: if args.objective == "pushes" { Figure::Pushes } else { Figure::Moves },
        trade: args.trade,
        threads: run::threads(args.threads),
    };
    set_subject("sokoban improve", &instance.source, false);
    let improved = improve_steps(sokoban, &steps, &settings, &budget, session);
    let shorter = sokoban.letters(&improved.plan);
    checker(&*instance.puzzle, None, &shorter).map_err(flawed)?;
    report::improved(&instance, &steps, &shorter, improved.stats.stopped, args.quiet, session.io)?;
    Ok(Exit::Done)
}

/// Checks that plans of this job can be improved after the search. Other objectives already prove their plan best.
pub(super) fn can_improve(puzzle: &dyn Puzzle, job: &Job) -> Result<(), Trouble> {
    let any = job.objective.as_deref() == Some("any") && job.strategy.as_deref().is_none_or(|s| s == "best");
    if any && puzzle.as_any().is::<Sokoban>() {
        return Ok(());
    }
    let message = "--improve is for Sokoban levels, the solver best and --objective any";
    Err(Trouble::new(Exit::Unsupported, message)
        .help("'beeline sokoban improve' improves any plan of a level"))
}

/// Improves a run's plan for some time, within the rest of the time limit. The limit on expansions holds only for the
/// search.
pub(super) fn improve_run(
    mut run: Run,
    puzzle: &dyn Puzzle,
    job: &Job,
    (budget, time): (&Budget, Duration),
    session: &mut Session<'_, '_>,
) -> Run {
    let Some(sokoban) = puzzle.as_any().downcast_ref::<Sokoban>() else { return run };
    let Ending::Solved(plan) = &mut run.ending else { return run };
    let left = budget.time.map_or(time, |all| time.min(all.saturating_sub(run.stats.elapsed)));
    let budget = Budget { time: Some(left), nodes: None, checkpoint: None, ..budget.clone() };
    let settings = Settings { threads: job.settings.threads, ..Settings::default() };
    let improved = improve_steps(sokoban, &plan.steps, &settings, &budget, session);
    plan.steps = sokoban.letters(&improved.plan);
    run.stats.elapsed += improved.stats.elapsed;
    run.stats.expanded += improved.stats.expanded;
    match (session.world.check)(puzzle, job.objective.as_deref(), &plan.steps) {
        Ok(checked) => plan.cost = checked.cost,
        Err(flaw) => run.ending = Ending::Rejected(flaw.to_string()),
    }
    run
}

/// Improves a plan, with a progress line.
fn improve_steps(
    sokoban: &Sokoban,
    steps: &[String],
    settings: &Settings,
    budget: &Budget,
    session: &mut Session<'_, '_>,
) -> Improved {
    let dirs: Vec<Dir> = steps.iter().filter_map(|s| s.chars().next().and_then(Dir::of)).collect();
    let _searching = SearchGuard::begin(budget);
    let screen = session.io.screen;
    let mut progress = Progress::new(&mut *session.io.err, screen.progress, screen.columns);
    improve(sokoban.board(), &dirs, settings, budget, &mut progress)
}
