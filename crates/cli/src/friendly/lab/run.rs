//! `beeline lab run`: the spec, the records, the progress line.

use std::collections::HashSet;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use beeline_lab::batch::Array;
use beeline_lab::record::{self, Origin, RecordFile, part_path};
use beeline_lab::run::{Progress, Starter};
use beeline_lab::suite::{self, tasks};
use beeline_lab::task::Task;
use beeline_lab::{Record, Spec};
use beeline_puzzles::file;
use beeline_puzzles::quote::shortened;
use beeline_search::Budget;

use super::super::args::LabRun;
use super::super::input;
use super::super::interrupt::Searching;
use super::super::report::{Stop, Trouble};
use super::super::units::{plural, time};
use super::super::{Exit, Session};

/// The revision of the sources that this program was built from.
const REVISION: &str = env!("BEELINE_REVISION");

/// Runs a spec.
pub(super) fn run(args: &LabRun, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let name = args.spec.display().to_string();
    let text = input::text(&name, file::read_spec(&args.spec))?;
    let spec = Spec::parse(&text).map_err(|error| Trouble::text(&name, &text, &error))?;
    let all = {
        let mut bar = Bar::new(session);
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
        let runs = plural(all.len(), "run");
        writeln!(session.io.out, "{runs}: {missing} to make, {} recorded", all.len() - missing)?;
        return Ok(Exit::Done);
    }
    let origin = Origin::here(REVISION);
    let mut records = RecordFile::open(&path, &recorded, &origin)
        .map_err(|error| Trouble::new(Exit::Input, error.to_string()))?;
    let missing = all.iter().filter(|t| !records.has(t)).count();
    let there = all.len() - missing;
    if records.stale > 0 {
        session.io.out.flush()?;
        let stale = plural(records.stale, "record");
        writeln!(session.io.err, "note: {stale} of another revision; --fresh makes them anew")?;
    }
    let beside = args.out.join(format!("{experiment}.toml"));
    std::fs::write(&beside, &text).map_err(|error| cannot_write(&beside, &error))?;
    let starter = Starter { program: program()?, arguments: vec!["lab".to_owned(), "one".to_owned()] };
    let started = Instant::now();
    let cancel = session.cancel.clone();
    let mut hung: Vec<String> = Vec::new();
    let made = {
        // Every run has limits and a process of its own; only the end of all is watched.
        let _searching = Searching::begin(&Budget { cancel: cancel.clone(), ..Budget::default() });
        let mut bar = Bar::new(session);
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
    let took = time(started.elapsed());
    writeln!(
        session.io.out,
        "{}: {} made, {there} were there · {took}",
        path.display(),
        plural(made, "run")
    )?;
    if !hung.is_empty() {
        session.io.out.flush()?;
        let runs = plural(hung.len(), "run");
        let which = shortened(&hung.join(", ")).into_owned();
        writeln!(
            session.io.err,
            "warning: {runs} hung and had to be killed, which is a bug in Beeline: {which}"
        )?;
    }
    Ok(if cancel.is_cancelled() { Exit::Interrupted } else { Exit::Done })
}

/// Writes the script of a job array, and says how to start it.
fn array(args: &LabRun, name: &str, all: &[Task], session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let array = Array::new(all, args.bundle);
    std::fs::create_dir_all(&args.out).map_err(|error| cannot_write(&args.out, &error))?;
    let path = args.out.join(format!("{name}.sbatch"));
    let script = array.script(name, &program()?, &args.spec, &args.out);
    std::fs::write(&path, script).map_err(|error| cannot_write(&path, &error))?;
    let (runs, jobs) = (plural(all.len(), "run"), plural(array.parts, "job"));
    writeln!(session.io.out, "{}: {runs} in {jobs}", path.display())?;
    writeln!(session.io.out, "start them with: sbatch {}", path.display())?;
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
        std::fs::remove_file(&file).map_err(|error| cannot_write(&file, &error))?;
    }
    Ok(())
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Trouble {
    Trouble::new(Exit::Usage, format!("cannot write '{}': {error}", path.display()))
}

/// How far it is, and how long it will take if it goes on like this.
fn estimate(p: &Progress<'_>, elapsed: Duration) -> String {
    let left = elapsed.mul_f64((p.all - p.done) as f64 / p.done.max(1) as f64);
    let share = 100 * p.done / p.all.max(1);
    let last = p.last;
    format!(
        "{share:>3} % · {} of {} · {} left · {} on {}: {}",
        p.done,
        p.all,
        time(left),
        last.strategy,
        last.instance,
        last.measured.verdict
    )
}

/// One line on a terminal, gone when it is dropped.
struct Bar<'a> {
    err: &'a mut dyn Write,
    on: bool,
    columns: usize,
    next: Instant,
    shown: bool,
}

impl<'a> Bar<'a> {
    fn new(session: &'a mut Session<'_, '_>) -> Self {
        let screen = session.io.screen;
        Self {
            err: &mut *session.io.err,
            on: screen.progress,
            columns: screen.columns,
            next: Instant::now(),
            shown: false,
        }
    }

    fn show(&mut self, text: &str, last: bool) {
        if !self.on || (Instant::now() < self.next && !last) {
            return;
        }
        self.next = Instant::now() + Duration::from_millis(100);
        self.shown = true;
        let text: String = text.chars().take(self.columns.saturating_sub(1)).collect();
        self.put(&text);
    }

    fn put(&mut self, text: &str) {
        // A line that cannot be written is not shown again.
        let line = format!("\r\x1b[2K{text}");
        self.on = self.err.write_all(line.as_bytes()).and_then(|()| self.err.flush()).is_ok();
    }
}

impl Drop for Bar<'_> {
    fn drop(&mut self) {
        if self.shown {
            self.put("");
        }
    }
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
