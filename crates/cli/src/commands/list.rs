//! `beeline list`.

use beeline_puzzles::Kind;
use clap::ValueEnum;

use super::args::List;
use super::{Exit, Session, names};
use crate::report::Stop;
use crate::report::list::{self, Listing};

/// Prints the requested list.
pub(super) fn list(args: &List, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let kinds: Vec<&'static dyn Kind> = match &args.kind {
        Some(name) => vec![names::kind(session.world, name)?],
        None => session.world.kinds.to_vec(),
    };
    let all = Listing::value_variants();
    let wanted = all.iter().copied().filter(|&l| args.what.is_none_or(|w| w == l));
    for (i, listing) in wanted.enumerate() {
        if args.json {
            list::as_json(listing, &kinds, session.io)?;
            continue;
        }
        if i > 0 {
            session.io.gap()?;
        }
        list::text(listing, &kinds, session.io)?;
    }
    Ok(Exit::Done)
}
