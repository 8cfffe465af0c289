//! The reports for single kinds of puzzle: one file each, and a line in [`REPORTS`].

mod bricks;
mod flow;
mod gate;
mod sokoban;
mod tiles;

use super::Template;

/// The reports of the kinds, by the name of the kind.
pub(super) const REPORTS: [(&str, Template); 5] = [
    ("gate", gate::blocks),
    ("tiles", tiles::blocks),
    ("flow", flow::blocks),
    ("sokoban", sokoban::blocks),
    ("bricks", bricks::blocks),
];
