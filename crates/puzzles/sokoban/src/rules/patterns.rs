//! Patterns of boxes that are lost, learnt during a search and kept for the rest of it.

use crate::bits::Sets;
use crate::board::Square;
use crate::field::Field;
use crate::walk::Position;

/// How many patterns are kept.
const MOST: usize = 1 << 12;
/// Patterns with more boxes are forgotten: they hardly ever come again.
pub(crate) const LARGEST: usize = 11;

/// A pattern by its number, with its sign.
type Entry = (u64, u32);

/// A bit for each box, those of several squares shared: a pattern can be in a position only if its bits are.
#[inline]
fn sign(boxes: &[Square]) -> u64 {
    boxes.iter().fold(0, |sign, &at| sign | 1 << (at % 64))
}

/// The patterns of one board.
#[derive(Clone, Debug)]
pub(crate) struct Patterns {
    /// Boxes that can never all get to goals, ...
    boxes: Vec<Box<[Square]>>,
    /// ... while the player is on one of these squares.
    player: Sets,
    all: Vec<Entry>,
    /// For each square, the patterns with a box on it.
    with: Vec<Vec<Entry>>,
}

impl Patterns {
    /// For one board; nothing is learnt yet.
    pub(crate) fn new(field: &Field) -> Self {
        let n = field.squares();
        Self { boxes: Vec::new(), player: Sets::new(n, 0), all: Vec::new(), with: vec![Vec::new(); n] }
    }

    /// About how many bytes are used.
    pub(crate) fn bytes(&self) -> usize {
        let entries = (LARGEST + 1) * size_of::<Entry>();
        self.all.len() * (size_of::<Box<[Square]>>() + LARGEST * 2 + entries + self.with.len() / 8)
    }

    /// Keeps a pattern.
    pub(crate) fn add(&mut self, boxes: &[Square], player: &[Square]) {
        if self.all.len() >= MOST || boxes.len() > LARGEST {
            return;
        }
        let entry = (sign(boxes), self.all.len() as u32);
        for &at in boxes {
            self.with[usize::from(at)].push(entry);
        }
        self.all.push(entry);
        self.boxes.push(boxes.into());
        self.player.push(player);
    }

    /// Does a position contain a pattern with a box on `square`, if the player is here?
    #[inline]
    pub(crate) fn lost(&self, position: &Position, square: Square, player: Square) -> bool {
        self.any_fits(&self.with[usize::from(square)], position, player)
    }

    /// Does a position contain any pattern?
    pub(crate) fn anywhere(&self, position: &Position) -> bool {
        self.any_fits(&self.all, position, position.player)
    }

    #[inline]
    fn any_fits(&self, entries: &[Entry], position: &Position, player: Square) -> bool {
        if entries.is_empty() {
            return false;
        }
        let absent = !sign(&position.boxes);
        entries.iter().any(|&(sign, number)| {
            let number = number as usize;
            sign & absent == 0
                && self.boxes[number].iter().all(|&b| position.boxed(b))
                && self.player.has(number, player)
        })
    }
}
