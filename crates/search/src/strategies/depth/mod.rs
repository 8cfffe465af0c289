//! The second of the two loops: depth-first search in place.
//!
//! One working state is edited by moves and undone on the way back; there is no arena. Depth-limited search, iterative
//! deepening and IDA* are loops around it that set the bound. The search keeps its own stack, so that the memory of a deep path
//! is accounted for.
//!
//! `hot_loop` only searches. Between its runs this file looks at the limits, `saving` writes checkpoints, and `sharing` donates
//! branches to other threads. [`Memory`] is what a search remembers.

mod hot_loop;
mod memory;
mod saving;
mod sharing;

use crate::core::budget::{Limit, Meter};
use crate::core::checkpoint::{Damage, Unloadable};
use crate::core::heuristic::Heuristic;
use crate::core::memory::OutOfMemory;
use crate::core::observer::Observer;
use crate::core::outcome::{DEAD, Stats};
use crate::core::prune::Prune;
use crate::core::space::{Cost, Space};
use hot_loop::{Cut, Frame, Here, Pause, Stop};
pub use memory::{Memory, SlackTable};
use saving::Position;
use sharing::Share;
pub(crate) use sharing::{Branch, Sharing, search_branch};

/// The parts of a depth-first search that stay the same in every round. With `SKIP_UNDOING`, moves that only undo the last one
/// are skipped ([`Space::moves_after`]).
pub struct Parts<'a, S: Space, H, P, O, M, const SKIP_UNDOING: bool> {
    /// The space.
    pub space: &'a S,
    /// The estimate.
    pub heuristic: &'a H,
    /// The rules that drop successors.
    pub prune: P,
    /// The observer.
    pub observer: O,
    /// The memory.
    pub memory: M,
}

/// How a round ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End<M> {
    /// A goal within the bound: the plan and its cost.
    Goal(Vec<M>, u64),
    /// No goal within the bound. The least f above it; `None` if nothing was cut off.
    Over(Option<Cost>),
    /// A limit.
    Limit(Limit),
}

/// Searches depth-first for a goal with f within `bound`, and adds its counters to `stats`.
pub fn search<S, H, P, O, M, const SKIP_UNDOING: bool>(
    parts: &mut Parts<'_, S, H, P, O, M, SKIP_UNDOING>,
    bound: Cost,
    meter: &mut Meter,
    stats: &mut Stats,
) -> End<S::Move>
where
    S: Space,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
    M: Memory<S>,
{
    let saved = meter.resume();
    let start = parts.space.start();
    let mut scratch = H::Scratch::default();
    let memo = parts.heuristic.root(parts.space, &start, &mut scratch);
    let estimate = parts.heuristic.value(memo);
    if estimate > bound {
        return End::Over((estimate != DEAD).then_some(estimate));
    }
    if parts.space.is_goal(&start) {
        parts.observer.found(0);
        return End::Goal(Vec::new(), 0);
    }
    let moves = parts.space.moves(&start);
    let mut here = Here { state: start, moves, memo, room: u64::from(bound), path: Vec::new() };
    let mut run = Run::new(parts, scratch, bound, meter, stats, None);
    let begun = match saved {
        Some(mut saved) => run.resume(&mut here, &mut saved),
        None => Ok(false),
    };
    let end = match begun.and_then(|begun| if begun { Ok(()) } else { run.begin(&here.state) }) {
        Ok(()) => run.descend(here),
        Err(Unfit::Limit(limit)) => End::Limit(limit),
        Err(Unfit::Damage(damage)) => {
            meter.refuse(damage);
            End::Limit(Limit::Cancelled)
        }
    };
    if let End::Goal(_, cost) = &end {
        parts.observer.found(*cost);
    }
    end
}

/// Why a round cannot begin.
enum Unfit {
    Limit(Limit),
    Damage(Damage),
}

impl From<Damage> for Unfit {
    fn from(damage: Damage) -> Self {
        Self::Damage(damage)
    }
}

impl From<OutOfMemory> for Unfit {
    fn from(_: OutOfMemory) -> Self {
        Self::Limit(Limit::Memory)
    }
}

impl From<Unloadable> for Unfit {
    fn from(unloadable: Unloadable) -> Self {
        match unloadable {
            Unloadable::Limit(limit) => Self::Limit(limit),
            Unloadable::Damage(damage) => damage.into(),
        }
    }
}

struct Run<'r, 'a, S: Space, H: Heuristic<S>, P, O, M, const SKIP_UNDOING: bool> {
    parts: &'r mut Parts<'a, S, H, P, O, M, SKIP_UNDOING>,
    scratch: H::Scratch,
    bound: Cost,
    meter: &'r mut Meter,
    stats: &'r mut Stats,
    cut: Cut,
    /// Expansions until the next look at the limits.
    left: u64,
    /// The most moves on the path so far.
    deepest: usize,
    /// The searchers that share the tree, and the path to this branch.
    sharing: Option<Share<'r, S::Move>>,
    /// Path prefix whose siblings are all searched: nothing left to donate.
    exhausted: Vec<S::Move>,
}

