//! Patterns of boxes that are lost, learnt during a search and kept for the rest of it.

use super::bits::Sets;
use super::board::Square;
use super::field::Field;
use super::walk::Position;

/// How many patterns are kept.
const MOST: usize = 1 << 12;
/// Patterns with more boxes are forgotten: they hardly ever come again.
pub(crate) const LARGEST: usize = 11;

/// The patterns of one board.
#[derive(Clone, Debug)]
pub(crate) struct Patterns {
    /// Boxes that can never all get to goals, ...
    boxes: Vec<Box<[Square]>>,
    /// ... while the player is on one of these squares.
    player: Sets,
    /// For each square, the patterns with a box on it.
    with: Vec<Vec<u32>>,
}

impl Patterns {
    /// For one board; nothing is learnt yet.
    pub(crate) fn new(field: &Field) -> Self {
        let n = field.squares();
        Self { boxes: Vec::new(), player: Sets::new(n, 0), with: vec![Vec::new(); n] }
    }

    /// About how many bytes are used.
    pub(crate) fn bytes(&self) -> usize {
        self.boxes.len() * (size_of::<Box<[Square]>>() + LARGEST * 8 + self.with.len() / 8)
    }

    /// Keeps a pattern.
    pub(crate) fn add(&mut self, boxes: &[Square], player: &[Square]) {
        if self.boxes.len() >= MOST || boxes.len() > LARGEST {
            return;
        }
        for &at in boxes {
            self.with[usize::from(at)].push(self.boxes.len() as u32);
        }
        self.boxes.push(boxes.into());
        self.player.push(player);
    }

    #[inline]
    fn fits(&self, number: usize, position: &Position, player: Square) -> bool {
        self.boxes[number].iter().all(|&b| position.boxed(b)) && self.player.has(number, player)
    }

    /// Does a position contain a pattern with a box on `square`, if the player is here?
    #[inline]
    pub(crate) fn lost(&self, position: &Position, square: Square, player: Square) -> bool {
        let mut with = self.with[usize::from(square)].iter();
        with.any(|&number| self.fits(number as usize, position, player))
    }

    /// Does a position contain any pattern?
    pub(crate) fn anywhere(&self, position: &Position) -> bool {
        (0..self.boxes.len()).any(|number| self.fits(number, position, position.player))
    }
}
