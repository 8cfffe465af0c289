//! Between the search and the screen: counters that both see, and the brake that the person holds.
//!
//! The search runs in a thread of its own. It tells what it does under a lock, waits there when it goes too fast or is
//! paused, and draws the state at hand only when the screen has asked for a new one.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use beeline_puzzle::{Event, EventKind, Scene, Watcher};
use beeline_search::{Cancel, Stats};

/// What the search has done so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures {
    pub(super) expanded: u64,
    pub(super) generated: u64,
    pub(super) duplicates: u64,
    pub(super) pruned: Vec<(&'static str, u64)>,
    /// States that wait to be expanded; `None` where the search keeps none waiting, or does not tell.
    pub(super) waiting: Option<u64>,
    /// Path cost and estimate of the state at selection.
    pub(super) cost: u64,
    pub(super) estimate: u64,
    pub(super) deepest: u64,
    /// The bound or width of the round, and which round it is.
    pub(super) round: Option<(u64, u64)>,
    pub(super) bytes: usize,
    /// Does the search tell of single states? Until one is told of, nobody knows.
    pub(super) tells: bool,
}

impl Figures {
    /// Takes over the counters of the search itself.
    pub(super) fn take(&mut self, stats: &Stats) {
        self.expanded = stats.expanded;
        self.generated = stats.generated;
        self.duplicates = stats.duplicates;
        self.pruned.clone_from(&stats.pruned);
        self.deepest = stats.depth;
        self.bytes = stats.bytes;
    }
}

/// How fast the search may go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Speed {
    /// So many expansions a second.
    Rate(f64),
    /// As it can.
    Full,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) figures: Figures,
    pub(super) scene: Option<Scene>,
    /// The screen has shown the last scene and wants another one.
    pub(super) wants_scene: bool,
    pub(super) speed: Speed,
    pub(super) paused: bool,
    /// Expansions that may be made although the search is paused.
    pub(super) steps: u64,
    /// When the next expansion may be made.
    next: Instant,
    /// What came of the search, in a sentence, once it is over.
    pub(super) verdict: Option<String>,
}

/// What the two threads share.
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

    /// What is shared. Nobody panics while holding it, and if somebody did, the figures are still figures.
    pub(super) fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes something that the search may be waiting for.
    pub(super) fn change(&self, change: impl FnOnce(&mut Shared)) {
        let mut shared = self.lock();
        change(&mut shared);
        shared.next = shared.next.min(Instant::now() + Duration::from_secs(1));
        drop(shared);
        self.changed.notify_all();
    }

    /// Ends the search, also one that waits.
    pub(super) fn end(&self) {
        self.cancel.cancel();
        self.change(|_| {});
    }

    /// Waits until the search may go on.
    fn brake(&self, mut shared: MutexGuard<'_, Shared>) {
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
            // Waits below a millisecond are not kept by any system; they are made up for by the next longer one.
            let early = shared.next.saturating_duration_since(now);
            if shared.speed == Speed::Full || early < Duration::from_millis(1) {
                break;
            }
            let waited = self.changed.wait_timeout(shared, early);
            shared = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let now = Instant::now();
        if let Speed::Rate(rate) = shared.speed {
            // Time that was lost is not made up for by a rush.
            let from = shared.next.max(now.checked_sub(Duration::from_millis(20)).unwrap_or(now));
            shared.next = from + Duration::from_secs_f64(1.0 / rate);
        }
    }
}

/// The search's end of the link.
pub(super) struct Relay<'a>(pub(super) &'a Link);

impl Watcher for Relay<'_> {
    fn wants_events(&self) -> bool {
        true
    }

    fn tick(&mut self, stats: &Stats) {
        let mut shared = self.0.lock();
        let figures = &mut shared.figures;
        if figures.tells {
            figures.bytes = stats.bytes;
            // A depth-first search in place keeps no successors, and so tells of none; but it counts them.
            figures.generated = figures.generated.max(stats.generated);
            return;
        }
        // A solver that works in batches: its own counters are all there is.
        figures.take(stats);
        // Before the first expansion nobody knows yet whether states will be told of.
        if shared.paused && stats.expanded > 0 {
            self.0.brake(shared);
        }
    }

    fn round(&mut self, bound: u64) {
        let figures = &mut self.0.lock().figures;
        let number = figures.round.map_or(1, |(_, number)| number + 1);
        figures.round = Some((bound, number));
        // A new round begins with the start alone.
        figures.waiting = None;
    }

    fn event(&mut self, event: &Event<'_>) {
        let mut shared = self.0.lock();
        let figures = &mut shared.figures;
        if !figures.tells {
            // A tick may have counted the start already, of which the events tell as well.
            figures.tells = true;
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
                self.0.brake(shared);
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

    /// The screen counts events, the search counts for itself: they must agree.
    #[test]
    fn the_screen_counts_what_the_search_counts() {
        for (strategy, name) in
            [("bfs", "gate"), ("astar", "tiles"), ("idastar", "tiles"), ("bfs", "sokoban")]
        {
            let (figures, stats) = watched(strategy, name);
            assert!(figures.tells, "{strategy} {name}");
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
            // The fourth expansion is announced and waits.
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
