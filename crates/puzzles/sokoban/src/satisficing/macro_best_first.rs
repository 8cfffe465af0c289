//! Best-first search over macro moves for an *open* position: one in which the player can walk everywhere and every box can be moved.
//!
//! Hard levels are hard at their ends; between two open positions they are easy (an idea of Yaron Shoham's solver Festival). This search
//! finds open positions, by pushes from the start or by pulls from the goals.
//!
//! Positions have a rank, and the least is the best. Every other visit expands the best move of all. The visits between go to classes of
//! similar positions in turn, so that no class starves.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use beeline_search::Limit;
use beeline_search::memory::Ledger;
use foldhash::fast::FixedState;

use super::advisors::{Move, NO_MOVE};
use super::context::{BoardAnalysis, Context};
use super::portfolio::Member;
use super::push_state::PushState;
use super::tie_breaker::TieBreaker;
use crate::Steps;
use crate::board::{DIRS, Square};
use crate::field::{FAR, Field};
use crate::macro_moves::{MacroMoves, Way, movable};
use crate::matching::Matching;
use crate::rules::deadlocks::unreachable;
use crate::rules::pi_corral::PiCorral;
use crate::satisficing::Found;

/// The order of the queue in which moves wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueueOrder {
    /// By what it leads to.
    Child,
    /// By the position that it is a move of.
    Parent,
    /// By the best position on the way there: what comes after a good position has time to get better.
    Past,
    /// Limited discrepancy search (Harvey and Ginsberg 1995): by the number of non-greedy choices on the path, then by what the
    /// move leads to. A search that is stuck makes one such choice anywhere on its path, instead of all combinations at its end.
    LimitedDiscrepancy,
}

/// Connectivity, room connectivity, boxes that are stuck, and (negative) the pushes from each box to the nearest goal: among equals, boxes
/// far from the goals leave more room there.
type Rank = (u16, u16, u16, i32);

/// What boxes add up to: those that are stuck, and the pushes from each to the nearest goal.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    stuck: u16,
    pushes: i32,
}

/// A class of positions: connectivity, room connectivity, and boxes on goals.
type Class = (u16, u16, u16);

/// A position that was found.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    pub(crate) boxes: Vec<Square>,
    pub(crate) player: Square,
}

struct Node<const N: usize> {
    key: [u64; N],
    rank: Rank,
    /// The best rank on the way to it, and the cell of the position that had it.
    best: Rank,
    cell: usize,
    /// Odd moves on the way to it.
    odd: u16,
}

/// A move that waits: odd moves on the way, how open what it leads to is, a number that settles ties, the position, the move.
type Waiting = Reverse<(u16, Rank, u32, u32, (Square, Square, Square))>;

pub(crate) struct MacroBestFirst<'a, const N: usize> {
    field: &'a Field,
    state: PushState<'a, N>,
    way: Way,
    sort: QueueOrder,
    carry: MacroMoves,
    pi: PiCorral,
    /// Which boxes are stuck while one is lifted.
    held: Vec<bool>,
    matching: Matching,
    nodes: Vec<Node<N>>,
    met: HashSet<[u64; N], FixedState>,
    cells: Vec<BinaryHeap<Waiting>>,
    classes: HashMap<Class, usize, FixedState>,
    /// The best position so far.
    best: usize,
    /// The cell whose turn it is, and the visits so far.
    turn: usize,
    visits: u64,
    better_at: u64,
    ties: TieBreaker,
    /// The moves of the position that is looked at.
    children: Vec<(Rank, u32, (Square, Square, Square))>,
}

impl<'a, const N: usize> MacroBestFirst<'a, N> {
    /// A seed other than 0 takes equally good moves in another order.
    pub(crate) fn new(space: &'a Steps<N>, field: &'a Field, way: Way, sort: QueueOrder, seed: u64) -> Self {
        Self {
            field,
            state: PushState::new(space, field),
            way,
            sort,
            carry: MacroMoves::new(field),
            pi: PiCorral::new(field),
            held: vec![false; field.squares()],
            matching: Matching::default(),
            nodes: Vec::new(),
            met: HashSet::default(),
            cells: Vec::new(),
            classes: HashMap::default(),
            best: 0,
            turn: 0,
            visits: 0,
            better_at: 0,
            ties: TieBreaker(seed),
            children: Vec::new(),
        }
    }

    /// Visits since the best position was found.
    pub(crate) fn idle(&self) -> u64 {
        self.visits - self.better_at
    }

    /// The best position so far.
    pub(crate) fn best(&self) -> Option<Opened> {
        let node = self.nodes.get(self.best)?;
        let (player, boxes) = self.state.space.parts(&node.key);
        Some(Opened { boxes: boxes.iter().collect(), player })
    }

