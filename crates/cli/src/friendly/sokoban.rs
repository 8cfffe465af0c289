//! `beeline sokoban`: what only Sokoban has. For now that is improving a plan.

use std::path::Path;

use beeline_puzzles::sokoban::Sokoban;
use beeline_puzzles::sokoban::board::Dir;
use beeline_puzzles::sokoban::improve::{Figure, Improved, Settings, improve};
use beeline_search::Budget;

use super::args::{Improve, SokobanCommand};
use super::input;
use super::interrupt::{Searching, subject};
use super::progress::Progress;
use super::report::{Stop, Trouble};
use super::units::commas;
use super::{Exit, Session, run};

/// Runs a command of the group.
pub(super) fn sokoban(command: &SokobanCommand, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    match command {
        SokobanCommand::Improve(args) => shorten(args, session),
    }
}

/// Shortens a plan. What goes in and what comes out are both checked.
fn shorten(args: &Improve, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let stdin = Path::new("-");
    if args.puzzle == stdin && args.plan.as_deref() == Some(stdin) {
        return Err(Trouble::new(Exit::Usage, "the puzzle and the plan cannot both be standard input").into());
    }
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
    subject("sokoban improve", &instance.source, false);
    let improved = improve_steps(sokoban, &steps, &settings, &budget, session);
    let shorter = sokoban.letters(&improved.plan);
    checker(&*instance.puzzle, None, &shorter).map_err(flawed)?;
    let pushes = |steps: &[String]| steps.iter().filter(|s| s.chars().all(char::is_uppercase)).count();
    let figures = |steps: &[String]| {
        format!("{} moves, {} pushes", commas(steps.len() as u64), commas(pushes(steps) as u64))
    };
    writeln!(session.io.out, "{}", instance.puzzle.write_plan(&shorter))?;
    if !args.quiet {
        let end = match improved.stats.stopped {
            Some(limit) => format!("stopped by the {} limit", limit.name()),
            None => "nothing more found".to_owned(),
        };
        writeln!(session.io.err, "{} → {}; {end}", figures(&steps), figures(&shorter))?;
    }
    Ok(Exit::Done)
}

/// Improves a plan, with a line that shows its figures.
fn improve_steps(
    sokoban: &Sokoban,
    steps: &[String],
    settings: &Settings,
    budget: &Budget,
    session: &mut Session<'_, '_>,
) -> Improved {
    let dirs: Vec<Dir> = steps.iter().filter_map(|s| s.chars().next().and_then(Dir::of)).collect();
    let _searching = Searching::begin(budget);
    let screen = session.io.screen;
    let mut progress = Progress::new(&mut *session.io.err, screen.progress, screen.columns);
    improve(sokoban.board(), &dirs, settings, budget, &mut progress)
}
