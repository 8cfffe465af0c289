//! Sliding bricks: slide the bricks until the master brick covers the goal.
//!
//! The rules are those of the [sliding](crate) engine; only the master brick (number 2) may stand on goal cells
//! and doors. Here stand the file format ([`text`]), the homework's functions on a matrix ([`Grid`]), its searches with
//! their counters ([`classic`]), the names of moves (`(2,left)`), and what can be asked of a board.

pub mod classic;
mod examples;
mod grid;
mod letters;
pub mod make;
pub mod space;
pub mod text;

use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

use beeline_search::strategies::Unsupported;
use beeline_search::{Budget, Outcome};

pub use examples::LEVELS;
pub use grid::{Blocked, DOOR, FREE, GOAL, Grid, MASTER, Step, WALL};

use crate::environment::environment;
use crate::{AnyBoard, BadLayout, Dir, Face, Ground, Layout, Slide, Target};
use crate::{job, on_board};
use beeline_puzzle::environment::Environment;
use beeline_puzzle::game::{Game, SpaceGame};
use beeline_puzzle::puzzle::{Choice, Example, Job, Kind, Puzzle, Watcher};
use beeline_puzzle::recipe::{Made, NotMade, Recipe};
use beeline_puzzle::text::TextError;

/// The kind.
pub struct BricksKind;

/// One board.
#[derive(Clone)]
pub struct Bricks {
    layout: Layout,
    numbers: Numbers,
    warnings: Vec<String>,
    board: AnyBoard,
}

/// The numbers of the bricks: all that a move's name needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbers(Arc<[i32]>);

impl Face for Numbers {
    fn show(&self, piece: usize, way: &[Dir]) -> String {
        let mut name = format!("({}", self.0[piece]);
        for dir in way {
            name.push(',');
            name.push_str(dir.word());
        }
        name.push(')');
        name
    }

    fn label(&self, piece: usize) -> String {
        self.0[piece].to_string()
    }

    fn puzzle(&self, layout: Layout) -> Box<dyn Puzzle> {
        Box::new(Bricks::assemble(layout, self.clone()))
    }
}

impl Bricks {
    /// The puzzle that starts in a state.
    pub fn new(grid: &Grid) -> Result<Self, BadLayout> {
        let numbers: Arc<[i32]> = grid.bricks().into();
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
        let layout = layout.with_lengthwise(grid.lengthwise);
        Ok(Self::assemble(layout, Numbers(numbers)))
    }

    fn assemble(layout: Layout, numbers: Numbers) -> Self {
        let board = AnyBoard::new(&layout);
        let warnings = warnings(&layout, &numbers, &board);
        Self { layout, numbers, warnings, board }
    }

    /// Reads a puzzle: a board with a goal.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        Self::within(&Grid::parse(text)?, 0..text.trim_end().len())
    }

    /// The puzzle of a matrix that stands in this part of a text.
    fn within(grid: &Grid, whole: Range<usize>) -> Result<Self, TextError> {
        let bricks = Self::new(grid).map_err(|why| {
            TextError::new(whole.clone(), why.to_string(), "a board of 1 to 64 bricks on at most 256 cells")
        })?;
        if bricks.layout.targets.is_empty() {
            return Err(TextError::new(whole, "there is no goal", "cells with the number -1")
                .help("or a second matrix of the same size that says which brick must cover which cell"));
        }
        Ok(bricks)
    }

    /// The start as a matrix.
    pub fn grid(&self) -> Grid {
        grid_of(&self.layout, &self.numbers)
    }

    /// Walls, bricks, goals.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The number of each piece of the layout; the first is the master's.
    pub fn numbers(&self) -> &[i32] {
        &self.numbers.0
    }

    /// The tables of the sliding engine.
    pub fn board(&self) -> &AnyBoard {
        &self.board
    }
}

