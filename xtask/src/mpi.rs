//! The search over MPI, with real ranks: what it needs is installed where that is possible, and named where it is not.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::step::{cargo, has, show};

/// What Debian calls what is needed.
const PACKAGES: [&str; 3] = ["openmpi-bin", "libopenmpi-dev", "libclang-dev"];

/// Lints the code behind the feature and runs its tests; `None` if MPI is not here and cannot be installed.
pub(crate) fn run() -> Result<Option<Duration>, String> {
    if !missing().is_empty() && root_user() && has("apt-get") {
        let mut install = Command::new("apt-get");
        install.args(["install", "--yes", "--no-install-recommends"]).args(PACKAGES);
        // If it fails, what is missing is said below.
        let _ = show("install MPI", &mut install);
    }
    let missing = missing();
    if !missing.is_empty() {
        eprintln!("\n── MPI: not tested, for want of {}", missing.join(", "));
        eprintln!("   on Debian: apt-get install {}", PACKAGES.join(" "));
        return Ok(None);
    }
    let mut lints = cargo();
    lints.args(["clippy", "--package", "beeline-cluster", "--features", "mpi", "--quiet"]);
    lints.args(["--", "--deny", "warnings"]);
    let mut tests = cargo();
    tests.args(["test", "--package", "beeline", "--features", "mpi", "--test", "mpi"]);
    Ok(Some(show("lints of MPI", &mut lints)? + show("MPI", &mut tests)?))
}

fn missing() -> Vec<&'static str> {
    let mut missing = Vec::new();
    if !has("mpirun") {
        missing.push("mpirun");
    }
    if !has("mpicc") {
        missing.push("mpicc");
    }
    if !has_libclang() {
        missing.push("libclang");
    }
    missing
}

/// libclang where bindgen looks for it.
fn has_libclang() -> bool {
    let mut list = Command::new("ldconfig");
    let listed = list.arg("-p").stderr(Stdio::null()).output();
    std::env::var_os("LIBCLANG_PATH").is_some()
        || listed.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("libclang"))
        || std::fs::read_dir("/usr/lib").is_ok_and(|entries| {
            entries.flatten().any(|entry| {
                let name = entry.file_name();
                name.to_string_lossy().starts_with("llvm-") && entry.path().join("lib/libclang.so.1").exists()
            })
        })
}

#[cfg(unix)]
fn root_user() -> bool {
    use std::os::unix::fs::MetadataExt;
    // The owner of /proc/self is whoever runs this.
    std::fs::metadata("/proc/self").is_ok_and(|about| about.uid() == 0)
}

#[cfg(not(unix))]
fn root_user() -> bool {
    false
}
