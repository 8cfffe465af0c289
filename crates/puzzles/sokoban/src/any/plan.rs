//! One order in which the goals are filled, settled beforehand, and how far a position has got with it.
//!
//! It is found from behind (`unpacking`): all goals are full, and one box after the other leaves. The sequence of positions, from
//! empty to full, is the plan.
//!
//! A plan narrows the search: a box that arrives counts only if all before it have. And it tells early which boxes will be shut
//! out: each box must be able to serve one of the steps that are left, with all that is packed by then standing in its way.

use beeline_search::{Limit, Meter};

use super::super::board::Square;
use super::super::field::Field;
use super::super::walk::Position;
use super::carry::Way;
use super::lost::Columns;
use super::unpacking::{Effort, Unpacking};

/// A set of steps by number; longer plans do without.
pub(crate) type Steps = u128;

/// Squares looked at in an attempt to find a plan.
const GLANCE: usize = 500_000;
/// Attempts to find a plan that all boxes can serve, before one with more patience.
const GLANCES: u64 = 11;
/// Where so many find none, that one follows at once.
const VAIN: u64 = 2;
/// Squares looked at in the first patient attempt.
pub(crate) const PATIENCE: usize = 16_000_000;
/// Each has so many times the patience of the one before; after one with the most there are no others.
const MORE: usize = 4;
const MOST: usize = 256_000_000;

/// An order in which the goals are filled.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// What has to be full after each step, the newest first; from empty to full.
    line: Vec<Vec<Square>>,
    /// For each square, the steps that a lone box there could serve.
    serves: Vec<Steps>,
    /// Squares that are part of the plan.
    matters: Vec<bool>,
    /// How many steps bring a box from elsewhere, up to each step.
    arrivals: Vec<u16>,
}

/// Finds plans for one board, and remembers what patience has found.
#[derive(Clone, Debug)]
pub(crate) struct Planner {
    way: Way,
    /// Squares that the next patient attempt looks at.
    patience: usize,
    /// Has there been one?
    insisted: bool,
    /// The best plan of the patient attempts.
    best: Option<Rated>,
}

/// A plan, and how many boxes of the start it leaves astray.
pub(crate) type Rated = (u16, Plan);

impl Planner {
    /// For a search that goes this way; each patient attempt in vain makes the next one more patient.
    pub(crate) fn new(way: Way, patience: usize) -> Self {
        Self { way, patience, insisted: false, best: None }
    }

    /// The bytes that are used.
    pub(crate) fn bytes(&self) -> usize {
        self.best.as_ref().map_or(0, |(_, plan)| plan.bytes())
    }

    /// Looks for a plan; there may be none that is easy to find. With other seeds, other plans.
    pub(crate) fn settle(
        &mut self,
        field: &Field,
        seed: u64,
        meter: &mut Meter,
    ) -> Result<Option<Rated>, Limit> {
        let mut best: Option<Rated> = None;
        for attempt in 0..GLANCES {
            let chance = seed.wrapping_add(attempt).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let glance = Effort { work: GLANCE, chance, patient: false };
            best = better(best, self.attempt(field, glance, meter)?);
            if served(best.as_ref()) || best.is_none() && attempt + 1 == VAIN {
                break;
            }
        }
        if !served(best.as_ref()) {
            self.insist(field, meter)?;
            best = better(best, self.best.clone());
        }
        Ok(best)
    }

    /// The plan that patience has found since, if it is better than this one.
    pub(crate) fn better_than(&self, rated: Option<&Rated>) -> Option<&Rated> {
        self.best.as_ref().filter(|(astray, _)| rated.is_none_or(|(other, _)| astray < other))
    }

    /// The plan that one patient attempt finds, for a board where boxes have to wait.
    pub(crate) fn with_waits(&mut self, field: &Field, meter: &mut Meter) -> Result<Option<Plan>, Limit> {
        if !self.insisted {
            self.insist(field, meter)?;
        }
        Ok(self.best.as_ref().map(|(_, plan)| plan.clone()))
    }

