//! Checks the search over MPI with real ranks. Missing software is installed where that is possible, and named where it is
//! not.

use std::process::{Command, Stdio};

use crate::prove::Found;
use crate::step::{cargo, has, is_root, show};

/// The Debian packages that the check needs.
const PACKAGES: [&str; 3] = ["openmpi-bin", "libopenmpi-dev", "libclang-dev"];

/// Lints the code behind the feature and runs `beeline` with it under mpirun.
pub(crate) fn prove() -> Found {
    if !missing().is_empty() && is_root() && has("apt-get") {
        let mut install = Command::new("apt-get");
        install.args(["install", "--yes", "--no-install-recommends"]).args(PACKAGES);
        if let Err(why) = show("install MPI", &mut install) {
            eprintln!("{why}");
        }
    }
    let missing = missing();
    if !missing.is_empty() {
        let (missing, packages) = (missing.join(", "), PACKAGES.join(" "));
        return Found::NotHere(format!("no {missing} here; on Debian: apt-get install {packages}"));
    }
    let mut lints = cargo();
    lints.args(["clippy", "--package", "beeline-cli", "--features", "mpi", "--quiet"]);
    lints.args(["--", "--deny", "warnings"]);
    let mut tests = cargo();
    tests.args(["test", "--package", "beeline-cli", "--features", "mpi", "--test", "mpi"]);
    match show("lints of MPI", &mut lints).and_then(|_| show("MPI", &mut tests)) {
        Ok(_) => Found::Passed("1, 2 and 4 ranks find the same costs; a rank that dies is reported".into()),
        Err(why) => Found::Failed(why),
    }
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

/// Is libclang where bindgen looks for it?
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
