//! How much a search may use, and the meter that watches it.
//!
//! Reaching a limit is an ordinary result, never an exit or a panic. The meter learns how many expansions fit between two looks
//! at the clock. So looks cost nearly nothing, and a search still stops within a few milliseconds.

use std::sync::Arc;
use std::time::Duration;

use crate::core::FILES;
use crate::core::checkpoint::{Checkpoint, Damage, In, Keeper, Out};
use crate::core::clock::Instant;
use crate::core::memory::{Ledger, OutOfMemory};
use crate::core::outcome::Stats;
use crate::core::sync::atomic::{AtomicBool, Ordering};

/// A flag that ends every search that shares it.
///
/// ```
/// use beeline_search::example::Knight;
/// use beeline_search::{Budget, Limit, Search, Verdict};
///
/// let budget = Budget::default();
/// let cancel = budget.cancel.clone(); // for another thread, or a handler of Ctrl-C
/// cancel.cancel();
/// let outcome = Search::new(&Knight::across(8)).budget(budget).run("bfs")?;
/// assert_eq!(outcome.verdict, Verdict::Stopped(Limit::Cancelled));
/// # Ok::<(), beeline_search::Unsupported>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks the searches to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Was [`cancel`](Self::cancel) called?
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a search may use. The default sets no limit.
///
/// ```
/// use std::time::Duration;
///
/// use beeline_search::example::Knight;
/// use beeline_search::{Budget, Limit, Search, Verdict};
///
/// let budget = Budget {
///     nodes: Some(10),
///     bytes: Some(1 << 20),
///     time: Some(Duration::from_secs(5)),
///     ..Budget::default()
/// };
/// let outcome = Search::new(&Knight::across(8)).budget(budget).run("bfs")?;
/// assert_eq!(outcome.verdict, Verdict::Stopped(Limit::Nodes));
/// assert_eq!(outcome.stats.expanded, 10);
/// # Ok::<(), beeline_search::Unsupported>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Expansions.
    pub nodes: Option<u64>,
    /// Bytes of arena, tables and frontier together.
    pub bytes: Option<usize>,
    /// Wall time.
    pub time: Option<Duration>,
    /// Stops the search from outside.
    pub cancel: Cancel,
    /// Where to save, for the strategies that can resume.
    pub checkpoint: Option<Checkpoint>,
}

impl Budget {
    /// The rest of this budget after `elapsed` time and `expanded` expansions.
    #[must_use]
    pub fn after(&self, elapsed: Duration, expanded: u64) -> Self {
        Self {
            time: self.time.map(|time| time.saturating_sub(elapsed)),
            nodes: self.nodes.map(|nodes| nodes.saturating_sub(expanded)),
            ..self.clone()
        }
    }
}

/// Which limit ended a search.
///
/// ```
/// use beeline_search::Limit;
///
/// assert_eq!(Limit::Memory.name(), "memory");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// [`Budget::time`].
    Time,
    /// [`Budget::bytes`], or the system refused an allocation.
    Memory,
    /// [`Budget::nodes`].
    Nodes,
    /// [`Budget::cancel`].
    Cancelled,
}

impl Limit {
    /// The limit's name, in one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Nodes => "nodes",
            Self::Cancelled => "cancelled",
        }
    }
}

impl From<OutOfMemory> for Limit {
    fn from(_: OutOfMemory) -> Self {
        Self::Memory
    }
}

/// Target time between two looks at the clock. Under the model checker every expansion looks, so that no clock decides what a
/// run does.
const LOOK_EVERY: Duration = if cfg!(feature = "model") { Duration::ZERO } else { Duration::from_millis(4) };
const MAX_STRIDE: u64 = 1 << 20;
/// Units of work between two looks at the clock. A unit is about a nanosecond (an addition and a memory access), so a look
/// comes at least every millisecond and costs a ten-thousandth of the work.
const WORK_BETWEEN_LOOKS: u64 = 1 << 18;

/// Watches a budget while a search runs. Owns the memory [`Ledger`] and the count of expansions.
///
/// ```
/// use beeline_search::{Budget, Limit, Meter};
///
/// let mut meter = Meter::new(&Budget { nodes: Some(3), ..Budget::default() });
/// let limit = loop {
///     if meter.due() && let Err(limit) = meter.look() {
///         break limit;
///     }
///     meter.count(); // one expansion
/// };
/// assert_eq!((limit, meter.expanded()), (Limit::Nodes, 3));
/// ```
#[derive(Debug)]
pub struct Meter {
    started: Instant,
    deadline: Option<Instant>,
    nodes: u64,
    cancel: Cancel,
    expanded: u64,
    next_look: u64,
    stride: u64,
    last_look: (Instant, u64),
    /// Units of [`work`](Meter::work) that may be charged before the next look at the clock.
    work_left: u64,
    keeper: Option<Box<Keeper>>,
    /// The memory ledger.
    pub ledger: Ledger,
}

