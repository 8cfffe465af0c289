//! The line that shows that a search is alive: on standard error, on a terminal, after a second.

use std::io::Write;
use std::time::{Duration, Instant};

use beeline_puzzles::Watcher;
use beeline_search::Stats;

use super::units::{commas, short_rate, size, time};
use crate::watchdog;

/// Short searches show nothing.
const QUIET: Duration = Duration::from_secs(1);
const EVERY: Duration = Duration::from_millis(100);

/// Watches a search and keeps one line up to date.
pub(super) struct Progress<'a> {
    err: &'a mut dyn Write,
    on: bool,
    columns: usize,
    started: Instant,
    next: Instant,
    shown: bool,
    bound: Option<u64>,
}

impl<'a> Progress<'a> {
    pub(super) fn new(err: &'a mut dyn Write, on: bool, columns: usize) -> Self {
        let started = Instant::now();
        Self { err, on, columns, started, next: started + QUIET, shown: false, bound: None }
    }

    fn line(&self, stats: &Stats, elapsed: Duration) -> String {
        let rate = (stats.expanded as f64 / elapsed.as_secs_f64()) as u64;
        let far = match self.bound {
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

    /// Shows a line if it is time for one; it is given how long this has taken.
    pub(super) fn say(&mut self, line: impl FnOnce(&Self, Duration) -> String) {
        let now = Instant::now();
        if self.on && now >= self.next {
            self.next = now + EVERY;
            self.shown = true;
            let line = line(self, now - self.started);
            // It must not wrap, or it could not be taken back.
            let line: String = line.chars().take(self.columns.saturating_sub(1)).collect();
            self.show(&line);
        }
    }

    fn show(&mut self, text: &str) {
        // Nobody is hurt when a progress line cannot be written; then there is none.
        let line = format!("\r\x1b[2K{text}");
        // A terminal whose user has stopped it takes no line, and no search is to blame for that.
        let written =
            watchdog::paused(|| self.err.write_all(line.as_bytes()).and_then(|()| self.err.flush()));
        self.on = written.is_ok();
    }
}

impl Watcher for Progress<'_> {
    fn tick(&mut self, stats: &Stats) {
        watchdog::tick(stats);
        self.say(|progress, elapsed| progress.line(stats, elapsed));
    }

    fn round(&mut self, bound: u64) {
        watchdog::round(bound);
        self.bound = Some(bound);
    }

    fn found(&mut self, cost: u64) {
        watchdog::found(cost);
    }
}

/// The line goes when the search does, however it ends.
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
    fn short_searches_and_pipes_show_nothing() {
        assert_eq!(shown(true, QUIET), "");
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
