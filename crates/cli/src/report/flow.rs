//! The report on the number of answers of a Flow Free board.

use std::io;

use beeline_puzzles::Scene;

use super::Io;
use super::instance::Instance;
use super::layout::side_by_side;

/// Prints the number of answers, and the first two side by side.
pub(crate) fn answers(
    instance: &Instance,
    sentence: &str,
    scenes: &[Scene],
    io: &mut Io<'_>,
) -> io::Result<()> {
    let screen = io.screen;
    writeln!(io.out, "{}: {sentence}", screen.bold(&instance.name()))?;
    if let [first, second, ..] = scenes {
        write!(io.out, "\n{}\n", side_by_side(first, Some(second), "   ", &screen))?;
    }
    Ok(())
}

/// Prints whether two solvers agree.
pub(crate) fn second_opinion(sentence: &str, io: &mut Io<'_>) -> io::Result<()> {
    writeln!(io.out, "second opinion: {sentence}")
}
