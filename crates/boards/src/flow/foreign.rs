//! Boards in the formats of other programs.
//!
//! - **puzz.link** addresses of Numberlink: `https://puzz.link/p?numlin/W/H/CELLS`, one per line. In `CELLS`, a hexadecimal
//!   digit is a number below 16; `-` precedes two digits, `+` three; `g` to `z` skip 1 to 20 cells.
//! - **Contest files** of the Algorithm Design Contest (ADC): `SIZE 10X10`, `LINE_NUM 5`, `LINE#1 (x,y)-(x,y)`.
//!
//! Both play Numberlink: cells may stay empty.
//!
//! - **Packs of the app**: one level per line, `W:H,0,LEVEL,FLOWS,BRIDGES,HOLES,WALLS;PATH;PATH`. Cells are numbered from 0,
//!   row by row. A path is a list of cells, of which only both ends are read. Holes stand between colons, walls are pairs
//!   `a|b`. A path that leaves the board and re-enters on the opposite side marks warped edges. These boards must be filled.

use std::fmt::Write;

use super::board::{Board, BoardError, Cell, MAX_CELLS, MAX_SIDE, Rule};
use crate::text::{Line, TextError, lines};

/// The boards of a text in one of these formats; `None` for any other text.
pub(super) fn parse(text: &str) -> Option<Result<Vec<Board>, TextError>> {
    let first = content(text).next()?;
    if address(first.text).is_some() {
        return Some(content(text).map(read_address).collect());
    }
    if is_level(first.text) {
        return Some(content(text).map(read_level).collect());
    }
    is_contest(first.text).then(|| read_contest(text).map(|board| vec![board]))
}

/// Is this text in one of these formats, with or without errors?
pub(super) fn recognises(text: &str) -> bool {
    let first = content(text).next().map(|line| line.text);
    first.is_some_and(|line| address(line).is_some() || is_contest(line) || is_level(line))
}

/// The lines that are neither empty nor comments.
fn content(text: &str) -> impl Iterator<Item = Line<'_>> {
    lines(text).filter(|line| !matches!(line.text.trim().as_bytes().first(), None | Some(b';')))
}

/// The part after the puzzle's name in an address of puzz.link or a compatible site.
fn address(line: &str) -> Option<&str> {
    let (site, rest) = line.trim().split_once('?')?;
    let site = site.strip_prefix("https://").or_else(|| site.strip_prefix("http://")).unwrap_or(site);
    let known = ["puzz.link/", "pzv.jp/", "pzprxs.vercel.app/"].iter().any(|&host| site.starts_with(host));
    let (name, body) = rest.split_once('/')?;
    let name = name.strip_suffix("_edit").unwrap_or(name);
    (known && matches!(name, "numlin" | "numberlink")).then_some(body)
}

fn wrong(line: Line<'_>, message: impl Into<String>, expected: &str) -> TextError {
    TextError::new(line.span(), message, expected)
}

const ADDRESS: &str = "an address https://puzz.link/p?numlin/W/H/CELLS";

/// The board of an address.
fn read_address(line: Line<'_>) -> Result<Board, TextError> {
    let body = address(line.text).ok_or_else(|| wrong(line, "this is no address of Numberlink", ADDRESS))?;
    let mut parts = body.split('/').filter(|part| !part.is_empty()).peekable();
    // Flags may stand before the size.
    if parts.peek().is_some_and(|part| part.parse::<usize>().is_err()) {
        parts.next();
    }
    let mut side = || parts.next().and_then(|part| part.parse().ok());
    let size = side().zip(side());
    let (width, height) = size.ok_or_else(|| wrong(line, "the address has no size", ADDRESS))?;
    let count = cell_count(line, width, height)?;
    let mut ends: Vec<Option<u32>> = Vec::with_capacity(count);
    let mut cells = parts.next().unwrap_or_default();
    while let Some(first) = cells.chars().next() {
        let number = match first {
            'g'..='z' => {
                let skip = first as usize - 'g' as usize + 1;
                ends.resize(ends.len() + skip, None);
                cells = &cells[1..];
                continue;
            }
            '0'..='9' | 'a'..='f' => Some((0, 1)),
            '-' => Some((1, 2)),
            '+' => Some((1, 3)),
            _ => None,
        };
        let digits = number.and_then(|(from, length)| cells.get(from..from + length));
        let value = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let (Some(digits), Some(value)) = (digits, value) else {
            let message = format!("'{first}' is no number of a Numberlink board");
            return Err(wrong(
                line,
                message,
                "hexadecimal digits, - or + before them, g to z for free cells",
            ));
        };
        ends.push(Some(value));
        cells = &cells[digits.len() + usize::from(digits.len() > 1)..];
    }
    if ends.iter().skip(count).any(Option::is_some) {
        return Err(wrong(line, format!("the address has more than {count} cells"), ADDRESS));
    }
    ends.resize(count, None);
    build(line, width, &ends)
}

