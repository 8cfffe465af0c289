//! Plain rules of Impassable Gate: a grid of cells, a piece is the cells with its digit.

use beeline_puzzles::Puzzle;
use beeline_puzzles::gate::Gate;
use beeline_puzzles::sliding::Ground;

use crate::{Checked, Flaw};

/// What is in a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Wall,
    Open,
    Piece(char),
}

/// Replays a plan. A step is a digit and one direction or more (`0u`, `1llu`).
pub(crate) fn check(puzzle: &dyn Puzzle, objective: Option<&str>, steps: &[String]) -> Result<Checked, Flaw> {
    let gate = puzzle.as_any().downcast_ref::<Gate>();
    let gate = gate.ok_or_else(|| Flaw::Unsupported("this is no gate board".to_owned()))?;
    let count_moves = match objective {
        None | Some("steps") => false,
        Some("moves") => true,
        Some(name) => return Err(Flaw::Unsupported(format!("gate has no objective {name}"))),
    };
    let layout = gate.layout();
    let mut grid: Vec<Cell> =
        layout.ground.iter().map(|&g| if g == Ground::Wall { Cell::Wall } else { Cell::Open }).collect();
    for (cells, digit) in layout.pieces.iter().zip(gate.digits()) {
        for &c in cells {
            grid[c] = Cell::Piece((b'0' + digit) as char);
        }
    }
    let mut cost = 0;
    let mut last = None;
    for (i, step) in steps.iter().enumerate() {
        let flaw = |why: String| Flaw::Step { number: i + 1, step: step.clone(), why };
        let mut letters = step.chars();
        let digit = letters.next().ok_or_else(|| flaw("empty".to_owned()))?;
        if letters.as_str().is_empty() {
            return Err(flaw("no direction".to_owned()));
        }
        for direction in letters {
            grid = slide(&grid, layout.width, digit, direction).map_err(flaw)?;
            if !count_moves || last != Some(digit) {
                cost += 1;
            }
            last = Some(digit);
        }
    }
    let zero = Cell::Piece('0');
    let bare = layout.targets.iter().flat_map(|t| &t.cells).filter(|&&c| grid[c] != zero).count();
    if bare > 0 {
        return Err(Flaw::Goal {
            steps: steps.len(),
            why: format!("{bare} goal cells do not carry piece 0"),
        });
    }
    Ok(Checked { cost })
}

/// The grid after one piece has gone one cell.
fn slide(grid: &[Cell], width: usize, digit: char, direction: char) -> Result<Vec<Cell>, String> {
    let piece = Cell::Piece(digit);
    if !grid.contains(&piece) {
        return Err(format!("there is no piece {digit}"));
    }
    let height = grid.len() / width;
    let mut after: Vec<Cell> = grid.iter().map(|&c| if c == piece { Cell::Open } else { c }).collect();
    for row in 0..height {
        for column in 0..width {
            if grid[row * width + column] != piece {
                continue;
            }
            let (to_row, to_column) = match direction {
                'u' => (row.wrapping_sub(1), column),
                'd' => (row + 1, column),
                'l' => (row, column.wrapping_sub(1)),
                'r' => (row, column + 1),
                _ => return Err(format!("{direction:?} is no direction")),
            };
            if to_row >= height || to_column >= width {
                return Err("it would leave the board".to_owned());
            }
            let to = to_row * width + to_column;
            match after[to] {
                Cell::Open => after[to] = piece,
                Cell::Wall => return Err("a wall is in the way".to_owned()),
                Cell::Piece(other) => return Err(format!("piece {other} is in the way")),
            }
        }
    }
    Ok(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "#####\n#0 G#\n#1  #\n#####\n";

    fn checked(plan: &str, objective: Option<&str>) -> Result<Checked, Flaw> {
        let gate = Gate::parse(BOARD).unwrap();
        let steps = gate.read_plan(plan).unwrap();
        crate::check(&gate, objective, &steps)
    }

    #[test]
    fn good_plans_pass_and_are_counted() {
        assert_eq!(checked("0r0r", None), Ok(Checked { cost: 2 }));
        assert_eq!(checked("0r0r", Some("moves")), Ok(Checked { cost: 1 }));
        assert_eq!(checked("1rr0rr1l", Some("moves")), Ok(Checked { cost: 3 }));
        assert_eq!(checked("1rr0rr1l", Some("steps")), Ok(Checked { cost: 5 }));
    }

    #[test]
    fn bad_plans_are_named() {
        let why = |plan: &str| checked(plan, None).unwrap_err().to_string();
        assert!(why("0r").contains("1 goal cells do not carry"));
        assert!(why("0d").contains("step 1 (0d): piece 1 is in the way"));
        assert!(why("0r0u").contains("step 2 (0u): a wall"));
        assert!(why("5u").contains("no piece 5"));
        assert!(checked("", Some("pushes")).is_err());
        let gate = Gate::parse("0G").unwrap();
        let step = ["0l".to_owned()];
        assert!(crate::check(&gate, None, &step).unwrap_err().to_string().contains("leave the board"));
    }
}
