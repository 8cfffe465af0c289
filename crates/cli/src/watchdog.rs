//! Ends a process whose search does not end.
//!
//! Every search looks at its limits itself. One that hangs (threads that wait for each other, a loop that never looks) cannot,
//! and whoever waits for it waits for ever. So a thread of its own looks at the clock and at the cancel flag. Five seconds
//! after a limit, the process says that the search hangs and what was known of it, and ends with exit code 39.
//!
//! What no limit covers does not count as hanging: the seconds begin anew after a checkpoint was read or written, and after a
//! line was written to a terminal that its user had stopped. They are counted in looks of the watchdog itself, so a process
//! that was suspended, or a machine that slept, is given its five seconds after it wakes. Reading files, checking a plan and
//! writing answers happen outside of a search and are not watched.
//!
//! The watchdog shares nothing with a search but a few numbers under a lock that is never held for longer than it takes to
//! store them.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use beeline_search::atomic_file::Transfer;
use beeline_search::{Budget, Cancel, Limit, Stats};

use crate::leave;

/// The exit code of a process that was ended by its watchdog, for every command: an internal error.
pub(crate) const EXIT: i32 = 39;
/// How long after a limit a search may still run. A search looks at its limits every few milliseconds; giving back gigabytes
/// of memory takes a second or two.
pub(crate) const GRACE: Duration = Duration::from_secs(5);
/// Looks in a row that find a limit overrun before the search is said to hang: one every quarter of a second.
const LOOKS: u32 = 20;

/// What is known of a search while it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    /// The last figures that it told.
    pub(crate) stats: Stats,
    /// The bound or width of its round.
    pub(crate) bound: Option<u64>,
    /// The cost of the best plan that it found.
    pub(crate) best: Option<u64>,
}

/// A search that hangs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hung {
    /// The limit that it ignores.
    pub(crate) limit: Limit,
    /// What was known of it.
    pub(crate) known: Known,
}

impl Hung {
    /// What happened, in a sentence.
    pub(crate) fn message(&self) -> String {
        let limit = match self.limit {
            Limit::Cancelled => "it was interrupted",
            _ => "its time limit",
        };
        format!("the search hangs: it did not end by itself after {limit}")
    }

    /// What was known, in a few words; nothing where the search told nothing.
    pub(crate) fn figures(&self) -> Option<String> {
        let Known { stats, bound, best } = &self.known;
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

/// A search that is watched.
#[derive(Debug, Default)]
struct Watched {
    deadline: Option<Instant>,
    cancel: Cancel,
    /// How many are doing something that no limit covers.
    pauses: usize,
    known: Known,
}

impl Watched {
    fn new(budget: &Budget, now: Instant) -> Self {
        Self {
            deadline: budget.time.and_then(|time| now.checked_add(time)),
            cancel: budget.cancel.clone(),
            ..Self::default()
        }
    }

    /// The limit that is overrun, unless something is done that no limit covers.
    fn overrun(&self, look: Look) -> Option<Limit> {
        if self.pauses > 0 || look.transfer {
            return None;
        }
        if self.cancel.is_cancelled() {
            return Some(Limit::Cancelled);
        }
        self.deadline.is_some_and(|deadline| look.now >= deadline).then_some(Limit::Time)
    }
}

/// What the watchdog sees besides the search.
#[derive(Clone, Copy, Debug)]
struct Look {
    now: Instant,
    /// Is a large file read or written?
    transfer: bool,
}

/// The search that is watched now, if there is one.
#[derive(Debug, Default)]
struct Watchdog(Mutex<Option<Watched>>);

impl Watchdog {
    fn watched(&self) -> MutexGuard<'_, Option<Watched>> {
        // Whoever panicked with the lock left a whole value behind.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Watched)) {
        if let Some(watched) = self.watched().as_mut() {
            change(watched);
        }
    }

    /// Looks again and again until a search hangs. `look` waits until it is time for the next one.
    fn wait_for_a_hang(&self, mut look: impl FnMut() -> Look) -> Hung {
        let mut overrun = 0;
        loop {
            let look = look();
            let watched = self.watched();
            let found = watched.as_ref().and_then(|w| Some((w.overrun(look)?, &w.known)));
            match found {
                Some((limit, known)) if overrun >= LOOKS => return Hung { limit, known: known.clone() },
                Some(_) => overrun += 1,
                None => overrun = 0,
            }
        }
    }
}

/// The watchdog of this process, once [`start`] was called.
static WATCHDOG: OnceLock<Arc<Watchdog>> = OnceLock::new();

/// From now on, a search that hangs is reported and the process ends with code [`EXIT`].
/// `grace` is how long after a limit a search may still run.
pub(crate) fn start(grace: Duration, report: impl FnOnce(&Hung) + Send + 'static) {
    let watchdog = Arc::new(Watchdog::default());
    if WATCHDOG.set(Arc::clone(&watchdog)).is_err() {
        return;
    }
    let watch = move || {
        let hung = watchdog.wait_for_a_hang(|| {
            std::thread::sleep(grace / LOOKS);
            Look { now: Instant::now(), transfer: Transfer::is_under_way() }
        });
        leave::end(EXIT, move || report(&hung))
    };
    let spawned = std::thread::Builder::new().name("watchdog".to_owned()).stack_size(256 << 10).spawn(watch);
    // Where there is no thread to be had, searches still look at their limits themselves.
    drop(spawned);
}

/// A search is watched as long as this lives.
pub(crate) struct Watch {
    /// What was watched before.
    before: Option<Watched>,
}

/// Begins to watch a search with this budget. Nothing is watched in a process that did not [`start`] a watchdog.
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

/// The figures of the search that is watched.
pub(crate) fn tick(stats: &Stats) {
    if let Some(watchdog) = WATCHDOG.get() {
        watchdog.change(|watched| watched.known.stats.clone_from(stats));
    }
}

/// A round of it begins.
pub(crate) fn round(bound: u64) {
    if let Some(watchdog) = WATCHDOG.get() {
        watchdog.change(|watched| watched.known.bound = Some(bound));
    }
}

/// It found a plan of this cost.
pub(crate) fn found(cost: u64) {
    if let Some(watchdog) = WATCHDOG.get() {
        watchdog.change(|watched| {
            watched.known.best = Some(watched.known.best.map_or(cost, |best| best.min(cost)));
        });
    }
}

/// Does something that no limit covers.
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

