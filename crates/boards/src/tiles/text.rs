//! The text format of boards.
//!
//! Numbers, 0 for the blank, separated by blanks or commas: either one line with all tiles of a square board, or one line per
//! row. A file may hold many boards: one per line, or separated by empty lines. A line that begins with `#` is a comment, and
//! the comment right before a board is its title. `goal: blank last` (or `first`) applies to all boards after it; `size: 2x5`
//! gives rows and columns of one-line boards that are not square.
//!
//! The parser also reads lists (`[[1,2,3],[4,5,6],[7,8,0]]`), rows of digits (`123`), a line with the side or sides above the
//! rows, other signs for the blank (`_ x . * -`), and tables: a board per line with further columns before or behind it, and
//! optional headings in the first line.

use std::ops::Range;

use super::board::{Board, Goal, MAX_SIDE, MAX_SQUARES};
use crate::text::{Line, TextError, lines};

/// A number and its place.
#[derive(Clone, Debug)]
struct Number {
    value: usize,
    span: Range<usize>,
    /// The sign for the blank, if it is one and not 0.
    sign: Option<&'static str>,
}

/// The words of a line.
#[derive(Clone, Debug, Default)]
struct Row {
    numbers: Vec<Number>,
    /// The number of words that are not numbers.
    words: usize,
    /// The error of the first of these.
    odd: Option<TextError>,
    /// The length of the inner lists, if it is a list of lists.
    lists: Option<usize>,
}

/// Settings of the lines above for the boards below.
#[derive(Clone, Debug, Default)]
struct Header {
    goal: Goal,
    size: Option<(usize, usize)>,
    title: Option<String>,
}

/// Reads all boards of a text; the first error ends it.
pub fn parse(text: &str) -> Result<Vec<Board>, TextError> {
    parse_each(text).into_iter().collect()
}

/// Reads each board of a text separately.
pub fn parse_each(text: &str) -> Vec<Result<Board, TextError>> {
    let mut reader = Reader::default();
    for line in lines(text) {
        reader.line(&line);
    }
    reader.finish();
    if reader.boards.is_empty() {
        let expected = "the numbers of the tiles, 0 for the blank";
        let none = TextError::new(text.len()..text.len(), "there is no board in this text", expected);
        reader.boards.push(Err(none));
    }
    reader.boards
}

#[derive(Default)]
struct Reader {
    boards: Vec<Result<Board, TextError>>,
    header: Header,
    /// The lines of the board being read, or of boards with one line each.
    rows: Vec<Result<Row, TextError>>,
    /// The board being read has too many rows; its other rows are skipped.
    tall: bool,
    /// A line of numbers was read: later lines are no headings.
    begun: bool,
}

impl Reader {
    fn line(&mut self, line: &Line<'_>) {
        let trimmed = line.text.trim();
        let remark = trimmed.strip_prefix('#');
        if trimmed.is_empty() || remark.is_some() || trimmed.contains(':') {
            self.finish();
        }
        if let Some(remark) = remark {
            self.header.title = Some(remark.trim().to_owned()).filter(|t| !t.is_empty());
        } else if trimmed.contains(':') {
            let set = setting(line, &mut self.header);
            self.boards.extend(set.err().map(Err));
        } else if !trimmed.is_empty() && !self.tall {
            let row = numbers(line);
            if !self.begun && row.as_ref().is_ok_and(|row| row.numbers.is_empty()) {
                return;
            }
            self.begun = true;
            self.rows.push(row.and_then(Row::complete));
            if let Err(error) = refuse_tall(&self.rows, &self.header) {
                self.boards.push(Err(error));
                self.rows.clear();
                self.tall = true;
            }
        }
    }

