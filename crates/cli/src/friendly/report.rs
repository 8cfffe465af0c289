//! What went wrong, told so that it can be mended: file, line, column, the line itself with a caret, what was expected.

use std::io;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use beeline_puzzles::TextError;

use super::{Exit, Screen};

/// Why a command ends early.
#[derive(Debug)]
pub(super) enum Stop {
    /// Something is wrong with what was asked.
    Trouble(Box<Trouble>),
    /// The answer cannot be written.
    Write(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(Box::new(trouble))
    }
}

/// Something that is wrong.
#[derive(Clone, Debug)]
pub(super) struct Trouble {
    /// The exit code.
    pub(super) exit: Exit,
    /// What is wrong.
    pub(super) message: String,
    /// Where.
    pub(super) place: Option<Box<Place>>,
    /// How to mend it.
    pub(super) help: Vec<String>,
}

/// A place in a text.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The file.
    pub(super) name: String,
    /// The lines around the place.
    excerpt: String,
    /// The number of the first of them.
    first: usize,
    /// Line and column.
    pub(super) line: usize,
    /// Columns count characters, from 1.
    pub(super) column: usize,
    /// The bytes of the excerpt that it is about.
    span: Range<usize>,
    /// What was expected there.
    pub(super) expected: String,
}

impl Trouble {
    pub(super) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), place: None, help: Vec::new() }
    }

    /// Adds how to mend it.
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// A text that cannot be read.
    pub(super) fn text(name: &str, text: &str, error: &TextError) -> Self {
        let trouble = Self::new(Exit::Input, error.message.clone());
        let trouble = Self { place: Some(Box::new(Place::new(name, text, error))), ..trouble };
        error.help.iter().fold(trouble, Self::help)
    }

    /// The whole report, each line ended.
    pub(super) fn render(&self, screen: &Screen) -> String {
        let title = Level::ERROR.primary_title(self.message.as_str());
        let mut group = match &self.place {
            Some(place) => title.element(
                Snippet::source(place.excerpt.as_str())
                    .path(place.name.as_str())
                    .line_start(place.first)
                    .annotation(
                        AnnotationKind::Primary.span(place.span.clone()).label(place.expected.as_str()),
                    ),
            ),
            None => Group::with_title(title),
        };
        for help in &self.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        let renderer = if screen.err_colour { Renderer::styled() } else { Renderer::plain() };
        let decor = if screen.ascii { DecorStyle::Ascii } else { DecorStyle::Unicode };
        let renderer = renderer.decor_style(decor).term_width(screen.columns.max(40));
        format!("{}\n", renderer.render(&[group]))
    }
}

impl Place {
    /// Cuts the lines around the error out of the text: files can be long, reports should not be.
    fn new(name: &str, text: &str, error: &TextError) -> Self {
        const BEFORE: usize = 2;
        let (line, column) = error.position(text);
        let floor =
            |at: usize| (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
        let (start, end) = (floor(error.span.start), floor(error.span.end.max(error.span.start)));
        let mut from = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let mut first = line;
        for _ in 0..BEFORE.min(line - 1) {
            from = text[..from.saturating_sub(1)].rfind('\n').map_or(0, |i| i + 1);
            first -= 1;
        }
        // The caret stays on one line, and there the excerpt ends.
        let to = text[start..].find('\n').map_or(text.len(), |i| start + i);
        let end = end.clamp(start, to);
        Self {
            name: name.to_owned(),
            excerpt: text[from..to].to_owned(),
            first,
            line,
            column,
            span: start - from..end - from,
            expected: if error.expected.is_empty() {
                String::new()
            } else {
                format!("expected {}", error.expected)
            },
        }
    }
}