/// Checks the size that a line gives, and returns the number of cells.
fn cell_count(line: Line<'_>, width: usize, height: usize) -> Result<usize, TextError> {
    let count = width.saturating_mul(height);
    if (1..=MAX_SIDE).contains(&width) && (1..=MAX_SIDE).contains(&height) && count <= MAX_CELLS {
        return Ok(count);
    }
    let expected = format!("1 to {MAX_SIDE} rows and columns, at most {MAX_CELLS} cells");
    Err(wrong(line, format!("a board of {width} columns and {height} rows is not supported"), &expected))
}

/// A board of numbered ends under the Numberlink rule.
fn build(line: Line<'_>, width: usize, ends: &[Option<u32>]) -> Result<Board, TextError> {
    let mut numbers: Vec<u32> = ends.iter().copied().flatten().collect();
    numbers.sort_unstable();
    numbers.dedup();
    let colour = |number: u32| numbers.binary_search(&number).unwrap_or_default() as u16;
    let cells = ends.iter().map(|end| end.map_or(Cell::Free, |number| Cell::End(colour(number)))).collect();
    let labels = numbers.iter().map(u32::to_string).collect();
    let board = Board::new(width, cells, labels).map_err(|error| match error {
        BoardError::Ends { label, count } => {
            wrong(line, format!("number {label} stands there {count} times"), "each number exactly twice")
        }
        other => wrong(line, other.to_string(), "a board with pairs of numbers"),
    })?;
    Ok(board.with_rule(Rule::Numberlink))
}

/// The address of a board on puzz.link. The error names what an address cannot express.
///
/// If all labels are numbers, they are kept; otherwise colours are numbered in order of appearance.
pub fn link(board: &Board) -> Result<String, String> {
    if !board.is_plain() || board.cells().iter().any(|cell| matches!(cell, Cell::Wall | Cell::Hole)) {
        return Err("an address of Numberlink cannot hold walls, holes or edges that warp".to_owned());
    }
    if !board.drawn().is_empty() {
        return Err("an address of Numberlink cannot hold what is drawn".to_owned());
    }
    let number = |label: &str| label.parse::<usize>().ok().filter(|n| (1..4096).contains(n));
    let own: Option<Vec<usize>> = board.colours().iter().map(|colour| number(&colour.label)).collect();
    let numbers = own.unwrap_or_else(|| (1..=board.colours().len()).collect());
    if numbers.len() >= 4096 {
        return Err("an address of Numberlink holds numbers below 4,096".to_owned());
    }
    let mut body = String::new();
    let mut free = 0;
    for cell in board.cells() {
        match *cell {
            Cell::Free | Cell::Wall | Cell::Hole => free += 1,
            Cell::End(colour) => {
                skip(&mut body, std::mem::take(&mut free));
                let number = numbers[usize::from(colour)];
                let (mark, digits) = match number {
                    0..16 => ("", 1),
                    16..256 => ("-", 2),
                    _ => ("+", 3),
                };
                // Writing into a string cannot fail.
                let _ = write!(body, "{mark}{number:0digits$x}");
            }
        }
    }
    skip(&mut body, free);
    Ok(format!("https://puzz.link/p?numlin/{}/{}/{body}", board.width(), board.height()))
}

