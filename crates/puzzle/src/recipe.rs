//! New puzzles from a seed: what is asked for, and the way that all kinds make them.
//!
//! A kind throws candidates; here they are solved, measured and chosen from. Nothing depends on the clock, so the same recipe
//! makes the same puzzle on every machine, and nothing leaves without an answer: a shortest plan, or the proof that none exists.

use std::time::Instant;

use beeline_search::random::Random;
use beeline_search::{Budget, Limit, Outcome, Verdict};

use crate::puzzle::{Job, Puzzle};

/// What a puzzle that is to be made should be like.
#[derive(Clone, Debug, Default)]
pub struct Recipe {
    /// The sides as the kind writes them: columns and rows, walls included; of tiles, rows and columns. The kind has a usual
    /// size.
    pub size: Option<(usize, usize)>,
    /// How many pieces, bricks, boxes or colours.
    pub pieces: Option<usize>,
    /// How long its shortest plan is, exactly.
    pub distance: Option<u64>,
    /// So many random steps away from the goal, instead of anywhere.
    pub walk: Option<u64>,
    /// How hard it is among its like.
    pub hardness: Hardness,
    /// Everything random comes from this.
    pub seed: u64,
    /// One that cannot be solved is wanted.
    pub unsolvable: bool,
    /// What making it may use, all candidates together. A limit ends the making and never changes what is made.
    pub budget: Budget,
}

/// Why no puzzle was made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotMade {
    /// The recipe asks for what there is not, or was not found.
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

/// What is left of a recipe's budget while candidates are made and solved.
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

    /// What is left, if there is anything.
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

    /// The budget of one search of a candidate: so many expansions, which is the same on every machine, within what is left.
    pub fn search(&self, expansions: u64) -> Result<Budget, Limit> {
        let left = self.left()?;
        let nodes = Some(left.nodes.map_or(expansions, |nodes| nodes.min(expansions)));
        let bytes = Some(left.bytes.map_or(MOST_BYTES, |bytes| bytes.min(MOST_BYTES)));
        Ok(Budget { nodes, bytes, ..left })
    }

    /// Counts what a search of a candidate took. A candidate that took too much of its own is passed over; one that met a limit
    /// of the recipe ends the making.
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

/// How hard, measured by the length of the shortest plan (for flow, by the decisions of the proof) among candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hardness {
    /// The easiest of five.
    Easy,
    /// The middle one of five.
    #[default]
    Medium,
    /// The hardest of twenty-five.
    Hard,
}

impl Hardness {
    /// All of them with their names.
    pub const ALL: [(&'static str, Self); 3] =
        [("easy", Self::Easy), ("medium", Self::Medium), ("hard", Self::Hard)];

    /// The name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, h)| *h == self).map_or("medium", |(name, _)| name)
    }

    fn candidates(self) -> usize {
        match self {
            Self::Easy | Self::Medium => 5,
            Self::Hard => 25,
        }
    }
}

/// A new puzzle with its answer.
pub struct Made {
    /// The puzzle.
    pub puzzle: Box<dyn Puzzle>,
    /// A shortest plan and what finding it took; or the proof that there is none.
    pub outcome: Outcome<String>,
    /// Expansions of all candidates together.
    pub spent: u64,
}

/// A candidate and what its search came to.
type Answered = (Box<dyn Puzzle>, Outcome<String>);

/// Candidates that are thrown before giving up.
const TRIES: usize = 2_000;
/// The most memory for solving one candidate. None of a usual size takes a tenth of it.
const MOST_BYTES: usize = 1 << 30;

impl Recipe {
    /// The size, or the usual one.
    pub fn size_or(&self, usual: (usize, usize)) -> (usize, usize) {
        self.size.unwrap_or(usual)
    }

