//! `beeline solve --animate`: the plan, step by step.

#[cfg(feature = "terminal")]
use std::time::Duration;

#[cfg(feature = "terminal")]
use beeline_terminal::Left;

use super::Session;
use super::run::Plan;
use crate::report::Stop;
use crate::report::instance::Instance;

/// How long a step takes at first.
#[cfg(feature = "terminal")]
const FRAME: Duration = Duration::from_millis(250);

/// Shows a plan: on a terminal until the person leaves, elsewhere as one board after the other.
#[cfg(feature = "terminal")]
pub(super) fn animate(instance: &Instance, plan: &Plan, session: &mut Session<'_, '_>) -> Result<(), Stop> {
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

/// There are no screens in this build.
#[cfg(not(feature = "terminal"))]
pub(super) fn animate(_: &Instance, _: &Plan, _: &mut Session<'_, '_>) -> Result<(), Stop> {
    Err(crate::report::Trouble::without("screens", "terminal").into())
}
