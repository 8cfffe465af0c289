//! The report on an improved Sokoban plan.

use std::io;

use beeline_api::units::plural;
use beeline_search::Limit;

use super::Io;
use super::instance::Instance;

/// Prints the better plan and, unless `quiet`, the figures of both.
pub(crate) fn improved(
    instance: &Instance,
    before: &[String],
    after: &[String],
    stopped: Option<Limit>,
    quiet: bool,
    io: &mut Io<'_>,
) -> io::Result<()> {
    writeln!(io.out, "{}", instance.puzzle.write_plan(after))?;
    if quiet {
        return Ok(());
    }
    let end = match stopped {
        Some(limit) => format!("stopped by the {} limit", limit.name()),
        None => "nothing more found".to_owned(),
    };
    writeln!(io.err, "{} → {}; {end}", figures(before), figures(after))
}

fn figures(steps: &[String]) -> String {
    let pushes = steps.iter().filter(|step| step.chars().all(char::is_uppercase)).count();
    format!("{}, {}", plural(steps.len(), "move"), plural(pushes, "push"))
}
