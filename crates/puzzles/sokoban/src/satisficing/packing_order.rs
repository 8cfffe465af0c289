//! Packing order: one order in which the goals are filled, found before the search, and how far a position has come in it.
//!
//! It is found backwards (`unpacking`): all goals are full, and one box after the other leaves. The sequence of positions, from empty to
//! full, is the order. Packing orders are one of the features of FESS (Shoham and Schaeffer 2020).
//!
//! A box that arrives counts only if all before it have arrived. A box is *out of plan* if it can serve none of the steps that are left,
//! with all boxes that are packed by then in its way.

use beeline_search::{Limit, Meter};

use super::tuning::Tuning;
use super::unpacking::{Effort, Unpacking};
use crate::board::Square;
use crate::field::Field;
use crate::macro_moves::Way;
use crate::rules::deadlocks::Columns;
use crate::walk::Position;

/// A set of steps of a packing order, by number; longer orders do without.
pub(crate) type StepSet = u128;

/// After so many short searches without any order, the long one follows at once.
const VAIN_SEARCHES: u64 = 2;
/// Each long search visits so many times as many squares as the one before, up to the longest.
const LONGER: usize = 4;
const LONGEST: usize = 256_000_000;

/// A packing order: the order in which the goals are filled.
#[derive(Clone, Debug)]
pub(crate) struct PackingOrder {
    /// What has to be full after each step, the newest first; from empty to full.
    line: Vec<Vec<Square>>,
    /// For each square, the steps that a lone box there could serve.
    serves: Vec<StepSet>,
    /// Squares that are part of the plan.
    matters: Vec<bool>,
    /// How many steps bring a box from elsewhere, up to each step.
    arrivals: Vec<u16>,
}

/// Finds packing orders of one board, and keeps the best that a long search has found.
#[derive(Clone, Debug)]
pub(crate) struct OrderFinder {
    tuning: Tuning,
    /// Squares that the next long search visits.
    next_effort: usize,
    /// Has there been one?
    tried_hard: bool,
    /// The best plan of the patient attempts.
    best: Option<Rated>,
}

/// A plan, and how many boxes of the start it leaves out of plan.
pub(crate) type Rated = (u16, PackingOrder);

impl OrderFinder {
    /// Each long search in vain makes the next one longer.
    pub(crate) fn new(tuning: Tuning) -> Self {
        Self { tuning, next_effort: tuning.long_order_search as usize, tried_hard: false, best: None }
    }

    /// The bytes that are used.
    pub(crate) fn bytes(&self) -> usize {
        self.best.as_ref().map_or(0, |(_, plan)| plan.bytes())
    }

    /// Looks for a packing order; there may be none that is easy to find. Other seeds give other orders.
    pub(crate) fn find(
        &mut self,
        field: &Field,
        seed: u64,
        meter: &mut Meter,
    ) -> Result<Option<Rated>, Limit> {
        let mut best: Option<Rated> = None;
        for attempt in 0..self.tuning.order_searches {
            let chance = seed.wrapping_add(attempt).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let glance = Effort { work: self.tuning.order_search as usize, chance, patient: false };
            best = better(best, Self::attempt(field, glance, meter)?);
            if served(best.as_ref()) || best.is_none() && attempt + 1 == VAIN_SEARCHES {
                break;
            }
        }
        if !served(best.as_ref()) {
            self.find_hard(field, meter)?;
            best = better(best, self.best.clone());
        }
        Ok(best)
    }

    /// The order that a longer search has found since, if it is better than this one.
    pub(crate) fn better_than(&self, rated: Option<&Rated>) -> Option<&Rated> {
        self.best.as_ref().filter(|(out_of_plan, _)| rated.is_none_or(|(other, _)| out_of_plan < other))
    }

    /// The plan that one patient attempt finds, for a board where boxes have to wait.
    pub(crate) fn with_waits(
        &mut self,
        field: &Field,
        meter: &mut Meter,
    ) -> Result<Option<PackingOrder>, Limit> {
        if !self.tried_hard {
            self.find_hard(field, meter)?;
        }
        Ok(self.best.as_ref().map(|(_, plan)| plan.clone()))
    }

    /// Makes a long attempt, unless one has found an order that all boxes can serve, or had the most work that is allowed.
    fn find_hard(&mut self, field: &Field, meter: &mut Meter) -> Result<(), Limit> {
        self.tried_hard = true;
        if !served(self.best.as_ref()) && self.next_effort <= LONGEST {
            let effort = Effort { work: self.next_effort, chance: 0, patient: true };
            let found = Self::attempt(field, effort, meter)?;
            self.best = better(self.best.take(), found);
            self.next_effort *= LONGER;
        }
        Ok(())
    }

