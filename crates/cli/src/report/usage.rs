//! What clap says about a command line.

use std::borrow::Cow;
use std::io;

use beeline_puzzles::quote::WIDEST;
use beeline_view::ascii::fold;

use super::{Exit, Io};

/// What clap says about a command line: help and version are answers, everything else is bad usage.
pub(crate) fn tell(error: &clap::Error, io: &mut Io<'_>) -> io::Result<Exit> {
    let screen = io.screen;
    let colour = if error.use_stderr() { screen.err_colour } else { screen.out_colour() };
    let text = if colour { error.render().ansi().to_string() } else { error.render().to_string() };
    let text = if screen.ascii { fold(&text).into_owned() } else { text };
    if error.use_stderr() {
        // It quotes the arguments, which may be long.
        let text = text.lines().map(|line| cut(line, colour)).collect::<Vec<_>>().join("\n") + "\n";
        // If even the error cannot be written, the exit code still says it.
        let _ = io.err.write_all(text.as_bytes());
        return Ok(Exit::Usage);
    }
    io.out.write_all(text.as_bytes())?;
    Ok(Exit::Done)
}

/// The beginning of a line that is too long for a report.
fn cut(line: &str, colour: bool) -> Cow<'_, str> {
    const MOST: usize = 4 * WIDEST;
    match line.char_indices().nth(MOST) {
        None => line.into(),
        Some((at, _)) => format!("{}...{}", &line[..at], if colour { "\x1b[0m" } else { "" }).into(),
    }
}
