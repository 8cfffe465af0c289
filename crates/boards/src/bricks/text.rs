//! The file format of sliding bricks, read and written.
//!
//! `w,h,` and then h rows of w numbers, each followed by a comma; see [`Grid`] for the numbers. A second matrix of the same
//! size may follow. It gives the goal conditions and the ground under bricks:
//!
//! | number | meaning |
//! |---|---|
//! | 0 | nothing |
//! | 1 or 2 | the master brick must cover the cell |
//! | 3 and up | this brick must cover it, or one of its shape |
//! | -3 and below | the brick with this number without its sign must itself cover it |
//! | -1 | a goal cell under the master brick: only the master may stand here, and it must in the end |
//! | -2 | a door under the master brick: only the master may stand here |
//!
//! A first line `rule: lengthwise` says that bricks move only along their longer side, as the cars of Rush Hour do.
//!
//! The parser accepts spaces, missing last commas, CR LF, blank lines, a missing last newline, and comment lines, which begin
//! with `;`.

use std::fmt::Write as _;
use std::ops::Range;

use super::grid::{DOOR, FREE, GOAL, Grid, MASTER, WALL};
use crate::sliding::MAX_PIECES;
use crate::text::{Line, TextError, lines};

/// Most rows, and most columns, of a file.
pub const MAX_SIDE: usize = 1000;
/// Most cells of a file.
pub const MAX_CELLS: usize = 65_535;
/// Most open cells.
pub const MAX_OPEN: usize = 256;

/// A number of the file and its place.
#[derive(Clone, Debug)]
struct Number {
    value: i32,
    span: Range<usize>,
}

/// The lines that are neither blank nor comments, which begin with `;`.
fn rows(text: &str) -> impl Iterator<Item = Line<'_>> {
    lines(text).filter(|l| !l.text.trim().is_empty() && !l.text.starts_with(';'))
}

/// Could this be a file of this kind? It needs a line of two numbers, then a line with a comma after a number.
pub fn recognises(text: &str) -> bool {
    let mut rows = rows(text).filter(|l| rule(l).is_none());
    let header = rows.next().and_then(|l| numbers(&l).ok());
    let Some([width, height]) = header.as_deref() else { return false };
    let first = rows.next().and_then(|l| numbers(&l).ok());
    width.value > 0
        && height.value > 0
        && text.contains(',')
        && first
            .is_some_and(|f| f.len() as i64 == i64::from(width.value) && (f.len() > 1 || height.value > 1))
}

/// The numbers of a line, with an optional comma at its end.
fn numbers(line: &Line<'_>) -> Result<Vec<Number>, TextError> {
    let mut all = Vec::new();
    let trimmed = line.text.trim_end();
    let body = trimmed.strip_suffix(',').unwrap_or(trimmed);
    let mut at = line.start;
    for part in body.split(',') {
        let word = part.trim();
        let start = at + (part.len() - part.trim_start().len());
        let span = start..start + word.len();
        at += part.len() + 1;
        let expected = "a whole number";
        let error = if word.is_empty() {
            TextError::new(span, "a number is missing between two commas", expected)
        } else {
            match word.parse() {
                Ok(value) => {
                    all.push(Number { value, span });
                    continue;
                }
                Err(_) if word.contains(char::is_whitespace) => {
                    TextError::new(span, format!("{word:?} is no number"), expected)
                        .help("numbers are separated by commas")
                }
                Err(_) => TextError::new(span, format!("{word:?} is no number"), expected),
            }
        };
        return Err(error);
    }
    Ok(all)
}

/// The rule named by a line.
fn rule<'a>(line: &Line<'a>) -> Option<&'a str> {
    line.text.trim().strip_prefix("rule:").map(str::trim)
}

