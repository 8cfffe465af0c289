//! `beeline`: one file per command, and modules that several commands share.
//!
//! A command calls the other crates to solve, check or draw, and `crate::report` prints the results. All output goes
//! through [`Io`] and every kind of puzzle comes through [`World`]. So a test can run any command in its own process,
//! even with its own kind of puzzle. Only [`main`] accesses the process.

mod animate;
mod args;
mod bricks;
mod certificate;
mod check;
mod cluster;
mod compare;
mod data;
mod draw;
mod explain;
mod export;
mod flow;
mod input;
mod interrupt;
mod keep;
#[cfg(feature = "lab")]
mod lab;
mod list;
mod make;
mod manual;
mod names;
#[cfg(feature = "terminal")]
mod play;
mod run;
#[cfg(feature = "web")]
mod serve;
mod sokoban;
mod solve;
mod tiles;
mod tiles_space;
mod tour;
#[cfg(feature = "terminal")]
mod watch;

use std::ffi::OsString;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Duration;

use beeline_check::{Checked, Flaw};
use beeline_puzzles::{KINDS, Kind, Puzzle};
use beeline_search::Cancel;
use beeline_view::ascii::{Ascii, Form};
use clap::{CommandFactory, FromArgMatches};

use args::{Args, Command};
pub(crate) use beeline_api::machine;

pub use crate::report::{Exit, Io, Screen};
use crate::report::{Stop, Trouble, usage};
use crate::watchdog::GRACE;

/// The type of the checker.
pub type Checker = fn(&dyn Puzzle, Option<&str>, &[String]) -> Result<Checked, Flaw>;

/// The environment of a command that a test may replace.
#[derive(Clone, Copy)]
pub struct World {
    /// The supported kinds of puzzle.
    pub kinds: &'static [&'static dyn Kind],
    /// The checker of every plan.
    pub check: Checker,
    /// How long a search may run after its limit before the process reports a hang and ends.
    pub grace: Duration,
}

impl Default for World {
    fn default() -> Self {
        let check: Checker = |puzzle, objective, steps| {
            beeline_check::check(puzzle.kind().name(), &puzzle.text(), objective, steps)
        };
        Self { kinds: KINDS, check, grace: GRACE }
    }
}

/// The context of a command, besides its arguments.
struct Session<'a, 'b> {
    io: &'a mut Io<'b>,
    world: World,
    cancel: Cancel,
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    main_with(std::env::args_os(), World::default()).into()
}

/// Runs a command line with the process's own streams and signals.
pub fn main_with(args: impl IntoIterator<Item = OsString>, world: World) -> Exit {
    interrupt::quiet_panics();
    let cancel = Cancel::default();
    let (mut out, mut err, mut input) =
        (io::BufWriter::new(io::stdout().lock()), io::stderr(), io::stdin().lock());
    let screen = Screen::detect();
    let mut io = Io { out: &mut out, err: &mut err, input: &mut input, screen };
    // Both start threads, which help, the version and usage errors do not need.
    let guard = || {
        interrupt::install(&cancel);
        interrupt::start_watchdog(screen, world.grace);
    };
    run_guarded(args, &mut io, world, &cancel, &guard)
}

/// Runs one command line and returns how it ended. `args` begins with the name of the program.
pub fn run(args: impl IntoIterator<Item = OsString>, io: &mut Io<'_>, world: World, cancel: &Cancel) -> Exit {
    run_guarded(args, io, world, cancel, &|| {})
}