    /// The move to try next.
    fn next(&mut self) -> Option<(u16, u32, Move)> {
        self.visits += 1;
        let best = match self.sort {
            QueueOrder::Child => {
                let top = |c: &usize| self.cells[*c].peek().map(|Reverse((_, rank, tie, ..))| (*rank, *tie));
                (0..self.cells.len()).filter(|&c| !self.cells[c].is_empty()).min_by_key(top)
            }
            _ => self.nodes.get(self.best).map(|node| node.cell).filter(|&c| !self.cells[c].is_empty()),
        };
        let cell = if let Some(best) = best.filter(|_| self.visits.is_multiple_of(2)) {
            best
        } else {
            let count = self.cells.len();
            let cell = (1..=count).map(|k| (self.turn + k) % count).find(|&c| !self.cells[c].is_empty())?;
            self.turn = cell;
            cell
        };
        let Reverse((odd, _, _, parent, (from, to, player))) = self.cells[cell].pop()?;
        Some((odd, parent, Move { from, to, player }))
    }

    /// Looks at the position that was set up, unless it was met before or is lost, and notes its moves. Is there a plan now?
    fn visit(
        &mut self,
        context: &mut Context<'_, '_, N>,
        parent: u32,
        made_by: Move,
        odd: u16,
    ) -> Result<bool, Limit> {
        let key = self.state.key();
        if !self.met.insert(key) {
            return Ok(false);
        }
        let root = parent == u32::MAX;
        let before = self.nodes.get(parent as usize).map(|node| &node.key);
        if context.note(self.way, &key, before, made_by)? {
            return Ok(true);
        }
        let Context { analysis, meter, .. } = context;
        let ledger = &mut meter.ledger;
        let lost = match self.way {
            Way::Pushing => {
                !root
                    && analysis
                        .deadlocks
                        .thorough(
                            self.field,
                            &mut self.state.position,
                            made_by.to,
                            analysis.tuning.corral_positions,
                        )
                        .is_some()
            }
            Way::Pulling => unreachable(self.field, &self.state.position),
        };
        if lost {
            return Ok(false);
        }
        let (field, player) = (self.field, self.state.position.player);
        let rows = self.state.position.boxes.iter().map(|&b| field.goal_row(field.box_state(b, player)));
        if self.way == Way::Pushing && self.matching.solve(field.board().goals().len(), rows).is_none() {
            return Ok(false);
        }
        let connectivity = self.state.walk.connectivity(self.field);
        let tally = self.tally(None);
        let rank = self.rank(tally, connectivity, analysis);
        let id = self.nodes.len() as u32;
        ledger.claim(2 * size_of::<[u64; N]>())?;
        let before = self.nodes.get(parent as usize).map(|node| (node.best, node.cell));
        let past = matches!(self.sort, QueueOrder::Past | QueueOrder::LimitedDiscrepancy);
        let (best, cell) = match before.filter(|&(best, _)| past && best <= rank) {
            Some(before) => before,
            None => (rank, self.cell(ledger, rank)?),
        };
        ledger.push(&mut self.nodes, Node { key, rank, best, cell, odd })?;
        if rank < self.nodes[self.best].rank {
            self.best = id as usize;
            self.better_at = self.visits;
        }
        self.note_moves(context, id, connectivity)
    }

    /// Notes the moves of the present position. Is there a plan now?
    fn note_moves(
        &mut self,
        context: &mut Context<'_, '_, N>,
        id: u32,
        connectivity: u16,
    ) -> Result<bool, Limit> {
        let scout = context.trails.scout(self.way, &self.nodes[id as usize].key);
        let Context { analysis, meter, trails, .. } = context;
        let ledger = &mut meter.ledger;
        let (field, way, player) = (self.field, self.way, self.state.position.player);
        let Node { cell, rank, odd, .. } = self.nodes[id as usize];
        self.children.clear();
        let pushing = way == Way::Pushing;
        let pocket = pushing && self.pi.find(field, &self.state.position, &self.state.walk);
        self.carry.survey(field, &self.state.position);
        for i in 0..self.state.position.boxes.len() {
            let at = self.state.position.boxes[i];
            if pocket && !self.pi.is_next(at)
                || !movable(way, field, &self.state.position, &self.state.walk, at)
            {
                continue;
            }
            self.carry.carry(way, field, &mut self.state.position, i, Some(player));
            let others = connectivity - u16::from(self.carry.places[0].connectivity);
            self.state.position.lift(i);
            let tally = self.tally(Some(i));
            self.state.position.lower(i);
            for k in 1..self.carry.places.len() {
                let place = self.carry.places[k];
                let (to, beside) = (place.to, place.player(field, way));
                if to == at || !pushing && !field.useful(to) {
                    continue;
                }
                self.state.position.shift(i, to);
                let lost = pushing
                    && analysis.deadlocks.quick(field, &mut self.state.position, to, beside).is_some();
                if !lost {
                    let mv = Move { from: at, to, player: beside };
                    if let Some(scout) = &scout
                        && trails.look(ledger, scout, mv)?
                    {
                        return Ok(true);
                    }
                    let tally = self.tally_with(tally, to);
                    let rank = self.rank(tally, others + u16::from(place.connectivity), analysis);
                    let (tie, mv) = (self.tie(), (at, to, beside));
                    ledger.claim(size_of::<Waiting>())?;
                    if self.sort == QueueOrder::LimitedDiscrepancy {
                        self.children.push((rank, tie, mv));
                        self.state.position.shift(i, at);
                        continue;
                    }
                    let cell = if self.sort == QueueOrder::Child { self.cell(ledger, rank)? } else { cell };
                    self.cells[cell].push(Reverse((0, rank, tie, id, mv)));
                }
                self.state.position.shift(i, at);
            }
        }
        let nose = self.children.iter().min().filter(|child| child.0 < rank).copied();
        for &child in &self.children {
            let (rank, tie, mv) = child;
            let odd = odd + u16::from(nose != Some(child));
            self.cells[cell].push(Reverse((odd, rank, tie, id, mv)));
        }
        Ok(false)
    }

