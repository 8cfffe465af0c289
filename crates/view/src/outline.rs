//! The outline of a set of cells, as an SVG path with rounded corners.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A corner of the lattice: (column, row).
type Corner = (i32, i32);

/// The path around these cells (row, column), `inset` inside their edge, with every corner rounded by `radius`. A cell is `cell`
/// units wide. Parts that touch only at a corner stay separate. The even-odd rule leaves holes open.
pub(crate) fn path(cells: &BTreeSet<(usize, usize)>, cell: f64, inset: f64, radius: f64) -> String {
    let mut out = String::new();
    for ring in rings(cells) {
        ring_path(&ring, cell, inset, radius, &mut out);
    }
    out
}

/// The closed outlines as lists of corners: clockwise around cells, counter-clockwise around holes.
fn rings(cells: &BTreeSet<(usize, usize)>) -> Vec<Vec<Corner>> {
    let has = |r: i32, c: i32| r >= 0 && c >= 0 && cells.contains(&(r as usize, c as usize));
    // Collects each side of a cell that borders on something else, directed so that the cell lies to the right.
    let mut sides: BTreeMap<Corner, Vec<Corner>> = BTreeMap::new();
    for &(row, column) in cells {
        let (r, c) = (row as i32, column as i32);
        let around = [
            ((r - 1, c), (c, r), (c + 1, r)),
            ((r, c + 1), (c + 1, r), (c + 1, r + 1)),
            ((r + 1, c), (c + 1, r + 1), (c, r + 1)),
            ((r, c - 1), (c, r + 1), (c, r)),
        ];
        for ((nr, nc), from, to) in around {
            if !has(nr, nc) {
                sides.entry(from).or_default().push(to);
            }
        }
    }
    let mut rings = Vec::new();
    while let Some((&start, _)) = sides.first_key_value() {
        rings.push(walk(&mut sides, start));
    }
    rings
}

/// Follows the sides from `start` until they close, and removes them.
fn walk(sides: &mut BTreeMap<Corner, Vec<Corner>>, start: Corner) -> Vec<Corner> {
    let mut ring = vec![start];
    let (mut at, mut heading) = (start, (0, 0));
    while let Some(ways) = sides.get_mut(&at) {
        // Where two cells touch at this corner there are two ways on. The right turn stays with the current cell.
        let right = (-heading.1, heading.0);
        let pick = ways.iter().position(|&to| way(at, to) == right).unwrap_or(0);
        let to = ways.swap_remove(pick);
        if ways.is_empty() {
            sides.remove(&at);
        }
        let turn = way(at, to);
        if turn == heading {
            ring.pop();
        }
        ring.push(to);
        (at, heading) = (to, turn);
        if at == start {
            break;
        }
    }
    // The start occurs twice now. If the line runs straight through it, it is no corner.
    ring.pop();
    if ring.len() > 2 && way(ring[ring.len() - 1], ring[0]) == way(ring[0], ring[1]) {
        ring.remove(0);
    }
    ring
}

/// The direction from one corner to another on the same line.
fn way(from: Corner, to: Corner) -> Corner {
    ((to.0 - from.0).signum(), (to.1 - from.1).signum())
}

fn ring_path(ring: &[Corner], cell: f64, inset: f64, radius: f64, out: &mut String) {
    let count = ring.len();
    for i in 0..count {
        let (before, here, after) = (ring[(i + count - 1) % count], ring[i], ring[(i + 1) % count]);
        let (came, goes) = (way(before, here), way(here, after));
        let f = f64::from;
        // The inward normal of a heading (x, y) is (-y, x), because the cell lies to the right.
        let x = f(here.0) * cell + inset * f(-came.1 - goes.1);
        let y = f(here.1) * cell + inset * f(came.0 + goes.0);
        let from = (x - f(came.0) * radius, y - f(came.1) * radius);
        let to = (x + f(goes.0) * radius, y + f(goes.1) * radius);
        let sweep = i32::from(came.0 * goes.1 - came.1 * goes.0 > 0);
        let letter = if i == 0 { 'M' } else { 'L' };
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "{letter}{} {}A{} {} 0 0 {sweep} {} {}",
            Short(from.0),
            Short(from.1),
            Short(radius),
            Short(radius),
            Short(to.0),
            Short(to.1)
        );
    }
    out.push('Z');
}

/// Formats a number without superfluous digits.
#[derive(Clone, Copy)]
pub(crate) struct Short(pub(crate) f64);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", (self.0 * 100.0).round() / 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(cells: &[(usize, usize)]) -> Vec<Vec<Corner>> {
        rings(&cells.iter().copied().collect())
    }

    #[test]
    fn a_square_has_four_corners() {
        assert_eq!(corners(&[(0, 0)]), [[(0, 0), (1, 0), (1, 1), (0, 1)]]);
        assert_eq!(corners(&[(0, 0), (0, 1), (1, 0), (1, 1)]), [[(0, 0), (2, 0), (2, 2), (0, 2)]]);
    }

    #[test]
    fn an_angle_has_six() {
        assert_eq!(corners(&[(0, 0), (1, 0), (1, 1)]), [[(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (0, 2)]]);
    }

    #[test]
    fn touching_corners_do_not_join() {
        assert_eq!(corners(&[(0, 0), (1, 1)]).len(), 2);
        assert_eq!(corners(&[(0, 1), (1, 0)]).len(), 2);
    }

    #[test]
    fn a_ring_has_a_hole() {
        let ring: Vec<_> = (0..9).filter(|i| *i != 4).map(|i| (i / 3, i % 3)).collect();
        let found = corners(&ring);
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|r| r.len() == 4));
    }

    #[test]
    fn paths_are_inset_and_rounded() {
        let one = BTreeSet::from([(0, 0)]);
        assert_eq!(
            path(&one, 10.0, 1.0, 2.0),
            "M1 3A2 2 0 0 1 3 1L7 1A2 2 0 0 1 9 3L9 7A2 2 0 0 1 7 9L3 9A2 2 0 0 1 1 7Z"
        );
    }
}
