//! The classic command `gate`.

fn main() -> std::process::ExitCode {
    beeline_cli::memory::prepare();
    beeline_cli::classic::gate::main()
}
