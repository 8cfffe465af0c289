//! Boards in letters: Rush Hour boards of 36 characters in a line, and the usual text drawings of Klotski.
//!
//! Rush Hour: `o` or `.` is free, `x` a wall, letters are cars, and `X`, `A` or `R` is the red one that leaves at the right end of its
//! row.
//! A file has a board per line, with further columns before or behind it. Cars move only along their length.
//!
//! Grids: letters are bricks, `.`, `_`, `-` and blanks free cells, `#` walls. A second grid behind an empty line gives the
//! final places of bricks. Without it, the largest brick must reach the middle of the bottom.

use std::ops::Range;

use super::grid::{FREE, Grid, MASTER, WALL};
use super::text::{MAX_OPEN, MAX_SIDE};
use crate::sliding::MAX_PIECES;
use crate::text::{Line, TextError, lines};

/// A board of a text or its error, and its place in the text.
pub(super) type Part = (Result<Grid, TextError>, Range<usize>);

/// The rows and columns of a Rush Hour board.
const SIDE: usize = 6;
/// The names of the red car: on the cards of the game, in databases of boards, and in courses.
const RED: [char; 3] = ['X', 'A', 'R'];

/// Could this be a text of boards in letters? A grid in which each letter occurs twice is one of Flow Free.
pub fn recognises(text: &str) -> bool {
    if lines(text).any(|line| rush_word(&line).is_some_and(|word| rush(&word).is_ok())) {
        return true;
    }
    let Some((board, _)) = blocks(text) else { return false };
    let counts: Vec<usize> = board.names().into_iter().map(|name| board.cells_of(name).len()).collect();
    let whole = board.names().into_iter().all(|name| board.is_whole(name));
    counts.len() > 1
        && whole
        && counts.iter().any(|&count| count != 2)
        && counts.iter().any(|&count| count > 1)
}

/// Reads each board of a text separately; `None` if the text has another format.
pub(super) fn parse_each(text: &str) -> Option<Vec<Part>> {
    if lines(text).any(|line| rush_word(&line).is_some()) {
        return Some(rush_lines(text));
    }
    let (board, goal) = blocks(text)?;
    let whole = 0..text.trim_end().len();
    Some(vec![(klotski(&board, goal.as_ref(), &whole), whole)])
}

/// Characters in rows of equal length, with the place of each in the text.
struct Letters {
    width: usize,
    cells: Vec<(char, Range<usize>)>,
}

impl Letters {
    fn at(&self, cell: usize) -> char {
        self.cells[cell].0
    }

    /// The names of the bricks, in the order of their first cells.
    fn names(&self) -> Vec<char> {
        let mut names = Vec::new();
        for &(c, _) in self.cells.iter().filter(|(c, _)| c.is_ascii_alphabetic()) {
            if !names.contains(&c) {
                names.push(c);
            }
        }
        names
    }

    fn cells_of(&self, name: char) -> Vec<usize> {
        (0..self.cells.len()).filter(|&cell| self.at(cell) == name).collect()
    }

    /// First and last row, first and last column of a brick.
    fn bounds(&self, name: char) -> [usize; 4] {
        let cells = self.cells_of(name);
        let all = |place: fn(usize, usize) -> usize| cells.iter().map(move |&cell| place(cell, self.width));
        let (rows, columns) = (|| all(|cell, width| cell / width), || all(|cell, width| cell % width));
        [rows().min(), rows().max(), columns().min(), columns().max()].map(Option::unwrap_or_default)
    }

    /// Is the brick a rectangle without holes?
    fn is_whole(&self, name: char) -> bool {
        let [top, bottom, left, right] = self.bounds(name);
        self.cells_of(name).len() == (bottom - top + 1) * (right - left + 1)
    }

    /// The red car of a Rush Hour board: the first of its names that lies in a row.
    fn red(&self) -> Option<char> {
        let mut there = RED.into_iter().filter(|&name| !self.cells_of(name).is_empty());
        let lies = |name: &char| {
            let [top, bottom, left, right] = self.bounds(*name);
            top == bottom && left < right
        };
        there.clone().find(lies).or_else(|| there.next())
    }

    /// The place of a brick's first cell in the text.
    fn place(&self, name: char) -> Range<usize> {
        self.cells_of(name).first().map_or(0..0, |&cell| self.cells[cell].1.clone())
    }

