//! Why a request was refused.

use beeline_puzzles::TextError;
use serde::Serialize;

/// Why a request was refused.
#[derive(Debug, thiserror::Error)]
#[error("{}", trouble.message)]
pub struct Refusal {
    /// The kind of fault.
    pub fault: Fault,
    /// The message for the visitor.
    pub trouble: Trouble,
}

/// The kind of fault in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The request is malformed.
    Bad,
    /// The request is well-formed but cannot be fulfilled.
    Unable,
}

/// An error message, with its place if the error is in a text.
#[derive(Clone, Debug, Serialize)]
pub struct Trouble {
    /// What is wrong.
    pub message: String,
    /// The place in the text.
    #[serde(flatten)]
    pub place: Option<Place>,
}

/// A place in a text.
#[derive(Clone, Debug, Serialize)]
pub struct Place {
    /// Line number, from 1.
    pub line: usize,
    /// Column number, from 1.
    pub column: usize,
    /// Length in characters, at least 1 so that a mark is visible.
    pub length: usize,
    /// What the parser expected there.
    pub expected: String,
    /// How to correct it.
    pub help: Option<String>,
}

impl Refusal {
    fn new(fault: Fault, message: impl Into<String>) -> Self {
        Self { fault, trouble: Trouble { message: message.into(), place: None } }
    }

    /// The request is malformed.
    pub fn bad(message: impl Into<String>) -> Self {
        Self::new(Fault::Bad, message)
    }

    /// The request is well-formed but cannot be fulfilled.
    pub fn unable(message: impl Into<String>) -> Self {
        Self::new(Fault::Unable, message)
    }

    /// A parser's error, with its place.
    pub(crate) fn unreadable(text: &str, error: &TextError) -> Self {
        let (line, column) = error.position(text);
        let length = text.get(error.span.clone()).map_or(1, |s| s.chars().count().max(1));
        let place =
            Place { line, column, length, expected: error.expected.clone(), help: error.help.clone() };
        let mut refusal = Self::unable(error.message.clone());
        refusal.trouble.place = Some(place);
        refusal
    }
}
