//! How many answers a board of Flow Free has.

use std::io;

use beeline_puzzles::Scene;

use super::Io;
use super::instance::Instance;
use super::layout::side_by_side;

/// Says how many there are; the first two are shown beside each other.
pub(crate) fn answers(instance: &Instance, told: &str, scenes: &[Scene], io: &mut Io<'_>) -> io::Result<()> {
    let screen = io.screen;
    writeln!(io.out, "{}: {told}", screen.bold(&instance.name()))?;
    if let [first, second, ..] = scenes {
        write!(io.out, "\n{}\n", side_by_side(first, Some(second), "   ", &screen))?;
    }
    Ok(())
}

/// Says whether two solvers agree.
pub(crate) fn second_opinion(told: &str, io: &mut Io<'_>) -> io::Result<()> {
    writeln!(io.out, "second opinion: {told}")
}