    /// Makes a patient attempt, unless one has found what there is to find, or had the most patience that there is.
    fn insist(&mut self, field: &Field, meter: &mut Meter) -> Result<(), Limit> {
        self.insisted = true;
        if !served(self.best.as_ref()) && self.patience <= MOST {
            let effort = Effort { work: self.patience, chance: 0, patient: true };
            let found = self.attempt(field, effort, meter)?;
            self.best = better(self.best.take(), found);
            self.patience *= MORE;
        }
        Ok(())
    }

    fn attempt(&self, field: &Field, effort: Effort, meter: &mut Meter) -> Result<Option<Rated>, Limit> {
        let (board, way) = (field.board(), self.way);
        // With more goals than boxes it is not known which of them will be full.
        if board.boxes().len() < board.goals().len() {
            return Ok(None);
        }
        let (wanted, from) = match way {
            Way::Pushing => (board.goals(), board.boxes()),
            Way::Pulling => (board.boxes(), board.goals()),
        };
        let mut unpacking = Unpacking::new(field, way, wanted, from);
        let Some(line) = unpacking.run(effort, meter)? else { return Ok(None) };
        let plan = Plan::along(field, way, line, &mut unpacking);
        let mut start = Position::new(field);
        for &at in from {
            start.put(at);
        }
        Ok(Some((plan.astray(&start, plan.done(&start)), plan)))
    }
}

/// Is there a plan that all boxes can serve?
fn served(best: Option<&Rated>) -> bool {
    best.is_some_and(|(astray, _)| *astray == 0)
}

/// The one that leaves fewer boxes astray; of two that leave as many, the first.
fn better(one: Option<Rated>, other: Option<Rated>) -> Option<Rated> {
    one.into_iter().chain(other).min_by_key(|(astray, _)| *astray)
}

impl Plan {
    /// What can be told beforehand about a sequence of positions.
    fn along(field: &Field, way: Way, mut line: Vec<Vec<Square>>, unpacking: &mut Unpacking<'_>) -> Self {
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
            if !new || arrivals[step] as u32 > Steps::BITS {
                continue;
            }
            for &at in before {
                position.wall_up(at);
            }
            position.put(to);
            carry.go(way.back(), field, position, 0, None);
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
        squares * size_of::<Square>() + self.serves.len() * (size_of::<Steps>() + 1) + self.line.len() * 26
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
    pub(crate) fn astray(&self, position: &Position, done: u16) -> u16 {
        self.crew(position, done).columns.left_over.len() as u16
    }

    /// The boxes of a position that are not packed after this step, and what each can serve of those that are left. Nothing is asked
    /// of them if the plan is too long.
    fn crew(&self, position: &Position, done: u16) -> Crew {
        let past = self.arrivals[usize::from(done)];
        let all = self.arrivals.last().copied().unwrap_or(0);
        let short = u32::from(all) <= Steps::BITS;
        let later = if short { Steps::MAX.checked_shl(u32::from(past)).unwrap_or(0) } else { 0 };
        let loose = |b: Square| short && !self.packs(done, b);
        let mut rows: Vec<Steps> = Vec::with_capacity(position.boxes.len());
        let mut row_of = Vec::with_capacity(position.boxes.len());
        for &b in &position.boxes {
            row_of.push(loose(b).then_some(rows.len()));
            rows.extend(loose(b).then(|| self.serves[b as usize] & later));
        }
        Crew { columns: Columns::given(&rows), rows, row_of, later }
    }

    /// Is this square full after this step?
    #[inline]
    fn packs(&self, done: u16, square: Square) -> bool {
        self.matters(square) && self.line[usize::from(done)].contains(&square)
    }
}

/// The boxes of a position while one of them is carried about.
pub(crate) struct Roster<'p> {
    plan: &'p Plan,
    /// All of them, after so many steps.
    crew: Crew,
    done: u16,
    /// The one that is carried, and what the others can serve after as many steps as were asked for.
    carried: usize,
    others: Vec<(u16, Service)>,
}

impl<'p> Roster<'p> {
    pub(crate) fn new(plan: &'p Plan, position: &Position, done: u16) -> Self {
        Self { plan, crew: plan.crew(position, done), done, carried: 0, others: Vec::new() }
    }

    /// How many are early before one is carried.
    pub(crate) fn early(&self) -> u16 {
        self.crew.early()
    }

    /// The i-th is carried now.
    pub(crate) fn carry(&mut self, i: usize) {
        self.carried = i;
        self.others.clear();
    }

