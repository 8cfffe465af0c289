//! When a search of many is over.
//!
//! No rank sees the others' frontiers, and messages may be on their way. Mattern's four-counter method: a rank that has
//! nothing to do tells the leader how many batches it ever sent and received. When all have nothing to do and the sums
//! agree, the leader asks everybody once more; if nothing has changed by then, nothing was on its way.

use super::message::Numbers;

/// Where a rank stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Report {
    /// The question that it answers; 0 if nobody asked.
    pub(super) wave: u64,
    /// Has it nothing to do in this layer?
    pub(super) idle: bool,
    /// Batches sent and received since the start.
    pub(super) sent: u64,
    pub(super) received: u64,
    /// The least sum of path and estimate that waits there; `u64::MAX` if nothing does.
    pub(super) least: u64,
    /// Figures for the progress line.
    pub(super) expanded: u64,
    pub(super) generated: u64,
    pub(super) stored: u64,
    pub(super) bytes: u64,
}

impl Report {
    pub(super) fn numbers(&self) -> [u64; 9] {
        let Self { wave, idle, sent, received, least, expanded, generated, stored, bytes } = *self;
        [wave, u64::from(idle), sent, received, least, expanded, generated, stored, bytes]
    }

    pub(super) fn read(numbers: &mut Numbers<'_>) -> Self {
        let mut next = || numbers.next();
        Self {
            wave: next(),
            idle: next() != 0,
            sent: next(),
            received: next(),
            least: next(),
            expanded: next(),
            generated: next(),
            stored: next(),
            bytes: next(),
        }
    }
}

/// What the leader does after a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// Nothing.
    Wait,
    /// Ask everybody, with this number.
    Poll(u64),
    /// Nothing is to be done and nothing is on its way; the least sum of path and estimate that waits anywhere.
    Quiet(Option<u64>),
}

/// What the leader knows of everybody.
#[derive(Debug)]
pub(super) struct Termination {
    pub(super) reports: Vec<Report>,
    /// The number of the last question, and who has answered it.
    wave: u64,
    answered: Vec<bool>,
    /// What had been sent when the question was asked; none if no question is open.
    asked_at: Option<u64>,
}

impl Termination {
    pub(super) fn new(size: usize) -> Self {
        Self { reports: vec![Report::default(); size], wave: 0, answered: vec![false; size], asked_at: None }
    }

    /// A new layer: nobody is idle until they say so.
    pub(super) fn next_layer(&mut self) {
        self.reports.iter_mut().for_each(|report| report.idle = false);
        self.asked_at = None;
    }

    pub(super) fn hear(&mut self, from: usize, report: Report) -> Then {
        self.reports[from] = report;
        if report.wave == self.wave {
            self.answered[from] = true;
        }
        let sum = |of: fn(&Report) -> u64| self.reports.iter().map(of).sum::<u64>();
        let (sent, received) = (sum(|r| r.sent), sum(|r| r.received));
        let settled = sent == received && self.reports.iter().all(|r| r.idle);
        if let Some(asked_at) = self.asked_at {
            if !self.answered.iter().all(|&a| a) {
                return Then::Wait;
            }
            self.asked_at = None;
            if settled && sent == asked_at {
                let least = self.reports.iter().map(|r| r.least).min();
                return Then::Quiet(least.filter(|&least| least != u64::MAX));
            }
        }
        if !settled {
            return Then::Wait;
        }
        self.wave += 1;
        self.answered.fill(false);
        self.asked_at = Some(sent);
        Then::Poll(self.wave)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(wave: u64, idle: bool, sent: u64, received: u64) -> Report {
        Report { wave, idle, sent, received, least: 5, ..Report::default() }
    }

    #[test]
    fn silence_is_confirmed_by_a_second_look() {
        let mut all = Termination::new(2);
        assert_eq!(all.hear(0, report(0, true, 1, 0)), Then::Wait);
        assert_eq!(all.hear(1, report(0, true, 0, 1)), Then::Poll(1));
        assert_eq!(all.hear(1, report(1, true, 0, 1)), Then::Wait);
        assert_eq!(all.hear(0, report(1, true, 1, 0)), Then::Quiet(Some(5)));
    }

    /// The trap: 0 sends to 1, 1 works and sends to 2; the old report of 1 makes the sums agree.
    #[test]
    fn sums_that_agree_by_chance_do_not_end_a_search() {
        let mut all = Termination::new(3);
        assert_eq!(all.hear(1, report(0, true, 0, 0)), Then::Wait);
        assert_eq!(all.hear(0, report(0, true, 1, 0)), Then::Wait);
        assert_eq!(all.hear(2, report(0, true, 0, 1)), Then::Poll(1));
        assert_eq!(all.hear(0, report(1, true, 1, 0)), Then::Wait);
        assert_eq!(all.hear(2, report(1, true, 0, 1)), Then::Wait);
        assert_eq!(all.hear(1, report(1, false, 1, 1)), Then::Wait);
        assert_eq!(all.hear(1, report(0, true, 1, 1)), Then::Poll(2));
    }

    #[test]
    fn reports_come_back() {
        let report = report(3, true, 9, 8);
        let message = super::super::message::Kind::Report.with(&report.numbers());
        assert_eq!(Report::read(&mut Numbers(&message[1..])), report);
    }
}
