//! Builds the release packages: an archive with programs, manual pages, completions and licences, and a Debian package of the
//! same files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::prove::Found;
use crate::step::{cargo, has, root, show, target};

/// The programs. One package builds all of them.
pub(crate) const PROGRAMS: [&str; 6] = ["beeline", "15puzzle", "flow", "gate", "hw1", "sokoban"];
/// Shells with a completion script, and the folder where Debian looks for it.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "usr/share/bash-completion/completions/beeline"),
    ("zsh", "usr/share/zsh/vendor-completions/_beeline"),
    ("fish", "usr/share/fish/vendor_completions.d/beeline.fish"),
];
const PAGES: [&str; 5] = ["README.md", "CHANGELOG.md", "LICENSE", "LICENSE-MIT", "LICENSE-APACHE"];

/// `cargo xtask dist`: writes everything into `target/dist`.
pub(crate) fn run() -> Result<(), String> {
    show("build", cargo().args(["build", "--release", "--package", "beeline-cli", "--bins"]))?;
    let (bin, dist) = (target().join("release"), target().join("dist"));
    if dist.exists() {
        fs::remove_dir_all(&dist).map_err(|e| format!("cannot remove {}: {e}", dist.display()))?;
    }
    let said = output(&bin, &["--version"])?;
    let version = String::from_utf8_lossy(&said).split_whitespace().last().unwrap_or_default().to_owned();
    let name = format!("beeline-{version}-{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let tree = dist.join(&name);
    fill(&bin, &tree, ["bin", "man", "doc"])?;
    for (shell, _) in SHELLS {
        write(&tree.join("completions").join(shell), &output(&bin, &["completions", shell])?)?;
    }
    let archive = dist.join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    // A fixed owner and file order make the archive reproducible.
    tar.args([
        "--create",
        "--gzip",
        "--sort=name",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        "--mtime=@0",
    ]);
    show("archive", tar.arg("--file").arg(&archive).arg("--directory").arg(&dist).arg(&name))?;
    println!("{}", archive.display());
    if has("dpkg-deb") {
        println!("{}", debian(&bin, &dist, &version)?.display());
    } else {
        eprintln!("no Debian package was made: `dpkg-deb` is not here");
    }
    Ok(())
}

/// Builds the package, installs it into a folder, runs the installed programs, and removes it again.
pub(crate) fn prove() -> Found {
    match install_and_remove() {
        Ok(Some(shows)) => Found::Passed(shows),
        Ok(None) => Found::NotHere("dpkg is not here".to_owned()),
        Err(why) => Found::Failed(why),
    }
}

fn install_and_remove() -> Result<Option<String>, String> {
    if !has("dpkg-deb") {
        return Ok(None);
    }
    run()?;
    let packages = fs::read_dir(target().join("dist")).map_err(|e| e.to_string())?;
    let package = packages
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .find(|p| p.extension().is_some_and(|e| e == "deb"));
    let package = package.ok_or("no package was made")?;
    let system = target().join("dist/system");
    for folder in ["updates", "info", "triggers"] {
        create_parent(&system.join("var/lib/dpkg").join(folder).join("file"))?;
    }
    write(&system.join("var/lib/dpkg/status"), b"")?;
    let dpkg = |what: &[&str]| {
        let mut dpkg = Command::new("dpkg");
        // The folder holds no other packages, not even libc.
        dpkg.arg(format!("--root={}", system.display())).args(["--force-not-root", "--force-depends"]);
        dpkg.arg("--log=/dev/null").args(what);
        dpkg
    };
    show("install", dpkg(&["--install"]).arg(&package))?;
    output(&system.join("usr/bin"), &["solve", "tiles-first", "--quiet"])?;
    show("remove", &mut dpkg(&["--purge", "beeline"]))?;
    let left = ["usr/bin/beeline", "usr/share/doc/beeline", "usr/share/man/man1/beeline.1"];
    match left.iter().find(|file| system.join(file).exists()) {
        Some(file) => Err(format!("/{file} is left after the package was removed")),
        None => Ok(Some("installed, solved a puzzle, removed; no file was left".to_owned())),
    }
}

/// Builds a Debian package. It starts no service and writes only its own files, so it needs no scripts.
fn debian(bin: &Path, dist: &Path, version: &str) -> Result<PathBuf, String> {
    let tree = dist.join("deb");
    fill(bin, &tree, ["usr/bin", "usr/share/man/man1", "usr/share/doc/beeline"])?;
    for (shell, place) in SHELLS {
        write(&tree.join(place), &output(bin, &["completions", shell])?)?;
    }
    let arch = Command::new("dpkg").arg("--print-architecture").output().map_err(|e| format!("dpkg: {e}"))?;
    let arch = String::from_utf8_lossy(&arch.stdout).trim().to_owned();
    let control = format!(
        "Package: beeline\nVersion: {version}\nArchitecture: {arch}\nMaintainer: The Beeline authors <beeline@localhost>\n\
         Depends: libc6\nSection: games\nPriority: optional\n\
         Description: provably shortest solutions to puzzles\n \
         Solves, checks, compares, plays and makes Impassable Gate, sliding tiles,\n \
         Flow Free, Sokoban and sliding bricks.\n"
    );
    write(&tree.join("DEBIAN/control"), control.as_bytes())?;
    let package = dist.join(format!("beeline_{version}_{arch}.deb"));
    let mut build = Command::new("dpkg-deb");
    show("package", build.args(["--root-owner-group", "--build"]).arg(&tree).arg(&package))?;
    Ok(package)
}

/// Copies programs, manual pages and documents into three folders of a tree.
fn fill(bin: &Path, tree: &Path, [programs, manual, documents]: [&str; 3]) -> Result<(), String> {
    for program in PROGRAMS {
        copy(&bin.join(program), &tree.join(programs).join(program))?;
    }
    let manual = tree.join(manual);
    fs::create_dir_all(&manual).map_err(|e| format!("cannot make {}: {e}", manual.display()))?;
    output(bin, &["man", "--all", &manual.to_string_lossy()])?;
    for page in PAGES {
        copy(&root().join(page), &tree.join(documents).join(page))?;
    }
    Ok(())
}

/// The output of the built `beeline`.
fn output(bin: &Path, args: &[&str]) -> Result<Vec<u8>, String> {
    let output =
        Command::new(bin.join("beeline")).args(args).output().map_err(|e| format!("beeline: {e}"))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(format!("beeline {args:?}: {}", output.status))
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    create_parent(to)?;
    let copied = fs::copy(from, to).map(drop);
    copied.map_err(|e| format!("cannot copy {} to {}: {e}", from.display(), to.display()))
}

fn write(to: &Path, content: &[u8]) -> Result<(), String> {
    create_parent(to)?;
    fs::write(to, content).map_err(|e| format!("cannot write {}: {e}", to.display()))
}

/// Creates the parent folder of a file.
fn create_parent(file: &Path) -> Result<(), String> {
    let Some(folder) = file.parent() else { return Ok(()) };
    fs::create_dir_all(folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))
}
