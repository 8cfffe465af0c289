//! The classic commands: the exact command lines, formats and figures of the assignments that Beeline is based on.
//!
//! Each command has one file with a `main`, which the binary of that name calls.

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

/// Searches within a budget. If the search does not end after its time limit, the process reports it and exits with
/// code 39.
fn within<T>(program: &'static str, budget: &Budget, search: impl FnOnce() -> T) -> T {
    let _watch = watched(program, budget);
    search()
}

/// Not in [`within`], so that its thread is not compiled for each kind of search.
fn watched(program: &'static str, budget: &Budget) -> Option<watchdog::Watch> {
    budget.time?;
    watchdog::start(watchdog::GRACE, move |hung| eprintln!("{program}: {}", hung.message()));
    Some(watchdog::watch(budget))
}

/// Sets `--time` in seconds or `--memory` in MiB; `None` if the value is not valid.
fn limit(budget: &mut Budget, option: &str, value: &str) -> Option<()> {
    if option == "--time" {
        budget.time = Some(Duration::try_from_secs_f64(value.parse().ok()?).ok()?);
    } else {
        budget.bytes = Some(value.parse::<usize>().ok()?.checked_mul(1 << 20)?);
    }
    Some(())
}

/// Does some work and measures its processor time, which two of the originals print. It measures wall time if the
/// system does not report processor time.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let (clock, before) = (Instant::now(), cpu());
    let done = work();
    let used = Duration::try_from_secs_f64(cpu() - before).unwrap_or_default();
    (done, if used.is_zero() { clock.elapsed() } else { used })
}
