//! The strongest solver: for each size of board the best estimate that is worth its price, cheap ones first.
//!
//! * 4×4: the search without tables for a moment; then pattern databases, 7-8 if the cache has them, otherwise 6-6-3, which
//!   take a second to build; and when even they do not get through, 7-8 are built. Where the memory is too small for a set, the
//!   next smaller one is taken, and in the end none at all.
//! * 5×5: a good plan at once (weighted A*); then 6-6-6-6, or iterative deepening without tables where the memory is too small.
//! * All others: the engine's A* or iterative deepening with linear conflicts.
//!
//! Each stage hands on what it proved: a depth-first search that was stopped in a round has shown that no plan is shorter
//! than the round's bound. On boards larger than 4×4 a limit therefore ends with the best plan so far and a proved bound.

use std::path::Path;
use std::time::{Duration, Instant};

use beeline_search::{
    Budget, Heuristic, Limit, Meter, Outcome, Round, Search, Settings, Solution, Space, Stats, Unsupported,
    Verdict,
};

use super::Sliding;
use super::board::{Board, Goal, Step};
use super::bounds::{LinearConflict, Whole};
use super::count::pack;
use super::light::{ALL, Found, Light};
use super::machine::Machine;
use super::pattern::Patterns;
use super::pattern::database::{TableError, cache_folder};
use super::pattern::tables::{Cache, Tables, tables};
use beeline_puzzle::puzzle::{Relay, Watcher};

/// How long the search without tables may try before tables are fetched.
const WITHOUT_TABLES: Duration = Duration::from_millis(300);
/// How long 6-6-3 may try before 7-8 are built.
const WITH_SMALL_TABLES: Duration = Duration::from_mins(1);
/// What building 7-8 takes at its largest moment.
const BYTES_FOR_LARGE: usize = 2_500_000_000;
/// The strings that the machine knows: as many as pay.
const STRINGS: usize = 12;

/// A solve in progress.
struct Job<'a> {
    board: Board,
    budget: &'a Budget,
    started: Instant,
    settings: &'a Settings,
    stats: Stats,
    /// No plan is shorter than this.
    proved: u64,
    best: Option<Vec<Step>>,
    watcher: &'a mut dyn Watcher,
}

/// How a stage ended.
enum Stage {
    /// With a shortest plan.
    Done,
    /// By a limit of its own or of the job.
    Stopped(Limit),
}

/// Solves a board that can be solved.
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
        (4, 4) => job.fifteen(),
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
    let stage = job.light(features, None);
    job.outcome(stage, board.goal)
}

/// Fetches a set of tables: from the cache folder, or built and, if the settings say so, put there. `tick` is told now and
/// then.
pub fn fetch(
    set: &Tables,
    settings: &Settings,
    budget: &Budget,
    tick: &mut dyn FnMut(u64),
) -> Result<Patterns, TableError> {
    fetch_from(cache_folder().as_deref(), set, settings, budget, tick)
}

