//! The checked result of a search. It holds no plan that the checker does not accept.

use beeline_check::{Checked, Flaw};
use beeline_puzzles::{Kind, Puzzle};
use beeline_search::{Limit, Verdict};

/// How a search ended, after the check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A plan that passed the checker.
    Solved(Plan),
    /// There is no plan, and that is proved.
    Unsolvable,
    /// No plan was found, which proves nothing.
    GaveUp,
    /// A limit ended the search without a plan.
    Stopped(Limit),
    /// The checker does not accept the plan, and why. The plan itself is dropped so that no caller can show it.
    Rejected(String),
}

/// A plan that the checker accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The steps.
    pub steps: Vec<String>,
    /// Its cost.
    pub cost: u64,
    /// A proved bound: no plan costs less than this.
    pub lower_bound: u64,
}

/// What is proved about a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Promise {
    /// No plan is cheaper.
    Shortest,
    /// It costs at most this many times as much as the cheapest plan.
    Within(f64),
    /// Nothing is proved.
    Nothing,
}

impl Plan {
    /// What is proved about this plan.
    pub fn promise(&self) -> Promise {
        match self.lower_bound {
            bound if bound >= self.cost => Promise::Shortest,
            0 => Promise::Nothing,
            bound => Promise::Within(self.cost as f64 / bound as f64),
        }
    }
}

impl Promise {
    /// The promise as a sentence.
    pub fn sentence(self, lower_bound: u64) -> String {
        match self {
            Self::Shortest => "proved shortest".to_owned(),
            Self::Within(times) => {
                format!("at most {times:.2} times the shortest (no plan costs less than {lower_bound})")
            }
            Self::Nothing => "nothing proved".to_owned(),
        }
    }

    /// The promise as a table cell.
    pub fn cell(self) -> String {
        match self {
            Self::Shortest => "shortest".to_owned(),
            Self::Within(times) => format!("≤ {times:.2}×"),
            Self::Nothing => "–".to_owned(),
        }
    }

    /// The promise as a word for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Shortest => "optimal",
            Self::Within(_) => "bounded",
            Self::Nothing => "none",
        }
    }
}

impl Ending {
    /// Checks the result of a search with `check`, a function like [`checker`] makes.
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

    /// The ending as a word for programs and tables.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Solved(_) => "solved",
            Self::Unsolvable => "unsolvable",
            Self::GaveUp => "gave up",
            Self::Stopped(_) => "stopped",
            Self::Rejected(_) => "rejected",
        }
    }

    /// The limit that ended the search, or why the checker rejected the plan. A search with a plan may also have been `stopped`.
    pub fn reason(&self, stopped: Option<Limit>) -> Option<String> {
        match self {
            Self::Solved(_) => stopped.map(|limit| limit.name().to_owned()),
            Self::Stopped(limit) => Some(limit.name().to_owned()),
            Self::Rejected(why) => Some(why.clone()),
            Self::Unsolvable | Self::GaveUp => None,
        }
    }

    /// The plan, if there is one.
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

/// The solver that runs if the user names none.
pub fn default_solver(kind: &dyn Kind) -> &'static str {
    kind.solvers().first().map_or("best", |c| c.name)
}

/// The objective that is minimised if the user names none.
pub fn default_objective(kind: &dyn Kind) -> &'static str {
    kind.objectives().first().map_or("cost", |c| c.name)
}

/// The strategies to compare if the user names none: the kind's own solver, and usual ones of the engine.
pub fn usual_strategies(kind: &dyn Kind) -> Vec<String> {
    const USUAL: [&str; 5] = ["bfs", "idastar", "astar", "iw", "greedy"];
    let own = (!kind.solvers().is_empty()).then(|| default_solver(kind));
    own.into_iter().chain(USUAL).map(str::to_owned).collect()
}