    /// How many boxes are astray and how many are early when that one has been carried to a square, and so many steps are done then.
    /// After another step others are early, and nobody asks.
    #[inline]
    pub(crate) fn serve(&mut self, position: &Position, done: u16, to: Square) -> (u16, u16) {
        let known = self.others.iter().find(|(steps, _)| *steps == done);
        let service = match known {
            Some((_, service)) => *service,
            None if done == self.done => self.crew.without(self.carried),
            None => self.plan.crew(position, done).without(self.carried),
        };
        if known.is_none() {
            self.others.push((done, service));
        }
        let row = self.plan.serves[to as usize] & service.later;
        let astray = service.later != 0 && row & service.open == 0 && !self.plan.packs(done, to);
        let early =
            if done == self.done { service.early + u16::from(is_early(row, service.later)) } else { 0 };
        (service.astray + u16::from(astray), early)
    }
}

/// Boxes with the steps that they can serve.
#[derive(Clone, Debug)]
struct Crew {
    rows: Vec<Steps>,
    /// By the number of the box; one that is packed has none.
    row_of: Vec<Option<usize>>,
    columns: Columns,
    /// The steps that are left.
    later: Steps,
}

impl Crew {
    /// How many of them are where they can serve none but steps after the next: they came too early, and may stand in its way.
    fn early(&self) -> u16 {
        self.rows.iter().filter(|&&row| is_early(row, self.later)).count() as u16
    }

    /// What all of them but the i-th box can serve.
    fn without(&self, i: usize) -> Service {
        let Self { rows, columns, later, .. } = self;
        let (early, row) = (self.early(), self.row_of[i]);
        let less = row.map(|row| columns.without(rows, row));
        let columns = less.as_ref().unwrap_or(columns);
        Service {
            astray: columns.left_over.len() as u16,
            early: early - u16::from(row.is_some_and(|row| is_early(rows[row], *later))),
            open: columns.open(rows) & later,
            later: *later,
        }
    }
}

/// What some boxes can serve.
#[derive(Clone, Copy, Debug)]
struct Service {
    /// How many of them have no step of their own, and how many came too early.
    astray: u16,
    early: u16,
    /// The steps of which one more box would have to serve one.
    open: Steps,
    /// The steps that are left.
    later: Steps,
}

/// Can a box that serves these steps not serve the next of those that are left?
#[inline]
fn is_early(row: Steps, later: Steps) -> bool {
    row != 0 && row & later & !(later << 1) == 0
}

#[cfg(test)]
mod tests {
    use super::super::carry::Carry;
    use super::*;
    use crate::make::make;
    use crate::text;
    use beeline_search::Budget;

    fn found(field: &Field, way: Way, seed: u64, bytes: Option<usize>) -> Option<Plan> {
        let mut meter = Meter::new(&Budget { bytes, ..Budget::default() });
        Planner::new(way, PATIENCE).settle(field, seed, &mut meter).expect("no limit").map(|(_, plan)| plan)
    }

    /// What one attempt finds at a glance.
    fn attempted(field: &Field, way: Way, patient: bool) -> Option<Plan> {
        let mut meter = Meter::new(&Budget::default());
        let effort = Effort { work: GLANCE, chance: 0, patient };
        let found = Planner::new(way, PATIENCE).attempt(field, effort, &mut meter);
        found.expect("no limit").map(|(_, plan)| plan)
    }

    fn plan(map: &str) -> (Field, Plan) {
        let board = text::parse(map).expect("a level").remove(0).board;
        let field = Field::new(&board);
        let plan = found(&field, Way::Pushing, 0, None).expect("a plan");
        (field, plan)
    }

    fn with(field: &Field, boxes: &[Square]) -> Position {
        let mut position = Position::new(field);
        for &at in boxes {
            position.put(at);
        }
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
        assert_eq!(plan.astray(&start, plan.done(&start)), 0);
        // On the last goal first: the two others can no longer get in.
        let shut = with(&field, &[board.goals()[2], board.boxes()[1], board.boxes()[2]]);
        assert_eq!(plan.astray(&shut, plan.done(&shut)), 0, "the box on the last goal can still go deeper");
        let corner = board.square(3, 3).expect("a square");
        let lost = with(&field, &[corner, board.boxes()[1], board.boxes()[2]]);
        assert_eq!(plan.astray(&lost, 0), 1);
    }

