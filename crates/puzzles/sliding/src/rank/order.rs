//! Move pruning by a total order of steps: the same position is reached by the same steps in another order.
//!
//! All steps are totally ordered. Suppose step *a* led to a position, and step *b*, earlier in the order, was possible before
//! it as well. Then *b* is skipped: *b* followed by *a* reaches the same position. Nothing is lost. If *a* is skipped there, an
//! even later step causes it, and there is a last one. For that, the order must not depend on which piece of a shape takes the
//! step, nor on which of two mirrored positions is stored: a step and its image are equal. Steps of pieces with a target come
//! last and are never skipped, because solved positions may not be expanded.

use super::{NO_MOVE, Node, Tables};
use crate::board::{Board, STUCK};

impl<const N: usize> Tables<N> {
    /// Puts all steps into an order.
    pub(super) fn set_order(&mut self, board: &Board<N>) {
        let mut first = 0;
        let mut firsts = Vec::new();
        for shape in &board.shapes {
            firsts.push(first);
            first += shape.len();
        }
        for (k, shape) in board.shapes.iter().enumerate() {
            let aimed = board.targets.iter().any(|t| t.0 == k);
            for (anchor, next) in shape.next.iter().enumerate() {
                for (dir, &to) in next.iter().enumerate().filter(|(_, to)| **to != STUCK) {
                    let own = 4 * (firsts[k] + anchor) + dir;
                    let (kind, from, end) = self.image(k, anchor as u16, to);
                    let there = board.shapes[kind].next[from as usize].iter().position(|&n| n == end);
                    let image = 4 * (firsts[kind] + from as usize) + there.unwrap_or(dir);
                    // It fits: four steps for each of 256 anchors of 63 shapes.
                    let order = if aimed { u16::MAX } else { own.min(image) as u16 };
                    self.places[firsts[k] + anchor].order[dir] = order;
                }
            }
        }
    }

    /// The steps of a group of sixteen slots without those that the order makes redundant, see above.
    #[inline(always)]
    pub(super) fn needed<const P: usize>(&self, node: &Node<P>, first: usize, bits: u64) -> u64 {
        if node[P - 1] == NO_MOVE {
            return bits;
        }
        let (last, back) = (node[P - 1] as usize / 4, node[P - 1] as usize % 4);
        let left = self.place(last, self.place(last, node[last % P]).next[back]);
        let order = left.order[back ^ 1];
        let mut needed = 0;
        let mut rest = bits;
        while rest != 0 {
            let bit = rest.trailing_zeros() as usize;
            let lowest = rest & rest.wrapping_neg();
            rest &= rest - 1;
            let (slot, dir) = (first + bit / 4, bit % 4);
            let place = self.place(slot, node[slot]);
            // A step of another piece was possible before, unless it enters a cell that the last step left.
            let keep = (place.order[dir] >= order) | place.entered[dir].meets(&left.mask);
            needed |= if keep { lowest } else { 0 };
        }
        // For the same piece, a different rule applies.
        needed | if last / 16 == first / 16 { bits & 15 << (4 * (last % 16)) } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use beeline_puzzle::Kind;
    use beeline_search::Budget;

    use super::*;
    use crate::bricks::{Bricks, KIND};
    use crate::packing::tests::random_board;
    use crate::solve::ranked_census;
    use crate::{AnyBoard, Metric};

    /// The number of positions at each distance, by a search that tries every move.
    fn layers(board: &Board<1>, metric: Metric, beyond_goals: bool) -> Vec<u64> {
        let tables = Tables::new(board, metric, false).unwrap();
        let start: Node<16> = tables.node(board, &board.start);
        let mut met = HashSet::from([tables.rank(&start)]);
        let (mut layer, mut counts) = (vec![start], Vec::new());
        while !layer.is_empty() {
            counts.push(layer.len() as u64);
            let mut next = Vec::new();
            for node in layer.iter().filter(|node| beyond_goals || !tables.is_goal(node)) {
                tables.successors(node, |hop, rank| {
                    if met.insert(rank) {
                        let mut child = tables.apply(node, hop);
                        child[15] = NO_MOVE;
                        next.push(child);
                    }
                });
            }
            layer = next;
        }
        counts
    }

    /// Compares all metrics with and without expansion of goals. Returns the number of comparisons on boards small enough.
    fn compare(board: &Board<1>, name: &str) -> usize {
        let mut compared = 0;
        for metric in [Metric::Steps, Metric::Lines, Metric::Moves] {
            for beyond_goals in [false, true] {
                let limit = Budget { nodes: Some(40_000), ..Budget::default() };
                let found = ranked_census(board, metric, beyond_goals, &limit, &mut |_| {});
                if let Some(Ok(found)) = found {
                    assert_eq!(found.layers, layers(board, metric, beyond_goals), "{name} in {metric:?}");
                    compared += 1;
                }
            }
        }
        compared
    }

    #[test]
    fn no_position_is_lost_or_found_later() {
        let mut compared = 0;
        for example in KIND.examples() {
            let bricks = Bricks::parse(example.text).unwrap();
            let AnyBoard::Small(board) = bricks.board() else { continue };
            compared += compare(board, example.name);
        }
        assert!(compared > 30, "only {compared}");
    }

    #[test]
    fn nor_on_random_boards() {
        let boards = (0..600).filter_map(|seed| Some((seed, random_board(seed)?)));
        let few = boards.filter(|(_, board)| board.pieces() < 16);
        let compared: usize = few.map(|(seed, board)| compare(&board, &format!("seed {seed}"))).sum();
        assert!(compared > 500, "only {compared}");
    }
}
