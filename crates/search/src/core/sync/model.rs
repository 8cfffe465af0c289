//! Runs tests under the schedules of the model checker.
//!
//! Inside a run time stands still as far as the checker is concerned: a wait with a time limit never times out, so that code
//! which rests on a time-out is reported as a deadlock. Tests use limits on expansions and cancels, never clocks.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use shuttle::rand::{Rng, thread_rng};
use shuttle::scheduler::{PctScheduler, RandomScheduler, Scheduler};
use shuttle::sync::mpsc::channel;
use shuttle::thread::Scope;
use shuttle::{Config, FailurePersistence, Runner};

use crate::core::budget::{Budget, Cancel};

/// Bytes of a modelled thread's stack, as many as those of an ordinary one. The checker's default is 60 KiB.
const STACK: usize = 2 << 20;
/// Preemptions that the scheduler of probabilistic concurrency testing makes in a run. Most faults need one or two.
const PREEMPTIONS: usize = 3;
/// A cancel comes after at most this many turns of the thread that asks for it, as a power of 2.
const LATEST: u32 = 11;
/// One of so many threads cannot be created.
const REFUSED: u32 = 16;

/// May this thread not be created? The scheduler draws the number, so that a run can be repeated.
pub(super) fn refuses_thread() -> bool {
    thread_rng().gen_ratio(1, REFUSED)
}

/// `show`: how a run that failed can be repeated is printed.
fn config(show: bool) -> Config {
    let mut config = Config::new();
    config.stack_size = STACK;
    config.failure_persistence = if show { FailurePersistence::Print } else { FailurePersistence::None };
    config.silence_warnings = true;
    config
}

/// [`std::thread::scope`] as the checker has it. One more thread stays in the scope as long as `body` runs: the checker wakes the
/// owner of a scope when its last thread ends, whatever the owner waits for, and would hide that it waits for ever.
pub fn scope<'env, T>(body: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T) -> T {
    shuttle::thread::scope(|scope| {
        let (runs, ended) = channel::<()>();
        scope.spawn(move || ended.recv());
        let done = body(scope);
        drop(runs);
        done
    })
}

/// A budget whose cancel is asked for by another modelled thread, at any moment of the run.
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

/// The scheduler with few preemptions refuses a test that has one thread only; limits may leave it one.
fn beside_another_thread(test: impl Fn()) -> impl Fn() {
    move || {
        shuttle::thread::spawn(shuttle::thread::yield_now);
        test();
    }
}

/// Runs a test under so many random schedules, and under as many with few preemptions. Panics on a deadlock, on a run that
/// does not end, and on a panic of the test.
pub fn check(schedules: usize, test: impl Fn() + Send + Sync + Clone + 'static) {
    Runner::new(RandomScheduler::new(schedules), config(true)).run(test.clone());
    Runner::new(PctScheduler::new(PREEMPTIONS, schedules), config(true)).run(beside_another_thread(test));
}

/// How many schedules it takes until a test deadlocks, at most `most` of each kind: random ones, and those with few
/// preemptions.
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
