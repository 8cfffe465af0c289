//! Which kind a text is of.

use crate::{Kind, Puzzle, TextError};

/// What a kind reads in a text, puzzle by puzzle.
pub type Parsed = Vec<Result<Box<dyn Puzzle>, TextError>>;

/// Why no kind was chosen.
pub enum Unrecognised {
    /// No kind says that the text is its own.
    Nobody,
    /// Several kinds say so, and can read it alike.
    Several(Vec<&'static dyn Kind>),
}

/// Reads a text of a kind that nobody named: every kind is asked whether the text is its own. Where several say yes, those
/// decide that can read all of it, or else some.
pub fn recognise(kinds: &[&'static dyn Kind], text: &str) -> Result<Parsed, Unrecognised> {
    let mut read: Vec<(&'static dyn Kind, Parsed)> =
        kinds.iter().filter_map(|&kind| Some((kind, kind.read(text)?))).collect();
    let whole = |puzzles: &Parsed| !puzzles.is_empty() && puzzles.iter().all(Result::is_ok);
    let some = |puzzles: &Parsed| puzzles.iter().any(Result::is_ok);
    let better: [&dyn Fn(&Parsed) -> bool; 2] = [&whole, &some];
    if let Some(better) = better.into_iter().find(|good| read.iter().any(|(_, puzzles)| good(puzzles))) {
        read.retain(|(_, puzzles)| better(puzzles));
    }
    match read.len() {
        0 => Err(Unrecognised::Nobody),
        1 => Ok(read.remove(0).1),
        _ => Err(Unrecognised::Several(read.into_iter().map(|(kind, _)| kind).collect())),
    }
}
