//! The maintenance commands of the project: `cargo xtask test`, `prove`, `figures`, `site`, and the others in USAGE.

mod book;
mod crates;
mod dist;
#[cfg(unix)]
mod figures;
mod mpi;
mod page;
mod pddl;
mod programs;
mod prove;
mod python;
mod site;
mod size;
mod slurm;
mod step;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask COMMAND

  test     all checks: types of the page, format, lints, documentation, tests, the Python package
           (what CI runs);
           `--only CRATE` checks one crate, without its `beeline-`
  prove    the long proofs, not in CI: exact figures, model checking, valgrind, fuzzing, limits, MPI;
           `--write` puts the results into docs/proof.md, `--only NAME` runs one of them
  site     the page without a server: writes the folder target/page, or the one that is named; needs a compiler
           for wasm32-unknown-unknown and says which; `--speed` times its solvers beside the native ones
  figures  whole commands on files: processor time and memory; `--runs N`, `--only PART-OF-A-NAME`,
           `--peer 'JOB=COMMAND FILE'` takes turns with another program, `--write` puts the table into
           docs/performance.md (not on Windows)
  python   the tests of the Python package alone
  wheel    the Python package as an abi3 wheel in target/wheels
  book     the documents as a book, in target/book (wants mdbook)
  dist     the archive and the Debian package, in target/dist
  size     how large the six binaries are and which crates and functions take the most of `beeline` (wants binutils);
           `--build` also builds from nothing and says how long that takes
  crates   which crate may use which; `--write` draws docs/pictures/crates.svg
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.first().map(String::as_str) {
        Some("test") => test::run(&args[1..]),
        Some("prove") => prove::run(&args[1..]),
        Some("site") => site::run(&args[1..]),
        Some("python") => python::test().map(drop),
        Some("wheel") => python::wheel(),
        Some("book") => book::run(),
        Some("size") => size::run(&args[1..]),
        Some("dist") => dist::run(),
        Some("crates") => crates::run(&args[1..]),
        #[cfg(unix)]
        Some("figures") => figures::run(&args[1..]),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("\nxtask: {message}");
            ExitCode::FAILURE
        }
    }
}
