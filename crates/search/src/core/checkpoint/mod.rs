//! Checkpoints: a search can stop at any moment and resume later.
//!
//! [`Budget::checkpoint`](crate::Budget::checkpoint) enables them. A search writes its state at intervals and whenever a limit
//! ends it: nodes, frontier and counters, or the current path. Derived data (hash tables, estimates) is recomputed. Writes are
//! atomic, so one intact file exists at every moment. A failed save leaves the previous file, and the search continues.
//!
//! A resumed search ends with the same plan and the same counters as an uninterrupted one. Only time and peak memory differ.

mod file;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub(crate) use file::Sum;
pub use file::{Damage, In, Out, fingerprint};

use crate::core::atomic_file::{self, Transfer};
use crate::core::budget::Limit;
use crate::core::clock::Instant;
use crate::core::figures;
use crate::core::memory::OutOfMemory;
use crate::core::outcome::Stats;
use crate::core::space::Key;

/// Writes the figures of a run, without its time.
pub(crate) fn write_stats(stats: &Stats, out: &mut Out) {
    let numbers = figures::write(stats);
    out.u64(numbers.len() as u64);
    for number in numbers {
        out.u64(number);
    }
}

/// Reads what [`write_stats`] wrote.
pub(crate) fn read_stats(from: &mut In) -> Result<Stats, Damage> {
    let count = from.count(8)?;
    let numbers = (0..count).map(|_| from.u64()).collect::<Result<Vec<_>, _>>()?;
    figures::read(&mut numbers.into_iter()).ok_or(Damage::Torn)
}

/// Why a saved state could not be loaded.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Unloadable {
    /// Loading reached a limit.
    #[error("the limit on {} was reached", .0.name())]
    Limit(Limit),
    /// The content makes no sense.
    #[error(transparent)]
    Damage(#[from] Damage),
}

impl From<Limit> for Unloadable {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl From<OutOfMemory> for Unloadable {
    fn from(_: OutOfMemory) -> Self {
        Self::Limit(Limit::Memory)
    }
}

/// The words of the packed start: a search resumes only from its own start.
pub(crate) struct Start(Vec<u64>);

impl Start {
    pub(crate) fn new<K: Key>(key: &K) -> Self {
        Self((0..K::WORDS).map(|word| key.word(word)).collect())
    }

    pub(crate) fn write(&self, out: &mut Out) {
        for &word in &self.0 {
            out.u64(word);
        }
    }

    /// Reads a start, which must be this one.
    pub(crate) fn expect(&self, from: &mut In) -> Result<(), Damage> {
        self.0.iter().try_for_each(|&word| from.expect(word, "it starts from another state"))
    }
}

/// Saving takes at most one part in this many of a search's time.
const SHARE: u32 = 10;

/// A file to save to, and optionally a saved state to resume from.
///
/// ```
/// use std::time::Duration;
///
/// use beeline_search::example::Knight;
/// use beeline_search::{Budget, Checkpoint, Limit, Search, Verdict};
///
/// let file = std::env::temp_dir().join(format!("knight-{}.saved", std::process::id()));
/// let space = Knight::across(8);
/// let checkpoint = Checkpoint::new(&file, Duration::from_secs(60), 1, "a knight".into());
/// let budget = Budget { nodes: Some(20), checkpoint: Some(checkpoint), ..Budget::default() };
/// let stopped = Search::new(&space).budget(budget).run("bfs")?;
/// assert_eq!(stopped.verdict, Verdict::Stopped(Limit::Nodes));
///
/// let checkpoint = Checkpoint::open(&file, None)?;
/// let budget = Budget { checkpoint: Some(checkpoint), ..Budget::default() };
/// let ended = Search::new(&space).budget(budget).run("bfs")?;
/// assert_eq!(ended.solution().map(|plan| plan.cost), Some(6));
/// # std::fs::remove_file(&file)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Checkpoint(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    every: Duration,
    instance: u64,
    label: String,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The saved state to resume from, until a search takes it.
    saved: Option<In>,
    strategy: String,
    due: Instant,
    saves: u64,
    problem: Option<String>,
    refused: Option<Damage>,
    /// The folder of a search on disk. Without it the file is worthless.
    folder: Option<Folder>,
}

/// A folder, and the function that removes it.
type Folder = (PathBuf, fn(&Path));

impl Checkpoint {
    /// Saves to this file at this interval. `instance` names the problem; `label` holds whatever the caller needs to pose the
    /// same problem again.
    pub fn new(path: impl Into<PathBuf>, every: Duration, instance: u64, label: String) -> Self {
        let state = State {
            saved: None,
            strategy: String::new(),
            due: later(every),
            saves: 0,
            problem: None,
            refused: None,
            folder: None,
        };
        Self(Arc::new(Shared { path: path.into(), every, instance, label, state: Mutex::new(state) }))
    }

