//! Packing order: the order in which the goals are filled, found before the search, and the progress of a
//! position in it.
//!
//! The order is found backwards (`unpacking`): all goals are full, and one box after the other leaves. The
//! sequence of positions, from empty to full, is the order. Packing orders are one of the features of FESS
//! (Shoham and Schaeffer 2020).
//!
//! A box that arrives counts only if all before it have arrived. A box is *out of plan* if it can serve none
//! of the steps that are left, with all boxes that are packed by then in its way.

use beeline_search::{Limit, Meter};

use super::unpacking::{Effort, Unpacking};
use crate::board::Square;
use crate::field::Field;
use crate::macro_moves::MoveKind;
use crate::rules::deadlocks::BipartiteMatching;
use crate::walk::Position;

/// A set of steps of a packing order, by index. With longer orders no box counts as out of plan or too early.
pub(crate) type StepSet = u128;

/// Squares visited by a short search, and short searches for an order that all boxes can serve.
const SHORT_SEARCH: usize = 500_000;
const SHORT_SEARCHES: u64 = 11;
/// Short searches without any order after which the long search follows at once.
const FUTILE_SEARCHES: u64 = 2;

/// A packing order: the order in which the goals are filled.
#[derive(Clone, Debug)]
pub(crate) struct PackingOrder {
    /// The squares that are full after each step, the newest first; from empty to full.
    positions: Vec<Vec<Square>>,
    /// For each square, the steps that a lone box there could serve.
    serves: Vec<StepSet>,
    /// Squares that the order fills or uses for parking.
    relevant: Vec<bool>,
    /// For each step, the boxes that have arrived up to it, parked moves left out.
    arrivals: Vec<u16>,
}

/// Finds packing orders of one board, and keeps the one that the long search has found.
#[derive(Clone, Debug)]
pub(crate) struct OrderFinder {
    /// Squares that the long search visits.
    long_search: usize,
    /// Has the long search been made? The order that it found.
    searched_long: bool,
    hard: Option<RatedOrder>,
}

/// A packing order, with the number of boxes of the start that it leaves out of plan.
pub(crate) type RatedOrder = (u16, PackingOrder);

impl OrderFinder {
    /// No order has been searched for yet.
    pub(crate) fn new(long_search: usize) -> Self {
        Self { long_search, searched_long: false, hard: None }
    }

    /// Approximate bytes used.
    pub(crate) fn bytes(&self) -> usize {
        self.hard.iter().map(|(_, order)| order.bytes()).sum()
    }

    /// Finds a packing order; `None` if none is easy to find. Other seeds give other orders.
    pub(crate) fn find(
        &mut self,
        field: &Field,
        seed: u64,
        meter: &mut Meter,
    ) -> Result<Option<RatedOrder>, Limit> {
        let mut best: Option<RatedOrder> = None;
        for attempt in 0..SHORT_SEARCHES {
            let seed = seed.wrapping_add(attempt).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let effort = Effort { work: SHORT_SEARCH, seed, parks_early: false };
            best = better(best, Self::attempt(field, effort, meter)?);
            if serves_all(best.as_ref()) || best.is_none() && attempt + 1 == FUTILE_SEARCHES {
                break;
            }
        }
        if !serves_all(best.as_ref()) {
            best = better(best, self.find_hard(field, meter)?);
        }
        Ok(best)
    }

    /// The order of the long search, which also finds orders in which boxes are parked. It is made once.
    pub(crate) fn find_hard(
        &mut self,
        field: &Field,
        meter: &mut Meter,
    ) -> Result<Option<RatedOrder>, Limit> {
        if !self.searched_long {
            self.searched_long = true;
            let effort = Effort { work: self.long_search, seed: 0, parks_early: true };
            self.hard = Self::attempt(field, effort, meter)?;
        }
        Ok(self.hard.clone())
    }

