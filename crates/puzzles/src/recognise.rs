//! Determines the kind of a text.

use crate::{Kind, Puzzle, TextError};

/// The puzzles that a kind reads in a text, each with its own error.
pub type Parsed = Vec<Result<Box<dyn Puzzle>, TextError>>;

/// Why no kind was chosen.
pub enum Unrecognised {
    /// No kind recognises the text.
    Nobody,
    /// Several kinds recognise it, and can read it equally well.
    Several(Vec<&'static dyn Kind>),
}

/// Reads a text of unknown kind: every kind is tried. Of several that recognise it, the kinds win that can read all of it, or
/// else some of it.
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
