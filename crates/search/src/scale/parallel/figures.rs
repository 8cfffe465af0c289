//! The figures of one rank as numbers in a message or a file, and their sum over all ranks.

use std::time::Duration;

use super::message::Numbers;
use crate::core::outcome::{Share, Stats, known_rule};

/// The figures as numbers.
pub(super) fn write(stats: &Stats, share: &Share) -> Vec<u64> {
    let mut numbers = vec![
        stats.expanded,
        stats.generated,
        stats.duplicates,
        stats.reopened,
        stats.depth,
        stats.stored,
        stats.frontier_peak,
        stats.bytes as u64,
        share.sent,
        share.batches,
        share.sent_bytes,
        share.idle.as_nanos() as u64,
        stats.pruned.len() as u64,
    ];
    for (rule, count) in &stats.pruned {
        numbers.extend([*count, rule.len() as u64]);
        let padded = rule.as_bytes().chunks(8).map(|part| {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            u64::from_le_bytes(word)
        });
        numbers.extend(padded);
    }
    numbers
}

/// Reads what [`write`] wrote.
pub(super) fn read(numbers: &mut Numbers<'_>) -> (Stats, Share) {
    let mut next = || numbers.next();
    let mut stats = Stats {
        expanded: next(),
        generated: next(),
        duplicates: next(),
        reopened: next(),
        depth: next(),
        stored: next(),
        frontier_peak: next(),
        bytes: next() as usize,
        ..Stats::default()
    };
    let share = Share {
        expanded: stats.expanded,
        stored: stats.stored,
        bytes: stats.bytes,
        sent: next(),
        batches: next(),
        sent_bytes: next(),
        idle: Duration::from_nanos(next()),
    };
    for _ in 0..next() {
        let (count, len) = (next(), next() as usize);
        let mut name: Vec<u8> = (0..len.div_ceil(8)).flat_map(|_| next().to_le_bytes()).collect();
        name.truncate(len);
        if let Ok(name) = std::str::from_utf8(&name) {
            stats.add_pruned(known_rule(name), count);
        }
    }
    (stats, share)
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
    use super::super::message::Kind;
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
        let (back, back_share) = read(&mut Numbers(&message[1..]));
        assert_eq!(back, stats);
        assert_eq!(back_share, Share { expanded: 5, stored: 4, bytes: 100, ..share });
        let mut all = Stats::default();
        add(&mut all, &back, back_share);
        add(&mut all, &back, back_share);
        assert_eq!((all.expanded, all.stored, all.bytes, all.pruned_total()), (10, 8, 200, 8));
        assert_eq!(all.shares.len(), 2);
    }
}
