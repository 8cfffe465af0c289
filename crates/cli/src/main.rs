//! The command `beeline`.

fn main() -> std::process::ExitCode {
    beeline_cli::memory::prepare();
    beeline_cli::commands::main()
}