    fn attempt(field: &Field, effort: Effort, meter: &mut Meter) -> Result<Option<Rated>, Limit> {
        let board = field.board();
        // With more goals than boxes it is not known which of them will be full.
        if board.boxes().len() < board.goals().len() {
            return Ok(None);
        }
        let mut unpacking = Unpacking::new(field);
        let Some(line) = unpacking.run(effort, meter)? else { return Ok(None) };
        let plan = PackingOrder::along(field, line, &mut unpacking);
        let start = Position::start(field);
        Ok(Some((plan.out_of_plan(&start, plan.done(&start)), plan)))
    }
}

/// Is there a plan that all boxes can serve?
fn served(best: Option<&Rated>) -> bool {
    best.is_some_and(|(out_of_plan, _)| *out_of_plan == 0)
}

/// The one that leaves fewer out-of-plan boxes; of two that leave as many, the first.
fn better(one: Option<Rated>, other: Option<Rated>) -> Option<Rated> {
    one.into_iter().chain(other).min_by_key(|(out_of_plan, _)| *out_of_plan)
}

impl PackingOrder {
    /// What can be told beforehand about a sequence of positions.
    fn along(field: &Field, mut line: Vec<Vec<Square>>, unpacking: &mut Unpacking<'_>) -> Self {
        let n = field.squares() + 1;
        let (mut serves, mut matters, mut arrivals) = (vec![0; n], vec![false; n], vec![0; line.len()]);
        let Unpacking { carry, position, .. } = unpacking;
        position.clear();
        for step in 1..line.len() {
            let (before, after) = (&line[step - 1], &line[step]);
            let new = after.len() > before.len();
            arrivals[step] = arrivals[step - 1] + u16::from(new);
            // A box may also be where it was, with the player on another side.
            let Some(&to) = after.iter().find(|at| !before.contains(at)) else { continue };
            matters[to as usize] = true;
            if !new || arrivals[step] as u32 > StepSet::BITS {
                continue;
            }
            for &at in before {
                position.wall_up(at);
            }
            position.put(to);
            carry.go(Way::Pulling, field, position, 0, None);
            position.clear();
            for place in &carry.places {
                serves[place.to as usize] |= 1 << (arrivals[step] - 1);
            }
            for &at in before {
                position.open(at);
            }
        }
        // What came last is missing most often.
        for step in (1..line.len()).rev() {
            let (before, after) = line.split_at_mut(step);
            let before = &before[step - 1];
            after[0].sort_by_key(|at| before.contains(at));
        }
        Self { line, serves, matters, arrivals }
    }

    /// The bytes that are used.
    pub(crate) fn bytes(&self) -> usize {
        let squares: usize = self.line.iter().map(Vec::len).sum();
        squares * size_of::<Square>() + self.serves.len() * (size_of::<StepSet>() + 1) + self.line.len() * 26
    }

    /// Does a box that comes or goes here change anything?
    #[inline(always)]
    pub(crate) fn matters(&self, square: Square) -> bool {
        self.matters[square as usize]
    }

    /// How many steps a position has done.
    pub(crate) fn done(&self, position: &Position) -> u16 {
        self.line.iter().rposition(|step| step.iter().all(|&b| position.boxed(b))).unwrap_or(0) as u16
    }

    /// How many boxes cannot serve any step after this one.
    pub(crate) fn out_of_plan(&self, position: &Position, done: u16) -> u16 {
        self.assignment(position, done).columns.left_over.len() as u16
    }

    /// The boxes of a position that are not packed after this step, and what each can serve of those that are left. Nothing is asked
    /// of them if the plan is too long.
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
        Assignment { columns: Columns::given(&rows), rows, row_of, later }
    }

    /// Is this square full after this step?
    #[inline]
    fn packs(&self, done: u16, square: Square) -> bool {
        self.matters(square) && self.line[usize::from(done)].contains(&square)
    }
}

/// The boxes of a position while one of them is carried about.
pub(crate) struct BoxAssignment<'p> {
    plan: &'p PackingOrder,
    /// All of them, after so many steps.
    assignment: Assignment,
    done: u16,
    /// The one that is carried, and what the others can serve after as many steps as were asked for.
    carried: usize,
    others: Vec<(u16, StepService)>,
}

impl<'p> BoxAssignment<'p> {
    pub(crate) fn new(plan: &'p PackingOrder, position: &Position, done: u16) -> Self {
        Self { plan, assignment: plan.assignment(position, done), done, carried: 0, others: Vec::new() }
    }

    /// How many are early before one is carried.
    pub(crate) fn early(&self) -> u16 {
        self.assignment.early()
    }

