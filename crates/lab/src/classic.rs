//! The classic searches as strategies of a spec: the same code that the classic commands run, with their own counters.
//!
//! | kind | `with` | options |
//! |---|---|---|
//! | gate | `classic-1`, `classic-2`, `classic-3` | |
//! | tiles | `classic` | `order` = classic, korf; `heuristic` = manhattan and its improvements |
//! | flow | `classic` | `rules`; `order` = constrained, edge, shuffled |
//! | sokoban | `classic` | `order` = sound, reference (which corner test) |
//! | bricks | `classic-bfs`, `classic-dfs`, `classic-ids`, `classic-astar` | `normalise`; `heuristic` |

use std::time::Instant;

use beeline_puzzles::bricks::{self, Bricks};
use beeline_puzzles::flow::{self, FlowPuzzle};
use beeline_puzzles::gate::{self, Gate};
use beeline_puzzles::sokoban::{self, Sokoban};
use beeline_puzzles::tiles::{self, Step, TilesPuzzle, count, table_free, word};
use beeline_puzzles::{Puzzle, flow::prune};
use beeline_search::strategies::Unsupported;
use beeline_search::{Budget, Limit, Outcome, Random, Round, Solution, Stats, Verdict};

use crate::task::Options;

/// The result of a classic search: its outcome, and named figures of its own.
pub type Classic = (Outcome<String>, Vec<(&'static str, f64)>);

/// The name of the figure for the preparation time, which is not part of the search time.
pub const SET_UP: &str = "set-up";

/// The classic searches of a kind.
pub fn names(kind: &str) -> &'static [&'static str] {
    match kind {
        "gate" => &["classic-1", "classic-2", "classic-3"],
        "bricks" => &["classic-bfs", "classic-dfs", "classic-ids", "classic-astar"],
        "tiles" | "flow" | "sokoban" => &["classic"],
        _ => &[],
    }
}

/// The orders (of moves or colours) that the classic search of a kind supports.
pub fn orders(kind: &str) -> &'static [&'static str] {
    match kind {
        "tiles" => &["classic", "korf"],
        "flow" => &["constrained", "edge", "shuffled"],
        "sokoban" => &["sound", "reference"],
        _ => &[],
    }
}

/// Heuristics that only this classic search supports.
pub fn heuristics(kind: &str, with: &str) -> impl Iterator<Item = &'static str> + Clone {
    let known = kind == "tiles" && with == "classic";
    FEATURES.iter().filter(move |_| known).map(|(name, _)| *name)
}

const FEATURES: [(&str, u8); 6] = [
    ("manhattan", 0),
    ("linear-conflict", table_free::LINEAR),
    ("last-moves", table_free::LINEAR | table_free::LAST),
    ("corner-tiles", table_free::LINEAR | table_free::LAST | table_free::CORNER),
    ("walking-distance", table_free::WALKING),
    ("improved", table_free::ALL),
];

/// Runs the classic search that the options name; `None` if there is no such search.
pub fn run(puzzle: &dyn Puzzle, options: &Options, budget: &Budget) -> Option<Result<Classic, Unsupported>> {
    let any = puzzle.as_any();
    let kind = puzzle.kind().name();
    if !names(kind).contains(&options.with.as_str()) {
        return None;
    }
    Some(match kind {
        "gate" => Ok(gate(any.downcast_ref()?, options, budget)),
        "tiles" => tiles(any.downcast_ref()?, options, budget),
        "flow" => flow(any.downcast_ref()?, options, budget),
        "sokoban" => Ok(sokoban(any.downcast_ref()?, options, budget)),
        _ => bricks(any.downcast_ref()?, options, budget),
    })
}

fn verdict(end: Result<Option<Vec<String>>, Limit>, shortest: bool) -> Verdict<String> {
    match end {
        Ok(Some(moves)) => {
            let cost = moves.len() as u64;
            Verdict::Solved(Solution { moves, cost, lower_bound: if shortest { cost } else { 0 } })
        }
        Ok(None) => Verdict::Exhausted,
        Err(limit) => Verdict::Stopped(limit),
    }
}

fn gate(gate: &Gate, options: &Options, budget: &Budget) -> Classic {
    use gate::classic::{Algorithm, Ending, Options as Chosen, report};
    let algorithm = match options.with.as_str() {
        "classic-1" => Algorithm::Plain,
        "classic-2" => Algorithm::Duplicates,
        _ => Algorithm::Width,
    };
    let done = report(gate, Chosen { algorithm, ..Chosen::default() }, budget);
    let stats = Stats {
        expanded: done.expanded,
        generated: done.generated,
        duplicates: done.duplicated,
        bytes: done.bytes,
        elapsed: done.elapsed,
        ..Stats::default()
    };
    // Moves are steps of one cell, so breadth-first search finds a shortest plan. Iterated Width promises nothing.
    let shortest = algorithm != Algorithm::Width;
    let end = match done.ending {
        Ending::Solved => Ok(Some(done.plan)),
        Ending::NoSolution => Ok(None),
        Ending::Stopped(limit) => Err(limit),
    };
    // Widths go up to the number of pieces, which is the whole space. So all three prove that there is no plan if they find none.
    let verdict = verdict(end, shortest);
    let mut figures = vec![("auxiliary", done.auxiliary as f64)];
    if algorithm == Algorithm::Width {
        figures.push(("width", done.width as f64));
    }
    (Outcome { verdict, stats }, figures)
}

