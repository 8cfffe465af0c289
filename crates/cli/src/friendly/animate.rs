//! `beeline solve --animate`: the plan, step by step.

use std::time::Duration;

use beeline_terminal::Left;

use super::Session;
use super::input::Instance;
use super::report::Stop;
use super::run::Plan;
use super::solve::replay;

/// How long a step takes at first.
const FRAME: Duration = Duration::from_millis(250);

/// Shows a plan: on a terminal until the person leaves, elsewhere as one board after the other.
pub(super) fn animate(instance: &Instance, plan: &Plan, session: &mut Session<'_, '_>) -> Result<(), Stop> {
    if replay(instance, plan).is_none() {
        // A move over several cells is a step of the plan, but games know single cells only.
        session.io.out.flush()?;
        let why = "its steps go over several cells, and only single ones can be shown";
        writeln!(session.io.err, "warning: {}: the plan is not animated: {why}", instance.name())?;
        return Ok(());
    }
    let (puzzle, look) = (&*instance.puzzle, session.io.screen.look());
    if !session.io.screen.interactive {
        return Ok(beeline_terminal::frames(puzzle, &plan.steps, look, &mut *session.io.out)?);
    }
    session.io.out.flush()?;
    let left = beeline_terminal::animate(&instance.name(), puzzle, &plan.steps, look, FRAME, None)?;
    if left == Left::Interrupted {
        // No further puzzle is begun.
        session.cancel.cancel();
    }
    Ok(())
}
