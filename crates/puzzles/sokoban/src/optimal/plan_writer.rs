//! Converts a sequence of pushes to the steps of a plan.

use crate::board::{DIRS, Dir, Square};
use crate::field::Field;
use crate::walk::{Position, Reach};

/// Records steps while pushes are replayed.
pub(crate) struct PlanWriter<'a> {
    field: &'a Field,
    walk: Reach,
    pub(crate) position: Position,
    pub(crate) steps: Vec<Dir>,
}

impl<'a> PlanWriter<'a> {
    /// At the start of the level.
    pub(crate) fn new(field: &'a Field) -> Self {
        Self { field, walk: Reach::new(field), position: Position::start(field), steps: Vec::new() }
    }

    /// Walks the shortest way to a square; `false`, and no step, if there is none.
    pub(crate) fn walk_to(&mut self, to: Square) -> bool {
        self.walk.flood(self.field, &self.position, to);
        let mut at = self.position.player;
        if !self.position.free(to) || !self.walk.reaches(at) {
            return false;
        }
        while at != to {
            let nearer = |dir: &Dir| {
                let next = self.field.near()[at as usize][*dir as usize];
                self.walk.reaches(next)
                    && self.position.free(next)
                    && self.walk.distance(next) < self.walk.distance(at)
            };
            let Some(dir) = DIRS.into_iter().find(nearer) else { break };
            self.steps.push(dir);
            at = self.field.near()[at as usize][dir as usize];
        }
        self.position.player = at;
        true
    }

    /// Pushes the box that stands next to the player in this direction.
    pub(crate) fn push(&mut self, dir: Dir) {
        let at = self.field.near()[self.position.player as usize][dir as usize];
        let to = self.field.near()[at as usize][dir as usize];
        if let Some(i) = self.position.boxes.iter().position(|&b| b == at) {
            self.position.shift(i, to);
            self.position.player = at;
            self.steps.push(dir);
        }
    }
}
