//! Move pruning by a finite-state machine (Taylor & Korf 1993): it rejects redundant strings of steps.
//!
//! Many strings of steps have the same effect on the board (twelve steps around a 2×2 block have none). A depth-first search
//! does not detect duplicates. But it can know that the string it just followed has an equivalent that precedes it: a shorter
//! one, or an equally long one earlier in the order of steps. Such a string is forbidden.
//!
//! A breadth-first search from every square of the blank finds the strings up to a given length. One automaton joins them (Aho
//! & Corasick 1975). It also knows the edges of the board.
//!
//! Why it is safe: of all shortest plans take the first in the order of steps. If it contained a forbidden string, its
//! equivalent in its place would give a plan that is shorter or earlier. So that plan is never cut, and a depth-first search in
//! the same order still finds exactly it.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

use beeline_search::{Limit, Meter};
use foldhash::fast::FixedState;

use super::board::{MAX_SQUARES, Step};

/// The successor of a step that must not be taken: it leaves the board or completes a forbidden string.
pub const FORBIDDEN: u16 = u16::MAX;
/// Most states: they fit in 16 bits.
const MAX_STATES: usize = FORBIDDEN as usize;

/// Bytes per string during construction: its board in a layer and in a set, and itself in two sets.
const STRING: usize = 160;

/// Work of lengthening a string, in units of [`Meter::work`]: four look-ups of boards.
const LENGTHEN: u64 = 1 << 10;

/// The machine of one size of board.
#[derive(Clone, Debug)]
pub struct MoveFsm {
    next: Vec<[u16; 4]>,
    squares: usize,
    strings: usize,
}

/// A string of steps from a square: two bits a step below a marker bit.
type Word = (u8, u64);

type Set<T> = HashSet<T, FixedState>;

/// A board with six bits per square.
type Packed = [u64; 4];

impl MoveFsm {
    /// The machine for boards of these sides with the forbidden strings of up to `length` steps (fewer if its states would not
    /// fit). Of equivalent strings, the first by `order` is kept.
    pub fn new(rows: usize, columns: usize, length: usize, order: [Step; 4]) -> Self {
        let Ok(machine) =
            Self::build::<Infallible>((rows, columns), length, order, usize::MAX, &mut |_| Ok(()));
        machine
    }

    /// The same within limits. If the memory is too small for the search, it contains only shorter strings.
    pub fn within(
        rows: usize,
        columns: usize,
        length: usize,
        order: [Step; 4],
        meter: &mut Meter,
    ) -> Result<Self, Limit> {
        let room = meter.ledger.available();
        Self::build((rows, columns), length, order, room, &mut |units| meter.work(units))
    }

    /// Calls `work` before each part with its cost in units of [`Meter::work`]; `room` is in bytes.
    fn build<E>(
        (rows, columns): (usize, usize),
        length: usize,
        order: [Step; 4],
        room: usize,
        work: &mut dyn FnMut(u64) -> Result<(), E>,
    ) -> Result<Self, E> {
        let squares = (rows * columns).min(MAX_SQUARES);
        let mut machine = Self::edges(rows, columns, squares);
        let mut finders: Vec<Finder> = (0..squares).map(|s| Finder::new(s, squares)).collect();
        let mut forbidden = Vec::new();
        let mut canonical: Set<Word> = (0..squares as u8).map(|square| (square, 1)).collect();
        let length = length.min(24);
        for steps in 1..=length {
            // A string has at most three continuations.
            let strings: usize =
                finders.iter().map(|finder| finder.seen.len() + 3 * finder.layer.len()).sum();
            if STRING.saturating_mul(strings) > room {
                break;
            }
            let known = forbidden.len();
            let shorter = canonical;
            canonical = Set::default();
            for finder in &mut finders {
                work(LENGTHEN * finder.layer.len() as u64)?;
                finder.lengthen(&machine, order, &shorter, &mut canonical, &mut forbidden, steps == length);
            }
            if forbidden.len() > known && prefixes(&forbidden).len() + squares >= MAX_STATES {
                forbidden.truncate(known);
                break;
            }
        }
        machine.strings = forbidden.len();
        machine.join(&forbidden);
        Ok(machine)
    }

