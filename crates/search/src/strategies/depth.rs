//! The second of the two engines: depth-first search in place.
//!
//! One working state, edited by moves and undone on the way back; no arena. Depth-limited search, iterative deepening and
//! IDA* are loops around it that set the bound. It keeps its own stack, so that a deep path costs memory that can be
//! counted, not the program's stack.

use crate::core::arena::{Keys, NodeId};
use crate::core::budget::{Limit, Meter};
use crate::core::checkpoint::{Damage, In, Out, Unloadable, read_stats, write_stats};
use crate::core::heuristic::Heuristic;
use crate::core::memory::{Ledger, OutOfMemory};
use crate::core::observer::{NodeView, Observer};
use crate::core::outcome::{DEAD, Stats};
use crate::core::prune::{Prune, Ruling};
use crate::core::seen::Table;
use crate::core::space::{Cost, Key, Space};

/// What a depth-first search remembers of the states it met.
pub trait Memory<S: Space> {
    /// Is a state with this much cost to spare worth searching? Remembers that it was, if so.
    fn admit(
        &mut self,
        space: &S,
        state: &S::State,
        slack: Cost,
        ledger: &mut Ledger,
    ) -> Result<bool, OutOfMemory>;
    /// Forgets everything, before a round with another bound.
    fn clear(&mut self);
    /// How many states are held.
    fn stored(&self) -> u64;
    /// Writes what is remembered, if anything is.
    fn save(&self, out: &mut Out) {
        let _ = out;
    }
    /// Reads it back.
    fn load(&mut self, from: &mut In, ledger: &mut Ledger) -> Result<(), Unloadable> {
        let _ = (from, ledger);
        Ok(())
    }
}

/// Remembers nothing: the tree search of IDA*.
impl<S: Space> Memory<S> for () {
    #[inline(always)]
    fn admit(&mut self, _: &S, _: &S::State, _: Cost, _: &mut Ledger) -> Result<bool, OutOfMemory> {
        Ok(true)
    }
    fn clear(&mut self) {}
    fn stored(&self) -> u64 {
        0
    }
}

/// Remembers each state with the most cost that was to spare there. A state is searched again only if more is to spare
/// now: with a plain set of visited states, a depth-limited search would miss plans.
#[derive(Debug)]
pub struct SlackTable<S: Space> {
    keys: Keys<S::Key>,
    slack: Vec<Cost>,
    table: Table,
}

impl<S: Space> SlackTable<S> {
    /// An empty table.
    pub fn new(space: &S) -> Self {
        Self { keys: Keys::new(space.key_width()), slack: Vec::new(), table: Table::new() }
    }
}

impl<S: Space> Memory<S> for SlackTable<S> {
    fn admit(
        &mut self,
        space: &S,
        state: &S::State,
        slack: Cost,
        ledger: &mut Ledger,
    ) -> Result<bool, OutOfMemory> {
        let key = space.pack(state);
        let hash = self.keys.hash(&key);
        if let Some(id) = self.table.lookup(&self.keys, hash, &key) {
            let known = &mut self.slack[id as usize];
            let more = slack > *known;
            if more {
                *known = slack;
            }
            return Ok(more);
        }
        self.slack.truncate(self.keys.len());
        ledger.push(&mut self.slack, slack)?;
        let id: NodeId = self.keys.push(ledger, &key)?;
        if let Err(full) = self.table.record(ledger, &self.keys, hash, id) {
            // Not in the table, so not remembered: a search that goes on from here must find it new again.
            self.keys.truncate(id as usize);
            return Err(full);
        }
        Ok(true)
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.slack.clear();
        self.table.clear();
    }

    fn stored(&self) -> u64 {
        self.keys.len() as u64
    }

    fn save(&self, out: &mut Out) {
        let count = self.keys.len();
        out.u64(count as u64);
        self.keys.save(out, count);
        self.slack[..count].iter().for_each(|&slack| out.u32(slack));
    }