/// Reads a board.
pub(super) fn parse(text: &str) -> Result<Grid, TextError> {
    let mut rows = rows(text).peekable();
    let first = rows.next_if(|line| rule(line).is_some());
    if let Some(unknown) = first.filter(|line| rule(line) != Some("lengthwise")) {
        let message = format!("unknown rule '{}'", rule(&unknown).unwrap_or_default());
        return Err(TextError::new(unknown.span(), message, "rule: lengthwise"));
    }
    let Some(header) = rows.next() else {
        return Err(TextError::new(0..text.len(), "the file holds no board", "width,height, and the rows"));
    };
    let (width, height) = size(&header)?;
    let (mut board, mut wanted) = (Vec::new(), Vec::new());
    let mut last = header;
    for (i, row) in rows.enumerate() {
        last = row;
        if i >= 2 * height {
            let message = format!("more rows than the {height} of the board and {height} of the targets");
            return Err(TextError::new(row.span(), message, "the end of the file"));
        }
        let values = row_of(&row, width)?;
        if i < height { &mut board } else { &mut wanted }.extend(values);
    }
    let end = last.span().end..last.span().end;
    let found = board.len() / width;
    if found < height {
        let message = format!("the header promises {height} rows, and {found} follow");
        return Err(TextError::new(end, message, "another row"));
    }
    let found = wanted.len() / width;
    if found > 0 && found < height {
        let message = format!("the second matrix needs {height} rows and has {found}");
        return Err(TextError::new(end, message, "another row")
            .help("a second matrix of the same size says which brick must cover which cell"));
    }
    let grid = Grid { lengthwise: first.is_some(), ..assemble(width, height, &board, &wanted)? };
    let whole = header.start..last.span().end;
    check_size(&grid, whole, board.get(..width).and_then(|r| r.first()).map_or(0, |n| n.span.start))?;
    Ok(grid)
}

fn size(header: &Line<'_>) -> Result<(usize, usize), TextError> {
    let expected = "width,height,";
    let both = numbers(header)?;
    let [width, height] = both.as_slice() else {
        let message = format!("the first line has {} numbers, not two", both.len());
        return Err(TextError::new(header.span(), message, expected));
    };
    for side in [width, height] {
        if side.value < 1 || side.value as usize > MAX_SIDE {
            let message = format!("a side of {} cells", side.value);
            return Err(TextError::new(side.span.clone(), message, "1 to 1000"));
        }
    }
    let (w, h) = (width.value as usize, height.value as usize);
    if w * h > MAX_CELLS {
        let message = format!("{w} × {h} cells are too many");
        return Err(TextError::new(header.span(), message, "at most 65535 cells"));
    }
    Ok((w, h))
}

fn row_of(row: &Line<'_>, width: usize) -> Result<Vec<Number>, TextError> {
    let values = numbers(row)?;
    let found = values.len();
    if found == width {
        return Ok(values);
    }
    let message = format!("this row has {found} numbers, and the board is {width} wide");
    let end = row.start + row.text.trim_end().len();
    let (span, expected) = match values.get(width) {
        Some(extra) => (extra.span.start..end, "the end of the row"),
        None => (end..end, "another number"),
    };
    Err(TextError::new(span, message, expected))
}

fn assemble(width: usize, height: usize, board: &[Number], wanted: &[Number]) -> Result<Grid, TextError> {
    let cells: Vec<i32> = board.iter().map(|n| n.value).collect();
    if let Some(odd) = board.iter().find(|n| n.value < DOOR) {
        let message = format!("{} means nothing on a board", odd.value);
        return Err(TextError::new(odd.span.clone(), message, "-2, -1, 0, 1 or a brick"));
    }
    let mut under: Vec<i32> = cells.iter().map(|&n| if n >= MASTER { FREE } else { n }).collect();
    let mut targets = vec![0; cells.len()];
    for (cell, number) in wanted.iter().enumerate() {
        let refuse = |message: String, expected: &str| {
            Err(TextError::new(number.span.clone(), message, expected.to_owned()))
        };
        match number.value {
            0 => {}
            GOAL | DOOR if cells[cell] == MASTER => under[cell] = number.value,
            GOAL | DOOR if cells[cell] == number.value => {}
            GOAL | DOOR => {
                return refuse(
                    format!("{} in the second matrix where the master does not stand", number.value),
                    "0, or a -1 or -2 in the first matrix",
                );
            }
            brick if brick < 0 && !cells.contains(&brick.saturating_neg()) => {
                return refuse(format!("{brick} means nothing"), "0 or a brick");
            }
            _ if cells[cell] == WALL => return refuse("a target in a wall".to_owned(), "0"),
            WALL | MASTER => targets[cell] = MASTER,
            brick if brick < 0 || cells.contains(&brick) => targets[cell] = brick,
            brick => return refuse(format!("there is no brick {brick}"), "0 or a brick of the board"),
        }
    }
    Ok(Grid { width, height, cells, under, targets, lengthwise: false })
}

