//! The text of levels: reading and writing.
//!
//! Reads the usual notations: the standard symbols, `-` and `_` for floor, run-length encoded rows (`3#2-$`, `|` between rows),
//! comments with `%` and `;`. Rows may have different lengths, and lines may end in CR LF. Every error names its place. The
//! module `collection` reads the text around the boards.

use std::ops::Range;

use super::board::{Board, Cell, Fault, MAX_SQUARES};
pub use super::collection::{parse, parse_each, recognises, with_solutions};
use super::plan::{capitals, read_plan};
use crate::text::{Line, TextError};

/// One level of a file, with its title, author and remarks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The board.
    pub board: Board,
    /// Its title.
    pub title: Option<String>,
    /// Its author.
    pub author: Option<String>,
    /// Remarks, line by line.
    pub remarks: Vec<String>,
    /// Recorded solutions and saved games.
    pub games: Vec<Recorded>,
}

/// A game recorded with a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The steps in the file, without blanks.
    pub letters: String,
    /// An unfinished game, not a solution.
    pub saved: bool,
}

impl Level {
    /// A level with only a board.
    pub fn new(board: Board) -> Self {
        Self { board, title: None, author: None, remarks: Vec::new(), games: Vec::new() }
    }

    /// The shortest solution in the file, as steps. It is not checked. If it has no capitals, pushes get them.
    pub fn solution(&self) -> Option<Vec<String>> {
        let solutions = self.games.iter().filter(|game| !game.saved);
        let steps = solutions.filter_map(|game| read_plan(&game.letters).ok()).min_by_key(Vec::len)?;
        let letters = steps.concat();
        if letters.contains(char::is_uppercase) {
            return Some(steps);
        }
        let marked = capitals(&self.board, &letters);
        Some(marked.map_or(steps, |letters| letters.chars().map(String::from).collect()))
    }
}

/// Most cells of a row: more than any real level has. Run-length encoding could ask for a row of any length.
const MAX_WIDTH: usize = 1000;
/// Most rows of a legal board: a wall above, a wall below, and in each row between at least one square. A row takes a hundred
/// times the memory of its shortest text.
pub(super) const MAX_HEIGHT: usize = MAX_SQUARES + 2;

/// A row of cells, each with its bytes in the text.
pub(super) type Row = Vec<(Cell, Range<usize>)>;

/// The rows in a line: one, or several if run-length encoded.
pub(super) fn rows(line: &Line<'_>, text: &str) -> Result<Vec<Row>, TextError> {
    let mut rows = vec![Row::new()];
    let mut count: Option<(usize, usize)> = None;
    for (at, symbol) in text.char_indices() {
        let here = line.char_span(at);
        if let Some(digit) = symbol.to_digit(10) {
            let (so_far, from) = count.unwrap_or((0, here.start));
            let run = (so_far * 10 + digit as usize).min(MAX_WIDTH + 1);
            count = Some((run, from));
            continue;
        }
        let (run, from) = count.take().unwrap_or((1, here.start));
        let span = from..here.end;
        if symbol == '|' {
            if rows.len() + run > MAX_HEIGHT {
                return Err(too_tall(span));
            }
            rows.extend((0..run.max(1)).map(|_| Row::new()));
            continue;
        }
        let Some(cell) = Cell::of(symbol) else {
            return Err(TextError::new(
                here,
                format!("unknown character {symbol:?}"),
                "one of # . $ * @ + or a blank",
            )
            .help("comments begin with % or ;"));
        };
        let row = rows.last_mut().map_or(0, |row| {
            row.extend((0..run.min(MAX_WIDTH + 1)).map(|_| (cell, span.clone())));
            row.len()
        });
        if row > MAX_WIDTH {
            let message = format!("a row of more than {MAX_WIDTH} cells");
            return Err(TextError::new(span, message, "a shorter row"));
        }
    }
    match count {
        Some((_, from)) => {
            let span = from..line.start + text.len();
            Err(TextError::new(span, "a number with nothing behind it", "the symbol that it repeats"))
        }
        None => Ok(rows),
    }
}

pub(super) fn too_tall(span: Range<usize>) -> TextError {
    TextError::new(span, format!("a board of more than {MAX_HEIGHT} rows"), "fewer rows")
        .help("an empty line ends a board")
}

