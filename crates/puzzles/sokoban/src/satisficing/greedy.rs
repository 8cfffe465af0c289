//! Greedy best-first search over single pushes from both ends, for small and tight levels.
//!
//! Positions with equal boxes and the player in the same region are one. Forwards, boxes are pushed from the
//! start, guided by the cheapest matching of boxes to goals. Backwards, they are pulled from the goals,
//! guided by the cheapest matching to the boxes of the start. A position that both ends have met makes a
//! plan. Each end alone is complete: when one runs out of positions there is no plan.

use beeline_search::arena::{Arena, NO_NODE, NodeId};
use beeline_search::frontier::{Buckets, Frontier, Priority, Waiting};
use beeline_search::memory::Ledger;
use beeline_search::seen::Table;
use beeline_search::{Limit, Random, Space};

use super::advisors::Move;
use super::context::Context;
use super::portfolio::Member;
use super::push_state::PushState;
use super::tuning::Tuning;
use crate::Steps;
use crate::board::{DIRS, Square};
use crate::field::Field;
use crate::macro_moves::MoveKind;
use crate::matching::Matching;
use crate::rules::pi_corral::PiCorral;
use crate::satisficing::{Found, tie_breaker};
use crate::walk::Position;

/// On levels with more boxes the search gets a quarter of a turn.
const MANY_BOXES: usize = 12;
/// Pushes per box on average, up to which boxes count as beside their goals. No other member is as good on
/// such levels.
const PUSHES_BESIDE_GOALS: usize = 2;
/// Factor on the turns of the search on such a level, and the visits before.
const TURNS_BESIDE_GOALS: u64 = 64;
const VISITS_BEFORE_LONG_TURNS: u64 = 4000;
/// Positions searched for a corral, for each time that it has come up: fewer than for other members, since
/// positions are many and cheap.
const CORRAL_POSITIONS: u64 = 1;

/// The positions met from one end.
struct End<const N: usize> {
    arena: Arena<[u64; N]>,
    table: Table,
    waiting: Buckets,
}

impl<const N: usize> End<N> {
    fn new(space: &Steps<N>) -> Self {
        Self { arena: Arena::new(space.key_width(), true), table: Table::new(), waiting: Buckets::default() }
    }
}

/// A single push or pull of the i-th box, and the player's square afterwards.
#[derive(Clone, Copy)]
struct Shift {
    i: usize,
    at: Square,
    to: Square,
    player: Square,
}

pub(crate) struct Greedy<'a, const N: usize> {
    field: &'a Field,
    state: PushState<'a, N>,
    tuning: Tuning,
    /// Shuffles the pushes of a position; seed 0 keeps the order of generation.
    ties: Option<Random>,
    pi: PiCorral,
    /// Forward by pushes, backward by pulls.
    ends: [End<N>; 2],
    /// Is there a backward search? Not with more goals than boxes.
    two_ends: bool,
    /// Are the boxes beside their goals?
    beside_goals: bool,
    visits: u64,
    matching: Matching,
    shifts: Vec<Shift>,
}

impl<'a, const N: usize> Greedy<'a, N> {
    pub(crate) fn new(space: &'a Steps<N>, field: &'a Field, tuning: Tuning, seed: u64) -> Self {
        let board = field.board();
        Self {
            field,
            state: PushState::new(space, field),
            tuning,
            ties: tie_breaker(seed),
            pi: PiCorral::new(field),
            ends: [End::new(space), End::new(space)],
            two_ends: board.boxes().len() == board.goals().len(),
            beside_goals: false,
            visits: 0,
            matching: Matching::default(),
            shifts: Vec::new(),
        }
    }

    /// Stores the roots.
    fn put_roots(&mut self, ledger: &mut Ledger) -> Result<(), Limit> {
        for kind in [MoveKind::Push, MoveKind::Pull].into_iter().take(1 + usize::from(self.two_ends)) {
            for key in kind.roots(self.state.space, self.field) {
                self.add(ledger, kind as usize, &key, NO_NODE, 0, 0)?;
            }
        }
        self.state.position = Position::start(self.field);
        let boxes = self.state.position.boxes.len();
        self.beside_goals = self.least(0).is_some_and(|least| least as usize <= PUSHES_BESIDE_GOALS * boxes);
        Ok(())
    }

