//! The command line, as types. The doc comments are the help texts.

use std::net::IpAddr;
use std::num::{NonZeroU8, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use beeline_lab::batch::Part;
use beeline_view::ascii::Form;
use clap::{ArgGroup, Parser, Subcommand, ValueEnum};

use super::{exit, units};

/// Provably shortest ways through puzzle worlds.
///
/// Without a command, Beeline takes you on a one-minute tour: one puzzle of each kind is solved, drawn and checked.
#[derive(Debug, Parser)]
#[command(name = "beeline", version, after_help = exit::table())]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) look: Look,
}

#[derive(Debug, clap::Args)]
pub(super) struct Look {
    /// When to use colour; `NO_COLOR` is honoured
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        alias = "colour",
        hide_possible_values = true
    )]
    #[arg(help = "When to use colour: auto, always or never (NO_COLOR is honoured)")]
    pub(super) color: When,
    /// Print ASCII characters only, as in the C locale
    #[arg(long, global = true)]
    pub(super) ascii: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum When {
    Auto,
    Always,
    Never,
}

// Deferred: clap makes the arguments of a command only when that command is given. Those of all commands take 0.7 million
// instructions, half of what starting the process takes. A doc comment on a struct of arguments, flattened or not, would
// then replace the help text of the command, so these structs have plain comments.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// Solve puzzles: the plan, what is proved about it, and what it took
    ///
    /// The kind is recognised from the content. Without --with, the strongest solver of the kind is used. Every plan that
    /// is printed has passed the independent checker.
    Solve(Solve),
    /// Play a puzzle on the terminal, with undo, hints and the solver at hand
    ///
    /// Arrow keys move the player or a tile; where there are pieces or colours, type the name of one (or press tab, or click
    /// on it) and then an arrow. Pipes are drawn from dot to dot with the mouse. h gives a hint, s lets the solver play from
    /// here, ? shows the rules, the keys and what the mouse does. Without a puzzle there is a menu of all that ship.
    Play(Play),
    /// Watch a search while it runs: the state at hand, the frontier, the rates, what is dropped
    ///
    /// Space pauses, . makes one expansion, + and - change the speed, q leaves and prints what was found.
    Watch(Watch),
    /// Go on with a search that left a checkpoint behind
    ///
    /// The file holds the puzzle, the job and everything that was found; limits are given anew. The plan and the counters in
    /// the end are those of a search that was never stopped.
    Resume(Resume),
    /// Check a plan with rules that share nothing with the solver
    ///
    /// Exit code 0 if the plan holds, 33 if it does not; then the step is named and the board before it is drawn. Without a
    /// plan, the solutions that the file holds are checked, as Sokoban collections have them. With a certificate, that there is
    /// no shorter plan, or none, is verified as well.
    Check(Check),
    /// Write a puzzle, and a plan for it, in PDDL: for planners and validators of others
    ///
    /// Each step of each piece is an action without parameters, so this is for small boards. The plan is written as VAL and
    /// unified-planning read it.
    Export(Export),
    /// Run several strategies on the same puzzle and compare their figures
    ///
    /// Each runs under the same limits and counts the same things; every plan is checked.
    Compare(Compare),
    /// Draw a puzzle as text or SVG, at the start or along a plan
    Draw(Draw),
    /// Make new puzzles from a seed: solved or proved unsolvable, measured, always the same
    ///
    /// Without --out the puzzle is printed, so that it can be piped: beeline make flow --size 9 | beeline solve -
    Make(Make),
    /// Experiments: run a spec, print tables, draw figures, write the report
    ///
    /// 'run' makes every run of a spec in a process of its own and records it; the other commands read the records and never
    /// run anything. Without a file they take the records that were written last.
    #[command(subcommand)]
    Lab(Lab),
    /// List the kinds of puzzle, the puzzles that ship, the strategies, heuristics, objectives and rules
    List(List),
    /// Explain a strategy (what it is, promises, pseudocode, cost), a kind, a heuristic or a rule
    Explain(Explain),
    /// Whole spaces of sliding-block puzzles
    #[command(subcommand)]
    Bricks(BricksCommand),
    /// Serve the page: play, solve, see the search, compare and edit in a browser
    ///
    /// The page is part of this program and needs nothing from elsewhere. Only this machine can reach it unless --address
    /// says otherwise. docs/web.md tells more.
    Serve(Serve),
    /// Sliding tiles: the tables of the solver, whole spaces
    #[command(subcommand)]
    Tiles(TilesCommand),
    /// What only Flow Free has: how many answers a board has
    #[command(subcommand)]
    Flow(FlowCommand),
    /// What only Sokoban has: improve a plan
    #[command(subcommand)]
    Sokoban(SokobanCommand),
    /// Searches by the ranks of a cluster
    #[command(subcommand)]
    Cluster(ClusterCommand),
    /// Print the completion script of a shell
    Completions(Completions),
    /// Print the manual page
    Man(Man),
}

