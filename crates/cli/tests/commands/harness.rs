//! Runs commands inside the test, and compares what they print with golden files.

use std::io::Cursor;
use std::path::PathBuf;

use beeline_cli::commands::{Io, Screen, World, run};
use beeline_search::Cancel;

use crate::toy;

/// The result of a command.
pub(crate) struct Done {
    pub(crate) code: u8,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The configuration of a run.
pub(crate) struct Runner {
    pub(crate) input: Vec<u8>,
    pub(crate) screen: Screen,
    pub(crate) world: World,
    pub(crate) cancel: Cancel,
}

impl Default for Runner {
    fn default() -> Self {
        Self { input: Vec::new(), screen: Screen::plain(80), world: toy::WORLD, cancel: Cancel::default() }
    }
}

impl Runner {
    pub(crate) fn run(&self, args: &[&str]) -> Done {
        let (mut out, mut err, mut input) = (Vec::new(), Vec::new(), Cursor::new(self.input.clone()));
        let mut io = Io { out: &mut out, err: &mut err, input: &mut input, screen: self.screen };
        let words = std::iter::once("beeline").chain(args.iter().copied()).map(Into::into);
        let code = run(words, &mut io, self.world, &self.cancel).code();
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        Done { code, out: text(out), err: text(err) }
    }
}

/// Runs a command with the toy puzzles.
pub(crate) fn beeline(args: &[&str]) -> Done {
    Runner::default().run(args)
}

/// Runs a command with this standard input.
pub(crate) fn piped(args: &[&str], input: &[u8]) -> Done {
    Runner { input: input.to_vec(), ..Runner::default() }.run(args)
}

/// Compares a command line and all its results with a golden file; `BEELINE_BLESS=1` rewrites it.
pub(crate) fn golden(name: &str, args: &[&str], done: &Done) {
    let mut text = format!("$ beeline {}\n{}", args.join(" "), done.out);
    if !done.err.is_empty() {
        text += &format!("--- stderr\n{}", done.err);
    }
    text += &format!("--- exit {}\n", done.code);
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/commands/golden").join(name);
    if std::env::var_os("BEELINE_BLESS").is_some() {
        std::fs::write(&path, &text).expect("the golden folder can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "{name} is different now. It was:\n{kept}\nIt is:\n{text}");
}

/// A folder for one test, removed afterwards.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("beeline-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    /// Writes a file into it and returns its path.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).expect("a file for the test");
        path.to_str().expect("a plain path").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Files that remain in a temporary folder do no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
