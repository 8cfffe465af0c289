//! Runs tests under the schedules of the model checker.
//!
//! Time stands still inside a run: a wait with a time limit never times out. So the checker reports code that relies on a
//! time-out as a deadlock. Tests use limits on expansions and cancels, never clocks.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use shuttle::rand::{Rng, thread_rng};
use shuttle::scheduler::{PctScheduler, RandomScheduler, Scheduler};
use shuttle::sync::mpsc::channel;
use shuttle::thread::Scope;
use shuttle::{Config, FailurePersistence, Runner};

use crate::core::budget::{Budget, Cancel};

/// Bytes of a modelled thread's stack, as for an ordinary thread. The checker's default is 60 KiB.
const STACK: usize = 2 << 20;
/// Preemptions per run of the probabilistic-concurrency-testing scheduler. Most faults need one or two.
const PREEMPTIONS: usize = 3;
/// Base-2 logarithm of the most turns that the cancelling thread takes before it cancels.
const LATEST: u32 = 11;
/// One thread in this many is refused.
const REFUSED: u32 = 16;

/// Is this thread refused? The scheduler draws the number, so that a run is repeatable.
pub(super) fn refuses_thread() -> bool {
    thread_rng().gen_ratio(1, REFUSED)
}

/// `show` prints how to repeat a failed run.
fn config(show: bool) -> Config {
    let mut config = Config::new();
    config.stack_size = STACK;
    config.failure_persistence = if show { FailurePersistence::Print } else { FailurePersistence::None };
    config.silence_warnings = true;
    config
}

/// [`std::thread::scope`] under the checker. One more thread stays in the scope while `body` runs. The checker wakes the owner
/// of a scope when its last thread ends, whatever the owner waits for; that would hide a wait without end.
pub fn scope<'env, T>(body: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T) -> T {
    shuttle::thread::scope(|scope| {
        let (runs, ended) = channel::<()>();
        scope.spawn(move || ended.recv());
        let done = body(scope);
        drop(runs);
        done
    })
}

/// A budget that another modelled thread cancels at any moment of the run.
pub fn cancelled_sometime() -> Budget {
    let cancel = Cancel::default();
    let asks = cancel.clone();
    shuttle::thread::spawn(move || {
        // Early and late moments are equally frequent.
        let most = 1u32 << thread_rng().gen_range(0..LATEST);
        for _ in 0..thread_rng().gen_range(0..most) {
            shuttle::thread::yield_now();
        }
        asks.cancel();
    });
    Budget { cancel, ..Budget::default() }
}

/// Adds an idle thread to a test. The scheduler with few preemptions rejects a test with only one thread.
fn beside_another_thread(test: impl Fn()) -> impl Fn() {
    move || {
        shuttle::thread::spawn(shuttle::thread::yield_now);
        test();
    }
}

/// Runs a test under `schedules` random schedules, and as many with few preemptions. Panics on a deadlock, on a run that does
/// not end, and on a panic of the test.
pub fn check(schedules: usize, test: impl Fn() + Send + Sync + Clone + 'static) {
    Runner::new(RandomScheduler::new(schedules), config(true)).run(test.clone());
    Runner::new(PctScheduler::new(PREEMPTIONS, schedules), config(true)).run(beside_another_thread(test));
}

/// How many schedules it takes until a test deadlocks, at most `most` of each kind: random, and with few preemptions.
///
/// # Panics
/// If the test fails in another way.
pub fn schedules_to_deadlock(
    most: usize,
    test: impl Fn() + Send + Sync + Clone + 'static,
) -> [Option<usize>; 2] {
    [
        until_deadlock(RandomScheduler::new(most), test.clone()),
        until_deadlock(PctScheduler::new(PREEMPTIONS, most), beside_another_thread(test)),
    ]
}

fn until_deadlock(
    scheduler: impl Scheduler + 'static,
    test: impl Fn() + Send + Sync + 'static,
) -> Option<usize> {
    let begun = Arc::new(AtomicUsize::new(0));
    let counter = begun.clone();
    let counted = move || {
        counter.fetch_add(1, Ordering::Relaxed);
        test();
    };
    let ended = catch_unwind(AssertUnwindSafe(|| Runner::new(scheduler, config(false)).run(counted)));
    let payload = ended.err()?;
    if payload.downcast_ref::<String>().is_some_and(|message| message.contains("deadlock")) {
        Some(begun.load(Ordering::Relaxed))
    } else {
        resume_unwind(payload)
    }
}
