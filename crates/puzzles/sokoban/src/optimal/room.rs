//! Goal rooms: when all goals lie behind one door, a box that comes to the door is put away at once.
//!
//! A door is a square that cuts the board in two: inside are all goals and no box, outside are all boxes, and the door has
//! one neighbour outside. Every box must come to the door with the player behind it. From there it costs at least what a lone box pays to
//! its goal, whoever else is inside; so if the goals can be filled in some order at these prices, the player coming out again after each,
//! no plan pays less inside. Then any plan can be changed, without one push more, into one that fills the room in this order and puts
//! each box away as soon as it comes to the door: a box that is put away earlier is in nobody's way, what it would have done outside after that is
//! left out, and the player has no other business inside. Steps are not preserved, only pushes.

use beeline_search::{Limit, Meter};

use crate::board::{DIRS, Dir, Square};
use crate::field::{FAR, FLOOD, Field};
use crate::walk::Position;

/// Where the player stands and how he pushes, one push after another.
type Way = Vec<(Square, Dir)>;
/// A box, and the player beside it.
type Stop = (Square, Square);

/// A room and the order in which it is filled.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    /// A box that is pushed here is put away.
    pub(crate) door: Square,
    /// The square before it, outside.
    pub(crate) before: Square,
    inside: Vec<bool>,
    order: Vec<Place>,
}

/// How a box is put away.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) goal: Square,
    /// From the door on.
    pub(crate) pushes: Way,
}

impl Room {
    /// The largest room of this kind, within the limits of a search. Where there are many doors and long ways, the search for one is
    /// given up after [`MOST_WORK`]: the puzzle can be solved without.
    pub(crate) fn find(field: &Field, meter: &mut Meter) -> Result<Option<Self>, Limit> {
        if field.board().boxes().len() != field.board().goals().len() {
            return Ok(None);
        }
        let mut effort = Effort { left: MOST_WORK, meter };
        let mut doors: Vec<(usize, Square)> = Vec::new();
        for at in 0..field.squares() as Square {
            effort.flood(field)?;
            doors.extend(Door::new(field, at).map(|(size, _)| (size, at)));
        }
        doors.sort_by_key(|&(size, _)| std::cmp::Reverse(size));
        for (_, at) in doors {
            effort.flood(field)?;
            let Some((_, door)) = Door::new(field, at) else { continue };
            match door.order(field, &mut effort) {
                Ok(Some(order)) => {
                    return Ok(Some(Self { door: at, before: door.before, inside: door.inside, order }));
                }
                Ok(None) => {}
                Err(Tired::GivenUp) => break,
                Err(Tired::Limit(limit)) => return Err(limit),
            }
        }
        Ok(None)
    }

    /// Does a box here stay where it is?
    #[inline]
    pub(crate) fn has(&self, square: Square) -> bool {
        self.inside[square as usize]
    }

    /// How the next box is put away, while these boxes are where they are.
    pub(crate) fn next(&self, boxes: &[Square]) -> Option<&Place> {
        self.order.get(self.filled(boxes))
    }

    /// How the last box was put away.
    pub(crate) fn last(&self, boxes: &[Square]) -> Option<&Place> {
        self.order.get(self.filled(boxes).checked_sub(1)?)
    }

    fn filled(&self, boxes: &[Square]) -> usize {
        boxes.iter().filter(|&&b| self.has(b)).count()
    }
}

/// The search for a room is given up after so much work, in units of [`Meter::work`]: about two seconds. A room that takes longer to find
/// seldom saves as much.
const MOST_WORK: u64 = 1 << 31;

/// What the search for a room may still cost.
struct Effort<'a> {
    left: u64,
    meter: &'a mut Meter,
}

/// Why the search for a room ends early.
enum Tired {
    /// It takes longer than a room is worth.
    GivenUp,
    Limit(Limit),
}

impl From<Limit> for Tired {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl Effort<'_> {
    /// Pays for a flood over the board.
    fn flood(&mut self, field: &Field) -> Result<(), Limit> {
        let work = FLOOD * field.squares() as u64;
        self.left = self.left.saturating_sub(work);
        self.meter.work(work)
    }

    /// The same, unless that is too much.
    fn try_flood(&mut self, field: &Field) -> Result<(), Tired> {
        self.flood(field)?;
        if self.left == 0 { Err(Tired::GivenUp) } else { Ok(()) }
    }
}

/// A square that may be the door of a room.
struct Door {
    at: Square,
    /// Its neighbour outside.
    before: Square,
    inside: Vec<bool>,
}

