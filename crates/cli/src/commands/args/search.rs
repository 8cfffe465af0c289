//! Arguments of the commands that search, and of `check`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use beeline_api::units;
use clap::{ArgGroup, Subcommand};

use super::shared::{Keeping, Limits, OnePuzzle, Output, Search, Source, WrittenPlan};
use crate::report::exit;

// `beeline solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::table())]
pub(crate) struct Solve {
    #[command(flatten)]
    pub(crate) source: Source,
    /// The strategy, or a solver of the kind; see 'beeline list strategies'
    #[arg(long, value_name = "STRATEGY", help_heading = "Search")]
    pub(crate) with: Option<String>,
    #[command(flatten)]
    pub(crate) search: Search,
    /// Go on improving the plan for this time: 5s, 2m (Sokoban with --objective any)
    #[arg(long, value_name = "TIME", value_parser = units::duration, help_heading = "Search")]
    pub(crate) improve: Option<Duration>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    #[command(flatten)]
    pub(crate) keeping: Keeping,
    #[command(flatten)]
    pub(crate) output: Output,
    /// Write the file again with the plans in it, as Sokoban collections hold them (- is standard output)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,
}

// `beeline watch`.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::table())]
pub(crate) struct Watch {
    #[command(flatten)]
    pub(crate) source: OnePuzzle,
    /// The strategy, or a solver of the kind; see 'beeline list strategies'
    #[arg(long, value_name = "STRATEGY", default_value = "astar", help_heading = "Search")]
    pub(crate) with: String,
    #[command(flatten)]
    pub(crate) search: Search,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

// `beeline resume`.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::table())]
pub(crate) struct Resume {
    /// The checkpoint
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// How often to save; without it, as before
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(crate) every: Option<Duration>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    #[command(flatten)]
    pub(crate) output: Output,
}

// `beeline compare`.
#[derive(Debug, clap::Args)]
#[command(
    group(ArgGroup::new("format").args(["csv", "json", "markdown"])),
    after_help = "Without --time, each run may take ten seconds. A run that is stopped by a limit is a result like any \
                  other: the exit code is 0 when every run could be made."
)]
pub(crate) struct Compare {
    #[command(flatten)]
    pub(crate) source: Source,
    /// The strategies, separated by commas; without it, a choice of them
    #[arg(long, value_name = "STRATEGY,...", value_delimiter = ',', help_heading = "Search")]
    pub(crate) with: Vec<String>,
    #[command(flatten)]
    pub(crate) search: Search,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Comma-separated values
    #[arg(long, help_heading = "Output")]
    pub(crate) csv: bool,
    /// One JSON object for each run, on a line of its own (docs/json.md)
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// A Markdown table
    #[arg(long, help_heading = "Output")]
    pub(crate) markdown: bool,
}

// `beeline check`.
#[derive(Debug, clap::Args)]
#[command(
    group(ArgGroup::new("written").args(["plan", "steps"])),
    override_usage = "beeline check [OPTIONS] <FILE|NAME|-> [PLAN|--steps <TEXT>]",
    mut_arg("plan", |plan| plan.help(
        "The file with the plan, or -; the plan itself goes with --steps. Without either, the solutions in the puzzle's file"
    )),
    after_help = exit::table()
)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) source: WrittenPlan,
    /// What the plan is meant to minimise; its cost is counted so
    #[arg(long, value_name = "NAME")]
    pub(crate) objective: Option<String>,
    /// Verify this certificate, too: that no plan costs less or, without a plan, that there is none
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Stop verifying after this time: 500ms, 30s, 5m, 1.5h
    #[arg(long, value_name = "TIME", value_parser = units::duration, requires = "certificate")]
    pub(crate) time: Option<Duration>,
    /// Answer as a JSON object (docs/json.md)
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) json: bool,
    /// Say nothing; the exit code is the answer
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// `beeline cluster`.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum ClusterCommand {
    /// Solve one puzzle with several ranks: mpirun -np N beeline cluster solve FILE
    ///
    /// Every state belongs to one rank; each rank has memory of its own. Started by mpirun or srun (in a build with
    /// --features mpi), the ranks are processes; with --ranks N they are threads of this one. The first rank prints.
    Solve(ClusterSolve),
}

// `beeline cluster solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::table())]
pub(crate) struct ClusterSolve {
    #[command(flatten)]
    pub(crate) source: OnePuzzle,
    /// The strategy: astar, ucs or bfs
    #[arg(long, value_name = "STRATEGY", default_value = "astar", help_heading = "Search")]
    pub(crate) with: String,
    #[command(flatten)]
    pub(crate) search: Search,
    /// So many ranks as threads of this process, instead of mpirun
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub(crate) ranks: Option<NonZeroUsize>,
    /// Keep each layer of bfs in this folder, which every rank must reach
    #[arg(long, value_name = "FOLDER", help_heading = "Search")]
    pub(crate) layers: Option<PathBuf>,
    /// Go on from the last layer in that folder
    #[arg(long, requires = "layers", help_heading = "Search")]
    pub(crate) resume: bool,
    /// The limits; memory is meant for each rank
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// One JSON object (docs/json.md)
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}
