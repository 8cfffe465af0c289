//! Plain rules of sliding tiles: each step swaps the blank with a neighbour, and the end is compared with the goal.
//!
//! Canonical text: `goal: blank last` if that is the goal, a title behind `#`, and a line of numbers per row.

use crate::{Checked, Flaw, beside, no_objective, unreadable};

/// The numbers row by row, and their goal.
pub(crate) struct Tiles {
    pub(crate) rows: Vec<Vec<usize>>,
    pub(crate) goal: Vec<usize>,
}

pub(crate) fn read(text: &str) -> Result<Tiles, Flaw> {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut last = false;
    for line in text.lines() {
        match line {
            "goal: blank first" if rows.is_empty() => last = false,
            "goal: blank last" if rows.is_empty() => last = true,
            title if title.starts_with('#') && rows.is_empty() => {}
            numbers => match numbers.split_whitespace().map(number).collect() {
                Some(row) => rows.push(row),
                None => return unreadable(format!("{numbers:?} is no row of tiles")),
            },
        }
    }
    let width = rows.first().map_or(0, Vec::len);
    if rows.len() < 2 || width < 2 || rows.iter().any(|row| row.len() != width) {
        return unreadable("a board has two rows or more, and all have as many tiles");
    }
    let mut goal: Vec<usize> = (0..rows.len() * width).collect();
    let mut tiles = rows.concat();
    tiles.sort_unstable();
    if tiles != goal {
        return unreadable("a tile is missing or there twice");
    }
    if last {
        goal.rotate_left(1);
    }
    Ok(Tiles { rows, goal })
}

/// Digits alone: no sign.
fn number(word: &str) -> Option<usize> {
    word.parse().ok().filter(|_| word.bytes().all(|digit| digit.is_ascii_digit()))
}

/// The board as this parser read it.
pub(crate) fn draw(text: &str) -> Result<String, Flaw> {
    let Tiles { rows, goal } = read(text)?;
    let wide = (goal.len() - 1).to_string().len();
    let line = |row: &Vec<usize>| {
        let words: Vec<String> = row.iter().map(|tile| format!("{tile:>wide$}")).collect();
        words.join(" ") + "\n"
    };
    let header = if goal[0] == 0 { "" } else { "goal: blank last\n" };
    Ok(header.to_owned() + &rows.iter().map(line).collect::<String>())
}

/// Replays a plan of steps `L`, `R`, `U`, `D`, the directions of the blank.
pub(crate) fn check(text: &str, objective: Option<&str>, steps: &[String]) -> Result<Checked, Flaw> {
    let Tiles { mut rows, goal } = read(text)?;
    if let Some(other) = objective.filter(|&name| name != "moves") {
        return no_objective("tiles", other);
    }
    let size = (rows.len(), rows[0].len());
    let (mut row, mut column) = find_blank(&rows);
    for (i, step) in steps.iter().enumerate() {
        let flaw = |why: &str| Flaw::Step { number: i + 1, step: step.clone(), why: why.to_owned() };
        let way = match step.as_str() {
            "L" => 'l',
            "R" => 'r',
            "U" => 'u',
            "D" => 'd',
            _ => return Err(flaw("a step is one of L, R, U, D")),
        };
        let to = beside((row, column), way, size);
        let (r, c) = to.ok_or_else(|| flaw("the blank would leave the board"))?;
        rows[row][column] = rows[r][c];
        rows[r][c] = 0;
        (row, column) = (r, c);
    }
    match rows.concat().iter().zip(&goal).find(|(is, should)| is != should) {
        None => Ok(Checked { cost: steps.len() as u64 }),
        Some((is, should)) => {
            let why = format!("tile {is} stands where {should} belongs");
            Err(Flaw::Goal { steps: steps.len(), why })
        }
    }
}

/// The place of the blank; every board has one.
fn find_blank(rows: &[Vec<usize>]) -> (usize, usize) {
    let row = rows.iter().position(|row| row.contains(&0)).unwrap_or(0);
    (row, rows[row].iter().position(|&tile| tile == 0).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str, objective: Option<&str>, plan: &str) -> Result<Checked, Flaw> {
        let steps: Vec<String> = plan.chars().map(String::from).collect();
        check(text, objective, &steps)
    }

    #[test]
    fn good_and_bad_plans() {
        let last = "goal: blank last\n# a title: 2\n1 2\n0 3\n";
        assert_eq!(checked(last, None, "R"), Ok(Checked { cost: 1 }));
        assert!(matches!(checked(last, None, "U"), Err(Flaw::Goal { steps: 1, .. })));
        let board = "1 0\n2 3\n";
        assert_eq!(checked(board, Some("moves"), "L"), Ok(Checked { cost: 1 }));
        assert!(matches!(checked(board, None, "R"), Err(Flaw::Step { number: 1, .. })));
        assert!(matches!(checked(board, None, "LX"), Err(Flaw::Step { number: 2, .. })));
        assert!(matches!(checked(board, None, ""), Err(Flaw::Goal { steps: 0, .. })));
        assert!(matches!(checked(board, Some("time"), "L"), Err(Flaw::Unsupported(_))));
    }

    #[test]
    fn boards_are_drawn_as_they_were_read() {
        let wide = "goal: blank last\n 1  2  3  4  5\n 6  7  8  9 10\n 0 11 12 13 14\n";
        for text in ["0 1\n2 3\n", wide] {
            assert_eq!(draw(text).as_deref(), Ok(text));
        }
        assert_eq!(draw("# title\n0 1\n2 3\n").as_deref(), Ok("0 1\n2 3\n"));
    }
}
