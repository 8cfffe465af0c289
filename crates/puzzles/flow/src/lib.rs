//! Flow Free: join each pair of coloured dots; the paths never cross, never touch themselves, and fill the board.
//!
//! [`Flow`] is the space for the engine's searches. The strongest solver does not search this space: see [`corner`].
//!
//! - [`board`]: boards · [`text`], [`plan`]: files and plans · [`foreign`]: formats of other programs · [`pen`]: drawing a plan
//! - [`game`], [`sketch`]: drawing by hand
//! - [`bounds`]: the heuristic · [`prune`]: dead ends · [`classic`]: the classic command's search
//! - [`corner`]: the solver by the corner theorem · [`sat`]: the independent SAT solver · [`make`]: new boards

pub mod bits;
pub mod bounds;
pub mod classic;
pub mod corner;
mod environment;
pub mod game;
mod kind;
pub mod make;
pub mod prune;
pub mod sat;
pub mod sketch;
pub mod solve;
pub mod space;

pub use beeline_boards::flow::{
    Board, Cell, Colour, DIRS, Dir, Paths, Rule, Step, board, foreign, palette, pen, plan, scene, text,
};
pub use kind::{FlowPuzzle, KIND};
pub use space::{Flow, MAX_CELLS, MAX_COLOURS, Order, State};
