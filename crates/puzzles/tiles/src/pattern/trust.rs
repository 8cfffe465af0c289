//! Records which files of the cache were verified.
//!
//! The checksum of a large table takes longer than a search with it. So a verified file is not read through again while its
//! length and modification time stay the same. A small file beside it records that; without it the file is verified again.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A file that was modified less than this ago could change again within the same tick of its clock, so it is not recorded yet.
const SETTLED: Duration = Duration::from_secs(2);

/// The name of the record beside a file.
pub(super) fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".checked");
    name.into()
}

/// Is the file intact? `check` reads it through, and is called only if there is no valid record. The result is recorded beside
/// the file, if allowed.
pub(super) fn is_whole<E>(
    path: &Path,
    write: bool,
    check: impl FnOnce() -> Result<bool, E>,
) -> Result<bool, E> {
    let now = fs::metadata(path).ok().and_then(|file| state(&file));
    let known = fs::read_to_string(beside(path)).ok();
    if now.is_some() && now == known {
        return Ok(true);
    }
    let whole = check()?;
    if let Some(state) = now.filter(|_| whole && write) {
        // An unwritable folder costs another verification the next time, and nothing else.
        let _ = fs::write(beside(path), state);
    }
    Ok(whole)
}

/// Length and modification time of a file that was not modified just now.
fn state(file: &Metadata) -> Option<String> {
    let changed = file.modified().ok()?;
    let settled = SystemTime::now().duration_since(changed).is_ok_and(|age| age >= SETTLED);
    let since = changed.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    settled.then(|| format!("{} {}", file.len(), since.as_nanos()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_through_once_until_it_changes() {
        let path = std::env::temp_dir().join(format!("beeline-trust-{}", std::process::id()));
        let looked = |whole: bool| {
            let mut looked = false;
            let answer: Result<bool, ()> = is_whole(&path, true, || {
                looked = true;
                Ok(whole)
            });
            assert_eq!(answer, Ok(whole));
            looked
        };
        fs::write(&path, "table").unwrap();
        assert!(looked(true) && looked(true), "a fresh file is looked at again");
        let file = fs::File::options().write(true).open(&path).unwrap();
        let age = |seconds| file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
        age(100);
        assert!(looked(false), "a damaged file is never trusted");
        assert!(looked(true));
        assert!(!looked(true));
        age(50);
        assert!(looked(true) && !looked(true));
        fs::remove_file(beside(&path)).unwrap();
        fs::remove_file(&path).unwrap();
    }
}