/// The matrix of a layout.
fn grid_of(layout: &Layout, numbers: &Numbers) -> Grid {
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
                let brick = numbers.0[target.piece];
                targets[cell] = if target.exact { -brick } else { brick };
            }
        }
    }
    let mut seen = under.clone();
    for (piece, &n) in layout.pieces.iter().zip(&*numbers.0) {
        for &cell in piece {
            seen[cell] = n;
        }
    }
    let (width, height, lengthwise) = (layout.width, layout.height, layout.lengthwise);
    Grid { width, height, cells: seen, under, targets, lengthwise }
}

fn warnings(layout: &Layout, numbers: &Numbers, board: &AnyBoard) -> Vec<String> {
    let mut warnings = Vec::new();
    for (piece, n) in numbers.0.iter().enumerate() {
        if !layout.connected(piece) {
            warnings.push(format!("brick {n} is in separate parts; they move as one"));
        }
    }
    let way = on_board!(board, b => b.distances()[b.start[0] as usize]);
    if way.is_none() {
        let why = "even with every other brick away the master brick cannot cover the goal";
        warnings.push(format!("{why}, so there is no solution"));
    }
    warnings
}

impl Kind for BricksKind {
    fn name(&self) -> &'static str {
        "bricks"
    }

    fn title(&self) -> &'static str {
        "Sliding bricks"
    }

    fn about(&self) -> &'static str {
        "Slide bricks of any shape, one at a time, up, down, left or right; nothing overlaps and nothing is pushed. \
         Solved when the master brick, number 2, covers the goal cells. No other brick may enter a goal cell of the board \
         itself; a goal inside the box, which a second matrix gives, may be crossed by all."
    }

    fn recognises(&self, text: &str) -> bool {
        letters::recognises(text) || text::recognises(text)
    }

    fn parse(&self, text: &str) -> Result<Vec<Box<dyn Puzzle>>, TextError> {
        self.parse_each(text).into_iter().collect()
    }

    fn parse_each(&self, text: &str) -> Vec<Result<Box<dyn Puzzle>, TextError>> {
        let grids =
            letters::parse_each(text).unwrap_or_else(|| vec![(Grid::parse(text), 0..text.trim_end().len())]);
        let made =
            |(grid, span): (Result<Grid, TextError>, _)| grid.and_then(|grid| Bricks::within(&grid, span));
        grids.into_iter().map(|grid| made(grid).map(|bricks| Box::new(bricks) as Box<dyn Puzzle>)).collect()
    }

    fn examples(&self) -> &'static [Example] {
        examples::EXAMPLES
    }

    fn heuristics(&self) -> &'static [Choice] {
        HEURISTICS
    }

    fn objectives(&self) -> &'static [Choice] {
        job::OBJECTIVES
    }

    fn solvers(&self) -> &'static [Choice] {
        job::SOLVERS
    }

    fn make(&self, recipe: &Recipe) -> Result<Made, NotMade> {
        make::make(recipe)
    }
}

const HEURISTICS: &[Choice] = &[
    Choice {
        name: "blockers",
        about: "the way of the master alone, and a move for each brick that must leave it",
    },
    Choice { name: "way", about: "the way of the master with every other brick away" },
    Choice { name: "blind", about: "always 0" },
];

