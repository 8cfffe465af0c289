//! `beeline bricks`: what makers of sliding-block puzzles ask for.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use beeline_puzzles::bricks::space::{self, Graph};
use beeline_puzzles::bricks::{Bricks, Grid, KIND};
use beeline_puzzles::sliding::Metric;
use beeline_puzzles::{Kind, Puzzle, Watcher};
use beeline_search::{Budget, Limit};
use serde::Serialize;

use super::args::{BricksCommand, Space};
use super::input::{self, Instance};
use super::interrupt::{Searching, subject};
use super::json::{self, Origin};
use super::layout::{boards, entry};
use super::progress::Progress;
use super::report::{Stop, Trouble};
use super::solve::why;
use super::units::{commas, plural};
use super::{Exit, Session, names, run};

/// The largest space that is kept state by state; larger ones are only counted.
const SMALL: u64 = 200_000;

/// Runs one of the commands.
pub(super) fn bricks(command: &BricksCommand, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    match command {
        BricksCommand::Space(args) => explore(args, session),
    }
}

/// What is known about a space.
struct Found {
    states: u64,
    solved: u64,
    /// How many states there are at each distance from the start.
    layers: Vec<u64>,
    /// A state as far from the start as any.
    farthest: Grid,
    /// Of small spaces only.
    graph: Option<Graph>,
}

/// A state from which the shortest plan is the longest, and its length.
type Hardest = Option<(Grid, u32)>;

fn explore(args: &Space, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let instance = input::load_one(&args.puzzle, &args.reading, session)?;
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
    subject("bricks space", &instance.source, args.json);
    let budget = run::budget(&args.limits, session);
    let started = Instant::now();
    let found = count(bricks, metric, args, &budget, session)?;
    let hardest: Hardest = found.graph.as_ref().and_then(Graph::hardest);
    let left = budget.after(started.elapsed(), 0);
    let components = if args.components { Some(all_placements(bricks, metric, &left)?) } else { None };
    if let Some(path) = &args.graph {
        export(found.graph.as_ref(), path)?;
    }
    let told = Told {
        instance: &instance,
        objective: objective.as_deref().unwrap_or_else(|| run::default_objective(&KIND)),
        found: &found,
        hardest: &hardest,
        components: components.as_deref(),
    };
    if args.json {
        told.json(session)?;
    } else {
        told.text(session)?;
    }
    Ok(Exit::Done)
}

/// Counts everything that can be reached, and keeps it if it is small.
fn count(
    bricks: &Bricks,
    metric: Metric,
    args: &Space,
    budget: &Budget,
    session: &mut Session<'_, '_>,
) -> Result<Found, Trouble> {
    let _searching = Searching::begin(budget);
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

/// The sizes of the parts that all placements of the bricks fall into, the largest first.
fn all_placements(bricks: &Bricks, metric: Metric, budget: &Budget) -> Result<Vec<usize>, Trouble> {
    let _searching = Searching::begin(budget);
    let graph = Graph::placements(bricks, metric, true, budget).map_err(stopped)?;
    Ok(graph.components())
}

pub(super) fn stopped(limit: Limit) -> Trouble {
    Trouble::new(limit.into(), format!("the space was not counted to the end: {}", why(limit)))
        .help("allow more with --time, --memory or --nodes")
}

/// Writes the graph in the format that the name of the file asks for.
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
    written.map_err(|error| Trouble::new(Exit::Usage, format!("cannot write '{}': {error}", path.display())))
}

/// What the command says.
struct Told<'a> {
    instance: &'a Instance,
    objective: &'a str,
    found: &'a Found,
    hardest: &'a Hardest,
    components: Option<&'a [usize]>,
}

#[derive(Serialize)]
struct SpaceRecord<'a> {
    #[serde(flatten)]
    origin: Origin<'a>,
    objective: &'a str,
    states: u64,
    solved: u64,
    by_distance: &'a [u64],
    farthest: String,
    hardest: Option<String>,
    hardest_distance: Option<u32>,
    components: Option<&'a [usize]>,
}

impl Told<'_> {
    fn json(&self, session: &mut Session<'_, '_>) -> Result<(), Stop> {
        let record = SpaceRecord {
            origin: Origin::new("bricks space", self.instance),
            objective: self.objective,
            states: self.found.states,
            solved: self.found.solved,
            by_distance: &self.found.layers,
            farthest: self.found.farthest.file(),
            hardest: self.hardest.as_ref().map(|(grid, _)| grid.file()),
            hardest_distance: self.hardest.as_ref().map(|(_, far)| *far),
            components: self.components,
        };
        json::line(session.io.out, &record)?;
        Ok(())
    }

    fn text(&self, session: &mut Session<'_, '_>) -> Result<(), Stop> {
        let screen = session.io.screen;
        let out = &mut *session.io.out;
        let (found, objective) = (self.found, self.objective);
        writeln!(out, "{} · {}\n", screen.bold(&self.instance.name()), KIND.title())?;
        let states =
            format!("{} can be reached, {} of them solved", commas(found.states), commas(found.solved));
        write!(out, "{}", entry("states", &states, &screen))?;
        let layers: Vec<String> = found.layers.iter().map(|&n| commas(n)).collect();
        write!(out, "{}", entry("at 0, 1, …", &layers.join(" "), &screen))?;
        if let Some(sizes) = self.components {
            let all = commas(sizes.iter().sum::<usize>() as u64);
            let largest =
                sizes.first().map_or(String::new(), |&n| format!(", the largest of {}", commas(n as u64)));
            let parts = format!("{all} placements in {}{largest}", plural(sizes.len(), "component"));
            write!(out, "{}", entry("parts", &parts, &screen))?;
        }
        let radius = found.layers.len().saturating_sub(1);
        board(out, &format!("farthest from the start ({radius} {objective})"), &found.farthest, &screen)?;
        match self.hardest {
            Some((grid, far)) => {
                board(out, &format!("hardest start ({far} {objective} to the goal)"), grid, &screen)?;
            }
            None if found.graph.is_some() => writeln!(out, "\nno state leads to the goal")?,
            None => {
                writeln!(out, "\nthe hardest start is told for spaces of up to {} states", commas(SMALL))?;
            }
        }
        Ok(())
    }
}

/// A state: its picture and its file.
fn board(out: &mut dyn Write, title: &str, grid: &Grid, screen: &super::Screen) -> Result<(), Stop> {
    writeln!(out, "\n{}\n", screen.bold(title))?;
    if let Ok(bricks) = Bricks::new(grid) {
        writeln!(out, "{}", boards(&bricks.game().scene(), None, screen))?;
    }
    write!(out, "{}", grid.file())?;
    Ok(())
}
