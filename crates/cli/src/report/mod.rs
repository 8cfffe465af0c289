//! What the commands print: text for people, JSON for programs, errors.
//!
//! A report is given what came of a command and writes it to [`Io`]. It reads no argument, opens no file and searches nothing.

// Texts are put together once a command here; the plainest way of writing that is the best.
#![allow(clippy::format_push_string)]

pub(crate) mod answer;
pub(crate) mod bricks;
pub(crate) mod certificate;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod exit;
pub(crate) mod explain;
pub(crate) mod flow;
pub(crate) mod instance;
pub(crate) mod json;
#[cfg(feature = "lab")]
pub(crate) mod lab;
pub(crate) mod layout;
pub(crate) mod list;
pub(crate) mod make;
pub(crate) mod manual;
pub(crate) mod notes;
pub(crate) mod progress;
pub(crate) mod screen;
pub(crate) mod sokoban;
pub(crate) mod table;
pub(crate) mod tiles;
pub(crate) mod tour;
pub(crate) mod trouble;
pub(crate) mod usage;

use std::io::{self, Read, Write};

pub use exit::Exit;
pub use screen::Screen;
pub(crate) use trouble::{Stop, Trouble};

/// Where a command reads and writes.
pub struct Io<'a> {
    /// Answers.
    pub out: &'a mut dyn Write,
    /// Errors, warnings and the progress line.
    pub err: &'a mut dyn Write,
    /// What `-` stands for.
    pub input: &'a mut dyn Read,
    /// What can be shown.
    pub screen: Screen,
}

impl Io<'_> {
    /// Prints a text.
    pub(crate) fn print(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())
    }

    /// Prints an empty line.
    pub(crate) fn gap(&mut self) -> io::Result<()> {
        writeln!(self.out)
    }

    /// Prints a trouble and gives its exit code.
    pub(crate) fn tell(&mut self, trouble: &Trouble) -> Exit {
        // Answers first, so that the two streams come in order where they meet; if writing fails, the code still tells.
        let _ = self.out.flush();
        let _ = self.err.write_all(trouble.render(&self.screen).as_bytes());
        trouble.exit
    }
}
