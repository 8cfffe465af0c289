//! Boards as text: reading and writing.
//!
//! A board is a rectangle of characters: `.` (or `_`, `-`) is free, `#` a wall, and a letter or digit an end, each twice. In
//! rows with blanks between cells, labels may have several characters, which allows more colours than there are letters; `*` is
//! a hole. Lines `title: …`, `rule: fill|numberlink|touching`, `edges: warp`, `walls: 1,2|1,3` (row and column of two
//! neighbours, from 1) and `drawn: Rl Rd` may precede or follow the rectangle. An empty line ends a board, and `;` begins a
//! comment.
//!
//! A line `W H` may precede the rectangle. Then `0` is a free cell too, the board ends after `H` rows, and a line `0 0` may end
//! the list. `0` is also free on a board of numbers alone, unless it occurs exactly twice. [`foreign`] reads the formats of
//! other programs.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use super::board::{Board, BoardError, Cell, MAX_CELLS, MAX_SIDE, Rule};
use super::foreign;
use super::pen::with_drawn;
use super::plan::{read_steps, show_step};
use crate::text::{Line, TextError, lines};

/// Most characters of a label. A board has at most 32,768 colours, for which numbers of five digits suffice; names of colours
/// are no longer than this.
const MAX_LABEL: usize = 16;

const TOO_MANY_ROWS: &str = "the board has too many rows";
const TOO_LONG: &str = "the row is too long";
const TOO_MANY_CELLS: &str = "the board has too many cells";

/// Reads every board of a text.
pub fn parse(text: &str) -> Result<Vec<Board>, TextError> {
    parse_each(text).into_iter().collect()
}

/// Reads each board separately: an unreadable one ends at the next blank line and does not hide others.
pub fn parse_each(text: &str) -> Vec<Result<Board, TextError>> {
    match foreign::parse(text) {
        Some(Ok(boards)) => return boards.into_iter().map(Ok).collect(),
        Some(Err(error)) => return vec![Err(error)],
        None => {}
    }
    let mut boards = Vec::new();
    let mut draft = Draft::default();
    let mut bad = None;
    let all: Vec<Line<'_>> = lines(text).filter(|line| !line.text.trim().starts_with(';')).collect();
    for (i, &line) in all.iter().enumerate() {
        let trimmed = line.text.trim();
        if let Some(error) = bad.take_if(|_| trimmed.is_empty()) {
            boards.push(Err(error));
            draft = Draft::default();
        }
        if bad.is_some() {
            continue;
        }
        let header = if draft.may_begin() { size_line(&all[i..]) } else { None };
        let ends = trimmed.is_empty() && (draft.size.is_none() || draft.may_begin());
        if ends || header.is_some() {
            if draft.rows > 0 {
                boards.push(std::mem::take(&mut draft).finish());
            }
            draft.size = header.filter(|&(_, size)| size != (0, 0)).or(draft.size);
        } else if trimmed.contains(':') {
            bad = draft.header(line).err();
        } else if !trimmed.is_empty() {
            bad = draft.row(line).err();
        }
    }
    if let Some(error) = bad {
        boards.push(Err(error));
    } else if draft.begun() {
        boards.push(draft.finish());
    }
    if boards.is_empty() {
        let nothing = TextError::new(text.len()..text.len(), "there is no board", "rows of letters and dots");
        boards.push(Err(nothing));
    }
    boards
}

/// A line `W H` with its place.
type Size = (Range<usize>, (usize, usize));

