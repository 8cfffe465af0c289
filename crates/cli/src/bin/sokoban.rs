//! The classic command `sokoban`.

fn main() -> std::process::ExitCode {
    beeline_cli::memory::prepare();
    beeline_cli::classic::sokoban::main()
}
