//! A pattern database in memory and as a file in the user's cache folder.
//!
//! A file begins with a header (version, board, tiles) and a checksum of the rest. A file whose header or checksum is wrong is
//! rebuilt and replaced by an atomic rename, so no other program ever sees a partial one.

use std::convert::Infallible;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use beeline_search::{Budget, Limit, Meter, atomic_file};

use super::build::{Progress, build};
use super::mapped::{Bytes, map};
use super::places::{Places, Squares};
use super::tables::Cache;
use super::trust;

/// Format version. Increased when entries or their order change.
const VERSION: u32 = 1;
const MAGIC: &[u8; 8] = b"BEELINE\n";
const HEADER: usize = 64;
/// Bytes of a file that are checksummed between two looks at the clock; a disk may take milliseconds for them.
const PART: usize = 1 << 18;

/// A pattern: some tiles of a board whose goal has the blank first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
    /// The tiles, ascending.
    pub tiles: Vec<usize>,
    /// Does each region of the blank have its own entry?
    pub aware: bool,
}

impl Pattern {
    /// The name of its file.
    pub fn file_name(&self) -> String {
        let tiles: Vec<String> = self.tiles.iter().map(ToString::to_string).collect();
        let aware = if self.aware { "-regions" } else { "" };
        format!("tiles-{}x{}-{}{aware}.v{VERSION}", self.rows, self.columns, tiles.join("."))
    }

    fn header(&self, entries: usize, checksum: u64) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(MAGIC);
        header[8..12].copy_from_slice(&VERSION.to_le_bytes());
        header[12..16].copy_from_slice(&[
            self.rows as u8,
            self.columns as u8,
            self.tiles.len() as u8,
            self.aware.into(),
        ]);
        for (place, &tile) in header[16..24].iter_mut().zip(&self.tiles) {
            *place = tile as u8;
        }
        header[24..32].copy_from_slice(&(entries as u64).to_le_bytes());
        header[32..40].copy_from_slice(&checksum.to_le_bytes());
        header
    }
}

/// A database ready for look-ups.
#[derive(Debug)]
pub struct Database {
    pattern: Pattern,
    places: Arc<Places>,
    data: Bytes,
}

/// Why a database is not available.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// This pattern has no numbering.
    #[error("there are no tables for this board")]
    Unsupported,
    /// A limit ended the building.
    #[error("a limit ended the building of a table: {}", .0.name())]
    Stopped(Limit),
    /// The cache folder could not be used.
    #[error("the table cache could not be used: {0}")]
    Io(#[from] io::Error),
}

impl From<Limit> for TableError {
    fn from(limit: Limit) -> Self {
        Self::Stopped(limit)
    }
}

