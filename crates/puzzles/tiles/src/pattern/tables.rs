//! The predefined partitions, by name, and the operations of `beeline tiles tables`: build, list, delete.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use beeline_search::{Budget, Limit, Meter};

use super::build::Progress;
use super::database::{Database, Pattern, TableError};
use super::places::Places;
use super::{spread_file, trust};

/// A partition of the tiles of a board.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    /// Its name: the sizes of its patterns.
    pub name: &'static str,
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
    /// The patterns. Several partitions may follow each other and may share patterns; the largest sum counts.
    pub patterns: &'static [&'static [usize]],
    /// Does each region of the blank have its own entry?
    pub aware: bool,
    /// Its use, in a sentence.
    pub about: &'static str,
}

/// All partitions, small ones first within a size of board.
pub static TABLES: &[Tables] = &[
    Tables {
        name: "4-4",
        rows: 3,
        columns: 3,
        patterns: &[&[1, 2, 4, 5], &[3, 6, 7, 8]],
        aware: true,
        about: "The 8-puzzle; built in a moment.",
    },
    Tables {
        name: "5-5-5",
        rows: 4,
        columns: 4,
        patterns: &[&[1, 2, 3, 5, 6], &[4, 8, 9, 12, 13], &[7, 10, 11, 14, 15]],
        aware: true,
        about: "The 15-puzzle; small, built in a moment.",
    },
    Tables {
        name: "6-6-3",
        rows: 4,
        columns: 4,
        patterns: &[&[4, 5, 8, 9, 12, 13], &[6, 7, 10, 11, 14, 15], &[1, 2, 3]],
        aware: true,
        about: "The 15-puzzle; built in about a second, good for nearly all boards.",
    },
    Tables {
        name: "7-8",
        rows: 4,
        columns: 4,
        patterns: &[&[1, 2, 3, 4, 5, 6, 7], &[8, 9, 10, 11, 12, 13, 14, 15]],
        aware: false,
        about: "The 15-puzzle at once; built in minutes.",
    },
    Tables {
        name: "6-6-6-6",
        rows: 5,
        columns: 5,
        patterns: &[
            &[1, 2, 5, 6, 7, 12],
            &[3, 4, 8, 9, 13, 14],
            &[10, 11, 15, 16, 20, 21],
            &[17, 18, 19, 22, 23, 24],
        ],
        aware: true,
        about: "The 24-puzzle, the partition of Korf and Felner (2002).",
    },
    Tables {
        name: "6-6-6-6-first",
        rows: 5,
        columns: 5,
        patterns: &seven::FIRST,
        aware: true,
        about: "The 24-puzzle, the first partition of 6-6-6-6-seven.",
    },
    Tables {
        name: "6-6-6-6-seven",
        rows: 5,
        columns: 5,
        patterns: &seven::PATTERNS,
        aware: true,
        about: "The 24-puzzle, seven partitions in fourteen tables.",
    },
];

/// Seven partitions of the 24-puzzle that share patterns: upper and lower halves with two cuts each, and three more. Found to
/// be good together by Clausecker ("24puzzle").
mod seven {
    type Piece = &'static [usize];
    const CORNER_A: Piece = &[1, 5, 6, 10, 11, 12];
    const RIGHT_A: Piece = &[2, 3, 4, 7, 8, 9];
    const CORNER_B: Piece = &[1, 2, 5, 6, 10, 11];
    const RIGHT_B: Piece = &[3, 4, 7, 8, 9, 12];
    const LOW_RIGHT: Piece = &[13, 14, 18, 19, 23, 24];
    const LOW_LEFT: Piece = &[15, 16, 17, 20, 21, 22];
    const LOW_UPPER: Piece = &[13, 14, 15, 16, 17, 18];
    const LOW_LOWER: Piece = &[19, 20, 21, 22, 23, 24];
    const EDGE: Piece = &[1, 5, 6, 10, 15, 20];
    const COLUMNS: Piece = &[11, 12, 16, 17, 21, 22];
    const HOOK: Piece = &[3, 4, 9, 14, 19, 24];
    const STAIR: Piece = &[7, 8, 12, 13, 18, 23];
    const CENTRE: Piece = &[11, 12, 13, 16, 17, 18];
    const FAR_CORNER: Piece = &[14, 19, 21, 22, 23, 24];

    pub(super) const FIRST: [Piece; 4] = [CORNER_A, RIGHT_A, LOW_RIGHT, LOW_LEFT];

    #[rustfmt::skip]
    pub(super) const PATTERNS: [Piece; 28] = [
        CORNER_A, RIGHT_A, LOW_RIGHT, LOW_LEFT,
        CORNER_B, RIGHT_B, LOW_RIGHT, LOW_LEFT,
        CORNER_A, RIGHT_A, LOW_UPPER, LOW_LOWER,
        CORNER_B, RIGHT_B, LOW_UPPER, LOW_LOWER,
        EDGE, RIGHT_A, COLUMNS, LOW_RIGHT,
        CORNER_B, HOOK, STAIR, LOW_LEFT,
        EDGE, RIGHT_A, CENTRE, FAR_CORNER,
    ];
}

/// The partition with this name for boards of these sides.
pub fn tables(name: &str, rows: usize, columns: usize) -> Option<&'static Tables> {
    TABLES.iter().find(|t| t.name == name && t.rows == rows && t.columns == columns)
}

/// The progress of building a partition.
#[derive(Clone, Copy, Debug)]
pub struct Building {
    /// The current pattern, from 1.
    pub pattern: usize,
    /// The number of patterns.
    pub patterns: usize,
    /// The progress of that pattern.
    pub progress: Progress,
}

/// A folder of cached tables.
#[derive(Clone, Copy, Debug)]
pub struct Cache<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// May tables be written to it?
    pub write: bool,
}

