//! What every screen has in common: it draws itself, takes what the person does, and changes by itself when time has come.

use std::io;
use std::time::{Duration, Instant};

use ratatui::Frame;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseEvent};

use crate::Look;
use crate::session::Session;

/// How a screen was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left<T> {
    /// The screen came to its end.
    Ended(T),
    /// Ctrl-C.
    Interrupted,
}

/// A screen. It touches no terminal, so a test can press its keys and read its cells.
pub(crate) trait Screen {
    /// What it comes back with.
    type End;
    /// Draws all of it.
    fn draw(&mut self, frame: &mut Frame<'_>);
    /// A key was pressed. (Ctrl-C never arrives here.)
    fn key(&mut self, key: KeyEvent) -> Option<Self::End>;
    /// The mouse did something.
    fn mouse(&mut self, mouse: MouseEvent) {
        let _ = mouse;
    }
    /// When it wants to be looked after although nobody does anything.
    fn due(&self) -> Option<Instant>;
    /// That time has come, or something else happened.
    fn tick(&mut self) -> Option<Self::End>;
}

/// Shows a screen until it is left.
pub(crate) fn run<S: Screen>(screen: &mut S, look: Look) -> io::Result<Left<S::End>> {
    let mut session = Session::open(look)?;
    loop {
        if let Some(end) = screen.tick() {
            return Ok(Left::Ended(end));
        }
        session.terminal.draw(|frame| screen.draw(frame))?;
        if !wait(screen.due())? {
            continue;
        }
        // Everything that has come is taken before the next drawing, so that a fast mouse does not lag behind.
        loop {
            match event::read()? {
                Event::Key(key) if key.kind == KeyEventKind::Release => {}
                Event::Key(key) if is_interrupt(key) => return Ok(Left::Interrupted),
                Event::Key(key) => {
                    if let Some(end) = screen.key(key) {
                        return Ok(Left::Ended(end));
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

/// Waits for something to happen, at the longest until then.
fn wait(until: Option<Instant>) -> io::Result<bool> {
    // Now and then is often enough when nothing is due; a wait without an end could not be told apart from one that hangs.
    let longest = Duration::from_secs(3600);
    event::poll(until.map_or(longest, |at| at.saturating_duration_since(Instant::now())))
}

fn is_interrupt(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}
