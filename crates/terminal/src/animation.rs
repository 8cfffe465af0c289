//! Plays a plan step by step: with keys on a terminal, or as a series of boards elsewhere.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use beeline_puzzle::{Game, Puzzle, Scene};
use beeline_view::{Style as Drawing, canvas};
use crossterm::event::{KeyCode, KeyEvent};
use ratatui_core::terminal::Frame;

use crate::Look;
use crate::layout::Sheet;
use crate::pace::Pace;
use crate::screen::{self, Screen, ScreenResult};

/// Shows a plan on the terminal. The user may pause, step and change the speed. With `linger`, the screen closes by
/// itself that long after the last step unless a key was pressed.
pub fn animate(
    title: &str,
    puzzle: &dyn Puzzle,
    steps: &[String],
    look: Look,
    delay: Duration,
    linger: Option<Duration>,
) -> io::Result<ScreenResult<()>> {
    let mut animation = Animation::new(title, puzzle, steps, look, delay, linger);
    screen::run(&mut animation, look)
}

/// Writes the board before each step of a plan and after the last one.
pub fn frames(puzzle: &dyn Puzzle, steps: &[String], look: Look, out: &mut dyn Write) -> io::Result<()> {
    let mut game = puzzle.game();
    let total = steps.len();
    for (number, step) in std::iter::once(None).chain(steps.iter().map(Some)).enumerate() {
        if let Some(step) = step {
            game.play(step).map_err(io::Error::other)?;
        }
        let name = step.map(|step| format!(" {step}")).unwrap_or_default();
        let style = Drawing { colour: look.colour, ascii: look.ascii, ..Drawing::default() };
        let scene = game.scene();
        let board = canvas(&scene, style.fitted(&scene, 78, 30)).to_text(look.colour);
        writeln!(out, "{number}/{total}{name}\n{board}")?;
    }
    Ok(())
}

struct Animation<'a> {
    title: &'a str,
    look: Look,
    game: Box<dyn Game>,
    scene: Scene,
    steps: &'a [String],
    at: usize,
    pace: Pace,
    /// The time after which the screen closes by itself. A key press clears it.
    linger: Option<Duration>,
    closes: Option<Instant>,
    /// The error of a step that cannot be played: the plan belongs to another puzzle.
    broken: Option<String>,
}

impl<'a> Animation<'a> {
    fn new(
        title: &'a str,
        puzzle: &dyn Puzzle,
        steps: &'a [String],
        look: Look,
        delay: Duration,
        linger: Option<Duration>,
    ) -> Self {
        let game = puzzle.game();
        let scene = game.scene();
        let pace = Pace::new(delay);
        let mut animation =
            Self { title, look, game, scene, steps, at: 0, pace, linger, closes: None, broken: None };
        animation.at_the_end();
        animation
    }

    fn forward(&mut self) {
        let Some(step) = self.steps.get(self.at) else { return };
        match self.game.play(step) {
            Ok(()) => self.at += 1,
            Err(why) => {
                self.broken = Some(format!("step {} ({step}) cannot be played: {why}", self.at + 1));
                self.steps = &self.steps[..self.at];
            }
        }
        self.scene = self.game.scene();
        self.at_the_end();
    }

    fn back(&mut self) {
        if self.game.undo() {
            self.at -= 1;
            self.scene = self.game.scene();
        }
    }

    fn at_the_end(&mut self) {
        if self.at == self.steps.len() {
            self.pace.pause(true);
            self.closes = self.linger.map(|linger| Instant::now() + linger);
        }
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let last = self.at.checked_sub(1).and_then(|i| self.steps.get(i));
        let state = if self.at == self.steps.len() {
            "at the end".to_owned()
        } else if self.pace.paused() {
            "paused".to_owned()
        } else {
            format!("{} steps a second", self.pace.rate())
        };
        vec![
            ("step", format!("{} of {}", self.at, self.steps.len())),
            ("move", last.cloned().unwrap_or_default()),
            ("speed", state),
        ]
    }
}

const KEYS: [(&str, &str); 6] = [
    ("space", "pause, go on"),
    ("right", "forward"),
    ("left", "back"),
    ("+ -", "faster, slower"),
    ("home end", "first, last"),
    ("q", "leave"),
];

impl Screen for Animation<'_> {
    type End = ();

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let message = match &self.broken {
            Some(why) => Some((self.look.bad(), why.clone())),
            None if self.game.solved() => Some((self.look.good(), "Solved.".to_owned())),
            None => None,
        };
        let sheet = Sheet {
            look: self.look,
            title: self.title.to_owned(),
            scene: Some(&self.scene),
            facts: self.facts(),
            message,
            keys: KEYS.iter().map(|&(key, does)| (key.to_owned(), does)).collect(),
            ..Sheet::default()
        };
        let area = frame.area();
        sheet.draw(frame.buffer_mut(), area);
    }

    fn key(&mut self, key: KeyEvent) -> Option<()> {
        (self.closes, self.linger) = (None, None);
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc | KeyCode::Enter => return Some(()),
            KeyCode::Char(' ') if self.at == self.steps.len() => {
                // Play it again from the start.
                while self.game.undo() {}
                (self.at, self.scene) = (0, self.game.scene());
                self.pace.pause(false);
            }
            KeyCode::Char(' ') => self.pace.pause(!self.pace.paused()),
            KeyCode::Right | KeyCode::Down | KeyCode::Char('.') => {
                self.pace.pause(true);
                self.forward();
            }
            KeyCode::Left | KeyCode::Up | KeyCode::Char(',') => {
                self.pace.pause(true);
                self.back();
            }
            KeyCode::Home => {
                self.pace.pause(true);
                while self.at > 0 {
                    self.back();
                }
            }
            KeyCode::End => {
                while self.at < self.steps.len() {
                    self.forward();
                }
            }
            KeyCode::Char('+' | '=' | ']') => self.pace.faster(),
            KeyCode::Char('-' | '_' | '[') => self.pace.slower(),
            _ => {}
        }
        None
    }

    fn due(&self) -> Option<Instant> {
        self.closes.or_else(|| self.pace.due())
    }

    fn tick(&mut self) -> Option<()> {
        let now = Instant::now();
        if self.pace.step(now) {
            self.forward();
        }
        self.closes.filter(|closes| now >= *closes).map(|_| ())
    }
}
