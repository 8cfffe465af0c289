//! What a person would otherwise have to remember: `cargo xtask test`, `cargo xtask prove`, `cargo xtask site`,
//! `cargo xtask figures`.

#[cfg(unix)]
mod figures;
mod mpi;
mod page;
mod prove;
mod site;
mod slurm;
mod step;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask COMMAND

  test     all checks: types of the page, format, lints, documentation, tests (what CI runs)
  prove    the long proofs, not in CI: exact figures, model checking, valgrind, fuzzing, limits, MPI;
           `--write` puts the results into docs/proof.md, `--only NAME` runs one of them
  site     the page without a server: writes the folder target/site, or the one that is named; needs a compiler
           for wasm32-unknown-unknown and says which
  figures  whole commands on files: processor time and memory; `--runs N`, `--only PART-OF-A-NAME`,
           `--peer 'JOB=COMMAND FILE'` takes turns with another program (not on Windows)
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.first().map(String::as_str) {
        Some("test") => test::run(),
        Some("prove") => prove::run(&args[1..]),
        Some("site") => site::run(&args[1..]),
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
