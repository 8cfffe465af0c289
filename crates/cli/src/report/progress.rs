//! The progress line of a search: on standard error, on a terminal, after a second.

use std::io::Write;
use std::time::{Duration, Instant};

use beeline_puzzles::{Preparation, Watcher};
use beeline_search::Stats;

use crate::watchdog;
use beeline_api::units::{commas, short_rate, size, time};

/// The progress line appears after this time.
const SHOW_AFTER: Duration = Duration::from_secs(1);
/// The least time between two updates of the line.
const UPDATE_INTERVAL: Duration = Duration::from_millis(100);

/// Watches a search and updates the progress line.
pub(crate) struct Progress<'a> {
    err: &'a mut dyn Write,
    on: bool,
    /// Print notes on what is built and stored?
    notes: bool,
    /// When the current preparation began.
    making: Option<Instant>,
    columns: usize,
    started: Instant,
    next: Instant,
    shown: bool,
    bound: Option<u64>,
    /// The search's own status, shown in place of its depth.
    status: String,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(err: &'a mut dyn Write, on: bool, columns: usize) -> Self {
        let started = Instant::now();
        let next = started + SHOW_AFTER;
        let status = String::new();
        Self {
            err,
            on,
            notes: false,
            making: None,
            columns,
            started,
            next,
            shown: false,
            bound: None,
            status,
        }
    }

    /// Also prints notes on what is built and stored.
    pub(crate) fn with_notes(mut self, notes: bool) -> Self {
        self.notes = notes;
        self
    }

    /// Prints a permanent line.
    fn note(&mut self, text: &str) {
        if self.notes {
            let before = if self.shown { "\r\x1b[2K" } else { "" };
            let line = format!("{before}beeline: {text}\n");
            // As with the progress line, a failure to write it does no harm.
            self.notes = watchdog::paused(|| self.err.write_all(line.as_bytes())).is_ok();
        }
    }

    fn line(&self, stats: &Stats, elapsed: Duration) -> String {
        let rate = (stats.expanded as f64 / elapsed.as_secs_f64()) as u64;
        let far = match self.bound {
            _ if !self.status.is_empty() => self.status.clone(),
            Some(bound) => format!("bound {bound}"),
            None => format!("depth {}", stats.depth),
        };
        let parts = [
            time(elapsed),
            format!("{} expanded", commas(stats.expanded)),
            short_rate(rate),
            far,
            size(stats.bytes),
            "Ctrl-C stops".to_owned(),
        ];
        parts.join(" · ")
    }

    /// Shows a line if an update is due. `line` gets the elapsed time.
    pub(crate) fn say(&mut self, line: impl FnOnce(&Self, Duration) -> String) {
        let now = Instant::now();
        if self.on && now >= self.next {
            self.next = now + UPDATE_INTERVAL;
            self.shown = true;
            let line = line(self, now - self.started);
            // A wrapped line could not be erased.
            let line: String = line.chars().take(self.columns.saturating_sub(1)).collect();
            self.show(&line);
        }
    }

    fn show(&mut self, text: &str) {
        // A progress line that cannot be written does no harm. It is then switched off.
        let line = format!("\r\x1b[2K{text}");
        // A user may have stopped the terminal. That time does not count against the search.
        let written =
            watchdog::paused(|| self.err.write_all(line.as_bytes()).and_then(|()| self.err.flush()));
        self.on = written.is_ok();
    }
}

/// A progress bar of fixed width.
pub(crate) fn bar(done: u64, all: u64) -> String {
    const WIDTH: u64 = 24;
    let done = done.min(all);
    let full = (u128::from(WIDTH) * u128::from(done) / u128::from(all.max(1))) as usize;
    let percent = 100 * u128::from(done) / u128::from(all.max(1));
    format!("[{}{}] {percent} %", "#".repeat(full), "-".repeat(WIDTH as usize - full))
}

