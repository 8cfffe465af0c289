//! The screens on a real pseudo-terminal: what a person sees, cell by cell, and what is left when they go.

#![cfg(unix)]

mod classic;
mod picture;
mod play;
mod pty;
mod signals;
mod watch;
