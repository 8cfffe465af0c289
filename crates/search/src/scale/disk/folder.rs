//! The folder with a search's layers, removed with the search.

use std::path::{Path, PathBuf};

use super::Fault;

/// The folder of one search. It only ever removes files that the search made.
pub(super) struct Folder {
    path: PathBuf,
    /// Keep everything for a search that resumes.
    pub(super) keep: bool,
}

impl Folder {
    /// Creates a folder, or takes an empty one.
    pub(super) fn create(path: &Path) -> Result<Self, Fault> {
        let fault = |error| Fault::Disk(format!("cannot work in '{}': {error}", path.display()));
        std::fs::create_dir_all(path).map_err(fault)?;
        if std::fs::read_dir(path).map_err(fault)?.next().is_some() {
            let why = "there are files in it, perhaps of a search that was killed; remove them or choose another folder";
            return Err(Fault::Disk(format!("cannot work in '{}': {why}", path.display())));
        }
        Ok(Self { path: path.to_owned(), keep: false })
    }

    /// Reopens the folder for a search that resumes, and removes unfinished files.
    pub(super) fn reopen(path: &Path, layers: usize) -> Self {
        let folder = Self { path: path.to_owned(), keep: true };
        folder.remove(|name| match name.strip_prefix("layer-").map(str::parse::<usize>) {
            Some(Ok(depth)) => depth >= layers,
            _ => name.starts_with("run-"),
        });
        folder
    }

    /// Removes the folder of a finished search, but only our files in it.
    pub(super) fn clear(path: &Path) {
        drop(Self { path: path.to_owned(), keep: false });
    }

    pub(super) fn layer(&self, depth: usize) -> PathBuf {
        self.path.join(format!("layer-{depth}"))
    }

    pub(super) fn run(&self, number: usize) -> PathBuf {
        self.path.join(format!("run-{number}"))
    }

    /// Removes our files. A file that cannot be removed stays, and so does the folder.
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
