//! The classic command `hw1`.

fn main() -> std::process::ExitCode {
    beeline_cli::memory::prepare();
    beeline_cli::classic::hw1::main()
}
