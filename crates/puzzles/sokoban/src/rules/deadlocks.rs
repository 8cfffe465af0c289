//! The deadlock rules of the satisficing solver, in three levels of effort: quick, thorough, and by search.
//!
//! Besides the rules that all solvers share, boxes that are frozen on goals count as walls. The other boxes
//! must still have goals of their own that they can reach (`walled-off`).

use std::collections::HashMap;

use foldhash::fast::FixedState;

use beeline_search::{Limit, Meter};

use super::corral::{Corral, SearchLimit};
use super::diagonals;
use super::freeze::{frozen, stuck};
use super::pairs::Pairs;
use crate::board::Square;
use crate::field::{FAR, Field};
use crate::macro_moves::{MacroMoves, MoveKind};
use crate::walk::Position;

/// Positions searched for a corral, at most, however often it comes up.
const MOST_CORRAL_POSITIONS: usize = 1000;
/// Bytes of cached reachable goals, by set of frozen boxes.
const MOST_CACHE_BYTES: usize = 1 << 24;

/// A set of goals by index. Boards with more goals do without the rules that use it.
pub(crate) type Goals = u128;

/// The deadlock rules of the satisficing solver, with their tables.
pub(crate) struct Deadlocks {
    pairs: Option<Pairs>,
    corral: Corral,
    /// For a set of frozen boxes: the goals that a lone box on each square can reach.
    reachable_goals: HashMap<Box<[Square]>, Box<[Goals]>, FixedState>,
    macro_moves: MacroMoves,
    empty_position: Position,
    /// Macro moves generated since the last charge to the meter.
    pub(crate) macro_moves_generated: u64,
}

impl Deadlocks {
    /// For one board.
    pub(crate) fn new(field: &Field) -> Self {
        Self {
            pairs: None,
            corral: Corral::new(field),
            reachable_goals: HashMap::default(),
            macro_moves: MacroMoves::new(field),
            empty_position: Position::new(field),
            macro_moves_generated: 0,
        }
    }

    /// Computes the table of deadlocked pairs. The portfolio does so after its first round, when a level has
    /// proved not to be easy.
    pub(crate) fn make_pair_table(&mut self, field: &Field, meter: &mut Meter) -> Result<(), Limit> {
        if self.pairs.is_none() {
            let booked = meter.ledger.used();
            self.pairs = Pairs::new(field, meter)?;
            // The table stays claimed through [`bytes`](Self::bytes).
            meter.ledger.rewind(booked);
        }
        Ok(())
    }

    /// Approximate bytes used.
    pub(crate) fn bytes(&self, field: &Field) -> usize {
        let table = if self.pairs.is_some() { field.squares().pow(2) } else { 0 };
        table + self.reachable_goals.len() * size_of::<Goals>() * field.squares() + self.corral.bytes()
    }

