//! The plans known for a level, found by searches in the background.

use std::time::Duration;

use beeline_puzzle::Game;
use beeline_search::Budget;

use crate::background::{Answer, Worker};

/// A plan, and the steps that lead to its start.
struct Plan {
    from: Vec<String>,
    steps: Vec<String>,
    shortest: bool,
}

/// The plans of one level, and the current search.
pub(crate) struct Plans {
    budget: Budget,
    /// The best plan from the start of the level.
    best: Option<Plan>,
    /// The plan from the position of the last hint.
    last: Option<Plan>,
    /// The running search.
    search: Option<Search>,
    /// Is the level proved unsolvable?
    unsolvable: bool,
}

/// A running search, and the steps that lead to its start.
struct Search {
    worker: Worker,
    from: Vec<String>,
    /// Is it limited because the player did not ask for it?
    limited: bool,
}

/// The limits of a search that the player did not ask for.
const LIMITED_TIME: Duration = Duration::from_secs(30);
const LIMITED_BYTES: usize = 512 << 20;

/// The rest of a plan from the current position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Route<'a> {
    pub(crate) steps: &'a [String],
    pub(crate) shortest: bool,
}

impl Plans {
    /// Starts a limited search for the best plan of a new game.
    pub(crate) fn new(game: &dyn Game, budget: Budget) -> Self {
        let mut plans = Self { budget, best: None, last: None, search: None, unsolvable: false };
        plans.start_limited_search(game);
        plans
    }

    /// The rest of a known plan that leads through this position.
    pub(crate) fn route(&self, history: &[String]) -> Option<Route<'_>> {
        [&self.best, &self.last].into_iter().flatten().find_map(|plan| {
            let done = history.strip_prefix(&plan.from[..])?;
            let steps = plan.steps.strip_prefix(done)?;
            Some(Route { steps, shortest: plan.shortest })
        })
    }

    /// Starts a search from here with small limits.
    pub(crate) fn start_limited_search(&mut self, game: &dyn Game) {
        let time = self.budget.time.map_or(LIMITED_TIME, |time| time.min(LIMITED_TIME));
        let bytes = self.budget.bytes.map_or(LIMITED_BYTES, |bytes| bytes.min(LIMITED_BYTES));
        let budget = Budget { time: Some(time), bytes: Some(bytes), ..self.budget.clone() };
        self.start(game, &budget, true);
    }

    /// Starts a search from here with the full budget, unless one is running.
    pub(crate) fn start_full_search(&mut self, game: &dyn Game) {
        let is_searching = |search: &Search| search.from == game.history() && !search.limited;
        if !self.search.as_ref().is_some_and(is_searching) {
            self.start(game, &self.budget.clone(), false);
        }
    }

    fn start(&mut self, game: &dyn Game, budget: &Budget, limited: bool) {
        let worker = Worker::start(game.here(), budget);
        self.search = Some(Search { worker, from: game.history().to_vec(), limited });
    }

    /// Is a search running?
    pub(crate) fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Stops a search that did not begin at the start of the level. A plan from the start is always useful.
    pub(crate) fn moved(&mut self) {
        self.search.take_if(|search| !search.from.is_empty());
    }

    /// The answer of the search, once it has ended. `None` if the game has left the position of the search.
    pub(crate) fn answer(&mut self, history: &[String]) -> Option<Answer> {
        let answer = self.search.as_ref()?.worker.answer()?;
        let Search { from, .. } = self.search.take()?;
        let asked_here = from == history;
        match &answer {
            Answer::Plan { steps, shortest } => {
                let plan = Plan { from, steps: steps.clone(), shortest: *shortest };
                let place = if plan.from.is_empty() { &mut self.best } else { &mut self.last };
                *place = Some(plan);
            }
            Answer::Impossible => self.unsolvable |= from.is_empty(),
            Answer::Unknown(_) => {}
        }
        asked_here.then_some(answer)
    }

    /// What is known about the best plan, as text.
    pub(crate) fn best_known(&self, dots: &str) -> String {
        let is_searching = self.search.as_ref().is_some_and(|search| search.from.is_empty());
        match &self.best {
            Some(Plan { steps, shortest: true, .. }) => steps.len().to_string(),
            Some(Plan { steps, .. }) => format!("{} or fewer", steps.len()),
            None if self.unsolvable => "cannot be solved".to_owned(),
            None if is_searching => format!("still looking{dots}"),
            None => "not known".to_owned(),
        }
    }

    /// The length of the best known plan, and whether it is proved shortest.
    pub(crate) fn best(&self) -> Option<(usize, bool)> {
        self.best.as_ref().map(|plan| (plan.steps.len(), plan.shortest))
    }
}
