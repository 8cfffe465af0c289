//! PI-corral pruning (Brian Damgaard, YASS): pushes into a corral that must be dealt with are tried first,
//! and no others.
//!
//! Suppose every push that the player can make on the boxes around a corral goes *into* it, and every push
//! into it that could ever be made can be made *now*. Then these pushes can be brought forward in any plan
//! without an extra push. So only they are generated. The number of pushes is preserved, the number of steps
//! is not.

use crate::board::Square;
use crate::field::Field;
use crate::walk::{Position, Reach};

/// Finds PI-corrals.
#[derive(Clone, Debug)]
pub struct PiCorral {
    /// For each free square, the corral that it lies in; for each box, the corrals that it stands beside.
    /// Empty for squares that the player can reach.
    corrals: Vec<CorralSet>,
    /// The boxes that stand beside corrals.
    boxes: Vec<Square>,
    todo: Vec<Square>,
    /// The corrals of the PI-corral that was chosen.
    best: CorralSet,
    /// May several corrals be combined into one PI-corral?
    combine: bool,
}

/// A set of corrals, one bit each. A position with more corrals than bits has no PI-corral.
pub(crate) type CorralSet = u32;

impl PiCorral {
    /// For one board, without combined PI-corrals.
    pub fn new(field: &Field) -> Self {
        let corrals = vec![0; field.squares() + 1];
        Self { corrals, boxes: Vec::new(), todo: Vec::new(), best: 0, combine: false }
    }

    /// Allows combined PI-corrals: several corrals that fulfil the conditions together.
    #[must_use]
    pub fn combining(mut self) -> Self {
        self.combine = true;
        self
    }

    /// Finds a PI-corral. If there is one, only pushes of boxes for which [`is_next`](Self::is_next) holds
    /// need be tried. `reach` is the reach of the player.
    pub fn find(&mut self, field: &Field, position: &Position, reach: &Reach) -> bool {
        self.corrals.fill(0);
        let none = reach.reached().len() + position.boxes.len() == field.squares();
        if none || !self.mark(field, position, reach) {
            self.corrals.fill(0);
            self.best = 0;
            return false;
        }
        self.choose(field, position);
        self.found()
    }

    /// Finds a PI-corral where the corrals are known. `corrals` are those of the position before a push of a
    /// box from `from`.
    pub(crate) fn find_among(
        &mut self,
        field: &Field,
        position: &Position,
        corrals: &[CorralSet],
        from: Square,
    ) {
        self.corrals.copy_from_slice(corrals);
        self.corrals[from as usize] = 0;
        self.choose(field, position);
    }

    /// Did the last search find a PI-corral?
    pub(crate) fn found(&self) -> bool {
        self.best != 0
    }

    /// The sets of corrals by square.
    pub(crate) fn corrals(&self) -> &[CorralSet] {
        &self.corrals
    }

    /// Is the box on this square beside the PI-corral that was found?
    #[inline(always)]
    pub fn is_next(&self, square: Square) -> bool {
        self.corrals[square as usize] & self.best != 0
    }

    /// Numbers all corrals. Returns `false` if there are too many.
    fn mark(&mut self, field: &Field, position: &Position, reach: &Reach) -> bool {
        let (near, corrals) = (field.near(), &mut self.corrals[..]);
        let mut corral: CorralSet = 1;
        for beside in position.boxes.iter().flat_map(|&at| near[at as usize]) {
            if corrals[beside as usize] != 0 || !position.free(beside) || reach.reaches(beside) {
                continue;
            }
            if corral == 0 {
                return false;
            }
            corrals[beside as usize] = corral;
            self.todo.push(beside);
            while let Some(at) = self.todo.pop() {
                for to in near[at as usize] {
                    if position.free(to) && corrals[to as usize] == 0 {
                        corrals[to as usize] = corral;
                        self.todo.push(to);
                    }
                }
            }
            corral <<= 1;
        }
        true
    }

    /// Chooses the PI-corral with the fewest boxes around it.
    fn choose(&mut self, field: &Field, position: &Position) {
        self.boxes.clear();
        let mut all = 0;
        for &at in &position.boxes {
            let sides = field.near()[at as usize].into_iter().filter(|&beside| position.free(beside));
            let adjacent = sides.fold(0, |adjacent, beside| adjacent | self.corrals[beside as usize]);
            self.corrals[at as usize] = adjacent;
            all |= adjacent;
            if adjacent != 0 {
                self.boxes.push(at);
            }
        }
        let mut fewest = usize::MAX;
        self.best = 0;
        while all != 0 {
            let seed = all & all.wrapping_neg();
            all ^= seed;
            if let Some((corrals, boxes)) = self.complete(field, position, seed)
                && boxes < fewest
            {
                (self.best, fewest) = (corrals, boxes);
            }
        }
    }

    /// Adds corrals to one until they form a PI-corral. Returns them and the number of boxes around them, or
    /// `None` if there is none.
    fn complete(&self, field: &Field, position: &Position, seed: CorralSet) -> Option<(CorralSet, usize)> {
        let mut corrals = seed;
        loop {
            match self.missing_corral(field, position, corrals)? {
                0 => break,
                other if self.combine => corrals |= other,
                _ => return None,
            }
        }
        let boundary = self.boundary(corrals);
        // With more goals than boxes an empty goal may stay empty.
        let all = position.boxes.len() == field.board().goals().len();
        let inside = |&goal: &Square| position.free(goal) && self.corrals[goal as usize] & corrals != 0;
        let open_goal = all && field.board().goals().iter().any(inside);
        let to_do = open_goal || boundary.clone().any(|b| !field.board().is_goal(b));
        to_do.then(|| (corrals, boundary.count()))
    }

    /// The boxes around a set of corrals.
    #[inline]
    fn boundary(&self, corrals: CorralSet) -> impl Iterator<Item = Square> + Clone + '_ {
        self.boxes.iter().copied().filter(move |&b| self.corrals[b as usize] & corrals != 0)
    }

    /// A corral that must be added to these, 0 if none, `None` if they can never form a PI-corral. Corrals
    /// are added one at a time: each adds boxes, which may make others unnecessary.
    fn missing_corral(&self, field: &Field, position: &Position, corrals: CorralSet) -> Option<CorralSet> {
        let mut missing = 0;
        for at in self.boundary(corrals) {
            let [left, right, up, down] = field.near()[at as usize];
            for [one, other] in [[left, right], [up, down]] {
                if position.walled(one) || position.walled(other) {
                    continue;
                }
                for (from, to) in [(one, other), (other, one)] {
                    if field.alive(to) {
                        let needed = self.corral_needed(position, corrals, from, to)?;
                        if needed != 0 {
                            missing = needed;
                        }
                    }
                }
            }
        }
        Some(missing)
    }

    /// The same for one push of a box to `to`, by a player on `from`.
    #[inline]
    fn corral_needed(
        &self,
        position: &Position,
        corrals: CorralSet,
        from: Square,
        to: Square,
    ) -> Option<CorralSet> {
        let (behind, ahead) = (self.corrals[from as usize], self.corrals[to as usize]);
        // A push from inside is impossible before the corral is opened. A box of the boundary in the way must
        // be dealt with first.
        if behind & corrals != 0 {
            return Some(0);
        }
        let from_reach = position.free(from) && behind == 0;
        if position.boxed(to) && ahead & corrals != 0 && (self.combine || from_reach) {
            return Some(0);
        }
        if !from_reach {
            return position.free(from).then_some(behind);
        }
        // A push past the corrals fails, a push into a corral adds it.
        let past = position.boxed(to) || ahead == 0;
        (!past).then_some(ahead & !corrals)
    }
}
