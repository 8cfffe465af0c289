//! Sliding bricks: a matrix of numbers, and a brick is the cells with its number.
//!
//! Canonical text: `w,h,`, then h rows of w numbers, each with a comma behind it; 1 wall, 0 floor, -1 goal, -2 door, 2 the
//! master brick, 3 and up the others. A second matrix may follow: a brick that must cover the cell, or one of its shape; minus
//! the brick that must do so itself; or the -1 or -2 that the master hides. A line `rule: lengthwise` may stand first.

use crate::certificate::Graph;
use crate::certificate::slide::{CoverGoal, Slide};
use crate::sliding::{Board, Ground, replay};
use crate::{Checked, Flaw, unreadable};

const DOOR: i32 = -2;
const GOAL: i32 = -1;
const FREE: i32 = 0;
const WALL: i32 = 1;
const MASTER: i32 = 2;

/// The content of a text: both matrices, the second without hidden ground.
struct Bricks {
    width: usize,
    /// The number on each cell.
    start: Vec<i32>,
    /// The ground under the bricks: wall, floor, goal or door.
    below: Vec<i32>,
    /// The brick that must cover each cell at the end, besides goal cells. A negative number excludes other bricks of its
    /// shape; 0 means no condition.
    wanted: Vec<i32>,
    /// Bricks move only along their longer side.
    lengthwise: bool,
}

/// The first line of a text whose bricks move only along their longer side.
const LENGTHWISE: &str = "rule: lengthwise";

fn read(text: &str) -> Result<Bricks, Flaw> {
    let mut lines = text.lines().peekable();
    let lengthwise = lines.next_if_eq(&LENGTHWISE).is_some();
    let header = lines.next().map_or(Ok(Vec::new()), numbers)?;
    let [width, height] = header[..] else { return unreadable("the first line is not width,height,") };
    let (Ok(width), Ok(height)) = (usize::try_from(width), usize::try_from(height)) else {
        return unreadable("a side below 0");
    };
    let mut rows = Vec::new();
    for line in lines {
        rows.push(numbers(line)?);
    }
    if width == 0 || height == 0 || rows.iter().any(|row| row.len() != width) {
        return unreadable("rows of other lengths than the first line says");
    }
    if rows.len() != height && rows.len() != 2 * height {
        return unreadable("more or fewer rows than the first line says");
    }
    let second = rows.split_off(height).concat();
    let mut start = rows.concat();
    if !start.contains(&MASTER) || start.iter().any(|&n| n < DOOR) {
        return unreadable("no master brick, or a number below -2");
    }
    let mut below: Vec<i32> = start.iter().map(|&n| if n >= MASTER { FREE } else { n }).collect();
    let mut wanted = vec![FREE; start.len()];
    for (cell, number) in second.into_iter().enumerate() {
        match number {
            FREE => {}
            GOAL | DOOR if start[cell] == MASTER => below[cell] = number,
            // A door that the master must cover is a goal cell.
            MASTER if matches!(start[cell], GOAL | DOOR) => (start[cell], below[cell]) = (GOAL, GOAL),
            brick if brick >= MASTER && start[cell] != WALL && start.contains(&brick) => wanted[cell] = brick,
            itself if itself < DOOR && start[cell] != WALL && start.contains(&itself.saturating_neg()) => {
                wanted[cell] = itself;
            }
            _ => return unreadable(format!("{number} in the second matrix")),
        }
    }
    if !below.contains(&GOAL) && wanted.iter().all(|&n| n == FREE) {
        return unreadable("there is no goal");
    }
    Ok(Bricks { width, start, below, wanted, lengthwise })
}

/// The numbers of a line, each followed by a comma.
fn numbers(line: &str) -> Result<Vec<i32>, Flaw> {
    let Some(body) = line.strip_suffix(',') else { return unreadable("a row without its last comma") };
    let parsed: Result<Vec<i32>, _> = body.split(',').map(str::parse).collect();
    parsed.or_else(|_| unreadable(format!("{body:?} are not numbers with commas between them")))
}

