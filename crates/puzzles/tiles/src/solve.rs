//! The strongest solver: for each size of board the best estimates that pay, cheap ones first.
//!
//! * 4×4: the engine's iterative deepening for easy boards. Then pattern databases, if available without building: 7-8,
//!   otherwise 6-6-3. If not, the search without tables tries first; then 6-6-3, which take a second to build; and if even they
//!   fail, 7-8 are built. If the memory is too small for a set, the next smaller one is used, finally none at all.
//! * 5×5: weighted A* for a good plan at once. Then 6-6-6-6, or iterative deepening without tables if the memory is too small.
//!   If 6-6-6-6-seven are available, they are loaded when the first of their partitions has cost as much as loading takes.
//! * All others: the engine's A* or iterative deepening with linear conflicts.
//!
//! Each stage passes on the bound that it proved: a depth-first search stopped in a round has shown that no plan is shorter
//! than the round's bound. A stage ends after a number of expansions, never by the clock, so that the figures of a search do
//! not depend on the speed of the machine. On boards larger than 4×4 a limit therefore ends with the best plan so far and a
//! proved bound.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use beeline_search::clock::Instant;
use beeline_search::strategies::TableCache;
use beeline_search::{
    Budget, Heuristic, Limit, Meter, Outcome, Search, Settings, Solution, Space, Stats, Unsupported, Verdict,
};

use super::Sliding;
use super::board::{Board, Goal, Step};
use super::bounds::{ErasedHeuristic, LinearConflict};
use super::pattern::build::Progress;
use super::pattern::database::{TableError, cache_folder};
use super::pattern::tables::{Building, Tables, tables};
use super::pattern::{fetch, is_available};
use super::table_free::{ALL, Found, TableFreeIda};
use super::word::pack;
use beeline_puzzle::puzzle::{Preparation, Relay, Watcher};

/// Expansions with linear conflicts before any tables are fetched: 4 ms.
const EASY: u64 = 1 << 12;
/// Expansions without tables, of all searches of the process, before 6-6-3 are built. They take as long as the building, so the
/// total is at most twice that of the better choice.
const WITHOUT_TABLES: u64 = 1 << 22;
/// Their number so far.
static SPENT_WITHOUT_TABLES: AtomicU64 = AtomicU64::new(0);
/// Expansions with the first partition of 6-6-6-6-seven, of all searches of the process, before all seven are loaded from the
/// cache. They take as long as the loading, which spreads 3.4 GB.
const WITH_ONE_PARTITION: u64 = 1 << 28;
/// Their number so far.
static SPENT_WITH_ONE_PARTITION: AtomicU64 = AtomicU64::new(0);
/// Expansions with 6-6-3 before 7-8 are built: a minute.
const WITH_SMALL_TABLES: u64 = 1 << 31;
/// Weights of weighted A*, and expansions with each. The first plans come at once; the others take about four seconds together.
const WEIGHTS: [(f64, u64); 5] =
    [(5.0, 1 << 16), (3.0, 1 << 17), (2.0, 1 << 20), (1.6, 1 << 20), (1.3, 1 << 20)];
/// The number of weights tried before tables, which find a shortest plan soon.
const BEFORE_TABLES: usize = 2;
/// Peak bytes of building 7-8.
const BYTES_FOR_LARGE: usize = 2_500_000_000;
/// A solve in progress.
struct Job<'a> {
    board: Board,
    budget: &'a Budget,
    started: Instant,
    settings: &'a Settings,
    stats: Stats,
    /// The proved lower bound.
    proved: u64,
    best: Option<Vec<Step>>,
    watcher: &'a mut dyn Watcher,
}

/// The end of a stage.
#[derive(Clone, Copy)]
enum Stage {
    /// With a shortest plan.
    Done,
    /// By a limit of its own or of the job.
    Stopped(Limit),
}

