//! From a name on the command line to parsed puzzles.

use std::io::Read;
use std::path::Path;

use beeline_puzzles::file::{self, ReadError};
use beeline_puzzles::quote::{WIDEST, shortened};
use beeline_puzzles::{Example, Kind, Puzzle, TextError};

use super::args::{Reading, Source};
use super::names::{did_you_mean, near, unknown};
use super::report::Trouble;
use super::{Exit, Session, World, names};

/// One puzzle to work on, and where it came from.
pub(super) struct Instance {
    /// The file, the name of the example, or `<stdin>`.
    pub(super) source: String,
    /// Which one of the file, from 1.
    pub(super) level: usize,
    /// How many the file holds.
    pub(super) levels: usize,
    /// The puzzle.
    pub(super) puzzle: Box<dyn Puzzle>,
}

impl Instance {
    /// Its title: that of the file, or the one under which it ships.
    pub(super) fn title(&self) -> Option<String> {
        let shipped =
            || self.puzzle.kind().examples().iter().find(|e| e.name == self.source && self.levels == 1);
        self.puzzle.title().or_else(|| shipped().map(|example| example.title.to_owned()))
    }

    /// How a person would call it.
    pub(super) fn name(&self) -> String {
        let mut name = self.source.clone();
        if self.levels > 1 {
            name += &format!(" #{}", self.level);
        }
        if let Some(title) = self.title() {
            name += &format!(" \"{}\"", shortened(&title));
        }
        name
    }
}

/// Everything that was asked for, file by file; what cannot be read is a trouble in its place.
pub(super) fn load_all(
    source: &Source,
    session: &mut Session<'_, '_>,
) -> Vec<(String, Result<Vec<Instance>, Trouble>)> {
    let load = |path: &std::path::PathBuf| (shown(path), load(path, &source.reading, session));
    source.puzzles.iter().map(load).collect()
}

/// The single puzzle that a command needs.
pub(super) fn load_one(
    path: &Path,
    reading: &Reading,
    session: &mut Session<'_, '_>,
) -> Result<Instance, Trouble> {
    let mut found = load(path, reading, session)?;
    match (found.len(), found.pop()) {
        (1, Some(instance)) => Ok(instance),
        (n, _) => {
            Err(Trouble::new(Exit::Usage, format!("{} holds {n} puzzles, and one is needed", shown(path)))
                .help("choose one with --level N or --level NAME"))
        }
    }
}

/// A puzzle that ships, of a known kind.
pub(super) fn load_example(kind: &'static dyn Kind, example: &Example) -> Result<Instance, Trouble> {
    let puzzles = parse(kind, example.name, example.text)?;
    let (source, levels) = (example.name.to_owned(), puzzles.len());
    let first = puzzles.into_iter().next();
    let first = first.map(|puzzle| Instance { source, level: 1, levels, puzzle });
    first.ok_or_else(|| Trouble::new(Exit::Internal, format!("{} holds no puzzle", example.name)))
}

/// The puzzles of one file.
pub(super) fn load(
    path: &Path,
    reading: &Reading,
    session: &mut Session<'_, '_>,
) -> Result<Vec<Instance>, Trouble> {
    let (name, text) = read(path, session)?;
    let puzzles = match &reading.kind {
        Some(kind) => parse(names::kind(session.world, kind)?, &name, &text)?,
        None => recognise(session.world, &name, &text)?,
    };
    let levels = puzzles.len();
    let all = puzzles.into_iter().enumerate();
    let mut all: Vec<Instance> =
        all.map(|(i, puzzle)| Instance { source: name.clone(), level: i + 1, levels, puzzle }).collect();
    if let Some(level) = &reading.level {
        let at = find_level(&name, level, &all)?;
        all = vec![all.swap_remove(at)];
    }
    Ok(all)
}

