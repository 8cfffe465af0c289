//! A search that can be ended at any moment and go on where it was.
//!
//! [`Budget::checkpoint`](crate::Budget::checkpoint) asks for it. Every so often, and whenever a limit ends it, a search writes
//! what it needs to go on: its nodes, its frontier and its counters, or the path it stands on. What follows from that (hash
//! tables, estimates) is made again. A file is written aside, brought to the disk and renamed, so at every moment there is one
//! whole file; a save that fails leaves the one before, and the search goes on.
//!
//! A search that goes on from a checkpoint ends with the same plan and the same counters as one that never stopped; only its
//! time and its peak of memory are its own.

mod figures;
mod file;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub(crate) use figures::{read as read_stats, write as write_stats};
pub(crate) use file::Sum;
pub use file::{Damage, In, Out, fingerprint};

use crate::core::atomic_file::{self, Transfer};
use crate::core::budget::Limit;
use crate::core::clock::Instant;
use crate::core::memory::OutOfMemory;
use crate::core::outcome::Stats;

/// Why what was saved could not be read back.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Unloadable {
    /// A limit was reached while it was loaded.
    #[error("the limit on {} was reached", .0.name())]
    Limit(Limit),
    /// It makes no sense.
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

/// A search spends at most one part in so many of its time on saving.
const SHARE: u32 = 10;

/// A file to save to, and perhaps what was saved in it before.
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
    /// What a search is to go on from, until one takes it.
    saved: Option<In>,
    strategy: String,
    due: Instant,
    saves: u64,
    problem: Option<String>,
    refused: Option<Damage>,
    /// The folder of a search on disk, which the file is worth nothing without.
    folder: Option<Folder>,
}

/// A folder, and what removes it.
type Folder = (PathBuf, fn(&Path));

impl Checkpoint {
    /// Saves to this file after every so much time. `instance` names what is searched, `label` is whatever the caller needs to
    /// pose the same problem again.
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

    /// Reads a file that a search left behind; the next search that is given this goes on from there, and saves as often as the
    /// one before if nothing else is said.
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

    /// What is searched.
    pub fn instance(&self) -> u64 {
        self.0.instance
    }

    /// What the caller wrote on it.
    pub fn label(&self) -> &str {
        &self.0.label
    }

    /// How often it was saved.
    pub fn saves(&self) -> u64 {
        self.state().saves
    }

    /// Why the last save failed, if it did.
    pub fn problem(&self) -> Option<String> {
        self.state().problem.clone()
    }

    /// Can the file be written where it is to be?
    pub fn try_out(&self) -> io::Result<()> {
        atomic_file::try_out(self.path())
    }

    /// Removes the file, and then what belongs to it: the search is over. In this order, so that a program that is killed
    /// meanwhile never leaves a file that nothing can go on from.
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

    /// The search keeps its layers in this folder, which `clear` removes.
    pub(crate) fn goes_with(&self, folder: &Path, clear: fn(&Path)) {
        self.state().folder = Some((folder.to_owned(), clear));
    }

    /// A strategy is about to use this.
    pub(crate) fn begin(&self, strategy: &str) -> Result<(), Damage> {
        let mut state = self.state();
        if state.saved.is_some() && state.strategy != strategy {
            return Err(Damage::Misfit("another strategy made it"));
        }
        strategy.clone_into(&mut state.strategy);
        Ok(())
    }

    /// Why what was saved could not be used, if it could not.
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

/// A meter's share of a checkpoint: what one search needs to save and to go on.
#[derive(Debug)]
pub(crate) struct Keeper {
    checkpoint: Checkpoint,
    /// Is it time to save?
    due: bool,
    /// The time that was spent before.
    pub(crate) earlier: Duration,
    round: (u64, u64),
    before: Stats,
    saved: Option<In>,
    /// What was saved does not fit: nothing may be searched.
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

    /// A round of an iterated strategy begins: its number, a note of the strategy's own, and the figures of the rounds before.
    pub(crate) fn begin_round(&mut self, round: u64, note: u64, before: &Stats) {
        if self.saved.is_none() {
            self.round = (round, note);
            self.before.clone_from(before);
        }
    }

    /// The round in which the search that is to go on was, with its note and the figures before it.
    pub(crate) fn round(&self) -> Option<(u64, u64, Stats)> {
        self.saved.is_some().then(|| (self.round.0, self.round.1, self.before.clone()))
    }

    /// What the engine saved, to be taken by the engine.
    pub(crate) fn take(&mut self) -> Option<In> {
        let mut saved = self.saved.take()?;
        saved.transfer = Some(Transfer::begin());
        Some(saved)
    }

    /// Expanded in the rounds before.
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
