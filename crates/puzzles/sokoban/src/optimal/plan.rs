//! Reconstructs the plan of a finished search from the stored costs.

use beeline_search::arena::NodeId;

use super::plan_writer::PlanWriter;
use super::search::{MeetingPoint, Search};
use super::store::{End, Stored};
use crate::bits::Bits;
use crate::board::{DIRS, Dir, Square};
use crate::optimal::Cost;

/// The player's square before a push, its direction, and the number of pushes.
type Push = (Square, Dir, Cost);

impl<const N: usize, C: Stored> Search<'_, N, C> {
    /// The steps of the plan through a meeting point; it costs `cost` in all.
    pub(crate) fn plan(&mut self, meeting: &MeetingPoint<N>, cost: Cost) -> Vec<Dir> {
        let path = self.path_to(meeting);
        let mut writer = PlanWriter::new(self.field);
        let mut paid = 0;
        for &(boxes, player, there) in &path {
            let wanted = |search: &Self, after: &[Square], at: Square, price: Cost| {
                paid + price == there && search.is_at(after, at, &boxes, player)
            };
            match self.push_where(&writer, wanted) {
                Some((from, dir, count)) => {
                    writer.walk_to(from);
                    (0..count).for_each(|_| writer.push(dir));
                    self.play_put_away(&mut writer);
                }
                None => break,
            }
            paid = there;
        }
        let mut left = cost - meeting.paid;
        while left > 0 {
            let now = left;
            let wanted = |search: &Self, after: &[Square], at: Square, price: Cost| {
                now.checked_sub(price).is_some_and(|rest| search.can_finish(after, at, rest))
            };
            let Some((from, dir, count)) = self.push_where(&writer, wanted) else { break };
            let walked = writer.steps.len();
            writer.walk_to(from);
            let walked = (writer.steps.len() - walked) as Cost;
            (0..count).for_each(|_| writer.push(dir));
            left -= walked * self.prices.walk + count * self.prices.push;
        }
        debug_assert!(
            writer.position.boxes.iter().all(|&b| self.field.board().is_goal(b)),
            "the plan solves:\n{}",
            crate::text::draw(self.field.board())
        );
        writer.steps
    }

    /// If a box is in the door of the goal room, puts it away.
    fn play_put_away(&self, writer: &mut PlanWriter<'_>) {
        let Some(room) = self.room.filter(|room| writer.position.boxed(room.door)) else { return };
        for &(from, dir) in room.next(&writer.position.boxes).into_iter().flat_map(|place| &place.pushes) {
            writer.walk_to(from);
            writer.push(dir);
        }
    }

    fn least(&self, boxes: &[Square], player: Square) -> (Bits<N>, Square) {
        self.symmetry.least(self.codec, &boxes.iter().copied(), player)
    }

    /// The forward states on the path to a meeting point, the root left out, with their costs.
    fn path_to(&mut self, meeting: &MeetingPoint<N>) -> Vec<(Bits<N>, Square, Cost)> {
        let mut path = Vec::new();
        let (mut boxes, mut player, mut paid) = (meeting.boxes, meeting.player, meeting.paid);
        while paid > 0 {
            path.push((boxes, player, paid));
            let Some(before) = self.before(&boxes, player, paid) else {
                debug_assert!(false, "a stored state has one before it");
                break;
            };
            (boxes, player, paid) = before;
        }
        path.reverse();
        path
    }

    /// Is this the stored state with these boxes and this player? Where walking is free, any square does that
    /// the player can reach (as of the last flood of `walk`).
    fn is_at(&self, after: &[Square], at: Square, boxes: &Bits<N>, player: Square) -> bool {
        if self.prices.walk > 0 {
            return self.least(after, at) == (*boxes, player);
        }
        if self.symmetry.is_trivial() {
            return self.walk.reaches(player) && self.least(after, at).0 == *boxes;
        }
        self.walk.reached().iter().any(|&square| self.least(after, square) == (*boxes, player))
    }

    /// Looks up players with these boxes: the box set in the store, and the player's square there. Without symmetry all players
    /// have the same box set, so it is looked up once: large boards have thousands of squares.
    fn stored<'a>(&'a self, boxes: &'a [Square]) -> impl Fn(Square) -> Option<(NodeId, Square)> + 'a {
        let look_up = |player| {
            let (bits, player) = self.least(boxes, player);
            Some((self.store.find(&bits)?, player))
        };
        let common = self.symmetry.is_trivial().then(|| look_up(self.position.player));
        move |player| match common {
            Some(found) => found.map(|(set, _)| (set, player)),
            None => look_up(player),
        }
    }

    /// A forward state from which one push leads to this one at this cost.
    fn before(&mut self, boxes: &Bits<N>, at: Square, paid: Cost) -> Option<(Bits<N>, Square, Cost)> {
        self.codec.unpack(boxes, &mut self.position);
        for (i, at, from, pushes) in self.pulls_from(at) {
            let to = self.position.boxes[i];
            self.position.shift(i, at);
            self.walk.flood(self.field, &self.position, from);
            let stored = self.stored(&self.position.boxes);
            let found = self.walk.reached().iter().find_map(|&player| {
                let (set, there) = stored(player)?;
                let price =
                    Cost::from(self.walk.distance(player)) * self.prices.walk + pushes * self.prices.push;
                let cost = self.store.cost(set, End::Front, there)?;
                (cost + price <= paid).then(|| (self.store.boxes(set), there, cost))
            });
            drop(stored);
            if found.is_some() {
                return found;
            }
            self.position.shift(i, to);
        }
        None
    }

    /// The pulls from here, or, where walking is free, from any square that the player can reach. Each is a
    /// box, its square after the pull, the player's square, and the number of pushes it stands for.
    fn pulls_from(&mut self, player: Square) -> Vec<(usize, Square, Square, Cost)> {
        self.walk.flood(self.field, &self.position, player);
        let (near, free) = (self.field.near(), self.prices.walk == 0);
        let put_away = self.room.and_then(|room| Some((room, room.last(&self.position.boxes)?)));
        let mut pulls = Vec::new();
        for (i, &boxed) in self.position.boxes.iter().enumerate() {
            // A box that was pushed to the door has been put away on this goal.
            let (to, pushes) = match put_away {
                Some((room, place)) if place.goal == boxed => (room.door, 1 + place.pushes.len() as Cost),
                _ => (boxed, 1),
            };
            for dir in DIRS {
                let mut at = near[to as usize][dir.back() as usize];
                if at != player && !(free && self.walk.reaches(at)) {
                    continue;
                }
                let mut pushes = pushes;
                // Pushed through a tunnel, it came from further away.
                loop {
                    let from = near[at as usize][dir.back() as usize];
                    if !self.position.free(from) {
                        break;
                    }
                    if self.field.useful(at) {
                        pulls.push((i, at, from, pushes));
                    }
                    if !self.tunnels.goes_on(at, dir) {
                        break;
                    }
                    (at, pushes) = (from, pushes + 1);
                }
            }
        }
        pulls
    }

    /// The first push for which `wanted` holds. It is called with the boxes and the player after the push,
    /// and with its cost.
    fn push_where(
        &mut self,
        writer: &PlanWriter<'_>,
        wanted: impl Fn(&Self, &[Square], Square, Cost) -> bool,
    ) -> Option<Push> {
        self.position.clone_from(&writer.position);
        let player = self.position.player;
        self.walk.flood(self.field, &self.position, player);
        let place = self.room.and_then(|room| room.next(&self.position.boxes));
        let mut pushes = Vec::new();
        for (i, &at) in self.position.boxes.iter().enumerate() {
            for dir in DIRS {
                let from = self.field.near()[at as usize][dir.back() as usize];
                let to = self.field.near()[at as usize][dir as usize];
                if !self.walk.reaches(from) || !self.position.free(to) {
                    continue;
                }
                let walk = Cost::from(self.walk.distance(from)) * self.prices.walk;
                // In a tunnel the box may go on, or stop where another path of equal cost brought it.
                let (mut to, mut behind, mut count) = (to, at, 1);
                loop {
                    let door = self.room.is_some_and(|room| room.door == to);
                    let (end, further) = match place {
                        Some(place) if door => (place.goal, place.pushes.len() as Cost),
                        _ => (to, 0),
                    };
                    let price = walk + (count + further) * self.prices.push;
                    if self.field.useful(end) {
                        pushes.push((i, (from, dir, count), end, behind, price));
                    }
                    let next = self.field.near()[to as usize][dir as usize];
                    if door || !self.tunnels.goes_on(to, dir) || !self.position.free(next) {
                        break;
                    }
                    (to, behind, count) = (next, to, count + 1);
                }
            }
        }
        for (i, push, to, behind, price) in pushes {
            let at = self.position.boxes[i];
            self.position.shift(i, to);
            let boxes = std::mem::take(&mut self.position.boxes);
            self.walk.flood(self.field, &self.position, behind);
            let hit = wanted(self, &boxes, behind, price);
            self.position.boxes = boxes;
            if hit {
                return Some(push);
            }
            self.position.shift(i, at);
        }
        None
    }

    /// Can the position be solved at exactly this cost, according to the stored backward states? `walk` must
    /// hold its reach.
    fn can_finish(&self, boxes: &[Square], player: Square, rest: Cost) -> bool {
        if rest == 0 {
            return boxes.iter().all(|&b| self.field.board().is_goal(b));
        }
        debug_assert_eq!(self.walk.distance(player), 0);
        let stored = self.stored(boxes);
        self.walk.reached().iter().any(|&from| {
            let walked = Cost::from(self.walk.distance(from)) * self.prices.walk;
            let left = stored(from).and_then(|(set, from)| self.store.cost(set, End::Back, from));
            left.is_some_and(|left| walked + left <= rest)
        })
    }
}
