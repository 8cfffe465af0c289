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
use database::{Database, TableError};
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
    /// Takes partitions of the tiles, one behind the other, spread out if there is memory for that; on a square board their
    /// mirror images are looked up too. Unsupported if something is no partition, or there are too many.
    pub fn new(
        databases: &[Arc<Database>],
        budget: &Budget,
        machine: Machine,
        order: [Step; 4],
    ) -> Result<Self, TableError> {
        let (unique, partitions) = partitions(databases).ok_or(TableError::Unsupported)?;
        // While they are spread out, the compact ones are there as well.
        let compact: usize = unique.iter().map(|database| database.data().len()).sum();
        let fits = |size: usize| budget.bytes.is_none_or(|room| size.saturating_add(compact) <= room);
        let fits = Direct::size(&unique).is_some_and(fits);
        // Expansions are what a search makes; there are none yet.
        let limits = Budget { nodes: None, ..budget.clone() };
        let spread = if fits { Direct::new(&unique, &limits) } else { Err(Limit::Memory) };
        let patterns = match spread {
            Ok(spread) => Additive::new(spread, &partitions, machine, order).map(Self::Spread),
            Err(Limit::Memory) => {
                Additive::new(Compact(unique), &partitions, machine, order).map(Self::Compact)
            }
            Err(limit) => return Err(limit.into()),
        };
        patterns.ok_or(TableError::Unsupported)
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

/// By partition, the numbers of its patterns; and the databases by number, each once.
type Partitions = (Vec<Arc<Database>>, Vec<Vec<usize>>);

/// Cuts databases in a row into partitions: one ends when it holds every tile.
fn partitions(databases: &[Arc<Database>]) -> Option<Partitions> {
    let first = databases.first()?.numbering();
    let tiles = first.rows * first.columns - 1;
    let mut unique: Vec<Arc<Database>> = Vec::new();
    let mut partitions = vec![Vec::new()];
    let mut taken = 0;
    for database in databases {
        let known = unique.iter().position(|d| d.tiles() == database.tiles());
        let number = known.unwrap_or(unique.len());
        if number == unique.len() {
            unique.push(Arc::clone(database));
        }
        if taken == tiles {
            partitions.push(Vec::new());
            taken = 0;
        }
        partitions.last_mut()?.push(number);
        taken += database.tiles().len();
    }
    Some((unique, partitions))
}