    /// The i-th is carried now.
    pub(crate) fn carry(&mut self, i: usize) {
        self.carried = i;
        self.others.clear();
    }

    /// How many boxes are out of plan and how many are early when that one has been carried to a square, and so many steps are done then.
    /// After another step others are early, and nobody asks.
    #[inline]
    pub(crate) fn serve(&mut self, position: &Position, done: u16, to: Square) -> (u16, u16) {
        let known = self.others.iter().find(|(steps, _)| *steps == done);
        let service = match known {
            Some((_, service)) => *service,
            None if done == self.done => self.assignment.without(self.carried),
            None => self.plan.assignment(position, done).without(self.carried),
        };
        if known.is_none() {
            self.others.push((done, service));
        }
        let row = self.plan.serves[to as usize] & service.later;
        let out_of_plan = service.later != 0 && row & service.open == 0 && !self.plan.packs(done, to);
        let early =
            if done == self.done { service.early + u16::from(is_early(row, service.later)) } else { 0 };
        (service.out_of_plan + u16::from(out_of_plan), early)
    }
}

/// Boxes with the steps that they can serve.
#[derive(Clone, Debug)]
struct Assignment {
    rows: Vec<StepSet>,
    /// By the number of the box; one that is packed has none.
    row_of: Vec<Option<usize>>,
    columns: Columns,
    /// The steps that are left.
    later: StepSet,
}

impl Assignment {
    /// How many of them are where they can serve none but steps after the next: they came too early, and may stand in its way.
    fn early(&self) -> u16 {
        self.rows.iter().filter(|&&row| is_early(row, self.later)).count() as u16
    }

    /// What all of them but the i-th box can serve.
    fn without(&self, i: usize) -> StepService {
        let Self { rows, columns, later, .. } = self;
        let (early, row) = (self.early(), self.row_of[i]);
        let less = row.map(|row| columns.without(rows, row));
        let columns = less.as_ref().unwrap_or(columns);
        StepService {
            out_of_plan: columns.left_over.len() as u16,
            early: early - u16::from(row.is_some_and(|row| is_early(rows[row], *later))),
            open: columns.open(rows) & later,
            later: *later,
        }
    }
}

