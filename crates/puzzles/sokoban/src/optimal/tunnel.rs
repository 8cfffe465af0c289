//! Tunnels: a box that is pushed along one goes on to its end.
//!
//! A square is *narrow* along an axis if walls stand on both sides of it. Let a box be pushed from a narrow square B along its axis to the next one, C,
//! which is no goal and from which a box cannot be pushed sideways. The player is on B now, and can push on or step back to A, from where he came; the box can be
//! pushed on, or back to B. Suppose he steps back. Until the box on C moves, he has no business on B, and no other box can come there: the two would
//! hold each other for ever. So whatever else happens until then would happen just as well with the box still on B and C empty. If the box is pushed on in the
//! end, then the plan that leaves it on B and pushes twice in the end saves the two steps to A and back; if it is pushed back, the plan that never pushes it walks one step
//! instead of two pushes and one. So *every* plan with the fewest moves pushes on at once, and so does every plan with the fewest moves among those with the
//! fewest pushes. A push that cannot go on is of no use.
//!
//! Read backwards: let the squares before and behind C both be narrow, C no goal, no place of a box at the start, and let a box that comes to C from a side come
//! from where no box can be. Then no box ever rests on C: whoever pushed it there, from either end, pushed on.
//!
//! A pocket that comes first (`pi-corral`) goes well with it: where a box is pushed into the pocket through a tunnel, the squares that it goes on to belong
//! to the pocket, so all these pushes can be brought forward together.

use crate::board::{DIRS, Dir, Square};
use crate::field::Field;

/// Where boxes do not stop.
#[derive(Clone, Debug)]
pub(crate) struct Tunnels {
    /// By square, one bit a direction: a box that is pushed here this way goes on.
    on: Vec<u8>,
    /// The same: a box that is pushed from here this way was pushed here this way just before.
    through: Vec<u8>,
}

impl Tunnels {
    pub(crate) fn new(field: &Field) -> Self {
        let (near, board) = (field.near(), field.board());
        let wall = |s: Square| s as usize == field.squares();
        let sides = |s: Square, dir: Dir| dir.sides().map(|side| near[s as usize][side as usize]);
        let narrow = |s: Square, dir: Dir| !wall(s) && sides(s, dir).into_iter().all(wall);
        // Is there nowhere for a box to be?
        let closed = |s: Square| wall(s) || !field.useful(s);
        let mut tunnels = Self::none(field);
        for square in (0..field.squares() as Square).filter(|&s| !board.is_goal(s)) {
            for dir in DIRS {
                let behind = near[square as usize][dir.back() as usize];
                let [a, b] = sides(square, dir);
                let stays = (closed(a) || wall(b)) && (closed(b) || wall(a));
                tunnels.on[square as usize] |= u8::from(stays && narrow(behind, dir)) << dir as u8;
            }
            let both = |dir: Dir| tunnels.goes_on(square, dir) && tunnels.goes_on(square, dir.back());
            let shut = |dir: Dir| sides(square, dir).into_iter().all(closed);
            let rests = board.boxes().contains(&square);
            let ways = DIRS.into_iter().filter(|&dir| !rests && both(dir) && shut(dir));
            tunnels.through[square as usize] = ways.map(|dir| 1 << dir as u8).sum();
        }
        tunnels
    }

    /// No tunnels.
    pub(crate) fn none(field: &Field) -> Self {
        let n = field.squares() + 1;
        Self { on: vec![0; n], through: vec![0; n] }
    }

    /// Does a box that was pushed here in this direction go on?
    #[inline(always)]
    pub(crate) fn goes_on(&self, square: Square, dir: Dir) -> bool {
        self.on[square as usize] >> dir as u8 & 1 != 0
    }

    /// Has a box that is pushed on from here in this direction just been pushed here?
    #[inline(always)]
    pub(crate) fn through(&self, square: Square, dir: Dir) -> bool {
        self.through[square as usize] >> dir as u8 & 1 != 0
    }
}
