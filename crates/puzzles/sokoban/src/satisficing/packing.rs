//! In which order the goals can be filled: how far a position has got with it.
//!
//! Looked at from behind: all goals are full, and a box leaves by being pulled to where some box starts. Taking a box away
//! never hinders another, so the boxes can be peeled off in any order. A set of full goals is *consistent* if all other boxes
//! can be peeled off around it: then there is an order in which it came to be first. Boxes that have to be peeled off for it
//! are in the way, and do not count as packed.
//!
//! Some levels cannot be peeled: a box must first be pulled aside and wait. For these there is a [`PackingOrder`].

use std::collections::HashMap;

use beeline_search::{Limit, Meter};
use foldhash::fast::FixedState;

use super::packing_order::{OrderFinder, PackingOrder};
use super::tuning::Tuning;
use crate::board::Square;
use crate::field::Field;
use crate::macro_moves::{MacroMoves, Way};
use crate::walk::Position;

/// How many sets of filled squares are remembered.
const MEMORY: usize = 1 << 16;

/// What is known about the order of the goals of a board.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    /// The squares to be filled.
    wanted: Vec<Square>,
    /// Where boxes leave.
    exits: Vec<bool>,
    /// Goals that peeling never gets at.
    core: Option<usize>,
    /// For each square to be filled, how many layers of boxes have to leave before its own can.
    depth: Vec<u16>,
    /// Squares whose boxes matter.
    matters: Vec<bool>,
    /// Where boxes have to wait.
    plan: Option<PackingOrder>,
    pub(crate) finder: OrderFinder,
    known: HashMap<Box<[Square]>, u16, FixedState>,
    carry: MacroMoves,
    position: Position,
    /// Macro moves generated since the last charge to the meter.
    pub(crate) carried: u64,
}

impl Packing {
    /// For one board.
    pub(crate) fn new(field: &Field, tuning: Tuning) -> Self {
        let (wanted, from) = (field.board().goals(), field.board().boxes());
        let mut exits = vec![false; field.squares() + 1];
        for &at in from.iter().filter(|at| wanted.binary_search(at).is_err()) {
            exits[at as usize] = true;
        }
        let matters = (0..field.squares() as Square).map(|s| wanted.binary_search(&s).is_ok()).collect();
        Self {
            wanted: wanted.to_vec(),
            exits,
            core: None,
            depth: vec![0; field.squares() + 1],
            matters,
            plan: None,
            finder: OrderFinder::new(tuning),
            known: HashMap::default(),
            carry: MacroMoves::new(field),
            position: Position::new(field),
            carried: 0,
        }
    }

    /// Finds out, once, whether the board can be peeled, and looks for a plan if not.
    pub(crate) fn study(&mut self, field: &Field, meter: &mut Meter) -> Result<(), Limit> {
        if self.core.is_none() {
            let (_, core) = self.peel(field, &[]);
            self.core = Some(core);
            if core > 0 {
                self.plan = self.finder.with_waits(field, meter)?;
            } else {
                self.measure_depth(field);
            }
        }
        Ok(())
    }

    /// How deep a square to be filled lies; 0 for all others.
    #[inline(always)]
    pub(crate) fn depth(&self, square: Square) -> u16 {
        self.depth[square as usize]
    }

    /// Peels the boxes off in layers.
    fn measure_depth(&mut self, field: &Field) {
        let position = &mut self.position;
        position.lay(self.wanted.iter().copied());
        for layer in 1.. {
            let (carry, exits) = (&mut self.carry, self.exits.as_slice());
            carry.survey(field, position);
            let free: Vec<usize> = (0..position.boxes.len())
                .filter(|&i| leave(carry, field, position, i, None, exits).is_some())
                .collect();
            if free.is_empty() {
                break;
            }
            for &i in free.iter().rev() {
                self.depth[position.boxes[i] as usize] = layer;
                position.remove(i);
            }
        }
    }

    /// About how many bytes are used.
    pub(crate) fn bytes(&self) -> usize {
        let plans = self.plan.as_ref().map_or(0, PackingOrder::bytes) + self.finder.bytes();
        self.known.len() * (32 + 2 * self.wanted.len()) + plans
    }

    /// Does a box that comes or goes here change anything?
    #[inline(always)]
    pub(crate) fn matters(&self, square: Square) -> bool {
        self.matters[square as usize] || self.plan.as_ref().is_some_and(|plan| plan.matters(square))
    }

