//! The deadlock rules that the satisficing solver applies after a macro move: quick, thorough, and by search.
//!
//! Besides the rules that all solvers share, boxes that are frozen on goals count as walls: the other boxes must still have goals of
//! their own, and ways to them (`walled-off`).

use std::collections::HashMap;

use foldhash::fast::FixedState;

use beeline_search::{Limit, Meter};

use super::corral::{Corral, SearchLimit};
use super::diagonals;
use super::freeze::{frozen, stuck};
use super::pairs::Pairs;
use crate::board::Square;
use crate::field::{FAR, Field};
use crate::macro_moves::{MacroMoves, Way};
use crate::walk::Position;

/// Positions searched for a corral, at most, however often it comes up.
const MOST_CORRAL_POSITIONS: usize = 1000;
/// Bytes for goals that stay reachable, by set of frozen boxes.
const MEMORY: usize = 1 << 24;

/// A set of goals by number; boards with more goals do without.
pub(crate) type Goals = u128;

/// The deadlock rules of the satisficing solver, with their tables.
pub(crate) struct Deadlocks {
    pairs: Option<Pairs>,
    corral: Corral,
    /// For a set of frozen boxes: the goals that a box on each square can still get to.
    walls: HashMap<Box<[Square]>, Box<[Goals]>, FixedState>,
    carry: MacroMoves,
    bare: Position,
    /// Macro moves generated since the last charge to the meter.
    pub(crate) carried: u64,
}

impl Deadlocks {
    /// For one board.
    pub(crate) fn new(field: &Field) -> Self {
        Self {
            pairs: None,
            corral: Corral::new(field),
            walls: HashMap::default(),
            carry: MacroMoves::new(field),
            bare: Position::new(field),
            carried: 0,
        }
    }

    /// Works the table of lost pairs out: it pays once a level has shown that it is not easy.
    pub(crate) fn study(&mut self, field: &Field, meter: &mut Meter) -> Result<(), Limit> {
        if self.pairs.is_none() {
            let booked = meter.ledger.used();
            self.pairs = Pairs::new(field, meter)?;
            // What stays is booked by those who ask for `bytes`.
            meter.ledger.rewind(booked);
        }
        Ok(())
    }

    /// About how many bytes are used.
    pub(crate) fn bytes(&self, field: &Field) -> usize {
        let table = if self.pairs.is_some() { field.squares().pow(2) } else { 0 };
        table + self.walls.len() * size_of::<Goals>() * field.squares() + self.corral.bytes()
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
        if self.corral.learnt().lost(position, square, player) {
            return Some("learnt");
        }
        None
    }

    /// Walled-off goals, closed diagonals and corrals, which are searched for so many positions each time that they come up. They cost
    /// more, so they wait until a position is visited.
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

    /// Is the position lost by what has been learnt since it was met?
    pub(crate) fn by_learnt_patterns(&self, position: &Position) -> bool {
        self.corral.learnt().anywhere(position)
    }

    /// Searches at most `limit` positions that can follow. Are all of them deadlocks?
    pub(crate) fn by_search(&mut self, field: &Field, position: &Position, limit: usize) -> bool {
        self.corral.whole_lost(field, position, limit)
    }

    /// With boxes that are frozen on goals as walls: can the others not all have goals?
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

    /// How many boxes have no goal to go to while all boxes on goals stay; asked only where `packed` counts all of these.
    pub(crate) fn out_of_plan(&mut self, field: &Field, position: &Position, packed: u16) -> u16 {
        let on_goal = |b: &&Square| field.board().is_goal(**b);
        let mut fixed: Vec<Square> = position.boxes.iter().filter(on_goal).copied().collect();
        if fixed.len() != usize::from(packed) || field.board().goals().len() > Goals::BITS as usize {
            return 0;
        }
        fixed.sort_unstable();
        self.unmatched(field, position, &fixed) as u16
    }

    /// How many of the other boxes cannot have goals of their own when the boxes on these squares are walls.
    fn unmatched(&mut self, field: &Field, position: &Position, fixed: &[Square]) -> usize {
        if self.walls.len() * size_of::<Goals>() * field.squares() >= MEMORY {
            self.walls.clear();
        }
        if !self.walls.contains_key(fixed) {
            let reach = self.reach(field, fixed);
            self.walls.insert(fixed.into(), reach);
        }
        let Some(reach) = self.walls.get(fixed) else { return 0 };
        let loose = position.boxes.iter().filter(|b| fixed.binary_search(b).is_err());
        let mut rows: Vec<Goals> = Vec::with_capacity(position.boxes.len());
        rows.extend(loose.map(|&b| reach[b as usize]));
        rows.len() - matched_rows(&rows)
    }

