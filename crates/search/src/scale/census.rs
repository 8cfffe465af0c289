//! Counts a whole space with two bits a state.
//!
//! For spaces whose states are numbered ([`Ranked`]). Two bits say whether a state is new, in the layer that is being expanded,
//! in the next one, or done. A scan of the whole array finds the states of a layer, and each is unranked from its number. So
//! 239,500,800 states take 57 MiB, whatever the width of a layer (Kunkle & Cooperman 2008).
//!
//! It counts states and finds a farthest one; it finds no plans.

use crate::core::budget::{Budget, Limit, Meter};
use crate::core::memory::OutOfMemory;
use crate::core::outcome::Stats;
use crate::core::space::Ranked;

/// States in a word.
const LANES: u64 = 32;
/// A mask of the lower bit of each state.
const LOW: u64 = 0x5555_5555_5555_5555;
const DONE: u64 = 3;
/// Successors buffered while their memory is prefetched.
const PENDING: usize = 64;

/// A space, counted. `F` names a state: its number, or whatever the search that counts knows it by.
///
/// ```
/// use beeline_search::Budget;
/// use beeline_search::example::Knight;
/// use beeline_search::census::count;
///
/// let (census, _) = count(&Knight::across(8), &Budget::default(), &mut |_| ());
/// let census = census.expect("there is no limit");
/// assert_eq!(census.states(), 64);
/// assert_eq!(census.layers, [1, 2, 9, 20, 21, 10, 1]);
/// assert_eq!(census.goals, 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census<F = u64> {
    /// How many states there are at each distance from the start.
    pub layers: Vec<u64>,
    /// How many of the states are solved.
    pub goals: u64,
    /// A state at the greatest distance from the start. Of several, [`count`] gives the one with the least number.
    pub farthest: F,
}

impl<F> Census<F> {
    /// How many states can be reached.
    pub fn states(&self) -> u64 {
        self.layers.iter().sum()
    }
}

/// Counts the reachable states by distance from the start (in moves, whatever they cost). The figures are valid in any case.
pub fn count<S: Ranked>(
    space: &S,
    budget: &Budget,
    tick: &mut dyn FnMut(&Stats),
) -> (Result<Census, Limit>, Stats) {
    let mut meter = Meter::new(budget);
    let mut stats = Stats::default();
    let counted = Marks::new(space.states(), &mut meter)
        .map_err(Limit::from)
        .and_then(|marks| sweep(space, marks, &mut meter, &mut stats, tick));
    stats.close(&meter);
    (counted, stats)
}

/// The distance of a state that is unreachable or farther than [`FARTHEST`].
pub const UNREACHED: u8 = u8::MAX;
/// The greatest distance that fits in a byte beside [`UNREACHED`].
pub const FARTHEST: u8 = UNREACHED - 1;

/// The distance of every state from the start (in moves, whatever they cost), a byte each, indexed by rank. Where moves are
/// reversible and the start is solved, that is the length of each state's shortest plan.
///
/// ```
/// use beeline_search::Budget;
/// use beeline_search::budget::Meter;
/// use beeline_search::example::Knight;
/// use beeline_search::census::distances;
///
/// let mut meter = Meter::new(&Budget::default());
/// let distances = distances(&Knight::across(8), &mut meter).expect("there is no limit");
/// assert_eq!((distances[0], distances[63]), (0, 6));
/// ```
pub fn distances<S: Ranked>(space: &S, meter: &mut Meter) -> Result<Vec<u8>, Limit> {
    let states = usize::try_from(space.states()).map_err(|_| Limit::Memory)?;
    let mut distances = meter.ledger.filled(UNREACHED, states)?;
    let start = space.rank(&space.start());
    distances[start as usize] = 0;
    let (mut layer, mut next) = (Vec::new(), Vec::new());
    meter.ledger.push(&mut layer, start)?;
    for far in 1..=FARTHEST {
        for &rank in &layer {
            if meter.due() {
                meter.look()?;
            }
            meter.count();
            let mut state = space.unrank(rank);
            for mv in space.moves(&state) {
                let token = space.apply(&mut state, mv);
                let rank = space.rank(&state);
                space.undo(&mut state, mv, token);
                let distance = &mut distances[rank as usize];
                if *distance == UNREACHED {
                    *distance = far;
                    meter.ledger.push(&mut next, rank)?;
                }
            }
        }
        std::mem::swap(&mut layer, &mut next);
        next.clear();
    }
    Ok(distances)
}

