//! A plan as its pushes, with the position after each push.

use super::super::board::{Dir, Square};
use super::super::field::Field;
use super::super::optimal::PlanWriter;

/// A push: the player's square before it, and its direction.
pub(crate) type Push = (Square, Dir);

/// A valid plan: position 0 is the start of the level, position `i` the one after the `i`-th push.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    pushes: Vec<Push>,
    steps: Vec<Dir>,
    /// Words per set of squares.
    words: usize,
    /// The boxes of each position, as bit sets side by side.
    boxes: Vec<u64>,
    /// The player's square in each position.
    players: Vec<Square>,
    /// Moves from the start to each position.
    moves: Vec<u32>,
}

impl Route {
    /// Replays these pushes with the shortest walks between them. `None` if a push is impossible or the level
    /// is not solved at the end.
    pub(crate) fn new(field: &Field, pushes: Vec<Push>) -> Option<Self> {
        let mut writer = PlanWriter::new(field);
        let words = field.squares().div_ceil(64);
        let (mut boxes, mut players, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        let mut note = |writer: &PlanWriter<'_>| {
            let first = boxes.len();
            boxes.resize(first + words, 0u64);
            for &at in &writer.position.boxes {
                boxes[first + usize::from(at) / 64] |= 1 << (at % 64);
            }
            players.push(writer.position.player);
            moves.push(writer.steps.len() as u32);
        };
        note(&writer);
        for &(from, dir) in &pushes {
            let at = *field.near().get(usize::from(from))?.get(dir as usize)?;
            let to = if usize::from(at) < field.squares() {
                field.near()[usize::from(at)][dir as usize]
            } else {
                return None;
            };
            if !writer.walk_to(from) || !writer.position.boxed(at) || !writer.position.free(to) {
                return None;
            }
            writer.push(dir);
            note(&writer);
        }
        let solved = writer.position.boxes.iter().all(|&at| field.board().is_goal(at));
        solved.then_some(Self { pushes, steps: writer.steps, words, boxes, players, moves })
    }

    /// The steps of the player.
    pub(crate) fn steps(&self) -> &[Dir] {
        &self.steps
    }

    /// The pushes.
    pub(crate) fn pushes(&self) -> &[Push] {
        &self.pushes
    }

    /// The number of the last position.
    pub(crate) fn last(&self) -> usize {
        self.pushes.len()
    }

    /// The boxes of a position, as a set of squares.
    pub(crate) fn boxes(&self, position: usize) -> &[u64] {
        &self.boxes[position * self.words..(position + 1) * self.words]
    }

    /// The player's square in a position.
    pub(crate) fn player(&self, position: usize) -> Square {
        self.players[position]
    }

    /// The index of the position that has the boxes and the player of a position of another plan. In the last
    /// position the player may be anywhere.
    pub(crate) fn find(&self, other: &Self, position: usize) -> Option<usize> {
        let at_end = position == other.last();
        (0..=self.last()).find(|&i| {
            self.boxes(i) == other.boxes(position)
                && (self.player(i) == other.player(position) || at_end && i == self.last())
        })
    }

    /// Moves and pushes from the start to a position.
    pub(crate) fn cost(&self, position: usize) -> (u32, u32) {
        (self.moves[position], position as u32)
    }

    /// Moves and pushes of the plan if a detour of this cost replaced the part between two positions. The
    /// walk after the detour stays the same, since the player's square is the same.
    pub(crate) fn with_detour(&self, from: usize, detour: (u32, u32), to: usize) -> (u32, u32) {
        let (total, from, to) = (self.total(), self.cost(from), self.cost(to));
        (total.0 + from.0 + detour.0 - to.0, total.1 + from.1 + detour.1 - to.1)
    }

    /// Moves and pushes of the whole plan.
    pub(crate) fn total(&self) -> (u32, u32) {
        self.cost(self.last())
    }
}