    fn attempt(field: &Field, effort: Effort, meter: &mut Meter) -> Result<Option<RatedOrder>, Limit> {
        let board = field.board();
        // With more goals than boxes it is not known which of them will be full.
        if board.boxes().len() < board.goals().len() {
            return Ok(None);
        }
        let mut unpacking = Unpacking::new(field);
        let Some(positions) = unpacking.run(effort, meter)? else { return Ok(None) };
        let order = PackingOrder::from_positions(field, positions, &mut unpacking);
        let start = Position::start(field);
        Ok(Some((order.out_of_plan(&start, order.steps_done(&start)), order)))
    }
}

/// Is there an order that all boxes can serve?
fn serves_all(best: Option<&RatedOrder>) -> bool {
    best.is_some_and(|(out_of_plan, _)| *out_of_plan == 0)
}

/// The order that leaves fewer boxes out of plan; of equal ones, the first.
fn better(one: Option<RatedOrder>, other: Option<RatedOrder>) -> Option<RatedOrder> {
    one.into_iter().chain(other).min_by_key(|(out_of_plan, _)| *out_of_plan)
}

impl PackingOrder {
    /// Computes the tables of an order from its sequence of positions.
    fn from_positions(field: &Field, mut positions: Vec<Vec<Square>>, unpacking: &mut Unpacking<'_>) -> Self {
        let n = field.squares() + 1;
        let (mut serves, mut relevant, mut arrivals) = (vec![0; n], vec![false; n], vec![0; positions.len()]);
        let Unpacking { macro_moves, position, .. } = unpacking;
        position.clear();
        for step in 1..positions.len() {
            let (before, after) = (&positions[step - 1], &positions[step]);
            let new = after.len() > before.len();
            arrivals[step] = arrivals[step - 1] + u16::from(new);
            // The box may be back on its square, with the player on another side.
            let Some(&to) = after.iter().find(|at| !before.contains(at)) else { continue };
            relevant[to as usize] = true;
            if !new || arrivals[step] as u32 > StepSet::BITS {
                continue;
            }
            for &at in before {
                position.wall_up(at);
            }
            position.put(to);
            macro_moves.survey_and_generate(MoveKind::Pull, field, position, 0, None);
            position.clear();
            for place in &macro_moves.places {
                serves[place.to as usize] |= 1 << (arrivals[step] - 1);
            }
            for &at in before {
                position.open(at);
            }
        }
        // The squares filled last are missing most often, so they are compared first.
        for step in (1..positions.len()).rev() {
            let (before, after) = positions.split_at_mut(step);
            let before = &before[step - 1];
            after[0].sort_by_key(|at| before.contains(at));
        }
        Self { positions, serves, relevant, arrivals }
    }

    /// Approximate bytes used.
    pub(crate) fn bytes(&self) -> usize {
        let squares: usize = self.positions.iter().map(Vec::len).sum();
        squares * size_of::<Square>()
            + self.serves.len() * (size_of::<StepSet>() + 1)
            + self.positions.len() * 26
    }

    /// Does a box that arrives at or leaves this square change the progress?
    #[inline(always)]
    pub(crate) fn is_relevant(&self, square: Square) -> bool {
        self.relevant[square as usize]
    }

    /// The number of steps completed in a position.
    pub(crate) fn steps_done(&self, position: &Position) -> u16 {
        self.positions.iter().rposition(|step| step.iter().all(|&b| position.boxed(b))).unwrap_or(0) as u16
    }

    /// The number of boxes that can serve no step after this one.
    pub(crate) fn out_of_plan(&self, position: &Position, done: u16) -> u16 {
        self.assignment(position, done).matching.unmatched_rows.len() as u16
    }

