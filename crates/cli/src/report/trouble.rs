//! Errors, reported with what is needed to correct them: file, line, column, the line with a caret, what was expected.

use std::io;
use std::ops::Range;
use std::path::Path;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use beeline_puzzles::TextError;
use beeline_puzzles::quote::{Excerpt, WIDEST, boundary, shortened_to};

use beeline_view::ascii::fold;

use super::{Exit, Screen};

/// The most characters of a message. It is enough for a quotation and for one or two file names in deep folders.
const LONGEST: usize = 1000;

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The request cannot be fulfilled.
    Trouble(Box<Trouble>),
    /// The output cannot be written.
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

/// An error of a command.
#[derive(Clone, Debug)]
pub(crate) struct Trouble {
    /// The exit code.
    pub(crate) exit: Exit,
    /// What is wrong.
    pub(crate) message: String,
    /// The place in a text, if any.
    pub(crate) place: Option<Box<Place>>,
    /// How to correct it.
    pub(crate) help: Vec<String>,
}

/// A place in a text.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The file.
    pub(crate) name: String,
    /// The lines around the error.
    excerpt: String,
    /// The line number of the excerpt's first line.
    first: usize,
    /// The line number.
    pub(crate) line: usize,
    /// The column in characters, from 1.
    pub(crate) column: usize,
    /// The bytes of the excerpt that are wrong.
    span: Range<usize>,
    /// Is the excerpt only a part of its line?
    cut: bool,
    /// What was expected there.
    pub(crate) expected: String,
}

impl Trouble {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        let message = shortened_to(&message.into(), LONGEST).into_owned();
        Self { exit, message, place: None, help: Vec::new() }
    }

    /// Adds a hint on how to correct it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(shortened_to(&help.into(), LONGEST).into_owned());
        self
    }

    /// The error for a file that cannot be written.
    pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Self {
        Self::new(Exit::Usage, format!("cannot write '{}': {error}", path.display()))
    }

    /// The error for a feature that this program was built without.
    #[cfg(not(all(feature = "lab", feature = "png", feature = "terminal", feature = "web")))]
    pub(crate) fn without(what: &str, feature: &str) -> Self {
        Self::new(Exit::Unsupported, format!("this program was built without {what}"))
            .help(format!("`cargo install beeline-cli --features {feature}` builds it in"))
    }

    /// The error for a text that cannot be parsed.
    pub(crate) fn text(name: &str, text: &str, error: &TextError) -> Self {
        let trouble = Self::new(Exit::Input, error.message.clone());
        let trouble = Self { place: Some(Box::new(Place::new(name, text, error))), ..trouble };
        error.help.iter().fold(trouble, Self::help)
    }

    /// The whole report, each line ended.
    pub(crate) fn render(&self, screen: &Screen) -> String {
        let title = Level::ERROR.primary_title(self.message.as_str());
        let mut group = match &self.place {
            Some(place) => {
                let snippet = Snippet::source(place.excerpt.as_str()).line_start(place.first).annotation(
                    AnnotationKind::Primary.span(place.span.clone()).label(place.expected.as_str()),
                );
                let name = place.name.as_str();
                if place.cut {
                    // The excerpt starts later than the line, so the column is given explicitly.
                    let origin = Origin::path(name).line(place.line).char_column(place.column);
                    title.element(origin).element(snippet)
                } else {
                    title.element(snippet.path(name))
                }
            }
            None => Group::with_title(title),
        };
        for help in &self.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        let renderer = if screen.err_colour { Renderer::styled() } else { Renderer::plain() };
        let decor = if screen.ascii { DecorStyle::Ascii } else { DecorStyle::Unicode };
        let renderer = renderer.decor_style(decor).term_width(screen.columns.max(40));
        let text = format!("{}\n", renderer.render(&[group]));
        if screen.ascii { fold(&text).into_owned() } else { text }
    }
}

impl Place {
    /// Extracts the lines around the error, because files and lines may be long and reports must be short.
    fn new(name: &str, text: &str, error: &TextError) -> Self {
        const BEFORE: usize = 2;
        let here = Excerpt::new(text, &error.span);
        let mut excerpt = String::new();
        let mut first = here.line;
        if !here.cut {
            let start = boundary(text, error.span.start.min(text.len()));
            let above = text[..start].rfind('\n').map_or("", |newline| &text[..newline]);
            let mut lines: Vec<&str> = above.rsplit('\n').take(BEFORE.min(here.line - 1)).collect();
            lines.reverse();
            first -= lines.len();
            for line in lines {
                excerpt += &shortened_to(line, WIDEST);
                excerpt.push('\n');
            }
        }
        let byte = |character: usize| {
            let at = here.text.char_indices().nth(character).map_or(here.text.len(), |(at, _)| at);
            excerpt.len() + at
        };
        let span = byte(here.marked.start)..byte(here.marked.end);
        Self {
            name: name.to_owned(),
            excerpt: excerpt + &here.text,
            first,
            line: here.line,
            column: here.column,
            span,
            cut: here.cut,
            expected: if error.expected.is_empty() {
                String::new()
            } else {
                format!("expected {}", error.expected)
            },
        }
    }
}
