//! Impassable Gate: slide the pieces until piece 0 covers the goal.
//!
//! The rules are those of the [sliding](crate) engine with every piece allowed everywhere and one target, that of
//! piece 0. Here stand the file format, the names of moves (`0l`: piece 0 to the left) and what can be asked of a board.

mod atoms;
pub mod classic;
pub mod make;
pub mod text;

use std::any::Any;
use std::sync::Arc;

use beeline_search::strategies::Unsupported;
use beeline_search::{Budget, Outcome};

use crate::environment::environment;
use crate::{AnyBoard, Dir, Face, Layout, Slide};
use crate::{job, on_board};
use beeline_puzzle::environment::Environment;
use beeline_puzzle::game::{Game, SpaceGame};
use beeline_puzzle::puzzle::{Choice, Example, Job, Kind, Puzzle, Watcher};
use beeline_puzzle::recipe::{Made, NotMade, Recipe};
use beeline_puzzle::text::TextError;

/// The kind.
pub struct GateKind;

/// One board.
#[derive(Clone)]
pub struct Gate {
    layout: Layout,
    digits: Digits,
    warnings: Vec<String>,
    board: AnyBoard,
}

/// The digits of the pieces: all that a move's name needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digits(pub Vec<u8>);

impl Face for Digits {
    fn show(&self, piece: usize, way: &[Dir]) -> String {
        let mut name = self.label(piece);
        name.extend(way.iter().map(|d| d.letter()));
        name
    }

    fn label(&self, piece: usize) -> String {
        self.0[piece].to_string()
    }

    fn puzzle(&self, layout: Layout) -> Box<dyn Puzzle> {
        Box::new(Gate::new(layout, self.0.clone(), Vec::new()))
    }
}

impl Gate {
    /// The board of a parsed file, or one that was made: at most 64 × 64 cells, ten pieces with ascending digits.
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
        &GateKind
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
        read_plan(text)
    }

    fn write_plan(&self, steps: &[String]) -> String {
        steps.concat()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Splits a plan into moves: a digit and at least one direction each; white space and commas may stand between them.
fn read_plan(text: &str) -> Result<Vec<String>, TextError> {
    let mut steps: Vec<String> = Vec::new();
    let mut open = false;
    for (at, c) in text.char_indices() {
        let span = at..at + c.len_utf8();
        let complete = steps.last().is_none_or(|s| s.len() > 1);
        if c.is_ascii_digit() && complete {
            steps.push(c.to_string());
            open = true;
        } else if Dir::from_letter(c).is_some() && open {
            if let Some(step) = steps.last_mut() {
                step.push(c);
            }
        } else if (c.is_whitespace() || c == ',') && complete {
            open = false;
        } else {
            let expected = if open { "a direction: u, d, l or r" } else { "a piece: 0 to 9" };
            return Err(TextError::new(span, format!("{c:?} does not belong here"), expected));
        }
    }
    if steps.last().is_some_and(|s| s.len() < 2) {
        let end = text.len();
        return Err(TextError::new(end..end, "the last move has no direction", "a direction: u, d, l or r"));
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_split_at_the_digits() {
        assert_eq!(read_plan("0l0u\n1rr, 2d").unwrap(), ["0l", "0u", "1rr", "2d"]);
        assert_eq!(read_plan("").unwrap(), [""; 0]);
        for (text, at) in [("u", 0), ("0x", 1), ("00u", 1), ("0 u", 1), ("0u u", 3), ("0", 1), ("é", 0)] {
            assert_eq!(read_plan(text).unwrap_err().span.start, at, "{text}");
        }
    }

    #[test]
    fn every_example_is_a_board() {
        for example in EXAMPLES {
            let gate = Gate::parse(example.text).unwrap();
            assert_eq!(gate.print(), example.text, "{}", example.name);
            assert!(gate.warnings.is_empty(), "{}: {:?}", example.name, gate.warnings);
        }
    }
}
