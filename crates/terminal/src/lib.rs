//! Screens for the terminal: play a puzzle, watch a plan, watch a search.
//!
//! The screens know puzzles only as [`Puzzle`](beeline_puzzle::Puzzle), [`Game`](beeline_puzzle::Game) and
//! [`Scene`](beeline_puzzle::Scene). The things on the board decide which keys work, the game decides what the keys
//! do, and the view crate draws. A new kind of puzzle needs no code here once it defines what an arrow means
//! ([`Game::toward`](beeline_puzzle::Game::toward)).
//!
//! A screen is a value that takes keys and draws itself into a grid of cells. So everything but a few lines
//! (`session.rs`) is tested without a terminal. The terminal is restored in every case: when a screen is left, when
//! the program panics, and when a signal ends it (see [`restore`] and [`restore_on_signals`]).

mod animation;
mod background;
mod board;
mod frames;
mod layout;
mod look;
mod menu;
mod pace;
mod play;
mod prompt;
mod screen;
mod session;
mod watch;

pub use animation::{animate, frames};
pub use look::Look;
pub use menu::{Chapter, menu};
pub use play::{Ending, GameOptions, Level, play};
pub use prompt::{Dialogue, run_dialogue};
pub use screen::ScreenResult;
pub use session::{end, own_stdout, restore, restore_on_signals};
pub use watch::watch;
