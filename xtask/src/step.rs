//! Helpers to run one command: its time, and what to do where it is missing.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The root of the workspace, wherever the command was started.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The cargo that started this program.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// In CI, leaves out what helps a second build or a debugger, since CI has neither: files for the next build cost a tenth of the
/// first, small units of code another tenth, and lines for backtraces a fifteenth. (A panic names its line without them.)
pub(crate) fn for_one_build(command: &mut Command) -> &mut Command {
    if std::env::var_os("CI").is_some() {
        command
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_CODEGEN_UNITS", "4")
            .env("CARGO_PROFILE_DEV_DEBUG", "false");
    }
    command
}

/// May this process install packages of the system? Only root may.
#[cfg(unix)]
pub(crate) fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    // /proc/self belongs to the user who runs this.
    std::fs::metadata("/proc/self").is_ok_and(|about| about.uid() == 0)
}

#[cfg(not(unix))]
pub(crate) fn is_root() -> bool {
    false
}

/// Runs a command with visible output and returns its duration.
pub(crate) fn show(name: &str, command: &mut Command) -> Result<Duration, String> {
    eprintln!("\n── {name}");
    let clock = Instant::now();
    let status = command.status().map_err(|e| format!("{name}: cannot start {command:?}: {e}"))?;
    if status.success() { Ok(clock.elapsed()) } else { Err(format!("{name} failed ({status})")) }
}

/// Is there a program of this name?
pub(crate) fn has(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Checks for a cargo subcommand. The error says how to install it.
pub(crate) fn needs_component(subcommand: &str, component: &str) -> Result<(), String> {
    let mut command = cargo();
    command.args([subcommand, "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    if command.status().is_ok_and(|status| status.success()) {
        return Ok(());
    }
    Err(format!("`cargo {subcommand}` is not here; `rustup component add {component}` installs it"))
}