    /// The cell of the present position.
    fn cell(&mut self, ledger: &mut Ledger, rank: Rank) -> Result<usize, Limit> {
        let board = self.field.board();
        let on_goal = self.state.position.boxes.iter().filter(|&&b| board.is_goal(b)).count() as u16;
        let new = self.cells.len();
        let cell = *self.classes.entry((rank.0, rank.1, on_goal)).or_insert(new);
        if cell == new {
            ledger.push(&mut self.cells, BinaryHeap::new())?;
        }
        Ok(cell)
    }

    /// Without a seed, newer moves first among equals.
    fn tie(&mut self) -> u32 {
        match self.ties.bits() {
            0 => u32::MAX - self.nodes.len() as u32,
            number => number as u32,
        }
    }

    /// What all boxes add up to, or all but the one that is lifted.
    fn tally(&mut self, lifted: Option<usize>) -> Tally {
        let mut tally = Tally::default();
        for i in (0..self.state.position.boxes.len()).filter(|&i| Some(i) != lifted) {
            let at = self.state.position.boxes[i];
            let stuck = self.stuck(at);
            self.held[at as usize] = stuck;
            tally.stuck += u16::from(stuck);
            tally.pushes += self.distance(at);
        }
        tally
    }

    /// The same with one more box, which may hold others.
    fn tally_with(&self, others: Tally, at: Square) -> Tally {
        let mut tally = others;
        tally.stuck += u16::from(self.stuck(at));
        tally.pushes += self.distance(at);
        let near = self.field.near();
        for dir in DIRS {
            let beside = near[at as usize][dir as usize];
            if self.state.position.boxed(beside) {
                tally.stuck += u16::from(!self.held[beside as usize] && self.stuck(beside));
            } else if self.way == Way::Pulling && self.state.position.free(beside) {
                let beyond = near[beside as usize][dir as usize];
                let held = self.state.position.boxed(beyond) && !self.held[beyond as usize];
                tally.stuck += u16::from(held && self.stuck(beyond));
            }
        }
        tally
    }

    fn rank(&self, tally: Tally, connectivity: u16, analysis: &mut BoardAnalysis) -> Rank {
        let room_connectivity = analysis.terrain.room_connectivity(&self.state.position.boxes);
        (connectivity, room_connectivity, tally.stuck, -tally.pushes)
    }

    /// How many pushes a box is away from the nearest goal.
    fn distance(&self, at: Square) -> i32 {
        let row = self.field.goal_row(self.field.box_state(at, self.state.position.player));
        row.iter().copied().filter(|&far| far != FAR).min().map_or(0, i32::from)
    }

    /// Can a box not be moved, wherever the player is?
    fn stuck(&self, at: Square) -> bool {
        let near = self.field.near();
        let free = |square: Square| self.state.position.free(square);
        let moves = |d: usize| {
            let beside = near[at as usize][d];
            match self.way {
                Way::Pushing => free(beside) && free(near[at as usize][d ^ 1]) && self.field.alive(beside),
                Way::Pulling => free(beside) && free(near[beside as usize][d]),
            }
        };
        let done = self.way == Way::Pushing && self.field.board().is_goal(at);
        !done && !(0..4).any(moves)
    }
}

impl<const N: usize> Member<N> for MacroBestFirst<'_, N> {
    fn begin(&mut self, context: &mut Context<'_, '_, N>) -> Result<Found, Limit> {
        for root in self.way.roots(self.state.space, self.field) {
            self.state.load(&root);
            if self.visit(context, u32::MAX, NO_MOVE, 0)? {
                return Ok(Found::Met);
            }
        }
        Ok(Found::NotYet)
    }

    fn advance(&mut self, context: &mut Context<'_, '_, N>, work: u64) -> Result<Found, Limit> {
        for _ in 0..work {
            context.tick()?;
            let Some((odd, parent, mv)) = self.next() else { return Ok(Found::Nothing) };
            self.state.load_after(&self.nodes[parent as usize].key, mv);
            if self.visit(context, parent, mv, odd)? {
                return Ok(Found::Met);
            }
        }
        Ok(Found::NotYet)
    }

    fn stored(&self) -> usize {
        self.nodes.len()
    }
}