    /// Makes boards of the rows collected so far.
    fn finish(&mut self) {
        self.tall = false;
        let mut rows = std::mem::take(&mut self.rows);
        if begins_with_sides(&rows) {
            drop(rows.remove(0));
        }
        if one_a_line(&rows, &self.header) {
            let offset = table_offset(&rows, &self.header);
            for row in rows {
                let made = row.and_then(|row| one_line(&row, offset, &self.header));
                self.boards.push(made);
                self.header.title = None;
            }
        } else if !rows.is_empty() {
            let rows: Result<Vec<Row>, TextError> = rows.into_iter().collect();
            self.boards.push(rows.and_then(|rows| grid(rows, &self.header)));
            self.header.title = None;
        }
    }
}

/// Is the first line the side or the sides of the board below it: "3", or "3 3"?
fn begins_with_sides(rows: &[Result<Row, TextError>]) -> bool {
    let [Ok(first), Ok(second), ..] = rows else { return false };
    let (height, width) = match &first.numbers[..] {
        [side] => (side.value, side.value),
        [height, width] => (height.value, width.value),
        _ => return false,
    };
    let below = (rows.len() - 1, second.numbers.len());
    (below == (height, width) || below == (1, height.saturating_mul(width))) && !each_once_in_all(rows)
}

/// Reads `goal: …` or `size: …`.
fn setting(line: &Line<'_>, header: &mut Header) -> Result<(), TextError> {
    let (name, value) = line.text.split_once(':').unwrap_or((line.text, ""));
    let value = value.trim().to_ascii_lowercase();
    match name.trim().to_ascii_lowercase().as_str() {
        "goal" => {
            header.goal = match value.as_str() {
                "blank first" | "first" => Goal::BlankFirst,
                "blank last" | "last" => Goal::BlankLast,
                _ => {
                    let message = format!("unknown goal '{value}'");
                    return Err(TextError::new(line.span(), message, "'blank first' or 'blank last'"));
                }
            };
            Ok(())
        }
        "size" => {
            let sides = value.split_once(['x', '×']).and_then(|(rows, columns)| {
                Some((rows.trim().parse::<usize>().ok()?, columns.trim().parse::<usize>().ok()?))
            });
            let fits = |&(rows, columns): &(usize, usize)| {
                (2..=MAX_SIDE).contains(&rows) && (2..=MAX_SIDE).contains(&columns)
            };
            header.size = Some(sides.filter(fits).ok_or_else(|| {
                let message = format!("'{value}' is no size");
                TextError::new(line.span(), message, "rows x columns, each from 2 to 6: 'size: 2x5'")
            })?);
            Ok(())
        }
        other => Err(TextError::new(
            line.span(),
            format!("unknown setting '{other}'"),
            "'goal: blank first', 'goal: blank last' or 'size: 2x5'",
        )),
    }
}

/// Most words of a line: a board of 36 squares with many further columns.
const MAX_WORDS: usize = 256;

/// Signs for the blank, apart from 0.
const BLANKS: [&str; 6] = ["_", "x", "X", ".", "*", "-"];

/// The tile that a word stands for.
fn tile(word: &str, span: &Range<usize>) -> Option<Number> {
    let sign = BLANKS.into_iter().find(|&sign| sign == word);
    let digits = || word.parse().ok().filter(|_| word.bytes().all(|b| b.is_ascii_digit()));
    let value = if sign.is_some() { Some(0) } else { digits() };
    value.map(|value| Number { value, span: span.clone(), sign })
}

fn no_tile(word: &str, span: Range<usize>) -> TextError {
    TextError::new(span, format!("'{word}' is no tile"), "a number").help("0 is the blank")
}

/// The tiles of a line of digits without separators. One number alone is no row of a board.
fn digits(line: &Line<'_>) -> Option<Vec<Number>> {
    let word = line.text.trim();
    let start = line.start + (line.text.len() - line.text.trim_start().len());
    let tiles = word.char_indices().map(|(at, c)| {
        let end = at + c.len_utf8();
        tile(&word[at..end], &(start + at..start + end))
    });
    let one_blank = |tiles: &[Number]| tiles.iter().filter(|tile| tile.value == 0).count() <= 1;
    let tiles = tiles.collect::<Option<Vec<Number>>>();
    tiles.filter(|tiles| (2..=9).contains(&tiles.len()) && one_blank(tiles))
}

