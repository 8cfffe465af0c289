//! What is known about ways to the goal: plans found in the background, and which of them the game is on.

use std::time::Duration;

use beeline_puzzle::Game;
use beeline_search::Budget;

use crate::background::{Answer, Worker};

/// A plan, and the steps that lead to where it begins.
struct Plan {
    from: Vec<String>,
    steps: Vec<String>,
    shortest: bool,
}

/// Plans of one level, and the search for another one.
pub(crate) struct Plans {
    budget: Budget,
    /// From the start: what "best known" means.
    best: Option<Plan>,
    /// From where a hint was asked for last.
    last: Option<Plan>,
    /// The search that runs.
    search: Option<Search>,
    /// The start cannot be solved.
    hopeless: bool,
}

/// A search that runs, and the steps that lead to where it began.
struct Search {
    worker: Worker,
    from: Vec<String>,
    /// Nobody asked for it, so it takes little.
    modest: bool,
}

/// What a search may use that nobody asked for.
const MODEST_TIME: Duration = Duration::from_secs(30);
const MODEST_BYTES: usize = 512 << 20;

/// The way on from where the game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Route<'a> {
    pub(crate) steps: &'a [String],
    pub(crate) shortest: bool,
}

impl Plans {
    /// Begins to look for the best plan of a new game.
    pub(crate) fn new(game: &dyn Game, budget: Budget) -> Self {
        let mut plans = Self { budget, best: None, last: None, search: None, hopeless: false };
        plans.look(game);
        plans
    }

    /// The way on, if a known plan leads through here.
    pub(crate) fn route(&self, history: &[String]) -> Option<Route<'_>> {
        [&self.best, &self.last].into_iter().flatten().find_map(|plan| {
            let done = history.strip_prefix(&plan.from[..])?;
            let steps = plan.steps.strip_prefix(done)?;
            Some(Route { steps, shortest: plan.shortest })
        })
    }

    /// Looks for a way on from here, as far as that is cheap.
    pub(crate) fn look(&mut self, game: &dyn Game) {
        let time = self.budget.time.map_or(MODEST_TIME, |time| time.min(MODEST_TIME));
        let bytes = self.budget.bytes.map_or(MODEST_BYTES, |bytes| bytes.min(MODEST_BYTES));
        let budget = Budget { time: Some(time), bytes: Some(bytes), ..self.budget.clone() };
        self.start(game, &budget, true);
    }

    /// Looks for a way on from here with all that there is, unless that is already being done.
    pub(crate) fn think(&mut self, game: &dyn Game) {
        let thinks = |search: &Search| search.from == game.history() && !search.modest;
        if !self.search.as_ref().is_some_and(thinks) {
            self.start(game, &self.budget.clone(), false);
        }
    }

    fn start(&mut self, game: &dyn Game, budget: &Budget, modest: bool) {
        let worker = Worker::start(game.here(), budget);
        self.search = Some(Search { worker, from: game.history().to_vec(), modest });
    }

    /// Is a search running?
    pub(crate) fn thinks(&self) -> bool {
        self.search.is_some()
    }

    /// Stops a search that began somewhere else than here; the one from the start goes on, it is always of use.
    pub(crate) fn moved(&mut self) {
        self.search.take_if(|search| !search.from.is_empty());
    }

    /// The answer of the search, once it is there, if the game still stands where it was asked for.
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
            Answer::Impossible => self.hopeless |= from.is_empty(),
            Answer::Unknown(_) => {}
        }
        asked_here.then_some(answer)
    }

    /// What is known about the best plan, for the person to read.
    pub(crate) fn best_known(&self, dots: &str) -> String {
        let thinks = self.search.as_ref().is_some_and(|search| search.from.is_empty());
        match &self.best {
            Some(Plan { steps, shortest: true, .. }) => steps.len().to_string(),
            Some(Plan { steps, .. }) => format!("{} or fewer", steps.len()),
            None if self.hopeless => "cannot be solved".to_owned(),
            None if thinks => format!("still looking{dots}"),
            None => "not known".to_owned(),
        }
    }

    /// The length of the best known plan, and whether it is the shortest.
    pub(crate) fn best(&self) -> Option<(usize, bool)> {
        self.best.as_ref().map(|plan| (plan.steps.len(), plan.shortest))
    }
}