    /// How far a position has got.
    pub(crate) fn value(&mut self, field: &Field, position: &Position) -> u16 {
        if let Some(plan) = &self.plan {
            return plan.done(position);
        }
        let filled: Vec<Square> = self.wanted.iter().copied().filter(|&g| position.boxed(g)).collect();
        if let Some(&value) = self.known.get(filled.as_slice()) {
            return value;
        }
        let (kept, held) = self.peel(field, &filled);
        let value = kept.saturating_sub(held.saturating_sub(self.core.unwrap_or(0))) as u16;
        if self.known.len() >= MEMORY {
            self.known.clear();
        }
        self.known.insert(filled.into_boxed_slice(), value);
        value
    }

    /// Peels all boxes off but those on `keep`, and those too where nothing else helps. Gives how many of `keep` stayed and
    /// how many others did.
    fn peel(&mut self, field: &Field, keep: &[Square]) -> (usize, usize) {
        self.position.lay(self.wanted.iter().copied());
        let mut kept = keep.len();
        let mut player = None;
        while self.position.boxes.len() > kept {
            self.carry.survey(field, &self.position);
            if player.is_some() && self.peel_layer(field, keep, player) {
                continue;
            }
            // Then as if the player were on any side, and then what is kept itself.
            let others = [(false, None), (true, player), (true, None)];
            let gone = others.into_iter().find_map(|(own, player)| {
                let mut boxes = 0..self.position.boxes.len();
                boxes.find_map(|i| self.peeled(field, keep, own, i, player).map(|after| (own, i, after)))
            });
            let Some((own, i, after)) = gone else { break };
            self.position.remove(i);
            kept -= usize::from(own);
            player = Some(after);
        }
        (kept, self.position.boxes.len() - kept)
    }

    /// Peels all boxes off that are not kept and can leave as things are, if there are any. The player can walk back from where one
    /// has left, so that none hinders another.
    fn peel_layer(&mut self, field: &Field, keep: &[Square], player: Option<Square>) -> bool {
        let boxes = 0..self.position.boxes.len();
        let gone: Vec<usize> =
            boxes.filter(|&i| self.peeled(field, keep, false, i, player).is_some()).collect();
        for &i in gone.iter().rev() {
            self.position.remove(i);
        }
        !gone.is_empty()
    }

    /// Can the i-th box leave, if it is one of those that are kept, or of the others? Gives where the player is then.
    fn peeled(
        &mut self,
        field: &Field,
        keep: &[Square],
        own: bool,
        i: usize,
        player: Option<Square>,
    ) -> Option<Square> {
        let Self { carry, position, exits, .. } = self;
        let asked = keep.binary_search(&position.boxes[i]).is_ok() == own;
        self.carried += u64::from(asked);
        if asked { leave(carry, field, position, i, player, exits) } else { None }
    }
}

/// Can the i-th box of a position that was surveyed leave? Gives the player's square afterwards.
fn leave(
    carry: &mut MacroMoves,
    field: &Field,
    position: &mut Position,
    i: usize,
    player: Option<Square>,
    exits: &[bool],
) -> Option<Square> {
    let at = position.boxes[i];
    let near = field.near();
    let can_move = (0..4).any(|d| {
        let beside = near[at as usize][d];
        position.free(beside) && position.free(near[beside as usize][d])
    });
    if !can_move {
        return None;
    }
    let place = carry.carry_until(Way::Pulling, field, position, i, player, |to| exits[to as usize])?;
    Some(place.player(field, Way::Pulling))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::make::make;

    /// All boxes that can leave at once leave no others behind than one box after the other does.
    #[test]
    fn layers_leave_what_one_after_the_other_leaves() {
        let mut compared = 0;
        for seed in 0..200 {
            let Some(board) = make(8, 8, 3 + seed as usize % 3, seed) else { continue };
            let field = Field::new(&board);
            let mut packing = Packing::new(&field, Tuning::default());
            for player in 0..field.squares() as Square {
                packing.position.lay(packing.wanted.iter().copied());
                if !packing.position.free(player) {
                    continue;
                }
                packing.carry.survey(&field, &packing.position);
                while packing.peel_layer(&field, &[], Some(player)) {
                    packing.carry.survey(&field, &packing.position);
                }
                let mut left = packing.position.boxes.clone();
                packing.position.lay(packing.wanted.iter().copied());
                let mut at = player;
                loop {
                    packing.carry.survey(&field, &packing.position);
                    let last_first = (0..packing.position.boxes.len()).rev();
                    let mut gone = last_first
                        .filter_map(|i| packing.peeled(&field, &[], false, i, Some(at)).map(|p| (i, p)));
                    let Some((i, after)) = gone.next() else { break };
                    drop(gone);
                    packing.position.remove(i);
                    at = after;
                }
                compared += packing.wanted.len() - left.len();
                left.sort_unstable();
                packing.position.boxes.sort_unstable();
                assert_eq!(left, packing.position.boxes, "{player}\n{}", crate::text::draw(&board));
            }
        }
        assert!(compared > 1000, "{compared} boxes left");
    }
}