    /// The matrix of the board. The brick of this name becomes the master; the others are numbered in their order.
    fn grid(&self, master: char, wall: char) -> Grid {
        let others: Vec<char> = self.names().into_iter().filter(|&name| name != master).collect();
        let number = |c: char| match others.iter().position(|&other| other == c) {
            Some(at) => MASTER + 1 + at as i32,
            None if c == master => MASTER,
            None if c == wall => WALL,
            None => FREE,
        };
        let cells: Vec<i32> = self.cells.iter().map(|&(c, _)| number(c)).collect();
        let under = cells.iter().map(|&n| if n == WALL { WALL } else { FREE }).collect();
        let targets = vec![0; cells.len()];
        let height = cells.len() / self.width;
        Grid { width: self.width, height, cells, under, targets, lengthwise: false }
    }
}

/// The word of a line that reads as a Rush Hour board: 36 characters, some of them the red car.
fn rush_word(line: &Line<'_>) -> Option<Letters> {
    let separates = |c: char| c.is_whitespace() || ",;\"'".contains(c);
    let mut at = 0;
    for word in line.text.split(separates) {
        let start = at;
        at += word.len() + 1;
        let known = |c: char| c.is_ascii_uppercase() || ".ox".contains(c);
        if word.len() == SIDE * SIDE && word.chars().all(known) && word.contains(RED) {
            let cells = word
                .chars()
                .enumerate()
                .map(|(i, c)| (if c == 'o' { '.' } else { c }, line.char_span(start + i)));
            return Some(Letters {
                width: SIDE,
                cells: cells.map(|(c, span)| (if c == 'x' { '#' } else { c }, span)).collect(),
            });
        }
    }
    None
}

/// The boards of a file with one per line. Lines before the first are headings.
fn rush_lines(text: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for line in lines(text) {
        let bare = line.text.trim();
        match rush_word(&line) {
            Some(word) => parts.push((rush(&word), line.span())),
            None if bare.is_empty() || bare.starts_with('#') || parts.is_empty() => {}
            None => {
                let message = "there is no board of 36 characters in this line";
                let error = TextError::new(
                    line.span(),
                    message,
                    "36 of A to Z, o or . and x, with a red car X, A or R",
                );
                parts.push((Err(error), line.span()));
            }
        }
    }
    parts
}

/// A Rush Hour board: the red car must reach the right end of its row.
fn rush(board: &Letters) -> Result<Grid, TextError> {
    for name in board.names() {
        let [top, bottom, left, right] = board.bounds(name);
        let straight = (top == bottom) != (left == right);
        if !straight || !board.is_whole(name) {
            let message = format!("car {name} is no straight line of two cells or more");
            return Err(TextError::new(board.place(name), message, "a car in one row or one column"));
        }
    }
    let red = board.red().unwrap_or(RED[0]);
    let [row, bottom, left, right] = board.bounds(red);
    if board.cells_of(red).is_empty() || row != bottom {
        let message = format!("the red car {red} stands upright");
        let error = TextError::new(board.place(red), message, "a car that leaves at the right");
        return Err(error.help("only boards whose red car leaves at the right end of its row are read"));
    }
    let mut grid = Grid { lengthwise: true, ..board.grid(red, '#') };
    for cell in (row + 1) * board.width - (right - left + 1)..(row + 1) * board.width {
        if grid.under[cell] == WALL {
            let place = board.cells[cell].1.clone();
            return Err(TextError::new(
                place,
                "a wall stands in the exit of the red car",
                "a free cell or a car",
            ));
        }
        grid.targets[cell] = MASTER;
    }
    Ok(grid)
}

/// A grid of letters, and the second grid behind an empty line; `None` if the text has another format.
fn blocks(text: &str) -> Option<(Letters, Option<Letters>)> {
    let known = |c: char| c.is_ascii_alphabetic() || " ._-#".contains(c);
    let mut blocks: Vec<Vec<Line<'_>>> = vec![Vec::new()];
    for line in lines(text) {
        if line.text.trim().is_empty() {
            blocks.push(Vec::new());
        } else if !line.text.chars().all(known) || line.text.len() > MAX_SIDE {
            return None;
        } else if let Some(block) = blocks.last_mut() {
            block.push(line);
            if block.len() > MAX_SIDE {
                return None;
            }
        }
    }
    blocks.retain(|block| !block.is_empty());
    let letters = |block: &Vec<Line<'_>>| {
        let width = block.iter().map(|line| line.text.len()).max().unwrap_or(0);
        let row = |line: &Line<'_>| {
            let (end, bytes) = (line.span().end, line.text.as_bytes().to_vec());
            let start = line.start;
            (0..width).map(move |column| match bytes.get(column) {
                Some(&byte) => (char::from(byte), start + column..start + column + 1),
                None => (' ', end..end),
            })
        };
        Letters { width, cells: block.iter().flat_map(row).collect() }
    };
    match &blocks[..] {
        [board] if board.len() > 1 => Some((letters(board), None)),
        [board, goal] if board.len() > 1 => Some((letters(board), Some(letters(goal)))),
        _ => None,
    }
}

