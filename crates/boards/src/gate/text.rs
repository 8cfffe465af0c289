//! The file format of Impassable Gate, read and written.
//!
//! A character per cell: space open, `#` wall, `0`–`9` a piece, `G` a bare goal cell, `H`–`Q` a goal cell with piece 0–9 on it.
//! Rows may have different lengths; missing cells are wall. Only empty lines and comments, which begin with `;`, may precede
//! and follow the board.

use crate::sliding::{Ground, Layout, Target};
use crate::text::{Line, TextError, lines};

/// Most rows, and most columns, of a file.
pub const MAX_SIDE: usize = 64;

/// A parsed board, with the digits of its pieces and warnings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// Walls, pieces, goal.
    pub layout: Layout,
    /// The digit of each piece, ascending.
    pub digits: Vec<u8>,
    /// Oddities that are no errors.
    pub warnings: Vec<String>,
}

/// The meaning of a character: the ground, the digit of a piece, and whether it is part of the goal.
fn meaning(c: char) -> Option<(Ground, Option<u8>, bool)> {
    Some(match c {
        ' ' => (Ground::Floor, None, false),
        '#' => (Ground::Wall, None, false),
        '0'..='9' => (Ground::Floor, Some(c as u8 - b'0'), false),
        'G' => (Ground::Floor, None, true),
        'H'..='Q' => (Ground::Floor, Some(c as u8 - b'H'), true),
        _ => return None,
    })
}

/// Could this be a file of this kind?
pub fn recognises(text: &str) -> bool {
    let all = || lines(text).filter(|l| !is_remark(l)).flat_map(|l| l.text.chars());
    let has = |wanted: fn(char) -> bool| all().any(wanted);
    all().all(|c| meaning(c).is_some()) && has(|c| c == '#') && has(|c| matches!(c, '0' | 'H')) && has(goal)
}

fn is_remark(line: &Line<'_>) -> bool {
    line.text.starts_with(';')
}

fn goal(c: char) -> bool {
    ('G'..='Q').contains(&c)
}

/// The rows of the board: all lines except comments and the empty lines before and after.
fn rows(text: &str) -> Result<Vec<Line<'_>>, TextError> {
    let unremarked = || lines(text).filter(|l| !is_remark(l)).enumerate();
    let all = || unremarked().skip_while(|(_, l)| l.text.is_empty());
    let expected = "a row of the board";
    let drawn = all().filter(|(_, l)| !l.text.is_empty());
    let (Some((first, _)), Some((last, end))) = (all().next(), drawn.last()) else {
        return Err(TextError::new(0..text.len(), "the file holds no board", expected));
    };
    let count = last + 1 - first;
    // One row too many is enough to refuse a board.
    let rows: Vec<Line<'_>> = all().map(|(_, line)| line).take(count.min(MAX_SIDE + 1)).collect();
    if let Some(gap) = rows.iter().find(|l| l.text.is_empty()) {
        let rest = gap.start..end.span().end;
        return Err(TextError::new(rest, "an empty line inside the board", expected)
            .help("a file holds one board; put a second one into a file of its own"));
    }
    if count > MAX_SIDE {
        let rest = rows[MAX_SIDE].start..end.span().end;
        return Err(TextError::new(rest, format!("{count} rows are too many"), "at most 64 rows"));
    }
    Ok(rows)
}

/// Reads a board.
pub fn parse(text: &str) -> Result<Parsed, TextError> {
    let rows = rows(text)?;
    for row in &rows {
        for (at, c) in row.text.char_indices() {
            if meaning(c).is_none() {
                return Err(unknown(row, at, c));
            }
        }
        if row.text.len() > MAX_SIDE {
            let rest = row.start + MAX_SIDE..row.span().end;
            let message = format!("a row of {} columns is too long", row.text.len());
            return Err(TextError::new(rest, message, "at most 64 columns"));
        }
    }
    let (width, height) = (rows.iter().map(|r| r.text.len()).max().unwrap_or(0), rows.len());
    let mut ground = vec![Ground::Wall; width * height];
    let mut pieces: Vec<Vec<usize>> = vec![Vec::new(); 10];
    let mut goals = Vec::new();
    for (r, row) in rows.iter().enumerate() {
        for (c, (kind, digit, is_goal)) in row.text.chars().filter_map(meaning).enumerate() {
            let cell = r * width + c;
            ground[cell] = kind;
            if let Some(digit) = digit {
                pieces[digit as usize].push(cell);
            }
            if is_goal {
                goals.push(cell);
            }
        }
    }
    let whole = rows[0].start..rows[height - 1].span().end;
    let digits: Vec<u8> = (0..10).filter(|&d| !pieces[d as usize].is_empty()).collect();
    if pieces[0].is_empty() {
        return Err(TextError::new(whole, "piece 0 is missing", "cells marked 0, or H on the goal"));
    }
    if goals.is_empty() {
        return Err(TextError::new(whole, "there is no goal", "cells marked G, or H to Q under a piece"));
    }
    if goals.len() != pieces[0].len() {
        let message = format!("the goal has {} cells and piece 0 has {}", goals.len(), pieces[0].len());
        return Err(TextError::new(whole, message, "as many goal cells as cells of piece 0")
            .help("piece 0 covers the goal only if both have the same size and shape"));
    }
    pieces.retain(|cells| !cells.is_empty());
    let targets = vec![Target { piece: 0, exact: false, cells: goals }];
    let layout = Layout { width, height, ground, pieces, targets, lengthwise: false };
    let warnings = warnings(&layout, &digits, &rows);
    Ok(Parsed { layout, digits, warnings })
}