    /// The goals that a lone box on each square can get to when these squares are walls.
    fn reach(&mut self, field: &Field, fixed: &[Square]) -> Box<[Goals]> {
        let mut reach: Vec<Goals> = vec![0; field.squares()];
        for &at in fixed {
            self.bare.wall_up(at);
        }
        self.carry.survey(field, &self.bare);
        for (i, &goal) in field.board().goals().iter().enumerate() {
            if !self.bare.free(goal) {
                continue;
            }
            self.carried += 1;
            self.carry.carry_new(Way::Pulling, field, &self.bare, goal);
            for place in &self.carry.places {
                reach[place.to as usize] |= 1 << i;
            }
        }
        for &at in fixed {
            self.bare.open(at);
        }
        reach.into_boxed_slice()
    }
}

/// For a position met backwards: can its boxes not all have come from boxes of the start?
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

/// How many rows can have columns of their own.
pub(crate) fn matched_rows(rows: &[Goals]) -> usize {
    rows.len() - Columns::given(rows).left_over.len()
}

/// Columns given to as many rows as can have one.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    /// The row to which each column that is taken belongs.
    owner: [u32; Goals::BITS as usize],
    taken: Goals,
    /// The rows that have none.
    pub(crate) left_over: Vec<u32>,
}

impl Columns {
    pub(crate) fn given(rows: &[Goals]) -> Self {
        let mut columns = Self { owner: [0; Goals::BITS as usize], taken: 0, left_over: Vec::new() };
        for row in 0..rows.len() {
            if !columns.give(rows, row, &mut 0) {
                columns.left_over.push(row as u32);
            }
        }
        columns
    }

    /// The same when one of the rows is taken away: what it had may do for one that has none.
    pub(crate) fn without(&self, rows: &[Goals], row: usize) -> Self {
        let mut columns = self.clone();
        if let Some(i) = columns.left_over.iter().position(|&other| other as usize == row) {
            columns.left_over.remove(i);
            return columns;
        }
        let is_own = |c: &u32| self.taken >> c & 1 == 1 && self.owner[*c as usize] as usize == row;
        columns.taken &= (0..Goals::BITS).find(is_own).map_or(Goals::MAX, |own| !(1 << own));
        if let Some(i) = self.left_over.iter().position(|&other| columns.give(rows, other as usize, &mut 0)) {
            columns.left_over.remove(i);
        }
        columns
    }

    /// The columns of which one more row would have to have one so as not to be left over: those that nobody has, and those whose
    /// owner could take one of these instead.
    pub(crate) fn open(&self, rows: &[Goals]) -> Goals {
        let mut open = !self.taken;
        loop {
            let mut taken = self.taken & !open;
            let before = open;
            while taken != 0 {
                let column = taken.trailing_zeros() as usize;
                taken &= taken - 1;
                if rows[self.owner[column] as usize] & open != 0 {
                    open |= 1 << column;
                }
            }
            if open == before {
                return open;
            }
        }
    }

    /// Kuhn's way: a row takes a free column, or one whose owner finds another.
    fn give(&mut self, rows: &[Goals], row: usize, seen: &mut Goals) -> bool {
        let free = rows[row] & !self.taken;
        if free != 0 {
            self.taken |= free & free.wrapping_neg();
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
            if self.give(rows, self.owner[column] as usize, seen) {
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
            let all = Columns::given(&rows);
            let more = rows.pop().expect("a row");
            let columns = Columns::given(&rows);
            assert_eq!(columns.left_over.len(), rows.len() - matched_rows(&rows));
            let open = columns.open(&rows);
            let lost = usize::from(more & open == 0);
            assert_eq!(all.left_over.len(), columns.left_over.len() + lost, "{rows:?}");
            for row in 0..rows.len() {
                let less = columns.without(&rows, row);
                let mut others = rows.clone();
                others.remove(row);
                let anew = Columns::given(&others);
                assert_eq!(less.left_over.len(), anew.left_over.len(), "{rows:?} without {row}");
                assert_eq!(less.open(&rows), anew.open(&others), "{rows:?} without {row}");
            }
        }
    }
}