impl Watcher for Progress<'_> {
    fn building(&mut self, making: &Preparation<'_>) {
        let Preparation { what, bytes, kept, done, all } = *making;
        if self.making.is_none() {
            // The last rounds of a build may find nothing more.
            if done >= all {
                return;
            }
            let kept = kept.map_or_else(
                || "not kept".to_owned(),
                |folder| format!("kept in {}; --no-cache keeps nothing", folder.display()),
            );
            self.note(&format!("building {what}: about {}, {kept}", size(bytes)));
        }
        let began = *self.making.get_or_insert_with(Instant::now);
        self.say(|_, _| format!("{what} {} · {} · Ctrl-C stops", bar(done, all), time(began.elapsed())));
        if done >= all {
            self.note(&format!("built {what} in {}", time(began.elapsed())));
            self.making = None;
        }
    }

    fn tick(&mut self, stats: &Stats) {
        watchdog::tick(stats);
        self.say(|progress, elapsed| progress.line(stats, elapsed));
    }

    fn status(&mut self, status: &str) {
        self.status.clear();
        self.status.push_str(status);
    }

    fn round(&mut self, bound: u64) {
        watchdog::round(bound);
        self.bound = Some(bound);
    }

    fn found(&mut self, cost: u64) {
        watchdog::found(cost);
    }
}

/// Removes the line when the search ends, in whatever way.
impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if self.shown {
            self.show("");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(on: bool, wait: Duration) -> String {
        let mut err = Vec::new();
        let mut progress = Progress::new(&mut err, on, 200);
        progress.next = progress.started + wait;
        progress.round(7);
        progress.tick(&Stats { expanded: 1234, bytes: 2048, ..Stats::default() });
        drop(progress);
        String::from_utf8(err).unwrap()
    }

    #[test]
    fn the_line_shows_the_figures_and_is_taken_back() {
        let text = shown(true, Duration::ZERO);
        assert!(text.starts_with("\r\x1b[2K") && text.ends_with("\r\x1b[2K"), "{text:?}");
        assert!(
            text.contains("1,234 expanded") && text.contains("bound 7") && text.contains("2.0 KiB"),
            "{text:?}"
        );
    }

    #[test]
    fn a_table_is_announced_once_and_ready_once() {
        let mut err = Vec::new();
        let mut progress = Progress::new(&mut err, false, 200).with_notes(true);
        for done in [1, 2, 3, 3, 3] {
            progress.building(&Preparation { what: "tables", bytes: 2048, kept: None, done, all: 3 });
        }
        drop(progress);
        let text = String::from_utf8(err).unwrap();
        assert!(
            text.starts_with("beeline: building tables: about 2.0 KiB, not kept\nbeeline: built tables in ")
        );
        assert_eq!(text.lines().count(), 2, "{text:?}");
    }

    #[test]
    fn what_the_search_says_of_itself_replaces_its_depth() {
        let mut err = Vec::new();
        let mut progress = Progress::new(&mut err, true, 200);
        progress.next = progress.started;
        progress.status("318 moves, 140 pushes");
        progress.tick(&Stats::default());
        drop(progress);
        let text = String::from_utf8(err).unwrap();
        assert!(text.contains("318 moves, 140 pushes") && !text.contains("depth"), "{text:?}");
    }

    #[test]
    fn short_searches_and_pipes_show_nothing() {
        assert_eq!(shown(true, SHOW_AFTER), "");
        assert_eq!(shown(false, Duration::ZERO), "");
    }

    #[test]
    fn the_line_never_wraps() {
        let mut err = Vec::new();
        let mut progress = Progress::new(&mut err, true, 20);
        progress.next = progress.started;
        progress.tick(&Stats::default());
        drop(progress);
        let text = String::from_utf8(err).unwrap();
        let line = text.split("\r\x1b[2K").nth(1).unwrap();
        assert_eq!(line.chars().count(), 19, "{text:?}");
    }
}
