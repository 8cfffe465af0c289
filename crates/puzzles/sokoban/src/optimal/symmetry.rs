//! Reflections and rotations that map walls, goals and the boxes of the start to themselves.
//!
//! Two positions that are images of each other need the same number of moves and pushes. A search keeps the
//! one whose boxes are least as bits, and among these the one whose player is least. The player's square at
//! the start need not be symmetric: the remaining cost of a position does not depend on where the search
//! began.

use super::codec::Codec;
use crate::bits::Bits;
use crate::board::{Board, Square};

/// The symmetries of a board, the identity left out.
#[derive(Clone, Debug)]
pub(crate) struct Symmetry {
    /// The image of each square.
    maps: Vec<Vec<Square>>,
}

impl Symmetry {
    pub(crate) fn new(board: &Board) -> Self {
        let places: Vec<(usize, usize)> = (0..board.squares() as Square).map(|s| board.place(s)).collect();
        let least = |f: &dyn Fn(&(usize, usize)) -> usize| places.iter().map(f).min().unwrap_or(0);
        let most = |f: &dyn Fn(&(usize, usize)) -> usize| places.iter().map(f).max().unwrap_or(0);
        let (top, left) = (least(&|p| p.0), least(&|p| p.1));
        let (height, width) = (most(&|p| p.0) - top, most(&|p| p.1) - left);
        let marked = |of: &[Square]| {
            let mut is = vec![false; places.len()];
            for &s in of {
                is[s as usize] = true;
            }
            is
        };
        let (goals, boxes) = (marked(board.goals()), marked(board.boxes()));
        let mut maps = Vec::new();
        for kind in 1..8u8 {
            let (flip_rows, flip_columns, swap) = (kind & 1 != 0, kind & 2 != 0, kind & 4 != 0);
            if swap && height != width {
                continue;
            }
            let image = |&(row, column): &(usize, usize)| {
                let (mut row, mut column) = (row - top, column - left);
                if flip_rows {
                    row = height - row;
                }
                if flip_columns {
                    column = width - column;
                }
                if swap {
                    (row, column) = (column, row);
                }
                board.square(row + top, column + left)
            };
            let Some(map) = places.iter().map(image).collect::<Option<Vec<Square>>>() else { continue };
            let keeps = |of: &[Square], is: &[bool]| of.iter().all(|&s| is[map[s as usize] as usize]);
            if keeps(board.goals(), &goals) && keeps(board.boxes(), &boxes) {
                maps.push(map);
            }
        }
        Self { maps }
    }

    /// No symmetry but the identity.
    pub(crate) fn none() -> Self {
        Self { maps: Vec::new() }
    }

    #[inline(always)]
    pub(crate) fn is_trivial(&self) -> bool {
        self.maps.is_empty()
    }

    /// Does some symmetry map a square to one with another value?
    pub(crate) fn changes(&self, values: &[u8]) -> bool {
        self.maps.iter().any(|map| map.iter().zip(values).any(|(&to, &value)| values[to as usize] != value))
    }

    /// Replaces each value by the mean over the images of its square. Limits on the difference between
    /// neighbours still hold.
    pub(crate) fn average_over_images(&self, values: &mut [i32]) {
        if self.is_trivial() {
            return;
        }
        let old = values.to_vec();
        for (square, value) in values.iter_mut().enumerate() {
            let sum = old[square] + self.maps.iter().map(|map| old[map[square] as usize]).sum::<i32>();
            *value = sum.div_euclid(1 + self.maps.len() as i32);
        }
    }

    /// The representative of a position.
    pub(crate) fn least<const N: usize>(
        &self,
        codec: &Codec,
        boxes: &(impl Iterator<Item = Square> + Clone),
        player: Square,
    ) -> (Bits<N>, Square) {
        let mut best = (codec.pack(boxes.clone()), player);
        for map in &self.maps {
            let image = (codec.pack::<N>(boxes.clone().map(|b| map[b as usize])), map[player as usize]);
            if (image.0.0, image.1) < (best.0.0, best.1) {
                best = image;
            }
        }
        best
    }

    /// The images of a square under the symmetries that keep these boxes, the identity left out.
    pub(crate) fn images<'a, const N: usize>(
        &'a self,
        codec: &'a Codec,
        bits: &'a Bits<N>,
        boxes: &'a [Square],
        square: Square,
    ) -> impl Iterator<Item = Square> + 'a {
        let keeps =
            move |map: &&Vec<Square>| codec.pack::<N>(boxes.iter().map(|&b| map[b as usize])) == *bits;
        self.maps.iter().filter(keeps).map(move |map| map[square as usize])
    }
}