/// Checks the requirements of every board and the limits of the engine.
fn check_size(grid: &Grid, whole: Range<usize>, board: usize) -> Result<(), TextError> {
    let bricks = grid.bricks();
    let board = board..whole.end;
    if !bricks.contains(&MASTER) {
        return Err(TextError::new(board, "there is no master brick", "cells with the number 2"));
    }
    if bricks.len() > MAX_PIECES {
        let message = format!("{} bricks are too many", bricks.len());
        return Err(TextError::new(board, message, "at most 64 bricks"));
    }
    let open = grid.under.iter().filter(|&&n| n != WALL).count();
    if open > MAX_OPEN {
        let message = format!("{open} cells that are no wall are too many");
        return Err(TextError::new(board, message, "at most 256"));
    }
    Ok(())
}

/// A matrix as text, with or without its header.
pub(super) fn matrix(width: usize, height: usize, cells: &[i32], spaces: bool, header: bool) -> String {
    let gap = if spaces { ", " } else { "," };
    let mut text = String::with_capacity(cells.len() * 3 + 8);
    if header {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{width}{gap}{height},");
    }
    for row in cells.chunks(width) {
        for (i, n) in row.iter().enumerate() {
            if i > 0 {
                text.push_str(gap);
            }
            let _ = write!(text, "{n}");
        }
        text.push_str(",\n");
    }
    text
}