    /// The boxes of a position that are not packed after `done` steps, and the steps that each can serve.
    /// Empty if the order is too long.
    fn assignment(&self, position: &Position, done: u16) -> Assignment {
        let past = self.arrivals[usize::from(done)];
        let all = self.arrivals.last().copied().unwrap_or(0);
        let short = u32::from(all) <= StepSet::BITS;
        let later = if short { StepSet::MAX.checked_shl(u32::from(past)).unwrap_or(0) } else { 0 };
        let loose = |b: Square| short && !self.packs(done, b);
        let mut rows: Vec<StepSet> = Vec::with_capacity(position.boxes.len());
        let mut row_of = Vec::with_capacity(position.boxes.len());
        for &b in &position.boxes {
            row_of.push(loose(b).then_some(rows.len()));
            rows.extend(loose(b).then(|| self.serves[b as usize] & later));
        }
        Assignment { matching: BipartiteMatching::of_rows(&rows), rows, row_of, later }
    }

    /// Is this square full after this step?
    #[inline]
    fn packs(&self, done: u16, square: Square) -> bool {
        self.is_relevant(square) && self.positions[usize::from(done)].contains(&square)
    }
}

/// The assignment of boxes to steps while one box moves.
pub(crate) struct BoxAssignment<'p> {
    order: &'p PackingOrder,
    /// The assignment of all boxes, after `done` steps.
    assignment: Assignment,
    done: u16,
    /// The selected box, and what the others can serve after each number of steps evaluated so far.
    selected: usize,
    others: Vec<(u16, StepService)>,
}

impl<'p> BoxAssignment<'p> {
    pub(crate) fn new(order: &'p PackingOrder, position: &Position, done: u16) -> Self {
        Self { order, assignment: order.assignment(position, done), done, selected: 0, others: Vec::new() }
    }

    /// Boxes that are too early before any move.
    pub(crate) fn early(&self) -> u16 {
        self.assignment.early()
    }

    /// Selects the box that moves.
    pub(crate) fn select(&mut self, i: usize) {
        self.selected = i;
        self.others.clear();
    }

    /// The numbers of boxes out of plan and too early after the selected box has moved to `to`, with `done`
    /// steps completed then. The second number is 0 if the move completes a step.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position, done: u16, to: Square) -> (u16, u16) {
        let known = self.others.iter().find(|(steps, _)| *steps == done);
        let service = match known {
            Some((_, service)) => *service,
            None if done == self.done => self.assignment.without(self.selected),
            None => self.order.assignment(position, done).without(self.selected),
        };
        if known.is_none() {
            self.others.push((done, service));
        }
        let row = self.order.serves[to as usize] & service.later;
        let out_of_plan = service.later != 0 && row & service.open == 0 && !self.order.packs(done, to);
        let early =
            if done == self.done { service.early + u16::from(is_early(row, service.later)) } else { 0 };
        (service.out_of_plan + u16::from(out_of_plan), early)
    }
}

/// Boxes with the steps that they can serve.
#[derive(Clone, Debug)]
struct Assignment {
    rows: Vec<StepSet>,
    /// By index of the box; `None` for packed boxes.
    row_of: Vec<Option<usize>>,
    matching: BipartiteMatching,
    /// The steps that are left.
    later: StepSet,
}

impl Assignment {
    /// Boxes that can only serve steps after the next one. They came too early, and may block the next step.
    fn early(&self) -> u16 {
        self.rows.iter().filter(|&&row| is_early(row, self.later)).count() as u16
    }

    /// What all boxes but the i-th can serve.
    fn without(&self, i: usize) -> StepService {
        let Self { rows, matching, later, .. } = self;
        let (early, row) = (self.early(), self.row_of[i]);
        let less = row.map(|row| matching.without(rows, row));
        let matching = less.as_ref().unwrap_or(matching);
        StepService {
            out_of_plan: matching.unmatched_rows.len() as u16,
            early: early - u16::from(row.is_some_and(|row| is_early(rows[row], *later))),
            open: matching.columns_for_one_more(rows) & later,
            later: *later,
        }
    }
}

/// What some boxes can serve.
#[derive(Clone, Copy, Debug)]
struct StepService {
    /// Boxes without a step of their own, and boxes that are too early.
    out_of_plan: u16,
    early: u16,
    /// The steps of which one more box would have to serve one.
    open: StepSet,
    /// The steps that are left.
    later: StepSet,
}