/// The board as this parser read it.
pub(crate) fn draw(text: &str) -> Result<String, Flaw> {
    let Bricks { width, start, below, wanted, lengthwise } = read(text)?;
    let line = |row: &[i32]| {
        let numbers: Vec<String> = row.iter().map(i32::to_string).collect();
        numbers.join(",") + ",\n"
    };
    let hidden = |cell: usize| start[cell] == MASTER && below[cell] != FREE;
    let second: Vec<i32> =
        (0..start.len()).map(|cell| if hidden(cell) { below[cell] } else { wanted[cell] }).collect();
    let rule = if lengthwise { format!("{LENGTHWISE}\n") } else { String::new() };
    let mut drawing = format!("{rule}{width},{},\n", start.len() / width);
    drawing.extend(start.chunks(width).map(line));
    if second.iter().any(|&n| n != FREE) {
        drawing.extend(second.chunks(width).map(line));
    }
    Ok(drawing)
}

/// Replays a plan. A step is a brick and one direction or more: `(2,left)`, `(3,up,left)`.
pub(crate) fn check(text: &str, objective: Option<&str>, steps: &[String]) -> Result<Checked, Flaw> {
    let bricks = read(text)?;
    let mut board = bricks.board();
    let checked = replay(&mut board, ("bricks", objective), word, steps)?;
    let bare = (0..bricks.start.len()).filter(|&cell| !bricks.is_met(cell, board.pieces[cell])).count();
    if bare > 0 {
        let why = format!("{bare} cells do not carry the brick that they must");
        return Err(Flaw::Goal { steps: steps.len(), why });
    }
    Ok(checked)
}

/// The board as a graph of states.
pub(crate) fn graph(text: &str, objective: &str, bound: &str) -> Result<Box<dyn Graph>, Flaw> {
    let bricks = read(text)?;
    let mut wanted = Vec::new();
    for cell in 0..bricks.start.len() {
        // The bricks that meet this cell's condition by covering it.
        let all = bricks.start.iter().copied().filter(|&n| n >= MASTER);
        let mut pieces: Vec<i32> = all.filter(|&n| bricks.is_met(cell, Some(n))).collect();
        pieces.sort_unstable();
        pieces.dedup();
        if !bricks.is_met(cell, None) {
            wanted.push(CoverGoal { pieces, cells: vec![cell] });
        }
    }
    let alone: Vec<i32> = bricks.wanted.iter().filter(|&&n| n < FREE).map(|n| -n).collect();
    Ok(Box::new(Slide::new(&bricks.board(), &alone, &wanted, ("bricks", objective, bound))?))
}

impl Bricks {
    /// The board with the bricks at their start.
    fn board(&self) -> Board {
        let ground = self.below.iter().map(|&n| match n {
            WALL => Ground::Wall,
            GOAL | DOOR => Ground::Door,
            _ => Ground::Floor,
        });
        let pieces = self.start.iter().map(|&n| (n >= MASTER).then_some(n)).collect();
        let (ground, lengthwise) = (ground.collect(), self.lengthwise);
        Board { width: self.width, ground, pieces, master: MASTER, noun: "brick", lengthwise }
    }

    /// Does the brick `there` meet the cell's conditions at the end?
    fn is_met(&self, cell: usize, there: Option<i32>) -> bool {
        let on_goal = self.below[cell] != GOAL || there == Some(MASTER);
        let wanted = self.wanted[cell];
        // Another brick of the same shape may replace a brick, but never the master.
        let twin = |there: i32| there > MASTER && wanted > MASTER && self.shape(there) == self.shape(wanted);
        on_goal && (wanted == FREE || there == Some(wanted.abs()) || there.is_some_and(twin))
    }

    /// The cells of a brick at the start, relative to its first row and first column.
    fn shape(&self, brick: i32) -> Vec<(usize, usize)> {
        let cells = (0..self.start.len()).filter(|&c| self.start[c] == brick);
        let places: Vec<_> = cells.map(|c| (c / self.width, c % self.width)).collect();
        let row = places.iter().map(|p| p.0).min().unwrap_or(0);
        let column = places.iter().map(|p| p.1).min().unwrap_or(0);
        places.into_iter().map(|(r, c)| (r - row, c - column)).collect()
    }
}

