//! One order in which the goals are to be filled, and the boxes that it leaves out.
//!
//! Looked at from behind: all goals are full, and boxes leave one by one by being pulled to where some box starts. Of those that
//! can leave, the one goes first that
//! need not be a box that has left already, and whose going gives most starting boxes a way in; so what would shut boxes out is filled late.
//! The order in which goals are filled is the one in which they were left, turned round.
//!
//! A box can serve a step of the order if it could be pushed to the step's goal while the goals of the earlier steps are
//! full. A box for which no step is left is *out of plan*: the order will shut it out unless it is moved first.

use super::super::board::Square;
use super::super::field::Field;
use super::super::walk::Position;
use super::carry::{Carry, Way};
use super::lost::matched_rows;
use super::terrain::Goals;

/// With more goals than this the starting boxes are not counted for every choice.
const MANY: usize = 32;

/// The order of a board's goals.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// Goals that hang together, each in the order in which they are filled.
    rows: Vec<Vec<Square>>,
    /// The step at which a goal is filled; the greatest number for other squares.
    step: Vec<u16>,
    /// For each square, the steps that a box on it could serve.
    serves: Vec<Goals>,
    goals: usize,
}

impl Order {
    /// Looks for an order; nothing if boxes would have to wait aside, or if there are too many goals.
    pub(crate) fn new(field: &Field) -> Option<Self> {
        let goals = field.board().goals();
        if goals.len() > Goals::BITS as usize {
            return None;
        }
        let mut peeler = Peeler::new(field);
        let order = peeler.run(field)?;
        let mut step = vec![u16::MAX; field.squares() + 1];
        for (i, &goal) in order.iter().enumerate() {
            step[goal as usize] = i as u16;
        }
        let mut serves = vec![0; field.squares()];
        for (i, &goal) in order.iter().enumerate() {
            for square in peeler.sources(field, &order[..i], goal) {
                serves[square as usize] |= 1 << i;
            }
        }
        let rows = rows(field, &order);
        Some(Self { rows, step, serves, goals: goals.len() })
    }

    /// Does a box that comes or goes here change the number of steps done?
    #[inline(always)]
    pub(crate) fn matters(&self, square: Square) -> bool {
        self.step[square as usize] != u16::MAX
    }

    /// How many steps are done: in every row of goals, those before the first that is open.
    pub(crate) fn done(&self, position: &Position) -> u16 {
        let filled = |row: &Vec<Square>| row.iter().take_while(|&&goal| position.boxed(goal)).count();
        self.rows.iter().map(filled).sum::<usize>() as u16
    }

    /// The goals that are next.
    pub(crate) fn next(&self, position: &Position) -> Vec<Square> {
        self.rows.iter().filter_map(|row| row.iter().copied().find(|&goal| !position.boxed(goal))).collect()
    }

    /// How many boxes have no step to serve.
    pub(crate) fn left_out(&self, position: &Position) -> u16 {
        let mut open: Goals = 0;
        let mut placed: Vec<Square> = Vec::new();
        for row in &self.rows {
            let filled = row.iter().take_while(|&&goal| position.boxed(goal)).count();
            placed.extend_from_slice(&row[..filled]);
            open |= row[filled..].iter().fold(0, |set, &goal| set | 1 << self.step[goal as usize]);
        }
        let loose = position.boxes.iter().filter(|b| !placed.contains(b));
        let lines: Vec<Goals> = loose.map(|&b| self.serves[b as usize] & open).collect();
        (lines.len() - matched_rows(&lines, self.goals)) as u16
    }
}

/// Goals that touch, also slantwise, belong to one row.
fn rows(field: &Field, order: &[Square]) -> Vec<Vec<Square>> {
    let near = field.near();
    let touch = |one: Square, two: Square| {
        near[one as usize]
            .iter()
            .any(|&s| s == two || (s as usize) < field.squares() && near[s as usize].contains(&two))
    };
    let mut rows: Vec<Vec<Square>> = Vec::new();
    for &goal in order {
        let (joined, mut apart): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|row| row.iter().any(|&other| touch(goal, other)));
        let mut row: Vec<Square> = joined.into_iter().flatten().chain([goal]).collect();
        row.sort_by_key(|goal| order.iter().position(|o| o == goal));
        apart.push(row);
        rows = apart;
    }
    rows
}

/// A box that can leave.
#[derive(Clone, Copy, Debug)]
struct Leaver {
    goal: Square,
    /// Where the player is then.
    player: Square,
    /// The starting boxes, by number, whose squares it can get to.
    exits: Goals,
}

