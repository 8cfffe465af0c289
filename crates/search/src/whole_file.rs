//! Files that are there as a whole or not at all, whatever happens while they are written.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Where a file is written before it gets its name.
pub(crate) fn aside(path: &Path) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(".new");
    name.into()
}

/// Writes a file aside, which `write` has to sync, and then gives it its name.
pub(crate) fn put(path: &Path, write: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let aside = aside(path);
    if let Err(error) = write(&aside).and_then(|()| fs::rename(&aside, path)) {
        // What is half written is of no use; if it cannot be removed either, the first error is the one to tell.
        drop(fs::remove_file(&aside));
        return Err(error);
    }
    sync_folder(path)
}

/// Renaming is safe on the disk only when the folder is.
fn sync_folder(path: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}
