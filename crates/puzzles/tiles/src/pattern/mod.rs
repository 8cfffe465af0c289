//! Additive pattern databases: numbering ([`places`]), building ([`build`]), keeping ([`database`]), forms for
//! look-ups ([`form`], [`direct`]), the ready-made partitions ([`tables`]), nodes and look-ups ([`additive`]), the search
//! ([`search`]), and sets that all searches of a process share ([`fetch`]).

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
pub use shared::{fetch, is_at_hand};
use tables::Tables;

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
        machine: MoveFsm,
        order: [Step; 4],
    ) -> Result<Self, TableError> {
        let patterns: Vec<&Pattern> = databases.iter().map(|database| database.pattern()).collect();
        let (unique, partitions) = partitions(&patterns).ok_or(TableError::Unsupported)?;
        let unique: Vec<Arc<Database>> = unique.into_iter().map(|i| Arc::clone(&databases[i])).collect();
        // While they are spread out, the compact ones are there as well.
        let compact: usize = unique.iter().map(|database| database.data().len()).sum();
        let fits = |size: usize| budget.bytes.is_none_or(|room| size.saturating_add(compact) <= room);
        let patterns: Vec<Pattern> = unique.iter().map(|database| database.pattern().clone()).collect();
        let fits = direct::size(&patterns).is_some_and(fits);
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

    /// Takes a set that was spread out before; `None` if it is no partition.
    fn spread(set: &Tables, direct: Direct, machine: MoveFsm, order: [Step; 4]) -> Option<Self> {
        let patterns = set.all_patterns();
        let (_, partitions) = partitions(&patterns.iter().collect::<Vec<_>>())?;
        Additive::new(direct, &partitions, machine, order).map(Self::Spread)
    }

    /// The entries, if they are spread out.
    fn spread_data(&self) -> Option<&[u8]> {
        match self {
            Self::Compact(_) => None,
            Self::Spread(tables) => Some(tables.databases.data()),
        }
    }

    /// Which steps are worth trying after which.
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

/// Which patterns are the first of their kind; and by partition the numbers of its patterns among those.
type Partitions = (Vec<usize>, Vec<Vec<usize>>);

/// Cuts patterns in a row into partitions: one ends when it holds every tile.
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
