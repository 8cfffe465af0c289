//! The screens on a real pseudo-terminal: their cells, and the state of the terminal afterwards.

#![cfg(unix)]

mod classic;
mod picture;
mod play;
mod pty;
mod signals;
mod watch;
