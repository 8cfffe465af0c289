//! Single-line notes.

use std::fmt::Display;
use std::io;
use std::net::SocketAddr;
use std::path::Path;

use super::Io;

/// Names a file that was written.
pub(crate) fn written(path: &Path, io: &mut Io<'_>) -> io::Result<()> {
    writeln!(io.out, "{}", path.display())
}

/// Prints that a checkpoint exists and how to resume from it.
pub(crate) fn saved(path: &dyn Display, io: &mut Io<'_>) -> io::Result<()> {
    writeln!(io.err, "saved: 'beeline resume {path}' goes on from here")
}

/// Prints that the checkpoint could not be updated.
pub(crate) fn unsaved(path: &dyn Display, problem: &dyn Display, io: &mut Io<'_>) -> io::Result<()> {
    writeln!(io.err, "warning: the last checkpoint could not be written to '{path}': {problem}")
}

/// Prints the address of the page.
pub(crate) fn serving(address: SocketAddr, io: &mut Io<'_>) -> io::Result<()> {
    writeln!(io.out, "Beeline is at http://{address}/ (Ctrl-C ends it)")?;
    if !address.ip().is_loopback() {
        writeln!(io.out, "It can be reached from other machines; anybody there may use it.")?;
    }
    io.out.flush()
}

/// Prints a message of the server. If that fails, there is no way to report it.
pub(crate) fn logged(line: &str, io: &mut Io<'_>) {
    let _ = writeln!(io.err, "{line}");
}
