//! Best-first search over macro moves for an *open* position: one in which the player can walk everywhere and
//! every box can be moved.
//!
//! Hard levels are hard near the start and near the goals; between two open positions they are easy (an idea
//! of Yaron Shoham's solver Festival). This search finds open positions, by pushes from the start or by pulls
//! from the goals.
//!
//! Positions have a rank; the least is the best. Every other visit expands the best move of all. The visits
//! between go to cells of similar positions in turn, so that no cell starves.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use beeline_search::memory::Ledger;
use beeline_search::{Limit, Random};
use foldhash::fast::FixedState;

use super::advisors::{Move, NO_MOVE};
use super::context::{BoardAnalysis, Context};
use super::portfolio::Member;
use super::push_state::PushState;
use crate::Steps;
use crate::board::{DIRS, Square};
use crate::field::{FAR, Field};
use crate::macro_moves::{MacroMoves, MoveKind, movable};
use crate::matching::Matching;
use crate::rules::deadlocks::unreachable;
use crate::rules::pi_corral::PiCorral;
use crate::satisficing::{Found, tie_breaker};

/// The order of the queue of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueueOrder {
    /// By the rank of the position after the move.
    Child,
    /// By the rank of the position before the move.
    Parent,
    /// By the best rank on the path, so that successors of a good position have time to become better.
    BestAncestor,
    /// Limited discrepancy search (Harvey and Ginsberg 1995): by the number of non-greedy choices on the
    /// path, then by the rank of the position after the move. Such a search can change one choice anywhere on
    /// its path, instead of all combinations at its end.
    LimitedDiscrepancy,
}

/// Connectivity, room connectivity, stuck boxes, and (negative) the pushes from each box to its nearest goal:
/// of equal positions, those with boxes far from the goals leave more space there.
type Rank = (u16, u16, u16, i32);

/// Sums over boxes: stuck boxes, and the pushes from each box to its nearest goal.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    stuck: u16,
    pushes: i32,
}

/// The class of a position, which determines its cell: connectivity, room connectivity, and boxes on goals.
type Class = (u16, u16, u16);

/// An open position.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    pub(crate) boxes: Vec<Square>,
    pub(crate) player: Square,
}

struct Node<const N: usize> {
    key: [u64; N],
    rank: Rank,
    /// The best rank on the path, and the cell of the position that had it.
    best: Rank,
    cell: usize,
    /// Non-greedy choices on the path.
    discrepancies: u16,
}

/// A queued move: discrepancies of the path, rank of the position after the move, tie-breaker, index of the
/// parent, the move.
type Waiting = Reverse<(u16, Rank, u32, u32, Move)>;

pub(crate) struct MacroBestFirst<'a, const N: usize> {
    field: &'a Field,
    state: PushState<'a, N>,
    kind: MoveKind,
    order: QueueOrder,
    macro_moves: MacroMoves,
    pi: PiCorral,
    /// For each square: was the box there stuck when the other boxes were last counted?
    stuck_boxes: Vec<bool>,
    matching: Matching,
    nodes: Vec<Node<N>>,
    met: HashSet<[u64; N], FixedState>,
    cells: Vec<BinaryHeap<Waiting>>,
    classes: HashMap<Class, usize, FixedState>,
    /// The index of the best position so far.
    best: usize,
    /// The cell visited last in turn, and the visits so far.
    last_cell: usize,
    visits: u64,
    improved_at: u64,
    ties: Option<Random>,
    /// The moves of the current position.
    children: Vec<(Rank, u32, Move)>,
}

impl<'a, const N: usize> MacroBestFirst<'a, N> {
    /// For one board. A seed other than 0 shuffles moves of equal rank.
    pub(crate) fn new(
        space: &'a Steps<N>,
        field: &'a Field,
        kind: MoveKind,
        order: QueueOrder,
        seed: u64,
    ) -> Self {
        Self {
            field,
            state: PushState::new(space, field),
            kind,
            order,
            macro_moves: MacroMoves::new(field),
            pi: PiCorral::new(field),
            stuck_boxes: vec![false; field.squares()],
            matching: Matching::default(),
            nodes: Vec::new(),
            met: HashSet::default(),
            cells: Vec::new(),
            classes: HashMap::default(),
            best: 0,
            last_cell: 0,
            visits: 0,
            improved_at: 0,
            ties: tie_breaker(seed),
            children: Vec::new(),
        }
    }

    /// Visits since the best position was found.
    pub(crate) fn idle(&self) -> u64 {
        self.visits - self.improved_at
    }

