//! Symmetric boards.
//!
//! If walls, doors, targets and the set of pieces are unchanged by a reflection or a half turn, a position and its image have
//! the same distance to the goal, and one of the two suffices. The image of a piece may be a piece of another shape, if there
//! are equally many of both shapes.

use super::board::Board;
use super::layout::Ground;
use super::mask::Mask;

/// A symmetry of a board that is its own inverse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mirror {
    /// The image of each shape.
    pub shapes: Vec<usize>,
    /// By shape and anchor: the image of the anchor, as an anchor of the image shape.
    pub anchors: Vec<Vec<u8>>,
}

impl Mirror {
    /// A symmetry of the board, if it has one: left and right, up and down, or a half turn.
    pub(super) fn of<const N: usize>(board: &Board<N>) -> Option<Self> {
        // A piece with an exact target has an image of its own shape, but it is unknown which piece that is.
        if board.layout.targets.iter().any(|target| target.exact) {
            return None;
        }
        [(false, true), (true, false), (true, true)].into_iter().find_map(|turn| Self::try_turn(board, turn))
    }

    /// Is the board unchanged when rows and columns are counted from the other end?
    fn try_turn<const N: usize>(board: &Board<N>, (rows, columns): (bool, bool)) -> Option<Self> {
        let layout = &board.layout;
        let width = layout.width;
        let open: Vec<usize> =
            (0..layout.ground.len()).filter(|&c| layout.ground[c] != Ground::Wall).collect();
        let ends = |place: fn(usize, usize) -> usize| {
            let all = || open.iter().map(|&c| place(c, width));
            Some((all().min()?, all().max()?))
        };
        let (top, bottom) = ends(|c, w| c / w)?;
        let (left, right) = ends(|c, w| c % w)?;
        // The image of each open cell, as a bit.
        let mut image = Vec::with_capacity(open.len());
        for &cell in &open {
            let (row, column) = (cell / width, cell % width);
            let row = if rows { top + bottom - row } else { row };
            let column = if columns { left + right - column } else { column };
            let to = row * width + column;
            if layout.ground[to] != layout.ground[cell] {
                return None;
            }
            image.push(open.binary_search(&to).ok()?);
        }
        let turned = |mask: &Mask<N>| Mask::of((0..open.len()).filter(|&b| mask.has(b)).map(|b| image[b]));
        let mut mirror = Self { shapes: Vec::new(), anchors: Vec::new() };
        for (k, shape) in board.shapes.iter().enumerate() {
            let first = turned(shape.masks.first()?);
            let alike = |&other: &usize| {
                let there = &board.shapes[other];
                (other == 0) == (k == 0)
                    && there.pieces.len() == shape.pieces.len()
                    && there.len() == shape.len()
                    && there.masks.contains(&first)
            };
            let other = (0..board.shapes.len()).find(alike)?;
            let masks = &board.shapes[other].masks;
            let anchor = |mask: &Mask<N>| {
                let wanted = turned(mask);
                let found = masks.iter().position(|m| *m == wanted)?;
                u8::try_from(found).ok()
            };
            mirror.anchors.push(shape.masks.iter().map(anchor).collect::<Option<_>>()?);
            mirror.shapes.push(other);
        }
        let kept = board.targets.iter().all(|(k, cells)| {
            let image = (mirror.shapes[*k], turned(cells));
            board.targets.contains(&image)
        });
        kept.then_some(mirror)
    }
}