/// The separators of numbers: white space, commas, semicolons, and the brackets of lists.
fn separates(c: char) -> bool {
    c.is_whitespace() || ",;[](){}".contains(c)
}

/// The words of a line. Words that are no numbers may be columns of a table; the first of them is kept as an error.
fn numbers(line: &Line<'_>) -> Result<Row, TextError> {
    let mut row = Row { lists: list_length(line.text), ..Row::default() };
    if let Some(numbers) = digits(line) {
        return Ok(Row { numbers, ..row });
    }
    let mut rest = 0;
    while let Some(skip) = line.text[rest..].find(|c| !separates(c)) {
        let start = rest + skip;
        let word = &line.text[start..];
        let word = &word[..word.find(separates).unwrap_or(word.len())];
        let span = line.start + start..line.start + start + word.len();
        if row.numbers.len() + row.words == MAX_WORDS {
            let message = format!("more than {MAX_WORDS} words in a line");
            return Err(TextError::new(span, message, "the end of the line"));
        }
        if let Some(tile) = tile(word, &span) {
            row.numbers.push(tile);
        } else {
            row.words += 1;
            row.odd.get_or_insert_with(|| no_tile(word, span));
        }
        rest = start + word.len();
    }
    Ok(row)
}

/// The common length of the inner lists of `[[1,2,3],[4,5,0]]`, if they have one.
fn list_length(text: &str) -> Option<usize> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let inner = text.strip_prefix("[[")?.trim_end_matches(',').strip_suffix("]]")?;
    let lengths: Vec<usize> = inner.split("],[").map(|list| list.split(',').count()).collect();
    Some(lengths[0]).filter(|first| lengths.iter().all(|length| length == first))
}

impl Row {
    /// The row; an error if it contains a word that is no number and the line is no line of a table.
    fn complete(mut self) -> Result<Self, TextError> {
        match self.odd.take() {
            Some(odd) if offsets(&self, None).is_empty() => Err(odd),
            _ => Ok(self),
        }
    }
}

/// The places of a complete board in a line: (first number, squares). Boards of four squares are not looked for: any four small
/// columns could be one.
fn offsets(row: &Row, size: Option<(usize, usize)>) -> Vec<(usize, usize)> {
    let squares = size.map(|(height, width)| height * width).into_iter();
    let squares = squares.chain((3..=MAX_SIDE).rev().map(|side| side * side));
    let at = squares.flat_map(|squares| {
        let windows = row.numbers.windows(squares).enumerate();
        windows.filter(move |(_, window)| each_once(window)).map(move |(at, _)| (at, squares))
    });
    at.collect()
}

/// Are these the numbers from 0 on, each once?
fn each_once(numbers: &[Number]) -> bool {
    let mut seen = vec![false; numbers.len()];
    numbers.iter().all(|n| seen.get_mut(n.value).is_some_and(|seen| !std::mem::replace(seen, true)))
}

/// The place of the boards in the lines of a table: the same in all lines that contain one. Of several places, the first that
/// leaves a column for the line number.
fn table_offset(rows: &[Result<Row, TextError>], header: &Header) -> Option<(usize, usize)> {
    let fits = |row: &Row| row.numbers.len() == 4 || shape(row, header).is_ok();
    let mut tables = rows.iter().flatten().filter(|row| !fits(row)).map(|row| offsets(row, header.size));
    let mut common = tables.find(|places| !places.is_empty())?;
    for places in tables.filter(|places| !places.is_empty()) {
        let both: Vec<_> = common.iter().copied().filter(|place| places.contains(place)).collect();
        common = if both.is_empty() { common } else { both };
    }
    common.iter().copied().find(|(at, _)| *at > 0).or_else(|| common.first().copied())
}

