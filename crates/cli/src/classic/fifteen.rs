//! `15puzzle FILE`.

use std::process::ExitCode;

/// Runs the command.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
