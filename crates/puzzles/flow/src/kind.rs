//! The implementation of the puzzle traits.

use std::any::Any;

use beeline_search::strategies::Unsupported;
use beeline_search::{Budget, COMPACT, Outcome};

use super::board::{Board, Cell};
use super::environment::FlowEnvironment;
use super::game::FlowGame;
use super::{make, plan, prune, solve, text};
use beeline_puzzle::environment::Environment;
use beeline_puzzle::game::Game;
use beeline_puzzle::puzzle::{Choice, Example, Job, Kind, Puzzle, Watcher};
use beeline_puzzle::recipe::{self, Made, Measure, NotMade, Recipe, Spending};
use beeline_puzzle::text::TextError;

/// The instance registered in `KINDS`.
pub static KIND: FlowKind = FlowKind;

/// Flow Free.
#[derive(Debug)]
pub struct FlowKind;

macro_rules! example {
    ($name:literal, $title:literal) => {
        Example {
            name: concat!("flow-", $name),
            title: $title,
            text: include_str!(concat!("../boards/", $name, ".txt")),
        }
    };
}

static EXAMPLES: &[Example] = &[
    example!("first", "First flow"),
    example!("seven", "Seven by seven"),
    example!("nine", "Nine by nine"),
    example!("pillars", "Pillars: walls stand in the way"),
    example!("twelve", "Twelve by twelve"),
    example!("river", "River: a long rectangle"),
    example!("wide", "Wide water: twenty by twenty"),
    example!("crossing", "Crossing: cannot be solved"),
    example!("numberlink", "Room to spare: cells may stay empty"),
];

impl Kind for FlowKind {
    fn name(&self) -> &'static str {
        "flow"
    }
    fn title(&self) -> &'static str {
        "Flow Free"
    }
    fn about(&self) -> &'static str {
        "Join each pair of coloured dots by a path. Paths never cross and never touch themselves, and together they fill the \
         board. Under the rule touching, a path may touch itself; under the rule numberlink, cells may stay empty."
    }
    fn controls(&self) -> &'static str {
        // Letters name paths here, so they cannot be commands.
        "Drag from dot to dot, from either end; back over a pipe shortens it, through another pipe cuts it, a tap on a dot clears it. \
         Or press a letter, then arrow keys. Backspace undoes."
    }
    fn recognises(&self, text: &str) -> bool {
        text::recognises(text)
    }
    fn parse(&self, text: &str) -> Result<Vec<Box<dyn Puzzle>>, TextError> {
        self.parse_each(text).into_iter().collect()
    }
    fn parse_each(&self, text: &str) -> Vec<Result<Box<dyn Puzzle>, TextError>> {
        text::parse_each(text).into_iter().map(boxed).collect()
    }
    fn read(&self, text: &str) -> Option<Vec<Result<Box<dyn Puzzle>, TextError>>> {
        Some(text::read(text)?.into_iter().map(boxed).collect())
    }
    fn examples(&self) -> &'static [Example] {
        EXAMPLES
    }
    fn heuristics(&self) -> &'static [Choice] {
        solve::HEURISTICS
    }
    fn objectives(&self) -> &'static [Choice] {
        &[Choice { name: "any", about: "any answer; where the board is filled, all have the same length" }]
    }
    fn solvers(&self) -> &'static [Choice] {
        solve::SOLVERS
    }
    fn rules(&self) -> &'static [Choice] {
        prune::RULES
    }
    fn make(&self, recipe: &Recipe) -> Result<Made, NotMade> {
        recipe.refuse("flow", true, false, false)?;
        let mut spending = Spending::new(&recipe.budget);
        let (board, candidates) = make::from_recipe(recipe, &mut spending).map_err(|error| match error {
            make::MakeError::Stopped(limit) => NotMade::Stopped(limit),
            error => NotMade::Refused(error.to_string()),
        })?;
        let puzzle = Box::new(FlowPuzzle::new(board));
        let outcome = recipe::solve(&*puzzle, &Job::default(), make::MOST_DECISIONS, &mut spending)?;
        let level =
            Measure::of(&outcome).map(|measure| make::scale(puzzle.board.cells().len()).level(measure));
        Ok(Made { puzzle, outcome, level, candidates, spent: spending.expanded() })
    }
}

