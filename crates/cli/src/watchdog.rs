//! Ends a process whose search hangs.
//!
//! Every search checks its own limits. A search that hangs (a deadlock, or a loop without a check) cannot, and its
//! caller would wait for ever. So a watchdog thread checks the clock and the cancel flag. Five seconds after a limit,
//! the process reports the hang with the last known figures, and ends with exit code 39.
//!
//! Work without a limit does not count as hanging. The five seconds restart after a checkpoint was read or written,
//! and after a line was written to a terminal that its user had stopped. The watchdog counts its own checks, so a
//! process that was suspended, or a machine that slept, still gets five seconds after it wakes. Reading files,
//! checking a plan and writing answers happen outside of a search and are not watched.
//!
//! The watchdog shares only a few numbers with a search. Their lock is held no longer than it takes to store them.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use beeline_search::atomic_file::Transfer;
use beeline_search::{Budget, Cancel, Limit, Stats};

use crate::leave;

/// The exit code of a process that its watchdog ended, for every command: an internal error.
pub(crate) const EXIT: i32 = 39;
/// How long a search may run after its limit. A search checks its limits every few milliseconds; freeing gigabytes of
/// memory takes a second or two.
pub(crate) const GRACE: Duration = Duration::from_secs(5);
/// Consecutive checks that must find an exceeded limit before the search counts as hung: one every quarter of a second.
const CHECKS: u32 = 20;

/// What the watchdog knows about a running search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LastKnown {
    /// The last reported figures.
    pub(crate) stats: Stats,
    /// The bound or width of the current round.
    pub(crate) bound: Option<u64>,
    /// The cost of the best plan so far.
    pub(crate) best: Option<u64>,
}

/// A search that hangs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hung {
    /// The limit that the search ignores.
    pub(crate) limit: Limit,
    /// What the watchdog knew about the search.
    pub(crate) known: LastKnown,
}

impl Hung {
    /// What happened, as a sentence.
    pub(crate) fn message(&self) -> String {
        let limit = match self.limit {
            Limit::Cancelled => "it was interrupted",
            _ => "its time limit",
        };
        format!("the search hangs: it did not end by itself after {limit}")
    }

    /// The known figures as text; `None` if the search reported none.
    pub(crate) fn figures(&self) -> Option<String> {
        let LastKnown { stats, bound, best } = &self.known;
        let mut parts = Vec::new();
        if stats.expanded > 0 {
            parts.push(format!("{} expanded", stats.expanded));
        }
        if stats.depth > 0 {
            parts.push(format!("depth {}", stats.depth));
        }
        parts.extend(bound.map(|bound| format!("bound {bound}")));
        parts.extend(best.map(|cost| format!("a plan of cost {cost} that was not checked")));
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// A watched search.
#[derive(Debug, Default)]
struct Watched {
    deadline: Option<Instant>,
    cancel: Cancel,
    /// The number of threads in work without a limit.
    pauses: usize,
    known: LastKnown,
}

impl Watched {
    fn new(budget: &Budget, now: Instant) -> Self {
        Self {
            deadline: budget.time.and_then(|time| now.checked_add(time)),
            cancel: budget.cancel.clone(),
            ..Self::default()
        }
    }

    /// The exceeded limit, unless work without a limit is in progress.
    fn overrun(&self, check: Check) -> Option<Limit> {
        if self.pauses > 0 || check.transfer {
            return None;
        }
        if self.cancel.is_cancelled() {
            return Some(Limit::Cancelled);
        }
        self.deadline.is_some_and(|deadline| check.now >= deadline).then_some(Limit::Time)
    }
}

/// What a check of the watchdog sees besides the search.
#[derive(Clone, Copy, Debug)]
struct Check {
    now: Instant,
    /// Is a large file being read or written?
    transfer: bool,
}

/// The watched search, if there is one.
#[derive(Debug, Default)]
struct Watchdog(Mutex<Option<Watched>>);

impl Watchdog {
    fn watched(&self) -> MutexGuard<'_, Option<Watched>> {
        // A panic with the lock leaves a valid value, so poisoning is ignored.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Watched)) {
        if let Some(watched) = self.watched().as_mut() {
            change(watched);
        }
    }

    /// Checks repeatedly until a search hangs. `check` waits for the time of the next check.
    fn wait_for_a_hang(&self, mut check: impl FnMut() -> Check) -> Hung {
        let mut overrun = 0;
        loop {
            let check = check();
            let watched = self.watched();
            let found = watched.as_ref().and_then(|w| Some((w.overrun(check)?, &w.known)));
            match found {
                Some((limit, known)) if overrun >= CHECKS => return Hung { limit, known: known.clone() },
                Some(_) => overrun += 1,
                None => overrun = 0,
            }
        }
    }
}

/// The watchdog of this process, set by [`start`].
static WATCHDOG: OnceLock<Arc<Watchdog>> = OnceLock::new();

/// Starts the watchdog: from now on, a hanging search is reported and the process ends with code [`EXIT`]. `grace` is
/// how long a search may run after its limit.
pub(crate) fn start(grace: Duration, report: impl FnOnce(&Hung) + Send + 'static) {
    let watchdog = Arc::new(Watchdog::default());
    if WATCHDOG.set(Arc::clone(&watchdog)).is_err() {
        return;
    }
    let watch = move || {
        let hung = watchdog.wait_for_a_hang(|| {
            std::thread::sleep(grace / CHECKS);
            Check { now: Instant::now(), transfer: Transfer::is_under_way() }
        });
        leave::end(EXIT, move || report(&hung))
    };
    let spawned = std::thread::Builder::new().name("watchdog".to_owned()).stack_size(256 << 10).spawn(watch);
    // If no thread can be started, searches still check their limits themselves.
    drop(spawned);
}

/// A guard: the search is watched while this lives.
pub(crate) struct Watch {
    /// The search that was watched before.
    before: Option<Watched>,
}

/// Starts to watch a search with this budget. Without a call of [`start`], nothing is watched.
pub(crate) fn watch(budget: &Budget) -> Watch {
    let watched = Watched::new(budget, Instant::now());
    Watch { before: WATCHDOG.get().and_then(|watchdog| watchdog.watched().replace(watched)) }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(watchdog) = WATCHDOG.get() {
            *watchdog.watched() = self.before.take();
        }
    }
}

