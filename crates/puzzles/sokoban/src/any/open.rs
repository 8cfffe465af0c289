//! The most open position that can be got to, from the start by pushes or from the goals by pulls.
//!
//! Hard levels are hard at their ends: boxes that stand in each other's way at the start, goals that must be filled in the
//! right order. In between there are positions in which the player can walk everywhere and every box can be moved. The
//! search here looks for such a position and nothing else, the best first: few parts, few narrow ways blocked, few boxes stuck,
//! and then boxes far from the goals (the idea is Festival's; see docs/sokoban.md).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use beeline_search::{Limit, Meter, Space};

use super::super::board::Square;
use super::super::field::{FAR, Field};
use super::super::walk::{Position, Walk};
use super::super::{State, Steps};
use super::advice::Move;
use super::carry::{Carry, Way};
use super::insight::Insight;
use super::lost::unreachable;

/// How open a position is: parts, narrow ways blocked, boxes stuck, closeness to goals. The least is the best.
type Rank = (u16, u16, u16, i32);

/// A position that was found, and the moves that lead to it.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    pub(crate) boxes: Vec<Square>,
    pub(crate) moves: Vec<Move>,
    /// Where the player was in the first position.
    pub(crate) first_player: Square,
    pub(crate) rank: Rank,
}

struct Node<const N: usize> {
    key: [u64; N],
    parent: u32,
    made_by: Move,
    rank: Rank,
}

/// A move that waits: how open what it leads to is, a number that settles ties, the position, the move.
type Waiting = Reverse<(Rank, u32, u32, (Square, Square, Square))>;

pub(crate) struct Opening<'a, const N: usize> {
    space: &'a Steps<N>,
    field: &'a Field,
    way: Way,
    carry: Carry,
    position: Position,
    walk: Walk,
    nodes: Vec<Node<N>>,
    met: HashSet<[u64; N]>,
    waiting: BinaryHeap<Waiting>,
    dice: u64,
}

impl<'a, const N: usize> Opening<'a, N> {
    /// A seed other than 0 takes equally open positions in another order.
    pub(crate) fn new(space: &'a Steps<N>, field: &'a Field, way: Way, seed: u64) -> Self {
        Self {
            space,
            field,
            way,
            carry: Carry::new(field),
            position: Position::new(field),
            walk: Walk::new(field),
            nodes: Vec::new(),
            met: HashSet::new(),
            waiting: BinaryHeap::new(),
            dice: seed,
        }
    }

    /// Looks at so many positions and gives the most open one.
    pub(crate) fn run(
        mut self,
        meter: &mut Meter,
        work: u64,
        insight: &mut Insight,
    ) -> Result<Option<Opened>, Limit> {
        let nothing = Move { from: 0, to: 0, player: 0 };
        for root in self.roots() {
            self.visit(root, u32::MAX, nothing, insight);
        }
        for _ in 0..work {
            if meter.due() {
                meter.look()?;
            }
            meter.count();
            let Some(Reverse((_, _, parent, (from, to, player)))) = self.waiting.pop() else { break };
            let mut state = self.space.unpack(&self.nodes[parent as usize].key);
            state.boxes.clear(from);
            state.boxes.set(to);
            state.player = player;
            self.visit(state, parent, Move { from, to, player }, insight);
        }
        let best = (0..self.nodes.len()).min_by_key(|&i| self.nodes[i].rank);
        Ok(best.map(|best| self.opened(best)))
    }

    fn roots(&self) -> Vec<State<N>> {
        let board = self.field.board();
        match self.way {
            Way::Pushing => vec![self.space.start()],
            Way::Pulling => {
                let anywhere = (0..self.field.squares() as Square).filter(|&s| !board.is_goal(s));
                anywhere.map(|player| self.space.state(player, board.goals())).collect()
            }
        }
    }

