//! Sliding tiles: a walk along all paths with f below the claim, the tiles as a graph, and parity.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::file::Certificate;
use super::lines::{Bounds, Node};
use super::tables::Tables;
use super::{ENDED, Fault, Figures, GoOn, Graph};
use crate::Flaw;
use crate::tiles::{Tiles, read};

/// The strongest bound for a board of tiles.
pub fn best_bound(text: &str) -> Result<&'static str, Flaw> {
    let tiles = read(text)?;
    let long = tiles.rows.len().max(tiles.rows[0].len());
    Ok(if long <= 4 { "walking-distance" } else { "linear-conflict" })
}

fn squares(tiles: &Tiles) -> Vec<u8> {
    tiles.rows.iter().flatten().map(|&tile| tile as u8).collect()
}

/// A move exchanges the blank and a tile. So it changes the parity of the permutation, and the parity of the blank's row plus
/// column. Moves preserve the sum of both parities. If it differs from the goal's, there is no plan.
pub(super) fn parity(text: &str) -> Result<Figures, Fault> {
    let tiles = read(text)?;
    let width = tiles.rows[0].len();
    let sum = |squares: &[usize]| {
        let pairs = |i: usize| squares[i + 1..].iter().filter(move |&&later| later < squares[i]);
        let inversions: usize = (0..squares.len()).map(|i| pairs(i).count()).sum();
        let blank = squares.iter().position(|&tile| tile == 0).unwrap_or(0);
        (inversions + blank / width + blank % width) % 2
    };
    if sum(&tiles.rows.concat()) == sum(&tiles.goal) {
        return Err(Fault::at("evidence", "the parities of start and goal are equal"));
    }
    Ok(Figures { items: 1 })
}

/// Verifies that every path from the start with cost plus bound below the limit misses the goal.
pub(super) fn verify(
    certificate: &Certificate<'_>,
    bound: &str,
    limit: u32,
    go_on: GoOn<'_>,
) -> Result<Figures, Fault> {
    let Certificate { text, objective, blocks, evidence, .. } = certificate;
    if objective != "moves" {
        return Err(Fault::at("objective", format!("tiles has no objective {objective}")));
    }
    let tiles = read(text)?;
    if evidence.starts_with("walk") {
        return walk(&tiles, &Bounds::new(&tiles, bound)?, limit, go_on);
    }
    let patterns = Tables::new(&tiles, bound, blocks, go_on)?;
    let mut bounds = Bounds::new(&tiles, best_bound(text)?)?;
    bounds.patterns = Some(patterns);
    walk(&tiles, &bounds, limit, go_on)
}

/// Follows, with all cores, every path from the start with cost plus bound below the limit. A goal there is a fault.
fn walk(tiles: &Tiles, bounds: &Bounds, limit: u32, go_on: GoOn<'_>) -> Result<Figures, Fault> {
    // Walking distance knows every board from which the goal is reachable.
    let Some(root) = bounds.node(&squares(tiles)) else { return Ok(Figures { items: 1 }) };
    let walk = Walk { bounds, limit, go_on, nodes: AtomicU64::new(0) };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // Paths are cut into tasks at a depth with many more paths than cores.
    let (mut tasks, mut cost) = (Vec::new(), 0);
    if bounds.bound(&root) < limit {
        tasks.push((root, usize::MAX));
    }
    while !tasks.is_empty() && tasks.len() < 64 * cores {
        let mut next = Vec::new();
        for (node, last) in &tasks {
            walk.goal(node, cost)?;
            walk.each(node, *last, cost, &mut |child| {
                next.push((*child, node.blank));
                Ok(())
            })?;
        }
        walk.nodes.fetch_add(tasks.len() as u64, Ordering::Relaxed);
        (tasks, cost) = (next, cost + 1);
    }
    let taken = AtomicUsize::new(0);
    let thread = || {
        let mut since = 0;
        while let Some((node, last)) = tasks.get(taken.fetch_add(1, Ordering::Relaxed)) {
            if let Err(fault) = walk.below(node, *last, cost, &mut since) {
                taken.store(tasks.len(), Ordering::Relaxed);
                return Err(fault);
            }
        }
        walk.count(&mut since)
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..cores).map(|_| scope.spawn(thread)).collect();
        let own = thread();
        let lost = || Err(Fault::at("verification", "a thread ended early"));
        others.into_iter().try_for_each(|other| other.join().unwrap_or_else(|_| lost())).and(own)
    })?;
    Ok(Figures { items: walk.nodes.load(Ordering::Relaxed) })
}

