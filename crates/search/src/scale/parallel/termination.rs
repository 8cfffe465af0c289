//! Termination detection for a parallel search.
//!
//! No rank sees the other frontiers, and messages may be on their way. Mattern's four-counter method: an idle rank tells the
//! leader how many batches it ever sent and received. When all ranks are idle and the sums agree, the leader polls all ranks
//! once more. If nothing has changed, no message was on its way.

use super::message::Numbers;

/// The status of a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Report {
    /// The poll that it answers; 0 if unprompted.
    pub(super) wave: u64,
    /// Is the rank idle in this layer?
    pub(super) idle: bool,
    /// Batches sent and received since the start.
    pub(super) sent: u64,
    pub(super) received: u64,
    /// The least f that waits there; `u64::MAX` if no state waits.
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

/// The leader's next step after a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Nothing.
    Wait,
    /// Poll all ranks, with this number.
    Poll(u64),
    /// All ranks are idle and no message is on its way. The least f that waits on any rank.
    Quiescent(Option<u64>),
}

/// The leader's knowledge of all ranks.
#[derive(Debug)]
pub(super) struct Termination {
    pub(super) reports: Vec<Report>,
    /// The number of the last poll, and the ranks that answered it.
    wave: u64,
    answered: Vec<bool>,
    /// Batches sent when the poll began; `None` without an open poll.
    asked_at: Option<u64>,
}

impl Termination {
    pub(super) fn new(size: usize) -> Self {
        Self { reports: vec![Report::default(); size], wave: 0, answered: vec![false; size], asked_at: None }
    }

    /// Begins a new layer: no rank is idle until it says so.
    pub(super) fn next_layer(&mut self) {
        self.reports.iter_mut().for_each(|report| report.idle = false);
        self.asked_at = None;
    }

    pub(super) fn handle(&mut self, from: usize, report: Report) -> Action {
        self.reports[from] = report;
        if report.wave == self.wave {
            self.answered[from] = true;
        }
        let sum = |of: fn(&Report) -> u64| self.reports.iter().map(of).sum::<u64>();
        let (sent, received) = (sum(|r| r.sent), sum(|r| r.received));
        let settled = sent == received && self.reports.iter().all(|r| r.idle);
        if let Some(asked_at) = self.asked_at {
            if !self.answered.iter().all(|&a| a) {
                return Action::Wait;
            }
            self.asked_at = None;
            if settled && sent == asked_at {
                let least = self.reports.iter().map(|r| r.least).min();
                return Action::Quiescent(least.filter(|&least| least != u64::MAX));
            }
        }
        if !settled {
            return Action::Wait;
        }
        self.wave += 1;
        self.answered.fill(false);
        self.asked_at = Some(sent);
        Action::Poll(self.wave)
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
        assert_eq!(all.handle(0, report(0, true, 1, 0)), Action::Wait);
        assert_eq!(all.handle(1, report(0, true, 0, 1)), Action::Poll(1));
        assert_eq!(all.handle(1, report(1, true, 0, 1)), Action::Wait);
        assert_eq!(all.handle(0, report(1, true, 1, 0)), Action::Quiescent(Some(5)));
    }

    /// The trap: 0 sends to 1, 1 works and sends to 2, and the old report of 1 makes the sums agree.
    #[test]
    fn sums_that_agree_by_chance_do_not_end_a_search() {
        let mut all = Termination::new(3);
        assert_eq!(all.handle(1, report(0, true, 0, 0)), Action::Wait);
        assert_eq!(all.handle(0, report(0, true, 1, 0)), Action::Wait);
        assert_eq!(all.handle(2, report(0, true, 0, 1)), Action::Poll(1));
        assert_eq!(all.handle(0, report(1, true, 1, 0)), Action::Wait);
        assert_eq!(all.handle(2, report(1, true, 0, 1)), Action::Wait);
        assert_eq!(all.handle(1, report(1, false, 1, 1)), Action::Wait);
        assert_eq!(all.handle(1, report(0, true, 1, 1)), Action::Poll(2));
    }

    #[test]
    fn reports_come_back() {
        let report = report(3, true, 9, 8);
        let message = super::super::message::Kind::Report.with(&report.numbers());
        assert_eq!(Report::read(&mut Numbers(&message[1..])), report);
    }
}
