//! New puzzles from a seed: what is asked for, and the way that all kinds make them.
//!
//! A kind throws candidates; here they are solved, measured and chosen from. Nothing depends on the clock, so the same recipe
//! makes the same puzzle on every machine, and nothing leaves without an answer: a shortest plan, or the proof that none exists.

use beeline_search::random::Random;
use beeline_search::{Budget, Outcome, Verdict};

use crate::puzzle::{Job, Puzzle};

/// What a puzzle that is to be made should be like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipe {
    /// Columns and rows, walls included; the kind has a usual size.
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
}

/// Candidates that are thrown before giving up.
const TRIES: usize = 2_000;

impl Recipe {
    /// The size, or the usual one.
    pub fn size_or(&self, usual: (usize, usize)) -> (usize, usize) {
        self.size.unwrap_or(usual)
    }

    /// Refuses what a kind has no use for.
    pub fn refuse(&self, kind: &str, pieces: bool, distance: bool, walk: bool) -> Result<(), String> {
        let asked = [(self.pieces.is_some(), pieces), (self.distance.is_some(), distance)];
        let names = ["a number of pieces", "a distance", "a walk"];
        let all = asked.into_iter().chain([(self.walk.is_some(), walk)]);
        match all.zip(names).find(|((asked, known), _)| *asked && !known) {
            Some((_, name)) => Err(format!("{kind} is not made with {name}")),
            None => Ok(()),
        }
    }

    /// Throws candidates, solves each by `job` within so many expansions, and keeps the one that is asked for.
    pub fn select(
        &self,
        job: &Job,
        expansions: u64,
        mut candidate: impl FnMut(&mut Random) -> Option<Box<dyn Puzzle>>,
    ) -> Result<Made, String> {
        let mut random = Random::new(self.seed);
        let mut found: Vec<(u64, Made)> = Vec::new();
        for _ in 0..TRIES {
            if found.len() == self.hardness.candidates() {
                break;
            }
            let Some(puzzle) = candidate(&mut random) else { continue };
            let outcome = solve(&*puzzle, job, expansions)?;
            match &outcome.verdict {
                Verdict::Exhausted if self.unsolvable => return Ok(Made { puzzle, outcome }),
                Verdict::Solved(plan) if !self.unsolvable && plan.is_optimal() && plan.cost > 0 => {
                    let cost = plan.cost;
                    match self.distance {
                        None => found.push((cost, Made { puzzle, outcome })),
                        Some(distance) if cost >= distance => {
                            return cut(&Made { puzzle, outcome }, distance, job, expansions);
                        }
                        Some(_) => {}
                    }
                }
                _ => {}
            }
        }
        self.pick(found).ok_or_else(|| self.regret())
    }

    fn pick(&self, mut found: Vec<(u64, Made)>) -> Option<Made> {
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

/// Solves within a number of expansions, which is the same on every machine.
pub fn solve(puzzle: &dyn Puzzle, job: &Job, expansions: u64) -> Result<Outcome<String>, String> {
    let budget = Budget { nodes: Some(expansions), bytes: Some(1 << 30), ..Budget::default() };
    puzzle.solve(job, &budget, &mut ()).map_err(|error| error.to_string())
}

/// What is left of a shortest plan is a shortest plan from where it stands: so a puzzle is brought to an exact distance.
fn cut(made: &Made, distance: u64, job: &Job, expansions: u64) -> Result<Made, String> {
    let plan = made.outcome.solution().map(|s| s.moves.as_slice()).unwrap_or_default();
    let mut game = made.puzzle.game();
    for step in &plan[..plan.len().saturating_sub(distance as usize)] {
        game.play(step)?;
    }
    let puzzle = game.here();
    let outcome = solve(&*puzzle, job, expansions)?;
    match outcome.solution() {
        Some(plan) if plan.cost == distance && plan.is_optimal() => Ok(Made { puzzle, outcome }),
        _ => Err(format!("the puzzle was to be {distance} steps from its goal, and is not")),
    }
}