/// Takes boxes off the full goals.
struct Peeler {
    carry: Carry,
    position: Position,
    starts: Vec<Square>,
    /// For each square the bit of the box that starts there.
    exit: Vec<Goals>,
    /// For every box that has left, the starting boxes that it may be.
    gone: Vec<Goals>,
}

impl Peeler {
    fn new(field: &Field) -> Self {
        let board = field.board();
        let starts: Vec<Square> = board.boxes().iter().copied().filter(|&b| !board.is_goal(b)).collect();
        let mut exit = vec![0; field.squares() + 1];
        for (i, &at) in starts.iter().enumerate().take(Goals::BITS as usize) {
            exit[at as usize] = 1 << i;
        }
        Self { carry: Carry::new(field), position: Position::new(field), starts, exit, gone: Vec::new() }
    }

    fn run(&mut self, field: &Field) -> Option<Vec<Square>> {
        let mut full: Vec<Square> = field.board().goals().to_vec();
        let mut order = Vec::with_capacity(full.len());
        let mut player = None;
        while !full.is_empty() {
            let mut free = self.free(field, &full, player);
            if free.is_empty() {
                free = self.free(field, &full, None);
            }
            let leaver = self.choose(field, &full, &free)?;
            if self.is_new(leaver.exits) {
                self.gone.push(leaver.exits);
            }
            full.retain(|&g| g != leaver.goal);
            order.push(leaver.goal);
            player = Some(leaver.player);
        }
        order.reverse();
        Some(order)
    }

    /// Can a box that leaves be another one than all that have left?
    fn is_new(&mut self, exits: Goals) -> bool {
        self.gone.push(exits);
        let matched = matched_rows(&self.gone, self.starts.len());
        self.gone.pop();
        matched > self.gone.len()
    }

    /// The boxes that can leave.
    fn free(&mut self, field: &Field, full: &[Square], player: Option<Square>) -> Vec<Leaver> {
        self.position.clear();
        for &at in full {
            self.position.put(at);
        }
        let mut free = Vec::new();
        for (i, &goal) in full.iter().enumerate() {
            self.carry.go(Way::Pulling, field, &mut self.position, i, player);
            let places = &self.carry.places;
            let exits = places.iter().fold(0, |set, place| set | self.exit[place.to as usize]);
            let last = places.iter().find(|place| self.exit[place.to as usize] != 0);
            free.extend(last.map(|place| Leaver { goal, player: place.player(field, Way::Pulling), exits }));
        }
        self.position.clear();
        free
    }

    /// The box to go first: one for which there is still a start, and then the one that lets most starting boxes in.
    fn choose(&mut self, field: &Field, full: &[Square], free: &[Leaver]) -> Option<Leaver> {
        let mut best: Option<((bool, usize, usize), Leaver)> = None;
        for &leaver in free {
            let rest: Vec<Square> = full.iter().copied().filter(|&g| g != leaver.goal).collect();
            let many = full.len() > MANY || free.len() == 1;
            let (admitted, any) = if many { (0, 0) } else { self.admitted(field, &rest) };
            let score = (self.is_new(leaver.exits), admitted, any);
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, leaver));
            }
        }
        best.map(|(_, leaver)| leaver)
    }

    /// How many starting boxes can have open goals of their own while these goals are full, and how many have any.
    fn admitted(&mut self, field: &Field, full: &[Square]) -> (usize, usize) {
        let mut lines: Vec<Goals> = vec![0; self.starts.len()];
        for (i, &goal) in field.board().goals().iter().enumerate() {
            if full.contains(&goal) {
                continue;
            }
            let sources = self.sources(field, full, goal);
            for (line, start) in lines.iter_mut().zip(&self.starts) {
                *line |= Goals::from(sources.contains(start)) << i;
            }
        }
        (matched_rows(&lines, field.board().goals().len()), lines.iter().filter(|&&line| line != 0).count())
    }

    /// The squares from which a lone box can be pushed to a goal while others are full.
    fn sources(&mut self, field: &Field, full: &[Square], goal: Square) -> Vec<Square> {
        for &at in full {
            self.position.wall_up(at);
        }
        self.position.put(goal);
        self.carry.go(Way::Pulling, field, &mut self.position, 0, None);
        self.position.clear();
        for &at in full {
            self.position.open(at);
        }
        self.carry.places.iter().map(|place| place.to).collect()
    }
}
