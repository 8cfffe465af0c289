//! What a search came to, after the check. No plan leaves here that the checker does not accept.

use beeline_check::{Checked, Flaw};
use beeline_puzzles::{Kind, Puzzle};
use beeline_search::{Limit, Verdict};

/// How a search ended, after the check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A plan that passed the checker.
    Solved(Plan),
    /// There is no plan.
    Unsolvable,
    /// None was found.
    GaveUp,
    /// A limit.
    Stopped(Limit),
    /// A plan was found that the checker does not accept, and why. The plan itself is not kept: nobody is to see it.
    Rejected(String),
}

/// A plan that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The steps.
    pub steps: Vec<String>,
    /// What they cost.
    pub cost: u64,
    /// No plan costs less than this.
    pub lower_bound: u64,
}

/// What is proved about a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Promise {
    /// There is no cheaper one.
    Shortest,
    /// It costs at most this many times the cheapest.
    Within(f64),
    /// Nothing.
    Nothing,
}

impl Plan {
    /// What is proved about it.
    pub fn promise(&self) -> Promise {
        match self.lower_bound {
            bound if bound >= self.cost => Promise::Shortest,
            0 => Promise::Nothing,
            bound => Promise::Within(self.cost as f64 / bound as f64),
        }
    }
}

impl Promise {
    /// The promise in a sentence.
    pub fn sentence(self, lower_bound: u64) -> String {
        match self {
            Self::Shortest => "proved shortest".to_owned(),
            Self::Within(times) => {
                format!("at most {times:.2} times the shortest (no plan costs less than {lower_bound})")
            }
            Self::Nothing => "nothing proved".to_owned(),
        }
    }

    /// The promise in a table.
    pub fn cell(self) -> String {
        match self {
            Self::Shortest => "shortest".to_owned(),
            Self::Within(times) => format!("≤ {times:.2}×"),
            Self::Nothing => "–".to_owned(),
        }
    }

    /// The promise for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Shortest => "optimal",
            Self::Within(_) => "bounded",
            Self::Nothing => "none",
        }
    }
}

impl Ending {
    /// Checks what a search has found. `check` is the checker: see [`checker`].
    pub fn of(verdict: Verdict<String>, check: impl FnOnce(&[String]) -> Result<Checked, Flaw>) -> Self {
        match verdict {
            Verdict::Solved(found) => match check(&found.moves) {
                Ok(checked) if checked.cost == found.cost => {
                    let (cost, lower_bound) = (found.cost, found.lower_bound.min(found.cost));
                    Self::Solved(Plan { steps: found.moves, cost, lower_bound })
                }
                Ok(checked) => Self::Rejected(format!(
                    "the solver says that the plan costs {}, the checker counts {}",
                    found.cost, checked.cost
                )),
                Err(flaw) => Self::Rejected(flaw.to_string()),
            },
            Verdict::Exhausted => Self::Unsolvable,
            Verdict::GaveUp => Self::GaveUp,
            Verdict::Stopped(limit) => Self::Stopped(limit),
        }
    }

    /// The ending for programs and tables.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Solved(_) => "solved",
            Self::Unsolvable => "unsolvable",
            Self::GaveUp => "gave up",
            Self::Stopped(_) => "stopped",
            Self::Rejected(_) => "rejected",
        }
    }

    /// Which limit ended the search, or why the checker rejected the plan. A search that has a plan may have been `stopped`, too.
    pub fn reason(&self, stopped: Option<Limit>) -> Option<String> {
        match self {
            Self::Solved(_) => stopped.map(|limit| limit.name().to_owned()),
            Self::Stopped(limit) => Some(limit.name().to_owned()),
            Self::Rejected(why) => Some(why.clone()),
            Self::Unsolvable | Self::GaveUp => None,
        }
    }

    /// The plan itself, if there is one.
    pub fn into_plan(self) -> Option<Plan> {
        match self {
            Self::Solved(plan) => Some(plan),
            _ => None,
        }
    }

    /// The plan, if there is one.
    pub fn plan(&self) -> Option<&Plan> {
        match self {
            Self::Solved(plan) => Some(plan),
            _ => None,
        }
    }
}

/// The independent checker for plans of this puzzle under an objective.
pub fn checker(
    puzzle: &dyn Puzzle,
    objective: Option<&str>,
) -> impl FnOnce(&[String]) -> Result<Checked, Flaw> {
    move |steps| beeline_check::check(puzzle.kind().name(), &puzzle.text(), objective, steps)
}

/// What runs when nothing is asked for.
pub fn default_solver(kind: &dyn Kind) -> &'static str {
    kind.solvers().first().map_or("best", |c| c.name)
}

/// What is minimised when nothing is asked for.
pub fn default_objective(kind: &dyn Kind) -> &'static str {
    kind.objectives().first().map_or("cost", |c| c.name)
}

/// What is compared when nothing is named: the kind's own solver, a blind, an informed, a novel and a rash one.
pub fn usual_strategies(kind: &dyn Kind) -> Vec<String> {
    const USUAL: [&str; 5] = ["bfs", "idastar", "astar", "iw", "greedy"];
    let own = (!kind.solvers().is_empty()).then(|| default_solver(kind));
    own.into_iter().chain(USUAL).map(str::to_owned).collect()
}
