//! Breadth-first search over packings, for boards with several pieces of one cell.
//!
//! A position is a *packing*, the places of the pieces larger than one cell, and a set of *gaps*, the cells that no piece
//! covers. Positions of one packing are bits stored together: one look-up finds the packing for all of them. Three bits per
//! position store whether it was visited, its distance modulo 3, and whether it is still to be expanded. A layer visits the
//! packings that contain its positions. A step of a single cell stays inside the packing. A step of a larger piece carries the
//! gap sets that contain the cells it enters over to a neighbouring packing.
//!
//! It pays where a packing has many gap sets, and it supports only the step metric: a longer move needs more cells to be gaps
//! the farther it goes. Piece 0 counts as a larger piece whatever its size. A board with a target for another single cell is
//! not supported.

use std::ops::RangeInclusive;

mod back;
mod bits;
mod field;
mod holes;
mod store;
mod sweep;

pub(super) use field::Field;
pub(super) use sweep::{census, until_goal};

/// Gap sets of the start's packing for which the search over packings is chosen. With 21 it took as long as the search by
/// position, with 28 to 364 less. More were not measured; each costs three bits in every packing, visited or not.
pub(super) const USEFUL_SETS: RangeInclusive<u64> = 24..=512;

#[cfg(test)]
pub(crate) mod tests;
