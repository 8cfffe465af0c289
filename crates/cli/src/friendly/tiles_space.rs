//! `beeline tiles space`: whole spaces of sliding tiles.

use beeline_puzzles::game::Notation;
use beeline_puzzles::tiles::{Board, Goal, Sliding, TILES, census};
use beeline_puzzles::{Kind, Watcher};
use beeline_search::census::Census;
use beeline_search::{Ranked, Stats};
use serde::Serialize;

use super::args::TilesSpace;
use super::interrupt::{Searching, subject};
use super::json::{self, SCHEMA};
use super::layout::{boards, entry};
use super::progress::Progress;
use super::report::{Stop, Trouble};
use super::units::{commas, rate, short_rate, size, time};
use super::{Exit, Session, bricks, run};

#[derive(Serialize)]
struct SpaceRecord<'a> {
    schema: &'static str,
    command: &'static str,
    kind: &'static str,
    size: String,
    states: u64,
    radius: usize,
    by_distance: &'a [u64],
    farthest: String,
    bytes: usize,
    seconds: f64,
}

/// Counts a whole space.
pub(super) fn space(args: &TilesSpace, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let (rows, columns) = args.size;
    let board = Board::solved(rows, columns, Goal::BlankFirst)
        .ok_or_else(|| Trouble::new(Exit::Usage, "a board has 2 to 6 rows and 2 to 6 columns".to_owned()))?;
    let space = Sliding::new(&board);
    let budget = run::budget(&args.limits, session);
    let (counted, stats) = {
        subject("tiles space", &format!("{rows}x{columns}"), args.json);
        let _searching = Searching::begin(&budget);
        let screen = session.io.screen;
        let mut progress = Progress::new(&mut *session.io.err, screen.progress, screen.columns);
        census::count(&board, run::threads(args.threads), &budget, &mut |stats| progress.tick(stats))
    };
    let census = counted.map_err(bricks::stopped)?;
    let radius = census.layers.len() - 1;
    let far = space.unrank(census.farthest);
    if args.json {
        let record = SpaceRecord {
            schema: SCHEMA,
            command: "tiles space",
            kind: TILES.name(),
            size: format!("{rows}x{columns}"),
            states: census.states(),
            radius,
            by_distance: &census.layers,
            farthest: space.puzzle_at(&far).text(),
            bytes: stats.bytes,
            seconds: stats.elapsed.as_secs_f64(),
        };
        json::line(session.io.out, &record)?;
    } else {
        text(&format!("{rows} x {columns}"), &census, &stats, session)?;
        let screen = session.io.screen;
        let most = census.layers[radius];
        let title = format!("farthest from the solved board ({radius} moves, one of {})", commas(most));
        writeln!(session.io.out, "\n{}\n", screen.bold(&title))?;
        writeln!(session.io.out, "{}", boards(&space.scene(&far), None, &screen))?;
        write!(session.io.out, "{}", space.puzzle_at(&far).text())?;
    }
    Ok(Exit::Done)
}

fn text(name: &str, census: &Census, stats: &Stats, session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let screen = session.io.screen;
    let out = &mut *session.io.out;
    writeln!(out, "{} · {}\n", screen.bold(name), TILES.title())?;
    let states = format!("{} can be reached from the solved board", commas(census.states()));
    write!(out, "{}", entry("states", &states, &screen))?;
    let layers: Vec<String> = census.layers.iter().map(|&n| commas(n)).collect();
    write!(out, "{}", entry("at 0, 1, …", &layers.join(" "), &screen))?;
    write!(out, "{}", entry("memory", &format!("{}, two bits a state", size(stats.bytes)), &screen))?;
    let pace = rate(stats.expanded, stats.elapsed).map(|r| format!(" · {} expanded", short_rate(r)));
    let took = format!("{}{}", time(stats.elapsed), pace.unwrap_or_default());
    write!(out, "{}", entry("time", &took, &screen))?;
    Ok(())
}
