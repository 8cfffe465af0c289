//! The output of the commands: text for people, JSON for programs, errors.
//!
//! A report gets the result of a command and writes it to [`Io`]. It reads no arguments, opens no files and searches
//! nothing.

// Texts are built once per command, so the plainest way of writing them is fast enough.
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

/// The streams of a command.
pub struct Io<'a> {
    /// Standard output: answers.
    pub out: &'a mut dyn Write,
    /// Standard error: errors, warnings and the progress line.
    pub err: &'a mut dyn Write,
    /// Standard input, which `-` stands for.
    pub input: &'a mut dyn Read,
    /// The capabilities of the terminal.
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

    /// Prints an error and returns its exit code.
    pub(crate) fn report_error(&mut self, trouble: &Trouble) -> Exit {
        // Flushing first keeps both streams in order if they share a terminal. If writing fails, the exit code still
        // reports it.
        let _ = self.out.flush();
        let _ = self.err.write_all(trouble.render(&self.screen).as_bytes());
        trouble.exit
    }
}
