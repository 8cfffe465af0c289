//! Why a question was not answered.

use beeline_puzzles::TextError;
use serde::Serialize;

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
#[error("{}", trouble.message)]
pub struct Refusal {
    /// Whose fault it is.
    pub fault: Fault,
    /// What to tell.
    pub trouble: Trouble,
}

/// What is wrong with a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It makes no sense.
    Bad,
    /// It makes sense and cannot be done.
    Unable,
}

/// What is wrong and, in a text, where.
#[derive(Clone, Debug, Serialize)]
pub struct Trouble {
    /// What is wrong.
    pub message: String,
    /// Where.
    #[serde(flatten)]
    pub place: Option<Place>,
}

/// A place in a text.
#[derive(Clone, Debug, Serialize)]
pub struct Place {
    /// From 1.
    pub line: usize,
    /// From 1.
    pub column: usize,
    /// Characters from there, at least 1 to be seen.
    pub length: usize,
    /// What should stand there.
    pub expected: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Refusal {
    fn new(fault: Fault, message: impl Into<String>) -> Self {
        Self { fault, trouble: Trouble { message: message.into(), place: None } }
    }

    /// The question makes no sense.
    pub fn bad(message: impl Into<String>) -> Self {
        Self::new(Fault::Bad, message)
    }

    /// The question makes sense and cannot be done.
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
