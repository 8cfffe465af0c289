//! Patterns of boxes that are lost, learnt during a search and kept for the rest of it.

use super::board::Square;
use super::field::Field;
use super::walk::Position;

/// How many patterns are kept.
const MOST: usize = 1 << 12;
/// Patterns with more boxes are forgotten: they hardly ever come again.
pub(crate) const LARGEST: usize = 11;

/// Boxes that can never all get to goals while the player is on one of some squares.
#[derive(Clone, Debug)]
struct Pattern {
    boxes: Box<[Square]>,
    player: Box<[u64]>,
}

impl Pattern {
    #[inline]
    fn fits(&self, position: &Position, player: Square) -> bool {
        let here = || self.player[usize::from(player) / 64] >> (player % 64) & 1 == 1;
        self.boxes.iter().all(|&b| position.boxed(b)) && here()
    }
}

/// The patterns of one board.
#[derive(Clone, Debug)]
pub(crate) struct Patterns {
    all: Vec<Pattern>,
    /// For each square, the patterns with a box on it.
    with: Vec<Vec<u32>>,
}

impl Patterns {
    /// For one board; nothing is learnt yet.
    pub(crate) fn new(field: &Field) -> Self {
        Self { all: Vec::new(), with: vec![Vec::new(); field.squares()] }
    }

    /// About how many bytes are used.
    pub(crate) fn bytes(&self) -> usize {
        self.all.len() * (size_of::<Pattern>() + LARGEST * 8 + self.with.len() / 8)
    }

    /// Keeps a pattern.
    pub(crate) fn add(&mut self, boxes: &[Square], player: &[Square]) {
        if self.all.len() >= MOST || boxes.len() > LARGEST {
            return;
        }
        let mut squares = vec![0u64; self.with.len().div_ceil(64)];
        for &at in player {
            squares[usize::from(at) / 64] |= 1 << (at % 64);
        }
        for &at in boxes {
            self.with[usize::from(at)].push(self.all.len() as u32);
        }
        self.all.push(Pattern { boxes: boxes.into(), player: squares.into() });
    }

    /// Does a position contain a pattern with a box on `square`, if the player is here?
    #[inline]
    pub(crate) fn lost(&self, position: &Position, square: Square, player: Square) -> bool {
        let mut with = self.with[usize::from(square)].iter();
        with.any(|&number| self.all[number as usize].fits(position, player))
    }

    /// Does a position contain any pattern?
    pub(crate) fn anywhere(&self, position: &Position) -> bool {
        self.all.iter().any(|pattern| pattern.fits(position, position.player))
    }
}