/// Writes this many free cells: `g` is one, `z` twenty.
fn skip(body: &mut String, mut free: usize) {
    while free > 0 {
        let some = free.min(20);
        body.push(char::from(b'f' + some as u8));
        free -= some;
    }
}

/// Is this a level of a pack? The size, `0`, the level's number and the number of paths; then the paths.
fn is_level(line: &str) -> bool {
    let Some((head, _)) = line.trim().split_once(';') else { return false };
    let fields: Vec<&str> = head.split(',').collect();
    fields.len() >= 4
        && level_size(fields[0]).is_some()
        && fields[1..4].iter().all(|f| f.parse::<u32>().is_ok())
}

/// Columns and rows: `9` or `9:12`, optionally with a border style behind a `+`.
fn level_size(field: &str) -> Option<(usize, usize)> {
    let size = field.split('+').next()?;
    let (width, height) = size.split_once(':').unwrap_or((size, size));
    Some((width.parse().ok()?, height.parse().ok()?))
}

const LEVEL: &str = "W:H,0,LEVEL,FLOWS,BRIDGES,HOLES,WALLS;PATH;PATH";

/// The board of a level.
fn read_level(line: Line<'_>) -> Result<Board, TextError> {
    let broken = |what: &str| wrong(line, what, LEVEL);
    let (head, paths) =
        line.text.trim().split_once(';').ok_or_else(|| broken("this is no level of a pack"))?;
    let fields: Vec<&str> = head.split(',').collect();
    let size = fields.first().and_then(|field| level_size(field));
    let (width, height) = size.ok_or_else(|| broken("the level has no size"))?;
    let count = cell_count(line, width, height)?;
    let cell = |text: &str| {
        let at = text.trim().parse::<usize>().ok().filter(|&at| at < count);
        at.ok_or_else(|| wrong(line, format!("'{text}' is no cell of the board"), LEVEL))
    };
    let list = |field: usize| {
        fields
            .get(field)
            .into_iter()
            .flat_map(|field| field.split(':'))
            .filter(|item| !item.trim().is_empty())
    };
    if list(4).next().is_some() {
        return Err(broken("bridges, which two paths cross, are not supported"));
    }
    let mut cells = vec![Cell::Free; count];
    for hole in list(5) {
        cells[cell(hole)?] = Cell::Hole;
    }
    let mut warp = false;
    let mut colours = 0;
    for path in paths.split(';').filter(|path| !path.trim().is_empty()) {
        let path = path.split(',').map(cell).collect::<Result<Vec<_>, _>>()?;
        let [start, .., goal] = path[..] else { return Err(broken("a path has two ends")) };
        for end in [start, goal] {
            if std::mem::replace(&mut cells[end], Cell::End(colours)) != Cell::Free {
                return Err(wrong(line, format!("cell {end} is a hole or has two ends"), LEVEL));
            }
        }
        warp |= path.windows(2).any(|two| leaps(two[0], two[1], width));
        colours += 1;
    }
    let board = Board::new(width, cells, super::palette::labels(usize::from(colours)));
    let walls = |wall: &str| {
        let (a, b) = wall.split_once('|').ok_or_else(|| broken("a wall stands between two cells"))?;
        Ok((cell(a)?, cell(b)?))
    };
    let walls = list(6).map(walls).collect::<Result<Vec<_>, TextError>>()?;
    let warped = |board: Board| if warp { board.with_warp() } else { Ok(board) };
    let board = board.and_then(warped).and_then(|board| board.with_walls(&walls));
    let mut board = board.map_err(|error| wrong(line, error.to_string(), LEVEL))?;
    board.title = fields.get(2).map(|level| format!("level {level}"));
    Ok(board)
}

/// Are these consecutive cells of a path not neighbours on a plain board?
fn leaps(a: usize, b: usize, width: usize) -> bool {
    (a / width).abs_diff(b / width) + (a % width).abs_diff(b % width) != 1
}

fn is_contest(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next() == Some("SIZE") && words.next().is_some_and(|size| size.contains(['X', 'x']))
}

