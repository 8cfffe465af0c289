//! `beeline lab run`: reads the spec, makes the runs, writes the records and shows progress.

use std::collections::HashSet;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Instant;

use beeline_lab::batch::Array;
use beeline_lab::record::{self, Origin, RecordFile, part_path};
use beeline_lab::run::{Progress, Starter};
use beeline_lab::suite::{self, tasks};
use beeline_lab::task::Task;
use beeline_lab::{Record, Spec};
use beeline_puzzles::file;
use beeline_search::Budget;

use super::super::args::LabRun;
use super::super::input;
use super::super::interrupt::SearchGuard;
use super::super::{Exit, Session};
use crate::report::lab::{self as report, Bar, estimate};
use crate::report::{Stop, Trouble};

/// The source revision of this program.
const REVISION: &str = env!("BEELINE_REVISION");

/// Runs a spec.
pub(super) fn run(args: &LabRun, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let name = args.spec.display().to_string();
    let text = input::text(&name, file::read_spec(&args.spec))?;
    let spec = Spec::parse(&text).map_err(|error| Trouble::text(&name, &text, &error))?;
    let all = {
        let mut bar = Bar::new(session.io);
        tasks(&spec, &mut |done, all| bar.show(&format!("making puzzles: {done} of {all}"), false))
    };
    let all = all.map_err(|trouble| match trouble {
        suite::Trouble::Spec(error) => Trouble::text(&name, &text, &error),
        suite::Trouble::File(bad) => Trouble::text(&bad.path.display().to_string(), &bad.text, &bad.error),
    })?;
    let experiment = spec.name.get_ref();
    let path = args.out.join(format!("{experiment}.jsonl"));
    if args.slurm {
        return array(args, experiment, &all, session);
    }
    let path = args.part.map_or(path.clone(), |part| part_path(&path, part));
    let all = match args.part {
        Some(part) => part.pick(all),
        None => all,
    };
    if args.fresh && !args.dry_run {
        forget(&path)?;
    }
    let recorded = recorded(&args.out.join(format!("{experiment}.jsonl")))?;
    if args.dry_run {
        let there: HashSet<&str> = recorded.iter().map(|r| r.key.as_str()).collect();
        let missing = all.iter().filter(|t| !there.contains(t.key().as_str())).count();
        report::plan(all.len(), missing, session.io)?;
        return Ok(Exit::Done);
    }
    let origin = Origin::here(REVISION);
    let mut records = RecordFile::open(&path, &recorded, &origin)
        .map_err(|error| Trouble::new(Exit::Input, error.to_string()))?;
    let missing = all.iter().filter(|t| !records.has(t)).count();
    let there = all.len() - missing;
    if records.stale > 0 {
        report::stale(records.stale, session.io)?;
    }
    let beside = args.out.join(format!("{experiment}.toml"));
    std::fs::write(&beside, &text).map_err(|error| Trouble::unwritable(&beside, &error))?;
    let starter = Starter { program: program()?, arguments: vec!["lab".to_owned(), "one".to_owned()] };
    let started = Instant::now();
    let cancel = session.cancel.clone();
    let mut hung: Vec<String> = Vec::new();
    let made = {
        // Every run has its own limits and process, so the watchdog only watches the end of all.
        let _searching = SearchGuard::begin(&Budget { cancel: cancel.clone(), ..Budget::default() });
        let mut bar = Bar::new(session.io);
        let mut tell = |p: Progress<'_>| {
            hung.extend(
                p.last.measured.hung().then(|| format!("{} on {}", p.last.strategy, p.last.instance)),
            );
            bar.show(&estimate(&p, started.elapsed()), p.done == p.all);
        };
        beeline_lab::run::run(
            experiment,
            &all,
            &mut records,
            &starter,
            (args.jobs, &origin),
            &cancel,
            &mut tell,
        )
    };
    let made = made.map_err(|error| Trouble::new(Exit::Input, error.to_string()))?;
    report::made(&path, made, there, started.elapsed(), session.io)?;
    if !hung.is_empty() {
        report::hung(&hung, session.io)?;
    }
    Ok(if cancel.is_cancelled() { Exit::Interrupted } else { Exit::Done })
}

/// Writes the script of a job array, and prints how to submit it.
fn array(args: &LabRun, name: &str, all: &[Task], session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let array = Array::new(all, args.bundle);
    std::fs::create_dir_all(&args.out).map_err(|error| Trouble::unwritable(&args.out, &error))?;
    let path = args.out.join(format!("{name}.sbatch"));
    let script = array.script(name, &program()?, &args.spec, &args.out);
    std::fs::write(&path, script).map_err(|error| Trouble::unwritable(&path, &error))?;
    report::array(&path, all.len(), array.parts, session.io)?;
    Ok(Exit::Done)
}

fn program() -> Result<PathBuf, Trouble> {
    std::env::current_exe()
        .map_err(|error| Trouble::new(Exit::Internal, format!("cannot find the program itself: {error}")))
}

/// The recorded runs, in the file or in a part of it.
fn recorded(path: &Path) -> Result<Vec<Record>, Trouble> {
    if !path.exists() && record::parts(path).is_empty() {
        return Ok(Vec::new());
    }
    record::read(path).map_err(|error| Trouble::new(Exit::Input, error.to_string()))
}

/// Removes the records and their parts.
fn forget(path: &Path) -> Result<(), Trouble> {
    for file in record::parts(path).into_iter().chain([path.to_owned()]).filter(|file| file.exists()) {
        std::fs::remove_file(&file).map_err(|error| Trouble::unwritable(&file, &error))?;
    }
    Ok(())
}

/// Makes one run: reads the task from standard input and writes one line.
pub(super) fn one(session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    // The parent ends this process after its time limit.
    let _searching = SearchGuard::begin(&Budget { cancel: session.cancel.clone(), ..Budget::default() });
    let mut input = BufReader::new(&mut *session.io.input);
    let read = beeline_lab::run::task(&mut input);
    let task =
        read.map_err(|error| Trouble::new(Exit::Usage, format!("no task on standard input: {error}")))?;
    exit_with_parent();
    beeline_lab::run::child(&task, session.io.out, session.cancel.clone())?;
    Ok(Exit::Done)
}

/// The parent keeps our input open while it lives. When it ends, this process exits at once.
#[cfg(unix)]
fn exit_with_parent() {
    use std::io::Read;
    use std::os::fd::AsFd;
    // The command holds the lock of the first handle, so this needs a second one. Without it, the process does not
    // exit early.
    let Ok(handle) = std::io::stdin().as_fd().try_clone_to_owned() else { return };
    std::thread::spawn(move || {
        let mut input = std::fs::File::from(handle);
        let mut bytes = [0; 64];
        while input.read(&mut bytes).is_ok_and(|n| n > 0) {}
        std::process::exit(i32::from(Exit::Interrupted.code()));
    });
}

#[cfg(not(unix))]
fn exit_with_parent() {}