/// A board of freely moving bricks. A 6×6 board of cars that reads as Rush Hour is treated as one.
fn klotski(board: &Letters, goal: Option<&Letters>, whole: &Range<usize>) -> Result<Grid, TextError> {
    let names = board.names();
    let open = board.cells.iter().filter(|(c, _)| *c != '#').count();
    if names.len() > MAX_PIECES || open > MAX_OPEN {
        let message = format!("{} bricks on {open} cells are too many", names.len());
        return Err(TextError::new(whole.clone(), message, "at most 64 bricks and 256 cells"));
    }
    if goal.is_none() && (board.width, board.cells.len()) == (SIDE, SIDE * SIDE) && board.red().is_some() {
        let cars = rush(board);
        let cars = cars.ok().filter(|_| names.iter().all(|&name| board.cells_of(name).len() <= 3));
        if let Some(grid) = cars {
            return Ok(grid);
        }
    }
    match goal {
        Some(goal) => with_goal(board, goal, whole),
        None => to_the_bottom(board, whole),
    }
}

/// Each brick of the second grid must itself reach its place there. The largest of them is the master.
fn with_goal(board: &Letters, goal: &Letters, whole: &Range<usize>) -> Result<Grid, TextError> {
    if (goal.width, goal.cells.len()) != (board.width, board.cells.len()) {
        let place = goal.cells.first().map_or(whole.clone(), |(_, span)| span.start..whole.end);
        return Err(TextError::new(place, "the second grid has another size", "a grid of the same size"));
    }
    let wanted = goal.names();
    if let Some(&unknown) = wanted.iter().find(|name| !board.names().contains(name)) {
        let message = format!("there is no brick {unknown}");
        return Err(TextError::new(goal.place(unknown), message, "a brick of the first grid"));
    }
    let largest = wanted.iter().copied().rev().max_by_key(|&name| board.cells_of(name).len());
    let master = largest.ok_or_else(|| no_goal(whole))?;
    let mut grid = board.grid(master, '#');
    for cell in (0..goal.cells.len()).filter(|&cell| goal.at(cell).is_ascii_alphabetic()) {
        if grid.under[cell] == WALL {
            return Err(TextError::new(goal.cells[cell].1.clone(), "a target in a wall", "a free cell"));
        }
        let first = board.cells_of(goal.at(cell))[0];
        let brick = grid.cells[first];
        grid.targets[cell] = if brick == MASTER { MASTER } else { -brick };
    }
    Ok(grid)
}

/// The unique largest brick must reach the middle of the bottom.
fn to_the_bottom(board: &Letters, whole: &Range<usize>) -> Result<Grid, TextError> {
    let size = |name: char| board.cells_of(name).len();
    let most = board.names().into_iter().map(size).max().unwrap_or(0);
    let largest: Vec<char> = board.names().into_iter().filter(|&name| size(name) == most).collect();
    let &[master] = &largest[..] else { return Err(no_goal(whole)) };
    let [top, bottom, left, right] = board.bounds(master);
    let (tall, wide) = (bottom - top + 1, right - left + 1);
    let height = board.cells.len() / board.width;
    let margin = (board.width - wide) / 2;
    if !board.is_whole(master) || 2 * margin + wide != board.width {
        return Err(no_goal(whole));
    }
    let mut grid = board.grid(master, '#');
    for row in height - tall..height {
        for cell in row * board.width + margin..row * board.width + margin + wide {
            if grid.under[cell] == WALL {
                return Err(no_goal(whole));
            }
            grid.targets[cell] = MASTER;
        }
    }
    Ok(grid)
}

fn no_goal(whole: &Range<usize>) -> TextError {
    TextError::new(whole.clone(), "there is no goal", "a second grid with the bricks where they must be")
        .help("write it below the first with an empty line between, and dots where it does not matter")
}