    #[test]
    fn every_step_of_a_plan_counts_one_more() {
        let mut waits = 0;
        for seed in 0..1000 {
            let side = 5 + seed as usize % 4;
            let Some(board) = make(side, side, 3 + seed as usize % 4, seed) else { continue };
            let field = Field::new(&board);
            for way in [Way::Pushing, Way::Pulling] {
                let Some(plan) = found(&field, way, seed % 3, None) else { continue };
                assert!(plan.line[0].is_empty());
                waits += usize::from(plan.line.len() > 1 + board.goals().len());
                for (step, full) in plan.line.iter().enumerate() {
                    let position = with(&field, full);
                    let done = plan.done(&position);
                    assert!(usize::from(done) >= step, "a later step may hold the same squares");
                    assert_eq!(plan.line[usize::from(done)].len(), full.len());
                    assert_eq!(plan.astray(&position, done), 0, "what is packed is not astray");
                    let others = with(&field, board.boxes());
                    assert!(usize::from(plan.astray(&others, done)) <= board.boxes().len());
                }
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
        assert_eq!(plan.crew(&with(&field, field.board().boxes()), 0).early(), 0);
        assert_eq!(plan.crew(&with(&field, &[second, outside]), 0).early(), 1);
        assert_eq!(plan.crew(&with(&field, &[first, outside]), 1).early(), 0);
        let position = with(&field, &[outside, second]);
        let mut roster = Roster::new(&plan, &position, 0);
        roster.carry(1);
        assert_eq!(roster.serve(&position, 0, second), (0, 1));
        assert_eq!(roster.serve(&position, 0, outside), (0, 0));
        assert_eq!(roster.serve(&with(&field, &[outside, first]), 1, first), (0, 0));
    }

    #[test]
    fn carried_boxes_are_counted_as_if_from_nothing() {
        let mut astray = 0;
        for seed in 0..300 {
            let Some(board) = make(7, 7, 4 + seed as usize % 4, seed) else { continue };
            let field = Field::new(&board);
            let Some(plan) = found(&field, Way::Pushing, 0, None) else { continue };
            let mut position = with(&field, board.boxes());
            let mut roster = Roster::new(&plan, &position, plan.done(&position));
            for i in 0..board.boxes().len() {
                roster.carry(i);
                for to in (0..field.squares() as Square).filter(|to| !board.boxes().contains(to)) {
                    position.shift(i, to);
                    let done = plan.done(&position);
                    let (count, early) = roster.serve(&position, done, to);
                    assert_eq!(count, plan.astray(&position, done));
                    if done == roster.done {
                        assert_eq!(early, plan.crew(&position, done).early());
                    }
                    astray += usize::from(count > 0);
                    position.shift(i, board.boxes()[i]);
                }
            }
        }
        assert!(astray > 1000, "{astray}");
    }

    /// From full to empty each step takes one box away to where some box starts, or pulls one aside.
    #[test]
    fn every_step_of_a_plan_can_be_made() {
        let mut steps = 0;
        for seed in 0..600 {
            let Some(board) = make(7, 7, 4 + seed as usize % 4, seed) else { continue };
            let field = Field::new(&board);
            for patient in [false, true] {
                let Some(plan) = attempted(&field, Way::Pushing, patient) else { continue };
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
                    let mut carry = Carry::new(&field);
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

    /// Once the first box has left nobody gets to where the others have to wait.
    #[test]
    fn boxes_wait_where_others_could_leave() {
        let map = "#######\n#  #* #\n## *  #\n#.  **#\n##$$. #\n##@#* #\n#######\n";
        let field = Field::new(&text::parse(map).expect("a level").remove(0).board);
        assert!(attempted(&field, Way::Pulling, false).is_none());
        assert!(attempted(&field, Way::Pulling, true).is_some());
    }

    #[test]
    fn without_room_there_is_no_plan() {
        let board = make(8, 8, 5, 1).expect("a board");
        let field = Field::new(&board);
        assert!(found(&field, Way::Pushing, 0, Some(100)).is_none());
        assert!(found(&field, Way::Pushing, 0, None).is_some());
    }
}