impl<'r, 'a, S, H, P, O, M, const SKIP_UNDOING: bool> Run<'r, 'a, S, H, P, O, M, SKIP_UNDOING>
where
    S: Space,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
    M: Memory<S>,
{
    fn new(
        parts: &'r mut Parts<'a, S, H, P, O, M, SKIP_UNDOING>,
        scratch: H::Scratch,
        bound: Cost,
        meter: &'r mut Meter,
        stats: &'r mut Stats,
        sharing: Option<Share<'r, S::Move>>,
    ) -> Self {
        let (cut, left) = (Cut { count: 0, over: u64::MAX }, meter.until_look());
        Self { parts, scratch, bound, meter, stats, cut, left, deepest: 0, sharing, exhausted: Vec::new() }
    }

    /// Counts the start as expanded.
    fn begin(&mut self, start: &S::State) -> Result<(), Unfit> {
        let Parts { space, memory, .. } = &mut *self.parts;
        let looked = self.meter.look();
        let looked = looked.and_then(|()| {
            let admitted = memory.admit(space, start, self.bound, &mut self.meter.ledger);
            admitted.map(drop).map_err(Limit::from)
        });
        if let Err(limit) = looked {
            self.save(&Position { begun: false, path: &[], frame: None, next: None });
            return Err(Unfit::Limit(limit));
        }
        self.meter.count();
        self.stats.expanded += 1;
        Ok(())
    }

    /// Searches below a state: runs the loop, and handles the rare events between its runs.
    fn descend(&mut self, mut here: Here<S, H::Memo>) -> End<S::Move> {
        self.left = self.meter.until_look();
        let mut heap = 0;
        let end = loop {
            if self.left == 0 {
                let looked = self.look();
                if self.meter.save_due() || looked.is_err() {
                    self.save(&Position { begun: true, path: &here.path, frame: None, next: None });
                }
                if let Err(limit) = looked {
                    break End::Limit(limit);
                }
                self.donate(&mut here.path);
            }
            self.enter(&here.state, here.room, here.memo);
            let pause;
            (here, pause) = self.run_until_pause(here);
            match pause {
                Pause::Full(frame) => {
                    self.left -= 1;
                    if self.make_room(&mut here.path, &mut heap).is_err() {
                        self.settle();
                        let frame = Some(&frame);
                        self.save(&Position { begun: true, path: &here.path, frame, next: None });
                        break End::Limit(Limit::Memory);
                    }
                    here.path.push(frame);
                    self.deepest = self.deepest.max(here.path.len());
                }
                Pause::Due => {}
                Pause::Stop(stop) => {
                    if let Stop::Limit(mv, _) = stop {
                        self.settle();
                        self.save(&Position { begun: true, path: &here.path, frame: None, next: Some(mv) });
                    }
                    break self.end(stop, &here.path);
                }
            }
        };
        self.settle();
        self.meter.ledger.forget(here.path);
        self.meter.ledger.release(heap);
        end
    }

    /// Looks at the limits and schedules the next look: at least one expansion later.
    #[cold]
    #[inline(never)]
    fn look(&mut self) -> Result<(), Limit> {
        self.settle();
        if let Some((sharing, _)) = self.sharing {
            sharing.look(self.meter)?;
        }
        self.meter.look()?;
        self.left = self.meter.until_look();
        self.stats.close(self.meter);
        self.parts.observer.tick(self.stats);
        Ok(())
    }

    /// Adds the work since the last look to the meter and the figures.
    fn settle(&mut self) {
        let made = self.meter.until_look() - self.left;
        self.meter.count_many(made);
        self.stats.expanded += made;
        self.stats.generated += made + std::mem::take(&mut self.cut.count);
        let above = self.sharing.map_or(0, |(_, prefix)| prefix.len());
        self.stats.depth = self.stats.depth.max((above + self.deepest) as u64);
        self.stats.stored = self.stats.stored.max(self.parts.memory.stored());
    }

    /// Extends a full path. `heap` is what was claimed for the iterators on it: the new part is assumed to take about as much
    /// as the old one.
    #[cold]
    fn make_room(&mut self, path: &mut Vec<Frame<S, H::Memo>>, heap: &mut usize) -> Result<(), OutOfMemory> {
        let ledger = &mut self.meter.ledger;
        let held: usize = path.iter().map(|frame| self.parts.space.moves_heap(&frame.moves)).sum();
        let more = (2 * held).saturating_sub(*heap);
        ledger.claim(more)?;
        *heap += more;
        ledger.reserve(path, 1)
    }

    fn end(&self, stop: Stop<S::Move>, path: &[Frame<S, H::Memo>]) -> End<S::Move> {
        match stop {
            Stop::Goal(last, cost) => {
                End::Goal(path.iter().map(|frame| frame.mv).chain([last]).collect(), cost)
            }
            Stop::Over => End::Over(self.cut.next_bound(self.bound)),
            Stop::Limit(_, limit) => End::Limit(limit),
        }
    }
}
