//! `beeline bricks`: tools for designers of sliding-block puzzles.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::Instant;

use beeline_api::units::commas;
use beeline_puzzles::bricks::space::{self, Graph};
use beeline_puzzles::bricks::{Bricks, KIND};
use beeline_puzzles::sliding::Metric;
use beeline_puzzles::{Kind, Watcher};
use beeline_search::{Budget, Limit};

use super::args::{BricksCommand, Space};
use super::interrupt::{SearchGuard, set_subject};
use super::{Exit, Session, input, names, run};
use crate::report::bricks::{Found, Hardest, SMALL, SpaceReport};
use crate::report::exit::why;
use crate::report::progress::Progress;
use crate::report::{Stop, Trouble};

/// Runs one of the commands.
pub(super) fn bricks(command: &BricksCommand, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    match command {
        BricksCommand::Space(args) => explore(args, session),
    }
}

fn explore(args: &Space, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let instance = input::load_one(&args.source.puzzle, &args.source.reading, session)?;
    let bricks = instance.puzzle.as_any().downcast_ref::<Bricks>().ok_or_else(|| {
        let kind = instance.puzzle.kind().name();
        Trouble::new(Exit::Unsupported, format!("{} is a puzzle of kind {kind}, not bricks", instance.name()))
    })?;
    let objective = args.objective.as_ref();
    let objective = objective.map(|o| names::choice(&KIND, "objective", o, KIND.objectives())).transpose()?;
    let metric = match objective.as_deref() {
        Some("moves") => Metric::Moves,
        Some("lines") => Metric::Lines,
        _ => Metric::Steps,
    };
    set_subject("bricks space", &instance.source, args.json);
    let budget = run::budget(&args.limits, session);
    let started = Instant::now();
    let found = count(bricks, metric, args, &budget, session)?;
    let hardest: Hardest = found.graph.as_ref().and_then(Graph::hardest);
    let left = budget.after(started.elapsed(), 0);
    let components = if args.components { Some(all_placements(bricks, metric, &left)?) } else { None };
    if let Some(path) = &args.graph {
        export(found.graph.as_ref(), path)?;
    }
    let report = SpaceReport {
        instance: &instance,
        objective: objective.as_deref().unwrap_or_else(|| run::default_objective(&KIND)),
        found: &found,
        hardest: &hardest,
        components: components.as_deref(),
    };
    if args.json {
        report.json(session.io)?;
    } else {
        report.text(session.io)?;
    }
    Ok(Exit::Done)
}

/// Counts all reachable states, and keeps them if the space is small.
fn count(
    bricks: &Bricks,
    metric: Metric,
    args: &Space,
    budget: &Budget,
    session: &mut Session<'_, '_>,
) -> Result<Found, Trouble> {
    let _searching = SearchGuard::begin(budget);
    let started = Instant::now();
    let screen = session.io.screen;
    let mut progress = Progress::new(&mut *session.io.err, screen.progress, screen.columns);
    let census = space::census(bricks, metric, args.beyond_goals, budget, &mut |stats| progress.tick(stats));
    let census = census.ok_or_else(|| {
        Trouble::new(Exit::Unsupported, "the board has too many places for its bricks to be counted")
    })?;
    let census = census.map_err(stopped)?;
    let states = census.layers.iter().sum();
    let graph = if states <= SMALL {
        let left = budget.after(started.elapsed(), 0);
        Some(Graph::reachable(bricks, metric, args.beyond_goals, &left).map_err(stopped)?)
    } else {
        None
    };
    let farthest = space::at(bricks, &census.farthest);
    Ok(Found { states, solved: census.goals, layers: census.layers, farthest, graph })
}

/// The component sizes of the space of all placements of the bricks, the largest first.
fn all_placements(bricks: &Bricks, metric: Metric, budget: &Budget) -> Result<Vec<usize>, Trouble> {
    let _searching = SearchGuard::begin(budget);
    let graph = Graph::placements(bricks, metric, true, budget).map_err(stopped)?;
    Ok(graph.components())
}

pub(super) fn stopped(limit: Limit) -> Trouble {
    Trouble::new(limit.into(), format!("the space was not counted to the end: {}", why(limit)))
        .help("allow more with --time, --memory or --nodes")
}

/// Writes the graph in the format of the file name.
fn export(graph: Option<&Graph>, path: &Path) -> Result<(), Trouble> {
    let graph = graph.ok_or_else(|| {
        let most = commas(SMALL);
        Trouble::new(Exit::Unsupported, format!("only spaces of up to {most} states are written as a graph"))
    })?;
    let write: fn(&Graph, &mut BufWriter<File>) -> std::io::Result<()> =
        match path.extension().and_then(|e| e.to_str()) {
            Some("graphml") => Graph::write_graphml,
            Some("json") => Graph::write_json,
            _ => {
                let message = format!("'{}' does not say in which format to write", path.display());
                return Err(Trouble::new(Exit::Usage, message).help("name it *.graphml or *.json"));
            }
        };
    let written = File::create(path).map(BufWriter::new).and_then(|mut file| {
        write(graph, &mut file)?;
        file.flush()
    });
    written.map_err(|error| Trouble::unwritable(path, &error))
}
