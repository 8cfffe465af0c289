//! The puzzle as the interfaces see it.

use std::any::Any;

use beeline_search::strategies::Unsupported;
use beeline_search::{Budget, COMPACT, Outcome};

use super::board::{Board, Dir};
use super::bounds::BOUNDS;
use super::plan::{lettering, read_plan};
use super::rules::prune::RULES;
use super::space::Steps;
use super::text::{self, Level};
use super::{make, solve};
use beeline_puzzle::environment::{Environment, SpaceEnvironment};
use beeline_puzzle::game::{Game, SpaceGame};
use beeline_puzzle::puzzle::{Choice, Example, Job, Kind, Puzzle, Watcher};
use beeline_puzzle::recipe::{Made, NotMade, Recipe};
use beeline_puzzle::text::TextError;

/// The kind `sokoban`.
pub struct SokobanKind;

/// The instance registered in `KINDS`.
pub static KIND: SokobanKind = SokobanKind;

macro_rules! examples {
    ($($name:literal, $title:literal;)*) => {
        &[$(Example {
            name: $name,
            title: $title,
            text: include_str!(concat!("../boards/", $name, ".txt")),
        }),*]
    };
}

static EXAMPLES: &[Example] = examples! {
    "sokoban-first", "One box, one corner to turn";
    "sokoban-two", "Two boxes in each other's way";
    "sokoban-doorway", "A store behind a doorway";
    "sokoban-lost", "Solvable, though a careless corner test says no";
    "sokoban-detour", "Nineteen steps, though a careless corner test finds twenty-two";
    "sokoban-ring", "Walk round the ring to get behind";
    "sokoban-pantry", "Four boxes and a pantry";
    "sokoban-cellar", "Four boxes, a tunnel and a cellar";
    "sokoban-hall", "Sixteen boxes in a hall: ask for any plan, or for fewest pushes";
};

static OBJECTIVES: &[Choice] = &[
    Choice { name: "moves", about: "fewest steps, pushes included" },
    Choice { name: "pushes", about: "fewest pushes" },
    Choice { name: "moves-pushes", about: "fewest steps, and among those plans fewest pushes" },
    Choice { name: "pushes-moves", about: "fewest pushes, and among those plans fewest steps" },
    Choice { name: "any", about: "any plan, as quickly as possible" },
];

static SOLVERS: &[Choice] = &[Choice {
    name: "best",
    about: "searches pushes from both ends and proves the optimum; for the objective any, several searches take turns or race",
}];

impl Kind for SokobanKind {
    fn name(&self) -> &'static str {
        "sokoban"
    }
    fn title(&self) -> &'static str {
        "Sokoban"
    }
    fn about(&self) -> &'static str {
        "Push every box onto a goal. The player walks left, right, up and down, pushes one box at a time and never pulls. \
         Every step counts 1, pushes too."
    }
    fn controls(&self) -> &'static str {
        "Arrow keys walk and push; or click where to go. Z undoes, Y redoes, R restarts, H hints."
    }

    fn recognises(&self, text: &str) -> bool {
        text::recognises(text)
    }
    fn parse(&self, text: &str) -> Result<Vec<Box<dyn Puzzle>>, TextError> {
        self.parse_each(text).into_iter().collect()
    }
    fn parse_each(&self, text: &str) -> Vec<Result<Box<dyn Puzzle>, TextError>> {
        let boxed = |level| Box::new(Sokoban { level }) as Box<dyn Puzzle>;
        text::parse_each(text).into_iter().map(|level| level.map(boxed)).collect()
    }
    fn with_plans(&self, text: &str, plans: &[(usize, Vec<String>)]) -> Option<String> {
        let letters: Vec<(usize, String)> =
            plans.iter().map(|(level, steps)| (*level, steps.concat())).collect();
        text::with_solutions(text, &letters)
    }
    fn examples(&self) -> &'static [Example] {
        EXAMPLES
    }
    fn heuristics(&self) -> &'static [Choice] {
        BOUNDS
    }
    fn objectives(&self) -> &'static [Choice] {
        OBJECTIVES
    }
    fn solvers(&self) -> &'static [Choice] {
        SOLVERS
    }
    fn rules(&self) -> &'static [Choice] {
        RULES
    }
    fn make(&self, recipe: &Recipe) -> Result<Made, NotMade> {
        make::recipe(recipe)
    }
}

/// One level.
#[derive(Clone, Debug)]
pub struct Sokoban {
    level: Level,
}

impl Sokoban {
    /// A level without a name.
    pub fn new(board: Board) -> Self {
        Self { level: Level::new(board) }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.level.board
    }

    /// The steps of a plan as letters, capital where they push. The plan must be possible.
    pub fn letters(&self, plan: &[Dir]) -> Vec<String> {
        let mut letter = lettering(self.board());
        plan.iter().map(|&dir| letter(dir)).collect()
    }

    /// The board with its title, author and remarks.
    pub fn level(&self) -> &Level {
        &self.level
    }
}

impl Puzzle for Sokoban {
    fn kind(&self) -> &'static dyn Kind {
        &KIND
    }

    fn title(&self) -> Option<String> {
        self.level.title.clone()
    }

    fn given_plan(&self) -> Option<Vec<String>> {
        self.level.solution()
    }

    fn text(&self) -> String {
        text::print(&self.level)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let board = self.board();
        let mut facts = vec![
            ("size", format!("{} × {}", board.width(), board.height())),
            ("squares", board.squares().to_string()),
            ("boxes", board.boxes().len().to_string()),
            ("goals", board.goals().len().to_string()),
        ];
        facts.extend(self.level.author.clone().map(|author| ("author", author)));
        facts
    }

    fn warnings(&self) -> Vec<String> {
        let board = self.board();
        let (boxes, goals) = (board.boxes().len(), board.goals().len());
        let mut warnings = Vec::new();
        if boxes < goals {
            let boxes = text::counted(boxes, "box", "boxes");
            warnings.push(format!("{boxes} for {goals} goals: solved when every box is on a goal"));
        }
        if board.lost() > 0 {
            let boxes = text::counted(board.lost(), "box", "boxes");
            warnings.push(format!("{boxes} can never be on a goal: there is no plan"));
        }
        warnings
    }

    fn solve(
        &self,
        job: &Job,
        budget: &Budget,
        watcher: &mut dyn Watcher,
    ) -> Result<Outcome<String>, Unsupported> {
        solve::solve(self.board(), job, budget, watcher)
    }

    fn game(&self) -> Box<dyn Game> {
        if let Some(space) = Steps::<1>::new(self.board()) {
            return Box::new(SpaceGame::new(space));
        }
        match Steps::<4>::new(self.board()) {
            Some(space) => Box::new(SpaceGame::new(space)),
            None => Box::new(SpaceGame::new(Steps::widest(self.board()))),
        }
    }

    fn environment(&self) -> Option<Box<dyn Environment>> {
        if COMPACT {
            return None;
        }
        if let Some(space) = Steps::<1>::new(self.board()) {
            return Some(Box::new(SpaceEnvironment::new(space)));
        }
        Some(match Steps::<4>::new(self.board()) {
            Some(space) => Box::new(SpaceEnvironment::new(space)),
            None => Box::new(SpaceEnvironment::new(Steps::widest(self.board()))),
        })
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
