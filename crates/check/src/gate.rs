//! Impassable Gate: a character a cell, and a piece is the cells with its digit.
//!
//! Canonical text: rows of equal length; space floor, `#` wall, `0` to `9` a piece, `G` goal, `H` to `Q` a piece on goal.

use crate::certificate::Graph;
use crate::certificate::slide::{CoverGoal, Slide};
use crate::sliding::{Board, Ground, replay};
use crate::{Checked, Flaw, unreadable};

/// The board, and its goal cells.
fn read(text: &str) -> Result<(Board, Vec<usize>), Flaw> {
    let width = text.lines().next().map_or(0, |row| row.chars().count());
    let (mut ground, mut pieces, mut goals) = (Vec::new(), Vec::new(), Vec::new());
    for row in text.lines() {
        if row.is_empty() || row.chars().count() != width {
            return unreadable("rows of different lengths");
        }
        for character in row.chars() {
            let piece = match character {
                ' ' | '#' | 'G' => None,
                '0'..='9' => Some(character as i32 - '0' as i32),
                'H'..='Q' => Some(character as i32 - 'H' as i32),
                _ => return unreadable(format!("{character:?} is no cell")),
            };
            if ('G'..='Q').contains(&character) {
                goals.push(ground.len());
            }
            ground.push(if character == '#' { Ground::Wall } else { Ground::Floor });
            pieces.push(piece);
        }
    }
    if width == 0 {
        return unreadable("there is no board");
    }
    Ok((Board { width, ground, pieces, master: 0, noun: "piece", lengthwise: false }, goals))
}

/// The board as this parser read it.
pub(crate) fn draw(text: &str) -> Result<String, Flaw> {
    let (board, goals) = read(text)?;
    let mut drawing = String::new();
    for (cell, piece) in board.pieces.iter().enumerate() {
        let first = if goals.contains(&cell) { b'H' } else { b'0' };
        drawing.push(match piece {
            Some(digit) => char::from(first + *digit as u8),
            None if goals.contains(&cell) => 'G',
            None if board.ground[cell] == Ground::Wall => '#',
            None => ' ',
        });
        if cell % board.width == board.width - 1 {
            drawing.push('\n');
        }
    }
    Ok(drawing)
}

/// Replays a plan. A step is a digit and at least one direction (`0u`, `1llu`).
pub(crate) fn check(text: &str, objective: Option<&str>, steps: &[String]) -> Result<Checked, Flaw> {
    let (mut board, goals) = read(text)?;
    let checked = replay(&mut board, ("gate", objective), word, steps)?;
    let bare = goals.into_iter().filter(|&c| board.pieces[c] != Some(0)).count();
    if bare > 0 {
        let why = format!("{bare} goal cells do not carry piece 0");
        return Err(Flaw::Goal { steps: steps.len(), why });
    }
    Ok(checked)
}

/// The board as a graph of states.
pub(crate) fn graph(text: &str, objective: &str, bound: &str) -> Result<Box<dyn Graph>, Flaw> {
    let (board, cells) = read(text)?;
    let wanted = [CoverGoal { pieces: vec![0], cells }];
    Ok(Box::new(Slide::new(&board, &[], &wanted, ("gate", objective, bound))?))
}

fn word(step: &str) -> Result<(i32, Vec<char>), String> {
    let mut letters = step.chars();
    let digit = letters.next().ok_or("empty")?;
    let piece = digit.to_digit(10).ok_or_else(|| format!("there is no piece {digit}"))?;
    let ways: Vec<char> = letters.collect();
    match ways.iter().find(|way| !"udlr".contains(**way)) {
        Some(way) => Err(format!("{way:?} is no direction")),
        None if ways.is_empty() => Err("no direction".to_owned()),
        None => Ok((piece as i32, ways)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "#####\n#0 G#\n#1  #\n#####\n";

    fn checked(plan: &str, objective: Option<&str>) -> Result<Checked, Flaw> {
        let steps: Vec<String> = plan.split_whitespace().map(str::to_owned).collect();
        check(BOARD, objective, &steps)
    }

    #[test]
    fn good_plans_pass_and_are_counted() {
        assert_eq!(checked("0r 0r", None), Ok(Checked { cost: 2 }));
        assert_eq!(checked("0r 0r", Some("moves")), Ok(Checked { cost: 1 }));
        assert_eq!(checked("1rr 0rr 1l", Some("moves")), Ok(Checked { cost: 3 }));
        assert_eq!(checked("1rr 0rr 1l", Some("steps")), Ok(Checked { cost: 5 }));
        assert_eq!(checked("1rr 0rr 1l", Some("lines")), Ok(Checked { cost: 3 }));
        assert_eq!(
            checked("1rr 0rdru", Some("lines")).unwrap_err().to_string(),
            "step 2 (0rdru): piece 1 is in the way"
        );
        assert_eq!(checked("0r 0d 0r 0u", Some("lines")), Ok(Checked { cost: 4 }));
        assert_eq!(checked("0r 0d 0r 0u", Some("moves")), Ok(Checked { cost: 1 }));
    }

    #[test]
    fn bad_plans_are_named() {
        let why = |plan: &str| checked(plan, None).unwrap_err().to_string();
        assert!(why("0r").contains("1 goal cells do not carry"));
        assert!(why("0d").contains("step 1 (0d): piece 1 is in the way"));
        assert!(why("0r 0u").contains("step 2 (0u): a wall"));
        assert!(why("5u").contains("no piece 5"));
        assert!(why("0x").contains("'x' is no direction"));
        assert!(why("0").contains("no direction"));
        assert_eq!(checked("", Some("pushes")).unwrap_err().to_string(), "gate has no objective pushes");
        let off = check("0G\n", None, &["0l".to_owned()]).unwrap_err().to_string();
        assert!(off.contains("leave the board"));
    }

    #[test]
    fn boards_are_drawn_as_they_were_read() {
        for text in [BOARD, "H I\nG0 \n", "###\n#9#\n#Q#\n"] {
            assert_eq!(draw(text).as_deref(), Ok(text));
        }
    }
}