struct Walk<'a> {
    bounds: &'a Bounds,
    limit: u32,
    go_on: GoOn<'a>,
    nodes: AtomicU64,
}

impl Walk<'_> {
    fn goal(&self, node: &Node, cost: u32) -> Result<(), Fault> {
        if self.bounds.is_goal(node) {
            return Err(Fault::at("walk", format!("a goal at cost {cost}")));
        }
        Ok(())
    }

    /// Visits the successors below the limit, except the board that the blank came from (`last`): a shortest path never undoes
    /// a move at once.
    fn each(
        &self,
        node: &Node,
        last: usize,
        cost: u32,
        visit: &mut dyn FnMut(&Node) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        for from in self.bounds.beside(node.blank).filter(|&from| from != last) {
            let mut child = *node;
            self.bounds.slide(&mut child, from);
            if cost + 1 + self.bounds.bound(&child) < self.limit {
                visit(&child)?;
            }
        }
        Ok(())
    }

    /// Follows all paths from here. The recursion is no deeper than the limit, because every move costs 1.
    fn below(&self, node: &Node, last: usize, cost: u32, since: &mut u64) -> Result<(), Fault> {
        *since += 1;
        if *since >= 1 << 16 {
            self.count(since)?;
        }
        self.goal(node, cost)?;
        self.each(node, last, cost, &mut |child| self.below(child, node.blank, cost + 1, since))
    }

    fn count(&self, since: &mut u64) -> Result<(), Fault> {
        let nodes = self.nodes.fetch_add(std::mem::take(since), Ordering::Relaxed);
        if (self.go_on)(nodes, 0) { Ok(()) } else { Err(Fault::at("walk", ENDED)) }
    }
}

/// The tiles as a graph: a state is the tiles row by row, the first square in the lowest bits.
struct Squares {
    bounds: Bounds,
    bounded: bool,
    start: u128,
    bits: u32,
}

impl Squares {
    fn tiles(&self, state: u128) -> Vec<u8> {
        let squares = (self.bounds.rows * self.bounds.columns) as u32;
        (0..squares).map(|i| (state >> (i * self.bits) & ((1 << self.bits) - 1)) as u8).collect()
    }

    fn number(&self, tiles: &[u8]) -> u128 {
        tiles.iter().rev().fold(0, |state, &tile| state << self.bits | u128::from(tile))
    }
}

/// The board as a graph of states.
pub(crate) fn graph(text: &str, objective: &str, bound: &str) -> Result<Box<dyn Graph>, Flaw> {
    let tiles = read(text)?;
    if objective != "moves" {
        return crate::no_objective("tiles", objective);
    }
    let bounded = bound != "none";
    let bounds = Bounds::new(&tiles, if bounded { bound } else { "linear-conflict" })?;
    let count = tiles.goal.len();
    let bits = usize::BITS - (count - 1).leading_zeros();
    if count as u32 * bits > 128 {
        return super::too_large("its states need more than 128 bits");
    }
    let mut graph = Squares { bounds, bounded, start: 0, bits };
    graph.start = graph.number(&squares(&tiles));
    Ok(Box::new(graph))
}

impl Graph for Squares {
    fn start(&self) -> Option<u128> {
        Some(self.start)
    }

    fn is_state(&self, state: u128) -> bool {
        let mut tiles = self.tiles(state);
        let whole = self.number(&tiles) == state;
        tiles.sort_unstable();
        whole && tiles.iter().enumerate().all(|(i, &tile)| usize::from(tile) == i)
    }

    fn successors(&self, state: u128, visit: &mut dyn FnMut(u128, u32)) {
        let at = |square: usize| square as u32 * self.bits;
        let tile = |square: usize| state >> at(square) & ((1 << self.bits) - 1);
        let squares = self.bounds.rows * self.bounds.columns;
        let blank = (0..squares).find(|&square| tile(square) == 0).unwrap_or(0);
        for from in self.bounds.beside(blank) {
            visit(state ^ tile(from) << at(from) ^ tile(from) << at(blank), 1);
        }
    }

    fn is_goal(&self, state: u128) -> bool {
        self.bounds.node(&self.tiles(state)).is_some_and(|node| self.bounds.is_goal(&node))
    }

    fn bound(&self, state: u128) -> Option<u32> {
        if !self.bounded {
            return Some(0);
        }
        self.bounds.node(&self.tiles(state)).map(|node| self.bounds.bound(&node))
    }
}