    fn load(&mut self, from: &mut In, ledger: &mut Ledger) -> Result<(), Unloadable> {
        let count = from.count(self.keys.width())?;
        self.keys.load(from, ledger, count)?;
        for id in 0..count as NodeId {
            ledger.push(&mut self.slack, from.u32()?)?;
            let hash = self.keys.hash(&self.keys.get(id));
            self.table.record(ledger, &self.keys, hash, id)?;
        }
        Ok(())
    }
}

/// The parts of a depth-first search that stay the same from round to round. With `SKIP_UNDOING`, moves that only take the
/// last one back are left out ([`Space::moves_after`]).
pub struct Parts<'a, S: Space, H, P, O, M, const SKIP_UNDOING: bool> {
    /// Where to search.
    pub space: &'a S,
    /// The estimate.
    pub heuristic: &'a H,
    /// The rules that drop successors.
    pub prune: P,
    /// Who watches.
    pub observer: O,
    /// What is remembered.
    pub memory: M,
}

/// How a round ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End<M> {
    /// A goal within the bound: the plan and its cost.
    Goal(Vec<M>, u64),
    /// No goal within the bound; the least cost above it that was met (none: nothing was cut off).
    Over(Option<Cost>),
    /// A limit.
    Limit(Limit),
}

/// A state on the path whose later moves still wait: those moves, what it had, and the move by which it was left.
struct Frame<S: Space, M> {
    moves: S::Moves,
    mv: S::Move,
    token: S::Undo,
    memo: M,
    room: u64,
}

/// Where the search stands.
struct Here<S: Space, M> {
    state: S::State,
    /// The moves that were not tried yet.
    moves: S::Moves,
    memo: M,
    /// What may still be spent. In 64 bits: no sum of two costs can overflow, so none is checked.
    room: u64,
    /// The states above.
    path: Vec<Frame<S, M>>,
}

/// A part of the tree that one of several searchers takes over: the state that `prefix` leads to, and its moves behind `after`
/// (all of them, if it is none).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Branch<M> {
    pub(crate) prefix: Vec<M>,
    pub(crate) after: Option<M>,
}

/// Those who search one tree together. Asked only when the meter looks at its limits.
pub(crate) trait Crew<M>: Sync {
    /// Before the meter looks: is there a reason to stop, and may more states be expanded?
    fn look(&self, meter: &mut Meter) -> Result<(), Limit>;
    /// Would somebody take a part of the tree?
    fn wants(&self) -> bool;
    /// Here is one.
    fn take(&self, branch: Branch<M>);
}

/// One of a crew: the crew, and the way to the branch that is searched.
type Member<'r, M> = (&'r dyn Crew<M>, &'r [M]);

/// Searches depth-first for a goal whose cost (path plus estimate) is within `bound`, and adds what it counts to `stats`.
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
    let memo = parts.heuristic.root(parts.space, &start);
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
    let mut run = Run::new(parts, bound, meter, stats, None);
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

/// Searches one branch of the tree as [`search`] would, as one of a crew. The states on the way to the branch were counted by
/// whoever gave it away.
pub(crate) fn search_branch<S, H, P, O, M, const SKIP_UNDOING: bool>(
    parts: &mut Parts<'_, S, H, P, O, M, SKIP_UNDOING>,
    branch: &Branch<S::Move>,
    crew: &dyn Crew<S::Move>,
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
    let space = parts.space;
    let mut state = space.start();
    let mut memo = parts.heuristic.root(space, &state);
    let mut room = u64::from(bound);
    for &mv in &branch.prefix {
        room = room.saturating_sub(u64::from(space.cost(&state, mv)));
        if H::PEEKS {
            memo = parts.heuristic.peek(space, &state, mv, memo);
        }
        space.apply(&mut state, mv);
        if !H::PEEKS {
            memo = parts.heuristic.step(space, &state, mv, memo);
        }
    }
    let last = branch.prefix.last().copied();
    let mut moves = Run::<S, H, P, O, M, SKIP_UNDOING>::moves(space, &state, last);
    if let Some(after) = branch.after {
        moves.by_ref().find(|&mv| mv == after);
    }
    let mut run = Run::new(parts, bound, meter, stats, Some((crew, &branch.prefix)));
    if let Err(limit) = run.look() {
        return End::Limit(limit);
    }
    match run.descend(Here { state, moves, memo, room, path: Vec::new() }) {
        End::Goal(below, cost) => {
            let moves: Vec<_> = branch.prefix.iter().copied().chain(below).collect();
            End::Goal(moves, cost)
        }
        end => end,
    }
}

