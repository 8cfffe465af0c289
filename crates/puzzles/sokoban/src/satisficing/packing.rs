//! Packing without a packing order: how many goals of a position are filled in a possible order.
//!
//! Backwards: all goals are full, and a box leaves by being pulled to where some box starts. Removing a box
//! never blocks another, so boxes can be unpacked in any order. A set of full goals is *consistent* if all
//! other boxes can leave around it: then some order fills it first. Boxes that must leave for the others to
//! leave are in the way, and do not count as packed.
//!
//! On some levels a box must first be pulled aside and parked. For these there is a [`PackingOrder`].

use std::collections::HashMap;

use beeline_search::{Limit, Meter};
use foldhash::fast::FixedState;

use super::packing_order::{OrderFinder, PackingOrder};
use crate::board::Square;
use crate::field::Field;
use crate::macro_moves::{MacroMoves, MoveKind};
use crate::walk::Position;

/// Sets of full goals whose value is cached.
const MOST_CACHED: usize = 1 << 16;

/// Knowledge about the order in which the goals of a board can be filled.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    /// The goals.
    wanted: Vec<Square>,
    /// Squares where boxes leave: those of boxes at the start, goals left out.
    exits: Vec<bool>,
    /// Boxes that can never leave by unpacking alone; `None` before [`prepare`](Self::prepare).
    stuck_goals: Option<usize>,
    /// For each goal, the layer of unpacking in which its box leaves.
    depth: Vec<u16>,
    /// Squares whose boxes change the value.
    relevant: Vec<bool>,
    /// A packing order, where boxes must be parked.
    order: Option<PackingOrder>,
    pub(crate) finder: OrderFinder,
    cache: HashMap<Box<[Square]>, u16, FixedState>,
    macro_moves: MacroMoves,
    position: Position,
    /// Macro moves generated since the last charge to the meter.
    pub(crate) macro_moves_generated: u64,
}

impl Packing {
    /// For one board, and a long search for a packing order that visits this many squares.
    pub(crate) fn new(field: &Field, long_search: usize) -> Self {
        let (wanted, from) = (field.board().goals(), field.board().boxes());
        let mut exits = vec![false; field.squares() + 1];
        for &at in from.iter().filter(|at| wanted.binary_search(at).is_err()) {
            exits[at as usize] = true;
        }
        let relevant = (0..field.squares() as Square).map(|s| wanted.binary_search(&s).is_ok()).collect();
        Self {
            wanted: wanted.to_vec(),
            exits,
            stuck_goals: None,
            depth: vec![0; field.squares() + 1],
            relevant,
            order: None,
            finder: OrderFinder::new(long_search),
            cache: HashMap::default(),
            macro_moves: MacroMoves::new(field),
            position: Position::new(field),
            macro_moves_generated: 0,
        }
    }

    /// Determines once whether the board can be unpacked; if not, finds a packing order with parking.
    pub(crate) fn prepare(&mut self, field: &Field, meter: &mut Meter) -> Result<(), Limit> {
        if self.stuck_goals.is_none() {
            let (_, stuck_goals) = self.unpack(field, &[]);
            self.stuck_goals = Some(stuck_goals);
            if stuck_goals > 0 {
                self.order = self.finder.find_hard(field, meter)?.map(|(_, order)| order);
            } else {
                self.measure_depth(field);
            }
        }
        Ok(())
    }

    /// The depth of a goal; 0 for all other squares.
    #[inline(always)]
    pub(crate) fn depth(&self, square: Square) -> u16 {
        self.depth[square as usize]
    }