    /// The best position so far.
    pub(crate) fn best(&self) -> Option<Opened> {
        let node = self.nodes.get(self.best)?;
        let (player, boxes) = self.state.space.parts(&node.key);
        Some(Opened { boxes: boxes.iter().collect(), player })
    }

    /// Takes the next move to try.
    fn next(&mut self) -> Option<(u16, u32, Move)> {
        self.visits += 1;
        let best = match self.order {
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
            let cell =
                (1..=count).map(|k| (self.last_cell + k) % count).find(|&c| !self.cells[c].is_empty())?;
            self.last_cell = cell;
            cell
        };
        let Reverse((discrepancies, _, _, parent, mv)) = self.cells[cell].pop()?;
        Some((discrepancies, parent, mv))
    }

    /// Visits the current position, unless it is a duplicate or a deadlock, and generates its moves. Returns
    /// `true` if there is a plan now.
    fn visit(
        &mut self,
        context: &mut Context<'_, '_, N>,
        parent: u32,
        made_by: Move,
        discrepancies: u16,
    ) -> Result<bool, Limit> {
        let key = self.state.key();
        if !self.met.insert(key) {
            return Ok(false);
        }
        let root = parent == u32::MAX;
        let before = self.nodes.get(parent as usize).map(|node| &node.key);
        if context.record(self.kind, &key, before, made_by)? {
            return Ok(true);
        }
        let Context { analysis, meter, .. } = context;
        let ledger = &mut meter.ledger;
        let lost = match self.kind {
            MoveKind::Push => {
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
            MoveKind::Pull => unreachable(self.field, &self.state.position),
        };
        if lost {
            return Ok(false);
        }
        let (field, player) = (self.field, self.state.position.player);
        let rows = self.state.position.boxes.iter().map(|&b| field.goal_row(field.box_state(b, player)));
        if self.kind == MoveKind::Push && self.matching.solve(field.board().goals().len(), rows).is_none() {
            return Ok(false);
        }
        let connectivity = self.state.walk.connectivity(self.field);
        let tally = self.tally(None);
        let rank = self.rank(tally, connectivity, analysis);
        let id = self.nodes.len() as u32;
        ledger.claim(2 * size_of::<[u64; N]>())?;
        let before = self.nodes.get(parent as usize).map(|node| (node.best, node.cell));
        let inherits = matches!(self.order, QueueOrder::BestAncestor | QueueOrder::LimitedDiscrepancy);
        let (best, cell) = match before.filter(|&(best, _)| inherits && best <= rank) {
            Some(before) => before,
            None => (rank, self.cell(ledger, rank)?),
        };
        ledger.push(&mut self.nodes, Node { key, rank, best, cell, discrepancies })?;
        if rank < self.nodes[self.best].rank {
            self.best = id as usize;
            self.improved_at = self.visits;
        }
        self.generate_moves(context, id, connectivity)
    }

    /// Generates the moves of the current position. Returns `true` if there is a plan now.
    fn generate_moves(
        &mut self,
        context: &mut Context<'_, '_, N>,
        id: u32,
        connectivity: u16,
    ) -> Result<bool, Limit> {
        let parent = context.visited.parent(self.kind, &self.nodes[id as usize].key);
        let Context { analysis, meter, visited, .. } = context;
        let ledger = &mut meter.ledger;
        let (field, kind, player) = (self.field, self.kind, self.state.position.player);
        let Node { cell, rank, discrepancies, .. } = self.nodes[id as usize];
        self.children.clear();
        let pushing = kind == MoveKind::Push;
        let restricted = pushing && self.pi.find(field, &self.state.position, &self.state.walk);
        self.macro_moves.survey(field, &self.state.position);
        for i in 0..self.state.position.boxes.len() {
            let at = self.state.position.boxes[i];
            if restricted && !self.pi.is_next(at)
                || !movable(kind, field, &self.state.position, &self.state.walk, at)
            {
                continue;
            }
            self.macro_moves.generate(kind, field, &mut self.state.position, i, Some(player));
            let others = connectivity - u16::from(self.macro_moves.places[0].connectivity);
            self.state.position.lift(i);
            let tally = self.tally(Some(i));
            self.state.position.lower(i);
            for k in 1..self.macro_moves.places.len() {
                let place = self.macro_moves.places[k];
                let (to, beside) = (place.to, place.player(field, kind));
                if to == at || !pushing && !field.useful(to) {
                    continue;
                }
                self.state.position.shift(i, to);
                let lost = pushing
                    && analysis.deadlocks.quick(field, &mut self.state.position, to, beside).is_some();
                if !lost {
                    let mv = Move { from: at, to, player: beside, pushes: place.pushes };
                    if let Some(parent) = &parent
                        && visited.probe(ledger, parent, mv)?
                    {
                        return Ok(true);
                    }
                    let tally = self.tally_with(tally, to);
                    let rank = self.rank(tally, others + u16::from(place.connectivity), analysis);
                    let tie = self.tie();
                    ledger.claim(size_of::<Waiting>())?;
                    if self.order == QueueOrder::LimitedDiscrepancy {
                        self.children.push((rank, tie, mv));
                        self.state.position.shift(i, at);
                        continue;
                    }
                    let cell = if self.order == QueueOrder::Child { self.cell(ledger, rank)? } else { cell };
                    self.cells[cell].push(Reverse((0, rank, tie, id, mv)));
                }
                self.state.position.shift(i, at);
            }
        }
        let greedy = self.children.iter().min().filter(|child| child.0 < rank).copied();
        for &child in &self.children {
            let (rank, tie, mv) = child;
            let discrepancies = discrepancies + u16::from(greedy != Some(child));
            self.cells[cell].push(Reverse((discrepancies, rank, tie, id, mv)));
        }
        Ok(false)
    }

    /// The cell of the current position.
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

    /// A tie-breaker; without a seed, newer moves come first.
    fn tie(&mut self) -> u32 {
        let newest_first = u32::MAX - self.nodes.len() as u32;
        self.ties.as_mut().map_or(newest_first, |ties| ties.bits() as u32)
    }

    /// The sums over all boxes, or over all but the lifted one.
    fn tally(&mut self, lifted: Option<usize>) -> Tally {
        let mut tally = Tally::default();
        for i in (0..self.state.position.boxes.len()).filter(|&i| Some(i) != lifted) {
            let at = self.state.position.boxes[i];
            let stuck = self.stuck(at);
            self.stuck_boxes[at as usize] = stuck;
            tally.stuck += u16::from(stuck);
            tally.pushes += self.distance(at);
        }
        tally
    }

    /// The same with one more box, which may block others.
    fn tally_with(&self, others: Tally, at: Square) -> Tally {
        let mut tally = others;
        tally.stuck += u16::from(self.stuck(at));
        tally.pushes += self.distance(at);
        let near = self.field.near();
        for dir in DIRS {
            let beside = near[at as usize][dir as usize];
            if self.state.position.boxed(beside) {
                tally.stuck += u16::from(!self.stuck_boxes[beside as usize] && self.stuck(beside));
            } else if self.kind == MoveKind::Pull && self.state.position.free(beside) {
                let beyond = near[beside as usize][dir as usize];
                let stuck_boxes = self.state.position.boxed(beyond) && !self.stuck_boxes[beyond as usize];
                tally.stuck += u16::from(stuck_boxes && self.stuck(beyond));
            }
        }
        tally
    }

    fn rank(&self, tally: Tally, connectivity: u16, analysis: &mut BoardAnalysis) -> Rank {
        let room_connectivity = analysis.board_features.room_connectivity(&self.state.position.boxes);
        (connectivity, room_connectivity, tally.stuck, -tally.pushes)
    }

    /// Pushes from a box to its nearest goal.
    fn distance(&self, at: Square) -> i32 {
        let row = self.field.goal_row(self.field.box_state(at, self.state.position.player));
        row.iter().copied().filter(|&far| far != FAR).min().map_or(0, i32::from)
    }

    /// Can the box not be moved, wherever the player is? A box on its goal does not count as stuck in a
    /// forward search.
    fn stuck(&self, at: Square) -> bool {
        let near = self.field.near();
        let free = |square: Square| self.state.position.free(square);
        let moves = |d: usize| {
            let beside = near[at as usize][d];
            match self.kind {
                MoveKind::Push => free(beside) && free(near[at as usize][d ^ 1]) && self.field.alive(beside),
                MoveKind::Pull => free(beside) && free(near[beside as usize][d]),
            }
        };
        let done = self.kind == MoveKind::Push && self.field.board().is_goal(at);
        !done && !(0..4).any(moves)
    }
}

impl<const N: usize> Member<N> for MacroBestFirst<'_, N> {
    fn begin(&mut self, context: &mut Context<'_, '_, N>) -> Result<Found, Limit> {
        for root in self.kind.roots(self.state.space, self.field) {
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
            let Some((discrepancies, parent, mv)) = self.next() else { return Ok(Found::Nothing) };
            self.state.load_after(&self.nodes[parent as usize].key, mv);
            if self.visit(context, parent, mv, discrepancies)? {
                return Ok(Found::Met);
            }
        }
        Ok(Found::NotYet)
    }

    fn stored(&self) -> usize {
        self.nodes.len()
    }
}
