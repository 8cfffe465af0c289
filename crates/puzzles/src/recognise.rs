//! Determines the kind of a text.

use crate::{Kind, Puzzle, TextError};

/// The puzzles that a kind reads in a text, each with its own error.
pub type Parsed = Vec<Result<Box<dyn Puzzle>, TextError>>;

/// Why no kind was chosen.
pub enum Unrecognised {
    /// No kind recognises the text. These [read the beginning of it](nearly).
    Nobody(Vec<(&'static dyn Kind, TextError)>),
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
        0 => Err(Unrecognised::Nobody(nearly(kinds, text))),
        1 => Ok(read.remove(0).1),
        _ => Err(Unrecognised::Several(read.into_iter().map(|(kind, _)| kind).collect())),
    }
}

/// The kinds that read the beginning of a text and find an error later, with that error. After a slip, a file may look like no
/// kind.
pub fn nearly(kinds: &[&'static dyn Kind], text: &str) -> Vec<(&'static dyn Kind, TextError)> {
    let first = text.len() - text.trim_start().len();
    let inside = |error: &TextError| error.span.start > first && error.span.start < text.trim_end().len();
    let error = |kind: &dyn Kind| kind.parse(text).err().filter(inside);
    kinds.iter().filter_map(|&kind| Some((kind, error(kind)?))).collect()
}
