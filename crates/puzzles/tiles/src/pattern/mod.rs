//! Additive pattern databases (Korf & Felner 2002): numbering ([`places`]), building ([`build`]), files ([`database`]), forms
//! for look-ups ([`form`], [`direct`]), the predefined partitions ([`tables`]), nodes and look-ups ([`additive`]), the search
//! ([`search`]), and sets shared by all searches of a process ([`fetch`]).

pub mod additive;
mod batch;
pub mod build;
pub mod database;
pub mod direct;
pub mod form;
pub mod mapped;
pub mod places;
pub mod search;
pub mod shapes;
mod shared;
mod spread_file;
pub mod tables;
mod trust;

use std::sync::Arc;

use beeline_search::{Budget, Limit};

use super::board::Step;
use super::move_fsm::MoveFsm;
use super::table_free::Found;
use additive::Additive;
use database::{Database, Pattern, TableError};
use direct::Direct;
use form::Compact;
pub use shared::{fetch, is_available};
use tables::Tables;

/// Databases ready for a search, in the form that fits the memory.
#[derive(Debug)]
pub enum Patterns {
    /// In the form of the cache.
    Compact(Additive<Compact>),
    /// In sparse form.
    Spread(Additive<Direct>),
}

impl Patterns {
    /// Combines partitions of the tiles, one after the other, in sparse form if there is memory for that. On a square board
    /// their mirror images are looked up too. Unsupported if one is no partition, or there are too many.
    pub fn new(
        databases: &[Arc<Database>],
        budget: &Budget,
        machine: MoveFsm,
        order: [Step; 4],
    ) -> Result<Self, TableError> {
        let patterns: Vec<&Pattern> = databases.iter().map(|database| database.pattern()).collect();
        let (unique, partitions) = partitions(&patterns).ok_or(TableError::Unsupported)?;
        let unique: Vec<Arc<Database>> = unique.into_iter().map(|i| Arc::clone(&databases[i])).collect();
        // During the conversion the compact databases are in memory as well.
        let compact: usize = unique.iter().map(|database| database.data().len()).sum();
        let fits = |size: usize| budget.bytes.is_none_or(|room| size.saturating_add(compact) <= room);
        let patterns: Vec<Pattern> = unique.iter().map(|database| database.pattern().clone()).collect();
        let fits = direct::size(&patterns).is_some_and(fits);
        // A limit on expansions is for searches; conversion makes none.
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

    /// Combines a set that is already sparse; `None` if it is no partition.
    fn spread(set: &Tables, direct: Direct, machine: MoveFsm, order: [Step; 4]) -> Option<Self> {
        let patterns = set.all_patterns();
        let (_, partitions) = partitions(&patterns.iter().collect::<Vec<_>>())?;
        Additive::new(direct, &partitions, machine, order).map(Self::Spread)
    }

    /// The entries, if they are sparse.
    fn spread_data(&self) -> Option<&[u8]> {
        match self {
            Self::Compact(_) => None,
            Self::Spread(tables) => Some(tables.databases.data()),
        }
    }

    /// The move FSM.
    fn machine(&self) -> &MoveFsm {
        match self {
            Self::Compact(tables) => &tables.machine,
            Self::Spread(tables) => &tables.machine,
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

    /// Searches for a shortest plan with threads, given that no plan is shorter than `known`. The board must be solvable; its
    /// goal has the blank first.
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

/// The indices of the distinct patterns; and for each partition the indices of its patterns among those.
type Partitions = (Vec<usize>, Vec<Vec<usize>>);

/// Splits consecutive patterns into partitions: one ends when it contains every tile.
fn partitions(patterns: &[&Pattern]) -> Option<Partitions> {
    let first = patterns.first()?;
    let tiles = first.rows * first.columns - 1;
    let mut unique: Vec<usize> = Vec::new();
    let mut partitions = vec![Vec::new()];
    let mut taken = 0;
    for (i, pattern) in patterns.iter().enumerate() {
        let known = unique.iter().position(|&other| patterns[other] == *pattern);
        let number = known.unwrap_or(unique.len());
        if number == unique.len() {
            unique.push(i);
        }
        if taken == tiles {
            partitions.push(Vec::new());
            taken = 0;
        }
        partitions.last_mut()?.push(number);
        taken += pattern.tiles.len();
    }
    Some((unique, partitions))
}