/// Does this text belong to tiles, even if its boards are too large? It does if a board parses. It also does if a line, or
/// consecutive lines, hold all numbers from 0 on, each once.
pub fn recognises(text: &str) -> bool {
    let mut all = Row::default();
    let mut large = false;
    let mut numeric = true;
    let mut numbered = false;
    for line in lines(text) {
        let trimmed = line.text.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') || trimmed.contains(':') {
            numeric &=
                !trimmed.contains(':') || ["goal:", "size:", "#"].iter().any(|s| trimmed.starts_with(s));
            all.numbers.clear();
            continue;
        }
        // Skips long texts of letters and dots: they belong to another puzzle.
        if !trimmed.bytes().any(|b| b.is_ascii_digit()) {
            if !all.numbers.is_empty() && !trimmed.chars().all(separates) {
                return false;
            }
            continue;
        }
        let Ok(row) = numbers(&line) else { return false };
        if row.odd.is_some() && !all.numbers.is_empty() && offsets(&row, None).is_empty() {
            return false;
        }
        numeric &= row.odd.is_none() || row.numbers.is_empty() || !offsets(&row, None).is_empty();
        numbered |= !row.numbers.is_empty();
        if !numeric {
            return false;
        }
        large |= row.numbers.len() > MAX_SQUARES && each_once(&row.numbers);
        all.numbers.extend(row.numbers);
        // Of a very long text, only the beginning is searched for boards that are too large.
        all.numbers.truncate(1 << 16);
        large |= all.numbers.len() > MAX_SQUARES && each_once(&all.numbers);
    }
    numeric && numbered && (large || parse_each(text).iter().any(Result::is_ok))
}

/// Refuses a board at its first excess row, so that a long file is not collected first.
fn refuse_tall(rows: &[Result<Row, TextError>], header: &Header) -> Result<(), TextError> {
    let tall = match rows.len().checked_sub(MAX_SIDE) {
        Some(1) => !begins_with_sides(rows),
        Some(2) => true,
        _ => false,
    };
    if !tall || one_a_line(rows, header) {
        return Ok(());
    }
    let (Some(first), Some(last)) = (rows.iter().flatten().next(), rows.iter().flatten().last()) else {
        return Ok(());
    };
    let columns = first.numbers.len();
    let message = format!("a board of more than {MAX_SIDE} rows of {columns} columns is not supported");
    let error = TextError::new(span(&last.numbers), message, "2 to 6 rows and 2 to 6 columns");
    Err(error.help("several boards need an empty line between them"))
}

/// A board that is written one row a line.
fn grid(rows: Vec<Row>, header: &Header) -> Result<Board, TextError> {
    let (height, width) = (rows.len(), rows.first().map_or(0, |row| row.numbers.len()));
    if let Some(odd) = rows.iter().find(|r| r.numbers.len() != width) {
        let message = format!("this row has {} tiles, the first has {width}", odd.numbers.len());
        return Err(TextError::new(span(&odd.numbers), message, format!("{width} tiles")));
    }
    let all: Vec<Number> = rows.into_iter().flat_map(|row| row.numbers).collect();
    if !(2..=MAX_SIDE).contains(&height) || !(2..=MAX_SIDE).contains(&width) {
        let message = format!("a board of {height} rows and {width} columns is not supported");
        return Err(TextError::new(span(&all), message, "2 to 6 rows and 2 to 6 columns"));
    }
    board(height, width, &all, header)
}

/// A board that is written in one line, alone or in a table.
fn one_line(row: &Row, table: Option<(usize, usize)>, header: &Header) -> Result<Board, TextError> {
    match (shape(row, header), table) {
        (Ok((height, width)), _) => board(height, width, &row.numbers, header),
        (Err(_), Some((at, squares))) if row.numbers.len() >= at + squares && !each_once(&row.numbers) => {
            let numbers = &row.numbers[at..at + squares];
            let side = (2..=MAX_SIDE).find(|side| side * side == squares);
            let (height, width) = header
                .size
                .filter(|(h, w)| h * w == squares)
                .or(side.map(|s| (s, s)))
                .unwrap_or((1, squares));
            board(height, width, numbers, header)
        }
        (Err(error), _) => Err(error),
    }
}

