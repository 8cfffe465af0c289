//! Plain rules of sliding bricks: a matrix of numbers, a brick is the cells with its number.

use beeline_puzzles::Puzzle;
use beeline_puzzles::bricks::{Bricks, DOOR, FREE, GOAL, MASTER, WALL};
use beeline_puzzles::sliding::Ground;

use crate::{Checked, Flaw};

/// How a plan is counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    Steps,
    Lines,
    Moves,
}

/// Replays a plan. A step is a brick and one direction or more: `(2,left)`, `(3,up,left)`.
pub(crate) fn check(puzzle: &dyn Puzzle, objective: Option<&str>, steps: &[String]) -> Result<Checked, Flaw> {
    let bricks = puzzle.as_any().downcast_ref::<Bricks>();
    let bricks = bricks.ok_or_else(|| Flaw::Unsupported("this is no board of bricks".to_owned()))?;
    let count = match objective {
        None | Some("steps") => Count::Steps,
        Some("lines") => Count::Lines,
        Some("moves") => Count::Moves,
        Some(name) => return Err(Flaw::Unsupported(format!("bricks has no objective {name}"))),
    };
    let layout = bricks.layout();
    let floor: Vec<i32> = layout
        .ground
        .iter()
        .map(|g| match g {
            Ground::Wall => WALL,
            Ground::Floor => FREE,
            Ground::Door => DOOR,
        })
        .collect();
    let mut cells = floor.clone();
    for (piece, &number) in layout.pieces.iter().zip(bricks.numbers()) {
        for &c in piece {
            cells[c] = number;
        }
    }
    let start = cells.clone();
    let (mut cost, mut last) = (0, None);
    for (i, step) in steps.iter().enumerate() {
        let flaw = |why: String| Flaw::Step { number: i + 1, step: step.clone(), why };
        let inside = step.trim().strip_prefix('(').and_then(|s| s.strip_suffix(')'));
        let words: Vec<&str> =
            inside.ok_or_else(|| flaw("no brackets".to_owned()))?.split(',').map(str::trim).collect();
        let brick: i32 = words[0].parse().map_err(|_| flaw("no brick".to_owned()))?;
        if words.len() < 2 {
            return Err(flaw("no direction".to_owned()));
        }
        for &direction in &words[1..] {
            cells = slide(&cells, &floor, layout.width, brick, direction).map_err(flaw)?;
            let goes_on = match count {
                Count::Steps => false,
                Count::Lines => last == Some((brick, direction.to_owned())),
                Count::Moves => last.as_ref().is_some_and(|(b, _)| *b == brick),
            };
            cost += u64::from(!goes_on);
            last = Some((brick, direction.to_owned()));
        }
    }
    let bare = bare(bricks, &start, &cells);
    if bare > 0 {
        let why = format!("{bare} cells do not carry the brick that they must");
        return Err(Flaw::Goal { steps: steps.len(), why });
    }
    Ok(Checked { cost })
}

/// How many target cells do not carry the right brick: the master, or one of the right shape.
fn bare(bricks: &Bricks, start: &[i32], end: &[i32]) -> usize {
    let layout = bricks.layout();
    let shape = |number: i32| {
        let cells: Vec<usize> = (0..start.len()).filter(|&c| start[c] == number).collect();
        let place = |c: usize| (c / layout.width, c % layout.width);
        let column = cells.iter().map(|&c| place(c).1).min().unwrap_or(0);
        let row = cells.iter().map(|&c| place(c).0).min().unwrap_or(0);
        cells.into_iter().map(move |c| (place(c).0 - row, place(c).1 - column)).collect::<Vec<_>>()
    };
    let mut bare = 0;
    for target in &layout.targets {
        let wanted = bricks.numbers()[target.piece];
        for &cell in &target.cells {
            let there = end[cell];
            let twin = wanted > MASTER && there > MASTER && shape(wanted) == shape(there);
            bare += usize::from(there != wanted && !twin);
        }
    }
    bare
}

/// The matrix after one brick has gone one cell.
fn slide(
    cells: &[i32],
    floor: &[i32],
    width: usize,
    brick: i32,
    direction: &str,
) -> Result<Vec<i32>, String> {
    if brick < MASTER || !cells.contains(&brick) {
        return Err(format!("there is no brick {brick}"));
    }
    let height = cells.len() / width;
    let mut after: Vec<i32> =
        cells.iter().zip(floor).map(|(&c, &f)| if c == brick { f } else { c }).collect();
    for row in 0..height {
        for column in 0..width {
            if cells[row * width + column] != brick {
                continue;
            }
            let (to_row, to_column) = match direction {
                "up" => (row.wrapping_sub(1), column),
                "down" => (row + 1, column),
                "left" => (row, column.wrapping_sub(1)),
                "right" => (row, column + 1),
                _ => return Err(format!("{direction:?} is no direction")),
            };
            if to_row >= height || to_column >= width {
                return Err("it would leave the board".to_owned());
            }
            let to = to_row * width + to_column;
            match after[to] {
                FREE => after[to] = brick,
                GOAL | DOOR if brick == MASTER => after[to] = brick,
                GOAL | DOOR => return Err("only the master brick may go there".to_owned()),
                WALL => return Err("a wall is in the way".to_owned()),
                other => return Err(format!("brick {other} is in the way")),
            }
        }
    }
    Ok(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(board: &str, plan: &str, objective: Option<&str>) -> Result<Checked, Flaw> {
        let bricks = Bricks::parse(board).unwrap();
        let steps = bricks.read_plan(plan).unwrap();
        crate::check(&bricks, objective, &steps)
    }

    const BOARD: &str = "4,2,\n2,0,0,-1,\n3,0,0,0,\n";

    #[test]
    fn good_plans_pass_and_are_counted() {
        let plan = "(2,right)(2,right)(2,right)";
        assert_eq!(checked(BOARD, plan, None), Ok(Checked { cost: 3 }));
        assert_eq!(checked(BOARD, plan, Some("lines")), Ok(Checked { cost: 1 }));
        let bent = "(2,right,down)(2,right,up,right)";
        assert_eq!(checked(BOARD, bent, Some("moves")), Ok(Checked { cost: 1 }));
        assert_eq!(checked(BOARD, bent, Some("lines")), Ok(Checked { cost: 5 }));
        let twins = "3,2,\n2,3,4,\n0,0,0,\n0,0,0,\n3,0,0,\n";
        assert_eq!(checked(twins, "(3,down)(3,left)", None), Ok(Checked { cost: 2 }));
        assert!(checked(twins, "(3,down)(3,left)(3,right)(3,right)(2,down)(2,up)", None).is_err());
    }

    #[test]
    fn bad_plans_are_named() {
        let why = |plan: &str| checked(BOARD, plan, None).unwrap_err().to_string();
        assert!(why("(2,right)").contains("1 cells do not carry"));
        assert!(why("(2,down)").contains("step 1 ((2,down)): brick 3 is in the way"));
        assert!(why("(2,up)").contains("leave the board"));
        assert!(why("(9,up)").contains("no brick 9"));
        assert!(why("(3,right,right,right,up)").contains("only the master"));
        assert!(checked(BOARD, "", Some("pushes")).is_err());
    }
}
