//! Checkpoints of a depth-first search: the path by move numbers, and the figures.

use super::hot_loop::{Frame, Here};
use super::{Memory, Run, Unfit};
use crate::core::checkpoint::{Damage, In, Out, Start, read_stats, write_stats};
use crate::core::heuristic::Heuristic;
use crate::core::observer::Observer;
use crate::core::outcome::Stats;
use crate::core::prune::Prune;
use crate::core::space::{Cost, Space};

/// A position of the search that can be saved.
pub(super) struct Position<'a, S: Space, M> {
    /// Was the start counted as expanded?
    pub(super) begun: bool,
    pub(super) path: &'a [Frame<S, M>],
    /// One more frame, for which the path has no room.
    pub(super) frame: Option<&'a Frame<S, M>>,
    /// The next move to try at the end of the path; `None` for the first one.
    pub(super) next: Option<S::Move>,
}

/// The head of a checkpoint, before the path. It is compiled once and not for every search.
struct Head {
    bound: Cost,
    start: Start,
    stats: Stats,
    /// The least path cost above the bound that was met.
    over: u64,
    /// Was the start counted as expanded?
    begun: bool,
}

impl Head {
    fn write(&self, out: &mut Out) {
        out.u64(u64::from(self.bound));
        self.start.write(out);
        write_stats(&self.stats, out);
        out.u64(self.over);
        out.u32(u32::from(self.begun));
    }

    /// The head of a search with this bound and start.
    fn read(from: &mut In, bound: Cost, start: Start) -> Result<Self, Damage> {
        from.expect(u64::from(bound), "it searched with another bound")?;
        start.expect(from)?;
        Ok(Self { bound, start, stats: read_stats(from)?, over: from.u64()?, begun: from.u32()? != 0 })
    }
}

impl<S, H, P, O, M, const SKIP_UNDOING: bool> Run<'_, '_, S, H, P, O, M, SKIP_UNDOING>
where
    S: Space,
    H: Heuristic<S>,
    P: Prune<S>,
    O: Observer<S>,
    M: Memory<S>,
{
    /// Saves the position (moves by their numbers), the memory, and the figures, which must be settled.
    #[cold]
    #[inline(never)]
    pub(super) fn save(&mut self, position: &Position<'_, S, H::Memo>) {
        if !self.meter.keeps() {
            return;
        }
        let space = self.parts.space;
        let start = Start::new(&space.pack(&space.start()));
        let stats = Stats { bytes: self.stats.bytes.max(self.meter.ledger.peak()), ..self.stats.clone() };
        let this = &*self.parts;
        let head = Head { bound: self.bound, start, stats, over: self.cut.over, begun: position.begun };
        self.meter.save(&mut |out| {
            head.write(out);
            if !position.begun {
                return;
            }
            let path = position.path.iter().chain(position.frame).map(|frame| frame.mv);
            out.u64((position.path.len() + usize::from(position.frame.is_some())) as u64);
            let (mut state, mut last) = (space.start(), None);
            let number = |state: &S::State, last, mv: S::Move| {
                let position = Self::moves(space, state, last).position(|other| other == mv);
                position.map_or(u32::MAX, |number| number as u32)
            };
            for mv in path {
                out.u32(number(&state, last, mv));
                space.apply(&mut state, mv);
                last = Some(mv);
            }
            out.u32(position.next.map_or(0, |mv| number(&state, last, mv)));
            this.memory.save(out);
        });
    }

    /// Returns to a saved position; `false` if the search had not begun.
    #[cold]
    #[inline(never)]
    pub(super) fn resume(&mut self, here: &mut Here<S, H::Memo>, from: &mut In) -> Result<bool, Unfit> {
        let (space, heuristic) = (self.parts.space, self.parts.heuristic);
        let head = Head::read(from, self.bound, Start::new(&space.pack(&here.state)))?;
        *self.stats = head.stats;
        self.meter.go_on_from(self.stats.expanded);
        self.cut.over = head.over;
        if !head.begun {
            return Ok(false);
        }
        let mut last = None;
        for _ in 0..from.count(4)? {
            let number = from.u32()?;
            let mut moves = Self::moves(space, &here.state, last);
            let mv = moves.nth(number as usize).ok_or(Damage::Torn)?;
            let cost = u64::from(space.cost(&here.state, mv));
            let mut memo = here.memo;
            if H::PEEKS {
                memo = heuristic.peek(space, &here.state, mv, memo);
            }
            let token = space.apply(&mut here.state, mv);
            if !H::PEEKS {
                memo = heuristic.step(space, &here.state, mv, memo, &mut self.scratch);
            }
            let room = here.room.checked_sub(cost).ok_or(Damage::Torn)?;
            let frame = Frame { moves, mv, token, memo: here.memo, room: here.room };
            self.meter.ledger.push(&mut here.path, frame)?;
            (here.memo, here.room, last) = (memo, room, Some(mv));
        }
        here.moves = Self::moves(space, &here.state, last);
        for _ in 0..from.u32()? {
            here.moves.next().ok_or(Damage::Torn)?;
        }
        self.deepest = here.path.len();
        self.parts.memory.load(from, &mut self.meter.ledger)?;
        Ok(true)
    }
}
