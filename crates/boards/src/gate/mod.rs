//! Impassable Gate: boards and plans.

pub mod plan;
pub mod text;

pub use text::Parsed;
