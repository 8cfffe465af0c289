//! The puzzle as the faces see it.

use std::any::Any;
use std::sync::Arc;

use beeline_search::strategies::Unsupported;
use beeline_search::{Budget, COMPACT, Limit, Meter, Outcome};

use super::board::{Board, Dir};
use super::bounds::{BOUNDS, Bound};
use super::field::Field;
use super::make;
use super::optimal::{self, Objective};
use super::pushes::Pushes;
use super::rules::prune::{RULES, Rules};
use super::satisficing::{self, Options};
use super::text::{self, Level};
use super::{Steps, WIDEST, state_bits};
use beeline_puzzle::environment::{Environment, SpaceEnvironment};
use beeline_puzzle::game::{Game, SpaceGame};
use beeline_puzzle::puzzle::{Choice, Example, Job, Kind, Puzzle, Watcher};
use beeline_puzzle::recipe::{Made, NotMade, Recipe};
use beeline_puzzle::text::TextError;

/// The kind `sokoban`.
pub struct SokobanKind;

/// The one value of the kind.
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
        Some(text::with_solutions(text, &letters))
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

fn too_large(strategy: &str) -> Unsupported {
    Unsupported::Needs { strategy: strategy.to_owned(), why: "the board is too large".to_owned() }
}

impl Sokoban {
    fn run<const N: usize>(
        &self,
        name: &str,
        job: &Job,
        budget: &Budget,
        watcher: &mut dyn Watcher,
    ) -> Result<Outcome<String>, Unsupported> {
        let space = Steps::<N>::new(self.board()).ok_or_else(|| too_large(name))?;
        let mut meter = Meter::new(budget);
        let (bound, rules) = match self.bound_and_rules(job, &mut meter)? {
            Ok(both) => both,
            Err(limit) => return Ok(Outcome::stopped(limit, &meter)),
        };
        let outcome =
            job.search(&space, &meter.rest(budget), watcher).heuristic(bound).prune(rules).run(name)?;
        Ok(named(self.board(), outcome.after(&meter)))
    }

    /// A general strategy on the space of pushes.
    fn run_pushes(
        &self,
        name: &str,
        job: &Job,
        budget: &Budget,
        watcher: &mut dyn Watcher,
    ) -> Result<Outcome<String>, Unsupported> {
        let space = Pushes::new(self.board()).ok_or_else(|| too_large(name))?;
        let mut meter = Meter::new(budget);
        let (bound, rules) = match self.bound_and_rules(job, &mut meter)? {
            Ok(both) => both,
            Err(limit) => return Ok(Outcome::stopped(limit, &meter)),
        };
        let outcome =
            job.search(&space, &meter.rest(budget), watcher).heuristic(bound).prune(rules).run(name)?;
        Ok(named(self.board(), space.in_steps(outcome.after(&meter))))
    }

    /// The heuristic and the rules of a job with their tables; or the limit that ended the making of these.
    fn bound_and_rules(
        &self,
        job: &Job,
        meter: &mut Meter,
    ) -> Result<Result<(Bound, Rules), Limit>, Unsupported> {
        let wanted = job.heuristic.as_deref();
        let which = Bound::named(wanted).ok_or_else(|| unknown("heuristic", wanted.unwrap_or_default()))?;
        let on = Rules::named(job.rules.as_deref()).map_err(|name| unknown("rule", &name))?;
        Ok(Field::within(self.board(), false, meter).and_then(|field| {
            let field = Arc::new(field);
            Ok((Bound::new(Arc::clone(&field), which), Rules::new(field, on, meter)?))
        }))
    }