/// Do the next rows hold every label twice?
fn pairs(lines: &[Line<'_>], rows: usize) -> bool {
    let mut labels = Labels::new();
    let ends = lines.iter().filter(|line| !line.text.contains(':')).take(rows).flat_map(|&line| tokens(line));
    let read = ends.filter(|token| token.label != "0" && token.label.chars().all(char::is_alphanumeric));
    read.map(|token| labels.end(token)).all(|end| end.is_ok()) && labels.names().is_ok()
}

/// Reads the first line as `W H` if the next row has `W` cells, or as the `0 0` that ends a list.
fn size_line(lines: &[Line<'_>]) -> Option<Size> {
    let (first, rest) = lines.split_first()?;
    let mut words = first.text.split_whitespace();
    let (width, height) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    if words.next().is_some() {
        return None;
    }
    let size = (first.span(), (width, height));
    let mut rows = rest.iter().take_while(|line| !line.text.trim().is_empty());
    if (width, height) == (0, 0) {
        return rest.iter().all(|line| line.text.trim().is_empty()).then_some(size);
    }
    let row = rows.find(|line| !line.text.contains(':'))?;
    let cells = tokens(*row).count();
    // A board of two columns may also begin with two numbers. There the line is a header only if the labels below it occur in
    // pairs.
    let header = cells == width.min(MAX_SIDE + 1) && (width != 2 || pairs(rest, height));
    header.then_some(size)
}

/// A label with its place.
#[derive(Clone, Copy)]
struct Token<'a> {
    label: &'a str,
    start: usize,
}

impl Token<'_> {
    fn span(self) -> Range<usize> {
        self.start..self.start + self.label.len()
    }
}

