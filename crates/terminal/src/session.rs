//! The terminal, taken over and given back.
//!
//! While a `Session` lives, the terminal shows our own sheet, sends single keys and the mouse, and hides its cursor. It is
//! given back by [`restore`], which any thread may call at any time: the end of a session calls it, a panic of the screen's
//! own thread does, and a signal handler should. Frames are written whole and under the same lock, so nothing of a frame
//! can follow the restoration.

use std::fs::File;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, Once, PoisonError, TryLockError, mpsc};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{execute, queue, style};

use crate::Look;

/// The terminal while it is ours, and the thread that took it.
static HELD: Mutex<Option<Held>> = Mutex::new(None);

struct Held {
    out: File,
    thread: ThreadId,
}

fn held() -> MutexGuard<'static, Option<Held>> {
    // Whoever panicked with the lock left a whole value behind: it is only ever set or taken.
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A terminal that is ours until this is dropped.
pub(crate) struct Session {
    pub(crate) terminal: Terminal<CrosstermBackend<Frames>>,
}

impl Session {
    /// Takes the terminal over.
    pub(crate) fn open(look: Look) -> io::Result<Self> {
        restore_on_panic();
        let mut out = own_stdout()?;
        let thread = std::thread::current().id();
        // The look has the last word on colours; the library would ask the environment again.
        style::force_color_output(look.in_colour());
        {
            let mut held = held();
            enable_raw_mode()?;
            let ready = execute!(out, EnterAlternateScreen, EnableMouseCapture, Hide);
            // From here on there is something to give back, even if the last line did only half of its work.
            *held = Some(Held { out, thread });
            ready
        }
        .and_then(|()| Terminal::new(CrosstermBackend::new(Frames::default())))
        .map(|terminal| Self { terminal })
        .inspect_err(|_| restore())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back, if it is ours: the screen as it was, the cursor, the keyboard, the mouse. A terminal that takes no
/// more output (a stopped one, a dead one) is not waited for longer than a moment.
pub fn restore() {
    let deadline = Instant::now() + MOMENT;
    let mut held = loop {
        match HELD.try_lock() {
            Ok(held) => break held,
            Err(TryLockError::Poisoned(held)) => break held.into_inner(),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(2));
            }
            Err(TryLockError::WouldBlock) => return,
        }
    };
    if let Some(mut held) = held.take() {
        // Nothing better can be done when the terminal is gone.
        let _ = execute!(held.out, DisableMouseCapture, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

/// How long anything may keep the process from ending: a terminal that was stopped, a pipe that nobody reads, a lock.
const MOMENT: Duration = Duration::from_secs(1);

/// Gives the terminal back, says what there is to say, and ends the process. Whatever blocks is not waited for longer than a
/// moment: a terminal that was stopped, a pipe that nobody reads, a lock that another thread holds.
pub fn end(code: i32, say: impl FnOnce() + Send + 'static) -> ! {
    let (send, receive) = mpsc::channel();
    let told = std::thread::Builder::new().spawn(move || {
        restore();
        say();
        let _ = send.send(());
    });
    if told.is_ok() {
        // Said, or too late to wait for.
        let _ = receive.recv_timeout(MOMENT);
    } else {
        restore();
    }
    // The ordinary end may have to wait for another thread that is ending the process and is blocked; this one has not.
    let last = std::thread::Builder::new().spawn(|| {
        std::thread::sleep(MOMENT);
        std::process::abort();
    });
    drop(last);
    std::process::exit(code)
}

/// From now on SIGINT, SIGTERM and SIGHUP give the terminal back and end the program with this code. For programs without a
/// handler of their own; the others call [`end`] in theirs.
pub fn restore_on_signals(code: i32) {
    let installed = ctrlc::set_handler(move || end(code, || {}));
    // Without a handler a signal ends the program the system's way, which is no reason not to run.
    drop(installed);
}

/// A panic is told on the ordinary screen, not on one that vanishes. Panics of other threads are no concern of ours.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let here = std::thread::current().id();
            let ours = held().as_ref().is_some_and(|held| held.thread == here);
            if ours {
                restore();
            }
            before(panic);
        }));
    });
}

/// Standard output as a file of our own: the one of the library may be locked by whoever called us, and a signal must not
/// wait for it.
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

/// Collects a frame and writes it in one go, unless the terminal was given back meanwhile.
#[derive(Default)]
pub(crate) struct Frames {
    frame: Vec<u8>,
}

impl Write for Frames {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.frame.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.frame.is_empty() {
            return Ok(());
        }
        // Terminals that know these marks show a frame all at once; the others pass over them.
        queue!(self.frame, EndSynchronizedUpdate)?;
        let mut whole = Vec::with_capacity(self.frame.len() + 16);
        queue!(whole, BeginSynchronizedUpdate)?;
        whole.append(&mut self.frame);
        match held().as_mut() {
            Some(held) => held.out.write_all(&whole).and_then(|()| held.out.flush()),
            None => Ok(()),
        }
    }
}