/// Makes the board, and turns a fault of the grid into an error with its place.
pub(super) fn board(rows: &[Row], span: Range<usize>) -> Result<Board, TextError> {
    let drawn = |row: &Row| row.iter().any(|(cell, _)| *cell != Cell::FLOOR);
    let first = rows.iter().position(drawn).unwrap_or(0);
    let last = rows.iter().rposition(drawn).map_or(first, |last| last + 1);
    let rows = &rows[first..last];
    // Blanks at the end of a row are not part of the board.
    let length =
        |row: &Row| row.iter().rposition(|(cell, _)| *cell != Cell::FLOOR).map_or(0, |last| last + 1);
    let width = rows.iter().map(length).max().unwrap_or(0);
    let mut cells = Vec::with_capacity(width * rows.len());
    for row in rows {
        let length = length(row);
        cells.extend(row[..length].iter().map(|(cell, _)| *cell));
        cells.resize(cells.len() + width - length, Cell::FLOOR);
    }
    let at = |row: usize, column: usize| {
        let row = &rows[row];
        match row.get(column) {
            Some((_, span)) => span.clone(),
            None => row.last().map_or(span.end..span.end, |(_, s)| s.end..s.end),
        }
    };
    Board::new(width, cells).map_err(|fault| match fault {
        Fault::NoPlayer => TextError::new(span.clone(), "there is no player", "one @ (or + on a goal)"),
        Fault::TwoPlayers(row, column) => {
            TextError::new(at(row, column), "a second player", "only one @ or +")
        }
        Fault::Open(row, column) => {
            TextError::new(at(row, column), "the board is open here: the player could walk out", "a wall")
                .help("every row and column that the player can reach must end in #")
        }
        Fault::TooManyBoxes(boxes, goals) => {
            let which = rows.iter().flatten().filter(|(c, _)| c.boxed).nth(goals);
            let place = which.map_or(span.clone(), |(_, s)| s.clone());
            let (boxes, goals) = (counted(boxes, "box", "boxes"), counted(goals, "goal", "goals"));
            TextError::new(place, format!("{boxes} and only {goals}"), "no more boxes than goals")
        }
        Fault::TooLarge(squares) => TextError::new(
            span.clone(),
            format!("{squares} squares of floor"),
            format!("at most {MAX_SQUARES} squares"),
        ),
    })
}

/// The board in the standard symbols, without blanks at the ends of rows.
pub fn draw(board: &Board) -> String {
    let mut text = String::new();
    for row in 0..board.height() {
        let line: String = (0..board.width()).map(|column| board.cell(row, column).symbol()).collect();
        // An empty row would end the board when it is read again.
        let line = line.trim_end();
        text.push_str(if line.is_empty() { "-" } else { line });
        text.push('\n');
    }
    text
}

/// A level as a file; parsing it gives the same level.
pub fn print(level: &Level) -> String {
    let mut lines = Vec::new();
    if let Some(title) = &level.title {
        lines.push(format!("; {title}\n"));
    }
    lines.push(draw(&level.board).trim_end_matches('\n').to_owned());
    if let Some(author) = &level.author {
        lines.push(format!("Author: {author}"));
    }
    for remark in &level.remarks {
        lines.push(format!("Comment: {remark}"));
    }
    for Recorded { letters, saved } in &level.games {
        lines.push(format!("{}: {letters}", if *saved { "Saved game" } else { "Solution" }));
    }
    lines.join("\n") + "\n"
}

/// A collection as a file; parsing it gives the same levels.
pub fn print_all(levels: &[Level]) -> String {
    levels.iter().map(print).collect::<Vec<_>>().join("\n")
}

/// The board run-length encoded in one line.
pub fn encode(board: &Board) -> String {
    let mut text = String::new();
    for (i, row) in draw(board).lines().enumerate() {
        if i > 0 {
            text.push('|');
        }
        let mut symbols = row.chars().map(|c| if c == ' ' { '-' } else { c }).peekable();
        while let Some(symbol) = symbols.next() {
            let mut run = 1;
            while symbols.next_if_eq(&symbol).is_some() {
                run += 1;
            }
            if run > 1 {
                text.push_str(&run.to_string());
            }
            text.push(symbol);
        }
    }
    text
}

/// A number with its noun.
pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
