//! The folder in which a search keeps its layers: made by it, and gone with it.

use std::path::{Path, PathBuf};

use super::Fault;

/// The folder of one search. Only files that the search made are ever removed.
pub(super) struct Folder {
    path: PathBuf,
    /// Leave everything for a search that goes on.
    pub(super) keep: bool,
}

impl Folder {
    /// A new folder, or an empty one.
    pub(super) fn create(path: &Path) -> Result<Self, Fault> {
        let fault = |error| Fault::Disk(format!("cannot work in '{}': {error}", path.display()));
        std::fs::create_dir_all(path).map_err(fault)?;
        if std::fs::read_dir(path).map_err(fault)?.next().is_some() {
            let why = "there are files in it, perhaps of a search that was killed; remove them or choose another folder";
            return Err(Fault::Disk(format!("cannot work in '{}': {why}", path.display())));
        }
        Ok(Self { path: path.to_owned(), keep: false })
    }

    /// The folder of a search that goes on; what that search had begun and not ended is removed.
    pub(super) fn reopen(path: &Path, layers: usize) -> Self {
        let folder = Self { path: path.to_owned(), keep: true };
        folder.remove(|name| match name.strip_prefix("layer-").map(str::parse::<usize>) {
            Some(Ok(depth)) => depth >= layers,
            _ => name.starts_with("run-"),
        });
        folder
    }

    /// Removes the folder of a search that is over, as far as it is ours.
    pub(super) fn clear(path: &Path) {
        drop(Self { path: path.to_owned(), keep: false });
    }

    pub(super) fn layer(&self, depth: usize) -> PathBuf {
        self.path.join(format!("layer-{depth}"))
    }

    pub(super) fn run(&self, number: usize) -> PathBuf {
        self.path.join(format!("run-{number}"))
    }

    /// Removes files of ours. What cannot be removed stays; the folder then does too, for all to see.
    fn remove(&self, which: impl Fn(&str) -> bool) {
        for entry in std::fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let ours = name.to_str().filter(|name| name.starts_with("layer-") || name.starts_with("run-"));
            if ours.is_some_and(&which) {
                drop(std::fs::remove_file(entry.path()));
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let keep = self.keep;
        self.remove(|name| !keep || name.starts_with("run-"));
        if !keep {
            drop(std::fs::remove_dir(&self.path));
        }
    }
}
