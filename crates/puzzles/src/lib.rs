//! The list of all puzzle kinds.
//!
//! Each puzzle is a crate in a folder beside this one, so that work on one does not rebuild the others. A new puzzle is such a
//! folder and a line in [`KINDS`].
//!
//! This program reads a puzzle of any kind, solves it, and verifies the plan with the independent checker:
//!
//! ```
//! use beeline_puzzles::{Job, KINDS, recognise};
//! use beeline_search::{Budget, Verdict};
//!
//! let text = "6 5 7\n2 0 4\n1 3 8\n";
//! let Ok(mut puzzles) = recognise(KINDS, text) else { panic!("one kind reads it") };
//! let puzzle = puzzles.remove(0)?;
//! assert_eq!(puzzle.kind().title(), "Sliding tiles");
//!
//! let outcome = puzzle.solve(&Job::default(), &Budget::default(), &mut ())?;
//! let Verdict::Solved(plan) = outcome.verdict else { panic!("this board has a plan") };
//! assert_eq!((plan.cost, plan.lower_bound), (22, 22));
//! assert_eq!(puzzle.write_plan(&plan.moves), "RULDLURDLD RURULLDDRU UL");
//!
//! let checked = beeline_check::check("tiles", &puzzle.text(), None, &plan.moves)?;
//! assert_eq!(checked.cost, 22);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod pddl;
mod recognise;

pub use beeline_flow as flow;
pub use beeline_puzzle::*;
pub use beeline_sliding as sliding;
pub use beeline_sliding::{bricks, gate};
pub use beeline_sokoban as sokoban;
pub use beeline_tiles as tiles;
pub use recognise::{Parsed, Unrecognised, nearly, recognise};

/// All puzzle kinds.
pub static KINDS: &[&dyn Kind] = &[&gate::KIND, &tiles::KIND, &flow::KIND, &sokoban::KIND, &bricks::KIND];

/// The kind with this name.
pub fn kind(name: &str) -> Option<&'static dyn Kind> {
    KINDS.iter().copied().find(|k| k.name() == name)
}
