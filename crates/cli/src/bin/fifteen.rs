//! The classic command `15puzzle`.

fn main() -> std::process::ExitCode {
    beeline_cli::memory::prepare();
    beeline_cli::classic::fifteen::main()
}
