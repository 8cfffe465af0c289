//! PI-corral pruning: when a pocket must be dealt with, and only from outside, deal with it first.
//!
//! If every push that the player can make on the boxes around a pocket goes *into* it, and every push into it that could
//! ever be made can be made *now*, then these pushes can be brought forward in any plan without more pushes. So only they
//! need be tried. Steps are not preserved, only pushes: for fewest moves this rule is not used.

use crate::board::Square;
use crate::field::Field;
use crate::walk::{Position, Reaches};

/// Finds pockets of this kind.
#[derive(Clone, Debug)]
pub struct PiCorral {
    /// For each free square, a bit for the pocket that it lies in, and for each box, of all pockets that it stands beside. Nothing on
    /// the player's ground.
    zones: Vec<Zones>,
    /// The boxes that stand beside pockets.
    boxes: Vec<Square>,
    todo: Vec<Square>,
    /// The pockets whose boxes are to be pushed next.
    best: Zones,
    /// Are pockets taken together?
    together: bool,
}

/// A set of pockets. Where there are more than it holds, none is found.
pub(crate) type Zones = u32;

impl PiCorral {
    /// For one board; each pocket by itself.
    pub fn new(field: &Field) -> Self {
        let zones = vec![0; field.squares() + 1];
        Self { zones, boxes: Vec::new(), todo: Vec::new(), best: 0, together: false }
    }

    /// Takes pockets together where one does not do alone.
    #[must_use]
    pub fn with_company(mut self) -> Self {
        self.together = true;
        self
    }

    /// Is there such a pocket? Then only pushes of the boxes around it need be tried, of which [`is_next`](Self::is_next)
    /// tells. `ground` is where the player can get.
    pub fn find(&mut self, field: &Field, position: &Position, ground: &impl Reaches) -> bool {
        self.zones.fill(0);
        let none = ground.reached().len() + position.boxes.len() == field.squares();
        if none || !self.mark(field, position, ground) {
            self.zones.fill(0);
            self.best = 0;
            return false;
        }
        self.choose(field, position);
        self.found()
    }

    /// Looks for one where the pockets are known: those of a position before, in which the box now on another square was on `from`.
    pub(crate) fn find_among(&mut self, field: &Field, position: &Position, zones: &[Zones], from: Square) {
        self.zones.copy_from_slice(zones);
        self.zones[from as usize] = 0;
        self.choose(field, position);
    }

    /// Was there such a pocket when somebody last looked?
    pub(crate) fn found(&self) -> bool {
        self.best != 0
    }

    /// All pockets, by square.
    pub(crate) fn zones(&self) -> &[Zones] {
        &self.zones
    }

    /// Is the box on this square one of those around the pocket that was found?
    #[inline(always)]
    pub fn is_next(&self, square: Square) -> bool {
        self.zones[square as usize] & self.best != 0
    }

    /// Marks all pockets. Are they few enough?
    fn mark(&mut self, field: &Field, position: &Position, ground: &impl Reaches) -> bool {
        let (near, zones) = (field.near(), &mut self.zones[..]);
        let mut zone: Zones = 1;
        for beside in position.boxes.iter().flat_map(|&at| near[at as usize]) {
            if zones[beside as usize] != 0 || !position.free(beside) || ground.reaches(beside) {
                continue;
            }
            if zone == 0 {
                return false;
            }
            zones[beside as usize] = zone;
            self.todo.push(beside);
            while let Some(at) = self.todo.pop() {
                for to in near[at as usize] {
                    if position.free(to) && zones[to as usize] == 0 {
                        zones[to as usize] = zone;
                        self.todo.push(to);
                    }
                }
            }
            zone <<= 1;
        }
        true
    }

    /// Chooses the pocket with the fewest boxes around it.
    fn choose(&mut self, field: &Field, position: &Position) {
        self.boxes.clear();
        let mut all = 0;
        for &at in &position.boxes {
            let sides = field.near()[at as usize].into_iter().filter(|&beside| position.free(beside));
            let zone = sides.fold(0, |zone, beside| zone | self.zones[beside as usize]);
            self.zones[at as usize] = zone;
            all |= zone;
            if zone != 0 {
                self.boxes.push(at);
            }
        }
        let mut fewest = usize::MAX;
        self.best = 0;
        while all != 0 {
            let pocket = all & all.wrapping_neg();
            all ^= pocket;
            if let Some((zones, boxes)) = self.enclose(field, position, pocket)
                && boxes < fewest
            {
                (self.best, fewest) = (zones, boxes);
            }
        }
    }

    /// Does a pocket do, with those that it needs for company? Gives all of these, and how many boxes are around them.
    fn enclose(&self, field: &Field, position: &Position, pocket: Zones) -> Option<(Zones, usize)> {
        let mut zones = pocket;
        loop {
            match self.company(field, position, zones)? {
                0 => break,
                other if self.together => zones |= other,
                _ => return None,
            }
        }
        let fence = self.fence(zones);
        // With more goals than boxes an open goal may stay open.
        let all = position.boxes.len() == field.board().goals().len();
        let inside = |&goal: &Square| position.free(goal) && self.zones[goal as usize] & zones != 0;
        let open_goal = all && field.board().goals().iter().any(inside);
        let to_do = open_goal || fence.clone().any(|b| !field.board().is_goal(b));
        to_do.then(|| (zones, fence.count()))
    }

    /// The boxes around pockets.
    #[inline]
    fn fence(&self, zones: Zones) -> impl Iterator<Item = Square> + Clone + '_ {
        self.boxes.iter().copied().filter(move |&b| self.zones[b as usize] & zones != 0)
    }

    /// A pocket that these need for company, 0 if they need none; nothing if they can never do. One at a time: with each there are
    /// more boxes that may be in the way, so that others may not be needed.
    fn company(&self, field: &Field, position: &Position, zones: Zones) -> Option<Zones> {
        let mut other_pocket = 0;
        for at in self.fence(zones) {
            let [left, right, up, down] = field.near()[at as usize];
            for [one, other] in [[left, right], [up, down]] {
                if position.walled(one) || position.walled(other) {
                    continue;
                }
                for (from, to) in [(one, other), (other, one)] {
                    if field.alive(to) {
                        let needed = self.needed(position, zones, from, to)?;
                        if needed != 0 {
                            other_pocket = needed;
                        }
                    }
                }
            }
        }
        Some(other_pocket)
    }

    /// The same for one push, by a player on `from` of a box to `to`.
    #[inline]
    fn needed(&self, position: &Position, zones: Zones, from: Square, to: Square) -> Option<Zones> {
        let (behind, ahead) = (self.zones[from as usize], self.zones[to as usize]);
        // From within the pocket: nobody is there before it is opened. Where a box of the fence is in the way, it must be dealt
        // with first.
        if behind & zones != 0 {
            return Some(0);
        }
        let from_ground = position.free(from) && behind == 0;
        if position.boxed(to) && ahead & zones != 0 && (self.together || from_ground) {
            return Some(0);
        }
        if !from_ground {
            return position.free(from).then_some(behind);
        }
        // Past the pockets, or into one.
        let past = position.boxed(to) || ahead == 0;
        (!past).then_some(ahead & !zones)
    }
}