    /// Looks a quarter of a second apart. `events` makes something happen at a look, and says whether a file is written then.
    fn hangs(watchdog: &Watchdog, mut events: impl FnMut(u32, &Watchdog) -> bool) -> (u32, Hung) {
        let (start, mut looks) = (Instant::now(), 0);
        let hung = watchdog.wait_for_a_hang(|| {
            looks += 1;
            assert!(looks < 10_000, "the hang was not noticed");
            let transfer = events(looks, watchdog);
            Look { now: start + GRACE / LOOKS * looks, transfer }
        });
        (looks, hung)
    }

    fn seconds(looks: u32) -> f64 {
        (GRACE / LOOKS * looks).as_secs_f64()
    }

    fn watching(budget: &Budget) -> Watchdog {
        Watchdog(Mutex::new(Some(Watched::new(budget, Instant::now()))))
    }

    #[test]
    fn a_search_that_overruns_its_time_is_said_to_hang_after_five_seconds() {
        let watchdog = watching(&Budget { time: Some(Duration::from_secs(10)), ..Budget::default() });
        watchdog.change(|w| w.known.stats.expanded = 7);
        watchdog.change(|w| (w.known.bound, w.known.best) = (Some(3), Some(9)));
        let (looks, hung) = hangs(&watchdog, |_, _| false);
        assert_eq!((hung.limit, hung.known.stats.expanded, hung.known.bound), (Limit::Time, 7, Some(3)));
        assert!((15.0..15.6).contains(&seconds(looks)), "{}", seconds(looks));
        assert_eq!(
            hung.figures().as_deref(),
            Some("7 expanded, bound 3, a plan of cost 9 that was not checked")
        );
    }

    #[test]
    fn so_is_one_that_ignores_an_interrupt() {
        let budget = Budget::default();
        let watchdog = watching(&budget);
        let (looks, hung) = hangs(&watchdog, |look, _| {
            if look == 100 {
                budget.cancel.cancel();
            }
            false
        });
        assert_eq!(hung.limit, Limit::Cancelled);
        assert!((5.0..5.6).contains(&seconds(looks - 100)), "{looks}");
        assert_eq!(hung.figures(), None);
    }

    #[test]
    fn a_search_that_ends_in_time_or_has_no_limit_is_left_alone() {
        let limited = Budget { time: Some(Duration::from_secs(1)), ..Budget::default() };
        let watchdog = watching(&limited);
        // It ends four seconds late; one without limits follows, and then one that hangs.
        let (looks, hung) = hangs(&watchdog, |look, watchdog| {
            match look {
                20 => *watchdog.watched() = None,
                40 => *watchdog.watched() = Some(Watched::new(&Budget::default(), Instant::now())),
                8000 => *watchdog.watched() = Some(Watched::new(&limited, Instant::now())),
                _ => {}
            }
            false
        });
        assert_eq!((looks, hung.limit), (8000 + LOOKS, Limit::Time));
    }

    #[test]
    fn what_no_limit_covers_does_not_count_and_the_seconds_begin_anew() {
        let watchdog = watching(&Budget { time: Some(Duration::ZERO), ..Budget::default() });
        let (looks, _) = hangs(&watchdog, |look, watchdog| {
            match look {
                15 => watchdog.change(|w| w.pauses += 1),
                1000 => watchdog.change(|w| w.pauses -= 1),
                _ => {}
            }
            (1015..2000).contains(&look)
        });
        assert_eq!(looks, 2000 + LOOKS);
    }
}
