//! Shortens a plan by vicinity search (Damgaard, YASO); the result is always a valid plan.
//!
//! [`improve`] searches the vicinity of the plan repeatedly. It widens the vicinity when a narrow one finds
//! nothing. It ends at a limit, or when the widest vicinity finds nothing. A *sweep* is one pass along the
//! plan; each search in it starts halfway along the part that the previous search covered. Several threads
//! share the plan and the sweep.

mod route;
mod vicinity;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use beeline_puzzle::puzzle::Watcher;
use beeline_search::{Budget, Limit, Meter, Stats};

use super::board::{Board, Dir};
use super::field::Field;
use super::optimal::PlanWriter;
use super::threads;
use route::{Push, Route};
pub use vicinity::Figure;
use vicinity::{Detour, Searched, Searcher, Task, Vicinity};

/// The vicinities in the order of their sweeps: displaced boxes, slack in moves, and positions stored by one
/// search. Chosen on the odd levels of `XSokoban`.
const VICINITIES: &[(usize, u32, usize)] = &[
    (1, u32::MAX, 1 << 20),
    (2, 20, 1 << 19),
    (2, 40, 1 << 19),
    (3, 20, 1 << 20),
    (2, 80, 1 << 20),
    (3, 40, 1 << 21),
    (4, 20, 1 << 21),
    (2, u32::MAX, 1 << 22),
    (4, 40, 1 << 22),
    (3, u32::MAX, 1 << 23),
    (usize::MAX, u32::MAX, 1 << 23),
];

/// Positions of the plan between the starts of two searches, until a search has shown how far it gets. Only a
/// second thread needs it.
const FIRST_STRIDE: usize = 64;

/// Moves per push of a typical plan. The slack in pushes is smaller than the slack in moves by this factor.
const MOVES_PER_PUSH: u32 = 3;

/// Settings of [`improve`].
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The figure to minimise.
    pub figure: Figure,
    /// May the other figure exceed its value in the given plan?
    pub trade: bool,
    /// Threads.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { figure: Figure::Moves, trade: false, threads: 1 }
    }
}

/// A plan after [`improve`].
#[derive(Clone, Debug)]
pub struct Improved {
    /// The steps of the plan.
    pub plan: Vec<Dir>,
    /// Statistics. `stopped` names the limit that ended the search; `None` means that the widest vicinity
    /// found nothing.
    pub stats: Stats,
}

/// Returns a plan for the same level that is no worse than this one. An invalid plan is returned unchanged.
/// Ends when no vicinity finds an improvement, or at a limit, with the best plan so far.
pub fn improve(
    board: &Board,
    plan: &[Dir],
    settings: &Settings,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Improved {
    let mut meter = Meter::new(budget);
    let mut stats = Stats::default();
    let unchanged = |stats: Stats| Improved { plan: plan.to_vec(), stats };
    let field = match Field::within(board, false, &mut meter) {
        Ok(field) => field,
        Err(limit) => {
            stats.stopped = Some(limit);
            return unchanged(stats);
        }
    };
    let Some(route) = pushes_of(&field, plan).and_then(|pushes| Route::new(&field, pushes)) else {
        return unchanged(stats);
    };
    let rest = meter.rest(budget);
    let shared = Shared {
        field: &field,
        figure: settings.figure,
        most: if settings.trade { u32::MAX } else { settings.figure.ranked(route.total()).1 },
        expanded: AtomicU64::new(0),
        sweep: Mutex::new(Sweep {
            route: Arc::new(route),
            stage: 0,
            widest: 1,
            first: 0,
            strides: [FIRST_STRIDE; VICINITIES.len()],
            better: false,
            finished: false,
        }),
    };
    let abort = || shared.sweep().finished = true;
    let ends = threads::run(threads::useful(settings.threads), &rest, watcher, &abort, |_, own, watcher| {
        shared.run(&mut Meter::new(&own), watcher)
    });
    stats.bytes = meter.ledger.peak() + ends.iter().map(|(bytes, _)| bytes).sum::<usize>();
    stats.stopped = ends.iter().find_map(|&(_, stopped)| stopped);
    stats.expanded = shared.expanded.load(Ordering::Relaxed);
    stats.elapsed = meter.elapsed();
    let route = Arc::clone(&shared.sweep().route);
    Improved { plan: route.steps().to_vec(), stats }
}

/// The pushes of a plan, if it is valid and solves the level.
pub(crate) fn pushes_of(field: &Field, plan: &[Dir]) -> Option<Vec<Push>> {
    let mut writer = PlanWriter::new(field);
    let mut pushes = Vec::new();
    for &dir in plan {
        let to = field.near()[writer.position.player as usize][dir as usize];
        if writer.position.boxed(to) {
            if !writer.position.free(field.near()[to as usize][dir as usize]) {
                return None;
            }
            pushes.push((writer.position.player, dir));
            writer.push(dir);
        } else if writer.position.free(to) {
            writer.position.player = to;
        } else {
            return None;
        }
    }
    writer.position.boxes.iter().all(|&b| field.board().is_goal(b)).then_some(pushes)
}

/// State shared by the threads.
struct Shared<'a> {
    field: &'a Field,
    figure: Figure,
    /// Largest value allowed for the other figure.
    most: u32,
    expanded: AtomicU64,
    sweep: Mutex<Sweep>,
}