impl Command {
    /// What stands for characters that are not ASCII, where only ASCII is to be printed: what programs read loses nothing.
    pub(super) fn ascii_form(&self) -> Form {
        let json = match self {
            Self::Solve(args) => args.output.json,
            Self::Resume(args) => args.output.json,
            Self::Check(args) => args.json,
            Self::Compare(args) => args.json,
            Self::Make(args) => args.json,
            Self::List(args) => args.json,
            Self::Lab(Lab::Table(args)) => args.format == TableFormat::Json,
            Self::Bricks(BricksCommand::Space(args)) => args.json,
            Self::Tiles(TilesCommand::Space(args)) => args.json,
            Self::Cluster(ClusterCommand::Solve(args)) => args.json,
            _ => false,
        };
        match self {
            _ if json => Form::Json,
            Self::Draw(args) if args.svg => Form::Xml,
            _ => Form::Folded,
        }
    }
}

// Which puzzles.
#[derive(Debug, clap::Args)]
pub(super) struct Source {
    /// Puzzle files, names of puzzles that ship (see 'beeline list'), or - for standard input
    #[arg(required = true, value_name = "FILE|NAME|-")]
    pub(super) puzzles: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) reading: Reading,
}

// How to read them.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct Reading {
    /// Read the files as this kind instead of recognising it
    #[arg(long = "as", value_name = "KIND")]
    pub(super) kind: Option<String>,
    /// Of a file with several puzzles, only this one, by number or title
    #[arg(long, value_name = "N|NAME")]
    pub(super) level: Option<String>,
}

// How to search.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Search")]
pub(super) struct Search {
    /// The heuristic, for strategies that use one
    #[arg(long, value_name = "NAME")]
    pub(super) heuristic: Option<String>,
    /// What to minimise
    #[arg(long, value_name = "NAME")]
    pub(super) objective: Option<String>,
    /// Dead-end rules to use, separated by commas; "none" for none
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(super) rules: Option<Vec<String>>,
    /// The width of Iterated Width, instead of 1, 2, ... in turn
    #[arg(long, value_name = "K")]
    pub(super) width: Option<NonZeroUsize>,
    /// How much weighted A* trusts the estimate, at least 1
    #[arg(long, value_name = "W", value_parser = units::weight, default_value = "2")]
    pub(super) weight: f64,
    /// The limit of depth-limited search; the length of a random walk
    #[arg(long, value_name = "N")]
    pub(super) depth: Option<u64>,
    /// The seed of whatever is random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
    /// Threads, where a solver can use them; 0 is one for each core. Without this, 'solve' takes all of them once a search
    /// turns out to be long, and the other commands one
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<usize>,
    /// The same plan and counters every time: where several threads could find another plan of the same cost, one is used
    #[arg(long)]
    pub(super) deterministic: bool,
    /// Leave the cache folder alone: tables that a solver needs are built anew and not kept
    #[arg(long)]
    pub(super) no_cache: bool,
}

// How much to spend on each puzzle.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct Limits {
    /// Stop after this time: 500ms, 30s, 5m, 1.5h
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(super) time: Option<Duration>,
    /// Stop at this much memory: 512M, 2G (without it, four fifths of what is free)
    #[arg(long, value_name = "BYTES", value_parser = units::bytes)]
    pub(super) memory: Option<usize>,
    /// Stop after this many expanded states: 100000, 50k, 1M
    #[arg(long, value_name = "COUNT", value_parser = units::count)]
    pub(super) nodes: Option<u64>,
}

