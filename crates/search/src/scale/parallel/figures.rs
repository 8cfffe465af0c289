//! The figures of one rank in a message, and their sum over all ranks.

use std::time::Duration;

use crate::core::figures;
use crate::core::outcome::{Share, Stats};

/// The figures as numbers.
pub(super) fn write(stats: &Stats, share: &Share) -> Vec<u64> {
    let mut numbers = vec![share.sent, share.batches, share.sent_bytes, share.idle.as_nanos() as u64];
    numbers.extend(figures::write(stats));
    numbers
}

/// Reads what [`write`] wrote.
pub(super) fn read(numbers: &mut dyn Iterator<Item = u64>) -> Option<(Stats, Share)> {
    let [sent, batches, sent_bytes, idle] =
        [numbers.next()?, numbers.next()?, numbers.next()?, numbers.next()?];
    let stats = figures::read(numbers)?;
    let share = Share {
        expanded: stats.expanded,
        stored: stats.stored,
        bytes: stats.bytes,
        sent,
        batches,
        sent_bytes,
        idle: Duration::from_nanos(idle),
    };
    Some((stats, share))
}

/// Adds the figures of a rank. Peaks are summed too, as an upper bound of the common peak.
pub(super) fn add(all: &mut Stats, stats: &Stats, share: Share) {
    let (stored, waiting, bytes) = (all.stored, all.frontier_peak, all.bytes);
    all.absorb(stats);
    all.stored = stored + stats.stored;
    all.frontier_peak = waiting + stats.frontier_peak;
    all.bytes = bytes + stats.bytes;
    all.shares.push(share);
}

#[cfg(test)]
mod tests {
    use super::super::message::{Kind, Numbers};
    use super::*;

    #[test]
    fn figures_come_back_and_add_up() {
        let stats = Stats {
            expanded: 5,
            generated: 9,
            stored: 4,
            bytes: 100,
            pruned: vec![("dead-squares", 3), ("pairs", 1)],
            ..Stats::default()
        };
        let share = Share { sent: 7, idle: Duration::from_millis(3), ..Share::default() };
        let message = Kind::Figures.with(&write(&stats, &share));
        let (back, back_share) = read(&mut Numbers(&message[1..]).rest()).unwrap();
        assert_eq!(back, stats);
        assert_eq!(back_share, Share { expanded: 5, stored: 4, bytes: 100, ..share });
        let mut all = Stats::default();
        add(&mut all, &back, back_share);
        add(&mut all, &back, back_share);
        assert_eq!((all.expanded, all.stored, all.bytes, all.pruned_total()), (10, 8, 200, 8));
        assert_eq!(all.shares.len(), 2);
    }
}
