//! `beeline tiles space`: counts whole spaces of sliding tiles.

use beeline_puzzles::Watcher;
use beeline_puzzles::tiles::{Board, Goal, Sliding, census};

use super::args::TilesSpace;
use super::interrupt::{SearchGuard, set_subject};
use super::{Exit, Session, bricks, run};
use crate::report::progress::Progress;
use crate::report::tiles::SpaceReport;
use crate::report::{Stop, Trouble};

/// Counts a whole space.
pub(super) fn space(args: &TilesSpace, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let (rows, columns) = args.size;
    let board = Board::solved(rows, columns, Goal::BlankFirst)
        .ok_or_else(|| Trouble::new(Exit::Usage, "a board has 2 to 6 rows and 2 to 6 columns".to_owned()))?;
    let space = Sliding::new(&board);
    let budget = run::budget(&args.limits, session);
    let (counted, stats) = {
        set_subject("tiles space", &format!("{rows}x{columns}"), args.json);
        let _searching = SearchGuard::begin(&budget);
        let screen = session.io.screen;
        let mut progress = Progress::new(&mut *session.io.err, screen.progress, screen.columns);
        census::count(&board, run::threads(args.threads), &budget, &mut |stats| progress.tick(stats))
    };
    let census = counted.map_err(bricks::stopped)?;
    let report = SpaceReport { sides: args.size, space: &space, census: &census, stats: &stats };
    if args.json {
        report.json(session.io)?;
    } else {
        report.text(session.io)?;
    }
    Ok(Exit::Done)
}