// `beeline solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::table())]
pub(super) struct Solve {
    #[command(flatten)]
    pub(super) source: Source,
    /// The strategy, or a solver of the kind; see 'beeline list strategies'
    #[arg(long, value_name = "STRATEGY", help_heading = "Search")]
    pub(super) with: Option<String>,
    #[command(flatten)]
    pub(super) search: Search,
    /// Go on improving the plan for this time: 5s, 2m (Sokoban with --objective any)
    #[arg(long, value_name = "TIME", value_parser = units::duration, help_heading = "Search")]
    pub(super) improve: Option<Duration>,
    #[command(flatten)]
    pub(super) limits: Limits,
    #[command(flatten)]
    pub(super) keeping: Keeping,
    #[command(flatten)]
    pub(super) output: Output,
    /// Write the file again with the plans in it, as Sokoban collections hold them (- is standard output)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) out: Option<PathBuf>,
}

// What outlives the process.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Disk")]
pub(super) struct Keeping {
    /// Save the search to this file, now and then and when a limit ends it; 'beeline resume FILE' goes on
    #[arg(long, value_name = "FILE")]
    pub(super) checkpoint: Option<PathBuf>,
    /// How often to save
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "60s", requires = "checkpoint")]
    pub(super) every: Duration,
    /// Breadth-first search with its layers in this folder, for spaces that outgrow the memory
    #[arg(long, value_name = "FOLDER")]
    pub(super) disk: Option<PathBuf>,
}

// What to print.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(super) struct Output {
    /// One JSON object for each puzzle, on a line of its own (docs/json.md)
    #[arg(long, conflicts_with = "quiet")]
    pub(super) json: bool,
    /// Write the plan to this file (- is standard output)
    #[arg(long, value_name = "FILE")]
    pub(super) plan: Option<PathBuf>,
    /// Write a certificate that no plan costs less, or that there is none: 'beeline check' verifies it (docs/certificates.md)
    #[arg(long, value_name = "FILE")]
    pub(super) certificate: Option<PathBuf>,
    /// Show the plan step by step: on a terminal with keys, elsewhere board after board
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub(super) animate: bool,
    /// Print the plan and nothing else
    #[arg(long, short)]
    pub(super) quiet: bool,
}

// `beeline play`.
#[derive(Debug, clap::Args)]
pub(super) struct Play {
    /// Puzzle files, names of puzzles that ship, a kind (all that ship of it), or - for standard input; without any, a menu
    #[arg(value_name = "FILE|NAME|KIND|-")]
    pub(super) puzzles: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) reading: Reading,
}

// `beeline watch`.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::table())]
pub(super) struct Watch {
    /// The puzzle: a file, the name of a puzzle that ships, or -
    #[arg(value_name = "FILE|NAME|-")]
    pub(super) puzzle: PathBuf,
    #[command(flatten)]
    pub(super) reading: Reading,
    /// The strategy, or a solver of the kind; see 'beeline list strategies'
    #[arg(long, value_name = "STRATEGY", default_value = "astar", help_heading = "Search")]
    pub(super) with: String,
    #[command(flatten)]
    pub(super) search: Search,
    #[command(flatten)]
    pub(super) limits: Limits,
}

// `beeline resume`.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::table())]
pub(super) struct Resume {
    /// The checkpoint
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// How often to save; without it, as before
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(super) every: Option<Duration>,
    #[command(flatten)]
    pub(super) limits: Limits,
    #[command(flatten)]
    pub(super) output: Output,
}

