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

/// Asks every kind whether the text is its own. Where several say yes, those decide that can read all of it, or else some.
pub fn recognise(kinds: &[&'static dyn Kind], text: &str) -> Result<&'static dyn Kind, Unrecognised> {
    let mut candidates: Vec<_> = kinds.iter().copied().filter(|k| k.recognises(text)).collect();
    if candidates.len() > 1 {
        let readable = |most: fn(&Parsed) -> bool| {
            let read = candidates.iter().copied().filter(|kind| most(&kind.parse_each(text)));
            Some(read.collect::<Vec<_>>()).filter(|kinds| !kinds.is_empty())
        };
        let whole = readable(|puzzles| !puzzles.is_empty() && puzzles.iter().all(Result::is_ok));
        let better = whole.or_else(|| readable(|puzzles| puzzles.iter().any(Result::is_ok)));
        candidates = better.unwrap_or(candidates);
    }
    match candidates[..] {
        [] => Err(Unrecognised::Nobody),
        [kind] => Ok(kind),
        _ => Err(Unrecognised::Several(candidates)),
    }
}
