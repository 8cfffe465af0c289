//! `beeline cluster`: solves one puzzle with several ranks.
//!
//! Every rank runs this command on the same file. The first one prints, and the others only search.

use std::num::NonZeroUsize;

use beeline_puzzles::Puzzle;
use beeline_search::parallel::{Cluster, Ranks, STRATEGIES, Saving};

use super::args::{ClusterCommand, ClusterSolve};
use super::input;
use super::interrupt::set_subject;
use super::{Exit, Io, Session, run};
use crate::report::answer::{self, Run};
use crate::report::instance::Instance;
use crate::report::{Stop, Trouble, json};

/// Runs one of the commands.
pub(super) fn cluster(command: &ClusterCommand, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    match command {
        ClusterCommand::Solve(args) => {
            let (ranks, leads) = ranks(args.ranks)?;
            if leads {
                return solve(args, ranks, session);
            }
            // The first rank prints everything, and its exit code is that of the job.
            let (mut out, mut err) = (std::io::sink(), std::io::sink());
            let mut screen = session.io.screen;
            screen.progress = false;
            let mut io = Io { out: &mut out, err: &mut err, input: &mut *session.io.input, screen };
            let mut quiet = Session { io: &mut io, world: session.world, cancel: session.cancel.clone() };
            solve(args, ranks, &mut quiet).map(|_| Exit::Done)
        }
    }
}

/// The ranks, and whether this process is the first of them.
fn ranks(threads: Option<NonZeroUsize>) -> Result<(Ranks, bool), Trouble> {
    match threads {
        Some(count) => Ok((Ranks::Threads(count.get()), true)),
        None if !beeline_cluster::started_as_rank() => {
            let trouble = Trouble::new(Exit::Usage, "one rank is no cluster");
            Err(trouble.help("start it with mpirun -np N, or use --ranks N for ranks in this process"))
        }
        None => connect(),
    }
}

#[cfg(feature = "mpi")]
fn connect() -> Result<(Ranks, bool), Trouble> {
    use beeline_search::parallel::{Link, transport::Transport};
    let link = beeline_cluster::Mpi::join()
        .map_err(|why| Trouble::new(Exit::Unsupported, format!("cannot join the other ranks: {why}")))?;
    let leads = link.rank() == 0;
    Ok((Ranks::Link(Link::new(link)), leads))
}

#[cfg(not(feature = "mpi"))]
fn connect() -> Result<(Ranks, bool), Trouble> {
    let trouble = Trouble::new(Exit::Unsupported, "this beeline was built without MPI");
    Err(trouble.help(
        "build it with: cargo build --release --package beeline-cli --features mpi (needs an MPI library and libclang)",
    ))
}

fn solve(args: &ClusterSolve, ranks: Ranks, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let instance = input::load_one(&args.source.puzzle, &args.source.reading, session)?;
    let puzzle = &*instance.puzzle;
    let mut job = run::job(puzzle.kind(), Some(&args.with), &args.search)?;
    let saving = args.layers.as_ref().map(|folder| Saving {
        folder: folder.clone(),
        resume: args.resume,
        instance: fingerprint(puzzle, args),
    });
    if saving.is_some() && args.with != STRATEGIES[0] {
        let why = format!("only {} goes by layers that can be kept", STRATEGIES[0]);
        return Err(Trouble::new(Exit::Unsupported, why).into());
    }
    job.settings.cluster = Some(Cluster { ranks, saving });
    let budget = run::budget(&args.limits, session);
    set_subject("cluster", &instance.source, args.json);
    let run = run::run(puzzle, &job, &budget, session)?;
    if args.json {
        json::run("cluster", &instance, &run, session.io)?;
    } else {
        answer::whole(&instance, &run, run::in_words(&instance, &run, &budget), session.io)?;
        answer::warn(&instance, session.io)?;
    }
    Ok(finish(&instance, &run, args.json, session))
}

fn finish(instance: &Instance, run: &Run, json: bool, session: &mut Session<'_, '_>) -> Exit {
    match &run.ending {
        run::Ending::Rejected(why) if !json => session.io.report_error(&answer::rejected(instance, run, why)),
        _ => run.exit(),
    }
}

/// Identifies this job, so that layers of another job are not used: FNV-1a, which is the same in every build.
fn fingerprint(puzzle: &dyn Puzzle, args: &ClusterSolve) -> u64 {
    let job = format!("{} {:?} {:?} ", puzzle.kind().name(), args.search.objective, args.search.rules);
    let bytes = job.bytes().chain(puzzle.text().into_bytes());
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
