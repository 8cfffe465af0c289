//! The classic commands: the exact command lines, formats and figures of the assignments that Beeline grew from.
//!
//! One file a command, each with a `main` that the binary of that name calls.

mod caret;
pub mod fifteen;
pub mod flow;
pub mod gate;
pub mod hw1;
mod screen;
pub mod sokoban;

use std::time::{Duration, Instant};

use beeline_api::usage::cpu;
use beeline_search::Budget;

use crate::watchdog;

/// Searches within a budget. A search that does not end after its time limit is told of, and ends the process with exit code 39.
fn within<T>(program: &'static str, budget: &Budget, search: impl FnOnce() -> T) -> T {
    if budget.time.is_none() {
        return search();
    }
    watchdog::start(watchdog::GRACE, move |hung| eprintln!("{program}: {}", hung.message()));
    let _watch = watchdog::watch(budget);
    search()
}

/// Takes the value of `--time`, in seconds, or of `--memory`, in MiB; `None` where it is no such value.
fn limit(budget: &mut Budget, option: &str, value: &str) -> Option<()> {
    if option == "--time" {
        budget.time = Some(Duration::try_from_secs_f64(value.parse().ok()?).ok()?);
    } else {
        budget.bytes = Some(value.parse::<usize>().ok()?.checked_mul(1 << 20)?);
    }
    Some(())
}

/// Does some work and says how much processor time it took, which is what two of the originals print; the time by the clock
/// where the system does not say.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let (clock, before) = (Instant::now(), cpu());
    let done = work();
    let used = Duration::try_from_secs_f64(cpu() - before).unwrap_or_default();
    (done, if used.is_zero() { clock.elapsed() } else { used })
}