impl Meter {
    /// Starts the clock.
    pub fn new(budget: &Budget) -> Self {
        let started = Instant::now();
        Self {
            started,
            deadline: budget.time.and_then(|t| started.checked_add(t)),
            nodes: budget.nodes.unwrap_or(u64::MAX),
            cancel: budget.cancel.clone(),
            expanded: 0,
            next_look: 0,
            stride: 1,
            last_look: (started, 0),
            work_left: WORK_BETWEEN_LOOKS,
            keeper: None,
            ledger: Ledger::new(budget.bytes),
        }
    }

    /// Starts the clock of a search with checkpoints, and resumes a saved search if the budget has one.
    pub fn keeping(budget: &Budget) -> Self {
        let keeper = budget.checkpoint.as_ref().map(|checkpoint| Box::new(Keeper::new(checkpoint)));
        Self { keeper, ..Self::new(budget) }
    }

    /// Is a [`look`](Meter::look) due before the next expansion?
    #[inline(always)]
    pub fn due(&self) -> bool {
        self.expanded >= self.next_look
    }

    /// Counts one expansion.
    #[inline(always)]
    pub fn count(&mut self) {
        self.expanded += 1;
    }

    /// Counts several expansions.
    #[inline]
    pub fn count_many(&mut self, n: u64) {
        self.expanded += n;
    }

    /// Charges work that is no expansion, such as building a table, and looks at the clock and at cancellation from time to
    /// time. A unit is about a nanosecond. The limit on expansions does not stop such work.
    #[inline]
    pub fn work(&mut self, units: u64) -> Result<(), Limit> {
        match self.work_left.checked_sub(units) {
            Some(left) => {
                self.work_left = left;
                Ok(())
            }
            None => self.look_at_clock(),
        }
    }

    #[cold]
    #[inline(never)]
    fn look_at_clock(&mut self) -> Result<(), Limit> {
        self.work_left = WORK_BETWEEN_LOOKS;
        if self.cancel.is_cancelled() {
            return Err(Limit::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Limit::Time);
        }
        Ok(())
    }

    /// The rest of a budget after the work that this meter watched: time, expansions, and bytes not claimed.
    #[must_use]
    pub fn rest(&self, budget: &Budget) -> Budget {
        let bytes = budget.bytes.map(|bytes| bytes.saturating_sub(self.ledger.used()));
        Budget { bytes, ..budget.after(self.started.elapsed(), self.expanded) }
    }

    /// Raises the limit on expansions.
    pub(crate) fn allow(&mut self, more: u64) {
        self.nodes = self.nodes.saturating_add(more);
    }

    /// Expansions that may still be made.
    pub fn allowed(&self) -> u64 {
        self.nodes.saturating_sub(self.expanded)
    }

    /// How many expansions may be made before the next [`look`](Meter::look).
    #[inline]
    pub fn until_look(&self) -> u64 {
        self.next_look.saturating_sub(self.expanded)
    }