    /// Reads the file of a stopped search. The next search with this checkpoint resumes from it. Without `every` it keeps the
    /// saved interval.
    pub fn open(path: impl Into<PathBuf>, every: Option<Duration>) -> Result<Self, Damage> {
        let path = path.into();
        let mut saved = In::open(&path)?;
        let instance = saved.u64()?;
        let before = Duration::from_nanos(saved.u64()?);
        let label = saved.text()?;
        let strategy = saved.text()?;
        let checkpoint = Self::new(path, every.unwrap_or(before), instance, label);
        let mut state = checkpoint.state();
        (state.saved, state.strategy) = (Some(saved), strategy);
        drop(state);
        Ok(checkpoint)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The problem that is searched.
    pub fn instance(&self) -> u64 {
        self.0.instance
    }

    /// The caller's label.
    pub fn label(&self) -> &str {
        &self.0.label
    }

    /// How many saves succeeded.
    pub fn saves(&self) -> u64 {
        self.state().saves
    }

    /// Why the last save failed, if it did.
    pub fn problem(&self) -> Option<String> {
        self.state().problem.clone()
    }

    /// Checks that the file can be created.
    pub fn try_out(&self) -> io::Result<()> {
        atomic_file::try_out(self.path())
    }

    /// Removes the file of a finished search, then its folder. This order never leaves a file without its folder, even if the
    /// process is killed in between.
    pub fn remove(&self) -> io::Result<()> {
        match std::fs::remove_file(self.path()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        if let Some((folder, clear)) = self.state().folder.take() {
            clear(&folder);
        }
        Ok(())
    }

    /// Registers the folder that holds the search's layers; `clear` removes it.
    pub(crate) fn goes_with(&self, folder: &Path, clear: fn(&Path)) {
        self.state().folder = Some((folder.to_owned(), clear));
    }

    /// Checks that the saved state belongs to the strategy that is about to start.
    pub(crate) fn begin(&self, strategy: &str) -> Result<(), Damage> {
        let mut state = self.state();
        if state.saved.is_some() && state.strategy != strategy {
            return Err(Damage::Misfit("another strategy made it"));
        }
        strategy.clone_into(&mut state.strategy);
        Ok(())
    }

    /// Why the saved state was rejected, if it was.
    pub(crate) fn refused(&self) -> Option<Damage> {
        self.state().refused.clone()
    }

    fn save(&self, body: &mut dyn FnMut(&mut Out)) {
        let started = Instant::now();
        let strategy = self.state().strategy.clone();
        let written = self.write(&strategy, body);
        let mut state = self.state();
        state.due = later(self.0.every.max(SHARE * started.elapsed()));
        match written {
            Ok(()) => (state.saves, state.problem) = (state.saves + 1, None),
            Err(error) => state.problem = Some(error.to_string()),
        }
    }

    fn write(&self, strategy: &str, body: &mut dyn FnMut(&mut Out)) -> io::Result<()> {
        atomic_file::put(self.path(), |file| {
            let mut out = Out::new(file);
            out.u64(self.0.instance);
            out.u64(nanoseconds(self.0.every));
            out.text(&self.0.label);
            out.text(strategy);
            body(&mut out);
            out.finish()
        })
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn later(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or(now + Duration::from_secs(365 * 86_400))
}

/// A meter's part of a checkpoint: what one search needs to save and to resume.
#[derive(Debug)]
pub(crate) struct Keeper {
    checkpoint: Checkpoint,
    /// Is a save due?
    due: bool,
    /// Time spent before the search was resumed.
    pub(crate) earlier: Duration,
    round: (u64, u64),
    before: Stats,
    saved: Option<In>,
    /// The saved state does not fit: the search must not run.
    pub(crate) broken: bool,
}

impl Keeper {
    pub(crate) fn new(checkpoint: &Checkpoint) -> Self {
        let saved = checkpoint.state().saved.take();
        let mut keeper = Self {
            checkpoint: checkpoint.clone(),
            due: false,
            earlier: Duration::ZERO,
            round: (0, 0),
            before: Stats::default(),
            saved,
            broken: false,
        };
        if let Some(mut saved) = keeper.saved.take() {
            match keeper.prologue(&mut saved) {
                Ok(()) => keeper.saved = Some(saved),
                Err(damage) => keeper.refuse(damage),
            }
        }
        keeper
    }

    fn prologue(&mut self, saved: &mut In) -> Result<(), Damage> {
        self.earlier = Duration::from_nanos(saved.u64()?);
        self.round = (saved.u64()?, saved.u64()?);
        self.before = read_stats(saved)?;
        Ok(())
    }

    pub(crate) fn refuse(&mut self, damage: Damage) {
        self.broken = true;
        self.checkpoint.state().refused = Some(damage);
    }

    /// Looks at the clock.
    pub(crate) fn look(&mut self, now: Instant) {
        self.due = now >= self.checkpoint.state().due;
    }

    pub(crate) fn due(&self) -> bool {
        self.due
    }

    /// Begins a round of an iterated strategy: its number, the strategy's own note, and the figures of earlier rounds.
    pub(crate) fn begin_round(&mut self, round: u64, note: u64, before: &Stats) {
        if self.saved.is_none() {
            self.round = (round, note);
            self.before.clone_from(before);
        }
    }

    /// The round at which the saved search stopped, with its note and the figures before it.
    pub(crate) fn round(&self) -> Option<(u64, u64, Stats)> {
        self.saved.is_some().then(|| (self.round.0, self.round.1, self.before.clone()))
    }

    /// The engine's saved state. The engine takes it once.
    pub(crate) fn take(&mut self) -> Option<In> {
        let mut saved = self.saved.take()?;
        saved.transfer = Some(Transfer::begin());
        Some(saved)
    }

    /// Expansions in earlier rounds.
    pub(crate) fn expanded_before(&self) -> u64 {
        self.before.expanded
    }

    pub(crate) fn save(&mut self, elapsed: Duration, body: &mut dyn FnMut(&mut Out)) {
        self.due = false;
        let (round, before) = (self.round, &self.before);
        self.checkpoint.save(&mut |out| {
            out.u64(nanoseconds(elapsed));
            out.u64(round.0);
            out.u64(round.1);
            write_stats(before, out);
            body(out);
        });
    }
}