/// Why a round does not begin.
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

struct Run<'r, 'a, S: Space, H, P, O, M, const SKIP_UNDOING: bool> {
    parts: &'r mut Parts<'a, S, H, P, O, M, SKIP_UNDOING>,
    bound: Cost,
    meter: &'r mut Meter,
    stats: &'r mut Stats,
    cut: Cut,
    /// Expansions until the meter wants to be looked at.
    left: u64,
    /// The most moves that were on the path.
    deepest: usize,
    /// Who searches with us, and how we came to our part of the tree.
    crew: Option<Member<'r, S::Move>>,
    /// The moves by which the topmost states were left that have none to give any more.
    given: Vec<S::Move>,
}

/// The successors that were cut off at the bound. (A successor is cut off, dropped or entered; those that are dropped or
/// entered are counted anyway.)
#[derive(Clone, Copy)]
struct Cut {
    count: u64,
    /// The least by which one was over the bound.
    over: u64,
}

impl Cut {
    /// Does a successor need more than there is room for?
    #[inline(always)]
    fn off(&mut self, need: u64, room: u64) -> bool {
        if need <= room {
            return false;
        }
        self.count += 1;
        if need - room < self.over {
            // A branch that is hardly ever taken is cheaper here than a conditional move at every step.
            std::hint::cold_path();
            self.over = need - room;
        }
        true
    }

    /// The least bound under which a further successor would be entered.
    fn next_bound(self, bound: Cost) -> Option<Cost> {
        let next = self.over.checked_add(u64::from(bound))?;
        Cost::try_from(next).ok().filter(|&next| next != DEAD)
    }
}

/// Where a search stands when it is saved.
struct Stand<'a, S: Space, M> {
    /// Was the start counted as expanded?
    begun: bool,
    path: &'a [Frame<S, M>],
    /// One more frame, for which the path has no room.
    frame: Option<&'a Frame<S, M>>,
    /// The move at the end of the path that is to be tried next; the first one otherwise.
    next: Option<S::Move>,
}

/// What became of a successor, when it is not simply entered.
enum Fate<M> {
    Enter,
    Skip,
    Stop(Stop<M>),
}

/// Why the loop pauses.
enum Pause<S: Space, M> {
    /// The path must grow before it can take this frame; the search stands on the state below it already.
    Full(Frame<S, M>),
    /// A look at the limits is due before the state where the search stands is expanded.
    Due,
    /// The search is over.
    Stop(Stop<S::Move>),
}

