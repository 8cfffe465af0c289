//! Any plan, quickly: greedy search over pushes with every dead-end rule that pays.
//!
//! Positions with equal boxes and the player in the same region are one. The search goes where the matching of boxes to
//! goals is cheapest, with a little weight on the pushes already made, and PI-corrals are dealt with first. Nothing is
//! promised about the plan but that it is one.

use beeline_search::arena::{Arena, NO_NODE, NodeId};
use beeline_search::frontier::{Buckets, Frontier, Priority, Waiting};
use beeline_search::seen::Table;
use beeline_search::{Budget, Limit, Meter, Outcome, Solution, Space, Stats, Verdict};

use super::board::{Board, DIRS, Dir, Square};
use super::corral::Corral;
use super::field::Field;
use super::freeze::frozen;
use super::matching::Matching;
use super::pairs::Pairs;
use super::picorral::PiCorral;
use super::solve::Pen;
use super::walk::{Position, Walk};
use super::{State, Steps, with_words};
use beeline_puzzle::puzzle::Watcher;

/// How much more a push still to come counts than one already made.
const GREED: u32 = 6;

/// Finds some plan.
pub fn solve(board: &Board, budget: &Budget, watcher: &mut dyn Watcher) -> Outcome<Dir> {
    with_words!(board, N => Steps::<N>::new(board).map(|space| {
        let field = Field::new(board);
        Search::new(&space, &field, budget, watcher).run()
    }))
    .unwrap_or(Outcome { verdict: Verdict::GaveUp, stats: Stats::default() })
}

struct Search<'a, const N: usize> {
    space: &'a Steps<N>,
    field: &'a Field,
    pairs: Option<Pairs>,
    corral: Corral,
    pi: PiCorral,
    arena: Arena<[u64; N]>,
    table: Table,
    waiting: Buckets,
    position: Position,
    walk: Walk,
    matching: Matching,
    child: Matching,
    meter: Meter,
    stats: Stats,
    watcher: &'a mut dyn Watcher,
}

impl<'a, const N: usize> Search<'a, N> {
    fn new(space: &'a Steps<N>, field: &'a Field, budget: &Budget, watcher: &'a mut dyn Watcher) -> Self {
        Self {
            space,
            field,
            pairs: Pairs::new(field),
            corral: Corral::new(field),
            pi: PiCorral::new(field),
            arena: Arena::new(space.key_width(), true),
            table: Table::new(),
            waiting: Buckets::default(),
            position: Position::new(field),
            walk: Walk::new(field),
            matching: Matching::default(),
            child: Matching::default(),
            meter: Meter::new(budget),
            stats: Stats::default(),
            watcher,
        }
    }

    fn run(mut self) -> Outcome<Dir> {
        let verdict = match self.search() {
            Ok(Some(goal)) => {
                let moves = self.plan(goal);
                let cost = moves.len() as u64;
                Verdict::Solved(Solution { moves, cost, lower_bound: 0 })
            }
            Ok(None) => Verdict::Exhausted,
            Err(limit) => Verdict::Stopped(limit),
        };
        self.stats.expanded = self.meter.expanded();
        self.stats.stored = self.arena.len() as u64;
        self.stats.close(&self.meter);
        Outcome { verdict, stats: self.stats }
    }

    fn search(&mut self) -> Result<Option<NodeId>, Limit> {
        self.meter.look()?;
        let board = self.field.board();
        let start = self.space.start();
        let root = self.arena.push(&mut self.meter.ledger, &self.space.pack(&start), NO_NODE, 0, ())?;
        if self.space.is_goal(&start) {
            return Ok(Some(root));
        }
        if board.lost() > 0 || !board.boxes().iter().all(|&b| self.field.alive(b)) {
            return Ok(None);
        }
        self.wait(root, 0, 0)?;
        while let Some(Waiting { id, .. }) = self.waiting.pop() {
            if self.meter.due() {
                self.meter.look()?;
                self.stats.expanded = self.meter.expanded();
                self.stats.stored = self.arena.len() as u64;
                self.stats.bytes = self.meter.ledger.used();
                self.watcher.tick(&self.stats);
            }
            self.meter.count();
            if let Some(goal) = self.expand(id)? {
                return Ok(Some(goal));
            }
        }
        Ok(None)
    }

    fn wait(&mut self, id: NodeId, pushes: u32, least: u32) -> Result<(), Limit> {
        let priority = Priority { key: u64::from(pushes + GREED * least), tie: least };
        self.waiting.push(&mut self.meter.ledger, Waiting { id, cost: pushes }, priority)?;
        self.stats.frontier_peak = self.stats.frontier_peak.max(self.waiting.len() as u64);
        Ok(())
    }

    fn set_up(&mut self, state: &State<N>) {
        self.position.clear();
        for at in state.boxes.iter() {
            self.position.put(at);
        }
        self.position.player = state.player;
    }

