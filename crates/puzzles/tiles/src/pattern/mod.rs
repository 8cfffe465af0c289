//! Additive pattern databases: numbering ([`places`]), building ([`build`]), keeping ([`database`]), forms for
//! look-ups ([`form`], [`direct`]), the ready-made partitions ([`tables`]), nodes and look-ups ([`additive`]) and the search ([`search`]).

pub mod additive;
pub mod build;
pub mod database;
pub mod direct;
pub mod form;
mod herd;
pub mod mapped;
pub mod places;
pub mod search;
pub mod tables;

use std::sync::Arc;

use beeline_search::{Budget, Limit};

use super::board::Step;
use super::light::Found;
use super::machine::Machine;
use additive::Additive;
use database::Database;
use direct::Direct;
use form::Compact;

/// Databases ready to search with, in the form that fits the memory.
#[derive(Debug)]
pub enum Patterns {
    /// As they lie in the cache.
    Compact(Additive<Compact>),
    /// Spread out.
    Spread(Additive<Direct>),
}

impl Patterns {
    /// Takes partitions of the tiles, one behind the other, spread out if that needs no more than `room` bytes; on a square
    /// board their mirror images are looked up too. `None` if something is no partition, or there are too many.
    pub fn new(
        databases: Vec<Arc<Database>>,
        room: Option<usize>,
        machine: Machine,
        order: [Step; 4],
    ) -> Option<Self> {
        let size = Direct::size(&databases).filter(|&size| room.is_none_or(|room| size <= room));
        match size.and_then(|_| Direct::new(&databases)) {
            Some(spread) => Additive::new(spread, machine, order).map(Self::Spread),
            None => Additive::new(Compact(databases), machine, order).map(Self::Compact),
        }
    }

    /// Is the estimate consistent?
    pub fn consistent(&self) -> bool {
        match self {
            Self::Compact(tables) => tables.consistent(),
            Self::Spread(tables) => tables.consistent(),
        }
    }

    /// Bytes of all databases.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Compact(tables) => tables.bytes(),
            Self::Spread(tables) => tables.bytes(),
        }
    }

    /// The estimate of a board.
    pub fn estimate(&self, cells: &[u8]) -> u32 {
        match self {
            Self::Compact(tables) => tables.estimate(cells),
            Self::Spread(tables) => tables.estimate(cells),
        }
    }

    /// Searches for a shortest plan with threads, when it is known already that none is shorter than `known`. The board must
    /// be solvable; its goal has the blank first.
    pub fn search(
        &self,
        cells: &[u8],
        known: u32,
        threads: usize,
        budget: &Budget,
    ) -> (Found, Option<Limit>) {
        match self {
            Self::Compact(tables) => tables.search(cells, known, threads, budget),
            Self::Spread(tables) => tables.search(cells, known, threads, budget),
        }
    }
}