/// Solves a solvable board.
pub fn best(
    board: &Board,
    settings: &Settings,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<Step>, Unsupported> {
    let mut job = Job::new(board, settings, budget, watcher);
    let stage = match (job.board.rows(), job.board.columns()) {
        _ if job.board.is_solved() => {
            job.best = Some(Vec::new());
            Stage::Done
        }
        (4, 4) => job.fifteen()?,
        (5, 5) => job.twenty_four()?,
        _ => job.others()?,
    };
    Ok(job.outcome(stage, board.goal))
}

/// Solves with one set of tables, which must fit the board.
pub fn with_tables(
    board: &Board,
    set: &'static Tables,
    settings: &Settings,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Outcome<Step> {
    let mut job = Job::new(board, settings, budget, watcher);
    let stage = job.tables(set, None);
    job.outcome(stage, board.goal)
}

/// Solves a 4×4 board with these improvements of the Manhattan distance and no tables.
pub fn without_tables(
    board: &Board,
    features: u8,
    settings: &Settings,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Outcome<Step> {
    let mut job = Job::new(board, settings, budget, watcher);
    let stage = job.table_free(features, None);
    job.outcome(stage, board.goal)
}

impl<'a> Job<'a> {
    fn new(board: &Board, settings: &'a Settings, budget: &'a Budget, watcher: &'a mut dyn Watcher) -> Self {
        Self {
            board: board.blank_first(),
            budget,
            started: Instant::now(),
            settings,
            stats: Stats::default(),
            proved: 0,
            best: None,
            watcher,
        }
    }

    /// The rest of the budget, with at most `most` expansions.
    fn left(&self, most: Option<u64>) -> Budget {
        let left = self.budget.after(self.started.elapsed(), self.stats.expanded);
        let nodes = left.nodes.into_iter().chain(most).min();
        Budget { nodes, ..left }
    }

    /// The limit of the job that was reached, if any.
    fn spent(&self) -> Option<Limit> {
        let left = self.left(None);
        if left.cancel.is_cancelled() {
            Some(Limit::Cancelled)
        } else if left.time == Some(Duration::ZERO) {
            Some(Limit::Time)
        } else {
            (left.nodes == Some(0)).then_some(Limit::Nodes)
        }
    }

    /// The end of the job if no stage may follow this one. A stage that ended by its own number of expansions does not know
    /// which limit of the job was reached meanwhile.
    fn ended(&self, stage: Stage) -> Option<Stage> {
        match stage {
            Stage::Done => Some(stage),
            Stage::Stopped(_) => self.spent().map(Stage::Stopped),
        }
    }

    /// Records the figures of a search.
    fn note(&mut self, found: Found, limit: Option<Limit>) -> Stage {
        self.stats.expanded += found.expanded;
        self.stats.generated += found.generated;
        for round in &found.rounds {
            self.watcher.round(round.bound);
        }
        // A round was begun, so the rounds before it found nothing.
        self.proved = self.proved.max(found.rounds.last().map_or(0, |round| round.bound));
        self.stats.rounds.extend(found.rounds);
        self.stats.elapsed = self.started.elapsed();
        self.watcher.tick(&self.stats);
        match (found.plan, limit) {
            (Some(plan), _) => {
                self.stats.depth = plan.len() as u64;
                self.best = Some(plan);
                Stage::Done
            }
            (None, limit) => Stage::Stopped(limit.unwrap_or(Limit::Time)),
        }
    }

    fn table_free(&mut self, features: u8, most: Option<u64>) -> Stage {
        let table_free = match TableFreeIda::shared(features, &mut Meter::new(&self.left(None))) {
            Ok(table_free) => table_free,
            Err(limit) => return Stage::Stopped(limit),
        };
        self.stats.bytes = self.stats.bytes.max(table_free.bytes());
        self.watcher.tables("none");
        let (found, limit) = table_free.search(pack(self.board.cells()), &self.left(most));
        self.note(found, limit)
    }

    fn tables(&mut self, set: &'static Tables, most: Option<u64>) -> Stage {
        // The limit on expansions is for searches, not for building a table.
        let budget = Budget { nodes: None, ..self.left(None) };
        let fetched = fetch(set, self.settings, &budget, &mut announce(set, self.settings, self.watcher));
        let tables = match fetched {
            Ok(tables) => tables,
            Err(TableError::Stopped(limit)) => return Stage::Stopped(limit),
            Err(TableError::Unsupported | TableError::Io(_)) => return Stage::Stopped(Limit::Memory),
        };
        self.stats.bytes = self.stats.bytes.max(tables.bytes());
        self.watcher.tables(set.name);
        let threads = self.settings.threads.max(1);
        let (found, limit) = tables.search(self.board.cells(), self.proved as u32, threads, &self.left(most));
        self.note(found, limit)
    }

    /// Is a set available without building it?
    fn is_available(&self, set: &'static Tables) -> bool {
        is_available(set, self.settings, self.budget)
    }

    fn fifteen(&mut self) -> Result<Stage, Unsupported> {
        let first = self.engine("idastar", Some(EASY))?;
        let named = |name| tables(name, 4, 4);
        let (Some(large), Some(small)) = (named("7-8"), named("6-6-3")) else { return Ok(first) };
        if let Some(stage) = self.ended(first) {
            return Ok(stage);
        }
        let room = self.budget.bytes.is_none_or(|bytes| bytes >= BYTES_FOR_LARGE);
        let large_available = self.is_available(large);
        if !large_available
            && !self.is_available(small)
            && let Some(stage) =
                self.sharing(WITHOUT_TABLES, &SPENT_WITHOUT_TABLES, |job, most| job.table_free(ALL, most))
        {
            return Ok(stage);
        }
        if !large_available && room {
            let third = self.tables_that_fit(&["6-6-3"], Some(WITH_SMALL_TABLES));
            if let Some(stage) = self.ended(third) {
                return Ok(stage);
            }
        }
        let all = ["7-8", "6-6-3", "5-5-5"];
        Ok(self.tables_that_fit(if large_available || room { &all } else { &all[1..] }, None))
    }

    /// Runs a stage with what all searches of the process left of its expansions. Returns its end if no stage may follow.
    fn sharing(
        &mut self,
        all: u64,
        spent: &AtomicU64,
        stage: impl FnOnce(&mut Self, Option<u64>) -> Stage,
    ) -> Option<Stage> {
        let most = all.saturating_sub(spent.load(Ordering::Relaxed));
        if most == 0 {
            return None;
        }
        let before = self.stats.expanded;
        let end = stage(self, Some(most));
        spent.fetch_add(self.stats.expanded - before, Ordering::Relaxed);
        self.ended(end)
    }

    /// Searches with the first of these sets of tables that fits the memory; without tables if there is none.
    fn tables_that_fit(&mut self, names: &[&str], most: Option<u64>) -> Stage {
        for set in names.iter().filter_map(|name| tables(name, 4, 4)) {
            match self.tables(set, most) {
                Stage::Stopped(Limit::Memory) => {}
                stage => return stage,
            }
        }
        self.table_free(ALL, most)
    }

    fn twenty_four(&mut self) -> Result<Stage, Unsupported> {
        let fits = |set: &Tables| self.budget.bytes.is_none_or(|bytes| bytes >= set.patterns().len() << 28);
        // The larger set takes three times as long to build, so it is used only if it is available.
        let large = tables("6-6-6-6-seven", 5, 5).filter(|set| self.is_available(set) && fits(set));
        let set = large.or(tables("6-6-6-6", 5, 5));
        let is_available = set.is_some_and(|set| self.is_available(set));
        self.quick(&WEIGHTS[..if is_available { BEFORE_TABLES } else { WEIGHTS.len() }])?;
        // An easy board must not wait for a table.
        let first = self.engine("idastar", Some(EASY))?;
        if let Some(stage) = self.ended(first) {
            return Ok(stage);
        }
        if large.is_some()
            && let Some(first) = tables("6-6-6-6-first", 5, 5)
            && let Some(stage) = self
                .sharing(WITH_ONE_PARTITION, &SPENT_WITH_ONE_PARTITION, |job, most| job.tables(first, most))
        {
            return Ok(stage);
        }
        match set {
            Some(set) => match self.tables(set, None) {
                Stage::Stopped(Limit::Memory) => self.engine("idastar", None),
                stage => Ok(stage),
            },
            None => Ok(first),
        }
    }

    fn others(&mut self) -> Result<Stage, Unsupported> {
        if self.board.squares() <= 12 {
            return self.engine("astar", None);
        }
        self.quick(&WEIGHTS)?;
        self.engine("idastar", None)
    }

    /// Finds a plan at once and improves it while that is quick: weighted A* with falling weights.
    fn quick(&mut self, weights: &[(f64, u64)]) -> Result<(), Unsupported> {
        let space = Sliding::new(&self.board);
        let estimate = LinearConflict::new(&space).estimate(&space, &space.start());
        self.proved = self.proved.max(u64::from(estimate));
        // At most a quarter of the time: the rest is for the proof.
        let end = self.budget.time.map(|time| time / 4);
        for &(weight, most) in weights {
            let time = end.map(|end| end.saturating_sub(self.started.elapsed()));
            if time == Some(Duration::ZERO) || self.spent().is_some() {
                break;
            }
            let settings = Settings { weight, ..Settings::default() };
            let left = self.left(Some(most));
            let bytes = Some(self.budget.bytes.unwrap_or(1 << 30).min(1 << 30));
            let budget = Budget { bytes, time: left.time.into_iter().chain(time).min(), ..left };
            let outcome = self.run("wastar", &space, settings, &budget)?;
            self.absorb(outcome);
        }
        Ok(())
    }

    fn engine(&mut self, strategy: &str, most: Option<u64>) -> Result<Stage, Unsupported> {
        let space = Sliding::new(&self.board);
        let budget = self.left(most);
        let outcome = self.run(strategy, &space, Settings::default(), &budget)?;
        let limit = match outcome.verdict {
            Verdict::Stopped(limit) => Some(limit),
            _ => None,
        };
        if let Some(round) = outcome.stats.rounds.last() {
            self.proved = self.proved.max(round.bound);
        }
        self.absorb(outcome);
        Ok(limit.map_or(Stage::Done, Stage::Stopped))
    }

    fn run(
        &mut self,
        strategy: &str,
        space: &Sliding,
        settings: Settings,
        budget: &Budget,
    ) -> Result<Outcome<Step>, Unsupported> {
        self.watcher.tables("none");
        let heuristic = ErasedHeuristic::linear_conflict(LinearConflict::new(space));
        let search = Search::new(space).heuristic(heuristic).settings(settings).budget(budget.clone());
        search.observer(Relay::new(space, self.watcher)).run(strategy)
    }

    /// Takes a plan if it is better, and adds the figures.
    fn absorb(&mut self, outcome: Outcome<Step>) {
        self.stats.absorb(&outcome.stats);
        self.stats.rounds.extend(outcome.stats.rounds);
        if let Verdict::Solved(solution) = outcome.verdict {
            self.proved = self.proved.max(solution.lower_bound);
            if self.best.as_ref().is_none_or(|best| solution.moves.len() < best.len()) {
                self.best = Some(solution.moves);
            }
        }
        self.stats.elapsed = self.started.elapsed();
        self.watcher.tick(&self.stats);
    }

    /// The outcome, with the steps reversed if the board was turned.
    fn outcome(mut self, stage: Stage, goal: Goal) -> Outcome<Step> {
        self.stats.elapsed = self.started.elapsed();
        let turn = |step: Step| if goal == Goal::BlankFirst { step } else { step.back() };
        let verdict = match (self.best, stage) {
            (Some(plan), stage) => {
                let cost = plan.len() as u64;
                let lower_bound = match stage {
                    Stage::Done => cost,
                    Stage::Stopped(_) => self.proved.min(cost),
                };
                if let Stage::Stopped(limit) = stage
                    && lower_bound < cost
                {
                    self.stats.stopped = Some(limit);
                }
                Verdict::Solved(Solution { moves: plan.into_iter().map(turn).collect(), cost, lower_bound })
            }
            (None, Stage::Stopped(limit)) => Verdict::Stopped(limit),
            (None, Stage::Done) => Verdict::GaveUp,
        };
        Outcome { verdict, stats: self.stats }
    }
}

/// Reports the progress of a set's tables to a watcher.
pub(super) fn announce<'a>(
    set: &'a Tables,
    settings: &Settings,
    watcher: &'a mut dyn Watcher,
) -> impl FnMut(Building) + 'a {
    let kept = cache_folder().filter(|_| settings.tables == TableCache::Keep);
    let what = format!("tables {} of the {}-puzzle", set.name, set.rows * set.columns - 1);
    let bytes = set.bytes();
    move |building| {
        let Progress { done, all, .. } = building.progress;
        let (before, patterns) = (building.pattern as u64 - 1, building.patterns as u64);
        // Each table has equal weight.
        let (done, all) = (before * all + done, patterns * all);
        watcher.building(&Preparation { what: &what, bytes, kept: kept.as_deref(), done, all });
    }
}
