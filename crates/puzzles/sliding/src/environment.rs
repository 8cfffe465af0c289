//! Sliding blocks as a reinforcement-learning environment: each piece moves one cell up, down, left or right. Things are the
//! pieces, from 1.

use std::sync::Arc;

use beeline_puzzle::environment::{Acting, Environment, SpaceEnvironment};
use beeline_search::COMPACT;

use super::layout::Dir;
use super::space::{Face, Metric, Move, Roomy, Slide, State};
use super::{AnyBoard, Board, on_board};

/// The environment of a board. Pieces of one shape are interchangeable, which the distances exploit.
pub(crate) fn environment(board: &AnyBoard, face: &Arc<dyn Face>) -> Option<Box<dyn Environment>> {
    if COMPACT {
        return None;
    }
    on_board!(board, b => with_largest_key(b, face))
}

fn with_largest_key<const N: usize>(
    board: &Arc<Board<N>>,
    face: &Arc<dyn Face>,
) -> Option<Box<dyn Environment>> {
    let space = Slide::<N, Roomy>::new(Arc::clone(board), Arc::clone(face), Metric::Steps, true)?;
    Some(Box::new(SpaceEnvironment::new(space)))
}

impl<const N: usize> Slide<N, Roomy> {
    /// The cells of a piece with this first cell.
    fn cells(&self, piece: usize, first: usize) -> impl Iterator<Item = usize> {
        let cells = &self.board().layout.pieces[piece];
        cells.iter().map(move |cell| first + cell - cells[0])
    }
}

impl<const N: usize> Acting for Slide<N, Roomy> {
    fn shape(&self) -> (usize, usize) {
        (self.board().layout.height, self.board().layout.width)
    }

    fn actions(&self) -> usize {
        4 * self.board().pieces()
    }

    fn action_name(&self, action: usize) -> String {
        self.face.show(action / 4, &[Dir::number(action % 4)])
    }

    #[inline]
    fn action(&self, mv: Move) -> usize {
        4 * mv.piece as usize + mv.dir as usize
    }

    fn write(&self, state: &State<N>, board: &mut [u8]) {
        for piece in 0..self.board().pieces() {
            let first = self.board().shape(piece).cells[state.at[piece] as usize];
            for cell in self.cells(piece, first as usize) {
                board[cell] = piece as u8 + 1;
            }
        }
    }

    fn read(&self, board: &[u8]) -> Option<State<N>> {
        let anchor = |piece: usize| {
            let first = board.iter().position(|&thing| usize::from(thing) == piece + 1)?;
            self.board().shape(piece).anchor(first)
        };
        let anchors: Option<Vec<u16>> = (0..self.board().pieces()).map(anchor).collect();
        Some(self.state(anchors?.into_iter()))
    }
}