    /// Expansions so far.
    #[inline]
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed() + self.keeper().map_or(Duration::ZERO, |keeper| keeper.earlier)
    }

    /// The checkpoint keeper. Without the feature `files` it is always `None`, and the compiler removes the saving code.
    #[inline]
    fn keeper(&self) -> Option<&Keeper> {
        if FILES { self.keeper.as_deref() } else { None }
    }

    #[inline]
    fn keeper_mut(&mut self) -> Option<&mut Keeper> {
        if FILES { self.keeper.as_deref_mut() } else { None }
    }

    /// Does the search write checkpoints?
    #[inline]
    pub(crate) fn keeps(&self) -> bool {
        self.keeper().is_some()
    }

    /// Is a checkpoint due?
    #[inline]
    pub(crate) fn save_due(&self) -> bool {
        self.keeper().is_some_and(Keeper::due)
    }

    /// Writes a checkpoint with the content of `body`.
    #[cold]
    pub(crate) fn save(&mut self, body: &mut dyn FnMut(&mut Out)) {
        let elapsed = self.elapsed();
        if let Some(keeper) = self.keeper_mut() {
            keeper.save(elapsed, body);
        }
    }

    /// Begins a round of an iterated strategy: its number, the strategy's own note, and the figures before it.
    pub(crate) fn begin_round(&mut self, round: u64, note: u64, before: &Stats) {
        if let Some(keeper) = self.keeper_mut() {
            keeper.begin_round(round, note, before);
        }
    }

    /// The round at which an iterated strategy resumes.
    pub(crate) fn resumed_round(&self) -> Option<(u64, u64, Stats)> {
        self.keeper()?.round()
    }

    /// The engine's saved state to resume from.
    pub(crate) fn resume(&mut self) -> Option<In> {
        self.keeper_mut()?.take()
    }

    /// Records that the saved state does not fit. The search ends before it begins.
    pub(crate) fn refuse(&mut self, damage: Damage) {
        if let Some(keeper) = self.keeper_mut() {
            keeper.refuse(damage);
        }
    }

    /// Resumes after this many expansions of the saved round.
    pub(crate) fn go_on_from(&mut self, expanded: u64) {
        self.expanded = expanded + self.keeper().map_or(0, Keeper::expanded_before);
        (self.next_look, self.last_look) = (self.expanded, (Instant::now(), self.expanded));
    }

    /// Checks every limit and schedules the next look.
    #[cold]
    #[inline(never)]
    pub fn look(&mut self) -> Result<(), Limit> {
        if self.cancel.is_cancelled() || self.keeper().is_some_and(|keeper| keeper.broken) {
            return Err(Limit::Cancelled);
        }
        if self.expanded >= self.nodes {
            return Err(Limit::Nodes);
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|d| now >= d) {
            return Err(Limit::Time);
        }
        if let Some(keeper) = self.keeper_mut() {
            keeper.look(now);
        }
        let (then, count) = self.last_look;
        let (took, made) = (now - then, self.expanded - count);
        if made >= self.stride {
            // Too fast: look less often, at most twice as rarely as before. Too slow: take the stride that fits.
            let fits = made as f64 * LOOK_EVERY.as_secs_f64() / took.as_secs_f64().max(1e-9);
            self.stride = (fits as u64).clamp(1, (2 * self.stride).min(MAX_STRIDE));
            self.last_look = (now, self.expanded);
        }
        self.next_look = (self.expanded + self.stride).min(self.nodes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(budget: &Budget, mut work: impl FnMut()) -> (Limit, Meter) {
        let mut meter = Meter::new(budget);
        loop {
            if meter.due()
                && let Err(limit) = meter.look()
            {
                return (limit, meter);
            }
            meter.count();
            work();
        }
    }

    #[test]
    fn the_node_limit_is_exact() {
        for nodes in [0, 1, 2, 1000, 123_457] {
            let (limit, meter) = run(&Budget { nodes: Some(nodes), ..Budget::default() }, || {});
            assert_eq!((limit, meter.expanded()), (Limit::Nodes, nodes));
        }
    }

    #[test]
    fn a_cancelled_budget_stops_before_the_first_node() {
        let budget = Budget::default();
        budget.cancel.cancel();
        let (limit, meter) = run(&budget, || {});
        assert_eq!((limit, meter.expanded()), (Limit::Cancelled, 0));
    }

    #[test]
    fn work_ends_at_the_clock_and_at_cancellation_and_not_at_the_limit_on_nodes() {
        let mut meter = Meter::new(&Budget { nodes: Some(0), ..Budget::default() });
        for _ in 0..100 {
            meter.work(WORK_BETWEEN_LOOKS).unwrap();
        }
        meter.cancel.cancel();
        assert_eq!((0..1000).find_map(|_| meter.work(1 << 10).err()), Some(Limit::Cancelled));
        let mut meter = Meter::new(&Budget { time: Some(Duration::ZERO), ..Budget::default() });
        assert_eq!((0..1000).find_map(|_| meter.work(1 << 10).err()), Some(Limit::Time));
    }

    #[test]
    fn slow_nodes_do_not_outrun_the_clock() {
        let budget = Budget { time: Some(Duration::from_millis(30)), ..Budget::default() };
        // Fast nodes come first, so that the stride has grown when nodes turn slow.
        let mut n = 0u64;
        let (limit, meter) = run(&budget, || {
            n += 1;
            if n > 100_000 {
                std::thread::sleep(Duration::from_micros(1));
            }
        });
        assert_eq!(limit, Limit::Time);
        assert!(meter.expanded() > 0);
    }
}
