//! Sets of tables ready for a search, shared by all searches of a process.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use beeline_search::clock::Instant;
use beeline_search::strategies::{Settings, TableCache};
use beeline_search::{Budget, Meter};

use super::Patterns;
use super::database::{TableError, cache_folder};
use super::spread_file;
use super::tables::{Building, Cache, Tables};
use crate::board::Step;
use crate::move_fsm::MoveFsm;

/// Most steps of the strings in the move FSM: as many as pay.
const STRING_LENGTH: usize = 12;
/// Most bytes of a sparse set that is stored in the cache: one partition of the 24-puzzle.
const MOST_KEPT: usize = 1 << 30;

/// A ready set, and the reference that keeps it.
struct Ready {
    set: &'static Tables,
    patterns: Weak<Patterns>,
    /// Held until the process ends, if tables are kept.
    _kept: Option<Arc<Patterns>>,
}

static READY: Mutex<Vec<Ready>> = Mutex::new(Vec::new());

/// The set, if a search of this process has it and its size is within the budget.
fn ready(set: &'static Tables, budget: &Budget) -> Option<Arc<Patterns>> {
    let all = READY.lock().unwrap_or_else(PoisonError::into_inner);
    let known = all.iter().find(|ready| std::ptr::eq(ready.set, set))?.patterns.upgrade()?;
    budget.bytes.is_none_or(|room| known.bytes() <= room).then_some(known)
}

/// Is the set available without building it: from this process, or from the cache?
pub fn is_available(set: &'static Tables, settings: &Settings, budget: &Budget) -> bool {
    ready(set, budget).is_some()
        || settings.tables != TableCache::Ignore && cache_folder().is_some_and(|f| set.is_cached(&f))
}

/// Fetches a set of tables: from this process, from the cache folder, or built. If the settings say so, a built set is stored
/// in the folder. Calls `report` at intervals with the progress of building.
pub fn fetch(
    set: &'static Tables,
    settings: &Settings,
    budget: &Budget,
    report: &mut dyn FnMut(Building),
) -> Result<Arc<Patterns>, TableError> {
    if let Some(known) = ready(set, budget) {
        return Ok(known);
    }
    let folder = cache_folder().filter(|_| settings.tables != TableCache::Ignore);
    let patterns = Arc::new(fetch_from(folder.as_deref(), set, settings, budget, report)?);
    let mut all = READY.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain(|ready| ready.patterns.strong_count() > 0 && !std::ptr::eq(ready.set, set));
    let kept = (settings.tables != TableCache::Read).then(|| Arc::clone(&patterns));
    all.push(Ready { set, patterns: Arc::downgrade(&patterns), _kept: kept });
    Ok(patterns)
}

