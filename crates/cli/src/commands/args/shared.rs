//! Arguments that several commands take.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use beeline_api::units;

// Which puzzles.
#[derive(Debug, clap::Args)]
pub(crate) struct Source {
    /// Puzzle files, names of puzzles that ship (see 'beeline list'), or - for standard input
    #[arg(required = true, value_name = "FILE|NAME|-")]
    pub(crate) puzzles: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

// The single puzzle that a command works on.
#[derive(Debug, clap::Args)]
pub(crate) struct OnePuzzle {
    /// The puzzle: a file, the name of a puzzle that ships, or -
    #[arg(value_name = "FILE|NAME|-")]
    pub(crate) puzzle: PathBuf,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

// A puzzle and perhaps a plan for it.
#[derive(Debug, clap::Args)]
pub(crate) struct WrittenPlan {
    /// The puzzle: a file, the name of a puzzle that ships, or -
    #[arg(value_name = "FILE|NAME|-")]
    pub(crate) puzzle: PathBuf,
    /// The file with a plan, or -; the plan itself goes with --steps
    #[arg(value_name = "PLAN")]
    pub(crate) plan: Option<PathBuf>,
    /// The plan itself, instead of a file
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) steps: Option<String>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

// How to read them.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Reading {
    /// Read the files as this kind instead of recognising it
    #[arg(long = "as", value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// Of a file with several puzzles, only this one, by number or title
    #[arg(long, value_name = "N|NAME")]
    pub(crate) level: Option<String>,
}

// How to search.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct Search {
    /// The heuristic, for strategies that use one
    #[arg(long, value_name = "NAME")]
    pub(crate) heuristic: Option<String>,
    /// What to minimise
    #[arg(long, value_name = "NAME")]
    pub(crate) objective: Option<String>,
    /// Dead-end rules to use, separated by commas; "none" for none
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) rules: Option<Vec<String>>,
    /// The width of Iterated Width, instead of 1, 2, ... in turn
    #[arg(long, value_name = "K")]
    pub(crate) width: Option<NonZeroUsize>,
    /// How much weighted A* trusts the estimate, at least 1
    #[arg(long, value_name = "W", value_parser = units::weight, default_value = "2")]
    pub(crate) weight: f64,
    /// The limit of depth-limited search; the length of a random walk
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<u64>,
    /// The seed of whatever is random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads, where a solver can use them; 0 is one for each core. Without this, 'solve' takes all of them once a search
    /// turns out to be long, and the other commands one
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// The same plan and counters every time: where several threads could find another plan of the same cost, one is used
    #[arg(long)]
    pub(crate) deterministic: bool,
    /// Leave the cache folder alone: tables that a solver needs are built anew and not kept
    #[arg(long)]
    pub(crate) no_cache: bool,
}

// How much to spend on each puzzle.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Limits {
    /// Stop after this time: 500ms, 30s, 5m, 1.5h
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Stop at this much memory: 512M, 2G (without it, four fifths of what is free)
    #[arg(long, value_name = "BYTES", value_parser = units::bytes)]
    pub(crate) memory: Option<usize>,
    /// Stop after this many expanded states: 100000, 50k, 1M
    #[arg(long, value_name = "COUNT", value_parser = units::count)]
    pub(crate) nodes: Option<u64>,
}

// What outlives the process.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Disk")]
pub(crate) struct Keeping {
    /// Save the search to this file, now and then and when a limit ends it; 'beeline resume FILE' goes on
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How often to save
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "60s", requires = "checkpoint")]
    pub(crate) every: Duration,
    /// Breadth-first search with its layers in this folder, for spaces that outgrow the memory
    #[arg(long, value_name = "FOLDER")]
    pub(crate) disk: Option<PathBuf>,
}

// What to print.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// One JSON object for each puzzle, on a line of its own (docs/json.md)
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) json: bool,
    /// Write the plan to this file (- is standard output)
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: Option<PathBuf>,
    /// Write a certificate that no plan costs less, or that there is none: 'beeline check' verifies it (docs/certificates.md)
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Show the plan step by step: on a terminal with keys, elsewhere board after board
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub(crate) animate: bool,
    /// Print the plan and nothing else
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