impl Puzzle for Bricks {
    fn kind(&self) -> &'static dyn Kind {
        &BricksKind
    }

    fn text(&self) -> String {
        self.grid().file()
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let shapes = self.layout.classes().into_iter().max().map_or(0, |m| m + 1);
        let anchors = on_board!(&self.board, b => (0..b.pieces()).map(|p| b.shape(p).len()).sum::<usize>());
        vec![
            ("size", format!("{} × {}", self.layout.width, self.layout.height)),
            ("bricks", self.layout.pieces.len().to_string()),
            ("shapes", shapes.to_string()),
            ("open cells", self.layout.open().to_string()),
            ("empty cells", self.layout.empty().to_string()),
            ("places of bricks", anchors.to_string()),
        ]
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    fn solve(
        &self,
        job: &Job,
        budget: &Budget,
        watcher: &mut dyn Watcher,
    ) -> Result<Outcome<String>, Unsupported> {
        job::solve(&self.layout, &self.board, Arc::new(self.numbers.clone()), job, budget, watcher)
    }

    fn game(&self) -> Box<dyn Game> {
        on_board!(&self.board, b => Box::new(SpaceGame::new(Slide::game(b.clone(), Arc::new(self.numbers.clone())))))
    }

    fn environment(&self) -> Option<Box<dyn Environment>> {
        let face: Arc<dyn Face> = Arc::new(self.numbers.clone());
        environment(&self.board, &face)
    }

    fn read_plan(&self, text: &str) -> Result<Vec<String>, TextError> {
        read_plan(text)
    }

    fn write_plan(&self, steps: &[String]) -> String {
        steps.join("\n")
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Splits a plan into moves: `(brick,direction)` or `(brick,direction,direction)`, with any white space in and between.
fn read_plan(text: &str) -> Result<Vec<String>, TextError> {
    let mut steps = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { return Ok(steps) };
        if first != '(' {
            let span = at..at + first.len_utf8();
            return Err(TextError::new(span, format!("{first:?} does not belong here"), "a move: (2,left)"));
        }
        let Some(end) = rest.find(')') else {
            return Err(TextError::new(at..text.len(), "a bracket is not closed", "a move: (2,left)"));
        };
        let inside = &rest[1..end];
        let words: Vec<&str> = inside.split(',').map(str::trim).collect();
        let brick = words[0].parse::<i32>().is_ok_and(|n| n >= MASTER);
        let known = |w: &&str| Dir::ALL.iter().any(|d| d.word() == *w);
        if !brick || words.len() < 2 || !words[1..].iter().all(known) {
            let message = format!("({inside}) is no move");
            return Err(TextError::new(at..at + end + 1, message, "a brick and a direction: (2,left)")
                .help("directions are up, down, left and right"));
        }
        steps.push(format!("({})", words.join(",")));
        at += end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_split_at_the_brackets() {
        assert_eq!(
            read_plan("(2,left)\n(3, up , up)(4,down),").unwrap(),
            ["(2,left)", "(3,up,up)", "(4,down)"]
        );
        assert_eq!(read_plan(" \n").unwrap(), [""; 0]);
        let bad =
            [("2,left", 0), ("(2,left) x", 9), ("(2,left", 0), ("(2)", 0), ("(1,up)", 0), ("(2,north)", 0)];
        for (text, at) in bad {
            assert_eq!(read_plan(text).unwrap_err().span.start, at, "{text}");
        }
    }

    #[test]
    fn boards_are_the_same_as_matrix_and_as_layout() {
        for example in examples::EXAMPLES {
            let bricks = Bricks::parse(example.text).unwrap();
            assert_eq!(bricks.text(), example.text, "{}", example.name);
            assert_eq!(bricks.grid(), Grid::parse(example.text).unwrap());
            assert!(text::recognises(example.text));
        }
    }

    #[test]
    fn odd_boards_are_told_of() {
        let warned = |text: &str| Bricks::parse(text).unwrap().warnings.join("; ");
        assert!(warned("4,2,\n2,0,-1,3,\n0,0,3,0,\n").contains("brick 3 is in separate parts"));
        assert!(warned("4,2,\n2,2,0,0,\n1,1,1,-1,\n").contains("cannot cover the goal"));
        assert!(warned("4,1,\n2,1,0,-1,\n").contains("cannot cover the goal"));
        assert_eq!(warned("3,1,\n2,0,-1,\n"), "");
        let error = Bricks::parse("3,1,\n2,0,0,\n").map(|_| ()).unwrap_err();
        assert_eq!((error.message.as_str(), error.span), ("there is no goal", 0..11));
    }
}
