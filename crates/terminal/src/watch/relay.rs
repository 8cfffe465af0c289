//! The link between the search thread and the screen: shared counters, and the user's speed control.
//!
//! The search runs in its own thread. It reports its events under a lock, and waits there if it is too fast or
//! paused. It draws the current state only when the screen has requested a new scene.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use beeline_puzzle::{Event, EventKind, Scene, Watcher};
use beeline_search::{Cancel, Stats};

/// The counters of the search so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures {
    pub(super) expanded: u64,
    pub(super) generated: u64,
    pub(super) duplicates: u64,
    pub(super) pruned: Vec<(&'static str, u64)>,
    /// States in the frontier; `None` if the search keeps none or does not report it.
    pub(super) waiting: Option<u64>,
    /// Path cost and estimate of the current state.
    pub(super) cost: u64,
    pub(super) estimate: u64,
    pub(super) deepest: u64,
    /// The bound or width of the round, and the number of the round.
    pub(super) round: Option<(u64, u64)>,
    pub(super) bytes: usize,
    /// Does the search report single states? False until it reports the first one.
    pub(super) reports_states: bool,
}

impl Figures {
    /// Copies the counters of the search itself.
    pub(super) fn copy_from(&mut self, stats: &Stats) {
        self.expanded = stats.expanded;
        self.generated = stats.generated;
        self.duplicates = stats.duplicates;
        self.pruned.clone_from(&stats.pruned);
        self.deepest = stats.depth;
        self.bytes = stats.bytes;
    }
}

/// The speed limit of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Speed {
    /// At most this many expansions per second.
    Rate(f64),
    /// No limit.
    Full,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) figures: Figures,
    pub(super) scene: Option<Scene>,
    /// The screen has drawn the last scene and requests another one.
    pub(super) wants_scene: bool,
    pub(super) speed: Speed,
    pub(super) paused: bool,
    /// Expansions that are allowed while the search is paused.
    pub(super) steps: u64,
    /// The earliest time of the next expansion.
    next: Instant,
    /// The result of the search as a sentence, once it has ended.
    pub(super) verdict: Option<String>,
}

/// The state that both threads share.
#[derive(Debug)]
pub(super) struct Link {
    shared: Mutex<Shared>,
    changed: Condvar,
    pub(super) cancel: Cancel,
}

impl Link {
    pub(super) fn new(speed: Speed, cancel: Cancel) -> Self {
        let shared = Shared {
            figures: Figures::default(),
            scene: None,
            wants_scene: true,
            speed,
            paused: false,
            steps: 0,
            next: Instant::now(),
            verdict: None,
        };
        Self { shared: Mutex::new(shared), changed: Condvar::new(), cancel }
    }

    /// Locks the shared state. A poisoned lock still holds valid counters, so poisoning is ignored.
    pub(super) fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes something that the search may be waiting for, and wakes it.
    pub(super) fn change(&self, change: impl FnOnce(&mut Shared)) {
        let mut shared = self.lock();
        change(&mut shared);
        shared.next = shared.next.min(Instant::now() + Duration::from_secs(1));
        drop(shared);
        self.changed.notify_all();
    }

    /// Ends the search, even if it is waiting.
    pub(super) fn end(&self) {
        self.cancel.cancel();
        self.change(|_| {});
    }

    /// Waits until the search may continue.
    fn throttle(&self, mut shared: MutexGuard<'_, Shared>) {
        loop {
            if self.cancel.is_cancelled() {
                return;
            }
            if shared.paused {
                if shared.steps > 0 {
                    shared.steps -= 1;
                    break;
                }
                shared = self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let now = Instant::now();
            // No system waits for less than a millisecond accurately. The next longer wait makes up for skipped short
            // ones.
            let early = shared.next.saturating_duration_since(now);
            if shared.speed == Speed::Full || early < Duration::from_millis(1) {
                break;
            }
            let waited = self.changed.wait_timeout(shared, early);
            shared = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let now = Instant::now();
        if let Speed::Rate(rate) = shared.speed {
            // A delay is not followed by a burst.
            let from = shared.next.max(now.checked_sub(Duration::from_millis(20)).unwrap_or(now));
            shared.next = from + Duration::from_secs_f64(1.0 / rate);
        }
    }
}

/// The search's side of the link.
pub(super) struct Relay<'a>(pub(super) &'a Link);

impl Watcher for Relay<'_> {
    fn wants_events(&self) -> bool {
        true
    }

