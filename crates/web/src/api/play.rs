//! `POST /api/play`: the board after some steps, and what can be done there.

use serde::Serialize;

use super::Position;
use crate::board::Board;
use crate::gesture::{Gesture, gestures};
use crate::limits::Limits;
use crate::reply::Refusal;

#[derive(Serialize)]
pub(crate) struct Answer {
    board: Board,
    moves: Vec<Gesture>,
    solved: bool,
    /// How many of the steps were played.
    played: usize,
    /// Why the next one was not.
    refused: Option<String>,
}

/// Replays a game.
pub(crate) fn play(position: &Position, limits: &Limits) -> Result<Answer, Refusal> {
    let (mut game, refused) = position.game(limits)?;
    let scene = game.scene();
    let moves = gestures(&mut *game, &scene);
    Ok(Answer {
        board: Board::new(&scene),
        moves,
        solved: game.solved(),
        played: game.history().len(),
        refused,
    })
}
