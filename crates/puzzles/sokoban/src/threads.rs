//! The same work on several threads, each with its share of the limits.

use beeline_puzzle::puzzle::Watcher;
use beeline_search::{Budget, team};

/// Threads, at most: each has tables of its own and its share of the memory.
const MOST_THREADS: usize = 16;

/// The number of threads to use where so many are wanted; 0 means one per core.
pub(crate) fn useful(wanted: usize) -> usize {
    team::useful(wanted).min(MOST_THREADS)
}

/// Calls `work` on each thread with its number, its share of the limits on memory and expansions, and a watcher.
/// If the system provides fewer threads, fewer take part. `abort` is called when one of them fails.
pub(crate) fn run<T: Send>(
    threads: usize,
    budget: &Budget,
    watcher: &mut dyn Watcher,
    abort: &(dyn Fn() + Sync),
    work: impl Fn(usize, Budget, &mut dyn Watcher) -> T + Sync,
) -> Vec<T> {
    let share = |number: usize| Budget {
        bytes: budget.bytes.map(|bytes| bytes / threads),
        nodes: budget.nodes.map(|nodes| nodes.saturating_add(number as u64) / threads as u64),
        ..budget.clone()
    };
    team::scope(abort, |team| {
        let (work, share) = (&work, &share);
        let others: Vec<_> = (1..threads)
            .map_while(|number| team.spawn(move || work(number, share(number), &mut ())).ok())
            .collect();
        let own = work(0, share(0), watcher);
        std::iter::once(own).chain(others.into_iter().filter_map(team::Handle::join)).collect()
    })
}