    /// Looks at a position, unless it was met before or is lost, and notes its moves.
    fn visit(&mut self, mut state: State<N>, parent: u32, made_by: Move, insight: &mut Insight) {
        self.position.clear();
        for at in state.boxes.iter() {
            self.position.put(at);
        }
        self.position.player = state.player;
        self.walk.flood(self.field, &self.position, state.player);
        state.player = self.walk.reached().iter().copied().min().unwrap_or(state.player);
        let key = self.space.pack(&state);
        if !self.met.insert(key) {
            return;
        }
        let root = parent == u32::MAX;
        let lost = match self.way {
            Way::Pushing => {
                !root && insight.lost.on_reflection(self.field, &mut self.position, made_by.to).is_some()
            }
            Way::Pulling => unreachable(self.field, &self.position),
        };
        if lost {
            return;
        }
        let parts = self.parts();
        let rank = self.rank(parts, insight);
        let id = self.nodes.len() as u32;
        let made_by = if root { Move { player: self.position.player, ..made_by } } else { made_by };
        self.nodes.push(Node { key, parent, made_by, rank });
        self.note_moves(id, parts, insight);
    }

    fn note_moves(&mut self, id: u32, parts: u16, insight: &mut Insight) {
        let (field, way, player) = (self.field, self.way, self.position.player);
        for i in 0..self.position.boxes.len() {
            let at = self.position.boxes[i];
            self.carry.go(way, field, &mut self.position, i, Some(player));
            let others = parts - u16::from(self.carry.places[0].parts);
            for k in 1..self.carry.places.len() {
                let place = self.carry.places[k];
                let to = place.to;
                if to == at || way == Way::Pulling && !field.useful(to) {
                    continue;
                }
                self.position.shift(i, to);
                let lost = way == Way::Pushing
                    && insight.lost.at_once(field, &mut self.position, to).is_some();
                if !lost {
                    let rank = self.rank(others + u16::from(place.parts), insight);
                    let tie = self.tie();
                    let mv = (at, to, place.player(field, way));
                    self.waiting.push(Reverse((rank, tie, id, mv)));
                }
                self.position.shift(i, at);
            }
        }
    }

    /// Without a seed, newer moves first among equals.
    fn tie(&mut self) -> u32 {
        if self.dice == 0 {
            return u32::MAX - self.waiting.len() as u32;
        }
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        self.dice as u32
    }

    fn rank(&self, parts: u16, insight: &Insight) -> Rank {
        let boxes = &self.position.boxes;
        let stuck = boxes.iter().filter(|&&b| self.stuck(b)).count() as u16;
        let close: i32 = boxes.iter().map(|&b| -self.distance(b)).sum();
        (parts, insight.terrain.blocked(boxes.iter().copied()), stuck, close)
    }

    /// How many pushes a box is away from the nearest goal.
    fn distance(&self, at: Square) -> i32 {
        let row = self.field.goal_row(self.field.stand(at, self.position.player));
        row.iter().copied().filter(|&far| far != FAR).min().map_or(0, i32::from)
    }

    /// Can a box not be moved, wherever the player is?
    fn stuck(&self, at: Square) -> bool {
        let near = self.field.near();
        let free = |square: Square| self.position.free(square);
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

    /// Into how many parts the boxes cut the free squares.
    fn parts(&self) -> u16 {
        let mut parts = 0;
        let mut seen = vec![false; self.field.squares() + 1];
        let mut todo: Vec<Square> = Vec::new();
        for from in 0..self.field.squares() as Square {
            if seen[from as usize] || !self.position.free(from) {
                continue;
            }
            parts += 1;
            seen[from as usize] = true;
            todo.push(from);
            while let Some(at) = todo.pop() {
                for to in self.field.near()[at as usize] {
                    if self.position.free(to) && !seen[to as usize] {
                        seen[to as usize] = true;
                        todo.push(to);
                    }
                }
            }
        }
        parts
    }

    fn opened(&self, best: usize) -> Opened {
        let boxes = self.space.unpack(&self.nodes[best].key).boxes.iter().collect();
        let mut moves = Vec::new();
        let mut at = &self.nodes[best];
        while at.parent != u32::MAX {
            moves.push(at.made_by);
            at = &self.nodes[at.parent as usize];
        }
        moves.reverse();
        Opened { boxes, moves, first_player: at.made_by.player, rank: self.nodes[best].rank }
    }
}
