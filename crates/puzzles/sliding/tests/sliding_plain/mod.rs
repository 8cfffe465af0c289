//! A literal implementation of sliding blocks: a grid of owners, no tables, no bits. The oracle of the sliding and gate tests.

// Each test file uses its own part of this.
#![allow(dead_code, unreachable_pub)]

use std::collections::{HashMap, HashSet, VecDeque};

use beeline_sliding::{Ground, Layout, Metric};

/// The piece in each cell.
pub type Grid = Vec<Option<usize>>;

/// The grid after one piece moves one cell (up, down, left, right), if it can.
pub fn step(layout: &Layout, grid: &Grid, piece: usize, dir: usize) -> Option<Grid> {
    let (dr, dc) = [(-1, 0), (1, 0), (0, -1), (0, 1)][dir];
    let mut after: Grid = grid.iter().map(|&o| o.filter(|&p| p != piece)).collect();
    for (cell, _) in grid.iter().enumerate().filter(|(_, o)| **o == Some(piece)) {
        let row = (cell / layout.width).checked_add_signed(dr)?;
        let column = (cell % layout.width).checked_add_signed(dc)?;
        if row >= layout.height || column >= layout.width {
            return None;
        }
        let to = row * layout.width + column;
        let allowed = match layout.ground[to] {
            Ground::Wall => false,
            Ground::Floor => true,
            Ground::Door => piece == 0,
        };
        if !allowed || after[to].is_some() {
            return None;
        }
        after[to] = Some(piece);
    }
    Some(after)
}

/// All grids one move away, in the order of the space for single steps.
pub fn moves(layout: &Layout, grid: &Grid, metric: Metric) -> Vec<Grid> {
    let mut all = Vec::new();
    for piece in 0..layout.pieces.len() {
        match metric {
            Metric::Steps => all.extend((0..4).filter_map(|dir| step(layout, grid, piece, dir))),
            Metric::Lines => {
                for dir in 0..4 {
                    let mut at = grid.clone();
                    while let Some(next) = step(layout, &at, piece, dir) {
                        all.push(next.clone());
                        at = next;
                    }
                }
            }
            Metric::Moves => {
                let mut met = HashSet::from([grid.clone()]);
                let mut todo = vec![grid.clone()];
                while let Some(at) = todo.pop() {
                    for next in (0..4).filter_map(|dir| step(layout, &at, piece, dir)) {
                        if met.insert(next.clone()) {
                            all.push(next.clone());
                            todo.push(next);
                        }
                    }
                }
            }
        }
    }
    all
}

/// Is every target covered by pieces of the right shape?
pub fn solved(layout: &Layout, grid: &Grid) -> bool {
    let classes = layout.classes();
    layout
        .targets
        .iter()
        .all(|t| t.cells.iter().all(|&c| grid[c].is_some_and(|p| classes[p] == classes[t.piece])))
}

/// The distance of every reachable position; goal positions are not expanded.
pub fn distances(layout: &Layout, metric: Metric) -> HashMap<Grid, u64> {
    let start = layout.owners();
    let mut far = HashMap::from([(start.clone(), 0)]);
    let mut queue = VecDeque::from([start]);
    while let Some(grid) = queue.pop_front() {
        if solved(layout, &grid) {
            continue;
        }
        let next = far[&grid] + 1;
        for after in moves(layout, &grid, metric) {
            if !far.contains_key(&after) {
                far.insert(after.clone(), next);
                queue.push_back(after);
            }
        }
    }
    far
}

/// The length of the shortest plan.
pub fn shortest(layout: &Layout, metric: Metric) -> Option<u64> {
    let far = distances(layout, metric);
    far.iter().filter(|(grid, _)| solved(layout, grid)).map(|(_, &d)| d).min()
}