/// Can a box that serves these steps not serve the next of those that are left?
#[inline]
fn is_early(row: StepSet, later: StepSet) -> bool {
    row != 0 && row & later & !(later << 1) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::macro_moves::MacroMoves;
    use crate::make::make;
    use crate::text;
    use beeline_search::Budget;

    fn found(field: &Field, seed: u64, bytes: Option<usize>) -> Option<PackingOrder> {
        let mut meter = Meter::new(&Budget { bytes, ..Budget::default() });
        OrderFinder::new(SHORT_SEARCH)
            .find(field, seed, &mut meter)
            .expect("no limit")
            .map(|(_, order)| order)
    }

    /// The order that one short search finds.
    fn attempted(field: &Field, parks_early: bool) -> Option<PackingOrder> {
        let mut meter = Meter::new(&Budget::default());
        let effort = Effort { work: SHORT_SEARCH, seed: 0, parks_early };
        let found = OrderFinder::attempt(field, effort, &mut meter);
        found.expect("no limit").map(|(_, order)| order)
    }

    fn order(map: &str) -> (Field, PackingOrder) {
        let board = text::parse(map).expect("a level").remove(0).board;
        let field = Field::new(&board);
        let order = found(&field, 0, None).expect("a plan");
        (field, order)
    }

    fn with(field: &Field, boxes: &[Square]) -> Position {
        let mut position = Position::new(field);
        position.set_boxes(boxes.iter().copied());
        position
    }

    #[test]
    fn what_lies_deep_is_filled_first() {
        let (field, order) = order("##########\n#...     #\n### $ $$ #\n  #   @  #\n  ########\n");
        let goals = field.board().goals().to_vec();
        for full in 0..=goals.len() {
            assert_eq!(order.steps_done(&with(&field, &goals[..full])), full as u16);
        }
        // The goal beside the entrance counts for nothing while those behind it are empty.
        assert_eq!(order.steps_done(&with(&field, &goals[2..])), 0);
    }

    #[test]
    fn boxes_that_are_shut_out_are_out_of_plan() {
        let (field, order) = order("##########\n#...     #\n### $ $$ #\n  #   @  #\n  ########\n");
        let board = field.board();
        let start = with(&field, board.boxes());
        assert_eq!(order.out_of_plan(&start, order.steps_done(&start)), 0);
        // With the last goal filled first, the two other boxes can no longer get in.
        let shut = with(&field, &[board.goals()[2], board.boxes()[1], board.boxes()[2]]);
        assert_eq!(
            order.out_of_plan(&shut, order.steps_done(&shut)),
            0,
            "the box on the last goal can still go deeper"
        );
        let corner = board.square(3, 3).expect("a square");
        let lost = with(&field, &[corner, board.boxes()[1], board.boxes()[2]]);
        assert_eq!(order.out_of_plan(&lost, 0), 1);
    }

    #[test]
    fn every_step_of_an_order_counts_one_more() {
        let mut parked = 0;
        for seed in 0..1000 {
            let side = 5 + seed as usize % 4;
            let Some(board) = make(side, side, 3 + seed as usize % 4, seed) else { continue };
            let field = Field::new(&board);
            let Some(order) = attempted(&field, seed % 2 == 1) else { continue };
            assert!(order.positions[0].is_empty());
            parked += usize::from(order.positions.len() > 1 + board.goals().len());
            for (step, full) in order.positions.iter().enumerate() {
                let position = with(&field, full);
                let done = order.steps_done(&position);
                assert!(usize::from(done) >= step, "a later step may hold the same squares");
                assert_eq!(order.positions[usize::from(done)].len(), full.len());
                assert_eq!(order.out_of_plan(&position, done), 0, "what is packed is not out of plan");
                let others = with(&field, board.boxes());
                assert!(usize::from(order.out_of_plan(&others, done)) <= board.boxes().len());
            }
        }
        assert!(parked > 0, "some plans have boxes that wait");
    }

    /// In an alcove a box stays where it is: it serves the goal there, and is too early while the other one
    /// is next.
    #[test]
    fn boxes_come_too_early() {
        let (field, order) = order("#######\n#.   .#\n## $ ##\n#  $  #\n#  @  #\n#######\n");
        let (first, second) = (order.positions[1][0], order.positions[2][0]);
        let outside = field.board().boxes()[0];
        assert_eq!(order.assignment(&with(&field, field.board().boxes()), 0).early(), 0);
        assert_eq!(order.assignment(&with(&field, &[second, outside]), 0).early(), 1);
        assert_eq!(order.assignment(&with(&field, &[first, outside]), 1).early(), 0);
        let position = with(&field, &[outside, second]);
        let mut assigned = BoxAssignment::new(&order, &position, 0);
        assigned.select(1);
        assert_eq!(assigned.evaluate(&position, 0, second), (0, 1));
        assert_eq!(assigned.evaluate(&position, 0, outside), (0, 0));
        assert_eq!(assigned.evaluate(&with(&field, &[outside, first]), 1, first), (0, 0));
    }

    #[test]
    fn moved_boxes_are_counted_as_from_scratch() {
        let mut out_of_plan = 0;
        for seed in 0..300 {
            let Some(board) = make(7, 7, 4 + seed as usize % 4, seed) else { continue };
            let field = Field::new(&board);
            let Some(order) = found(&field, 0, None) else { continue };
            let mut position = with(&field, board.boxes());
            let mut assigned = BoxAssignment::new(&order, &position, order.steps_done(&position));
            for i in 0..board.boxes().len() {
                assigned.select(i);
                for to in (0..field.squares() as Square).filter(|to| !board.boxes().contains(to)) {
                    position.shift(i, to);
                    let done = order.steps_done(&position);
                    let (count, early) = assigned.evaluate(&position, done, to);
                    assert_eq!(count, order.out_of_plan(&position, done));
                    if done == assigned.done {
                        assert_eq!(early, order.assignment(&position, done).early());
                    }
                    out_of_plan += usize::from(count > 0);
                    position.shift(i, board.boxes()[i]);
                }
            }
        }
        assert!(out_of_plan > 1000, "{out_of_plan}");
    }

    /// From full to empty each step removes one box to where some box starts, or parks one.
    #[test]
    fn every_step_of_an_order_can_be_made() {
        let mut steps = 0;
        for seed in 0..600 {
            let Some(board) = make(7, 7, 4 + seed as usize % 4, seed) else { continue };
            let field = Field::new(&board);
            for parks_early in [false, true] {
                let Some(order) = attempted(&field, parks_early) else { continue };
                steps += order.positions.len();
                for pair in order.positions.windows(2) {
                    let came: Vec<Square> =
                        pair[1].iter().filter(|at| !pair[0].contains(at)).copied().collect();
                    let went: Vec<Square> =
                        pair[0].iter().filter(|at| !pair[1].contains(at)).copied().collect();
                    let mut position = with(&field, &pair[1]);
                    // A box that was pulled in a circle is where it was, with the player elsewhere.
                    let Some(&box_) = came.first() else { continue };
                    let i = position.boxes.iter().position(|&at| at == box_).expect("a box");
                    let mut macro_moves = MacroMoves::new(&field);
                    macro_moves.survey_and_generate(MoveKind::Pull, &field, &mut position, i, None);
                    let leads = |to: Square| macro_moves.places.iter().any(|place| place.to == to);
                    match went[..] {
                        [] => assert!(board.boxes().iter().any(|&start| leads(start)), "{seed}"),
                        [aside] => assert!(leads(aside), "{seed}"),
                        _ => panic!("more than one box moved at once"),
                    }
                    assert!(came.len() == 1);
                }
            }
        }
        assert!(steps > 5000, "{steps} steps");
    }

    #[test]
    fn without_memory_there_is_no_order() {
        let board = make(8, 8, 5, 1).expect("a board");
        let field = Field::new(&board);
        assert!(found(&field, 0, Some(100)).is_none());
        assert!(found(&field, 0, None).is_some());
    }
}