/// The board of a contest file.
fn read_contest(text: &str) -> Result<Board, TextError> {
    let mut size = None;
    let mut ends: Vec<Option<u32>> = Vec::new();
    let mut last = Line { number: 1, start: 0, text: "" };
    for line in content(text) {
        last = line;
        let trimmed = line.text.trim();
        let (key, rest) = trimmed.split_once(char::is_whitespace).unwrap_or((trimmed, ""));
        match key {
            "SIZE" => {
                let (width, height) = contest_size(line, rest)?;
                ends = vec![None; cell_count(line, width, height)?];
                size = Some((width, height));
            }
            "LINE_NUM" => {}
            _ if key.starts_with("LINE#") => {
                let number =
                    key["LINE#".len()..].parse().map_err(|_| wrong(line, "a line without a number", LINE))?;
                let (width, height) =
                    size.ok_or_else(|| wrong(line, "the size is missing", "SIZE WxH first"))?;
                for (x, y) in contest_ends(line, rest)? {
                    let inside = x < width && y < height;
                    let end = inside.then(|| &mut ends[y * width + x]);
                    let end =
                        end.ok_or_else(|| wrong(line, format!("({x},{y}) is not on the board"), LINE))?;
                    if end.replace(number).is_some() {
                        return Err(wrong(line, format!("two ends stand at ({x},{y})"), LINE));
                    }
                }
            }
            other => {
                let message = format!("'{other}' is a part of contest boards that is not supported");
                return Err(wrong(line, message, "SIZE, LINE_NUM and LINE#N"));
            }
        }
    }
    let (width, _) = size.ok_or_else(|| wrong(last, "the size is missing", "SIZE WxH"))?;
    build(last, width, &ends)
}

const LINE: &str = "LINE#N (x,y)-(x,y), both from 0";

fn contest_size(line: Line<'_>, text: &str) -> Result<(usize, usize), TextError> {
    let sides: Vec<Option<usize>> =
        text.trim().split(['X', 'x']).map(|side| side.trim().parse().ok()).collect();
    match sides[..] {
        [Some(width), Some(height)] | [Some(width), Some(height), Some(1)] => Ok((width, height)),
        [_, _, Some(layers)] => {
            Err(wrong(line, format!("a contest board of {layers} layers is not supported"), "one layer"))
        }
        _ => Err(wrong(line, "the size is no size", "SIZE WxH")),
    }
}

