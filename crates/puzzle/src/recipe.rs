//! New puzzles from a seed: recipes, and the generation that all kinds share.
//!
//! A kind generates candidates. This module solves and measures them and selects one. Nothing depends on the clock, so the same
//! recipe makes the same puzzle on every machine. Every puzzle comes with an answer: a shortest plan, or a proof that none
//! exists.

use beeline_search::clock::Instant;
use beeline_search::random::Random;
use beeline_search::{Budget, Limit, Outcome, Verdict};

use crate::puzzle::{Job, Puzzle};

/// The requirements for a new puzzle.
#[derive(Clone, Debug, Default)]
pub struct Recipe {
    /// The sides in the kind's notation: columns and rows, walls included; for tiles, rows and columns. `None` is the kind's
    /// usual size.
    pub size: Option<(usize, usize)>,
    /// The number of pieces, bricks, boxes or colours.
    pub pieces: Option<usize>,
    /// The exact length of its shortest plan.
    pub distance: Option<u64>,
    /// The number of random steps from the goal, instead of a random position.
    pub walk: Option<u64>,
    /// The level of difficulty within its kind.
    pub hardness: Hardness,
    /// The seed of all randomness.
    pub seed: u64,
    /// Requires an unsolvable puzzle.
    pub unsolvable: bool,
    /// The budget of the generation, all candidates together. A limit ends the generation and never changes its result.
    pub budget: Budget,
}

/// Why no puzzle was made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotMade {
    /// The recipe is impossible, or no candidate fits it.
    #[error("{0}")]
    Refused(String),
    /// A limit of the recipe's budget.
    #[error("stopped by the {} limit", .0.name())]
    Stopped(Limit),
}

impl From<String> for NotMade {
    fn from(why: String) -> Self {
        Self::Refused(why)
    }
}

impl From<&str> for NotMade {
    fn from(why: &str) -> Self {
        Self::Refused(why.to_owned())
    }
}

impl From<Limit> for NotMade {
    fn from(limit: Limit) -> Self {
        Self::Stopped(limit)
    }
}

/// The rest of a recipe's budget while candidates are generated and solved.
#[derive(Debug)]
pub struct Spending<'a> {
    budget: &'a Budget,
    started: Instant,
    expanded: u64,
}

impl<'a> Spending<'a> {
    /// Starts the clock.
    pub fn new(budget: &'a Budget) -> Self {
        Self { budget, started: Instant::now(), expanded: 0 }
    }

    /// Expansions so far.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// The rest of the budget; an error if a limit is reached.
    pub fn left(&self) -> Result<Budget, Limit> {
        let left = self.budget.after(self.started.elapsed(), self.expanded);
        if left.cancel.is_cancelled() {
            Err(Limit::Cancelled)
        } else if left.nodes == Some(0) {
            Err(Limit::Nodes)
        } else if left.time.is_some_and(|time| time.is_zero()) {
            Err(Limit::Time)
        } else {
            Ok(left)
        }
    }

    /// The budget of one candidate's search: this many expansions, which is the same on every machine, within the rest.
    pub fn search(&self, expansions: u64) -> Result<Budget, Limit> {
        let left = self.left()?;
        let nodes = Some(left.nodes.map_or(expansions, |nodes| nodes.min(expansions)));
        let bytes = Some(left.bytes.map_or(MOST_BYTES, |bytes| bytes.min(MOST_BYTES)));
        Ok(Budget { nodes, bytes, ..left })
    }

    /// Counts a candidate's search. A candidate that exceeded its own expansions is skipped. One that reached a limit of the
    /// recipe ends the generation.
    pub fn count(&mut self, expanded: u64, stopped: Option<Limit>) -> Result<(), Limit> {
        self.expanded = self.expanded.saturating_add(expanded);
        match stopped {
            Some(Limit::Nodes) if self.budget.nodes.is_none_or(|nodes| self.expanded < nodes) => Ok(()),
            Some(Limit::Memory) if self.budget.bytes.is_none_or(|bytes| bytes >= MOST_BYTES) => Ok(()),
            Some(limit) => Err(limit),
            None => Ok(()),
        }
    }
}

/// How hard a puzzle is: a level of its kind's [`Scale`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hardness {
    /// Below medium.
    Easy,
    /// At least [`Scale::medium`].
    #[default]
    Medium,
    /// At least [`Scale::hard`]; of several such candidates the hardest.
    Hard,
}

/// The measured difficulty of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Measure {
    /// The cost of its shortest plan.
    pub plan: u64,
    /// The states that the solver expanded to find and prove the plan.
    pub effort: u64,
}

impl Measure {
    /// The measure of this outcome, if it has a plan.
    pub fn of<M>(outcome: &Outcome<M>) -> Option<Self> {
        outcome.solution().map(|plan| Self { plan: plan.cost, effort: outcome.stats.expanded })
    }

    fn reaches(self, least: Self) -> bool {
        self.plan >= least.plan && self.effort >= least.effort
    }
}

