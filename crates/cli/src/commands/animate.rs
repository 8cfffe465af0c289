//! `beeline solve --animate`: shows the plan step by step.

#[cfg(feature = "terminal")]
use std::time::Duration;

#[cfg(feature = "terminal")]
use beeline_terminal::ScreenResult;

use super::Session;
use super::run::Plan;
use crate::report::Stop;
use crate::report::instance::Instance;

/// The initial time per step.
#[cfg(feature = "terminal")]
const FRAME: Duration = Duration::from_millis(250);

/// Shows a plan: on a terminal until the user leaves, elsewhere as a series of boards.
#[cfg(feature = "terminal")]
pub(super) fn animate(instance: &Instance, plan: &Plan, session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let (puzzle, look) = (&*instance.puzzle, session.io.screen.look());
    if !session.io.screen.interactive {
        return Ok(beeline_terminal::frames(puzzle, &plan.steps, look, &mut *session.io.out)?);
    }
    session.io.out.flush()?;
    let left = beeline_terminal::animate(&instance.name(), puzzle, &plan.steps, look, FRAME, None)?;
    if left == ScreenResult::Interrupted {
        // The user interrupted, so no further puzzle is solved.
        session.cancel.cancel();
    }
    Ok(())
}

/// This build has no screens.
#[cfg(not(feature = "terminal"))]
pub(super) fn animate(_: &Instance, _: &Plan, _: &mut Session<'_, '_>) -> Result<(), Stop> {
    Err(crate::report::Trouble::without("screens", "terminal").into())
}