/// Like `run`; calls `guard` after parsing the command line and before the command starts.
fn run_guarded(
    args: impl IntoIterator<Item = OsString>,
    io: &mut Io<'_>,
    world: World,
    cancel: &Cancel,
    guard: &dyn Fn(),
) -> Exit {
    let ended = catch_unwind(AssertUnwindSafe(|| {
        let mut session = Session { io: &mut *io, world, cancel: cancel.clone() };
        let ended = dispatch(args, &mut session, guard);
        let ended = ended.and_then(|exit| session.io.out.flush().map(|()| exit).map_err(Stop::from));
        match ended {
            Ok(exit) => exit,
            Err(Stop::Trouble(trouble)) => session.io.report_error(&trouble),
            // The reader of the output has closed the pipe and wants no more.
            Err(Stop::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
            Err(Stop::Write(error)) => session
                .io
                .report_error(&Trouble::new(Exit::Internal, format!("cannot write the output: {error}"))),
        }
    }));
    ended.unwrap_or_else(|panic| {
        let what = interrupt::panic_message(panic.as_ref());
        let trouble = Trouble::new(Exit::Internal, format!("internal error: {what}")).help(
            "this is a bug in Beeline, not in your puzzle; please report it with the command and the file",
        );
        io.report_error(&trouble)
    })
}

fn dispatch(
    args: impl IntoIterator<Item = OsString>,
    session: &mut Session<'_, '_>,
    guard: &dyn Fn(),
) -> Result<Exit, Stop> {
    // The width is fixed, so that help looks the same everywhere.
    let command = Args::command().term_width(session.io.screen.columns.min(100));
    let args: Vec<OsString> = args.into_iter().collect();
    // Help and usage errors are printed without parsed arguments, so `--ascii` is searched here.
    session.io.screen.ascii |= args.iter().any(|word| word == "--ascii");
    let parsed = command.try_get_matches_from(args).and_then(|m| Args::from_arg_matches(&m));
    let args = match parsed {
        Ok(args) => args,
        Err(error) => return Ok(usage::print(&error, session.io)?),
    };
    guard();
    session.io.screen.choose(args.look.color, args.look.ascii);
    if !session.io.screen.ascii {
        return perform(args.command, session);
    }
    let form = args.command.as_ref().map_or(Form::Folded, Command::ascii_form);
    let Io { out, err, input, screen } = &mut *session.io;
    let (mut out, mut err) = (Ascii::new(&mut **out, form), Ascii::new(&mut **err, Form::Folded));
    let mut io = Io { out: &mut out, err: &mut err, input: &mut **input, screen: *screen };
    perform(args.command, &mut Session { io: &mut io, world: session.world, cancel: session.cancel.clone() })
}

fn perform(command: Option<Command>, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    match command {
        None => tour::tour(session),
        Some(Command::Solve(args)) => solve::solve(&args, session),
        #[cfg(feature = "terminal")]
        Some(Command::Play(args)) => play::play(&args, session),
        #[cfg(feature = "terminal")]
        Some(Command::Watch(args)) => watch::watch(&args, session),
        #[cfg(not(feature = "terminal"))]
        Some(Command::Play(_) | Command::Watch(_)) => Err(Trouble::without("screens", "terminal").into()),
        Some(Command::Resume(args)) => keep::resume(&args, session),
        Some(Command::Check(args)) => check::check(&args, session),
        Some(Command::Export(args)) => export::export(&args, session),
        Some(Command::Compare(args)) => compare::compare(&args, session),
        Some(Command::Draw(args)) => draw::draw(&args, session),
        Some(Command::Make(args)) => make::make(&args, session),
        #[cfg(feature = "lab")]
        Some(Command::Lab(args)) => lab::lab(&args, session),
        #[cfg(not(feature = "lab"))]
        Some(Command::Lab(_)) => Err(Trouble::without("experiments", "lab").into()),
        Some(Command::List(args)) => list::list(&args, session),
        Some(Command::Explain(args)) => explain::explain(&args, session),
        Some(Command::Bricks(command)) => bricks::bricks(&command, session),
        #[cfg(feature = "web")]
        Some(Command::Serve(args)) => serve::serve(&args, session),
        #[cfg(not(feature = "web"))]
        Some(Command::Serve(_)) => Err(Trouble::without("the page", "web").into()),
        Some(Command::Tiles(command)) => tiles::tiles(&command, session),
        Some(Command::Flow(command)) => flow::flow(&command, session),
        Some(Command::Sokoban(command)) => sokoban::sokoban(&command, session),
        Some(Command::Cluster(command)) => cluster::cluster(&command, session),
        Some(Command::Completions(args)) => manual::completions(&args, session),
        Some(Command::Man(args)) => manual::man(&args, session),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn only_a_command_that_runs_is_guarded() {
        for (line, guards) in [("--version", 0), ("--no-such", 0), ("list kinds", 1)] {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let mut io =
                Io { out: &mut out, err: &mut err, input: &mut io::empty(), screen: Screen::plain(80) };
            let called = Cell::new(0);
            let args = std::iter::once("beeline").chain(line.split(' ')).map(OsString::from);
            run_guarded(args, &mut io, World::default(), &Cancel::default(), &|| {
                called.set(called.get() + 1);
            });
            assert_eq!(called.get(), guards, "{line}");
        }
    }
}
