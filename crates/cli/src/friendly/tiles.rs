//! `beeline tiles`: what the strong solver of sliding tiles keeps in the cache folder.

use std::path::Path;
use std::time::Instant;

use beeline_puzzles::tiles::pattern::database::{TableError, cache_folder};
use beeline_puzzles::tiles::pattern::tables::{Building, Cache, TABLES, Tables};
use beeline_search::Budget;

use super::args::{Limits, Tabling, TilesCommand, TilesTables};
use super::interrupt::{Searching, subject};
use super::progress::{Progress, bar};
use super::report::{Stop, Trouble};
use super::solve::why;
use super::table::{Column, Table};
use super::units::{plural, size, time};
use super::{Exit, Session, names, run, tiles_space};

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
        Tabling::List => list(&chosen(args)?, &folder, session),
        Tabling::Build => build(&named(args)?, args, &folder, session),
        Tabling::Delete => delete(&named(args)?, &folder, session),
    }
}

/// The tables that were named, or all.
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

/// The tables that were named; building or deleting everything must be asked for.
fn named(args: &TilesTables) -> Result<Vec<&'static Tables>, Trouble> {
    if args.names.is_empty() {
        let known: Vec<&str> = TABLES.iter().map(|set| set.name).collect();
        return Err(Trouble::new(Exit::Usage, "which tables?")
            .help(format!("choose from: all, {}", known.join(", "))));
    }
    chosen(args)
}

fn list(sets: &[&Tables], folder: &Path, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let mut table = Table::new(&[
        Column::words("tables", 0),
        Column::words("board", 1),
        Column::figures("in the cache", 0),
        Column::sentences("what for", 2),
    ]);
    for set in sets {
        let cached = set.cached(folder);
        let all = set.patterns().len();
        let there = match cached.files {
            0 => "no".to_owned(),
            files if files == all => size(cached.bytes as usize),
            files => format!("{files} of {all} files"),
        };
        let board = format!("{}x{}", set.rows, set.columns);
        table.row([set.name.to_owned(), board, there, set.about.to_owned()]);
    }
    let text = table.text(&session.io.screen);
    write!(session.io.out, "{text}\nThe cache is {}.\n", folder.display())?;
    Ok(Exit::Done)
}

fn build(
    sets: &[&Tables],
    args: &TilesTables,
    folder: &Path,
    session: &mut Session<'_, '_>,
) -> Result<Exit, Stop> {
    let threads = run::threads(args.threads);
    for set in sets {
        let started = Instant::now();
        let budget = run::budget(&limits(args), session);
        fetch(set, folder, threads, &budget, session)?;
        let bytes = size(set.cached(folder).bytes as usize);
        writeln!(session.io.out, "{}: {bytes}, ready after {}", set.name, time(started.elapsed()))?;
        session.io.out.flush()?;
    }
    Ok(Exit::Done)
}

fn limits(args: &TilesTables) -> Limits {
    Limits { time: args.time, memory: args.memory, nodes: None }
}

/// Builds what the folder lacks, with a line that shows how far it is.
fn fetch(
    set: &Tables,
    folder: &Path,
    threads: usize,
    budget: &Budget,
    session: &mut Session<'_, '_>,
) -> Result<(), Trouble> {
    subject("tiles tables", set.name, false);
    let _searching = Searching::begin(budget);
    let screen = session.io.screen;
    let mut line = Progress::new(&mut *session.io.err, screen.progress, screen.columns);
    let mut report = |building: Building| line.say(|_, _| progress(set, building));
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

/// How far the building is: a bar, and what of.
fn progress(set: &Tables, building: Building) -> String {
    let (done, all) = (building.progress.done, building.progress.all);
    format!(
        "{} {}, table {} of {}, {} moves deep",
        set.name,
        bar(done, all),
        building.pattern,
        building.patterns,
        building.progress.level
    )
}

fn delete(sets: &[&Tables], folder: &Path, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    for set in sets {
        let gone = set
            .delete(folder)
            .map_err(|error| Trouble::new(Exit::Input, format!("{}: {error}", folder.display())))?;
        let (files, bytes) = (plural(gone.files, "file"), size(gone.bytes as usize));
        writeln!(session.io.out, "{}: {files} deleted, {bytes}", set.name)?;
    }
    Ok(Exit::Done)
}
