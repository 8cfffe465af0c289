//! The friendly command.

fn main() -> std::process::ExitCode {
    beeline_cli::memory::prepare();
    beeline_cli::friendly::main()
}