/// As [`fetch`], with this cache folder.
fn fetch_from(
    folder: Option<&Path>,
    set: &Tables,
    settings: &Settings,
    budget: &Budget,
    tick: &mut dyn FnMut(u64),
) -> Result<Patterns, TableError> {
    let started = Instant::now();
    // A cache that cannot be written to costs time at the next start and nothing else.
    let mut unkept = |_| {};
    let mut report = |building: super::pattern::tables::Building| tick(building.progress.done);
    // The machine first: while it is made it takes more memory than it keeps.
    let mut meter = Meter::new(budget);
    let machine = Machine::within(set.rows, set.columns, STRINGS, Step::ALL, &mut meter)?;
    let left = meter.rest(budget);
    let cache = folder.map(|folder| Cache { folder, write: settings.keep_tables });
    let databases = set.get(cache, settings.threads.max(1), &left, &mut report, &mut unkept)?;
    Patterns::new(&databases, &budget.after(started.elapsed(), 0), machine, Step::ALL)
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

    /// What is left of the budget, and no more than `time` of it.
    fn left(&self, time: Option<Duration>) -> Budget {
        let left = self.budget.after(self.started.elapsed(), self.stats.expanded);
        let time = match (left.time, time) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Budget { time, ..left }
    }

    /// Is there nothing left of the budget?
    fn spent(&self) -> bool {
        let left = self.left(None);
        left.time == Some(Duration::ZERO) || left.nodes == Some(0) || left.cancel.is_cancelled()
    }

    /// Takes note of what a search did.
    fn note(&mut self, found: Found, limit: Option<Limit>) -> Stage {
        self.stats.expanded += found.expanded;
        self.stats.generated += found.generated;
        for &bound in &found.bounds {
            self.stats.rounds.push(Round { bound: u64::from(bound), ..Round::default() });
            self.watcher.round(u64::from(bound));
        }
        // A round was begun, so the rounds before it found nothing.
        self.proved = self.proved.max(found.bounds.last().map_or(0, |&b| u64::from(b)));
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

    fn light(&mut self, features: u8, time: Option<Duration>) -> Stage {
        let light = match Light::within(features, Step::ALL, &mut Meter::new(&self.left(None))) {
            Ok(light) => light,
            Err(limit) => return Stage::Stopped(limit),
        };
        self.stats.bytes = self.stats.bytes.max(light.bytes());
        let (found, limit) = light.search(pack(self.board.cells()), &self.left(time));
        self.note(found, limit)
    }

    fn tables(&mut self, set: &'static Tables, time: Option<Duration>) -> Stage {
        let budget = self.left(None);
        let (watcher, stats) = (&mut *self.watcher, &mut self.stats);
        let mut tick = |done| {
            stats.stored = done;
            watcher.tick(stats);
        };
        let tables = match fetch(set, self.settings, &budget, &mut tick) {
            Ok(tables) => tables,
            Err(TableError::Stopped(limit)) => return Stage::Stopped(limit),
            Err(TableError::Unsupported | TableError::Io(_)) => return Stage::Stopped(Limit::Memory),
        };
        self.stats.bytes = self.stats.bytes.max(tables.bytes());
        let threads = self.settings.threads.max(1);
        let (found, limit) = tables.search(self.board.cells(), self.proved as u32, threads, &self.left(time));
        self.note(found, limit)
    }

    fn fifteen(&mut self) -> Stage {
        let first = self.light(ALL, Some(WITHOUT_TABLES));
        if matches!(first, Stage::Done) || self.spent() {
            return first;
        }
        let Some(large) = tables("7-8", 4, 4) else { return first };
        let cached = cache_folder().is_some_and(|f| large.cached(&f).files == large.patterns().len());
        let room = self.budget.bytes.is_none_or(|bytes| bytes >= BYTES_FOR_LARGE);
        if !cached && room {
            let second = self.tables_that_fit(&["6-6-3"], Some(WITH_SMALL_TABLES));
            if matches!(second, Stage::Done) || self.spent() {
                return second;
            }
        }
        let sets: &[&str] = if cached || room { &["7-8", "6-6-3", "5-5-5"] } else { &["6-6-3", "5-5-5"] };
        self.tables_that_fit(sets, None)
    }

    /// Searches with the first of these sets of tables for which the memory is enough; without tables if there is none.
    fn tables_that_fit(&mut self, names: &[&str], time: Option<Duration>) -> Stage {
        for set in names.iter().filter_map(|name| tables(name, 4, 4)) {
            match self.tables(set, time) {
                Stage::Stopped(Limit::Memory) => {}
                stage => return stage,
            }
        }
        self.light(ALL, time)
    }

    fn twenty_four(&mut self) -> Result<Stage, Unsupported> {
        self.quick()?;
        // An easy board must not wait for a table.
        let first = self.engine("idastar", Some(WITHOUT_TABLES))?;
        if matches!(first, Stage::Done) || self.spent() {
            return Ok(first);
        }
        let sets = ["6-6-6-6-seven", "6-6-6-6"].map(|name| tables(name, 5, 5));
        let cached =
            |set: &Tables| cache_folder().is_some_and(|f| set.cached(&f).files == set.patterns().len());
        let fits = |set: &Tables| self.budget.bytes.is_none_or(|bytes| bytes >= set.patterns().len() << 28);
        // The better set takes three times as long to build, so it is used where it is there already.
        let [better, usual] = sets;
        match better.filter(|set| cached(set) && fits(set)).or(usual) {
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
        self.quick()?;
        self.engine("idastar", None)
    }

    /// A plan at once, improved while that is quick: weighted A* with falling weights.
    fn quick(&mut self) -> Result<(), Unsupported> {
        let start = Instant::now();
        let most = self.budget.time.map_or(Duration::from_secs(4), |t| t / 4);
        let space = Sliding::new(&self.board);
        let estimate = LinearConflict::new(&space).estimate(&space, &space.start());
        self.proved = self.proved.max(u64::from(estimate));
        for weight in [5.0, 3.0, 2.0, 1.6, 1.3] {
            let left = most.saturating_sub(start.elapsed());
            if left.is_zero() || self.spent() {
                break;
            }
            let settings = Settings { weight, ..Settings::default() };
            let bytes = Some(self.budget.bytes.unwrap_or(1 << 30).min(1 << 30));
            let budget = Budget { bytes, ..self.left(Some(left)) };
            let outcome = self.run("wastar", &space, settings, &budget)?;
            self.absorb(outcome);
        }
        Ok(())
    }

    fn engine(&mut self, strategy: &str, time: Option<Duration>) -> Result<Stage, Unsupported> {
        let space = Sliding::new(&self.board);
        let budget = self.left(time);
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
        let heuristic = Whole::of(LinearConflict::new(space));
        let search = Search::new(space).heuristic(heuristic).settings(settings).budget(budget.clone());
        search.observer(Relay::new(space, self.watcher)).run(strategy)
    }

    /// Takes over a plan if it is better, and the figures.
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

    /// The outcome, with the steps turned back if the board was turned.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The files of a folder by name, with the time when each was written; a folder that is missing has none.
    fn files(folder: &Path) -> Vec<(std::ffi::OsString, std::time::SystemTime)> {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        let file = |e: std::io::Result<std::fs::DirEntry>| {
            let entry = e.unwrap();
            (entry.file_name(), entry.metadata().unwrap().modified().unwrap())
        };
        let mut files: Vec<_> = entries.map(file).collect();
        files.sort();
        files
    }

    #[test]
    fn tables_are_written_only_where_the_settings_say_so_and_read_in_either_case() {
        let folder = std::env::temp_dir().join(format!("beeline-kept-{}", std::process::id()));
        let set = tables("4-4", 3, 3).unwrap();
        let fetch = |keep_tables| {
            let settings = Settings { keep_tables, ..Settings::default() };
            let mut built = false;
            fetch_from(Some(&folder), set, &settings, &Budget::default(), &mut |_| built = true).unwrap();
            built
        };
        assert!(fetch(false));
        assert!(!folder.exists(), "nothing is written, not even the folder");
        assert!(fetch(true));
        let kept = files(&folder);
        assert_eq!(kept.len(), set.patterns().len());
        assert!(!fetch(false), "what is there is read");
        std::fs::remove_file(folder.join(&kept[0].0)).unwrap();
        let half = files(&folder);
        assert!(fetch(false));
        assert_eq!(files(&folder), half, "what is missing is not added");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