    /// Unpacks in layers.
    fn measure_depth(&mut self, field: &Field) {
        let position = &mut self.position;
        position.set_boxes(self.wanted.iter().copied());
        for layer in 1.. {
            let (macro_moves, exits) = (&mut self.macro_moves, self.exits.as_slice());
            macro_moves.survey(field, position);
            let free: Vec<usize> = (0..position.boxes.len())
                .filter(|&i| leave(macro_moves, field, position, i, None, exits).is_some())
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

    /// Approximate bytes used.
    pub(crate) fn bytes(&self) -> usize {
        let plans = self.order.as_ref().map_or(0, PackingOrder::bytes) + self.finder.bytes();
        self.cache.len() * (32 + 2 * self.wanted.len()) + plans
    }

    /// Does a box that arrives at or leaves this square change the value?
    #[inline(always)]
    pub(crate) fn is_relevant(&self, square: Square) -> bool {
        self.relevant[square as usize] || self.order.as_ref().is_some_and(|order| order.is_relevant(square))
    }

    /// The number of boxes packed in a position.
    pub(crate) fn value(&mut self, field: &Field, position: &Position) -> u16 {
        if let Some(order) = &self.order {
            return order.steps_done(position);
        }
        let filled: Vec<Square> = self.wanted.iter().copied().filter(|&g| position.boxed(g)).collect();
        if let Some(&value) = self.cache.get(filled.as_slice()) {
            return value;
        }
        let (kept, held) = self.unpack(field, &filled);
        let value = kept.saturating_sub(held.saturating_sub(self.stuck_goals.unwrap_or(0))) as u16;
        if self.cache.len() >= MOST_CACHED {
            self.cache.clear();
        }
        self.cache.insert(filled.into_boxed_slice(), value);
        value
    }

    /// Unpacks all boxes but those on `keep`, and those too where nothing else can leave. Returns how many
    /// boxes on `keep` stayed and how many others did.
    fn unpack(&mut self, field: &Field, keep: &[Square]) -> (usize, usize) {
        self.position.set_boxes(self.wanted.iter().copied());
        let mut kept = keep.len();
        let mut player = None;
        while self.position.boxes.len() > kept {
            self.macro_moves.survey(field, &self.position);
            if player.is_some() && self.unpack_layer(field, keep, player) {
                continue;
            }
            // First as if the player were on any side, then the boxes that should be kept.
            let others = [(false, None), (true, player), (true, None)];
            let gone = others.into_iter().find_map(|(among_kept, player)| {
                let mut boxes = 0..self.position.boxes.len();
                boxes.find_map(|i| {
                    self.try_unpack(field, keep, among_kept, i, player).map(|after| (among_kept, i, after))
                })
            });
            let Some((among_kept, i, after)) = gone else { break };
            self.position.remove(i);
            kept -= usize::from(among_kept);
            player = Some(after);
        }
        (kept, self.position.boxes.len() - kept)
    }

    /// Unpacks all boxes off `keep` that can leave now; returns `false` if there are none. The player can
    /// walk back from where a box has left, so none blocks another.
    fn unpack_layer(&mut self, field: &Field, keep: &[Square], player: Option<Square>) -> bool {
        let boxes = 0..self.position.boxes.len();
        let gone: Vec<usize> =
            boxes.filter(|&i| self.try_unpack(field, keep, false, i, player).is_some()).collect();
        for &i in gone.iter().rev() {
            self.position.remove(i);
        }
        !gone.is_empty()
    }

    /// Can the i-th box leave, if it is on `keep` or off it as `among_kept` says? Returns the player's square
    /// afterwards.
    fn try_unpack(
        &mut self,
        field: &Field,
        keep: &[Square],
        among_kept: bool,
        i: usize,
        player: Option<Square>,
    ) -> Option<Square> {
        let Self { macro_moves, position, exits, .. } = self;
        let included = keep.binary_search(&position.boxes[i]).is_ok() == among_kept;
        self.macro_moves_generated += u64::from(included);
        if included { leave(macro_moves, field, position, i, player, exits) } else { None }
    }
}

/// Can the i-th box of the surveyed position leave? Returns the player's square afterwards.
fn leave(
    macro_moves: &mut MacroMoves,
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
    let place =
        macro_moves.generate_until(MoveKind::Pull, field, position, i, player, |to| exits[to as usize])?;
    Some(place.player(field, MoveKind::Pull))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::make::make;

    /// Removing layers of boxes leaves the same boxes behind as removing one box after the other.
    #[test]
    fn layers_leave_what_one_after_the_other_leaves() {
        let mut compared = 0;
        for seed in 0..200 {
            let Some(board) = make(8, 8, 3 + seed as usize % 3, seed) else { continue };
            let field = Field::new(&board);
            let mut packing = Packing::new(&field, 0);
            for player in 0..field.squares() as Square {
                packing.position.set_boxes(packing.wanted.iter().copied());
                if !packing.position.free(player) {
                    continue;
                }
                packing.macro_moves.survey(&field, &packing.position);
                while packing.unpack_layer(&field, &[], Some(player)) {
                    packing.macro_moves.survey(&field, &packing.position);
                }
                let mut left = packing.position.boxes.clone();
                packing.position.set_boxes(packing.wanted.iter().copied());
                let mut at = player;
                loop {
                    packing.macro_moves.survey(&field, &packing.position);
                    let last_first = (0..packing.position.boxes.len()).rev();
                    let mut gone = last_first
                        .filter_map(|i| packing.try_unpack(&field, &[], false, i, Some(at)).map(|p| (i, p)));
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