fn boxed(board: Result<Board, TextError>) -> Result<Box<dyn Puzzle>, TextError> {
    Ok(Box::new(FlowPuzzle::new(board?)))
}

/// One board.
#[derive(Clone, Debug)]
pub struct FlowPuzzle {
    board: Board,
}

impl FlowPuzzle {
    /// The puzzle of a board.
    pub fn new(board: Board) -> Self {
        Self { board }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }
}

impl Puzzle for FlowPuzzle {
    fn kind(&self) -> &'static dyn Kind {
        &KIND
    }
    fn title(&self) -> Option<String> {
        self.board.title.clone()
    }
    fn text(&self) -> String {
        text::write(&self.board)
    }
    fn facts(&self) -> Vec<(&'static str, String)> {
        let board = &self.board;
        let count = |kind: Cell| board.cells().iter().filter(|&&cell| cell == kind).count();
        let (walls, holes, between) = (count(Cell::Wall), count(Cell::Hole), board.walls().count());
        let mut facts = vec![
            ("size", format!("{}×{}", board.width(), board.height())),
            ("colours", board.colours().len().to_string()),
            ("free cells", board.free_cells().to_string()),
            ("rule", board.rule.name().to_owned()),
        ];
        if walls > 0 {
            facts.push(("walls", walls.to_string()));
        }
        if holes > 0 {
            facts.push(("holes", holes.to_string()));
        }
        if between > 0 {
            facts.push(("walls between cells", between.to_string()));
        }
        if board.warps() {
            facts.push(("edges", "warp".to_owned()));
        }
        if !board.drawn().is_empty() {
            facts.push(("drawn", board.drawn().len().to_string()));
        }
        facts
    }
    fn warnings(&self) -> Vec<String> {
        let board = &self.board;
        let mut warnings = Vec::new();
        for colour in board.colours() {
            if !board.rule.may_touch() && board.adjacent(colour.start, colour.goal) {
                warnings.push(format!("the ends of {} touch: they are joined from the start", colour.label));
            }
        }
        let shut = (0..board.cells().len())
            .filter(|&at| board.cells()[at] == Cell::Free && board.rule.fills())
            .find(|&at| board.neighbours(at).filter(|&n| board.cells()[n].is_open()).count() < 2);
        if let Some(at) = shut {
            let (row, column) = (at / board.width() + 1, at % board.width() + 1);
            warnings.push(format!("no path can go through row {row}, column {column}"));
        }
        warnings
    }
    fn solve(
        &self,
        job: &Job,
        budget: &Budget,
        watcher: &mut dyn Watcher,
    ) -> Result<Outcome<String>, Unsupported> {
        solve::solve(&self.board, job, budget, watcher)
    }
    fn game(&self) -> Box<dyn Game> {
        Box::new(FlowGame::new(self.board.clone()))
    }
    fn environment(&self) -> Option<Box<dyn Environment>> {
        let environment = if COMPACT { None } else { FlowEnvironment::new(&self.board) };
        environment.map(|environment| Box::new(environment) as Box<dyn Environment>)
    }
    fn read_plan(&self, text: &str) -> Result<Vec<String>, TextError> {
        let steps = plan::read_steps(&self.board, text)?;
        Ok(steps.into_iter().map(|s| plan::show_step(&self.board, s)).collect())
    }
    fn write_plan(&self, steps: &[String]) -> String {
        let parsed = plan::read_words(&self.board, steps);
        parsed.map_or_else(|| steps.join(" "), |steps| plan::write_steps(&self.board, &steps))
    }
    fn solved_in_words(&self, steps: &[String], budget: &Budget) -> Option<String> {
        Some(solve::in_words(&self.board, steps.len(), budget))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
