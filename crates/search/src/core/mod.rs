//! The components of every search. This module contains no search.
//!
//! * The problem: [`space`], [`heuristic`], [`prune`], [`observer`].
//! * The limits: [`budget`] (expansions, time, cancel), [`memory`] (bytes), [`checkpoint`] (to be saved and to go on).
//! * The state of a search: [`arena`] (nodes), [`seen`] (known states), [`frontier`] (waiting nodes),
//!   [`evaluator`] (which goes first), [`outcome`] (figures and verdict), [`figures`] (the figures as numbers).
//! * The machine: [`clock`], [`sync`], [`team`] (threads), [`ranks`] (processes), [`pages`], [`prefetch`], [`atomic_file`], [`random`].

pub mod arena;
pub mod atomic_file;
pub mod budget;
pub(crate) mod checkpoint;
pub mod clock;
pub mod evaluator;
pub(crate) mod figures;
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

/// Does this build have files: checkpoints, layers on disk, caches? Set by the feature `files`.
pub const FILES: bool = cfg!(feature = "files");

/// Does this build prefer small code to the fastest? A browser loads all of it before it runs. There a puzzle compiles its
/// searches for fewer state widths and omits what only native programs use.
pub const COMPACT: bool = cfg!(target_family = "wasm");