    fn add(
        &mut self,
        ledger: &mut Ledger,
        side: usize,
        key: &[u64; N],
        parent: NodeId,
        pushes: u32,
        least: u32,
    ) -> Result<(), Limit> {
        let end = &mut self.ends[side];
        let hash = end.arena.keys.hash(key);
        let id = end.arena.push(ledger, key, parent, pushes, ())?;
        end.table.record(ledger, &end.arena.keys, hash, id)?;
        let priority = Priority { key: u64::from(pushes) + self.tuning.greed * u64::from(least), tie: least };
        end.waiting.push(ledger, Waiting { id, cost: pushes }, priority)?;
        Ok(())
    }

    /// Generates all pushes or pulls of a position. Returns `true` if there is a plan now.
    fn expand(&mut self, context: &mut Context<'_, '_, N>, side: usize, id: NodeId) -> Result<bool, Limit> {
        let field = self.field;
        self.state.load(&self.ends[side].arena.keys.get(id));
        let player = self.state.position.player;
        // Half of the positions are never expanded, so the expensive rules are applied at the expansion.
        if side == 0
            && let Some(pushed) = self.pushed_last(id)
            && let Some(rule) =
                context.analysis.deadlocks.thorough(field, &mut self.state.position, pushed, CORRAL_POSITIONS)
        {
            context.stats.add_pruned(rule, 1);
            return Ok(false);
        }
        self.state.flood();
        if self.least(side).is_none() {
            context.stats.add_pruned("matching", 1);
            return Ok(false);
        }
        self.find_shifts(side);
        for k in 0..self.shifts.len() {
            let shift = self.shifts[k];
            context.stats.generated += 1;
            self.state.shift(shift.i, shift.to, shift.player);
            let met = self.store(context, side, id, shift);
            self.state.shift(shift.i, shift.at, player);
            if met? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lower bound on the pushes or pulls of the current position; `None` if its boxes cannot be matched.
    fn least(&mut self, side: usize) -> Option<u32> {
        let (field, player) = (self.field, self.state.position.player);
        let box_states = self.state.position.boxes.iter().map(|&b| field.box_state(b, player));
        match side {
            0 => self.matching.solve(field.board().goals().len(), box_states.map(|s| field.goal_row(s))),
            _ => self.matching.solve(field.board().boxes().len(), box_states.map(|s| field.box_row(s))),
        }
    }

    /// The square of the box that was pushed last on the forward path to this position.
    fn pushed_last(&self, id: NodeId) -> Option<Square> {
        let arena = &self.ends[0].arena;
        let parent = Some(arena.parent(id)).filter(|&parent| parent != NO_NODE)?;
        let (_, before) = self.state.space.parts(&arena.keys.get(parent));
        self.state.position.boxes.iter().copied().find(|&b| !before.has(b))
    }

    /// Generates all pushes or pulls; `walk` must hold the reach of the player.
    fn find_shifts(&mut self, side: usize) {
        let (field, near) = (self.field, self.field.near());
        self.shifts.clear();
        let restricted = side == 0 && self.pi.find(field, &self.state.position, &self.state.walk);
        for (i, &at) in self.state.position.boxes.iter().enumerate() {
            if restricted && !self.pi.is_next(at) {
                continue;
            }
            for dir in DIRS {
                let to = near[at as usize][dir as usize];
                if side == 0 {
                    let from = near[at as usize][dir.back() as usize];
                    if self.state.walk.reaches(from) && self.state.position.free(to) && field.alive(to) {
                        self.shifts.push(Shift { i, at, to, player: at });
                    }
                } else if self.state.walk.reaches(to) && field.useful(to) {
                    let player = near[to as usize][dir as usize];
                    if self.state.position.free(player) {
                        self.shifts.push(Shift { i, at, to, player });
                    }
                }
            }
        }
        if let Some(ties) = &mut self.ties {
            ties.shuffle(&mut self.shifts);
        }
    }

    /// Stores the current position, unless it is a deadlock or a duplicate. Returns `true` if there is a plan
    /// now.
    fn store(
        &mut self,
        context: &mut Context<'_, '_, N>,
        side: usize,
        parent: NodeId,
        shift: Shift,
    ) -> Result<bool, Limit> {
        let field = self.field;
        if side == 0
            && let Some(rule) =
                context.analysis.deadlocks.quick(field, &mut self.state.position, shift.to, shift.player)
        {
            context.stats.add_pruned(rule, 1);
            return Ok(false);
        }
        let key = self.state.key();
        let end = &self.ends[side];
        let hash = end.arena.keys.hash(&key);
        if end.table.lookup(&end.arena.keys, hash, &key).is_some() {
            context.stats.duplicates += 1;
            return Ok(false);
        }
        let box_state = field.box_state(shift.to, shift.player);
        let row = if side == 0 { field.goal_row(box_state) } else { field.box_row(box_state) };
        let Some(least) = self.matching.with(shift.i, row) else {
            context.stats.add_pruned("matching", 1);
            return Ok(false);
        };
        let kind = if side == 0 { MoveKind::Push } else { MoveKind::Pull };
        let before = self.ends[side].arena.keys.get(parent);
        let mv = Move { from: shift.at, to: shift.to, player: shift.player, pushes: 1 };
        if context.record(kind, &key, Some(&before), mv)? {
            return Ok(true);
        }
        let pushes = self.ends[side].arena.cost(parent) + 1;
        self.add(&mut context.meter.ledger, side, &key, parent, pushes, least)?;
        Ok(false)
    }
}

impl<const N: usize> Member<N> for Greedy<'_, N> {
    fn begin(&mut self, context: &mut Context<'_, '_, N>) -> Result<Found, Limit> {
        self.put_roots(&mut context.meter.ledger)?;
        Ok(Found::NotYet)
    }

    fn advance(&mut self, context: &mut Context<'_, '_, N>, positions: u64) -> Result<Found, Limit> {
        for turn in 0..positions {
            context.tick()?;
            self.visits += 1;
            let side = if self.two_ends { (turn & 1) as usize } else { 0 };
            let Some(Waiting { id, .. }) = self.ends[side].waiting.pop() else { return Ok(Found::Nothing) };
            if self.expand(context, side, id)? {
                return Ok(Found::Met);
            }
        }
        Ok(Found::NotYet)
    }

    fn turn(&self, turn: u64) -> u64 {
        match self.field.board().boxes().len() {
            _ if self.beside_goals && self.visits > VISITS_BEFORE_LONG_TURNS => {
                turn.saturating_mul(TURNS_BESIDE_GOALS)
            }
            boxes if boxes > MANY_BOXES && !self.beside_goals => turn / 4,
            _ => turn.saturating_mul(self.tuning.greedy_turns),
        }
    }

    fn stored(&self) -> usize {
        self.ends[0].arena.len() + self.ends[1].arena.len()
    }
}

#[cfg(test)]
mod tests {
    use beeline_search::{Budget, Meter};

