//! Loads puzzles from names on the command line.

use std::io::Read;
use std::path::Path;
use std::rc::Rc;

use beeline_api::units::plural;
use beeline_puzzles::encoding;
use beeline_puzzles::file::{self, ReadError};
use beeline_puzzles::{Example, Kind, Parsed, Puzzle, TextError, Unrecognised};

use super::args::{Reading, Source};
use super::names::{did_you_mean, near, unknown};
use super::{Exit, Session, World, names};
use crate::report::Trouble;
use crate::report::instance::{File, Instance};

/// The most puzzles of a file with individual errors. Further errors say nothing new, and the report fits on a screen.
const MAX_REPORTED: usize = 10;

/// Loads all requested puzzles, each with the name of its file. An error stands in the place of an unreadable puzzle.
pub(super) fn load_all(
    source: &Source,
    session: &mut Session<'_, '_>,
) -> Vec<(String, Result<Instance, Trouble>)> {
    let mut all = Vec::new();
    for path in &source.puzzles {
        let name = shown(path);
        match load(path, &source.reading, session) {
            Ok(instances) => all.extend(instances.into_iter().map(|instance| (name.clone(), instance))),
            Err(trouble) => all.push((name, Err(trouble))),
        }
    }
    all
}

/// Loads the single puzzle that a command needs.
pub(super) fn load_one(
    path: &Path,
    reading: &Reading,
    session: &mut Session<'_, '_>,
) -> Result<Instance, Trouble> {
    let mut found = load(path, reading, session)?;
    match (found.len(), found.pop()) {
        (1, Some(instance)) => instance,
        (n, _) => {
            Err(Trouble::new(Exit::Usage, format!("{} holds {n} puzzles, and one is needed", shown(path)))
                .help("choose one with --level N or --level NAME"))
        }
    }
}

/// Loads a shipped puzzle of a known kind.
pub(super) fn load_example(kind: &'static dyn Kind, example: &Example) -> Result<Instance, Trouble> {
    let puzzles = parse(kind, example.name, example.text)?;
    let levels = puzzles.len();
    let first = puzzles.into_iter().next();
    let file = Rc::new(File::utf8(example.text));
    let first = first.map(|puzzle| one_of(puzzle, (0, levels), example.name, &file));
    first.unwrap_or_else(|| Err(Trouble::new(Exit::Internal, format!("{} holds no puzzle", example.name))))
}

/// Loads the puzzles of one file. Errors stand in the places of unreadable puzzles, up to [`MAX_REPORTED`] of them.
pub(super) fn load(
    path: &Path,
    reading: &Reading,
    session: &mut Session<'_, '_>,
) -> Result<Vec<Result<Instance, Trouble>>, Trouble> {
    let (name, file) = read(path, session)?;
    let file = Rc::new(file);
    let puzzles = match &reading.kind {
        Some(kind) => parse(names::kind(session.world, kind)?, &name, &file.text)?,
        None => recognise(session.world, &name, &file.text)?,
    };
    let levels = puzzles.len();
    if let Some(level) = &reading.level {
        let at = find_level(&name, level, &titles(&puzzles))?;
        let chosen = puzzles.into_iter().nth(at);
        return Ok(chosen.into_iter().map(|puzzle| one_of(puzzle, (at, levels), &name, &file)).collect());
    }
    let bad = puzzles.iter().filter(|puzzle| puzzle.is_err()).count();
    let mut reported = 0;
    let mut all = Vec::new();
    for (at, puzzle) in puzzles.into_iter().enumerate() {
        reported += usize::from(puzzle.is_err());
        if puzzle.is_ok() || reported <= MAX_REPORTED {
            all.push(one_of(puzzle, (at, levels), &name, &file));
        }
    }
    if bad > MAX_REPORTED {
        let message = format!("{} more of {name} cannot be read", plural(bad - MAX_REPORTED, "puzzle"));
        all.push(Err(Trouble::new(Exit::Input, message)));
    }
    Ok(all)
}

