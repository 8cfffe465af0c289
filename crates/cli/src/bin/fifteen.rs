//! The classic command `15puzzle`.

fn main() -> std::process::ExitCode {
    beeline_cli::classic::fifteen::main()
}
