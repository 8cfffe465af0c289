//! `beeline lab run`: the spec, the records, the progress line.

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
use super::super::interrupt::Searching;
use super::super::{Exit, Session};
use crate::report::lab::{self as report, Bar, estimate};
use crate::report::{Stop, Trouble};

/// The revision of the sources that this program was built from.
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
        // Every run has limits and a process of its own; only the end of all is watched.
        let _searching = Searching::begin(&Budget { cancel: cancel.clone(), ..Budget::default() });
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

/// Writes the script of a job array, and says how to start it.
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

/// The runs that are recorded, in the file or in a part of it.
fn recorded(path: &Path) -> Result<Vec<Record>, Trouble> {
    if !path.exists() && record::parts(path).is_empty() {
        return Ok(Vec::new());
    }
    record::read(path).map_err(|error| Trouble::new(Exit::Input, error.to_string()))
}

/// Removes the records, with their parts.
fn forget(path: &Path) -> Result<(), Trouble> {
    for file in record::parts(path).into_iter().chain([path.to_owned()]).filter(|file| file.exists()) {
        std::fs::remove_file(&file).map_err(|error| Trouble::unwritable(&file, &error))?;
    }
    Ok(())
}

/// One run: the task comes on standard input, one line goes out.
pub(super) fn one(session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    // The parent sees that this process ends after its time limit.
    let _searching = Searching::begin(&Budget { cancel: session.cancel.clone(), ..Budget::default() });
    let mut input = BufReader::new(&mut *session.io.input);
    let read = beeline_lab::run::task(&mut input);
    let task =
        read.map_err(|error| Trouble::new(Exit::Usage, format!("no task on standard input: {error}")))?;
    leave_with_parent();
    beeline_lab::run::child(&task, session.io.out, session.cancel.clone())?;
    Ok(Exit::Done)
}

/// The parent keeps our input open as long as it lives. When it ends, so do we, whatever we are doing.
#[cfg(unix)]
fn leave_with_parent() {
    use std::io::Read;
    use std::os::fd::AsFd;
    // A second handle, since the first one is locked by the command itself. Without one we simply stay.
    let Ok(handle) = std::io::stdin().as_fd().try_clone_to_owned() else { return };
    std::thread::spawn(move || {
        let mut input = std::fs::File::from(handle);
        let mut bytes = [0; 64];
        while input.read(&mut bytes).is_ok_and(|n| n > 0) {}
        std::process::exit(i32::from(Exit::Interrupted.code()));
    });
}

#[cfg(not(unix))]
fn leave_with_parent() {}
