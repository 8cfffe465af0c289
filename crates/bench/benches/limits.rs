//! How close every strategy comes to its limits by the clock: `cargo bench -p beeline-bench --bench limits`. Fails if one
//! overruns a limit by more than 50 ms and 1 %.

use std::time::{Duration, Instant};

use beeline_search::strategies::{STRATEGIES, Settings, run};
use beeline_search::{Blind, Budget, Limit, Space, Verdict};

/// A world without a goal and without an end.
struct Wild;

impl Space for Wild {
    type State = u64;
    type Move = u8;
    type Undo = u64;
    type Moves = std::ops::Range<u8>;
    type Key = u64;
    fn start(&self) -> u64 {
        1
    }
    fn moves(&self, _: &u64) -> Self::Moves {
        0..2
    }
    fn apply(&self, state: &mut u64, mv: u8) -> u64 {
        let before = *state;
        *state = (before ^ u64::from(mv) << 63).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        before
    }
    fn undo(&self, state: &mut u64, _: u8, before: u64) {
        *state = before;
    }
    fn is_goal(&self, _: &u64) -> bool {
        false
    }
    fn pack(&self, state: &u64) -> u64 {
        *state
    }
    fn unpack(&self, key: &u64) -> u64 {
        *key
    }
    fn reversible(&self) -> bool {
        true
    }
    fn goals(&self) -> Option<Vec<u64>> {
        Some(vec![0])
    }
    fn domains(&self) -> Option<Vec<u32>> {
        Some(vec![1 << 16; 4])
    }
    fn values(&self, state: &u64, values: &mut [u32]) {
        for (i, value) in values.iter_mut().enumerate() {
            *value = (state >> (16 * i) & 0xFFFF) as u32;
        }
    }
}

fn main() {
    let mut late = Vec::new();
    println!("{:<14} {:>10} {:>12} {:>12}", "strategy", "limit", "overrun", "expanded");
    for strategy in STRATEGIES {
        for limit in [Duration::from_millis(100), Duration::from_secs(2)] {
            let settings = Settings { depth: Some(1 << 30), width: Some(3), ..Settings::default() };
            let budget = Budget { time: Some(limit), bytes: Some(4 << 30), ..Budget::default() };
            let clock = Instant::now();
            let outcome = run(strategy.name, &Wild, &Blind, (), &settings, &budget, ());
            let over = clock.elapsed().saturating_sub(limit);
            let Ok(outcome) = outcome else { continue };
            let ended = outcome.verdict == Verdict::Stopped(Limit::Time);
            println!("{:<14} {limit:>10.1?} {over:>12.1?} {:>12}", strategy.name, outcome.stats.expanded);
            if !ended || over > Duration::from_millis(50) && over > limit / 100 {
                late.push(strategy.name);
            }
        }
    }
    assert!(late.is_empty(), "late: {late:?}");
}