    /// Freeze, pairs and learnt patterns, for the box on `square` that was moved last.
    #[inline]
    pub(crate) fn quick(
        &mut self,
        field: &Field,
        position: &mut Position,
        square: Square,
        player: Square,
    ) -> Option<&'static str> {
        if frozen(field, position, square) {
            return Some("freeze");
        }
        if self.pairs.as_ref().is_some_and(|p| p.any_lost(square, &position.boxes)) {
            return Some("pairs");
        }
        if self.corral.learnt().match_at(position, square, player) {
            return Some("learnt");
        }
        None
    }

    /// Walled-off goals, closed diagonals and corrals. These rules cost more, so they are applied when a
    /// position is visited. `corral_positions` is the limit of a corral search for each time that the corral
    /// comes up.
    pub(crate) fn thorough(
        &mut self,
        field: &Field,
        position: &mut Position,
        square: Square,
        corral_positions: u64,
    ) -> Option<&'static str> {
        self.corral.limit = SearchLimit { each: corral_positions as usize, most: MOST_CORRAL_POSITIONS };
        if self.walled_off(field, position) {
            return Some("walled-off");
        }
        if diagonals::closed(field, position, square, &mut self.corral) {
            return Some("diagonals");
        }
        if self.corral.lost(field, position, square) {
            return Some("corral");
        }
        None
    }

    /// Does the position contain a learnt pattern?
    pub(crate) fn by_learnt_patterns(&self, position: &Position) -> bool {
        self.corral.learnt().any_match(position)
    }

    /// Searches at most `limit` successors of the position. Are all of them deadlocks?
    pub(crate) fn by_search(&mut self, field: &Field, position: &Position, limit: usize) -> bool {
        self.corral.is_position_lost(field, position, limit)
    }

    /// With boxes that are frozen on goals as walls, is there no assignment of the others to goals that they
    /// can reach?
    pub(crate) fn walled_off(&mut self, field: &Field, position: &mut Position) -> bool {
        let goals = field.board().goals();
        if goals.len() > Goals::BITS as usize {
            return false;
        }
        let mut fixed: Vec<Square> = Vec::new();
        for i in 0..position.boxes.len() {
            let at = position.boxes[i];
            if field.board().is_goal(at) && stuck(field, position, at, &mut 200) {
                fixed.push(at);
            }
        }
        fixed.sort_unstable();
        self.unmatched(field, position, &fixed) > 0
    }

    /// Boxes without an assignable goal while all boxes on goals stay. Returns 0 unless all of these count as
    /// packed.
    pub(crate) fn out_of_plan(&mut self, field: &Field, position: &Position, packed: u16) -> u16 {
        let on_goal = |b: &&Square| field.board().is_goal(**b);
        let mut fixed: Vec<Square> = position.boxes.iter().filter(on_goal).copied().collect();
        if fixed.len() != usize::from(packed) || field.board().goals().len() > Goals::BITS as usize {
            return 0;
        }
        fixed.sort_unstable();
        self.unmatched(field, position, &fixed) as u16
    }

    /// Boxes left without a goal of their own when the boxes in `fixed` are walls.
    fn unmatched(&mut self, field: &Field, position: &Position, fixed: &[Square]) -> usize {
        if self.reachable_goals.len() * size_of::<Goals>() * field.squares() >= MOST_CACHE_BYTES {
            self.reachable_goals.clear();
        }
        if !self.reachable_goals.contains_key(fixed) {
            let reach = self.reach(field, fixed);
            self.reachable_goals.insert(fixed.into(), reach);
        }
        let Some(reach) = self.reachable_goals.get(fixed) else { return 0 };
        let loose = position.boxes.iter().filter(|b| fixed.binary_search(b).is_err());
        let mut rows: Vec<Goals> = Vec::with_capacity(position.boxes.len());
        rows.extend(loose.map(|&b| reach[b as usize]));
        rows.len() - matched_rows(&rows)
    }

    /// The goals that a lone box on each square can reach when these squares are walls.
    fn reach(&mut self, field: &Field, fixed: &[Square]) -> Box<[Goals]> {
        let mut reach: Vec<Goals> = vec![0; field.squares()];
        for &at in fixed {
            self.empty_position.wall_up(at);
        }
        self.macro_moves.survey(field, &self.empty_position);
        for (i, &goal) in field.board().goals().iter().enumerate() {
            if !self.empty_position.free(goal) {
                continue;
            }
            self.macro_moves_generated += 1;
            self.macro_moves.generate_for_new_box(MoveKind::Pull, field, &self.empty_position, goal);
            for place in &self.macro_moves.places {
                reach[place.to as usize] |= 1 << i;
            }
        }
        for &at in fixed {
            self.empty_position.open(at);
        }
        reach.into_boxed_slice()
    }
}

/// Backward dead end: can the boxes of this position not all have come from boxes of the start?
pub(crate) fn unreachable(field: &Field, position: &Position) -> bool {
    let starts = field.board().boxes().len();
    if starts > Goals::BITS as usize {
        return false;
    }
    let row = |&b: &Square| {
        let row = field.box_row(field.box_state(b, position.player)).iter().enumerate();
        row.fold(0, |set, (i, &far)| set | Goals::from(far != FAR) << i)
    };
    let rows: Vec<Goals> = position.boxes.iter().map(row).collect();
    matched_rows(&rows) < rows.len()
}

/// The size of a maximum matching.
pub(crate) fn matched_rows(rows: &[Goals]) -> usize {
    rows.len() - BipartiteMatching::of_rows(rows).unmatched_rows.len()
}

