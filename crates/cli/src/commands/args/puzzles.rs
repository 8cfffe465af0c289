//! Arguments of the commands that play, draw, make and export puzzles, and of those for one kind.

use std::path::PathBuf;
use std::time::Duration;

use beeline_api::units;
use clap::{Subcommand, ValueEnum};

use super::shared::{Limits, OnePuzzle, Reading, Source, WrittenPlan};
use crate::report::exit;

// `beeline play`.
#[derive(Debug, clap::Args)]
pub(crate) struct Play {
    /// Puzzle files, names of puzzles that ship, a kind (all that ship of it), or - for standard input; without any, a menu
    #[arg(value_name = "FILE|NAME|KIND|-")]
    pub(crate) puzzles: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

// `beeline draw`.
#[derive(Debug, clap::Args)]
pub(crate) struct Draw {
    #[command(flatten)]
    pub(crate) source: Source,
    /// Draw an SVG picture, as for a FILE that ends in .svg
    #[arg(long)]
    pub(crate) svg: bool,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Draw the board after the plan in this file (it need not reach the goal)
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: Option<PathBuf>,
    /// With --plan: draw the board after this many steps
    #[arg(long, value_name = "N", requires = "plan")]
    pub(crate) step: Option<usize>,
}

// `beeline export`.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "beeline export [OPTIONS] --pddl <FOLDER> <FILE|NAME|-> [PLAN|--steps <TEXT>]",
    after_help = exit::table()
)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) source: WrittenPlan,
    /// Write domain.pddl, problem.pddl and, with a plan, plan.txt into this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) pddl: PathBuf,
}

// `beeline make`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "What was measured stands in the first line of each puzzle as a remark. The limits hold for all puzzles \
                  together. What was made before a limit is kept, and the exit code is the limit's."
)]
pub(crate) struct Make {
    /// The kind: gate, tiles, flow, sokoban or bricks
    #[arg(value_name = "KIND")]
    pub(crate) kind: String,
    /// Everything random comes from this; --count goes on from here
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Columns and rows, walls included: 8x7, or 9 for a square; of tiles, rows and columns: 2x5 is two rows of five
    #[arg(long, value_name = "SIZE", value_parser = units::sides)]
    pub(crate) size: Option<(usize, usize)>,
    /// How many pieces, bricks, boxes or colours
    #[arg(long, value_name = "N", visible_aliases = ["boxes", "colours", "bricks"])]
    pub(crate) pieces: Option<usize>,
    /// easy, medium or hard, measured by the shortest plan and by the states that the solver expands. Without it, medium or
    /// the nearest that the size has
    #[arg(long, value_name = "LEVEL", value_parser = ["easy", "medium", "hard"])]
    #[arg(hide_possible_values = true)]
    pub(crate) hardness: Option<String>,
    /// The length of the shortest plan, exactly
    #[arg(long, value_name = "N")]
    pub(crate) distance: Option<u64>,
    /// Tiles: so many random steps from the goal
    #[arg(long, value_name = "N", conflicts_with = "distance")]
    pub(crate) walk: Option<u64>,
    /// One that cannot be solved, with proof
    #[arg(long, conflicts_with_all = ["distance", "walk"])]
    pub(crate) unsolvable: bool,
    /// How many, with one seed after the other
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) count: u64,
    /// Write each into a file in this folder; with --solve, all into this file: data.jsonl or data.parquet
    #[arg(long, value_name = "FOLDER|FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Data to learn from (docs/python.md): an optimal plan, the exact distance at each of its states, and what every other
    /// legal step would have led to. The same seed makes the same bytes
    #[arg(long, conflicts_with = "json")]
    pub(crate) solve: bool,
    /// One JSON object for each, on a line of its own (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
    /// For all puzzles together; what was made before a limit is kept
    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// `beeline bricks`.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum BricksCommand {
    /// Count the states that can be reached, by distance; find the farthest state and the hardest start
    Space(Space),
}

