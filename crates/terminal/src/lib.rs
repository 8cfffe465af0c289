//! Screens for the terminal: play a puzzle, watch a plan, watch a search.
//!
//! The screens know puzzles only as [`Puzzle`](beeline_puzzle::Puzzle), [`Game`](beeline_puzzle::Game) and
//! [`Scene`](beeline_puzzle::Scene): what stands on the board says which keys make sense, the game says what they do, and
//! the view crate draws. A new kind of puzzle is played without a line here, once it says what an arrow means
//! ([`Game::toward`](beeline_puzzle::Game::toward)).
//!
//! A screen is a value that takes keys and draws itself into a sheet of cells, so everything but the last few lines
//! (`session.rs`) is tested without a terminal. The terminal is given back whatever happens: when a screen is left, when the
//! program panics, and when it is told to end by a signal (see [`restore`] and [`restore_on_signals`]).

mod animation;
mod background;
mod board;
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
pub use play::{Ending, Level, Manners, play};
pub use prompt::{Asking, ask};
pub use screen::Left;
pub use session::{end, own_stdout, restore, restore_on_signals};
pub use watch::watch;
