//! Errors in puzzle files: the fault, its exact place, and how to fix it.
//!
//! A parser gives the place as a range of bytes; the front end turns it into file, line, column and a caret. Quotations are
//! shortened here, so a parser need not limit their length.

use std::borrow::Cow;
use std::ops::Range;

use crate::quote::shortened;

/// An error in a puzzle text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TextError {
    /// The fault in a few words: "unknown character 'x'".
    pub message: String,
    /// The bytes at fault. May be empty, and may lie at the end of the text.
    pub span: Range<usize>,
    /// What the parser expected here, in a few words; printed beside the caret.
    pub expected: String,
    /// How to fix it, in a sentence.
    pub help: Option<String>,
}

impl TextError {
    /// An error about these bytes.
    pub fn new(span: Range<usize>, message: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { message: quoted(message), span, expected: quoted(expected), help: None }
    }

    /// Adds how to fix it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(quoted(help));
        self
    }

    /// Shifts the error to the place of its text in a larger one.
    #[must_use]
    pub fn shifted(mut self, by: usize) -> Self {
        self.span = self.span.start + by..self.span.end + by;
        self
    }

    /// Line and column of the first byte, both from 1; columns count characters.
    pub fn position(&self, text: &str) -> (usize, usize) {
        let mut at = self.span.start.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &text[..at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
        (line, column)
    }
}

/// A text of an error, shortened; without a copy if it is short.
fn quoted(text: impl Into<String>) -> String {
    let text = text.into();
    match shortened(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(short) => short,
    }
}

/// A line of a text and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its number, from 1.
    pub number: usize,
    /// The offset of its first byte.
    pub start: usize,
    /// The line without LF or CR LF.
    pub text: &'a str,
}

impl Line<'_> {
    /// The bytes of the line.
    pub fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// The bytes of one character of it, by its byte offset in the line.
    pub fn char_span(&self, offset: usize) -> Range<usize> {
        let len = self.text[offset..].chars().next().map_or(0, char::len_utf8);
        self.start + offset..self.start + offset + len
    }
}

/// The lines of a text. LF or CR LF ends a line; the last line needs neither.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    text.split_inclusive('\n').enumerate().map(move |(i, raw)| {
        let line = raw.strip_suffix('\n').unwrap_or(raw);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let here = start;
        start += raw.len();
        Line { number: i + 1, start: here, text: line }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_know_where_they_are() {
        let text = "ab\r\n\ncd";
        let all: Vec<_> = lines(text).map(|l| (l.number, l.start, l.text)).collect();
        assert_eq!(all, [(1, 0, "ab"), (2, 4, ""), (3, 5, "cd")]);
    }

    #[test]
    fn positions_count_characters() {
        let text = "é#\nx";
        assert_eq!(TextError::new(2..3, "", "").position(text), (1, 2));
        assert_eq!(TextError::new(4..5, "", "").position(text), (2, 1));
        assert_eq!(TextError::new(99..99, "", "").position(text), (2, 2));
        assert_eq!(TextError::new(1..2, "", "").position(text), (1, 1), "inside a character");
    }
}
