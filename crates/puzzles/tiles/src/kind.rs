//! The implementation of the puzzle traits.

use std::any::Any;

use beeline_search::strategies::Unsupported;
use beeline_search::{Blind, Budget, COMPACT, Heuristic, Outcome, Stats, Verdict};

use super::board::{Board, Goal};
use super::bounds::{ErasedHeuristic, LinearConflict, Manhattan, WalkingDistance};
use super::improved::Improved;
use super::pattern::database::TableError;
use super::pattern::fetch;
use super::pattern::tables::tables;
use super::{Sliding, make, plan, solve, table_free, text};
use beeline_puzzle::environment::{Environment, SpaceEnvironment};
use beeline_puzzle::game::{Game, Notation, SpaceGame};
use beeline_puzzle::puzzle::{Choice, Example, Job, Kind, Offer, Puzzle, Watcher};
use beeline_puzzle::recipe::{Made, NotMade, Recipe};
use beeline_puzzle::text::TextError;

/// The kind `tiles`.
#[derive(Debug)]
pub struct TilesKind;

/// The instance registered in `KINDS`.
pub static KIND: TilesKind = TilesKind;

macro_rules! example {
    ($name:literal, $title:literal, $file:literal) => {
        Example { name: $name, title: $title, text: include_str!(concat!("../boards/", $file)) }
    };
}

static EXAMPLES: &[Example] = &[
    example!("tiles-first", "First slide", "first.txt"),
    example!("tiles-toy", "A 15-puzzle as the toy shows it, blank last", "toy.txt"),
    example!("tiles-fifteen", "A 15-puzzle of medium difficulty", "fifteen.txt"),
    example!("tiles-wide", "Wide: 2 by 5", "wide.txt"),
    example!("tiles-korf-1", "Korf 1985, instance 1: 57 moves", "korf-1.txt"),
    example!("tiles-korf-88", "Korf 1985, instance 88: 65 moves", "korf-88.txt"),
    example!("tiles-twenty-four", "A 24-puzzle", "twenty-four.txt"),
];

static HEURISTICS: &[Choice] = &[
    Choice { name: "manhattan", about: "The sum of the tiles' distances from home." },
    Choice {
        name: "linear-conflict",
        about: "Manhattan, and two moves more for each tile that must leave its line to let another pass.",
    },
    Choice {
        name: "walking-distance",
        about: "The moves between rows and between columns, tiles of the same goal line being alike.",
    },
    Choice {
        name: "improved",
        about: "Linear conflicts, last moves, corner tiles and walking distance together.",
    },
    Choice { name: "4-4", about: "3x3: additive pattern databases of four tiles each." },
    Choice { name: "5-5-5", about: "4x4: additive pattern databases of five tiles each." },
    Choice { name: "6-6-3", about: "4x4: additive pattern databases of six, six and three tiles." },
    Choice { name: "7-8", about: "4x4: additive pattern databases of seven and eight tiles (288 MB)." },
    Choice { name: "6-6-6-6", about: "5x5: additive pattern databases of six tiles each (362 MB)." },
    Choice {
        name: "6-6-6-6-first",
        about: "5x5: the first partition of 6-6-6-6-seven (362 MB, the same files).",
    },
    Choice {
        name: "6-6-6-6-seven",
        about: "5x5: seven such partitions, of which the best for the board are chosen (1.3 GB).",
    },
    Choice { name: "blind", about: "Nothing: every state is as good as any other." },
];

static OBJECTIVES: &[Choice] = &[Choice { name: "moves", about: "As few moves as possible." }];

static SOLVERS: &[Choice] = &[Choice {
    name: "best",
    about: "The strongest solver for the board and the time there is: a search without tables, then larger and larger \
            pattern databases; on large boards a good plan at once, improved until it is proved shortest.",
}];

impl Kind for TilesKind {
    fn name(&self) -> &'static str {
        "tiles"
    }

    fn title(&self) -> &'static str {
        "Sliding tiles"
    }

    fn about(&self) -> &'static str {
        "Numbered tiles and one blank square. A tile next to the blank slides into it. \
         Bring all tiles into order in as few moves as possible."
    }

    fn recognises(&self, text: &str) -> bool {
        text::recognises(text)
    }

    fn parse(&self, text: &str) -> Result<Vec<Box<dyn Puzzle>>, TextError> {
        self.parse_each(text).into_iter().collect()
    }

    fn parse_each(&self, text: &str) -> Vec<Result<Box<dyn Puzzle>, TextError>> {
        let boxed = |board| Box::new(TilesPuzzle::new(board)) as Box<dyn Puzzle>;
        text::parse_each(text).into_iter().map(|board| board.map(boxed)).collect()
    }

    fn examples(&self) -> &'static [Example] {
        EXAMPLES
    }

    fn heuristics(&self) -> &'static [Choice] {
        HEURISTICS
    }

    fn objectives(&self) -> &'static [Choice] {
        OBJECTIVES
    }

    fn solvers(&self) -> &'static [Choice] {
        SOLVERS
    }

    fn controls(&self) -> &'static str {
        "Arrow keys slide a tile that way; or click a tile beside the gap. Z undoes, Y redoes, R restarts, H hints."
    }

    fn remark(&self) -> &'static str {
        "#"
    }

    fn make(&self, recipe: &Recipe) -> Result<Made, NotMade> {
        make::make(recipe)
    }
}

