//! Ctrl-C, and our own faults.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};

use beeline_search::Cancel;

use super::Exit;

/// Is a search under way that would notice the cancel flag?
static SEARCHING: AtomicBool = AtomicBool::new(false);

/// While one of these lives, the first Ctrl-C ends the search and not the program.
pub(super) struct Searching(());

impl Searching {
    pub(super) fn begin() -> Self {
        SEARCHING.store(true, Ordering::Relaxed);
        Self(())
    }
}

impl Drop for Searching {
    fn drop(&mut self) {
        SEARCHING.store(false, Ordering::Relaxed);
    }
}

/// The first Ctrl-C (or SIGTERM) asks the search to stop; the second, or one when nothing is searched, ends the program.
pub(super) fn install(cancel: &Cancel) {
    let cancel = cancel.clone();
    let installed = ctrlc::set_handler(move || {
        if cancel.is_cancelled() || !SEARCHING.load(Ordering::Relaxed) {
            beeline_terminal::restore();
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
        cancel.cancel();
    });
    // Without a handler Ctrl-C ends the program the system's way, which is no reason not to run.
    drop(installed);
}

/// No backtraces: a panic becomes one report, made by [`super::run`].
pub(super) fn quiet_panics() {
    std::panic::set_hook(Box::new(|_| {}));
}

/// What a panic said.
pub(super) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "something broke".to_owned())
}
