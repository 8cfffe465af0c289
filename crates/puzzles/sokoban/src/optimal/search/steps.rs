//! The steps of the search: the first ones, pushes forwards and pulls backwards, what is dropped of them, and the look-up of the others.

use beeline_search::Limit;
use beeline_search::arena::NodeId;

use crate::bits::Bits;
use crate::board::{DIRS, Dir, Square};
use crate::optimal::Cost;
use crate::optimal::room::Place;
use crate::optimal::search::{Joint, Search};
use crate::optimal::store::{End, Entry, Met, Stored};
use crate::rules::freeze::frozen;
use crate::rules::pairs::Pairs;
use crate::walk::{Position, Reaches};

/// Expansions after which the table of lost pairs is worth its making.
const PAIRS_AFTER: u64 = 10_000;

/// How many times as much it takes to assign boxes to goals from scratch, on the average.
const ASSIGN: u64 = 16;

/// A successor that waits for its look-up.
pub(super) struct Child<const N: usize> {
    key: [u64; N],
    hash: u64,
    player: Square,
    cost: Cost,
    estimate: Cost,
    depth: Cost,
    solved: bool,
    /// Was it met by more than one push at once?
    leap: bool,
}

impl<const N: usize, C: Stored> Search<'_, N, C> {
    /// Puts the roots in; `false` if there is nothing to search.
    pub(super) fn begin(&mut self) -> Result<bool, Limit> {
        self.meter.look()?;
        let (field, board) = (self.field, self.field.board());
        if board.lost() > 0 || !board.boxes().iter().all(|&at| field.useful(at)) {
            return Ok(false);
        }
        self.position = Position::start(field);
        let Some(least) = self.measure.set(field, End::Front, &self.position) else { return Ok(false) };
        let least = least.full;
        let (boxes, player) = self.symmetry.least(self.codec, &board.boxes().iter().copied(), board.player());
        if board.boxes().iter().all(|&b| board.is_goal(b)) {
            self.best = Some((0, Joint { boxes, player, paid: 0 }));
            return Ok(false);
        }
        self.bound = least;
        self.note(boxes, player, 0, (least, 0), false);
        self.take_in(End::Front)?;
        self.seed_back()?;
        Ok(true)
    }

    /// The last pushes of all plans: every box on a goal, one of them pulled off it.
    fn seed_back(&mut self) -> Result<(), Limit> {
        let (field, board) = (self.field, self.field.board());
        // Where walking is free the bound is close to the truth, and going deep first beats meeting in the middle.
        if board.boxes().len() != board.goals().len() || self.prices.walk == 0 {
            return Ok(());
        }
        self.two_ends = true;
        self.position.lay(board.goals().iter().copied());
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
                self.meter.work(ASSIGN * self.weighing())?;
                self.position.shift(i, at);
                self.position.player = player;
                if let Some(weight) = self.weigh(End::Back, self.prices.push) {
                    self.keep(i, at, player, self.prices.push, weight, false);
                }
                self.position.shift(i, goal);
            }
        }
        self.take_in(End::Back)
    }

    /// Makes the table of lost pairs, once it is worth it.
    pub(super) fn study_pairs(&mut self) -> Result<(), Limit> {
        if !self.asked_for_pairs && self.meter.expanded() >= PAIRS_AFTER {
            self.asked_for_pairs = true;
            self.pairs = Pairs::new(self.field, &mut self.meter)?;
        }
        Ok(())
    }

    /// Every push that the player can walk to.
    pub(super) fn pushes(&mut self, boxes: &Bits<N>, cost: Cost) -> Result<(), Limit> {
        let field = self.field;
        // Bringing the pushes of a pocket forward keeps their number, not the steps between them.
        let wanted = self.rules.as_ref().is_none_or(|rules| rules.has("pi-corral"));
        let pocket = self.prices.walk == 0 && wanted && self.pi.find(field, &self.position, &self.walk);
        let room = self.room;
        let place = room.and_then(|room| room.next(&self.position.boxes));
        for i in 0..self.position.boxes.len() {
            let at = self.position.boxes[i];
            if room.is_some_and(|room| room.has(at)) {
                continue;
            }
            let later = pocket && !self.pi.is_next(at);
            for dir in DIRS {
                let from = field.near()[at as usize][dir.back() as usize];
                let to = field.near()[at as usize][dir as usize];
                if !self.walk.reaches(from) || !self.position.free(to) {
                    continue;
                }
                self.stats.generated += 1;
                self.meter.work(self.weighing())?;
                if later {
                    self.dead.later += 1;
                    continue;
                }
                let Some((to, behind, count)) = self.slide(to, dir) else {
                    self.dead.in_tunnels += 1;
                    continue;
                };
                self.dead.in_tunnels += count - 1;
                if let (Some(room), Some(place)) = (room, place)
                    && room.door == to
                {
                    self.put_away(boxes, (i, behind), cost + count * self.prices.push, place);
                    continue;
                }
                if !field.useful(to) {
                    self.dead.squares += 1;
                    continue;
                }
                self.position.shift(i, to);
                let lost = self.lost(to, behind);
                let player = if lost { behind } else { self.home(behind) };
                self.position.shift(i, at);
                if lost {
                    continue;
                }
                let walk = Cost::from(self.walk.distance(from)) * self.prices.walk;
                let cost = cost + walk + count * self.prices.push;
                let Some(weight) = self.weigh_moved(End::Front, cost, (i, to, behind)) else {
                    self.dead.unmatched += 1;
                    continue;
                };
                let solved = self.solved_by(i, to);
                self.leap = count > 1;
                self.keep_moved(boxes, (i, to, player), cost, weight, solved);
                self.leap = false;
            }
        }
        Ok(())
    }

    /// What it takes to assign boxes to goals again after one has moved, in units of [`Meter::work`](beeline_search::Meter::work).
    #[inline]
    fn weighing(&self) -> u64 {
        (self.position.boxes.len() * self.position.boxes.len()) as u64
    }

    /// Where a box gets that is pushed to `to`: on to the end of the tunnel if it is in one. The player behind it, and how many pushes that
    /// takes; `None` if it cannot go on though it should.
    #[inline]
    fn slide(&self, mut to: Square, dir: Dir) -> Option<(Square, Square, Cost)> {
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

    /// Puts the i-th box, which is pushed to the door of the room from `behind`, away.
    fn put_away(&mut self, boxes: &Bits<N>, (i, behind): (usize, Square), cost: Cost, place: &Place) {
        let cost = cost + place.pushes.len() as Cost * self.prices.push;
        let Some(weight) = self.weigh_moved(End::Front, cost, (i, place.goal, behind)) else {
            self.dead.unmatched += 1;
            return;
        };
        let solved = self.solved_by(i, place.goal);
        let at = self.position.boxes[i];
        self.position.shift(i, place.goal);
        let player = self.home(behind);
        self.position.shift(i, at);
        self.keep_moved(boxes, (i, place.goal, player), cost, weight, solved);
    }

    /// The square that stands for the player's own. Where walking is free, one stands for all that he can walk to.
    #[inline]
    fn home(&mut self, player: Square) -> Square {
        if self.prices.walk > 0 {
            return player;
        }
        self.ground.flood(self.field, &self.position, player);
        self.ground.region()
    }

    /// Is the position lost after a push to `to`, which left the player here? Counts why.
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
        self.dead.frozen += u64::from(stuck);
        self.dead.paired += u64::from(paired);
        stuck || paired
    }

    /// Every pull that leads to a position before the push before.
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
                self.meter.work(self.weighing())?;
                if !field.useful(at) {
                    self.dead.squares += 1;
                    continue;
                }
                let walk = Cost::from(self.walk.distance(at)) * self.prices.walk;
                let Some((at, from, count)) = self.slide_back(at, dir) else { continue };
                let cost = cost + walk + count * self.prices.push;
                let Some(weight) = self.weigh_moved(End::Back, cost, (i, at, from)) else {
                    self.dead.unmatched += 1;
                    continue;
                };
                self.keep_moved(boxes, (i, at, from), cost, weight, false);
            }
        }
        Ok(())
    }

    /// Where a box came from that was pushed from `at`: from before the tunnel if it was in one. The player behind it then, and how many pushes that
    /// took; `None` if it cannot have come there.
    #[inline]
    fn slide_back(&mut self, mut at: Square, dir: Dir) -> Option<(Square, Square, Cost)> {
        let near = self.field.near();
        let mut from = near[at as usize][dir.back() as usize];
        let mut count = 1;
        while self.tunnels.through(at, dir) {
            self.dead.in_tunnels += 1;
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

    /// Notes a successor, unless it cannot lead to a better plan: the i-th box at `to`, the player at `player`.
    #[inline]
    fn keep_moved(
        &mut self,
        boxes: &Bits<N>,
        (i, to, player): (usize, Square, Square),
        cost: Cost,
        weight: (Cost, Cost),
        solved: bool,
    ) {
        if self.too_long(cost + weight.0) {
            return;
        }
        if self.symmetry.is_trivial() {
            let boxes = self.codec.moved(*boxes, self.position.boxes[i], to);
            self.note(boxes, player, cost, weight, solved);
        } else {
            self.keep(i, to, player, cost, weight, solved);
        }
    }

    fn keep(&mut self, i: usize, to: Square, player: Square, cost: Cost, weight: (Cost, Cost), solved: bool) {
        let moved = self.position.boxes.iter().enumerate().map(|(j, &b)| if i == j { to } else { b });
        let (boxes, player) = self.symmetry.least(self.codec, &moved, player);
        self.note(boxes, player, cost, weight, solved);
    }

    #[inline]
    fn note(
        &mut self,
        boxes: Bits<N>,
        player: Square,
        cost: Cost,
        (estimate, depth): (Cost, Cost),
        solved: bool,
    ) {
        let (key, hash) = self.store.key(&boxes);
        self.store.announce(hash);
        self.children.push(Child { key, hash, player, cost, estimate, depth, solved, leap: self.leap });
    }

    /// Looks the noted successors up.
    pub(super) fn take_in(&mut self, end: End) -> Result<(), Limit> {
        let queue = if end == End::Front { &mut self.front } else { &mut self.back };
        let ledger = &mut self.meter.ledger;
        let mut leaps = Vec::new();
        for child in self.children.drain(..) {
            if child.solved && self.best.is_none_or(|(cost, _)| child.cost < cost) {
                let joint =
                    Joint { boxes: self.codec.set(&child.key), player: child.player, paid: child.cost };
                self.best = Some((child.cost, joint));
            }
            let state = (end, child.player);
            let set = match self.store.meet(ledger, (&child.key, child.hash), state, child.cost)? {
                Met::New(set) => set,
                Met::Cheaper(set, closed) => {
                    self.stats.reopened += u64::from(closed);
                    set
                }
                Met::Old => {
                    self.stats.duplicates += 1;
                    continue;
                }
                Met::TooDear => {
                    self.too_dear = Some(child.cost);
                    return Err(Limit::Memory);
                }
            };
            let place = (child.depth, child.cost, child.cost + child.estimate);
            queue.push(ledger, set, place, self.bound)?;
            let other = |entry: Entry<C>| entry.end() != end;
            if child.leap && self.store.entries(set).any(|(_, entry)| other(entry)) {
                leaps.push((set, child.player, child.cost));
            }
        }
        for (set, player, cost) in leaps {
            self.land(set, player, cost);
        }
        let waiting = (self.front.waiting + self.back.waiting) as u64;
        self.stats.frontier_peak = self.stats.frontier_peak.max(waiting);
        Ok(())
    }

    /// After a leap: the positions on the way there are not stored, so the other end could not meet it half-way. It is met here, if it was there first.
    fn land(&mut self, set: NodeId, player: Square, cost: Cost) {
        let boxes = self.store.boxes(set);
        self.codec.unpack(&boxes, &mut self.position);
        self.walk.flood(self.field, &self.position, player);
        for (_, entry) in self.store.entries(set).filter(|(_, entry)| entry.end() == End::Back) {
            let Some(steps) = self.steps_to(entry.player(), &boxes) else { continue };
            let total = cost + steps * self.prices.walk + entry.cost();
            if self.best.is_none_or(|(best, _)| total < best) {
                self.best = Some((total, Joint { boxes, player, paid: cost }));
            }
        }
    }
}
