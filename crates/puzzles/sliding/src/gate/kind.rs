//! The implementation of the puzzle traits.

use std::any::Any;
use std::sync::Arc;

use beeline_search::strategies::Unsupported;
use beeline_search::{Budget, Outcome};

use super::{make, plan, text};
use crate::environment::environment;
use crate::{AnyBoard, Dir, Face, Layout, Slide};
use crate::{job, on_board};
use beeline_puzzle::environment::Environment;
use beeline_puzzle::game::{Game, SpaceGame};
use beeline_puzzle::puzzle::{Choice, Example, Job, Kind, Puzzle, Watcher};
use beeline_puzzle::recipe::{Made, NotMade, Recipe};
use beeline_puzzle::text::TextError;

/// The kind `gate`.
pub struct GateKind;

/// The instance registered in `KINDS`.
pub static KIND: GateKind = GateKind;

/// One board.
#[derive(Clone)]
pub struct Gate {
    pub(super) layout: Layout,
    pub(super) digits: Digits,
    pub(super) warnings: Vec<String>,
    pub(super) board: AnyBoard,
}

/// The digits of the pieces, from which the names of moves are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digits(pub Vec<u8>);

impl Face for Digits {
    fn show(&self, piece: usize, way: &[Dir]) -> String {
        plan::move_name(self.0[piece], way)
    }

    fn label(&self, piece: usize) -> String {
        self.0[piece].to_string()
    }

    fn puzzle(&self, layout: Layout) -> Box<dyn Puzzle> {
        Box::new(Gate::new(layout, self.0.clone(), Vec::new()))
    }
}

impl Gate {
    /// The puzzle of a parsed or generated board: at most 64 × 64 cells, ten pieces with ascending digits.
    pub fn new(layout: Layout, digits: Vec<u8>, warnings: Vec<String>) -> Self {
        let board = AnyBoard::new(&layout);
        Self { layout, digits: Digits(digits), warnings, board }
    }

    /// Reads a board.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let parsed = text::parse(text)?;
        Ok(Self::new(parsed.layout, parsed.digits, parsed.warnings))
    }

    /// Walls, pieces and goal.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The digit of each piece.
    pub fn digits(&self) -> &[u8] {
        &self.digits.0
    }

    /// The tables of the sliding engine.
    pub fn board(&self) -> &AnyBoard {
        &self.board
    }

    /// The board as a file.
    pub fn print(&self) -> String {
        text::print(&self.layout, &self.digits.0)
    }
}

impl Kind for GateKind {
    fn name(&self) -> &'static str {
        "gate"
    }

    fn title(&self) -> &'static str {
        "Impassable Gate"
    }

    fn about(&self) -> &'static str {
        "Slide whole pieces, one at a time, up, down, left or right; nothing overlaps and nothing is pushed. \
         Solved when piece 0 covers the goal; the other pieces may stand anywhere."
    }

    fn recognises(&self, text: &str) -> bool {
        text::recognises(text)
    }

    fn parse(&self, text: &str) -> Result<Vec<Box<dyn Puzzle>>, TextError> {
        Ok(vec![Box::new(Gate::parse(text)?)])
    }

    fn examples(&self) -> &'static [Example] {
        EXAMPLES
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

/// The boards that ship.
const EXAMPLES: &[Example] = &[
    Example {
        name: "gate-first",
        title: "Two pieces in the way",
        text: include_str!("../../boards/gate/first.gate"),
    },
    Example {
        name: "gate-corner",
        title: "Round the corner",
        text: include_str!("../../boards/gate/corner.gate"),
    },
    Example {
        name: "gate-cross",
        title: "A cross among bars",
        text: include_str!("../../boards/gate/cross.gate"),
    },
    Example {
        name: "gate-hooks",
        title: "Hooks and bars",
        text: include_str!("../../boards/gate/hooks.gate"),
    },
    Example {
        name: "gate-seal",
        title: "The sealed corner",
        text: include_str!("../../boards/gate/seal.gate"),
    },
    Example {
        name: "gate-stair",
        title: "Down the stair",
        text: include_str!("../../boards/gate/stair.gate"),
    },
    Example {
        name: "gate-long",
        title: "A long way for two cells",
        text: include_str!("../../boards/gate/long.gate"),
    },
    Example {
        name: "gate-never",
        title: "A gate that never opens",
        text: include_str!("../../boards/gate/never.gate"),
    },
];

const HEURISTICS: &[Choice] = &[
    Choice {
        name: "blockers",
        about: "the way of piece 0 alone, and a move for each piece that must leave it",
    },
    Choice { name: "way", about: "the way of piece 0 with every other piece away" },
    Choice { name: "blind", about: "always 0" },
];

impl Puzzle for Gate {
    fn kind(&self) -> &'static dyn Kind {
        &KIND
    }

    fn text(&self) -> String {
        self.print()
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let shapes = self.layout.classes().into_iter().max().map_or(0, |m| m + 1);
        let anchors = on_board!(&self.board, b => (0..b.pieces()).map(|p| b.shape(p).len()).sum::<usize>());
        vec![
            ("size", format!("{} × {}", self.layout.width, self.layout.height)),
            ("pieces", self.layout.pieces.len().to_string()),
            ("shapes", shapes.to_string()),
            ("open cells", self.layout.open().to_string()),
            ("empty cells", self.layout.empty().to_string()),
            ("places of pieces", anchors.to_string()),
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
        job::solve(&self.layout, &self.board, Arc::new(self.digits.clone()), job, budget, watcher)
    }

    fn game(&self) -> Box<dyn Game> {
        on_board!(&self.board, b => Box::new(SpaceGame::new(Slide::game(b.clone(), Arc::new(self.digits.clone())))))
    }

    fn environment(&self) -> Option<Box<dyn Environment>> {
        let face: Arc<dyn Face> = Arc::new(self.digits.clone());
        environment(&self.board, &face)
    }

    fn read_plan(&self, text: &str) -> Result<Vec<String>, TextError> {
        plan::read_plan(text)
    }

    fn write_plan(&self, steps: &[String]) -> String {
        steps.concat()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_a_board() {
        for example in EXAMPLES {
            let gate = Gate::parse(example.text).unwrap();
            assert_eq!(gate.print(), example.text, "{}", example.name);
            assert!(gate.warnings.is_empty(), "{}: {:?}", example.name, gate.warnings);
        }
    }
}