// `beeline bricks space`.
#[derive(Debug, clap::Args)]
pub(crate) struct Space {
    #[command(flatten)]
    pub(crate) source: OnePuzzle,
    /// What counts as 1: steps, moves or lines
    #[arg(long, value_name = "NAME")]
    pub(crate) objective: Option<String>,
    /// Go on beyond solved states
    #[arg(long)]
    pub(crate) beyond_goals: bool,
    /// Also place the bricks in every other way, and tell into how many parts that space falls
    #[arg(long)]
    pub(crate) components: bool,
    /// Write a small space as a graph: *.graphml or *.json
    #[arg(long, value_name = "FILE")]
    pub(crate) graph: Option<PathBuf>,
    /// Answer as a JSON object (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// `beeline tiles`.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum TilesCommand {
    /// List, build or delete the pattern databases in the cache folder
    Tables(TilesTables),
    /// Count the boards that can be reached, by distance from the solved one, with two bits a board
    Space(TilesSpace),
}

// `beeline tiles tables`.
#[derive(Debug, clap::Args)]
pub(crate) struct TilesTables {
    /// What to do
    #[arg(value_enum, default_value = "list")]
    pub(crate) what: Tabling,
    /// Which tables: their names, or all
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Threads; 0 is one for each core
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Stop after this time: 500ms, 30s, 5m, 1.5h
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Stop at this much memory: 512M, 2G (without it, four fifths of what is free)
    #[arg(long, value_name = "BYTES", value_parser = units::bytes)]
    pub(crate) memory: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tabling {
    /// What there is, and what of it is in the cache
    List,
    /// Build what is missing
    Build,
    /// Delete the files
    Delete,
}

// `beeline tiles space`.
#[derive(Debug, clap::Args)]
pub(crate) struct TilesSpace {
    /// Rows and columns, as in 'size:' of a file: 3x4 is three rows of four, 3 is 3x3
    #[arg(value_name = "SIZE", value_parser = units::sides)]
    pub(crate) size: (usize, usize),
    /// Threads; 0 means all cores
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Answer as a JSON object (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// `beeline flow`.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum FlowCommand {
    /// Is the answer the only one? If not, two are shown
    ///
    /// A board is well made when it has one answer. Both that there is another and that there is none are proved.
    Answers(Answers),
    /// Print the address of a board on puzz.link
    ///
    /// The address opens the board as a Numberlink puzzle. Addresses are also read wherever a puzzle file is.
    Link(Source),
}

// `beeline flow answers`.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::table())]
pub(crate) struct Answers {
    #[command(flatten)]
    pub(crate) source: Source,
    /// Count on up to this many answers
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: u32,
    /// Ask the SAT solver as well, and compare
    #[arg(long)]
    pub(crate) cross_check: bool,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Say how many there are and draw nothing
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// `beeline sokoban`.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum SokobanCommand {
    /// Shorten a plan without giving up that it solves the level
    ///
    /// Positions near those of the plan are searched for a better one, until a limit is reached or nothing more is found. The best
    /// plan is printed, also after Ctrl-C; the plans before and after are both checked.
    Improve(Improve),
}

// `beeline sokoban improve`.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::table())]
pub(crate) struct Improve {
    /// The level: a file, the name of a level that ships, or -
    #[arg(value_name = "FILE|NAME|-")]
    pub(crate) puzzle: PathBuf,
    /// The file with the plan, or -; without it, the shortest solution in the level's file
    #[arg(value_name = "PLAN")]
    pub(crate) plan: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The figure to minimise; the other one never becomes worse
    #[arg(long, value_name = "NAME", value_parser = ["moves", "pushes"], default_value = "moves")]
    pub(crate) objective: String,
    /// Let the other figure become worse
    #[arg(long)]
    pub(crate) trade: bool,
    /// Threads; 0 is one for each core
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) threads: usize,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Print the plan only
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
