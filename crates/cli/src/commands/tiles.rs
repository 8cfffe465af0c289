//! `beeline tiles`: manages the cached tables of the sliding-tile solver.

use std::path::Path;
use std::time::Instant;

use beeline_puzzles::tiles::pattern::database::{TableError, cache_folder};
use beeline_puzzles::tiles::pattern::tables::{Building, Cache, TABLES, Tables};
use beeline_search::Budget;

use super::args::{Limits, Tabling, TilesCommand, TilesTables};
use super::interrupt::{SearchGuard, set_subject};
use super::{Exit, Session, names, run, tiles_space};
use crate::report::exit::why;
use crate::report::progress::Progress;
use crate::report::{Stop, Trouble, tiles as report};

/// Runs one of the commands.
pub(super) fn tiles(command: &TilesCommand, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    match command {
        TilesCommand::Tables(args) => tables(args, session),
        TilesCommand::Space(args) => tiles_space::space(args, session),
    }
}

fn tables(args: &TilesTables, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let folder = cache_folder().ok_or_else(|| {
        Trouble::new(Exit::Unsupported, "there is no cache folder")
            .help("name one in the environment: BEELINE_CACHE=FOLDER")
    })?;
    match args.what {
        Tabling::List => report::tables(&chosen(args)?, &folder, session.io)?,
        Tabling::Build => build(&named(args)?, args, &folder, session)?,
        Tabling::Delete => delete(&named(args)?, &folder, session)?,
    }
    Ok(Exit::Done)
}

/// The named tables, or all.
fn chosen(args: &TilesTables) -> Result<Vec<&'static Tables>, Trouble> {
    if args.names.is_empty() || args.names.iter().any(|name| name == "all") {
        return Ok(TABLES.iter().collect());
    }
    let known: Vec<&str> = TABLES.iter().map(|set| set.name).collect();
    let find = |name: &String| {
        let set = TABLES.iter().find(|set| set.name == name);
        set.ok_or_else(|| names::unknown("set of tables", name, &known, None))
    };
    args.names.iter().map(find).collect()
}

/// The named tables. Building or deleting all of them must be requested explicitly.
fn named(args: &TilesTables) -> Result<Vec<&'static Tables>, Trouble> {
    if args.names.is_empty() {
        let known: Vec<&str> = TABLES.iter().map(|set| set.name).collect();
        return Err(Trouble::new(Exit::Usage, "which tables?")
            .help(format!("choose from: all, {}", known.join(", "))));
    }
    chosen(args)
}

fn build(
    sets: &[&Tables],
    args: &TilesTables,
    folder: &Path,
    session: &mut Session<'_, '_>,
) -> Result<(), Stop> {
    let threads = run::threads(args.threads);
    for set in sets {
        let started = Instant::now();
        let budget = run::budget(&limits(args), session);
        fetch(set, folder, threads, &budget, session)?;
        report::ready(set, set.cached(folder).bytes, started.elapsed(), session.io)?;
    }
    Ok(())
}

fn limits(args: &TilesTables) -> Limits {
    Limits { time: args.time, memory: args.memory, nodes: None }
}

/// Builds the tables that the folder lacks, with a progress line.
fn fetch(
    set: &Tables,
    folder: &Path,
    threads: usize,
    budget: &Budget,
    session: &mut Session<'_, '_>,
) -> Result<(), Trouble> {
    set_subject("tiles tables", set.name, false);
    let _searching = SearchGuard::begin(budget);
    let screen = session.io.screen;
    let mut line = Progress::new(&mut *session.io.err, screen.progress, screen.columns);
    let mut report = |building: Building| line.say(|_, _| report::progress(set, building));
    let mut unkept = None;
    let cache = Some(Cache { folder, write: true });
    let fetched = set.get(cache, threads, budget, &mut report, &mut |error| unkept = Some(error));
    let error = fetched.err().or(unkept);
    match error {
        None => Ok(()),
        Some(TableError::Stopped(limit)) => Err(Trouble::new(
            limit.into(),
            format!("the tables {} were not finished: {}", set.name, why(limit)),
        )
        .help("what was finished is kept; allow more with --time or --memory")),
        Some(error @ TableError::Unsupported) => Err(Trouble::new(Exit::Unsupported, error.to_string())),
        Some(error @ TableError::Io(_)) => Err(Trouble::new(Exit::Input, error.to_string())
            .help(format!("the cache is {}; BEELINE_CACHE names another", folder.display()))),
    }
}

fn delete(sets: &[&Tables], folder: &Path, session: &mut Session<'_, '_>) -> Result<(), Stop> {
    for set in sets {
        let gone = set
            .delete(folder)
            .map_err(|error| Trouble::new(Exit::Input, format!("{}: {error}", folder.display())))?;
        report::deleted(set, gone.files, gone.bytes, session.io)?;
    }
    Ok(())
}
