//! Closed diagonals: a diagonal gap between boxes and walls that can only be opened by blocking it for ever.
//!
//! The middle squares of the diagonal are empty, the squares to their left and right are walls or boxes, and
//! both ends are closed. The shape alone proves nothing. So the boxes of the diagonal are searched with all
//! others off the board, as in the corral rule. The position is a deadlock only if they can never all get to
//! goals.

use super::corral::Corral;
use crate::board::{Dir, Square};
use crate::field::Field;
use crate::walk::Position;

/// Is there a deadlocked diagonal at the box on `square`, which was pushed last?
pub fn closed(field: &Field, position: &Position, square: Square, corral: &mut Corral) -> bool {
    for across in [Dir::Left, Dir::Right] {
        // The box may be the left or the right edge of a gap.
        let middle = field.near()[square as usize][across as usize];
        if !position.free(middle) {
            continue;
        }
        for slant in [Dir::Left, Dir::Right] {
            if let Some(boxes) = gap(field, position, middle, slant)
                && boxes.iter().any(|&b| !field.board().is_goal(b))
                && corral.unsolvable(field, &boxes, position.player)
            {
                return true;
            }
        }
    }
    false
}

/// The boxes around a closed gap through `middle`. The gap goes one square in direction `slant` for each row
/// upwards.
fn gap(field: &Field, position: &Position, middle: Square, slant: Dir) -> Option<Vec<Square>> {
    let mut boxes = Vec::new();
    for (rise, side) in [(Dir::Up, slant), (Dir::Down, slant.back())] {
        let mut at = middle;
        // The board is finite, so this ends.
        loop {
            let [left, right] = [Dir::Left, Dir::Right].map(|dir| field.near()[at as usize][dir as usize]);
            if position.free(left) || position.free(right) {
                return None;
            }
            boxes.extend([left, right].into_iter().filter(|&s| position.boxed(s)));
            // The next middle square is one row on and one column aside, reached by the edge square or the
            // square above.
            let above = field.near()[at as usize][rise as usize];
            if position.free(above) {
                return None;
            }
            boxes.extend(position.boxed(above).then_some(above));
            let edge = if side == Dir::Left { left } else { right };
            let Some(next) = beyond(field, edge, above, rise, side) else { break };
            if !position.free(next) {
                boxes.extend(position.boxed(next).then_some(next));
                break;
            }
            at = next;
        }
    }
    boxes.sort_unstable();
    boxes.dedup();
    Some(boxes)
}

/// The square one row on and one column aside, reached by whichever of the two squares between exists.
fn beyond(field: &Field, edge: Square, above: Square, rise: Dir, side: Dir) -> Option<Square> {
    let n = field.squares() as Square;
    let by = |square: Square, dir: Dir| (square < n).then(|| field.near()[square as usize][dir as usize]);
    by(edge, rise).or_else(|| by(above, side)).filter(|&s| s < n)
}
