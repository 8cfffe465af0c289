//! Handles Ctrl-C, searches that hang, and panics.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use beeline_search::{Budget, Cancel};

use super::{Exit, Screen};
use crate::leave;
use crate::report::{Trouble, json};
use crate::watchdog::{self, Hung, Watch};

/// A signal so soon after another is its echo: `timeout` and some shells send one to the process and at once again to its
/// group. Nobody presses Ctrl-C twice as fast.
const ECHO: Duration = Duration::from_millis(50);

/// Is a search running that checks the cancel flag?
static SEARCHING: AtomicBool = AtomicBool::new(false);

/// While this lives, the first Ctrl-C cancels the search instead of ending the program, and the watchdog watches the
/// search.
pub(super) struct SearchGuard {
    _watch: Watch,
}

impl SearchGuard {
    pub(super) fn begin(budget: &Budget) -> Self {
        SEARCHING.store(true, Ordering::Relaxed);
        Self { _watch: watchdog::watch(budget) }
    }
}

impl Drop for SearchGuard {
    fn drop(&mut self) {
        SEARCHING.store(false, Ordering::Relaxed);
    }
}

/// The current puzzle, for the report of a search that hangs.
#[derive(Clone, Debug)]
struct Subject {
    command: &'static str,
    source: String,
    json: bool,
}

static SUBJECT: Mutex<Option<Subject>> = Mutex::new(None);

/// Sets the puzzle that is searched next, and whether to report in JSON.
pub(super) fn set_subject(command: &'static str, source: &str, json: bool) {
    let subject = Subject { command, source: source.to_owned(), json };
    *SUBJECT.lock().unwrap_or_else(PoisonError::into_inner) = Some(subject);
}

/// Starts the watchdog: a search that does not end after its limit is reported, and the process ends.
pub(super) fn start_watchdog(screen: Screen, grace: Duration) {
    watchdog::start(grace, move |hung| {
        let subject = SUBJECT.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let trouble = hung_trouble(hung);
        let json = subject.as_ref().filter(|s| s.json).map(|s| (s.command, s.source.as_str()));
        json::hung(hung, &trouble, json, &screen);
    });
}

fn hung_trouble(hung: &Hung) -> Trouble {
    let mut trouble = Trouble::new(Exit::Internal, hung.message());
    if let Some(figures) = hung.figures() {
        trouble = trouble.help(format!("known by then: {figures}"));
    }
    trouble
        .help("this is a bug in Beeline, not in your puzzle; please report it with the command and the file")
}

/// The first Ctrl-C (or SIGTERM) cancels the search. The second one, or one without a search, ends the program.
pub(super) fn install(cancel: &Cancel) {
    let cancel = cancel.clone();
    let mut last: Option<Instant> = None;
    let installed = ctrlc::set_handler(move || {
        if last.is_some_and(|last| last.elapsed() < ECHO) {
            return;
        }
        last = Some(Instant::now());
        if cancel.is_cancelled() || !SEARCHING.load(Ordering::Relaxed) {
            leave::end(i32::from(Exit::Interrupted.code()), || {});
        }
        cancel.cancel();
    });
    // If no handler can be installed, Ctrl-C ends the program the system's way. The program can still run.
    drop(installed);
}

/// Suppresses the default panic output. [`super::run`] turns a panic into one report.
pub(super) fn quiet_panics() {
    std::panic::set_hook(Box::new(|_| {}));
}

/// The message of a panic.
pub(super) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "something broke".to_owned())
}
