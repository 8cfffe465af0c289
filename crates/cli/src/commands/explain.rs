//! `beeline explain`.

use beeline_search::strategies::STRATEGIES;

use super::args::Explain;
use super::{Exit, Session, names};
use crate::report::Stop;
use crate::report::explain::{self, choices};

/// Explains everything with this name, which may be several things.
pub(super) fn explain(args: &Explain, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let screen = session.io.screen;
    let wanted = args.name.trim().to_lowercase().replace('*', "star");
    let mut texts = Vec::new();
    texts.extend(STRATEGIES.iter().filter(|s| s.name == wanted).map(|s| explain::strategy(s, &screen)));
    let kinds = session.world.kinds;
    texts.extend(kinds.iter().filter(|k| k.name() == wanted).map(|k| explain::kind(*k, &screen)));
    for kind in kinds {
        for (what, choices) in choices(*kind) {
            let same = choices.iter().filter(|c| c.name.eq_ignore_ascii_case(&wanted));
            texts.extend(same.map(|c| explain::choice(*kind, what, c, &screen)));
        }
    }
    if texts.is_empty() {
        let mut all: Vec<&str> = STRATEGIES.iter().map(|s| s.name).collect();
        all.extend(kinds.iter().map(|k| k.name()));
        all.extend(kinds.iter().flat_map(|k| choices(*k)).flat_map(|(_, c)| c).map(|c| c.name));
        let place = Some("'beeline list'");
        return Err(
            names::unknown("strategy, kind, heuristic, objective or rule", &args.name, &all, place).into()
        );
    }
    session.io.print(&texts.join("\n"))?;
    Ok(Exit::Done)
}