/// A path as it is shown.
pub(super) fn shown(path: &Path) -> String {
    if path == Path::new("-") { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// The name and the text of a file, an example or standard input.
pub(super) fn read(path: &Path, session: &mut Session<'_, '_>) -> Result<(String, String), Trouble> {
    if path == Path::new("-") {
        return Ok((shown(path), text(&shown(path), read_input(session))?));
    }
    let name = shown(path);
    let examples = || session.world.kinds.iter().flat_map(|k| k.examples());
    if !path.exists() {
        if let Some(example) = examples().find(|e| e.name == name) {
            return Ok((name, example.text.to_owned()));
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
    let text = text(&name, file::read_file(path))?;
    Ok((name, text))
}

/// The name and the text of a plan file or of standard input. Unlike a puzzle, a plan may be empty: a solved puzzle needs no step.
pub(super) fn read_plan(path: &Path, session: &mut Session<'_, '_>) -> Result<(String, String), Trouble> {
    let name = shown(path);
    let bytes = if path == Path::new("-") {
        read_input(session)
    } else if path.is_file() {
        file::read_file(path)
    } else if path.is_dir() {
        return read(path, session);
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

/// A text, which must be UTF-8 and not empty.
pub(super) fn text(name: &str, bytes: Result<Vec<u8>, ReadError>) -> Result<String, Trouble> {
    let bytes = bytes.map_err(|error| unreadable(name, &error))?;
    let text = String::from_utf8(bytes).map_err(|error| not_utf8(name, &error))?;
    // Some editors put a mark at the beginning that nobody sees.
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    if text.trim().is_empty() {
        let empty = Trouble::new(Exit::Input, format!("{name} is empty"));
        return Err(empty.help("'beeline list puzzles' shows the puzzles that ship"));
    }
    Ok(text)
}

/// A file that cannot be read, or is not read for its size.
fn unreadable(name: &str, error: &ReadError) -> Trouble {
    match error {
        ReadError::Io(error) => Trouble::new(Exit::Input, format!("cannot read {name}: {error}")),
        ReadError::TooLarge(most) => {
            let message = format!("{name} is larger than {} MiB, the most that is read", most >> 20);
            Trouble::new(Exit::Input, message).help("split a collection into several files")
        }
    }
}

fn not_utf8(name: &str, error: &std::string::FromUtf8Error) -> Trouble {
    let at = error.utf8_error().valid_up_to();
    let bytes = error.as_bytes();
    let byte = bytes.get(at).copied().unwrap_or(0);
    // What follows in the line is quoted, and no more of it than that.
    let rest = &bytes[at..bytes.len().min(at + WIDEST)];
    let line = rest.split(|&b| b == b'\n').next().unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes[..at]) + String::from_utf8_lossy(line);
    let mark = char::REPLACEMENT_CHARACTER.len_utf8();
    let error = TextError::new(at..at + mark, format!("byte 0x{byte:02x} is not UTF-8"), "text in UTF-8");
    Trouble::text(name, &text, &error.help("puzzle files are plain text; save this one as UTF-8"))
}

fn parse(kind: &dyn Kind, name: &str, text: &str) -> Result<Vec<Box<dyn Puzzle>>, Trouble> {
    let puzzles = kind.parse(text).map_err(|error| Trouble::text(name, text, &error))?;
    if puzzles.is_empty() {
        return Err(Trouble::new(Exit::Input, format!("{name} holds no puzzle")));
    }
    Ok(puzzles)
}

/// Asks every kind whether the text is its own. Where several say yes, those that can read it decide.
fn recognise(world: World, name: &str, text: &str) -> Result<Vec<Box<dyn Puzzle>>, Trouble> {
    let candidates: Vec<_> = world.kinds.iter().copied().filter(|k| k.recognises(text)).collect();
    let list = |kinds: &[&'static dyn Kind]| kinds.iter().map(|k| k.name()).collect::<Vec<_>>().join(", ");
    match candidates[..] {
        [] => Err(Trouble::new(Exit::Input, format!("no kind of puzzle recognises {name}"))
            .help(format!("say what it is with --as KIND; the kinds are {}", list(world.kinds)))),
        [kind] => parse(kind, name, text),
        _ => {
            let readable = candidates.iter().copied().filter(|k| k.parse(text).is_ok_and(|p| !p.is_empty()));
            match readable.collect::<Vec<_>>()[..] {
                [kind] => parse(kind, name, text),
                [] => Err(ambiguous(name, &list(&candidates))),
                ref several => Err(ambiguous(name, &list(several))),
            }
        }
    }
}

fn ambiguous(name: &str, candidates: &str) -> Trouble {
    Trouble::new(Exit::Input, format!("{name} may be a puzzle of more than one kind: {candidates}"))
        .help("say which with --as KIND")
}

/// Finds a level by number or title.
pub(super) fn find_level(name: &str, level: &str, all: &[Instance]) -> Result<usize, Trouble> {
    if let Ok(number) = level.parse::<usize>() {
        return number.checked_sub(1).filter(|&i| i < all.len()).ok_or_else(|| {
            let message = format!("there is no level {number} in {name}");
            Trouble::new(Exit::Usage, message).help(format!("its levels are 1 to {}", all.len()))
        });
    }
    let titles: Vec<String> = all.iter().filter_map(|i| i.puzzle.title()).collect();
    let found = all.iter().position(|i| i.puzzle.title().is_some_and(|t| t.eq_ignore_ascii_case(level)));
    found.ok_or_else(|| {
        let titles: Vec<&str> = titles.iter().map(String::as_str).take(12).collect();
        unknown(&format!("level in {name}"), level, &titles, None)
    })
}