/// What some boxes can serve.
#[derive(Clone, Copy, Debug)]
struct StepService {
    /// How many of them have no step of their own, and how many came too early.
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
        OrderFinder::new(Tuning::default())
            .find(field, seed, &mut meter)
            .expect("no limit")
            .map(|(_, plan)| plan)
    }

    /// What one attempt finds at a glance.
    fn attempted(field: &Field, patient: bool) -> Option<PackingOrder> {
        let mut meter = Meter::new(&Budget::default());
        let effort = Effort { work: Tuning::default().order_search as usize, chance: 0, patient };
        let found = OrderFinder::attempt(field, effort, &mut meter);
        found.expect("no limit").map(|(_, plan)| plan)
    }

    fn plan(map: &str) -> (Field, PackingOrder) {
        let board = text::parse(map).expect("a level").remove(0).board;
        let field = Field::new(&board);
        let plan = found(&field, 0, None).expect("a plan");
        (field, plan)
    }

    fn with(field: &Field, boxes: &[Square]) -> Position {
        let mut position = Position::new(field);
        position.lay(boxes.iter().copied());
        position
    }

    #[test]
    fn what_lies_deep_is_filled_first() {
        let (field, plan) = plan("##########\n#...     #\n### $ $$ #\n  #   @  #\n  ########\n");
        let goals = field.board().goals().to_vec();
        for full in 0..=goals.len() {
            assert_eq!(plan.done(&with(&field, &goals[..full])), full as u16);
        }
        // The one beside the entrance counts for nothing while those behind it are empty.
        assert_eq!(plan.done(&with(&field, &goals[2..])), 0);
    }

    #[test]
    fn boxes_that_are_shut_out_are_astray() {
        let (field, plan) = plan("##########\n#...     #\n### $ $$ #\n  #   @  #\n  ########\n");
        let board = field.board();
        let start = with(&field, board.boxes());
        assert_eq!(plan.out_of_plan(&start, plan.done(&start)), 0);
        // On the last goal first: the two others can no longer get in.
        let shut = with(&field, &[board.goals()[2], board.boxes()[1], board.boxes()[2]]);
        assert_eq!(
            plan.out_of_plan(&shut, plan.done(&shut)),
            0,
            "the box on the last goal can still go deeper"
        );
        let corner = board.square(3, 3).expect("a square");
        let lost = with(&field, &[corner, board.boxes()[1], board.boxes()[2]]);
        assert_eq!(plan.out_of_plan(&lost, 0), 1);
    }

    #[test]
    fn every_step_of_a_plan_counts_one_more() {
        let mut waits = 0;
        for seed in 0..1000 {
            let side = 5 + seed as usize % 4;
            let Some(board) = make(side, side, 3 + seed as usize % 4, seed) else { continue };
            let field = Field::new(&board);
            let Some(plan) = attempted(&field, seed % 2 == 1) else { continue };
            assert!(plan.line[0].is_empty());
            waits += usize::from(plan.line.len() > 1 + board.goals().len());
            for (step, full) in plan.line.iter().enumerate() {
                let position = with(&field, full);
                let done = plan.done(&position);
                assert!(usize::from(done) >= step, "a later step may hold the same squares");
                assert_eq!(plan.line[usize::from(done)].len(), full.len());
                assert_eq!(plan.out_of_plan(&position, done), 0, "what is packed is not out of plan");
                let others = with(&field, board.boxes());
                assert!(usize::from(plan.out_of_plan(&others, done)) <= board.boxes().len());
            }
        }
        assert!(waits > 0, "some plans have boxes that wait");
    }

    /// In an alcove a box stays where it is: it serves the goal there, and comes too early while the other one is next.
    #[test]
    fn boxes_come_too_early() {
        let (field, plan) = plan("#######\n#.   .#\n## $ ##\n#  $  #\n#  @  #\n#######\n");
        let (first, second) = (plan.line[1][0], plan.line[2][0]);
        let outside = field.board().boxes()[0];
        assert_eq!(plan.assignment(&with(&field, field.board().boxes()), 0).early(), 0);
        assert_eq!(plan.assignment(&with(&field, &[second, outside]), 0).early(), 1);
        assert_eq!(plan.assignment(&with(&field, &[first, outside]), 1).early(), 0);
        let position = with(&field, &[outside, second]);
        let mut assigned = BoxAssignment::new(&plan, &position, 0);
        assigned.carry(1);
        assert_eq!(assigned.serve(&position, 0, second), (0, 1));
        assert_eq!(assigned.serve(&position, 0, outside), (0, 0));
        assert_eq!(assigned.serve(&with(&field, &[outside, first]), 1, first), (0, 0));
    }

    #[test]
    fn carried_boxes_are_counted_as_if_from_nothing() {
        let mut out_of_plan = 0;
        for seed in 0..300 {
            let Some(board) = make(7, 7, 4 + seed as usize % 4, seed) else { continue };
            let field = Field::new(&board);
            let Some(plan) = found(&field, 0, None) else { continue };
            let mut position = with(&field, board.boxes());
            let mut assigned = BoxAssignment::new(&plan, &position, plan.done(&position));
            for i in 0..board.boxes().len() {
                assigned.carry(i);
                for to in (0..field.squares() as Square).filter(|to| !board.boxes().contains(to)) {
                    position.shift(i, to);
                    let done = plan.done(&position);
                    let (count, early) = assigned.serve(&position, done, to);
                    assert_eq!(count, plan.out_of_plan(&position, done));
                    if done == assigned.done {
                        assert_eq!(early, plan.assignment(&position, done).early());
                    }
                    out_of_plan += usize::from(count > 0);
                    position.shift(i, board.boxes()[i]);
                }
            }
        }
        assert!(out_of_plan > 1000, "{out_of_plan}");
    }

    /// From full to empty each step takes one box away to where some box starts, or pulls one aside.
    #[test]
    fn every_step_of_a_plan_can_be_made() {
        let mut steps = 0;
        for seed in 0..600 {
            let Some(board) = make(7, 7, 4 + seed as usize % 4, seed) else { continue };
            let field = Field::new(&board);
            for patient in [false, true] {
                let Some(plan) = attempted(&field, patient) else { continue };
                steps += plan.line.len();
                for pair in plan.line.windows(2) {
                    let came: Vec<Square> =
                        pair[1].iter().filter(|at| !pair[0].contains(at)).copied().collect();
                    let went: Vec<Square> =
                        pair[0].iter().filter(|at| !pair[1].contains(at)).copied().collect();
                    let mut position = with(&field, &pair[1]);
                    // A box that was pulled in a circle is where it was, with the player elsewhere.
                    let Some(&box_) = came.first() else { continue };
                    let i = position.boxes.iter().position(|&at| at == box_).expect("a box");
                    let mut carry = MacroMoves::new(&field);
                    carry.go(Way::Pulling, &field, &mut position, i, None);
                    let leads = |to: Square| carry.places.iter().any(|place| place.to == to);
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
    fn without_room_there_is_no_plan() {
        let board = make(8, 8, 5, 1).expect("a board");
        let field = Field::new(&board);
        assert!(found(&field, 0, Some(100)).is_none());
        assert!(found(&field, 0, None).is_some());
    }
}
