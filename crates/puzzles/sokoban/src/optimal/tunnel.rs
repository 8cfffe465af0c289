//! Tunnels: a box that is pushed along one goes on to its end.
//!
//! A square is *narrow* along an axis if it has walls on both sides. Let a box be pushed from a narrow square
//! B along its axis to the next square C. C is no goal, and a box on it cannot be pushed sideways. The player
//! is on B now, and can push on or step back to A, from where he came. The box can be pushed on, or back to
//! B. Suppose he steps back. Until the box on C moves, the player has no use for B, and no other box can come
//! there: the two would block each other for ever. So all other moves until then are equally possible with
//! the box still on B and C empty. If the box is pushed on in the end, the plan that leaves it on B and then
//! pushes twice saves the two steps to A and back. If it is pushed back, the plan that never pushes it walks
//! one step instead of two pushes and one. So *every* plan with the fewest moves pushes on at once. So does
//! every plan with the fewest moves among those with the fewest pushes. A push that cannot go on is pruned.
//!
//! Backwards: let the squares before and behind C both be narrow. C is no goal and no square of a box at the
//! start, and no box can stand on the squares beside it. Then no box ever rests on C: it was pushed on, from
//! either end.
//!
//! The rule is compatible with PI-corrals. Where a box is pushed into a corral through a tunnel, the squares
//! that it goes on to belong to the corral. So all these pushes can be brought forward together.

use crate::board::{DIRS, Dir, Square};
use crate::field::Field;

/// The squares on which boxes do not stop.
#[derive(Clone, Debug)]
pub(crate) struct Tunnels {
    /// By square, one bit per direction: a box that is pushed here in this direction goes on.
    on: Vec<u8>,
    /// By square, one bit per direction: a box that is pushed from here in this direction was pushed here in
    /// this direction just before.
    through: Vec<u8>,
}

impl Tunnels {
    pub(crate) fn new(field: &Field) -> Self {
        let (near, board) = (field.near(), field.board());
        let wall = |s: Square| s as usize == field.squares();
        let sides = |s: Square, dir: Dir| dir.sides().map(|side| near[s as usize][side as usize]);
        let narrow = |s: Square, dir: Dir| !wall(s) && sides(s, dir).into_iter().all(wall);
        // Can no box stand here?
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

    /// Was a box that is pushed from here in this direction pushed here in this direction just before?
    #[inline(always)]
    pub(crate) fn through(&self, square: Square, dir: Dir) -> bool {
        self.through[square as usize] >> dir as u8 & 1 != 0
    }
}