/// The two ends of a line. A third coordinate is the layer; only one layer is supported.
fn contest_ends(line: Line<'_>, text: &str) -> Result<[(usize, usize); 2], TextError> {
    let read = |end: &str| -> Option<(usize, usize)> {
        let inner = end.trim().strip_prefix('(')?.strip_suffix(')')?;
        let numbers: Option<Vec<usize>> = inner.split(',').map(|n| n.trim().parse().ok()).collect();
        match numbers?[..] {
            [x, y] | [x, y, 0 | 1] => Some((x, y)),
            _ => None,
        }
    };
    // Some files have a blank between the ends, some a dash.
    let (first, second) = text.split_once(')').unwrap_or((text, ""));
    let first = format!("{first})");
    let second = second.trim_start_matches([' ', '\t', '-']);
    read(&first)
        .zip(read(second))
        .map(|(a, b)| [a, b])
        .ok_or_else(|| wrong(line, "a line has two ends", LINE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::text;

    #[test]
    fn addresses_are_read_and_written() {
        let board = text::parse("1....\n..2.3\n.....\n.2.3.\n..1..\nrule: numberlink\n").unwrap().remove(0);
        let address = link(&board).unwrap();
        assert_eq!(address, "https://puzz.link/p?numlin/5/5/1l2g3l2g3i1h");
        assert_eq!(text::parse(&address).unwrap(), [board]);
        for same in [
            "http://pzv.jp/p.html?numlin/5/5/1l2g3l2g3i1h",
            "puzz.link/p?numlin_edit/v:/5/5/1l2g3l2g3i1",
            "; a remark\n\nhttps://puzz.link/p?numberlink/5/5/1l2g3l2g3i1h\n",
        ] {
            assert_eq!(link(&text::parse(same).unwrap()[0]).as_deref(), Ok(address.as_str()));
        }
    }

    #[test]
    fn addresses_hold_large_numbers() {
        let labels: Vec<String> = (1..=300u32).map(|n| n.to_string()).collect();
        let cells = (0..300).chain((0..300).rev()).map(Cell::End).chain([Cell::Free; 60]).collect();
        let board = Board::new(30, cells, labels).unwrap().with_rule(Rule::Numberlink);
        let address = link(&board).unwrap();
        assert!(
            address.contains("f-10") && address.contains("-ff+100") && address.ends_with("zzz"),
            "{address}"
        );
        assert_eq!(text::parse(&address).unwrap(), [board]);
    }

    #[test]
    fn what_an_address_cannot_hold_is_named() {
        let refused = |text: &str| link(&text::parse(text).unwrap()[0]).unwrap_err();
        assert!(refused("A#A\n...\n").contains("walls"));
        assert!(refused("A..\n...\n..A\ndrawn: Ar\n").contains("drawn"));
    }

    #[test]
    fn contest_files_are_read() {
        let file = "SIZE 4X3\nLINE_NUM 2\nLINE#1 (0,0)-(3,2)\nLINE#2 (1,1) (2,0)\n";
        let expected = text::parse("1.2.\n.2..\n...1\nrule: numberlink\n").unwrap();
        assert_eq!(text::parse(file).unwrap(), expected);
        assert_eq!(text::parse(&file.replace("4X3", "4X3X1")).unwrap(), expected);
    }

    #[test]
    fn levels_of_packs_are_read() {
        let read = |text: &str| {
            let mut boards = text::parse(text).unwrap();
            for board in &mut boards {
                board.title = None;
            }
            boards
        };
        let plain = text::parse("R.B\n...\nR.B\n").unwrap();
        assert_eq!(read("3,0,1,2;0,1,4,3,6;2,5,8\n"), plain);
        assert_eq!(
            read("3:3+B,0,1,2,,,;0,3,6;2,1,4,7,5,8\n"),
            text::parse("edges: warp\nR.B\n...\nR.B\n").unwrap()
        );
        let walled = text::parse("walls: 1,1|1,2 2,2|3,2\nR.B\n..*\nR.B\n").unwrap();
        let level = "3:3,0,7,2,,5,0|1:4|7;0,3,6;2,8\n";
        assert_eq!(read(&level.replace("2,8", "2,1,4,7,8")), walled);
        assert_eq!(
            text::parse(&level.replace("2,8", "2,1,4,7,8")).unwrap()[0].title.as_deref(),
            Some("level 7")
        );
        for (text, message) in [
            ("3,0,1,2,4;0,1,2;6,7,8\n", "bridges, which two paths cross, are not supported"),
            ("3,0,1,2;0,9\n", "'9' is no cell of the board"),
            ("3,0,1,2,,,0|8;0,1\n", "the cells of wall 1 are not side by side"),
            ("3,0,1,2,,0;0,1\n", "cell 0 is a hole or has two ends"),
        ] {
            assert_eq!(text::parse(text).unwrap_err().message, message);
            assert!(text::recognises(text));
        }
    }

    #[test]
    fn errors_name_the_place_and_the_variant() {
        let error = |text: &str| {
            let error = text::parse(text).unwrap_err();
            (error.position(text).0, error.message)
        };
        assert_eq!(error("SIZE 4X3X2\n"), (1, "a contest board of 2 layers is not supported".to_owned()));
        let blocks = "SIZE 4X3\nBLOCK_NUM 2\n";
        assert_eq!(
            error(blocks),
            (2, "'BLOCK_NUM' is a part of contest boards that is not supported".to_owned())
        );
        assert_eq!(error("SIZE 4X3\nLINE#1 (4,0)-(0,0)\n").0, 2);
        assert_eq!(error("puzz.link/p?numlin/5/5/1l2g3\n").0, 1);
        assert_eq!(error("puzz.link/p?numlin/5/5/1%\n").0, 1);
        assert_eq!(error("puzz.link/p?numlin/5000/5/1\n").0, 1);
        assert_eq!(error("puzz.link/p?numlin/2/2/1gg1gggg1\n").0, 1);
        assert_eq!(error("puzz.link/p?numlin/2/1/11\nnonsense\n").0, 2);
    }
}
