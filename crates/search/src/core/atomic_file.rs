//! Files that are there as a whole or not at all, whatever happens while they are written.
//!
//! A file is written under a name of its own in the same folder, brought to the disk and renamed. That name is random and is
//! taken only if nothing has it, so no file of the user's is ever opened or removed for it. A process that is killed
//! meanwhile leaves its unfinished file behind; nothing reads it, and it may be removed.

use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many [`Transfer`]s there are.
static TRANSFERS: AtomicUsize = AtomicUsize::new(0);

/// A large file is read or written as long as one of these lives. That takes as long as the disk does, and no limit of a
/// search covers it.
#[derive(Debug)]
pub struct Transfer(());

impl Transfer {
    /// The file is opened.
    pub fn begin() -> Self {
        TRANSFERS.fetch_add(1, Ordering::Relaxed);
        Self(())
    }

    /// Is one under way in this process?
    pub fn is_under_way() -> bool {
        TRANSFERS.load(Ordering::Relaxed) > 0
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        TRANSFERS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Names that are tried before giving up. One is enough unless the folder is full of unfinished files.
const TRIES: usize = 16;

/// An unfinished file, removed when it is dropped.
struct Aside {
    path: PathBuf,
    /// Is there something to remove?
    there: bool,
}

impl Aside {
    /// A new file beside `path`.
    fn create(path: &Path) -> io::Result<(Self, File)> {
        let mut tried = 0;
        loop {
            // Every `RandomState` has keys of its own, from the system's random source.
            let number = RandomState::new().build_hasher().finish();
            let mut name: OsString = path.as_os_str().to_owned();
            name.push(format!(".{number:016x}.new"));
            let aside = PathBuf::from(name);
            match File::create_new(&aside) {
                Ok(file) => return Ok((Self { path: aside, there: true }, file)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tried < TRIES => tried += 1,
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if self.there {
            // What is half written is of no use; if it cannot be removed either, the first error is the one to tell.
            drop(fs::remove_file(&self.path));
        }
    }
}

/// Can the file be written where it is to be?
pub fn try_out(path: &Path) -> io::Result<()> {
    Aside::create(path).map(drop)
}

/// Writes a file under another name, which `write` has to sync, and then gives it its own.
pub fn put(path: &Path, write: impl FnOnce(File) -> io::Result<()>) -> io::Result<()> {
    let _transfer = Transfer::begin();
    let (mut aside, file) = Aside::create(path)?;
    write(file)?;
    fs::rename(&aside.path, path)?;
    aside.there = false;
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

        /// The names in it and what they hold.
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