/// Two bits for each state.
struct Marks(Vec<u64>);

impl Marks {
    fn new(states: u64, meter: &mut Meter) -> Result<Self, OutOfMemory> {
        let words = usize::try_from(states.div_ceil(LANES)).map_err(|_| OutOfMemory)?;
        Ok(Self(meter.ledger.filled(0, words)?))
    }

    #[inline(always)]
    fn set(&mut self, rank: u64, mark: u64) {
        let shift = 2 * (rank % LANES);
        let word = &mut self.0[(rank / LANES) as usize];
        *word = *word & !(DONE << shift) | mark << shift;
    }

    /// Marks a state if it is new, and tells whether it was.
    #[inline(always)]
    fn mark_new(&mut self, rank: u64, mark: u64) -> bool {
        let shift = 2 * (rank % LANES);
        let word = &mut self.0[(rank / LANES) as usize];
        let new = *word >> shift & DONE == 0;
        *word |= (u64::from(new) * mark) << shift;
        new
    }

    /// The states of a word with this mark, as their lower bits.
    #[inline(always)]
    fn marked(&self, word: usize, mark: u64) -> u64 {
        let other = self.0[word] ^ (mark * LOW);
        !(other | other >> 1) & LOW
    }
}

fn sweep<S: Ranked>(
    space: &S,
    mut marks: Marks,
    meter: &mut Meter,
    stats: &mut Stats,
    tick: &mut dyn FnMut(&Stats),
) -> Result<Census, Limit> {
    let start = space.rank(&space.start());
    // The marks 1 and 2 alternate between layers.
    marks.set(start, 1);
    let mut census = Census { layers: vec![1], goals: 0, farthest: start };
    stats.stored = 1;
    let mut pending = Vec::with_capacity(2 * PENDING);
    loop {
        let here = 1 + (census.layers.len() as u64 + 1) % 2;
        stats.depth = census.layers.len() as u64 - 1;
        let mut found = 0;
        census.farthest = u64::MAX;
        for word in 0..marks.0.len() {
            let mut states = marks.marked(word, here);
            while states != 0 {
                if meter.due() {
                    meter.look()?;
                    stats.close(meter);
                    tick(stats);
                }
                meter.count();
                stats.expanded += 1;
                let rank = LANES * word as u64 + u64::from(states.trailing_zeros()) / 2;
                states &= states - 1;
                census.farthest = census.farthest.min(rank);
                marks.set(rank, DONE);
                let mut state = space.unrank(rank);
                census.goals += u64::from(space.is_goal(&state));
                for mv in space.moves(&state) {
                    let token = space.apply(&mut state, mv);
                    let rank = space.rank(&state);
                    space.undo(&mut state, mv, token);
                    crate::core::prefetch::prefetch(&marks.0, (rank / LANES) as usize);
                    pending.push(rank);
                }
                if pending.len() >= PENDING {
                    found += settle(&mut marks, &mut pending, 3 - here, stats);
                }
            }
        }
        found += settle(&mut marks, &mut pending, 3 - here, stats);
        if found == 0 {
            return Ok(census);
        }
        census.layers.push(found);
        stats.stored += found;
        stats.frontier_peak = stats.frontier_peak.max(found);
    }
}

/// Marks the buffered states and counts the new ones.
fn settle(marks: &mut Marks, pending: &mut Vec<u64>, mark: u64, stats: &mut Stats) -> u64 {
    let made = pending.len() as u64;
    let new = pending.drain(..).map(|rank| u64::from(marks.mark_new(rank, mark))).sum::<u64>();
    stats.generated += made;
    stats.duplicates += made - new;
    new
}