fn unknown(row: &Line<'_>, at: usize, c: char) -> TextError {
    let expected = "one of: space, #, 0-9, G-Q";
    let error = TextError::new(row.char_span(at), format!("unknown character {c:?}"), expected);
    match c {
        '\t' => error.help("a tab is not a cell; use spaces"),
        'a'..='z' if meaning(c.to_ascii_uppercase()).is_some() => error.help("goal letters are capitals"),
        _ => error.help("the file holds the board and nothing else but remarks, which begin with ;"),
    }
}

fn warnings(layout: &Layout, digits: &[u8], rows: &[Line<'_>]) -> Vec<String> {
    let mut warnings = Vec::new();
    for (piece, &digit) in digits.iter().enumerate() {
        if !layout.connected(piece) {
            warnings.push(format!("piece {digit} is in separate parts; they move as one"));
        }
    }
    let (piece, goal) = (&layout.pieces[0], &layout.targets[0].cells);
    if layout.shape(piece) != layout.shape(goal) {
        warnings.push("the goal has not the shape of piece 0, so there is no solution".to_owned());
    }
    let short = rows.iter().filter(|r| r.text.len() < layout.width).count();
    if short > 0 {
        warnings.push(format!("{short} rows are shorter than the longest; the missing cells are walls"));
    }
    let (width, height) = (layout.width, layout.height);
    let edge = |c: usize| {
        c < width || c >= width * (height - 1) || c.is_multiple_of(width) || c % width == width - 1
    };
    let open = (0..width * height).filter(|&c| edge(c) && layout.ground[c] != Ground::Wall).count();
    if open > 0 {
        warnings.push(format!("{open} cells at the edge are open; everything outside the board is wall"));
    }
    let highest = digits.last().copied().unwrap_or(0) as usize;
    if highest + 1 != digits.len() {
        warnings.push(format!("digits are left out: {} pieces, the highest is {highest}", digits.len()));
    }
    warnings
}

/// Writes a board; reading it gives the same board.
pub fn print(layout: &Layout, digits: &[u8]) -> String {
    let owners = layout.owners();
    let mut text = String::with_capacity((layout.width + 1) * layout.height);
    for (cell, &owner) in owners.iter().enumerate() {
        let is_goal = layout.targets.iter().any(|t| t.cells.contains(&cell));
        let wall = layout.ground[cell] == Ground::Wall;
        text.push(match (owner, is_goal) {
            (Some(piece), false) => (b'0' + digits[piece]) as char,
            (Some(piece), true) => (b'H' + digits[piece]) as char,
            (None, true) => 'G',
            (None, false) => [' ', '#'][usize::from(wall)],
        });
        if cell % layout.width == layout.width - 1 {
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "######\n#0H G#\n# I22#\n#    #\n######\n";

    #[test]
    fn what_is_read_is_written() {
        let parsed = parse("#####\n#0HG#\n#  ##\n#####").unwrap();
        assert_eq!(print(&parsed.layout, &parsed.digits), "#####\n#0HG#\n#  ##\n#####\n");
        assert!(parsed.warnings.is_empty());
    }

    #[test]
    fn line_ends_and_ragged_rows_do_not_matter() {
        let plain = parse("####\n#0G#\n####\n").unwrap();
        for text in
            ["####\r\n#0G#\r\n####", "\n####\n#0G#\n####\n\n\n", "; hard\n\n####\n#0G#\n####\n; seed 3\n"]
        {
            assert_eq!(parse(text).unwrap(), plain);
        }
        let ragged = parse("####\n#0G\n####\n").unwrap();
        assert_eq!(ragged.layout, plain.layout);
        assert_eq!(ragged.warnings.len(), 1, "{:?}", ragged.warnings);
    }

    #[track_caller]
    fn refused(text: &str, message: &str, span: &str) {
        let error = parse(text).unwrap_err();
        assert!(error.message.contains(message), "{error:?}");
        assert_eq!(&text[error.span.clone()], span);
    }

    #[test]
    fn bad_files_are_refused_with_their_place() {
        refused("", "no board", "");
        refused("\n\n", "no board", "\n\n");
        refused("####\n#0x#\n####\n", "unknown character 'x'", "x");
        refused("####\n#0é#\n####\n", "unknown character 'é'", "é");
        refused("####\n#0\tG#\n####\n", "unknown character '\\t'", "\t");
        refused("####\n#0G#\n####\n? hard\n", "unknown character '?'", "?");
        refused("####\n#1G#\n####\n", "piece 0 is missing", "####\n#1G#\n####");
        refused("####\n#0 #\n####\n", "no goal", "####\n#0 #\n####");
        refused("####\n#0G#\n\n####\n", "empty line", "\n####");
        refused(BOARD, "the goal has 3 cells and piece 0 has 2", BOARD.trim_end());
        let wide = format!("{}\n#0G#\n", "#".repeat(65));
        refused(&wide, "65 columns", "#");
        let tall = "#0G#\n".repeat(65);
        refused(&tall, "65 rows", "#0G#");
    }

    #[test]
    fn odd_boards_are_told_of() {
        let warned = |text: &str| parse(text).unwrap().warnings.join("; ");
        assert!(warned("######\n#0G1 #\n#  1 #\n# 1  #\n######").contains("piece 1 is in separate parts"));
        assert!(warned("#####\n#00 #\n#GG0#\n#G  #\n#####").contains("not the shape"));
        assert!(warned("0G").contains("2 cells at the edge"));
        assert!(warned("#####\n#0G3#\n#####").contains("digits are left out"));
    }
}