/// As [`fetch`], with this cache folder and without the process's sets.
fn fetch_from(
    folder: Option<&Path>,
    set: &Tables,
    settings: &Settings,
    budget: &Budget,
    report: &mut dyn FnMut(Building),
) -> Result<Patterns, TableError> {
    let started = Instant::now();
    let mut meter = Meter::new(budget);
    let write = settings.tables == TableCache::Keep;
    let cache = folder.map(|folder| Cache { folder, write });
    if let Some(cache) = cache
        && let Some((direct, machine)) = spread_file::load(set, cache, &mut meter)?
        && let Some(patterns) = Patterns::spread(set, direct, machine, Step::ALL)
    {
        return Ok(patterns);
    }
    // An unwritable cache costs time at the next start and nothing else.
    let mut unkept = |_| {};
    // The move FSM first: building it takes more memory than it keeps.
    let machine = MoveFsm::within(set.rows, set.columns, STRING_LENGTH, Step::ALL, &mut meter)?;
    let left = meter.rest(budget);
    let databases = set.get(cache, settings.threads.max(1), &left, report, &mut unkept)?;
    let patterns = Patterns::new(&databases, &budget.after(started.elapsed(), 0), machine, Step::ALL)?;
    if let (Some(folder), Some(data)) = (folder.filter(|_| write), patterns.spread_data())
        && data.len() <= MOST_KEPT
    {
        spread_file::save(set, patterns.machine(), data, folder).unwrap_or_else(|error| unkept(error.into()));
    }
    Ok(patterns)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::tables::tables;
    use super::*;

    /// The files of a folder by name, with their modification times; none if the folder is missing.
    fn files(folder: &Path) -> Vec<(std::ffi::OsString, std::time::SystemTime)> {
        let entries = fs::read_dir(folder).into_iter().flatten();
        let file = |e: std::io::Result<fs::DirEntry>| {
            let entry = e.unwrap();
            (entry.file_name(), entry.metadata().unwrap().modified().unwrap())
        };
        let mut files: Vec<_> = entries.map(file).collect();
        files.sort();
        files
    }

    #[test]
    fn tables_are_written_only_where_the_settings_say_so_and_read_in_either_case() {
        let folder = std::env::temp_dir().join(format!("beeline-kept-{}", std::process::id()));
        let set = tables("4-4", 3, 3).unwrap();
        let spread = spread_file::path(set, &folder);
        let board = [8, 7, 6, 5, 4, 3, 2, 1, 0];
        let fresh = fetch_from(None, set, &Settings::default(), &Budget::default(), &mut |_| {}).unwrap();
        let fetch = |cache| {
            let settings = Settings { tables: cache, ..Settings::default() };
            let mut built = false;
            let got = fetch_from(Some(&folder), set, &settings, &Budget::default(), &mut |_| built = true);
            assert_eq!(got.unwrap().estimate(&board), fresh.estimate(&board));
            built
        };
        assert!(fetch(TableCache::Read));
        assert!(!folder.exists(), "nothing is written, not even the folder");
        assert!(fetch(TableCache::Keep));
        let kept = files(&folder);
        assert_eq!(kept.len(), set.patterns().len() + 1);
        assert!(!fetch(TableCache::Read), "what is there is read");
        assert_eq!(files(&folder), kept);
        // One of the tables is missing: the sparse form suffices.
        let table = folder.join(set.patterns()[0].file_name());
        fs::remove_file(&table).unwrap();
        assert!(!fetch(TableCache::Read));
        // Each kind of damage to the sparse form is detected.
        let good = fs::read(&spread).unwrap();
        for at in [0, 9, 13, 17, 40, 63, 64, good.len() / 2, good.len() - 1] {
            let mut bad = good.clone();
            bad[at] ^= 1;
            fs::write(&spread, &bad).unwrap();
            assert!(fetch(TableCache::Read), "byte {at}");
        }
        for length in [0, 10, 64, good.len() - 1] {
            fs::write(&spread, &good[..length]).unwrap();
            assert!(fetch(TableCache::Read), "length {length}");
        }
        assert!(!table.exists(), "what is missing is not added");
        assert!(fetch(TableCache::Keep) && !fetch(TableCache::Keep));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn searches_of_a_process_share_a_set() {
        let set = tables("5-5-5", 4, 4).unwrap();
        let settings = Settings { tables: TableCache::Read, ..Settings::default() };
        let mut built = 0;
        let mut count = |_| built += 1;
        let first = fetch(set, &settings, &Budget::default(), &mut count).unwrap();
        let second = fetch(set, &settings, &Budget::default(), &mut count).unwrap();
        assert!(Arc::ptr_eq(&first, &second));
        let small = Budget { bytes: Some(1000), ..Budget::default() };
        assert!(ready(set, &small).is_none(), "what is too large for a search is not its own");
        drop((first, second));
        assert!(ready(set, &Budget::default()).is_none(), "what is not to be kept goes with its last search");
        // Without the cache folder, only the process can keep a set.
        let settings = Settings { tables: TableCache::Ignore, ..Settings::default() };
        drop(fetch(set, &settings, &Budget::default(), &mut |_| ()).unwrap());
        assert!(ready(set, &Budget::default()).is_some());
    }
}