    fn expand(&mut self, id: NodeId) -> Result<Option<NodeId>, Limit> {
        let state = self.space.unpack(&self.arena.keys.get(id));
        let pushes = self.arena.cost(id);
        self.set_up(&state);
        let field = self.field;
        self.walk.flood(field, &self.position, state.player);
        let rows = self.position.boxes.iter().map(|&b| field.goal_row(field.stand(b, state.player)));
        if self.matching.solve(field.board().goals().len(), rows).is_none() {
            self.stats.add_pruned("matching", 1);
            return Ok(None);
        }
        let first = self.pi.boxes(field, &self.position, &self.walk);
        let mut found = Vec::new();
        for i in 0..self.position.boxes.len() {
            let at = self.position.boxes[i];
            if first.as_ref().is_some_and(|boxes| !boxes.contains(&at)) {
                continue;
            }
            for dir in DIRS {
                let from = field.near()[at as usize][dir.back() as usize];
                let to = field.near()[at as usize][dir as usize];
                if self.walk.reaches(from) && self.position.free(to) {
                    found.push((i, at, to));
                }
            }
        }
        for (i, at, to) in found {
            self.stats.generated += 1;
            if let Some(goal) = self.push(&state, id, (i, at, to), pushes + 1)? {
                return Ok(Some(goal));
            }
        }
        Ok(None)
    }

    /// One push: drops it, or keeps the position that it leads to; gives the node if that is solved.
    fn push(
        &mut self,
        state: &State<N>,
        parent: NodeId,
        (i, at, to): (usize, Square, Square),
        pushes: u32,
    ) -> Result<Option<NodeId>, Limit> {
        let field = self.field;
        if !field.alive(to) {
            self.stats.add_pruned("dead-squares", 1);
            return Ok(None);
        }
        self.position.shift(i, to);
        let lost = if frozen(field, &mut self.position, to) {
            Some("freeze")
        } else if self.pairs.as_ref().is_some_and(|p| p.any_lost(to, &self.position.boxes)) {
            Some("pairs")
        } else {
            None
        };
        let kept = if lost.is_none() { self.keep(state, parent, (i, at, to), pushes) } else { Ok(None) };
        self.position.shift(i, at);
        if let Some(rule) = lost {
            self.stats.add_pruned(rule, 1);
        }
        kept
    }

    fn keep(
        &mut self,
        state: &State<N>,
        parent: NodeId,
        (i, at, to): (usize, Square, Square),
        pushes: u32,
    ) -> Result<Option<NodeId>, Limit> {
        let field = self.field;
        self.child.copy_from(&self.matching);
        let Some(least) = self.child.change(i, field.goal_row(field.stand(to, at))) else {
            self.stats.add_pruned("matching", 1);
            return Ok(None);
        };
        self.walk.flood(field, &self.position, at);
        let region = self.walk.reached().iter().copied().min().unwrap_or(at);
        let mut after = *state;
        after.boxes.clear(at);
        after.boxes.set(to);
        after.player = region;
        let key = self.space.pack(&after);
        let hash = self.arena.keys.hash(&key);
        if self.table.lookup(&self.arena.keys, hash, &key).is_some() {
            self.stats.duplicates += 1;
            return Ok(None);
        }
        self.position.player = at;
        if self.corral.lost(field, &self.position, to) {
            self.stats.add_pruned("corral", 1);
            return Ok(None);
        }
        let id = self.arena.push(&mut self.meter.ledger, &key, parent, pushes, ())?;
        self.table.record(&mut self.meter.ledger, &self.arena.keys, hash, id)?;
        if self.position.boxes.iter().all(|&b| field.board().is_goal(b)) {
            return Ok(Some(id));
        }
        self.wait(id, pushes, least)?;
        Ok(None)
    }

    /// The steps to a node: each pair of neighbours differs in one box.
    fn plan(&self, goal: NodeId) -> Vec<Dir> {
        let mut pen = Pen::new(self.field);
        let line = self.arena.lineage(goal);
        for &id in line.iter().skip(1) {
            let after = self.space.unpack(&self.arena.keys.get(id));
            let moved = pen.position.boxes.iter().copied().find(|&b| !after.boxes.has(b));
            let Some(at) = moved else { break };
            let to = |dir: &Dir| self.field.near()[at as usize][*dir as usize];
            let fits = |dir: &Dir| {
                (to(dir) as usize) < self.field.squares()
                    && after.boxes.has(to(dir))
                    && !pen.position.boxed(to(dir))
            };
            let Some(dir) = DIRS.into_iter().find(fits) else { break };
            pen.walk_to(self.field.near()[at as usize][dir.back() as usize]);
            pen.push(dir);
        }
        pen.steps
    }
}
