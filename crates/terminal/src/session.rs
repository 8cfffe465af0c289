//! Acquires and restores the terminal.
//!
//! While a `Session` lives, the terminal shows the alternate screen, reports single keys and the mouse, and hides its
//! cursor. [`restore`] undoes all this, and any thread may call it at any time. The end of a session calls it, a
//! panic of the screen's thread does, and a signal handler should. Frames are written whole under the same lock, so
//! no part of a frame can follow the restoration.

use std::fs::File;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, Once, PoisonError, TryLockError, mpsc};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{execute, style};
use ratatui_core::terminal::Terminal;

use crate::Look;
use crate::frames::Frames;

/// The acquired terminal, and the thread that acquired it.
static ACQUIRED: Mutex<Option<Acquired>> = Mutex::new(None);

struct Acquired {
    out: File,
    thread: ThreadId,
}

fn acquired() -> MutexGuard<'static, Option<Acquired>> {
    // The value is only ever set or taken, so it is valid even after a panic with the lock.
    ACQUIRED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An acquired terminal. Dropping this restores it.
pub(crate) struct Session {
    pub(crate) terminal: Terminal<Frames>,
}

impl Session {
    /// Acquires the terminal.
    pub(crate) fn open(look: Look) -> io::Result<Self> {
        restore_on_panic();
        let mut out = own_stdout()?;
        let thread = std::thread::current().id();
        // The look decides about colours. Without this, the library would ask the environment again.
        style::force_color_output(look.in_colour());
        {
            let mut acquired = acquired();
            enable_raw_mode()?;
            let ready = execute!(out, EnterAlternateScreen, EnableMouseCapture, Hide);
            // From here on there is something to restore, even if the last line failed halfway.
            *acquired = Some(Acquired { out, thread });
            ready
        }
        .and_then(|()| Terminal::new(Frames::default()))
        .map(|terminal| Self { terminal })
        .inspect_err(|_| restore())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        restore();
    }
}

/// Restores the terminal if it is acquired: the normal screen, the cursor, the keyboard, the mouse. If the terminal
/// accepts no output (because it was stopped or closed), this gives up after a second.
pub fn restore() {
    let deadline = Instant::now() + END_TIMEOUT;
    let mut acquired = loop {
        match ACQUIRED.try_lock() {
            Ok(acquired) => break acquired,
            Err(TryLockError::Poisoned(acquired)) => break acquired.into_inner(),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(2));
            }
            Err(TryLockError::WouldBlock) => return,
        }
    };
    if let Some(mut acquired) = acquired.take() {
        // Nothing better can be done if the terminal is gone.
        let _ = execute!(acquired.out, DisableMouseCapture, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

/// The longest time that a stopped terminal, a pipe without a reader, or a lock may delay the end of the process.
const END_TIMEOUT: Duration = Duration::from_secs(1);

/// Restores the terminal, calls `say`, and ends the process with `code`. It waits at most a second for anything that
/// blocks: a stopped terminal, a pipe without a reader, or a lock that another thread holds.
pub fn end(code: i32, say: impl FnOnce() + Send + 'static) -> ! {
    let (send, receive) = mpsc::channel();
    let done = std::thread::Builder::new().spawn(move || {
        restore();
        say();
        let _ = send.send(());
    });
    if done.is_ok() {
        // Either it is done, or it took too long.
        let _ = receive.recv_timeout(END_TIMEOUT);
    } else {
        restore();
    }
    // The normal exit may wait for another thread that is also ending the process and is blocked. Aborting does not
    // wait.
    let last = std::thread::Builder::new().spawn(|| {
        std::thread::sleep(END_TIMEOUT);
        std::process::abort();
    });
    drop(last);
    std::process::exit(code)
}

/// From now on, SIGINT, SIGTERM and SIGHUP restore the terminal and end the program with this code. Use it in
/// programs without their own handler; a handler calls [`end`].
pub fn restore_on_signals(code: i32) {
    let installed = ctrlc::set_handler(move || end(code, || {}));
    // If no handler can be installed, a signal ends the program the system's way. The program can still run.
    drop(installed);
}

/// Shows a panic on the normal screen, since the alternate one vanishes. Panics of other threads do not restore the
/// terminal.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let here = std::thread::current().id();
            let ours = acquired().as_ref().is_some_and(|acquired| acquired.thread == here);
            if ours {
                restore();
            }
            before(panic);
        }));
    });
}

/// A separate handle of standard output. The library's handle may be locked by the caller, and a signal handler must
/// not wait for that lock.
pub fn own_stdout() -> io::Result<File> {
    #[cfg(unix)]
    use std::os::fd::AsFd as _;
    #[cfg(windows)]
    use std::os::windows::io::AsHandle as _;
    #[cfg(unix)]
    let own = io::stdout().as_fd().try_clone_to_owned()?;
    #[cfg(windows)]
    let own = io::stdout().as_handle().try_clone_to_owned()?;
    Ok(File::from(own))
}

/// Writes to the acquired terminal. After [`restore`], nothing is written.
pub(crate) fn write(bytes: &[u8]) -> io::Result<()> {
    match acquired().as_mut() {
        Some(acquired) => acquired.out.write_all(bytes).and_then(|()| acquired.out.flush()),
        None => Ok(()),
    }
}
