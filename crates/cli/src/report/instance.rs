//! One puzzle to work on, and its name.

use std::rc::Rc;

use beeline_puzzles::Puzzle;
use beeline_puzzles::encoding::Encoding;
use beeline_puzzles::quote::shortened;

/// One puzzle to work on, and its source.
pub(crate) struct Instance {
    /// The file, the name of the example, or `<stdin>`.
    pub(crate) source: String,
    /// Its number in the file, from 1.
    pub(crate) level: usize,
    /// The number of puzzles in the file.
    pub(crate) levels: usize,
    /// The puzzle.
    pub(crate) puzzle: Box<dyn Puzzle>,
    /// The whole file.
    pub(crate) file: Rc<File>,
}

/// The content of a file.
pub(crate) struct File {
    /// The text, without a byte order mark.
    pub(crate) text: String,
    /// The encoding of the file.
    pub(crate) encoding: Encoding,
}

impl Instance {
    /// Its title: from the file, or the one under which it ships.
    pub(crate) fn title(&self) -> Option<String> {
        let shipped =
            || self.puzzle.kind().examples().iter().find(|e| e.name == self.source && self.levels == 1);
        self.puzzle.title().or_else(|| shipped().map(|example| example.title.to_owned()))
    }

    /// The displayed name.
    pub(crate) fn name(&self) -> String {
        let mut name = self.source.clone();
        if self.levels > 1 {
            name += &format!(" #{}", self.level);
        }
        if let Some(title) = self.title() {
            name += &format!(" \"{}\"", shortened(&title));
        }
        name
    }
}

impl File {
    /// A text that does not come from a file.
    pub(crate) fn utf8(text: &str) -> Self {
        Self { text: text.to_owned(), encoding: Encoding::Utf8 }
    }
}
