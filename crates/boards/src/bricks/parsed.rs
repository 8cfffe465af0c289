//! A parsed puzzle: its matrix as walls, pieces and targets.

use std::ops::Range;

use super::grid::{DOOR, FREE, GOAL, Grid, WALL};
use super::{letters, text};
use crate::sliding::{BadLayout, Ground, Layout, Target};
use crate::text::TextError;

/// Walls, bricks and goals, with the number of each brick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// Walls, bricks, goals.
    pub layout: Layout,
    /// The number of each piece of the layout; the first is the master's.
    pub numbers: Vec<i32>,
}

/// Does this look like a file of this puzzle?
pub fn recognises(text: &str) -> bool {
    letters::recognises(text) || text::recognises(text)
}

/// Reads a puzzle: a board with a goal.
pub fn parse(text: &str) -> Result<Parsed, TextError> {
    within(&Grid::parse(text)?, 0..text.trim_end().len())
}

/// Reads each puzzle of a text separately.
pub fn parse_each(text: &str) -> Vec<Result<Parsed, TextError>> {
    let grids =
        letters::parse_each(text).unwrap_or_else(|| vec![(Grid::parse(text), 0..text.trim_end().len())]);
    grids.into_iter().map(|(grid, span)| grid.and_then(|grid| within(&grid, span))).collect()
}

/// The puzzle of a matrix found in this part of a text.
fn within(grid: &Grid, whole: Range<usize>) -> Result<Parsed, TextError> {
    let parsed = Parsed::new(grid).map_err(|why| {
        TextError::new(whole.clone(), why.to_string(), "a board of 1 to 64 bricks on at most 256 cells")
    })?;
    if parsed.layout.targets.is_empty() {
        return Err(TextError::new(whole, "there is no goal", "cells with the number -1")
            .help("or a second matrix of the same size that says which brick must cover which cell"));
    }
    Ok(parsed)
}

impl Parsed {
    /// The puzzle that starts in this state.
    pub fn new(grid: &Grid) -> Result<Self, BadLayout> {
        let numbers = grid.bricks();
        let cells_with =
            |cells: &[i32], n: i32| -> Vec<usize> { (0..cells.len()).filter(|&c| cells[c] == n).collect() };
        let ground = grid.under.iter().map(|&n| match n {
            WALL => Ground::Wall,
            GOAL | DOOR => Ground::Door,
            _ => Ground::Floor,
        });
        let pieces = numbers.iter().map(|&n| cells_with(&grid.cells, n)).collect();
        let goal = Target { piece: 0, exact: false, cells: cells_with(&grid.under, GOAL) };
        let wanted = |exact: bool| {
            let target = move |(piece, &n): (usize, &i32)| {
                let wanted = if exact { -n } else { n };
                Target { piece, exact, cells: cells_with(&grid.targets, wanted) }
            };
            numbers.iter().enumerate().map(target)
        };
        let targets = [goal].into_iter().chain(wanted(false)).chain(wanted(true));
        let targets = targets.filter(|t| !t.cells.is_empty()).collect();
        let layout = Layout::new(grid.width, ground.collect(), pieces, targets)?;
        Ok(Self { layout: layout.with_lengthwise(grid.lengthwise), numbers })
    }
}

/// The matrix of a layout.
pub fn grid_of(layout: &Layout, numbers: &[i32]) -> Grid {
    let cells = layout.ground.len();
    let mut under: Vec<i32> = layout
        .ground
        .iter()
        .map(|g| match g {
            Ground::Wall => WALL,
            Ground::Floor => FREE,
            Ground::Door => DOOR,
        })
        .collect();
    let mut targets = vec![0; cells];
    for target in &layout.targets {
        for &cell in &target.cells {
            if target.piece == 0 && layout.ground[cell] == Ground::Door {
                under[cell] = GOAL;
            } else {
                let brick = numbers[target.piece];
                targets[cell] = if target.exact { -brick } else { brick };
            }
        }
    }
    let mut seen = under.clone();
    for (piece, &n) in layout.pieces.iter().zip(numbers) {
        for &cell in piece {
            seen[cell] = n;
        }
    }
    let (width, height, lengthwise) = (layout.width, layout.height, layout.lengthwise);
    Grid { width, height, cells: seen, under, targets, lengthwise }
}