/// One board.
#[derive(Clone, Debug)]
pub struct TilesPuzzle {
    board: Board,
}

impl TilesPuzzle {
    /// The puzzle of a board.
    pub fn new(board: Board) -> Self {
        Self { board }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }
}

impl Puzzle for TilesPuzzle {
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
        let space = Sliding::new(&self.board);
        let manhattan = Manhattan::new(&space);
        let estimate = manhattan.estimate(&space, &beeline_search::Space::start(&space));
        vec![
            ("size", format!("{} x {}", self.board.rows(), self.board.columns())),
            ("goal", self.board.goal.name().to_owned()),
            ("Manhattan distance", estimate.to_string()),
            ("solvable", if self.board.is_solvable() { "yes" } else { "no (parity)" }.to_owned()),
        ]
    }

    fn warnings(&self) -> Vec<String> {
        if self.board.is_solvable() {
            return Vec::new();
        }
        let other = self.board.clone().with_goal(self.board.goal.other());
        let mut warning =
            "no sequence of moves solves this board: its permutation has the wrong parity".to_owned();
        if other.is_solvable() {
            warning = format!("{warning}; with 'goal: {}' it can be solved", other.goal.name());
        }
        vec![warning]
    }

    fn goal(&self) -> Option<beeline_puzzle::Goal> {
        let solved = Board::solved(self.board.rows(), self.board.columns(), self.board.goal)?;
        let space = Sliding::new(&solved);
        let scene = space.scene(&beeline_search::Space::start(&space));
        Some(beeline_puzzle::Goal { scene, words: in_words(self.board.goal, self.board.squares()) })
    }

    fn offer(&self) -> Option<Offer> {
        let other = self.board.goal.other();
        let in_order =
            Board::solved(self.board.rows(), self.board.columns(), other)?.cells() == self.board.cells();
        let (here, there) =
            (in_words(self.board.goal, self.board.squares()), in_words(other, self.board.squares()));
        let why = if in_order {
            format!("These tiles stand in the other order already: {there}. Here the goal is {here}.")
        } else if !self.board.is_solvable() && self.board.clone().with_goal(other).is_solvable() {
            format!(
                "The goal here is {here}, which these tiles cannot reach. They can reach the other one: {there}."
            )
        } else {
            return None;
        };
        let text = text::write(&self.board.clone().with_goal(other));
        Some(Offer { why, action: format!("Play for the {}", other.name()), text })
    }

    fn fits(&self, heuristic: &str) -> bool {
        match heuristic {
            "manhattan" | "linear-conflict" | "improved" | "blind" => true,
            "walking-distance" => WalkingDistance::fits(self.board.rows(), self.board.columns()),
            tables_name => tables(tables_name, self.board.rows(), self.board.columns()).is_some(),
        }
    }

    fn solve(
        &self,
        job: &Job,
        budget: &Budget,
        watcher: &mut dyn Watcher,
    ) -> Result<Outcome<String>, Unsupported> {
        let unknown = |what, name: &str| Unsupported::Unknown { what, name: name.to_owned() };
        if let Some(name) = job.objective.as_deref().filter(|&name| name != "moves") {
            return Err(unknown("objective", name));
        }
        if let Some(name) = job.rules.iter().flatten().next() {
            return Err(unknown("rule", name));
        }
        if !self.board.is_solvable() {
            return Ok(Outcome { verdict: Verdict::Exhausted, stats: Stats::default() });
        }
        let heuristic = job.heuristic.as_deref();
        if let Some(name) = heuristic.filter(|name| !HEURISTICS.iter().any(|h| h.name == *name)) {
            return Err(unknown("heuristic", name));
        }
        match job.strategy.as_deref() {
            None | Some("best") => strongest(&self.board, heuristic, job, budget, watcher),
            Some(strategy) => {
                engine(&self.board, strategy, heuristic.unwrap_or("manhattan"), job, budget, watcher)
            }
        }
    }

    fn game(&self) -> Box<dyn Game> {
        Box::new(SpaceGame::new(Sliding::new(&self.board)))
    }

    fn environment(&self) -> Option<Box<dyn Environment>> {
        (!COMPACT).then(|| Box::new(SpaceEnvironment::new(Sliding::new(&self.board))) as Box<dyn Environment>)
    }

    fn read_plan(&self, text: &str) -> Result<Vec<String>, TextError> {
        plan::read_plan(text)
    }

    fn write_plan(&self, steps: &[String]) -> String {
        plan::write_plan(steps)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A goal in a few words.
fn in_words(goal: Goal, squares: usize) -> String {
    let last = squares - 1;
    match goal {
        Goal::BlankFirst => format!("the blank first, then 1 to {last}"),
        Goal::BlankLast => format!("1 to {last}, then the blank"),
    }
}

/// Runs the strongest solver, or the strongest with the given heuristic.
fn strongest(
    board: &Board,
    heuristic: Option<&str>,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<String>, Unsupported> {
    let settings = &job.settings;
    let outcome = match heuristic {
        None => solve::best(board, settings, budget, watcher)?,
        Some("improved") if (board.rows(), board.columns()) == (4, 4) => {
            solve::without_tables(board, table_free::ALL, settings, budget, watcher)
        }
        Some(name) => match tables(name, board.rows(), board.columns()) {
            Some(set) => solve::with_tables(board, set, settings, budget, watcher),
            None => return engine(board, "idastar", name, job, budget, watcher),
        },
    };
    Ok(outcome.map(|step| step.letter().to_string()))
}

/// Runs a strategy of the engine with a heuristic by name.
fn engine(
    board: &Board,
    strategy: &str,
    heuristic: &str,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<String>, Unsupported> {
    let space = Sliding::new(board);
    let needs = |why: &str| Unsupported::Needs { strategy: heuristic.to_owned(), why: why.to_owned() };
    match heuristic {
        "manhattan" => run(strategy, &space, Manhattan::new(&space), job, budget, watcher),
        "linear-conflict" => run(
            strategy,
            &space,
            ErasedHeuristic::linear_conflict(LinearConflict::new(&space)),
            job,
            budget,
            watcher,
        ),
        "blind" => run(strategy, &space, ErasedHeuristic::of(Blind), job, budget, watcher),
        "walking-distance" => {
            let why = "its table would be too large for a board of this size";
            let walking = WalkingDistance::new(&space).ok_or_else(|| needs(why))?;
            run(strategy, &space, ErasedHeuristic::walking_distance(walking), job, budget, watcher)
        }
        "improved" => run(
            strategy,
            &space,
            ErasedHeuristic::of(Improved::new(&space, table_free::ALL)),
            job,
            budget,
            watcher,
        ),
        name => {
            let set = tables(name, board.rows(), board.columns());
            let set = set.ok_or_else(|| needs("it is made for boards of another size"))?;
            let fetched =
                fetch(set, &job.settings, budget, &mut solve::announce(set, &job.settings, watcher));
            match fetched {
                Ok(tables) => run(strategy, &space, ErasedHeuristic::patterns(&tables), job, budget, watcher),
                Err(TableError::Stopped(limit)) => {
                    Ok(Outcome { verdict: Verdict::Stopped(limit), stats: Stats::default() })
                }
                Err(error) => Err(needs(&error.to_string())),
            }
        }
    }
}

/// Runs a strategy of the engine and converts its plan to text.
fn run<H: Heuristic<Sliding>>(
    strategy: &str,
    space: &Sliding,
    heuristic: H,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<String>, Unsupported> {
    let outcome = job.search(space, budget, watcher).heuristic(heuristic).run(strategy)?;
    let start = beeline_search::Space::start(space);
    Ok(outcome.map(|step| space.show(&start, step)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_are_boards_that_can_be_solved() {
        for example in EXAMPLES {
            assert!(KIND.recognises(example.text), "{}", example.name);
            for board in text::parse(example.text).unwrap() {
                assert!(board.is_solvable(), "{}", example.name);
                let puzzle = TilesPuzzle::new(board.clone());
                assert!(puzzle.warnings().is_empty());
                assert_eq!(text::parse(&puzzle.text()).unwrap(), [board]);
            }
        }
    }

    #[test]
    fn the_goal_is_shown_and_the_other_goal_offered_where_it_is_meant() {
        let read = |text: &str| TilesPuzzle::new(text::parse(text).unwrap().remove(0));
        let toy = read("1 2 3 4 5 6 7 8 0\n");
        let goal = toy.goal().unwrap();
        assert_eq!(goal.words, "the blank first, then 1 to 8");
        assert!(goal.scene.at(0, 0).thing.is_none() && goal.scene.at(2, 2).thing.is_some());
        let offer = toy.offer().unwrap();
        assert!(offer.why.contains("1 to 8, then the blank"), "{}", offer.why);
        let meant = read(&offer.text);
        assert_eq!((meant.board.goal, meant.board.cells()), (Goal::BlankLast, toy.board.cells()));
        assert!(meant.offer().is_none());
        assert!(read("2 1 0\n3 4 5\n6 7 8\n").offer().is_none(), "neither goal can be reached");
        // On a board with an even side at most one goal is reachable.
        let even = read("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 0 15\n");
        assert!(!even.board.is_solvable() && read(&even.offer().unwrap().text).board.is_solvable());
    }
}