/// Is each of these lines a board of its own? A line of four numbers could also be a row; it is a board unless a number in the
/// lines excludes that.
fn one_a_line(rows: &[Result<Row, TextError>], header: &Header) -> bool {
    let good = || rows.iter().flatten();
    let Some(first) = good().next() else { return true };
    let length = first.numbers.len();
    rows.len() == 1
        || length > MAX_SQUARES
        || length > MAX_SIDE && !each_once_in_all(rows)
        || header.size.is_some_and(|(height, width)| height * width == length)
        || (length == 4 && good().flat_map(|row| &row.numbers).all(|n| n.value < 4))
}

/// Do the numbers of all lines together form one board?
fn each_once_in_all(rows: &[Result<Row, TextError>]) -> bool {
    let all: Vec<Number> = rows.iter().flatten().flat_map(|row| row.numbers.clone()).collect();
    each_once(&all)
}

/// Rows and columns of a board that is written in one line.
fn shape(row: &Row, header: &Header) -> Result<(usize, usize), TextError> {
    let count = row.numbers.len();
    if let Some((height, width)) = header.size.filter(|(height, width)| height * width == count) {
        return Ok((height, width));
    }
    if let Some(width) =
        row.lists.filter(|&width| (2..=MAX_SIDE).contains(&width) && count == count / width * width)
        && (2..=MAX_SIDE).contains(&(count / width))
    {
        return Ok((count / width, width));
    }
    let side = (2..=MAX_SIDE).find(|side| side * side == count);
    side.map(|side| (side, side)).ok_or_else(|| {
        let large = count > MAX_SQUARES && each_once(&row.numbers);
        let message = if large {
            format!("a board of {count} squares is too large")
        } else {
            format!("{count} numbers in a line make no square board")
        };
        TextError::new(span(&row.numbers), message, "4, 9, 16, 25 or 36 numbers").help(
            "write one row a line, or say 'size: 2x5' above; several boards need an empty line between them",
        )
    })
}

/// The board with these numbers.
fn board(height: usize, width: usize, numbers: &[Number], header: &Header) -> Result<Board, TextError> {
    let squares = height * width;
    let mut first: [Option<&Number>; MAX_SQUARES] = [None; MAX_SQUARES];
    for number in numbers {
        let value = number.value;
        if value >= squares {
            let message = format!("there is no tile {value} on a board of {squares} squares");
            return Err(TextError::new(number.span.clone(), message, format!("0 to {}", squares - 1)));
        }
        if let Some(before) = first[value].replace(number) {
            // Beside a 0, another sign for the blank is a slip.
            if let Some((sign, at)) = [number, before].into_iter().find_map(|n| Some((n.sign?, &n.span))) {
                return Err(no_tile(sign, at.clone()));
            }
            let missing = (0..squares).find(|&v| numbers.iter().all(|n| n.value != v)).unwrap_or(0);
            let message = format!("tile {value} is here twice");
            let expected = format!("each of 0 to {} once", squares - 1);
            return Err(TextError::new(number.span.clone(), message, expected)
                .help(format!("{missing} is missing{}", if missing == 0 { " (the blank)" } else { "" })));
        }
    }
    let cells = numbers.iter().map(|n| n.value as u8).collect();
    let board = Board::new(height, width, cells, header.goal).ok_or_else(|| {
        TextError::new(span(numbers), "this is no board", format!("{squares} different numbers"))
    })?;
    Ok(board.titled(header.title.clone()))
}

fn span(row: &[Number]) -> Range<usize> {
    row.first().map_or(0, |n| n.span.start)..row.last().map_or(0, |n| n.span.end)
}

