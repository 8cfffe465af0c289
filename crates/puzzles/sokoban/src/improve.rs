//! Shortens a plan without ever giving up a valid one.
//!
//! A stretch of the plan is a problem of its own: from the position at its beginning to the boxes at its end. The proving
//! solver is given these, first for short stretches and then for longer ones, a little work each. A shorter stretch is put
//! in the place of the old one, and the player then walks to where the rest of the plan expects it.

use std::time::Duration;

use beeline_search::clock::Instant;
use beeline_search::{Budget, Meter, Verdict};

use super::board::{Board, Dir, Square};
use super::field::Field;
use super::solve::{Objective, Pen, best};

/// How many pushes a stretch has at first, and at most.
const STRETCH: (usize, usize) = (4, 60);
/// States expanded for one stretch.
const WORK: u64 = 3000;

/// A plan as its pushes: where the player stands, and which way.
pub(crate) type Pushes = Vec<(Square, Dir)>;

/// A plan that is no longer than this one and solves the same level. The plan must be valid; one that is not comes back
/// unchanged. Ends when nothing more is found, or with the budget's time or nodes, or when it is cancelled.
pub fn improve(board: &Board, plan: &[Dir], budget: &Budget) -> Vec<Dir> {
    let until = budget.time.and_then(|t| Instant::now().checked_add(t));
    let Ok(field) = Field::within(board, false, &mut Meter::new(budget)) else { return plan.to_vec() };
    let Some(pushes) = pushes_of(&field, plan) else { return plan.to_vec() };
    let mut work =
        Work { board, field: &field, pushes, until, left: budget.nodes.unwrap_or(u64::MAX), budget };
    let mut size = STRETCH.0;
    while size <= STRETCH.1 && !work.over() {
        if !work.pass(size) {
            size = size * 3 / 2;
        }
    }
    let steps = work.steps(&work.pushes).filter(|steps| steps.len() < plan.len());
    steps.unwrap_or_else(|| plan.to_vec())
}

/// The pushes of a plan, if it is valid and solves the level.
pub(crate) fn pushes_of(field: &Field, plan: &[Dir]) -> Option<Pushes> {
    let mut pen = Pen::new(field);
    let mut pushes = Vec::new();
    for &dir in plan {
        let to = field.near()[pen.position.player as usize][dir as usize];
        if pen.position.boxed(to) {
            if !pen.position.free(field.near()[to as usize][dir as usize]) {
                return None;
            }
            pushes.push((pen.position.player, dir));
            pen.push(dir);
        } else if pen.position.free(to) {
            pen.position.player = to;
        } else {
            return None;
        }
    }
    pen.position.boxes.iter().all(|&b| field.board().is_goal(b)).then_some(pushes)
}

struct Work<'a> {
    board: &'a Board,
    field: &'a Field,
    pushes: Pushes,
    until: Option<Instant>,
    /// States that may still be expanded.
    left: u64,
    budget: &'a Budget,
}

impl Work<'_> {
    fn over(&self) -> bool {
        self.left == 0 || self.budget.cancel.is_cancelled() || self.until.is_some_and(|t| Instant::now() >= t)
    }

    /// The steps that make these pushes; `None` if the player cannot get to one of them.
    fn steps(&self, pushes: &[(Square, Dir)]) -> Option<Vec<Dir>> {
        let mut pen = Pen::new(self.field);
        for &(from, dir) in pushes {
            if !pen.walk_to(from) {
                return None;
            }
            pen.push(dir);
        }
        Some(pen.steps)
    }

    /// Tries every stretch of this many pushes once, each begun half a stretch after the one before; did one get shorter?
    fn pass(&mut self, size: usize) -> bool {
        let mut shorter = false;
        let mut from = 0;
        while from < self.pushes.len() && !self.over() {
            shorter |= self.stretch(from, (from + size).min(self.pushes.len()));
            from += (size / 2).max(1);
        }
        shorter
    }

    fn stretch(&mut self, from: usize, to: usize) -> bool {
        let mut pen = Pen::new(self.field);
        for &(at, dir) in &self.pushes[..from] {
            pen.walk_to(at);
            pen.push(dir);
        }
        let (player, boxes) = (pen.position.player, pen.position.boxes.clone());
        for &(at, dir) in &self.pushes[from..to] {
            pen.walk_to(at);
            pen.push(dir);
        }
        let part = self.board.with_goals(player, &boxes, &pen.position.boxes);
        let budget = Budget {
            nodes: Some(WORK.min(self.left)),
            bytes: Some(64 << 20),
            time: self
                .until
                .map(|t| t.saturating_duration_since(Instant::now()).max(Duration::from_millis(1))),
            cancel: self.budget.cancel.clone(),
            checkpoint: None,
        };
        let outcome = best(&part, Objective::Moves, &budget, &mut ());
        // Setting up a stretch is work too.
        self.left = self.left.saturating_sub(outcome.stats.expanded + 50);
        let Verdict::Solved(solution) = outcome.verdict else { return false };
        let Ok(field) = Field::within(&part, false, &mut Meter::new(&budget)) else { return false };
        let Some(middle) = pushes_of(&field, &solution.moves) else { return false };
        let mut pushes = self.pushes[..from].to_vec();
        pushes.extend(middle);
        pushes.extend_from_slice(&self.pushes[to..]);
        let (Some(new), Some(old)) = (self.steps(&pushes), self.steps(&self.pushes)) else { return false };
        if new.len() < old.len() {
            self.pushes = pushes;
            return true;
        }
        false
    }
}
