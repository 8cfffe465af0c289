//! Any experiment: a quantile plot and the runs.

use super::Block;
use super::data::Data;
use crate::column::{USUAL, table};
use crate::plots::cactus;

pub(super) fn blocks(data: &Data) -> Vec<Block> {
    let columns = USUAL.map(str::to_owned);
    vec![
        Block::heading("How many puzzles in how much time"),
        Block::figure(cactus(&data.all, "seconds")),
        Block::heading("The runs"),
        Block::Table(table(&data.all, &columns)),
    ]
}
