//! `beeline play`.

use std::path::Path;

use beeline_search::Budget;
use beeline_terminal::{Chapter, Left, Level, Manners};

use super::args::{Play, Reading};
use super::{Exit, Session, input, machine};
use crate::report::instance::Instance;
use crate::report::{Stop, Trouble};

/// Plays what was asked for, one level after the other as the person likes.
pub(super) fn play(args: &Play, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    if args.puzzles.is_empty() {
        return menu(session);
    }
    let (levels, first) = levels(args, session)?;
    needs_terminal("play", "'beeline draw' prints a board, 'beeline solve' solves it", session)?;
    let levels = levels.into_iter().map(|i| Level { name: i.name(), puzzle: i.puzzle }).collect();
    let budget = Budget { bytes: machine::memory_to_use(None), ..Budget::default() };
    session.io.out.flush()?;
    let left = beeline_terminal::play(levels, first, session.io.screen.look(), budget, Manners::default())?;
    Ok(match left {
        Left::Ended(_) => Exit::Done,
        Left::Interrupted => Exit::Interrupted,
    })
}

/// A menu of everything that ships.
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
        Left::Ended(()) => Exit::Done,
        Left::Interrupted => Exit::Interrupted,
    })
}

/// Screens with keys need somebody who sees them.
pub(super) fn needs_terminal(command: &str, instead: &str, session: &Session<'_, '_>) -> Result<(), Trouble> {
    if session.io.screen.interactive {
        return Ok(());
    }
    Err(Trouble::new(Exit::Unsupported, format!("'beeline {command}' needs a terminal")).help(instead))
}

/// All levels, and which one is the first. One puzzle that ships comes in the company of its kind.
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

/// The puzzles of a file that can be read. The others are told on standard error, below the screen of the game; where there
/// is nothing else, the first of them is the error.
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
        session.io.tell(trouble);
    }
    Ok(good)
}

/// A kind, where the word is the name of one and no file.
fn kind_named(path: &Path, session: &Session<'_, '_>) -> Option<&'static dyn beeline_puzzles::Kind> {
    let kind = session.world.kinds.iter().copied().find(|kind| Path::new(kind.name()) == path);
    kind.filter(|_| !path.exists())
}

/// The puzzles that ship of a kind.
fn shipped(kind: &'static dyn beeline_puzzles::Kind) -> Result<Vec<Instance>, Trouble> {
    kind.examples().iter().map(|example| input::load_example(kind, example)).collect()
}