fn tiles(puzzle: &TilesPuzzle, options: &Options, budget: &Budget) -> Result<Classic, Unsupported> {
    let board = puzzle.board();
    if (board.rows(), board.columns()) != (4, 4) {
        return Err(Unsupported::needs("classic", "a board of 4 by 4"));
    }
    if !board.is_solvable() {
        return Ok((Outcome { verdict: Verdict::Exhausted, stats: Stats::default() }, Vec::new()));
    }
    let order =
        if options.order.as_deref() == Some("korf") { count::Order::Korf } else { count::Order::Classic };
    let word = word::pack(board.blank_first().cells());
    let wanted = options.choices.heuristic.as_deref().unwrap_or("manhattan");
    let feature = FEATURES.iter().find(|(name, _)| *name == wanted).map(|(_, bits)| *bits);
    let feature =
        feature.ok_or_else(|| Unsupported::Unknown { what: "heuristic", name: wanted.to_owned() })?;
    let started = Instant::now();
    let mut figures = Vec::new();
    let (thresholds, generated, expanded, plan, limit) = if feature == 0 {
        let (c, limit) = count::plain::search(word, order, budget);
        (c.thresholds, c.generated, c.expanded, c.plan, limit)
    } else {
        let table_free = table_free::TableFreeIda::new(feature, order.steps());
        figures.push((SET_UP, started.elapsed().as_secs_f64()));
        let (f, limit) = table_free.search(word, budget);
        (f.bounds(), f.generated, f.expanded, f.plan, limit)
    };
    // The search ran on the board rotated by half a turn if the goal has the blank last. Then each step is reversed.
    let turned = board.goal == tiles::Goal::BlankLast;
    let name = |step: Step| (if turned { step.back() } else { step }).letter().to_string();
    let rounds = thresholds.iter().map(|&t| Round { bound: u64::from(t), ..Round::default() });
    figures.extend(thresholds.first().map(|&h| ("h0", f64::from(h))));
    let stats = Stats { generated, expanded, rounds: rounds.collect(), ..Stats::default() };
    let end = match (plan, limit) {
        (Some(plan), _) => Ok(Some(plan.into_iter().map(name).collect())),
        (None, limit) => Err(limit.unwrap_or(Limit::Nodes)),
    };
    Ok((Outcome { verdict: verdict(end, true), stats }, figures))
}

/// The node limit if the spec sets none: as many nodes as the original program held in a gigabyte.
const FLOW_NODES: u64 = (1_073_741_824.0 / flow::classic::NODE_BYTES) as u64;

fn flow(puzzle: &FlowPuzzle, options: &Options, budget: &Budget) -> Result<Classic, Unsupported> {
    let board = puzzle.board();
    let mut order =
        flow::Order::by_edge(board, !matches!(options.order.as_deref(), Some("edge" | "shuffled")));
    if options.order.as_deref() == Some("shuffled") {
        Random::new(options.seed).shuffle(&mut order.list);
    }
    let mut rules = prune::Rules::default();
    for rule in options.choices.rules.iter().flatten() {
        if !rules.add(rule) {
            return Err(Unsupported::Unknown { what: "rule", name: rule.clone() });
        }
    }
    let most = budget.nodes.unwrap_or(FLOW_NODES);
    let done = flow::classic::search(board, &order, rules, most)
        .ok_or_else(|| Unsupported::needs("classic", "a board of at most 256 cells and 64 colours"))?;
    let stats = Stats {
        generated: done.nodes,
        stored: done.nodes,
        pruned: done.pruned,
        bytes: done.bytes,
        ..Stats::default()
    };
    let end = match done.flag {
        flow::classic::Flag::Solved => {
            Ok(Some(done.plan.into_iter().map(|s| flow::plan::show_step(board, s)).collect()))
        }
        flow::classic::Flag::Unsolvable => Ok(None),
        flow::classic::Flag::Full => Err(Limit::Nodes),
    };
    Ok((Outcome { verdict: verdict(end, true), stats }, Vec::new()))
}

fn sokoban(level: &Sokoban, options: &Options, budget: &Budget) -> Classic {
    use sokoban::classic::{Corners, solve};
    let reference = options.order.as_deref() == Some("reference");
    let corners = if reference { Corners::Reference } else { Corners::Sound };
    (solve(level.board(), corners, budget).map(|step| step.letter().to_string()), Vec::new())
}

fn bricks(board: &Bricks, options: &Options, budget: &Budget) -> Result<Classic, Unsupported> {
    use bricks::classic::{Ending, Estimate, Search, search, search_without_normalising};
    let which = match options.with.as_str() {
        "classic-bfs" => Search::Breadth,
        "classic-dfs" => Search::Depth,
        "classic-ids" => Search::Deepening,
        _ => Search::Astar,
    };
    let estimate = match options.choices.heuristic.as_deref() {
        Some("way") => Estimate::Way,
        Some("blind") => Estimate::Blind,
        _ => Estimate::Blockers,
    };
    let run = if options.normalise == Some(false) { search_without_normalising } else { search };
    let done = run(board, which, estimate, budget)?;
    let stats = Stats {
        expanded: done.nodes,
        rounds: done.rounds,
        bytes: done.bytes,
        elapsed: done.elapsed,
        ..Stats::default()
    };
    let end = match done.ending {
        Ending::Solved => Ok(Some(done.steps.iter().map(ToString::to_string).collect())),
        Ending::NoSolution => Ok(None),
        Ending::Stopped(limit) => Err(limit),
    };
    Ok((Outcome { verdict: verdict(end, which != Search::Depth), stats }, Vec::new()))
}
