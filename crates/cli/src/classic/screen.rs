//! The terminal of a classic command, if there is one.

use beeline_terminal::{Look, restore_on_signals};

use crate::commands::Screen;

/// The exit code of an interrupted program, as shells use it.
pub(super) const INTERRUPTED: u8 = 130;

/// The capabilities of the terminal, if the output is one. From then on, a signal restores it before the program ends.
pub(super) fn terminal() -> Option<Look> {
    let screen = Screen::detect();
    screen.interactive.then(|| {
        restore_on_signals(INTERRUPTED.into());
        screen.look()
    })
}
