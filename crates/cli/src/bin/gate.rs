//! The classic command `gate`.

fn main() -> std::process::ExitCode {
    beeline_cli::classic::gate::main()
}
