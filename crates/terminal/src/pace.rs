//! The speed of automatic steps: a list of rates, and a clock for the next step.

use std::time::{Duration, Instant};

/// Steps per second, from slow enough to follow to as fast as the eye can see.
const RATES: [f64; 9] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0];

/// An adjustable speed with a pause.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    delay: Duration,
    paused: bool,
    next: Instant,
}

impl Pace {
    /// A pace with this delay between steps, starting now.
    pub(crate) fn new(delay: Duration) -> Self {
        Self { delay, paused: false, next: Instant::now() + delay }
    }

    pub(crate) fn paused(&self) -> bool {
        self.paused
    }

    /// The time of the next step; `None` while paused.
    pub(crate) fn due(&self) -> Option<Instant> {
        (!self.paused).then_some(self.next)
    }

    /// Is a step due? If so, sets the time of the next one.
    pub(crate) fn step(&mut self, now: Instant) -> bool {
        let due = !self.paused && now >= self.next;
        if due {
            // If the machine cannot keep up, the pace slows down instead of skipping steps.
            self.next = now + self.delay;
        }
        due
    }

    /// Pauses or resumes.
    pub(crate) fn pause(&mut self, pause: bool) {
        self.paused = pause;
        self.next = Instant::now() + self.delay;
    }

    /// Selects the next higher rate.
    pub(crate) fn faster(&mut self) {
        let rate = self.rate();
        self.go(RATES.into_iter().find(|r| *r > rate * 1.001).unwrap_or(RATES[RATES.len() - 1]));
    }

    /// Selects the next lower rate.
    pub(crate) fn slower(&mut self) {
        let rate = self.rate();
        self.go(RATES.into_iter().rev().find(|r| *r < rate * 0.999).unwrap_or(RATES[0]));
    }

    /// The rate in steps per second.
    pub(crate) fn rate(&self) -> f64 {
        1.0 / self.delay.as_secs_f64().max(1e-3)
    }

    fn go(&mut self, rate: f64) {
        self.delay = Duration::from_secs_f64(1.0 / rate);
        self.next = self.next.min(Instant::now() + self.delay);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ladder_has_two_ends() {
        let mut pace = Pace::new(Duration::from_millis(500));
        assert!((pace.rate() - 2.0).abs() < 1e-9);
        pace.faster();
        assert!((pace.rate() - 4.0).abs() < 1e-9);
        (0..20).for_each(|_| pace.faster());
        assert!((pace.rate() - 128.0).abs() < 1e-9);
        (0..20).for_each(|_| pace.slower());
        assert!((pace.rate() - 0.5).abs() < 1e-9);
        // A pace between two rungs goes to the next one.
        let mut pace = Pace::new(Duration::from_millis(100));
        pace.slower();
        assert!((pace.rate() - 8.0).abs() < 1e-9);
    }

    #[test]
    fn a_pause_stops_the_clock() {
        let mut pace = Pace::new(Duration::ZERO);
        assert!(pace.step(Instant::now()));
        pace.pause(true);
        assert!(!pace.step(Instant::now()) && pace.due().is_none());
    }
}
