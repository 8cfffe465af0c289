//! Successors of the search: roots, pushes forwards and pulls backwards, pruning, and the look-up in the
//! store.

use beeline_search::Limit;
use beeline_search::arena::NodeId;

use crate::bits::Bits;
use crate::board::{DIRS, Dir, Square};
use crate::optimal::Cost;
use crate::optimal::room::Placement;
use crate::optimal::search::{MeetingPoint, Search};
use crate::optimal::store::{End, Entry, Inserted, Stored};
use crate::rules::freeze::frozen;
use crate::walk::Position;

/// An assignment from scratch takes this many times as long as an update, on average.
const ASSIGNMENT_FACTOR: u64 = 16;

/// A successor before its look-up in the store.
pub(super) struct Child<const N: usize> {
    key: [u64; N],
    hash: u64,
    player: Square,
    cost: Cost,
    estimate: Cost,
    depth: Cost,
    solved: bool,
    /// Was it reached by more than one push?
    through_tunnel: bool,
}

impl<const N: usize, C: Stored> Search<'_, N, C> {
    /// Stores the roots; returns `false` if there is nothing to search.
    pub(super) fn begin(&mut self) -> Result<bool, Limit> {
        self.meter.look()?;
        let (field, board) = (self.field, self.field.board());
        if board.lost() > 0 || !board.boxes().iter().all(|&at| field.useful(at)) {
            return Ok(false);
        }
        self.position = Position::start(field);
        let Some(least) = self.estimator.set(field, End::Front, &self.position) else { return Ok(false) };
        let least = least.full;
        let (boxes, player) = self.symmetry.least(self.codec, &board.boxes().iter().copied(), board.player());
        if board.boxes().iter().all(|&b| board.is_goal(b)) {
            self.best = Some((0, MeetingPoint { boxes, player, paid: 0 }));
            return Ok(false);
        }
        self.bound = least;
        self.add_child(boxes, player, 0, (least, 0), false);
        self.store_children(End::Front)?;
        self.seed_back()?;
        Ok(true)
    }

    /// The backward roots: all boxes on goals, and one of them pulled off its goal.
    fn seed_back(&mut self) -> Result<(), Limit> {
        let (field, board) = (self.field, self.field.board());
        // Where walking is free the bound is nearly exact, and depth first beats a bidirectional search.
        if board.boxes().len() != board.goals().len() || self.prices.walk == 0 {
            return Ok(());
        }
        self.two_ends = true;
        self.position.set_boxes(board.goals().iter().copied());
        for (i, &goal) in board.goals().iter().enumerate() {
            for dir in DIRS {
                let at = field.near()[goal as usize][dir.back() as usize];
                if !self.position.free(at) || !field.useful(at) {
                    continue;
                }
                let player = field.near()[at as usize][dir.back() as usize];
                if !self.position.free(player) {
                    continue;
                }
                self.meter.work(ASSIGNMENT_FACTOR * self.evaluation_work())?;
                self.position.shift(i, at);
                self.position.player = player;
                if let Some(evaluation) = self.evaluate(End::Back, self.prices.push) {
                    self.add_child_unreduced(i, at, player, self.prices.push, evaluation, false);
                }
                self.position.shift(i, goal);
            }
        }
        self.store_children(End::Back)
    }

    /// Generates all pushes that the player can reach.
    pub(super) fn pushes(&mut self, boxes: &Bits<N>, cost: Cost) -> Result<(), Limit> {
        let field = self.field;
        // PI-corral pruning preserves the number of pushes, not the number of steps.
        let wanted = self.rules.as_ref().is_none_or(|rules| rules.has("pi-corral"));
        let restricted = self.prices.walk == 0 && wanted && self.pi.find(field, &self.position, &self.walk);
        let room = self.room;
        let place = room.and_then(|room| room.next(&self.position.boxes));
        for i in 0..self.position.boxes.len() {
            let at = self.position.boxes[i];
            if room.is_some_and(|room| room.has(at)) {
                continue;
            }
            let outside_pi_corral = restricted && !self.pi.is_next(at);
            for dir in DIRS {
                let from = field.near()[at as usize][dir.back() as usize];
                let to = field.near()[at as usize][dir as usize];
                if !self.walk.reaches(from) || !self.position.free(to) {
                    continue;
                }
                self.stats.generated += 1;
                self.meter.work(self.evaluation_work())?;
                if outside_pi_corral {
                    self.prune_counts.outside_pi_corral += 1;
                    continue;
                }
                let Some((to, behind, count)) = self.tunnel_end(to, dir) else {
                    self.prune_counts.tunnel += 1;
                    continue;
                };
                self.prune_counts.tunnel += count - 1;
                if let (Some(room), Some(place)) = (room, place)
                    && room.door == to
                {
                    self.put_away(boxes, (i, behind), cost + count * self.prices.push, place);
                    continue;
                }
                if !field.useful(to) {
                    self.prune_counts.squares += 1;
                    continue;
                }
                self.position.shift(i, to);
                let lost = self.lost(to, behind);
                let player = if lost { behind } else { self.canonical_player(behind, (at, to)) };
                self.position.shift(i, at);
                if lost {
                    continue;
                }
                let walk = Cost::from(self.walk.distance(from)) * self.prices.walk;
                let cost = cost + walk + count * self.prices.push;
                let Some(evaluation) = self.evaluate_moved(End::Front, cost, (i, to, behind)) else {
                    self.prune_counts.unmatched += 1;
                    continue;
                };
                let solved = self.solved_by(i, to);
                self.through_tunnel = count > 1;
                self.add_moved_child(boxes, (i, to, player), cost, evaluation, solved);
                self.through_tunnel = false;
            }
        }
        Ok(())
    }

    /// Work of updating the assignment after one push, in units of
    /// [`Meter::work`](beeline_search::Meter::work).
    #[inline]
    fn evaluation_work(&self) -> u64 {
        (self.position.boxes.len() * self.position.boxes.len()) as u64
    }

    /// The end of a push to `to`, through a tunnel if it enters one: the square of the box, the player behind
    /// it, and the number of pushes. `None` if the box must go on and cannot.
    #[inline]
    fn tunnel_end(&self, mut to: Square, dir: Dir) -> Option<(Square, Square, Cost)> {
        let near = self.field.near();
        let mut count = 1;
        while self.tunnels.goes_on(to, dir) && self.room.is_none_or(|room| room.door != to) {
            to = near[to as usize][dir as usize];
            if !self.position.free(to) {
                return None;
            }
            count += 1;
        }
        Some((to, near[to as usize][dir.back() as usize], count))
    }

    /// Puts away the i-th box, which is pushed to the door of the goal room by a player who is then on
    /// `behind`.
    fn put_away(&mut self, boxes: &Bits<N>, (i, behind): (usize, Square), cost: Cost, place: &Placement) {
        let cost = cost + place.pushes.len() as Cost * self.prices.push;
        let Some(evaluation) = self.evaluate_moved(End::Front, cost, (i, place.goal, behind)) else {
            self.prune_counts.unmatched += 1;
            return;
        };
        let solved = self.solved_by(i, place.goal);
        let at = self.position.boxes[i];
        self.position.shift(i, place.goal);
        let player = self.canonical_player(behind, (at, place.goal));
        self.position.shift(i, at);
        self.add_moved_child(boxes, (i, place.goal, player), cost, evaluation, solved);
    }

    /// The representative of the player's square after a push. Where walking is free, one square represents
    /// the whole region.
    #[inline]
    fn canonical_player(&mut self, player: Square, (from, to): (Square, Square)) -> Square {
        if self.prices.walk > 0 {
            return player;
        }
        if player == from
            && let Some(region) =
                self.walk.region_after_push((self.field, &self.position), self.region, (from, to))
        {
            return region;
        }
        self.child_walk.flood(self.field, &self.position, player);
        self.child_walk.region()
    }

    /// Is the position dead after a push to `to` that left the player here? Counts the rule.
    #[inline]
    fn lost(&mut self, to: Square, player: Square) -> bool {
        if let Some(rules) = &mut self.rules {
            let rule = rules.verdict(player, self.position.boxes.iter().copied(), to);
            if let Some(rule) = rule {
                self.stats.add_pruned(rule, 1);
            }
            return rule.is_some();
        }
        let stuck = frozen(self.field, &mut self.position, to);
        let paired =
            !stuck && self.pairs.as_ref().is_some_and(|pairs| pairs.any_lost(to, &self.position.boxes));
        self.prune_counts.frozen += u64::from(stuck);
        self.prune_counts.paired += u64::from(paired);
        stuck || paired
    }

    /// Generates all pulls: each leads to a position before an earlier push.
    pub(super) fn pulls(&mut self, boxes: &Bits<N>, cost: Cost) -> Result<(), Limit> {
        let field = self.field;
        for i in 0..self.position.boxes.len() {
            let old = self.position.boxes[i];
            for dir in DIRS {
                // The box was pushed in this direction from `at`, by a player who stood at `from`.
                let at = field.near()[old as usize][dir.back() as usize];
                if !self.walk.reaches(at) {
                    continue;
                }
                let from = field.near()[at as usize][dir.back() as usize];
                if !self.position.free(from) {
                    continue;
                }
                self.stats.generated += 1;
                self.meter.work(self.evaluation_work())?;
                if !field.useful(at) {
                    self.prune_counts.squares += 1;
                    continue;
                }
                let walk = Cost::from(self.walk.distance(at)) * self.prices.walk;
                let Some((at, from, count)) = self.tunnel_start(at, dir) else { continue };
                let cost = cost + walk + count * self.prices.push;
                let Some(evaluation) = self.evaluate_moved(End::Back, cost, (i, at, from)) else {
                    self.prune_counts.unmatched += 1;
                    continue;
                };
                self.add_moved_child(boxes, (i, at, from), cost, evaluation, false);
            }
        }
        Ok(())
    }

    /// The origin of a box that was pushed from `at`, before the tunnel if it was in one: its square, the
    /// player behind it, and the number of pushes. `None` if it cannot have come there.
    #[inline]
    fn tunnel_start(&mut self, mut at: Square, dir: Dir) -> Option<(Square, Square, Cost)> {
        let near = self.field.near();
        let mut from = near[at as usize][dir.back() as usize];
        let mut count = 1;
        while self.tunnels.through(at, dir) {
            self.prune_counts.tunnel += 1;
            (at, from) = (from, near[from as usize][dir.back() as usize]);
            if !self.position.free(from) || !self.field.useful(at) {
                return None;
            }
            count += 1;
        }
        Some((at, from, count))
    }

    /// Are all boxes on goals once the i-th stands on `to`?
    fn solved_by(&self, i: usize, to: Square) -> bool {
        let board = self.field.board();
        board.is_goal(to) && self.position.boxes.iter().enumerate().all(|(j, &b)| i == j || board.is_goal(b))
    }

    /// Adds a successor (the i-th box at `to`, the player at `player`), unless it cannot improve on the best
    /// plan.
    #[inline]
    fn add_moved_child(
        &mut self,
        boxes: &Bits<N>,
        (i, to, player): (usize, Square, Square),
        cost: Cost,
        evaluation: (Cost, Cost),
        solved: bool,
    ) {
        if self.exceeds_best(cost + evaluation.0) {
            return;
        }
        if self.symmetry.is_trivial() {
            let boxes = self.codec.moved(*boxes, self.position.boxes[i], to);
            self.add_child(boxes, player, cost, evaluation, solved);
        } else {
            self.add_child_unreduced(i, to, player, cost, evaluation, solved);
        }
    }

    fn add_child_unreduced(
        &mut self,
        i: usize,
        to: Square,
        player: Square,
        cost: Cost,
        evaluation: (Cost, Cost),
        solved: bool,
    ) {
        let moved = self.position.boxes.iter().enumerate().map(|(j, &b)| if i == j { to } else { b });
        let (boxes, player) = self.symmetry.least(self.codec, &moved, player);
        self.add_child(boxes, player, cost, evaluation, solved);
    }

    #[inline]
    fn add_child(
        &mut self,
        boxes: Bits<N>,
        player: Square,
        cost: Cost,
        (estimate, depth): (Cost, Cost),
        solved: bool,
    ) {
        let (key, hash) = self.store.key(&boxes);
        self.store.prefetch(hash);
        self.children.push(Child {
            key,
            hash,
            player,
            cost,
            estimate,
            depth,
            solved,
            through_tunnel: self.through_tunnel,
        });
    }

    /// Looks up the successors and stores them.
    pub(super) fn store_children(&mut self, end: End) -> Result<(), Limit> {
        let queue = if end == End::Front { &mut self.front } else { &mut self.back };
        let ledger = &mut self.meter.ledger;
        let mut tunnel_children = Vec::new();
        for child in self.children.drain(..) {
            if child.solved && self.best.is_none_or(|(cost, _)| child.cost < cost) {
                let meeting = MeetingPoint {
                    boxes: self.codec.set(&child.key),
                    player: child.player,
                    paid: child.cost,
                };
                self.best = Some((child.cost, meeting));
            }
            let state = (end, child.player);
            let set = match self.store.insert(ledger, (&child.key, child.hash), state, child.cost)? {
                Inserted::New(set) => set,
                Inserted::Cheaper(set, closed) => {
                    self.stats.reopened += u64::from(closed);
                    set
                }
                Inserted::Old => {
                    self.stats.duplicates += 1;
                    continue;
                }
                Inserted::CostOverflow => {
                    self.cost_overflow = Some(child.cost);
                    return Err(Limit::Memory);
                }
            };
            let place = (child.depth, child.cost, child.cost + child.estimate);
            queue.push(ledger, set, place, self.bound)?;
            let other = |entry: Entry<C>| entry.end() != end;
            if child.through_tunnel && self.store.entries(set).any(|(_, entry)| other(entry)) {
                tunnel_children.push((set, child.player, child.cost));
            }
        }
        for (set, player, cost) in tunnel_children {
            self.join_after_tunnel(set, player, cost);
        }
        let waiting = (self.front.waiting + self.back.waiting) as u64;
        self.stats.frontier_peak = self.stats.frontier_peak.max(waiting);
        Ok(())
    }

    /// Joins a state reached through a tunnel with backward states. The positions inside the tunnel are not
    /// stored, so the other end cannot meet them there.
    fn join_after_tunnel(&mut self, set: NodeId, player: Square, cost: Cost) {
        let boxes = self.store.boxes(set);
        self.codec.unpack(&boxes, &mut self.position);
        self.walk.flood(self.field, &self.position, player);
        for (_, entry) in self.store.entries(set).filter(|(_, entry)| entry.end() == End::Back) {
            let Some(steps) = self.steps_to(entry.player(), &boxes) else { continue };
            let total = cost + steps * self.prices.walk + entry.cost();
            if self.best.is_none_or(|(best, _)| total < best) {
                self.best = Some((total, MeetingPoint { boxes, player, paid: cost }));
            }
        }
    }
}
