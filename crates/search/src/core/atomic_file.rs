//! Atomic file writes: a reader sees the whole file or none, even after a crash.
//!
//! A file is written under a random name in the same folder, synced and renamed. The random name is created only if it is free,
//! so no file of the user's is ever opened or removed. A killed process leaves its unfinished file behind; nothing reads that
//! file, and it may be removed.

use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of live [`Transfer`]s.
static TRANSFERS: AtomicUsize = AtomicUsize::new(0);

/// Marks that this process reads or writes a large file, until dropped. No limit of a search covers that time: it depends on
/// the disk.
#[derive(Debug)]
pub struct Transfer(());

impl Transfer {
    /// Marks the beginning of a transfer.
    pub fn begin() -> Self {
        TRANSFERS.fetch_add(1, Ordering::Relaxed);
        Self(())
    }

    /// Does a transfer run in this process?
    pub fn is_under_way() -> bool {
        TRANSFERS.load(Ordering::Relaxed) > 0
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        TRANSFERS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Names tried before giving up. One suffices unless the folder is full of unfinished files.
const TRIES: usize = 16;

/// An unfinished file, removed when it is dropped.
struct TempFile {
    path: PathBuf,
    /// Does dropping remove the file?
    remove_on_drop: bool,
}

impl TempFile {
    /// A new file beside `path`.
    fn create(path: &Path) -> io::Result<(Self, File)> {
        let mut tried = 0;
        loop {
            // Every `RandomState` has its own keys from the system's random source.
            let number = RandomState::new().build_hasher().finish();
            let mut name: OsString = path.as_os_str().to_owned();
            name.push(format!(".{number:016x}.new"));
            let temp = PathBuf::from(name);
            match File::create_new(&temp) {
                Ok(file) => return Ok((Self { path: temp, remove_on_drop: true }, file)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tried < TRIES => tried += 1,
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        if self.remove_on_drop {
            // A half-written file is useless. If removing it fails too, the caller reports the first error.
            drop(fs::remove_file(&self.path));
        }
    }
}

/// Checks that a file can be created beside `path`.
pub fn try_out(path: &Path) -> io::Result<()> {
    TempFile::create(path).map(drop)
}

/// Writes a file under a temporary name, which `write` must sync, then renames it to `path`.
pub fn put(path: &Path, write: impl FnOnce(File) -> io::Result<()>) -> io::Result<()> {
    let _transfer = Transfer::begin();
    let (mut temp, file) = TempFile::create(path)?;
    write(file)?;
    fs::rename(&temp.path, path)?;
    temp.remove_on_drop = false;
    sync_folder(path)
}

/// Syncs the folder: only then is a rename durable.
fn sync_folder(path: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("beeline-whole-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        /// The names and contents of its files.
        fn files(&self) -> Vec<(String, String)> {
            let entries = fs::read_dir(&self.0).unwrap().map(Result::unwrap);
            let mut files: Vec<_> = entries
                .map(|e| (e.file_name().into_string().unwrap(), fs::read_to_string(e.path()).unwrap()))
                .collect();
            files.sort();
            files
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            drop(fs::remove_dir_all(&self.0));
        }
    }

    #[test]
    fn files_of_the_user_stay_whatever_happens() {
        let folder = Folder::new("user");
        let theirs = ["z.new", "z.tmp", "z.1", "z~", ".z", "z.0000000000000000.new"];
        for name in theirs {
            fs::write(folder.0.join(name), name).unwrap();
        }
        let path = folder.0.join("z");
        let before = folder.files();
        try_out(&path).unwrap();
        assert_eq!(folder.files(), before, "a trial leaves nothing behind");
        let failed = put(&path, |mut file| {
            file.write_all(b"half")?;
            Err(io::Error::other("the disk is full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
        assert_eq!(folder.files(), before, "a failure leaves nothing behind");
        let panicked = std::panic::catch_unwind(|| put(&path, |_| panic!("in the middle")));
        assert!(panicked.is_err());
        assert_eq!(folder.files(), before, "a panic leaves nothing behind");
        for text in ["first", "second"] {
            put(&path, |mut file| {
                assert!(Transfer::is_under_way());
                file.write_all(text.as_bytes()).and_then(|()| file.sync_all())
            })
            .unwrap();
            let mut after = before.clone();
            after.push(("z".into(), text.into()));
            after.sort();
            assert_eq!(folder.files(), after);
        }
    }

    #[test]
    fn several_writers_do_not_meet() {
        let folder = Folder::new("several");
        let path = folder.0.join("z");
        std::thread::scope(|scope| {
            for text in ["aaaa", "bbbb"] {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..20 {
                        put(path, |mut file| text.bytes().try_for_each(|b| file.write_all(&[b]))).unwrap();
                    }
                });
            }
        });
        let files = folder.files();
        assert!(
            matches!(&files[..], [(name, text)] if name == "z" && (text == "aaaa" || text == "bbbb")),
            "{files:?}"
        );
    }
}