    /// The machine that knows only the edges, with one state per square.
    fn edges(rows: usize, columns: usize, squares: usize) -> Self {
        let to = |square: usize, step: usize| {
            let (row, column) = (square / columns, square % columns);
            let open = [column > 0, column + 1 < columns, row > 0, row + 1 < rows][step];
            let target =
                [square.wrapping_sub(1), square + 1, square.wrapping_sub(columns), square + columns][step];
            if open { target as u16 } else { FORBIDDEN }
        };
        let next = (0..squares).map(|square| std::array::from_fn(|step| to(square, step))).collect();
        Self { next, squares, strings: 0 }
    }

    /// Builds the states: one for every prefix of a forbidden string, empty prefixes first.
    fn join(&mut self, forbidden: &[Word]) {
        let forbidden_set: Set<Word> = forbidden.iter().copied().collect();
        let mut words: Vec<Word> = prefixes(forbidden).into_iter().collect();
        words.sort_unstable_by_key(|&(square, word)| (word, square));
        let mut ids: HashMap<Word, u16, FixedState> =
            (0..self.squares as u16).map(|s| ((s as u8, 1), s)).collect();
        for word in words {
            ids.insert(word, ids.len() as u16);
        }
        let mut order: Vec<(Word, u16)> = ids.iter().map(|(&word, &id)| (word, id)).collect();
        order.sort_unstable_by_key(|&(_, id)| id);
        let edges = self.next.clone();
        // By state: the state of its longest proper suffix. States come in order of length, so it is known in time.
        let mut suffix = vec![0u16; order.len()];
        self.next.resize(order.len(), [FORBIDDEN; 4]);
        for &((square, word), id) in &order {
            for (step, &beside) in edges[usize::from(square)].iter().enumerate() {
                let longer = (square, word << 2 | step as u64);
                let else_to = match word {
                    1 => beside,
                    _ => self.next[usize::from(suffix[usize::from(id)])][step],
                };
                let to = match ids.get(&longer) {
                    _ if forbidden_set.contains(&longer) => FORBIDDEN,
                    Some(&child) if else_to != FORBIDDEN => {
                        suffix[usize::from(child)] = else_to;
                        child
                    }
                    _ => else_to,
                };
                self.next[usize::from(id)][step] = to;
            }
        }
    }

    /// The state at the start, with the blank on this square.
    #[inline(always)]
    pub fn start(&self, blank: usize) -> u16 {
        blank as u16
    }

    /// The state after a step, or [`FORBIDDEN`].
    #[inline(always)]
    pub fn after(&self, state: u16, step: usize) -> u16 {
        self.next.get(usize::from(state)).map_or(FORBIDDEN, |next| next[step & 3])
    }

    /// The transition table: by state and step the next state.
    pub fn table(&self) -> &[[u16; 4]] {
        &self.next
    }

    /// The machine of a table; `None` if the table contains an invalid state.
    pub fn from_table(next: Vec<[u16; 4]>, squares: usize, strings: usize) -> Option<Self> {
        let there = |&state: &u16| state == FORBIDDEN || usize::from(state) < next.len();
        let whole = next.len() >= squares && next.iter().flatten().all(there);
        whole.then_some(Self { next, squares, strings })
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.next.len()
    }

    /// The number of forbidden strings.
    pub fn strings(&self) -> usize {
        self.strings
    }

    /// Bytes of its table.
    pub fn bytes(&self) -> usize {
        size_of_val(self.next.as_slice())
    }
}

/// All non-empty proper prefixes of these strings.
fn prefixes(strings: &[Word]) -> Set<Word> {
    let mut all = Set::default();
    for &(square, word) in strings {
        let mut word = word >> 2;
        while word > 1 && all.insert((square, word)) {
            word >>= 2;
        }
    }
    all
}

/// Squares in a word of [`Packed`].
const PER_WORD: usize = 10;

/// Moves the tile on one square to another, empty one.
fn swap(mut board: Packed, from: usize, to: usize) -> Packed {
    let tile = board[from / PER_WORD] >> (6 * (from % PER_WORD)) & 63;
    board[from / PER_WORD] ^= tile << (6 * (from % PER_WORD));
    board[to / PER_WORD] ^= tile << (6 * (to % PER_WORD));
    board
}

/// The breadth-first search from one square of the blank.
struct Finder {
    square: u8,
    /// In order, each string that is first for its effect, the board after it, and the machine's state.
    layer: Vec<(u64, Packed, u16)>,
    seen: Set<Packed>,
}

