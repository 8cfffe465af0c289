//! Breadth-first search over packings: how boards with several pieces of one cell are searched.
//!
//! A position is a *packing*, the places of the pieces larger than one cell, and a set of *gaps*, the cells that neither
//! these nor the single cells cover. Positions of one packing are bits that stand together: a packing is found once for
//! all of them, and three bits a position say whether it was met, how far it is, modulo 3, and whether it is still to be
//! expanded. A layer visits the packings that it has positions of. A step of a single cell stays inside the packing; a step
//! of a larger piece takes those sets of gaps that have the cells it enters over to a neighbouring packing.
//!
//! It pays where a packing has many sets of gaps, and it is for steps only: a longer move needs more cells to be gaps the
//! farther it goes. Piece 0 counts as a larger piece whatever its size; a board on which another single cell has a target is
//! not searched this way.

use std::ops::RangeInclusive;

mod back;
mod bits;
mod field;
mod holes;
mod store;
mod sweep;

pub(super) use field::Field;
pub(super) use sweep::{census, until_goal};

/// How many sets of gaps the start's packing must have for the search over packings to be chosen. With 21 it took as long as the
/// search by position, with 28 to 364 less. More were not measured; each costs three bits in every packing, met or not.
pub(super) const WORTH: RangeInclusive<u64> = 24..=512;

#[cfg(test)]
pub(crate) mod tests;
