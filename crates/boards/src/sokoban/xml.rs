//! Collections in XML, as many collections on the web are (files `.slc`):
//!
//! ```xml
//! <LevelCollection Copyright="Author"><Level Id="Title"><L>#####</L><L>#@$.#</L><L>#####</L></Level></LevelCollection>
//! ```
//!
//! Only these three elements are read, by their tags. A parser of all XML would stop at the first tag that is not well formed,
//! and hide the levels behind it.

use std::ops::Range;

use super::collection::Entry;
use super::text::{Level, MAX_HEIGHT, Row, board, rows, too_tall};
use crate::text::{Line, TextError, lines};

/// Is this text a collection in XML?
pub(super) fn recognises(text: &str) -> bool {
    text.trim_start().starts_with('<') && tags(text).any(|tag| tag.name() == "Level")
}

/// The levels of a collection, each read separately.
pub(super) fn entries(text: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut author = None;
    let mut open: Option<Open> = None;
    for tag in tags(text) {
        match tag.name() {
            "LevelCollection" => author = tag.attribute("Copyright"),
            "Level" => {
                entries.extend(open.take().map(Open::close));
                let title = tag.attribute("Id").filter(|id| !is_number(id, entries.len() + 1));
                let author = tag.attribute("Copyright").or_else(|| author.clone());
                open = Some(Open { span: tag.span, title, author, rows: Vec::new(), bad: None });
            }
            "L" => {
                if let Some(open) = &mut open {
                    open.row(text, tag.span.end);
                }
            }
            "/Level" => entries.extend(open.take().map(Open::close)),
            _ => {}
        }
    }
    entries.extend(open.map(Open::close));
    entries
}

/// Does a title only number its level: "3" or "#3"?
fn is_number(title: &str, level: usize) -> bool {
    title.trim().trim_start_matches('#').parse() == Ok(level)
}

/// A level that is being read.
struct Open {
    /// The bytes from its first tag to its last row.
    span: Range<usize>,
    title: Option<String>,
    author: Option<String>,
    rows: Vec<Row>,
    bad: Option<TextError>,
}

impl Open {
    /// Reads the row that begins at this byte.
    fn row(&mut self, text: &str, start: usize) {
        let content = text[start..].split('<').next().unwrap_or_default();
        let line = lines(content).next().map_or("", |line| line.text);
        let line = Line { number: 0, start, text: line };
        self.span.end = line.span().end;
        match rows(&line, line.text) {
            _ if self.bad.is_some() => {}
            // As in every file, a board begins with a wall.
            Ok(rows) if self.rows.is_empty() && !rows.iter().flatten().any(|(cell, _)| cell.wall) => {}
            Ok(rows) => self.rows.extend(rows),
            Err(error) => self.bad = Some(error),
        }
        if self.rows.len() > MAX_HEIGHT {
            self.bad.get_or_insert_with(|| too_tall(line.span()));
        }
    }

    fn close(self) -> Entry {
        let start = self.span.start;
        let board = match self.bad {
            Some(error) => Err(error),
            None => board(&self.rows, self.span),
        };
        let level = board.map(|board| Level { title: self.title, author: self.author, ..Level::new(board) });
        Entry { start, level }
    }
}

/// A tag and its place.
struct Tag<'a> {
    span: Range<usize>,
    /// The text between the angle brackets.
    inside: &'a str,
}

impl Tag<'_> {
    /// The name, with a slash before that of a closing tag.
    fn name(&self) -> &str {
        let end = self.inside.find(|c: char| c.is_whitespace());
        self.inside[..end.unwrap_or(self.inside.len())].trim_end_matches('/')
    }

    /// The value of an attribute in one line, if it is not empty. It has no `%`, which begins a comment where a level is written.
    fn attribute(&self, name: &str) -> Option<String> {
        let mut rest = self.inside;
        while let Some((key, value)) = rest.split_once('=') {
            let value = value.trim_start();
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let (value, after) = value[1..].split_once(quote)?;
            if key.split_whitespace().next_back() == Some(name) {
                let value = unescaped(value).replace('%', " ");
                let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
                return (!value.is_empty()).then_some(value);
            }
            rest = after;
        }
        None
    }
}

/// The tags of a text without its comments. A `>` between quotes does not end a tag.
fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].find('<')?;
            if let Some(comment) = text[start..].strip_prefix("<!--") {
                at = text.len() - comment.len() + comment.find("-->")?;
                continue;
            }
            let mut quote = None;
            let ends = |byte: &u8| {
                match (quote, *byte) {
                    (None, b'>') => return true,
                    (None, b'"' | b'\'') => quote = Some(*byte),
                    (Some(open), byte) if open == byte => quote = None,
                    _ => {}
                }
                false
            };
            let end = start + text.as_bytes()[start..].iter().position(ends)?;
            at = end + 1;
            return Some(Tag { span: start..at, inside: &text[start + 1..end] });
        }
    })
}

/// A text with the characters that its references `&…;` stand for.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut parts = text.split('&');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        if let Some((name, rest)) = part.split_once(';')
            && let Some(character) = character(name)
        {
            out.push(character);
            out.push_str(rest);
        } else {
            out.push('&');
            out.push_str(part);
        }
    }
    out
}

fn character(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let number = match number.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(number.ok()?)?
        }
    })
}
