//! `beeline flow`: tools for designers of Flow Free boards.

use beeline_api::units::plural;
use beeline_puzzles::Scene;
use beeline_puzzles::flow::FlowPuzzle;
use beeline_puzzles::flow::board::Paths;
use beeline_puzzles::flow::{foreign, plan, solve};
use beeline_search::Budget;

use super::args::{Answers, FlowCommand, Source};
use super::input::load_all;
use super::interrupt::{SearchGuard, set_subject};
use super::{Exit, Session, run};
use crate::report::exit::why;
use crate::report::instance::Instance;
use crate::report::{Stop, Trouble, flow as report};

/// Runs a command of the group.
pub(super) fn flow(command: &FlowCommand, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    match command {
        FlowCommand::Answers(args) => answers(args, session),
        FlowCommand::Link(source) => links(source, session),
    }
}

/// Prints the address of each board on a line.
fn links(source: &Source, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let mut worst = Exit::Done;
    for (_, puzzle) in load_all(source, session) {
        let address =
            puzzle.and_then(|instance| match instance.puzzle.as_any().downcast_ref::<FlowPuzzle>() {
                Some(puzzle) => foreign::link(puzzle.board()).map_err(|why| {
                    Trouble::new(Exit::Unsupported, format!("{} has no address: {why}", instance.name()))
                }),
                None => Err(no_board(&instance)),
            });
        match address {
            Ok(address) => session.io.print(&format!("{address}\n"))?,
            Err(trouble) => worst = worst.max(session.io.report_error(&trouble)),
        }
    }
    Ok(worst)
}

/// Counts the answers of all requested boards.
fn answers(args: &Answers, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let mut worst = Exit::Done;
    for (_, puzzle) in load_all(&args.source, session) {
        let exit = match puzzle {
            Err(trouble) => session.io.report_error(&trouble),
            Ok(instance) => match instance.puzzle.as_any().downcast_ref() {
                Some(puzzle) => one(&instance, puzzle, args, session)?,
                // A puzzle that is no board is reported, and the others are still answered.
                None => session.io.report_error(&no_board(&instance)),
            },
        };
        worst = worst.max(exit);
        session.io.out.flush()?;
    }
    Ok(worst)
}

fn no_board(instance: &Instance) -> Trouble {
    Trouble::new(Exit::Unsupported, format!("{} is no Flow Free board", instance.name()))
}

fn one(
    instance: &Instance,
    puzzle: &FlowPuzzle,
    args: &Answers,
    session: &mut Session<'_, '_>,
) -> Result<Exit, Stop> {
    let budget = run::budget(&args.limits, session);
    set_subject("flow answers", &instance.source, false);
    let searching = SearchGuard::begin(&budget);
    let found = solve::answers(puzzle.board(), args.limit as usize, &budget);
    drop(searching);
    let scenes = found
        .answers
        .iter()
        .map(|paths| checked(instance, puzzle, paths, session))
        .collect::<Result<Vec<_>, _>>()?;
    let number = plural(found.answers.len(), "answer");
    let (told, mut exit) = match (found.answers.len(), found.stopped) {
        (0, None) => ("no answer: proved unsolvable".to_owned(), Exit::Unsolvable),
        (1, None) if found.all => ("one answer, proved to be the only one".to_owned(), Exit::Done),
        (_, None) if found.all => (format!("{number}, and no more: proved"), Exit::Done),
        (_, None) => (format!("{number} or more"), Exit::Done),
        (_, Some(limit)) => (format!("{number} so far: {}", why(limit)), Exit::from(limit)),
    };
    report::answers(instance, &told, if args.quiet { &[] } else { &scenes }, session.io)?;
    if args.cross_check {
        exit = exit.max(compare(puzzle, &budget, session)?);
    }
    Ok(exit)
}

/// The picture of an answer, after the checker accepted it like any other plan.
fn checked(
    instance: &Instance,
    puzzle: &FlowPuzzle,
    paths: &Paths,
    session: &Session<'_, '_>,
) -> Result<Scene, Trouble> {
    let board = puzzle.board();
    let steps: Vec<String> =
        paths.steps(board).into_iter().map(|step| plan::show_step(board, step)).collect();
    let check = session.world.check;
    check(&*instance.puzzle, None, &steps)
        .map_err(|flaw| Trouble::new(Exit::Rejected, format!("an answer does not hold: {flaw}")))?;
    let mut game = instance.puzzle.game();
    for step in &steps {
        game.play(step)
            .map_err(|why| Trouble::new(Exit::Rejected, format!("an answer cannot be played: {why}")))?;
    }
    Ok(game.scene())
}

/// Reports whether two independent solvers agree.
fn compare(puzzle: &FlowPuzzle, budget: &Budget, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let opinion = {
        // Both solvers run one after the other, each within the limits.
        let both = Budget { time: budget.time.map(|time| 2 * time), ..budget.clone() };
        let _searching = SearchGuard::begin(&both);
        solve::second_opinion(puzzle.board(), budget)
    };
    let (told, exit) = match opinion {
        None => ("only boards that are filled have two solvers".to_owned(), Exit::Unsupported),
        Some(both) => match both.corner.stopped.or(both.sat.stopped) {
            Some(limit) => (format!("not finished: {}", why(limit)), Exit::from(limit)),
            None if both.agrees() => ("the corner and the SAT solver agree".to_owned(), Exit::Done),
            None => (
                "the corner and the SAT solver disagree; please report this board".to_owned(),
                Exit::Internal,
            ),
        },
    };
    report::second_opinion(&told, session.io)?;
    Ok(exit)
}