/// Reports the figures of the watched search.
pub(crate) fn tick(stats: &Stats) {
    if let Some(watchdog) = WATCHDOG.get() {
        watchdog.change(|watched| watched.known.stats.clone_from(stats));
    }
}

/// Reports a new round of the watched search.
pub(crate) fn round(bound: u64) {
    if let Some(watchdog) = WATCHDOG.get() {
        watchdog.change(|watched| watched.known.bound = Some(bound));
    }
}

/// Reports that the watched search found a plan of this cost.
pub(crate) fn found(cost: u64) {
    if let Some(watchdog) = WATCHDOG.get() {
        watchdog.change(|watched| {
            watched.known.best = Some(watched.known.best.map_or(cost, |best| best.min(cost)));
        });
    }
}

/// Does work without a limit, during which the search does not count as hung.
pub(crate) fn paused<T>(work: impl FnOnce() -> T) -> T {
    let Some(watchdog) = WATCHDOG.get() else { return work() };
    watchdog.change(|watched| watched.pauses += 1);
    let done = work();
    watchdog.change(|watched| watched.pauses = watched.pauses.saturating_sub(1));
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a quarter of a second apart. `events` changes something at a check, and returns whether a file is being
    /// written.
    fn hangs(watchdog: &Watchdog, mut events: impl FnMut(u32, &Watchdog) -> bool) -> (u32, Hung) {
        let (start, mut checks) = (Instant::now(), 0);
        let hung = watchdog.wait_for_a_hang(|| {
            checks += 1;
            assert!(checks < 10_000, "the hang was not noticed");
            let transfer = events(checks, watchdog);
            Check { now: start + GRACE / CHECKS * checks, transfer }
        });
        (checks, hung)
    }

    fn seconds(checks: u32) -> f64 {
        (GRACE / CHECKS * checks).as_secs_f64()
    }

    fn watching(budget: &Budget) -> Watchdog {
        Watchdog(Mutex::new(Some(Watched::new(budget, Instant::now()))))
    }

    #[test]
    fn a_search_that_overruns_its_time_is_said_to_hang_after_five_seconds() {
        let watchdog = watching(&Budget { time: Some(Duration::from_secs(10)), ..Budget::default() });
        watchdog.change(|w| w.known.stats.expanded = 7);
        watchdog.change(|w| (w.known.bound, w.known.best) = (Some(3), Some(9)));
        let (checks, hung) = hangs(&watchdog, |_, _| false);
        assert_eq!((hung.limit, hung.known.stats.expanded, hung.known.bound), (Limit::Time, 7, Some(3)));
        assert!((15.0..15.6).contains(&seconds(checks)), "{}", seconds(checks));
        assert_eq!(
            hung.figures().as_deref(),
            Some("7 expanded, bound 3, a plan of cost 9 that was not checked")
        );
    }

    #[test]
    fn so_is_one_that_ignores_an_interrupt() {
        let budget = Budget::default();
        let watchdog = watching(&budget);
        let (checks, hung) = hangs(&watchdog, |check, _| {
            if check == 100 {
                budget.cancel.cancel();
            }
            false
        });
        assert_eq!(hung.limit, Limit::Cancelled);
        assert!((5.0..5.6).contains(&seconds(checks - 100)), "{checks}");
        assert_eq!(hung.figures(), None);
    }

    #[test]
    fn a_search_that_ends_in_time_or_has_no_limit_is_left_alone() {
        let limited = Budget { time: Some(Duration::from_secs(1)), ..Budget::default() };
        let watchdog = watching(&limited);
        // It ends four seconds late. Then comes a search without limits, and then one that hangs.
        let (checks, hung) = hangs(&watchdog, |check, watchdog| {
            match check {
                20 => *watchdog.watched() = None,
                40 => *watchdog.watched() = Some(Watched::new(&Budget::default(), Instant::now())),
                8000 => *watchdog.watched() = Some(Watched::new(&limited, Instant::now())),
                _ => {}
            }
            false
        });
        assert_eq!((checks, hung.limit), (8000 + CHECKS, Limit::Time));
    }

    #[test]
    fn what_no_limit_covers_does_not_count_and_the_seconds_begin_anew() {
        let watchdog = watching(&Budget { time: Some(Duration::ZERO), ..Budget::default() });
        let (checks, _) = hangs(&watchdog, |check, watchdog| {
            match check {
                15 => watchdog.change(|w| w.pauses += 1),
                1000 => watchdog.change(|w| w.pauses -= 1),
                _ => {}
            }
            (1015..2000).contains(&check)
        });
        assert_eq!(checks, 2000 + CHECKS);
    }
}
