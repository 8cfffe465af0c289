//! The terminal of a classic command, where there is one.

use beeline_terminal::{Look, restore_on_signals};

use crate::commands::Screen;

/// What a shell returns for a program that was interrupted.
pub(super) const INTERRUPTED: u8 = 130;

/// What the terminal can show, if the output is one. From then on a signal gives it back before it ends the program.
pub(super) fn terminal() -> Option<Look> {
    let screen = Screen::detect();
    screen.interactive.then(|| {
        restore_on_signals(INTERRUPTED.into());
        screen.look()
    })
}