/// A board that is being read.
#[derive(Default)]
struct Draft<'a> {
    /// The cells of all rows, concatenated.
    cells: Vec<Token<'a>>,
    width: usize,
    rows: usize,
    title: Option<String>,
    rule: Rule,
    warp: Option<Range<usize>>,
    walls: Option<(&'a str, usize)>,
    drawn: Option<(&'a str, usize)>,
    /// The line `W H` at the beginning of the board.
    size: Option<Size>,
}

impl<'a> Draft<'a> {
    /// Was a part of the board read already?
    fn begun(&self) -> bool {
        self.rows > 0 || self.size.is_some()
    }

    /// May a line `W H` occur here: at the beginning, or behind a board whose size was given?
    fn may_begin(&self) -> bool {
        self.size.as_ref().map_or(self.rows == 0, |(_, (_, height))| self.rows == *height)
    }

    /// The error if the board differs from the size that its first line gives.
    fn wrong_size(&self) -> Option<TextError> {
        let (span, (width, height)) = self.size.as_ref()?;
        let (columns, rows) = (self.width, self.rows);
        (columns != *width || rows != *height).then(|| {
            let message = format!(
                "this line says {width} columns and {height} rows, but there are {columns} and {rows}"
            );
            TextError::new(span.clone(), message, "the columns and rows of the board below")
        })
    }

    /// Is `0` a free cell? Yes behind a line `W H`, and on a board of numbers alone unless it is a pair of ends.
    fn zero_is_free(&self) -> bool {
        let mut labels = self.cells.iter().map(|token| token.label);
        let zeros = labels.clone().filter(|&label| label == "0").count();
        self.size.is_some() || zeros > 0 && zeros != 2 && labels.all(|label| is_number(label) || label == "#")
    }

    fn header(&mut self, line: Line<'a>) -> Result<(), TextError> {
        let (key, value) = line.text.split_once(':').unwrap_or((line.text, ""));
        let value_at = line.start + key.len() + 1;
        match key.trim() {
            "title" => self.title = Some(value.trim().to_owned()),
            "rule" => {
                let name = value.trim();
                self.rule = Rule::by_name(name).ok_or_else(|| {
                    let span = value_at..line.span().end;
                    TextError::new(span, format!("unknown rule '{name}'"), "fill, numberlink or touching")
                })?;
            }
            "edges" => {
                if value.trim() != "warp" {
                    let message = format!("unknown edges '{}'", value.trim());
                    return Err(TextError::new(value_at..line.span().end, message, "warp"));
                }
                self.warp = Some(line.span());
            }
            "walls" => self.walls = Some((value, value_at)),
            "drawn" => self.drawn = Some((value, value_at)),
            other => {
                return Err(TextError::new(
                    line.span(),
                    format!("unknown line '{other}:'"),
                    "title:, rule:, edges:, walls: or drawn:",
                ));
            }
        }
        Ok(())
    }

    fn row(&mut self, line: Line<'a>) -> Result<(), TextError> {
        if self.size.as_ref().is_some_and(|(_, (_, height))| self.rows == *height) {
            let message = "the board has more rows than its first line says";
            return Err(TextError::new(line.span(), message, "an empty line, or a line 'W H'"));
        }
        if self.rows == MAX_SIDE {
            let expected = format!("at most {MAX_SIDE} rows");
            return Err(TextError::new(line.span(), TOO_MANY_ROWS, expected));
        }
        let first = self.cells.len();
        self.cells.extend(tokens(line));
        let row = &self.cells[first..];
        if row.len() > MAX_SIDE {
            return Err(TextError::new(line.span(), TOO_LONG, format!("at most {MAX_SIDE} cells")));
        }
        if let Some(long) = row.iter().find(|token| token.label.chars().nth(MAX_LABEL).is_some()) {
            let expected = format!("at most {MAX_LABEL} characters");
            return Err(TextError::new(long.span(), "the label is too long", expected));
        }
        if self.rows == 0 {
            self.width = row.len();
        }
        let width = self.width;
        if width != row.len() {
            let message = format!("this row has {} cells, the first one has {width}", row.len());
            let end = line.span().end;
            let wrong = row.get(width).map_or(end..end, |extra| extra.start..end);
            return Err(TextError::new(wrong, message, "rows of equal length")
                .help("write a dot for every free cell"));
        }
        if self.cells.len() > MAX_CELLS {
            return Err(TextError::new(line.span(), TOO_MANY_CELLS, format!("at most {MAX_CELLS} cells")));
        }
        self.rows += 1;
        Ok(())
    }

    fn finish(self) -> Result<Board, TextError> {
        if let Some(error) = self.wrong_size() {
            return Err(error);
        }
        let width = self.width;
        let whole = match &self.cells[..] {
            [] => 0..0,
            [only] => only.span(),
            [first, .., last] => first.start..last.span().end,
        };
        let zero = if self.zero_is_free() { "0" } else { "." };
        let mut labels = Labels::new();
        let mut cells = Vec::with_capacity(self.cells.len());
        for &token in &self.cells {
            let cell = match token.label {
                "." | "_" | "-" => Cell::Free,
                free if free == zero => Cell::Free,
                "#" => Cell::Wall,
                "*" => Cell::Hole,
                "+" => {
                    let message = "bridges, which two paths cross, are not supported";
                    return Err(TextError::new(token.span(), message, "a dot, #, * or a letter"));
                }
                label if label.chars().all(char::is_alphanumeric) => Cell::End(labels.end(token)?),
                other => {
                    return Err(TextError::new(
                        token.span(),
                        format!("unknown cell '{other}'"),
                        "a dot, #, * or a letter",
                    ));
                }
            };
            cells.push(cell);
        }
        let names = labels.names()?;
        let at = whole.clone();
        let mut board = Board::new(width, cells, names).map_err(|e| match e {
            BoardError::NoColours => {
                TextError::new(at, "the board has no colours", "at least one pair of letters")
            }
            other => TextError::new(at, other.to_string(), "a board"),
        })?;
        board.title = self.title;
        board.rule = self.rule;
        if let Some(span) = self.warp {
            board = board.with_warp().map_err(|e| TextError::new(span, e.to_string(), "a larger board"))?;
        }
        if let Some((walls, start)) = self.walls {
            board = read_walls(board, walls, start)?;
        }
        if let Some((plan, start)) = self.drawn {
            let steps = read_steps(&board, plan).map_err(|e| e.shifted(start))?;
            let end = start + plan.len();
            board = with_drawn(board, &steps)
                .map_err(|e| TextError::new(start..end, e.to_string(), "steps that the rules allow"))?;
        }
        Ok(board)
    }
}

/// Builds the walls of a line `walls:`, which begins at `start`.
fn read_walls(board: Board, text: &str, start: usize) -> Result<Board, TextError> {
    let span = start..start + text.len();
    let place = |text: &str| -> Option<usize> {
        let (row, column) = text.split_once(',')?;
        let (row, column) = (row.parse::<usize>().ok()?, column.parse::<usize>().ok()?);
        let inside = (1..=board.height()).contains(&row) && (1..=board.width()).contains(&column);
        inside.then(|| (row - 1) * board.width() + column - 1)
    };
    let expected = "pairs of neighbours as row,column|row,column";
    let pair = |word: &str| {
        let pair = word.split_once('|').and_then(|(a, b)| place(a).zip(place(b)));
        pair.ok_or_else(|| TextError::new(span.clone(), format!("'{word}' is no wall"), expected))
    };
    let pairs = text.split_whitespace().map(pair).collect::<Result<Vec<_>, _>>()?;
    board.with_walls(&pairs).map_err(|e| TextError::new(span, e.to_string(), expected))
}

/// Is this a number without a sign?
fn is_number(label: &str) -> bool {
    label.bytes().all(|b| b.is_ascii_digit())
}

/// The labels of a board in order of first appearance, with the ends of each.
struct Labels<'a> {
    list: Vec<(Token<'a>, u8)>,
    /// By character: one more than the position of a one-byte label in the list; 0 for none.
    short: [u16; 128],
    /// The positions of all other labels.
    long: HashMap<&'a str, u16>,
}

impl<'a> Labels<'a> {
    fn new() -> Self {
        Self { list: Vec::new(), short: [0; 128], long: HashMap::new() }
    }

    /// Records an end and returns its colour.
    fn end(&mut self, token: Token<'a>) -> Result<u16, TextError> {
        let next = self.list.len() as u16;
        let colour = match token.label.as_bytes() {
            &[byte] if byte.is_ascii() => {
                let place = &mut self.short[usize::from(byte)];
                if *place == 0 {
                    *place = next + 1;
                }
                *place - 1
            }
            _ => *self.long.entry(token.label).or_insert(next),
        };
        if colour == next {
            self.list.push((token, 0));
        }
        let (_, ends) = &mut self.list[usize::from(colour)];
        *ends += 1;
        if *ends > 2 {
            let message = format!("a third end of colour {}", token.label);
            return Err(TextError::new(token.span(), message, "each label exactly twice"));
        }
        Ok(colour)
    }

    /// The labels; an error unless each has two ends.
    fn names(self) -> Result<Vec<String>, TextError> {
        if let Some((token, _)) = self.list.iter().find(|(_, ends)| *ends == 1) {
            let message = format!("colour {} has one end only", token.label);
            return Err(TextError::new(token.span(), message, "each label exactly twice"));
        }
        Ok(self.list.into_iter().map(|(token, _)| token.label.to_owned()).collect())
    }
}

/// The cells of a row: characters, or words where there are blanks. Of a row that is too long, one cell too many.
fn tokens(line: Line<'_>) -> impl Iterator<Item = Token<'_>> + Clone {
    let text = line.text.trim();
    let spaced = text.contains(char::is_whitespace);
    let base = line.text.as_ptr() as usize;
    let words = spaced.then(|| text.split_whitespace()).into_iter().flatten();
    let characters = (!spaced)
        .then(|| text.char_indices().map(move |(i, c)| &text[i..i + c.len_utf8()]))
        .into_iter()
        .flatten();
    words
        .chain(characters)
        .take(MAX_SIDE + 1)
        .map(move |label| Token { label, start: line.start + (label.as_ptr() as usize - base) })
}

/// Writes a board; [`parse`] reads it.
pub fn write(board: &Board) -> String {
    let mut out = String::new();
    if let Some(title) = &board.title {
        out.extend(["title: ", title.as_str(), "\n"]);
    }
    if board.rule != Rule::Fill {
        out.extend(["rule: ", board.rule.name(), "\n"]);
    }
    if board.warps() {
        out.push_str("edges: warp\n");
    }
    let place = |at: usize| format!("{},{}", at / board.width() + 1, at % board.width() + 1);
    let walls: Vec<String> = board.walls().map(|(a, b)| format!("{}|{}", place(a), place(b))).collect();
    if !walls.is_empty() {
        out.extend(["walls: ", walls.join(" ").as_str(), "\n"]);
    }
    let widest = board.colours().iter().map(|c| c.label.chars().count()).max().unwrap_or(1);
    for row in board.cells().chunks(board.width()) {
        let words = row.iter().map(|cell| match cell {
            Cell::Free => ".",
            Cell::Wall => "#",
            Cell::Hole => "*",
            Cell::End(c) => board.colours()[usize::from(*c)].label.as_str(),
        });
        let line = if widest == 1 {
            words.collect::<String>()
        } else {
            words.map(|w| format!("{w:>widest$}")).collect::<Vec<_>>().join(" ")
        };
        out.push_str(&line);
        out.push('\n');
    }
    if !board.drawn().is_empty() {
        let steps: Vec<String> = board.drawn().iter().map(|&s| show_step(board, s)).collect();
        out.extend(["drawn: ", &steps.join(" "), "\n"]);
    }
    out
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write(self))
    }
}

