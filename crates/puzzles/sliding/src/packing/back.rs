//! Recovers a path backwards from a position along falling distances.

use super::bits::{Bits, Plain};
use super::field::{Field, Hop, Key};
use super::holes::MOST_CELLS;
use super::store::{Bucket, Store};

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub(super) key: Key,
    pub(super) gaps: u32,
}

/// Calls `f` with each neighbour of a position and the step from there to here, until it returns `true`.
fn neighbours(field: &Field<'_>, here: Position, mut f: impl FnMut(Position, usize, u64, Hop) -> bool) {
    let view = field.view(&here.key);
    let cells = view.cells();
    let mut beside = [0; MOST_CELLS];
    field.beside::<Plain>(view.free, &mut beside);
    for gap in (0..cells as u32).filter(|g| here.gaps >> g & 1 == 1) {
        let units = beside[gap as usize] & !here.gaps;
        for unit in (0..cells as u32).filter(|c| units >> c & 1 == 1) {
            // Before the step, the single cell stood where the gap is now.
            let before = Position { gaps: here.gaps ^ 1 << gap ^ 1 << unit, ..here };
            if f(before, cells, view.hash, field.unit_hop(view.free, gap, unit)) {
                return;
            }
        }
    }
    let mut enough = false;
    let possible = |cells: u32| cells & !here.gaps == 0;
    field.shifts::<Plain>(&here.key, &view, possible, |shift| {
        if !enough {
            let gaps = Plain::moved(here.gaps, shift.taken, shift.given);
            let before = Position { key: field.shifted(&here.key, &shift), gaps };
            let (shape, to, from) = field.shift_hop(&here.key, &shift);
            enough = f(before, shift.cells, shift.hash, (shape, from, to));
        }
    });
}

/// The distance of a position modulo 3, if it was visited.
fn age(store: &Store, position: &Position, cells: usize, hash: u64) -> Option<u64> {
    let bucket = store.bucket(store.place(cells));
    let number = bucket.find(&position.key, hash)?;
    let set = bucket.holes.number(position.gaps);
    let planes = bucket.planes(bucket.record(number), set / 64);
    (0..3).find(|&age| Bucket::of_age(planes, age) >> (set % 64) & 1 == 1)
}

/// The steps from the start to a position at this distance.
pub(super) fn trace_back(field: &Field<'_>, store: &Store, goal: Position, distance: u64) -> Vec<Hop> {
    let mut way = Vec::new();
    let mut here = goal;
    for nearer in (0..distance).rev() {
        let mut found = None;
        neighbours(field, here, |before, cells, hash, hop| {
            if age(store, &before, cells, hash) == Some(nearer % 3) {
                found = Some((before, hop));
            }
            found.is_some()
        });
        debug_assert!(found.is_some(), "a position that was met has one before it");
        let Some((before, hop)) = found else { break };
        way.push(hop);
        here = before;
    }
    way.reverse();
    way
}
