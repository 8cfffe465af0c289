//! `read`: turns a text into puzzles, or returns the parser's error. Both are answers, because a page may send a text that is
//! still being typed.

use beeline_puzzles::{KINDS, Kind, Puzzle, nearly};
use serde::{Deserialize, Serialize};

use crate::board::Board;
use crate::limits::Limits;
use crate::refusal::{Fault, Refusal, Trouble};
use crate::task::kind;

/// The request.
#[derive(Deserialize)]
pub struct Question {
    /// The kind; without it, every kind tries to recognise the text.
    kind: Option<String>,
    text: String,
}

/// The answer.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// The puzzles of the text.
    Read(Pack),
    /// The text cannot be read.
    Not {
        /// What is wrong, and where.
        unreadable: Trouble,
    },
}

/// The puzzles of a text.
#[derive(Serialize)]
pub struct Pack {
    kind: &'static str,
    levels: Vec<Level>,
    /// The number of puzzles in the text. `levels` may hold fewer.
    count: usize,
    /// The number of puzzles that cannot be read.
    unread: usize,
    /// The error in the first unreadable puzzle.
    skipped: Option<Trouble>,
    /// The first board.
    board: Board,
}

#[derive(Serialize)]
struct Level {
    title: Option<String>,
    text: String,
    facts: Vec<(&'static str, String)>,
    warnings: Vec<String>,
}

/// Reads a text.
pub fn read(question: &Question, limits: &Limits) -> Result<Answer, Refusal> {
    match pack(question, limits) {
        Ok(pack) => Ok(Answer::Read(pack)),
        Err(refusal) if refusal.fault == Fault::Unable => Ok(Answer::Not { unreadable: refusal.trouble }),
        Err(refusal) => Err(refusal),
    }
}

fn pack(question: &Question, limits: &Limits) -> Result<Pack, Refusal> {
    // Some editors write an invisible byte order mark at the beginning.
    let text = question.text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Err(Refusal::unable("there is nothing to read"));
    }
    let ParsedText { kind, puzzles, unread, skipped } = match &question.kind {
        Some(name) => parse(kind(name)?, text)?,
        None => recognise(text)?,
    };
    let first = puzzles.first().ok_or_else(|| Refusal::unable("the text holds no puzzle"))?;
    if first.text().len() > limits.puzzle {
        return Err(Refusal::unable(format!("the first puzzle is larger than {} KiB", limits.puzzle >> 10)));
    }
    let scene = first.game().scene();
    if scene.width * scene.height > limits.cells {
        return Err(Refusal::unable(format!("the board has more than {} cells", limits.cells)));
    }
    let levels = puzzles.iter().take(limits.levels).map(|puzzle| Level {
        title: puzzle.title(),
        text: puzzle.text(),
        facts: puzzle.facts(),
        warnings: puzzle.warnings(),
    });
    let (levels, count) = (levels.collect(), puzzles.len());
    Ok(Pack { kind: kind.name(), levels, count, unread, skipped, board: Board::new(&scene) })
}

/// What a kind found in a text.
struct ParsedText {
    kind: &'static dyn Kind,
    puzzles: Vec<Box<dyn Puzzle>>,
    unread: usize,
    skipped: Option<Trouble>,
}

/// The readable puzzles of a text. Without any, the first error is returned.
fn parse(kind: &'static dyn Kind, text: &str) -> Result<ParsedText, Refusal> {
    let (mut puzzles, mut unread, mut first) = (Vec::new(), 0, None);
    for puzzle in kind.parse_each(text) {
        match puzzle {
            Ok(puzzle) => puzzles.push(puzzle),
            Err(error) => {
                unread += 1;
                first.get_or_insert(error);
            }
        }
    }
    let first = first.map(|error| Refusal::unreadable(text, &error));
    match (puzzles.is_empty(), first) {
        (true, Some(refusal)) => Err(refusal),
        (_, first) => Ok(ParsedText { kind, puzzles, unread, skipped: first.map(|refusal| refusal.trouble) }),
    }
}

/// Tries the kinds that recognise the text. The first one that can read a puzzle wins. If none recognises it and one reads a
/// part of it, the error is that one's.
fn recognise(text: &str) -> Result<ParsedText, Refusal> {
    let candidates: Vec<_> = KINDS.iter().copied().filter(|kind| kind.recognises(text)).collect();
    if candidates.is_empty()
        && let [(_, error)] = &nearly(KINDS, text)[..]
    {
        return Err(Refusal::unreadable(text, error));
    }
    let mut failed = Refusal::unable("no kind of puzzle recognises this text; choose the kind in the editor");
    for kind in candidates {
        match parse(kind, text) {
            Ok(read) if !read.puzzles.is_empty() => return Ok(read),
            Ok(_) => {}
            Err(refusal) => failed = refusal,
        }
    }
    Err(failed)
}
