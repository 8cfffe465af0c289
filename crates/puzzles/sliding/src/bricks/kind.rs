//! The implementation of the puzzle traits.

use std::any::Any;
use std::sync::Arc;

use beeline_search::strategies::Unsupported;
use beeline_search::{Budget, Outcome};

use beeline_boards::bricks::{Parsed, grid_of};

use super::{Grid, examples, make, parsed, plan};
use crate::environment::environment;
use crate::{AnyBoard, BadLayout, Dir, Face, Layout, Slide};
use crate::{job, on_board};
use beeline_puzzle::environment::Environment;
use beeline_puzzle::game::{Game, SpaceGame};
use beeline_puzzle::puzzle::{Choice, Example, Job, Kind, Puzzle, Watcher};
use beeline_puzzle::recipe::{Made, NotMade, Recipe};
use beeline_puzzle::text::TextError;

/// The kind `bricks`.
pub struct BricksKind;

/// The instance registered in `KINDS`.
pub static KIND: BricksKind = BricksKind;

/// One board.
#[derive(Clone)]
pub struct Bricks {
    pub(super) layout: Layout,
    pub(super) numbers: Numbers,
    warnings: Vec<String>,
    pub(super) board: AnyBoard,
}

/// The numbers of the bricks, from which the names of moves are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbers(pub(super) Arc<[i32]>);

impl Numbers {
    /// The matrix of a layout.
    pub(super) fn grid(&self, layout: &Layout) -> Grid {
        grid_of(layout, &self.0)
    }
}

impl Face for Numbers {
    fn show(&self, piece: usize, way: &[Dir]) -> String {
        plan::move_name(self.0[piece], way)
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
        Parsed::new(grid).map(Self::of)
    }

    /// The puzzle of a parsed file.
    fn of(parsed: Parsed) -> Self {
        Self::assemble(parsed.layout, Numbers(parsed.numbers.into()))
    }

    fn assemble(layout: Layout, numbers: Numbers) -> Self {
        let board = AnyBoard::new(&layout);
        let warnings = warnings(&layout, &numbers, &board);
        Self { layout, numbers, warnings, board }
    }

    /// Reads a puzzle: a board with a goal.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        parsed::parse(text).map(Self::of)
    }

    /// The start as a matrix.
    pub fn grid(&self) -> Grid {
        self.numbers.grid(&self.layout)
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
        parsed::recognises(text)
    }

    fn parse(&self, text: &str) -> Result<Vec<Box<dyn Puzzle>>, TextError> {
        self.parse_each(text).into_iter().collect()
    }

    fn parse_each(&self, text: &str) -> Vec<Result<Box<dyn Puzzle>, TextError>> {
        let boxed = |parsed| Box::new(Bricks::of(parsed)) as Box<dyn Puzzle>;
        parsed::parse_each(text).into_iter().map(|parsed| parsed.map(boxed)).collect()
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
        &KIND
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
        plan::read_plan(text)
    }

    fn write_plan(&self, steps: &[String]) -> String {
        steps.join("\n")
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_the_same_as_matrix_and_as_layout() {
        for example in examples::EXAMPLES {
            let bricks = Bricks::parse(example.text).unwrap();
            assert_eq!(bricks.text(), example.text, "{}", example.name);
            assert_eq!(bricks.grid(), Grid::parse(example.text).unwrap());
            assert!(crate::bricks::text::recognises(example.text));
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