/// Does this look like a board, or like a file of another program that contains boards?
pub fn recognises(text: &str) -> bool {
    read(text).is_some()
}

/// Each board of a text that looks like a board, or like a file of another program that contains boards.
///
/// A text of letters and dots counts as a board even if an end is missing or it is too large. Without dots it must parse
/// without an error and have free cells, because numbers and letters occur in other puzzles too.
pub fn read(text: &str) -> Option<Vec<Result<Board, TextError>>> {
    if foreign::recognises(text) {
        return Some(parse_each(text));
    }
    let mut rows = lines(text)
        .map(|l| l.text.trim())
        .filter(|l| !l.is_empty() && !l.starts_with(';') && !l.contains(':'))
        .peekable();
    let cell = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '#' | '*' | '+' | ' ' | '\t');
    if rows.peek().is_none() || !rows.all(|row| row.chars().all(cell)) {
        return None;
    }
    let near = |error: &TextError| {
        ["colour", "a third", "bridges", TOO_MANY_ROWS, TOO_LONG, TOO_MANY_CELLS]
            .iter()
            .any(|begin| error.message.starts_with(begin))
    };
    let boards = parse_each(text);
    let dots = text.contains('.');
    let first_error = boards.iter().find_map(|board| board.as_ref().err());
    let ours = match first_error {
        None => dots || boards.iter().flatten().all(|board| board.free_cells() > 0),
        Some(error) => dots && near(error),
    };
    ours.then_some(boards)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_board_hides_no_other() {
        let read = |text: &str| parse_each(text).iter().map(Result::is_ok).collect::<Vec<_>>();
        assert_eq!(read("A.A\n\nB..\nB.\n...\n\nC.C\n"), [true, false, true]);
        assert_eq!(read("rule: none\nA.A\n\nA.A\n"), [false, true]);
        assert_eq!(read("A.A\n\nA.B\n"), [true, false]);
        assert_eq!(read("\n"), [false]);
        assert!(parse("A.A\n\nA.B\n\nC.C\n").is_err());
    }

    #[test]
    fn boards_come_back() {
        for text in [
            "R.G\n...\nRG.\n",
            "title: t\nrule: numberlink\n12  . 12\n a  #  a\n",
            "R..\n...\n..R\ndrawn: Rr\n",
            "rule: touching\nedges: warp\nwalls: 1,1|1,2 1,3|1,1 3,1|1,1\nR..\n.*.\n..R\n",
        ] {
            let board = parse(text).unwrap().remove(0);
            assert_eq!(parse(&write(&board)).unwrap().remove(0), board);
        }
    }

    #[test]
    fn errors_name_the_place() {
        let place = |text: &str| parse(text).map(|_| ()).map_err(|e| e.position(text));
        assert_eq!(place(""), Err((1, 1)));
        assert_eq!(place("R.G\n...\nRG\n"), Err((3, 3)));
        assert_eq!(place("R.G\n...\nRG..\n"), Err((3, 4)));
        assert_eq!(place("R.G\n..R\nRG.\n"), Err((3, 1)));
        assert_eq!(place("R.G\n...\nR..\n"), Err((1, 3)));
        assert_eq!(place("R.R\n.?.\n"), Err((2, 2)));
        assert_eq!(place("...\n...\n"), Err((1, 1)));
        assert_eq!(place("R.R\nrule: x\n"), Err((2, 6)));
        assert_eq!(place("R.R\nedges: x\n"), Err((2, 7)));
        assert_eq!(place("R.R\nedges: warp\n"), Err((2, 1)));
        assert_eq!(place("R.R\nwalls: 1,1|1,3\n"), Err((2, 7)));
        assert_eq!(place("R.R\nwalls: 1,1|2,1\n"), Err((2, 7)));
        assert_eq!(place("R+R\n"), Err((1, 2)));
        assert_eq!(place("R.R\ndrawn: Rx\n"), Err((2, 8)));
        assert_eq!(place("R.R\n...\ndrawn: Ru\n"), Err((3, 7)));
    }

    #[test]
    fn numeric_boards_are_read() {
        let same = |text: &str, plain: &str| {
            let mut board = parse(text).unwrap().remove(0);
            board.title = None;
            assert_eq!(board, parse(plain).unwrap().remove(0), "{text}");
            assert!(recognises(text), "{text}");
        };
        let plain = "1.2.\n....\n1..2\n";
        same("4 3\n1 0 2 0\n0 0 0 0\n1 0 0 2\n", plain);
        same("4 3\n1.2.\n....\n1..2\n0 0\n", plain);
        same("1 - 2 -\n- - - -\n1 - - 2\n", plain);
        same("1020\n0000\n1002\n", plain);
        same("title: t\n4 3\n1 . 2 .\n. . . .\n1 . . 2\n", plain);
        same("2 2\n0 0\n7 7\n", "..\n77\n");
        // Two numbers may be a row of a board of two columns.
        same("2 1\n2 1\n. .\n", "21\n21\n..\n");
        // A pair of zeros is a colour unless a header or other numbers make it free.
        same("0 . 0\n", "0.0\n");
    }

    #[test]
    fn lists_need_no_empty_lines_where_sizes_are_given() {
        let boards = parse("3 1\nA.A\n1 3\n5\n.\n5\nrule: numberlink\n2 2\n8 0\n8 0\n0 0\n").unwrap();
        let sizes: Vec<_> = boards.iter().map(|b| (b.width(), b.height(), b.rule)).collect();
        assert_eq!(sizes, [(3, 1, Rule::Fill), (1, 3, Rule::Numberlink), (2, 2, Rule::Fill)]);
        let place = |text: &str| parse(text).map(|_| ()).map_err(|e| e.position(text));
        assert_eq!(place("3 2\nA.A\n"), Err((1, 1)));
        assert_eq!(place("3 1\nA.A\n...\n"), Err((3, 1)));
    }

    #[test]
    fn large_boards_are_read_and_too_large_ones_are_recognised() {
        let rows = |width: usize, height: usize| {
            let row = ".".repeat(width) + "\n";
            format!("A{}A\n{}", ".".repeat(width - 2), row.repeat(height - 1))
        };
        for (width, height) in [(256, 256), (1024, 64), (10, 310), (310, 10)] {
            let board = parse(&rows(width, height)).unwrap().remove(0);
            assert_eq!((board.width(), board.height()), (width, height));
            assert_eq!(parse(&write(&board)).unwrap(), [board]);
        }
        for (width, height) in [(257, 256), (1025, 2), (2, 1025)] {
            assert!(parse(&rows(width, height)).is_err());
            assert!(recognises(&rows(width, height)), "{width}x{height}");
        }
    }

    #[test]
    fn other_puzzles_are_not_taken_for_boards() {
        for text in
            ["1 2 3\n4 5 6\n7 8 0\n", "3 3\n1 2 3\n4 5 6\n7 8 0\n", "rruudd\n", "1 2\n3 0\n", "5,4,\n1,1,\n"]
        {
            assert!(!recognises(text), "{text}");
        }
    }

    /// The same parse recognises a text and reads its boards, bad ones in their places.
    #[test]
    fn what_is_recognised_is_read_by_the_same_parse() {
        for text in ["A.A\n\nA.B\n\nC.C\n", "A.A\n", "1020\n0000\n1002\n", "3,0,1,2;0,1,4,3,6;2,5,8\n"] {
            assert_eq!(read(text), Some(parse_each(text)), "{text}");
        }
        for text in ["1 2 3\n4 5 6\n7 8 0\n", "rruudd\n", "A?A\n"] {
            assert_eq!((read(text), recognises(text)), (None, false), "{text}");
        }
    }
}
