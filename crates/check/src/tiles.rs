//! Sliding tiles: swap the blank with its neighbour, and look at the numbers in the end.

use beeline_puzzles::Puzzle;
use beeline_puzzles::tiles::{Board, Goal};

use crate::{Checked, Flaw};

/// Checks a plan of steps `L`, `R`, `U`, `D`, each saying where the blank goes.
pub(crate) fn check(puzzle: &dyn Puzzle, objective: Option<&str>, steps: &[String]) -> Result<Checked, Flaw> {
    let Some(board) = puzzle.as_any().downcast_ref::<Board>() else {
        return Err(Flaw::Unsupported("this puzzle carries no board of tiles".to_owned()));
    };
    if let Some(other) = objective.filter(|&name| name != "moves") {
        return Err(Flaw::Unsupported(format!("tiles have no objective called {other}")));
    }
    let mut grid: Vec<Vec<u8>> = board.cells().chunks(board.columns()).map(<[u8]>::to_vec).collect();
    let (mut row, mut column) = find_blank(&grid);
    for (i, step) in steps.iter().enumerate() {
        let flaw = |why: &str| Flaw::Step { number: i + 1, step: step.clone(), why: why.to_owned() };
        let (down, right): (isize, isize) = match step.as_str() {
            "L" => (0, -1),
            "R" => (0, 1),
            "U" => (-1, 0),
            "D" => (1, 0),
            _ => return Err(flaw("a step is one of L, R, U, D")),
        };
        let to = row.checked_add_signed(down).zip(column.checked_add_signed(right));
        let to = to.filter(|&(r, c)| r < grid.len() && c < grid[r].len());
        let (r, c) = to.ok_or_else(|| flaw("the blank would leave the board"))?;
        grid[row][column] = grid[r][c];
        grid[r][c] = 0;
        (row, column) = (r, c);
    }
    let order: Vec<u8> = grid.concat();
    let mut wanted: Vec<u8> = (0..order.len() as u8).collect();
    if board.goal == Goal::BlankLast {
        wanted.rotate_left(1);
    }
    match order.iter().zip(&wanted).find(|(is, should)| is != should) {
        None => Ok(Checked { cost: steps.len() as u64 }),
        Some((is, should)) => {
            let why = format!("tile {is} stands where {should} belongs");
            Err(Flaw::Goal { steps: steps.len(), why })
        }
    }
}

fn find_blank(grid: &[Vec<u8>]) -> (usize, usize) {
    for (r, row) in grid.iter().enumerate() {
        for (c, &tile) in row.iter().enumerate() {
            if tile == 0 {
                return (r, c);
            }
        }
    }
    (0, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Vec<String> {
        text.chars().map(String::from).collect()
    }

    #[test]
    fn good_and_bad_plans() {
        let last = Board::new(2, 2, vec![1, 2, 0, 3], Goal::BlankLast).unwrap();
        assert_eq!(crate::check(&last, None, &steps("R")), Ok(Checked { cost: 1 }));
        assert!(matches!(crate::check(&last, None, &steps("U")), Err(Flaw::Goal { steps: 1, .. })));
        let board = Board::new(2, 2, vec![1, 0, 2, 3], Goal::BlankFirst).unwrap();
        assert_eq!(crate::check(&board, Some("moves"), &steps("L")), Ok(Checked { cost: 1 }));
        assert!(matches!(crate::check(&board, None, &steps("R")), Err(Flaw::Step { number: 1, .. })));
        assert!(matches!(crate::check(&board, None, &steps("LX")), Err(Flaw::Step { number: 2, .. })));
        assert!(matches!(crate::check(&board, None, &steps("")), Err(Flaw::Goal { steps: 0, .. })));
        assert!(matches!(crate::check(&board, Some("time"), &steps("L")), Err(Flaw::Unsupported(_))));
    }
}