/// The best plan so far, and the sweep along it.
struct Sweep {
    route: Arc<Route>,
    /// The vicinity of the sweep, as an index into [`VICINITIES`].
    stage: usize,
    /// The vicinity of the next sweep when the first vicinity finds nothing.
    widest: usize,
    /// Position of the plan from which the next search starts.
    first: usize,
    /// For each vicinity, positions between the starts of two searches: half of what the last search covered.
    strides: [usize; VICINITIES.len()],
    /// Has this sweep improved the plan?
    better: bool,
    /// No work is left, or a thread has failed.
    finished: bool,
}

impl Sweep {
    /// The next task: the plan, the position to search from, and the index of the vicinity.
    fn next(&mut self) -> Option<(Arc<Route>, usize, usize)> {
        // Another thread may have improved the plan after the last sweep ended.
        if self.first >= self.route.last() || self.stage == VICINITIES.len() && self.better {
            self.end_sweep();
        }
        if self.finished || self.stage == VICINITIES.len() || self.route.last() == 0 {
            return None;
        }
        let first = self.first;
        self.first += self.strides[self.stage];
        Some((Arc::clone(&self.route), first, self.stage))
    }

    /// Records how far a search got, and moves the start of the next one accordingly, unless another thread
    /// has taken it.
    fn searched(&mut self, stage: usize, first: usize, searched: &Searched) {
        let half = ((searched.furthest - first) / 2).max(1);
        let stride = if searched.to_the_end { self.route.last() } else { half };
        let old = std::mem::replace(&mut self.strides[stage], stride);
        if self.stage == stage && self.first == first + old {
            self.first = first + stride;
        }
    }

    /// After an improvement, the narrowest vicinity, which is the cheapest, is searched again until it finds
    /// nothing.
    fn end_sweep(&mut self) {
        if self.better {
            self.stage = 0;
        } else if self.stage == 0 {
            self.stage = self.widest;
        } else {
            self.widest = self.stage + 1;
            self.stage = self.widest;
        }
        self.better = false;
        self.first = 0;
    }
}

impl Shared<'_> {
    fn sweep(&self) -> MutexGuard<'_, Sweep> {
        self.sweep.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the searches of one thread. Returns the bytes used and the limit that ended it.
    fn run(&self, meter: &mut Meter, watcher: &mut dyn Watcher) -> (usize, Option<Limit>) {
        let mut searcher = Searcher::new(self.field);
        loop {
            let Some((route, first, stage)) = self.sweep().next() else {
                return (meter.ledger.peak(), None);
            };
            let (displaced, slack, states) = VICINITIES[stage];
            let in_pushes = self.figure == Figure::Pushes && slack != u32::MAX;
            let slack = if in_pushes { slack / MOVES_PER_PUSH } else { slack };
            let displaced = displaced.min(self.field.board().boxes().len());
            // A small budget still allows a few searches.
            let states = states.min((meter.allowed() / 4).max(1 << 10) as usize);
            let Ok(states) = searcher.book(states, &mut meter.ledger) else {
                return (meter.ledger.peak(), Some(Limit::Memory));
            };
            let mut counted = meter.expanded();
            let mut tick = |meter: &Meter| {
                let expanded = meter.expanded() - std::mem::replace(&mut counted, meter.expanded());
                let expanded = self.expanded.fetch_add(expanded, Ordering::Relaxed) + expanded;
                let (moves, pushes) = self.sweep().route.total();
                watcher.status(&format!("{moves} moves, {pushes} pushes"));
                watcher.tick(&Stats { expanded, bytes: meter.ledger.used(), ..Stats::default() });
            };
            let vicinity = Vicinity { displaced, slack, states };
            let figure = self.figure;
            let mut task = Task { route: &route, first, vicinity, figure, most: self.most, tick: &mut tick };
            let searched = searcher.search(&mut task, meter);
            if let Some(detour) = &searched.detour {
                self.apply(&route, first, detour);
            }
            tick(meter);
            let complete = searched.to_the_end
                && first == 0
                && slack == u32::MAX
                && displaced == self.field.board().boxes().len();
            let mut sweep = self.sweep();
            sweep.finished |= complete;
            sweep.searched(stage, first, &searched);
            if let Some(limit) = searched.stopped {
                return (meter.ledger.peak(), Some(limit));
            }
        }
    }

    /// Inserts a detour into the plan if that improves it. Another thread may have changed the plan since, so
    /// the first and last positions of the detour are located again.
    fn apply(&self, old: &Arc<Route>, first: usize, detour: &Detour) {
        let mut sweep = self.sweep();
        let now = Arc::clone(&sweep.route);
        let (from, to) = if Arc::ptr_eq(&now, old) {
            (first, detour.to)
        } else {
            let Some(from) = now.find(old, first) else { return };
            let Some(to) = now.find(old, detour.to).filter(|&to| to > from) else { return };
            (from, to)
        };
        let pushes = [&now.pushes()[..from], &detour.pushes, &now.pushes()[to..]].concat();
        let Some(new) = Route::new(self.field, pushes) else { return };
        let (was, is) = (self.figure.ranked(now.total()), self.figure.ranked(new.total()));
        if is < was && is.1 <= self.most {
            sweep.route = Arc::new(new);
            sweep.better = true;
        }
    }
}
