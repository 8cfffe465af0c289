//! Single lines: what was written where, what goes on.

use std::fmt::Display;
use std::io;
use std::net::SocketAddr;
use std::path::Path;

use super::Io;

/// Names a file that was written.
pub(crate) fn written(path: &Path, io: &mut Io<'_>) -> io::Result<()> {
    writeln!(io.out, "{}", path.display())
}

/// Says that a checkpoint is there to go on from.
pub(crate) fn saved(path: &dyn Display, io: &mut Io<'_>) -> io::Result<()> {
    writeln!(io.err, "saved: 'beeline resume {path}' goes on from here")
}

/// Says that a checkpoint is not the last one.
pub(crate) fn unsaved(path: &dyn Display, problem: &dyn Display, io: &mut Io<'_>) -> io::Result<()> {
    writeln!(io.err, "warning: the last checkpoint could not be written to '{path}': {problem}")
}

/// Says where the page is.
pub(crate) fn serving(address: SocketAddr, io: &mut Io<'_>) -> io::Result<()> {
    writeln!(io.out, "Beeline is at http://{address}/ (Ctrl-C ends it)")?;
    if !address.ip().is_loopback() {
        writeln!(io.out, "It can be reached from other machines; anybody there may use it.")?;
    }
    io.out.flush()
}

/// Passes on what the server says. Nobody can be told that nobody can be told.
pub(crate) fn logged(line: &str, io: &mut Io<'_>) {
    let _ = writeln!(io.err, "{line}");
}