/// The files of a partition in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cached {
    /// The number of its files there.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
}

impl Tables {
    /// Its patterns, partition after partition.
    pub fn all_patterns(&self) -> Vec<Pattern> {
        let pattern = |tiles: &&[usize]| Pattern {
            rows: self.rows,
            columns: self.columns,
            tiles: tiles.to_vec(),
            aware: self.aware,
        };
        self.patterns.iter().map(pattern).collect()
    }

    /// Its distinct patterns, one file each.
    pub fn patterns(&self) -> Vec<Pattern> {
        let mut patterns: Vec<Pattern> = Vec::new();
        for pattern in self.all_patterns() {
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
        patterns
    }

    /// The databases in the order of the partitions, given those of [`Tables::patterns`].
    fn arrange(&self, databases: &[Arc<Database>]) -> Vec<Arc<Database>> {
        let find = |tiles: &&[usize]| databases.iter().find(|d| d.tiles() == *tiles).cloned();
        self.patterns.iter().filter_map(find).collect()
    }

    /// Loads the tables in the cache, builds the rest and writes it there if allowed. Without a cache all are built and none
    /// stored. All tables together have the time and the memory of the budget. An unwritable folder is no failure: the tables
    /// are returned, and `unkept` gets the error.
    pub fn get(
        &self,
        cache: Option<Cache<'_>>,
        threads: usize,
        budget: &Budget,
        progress: &mut dyn FnMut(Building),
        unkept: &mut dyn FnMut(TableError),
    ) -> Result<Vec<Arc<Database>>, TableError> {
        let mut meter = Meter::new(budget);
        let mut numberings = Numberings::default();
        let patterns = self.patterns();
        let mut databases = Vec::new();
        for (i, pattern) in patterns.iter().enumerate() {
            meter.look()?;
            let places = numberings.get(pattern, &mut meter)?.ok_or(TableError::Unsupported)?;
            let loaded = cache.map(|cache| Database::load(pattern, &places, cache, &mut meter));
            if let Some(loaded) = loaded.transpose()?.flatten() {
                databases.push(Arc::new(loaded));
                continue;
            }
            let mut report = |progress_| {
                progress(Building { pattern: i + 1, patterns: patterns.len(), progress: progress_ });
            };
            let built = Database::build(pattern, &places, threads, &meter.rest(budget), &mut report)?;
            meter.ledger.claim(built.data().len()).map_err(Limit::from)?;
            let kept = cache.filter(|cache| cache.write).map(|cache| built.save(cache.folder));
            if let Some(Err(error)) = kept {
                unkept(error);
            }
            databases.push(Arc::new(built));
        }
        Ok(self.arrange(&databases))
    }

    /// Bytes of its compact tables: two entries per byte, and about one entry per placement.
    pub fn bytes(&self) -> usize {
        let squares = self.rows * self.columns;
        let placements = |p: &Pattern| (0..p.tiles.len()).map(|tile| squares - tile).product::<usize>();
        self.patterns().iter().map(placements).sum::<usize>() / 2
    }

    /// Are all its tables in the folder, so that none need be built?
    pub fn is_cached(&self, folder: &Path) -> bool {
        spread_file::path(self, folder).is_file() || self.cached(folder).files == self.patterns().len()
    }

    /// Its files in the folder. The sparse form counts only as bytes.
    pub fn cached(&self, folder: &Path) -> Cached {
        let bytes = |path: PathBuf| fs::metadata(path).map_or(0, |file| file.len());
        let spread = bytes(spread_file::path(self, folder));
        let sizes = self.patterns().into_iter().map(|p| bytes(folder.join(p.file_name())));
        sizes.filter(|&bytes| bytes > 0).fold(Cached { files: 0, bytes: spread }, |c, bytes| Cached {
            files: c.files + 1,
            bytes: c.bytes + bytes,
        })
    }

    /// Deletes its files; returns what there was.
    pub fn delete(&self, folder: &Path) -> Result<Cached, TableError> {
        let there = self.cached(folder);
        let tables = self.patterns().into_iter().map(|pattern| folder.join(pattern.file_name()));
        for path in tables.chain([spread_file::path(self, folder)]) {
            for path in [trust::beside(&path), path] {
                if path.is_file() {
                    fs::remove_file(path)?;
                }
            }
        }
        Ok(there)
    }
}

/// Numberings that several patterns share.
#[derive(Default)]
struct Numberings(Vec<Arc<Places>>);

impl Numberings {
    fn get(&mut self, pattern: &Pattern, meter: &mut Meter) -> Result<Option<Arc<Places>>, Limit> {
        let fits = |p: &&Arc<Places>| {
            (p.rows, p.columns, p.tiles) == (pattern.rows, pattern.columns, pattern.tiles.len())
        };
        if let Some(known) = self.0.iter().find(fits) {
            return Ok(Some(Arc::clone(known)));
        }
        let fresh = Places::within(pattern.rows, pattern.columns, pattern.tiles.len(), meter)?.map(Arc::new);
        self.0.extend(fresh.clone());
        Ok(fresh)
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;
    use std::time::Duration;

    use super::*;

    #[test]
    fn all_tables_of_a_set_share_one_limit_of_time() {
        let set = tables("4-4", 3, 3).unwrap();
        let time = Duration::from_millis(50);
        let budget = Budget { time: Some(time), ..Budget::default() };
        // Whatever the first table took, nothing is left for the second.
        let mut slow = |building: Building| {
            if building.pattern == 1 {
                sleep(time);
            }
        };
        let got = set.get(None, 1, &budget, &mut slow, &mut |_| {});
        assert!(matches!(got, Err(TableError::Stopped(Limit::Time))), "{:?}", got.map(|g| g.len()));
    }
}
