//! Learnt deadlock patterns: sets of boxes proved unsolvable during a search, kept for the rest of it.

use crate::bits::Sets;
use crate::board::Square;
use crate::field::Field;
use crate::walk::Position;

/// Patterns kept, at most.
const MOST_PATTERNS: usize = 1 << 12;
/// Boxes in a pattern, at most: larger ones hardly ever match again.
pub(crate) const MOST_BOXES: usize = 11;

/// The signature and the index of a pattern.
type Entry = (u64, u32);

/// A bit for each box, by its square modulo 64. A pattern can only match if its bits are all in the signature
/// of the position.
#[inline]
fn signature(boxes: &[Square]) -> u64 {
    boxes.iter().fold(0, |signature, &at| signature | 1 << (at % 64))
}

/// The patterns of one board.
#[derive(Clone, Debug)]
pub(crate) struct Patterns {
    /// By pattern: boxes that can never all get to goals, ...
    boxes: Vec<Box<[Square]>>,
    /// ... while the player is on one of these squares.
    player: Sets,
    all: Vec<Entry>,
    /// For each square, the patterns with a box on it.
    by_square: Vec<Vec<Entry>>,
}

impl Patterns {
    /// No patterns yet.
    pub(crate) fn new(field: &Field) -> Self {
        let n = field.squares();
        Self { boxes: Vec::new(), player: Sets::new(n, 0), all: Vec::new(), by_square: vec![Vec::new(); n] }
    }

    /// Approximate bytes used.
    pub(crate) fn bytes(&self) -> usize {
        let entries = (MOST_BOXES + 1) * size_of::<Entry>();
        self.all.len() * (size_of::<Box<[Square]>>() + MOST_BOXES * 2 + entries + self.by_square.len() / 8)
    }

    /// Adds a pattern: boxes, and the squares on which the player may be.
    pub(crate) fn add(&mut self, boxes: &[Square], player: &[Square]) {
        if self.all.len() >= MOST_PATTERNS || boxes.len() > MOST_BOXES {
            return;
        }
        let entry = (signature(boxes), self.all.len() as u32);
        for &at in boxes {
            self.by_square[usize::from(at)].push(entry);
        }
        self.all.push(entry);
        self.boxes.push(boxes.into());
        self.player.push(player);
    }

    /// Does a pattern with a box on `square` match, with the player here?
    #[inline]
    pub(crate) fn match_at(&self, position: &Position, square: Square, player: Square) -> bool {
        self.any_matches(&self.by_square[usize::from(square)], position, player)
    }

    /// Does any pattern match?
    pub(crate) fn any_match(&self, position: &Position) -> bool {
        self.any_matches(&self.all, position, position.player)
    }

    #[inline]
    fn any_matches(&self, entries: &[Entry], position: &Position, player: Square) -> bool {
        if entries.is_empty() {
            return false;
        }
        let absent = !signature(&position.boxes);
        entries.iter().any(|&(signature, number)| {
            let number = number as usize;
            signature & absent == 0
                && self.boxes[number].iter().all(|&b| position.boxed(b))
                && self.player.has(number, player)
        })
    }
}