    use super::*;
    use crate::text;

    #[test]
    fn where_boxes_are_beside_their_goals_it_gets_many_turns_after_a_few_positions() {
        let (usual, many) = (Tuning::default().greedy_turns, TURNS_BESIDE_GOALS);
        let turns = |map: &str| {
            let board = text::parse(map).expect("a level").remove(0).board;
            let (field, space) = (Field::new(&board), Steps::<4>::new(&board).expect("room"));
            let mut search = Greedy::new(&space, &field, Tuning::default(), 0);
            search.put_roots(&mut Meter::new(&Budget::default()).ledger).expect("room");
            [VISITS_BEFORE_LONG_TURNS, VISITS_BEFORE_LONG_TURNS + 1].map(|visits| {
                search.visits = visits;
                search.turn(100)
            })
        };
        let beside = "#######\n#@ $. #\n#  $. #\n#  $. #\n#######\n";
        assert_eq!(turns(beside), [100 * usual, 100 * many]);
        let apart = "########\n#@$   .#\n#      #\n########\n";
        assert_eq!(turns(apart), [100 * usual, 100 * usual]);
        let row = |fill: &str| format!("#  {}  #\n", fill.repeat(MANY_BOXES + 1));
        let wall = "#".repeat(MANY_BOXES + 7);
        let [boxes, nothing, goals] = ["$", " ", "."].map(row);
        let apart_by = |between: usize| {
            let floor = nothing.repeat(between);
            format!("{wall}\n{}{boxes}{floor}{goals}{wall}\n", nothing.replacen(' ', "@", 1))
        };
        assert_eq!(turns(&apart_by(0)), [100 * usual, 100 * many]);
        assert_eq!(turns(&apart_by(3)), [25, 25]);
    }
}