    fn tick(&mut self, stats: &Stats) {
        let mut shared = self.0.lock();
        let figures = &mut shared.figures;
        if figures.reports_states {
            figures.bytes = stats.bytes;
            // A depth-first search in place keeps no successors and so reports none, but it counts them.
            figures.generated = figures.generated.max(stats.generated);
            return;
        }
        // A solver that works in batches reports only its own counters.
        figures.copy_from(stats);
        // Before the first expansion, it is not yet known whether the search reports states.
        if shared.paused && stats.expanded > 0 {
            self.0.throttle(shared);
        }
    }

    fn round(&mut self, bound: u64) {
        let figures = &mut self.0.lock().figures;
        let number = figures.round.map_or(1, |(_, number)| number + 1);
        figures.round = Some((bound, number));
        // A new round begins with only the start in the frontier.
        figures.waiting = None;
    }

    fn event(&mut self, event: &Event<'_>) {
        let mut shared = self.0.lock();
        let figures = &mut shared.figures;
        if !figures.reports_states {
            // A tick may have counted the start already. The events report it as well.
            figures.reports_states = true;
            figures.expanded = 0;
        }
        match event.kind {
            EventKind::Expanded => {
                figures.expanded += 1;
                figures.waiting = figures.waiting.map(|n| n.saturating_sub(1));
                (figures.cost, figures.estimate) = (event.cost.into(), event.estimate.into());
                figures.deepest = figures.deepest.max(figures.cost);
                if shared.wants_scene || shared.paused {
                    shared.scene = Some((event.scene)());
                    shared.wants_scene = false;
                }
                self.0.throttle(shared);
            }
            EventKind::Generated => {
                figures.generated += 1;
                figures.waiting = Some(figures.waiting.unwrap_or(0) + 1);
            }
            EventKind::Duplicate => {
                figures.generated += 1;
                figures.duplicates += 1;
            }
            EventKind::Pruned(rule) => {
                figures.generated += 1;
                match figures.pruned.iter_mut().find(|(name, _)| *name == rule) {
                    Some((_, count)) => *count += 1,
                    None => figures.pruned.push((rule, 1)),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_puzzles::{Job, kind};
    use beeline_search::Budget;

    fn watched(strategy: &str, name: &str) -> (Figures, Stats) {
        let text = kind(name).unwrap().examples()[0].text;
        let puzzle = kind(name).unwrap().parse(text).unwrap().remove(0);
        let link = Link::new(Speed::Full, Cancel::default());
        let job = Job { strategy: Some(strategy.to_owned()), ..Job::default() };
        let outcome = puzzle.solve(&job, &Budget::default(), &mut Relay(&link)).unwrap();
        let figures = link.lock().figures.clone();
        (figures, outcome.stats)
    }

    /// The screen counts events and the search counts for itself. Both must agree.
    #[test]
    fn the_screen_counts_what_the_search_counts() {
        for (strategy, name) in
            [("bfs", "gate"), ("astar", "tiles"), ("idastar", "tiles"), ("bfs", "sokoban")]
        {
            let (figures, stats) = watched(strategy, name);
            assert!(figures.reports_states, "{strategy} {name}");
            assert_eq!(figures.expanded, stats.expanded, "{strategy} {name}");
            assert_eq!(figures.duplicates, stats.duplicates, "{strategy} {name}");
            assert_eq!(figures.deepest, stats.depth, "{strategy} {name}");
            let pruned: u64 = figures.pruned.iter().map(|(_, n)| n).sum();
            assert_eq!(pruned, stats.pruned_total(), "{strategy} {name}");
        }
    }

    #[test]
    fn a_paused_search_makes_the_steps_that_it_is_given() {
        let link = Link::new(Speed::Full, Cancel::default());
        link.change(|shared| (shared.paused, shared.steps) = (true, 3));
        let puzzle = kind("gate").unwrap().parse(kind("gate").unwrap().examples()[0].text).unwrap().remove(0);
        let job = Job { strategy: Some("bfs".to_owned()), ..Job::default() };
        let budget = Budget { cancel: link.cancel.clone(), ..Budget::default() };
        std::thread::scope(|scope| {
            let search = scope.spawn(|| puzzle.solve(&job, &budget, &mut Relay(&link)));
            // The fourth expansion is reported and then waits.
            let deadline = Instant::now() + Duration::from_secs(60);
            while link.lock().figures.expanded < 4 && Instant::now() < deadline {
                std::thread::yield_now();
            }
            let expanded = link.lock().figures.expanded;
            let seen = (expanded, link.lock().scene.is_some(), search.is_finished());
            link.end();
            assert_eq!(seen, (4, true, false));
        });
    }
}
