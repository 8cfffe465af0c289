//! The classic command `flow`.

fn main() -> std::process::ExitCode {
    beeline_cli::memory::prepare();
    beeline_cli::classic::flow::main()
}
