//! Arguments of `beeline lab`.

use std::path::PathBuf;
use std::time::Duration;

use beeline_api::units;
use beeline_lab::batch::Part;
use clap::{Subcommand, ValueEnum};

/// `beeline lab`.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Lab {
    /// Make every run of a spec that the records do not have yet
    Run(LabRun),
    /// Print the records as a table
    Table(LabTable),
    /// Draw a figure from the records
    Plot(LabPlot),
    /// Write the report: set-up, tables, figures and answers
    Report(LabReport),
    /// One run, for 'run'
    #[command(hide = true)]
    One,
}

// `beeline lab run`.
#[derive(Debug, clap::Args)]
pub(crate) struct LabRun {
    /// The spec (docs/lab.md)
    #[arg(value_name = "SPEC.toml")]
    pub(crate) spec: PathBuf,
    /// The folder of the records
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    pub(crate) out: PathBuf,
    /// Runs at a time; times are best with fewer than there are cores
    #[arg(long, short, value_name = "N", default_value_t = 1)]
    pub(crate) jobs: usize,
    /// Forget the records that are there
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Say what would be run, and run nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Make only this part of the runs, for schedulers of all sorts; its records lie beside the others
    #[arg(long, value_name = "I/N")]
    pub(crate) part: Option<Part>,
    /// Write the script of a Slurm job array that makes the runs, and run nothing
    #[arg(long, conflicts_with_all = ["part", "jobs"])]
    pub(crate) slurm: bool,
    /// How long a job of the array may take; short runs are bundled up to this
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = units::duration, requires = "slurm")]
    pub(crate) bundle: Duration,
}

// Which records.
#[derive(Debug, clap::Args)]
pub(crate) struct LabRecords {
    /// Files of records; without one, the newest in results/
    #[arg(value_name = "RECORDS")]
    pub(crate) records: Vec<PathBuf>,
    /// Only these strategies
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) strategies: Vec<String>,
    /// Only these suites
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) suites: Vec<String>,
}

// `beeline lab table`.
#[derive(Debug, clap::Args)]
pub(crate) struct LabTable {
    #[command(flatten)]
    pub(crate) records: LabRecords,
    /// The columns by name; "list" lists them
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,
    /// A line for each strategy: sums, geometric means, PAR-2, solved counts
    #[arg(long, conflicts_with_all = ["columns", "versus"])]
    pub(crate) summary: bool,
    /// Two strategies beside each other
    #[arg(
        long,
        value_name = "FIRST,SECOND",
        value_delimiter = ',',
        num_args = 1,
        conflicts_with = "columns"
    )]
    pub(crate) versus: Vec<String>,
    /// What --versus compares
    #[arg(long, value_name = "COLUMN", default_value = "expanded")]
    pub(crate) metric: String,
    /// text, markdown, csv, json or latex
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "text", hide_possible_values = true)]
    pub(crate) format: TableFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    Text,
    Markdown,
    Csv,
    Json,
    Latex,
}

// `beeline lab plot`.
#[derive(Debug, clap::Args)]
pub(crate) struct LabPlot {
    #[command(flatten)]
    pub(crate) records: LabRecords,
    /// The column of the horizontal axis
    #[arg(long, value_name = "COLUMN", default_value = "steps")]
    pub(crate) x: String,
    /// The column of the vertical axis
    #[arg(long, value_name = "COLUMN", default_value = "expanded")]
    pub(crate) y: String,
    /// A quantile plot of --y: how many puzzles are answered within how much
    #[arg(long, conflicts_with_all = ["versus", "x"])]
    pub(crate) cactus: bool,
    /// Two strategies against each other, by --y
    #[arg(long, value_name = "FIRST,SECOND", value_delimiter = ',', num_args = 1, conflicts_with = "x")]
    pub(crate) versus: Vec<String>,
    /// Which axes are logarithmic: none, x, y or both
    #[arg(long, value_name = "AXES", value_parser = ["none", "x", "y", "both"], default_value = "y")]
    #[arg(hide_possible_values = true)]
    pub(crate) log: String,
    /// With the growth curve that fits best, its equation and R²
    #[arg(long)]
    pub(crate) fit: bool,
    /// Join the points
    #[arg(long)]
    pub(crate) line: bool,
    /// The title
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// Write an .svg or .png file instead of drawing in the terminal
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

// `beeline lab report`.
#[derive(Debug, clap::Args)]
pub(crate) struct LabReport {
    #[command(flatten)]
    pub(crate) records: LabRecords,
    /// Where to write: .html (one page with everything) or .md (with a folder of figures)
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Which questions to answer instead of the spec's: gate, tiles, flow, sokoban, bricks, all, collections, general
    #[arg(long, value_name = "NAME")]
    pub(crate) questions: Option<String>,
    /// Also write every figure as .png into this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) png: Option<PathBuf>,
}
