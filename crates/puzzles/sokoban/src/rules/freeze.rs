//! Freeze deadlocks: a box off goal that can never move again.
//!
//! A box cannot move along an axis if there is a wall on either side, if both sides are dead squares, or if a
//! box on either side is frozen. While that box is tested, the first one counts as a wall. So cycles of boxes
//! that block each other are found, and the recursion ends.

use crate::board::{Dir, Square};
use crate::field::Field;
use crate::walk::Position;

/// Boxes visited by one freeze test. Past it a box counts as free, which is always sound. Without a limit, a
/// large group of boxes is visited along every path through it.
const FREEZE_VISITS: u32 = 200;

/// Is the box on `square`, or a box beside it, frozen off goal?
pub fn frozen(field: &Field, position: &mut Position, square: Square) -> bool {
    if !stuck(field, position, square, &mut FREEZE_VISITS.clone()) {
        return false;
    }
    if !field.board().is_goal(square) {
        return true;
    }
    field.near()[square as usize].into_iter().any(|beside| {
        position.boxed(beside)
            && !field.board().is_goal(beside)
            && stuck(field, position, beside, &mut FREEZE_VISITS.clone())
    })
}

/// Can the box never move again?
pub fn stuck(field: &Field, position: &mut Position, square: Square, budget: &mut u32) -> bool {
    blocked(field, position, square, [Dir::Left, Dir::Right], budget)
        && blocked(field, position, square, [Dir::Up, Dir::Down], budget)
}

fn blocked(field: &Field, position: &mut Position, square: Square, axis: [Dir; 2], budget: &mut u32) -> bool {
    let [one, other] = axis.map(|dir| field.near()[square as usize][dir as usize]);
    if position.walled(one) || position.walled(other) {
        return true;
    }
    // Neither side is a wall now, so both are squares.
    if !field.alive(one) && !field.alive(other) {
        return true;
    }
    if *budget == 0 {
        return false;
    }
    *budget -= 1;
    position.count_as_wall(square, true);
    let held = (position.boxed(one) && stuck(field, position, one, budget))
        || (position.boxed(other) && stuck(field, position, other, budget));
    position.count_as_wall(square, false);
    held
}
