//! What every search is made of. Nothing in here is a search.
//!
//! * The problem: [`space`], [`heuristic`], [`prune`], [`observer`].
//! * The limits: [`budget`] (expansions, time, cancel), [`memory`] (bytes), [`checkpoint`] (to be saved and to go on).
//! * The state of a search: [`arena`] (nodes), [`seen`] (known states), [`frontier`] (waiting nodes),
//!   [`evaluator`] (which goes first), [`outcome`] (figures and verdict).
//! * The machine: [`clock`], [`sync`], [`team`] (threads), [`ranks`] (processes), [`pages`], [`prefetch`], [`atomic_file`], [`random`].

pub mod arena;
pub mod atomic_file;
pub mod budget;
pub(crate) mod checkpoint;
pub mod clock;
pub mod evaluator;
pub mod frontier;
pub mod heuristic;
pub mod memory;
pub(crate) mod number_set;
pub mod observer;
pub mod outcome;
pub mod pages;
pub mod prefetch;
pub mod prune;
pub mod random;
pub(crate) mod ranks;
pub mod seen;
pub mod space;
pub mod sync;
pub mod team;

/// Are there files of the host: checkpoints, layers on disk, caches? The feature `files` says so.
pub const FILES: bool = cfg!(feature = "files");

/// Is small code worth more than the fastest? A browser loads all of it before it runs any. There a puzzle compiles its searches for fewer
/// widths of states, and what only programs ask for is left out.
pub const COMPACT: bool = cfg!(target_family = "wasm");
