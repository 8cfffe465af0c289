//! Builds the wheel of the Python package and runs its tests in a virtual environment.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::step::{for_one_build, has, root, show, target};

const PYTHON: &str = "the Python package needs python3 (3.11 or later) with venv and pip; on Debian: apt-get install python3 python3-venv";
/// The most bytes of a published wheel.
const LARGEST: u64 = 10 << 20;

/// The folder for everything fetched or built for Python.
fn folder() -> PathBuf {
    target().join("python")
}

/// The path of a program in the virtual environment.
fn program(name: &str) -> PathBuf {
    let (programs, end) = if cfg!(windows) { ("Scripts", ".exe") } else { ("bin", "") };
    folder().join("venv").join(programs).join(format!("{name}{end}"))
}

/// The name of the interpreter that creates the environment.
fn interpreter() -> Result<&'static str, String> {
    let found = ["python3", "python"].into_iter().find(|name| has(name)).ok_or(PYTHON)?;
    let new = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";
    let status = Command::new(found).args(["-c", new]).stderr(Stdio::null()).status();
    if status.is_ok_and(|status| status.success()) { Ok(found) } else { Err(PYTHON.into()) }
}

/// Creates the virtual environment with python/requirements-test.txt, unless it exists for the same list.
pub(crate) fn environment() -> Result<(), String> {
    let wanted = std::fs::read(root().join("python/requirements-test.txt"))
        .map_err(|error| format!("cannot read python/requirements-test.txt: {error}"))?;
    let done = folder().join("installed.txt");
    if std::fs::read(&done).ok().as_ref() == Some(&wanted) && program("maturin").is_file() {
        return Ok(());
    }
    let interpreter = interpreter()?;
    std::fs::create_dir_all(folder())
        .map_err(|error| format!("cannot make {}: {error}", folder().display()))?;
    let mut venv = Command::new(interpreter);
    venv.args(["-m", "venv", "--clear"]).arg(folder().join("venv"));
    show("virtual environment", &mut venv).map_err(|error| format!("{error}; {PYTHON}"))?;
    let mut install = Command::new(program("python"));
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
    install.arg(root().join("python/requirements-test.txt"));
    show("packages from the index", &mut install).map_err(|error| {
        format!(
            "{error}: the package index could not be reached, or lacks a package of python/requirements-test.txt; pip takes \
             another index from PIP_INDEX_URL, or a folder of wheels from PIP_FIND_LINKS"
        )
    })?;
    std::fs::write(&done, wanted).map_err(|error| format!("cannot write {}: {error}", done.display()))
}

/// Builds the wheel in a profile, as the only file in a folder. Returns its path and how long that took.
fn build(profile: &str, into: &Path) -> Result<(PathBuf, Duration), String> {
    // A wheel of another version would be installed too.
    let _ = std::fs::remove_dir_all(into);
    let mut maturin = Command::new(program("maturin"));
    maturin.args(["build", "--quiet", "--profile", profile, "--manifest-path"]);
    maturin.arg(root().join("python/Cargo.toml")).arg("--interpreter").arg(program("python"));
    maturin.arg("--out").arg(into).current_dir(root());
    let time = show("wheel", for_one_build(&mut maturin))?;
    let files =
        std::fs::read_dir(into).map_err(|error| format!("cannot read {}: {error}", into.display()))?;
    let wheel =
        files.flatten().map(|file| file.path()).find(|path| path.extension().is_some_and(|e| e == "whl"));
    wheel.map(|wheel| (wheel, time)).ok_or_else(|| format!("maturin left no wheel in {}", into.display()))
}

/// `cargo xtask wheel`: builds the wheel for publication in target/wheels.
pub(crate) fn wheel() -> Result<(), String> {
    environment()?;
    let (wheel, _) = build("release", &root().join("target/wheels"))?;
    let size =
        std::fs::metadata(&wheel).map_err(|error| format!("cannot read {}: {error}", wheel.display()))?.len();
    eprintln!("{}: {:.1} MB", wheel.display(), size as f64 / 1e6);
    if size > LARGEST { Err(format!("the wheel has more than {} MB", LARGEST >> 20)) } else { Ok(()) }
}

/// Makes the environment, builds the wheel and tests it.
pub(crate) fn test() -> Result<Duration, String> {
    environment()?;
    test_wheel(&build_for_tests()?.0)
}

/// Builds the wheel of the dev profile.
pub(crate) fn build_for_tests() -> Result<(PathBuf, Duration), String> {
    build("dev", &folder().join("wheels"))
}

/// Installs a wheel into the environment and runs the tests of the package.
pub(crate) fn test_wheel(wheel: &Path) -> Result<Duration, String> {
    let mut install = Command::new(program("python"));
    install.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--force-reinstall",
    ]);
    show("installation", install.arg(wheel))?;
    let mut pytest = Command::new(program("python"));
    pytest.args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider"]).current_dir(root().join("python"));
    let command = format!("beeline{}", std::env::consts::EXE_SUFFIX);
    let command = target().join("debug").join(command);
    if command.is_file() {
        pytest.env("BEELINE_COMMAND", command);
    }
    pytest.env("PYTHONDONTWRITEBYTECODE", "1");
    show("python", &mut pytest)
}