impl Door {
    /// The door at this square, and how many squares lie behind it.
    fn new(field: &Field, at: Square) -> Option<(usize, Self)> {
        let (n, board, near) = (field.squares(), field.board(), field.near());
        if board.is_goal(at) || board.boxes().contains(&at) {
            return None;
        }
        let mut inside = vec![false; n + 1];
        let mut todo = vec![*board.goals().first()?];
        inside[todo[0] as usize] = true;
        let mut size = 0;
        while let Some(square) = todo.pop() {
            size += 1;
            for to in near[square as usize] {
                if (to as usize) < n && to != at && !std::mem::replace(&mut inside[to as usize], true) {
                    todo.push(to);
                }
            }
        }
        let mut outside = near[at as usize].into_iter().filter(|&s| (s as usize) < n && !inside[s as usize]);
        let before = outside.next()?;
        let fits = outside.next().is_none()
            && board.goals().iter().all(|&goal| inside[goal as usize])
            && !board.boxes().iter().any(|&b| inside[b as usize]);
        fits.then_some((size, Self { at, before, inside }))
    }

    /// The order in which the goals can be filled at the price of lone boxes.
    fn order(&self, field: &Field, effort: &mut Effort<'_>) -> Result<Option<Vec<Place>>, Tired> {
        let goals = field.board().goals();
        let mut left: Vec<usize> = (0..goals.len()).collect();
        let mut order = Vec::new();
        let mut position = Position::new(field);
        // From behind: what can be filled among many can be filled among fewer, so any that will do may be the last. After the very
        // last the player need not come out.
        while !left.is_empty() {
            let must_leave = !order.is_empty();
            let mut found = None;
            for (i, &goal) in left.iter().enumerate() {
                position.lay(left.iter().filter(|&&other| other != goal).map(|&other| goals[other]));
                if let Some(pushes) = self.way(field, &position, goal, must_leave, effort)? {
                    found = Some((i, Place { goal: goals[goal], pushes }));
                    break;
                }
            }
            let Some((i, place)) = found else { return Ok(None) };
            left.remove(i);
            order.push(place);
        }
        order.reverse();
        Ok(Some(order))
    }

    /// Takes a box from the door to a goal at the price of a lone box, among boxes that stand still.
    fn way(
        &self,
        field: &Field,
        others: &Position,
        goal: usize,
        must_leave: bool,
        effort: &mut Effort<'_>,
    ) -> Result<Option<Way>, Tired> {
        let price = field.goal_row(field.box_state(self.at, self.before))[goal];
        if price == FAR {
            return Ok(None);
        }
        let near = field.near();
        let start = (self.at, self.before);
        // Layer by layer; the way to a state is written down as it is met.
        let mut layer: Vec<(Stop, Way)> = vec![(start, Vec::new())];
        for _ in 0..price {
            let mut next: Vec<(Stop, Way)> = Vec::new();
            for ((at, player), way) in &layer {
                effort.try_flood(field)?;
                let ground = self.ground(field, others, *at, *player);
                for dir in DIRS {
                    let from = near[*at as usize][dir.back() as usize];
                    let to = near[*at as usize][dir as usize];
                    if !ground[from as usize] || !self.inside[to as usize] || !others.free(to) {
                        continue;
                    }
                    effort.try_flood(field)?;
                    let after = self.ground(field, others, to, *at);
                    let known =
                        next.iter().any(|&((there, player), _)| there == to && after[player as usize]);
                    if !known {
                        let mut way = way.clone();
                        way.push((from, dir));
                        next.push(((to, *at), way));
                    }
                }
            }
            layer = next;
        }
        let goal = field.board().goals()[goal];
        Ok(layer.into_iter().find_map(|((at, player), way)| {
            let fine =
                at == goal && (!must_leave || self.ground(field, others, at, player)[self.before as usize]);
            fine.then_some(way)
        }))
    }

    /// Where the player can go inside, with a box here.
    fn ground(&self, field: &Field, others: &Position, boxed: Square, player: Square) -> Vec<bool> {
        let mut ground = vec![false; field.squares() + 1];
        ground[player as usize] = true;
        let mut todo = vec![player];
        while let Some(square) = todo.pop() {
            for to in field.near()[square as usize] {
                let open = self.inside[to as usize] || to == self.at || to == self.before;
                if open && to != boxed && others.free(to) && !ground[to as usize] {
                    ground[to as usize] = true;
                    todo.push(to);
                }
            }
        }
        ground
    }
}