/// Writes a board; [`parse`] reads it back.
pub fn write(board: &Board) -> String {
    let mut text = String::new();
    if board.goal != Goal::default() {
        text = format!("goal: {}\n", board.goal.name());
    }
    if let Some(title) = &board.title {
        text = format!("{text}# {title}\n");
    }
    let width = (board.squares() - 1).to_string().len();
    for row in board.cells().chunks(board.columns()) {
        let words: Vec<String> = row.iter().map(|tile| format!("{tile:>width$}")).collect();
        text.push_str(&words.join(" "));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::plan::read_plan;
    use super::*;
    use proptest::prelude::*;

    fn one(text: &str) -> Board {
        let mut boards = parse(text).unwrap();
        assert_eq!(boards.len(), 1);
        boards.remove(0)
    }

    #[test]
    fn a_line_and_a_grid_are_the_same_board() {
        let line = one("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n");
        let grid = one("14 13 15  7\r\n11 12 9 5\n6,0,2,1\n4 8 10 3");
        assert_eq!(line, grid);
        assert_eq!((line.rows(), line.columns(), line.blank()), (4, 4, 9));
    }

    #[test]
    fn many_boards_settings_and_titles() {
        let text = "# first\n1 0 2 3\n0 1 2 3\n\ngoal: blank last\nsize: 2x3\n# wide\n1 2 3 4 5 0\n\n1 2\n3 4\n5 0\n";
        let boards = parse(text).unwrap();
        let seen: Vec<_> =
            boards.iter().map(|b| (b.rows(), b.columns(), b.goal, b.title.as_deref())).collect();
        assert_eq!(
            seen,
            [
                (2, 2, Goal::BlankFirst, Some("first")),
                (2, 2, Goal::BlankFirst, None),
                (2, 3, Goal::BlankLast, Some("wide")),
                (3, 2, Goal::BlankLast, None),
            ]
        );
        assert_eq!(one("0 1 2 3\n4 5 6 7\n").columns(), 4);
    }

    #[test]
    fn errors_point_at_the_tile() {
        let at = |text: &str| {
            let error = parse(text).unwrap_err();
            (error.message.clone(), text.get(error.span.clone()).unwrap_or("").to_owned())
        };
        assert_eq!(at("1 2 y 0").1, "y");
        assert_eq!(at("1 2 0 x"), ("'x' is no tile".to_owned(), "x".to_owned()));
        assert_eq!(at("1 x 0 2"), ("'x' is no tile".to_owned(), "x".to_owned()));
        assert_eq!(at("3\n1 2 3\n4 5 6\n7 8 8\n"), ("tile 8 is here twice".to_owned(), "8".to_owned()));
        assert_eq!(at("1 2 -3 0").1, "-3");
        assert_eq!(at("1 2 +3 0").1, "+3");
        assert_eq!(at("1 2 2 0"), ("tile 2 is here twice".to_owned(), "2".to_owned()));
        assert_eq!(at("1 2 4 0").1, "4");
        assert_eq!(at("1 2 99999999999999999999999 0").1, "99999999999999999999999");
        assert_eq!(at("1 2 3 4 0").0, "5 numbers in a line make no square board");
        assert_eq!(at("1 2\n0").1, "0");
        assert_eq!(at("goal: x\n1 2 3 0").1, "goal: x");
        assert_eq!(at("size: 9x9\n1 2 3 0").1, "size: 9x9");
        assert_eq!(at("colour: 1").1, "colour: 1");
        assert_eq!(at("").0, "there is no board in this text");
        assert_eq!(at("# nothing\n").0, "there is no board in this text");
    }

    #[test]
    fn lists_and_tables_are_read() {
        let board = one("1 2 3\n4 5 6\n7 8 0\n");
        for text in [
            "[1,2,3,4,5,6,7,8,0]",
            "[[1, 2, 3], [4, 5, 6], [7, 8, 0]]",
            "[[1,2,3],\n [4,5,6],\n [7,8,0]]",
            "(1 2 3 4 5 6 7 8 0)",
            "{1;2;3;4;5;6;7;8;0}",
            "7\t1 2 3 4 5 6 7 8 0\t22\n",
            "name,1,2,3,4,5,6,7,8,0,3.5",
            "id\tcost\ttiles\nx1\t0\t1 2 3 4 5 6 7 8 0\n",
            "123\n456\n780\n",
            "12345678_\n",
            "# solvable\n3\n1 2 3\n4 5 6\n7 8 0\n",
            "3 3\n1 2 3\n4 5 6\n7 8 0\n",
            "3\n1 2 3 4 5 6 7 8 0\n",
            "1 2 3 4 5 6 7 8 x\n",
            "1 2 3\n4 5 6\n7 8 .\n",
        ] {
            assert_eq!(one(text).titled(None), board, "{text}");
            assert!(recognises(text), "{text}");
        }
        let six = "0 1 2 3 4 5\n6 7 8 9 10 11\n12 13 14 15 16 17\n18 19 20 21 22 23\n24 25 26 27 28 29\n30 31 32 33 34 35\n";
        assert_eq!(one(six).rows(), 6);
        assert_eq!(one(&format!("6\n{six}")), one(six));
        assert!(parse(&format!("6\n{six}0 1 2 3 4 5\n")).is_err());
        assert_eq!(one("3 2\n0 1\n4 5\n6 7\n").rows(), 4, "the first line is a row");
        let wide = one("[[1,2,3],[4,5,0]]");
        assert_eq!((wide.rows(), wide.columns()), (2, 3));
        // In the first line the neighbouring columns could be tiles of the board.
        let table = "0 1 2 3 4 5 6 7 8 0 1\n2 8 7 6 5 4 3 2 1 0 9\n";
        let blanks: Vec<usize> = parse(table).unwrap().iter().map(Board::blank).collect();
        assert_eq!(blanks, [8, 8]);
    }

    #[test]
    fn a_bad_board_does_not_hide_the_others() {
        let kinds = |text: &str| parse_each(text).iter().map(Result::is_ok).collect::<Vec<_>>();
        assert_eq!(kinds("1 2 3 0\n1 1 3 0\n0 1 2 3\n"), [true, false, true]);
        assert_eq!(kinds("1 2 3 4 5 6 7 8 0\n1 2 3 4 x 6 7 8 0\n0 1 2 3 4 5 6 7 8\n"), [true, false, true]);
        assert_eq!(kinds("1 2\n3 0\n\n1 2\n3\n\ngoal: no\n0 1\n2 3\n"), [true, false, false, true]);
    }

    #[test]
    fn boards_that_are_too_large_are_recognised_and_named() {
        for side in [7, 8, 10] {
            let rows: Vec<String> = (0..side)
                .map(|row| {
                    (row * side..row * side + side).map(|n| n.to_string()).collect::<Vec<_>>().join(" ")
                })
                .collect();
            for (text, message) in [
                (rows.join("\n"), "not supported"),
                (rows.join(" "), "squares is too large"),
                (rows.join("\n") + "\n", "not supported"),
            ] {
                assert!(recognises(&text), "{text}");
                let errors = parse_each(&text);
                assert_eq!(errors.len(), 1, "{text}");
                let error = errors[0].as_ref().unwrap_err();
                assert!(error.message.contains(message), "{error:?}");
            }
        }
        for text in ["5,5,\n1,1,1,1,1,\n1,2,0,-1,1,\n", "", "# x\n", "1 2 3\n", "4 4\n1 0 0 1\n0 0 0 0\n"] {
            assert!(!recognises(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "[0-9 ,:#a-z\n×x_é]{0,80}") {
            recognises(&text);
            let _ = parse(&text);
            let _ = read_plan(&text);
        }

        #[test]
        fn writing_and_reading(rows in 2usize..=6, columns in 2usize..=6, seed in any::<u64>(), last in any::<bool>()) {
            let mut cells: Vec<u8> = (0..(rows * columns) as u8).collect();
            let mut random = seed;
            for i in (1..cells.len()).rev() {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                cells.swap(i, (random >> 33) as usize % (i + 1));
            }
            let goal = if last { Goal::BlankLast } else { Goal::BlankFirst };
            let mut board = Board::new(rows, columns, cells, goal).unwrap();
            board.title = last.then(|| "a title".to_owned());
            prop_assert_eq!(one(&write(&board)), board);
        }
    }
}
