//! Output of clap for a command line.

use std::borrow::Cow;
use std::io;

use beeline_puzzles::quote::WIDEST;
use beeline_view::ascii::fold;

use super::{Exit, Io};

/// Prints the output of clap: help and version are answers, everything else is a usage error.
pub(crate) fn print(error: &clap::Error, io: &mut Io<'_>) -> io::Result<Exit> {
    let screen = io.screen;
    let colour = if error.use_stderr() { screen.err_colour } else { screen.out_colour() };
    let text = if colour { error.render().ansi().to_string() } else { error.render().to_string() };
    let text = if screen.ascii { fold(&text).into_owned() } else { text };
    if error.use_stderr() {
        // The message quotes the arguments, which may be long.
        let text = text.lines().map(|line| cut(line, colour)).collect::<Vec<_>>().join("\n") + "\n";
        // If the error cannot be written, the exit code still reports it.
        let _ = io.err.write_all(text.as_bytes());
        return Ok(Exit::Usage);
    }
    io.out.write_all(text.as_bytes())?;
    Ok(Exit::Done)
}

/// Shortens a line that is too long for a report.
fn cut(line: &str, colour: bool) -> Cow<'_, str> {
    const MOST: usize = 4 * WIDEST;
    match line.char_indices().nth(MOST) {
        None => line.into(),
        Some((at, _)) => format!("{}...{}", &line[..at], if colour { "\x1b[0m" } else { "" }).into(),
    }
}
