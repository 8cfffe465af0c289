//! Passes the source revision to the program, for the records of the lab, and sets linker options.

use std::path::Path;
use std::process::Command;

/// The sources that the program is built from.
const SOURCES: [&str; 3] = ["crates", "Cargo.toml", "Cargo.lock"];

fn main() {
    println!("cargo::rerun-if-env-changed=BEELINE_REVISION");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", root.join(source).display());
    }
    // Every commit and every checkout adds a line to this file.
    let log = git(&root, &["rev-parse", "--git-path", "logs/HEAD"]).map(|path| root.join(path));
    if let Some(log) = log.filter(|log| log.exists()) {
        println!("cargo::rerun-if-changed={}", log.display());
    }
    let told = std::env::var("BEELINE_REVISION").ok();
    let revision = told.or_else(|| revision(&root)).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=BEELINE_REVISION={revision}");
    link_at_a_fixed_address();
}

/// A position-independent program has 26,000 pointers that the loader relocates at each start, on 100 pages that it
/// then copies. That is a fifth of the time of `beeline --version`. The heap, the stack and the libraries stay
/// randomised.
fn link_at_a_fixed_address() {
    let target = |what| std::env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let dynamic = !target("FEATURE").split(',').any(|feature| feature == "crt-static");
    if target("OS") == "linux" && target("ENV") == "gnu" && dynamic {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

/// The name of the commit, with a mark if the sources differ from it. If the sources were copied into another
/// repository, its commit does not count.
fn revision(root: &Path) -> Option<String> {
    let ours = git(root, &["ls-files", "--error-unmatch", "crates/cli/build.rs"]);
    ours?;
    let commit = git(root, &["describe", "--always", "--abbrev=12"])?;
    let changed =
        git(root, &[&["status", "--porcelain", "--untracked-files=no", "--"][..], &SOURCES].concat())?;
    Some(if changed.is_empty() { commit } else { format!("{commit}-dirty") })
}

/// The output of git, if git is available and succeeds.
fn git(root: &Path, words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).current_dir(root).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
