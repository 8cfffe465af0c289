//! `beeline play`.

use std::path::Path;

use beeline_search::Budget;
use beeline_terminal::{Chapter, GameOptions, Level, ScreenResult};

use super::args::{Play, Reading};
use super::{Exit, Session, input, machine};
use crate::report::instance::Instance;
use crate::report::{Stop, Trouble};

/// Plays the requested levels in any order that the player chooses.
pub(super) fn play(args: &Play, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    if args.puzzles.is_empty() {
        return menu(session);
    }
    let (levels, first) = levels(args, session)?;
    needs_terminal("play", "'beeline draw' prints a board, 'beeline solve' solves it", session)?;
    let levels = levels.into_iter().map(|i| Level { name: i.name(), puzzle: i.puzzle }).collect();
    let budget = Budget { bytes: machine::memory_to_use(None), ..Budget::default() };
    session.io.out.flush()?;
    let left =
        beeline_terminal::play(levels, first, session.io.screen.look(), budget, GameOptions::default())?;
    Ok(match left {
        ScreenResult::Ended(_) => Exit::Done,
        ScreenResult::Interrupted => Exit::Interrupted,
    })
}

/// Opens a menu of all shipped puzzles.
fn menu(session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    needs_terminal("play", "'beeline list puzzles' names what ships", session)?;
    let mut chapters = Vec::new();
    for &kind in session.world.kinds {
        let levels = shipped(kind)?.into_iter().map(|i| Level { name: i.name(), puzzle: i.puzzle }).collect();
        chapters.push(Chapter { title: kind.title().to_owned(), levels });
    }
    let budget = Budget { bytes: machine::memory_to_use(None), ..Budget::default() };
    session.io.out.flush()?;
    Ok(match beeline_terminal::menu(chapters, session.io.screen.look(), budget)? {
        ScreenResult::Ended(()) => Exit::Done,
        ScreenResult::Interrupted => Exit::Interrupted,
    })
}

/// Fails without a terminal, because screens with keys need one.
pub(super) fn needs_terminal(command: &str, instead: &str, session: &Session<'_, '_>) -> Result<(), Trouble> {
    if session.io.screen.interactive {
        return Ok(());
    }
    Err(Trouble::new(Exit::Unsupported, format!("'beeline {command}' needs a terminal")).help(instead))
}

/// All levels, and the index of the first one. A single shipped puzzle comes with all of its kind.
fn levels(args: &Play, session: &mut Session<'_, '_>) -> Result<(Vec<Instance>, usize), Trouble> {
    let whole = Reading { level: None, ..args.reading.clone() };
    let mut all = Vec::new();
    let mut first = 0;
    for path in &args.puzzles {
        match kind_named(path, session) {
            Some(kind) => all.extend(shipped(kind)?),
            None => all.extend(readable(path, &whole, session)?),
        }
    }
    if let ([path], [only]) = (&args.puzzles[..], &all[..])
        && !path.exists()
        && let Some(at) = only.puzzle.kind().examples().iter().position(|e| Path::new(e.name) == path)
    {
        all = shipped(only.puzzle.kind())?;
        first = at;
    }
    if let Some(level) = &args.reading.level {
        let name = args.puzzles.iter().map(|path| input::shown(path)).collect::<Vec<_>>().join(", ");
        let titles: Vec<_> = all.iter().map(|instance| instance.puzzle.title()).collect();
        first = input::find_level(&name, level, &titles)?;
    }
    Ok((all, first))
}

/// The readable puzzles of a file. The errors of the others go to standard error, below the game's screen. Without a
/// readable puzzle, the first error is returned.
fn readable(path: &Path, reading: &Reading, session: &mut Session<'_, '_>) -> Result<Vec<Instance>, Trouble> {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for puzzle in input::load(path, reading, session)? {
        match puzzle {
            Ok(instance) => good.push(instance),
            Err(trouble) => bad.push(trouble),
        }
    }
    if good.is_empty() && !bad.is_empty() {
        return Err(bad.swap_remove(0));
    }
    for trouble in &bad {
        session.io.report_error(trouble);
    }
    Ok(good)
}

/// The kind with this name, unless there is a file with this name.
fn kind_named(path: &Path, session: &Session<'_, '_>) -> Option<&'static dyn beeline_puzzles::Kind> {
    let kind = session.world.kinds.iter().copied().find(|kind| Path::new(kind.name()) == path);
    kind.filter(|_| !path.exists())
}

/// The shipped puzzles of a kind.
fn shipped(kind: &'static dyn beeline_puzzles::Kind) -> Result<Vec<Instance>, Trouble> {
    kind.examples().iter().map(|example| input::load_example(kind, example)).collect()
}