impl Finder {
    fn new(square: usize, squares: usize) -> Self {
        let mut board = [0; 4];
        for s in (0..squares).filter(|&s| s != square) {
            board[s / PER_WORD] |= (s as u64 + 1) << (6 * (s % PER_WORD));
        }
        let seen = std::iter::once(board).collect();
        Self { square: square as u8, layer: vec![(1, board, square as u16)], seen }
    }

    /// Lengthens the strings by one step. A string whose tail is not `shorter` (known to be first) is not added: its tail is
    /// already forbidden. Of the strings of the `last` length only the forbidden ones matter.
    fn lengthen(
        &mut self,
        edges: &MoveFsm,
        order: [Step; 4],
        shorter: &Set<Word>,
        canonical: &mut Set<Word>,
        forbidden: &mut Vec<Word>,
        last: bool,
    ) {
        let mut layer = Vec::new();
        self.seen.reserve(2 * self.layer.len());
        for (word, board, blank) in std::mem::take(&mut self.layer) {
            for step in order {
                let to = edges.after(blank, step as usize);
                if to == FORBIDDEN {
                    continue;
                }
                let moved = swap(board, usize::from(to), usize::from(blank));
                let longer = word << 2 | step as u64;
                if self.seen.insert(moved) {
                    if !last {
                        layer.push((longer, moved, to));
                        canonical.insert((self.square, longer));
                    }
                } else if tail(edges, self.square, longer).is_none_or(|tail| shorter.contains(&tail)) {
                    forbidden.push((self.square, longer));
                }
            }
        }
        self.layer = layer;
    }
}

/// The string without its first step.
fn tail(edges: &MoveFsm, square: u8, word: u64) -> Option<Word> {
    let steps = word.max(1).ilog2() / 2;
    let first = steps.checked_sub(1)?;
    let step = (word >> (2 * first) & 3) as usize;
    let to = edges.after(u16::from(square), step);
    (to != FORBIDDEN).then(|| (to as u8, word & ((1 << (2 * first)) - 1) | 1 << (2 * first)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every board within a distance is still reached at that distance.
    #[test]
    fn nothing_is_lost() {
        for (rows, columns, depth) in [(2, 2, 10), (3, 3, 16), (2, 5, 18), (4, 4, 15)] {
            let squares = rows * columns;
            let machine = MoveFsm::new(rows, columns, 14, Step::ALL);
            let edges = MoveFsm::new(rows, columns, 0, Step::ALL);
            for start in [0, squares - 1, squares / 2] {
                let mut all = HashSet::from([(0..squares as u8).collect::<Vec<_>>()]);
                let first: Vec<u8> = (0..squares as u8).collect();
                let mut blind = vec![(first.clone(), edges.start(start))];
                let mut led = vec![(first, machine.start(start), start)];
                for _ in 0..depth {
                    let mut next = Vec::new();
                    for (board, blank) in &blind {
                        for step in 0..4 {
                            let to = edges.after(*blank, step);
                            if to == FORBIDDEN {
                                continue;
                            }
                            let mut moved = board.clone();
                            moved.swap(usize::from(*blank), usize::from(to));
                            if all.insert(moved.clone()) {
                                next.push((moved, to));
                            }
                        }
                    }
                    blind = next;
                    let mut next = Vec::new();
                    for (board, state, blank) in &led {
                        for step in 0..4 {
                            let after = machine.after(*state, step);
                            if after == FORBIDDEN {
                                continue;
                            }
                            let to = usize::from(edges.after(*blank as u16, step));
                            let mut moved = board.clone();
                            moved.swap(*blank, to);
                            next.push((moved, after, to));
                        }
                    }
                    led = next;
                    let reached: HashSet<&Vec<u8>> = led.iter().map(|(board, _, _)| board).collect();
                    assert!(blind.iter().all(|(board, _)| reached.contains(board)), "{rows}x{columns}");
                }
            }
        }
    }

    #[test]
    fn going_back_is_forbidden_first() {
        let machine = MoveFsm::new(4, 4, 2, Step::ALL);
        for square in 0..16 {
            for step in Step::ALL {
                let after = machine.after(machine.start(square), step as usize);
                assert!(after == FORBIDDEN || machine.after(after, step.back() as usize) == FORBIDDEN);
            }
        }
        assert!(MoveFsm::new(4, 4, 12, Step::ALL).states() > 1000);
    }
}
