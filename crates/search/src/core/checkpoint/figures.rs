//! The figures of a run, written and read back.

use std::time::Duration;

use super::file::{Damage, In, Out};
use crate::core::outcome::{Round, Stats, known_rule};

/// Rules in a file. No search has more; a file that claims more is damaged.
const MOST_RULES: usize = 1000;
const MOST: u64 = 1 << 60;

pub(crate) fn write(stats: &Stats, out: &mut Out) {
    let Stats { expanded, generated, duplicates, reopened, pruned, rounds, .. } = stats;
    for counter in [expanded, generated, duplicates, reopened, &stats.depth, &stats.stored] {
        out.u64(*counter);
    }
    out.u64(stats.frontier_peak);
    out.u64(stats.bytes as u64);
    out.u64(pruned.len() as u64);
    for (rule, count) in pruned {
        out.text(rule);
        out.u64(*count);
    }
    out.u64(rounds.len() as u64);
    for round in rounds {
        for counter in [round.bound, round.expanded, round.generated, round.duplicates] {
            out.u64(counter);
        }
    }
}

fn count(from: &mut In) -> Result<u64, Damage> {
    from.u64().and_then(|count| if count < MOST { Ok(count) } else { Err(Damage::Torn) })
}

pub(crate) fn read(from: &mut In) -> Result<Stats, Damage> {
    let mut stats = Stats {
        expanded: count(from)?,
        generated: count(from)?,
        duplicates: count(from)?,
        reopened: count(from)?,
        depth: count(from)?,
        stored: count(from)?,
        frontier_peak: count(from)?,
        bytes: usize::try_from(count(from)?).map_err(|_| Damage::Torn)?,
        elapsed: Duration::ZERO,
        ..Stats::default()
    };
    let rules = from.count(16)?;
    if rules > MOST_RULES {
        return Err(Damage::Torn);
    }
    for _ in 0..rules {
        let rule = known_rule(&from.text()?);
        stats.pruned.push((rule, count(from)?));
    }
    for _ in 0..from.count(32)? {
        stats.rounds.push(Round {
            bound: count(from)?,
            expanded: count(from)?,
            generated: count(from)?,
            duplicates: count(from)?,
        });
    }
    Ok(stats)
}