/// A board as a file. Reading it gives the same board, including the ground under the master.
pub(super) fn file(grid: &Grid) -> String {
    let rule = if grid.lengthwise { "rule: lengthwise\n" } else { "" };
    let mut text = rule.to_owned() + &grid.display(false);
    let second: Vec<i32> = (0..grid.cells.len())
        .map(|cell| {
            let hidden = grid.cells[cell] == MASTER && grid.under[cell] != FREE;
            if hidden { grid.under[cell] } else { grid.targets[cell] }
        })
        .collect();
    if second.iter().any(|&n| n != 0) {
        text += &matrix(grid.width, grid.height, &second, false, false);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "5,4,\n1,-1,-1,1,1,\n1,0,3,4,1,\n1,0,2,2,1,\n1,1,1,1,1,\n";

    #[test]
    fn what_is_read_is_written() {
        let grid = Grid::parse(FIRST).unwrap();
        assert_eq!(grid.file(), FIRST);
        let spaced = "5, 4,\n1, -1, -1, 1, 1,\n1, 0, 3, 4, 1,\n1, 0, 2, 2, 1,\n1, 1, 1, 1, 1,\n";
        assert_eq!(grid.display(true), spaced);
        assert_eq!(Grid::parse(spaced).unwrap(), grid);
    }

    #[test]
    fn line_ends_commas_and_blank_lines_do_not_matter() {
        let grid = Grid::parse(FIRST).unwrap();
        let bare = FIRST.replace(",\n", "\n");
        let crlf = FIRST.replace('\n', "\r\n");
        let airy = format!("\n \n{}\n\n", FIRST.replace('\n', "\n\n"));
        for text in [FIRST.trim_end(), &bare, &crlf, &airy, &FIRST.replace(',', " , ")] {
            assert_eq!(Grid::parse(text).as_ref(), Ok(&grid), "{text:?}");
            assert!(recognises(text), "{text:?}");
        }
        for text in ["", "4\n1 2 3", "#####\n#0G#", "2,2,\n1\n", "5,4,", "3 3\n1 2 3\n"] {
            assert!(!recognises(text), "{text:?}");
        }
    }

    #[test]
    fn the_second_matrix_is_kept() {
        let text = "3,3,\n2,2,3,\n0,4,0,\n-2,-1,0,\n0,0,0,\n0,0,3,\n0,0,0,\n";
        let grid = Grid::parse(text).unwrap();
        assert_eq!(grid.file(), text);
        let hidden = "3,3,\n2,2,3,\n0,4,0,\n-2,-1,0,\n-1,-2,0,\n0,0,2,\n0,0,0,\n";
        let grid = Grid::parse(hidden).unwrap();
        assert_eq!(grid.file(), hidden);
        assert_eq!(Grid::parse(&hidden.replace("0,0,2,\n0,0,0,\n", "0,0,1,\n0,0,0,\n")).unwrap(), grid);
    }

    #[track_caller]
    fn refused(text: &str, message: &str, span: &str) {
        let error = Grid::parse(text).unwrap_err();
        assert!(error.message.contains(message), "{error:?}");
        assert_eq!(&text[error.span.clone()], span, "{error:?}");
    }

    #[test]
    fn bad_files_are_refused_with_their_place() {
        refused("", "no board", "");
        refused(" \n\n", "no board", " \n\n");
        refused("5,\n", "1 numbers, not two", "5,");
        refused("5,4,3,\n", "3 numbers, not two", "5,4,3,");
        refused("0,4,\n", "a side of 0", "0");
        refused("4,-3,\n", "a side of -3", "-3");
        refused("4,1001,\n", "a side of 1001", "1001");
        refused("1000,1000,\n", "too many", "1000,1000,");
        refused("99999999999,2,\n", "no number", "99999999999");
        refused("2,2,\n2,-1,\n", "promises 2 rows, and 1 follow", "");
        refused("2,2,\n2,-1,\n0,\n", "1 numbers, and the board is 2 wide", "");
        refused("2,2,\n2,-1,\n0,0,0,1,\n", "4 numbers", "0,1,");
        refused("2,2,\n2,-1,\n0,x,\n", "\"x\" is no number", "x");
        refused("2,2,\n2,-1,\n0,é,\n", "is no number", "é");
        refused("2,2,\n2,-1,\n0,1 2,\n", "is no number", "1 2");
        refused("2,2,\n2,,\n0,0,\n", "missing between", "");
        refused("2,2,\n2,-3,\n0,0,\n", "-3 means nothing", "-3");
        refused("2,2,\n3,-1,\n0,0,\n", "no master", "3,-1,\n0,0,");
        refused("2,1,\n2,0,\n0,1,\n0,0,\n", "more rows", "0,0,");
        refused("2,2,\n2,0,\n0,0,\n0,1,\n", "second matrix needs 2 rows and has 1", "");
        refused("2,1,\n2,0,\n0,7,\n", "no brick 7", "7");
        refused("2,1,\n2,1,\n0,2,\n", "a target in a wall", "2");
        refused("2,1,\n2,0,\n0,-1,\n", "where the master does not stand", "-1");
        refused("2,1,\n2,0,\n0,-9,\n", "-9 means nothing", "-9");
        let row = format!("{},\n", vec!["0"; 20].join(","));
        let text = format!("20,20,\n2,{}{}", &row[2..], row.repeat(19));
        assert!(Grid::parse(&text).unwrap_err().message.contains("400 cells"));
        let many = (2..70).map(|i| i.to_string()).collect::<Vec<_>>().join(",") + ",";
        assert!(Grid::parse(&format!("68,1,\n{many}\n")).unwrap_err().message.contains("68 bricks"));
    }
}