    /// Refuses what a kind has no use for.
    pub fn refuse(&self, kind: &str, pieces: bool, distance: bool, walk: bool) -> Result<(), NotMade> {
        let asked = [(self.pieces.is_some(), pieces), (self.distance.is_some(), distance)];
        let names = ["a number of pieces", "a distance", "a walk"];
        let all = asked.into_iter().chain([(self.walk.is_some(), walk)]);
        match all.zip(names).find(|((asked, known), _)| *asked && !known) {
            Some((_, name)) => Err(format!("{kind} is not made with {name}").into()),
            None => Ok(()),
        }
    }

    /// Throws candidates, solves each by `job` within so many expansions, and keeps the one that is asked for.
    pub fn select(
        &self,
        job: &Job,
        expansions: u64,
        candidate: impl FnMut(&mut Random, &mut Spending<'_>) -> Result<Option<Box<dyn Puzzle>>, Limit>,
    ) -> Result<Made, NotMade> {
        let mut spending = Spending::new(&self.budget);
        let (puzzle, outcome) = self.choose(job, expansions, candidate, &mut spending)?;
        Ok(Made { puzzle, outcome, spent: spending.expanded })
    }

    fn choose(
        &self,
        job: &Job,
        expansions: u64,
        mut candidate: impl FnMut(&mut Random, &mut Spending<'_>) -> Result<Option<Box<dyn Puzzle>>, Limit>,
        spending: &mut Spending<'_>,
    ) -> Result<Answered, NotMade> {
        let mut random = Random::new(self.seed);
        let mut found: Vec<(u64, Answered)> = Vec::new();
        for _ in 0..TRIES {
            if found.len() == self.hardness.candidates() {
                break;
            }
            spending.left()?;
            let Some(puzzle) = candidate(&mut random, spending)? else { continue };
            let outcome = solve(&*puzzle, job, expansions, spending)?;
            match &outcome.verdict {
                Verdict::Exhausted if self.unsolvable => return Ok((puzzle, outcome)),
                Verdict::Solved(plan) if !self.unsolvable && plan.is_optimal() && plan.cost > 0 => {
                    let cost = plan.cost;
                    match self.distance {
                        None => found.push((cost, (puzzle, outcome))),
                        Some(distance) if cost >= distance => {
                            return cut(&(puzzle, outcome), distance, job, expansions, spending);
                        }
                        Some(_) => {}
                    }
                }
                _ => {}
            }
        }
        self.pick(found).ok_or_else(|| self.regret().into())
    }

    fn pick(&self, mut found: Vec<(u64, Answered)>) -> Option<Answered> {
        found.sort_by_key(|(cost, _)| *cost);
        let at = match self.hardness {
            Hardness::Easy => 0,
            Hardness::Medium => found.len() / 2,
            Hardness::Hard => found.len().checked_sub(1)?,
        };
        (at < found.len()).then(|| found.swap_remove(at).1)
    }

    fn regret(&self) -> String {
        match (self.unsolvable, self.distance) {
            (true, _) => {
                "no unsolvable puzzle of this size was found; try another seed or more pieces".into()
            }
            (_, Some(d)) => format!("no puzzle of this size with a shortest plan of {d} steps was found"),
            _ => "this size leaves no room, or no candidate could be solved quickly enough".into(),
        }
    }
}

/// Solves a candidate within a number of expansions and what is left of the recipe's budget.
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

/// What is left of a shortest plan is a shortest plan from where it stands: so a puzzle is brought to an exact distance.
fn cut(
    (puzzle, outcome): &Answered,
    distance: u64,
    job: &Job,
    expansions: u64,
    spending: &mut Spending<'_>,
) -> Result<Answered, NotMade> {
    let plan = outcome.solution().map(|s| s.moves.as_slice()).unwrap_or_default();
    let mut game = puzzle.game();
    for step in &plan[..plan.len().saturating_sub(distance as usize)] {
        game.play(step)?;
    }
    let puzzle = game.here();
    let outcome = solve(&*puzzle, job, expansions, spending)?;
    match outcome.solution() {
        Some(plan) if plan.cost == distance && plan.is_optimal() => Ok((puzzle, outcome)),
        _ => Err(format!("the puzzle was to be {distance} steps from its goal, and is not").into()),
    }
}
