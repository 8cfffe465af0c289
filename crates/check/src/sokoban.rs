//! Sokoban, plainly: walk the letters over the drawn board.

use beeline_puzzles::Puzzle;
use beeline_puzzles::sokoban::Sokoban;

use crate::{Checked, Flaw};

/// Replays a plan of l r u d L R U D. The cost is what the objective counts first: steps, or pushes.
pub(crate) fn check(puzzle: &dyn Puzzle, objective: Option<&str>, steps: &[String]) -> Result<Checked, Flaw> {
    let board = puzzle.as_any().downcast_ref::<Sokoban>().map(Sokoban::board);
    let board = board.ok_or_else(|| Flaw::Unsupported("this is no Sokoban level".to_owned()))?;
    let (height, width) = (board.height(), board.width());
    let mut boxes = vec![vec![false; width]; height];
    let mut player = (0, 0);
    for (row, line) in boxes.iter_mut().enumerate() {
        for (column, boxed) in line.iter_mut().enumerate() {
            *boxed = board.cell(row, column).boxed;
            if board.cell(row, column).player {
                player = (row, column);
            }
        }
    }
    let wall =
        |(row, column): (usize, usize)| row >= height || column >= width || board.cell(row, column).wall;
    let mut pushes = 0;
    for (i, step) in steps.iter().enumerate() {
        let flaw = |why: &str| Flaw::Step { number: i + 1, step: step.clone(), why: why.to_owned() };
        let go = |(row, column): (usize, usize)| match step.as_str() {
            "l" | "L" => Some((row, column.wrapping_sub(1))),
            "r" | "R" => Some((row, column + 1)),
            "u" | "U" => Some((row.wrapping_sub(1), column)),
            "d" | "D" => Some((row + 1, column)),
            _ => None,
        };
        let to = go(player).ok_or_else(|| flaw("not one of l r u d L R U D"))?;
        if wall(to) {
            return Err(flaw("a wall is in the way"));
        }
        let capital = step.chars().all(char::is_uppercase);
        if boxes[to.0][to.1] {
            let beyond = go(to).ok_or_else(|| flaw("not one of l r u d L R U D"))?;
            if wall(beyond) || boxes[beyond.0][beyond.1] {
                return Err(flaw("the box cannot move"));
            }
            if !capital {
                return Err(flaw("this step pushes a box, so its letter is a capital"));
            }
            boxes[to.0][to.1] = false;
            boxes[beyond.0][beyond.1] = true;
            pushes += 1;
        } else if capital {
            return Err(flaw("a capital, but no box is pushed"));
        }
        player = to;
    }
    let off = |row: usize, column: usize| boxes[row][column] && !board.cell(row, column).goal;
    let missing =
        (0..height).flat_map(|r| (0..width).map(move |c| (r, c))).filter(|&(r, c)| off(r, c)).count();
    if missing > 0 {
        return Err(Flaw::Goal { steps: steps.len(), why: format!("{missing} boxes are not on a goal") });
    }
    let by_pushes = objective.is_some_and(|name| name.starts_with("pushes"));
    Ok(Checked { cost: if by_pushes { pushes } else { steps.len() as u64 } })
}
