//! Plans in the usual Sokoban letters: l r u d walk, L R U D push.

use super::board::{Board, Dir, NOWHERE};
use crate::text::TextError;

/// Splits a plan in l r u d L R U D into steps. Blanks and line ends may occur anywhere, and a number repeats the next letter.
pub fn read_plan(text: &str) -> Result<Vec<String>, TextError> {
    const MOST: usize = 10_000_000;
    let mut steps = Vec::new();
    let mut run: Option<usize> = None;
    for (at, letter) in text.char_indices() {
        if letter.is_whitespace() {
            continue;
        }
        if let Some(digit) = letter.to_digit(10) {
            run = Some((run.unwrap_or(0) * 10 + digit as usize).min(MOST));
            continue;
        }
        let span = at..at + letter.len_utf8();
        if Dir::of(letter).is_none() {
            return Err(TextError::new(span, format!("unknown step {letter:?}"), "one of l r u d L R U D"));
        }
        let count = run.take().unwrap_or(1);
        if steps.len() + count > MOST {
            return Err(TextError::new(span, "a plan of more than ten million steps", "a shorter plan"));
        }
        steps.extend((0..count).map(|_| letter.to_string()));
    }
    match run {
        Some(_) => Err(TextError::new(text.len()..text.len(), "a number with no step behind it", "a letter")),
        None => Ok(steps),
    }
}

/// A function that names one step after another from the start.
pub fn lettering(board: &Board) -> impl FnMut(Dir) -> String + '_ {
    let mut player = board.player();
    let mut boxed = vec![false; board.squares()];
    for &at in board.boxes() {
        boxed[at as usize] = true;
    }
    move |dir| {
        let to = board.next(player, dir);
        let push = std::mem::take(&mut boxed[to as usize]);
        if push {
            boxed[board.next(to, dir) as usize] = true;
        }
        player = to;
        dir.letter(push).to_string()
    }
}

/// The moves as plan letters, capital for a push; `None` if a step is impossible or a character is no step.
pub(super) fn capitals(board: &Board, letters: &str) -> Option<String> {
    let mut player = board.player();
    let mut boxed = vec![false; board.squares()];
    for &at in board.boxes() {
        boxed[at as usize] = true;
    }
    let step = |letter: char| {
        let dir = Dir::of(letter)?;
        let to = Some(board.next(player, dir)).filter(|&to| to != NOWHERE)?;
        let push = boxed[to as usize];
        if push {
            let beyond = board.next(to, dir);
            if beyond == NOWHERE || boxed[beyond as usize] {
                return None;
            }
            boxed[to as usize] = false;
            boxed[beyond as usize] = true;
        }
        player = to;
        Some(dir.letter(push))
    };
    letters.chars().map(step).collect()
}