// `beeline check`.
#[derive(Debug, clap::Args)]
#[command(
    group(ArgGroup::new("written").args(["plan", "steps"])),
    override_usage = "beeline check [OPTIONS] <FILE|NAME|-> [PLAN|--steps <TEXT>]",
    after_help = exit::table()
)]
pub(super) struct Check {
    /// The puzzle: a file, the name of a puzzle that ships, or -
    #[arg(value_name = "FILE|NAME|-")]
    pub(super) puzzle: PathBuf,
    /// The file with the plan, or -; the plan itself goes with --steps. Without either, the solutions in the puzzle's file
    #[arg(value_name = "PLAN")]
    pub(super) plan: Option<PathBuf>,
    /// The plan itself, instead of a file
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(super) steps: Option<String>,
    #[command(flatten)]
    pub(super) reading: Reading,
    /// What the plan is meant to minimise; its cost is counted so
    #[arg(long, value_name = "NAME")]
    pub(super) objective: Option<String>,
    /// Verify this certificate, too: that no plan costs less or, without a plan, that there is none
    #[arg(long, value_name = "FILE")]
    pub(super) certificate: Option<PathBuf>,
    /// Stop verifying after this time: 500ms, 30s, 5m, 1.5h
    #[arg(long, value_name = "TIME", value_parser = units::duration, requires = "certificate")]
    pub(super) time: Option<Duration>,
    /// Answer as a JSON object (docs/json.md)
    #[arg(long, conflicts_with = "quiet")]
    pub(super) json: bool,
    /// Say nothing; the exit code is the answer
    #[arg(long, short)]
    pub(super) quiet: bool,
}

// `beeline export`.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "beeline export [OPTIONS] --pddl <FOLDER> <FILE|NAME|-> [PLAN|--steps <TEXT>]",
    after_help = exit::table()
)]
pub(super) struct Export {
    /// The puzzle: a file, the name of a puzzle that ships, or -
    #[arg(value_name = "FILE|NAME|-")]
    pub(super) puzzle: PathBuf,
    /// The file with a plan, or -; the plan itself goes with --steps
    #[arg(value_name = "PLAN")]
    pub(super) plan: Option<PathBuf>,
    /// The plan itself, instead of a file
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(super) steps: Option<String>,
    #[command(flatten)]
    pub(super) reading: Reading,
    /// Write domain.pddl, problem.pddl and, with a plan, plan.txt into this folder
    #[arg(long, value_name = "FOLDER")]
    pub(super) pddl: PathBuf,
}

/// `beeline flow`.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum FlowCommand {
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
pub(super) struct Answers {
    #[command(flatten)]
    pub(super) source: Source,
    /// Count on up to this many answers
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) limit: u32,
    /// Ask the SAT solver as well, and compare
    #[arg(long)]
    pub(super) cross_check: bool,
    #[command(flatten)]
    pub(super) limits: Limits,
    /// Say how many there are and draw nothing
    #[arg(long, short)]
    pub(super) quiet: bool,
}

/// `beeline sokoban`.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum SokobanCommand {
    /// Shorten a plan without giving up that it solves the level
    ///
    /// Positions near those of the plan are searched for a better one, until a limit is reached or nothing more is found. The best
    /// plan is printed, also after Ctrl-C; the plans before and after are both checked.
    Improve(Improve),
}

// `beeline sokoban improve`.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::table())]
pub(super) struct Improve {
    /// The level: a file, the name of a level that ships, or -
    #[arg(value_name = "FILE|NAME|-")]
    pub(super) puzzle: PathBuf,
    /// The file with the plan, or -; without it, the shortest solution in the level's file
    #[arg(value_name = "PLAN")]
    pub(super) plan: Option<PathBuf>,
    #[command(flatten)]
    pub(super) reading: Reading,
    /// The figure to minimise; the other one never becomes worse
    #[arg(long, value_name = "NAME", value_parser = ["moves", "pushes"], default_value = "moves")]
    pub(super) objective: String,
    /// Let the other figure become worse
    #[arg(long)]
    pub(super) trade: bool,
    /// Threads; 0 is one for each core
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) threads: usize,
    #[command(flatten)]
    pub(super) limits: Limits,
    /// Print the plan only
    #[arg(long, short)]
    pub(super) quiet: bool,
}

