//! Reports of experiments: the progress line, and the runs.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use beeline_api::units::{plural, time};
use beeline_lab::run::Progress;
use beeline_puzzles::quote::shortened;

use super::Io;

/// Prints what would run.
pub(crate) fn plan(all: usize, missing: usize, io: &mut Io<'_>) -> io::Result<()> {
    writeln!(io.out, "{}: {missing} to make, {} recorded", plural(all, "run"), all - missing)
}

/// Prints that there are records of other revisions.
pub(crate) fn stale(count: usize, io: &mut Io<'_>) -> io::Result<()> {
    io.out.flush()?;
    let stale = plural(count, "record");
    writeln!(io.err, "note: {stale} of another revision; --fresh makes them anew")
}

/// Prints what ran.
pub(crate) fn made(
    path: &Path,
    made: usize,
    there: usize,
    took: Duration,
    io: &mut Io<'_>,
) -> io::Result<()> {
    let (made, took) = (plural(made, "run"), time(took));
    writeln!(io.out, "{}: {made} made, {there} were there · {took}", path.display())
}

/// Names the runs that were killed because they hung.
pub(crate) fn hung(hung: &[String], io: &mut Io<'_>) -> io::Result<()> {
    io.out.flush()?;
    let runs = plural(hung.len(), "run");
    let which = shortened(&hung.join(", ")).into_owned();
    writeln!(io.err, "warning: {runs} hung and had to be killed, which is a bug in Beeline: {which}")
}

/// Prints how to submit a job array.
pub(crate) fn array(path: &Path, runs: usize, jobs: usize, io: &mut Io<'_>) -> io::Result<()> {
    let (runs, jobs) = (plural(runs, "run"), plural(jobs, "job"));
    writeln!(io.out, "{}: {runs} in {jobs}", path.display())?;
    writeln!(io.out, "start them with: sbatch {}", path.display())
}

/// The progress, and the remaining time at the present speed.
pub(crate) fn estimate(p: &Progress<'_>, elapsed: Duration) -> String {
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

/// A status line on a terminal, which disappears when this is dropped.
pub(crate) struct Bar<'a> {
    err: &'a mut dyn Write,
    on: bool,
    columns: usize,
    next: Instant,
    shown: bool,
}

impl<'a> Bar<'a> {
    pub(crate) fn new(io: &'a mut Io<'_>) -> Self {
        let screen = io.screen;
        Self {
            err: &mut *io.err,
            on: screen.progress,
            columns: screen.columns,
            next: Instant::now(),
            shown: false,
        }
    }

    pub(crate) fn show(&mut self, text: &str, last: bool) {
        if !self.on || (Instant::now() < self.next && !last) {
            return;
        }
        self.next = Instant::now() + Duration::from_millis(100);
        self.shown = true;
        let text: String = text.chars().take(self.columns.saturating_sub(1)).collect();
        self.put(&text);
    }

    fn put(&mut self, text: &str) {
        // If the line cannot be written, it is not shown again.
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