/// The thresholds of a kind's levels. A puzzle must reach both figures of a level: neither a long plan without choices nor a
/// short plan is hard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// A puzzle with a shorter plan is taken only if no longer one is found.
    pub least: u64,
    /// The lower limits of a medium puzzle.
    pub medium: Measure,
    /// The lower limits of a hard puzzle.
    pub hard: Measure,
}

impl Scale {
    /// The level of a puzzle.
    pub fn level(&self, measure: Measure) -> Hardness {
        if measure.reaches(self.hard) {
            Hardness::Hard
        } else if measure.reaches(self.medium) {
            Hardness::Medium
        } else {
            Hardness::Easy
        }
    }

    /// The usual range of plan lengths at this level.
    fn plans(&self, level: Hardness) -> (u64, u64) {
        match level {
            Hardness::Easy => (self.least, self.medium.plan - 1),
            Hardness::Medium => (self.medium.plan, self.hard.plan - 1),
            Hardness::Hard => (self.hard.plan, u64::MAX),
        }
    }
}

/// How a kind's candidates are solved and judged.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The job that solves a candidate.
    pub job: Job,
    /// Expansions per candidate; a candidate that needs more is skipped.
    pub expansions: u64,
    /// Expansions of all candidates together. When they are spent, the candidate closest to the recipe is taken.
    pub expansions_in_all: u64,
    /// The kind's levels.
    pub scale: Scale,
}

impl Hardness {
    /// All levels with their names.
    pub const ALL: [(&'static str, Self); 3] =
        [("easy", Self::Easy), ("medium", Self::Medium), ("hard", Self::Hard)];

    /// The name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, h)| *h == self).map_or("medium", |(name, _)| name)
    }
}

/// A new puzzle with its answer.
pub struct Made {
    /// The puzzle.
    pub puzzle: Box<dyn Puzzle>,
    /// A shortest plan and its figures, or the proof that there is none.
    pub outcome: Outcome<String>,
    /// Its measured level; `None` if it is unsolvable.
    pub level: Option<Hardness>,
    /// The number of candidates that were solved.
    pub candidates: usize,
    /// Expansions of all candidates together.
    pub spent: u64,
}

/// A candidate and the outcome of its search.
type SolvedCandidate = (Box<dyn Puzzle>, Outcome<String>);

/// Most candidates generated before giving up.
const TRIES: usize = 2_000;
/// Solved candidates among which a hard puzzle is the hardest. More take longer and gain little: the longest plan of 25 is a
/// tenth longer than that of 10.
const HARDEST_OF: usize = 10;
/// Most bytes for solving one candidate. None of a usual size takes a tenth of it.
const MOST_BYTES: usize = 1 << 30;

impl Recipe {
    /// The size, or the kind's usual one.
    pub fn size_or(&self, usual: (usize, usize)) -> (usize, usize) {
        self.size.unwrap_or(usual)
    }

    /// Refuses requirements that a kind does not support.
    pub fn refuse(&self, kind: &str, pieces: bool, distance: bool, walk: bool) -> Result<(), NotMade> {
        let asked = [(self.pieces.is_some(), pieces), (self.distance.is_some(), distance)];
        let names = ["a number of pieces", "a distance", "a walk"];
        let all = asked.into_iter().chain([(self.walk.is_some(), walk)]);
        match all.zip(names).find(|((asked, known), _)| *asked && !known) {
            Some((_, name)) => Err(format!("{kind} is not made with {name}").into()),
            None => Ok(()),
        }
    }