// `beeline compare`.
#[derive(Debug, clap::Args)]
#[command(
    group(ArgGroup::new("format").args(["csv", "json", "markdown"])),
    after_help = "Without --time, each run may take ten seconds. A run that is stopped by a limit is a result like any \
                  other: the exit code is 0 when every run could be made."
)]
pub(super) struct Compare {
    #[command(flatten)]
    pub(super) source: Source,
    /// The strategies, separated by commas; without it, a choice of them
    #[arg(long, value_name = "STRATEGY,...", value_delimiter = ',', help_heading = "Search")]
    pub(super) with: Vec<String>,
    #[command(flatten)]
    pub(super) search: Search,
    #[command(flatten)]
    pub(super) limits: Limits,
    /// Comma-separated values
    #[arg(long, help_heading = "Output")]
    pub(super) csv: bool,
    /// One JSON object for each run, on a line of its own (docs/json.md)
    #[arg(long, help_heading = "Output")]
    pub(super) json: bool,
    /// A Markdown table
    #[arg(long, help_heading = "Output")]
    pub(super) markdown: bool,
}

// `beeline draw`.
#[derive(Debug, clap::Args)]
pub(super) struct Draw {
    #[command(flatten)]
    pub(super) source: Source,
    /// Draw an SVG picture, as for a FILE that ends in .svg
    #[arg(long)]
    pub(super) svg: bool,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Draw the board after the plan in this file (it need not reach the goal)
    #[arg(long, value_name = "FILE")]
    pub(super) plan: Option<PathBuf>,
    /// With --plan: draw the board after this many steps
    #[arg(long, value_name = "N", requires = "plan")]
    pub(super) step: Option<usize>,
}

// `beeline make`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "What was measured stands in the first line of each puzzle as a remark. The limits hold for all puzzles \
                  together. What was made before a limit is kept, and the exit code is the limit's."
)]
pub(super) struct Make {
    /// The kind: gate, tiles, flow, sokoban or bricks
    #[arg(value_name = "KIND")]
    pub(super) kind: String,
    /// Everything random comes from this; --count goes on from here
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
    /// Columns and rows, walls included: 8x7, or 9 for a square; of tiles, rows and columns: 2x5 is two rows of five
    #[arg(long, value_name = "SIZE", value_parser = units::sides)]
    pub(super) size: Option<(usize, usize)>,
    /// How many pieces, bricks, boxes or colours
    #[arg(long, value_name = "N", visible_aliases = ["boxes", "colours", "bricks"])]
    pub(super) pieces: Option<usize>,
    /// easy, medium or hard, measured by the shortest plan and by the states that the solver expands. Without it, medium or
    /// the nearest that the size has
    #[arg(long, value_name = "LEVEL", value_parser = ["easy", "medium", "hard"])]
    #[arg(hide_possible_values = true)]
    pub(super) hardness: Option<String>,
    /// The length of the shortest plan, exactly
    #[arg(long, value_name = "N")]
    pub(super) distance: Option<u64>,
    /// Tiles: so many random steps from the goal
    #[arg(long, value_name = "N", conflicts_with = "distance")]
    pub(super) walk: Option<u64>,
    /// One that cannot be solved, with proof
    #[arg(long, conflicts_with_all = ["distance", "walk"])]
    pub(super) unsolvable: bool,
    /// How many, with one seed after the other
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) count: u64,
    /// Write each into a file in this folder; with --solve, all into this file: data.jsonl or data.parquet
    #[arg(long, value_name = "FOLDER|FILE")]
    pub(super) out: Option<PathBuf>,
    /// Data to learn from (docs/python.md): an optimal plan, the exact distance at each of its states, and what every other
    /// legal step would have led to. The same seed makes the same bytes
    #[arg(long, conflicts_with = "json")]
    pub(super) solve: bool,
    /// One JSON object for each, on a line of its own (docs/json.md)
    #[arg(long)]
    pub(super) json: bool,
    /// For all puzzles together; what was made before a limit is kept
    #[command(flatten)]
    pub(super) limits: Limits,
}