/// A maximum bipartite matching of rows to columns, by augmenting paths (Kuhn 1955).
#[derive(Clone, Debug)]
pub(crate) struct BipartiteMatching {
    /// The row matched to each matched column.
    owner: [u32; Goals::BITS as usize],
    matched: Goals,
    /// The rows left unmatched.
    pub(crate) unmatched_rows: Vec<u32>,
}

impl BipartiteMatching {
    pub(crate) fn of_rows(rows: &[Goals]) -> Self {
        let mut columns = Self { owner: [0; Goals::BITS as usize], matched: 0, unmatched_rows: Vec::new() };
        for row in 0..rows.len() {
            if !columns.augment(rows, row, &mut 0) {
                columns.unmatched_rows.push(row as u32);
            }
        }
        columns
    }

    /// The maximum matching without one row. Its column may go to an unmatched row.
    pub(crate) fn without(&self, rows: &[Goals], row: usize) -> Self {
        let mut columns = self.clone();
        if let Some(i) = columns.unmatched_rows.iter().position(|&other| other as usize == row) {
            columns.unmatched_rows.remove(i);
            return columns;
        }
        let is_own = |c: &u32| self.matched >> c & 1 == 1 && self.owner[*c as usize] as usize == row;
        columns.matched &= (0..Goals::BITS).find(is_own).map_or(Goals::MAX, |own| !(1 << own));
        if let Some(i) =
            self.unmatched_rows.iter().position(|&other| columns.augment(rows, other as usize, &mut 0))
        {
            columns.unmatched_rows.remove(i);
        }
        columns
    }

    /// The columns of which one more row would need one to be matched: unmatched columns, and those whose row
    /// could move to such a column.
    pub(crate) fn columns_for_one_more(&self, rows: &[Goals]) -> Goals {
        let mut open = !self.matched;
        loop {
            let mut matched = self.matched & !open;
            let before = open;
            while matched != 0 {
                let column = matched.trailing_zeros() as usize;
                matched &= matched - 1;
                if rows[self.owner[column] as usize] & open != 0 {
                    open |= 1 << column;
                }
            }
            if open == before {
                return open;
            }
        }
    }

    /// Finds an augmenting path for a row.
    fn augment(&mut self, rows: &[Goals], row: usize, seen: &mut Goals) -> bool {
        let free = rows[row] & !self.matched;
        if free != 0 {
            self.matched |= free & free.wrapping_neg();
            self.owner[free.trailing_zeros() as usize] = row as u32;
            return true;
        }
        loop {
            let open = rows[row] & !*seen;
            if open == 0 {
                return false;
            }
            let column = open.trailing_zeros() as usize;
            *seen |= 1 << column;
            if self.augment(rows, self.owner[column] as usize, seen) {
                self.owner[column] = row as u32;
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use beeline_search::Random;

    use super::*;

    #[test]
    fn rows_find_columns_of_their_own() {
        assert_eq!(matched_rows(&[0b11, 0b01, 0b100]), 3);
        assert_eq!(matched_rows(&[0b11, 0b01, 0b10]), 2);
        assert_eq!(matched_rows(&[]), 0);
        assert_eq!(matched_rows(&[0]), 0);
    }

    #[test]
    fn one_row_more_or_less() {
        let mut random = Random::new(7);
        for _ in 0..2000 {
            let mut rows: Vec<Goals> =
                (0..6).map(|_| Goals::from((random.bits() & random.bits()) >> 20 & 0x7F)).collect();
            let all = BipartiteMatching::of_rows(&rows);
            let more = rows.pop().expect("a row");
            let columns = BipartiteMatching::of_rows(&rows);
            assert_eq!(columns.unmatched_rows.len(), rows.len() - matched_rows(&rows));
            let open = columns.columns_for_one_more(&rows);
            let lost = usize::from(more & open == 0);
            assert_eq!(all.unmatched_rows.len(), columns.unmatched_rows.len() + lost, "{rows:?}");
            for row in 0..rows.len() {
                let less = columns.without(&rows, row);
                let mut others = rows.clone();
                others.remove(row);
                let anew = BipartiteMatching::of_rows(&others);
                assert_eq!(less.unmatched_rows.len(), anew.unmatched_rows.len(), "{rows:?} without {row}");
                assert_eq!(
                    less.columns_for_one_more(&rows),
                    anew.columns_for_one_more(&others),
                    "{rows:?} without {row}"
                );
            }
        }
    }
}