fn word(step: &str) -> Result<(i32, Vec<char>), String> {
    let inside = step.strip_prefix('(').and_then(|s| s.strip_suffix(')')).ok_or("no brackets")?;
    let mut words = inside.split(',');
    let brick = words.next().and_then(|n| n.parse().ok()).ok_or("no brick")?;
    let mut ways = Vec::new();
    for word in words {
        match word {
            "up" | "down" | "left" | "right" => ways.extend(word.chars().next()),
            _ => return Err(format!("{word:?} is no direction")),
        }
    }
    if ways.is_empty() { Err("no direction".to_owned()) } else { Ok((brick, ways)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(board: &str, plan: &str, objective: Option<&str>) -> Result<Checked, Flaw> {
        let steps: Vec<String> = plan.split_whitespace().map(str::to_owned).collect();
        check(board, objective, &steps)
    }

    const BOARD: &str = "4,2,\n2,0,0,-1,\n3,0,0,0,\n";

    #[test]
    fn good_plans_pass_and_are_counted() {
        let plan = "(2,right) (2,right) (2,right)";
        assert_eq!(checked(BOARD, plan, None), Ok(Checked { cost: 3 }));
        assert_eq!(checked(BOARD, plan, Some("lines")), Ok(Checked { cost: 1 }));
        let bent = "(2,right,down) (2,right,up,right)";
        assert_eq!(checked(BOARD, bent, Some("moves")), Ok(Checked { cost: 1 }));
        assert_eq!(checked(BOARD, bent, Some("lines")), Ok(Checked { cost: 5 }));
        let twins = "3,3,\n2,3,4,\n0,0,0,\n0,0,0,\n0,0,0,\n4,0,0,\n0,0,0,\n";
        let door = "3,1,\n2,0,-2,\n0,0,2,\n";
        assert_eq!(draw(door).as_deref(), Ok("3,1,\n2,0,-1,\n"));
        assert_eq!(checked(door, "(2,right) (2,right)", None), Ok(Checked { cost: 2 }));
        assert!(checked(door, "(2,right)", None).is_err());
        assert_eq!(checked(twins, "(3,down) (3,left)", None), Ok(Checked { cost: 2 }));
        assert!(checked(twins, "(3,down)", None).is_err());
        assert!(checked(twins, "(2,down)", None).is_err());
    }

    #[test]
    fn targets_of_one_brick_and_bricks_that_move_lengthwise() {
        let text = "3,3,\n2,3,4,\n0,0,0,\n0,0,0,\n0,0,0,\n-4,0,0,\n0,0,0,\n";
        assert!(checked(text, "(3,down) (3,left)", None).is_err(), "brick 3 does not stand for brick 4");
        assert!(checked(text, "(4,down) (4,left) (4,left)", None).is_ok());
        assert_eq!(draw(text).as_deref(), Ok(text));
        let text = "rule: lengthwise\n4,2,\n2,2,0,3,\n0,0,0,3,\n0,0,0,0,\n0,2,0,0,\n";
        let why = |plan: &str| checked(text, plan, None).unwrap_err().to_string();
        assert!(why("(2,down)").contains("along its longer side") && why("(3,left)").contains("along"));
        assert!(why("(2,right)").contains("goal is not met"));
        assert_eq!(draw(text).as_deref(), Ok(text));
    }

    #[test]
    fn bad_plans_are_named() {
        let why = |plan: &str| checked(BOARD, plan, None).unwrap_err().to_string();
        assert!(why("(2,right)").contains("1 cells do not carry"));
        assert!(why("(2,down)").contains("step 1 ((2,down)): brick 3 is in the way"));
        assert!(why("(2,up)").contains("leave the board"));
        assert!(why("(9,up)").contains("no brick 9"));
        assert!(why("(1,up)").contains("no brick 1"));
        assert!(why("(3,right,right,right,up)").contains("only the master"));
        assert!(why("(2,north)").contains("\"north\" is no direction"));
        assert!(why("(2)").contains("no direction") && why("2,up").contains("no brackets"));
        assert!(checked(BOARD, "", Some("pushes")).is_err());
    }

    #[test]
    fn boards_are_drawn_as_they_were_read() {
        let hidden = "3,3,\n2,2,3,\n0,4,0,\n-2,-1,0,\n-1,-2,0,\n0,0,2,\n0,0,0,\n";
        for text in [BOARD, hidden, "2,1,\n2,1,\n2,0,\n"] {
            assert_eq!(draw(text).as_deref(), Ok(text));
        }
    }
}
