//! The rules of the game once more, exhaustive search by them, and small levels for it.

use std::collections::{BTreeSet, HashMap};

use beeline_puzzle::Kind;
use beeline_search::{Budget, Meter};
use beeline_sokoban::KIND;
use beeline_sokoban::board::{Board, DIRS, Dir, NOWHERE, Square};
use beeline_sokoban::make::make;
use beeline_sokoban::rules::prune::Rules;

/// The player, and the boxes in order.
pub(crate) type Position = (Square, Vec<Square>);

pub(crate) fn start(board: &Board) -> Position {
    (board.player(), board.boxes().to_vec())
}

pub(crate) fn step(board: &Board, (player, boxes): &Position, dir: Dir) -> Option<(Position, bool)> {
    let to = board.next(*player, dir);
    if to == NOWHERE {
        return None;
    }
    let Ok(i) = boxes.binary_search(&to) else { return Some(((to, boxes.clone()), false)) };
    let beyond = board.next(to, dir);
    if beyond == NOWHERE || boxes.binary_search(&beyond).is_ok() {
        return None;
    }
    let mut boxes = boxes.clone();
    boxes[i] = beyond;
    boxes.sort_unstable();
    Some(((to, boxes), true))
}

pub(crate) fn solved(board: &Board, position: &Position) -> bool {
    position.1.iter().all(|&b| board.is_goal(b))
}

/// Plays a plan; gives (moves, pushes) if it is legal and solves.
pub(crate) fn replay(board: &Board, plan: &[Dir]) -> Option<(u32, u32)> {
    let mut at = start(board);
    let mut pushes = 0;
    for &dir in plan {
        let (next, push) = step(board, &at, dir)?;
        pushes += u32::from(push);
        at = next;
    }
    solved(board, &at).then_some((plan.len() as u32, pushes))
}

/// The least cost over all plans, where a step costs `walk` and a push costs `push`, compared as pairs.
pub(crate) fn oracle(board: &Board, walk: (u32, u32), push: (u32, u32)) -> Option<(u32, u32)> {
    let mut open: BTreeSet<((u32, u32), Position)> = [((0, 0), start(board))].into();
    let mut costs: HashMap<Position, (u32, u32)> = [(start(board), (0, 0))].into();
    while let Some((cost, at)) = open.pop_first() {
        if solved(board, &at) {
            return Some(cost);
        }
        for dir in DIRS {
            let Some((next, pushed)) = step(board, &at, dir) else { continue };
            let price = if pushed { push } else { walk };
            let there = (cost.0 + price.0, cost.1 + price.1);
            if costs.get(&next).is_none_or(|&old| there < old) {
                if let Some(old) = costs.insert(next.clone(), there) {
                    open.remove(&(old, next.clone()));
                }
                open.insert((there, next));
            }
        }
    }
    None
}

/// Levels small enough for exhaustive search; every fourth with its boxes shifted, so that it may be
/// unsolvable.
pub(crate) fn levels(count: u64) -> impl Iterator<Item = Board> {
    (0..count).filter_map(|seed| {
        let (width, height) = (5 + seed % 3, 5 + seed / 3 % 3);
        let boxes = 1 + seed / 9 % 3;
        let board = make(width as usize, height as usize, boxes as usize, seed)?;
        if seed % 4 != 3 {
            return Some(board);
        }
        let squares = board.squares() as Square;
        let shifted: Vec<Square> = board.boxes().iter().map(|&b| (b + 1) % squares).collect();
        let player = (0..squares).find(|s| !shifted.contains(s))?;
        Some(board.with(player, &shifted))
    })
}

pub(crate) fn rules_of(board: &Board, names: &[String]) -> Rules {
    let on = Rules::named(Some(names)).unwrap();
    Rules::of_board(board, on, &mut Meter::new(&Budget::default())).unwrap()
}

/// A level that ships.
pub(crate) fn example(name: &str) -> &'static str {
    KIND.examples().iter().find(|e| e.name == name).unwrap().text
}