/// `beeline lab`.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Lab {
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
pub(super) struct LabRun {
    /// The spec (docs/lab.md)
    #[arg(value_name = "SPEC.toml")]
    pub(super) spec: PathBuf,
    /// The folder of the records
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    pub(super) out: PathBuf,
    /// Runs at a time; times are best with fewer than there are cores
    #[arg(long, short, value_name = "N", default_value_t = 1)]
    pub(super) jobs: usize,
    /// Forget the records that are there
    #[arg(long)]
    pub(super) fresh: bool,
    /// Say what would be run, and run nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Make only this part of the runs, for schedulers of all sorts; its records lie beside the others
    #[arg(long, value_name = "I/N")]
    pub(super) part: Option<Part>,
    /// Write the script of a Slurm job array that makes the runs, and run nothing
    #[arg(long, conflicts_with_all = ["part", "jobs"])]
    pub(super) slurm: bool,
    /// How long a job of the array may take; short runs are bundled up to this
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = units::duration, requires = "slurm")]
    pub(super) bundle: Duration,
}

// Which records.
#[derive(Debug, clap::Args)]
pub(super) struct LabRecords {
    /// Files of records; without one, the newest in results/
    #[arg(value_name = "RECORDS")]
    pub(super) records: Vec<PathBuf>,
    /// Only these strategies
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(super) strategies: Vec<String>,
    /// Only these suites
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(super) suites: Vec<String>,
}

// `beeline lab table`.
#[derive(Debug, clap::Args)]
pub(super) struct LabTable {
    #[command(flatten)]
    pub(super) records: LabRecords,
    /// The columns by name; "list" lists them
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(super) columns: Vec<String>,
    /// A line for each strategy: sums, geometric means, PAR-2, solved counts
    #[arg(long, conflicts_with_all = ["columns", "versus"])]
    pub(super) summary: bool,
    /// Two strategies beside each other
    #[arg(
        long,
        value_name = "FIRST,SECOND",
        value_delimiter = ',',
        num_args = 1,
        conflicts_with = "columns"
    )]
    pub(super) versus: Vec<String>,
    /// What --versus compares
    #[arg(long, value_name = "COLUMN", default_value = "expanded")]
    pub(super) metric: String,
    /// text, markdown, csv, json or latex
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "text", hide_possible_values = true)]
    pub(super) format: TableFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TableFormat {
    Text,
    Markdown,
    Csv,
    Json,
    Latex,
}

