//! How boards are written.
//!
//! Numbers, 0 for the blank, separated by blanks or commas: either one line with all tiles of a square board, or one line a
//! row. A file may hold many boards: one a line, or separated by empty lines. A line that begins with `#` is a remark, and
//! the remark right before a board is its title. `goal: blank last` (or `first`) holds for all boards after it;
//! `size: 2x5` gives rows and columns of one-line boards that are not square.

use std::ops::Range;

use super::board::{Board, Goal, MAX_SIDE, MAX_SQUARES, Step};
use beeline_puzzle::text::{Line, TextError, lines};

/// A number and where it stands.
#[derive(Clone, Debug)]
struct Number {
    value: usize,
    span: Range<usize>,
}

type Row = Vec<Number>;

/// What the lines above say about the boards below.
#[derive(Clone, Debug, Default)]
struct Header {
    goal: Goal,
    size: Option<(usize, usize)>,
    title: Option<String>,
}

/// Reads all boards of a text.
pub fn parse(text: &str) -> Result<Vec<Board>, TextError> {
    let mut boards = Vec::new();
    let mut header = Header::default();
    let mut rows: Vec<Row> = Vec::new();
    for line in lines(text) {
        let trimmed = line.text.trim();
        let remark = trimmed.strip_prefix('#');
        if trimmed.is_empty() || remark.is_some() || trimmed.contains(':') {
            finish(&mut rows, &mut header, &mut boards)?;
        }
        if let Some(remark) = remark {
            header.title = Some(remark.trim().to_owned()).filter(|t| !t.is_empty());
        } else if trimmed.contains(':') {
            setting(&line, &mut header)?;
        } else if !trimmed.is_empty() {
            rows.push(numbers(&line)?);
            refuse_tall(&rows, &header)?;
        }
    }
    finish(&mut rows, &mut header, &mut boards)?;
    if boards.is_empty() {
        let expected = "the numbers of the tiles, 0 for the blank";
        return Err(TextError::new(text.len()..text.len(), "there is no board in this text", expected));
    }
    Ok(boards)
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

/// The numbers of a line.
fn numbers(line: &Line<'_>) -> Result<Row, TextError> {
    let mut row = Row::new();
    let separator = |c: char| c.is_whitespace() || c == ',';
    let mut rest = 0;
    while let Some(skip) = line.text[rest..].find(|c| !separator(c)) {
        let start = rest + skip;
        let word = &line.text[start..];
        let word = &word[..word.find(separator).unwrap_or(word.len())];
        let span = line.start + start..line.start + start + word.len();
        let value = word.parse().ok().filter(|_| word.bytes().all(|b| b.is_ascii_digit()));
        let value = value.ok_or_else(|| {
            TextError::new(span.clone(), format!("'{word}' is no tile"), "a number").help("0 is the blank")
        })?;
        if row.len() == MAX_SQUARES {
            let message = format!("more than {MAX_SQUARES} numbers in a line");
            return Err(TextError::new(span, message, "the end of the line"));
        }
        row.push(Number { value, span });
        rest = start + word.len();
    }
    Ok(row)
}

/// Refuses a board of too many rows at the first row that is too many, so that a long file is not collected first.
fn refuse_tall(rows: &[Row], header: &Header) -> Result<(), TextError> {
    let [first, .., last] = rows else { return Ok(()) };
    if rows.len() != MAX_SIDE + 1 || one_a_line(first, rows, header) {
        return Ok(());
    }
    let message = format!("a board of more than {MAX_SIDE} rows of {} columns is not supported", first.len());
    let error = TextError::new(span(last), message, "2 to 6 rows and 2 to 6 columns");
    Err(error.help("several boards need an empty line between them"))
}

/// Makes boards of the rows collected so far.
fn finish(rows: &mut Vec<Row>, header: &mut Header, boards: &mut Vec<Board>) -> Result<(), TextError> {
    let rows = std::mem::take(rows);
    let Some(first) = rows.first() else { return Ok(()) };
    if one_a_line(first, &rows, header) {
        for row in &rows {
            let (height, width) = shape(row, header)?;
            boards.push(board(height, width, row, header)?);
            header.title = None;
        }
        return Ok(());
    }
    let (height, width) = (rows.len(), first.len());
    if let Some(odd) = rows.iter().find(|r| r.len() != width) {
        let message = format!("this row has {} tiles, the first has {width}", odd.len());
        return Err(TextError::new(span(odd), message, format!("{width} tiles")));
    }
    if !(2..=MAX_SIDE).contains(&height) || !(2..=MAX_SIDE).contains(&width) {
        let all = span(first).start..rows.last().map_or(0, |r| span(r).end);
        let message = format!("a board of {height} rows and {width} columns is not supported");
        return Err(TextError::new(all, message, "2 to 6 rows and 2 to 6 columns"));
    }
    let all: Row = rows.into_iter().flatten().collect();
    boards.push(board(height, width, &all, header)?);
    header.title = None;
    Ok(())
}

/// Is each of these lines a board of its own? A line of four could be a row too; it is a board if no number in the lines
/// says otherwise.
fn one_a_line(first: &Row, rows: &[Row], header: &Header) -> bool {
    rows.len() == 1
        || first.len() > MAX_SIDE
        || header.size.is_some_and(|(height, width)| height * width == first.len())
        || (first.len() == 4 && rows.iter().flatten().all(|n| n.value < 4))
}

/// Rows and columns of a board that is written in one line.
fn shape(row: &Row, header: &Header) -> Result<(usize, usize), TextError> {
    if let Some((height, width)) = header.size.filter(|(height, width)| height * width == row.len()) {
        return Ok((height, width));
    }
    let side = (2..=MAX_SIDE).find(|side| side * side == row.len());
    side.map(|side| (side, side)).ok_or_else(|| {
        let message = format!("{} numbers in a line make no square board", row.len());
        TextError::new(span(row), message, "4, 9, 16, 25 or 36 numbers").help(
            "write one row a line, or say 'size: 2x5' above; several boards need an empty line between them",
        )
    })
}

/// The board with these numbers.
fn board(height: usize, width: usize, numbers: &Row, header: &Header) -> Result<Board, TextError> {
    let squares = height * width;
    let mut first: [Option<&Number>; MAX_SQUARES] = [None; MAX_SQUARES];
    for number in numbers {
        let value = number.value;
        if value >= squares {
            let message = format!("there is no tile {value} on a board of {squares} squares");
            return Err(TextError::new(number.span.clone(), message, format!("0 to {}", squares - 1)));
        }
        if first[value].replace(number).is_some() {
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

fn span(row: &Row) -> Range<usize> {
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

/// Splits a plan into steps: letters L, R, U, D for the way the blank goes, or the words, with or without blanks between.
pub fn read_plan(text: &str) -> Result<Vec<String>, TextError> {
    let mut steps = Vec::new();
    for line in lines(text) {
        let mut rest = 0;
        while let Some(skip) = line.text[rest..].find(|c: char| !c.is_whitespace() && c != ',') {
            let start = rest + skip;
            let letters = line.text[start..].split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
            let words = ["left", "right", "up", "down"];
            if let Some(word) = words.iter().position(|w| w.eq_ignore_ascii_case(letters)) {
                steps.push(Step::from_index(word).letter().to_string());
                rest = start + letters.len();
                continue;
            }
            let span = line.char_span(start);
            let letter = line.text[start..].chars().next().unwrap_or(' ');
            let step = Step::from_letter(letter).ok_or_else(|| {
                TextError::new(span.clone(), format!("'{letter}' is no step"), "L, R, U or D")
                    .help("a plan says where the blank goes")
            })?;
            steps.push(step.letter().to_string());
            rest = start + letter.len_utf8();
        }
    }
    Ok(steps)
}

/// Writes a plan in groups of ten steps, six groups a line.
pub fn write_plan(steps: &[String]) -> String {
    let groups: Vec<String> = steps.chunks(10).map(<[String]>::concat).collect();
    let lines: Vec<String> = groups.chunks(6).map(|line| line.join(" ")).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
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
        assert_eq!(at("1 2 x 0").1, "x");
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
    fn plans_in_letters_and_words() {
        assert_eq!(read_plan("LRu d\nleft Right").unwrap().concat(), "LRUDLR");
        assert_eq!(read_plan("LX").unwrap_err().span, 1..2);
        assert_eq!(read_plan("é").unwrap_err().span, 0..2);
        let steps: Vec<String> = "LRUD".repeat(20).chars().map(String::from).collect();
        assert_eq!(read_plan(&write_plan(&steps)).unwrap(), steps);
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "[0-9 ,:#a-z\n×x]{0,80}") {
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