impl Database {
    /// Builds the database in memory.
    pub fn build(
        pattern: &Pattern,
        places: &Arc<Places>,
        threads: usize,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Self, TableError> {
        let built = build(places, &pattern.tiles, pattern.aware, threads, budget, progress)?;
        Ok(Self { pattern: pattern.clone(), places: Arc::clone(places), data: Bytes::owned(built.nibbles) })
    }

    /// Loads it from the folder, within the limits of a meter; `None` if there is no valid file. A file that was read through
    /// is in memory, so its bytes are claimed.
    pub fn load(
        pattern: &Pattern,
        places: &Arc<Places>,
        cache: Cache<'_>,
        meter: &mut Meter,
    ) -> Result<Option<Self>, Limit> {
        let Some((data, checksum)) = Self::map(pattern, places, cache.folder) else { return Ok(None) };
        meter.ledger.claim(data.len())?;
        let sum = || digest(&data, &mut |units| meter.work(units)).map(|sum| sum == checksum);
        if !trust::is_whole(&cache.folder.join(pattern.file_name()), cache.write, sum)? {
            meter.ledger.release(data.len());
            return Ok(None);
        }
        Ok(Some(Self { pattern: pattern.clone(), places: Arc::clone(places), data }))
    }

    /// The entries of a file with a correct header and length, and their expected checksum.
    fn map(pattern: &Pattern, places: &Places, folder: &Path) -> Option<(Bytes, u64)> {
        let mut file = fs::File::open(folder.join(pattern.file_name())).ok()?;
        let mut header = [0; HEADER];
        file.read_exact(&mut header).ok()?;
        let checksum = u64::from_le_bytes(header[32..40].try_into().ok()?);
        let entries = entries(pattern, places);
        if header != pattern.header(entries, checksum) {
            return None;
        }
        let data = Bytes::Mapped(map(&file, HEADER, entries.div_ceil(2)).ok()?);
        let whole = file.metadata().ok()?.len() == (HEADER + data.len()) as u64;
        whole.then_some((data, checksum))
    }

    /// Writes it to the folder.
    pub fn save(&self, folder: &Path) -> Result<(), TableError> {
        fs::create_dir_all(folder)?;
        atomic_file::put(&folder.join(self.pattern.file_name()), |mut file| {
            let Ok(checksum) = digest::<Infallible>(&self.data, &mut |_| Ok(()));
            file.write_all(&self.pattern.header(entries(&self.pattern, &self.places), checksum))?;
            file.write_all(&self.data)?;
            file.sync_all()
        })?;
        Ok(())
    }

    /// Its numbering.
    pub fn numbering(&self) -> &Arc<Places> {
        &self.places
    }

    /// Its entries, two per byte.
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// The index of the block of entries for a shape and one of its regions.
    pub fn block(&self, shape: usize, region: usize) -> usize {
        if self.pattern.aware { self.places.regions_of(shape).before as usize + region } else { shape }
    }

    /// Its pattern.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Its tiles.
    pub fn tiles(&self) -> &[usize] {
        &self.pattern.tiles
    }

    /// Does each region of the blank have its own entry?
    pub fn aware(&self) -> bool {
        self.pattern.aware
    }

    /// The index of the entry for this shape, arrangement and blank square.
    #[inline(always)]
    pub fn entry(&self, squares: Squares, arrangement: usize, blank: usize) -> usize {
        let shape = self.places.shape(squares);
        let block = if self.pattern.aware {
            let regions = self.places.regions_of(shape);
            (regions.before + regions.of(blank)) as usize
        } else {
            shape
        };
        block * self.places.arrangements + arrangement
    }

    /// An entry: moves beyond the Manhattan distance, in pairs.
    #[inline(always)]
    pub fn extra(&self, entry: usize) -> u8 {
        self.data.get(entry / 2).map_or(0, |byte| byte >> (4 * (entry % 2)) & 15)
    }
}

/// The number of entries in the database of a pattern.
fn entries(pattern: &Pattern, places: &Places) -> usize {
    if pattern.aware { places.regions() * places.arrangements } else { places.placements() }
}

/// A 64-bit checksum in four lanes, as fast as memory. It detects accidental damage, not forgery. Calls `work` before each part
/// with its cost in units of [`Meter::work`].
pub(super) fn digest<E>(data: &[u8], work: &mut dyn FnMut(u64) -> Result<(), E>) -> Result<u64, E> {
    const PRIMES: [u64; 4] =
        [0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x27D4_EB2F_1656_67C5];
    let mut lanes = PRIMES;
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    for part in data.chunks(PART) {
        work(part.len() as u64)?;
        for block in part.chunks(32) {
            for (lane, (bytes, prime)) in lanes.iter_mut().zip(block.chunks(8).zip(PRIMES)) {
                *lane = (*lane ^ word(bytes)).wrapping_mul(prime).rotate_left(29);
            }
        }
    }
    let sum = |sum: u64, lane: u64| (sum ^ lane).wrapping_mul(PRIMES[0]).rotate_left(31);
    Ok(lanes.into_iter().fold(data.len() as u64, sum))
}

/// The folder for tables: `BEELINE_CACHE`, or `beeline` in the user's cache folder. `None` without the feature `files`.
pub fn cache_folder() -> Option<PathBuf> {
    if !cfg!(feature = "files") {
        return None;
    }
    let from = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    from("BEELINE_CACHE")
        .or_else(|| from("XDG_CACHE_HOME").or_else(|| from("LOCALAPPDATA")).map(|f| f.join("beeline")))
        .or_else(|| from("HOME").map(|home| home.join(".cache").join("beeline")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_file_is_not_trusted() {
        let folder = std::env::temp_dir().join(format!("beeline-tables-{}", std::process::id()));
        let pattern = Pattern { rows: 3, columns: 3, tiles: vec![1, 2, 3, 4], aware: true };
        let places = Arc::new(Places::new(3, 3, 4).unwrap());
        let cache = Cache { folder: &folder, write: true };
        let load = |pattern: &Pattern| {
            Database::load(pattern, &places, cache, &mut Meter::new(&Budget::default())).unwrap()
        };
        assert!(load(&pattern).is_none());
        let built = Database::build(&pattern, &places, 1, &Budget::default(), &mut |_| {}).unwrap();
        built.save(&folder).unwrap();
        let loaded = load(&pattern).unwrap();
        assert_eq!(loaded.data(), built.data());
        drop(loaded);
        // A file that exceeds the memory or time limit must not cause a rebuild.
        let less = |bytes, time| Meter::new(&Budget { bytes, time, ..Budget::default() });
        let tight = Database::load(&pattern, &places, cache, &mut less(Some(100), None));
        assert_eq!(tight.err(), Some(Limit::Memory));
        let path = folder.join(pattern.file_name());
        let good = fs::read(&path).unwrap();
        for damage in [0, 9, 17, 40, HEADER, good.len() - 1] {
            let mut bad = good.clone();
            bad[damage] ^= 1;
            fs::write(&path, &bad).unwrap();
            let read = load(&pattern);
            // The bytes after the checksum are reserved and must be zero as well.
            assert!(read.is_none(), "byte {damage}");
        }
        for length in [0, 10, HEADER, good.len() - 1] {
            fs::write(&path, &good[..length]).unwrap();
            assert!(load(&pattern).is_none(), "length {length}");
        }
        let other = Pattern { tiles: vec![1, 2, 3, 5], ..pattern.clone() };
        fs::write(folder.join(other.file_name()), &good).unwrap();
        assert!(load(&other).is_none());
        fs::remove_dir_all(&folder).unwrap();
    }
}