// `beeline lab plot`.
#[derive(Debug, clap::Args)]
pub(super) struct LabPlot {
    #[command(flatten)]
    pub(super) records: LabRecords,
    /// The column of the horizontal axis
    #[arg(long, value_name = "COLUMN", default_value = "steps")]
    pub(super) x: String,
    /// The column of the vertical axis
    #[arg(long, value_name = "COLUMN", default_value = "expanded")]
    pub(super) y: String,
    /// A quantile plot of --y: how many puzzles are answered within how much
    #[arg(long, conflicts_with_all = ["versus", "x"])]
    pub(super) cactus: bool,
    /// Two strategies against each other, by --y
    #[arg(long, value_name = "FIRST,SECOND", value_delimiter = ',', num_args = 1, conflicts_with = "x")]
    pub(super) versus: Vec<String>,
    /// Which axes are logarithmic: none, x, y or both
    #[arg(long, value_name = "AXES", value_parser = ["none", "x", "y", "both"], default_value = "y")]
    #[arg(hide_possible_values = true)]
    pub(super) log: String,
    /// With the growth curve that fits best, its equation and R²
    #[arg(long)]
    pub(super) fit: bool,
    /// Join the points
    #[arg(long)]
    pub(super) line: bool,
    /// The title
    #[arg(long, value_name = "TEXT")]
    pub(super) title: Option<String>,
    /// Write an .svg or .png file instead of drawing in the terminal
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

// `beeline lab report`.
#[derive(Debug, clap::Args)]
pub(super) struct LabReport {
    #[command(flatten)]
    pub(super) records: LabRecords,
    /// Where to write: .html (one page with everything) or .md (with a folder of figures)
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Which questions to answer instead of the spec's: gate, tiles, flow, sokoban, bricks, all, collections, general
    #[arg(long, value_name = "NAME")]
    pub(super) questions: Option<String>,
    /// Also write every figure as .png into this folder
    #[arg(long, value_name = "FOLDER")]
    pub(super) png: Option<PathBuf>,
}

// `beeline list`.
#[derive(Debug, clap::Args)]
pub(super) struct List {
    /// What to list; everything if left out
    #[arg(value_enum)]
    pub(super) what: Option<Listing>,
    /// Only this kind
    #[arg(long, value_name = "KIND")]
    pub(super) kind: Option<String>,
    /// One JSON object for each entry, on a line of its own (docs/json.md)
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Listing {
    /// The kinds of puzzle
    Kinds,
    /// The puzzles that ship
    #[value(name = "puzzles", alias = "examples")]
    Examples,
    /// The strategies, and the solvers of each kind
    Strategies,
    /// The heuristics of each kind
    Heuristics,
    /// What can be minimised
    Objectives,
    /// The dead-end rules
    Rules,
}

// `beeline explain`.
#[derive(Debug, clap::Args)]
pub(super) struct Explain {
    /// Its name: astar, iw, tiles, ...
    #[arg(value_name = "NAME")]
    pub(super) name: String,
}

/// `beeline bricks`.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum BricksCommand {
    /// Count the states that can be reached, by distance; find the farthest state and the hardest start
    Space(Space),
}

// `beeline bricks space`.
#[derive(Debug, clap::Args)]
pub(super) struct Space {
    /// The puzzle: a file, the name of a puzzle that ships, or -
    #[arg(value_name = "FILE|NAME|-")]
    pub(super) puzzle: PathBuf,
    #[command(flatten)]
    pub(super) reading: Reading,
    /// What counts as 1: steps, moves or lines
    #[arg(long, value_name = "NAME")]
    pub(super) objective: Option<String>,
    /// Go on beyond solved states
    #[arg(long)]
    pub(super) beyond_goals: bool,
    /// Also place the bricks in every other way, and tell into how many parts that space falls
    #[arg(long)]
    pub(super) components: bool,
    /// Write a small space as a graph: *.graphml or *.json
    #[arg(long, value_name = "FILE")]
    pub(super) graph: Option<PathBuf>,
    /// Answer as a JSON object (docs/json.md)
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) limits: Limits,
}

// `beeline serve`.
#[derive(Debug, clap::Args)]
pub(super) struct Serve {
    /// The port; 0 takes any that is free
    #[arg(long, value_name = "PORT", default_value_t = 8017)]
    pub(super) port: u16,
    /// The address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(super) address: IpAddr,
    /// Searches at one time, for all visitors together [default: 4]
    #[arg(long, value_name = "N", help_heading = "Limits of a search")]
    pub(super) runs: Option<NonZeroU8>,
    #[command(flatten)]
    pub(super) limits: ServeLimits,
}

// How much a visitor's search may take.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Limits of a search")]
pub(super) struct ServeLimits {
    /// The longest time: 30s, 5m [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(super) time: Option<Duration>,
    /// The most memory of all searches and answers together: 512M, 2G [default: 512M]
    #[arg(long, value_name = "BYTES", value_parser = units::bytes)]
    pub(super) memory: Option<usize>,
}

/// `beeline tiles`.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum TilesCommand {
    /// List, build or delete the pattern databases in the cache folder
    Tables(TilesTables),
    /// Count the boards that can be reached, by distance from the solved one, with two bits a board
    Space(TilesSpace),
}

// `beeline tiles tables`.
#[derive(Debug, clap::Args)]
pub(super) struct TilesTables {
    /// What to do
    #[arg(value_enum, default_value = "list")]
    pub(super) what: Tabling,
    /// Which tables: their names, or all
    #[arg(value_name = "NAME")]
    pub(super) names: Vec<String>,
    /// Threads; 0 is one for each core
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) threads: usize,
    /// Stop after this time: 500ms, 30s, 5m, 1.5h
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(super) time: Option<Duration>,
    /// Stop at this much memory: 512M, 2G (without it, four fifths of what is free)
    #[arg(long, value_name = "BYTES", value_parser = units::bytes)]
    pub(super) memory: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Tabling {
    /// What there is, and what of it is in the cache
    List,
    /// Build what is missing
    Build,
    /// Delete the files
    Delete,
}

