//! The figures of a run as numbers: checkpoints and the messages between ranks hold them in this form.

use crate::core::outcome::{Round, Stats, known_rule};

/// Rules of one search. None has more; numbers that claim more are damaged.
const MOST_RULES: u64 = 1000;
/// No counter reaches this, so that sums of counters stay within 64 bits.
const MOST: u64 = 1 << 60;

/// The figures as numbers, without the time and the shares of threads.
pub(crate) fn write(stats: &Stats) -> Vec<u64> {
    let mut numbers = vec![
        stats.expanded,
        stats.generated,
        stats.duplicates,
        stats.reopened,
        stats.depth,
        stats.stored,
        stats.frontier_peak,
        stats.bytes as u64,
        stats.pruned.len() as u64,
    ];
    for (rule, count) in &stats.pruned {
        numbers.extend([*count, rule.len() as u64]);
        numbers.extend(rule.as_bytes().chunks(8).map(|part| {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            u64::from_le_bytes(word)
        }));
    }
    numbers.push(stats.rounds.len() as u64);
    let rounds = stats.rounds.iter();
    numbers.extend(rounds.flat_map(|round| [round.bound, round.expanded, round.generated, round.duplicates]));
    numbers
}

/// Reads what [`write`] wrote. `None` if some of it is missing or impossible.
pub(crate) fn read(numbers: &mut dyn Iterator<Item = u64>) -> Option<Stats> {
    fn count(numbers: &mut dyn Iterator<Item = u64>) -> Option<u64> {
        numbers.next().filter(|&count| count < MOST)
    }
    let mut stats = Stats {
        expanded: count(numbers)?,
        generated: count(numbers)?,
        duplicates: count(numbers)?,
        reopened: count(numbers)?,
        depth: count(numbers)?,
        stored: count(numbers)?,
        frontier_peak: count(numbers)?,
        bytes: usize::try_from(count(numbers)?).ok()?,
        ..Stats::default()
    };
    let rules = count(numbers).filter(|&rules| rules <= MOST_RULES)?;
    for _ in 0..rules {
        let (dropped, length) = (count(numbers)?, count(numbers)?);
        let words = (0..length.div_ceil(8)).map(|_| numbers.next()).collect::<Option<Vec<_>>>()?;
        let mut name: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        name.truncate(length as usize);
        stats.pruned.push((known_rule(std::str::from_utf8(&name).ok()?), dropped));
    }
    for _ in 0..count(numbers)? {
        stats.rounds.push(Round {
            bound: count(numbers)?,
            expanded: count(numbers)?,
            generated: count(numbers)?,
            duplicates: count(numbers)?,
        });
    }
    Some(stats)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_come_back_and_a_part_of_them_does_not() {
        let stats = Stats {
            expanded: 5,
            bytes: 100,
            pruned: vec![("dead-squares", 3), ("pairs", 1), ("", 2)],
            rounds: vec![Round { bound: 3, expanded: 5, generated: 9, duplicates: 1 }],
            ..Stats::default()
        };
        let numbers = write(&stats);
        assert_eq!(read(&mut numbers.iter().copied()), Some(stats));
        for end in 0..numbers.len() {
            assert_eq!(read(&mut numbers[..end].iter().copied()), None, "{end} numbers");
        }
        for at in 0..numbers.len() {
            let mut changed = numbers.clone();
            changed[at] = u64::MAX;
            assert_eq!(read(&mut changed.into_iter()), None, "number {at}");
        }
    }
}
