//! Goal rooms: when all goals lie behind one door, a box that comes to the door is put away at once.
//!
//! A door is a square that cuts the board in two: inside are all goals and no box, outside are all boxes. The
//! door has one neighbour outside. Every box must come to the door with the player behind it. From there it
//! costs at least what a lone box pays to its goal. Suppose the goals can be filled in some order at these
//! prices, with the player coming out again after each. Then no plan pays less inside. Any plan can be
//! changed, without an extra push, into one that fills the room in this order and puts each box away as soon
//! as it comes to the door. A box that is put away earlier blocks no other box, its later pushes outside are
//! left out, and the player need not enter otherwise. The number of pushes is preserved, the number of steps
//! is not.

use beeline_search::{Limit, Meter};

use crate::board::{DIRS, Dir, Square};
use crate::field::{FAR, FLOOD_WORK, Field};
use crate::walk::Position;

/// A sequence of pushes: the player's square before each, and its direction.
type PushSequence = Vec<(Square, Dir)>;
/// A box, and the player beside it.
type BoxAndPlayer = (Square, Square);

/// A goal room and the order in which it is filled.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    /// The door: a box that is pushed here is put away.
    pub(crate) door: Square,
    /// The neighbour of the door outside.
    pub(crate) before: Square,
    inside: Vec<bool>,
    order: Vec<Placement>,
}

/// How one box is put away.
#[derive(Clone, Debug)]
pub(crate) struct Placement {
    pub(crate) goal: Square,
    /// The pushes from the door on.
    pub(crate) pushes: PushSequence,
}

impl Room {
    /// Finds the largest goal room within the limits of a search. The search is abandoned after
    /// [`MOST_WORK`], since the level can be solved without a room.
    pub(crate) fn find(field: &Field, meter: &mut Meter) -> Result<Option<Self>, Limit> {
        if field.board().boxes().len() != field.board().goals().len() {
            return Ok(None);
        }
        let mut limit = WorkLimit { left: MOST_WORK, meter };
        let mut doors: Vec<(usize, Square)> = Vec::new();
        for at in 0..field.squares() as Square {
            limit.charge_flood(field)?;
            doors.extend(Door::new(field, at).map(|(size, _)| (size, at)));
        }
        doors.sort_by_key(|&(size, _)| std::cmp::Reverse(size));
        for (_, at) in doors {
            if !limit.charge_flood(field)? {
                break;
            }
            let Some((_, door)) = Door::new(field, at) else { continue };
            if let Some(order) = door.order(field, &mut limit)? {
                return Ok(Some(Self { door: at, before: door.before, inside: door.inside, order }));
            }
        }
        Ok(None)
    }

    /// Is this square inside the room? A box there stays where it is.
    #[inline]
    pub(crate) fn has(&self, square: Square) -> bool {
        self.inside[square as usize]
    }

    /// The next placement, with these boxes.
    pub(crate) fn next(&self, boxes: &[Square]) -> Option<&Placement> {
        self.order.get(self.filled(boxes))
    }

    /// The last placement made, with these boxes.
    pub(crate) fn last(&self, boxes: &[Square]) -> Option<&Placement> {
        self.order.get(self.filled(boxes).checked_sub(1)?)
    }

    fn filled(&self, boxes: &[Square]) -> usize {
        boxes.iter().filter(|&&b| self.has(b)).count()
    }
}

/// Work after which the search for a room is abandoned, in units of [`Meter::work`]: about two seconds. A
/// room that takes longer to find seldom saves as much.
const MOST_WORK: u64 = 1 << 31;

/// The work that the search for a room may still do.
struct WorkLimit<'a> {
    left: u64,
    meter: &'a mut Meter,
}

impl WorkLimit<'_> {
    /// Charges a flood fill of the board. Returns `false` when the work is used up.
    fn charge_flood(&mut self, field: &Field) -> Result<bool, Limit> {
        let work = FLOOD_WORK * field.squares() as u64;
        self.left = self.left.saturating_sub(work);
        self.meter.work(work)?;
        Ok(self.left > 0)
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
    /// The door at this square, and the number of squares inside.
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

    /// An order in which the goals can be filled at the price of lone boxes; `None` if there is none, or the work is
    /// used up.
    fn order(&self, field: &Field, limit: &mut WorkLimit<'_>) -> Result<Option<Vec<Placement>>, Limit> {
        let goals = field.board().goals();
        let mut left: Vec<usize> = (0..goals.len()).collect();
        let mut order = Vec::new();
        let mut position = Position::new(field);
        // Backwards: a goal that can be filled with many boxes inside can be filled with fewer, so any goal
        // that can be filled last may be. After the very last box the player need not come out.
        while !left.is_empty() {
            let must_leave = !order.is_empty();
            let mut found = None;
            for (i, &goal) in left.iter().enumerate() {
                position.set_boxes(left.iter().filter(|&&other| other != goal).map(|&other| goals[other]));
                if let Some(pushes) = self.pushes_to_goal(field, &position, goal, must_leave, limit)? {
                    found = Some((i, Placement { goal: goals[goal], pushes }));
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

    /// The pushes that take a box from the door to a goal at the price of a lone box, among boxes that stand
    /// still.
    fn pushes_to_goal(
        &self,
        field: &Field,
        others: &Position,
        goal: usize,
        must_leave: bool,
        limit: &mut WorkLimit<'_>,
    ) -> Result<Option<PushSequence>, Limit> {
        let price = field.goal_row(field.box_state(self.at, self.before))[goal];
        if price == FAR {
            return Ok(None);
        }
        let near = field.near();
        let start = (self.at, self.before);
        // Breadth first, with the pushes to each state stored beside it.
        let mut layer: Vec<(BoxAndPlayer, PushSequence)> = vec![(start, Vec::new())];
        for _ in 0..price {
            let mut next: Vec<(BoxAndPlayer, PushSequence)> = Vec::new();
            for ((at, player), pushes) in &layer {
                if !limit.charge_flood(field)? {
                    return Ok(None);
                }
                let reach = self.reach(field, others, *at, *player);
                for dir in DIRS {
                    let from = near[*at as usize][dir.back() as usize];
                    let to = near[*at as usize][dir as usize];
                    if !reach[from as usize] || !self.inside[to as usize] || !others.free(to) {
                        continue;
                    }
                    limit.charge_flood(field)?;
                    let after = self.reach(field, others, to, *at);
                    let known =
                        next.iter().any(|&((there, player), _)| there == to && after[player as usize]);
                    if !known {
                        let mut pushes = pushes.clone();
                        pushes.push((from, dir));
                        next.push(((to, *at), pushes));
                    }
                }
            }
            layer = next;
        }
        let goal = field.board().goals()[goal];
        Ok(layer.into_iter().find_map(|((at, player), pushes)| {
            let fits =
                at == goal && (!must_leave || self.reach(field, others, at, player)[self.before as usize]);
            fits.then_some(pushes)
        }))
    }

    /// The squares that the player can reach inside, with a box here.
    fn reach(&self, field: &Field, others: &Position, boxed: Square, player: Square) -> Vec<bool> {
        let mut reach = vec![false; field.squares() + 1];
        reach[player as usize] = true;
        let mut todo = vec![player];
        while let Some(square) = todo.pop() {
            for to in field.near()[square as usize] {
                let open = self.inside[to as usize] || to == self.at || to == self.before;
                if open && to != boxed && others.free(to) && !reach[to as usize] {
                    reach[to as usize] = true;
                    todo.push(to);
                }
            }
        }
        reach
    }
}
