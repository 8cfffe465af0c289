//! Breadth-first search with a cache miss at every look-up, compared with a loop that only misses the cache.
//!
//! A search with exact duplicate detection through more states than the cache holds is bound by memory latency. The yardstick
//! is the simplest such program: it follows a random cycle through as many bytes as the search took, and each load depends on
//! the previous one. The share is states stored per second divided by loads per second.
//!
//! Storing a state takes two look-ups: one finds nothing, and one must compare a key elsewhere. A search that waited for each
//! of these three lines in turn could not exceed a third. A greater share means that waits overlap, less the cost of
//! computation and table growth.

use std::sync::atomic::{AtomicUsize, Ordering};

use beeline_bench::{Job, Timing, compare, measure, time};
use beeline_search::{Random, Search, Space};

/// Successors of every state.
const MOVES: u64 = 2;
/// 16.8 million states.
const BITS: u32 = 24;
/// For callgrind.
const SMALL_BITS: u32 = 17;
const LOADS: u64 = 10_000_000;

/// Bytes that the search took; the yardstick walks through as many.
static BYTES: AtomicUsize = AtomicUsize::new(0);

/// All numbers of `bits` bits, joined by two maps that scatter them. The first alone visits all of them (a linear congruence of
/// full period), so every state is reachable.
struct Scatter {
    mask: u64,
    half: u32,
}

impl Scatter {
    fn new(bits: u32) -> Self {
        Self { mask: (1 << bits) - 1, half: bits / 2 }
    }
}

/// Spreads a state over all eight bytes of its key (`SPREAD`) and inverts that (`GATHER`).
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
const GATHER: u64 = 0xF1DE_83E1_9937_733D;

impl Space for Scatter {
    type State = u64;
    type Move = u8;
    type Undo = u64;
    type Moves = std::ops::Range<u8>;
    type Key = u64;

    fn start(&self) -> u64 {
        0
    }
    #[inline(always)]
    fn moves(&self, _: &u64) -> Self::Moves {
        0..MOVES as u8
    }
    #[inline(always)]
    fn apply(&self, state: &mut u64, mv: u8) -> u64 {
        let x = *state;
        *state = self.mask
            & if mv == 0 {
                x.wrapping_mul(0x2C1B_3C6D).wrapping_add(1)
            } else {
                (x ^ x >> self.half).wrapping_mul(0x297A_2D39)
            };
        x
    }
    #[inline(always)]
    fn undo(&self, state: &mut u64, _: u8, before: u64) {
        *state = before;
    }
    #[inline(always)]
    fn is_goal(&self, _: &u64) -> bool {
        false
    }
    #[inline(always)]
    fn pack(&self, state: &u64) -> u64 {
        state.wrapping_mul(SPREAD)
    }
    #[inline(always)]
    fn unpack(&self, key: &u64) -> u64 {
        key.wrapping_mul(GATHER)
    }
}

/// Searches the whole space and returns the number of stored states.
fn search(bits: u32) -> u64 {
    let space = Scatter::new(bits);
    let outcome = Search::new(&space).run("bfs");
    let Ok(outcome) = outcome else { return 0 };
    assert_eq!(outcome.stats.stored, 1 << bits, "every state is reachable");
    assert_eq!(outcome.stats.generated, MOVES << bits, "and has all its successors looked up");
    BYTES.fetch_max(outcome.stats.bytes, Ordering::Relaxed);
    outcome.stats.stored
}

/// A cache line that holds the number of the next one.
#[derive(Clone)]
#[repr(align(64))]
struct Link(u32);

/// One cycle through all lines of this many bytes, in random order.
fn cycle(bytes: usize) -> Vec<Link> {
    let mut links: Vec<Link> = (0..(bytes / size_of::<Link>()) as u32).map(Link).collect();
    let mut random = Random::new(1);
    // Sattolo's shuffle yields a single cycle.
    for i in (1..links.len()).rev() {
        links.swap(i, random.below(i));
    }
    links
}

fn chase(links: &[Link]) -> u64 {
    let mut at = 0;
    for _ in 0..LOADS {
        at = links[at as usize].0;
    }
    std::hint::black_box(at);
    LOADS
}

fn chase_timed() -> Timing {
    let links = cycle(BYTES.load(Ordering::Relaxed));
    time(|| chase(&links))
}

pub(crate) fn main() {
    let all = measure(
        "Breadth-first search of 2^24 states that lie all over memory, and a loop of dependent loads over as many bytes",
        &[
            Job {
                name: "search",
                unit: "states stored",
                counted: Some(|| search(SMALL_BITS)),
                timed: || time(|| search(BITS)),
            },
            Job { name: "chase", unit: "loads", counted: None, timed: chase_timed },
        ],
    );
    let [search, chase] = &all[..] else { return };
    let bytes = BYTES.load(Ordering::Relaxed) as f64;
    println!("{:.0} MB, {:.1} bytes a state", bytes / 1e6, bytes / (1u64 << BITS) as f64);
    println!("{:.1} million successors looked up a second", search.rate * MOVES as f64 / 1e6);
    compare("states stored beside loads", search, chase);
}