/// One of a file's puzzles, or the error in its place.
fn one_of(
    puzzle: Result<Box<dyn Puzzle>, TextError>,
    (at, levels): (usize, usize),
    name: &str,
    file: &Rc<File>,
) -> Result<Instance, Trouble> {
    match puzzle {
        Ok(puzzle) => {
            Ok(Instance { source: name.to_owned(), level: at + 1, levels, puzzle, file: Rc::clone(file) })
        }
        Err(error) => Err(Trouble::text(name, &file.text, &error)),
    }
}

/// The title of each puzzle that has one.
fn titles(puzzles: &[Result<Box<dyn Puzzle>, TextError>]) -> Vec<Option<String>> {
    puzzles.iter().map(|puzzle| puzzle.as_ref().ok().and_then(|puzzle| puzzle.title())).collect()
}

/// The displayed form of a path.
pub(super) fn shown(path: &Path) -> String {
    if path == Path::new("-") { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// Reads the name and the content of a file, an example or standard input.
fn read(path: &Path, session: &mut Session<'_, '_>) -> Result<(String, File), Trouble> {
    if path == Path::new("-") {
        return Ok((shown(path), decoded(&shown(path), read_input(session))?));
    }
    let name = shown(path);
    let examples = || session.world.kinds.iter().flat_map(|k| k.examples());
    if !path.exists() {
        if let Some(example) = examples().find(|e| e.name == name) {
            return Ok((name, File::utf8(example.text)));
        }
        let trouble =
            Trouble::new(Exit::Input, format!("there is no file '{name}' and no puzzle of that name"));
        let hint = did_you_mean(&near(&name, examples().map(|e| e.name)));
        let trouble = hint.into_iter().fold(trouble, Trouble::help);
        return Err(trouble.help("'beeline list puzzles' shows the puzzles that ship"));
    }
    if path.is_dir() {
        let trouble = Trouble::new(Exit::Input, format!("'{name}' is a folder, not a puzzle file"));
        return Err(trouble.help(format!("name the files in it: {}/*", name.trim_end_matches('/'))));
    }
    let file = decoded(&name, file::read_file(path))?;
    Ok((name, file))
}

/// Standard input can be read only once: for the puzzle or for the plan.
pub(super) fn not_both_stdin(puzzle: &Path, plan: Option<&Path>) -> Result<(), Trouble> {
    let stdin = Path::new("-");
    if puzzle == stdin && plan == Some(stdin) {
        return Err(Trouble::new(Exit::Usage, "the puzzle and the plan cannot both be standard input"));
    }
    Ok(())
}

/// Reads the name and the text of a plan file or of standard input. A plan may be empty: a solved puzzle needs no step.
pub(super) fn read_plan(path: &Path, session: &mut Session<'_, '_>) -> Result<(String, String), Trouble> {
    let name = shown(path);
    let bytes = if path == Path::new("-") {
        read_input(session)
    } else if path.is_file() {
        file::read_file(path)
    } else if path.is_dir() {
        return read(path, session).map(|(name, file)| (name, file.text));
    } else {
        return Err(Trouble::new(Exit::Input, format!("there is no file '{name}' with a plan")));
    };
    let empty = bytes.as_ref().is_ok_and(|bytes| bytes.iter().all(u8::is_ascii_whitespace));
    let text = if empty { String::new() } else { text(&name, bytes)? };
    Ok((name, text))
}

fn read_input(session: &mut Session<'_, '_>) -> Result<Vec<u8>, ReadError> {
    let input: &mut dyn Read = &mut *session.io.input;
    file::read(input)
}

/// Decodes a non-empty text in any supported encoding.
pub(super) fn text(name: &str, bytes: Result<Vec<u8>, ReadError>) -> Result<String, Trouble> {
    decoded(name, bytes).map(|file| file.text)
}

/// Decodes a text, and returns it with its encoding.
fn decoded(name: &str, bytes: Result<Vec<u8>, ReadError>) -> Result<File, Trouble> {
    let bytes = bytes.map_err(|error| unreadable(name, &error))?;
    let (text, encoding) = encoding::decode(bytes).map_err(|error| {
        Trouble::new(Exit::Input, format!("{name} is no text file: {error}"))
            .help("puzzle files are plain text: UTF-8, UTF-16 with a byte order mark, or Windows-1252")
    })?;
    if text.trim().is_empty() {
        let empty = Trouble::new(Exit::Input, format!("{name} is empty"));
        return Err(empty.help("'beeline list puzzles' shows the puzzles that ship"));
    }
    Ok(File { text, encoding })
}

/// The error for a file that cannot be read or is too large.
fn unreadable(name: &str, error: &ReadError) -> Trouble {
    match error {
        ReadError::Io(error) => Trouble::new(Exit::Input, format!("cannot read {name}: {error}")),
        ReadError::TooLarge(most) => {
            let message = format!("{name} is larger than {} MiB, the most that is read", most >> 20);
            Trouble::new(Exit::Input, message).help("split a collection into several files")
        }
    }
}

fn parse(kind: &dyn Kind, name: &str, text: &str) -> Result<Parsed, Trouble> {
    nonempty(kind.parse_each(text), name)
}

fn nonempty(puzzles: Parsed, name: &str) -> Result<Parsed, Trouble> {
    if puzzles.is_empty() {
        return Err(Trouble::new(Exit::Input, format!("{name} holds no puzzle")));
    }
    Ok(puzzles)
}

/// Parses a text whose kind is not given.
fn recognise(world: World, name: &str, text: &str) -> Result<Parsed, Trouble> {
    let list = |kinds: &[&'static dyn Kind]| kinds.iter().map(|k| k.name()).collect::<Vec<_>>().join(", ");
    match beeline_puzzles::recognise(world.kinds, text) {
        Ok(puzzles) => nonempty(puzzles, name),
        Err(Unrecognised::Nobody(near)) => {
            let nobody = format!("no kind of puzzle recognises {name}");
            let trouble = match &near[..] {
                [(kind, error)] => Trouble::text(name, text, error)
                    .help(format!("{nobody}; {} reads it up to here", kind.name())),
                _ => near.iter().fold(Trouble::new(Exit::Input, nobody), |trouble, (kind, error)| {
                    let (line, column) = error.position(text);
                    trouble.help(format!("as {}, {line}:{column}: {error}", kind.name()))
                }),
            };
            Err(trouble.help(format!("say what it is with --as KIND; the kinds are {}", list(world.kinds))))
        }
        Err(Unrecognised::Several(kinds)) => Err(ambiguous(name, &list(&kinds))),
    }
}

fn ambiguous(name: &str, candidates: &str) -> Trouble {
    Trouble::new(Exit::Input, format!("{name} may be a puzzle of more than one kind: {candidates}"))
        .help("say which with --as KIND")
}

/// Finds a level by number or title.
pub(super) fn find_level(name: &str, level: &str, titles: &[Option<String>]) -> Result<usize, Trouble> {
    if let Ok(number) = level.parse::<usize>() {
        return number.checked_sub(1).filter(|&i| i < titles.len()).ok_or_else(|| {
            let message = format!("there is no level {number} in {name}");
            Trouble::new(Exit::Usage, message).help(format!("its levels are 1 to {}", titles.len()))
        });
    }
    let found = titles.iter().position(|t| t.as_ref().is_some_and(|t| t.eq_ignore_ascii_case(level)));
    found.ok_or_else(|| {
        let known: Vec<&str> = titles.iter().flatten().map(String::as_str).take(12).collect();
        unknown(&format!("level in {name}"), level, &known, None)
    })
}