/// `beeline cluster`.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum ClusterCommand {
    /// Solve one puzzle with several ranks: mpirun -np N beeline cluster solve FILE
    ///
    /// Every state belongs to one rank; each rank has memory of its own. Started by mpirun or srun (in a build with
    /// --features mpi), the ranks are processes; with --ranks N they are threads of this one. The first rank prints.
    Solve(ClusterSolve),
}

// `beeline cluster solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::table())]
pub(super) struct ClusterSolve {
    /// The puzzle: a file, the name of a puzzle that ships, or -
    #[arg(value_name = "FILE|NAME|-")]
    pub(super) puzzle: PathBuf,
    #[command(flatten)]
    pub(super) reading: Reading,
    /// The strategy: astar, ucs or bfs
    #[arg(long, value_name = "STRATEGY", default_value = "astar", help_heading = "Search")]
    pub(super) with: String,
    #[command(flatten)]
    pub(super) search: Search,
    /// So many ranks as threads of this process, instead of mpirun
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub(super) ranks: Option<NonZeroUsize>,
    /// Keep each layer of bfs in this folder, which every rank must reach
    #[arg(long, value_name = "FOLDER", help_heading = "Search")]
    pub(super) layers: Option<PathBuf>,
    /// Go on from the last layer in that folder
    #[arg(long, requires = "layers", help_heading = "Search")]
    pub(super) resume: bool,
    /// The limits; memory is meant for each rank
    #[command(flatten)]
    pub(super) limits: Limits,
    /// One JSON object (docs/json.md)
    #[arg(long, help_heading = "Output")]
    pub(super) json: bool,
}

// `beeline tiles space`.
#[derive(Debug, clap::Args)]
pub(super) struct TilesSpace {
    /// Rows and columns, as in 'size:' of a file: 3x4 is three rows of four, 3 is 3x3
    #[arg(value_name = "SIZE", value_parser = units::sides)]
    pub(super) size: (usize, usize),
    /// Threads; 0 means all cores
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub(super) threads: usize,
    /// Answer as a JSON object (docs/json.md)
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) limits: Limits,
}

// `beeline completions`.
#[derive(Debug, clap::Args)]
pub(super) struct Completions {
    /// Which shell
    #[arg(value_enum)]
    pub(super) shell: clap_complete::Shell,
}

// `beeline man`.
#[derive(Debug, clap::Args)]
pub(super) struct Man {
    /// The page of this command instead of the main page
    #[arg(value_name = "COMMAND")]
    pub(super) command: Option<String>,
    /// Write all pages into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    pub(super) all: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        super::Args::command().debug_assert();
    }

    #[test]
    fn arguments_of_a_command_are_made_when_it_is_given() {
        let made = |command: &clap::Command| command.get_arguments().count();
        let mut whole = super::Args::command();
        assert!(every(&whole).iter().all(|command| made(command) == 0));
        whole.build();
        assert!(whole.find_subcommand("solve").is_some_and(|solve| made(solve) > 10));
    }

    #[test]
    fn help_texts_are_those_of_the_commands() {
        let texts = |whole: &clap::Command| -> Vec<[Option<String>; 2]> {
            let text = |text: Option<&clap::builder::StyledStr>| text.map(ToString::to_string);
            let texts = |c: &&clap::Command| [text(c.get_about()), text(c.get_long_about())];
            every(whole).iter().map(texts).collect()
        };
        let mut whole = super::Args::command();
        let before = texts(&whole);
        whole.build();
        assert!(before.len() > 20);
        assert_eq!(texts(&whole), before);
    }

    /// All commands and their own commands, without those that clap adds.
    fn every(whole: &clap::Command) -> Vec<&clap::Command> {
        let mut all = Vec::new();
        for command in whole.get_subcommands().filter(|c| c.get_name() != "help") {
            all.push(command);
            all.extend(command.get_subcommands().filter(|c| c.get_name() != "help"));
        }
        all
    }
}