    /// Generates candidates, solves each, and keeps the one that fits the recipe. If no candidate has the required level, it
    /// keeps the closest, and [`Made::level`] tells its level.
    pub fn select(
        &self,
        trial: &Trial,
        mut candidate: impl FnMut(&mut Random, &mut Spending<'_>) -> Result<Option<Box<dyn Puzzle>>, Limit>,
    ) -> Result<Made, NotMade> {
        let mut spending = Spending::new(&self.budget);
        let mut random = Random::new(self.seed);
        let mut found = Found::new(self.hardness, trial.scale);
        for _ in 0..TRIES {
            if found.enough() || spending.expanded >= trial.expansions_in_all {
                break;
            }
            spending.left()?;
            let Some(puzzle) = candidate(&mut random, &mut spending)? else { continue };
            let outcome = solve(&*puzzle, &trial.job, trial.expansions, &mut spending)?;
            match &outcome.verdict {
                Verdict::Exhausted if self.unsolvable => {
                    let (level, candidates, spent) = (None, found.solved + 1, spending.expanded);
                    return Ok(Made { puzzle, outcome, level, candidates, spent });
                }
                Verdict::Solved(plan) if !self.unsolvable && plan.is_optimal() && plan.cost > 0 => {
                    let cost = plan.cost;
                    found.longest = found.longest.max(cost);
                    let wanted = match (self.distance, self.walk) {
                        (None, None) => found.shorter_distance(cost, &outcome, &mut random),
                        (distance, _) => distance,
                    };
                    let answered = (puzzle, outcome);
                    match wanted {
                        Some(distance) if distance > cost => {}
                        Some(distance) if distance < cost => {
                            found.add(cut(&answered, distance, trial, &mut spending)?);
                        }
                        _ => found.add(answered),
                    }
                    // A distance or a walk already determines the difficulty.
                    if (self.distance.is_some() || self.walk.is_some()) && found.best.is_some() {
                        break;
                    }
                }
                _ => {}
            }
        }
        let (longest, candidates) = (found.longest, found.solved);
        let (measure, (puzzle, outcome)) = found.best.ok_or_else(|| self.not_found_message(longest))?;
        let level = Some(trial.scale.level(measure));
        Ok(Made { puzzle, outcome, level, candidates, spent: spending.expanded })
    }

    fn not_found_message(&self, longest: u64) -> String {
        match (self.unsolvable, self.distance) {
            (true, _) => {
                "no unsolvable puzzle of this size was found; try another seed or more pieces".into()
            }
            (_, Some(d)) if longest > 0 => {
                format!(
                    "no puzzle of this size with a shortest plan of {d} steps was found; the longest that was found has \
                     {longest}, and every distance up to that can be had"
                )
            }
            _ => "this size leaves no room, or no candidate could be solved quickly enough".into(),
        }
    }
}

/// The candidates of a recipe so far, of which only the best is kept.
struct Found {
    wanted: Hardness,
    scale: Scale,
    best: Option<(Measure, SolvedCandidate)>,
    /// Candidates that were solved.
    solved: usize,
    /// The cost of the longest plan found.
    longest: u64,
}

impl Found {
    fn new(wanted: Hardness, scale: Scale) -> Self {
        Self { wanted, scale, best: None, solved: 0, longest: 0 }
    }

    /// Does the best candidate fit the recipe?
    fn enough(&self) -> bool {
        let Some((measure, _)) = &self.best else { return false };
        let right = self.scale.level(*measure) == self.wanted && measure.plan >= self.scale.least;
        right && (self.wanted != Hardness::Hard || self.solved >= HARDEST_OF)
    }

    /// The distance to which a candidate that is too hard is shortened.
    fn shorter_distance(&self, cost: u64, outcome: &Outcome<String>, random: &mut Random) -> Option<u64> {
        let level = self.scale.level(Measure::of(outcome)?);
        let (least, most) = self.scale.plans(self.wanted);
        (level > self.wanted && cost > most).then(|| least + random.below((most + 1 - least) as usize) as u64)
    }

    /// Counts a candidate, and keeps it if it is closer to the recipe than the best so far.
    fn add(&mut self, answered: SolvedCandidate) {
        self.solved += 1;
        let Some(measure) = Measure::of(&answered.1) else { return };
        let better = match &self.best {
            None => true,
            Some((best, _)) => self.distance(measure) < self.distance(*best),
        };
        if better {
            self.best = Some((measure, answered));
        }
    }

    /// The distance of a puzzle from the required difficulty: levels first, then the figures within a level.
    fn distance(&self, measure: Measure) -> (u8, u64, u64) {
        let level = self.scale.level(measure);
        let levels = (level as u8).abs_diff(self.wanted as u8);
        let trivial = u8::from(measure.plan < self.scale.least);
        let harder = (u64::MAX - measure.plan, u64::MAX - measure.effort);
        let easier = (measure.plan, measure.effort);
        let (plan, effort) =
            if level < self.wanted || self.wanted == Hardness::Hard { harder } else { easier };
        (2 * levels + trivial, plan, effort)
    }
}

/// Solves a candidate within a number of expansions and the rest of the recipe's budget.
pub fn solve(
    puzzle: &dyn Puzzle,
    job: &Job,
    expansions: u64,
    spending: &mut Spending<'_>,
) -> Result<Outcome<String>, NotMade> {
    let budget = spending.search(expansions)?;
    let outcome = puzzle.solve(job, &budget, &mut ()).map_err(|error| error.to_string())?;
    let stopped = match outcome.verdict {
        Verdict::Stopped(limit) => Some(limit),
        _ => None,
    };
    spending.count(outcome.stats.expanded, stopped)?;
    Ok(outcome)
}

/// Shortens a puzzle to an exact distance. Every suffix of a shortest plan is a shortest plan from where it starts.
fn cut(
    (puzzle, outcome): &SolvedCandidate,
    distance: u64,
    trial: &Trial,
    spending: &mut Spending<'_>,
) -> Result<SolvedCandidate, NotMade> {
    let plan = outcome.solution().map(|s| s.moves.as_slice()).unwrap_or_default();
    let mut game = puzzle.game();
    for step in &plan[..plan.len().saturating_sub(distance as usize)] {
        game.play(step)?;
    }
    let puzzle = game.here();
    let outcome = solve(&*puzzle, &trial.job, trial.expansions, spending)?;
    match outcome.solution() {
        Some(plan) if plan.cost == distance && plan.is_optimal() => Ok((puzzle, outcome)),
        _ => Err(format!("the puzzle was to be {distance} steps from its goal, and is not").into()),
    }
}
