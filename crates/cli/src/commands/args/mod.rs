//! The command line, as types. The doc comments are the help texts.

// A build without a feature reads the arguments of its commands, but not their values.
#![cfg_attr(
    not(all(feature = "lab", feature = "png", feature = "terminal", feature = "web")),
    allow(dead_code, unused_imports)
)]

mod help;
#[cfg(feature = "lab")]
mod lab;
mod page;
mod puzzles;
mod search;
mod shared;

use beeline_view::ascii::Form;
use clap::{Parser, Subcommand};

pub(crate) use help::{Completions, Explain, List, Man};
#[cfg(feature = "lab")]
pub(crate) use lab::{Lab, LabPlot, LabRecords, LabReport, LabRun, LabTable, TableFormat};
pub(crate) use page::Serve;
pub(crate) use puzzles::{
    Answers, BricksCommand, Draw, Export, FlowCommand, Improve, Make, Play, SokobanCommand, Space, Tabling,
    TilesCommand, TilesSpace, TilesTables,
};
pub(crate) use search::{Check, ClusterCommand, ClusterSolve, Compare, Resume, Solve, Watch};
pub(crate) use shared::{Keeping, Limits, Output, Reading, Search, Source, WrittenPlan};

use crate::report::exit;
use crate::report::screen::When;

/// Provably shortest ways through puzzle worlds.
///
/// Without a command, Beeline takes you on a one-minute tour: one puzzle of each kind is solved, drawn and checked.
#[derive(Debug, Parser)]
#[command(name = "beeline", version, after_help = exit::table())]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) look: Look,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Look {
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
    pub(crate) color: When,
    /// Print ASCII characters only, as in the C locale
    #[arg(long, global = true)]
    pub(crate) ascii: bool,
}

// Deferred: clap makes the arguments of a command only when that command is given. Those of all commands take 0.7 million
// instructions, half of what starting the process takes. A doc comment on a struct of arguments, flattened or not, would
// then replace the help text of the command, so these structs have plain comments.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
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
    #[cfg_attr(feature = "lab", command(subcommand))]
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

// Whatever is said to a command that this build has not.
#[cfg(not(feature = "lab"))]
#[derive(Debug, clap::Args)]
pub(crate) struct Lab {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

impl Command {
    /// What stands for characters that are not ASCII, where only ASCII is to be printed: what programs read loses nothing.
    pub(crate) fn ascii_form(&self) -> Form {
        let json = match self {
            Self::Solve(args) => args.output.json,
            Self::Resume(args) => args.output.json,
            Self::Check(args) => args.json,
            Self::Compare(args) => args.json,
            Self::Make(args) => args.json,
            Self::List(args) => args.json,
            #[cfg(feature = "lab")]
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
