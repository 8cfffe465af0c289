//! `beeline serve`.

use std::net::SocketAddr;

use beeline_search::Budget;
use beeline_web::{Limits, Server};

use super::args::Serve;
use super::interrupt::SearchGuard;
use super::{Exit, Session};
use crate::report::{Stop, Trouble, notes};

/// Serves the page until Ctrl-C.
pub(super) fn serve(args: &Serve, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let usual = Limits::default();
    let limits = Limits {
        runs: args.runs.map_or(usual.runs, |runs| usize::from(runs.get())),
        time: args.limits.time.unwrap_or(usual.time),
        ..usual
    };
    let limits = match args.limits.memory {
        Some(total) => limits.with_memory(total),
        None => limits,
    };
    let wanted = SocketAddr::new(args.address, args.port);
    let server = Server::bind(wanted, limits).map_err(|error| {
        Trouble::new(Exit::Usage, format!("cannot listen on {wanted}: {error}"))
            .help("another port can be given with --port; 0 takes any that is free")
    })?;
    let address = server.address();
    notes::serving(address, session.io)?;
    // The server enforces the limits of visitors' searches. The watchdog only watches the server's own end.
    let _searching = SearchGuard::begin(&Budget { cancel: session.cancel.clone(), ..Budget::default() });
    let served = server.run(&session.cancel, &mut |line| {
        notes::logged(line, session.io);
    });
    served.map_err(|error| Trouble::new(Exit::Internal, format!("the server ended: {error}")))?;
    Ok(Exit::Done)
}
