//! The text of levels and collections, both ways.
//!
//! Reads what the Sokoban world writes: the usual symbols, `-` and `_` for floor, run-length encoded rows (`3#2-$`, `|`
//! between rows), comments with `%` and `;`, and whole collections with titles, authors and remarks. Rows may be ragged
//! and lines may end in CR LF. Every fault is an error that names its place.

use std::ops::Range;

use super::board::{Board, Cell, Fault, MAX_SQUARES};
use beeline_puzzle::text::{Line, TextError, lines};

/// One level of a file, with what the file says about it.
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
}

/// A longer row than any real level has; run-length encoding could ask for a row of any length.
const MAX_WIDTH: usize = 1000;
/// No legal board has more rows: a wall above, a wall below, and in each row between at least one of its squares. A row takes a
/// hundred times the memory of its shortest text.
const MAX_HEIGHT: usize = MAX_SQUARES + 2;

/// A row of cells, each with the bytes that it was written with.
type Row = Vec<(Cell, Range<usize>)>;

/// What a line of a file is.
enum Content<'a> {
    /// Nothing.
    Blank,
    /// One or more rows of a board.
    Rows(Vec<Row>),
    /// A line that belongs to a board and cannot be read.
    Broken(TextError),
    /// A word about a level: ("title", "The way home").
    Note(&'a str, &'a str),
    /// Any other text.
    Words(&'a str),
}

/// Reads a file with one level or many.
pub fn parse(text: &str) -> Result<Vec<Level>, TextError> {
    let mut reader = Reader::default();
    for line in lines(text) {
        reader.line(&line)?;
    }
    reader.finish(text)
}

/// Does this look like a Sokoban file?
pub fn recognises(text: &str) -> bool {
    let mut walls = 0;
    let (mut player, mut boxes) = (false, false);
    for line in lines(text).take(2000) {
        if let Content::Rows(rows) = content(&line, walls > 0) {
            walls += rows.len();
            for (cell, _) in rows.iter().flatten() {
                player |= cell.player;
                boxes |= cell.boxed || cell.goal;
            }
            if walls >= 3 && player && boxes {
                return true;
            }
        }
    }
    false
}

#[derive(Default)]
struct Reader {
    levels: Vec<Level>,
    rows: Vec<Row>,
    /// The bytes of the board being read.
    span: Range<usize>,
    /// The last words before the next board: its title.
    words: Option<String>,
    /// Words after the last board that nobody has claimed as a title yet.
    loose: Vec<String>,
    /// What the head of the file says for all levels.
    author: Option<String>,
}

impl Reader {
    fn line(&mut self, line: &Line<'_>) -> Result<(), TextError> {
        match content(line, !self.rows.is_empty()) {
            Content::Blank => self.close()?,
            Content::Rows(rows) => {
                if self.rows.is_empty() {
                    self.span = line.span();
                }
                self.span.end = line.span().end;
                self.rows.extend(rows);
                if self.rows.len() > MAX_HEIGHT {
                    return Err(too_tall(line.span()));
                }
            }
            Content::Broken(error) => return Err(error),
            Content::Note(key, value) => {
                self.close()?;
                self.note(key, value);
            }
            Content::Words(words) => {
                self.close()?;
                // Only the last words before a board are its title; what they push aside was a remark.
                let earlier = self.words.replace(words.to_owned());
                // Before the first board there is no level to remark on.
                self.loose.extend(earlier.filter(|_| !self.levels.is_empty()));
            }
        }
        Ok(())
    }

    fn note(&mut self, key: &str, value: &str) {
        let value = value.trim().to_owned();
        match (self.levels.last_mut(), key) {
            (Some(level), "title") => level.title = Some(value),
            (Some(level), "author") => level.author = Some(value),
            (Some(level), _) => level.remarks.push(value),
            (None, "author") => self.author = Some(value),
            (None, _) => {}
        }
    }

    /// The board ends here.
    fn close(&mut self) -> Result<(), TextError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let rows = std::mem::take(&mut self.rows);
        let board = board(&rows, self.span.clone())?;
        self.keep_loose();
        let title = self.words.take();
        self.levels.push(Level { board, title, author: self.author.clone(), remarks: Vec::new() });
        Ok(())
    }

    /// Words that did not become a title are remarks on the level before them.
    fn keep_loose(&mut self) {
        let loose = std::mem::take(&mut self.loose);
        if let Some(level) = self.levels.last_mut() {
            level.remarks.extend(loose);
        }
    }

    fn finish(mut self, text: &str) -> Result<Vec<Level>, TextError> {
        self.close()?;
        self.loose.extend(self.words.take());
        self.keep_loose();
        if self.levels.is_empty() {
            return Err(TextError::new(
                0..text.len().min(1),
                "there is no board here",
                "rows of # and floor",
            )
            .help("a board is drawn with # wall, @ player, $ box, . goal, * box on goal, + player on goal"));
        }
        Ok(self.levels)
    }
}

/// What is in this line? `inside`: the line before it was part of a board.
fn content<'a>(line: &Line<'a>, inside: bool) -> Content<'a> {
    let whole = line.text;
    let text = whole.split('%').next().unwrap_or_default();
    let bare = text.trim();
    if bare.is_empty() {
        // A comment of its own says something; between two rows it does not end the board.
        let comment = whole.trim().trim_start_matches('%').trim();
        return match (comment.is_empty(), inside && whole.contains('%')) {
            (_, true) => Content::Rows(Vec::new()),
            (true, false) => Content::Blank,
            (false, false) => Content::Words(comment),
        };
    }
    if let Some(words) = bare.strip_prefix(';') {
        let words = words.trim_start_matches(';').trim();
        return if words.is_empty() { Content::Blank } else { Content::Words(words) };
    }
    match rows(line, text) {
        Ok(rows) if inside || rows.iter().flatten().any(|(c, _)| c.wall) => Content::Rows(rows),
        Ok(_) => Content::Words(bare),
        Err(error) if looks_like_a_row(bare, inside) => Content::Broken(error),
        Err(_) => note(bare).unwrap_or(Content::Words(bare)),
    }
}

/// A line with a bad character: is it meant as part of a board?
fn looks_like_a_row(bare: &str, inside: bool) -> bool {
    let fenced = bare.len() > 2 && bare.starts_with('#') && bare.ends_with('#');
    fenced || inside && (bare.starts_with('#') || bare.ends_with('#'))
}

fn note(bare: &str) -> Option<Content<'_>> {
    let (key, value) = bare.split_once(':')?;
    let name = ["title", "author", "comment", "date", "collection"]
        .into_iter()
        .find(|name| key.trim().eq_ignore_ascii_case(name))?;
    Some(Content::Note(name, value))
}

/// The rows in a line: one, or several if it is run-length encoded.
fn rows(line: &Line<'_>, text: &str) -> Result<Vec<Row>, TextError> {
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

fn too_tall(span: Range<usize>) -> TextError {
    TextError::new(span, format!("a board of more than {MAX_HEIGHT} rows"), "fewer rows")
        .help("an empty line ends a board")
}

/// Makes the board, and turns a fault of the grid into an error at its place.
fn board(rows: &[Row], span: Range<usize>) -> Result<Board, TextError> {
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

/// The board in the usual symbols, without blanks at the ends of rows.
pub fn draw(board: &Board) -> String {
    let mut text = String::new();
    for row in 0..board.height() {
        let line: String = (0..board.width()).map(|column| board.cell(row, column).symbol()).collect();
        // A row without a symbol would end the board when it is read again.
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
pub(crate) fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
