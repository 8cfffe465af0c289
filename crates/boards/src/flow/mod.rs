//! Flow Free: boards, files of other programs, plans.

pub mod board;
pub mod foreign;
pub mod palette;
pub mod pen;
pub mod plan;
pub mod scene;
pub mod text;

pub use board::{Board, Cell, Colour, DIRS, Dir, Paths, Rule, Step};