    /// The strongest solver for an objective.
    fn best(
        &self,
        objective: &str,
        job: &Job,
        budget: &Budget,
        watcher: &mut dyn Watcher,
    ) -> Result<Outcome<String>, Unsupported> {
        let board = self.board();
        if objective == "any" {
            if job.rules.is_some() {
                let why = "for the objective any it chooses its rules itself".to_owned();
                return Err(Unsupported::Needs { strategy: "best".to_owned(), why });
            }
            let (threads, seed) = (job.settings.threads, job.settings.seed);
            let options = Options { threads, seed, ..Options::default() };
            return Ok(named(board, satisficing::solve(board, &options, budget, watcher)));
        }
        let objective = match objective {
            "moves" => Objective::Moves,
            "pushes" => Objective::Pushes,
            "moves-pushes" => Objective::MovesPushes,
            "pushes-moves" => Objective::PushesMoves,
            other => return Err(unknown("objective", other)),
        };
        let on = job.rules.as_deref().map(|names| Rules::named(Some(names))).transpose();
        let on = on.map_err(|name| unknown("rule", &name))?;
        let mut meter = Meter::new(budget);
        let rules = on.map(|on| Rules::of_board(board, on, &mut meter)).transpose();
        Ok(match rules {
            Ok(rules) => {
                named(board, optimal::best_within(board, objective, rules.as_ref(), (budget, meter), watcher))
            }
            Err(limit) => Outcome::stopped(limit, &meter),
        })
    }
}

fn unknown(what: &'static str, name: &str) -> Unsupported {
    Unsupported::Unknown { what, name: name.to_owned() }
}

/// The steps of an outcome as letters, capital where they push.
fn named(board: &Board, outcome: Outcome<Dir>) -> Outcome<String> {
    outcome.map(lettering(board))
}

/// Names one step after another from the start on.
fn lettering(board: &Board) -> impl FnMut(Dir) -> String + '_ {
    let mut player = board.player();
    let mut boxed = vec![false; board.squares()];
    for &at in board.boxes() {
        boxed[at as usize] = true;
    }
    move |dir| {
        let to = board.next(player, dir);
        let push = std::mem::take(&mut boxed[to as usize]);
        if push {
            boxed[board.next(to, dir) as usize] = true;
        }
        player = to;
        dir.letter(push).to_string()
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
        let name = job.strategy.as_deref().unwrap_or("best");
        let objective = job.objective.as_deref().unwrap_or("moves");
        if name == "best" {
            return self.best(objective, job, budget, watcher);
        }
        if objective == "pushes" {
            return self.run_pushes(name, job, budget, watcher);
        }
        if !matches!(objective, "moves" | "any") {
            let why = format!("it counts steps or pushes; the objective {objective} is for the solver best");
            return Err(Unsupported::Needs { strategy: name.to_owned(), why });
        }
        // Every strategy is compiled for each width, so there are only two.
        match state_bits(self.board()) {
            0..=256 => self.run::<4>(name, job, budget, watcher),
            _ => self.run::<WIDEST>(name, job, budget, watcher),
        }
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

/// Splits a plan in l r u d L R U D into steps; blanks and line ends may stand anywhere, and a number repeats the letter
/// behind it.
pub fn read_plan(text: &str) -> Result<Vec<String>, TextError> {
    const MOST: usize = 10_000_000;
    let mut steps = Vec::new();
    let mut run: Option<usize> = None;
    for (at, letter) in text.char_indices() {
        if letter.is_whitespace() {
            continue;
        }
        if let Some(digit) = letter.to_digit(10) {
            run = Some((run.unwrap_or(0) * 10 + digit as usize).min(MOST));
            continue;
        }
        let span = at..at + letter.len_utf8();
        if Dir::of(letter).is_none() {
            return Err(TextError::new(span, format!("unknown step {letter:?}"), "one of l r u d L R U D"));
        }
        let count = run.take().unwrap_or(1);
        if steps.len() + count > MOST {
            return Err(TextError::new(span, "a plan of more than ten million steps", "a shorter plan"));
        }
        steps.extend((0..count).map(|_| letter.to_string()));
    }
    match run {
        Some(_) => Err(TextError::new(text.len()..text.len(), "a number with no step behind it", "a letter")),
        None => Ok(steps),
    }
}
