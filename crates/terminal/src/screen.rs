//! The common interface of screens: they draw themselves, handle input, and change over time.

use std::io;
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseEvent};
use ratatui_core::terminal::Frame;

use crate::Look;
use crate::session::Session;

/// How a screen was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScreenResult<T> {
    /// The screen ended by itself.
    Ended(T),
    /// The user pressed Ctrl-C.
    Interrupted,
}

/// A screen. It does not access the terminal, so a test can press its keys and read its cells.
pub(crate) trait Screen {
    /// The result of the screen.
    type End;
    /// Draws the whole screen.
    fn draw(&mut self, frame: &mut Frame<'_>);
    /// Handles a key. (Ctrl-C never arrives here.)
    fn key(&mut self, key: KeyEvent) -> Option<Self::End>;
    /// Handles a mouse event.
    fn mouse(&mut self, mouse: MouseEvent) {
        let _ = mouse;
    }
    /// The time of the next tick without input; `None` if no tick is needed.
    fn due(&self) -> Option<Instant>;
    /// Updates the screen at that time, or after an event.
    fn tick(&mut self) -> Option<Self::End>;
}

/// Shows a screen until it is left.
pub(crate) fn run<S: Screen>(screen: &mut S, look: Look) -> io::Result<ScreenResult<S::End>> {
    let mut session = Session::open(look)?;
    loop {
        if let Some(end) = screen.tick() {
            return Ok(ScreenResult::Ended(end));
        }
        session.terminal.draw(|frame| screen.draw(frame))?;
        if !wait(screen.due())? {
            continue;
        }
        // All pending events are handled before the next drawing, so that a fast mouse does not lag behind.
        loop {
            match event::read()? {
                Event::Key(key) if key.kind == KeyEventKind::Release => {}
                Event::Key(key) if is_interrupt(key) => return Ok(ScreenResult::Interrupted),
                Event::Key(key) => {
                    if let Some(end) = screen.key(key) {
                        return Ok(ScreenResult::Ended(end));
                    }
                }
                Event::Mouse(mouse) => screen.mouse(mouse),
                _ => {}
            }
            if !event::poll(Duration::ZERO)? {
                break;
            }
        }
    }
}

/// Waits for an event, at most until the given time.
fn wait(until: Option<Instant>) -> io::Result<bool> {
    // Without a deadline, the wait still ends now and then, so that it differs from a hang.
    let longest = Duration::from_secs(3600);
    event::poll(until.map_or(longest, |at| at.saturating_duration_since(Instant::now())))
}

fn is_interrupt(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}