/// Why the search is over.
#[derive(Clone, Copy)]
enum Stop<M> {
    /// The last move of a plan, and what the plan costs.
    Goal(M, u64),
    Over,
    /// A limit was reached while the successor by this move was judged or stored.
    Limit(M, Limit),
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
        bound: Cost,
        meter: &'r mut Meter,
        stats: &'r mut Stats,
        crew: Option<Member<'r, S::Move>>,
    ) -> Self {
        let (cut, left) = (Cut { count: 0, over: u64::MAX }, meter.until_look());
        Self { parts, bound, meter, stats, cut, left, deepest: 0, crew, given: Vec::new() }
    }

    /// Books the start as expanded.
    fn begin(&mut self, start: &S::State) -> Result<(), Unfit> {
        let Parts { space, memory, .. } = &mut *self.parts;
        let looked = self.meter.look();
        let looked = looked.and_then(|()| {
            let admitted = memory.admit(space, start, self.bound, &mut self.meter.ledger);
            admitted.map(drop).map_err(Limit::from)
        });
        if let Err(limit) = looked {
            self.save(&Stand { begun: false, path: &[], frame: None, next: None });
            return Err(Unfit::Limit(limit));
        }
        self.meter.count();
        self.stats.expanded += 1;
        Ok(())
    }

    /// Searches below a state: stretches of the loop, and between them whatever is done seldom.
    fn descend(&mut self, mut here: Here<S, H::Memo>) -> End<S::Move> {
        self.left = self.meter.until_look();
        let mut heap = 0;
        let end = loop {
            if self.left == 0 {
                let looked = self.look();
                if self.meter.save_due() || looked.is_err() {
                    self.save(&Stand { begun: true, path: &here.path, frame: None, next: None });
                }
                if let Err(limit) = looked {
                    break End::Limit(limit);
                }
                self.give(&mut here.path);
            }
            self.enter(&here.state, here.room, here.memo);
            let pause;
            (here, pause) = self.stretch(here);
            match pause {
                Pause::Full(frame) => {
                    self.left -= 1;
                    if self.make_room(&mut here.path, &mut heap).is_err() {
                        self.settle();
                        let frame = Some(&frame);
                        self.save(&Stand { begun: true, path: &here.path, frame, next: None });
                        break End::Limit(Limit::Memory);
                    }
                    here.path.push(frame);
                    self.deepest = self.deepest.max(here.path.len());
                }
                Pause::Due => {}
                Pause::Stop(stop) => {
                    if let Stop::Limit(mv, _) = stop {
                        self.settle();
                        self.save(&Stand { begun: true, path: &here.path, frame: None, next: Some(mv) });
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

    /// Makes a path longer that is full. `heap` is what was claimed for the iterators on it: they take about as much on the new part
    /// as on the old one.
    #[cold]
    fn make_room(&mut self, path: &mut Vec<Frame<S, H::Memo>>, heap: &mut usize) -> Result<(), OutOfMemory> {
        let ledger = &mut self.meter.ledger;
        let held: usize = path.iter().map(|frame| self.parts.space.moves_heap(&frame.moves)).sum();
        let more = (2 * held).saturating_sub(*heap);
        ledger.claim(more)?;
        *heap += more;
        ledger.reserve(path, 1)
    }

    /// The moves of a state on the path, which was entered by `last`.
    fn moves(space: &S, state: &S::State, last: Option<S::Move>) -> S::Moves {
        match last {
            Some(last) if SKIP_UNDOING => space.moves_after(state, last),
            _ => space.moves(state),
        }
    }

    /// Saves where the search stands (moves by their numbers), what it remembers, and the figures, which must be settled.
    #[cold]
    #[inline(never)]
    fn save(&mut self, stand: &Stand<'_, S, H::Memo>) {
        if !self.meter.keeps() {
            return;
        }
        let space = self.parts.space;
        let start = space.pack(&space.start());
        let stats = Stats { bytes: self.stats.bytes.max(self.meter.ledger.peak()), ..self.stats.clone() };
        let this = &*self.parts;
        let (bound, over) = (self.bound, self.cut.over);
        self.meter.save(&mut |out| {
            out.u64(u64::from(bound));
            (0..S::Key::WORDS).for_each(|word| out.u64(start.word(word)));
            write_stats(&stats, out);
            out.u64(over);
            out.u32(u32::from(stand.begun));
            if !stand.begun {
                return;
            }
            let path = stand.path.iter().chain(stand.frame).map(|frame| frame.mv);
            out.u64((stand.path.len() + usize::from(stand.frame.is_some())) as u64);
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
            out.u32(stand.next.map_or(0, |mv| number(&state, last, mv)));
            this.memory.save(out);
        });
    }

    /// Goes back to where a search stood; `false` if it was about to begin.
    #[cold]
    #[inline(never)]
    fn resume(&mut self, here: &mut Here<S, H::Memo>, from: &mut In) -> Result<bool, Unfit> {
        let (space, heuristic) = (self.parts.space, self.parts.heuristic);
        from.expect(u64::from(self.bound), "it searched with another bound")?;
        let start = space.pack(&here.state);
        for word in 0..S::Key::WORDS {
            from.expect(start.word(word), "it starts from another state")?;
        }
        *self.stats = read_stats(from)?;
        self.meter.go_on_from(self.stats.expanded);
        self.cut.over = from.u64()?;
        if from.u32()? == 0 {
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
                memo = heuristic.step(space, &here.state, mv, memo);
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

    fn end(&self, stop: Stop<S::Move>, path: &[Frame<S, H::Memo>]) -> End<S::Move> {
        match stop {
            Stop::Goal(last, cost) => {
                End::Goal(path.iter().map(|frame| frame.mv).chain([last]).collect(), cost)
            }
            Stop::Over => End::Over(self.cut.next_bound(self.bound)),
            Stop::Limit(_, limit) => End::Limit(limit),
        }
    }

    /// The loop, until something seldom is to be done. It calls nothing but the parts, and whatever it changes at every step is
    /// a local variable: so with small parts all of it lives in registers. (A call in the loop, however seldom, would drive
    /// half of it into memory: that alone cost a tenth more instructions.)
    #[inline(never)]
    fn stretch(&mut self, here: Here<S, H::Memo>) -> (Here<S, H::Memo>, Pause<S, H::Memo>) {
        let (space, heuristic) = (self.parts.space, self.parts.heuristic);
        let Here { mut state, mut moves, mut memo, mut room, mut path } = here;
        let mut cut = self.cut;
        let mut left = self.left;
        let mut deepest = self.deepest;
        let pause = loop {
            let Some(mv) = moves.next() else {
                let Some(frame) = path.pop() else { break Pause::Stop(Stop::Over) };
                space.undo(&mut state, frame.mv, frame.token);
                (moves, memo, room) = (frame.moves, frame.memo, frame.room);
                // The rules were last told of a state below; what is left of this one's moves is judged as its own.
                self.parts.prune.enter(space, &state);
                continue;
            };
            let cost = u64::from(space.cost(&state, mv));
            let mut child_memo = memo;
            if H::PEEKS {
                child_memo = heuristic.peek(space, &state, mv, memo);
                let need = cost + u64::from(heuristic.value(child_memo));
                if cut.off(need, room) {
                    continue;
                }
            }
            let token = space.apply(&mut state, mv);
            if !H::PEEKS {
                child_memo = heuristic.step(space, &state, mv, memo);
                let need = cost + u64::from(heuristic.value(child_memo));
                if cut.off(need, room) {
                    space.undo(&mut state, mv, token);
                    continue;
                }
            }
            let child_room = room - cost;
            match self.consider(&mut state, mv, token, (room, memo), child_room) {
                Fate::Enter => {}
                Fate::Skip => continue,
                Fate::Stop(stop) => break Pause::Stop(stop),
            }
            let frame = Frame { moves, mv, token, memo, room };
            (memo, room) = (child_memo, child_room);
            moves = if SKIP_UNDOING { space.moves_after(&state, mv) } else { space.moves(&state) };
            if path.len() == path.capacity() {
                break Pause::Full(frame);
            }
            path.push(frame);
            if path.len() > deepest {
                std::hint::cold_path();
                deepest = path.len();
            }
            left -= 1;
            if left == 0 {
                break Pause::Due;
            }
            self.enter(&state, room, memo);
        };
        (self.cut, self.left, self.deepest) = (cut, left, deepest);
        (Here { state, moves, memo, room, path }, pause)
    }

    /// A state within the bound was made by `mv`: rules, goal, memory. (Within the bound, a cost fits its type.)
    #[inline(always)]
    fn consider(
        &mut self,
        state: &mut S::State,
        mv: S::Move,
        token: S::Undo,
        (room, memo): (u64, H::Memo),
        child_room: u64,
    ) -> Fate<S::Move> {
        let Parts { space, heuristic, prune, observer, memory, .. } = &mut *self.parts;
        let child_cost = self.bound - child_room as Cost;
        let ruling = match prune.judge(space, state, mv, child_cost, self.meter) {
            Ok(ruling) => ruling,
            Err(limit) => return Fate::Stop(Stop::Limit(mv, limit)),
        };
        if ruling == Ruling::Keep {
            if space.is_goal(state) {
                self.stats.generated += 1;
                return Fate::Stop(Stop::Goal(mv, u64::from(child_cost)));
            }
            match memory.admit(space, state, child_room as Cost, &mut self.meter.ledger) {
                Ok(true) => return Fate::Enter,
                Ok(false) => {}
                Err(OutOfMemory) => return Fate::Stop(Stop::Limit(mv, Limit::Memory)),
            }
        }
        space.undo(state, mv, token);
        self.stats.generated += 1;
        let cost = self.bound - room as Cost;
        let node = NodeView { state, cost, estimate: heuristic.value(memo) };
        if let Ruling::Drop(rule) = ruling {
            self.stats.add_pruned(rule, 1);
            observer.pruned(&node, mv, rule);
        } else {
            self.stats.duplicates += 1;
            observer.duplicate(&node, mv);
        }
        Fate::Skip
    }

    /// The moves of the working state are about to be tried.
    #[inline(always)]
    fn enter(&mut self, state: &S::State, room: u64, memo: H::Memo) {
        let Parts { space, heuristic, prune, observer, .. } = &mut *self.parts;
        let cost = self.bound - room as Cost;
        observer.expanded(&NodeView { state, cost, estimate: heuristic.value(memo) });
        prune.enter(space, state);
    }

    /// Books what was done since the last look.
    fn settle(&mut self) {
        let made = self.meter.until_look() - self.left;
        self.meter.count_many(made);
        self.stats.expanded += made;
        self.stats.generated += made + std::mem::take(&mut self.cut.count);
        let above = self.crew.map_or(0, |(_, prefix)| prefix.len());
        self.stats.depth = self.stats.depth.max((above + self.deepest) as u64);
        self.stats.stored = self.stats.stored.max(self.parts.memory.stored());
    }

    /// Gives the topmost moves that still wait to whoever has nothing to do: the largest part of the tree there is.
    ///
    /// How many wait is counted on a copy, and exactly so many are taken: an iterator that has said that it is at its end must
    /// not be asked again.
    fn give(&mut self, path: &mut [Frame<S, H::Memo>]) {
        let Some((crew, prefix)) = self.crew.filter(|(crew, _)| crew.wants()) else { return };
        // A state without moves left is never left by another move, so what is the same is still without.
        let same = self.given.iter().zip(&*path).take_while(|(mv, frame)| **mv == frame.mv).count();
        self.given.truncate(same);
        let space = self.parts.space;
        let mut state = space.start();
        let mut last = None;
        for &mv in prefix.iter().chain(&self.given) {
            space.apply(&mut state, mv);
            last = Some(mv);
        }
        for at in same..path.len() {
            let mv = path[at].mv;
            self.given.push(mv);
            let mut moves = Self::moves(space, &state, last);
            moves.by_ref().find(|&other| other == mv);
            let waiting = moves.count();
            if waiting > 0 {
                path[at].moves.by_ref().take(waiting).for_each(drop);
                let above = prefix.iter().copied().chain(path[..at].iter().map(|frame| frame.mv));
                return crew.take(Branch { prefix: above.collect(), after: Some(mv) });
            }
            space.apply(&mut state, mv);
            last = Some(mv);
        }
    }

    /// Looks at the limits, and settles how many expansions there are until the next look: at least one.
    #[cold]
    #[inline(never)]
    fn look(&mut self) -> Result<(), Limit> {
        self.settle();
        if let Some((crew, _)) = self.crew {
            crew.look(self.meter)?;
        }
        self.meter.look()?;
        self.left = self.meter.until_look();
        self.stats.close(self.meter);
        self.parts.observer.tick(self.stats);
        Ok(())
    }
}
