//! The current position of a search: its boxes, as squares and as the bits of a key, and the reach of the
//! player.
//!
//! Positions with equal boxes and the player in the same region are one. Their key holds the first square of
//! the region.

use super::advisors::Move;
use crate::Steps;
use crate::bits::Bits;
use crate::board::Square;
use crate::field::Field;
use crate::walk::{Position, Reach};

pub(crate) struct PushState<'a, const N: usize> {
    pub(crate) space: &'a Steps<N>,
    pub(crate) field: &'a Field,
    /// A search may change it temporarily.
    pub(crate) position: Position,
    /// The reach of the player, as of the last [`key`](Self::key) or [`flood`](Self::flood).
    pub(crate) walk: Reach,
    boxes: Bits<N>,
}

impl<'a, const N: usize> PushState<'a, N> {
    /// For one board; no boxes yet.
    pub(crate) fn new(space: &'a Steps<N>, field: &'a Field) -> Self {
        let (position, walk) = (Position::new(field), Reach::new(field));
        Self { space, field, position, walk, boxes: Bits::default() }
    }

    /// Sets up the position of a key.
    pub(crate) fn load(&mut self, key: &[u64; N]) {
        let (player, boxes) = self.space.parts(key);
        self.boxes = boxes;
        self.position.set_boxes(boxes.iter());
        self.position.player = player;
    }

    /// Sets up the position after a move from that of a key; returns the index of the moved box, or `None` if
    /// its square is empty.
    pub(crate) fn load_after(&mut self, key: &[u64; N], mv: Move) -> Option<usize> {
        self.load(key);
        let i = self.position.boxes.iter().position(|&b| b == mv.from)?;
        self.shift(i, mv.to, mv.player);
        Some(i)
    }

    /// Moves the i-th box, and the player.
    pub(crate) fn shift(&mut self, i: usize, to: Square, player: Square) {
        self.boxes.clear(self.position.boxes[i]);
        self.boxes.set(to);
        self.position.shift(i, to);
        self.position.player = player;
    }

    /// Computes the reach of the player.
    pub(crate) fn flood(&mut self) {
        self.walk.flood(self.field, &self.position, self.position.player);
    }

    /// The key of the position. Also computes the reach of the player.
    pub(crate) fn key(&mut self) -> [u64; N] {
        self.flood();
        self.space.key(self.walk.region(), self.boxes)
    }
}
