//! The interface between a problem and a search.
//!
//! A [`Space`] is one parsed instance of a problem. It never changes, so any number of searches may share it. A search edits
//! the *working state* in place: it [`apply`](Space::apply)s a move and takes it back by [`undo`](Space::undo), with the token
//! from `apply`. States that must be remembered are [`pack`](Space::pack)ed into a [`Key`] of fixed width.
//!
//! A space is not a search: it knows nothing of frontiers, bounds or counters.

use std::fmt::Debug;

/// What a move or a plan costs. Integer, so that two runs agree to the digit.
///
/// ```
/// use beeline_search::{Cost, DEAD};
///
/// let plan: Cost = [2, 1, 2].iter().sum();
/// assert!(plan < DEAD);
/// ```
pub type Cost = u32;

/// One instance of a problem, as a search sees it.
///
/// Only the first group of methods is required. The defaults of the second group say "this space does not support that". A
/// strategy that needs such a method returns an error (see [`crate::strategies::Unsupported`]).
///
/// ```
/// use beeline_search::Space;
/// use beeline_search::example::Knight;
///
/// let space = Knight::across(8);
/// let mut square = space.start();
/// let leap = space.moves(&square).next().expect("a knight in a corner has two moves");
///
/// let left = space.apply(&mut square, leap);
/// assert_eq!(square, (1, 2));
/// assert_eq!(space.unpack(&space.pack(&square)), square);
///
/// space.undo(&mut square, leap, left);
/// assert_eq!(square, space.start());
/// ```
pub trait Space: Sync {
    /// The working state, changed in place.
    type State: Clone;
    /// A move. Small and `Copy`: it is kept on stacks and compared.
    type Move: Copy + PartialEq + Debug + Send + Sync;
    /// What [`undo`](Space::undo) needs beside the move; often `()`.
    type Undo: Copy;
    /// The moves of one state, in the space's documented order. Owns its data, so that the state may change during the
    /// iteration.
    type Moves: Iterator<Item = Self::Move>;
    /// The packed state.
    type Key: Key;

    /// The state in which the problem is posed.
    fn start(&self) -> Self::State;

    /// All legal moves, in a fixed, documented order.
    fn moves(&self, state: &Self::State) -> Self::Moves;

    /// Plays a legal move.
    fn apply(&self, state: &mut Self::State, mv: Self::Move) -> Self::Undo;

    /// Takes back the move that was played last.
    fn undo(&self, state: &mut Self::State, mv: Self::Move, token: Self::Undo);

    /// Is the problem solved here?
    fn is_goal(&self, state: &Self::State) -> bool;

    /// The key under which a state is remembered.
    ///
    /// Two states may share a key exactly when a search may replace one by the other: under a renaming of moves they have the
    /// same futures at the same costs. A space with symmetries packs the canonical representative. A space without packs the
    /// state itself.
    fn pack(&self, state: &Self::State) -> Self::Key;

    /// A state with this key. Where several share it, any one of them.
    fn unpack(&self, key: &Self::Key) -> Self::State;

    // ---- optional ----

    /// Like [`unpack`](Space::unpack), into a state that already owns its memory.
    #[inline]
    fn unpack_into(&self, key: &Self::Key, state: &mut Self::State) {
        *state = self.unpack(key);
    }

    /// How many bytes of a key matter in this instance. Only these are stored, hashed and compared.
    #[inline]
    fn key_width(&self) -> usize {
        Self::Key::BYTES
    }

    /// The moves worth trying after `last`. A depth-first search uses it to skip the move that undoes `last`.
    ///
    /// Every omitted move must lead to a state that another path reaches at no greater cost.
    #[inline]
    fn moves_after(&self, state: &Self::State, last: Self::Move) -> Self::Moves {
        let _ = last;
        self.moves(state)
    }

    /// Heap bytes of an iterator over moves. A depth-first search has one for each state of its path and charges them to its
    /// memory.
    #[inline]
    fn moves_heap(&self, moves: &Self::Moves) -> usize {
        let _ = moves;
        0
    }

    /// What `mv` costs in `state` (the state *before* the move).
    #[inline]
    fn cost(&self, state: &Self::State, mv: Self::Move) -> Cost {
        let _ = (state, mv);
        1
    }

    /// Does every move cost 1? A space that overrides [`cost`](Space::cost) must answer `false`; otherwise breadth-first search
    /// makes a false promise.
    #[inline]
    fn unit_cost(&self) -> bool {
        true
    }

    /// Can every move be taken back by a move of the same cost?
    #[inline]
    fn reversible(&self) -> bool {
        false
    }

    /// Every goal state (up to equal keys), if they can be listed. Bidirectional search starts from them.
    #[inline]
    fn goals(&self) -> Option<Vec<Self::State>> {
        None
    }

    /// The sizes of the variables' domains, if a state is an assignment of finitely many variables. Novelty is defined over
    /// them.
    #[inline]
    fn domains(&self) -> Option<Vec<u32>> {
        None
    }

    /// Writes the value of each variable of [`domains`](Space::domains); `values` has their number.
    #[inline]
    fn values(&self, state: &Self::State, values: &mut [u32]) {
        let _ = (state, values);
    }
}

/// A space whose states are numbered without gaps. One bit then suffices to remember a state.
///
/// ```
/// use beeline_search::example::Knight;
/// use beeline_search::{Ranked, Space};
///
/// let space = Knight::across(8);
/// assert_eq!(space.states(), 64);
/// assert!((0..64).all(|n| space.rank(&space.unrank(n)) == n));
/// ```
pub trait Ranked: Space {
    /// The number of states.
    fn states(&self) -> u64;
    /// The number of a state, below [`states`](Ranked::states). Equal exactly when the keys are equal.
    fn rank(&self, state: &Self::State) -> u64;
    /// The state with this number.
    fn unrank(&self, rank: u64) -> Self::State;
}

/// A packed state: a few 64-bit words, of which the first [`Space::key_width`] bytes (little-endian) matter.
///
/// ```
/// use beeline_search::Key;
///
/// let key: [u64; 2] = [7, 9];
/// assert_eq!((key.word(0), key.word(1)), (7, 9));
/// assert_eq!(<[u64; 2]>::from_words(|i| key.word(i)), key);
/// assert_eq!(<u32 as Key>::BYTES, 4);
/// ```
pub trait Key: Copy + Eq + Debug + Send + Sync + 'static {
    /// How many bytes a key has at the most.
    const BYTES: usize;
    /// How many words that is.
    const WORDS: usize = Self::BYTES.div_ceil(8);
    /// Word `i`, counted from the first bytes.
    fn word(&self, i: usize) -> u64;
    /// The key with these words.
    fn from_words(words: impl FnMut(usize) -> u64) -> Self;
}

macro_rules! integer_key {
    ($($t:ty),*) => {$(
        impl Key for $t {
            const BYTES: usize = size_of::<$t>();
            #[inline(always)]
            fn word(&self, _: usize) -> u64 {
                u64::from(*self)
            }
            #[inline(always)]
            fn from_words(mut words: impl FnMut(usize) -> u64) -> Self {
                words(0) as $t
            }
        }
    )*};
}
integer_key!(u8, u16, u32, u64);

impl Key for u128 {
    const BYTES: usize = 16;
    #[inline(always)]
    fn word(&self, i: usize) -> u64 {
        (*self >> (64 * i)) as u64
    }
    #[inline(always)]
    fn from_words(mut words: impl FnMut(usize) -> u64) -> Self {
        let low = u128::from(words(0));
        low | u128::from(words(1)) << 64
    }
}

impl<const N: usize> Key for [u64; N] {
    const BYTES: usize = 8 * N;
    #[inline(always)]
    fn word(&self, i: usize) -> u64 {
        self[i]
    }
    #[inline(always)]
    fn from_words(words: impl FnMut(usize) -> u64) -> Self {
        std::array::from_fn(words)
    }
}

impl<const N: usize> Key for [u8; N] {
    const BYTES: usize = N;
    #[inline(always)]
    fn word(&self, i: usize) -> u64 {
        let mut word = [0; 8];
        let part = &self[8 * i..N.min(8 * i + 8)];
        word[..part.len()].copy_from_slice(part);
        u64::from_le_bytes(word)
    }
    #[inline(always)]
    fn from_words(mut words: impl FnMut(usize) -> u64) -> Self {
        let mut key = [0; N];
        for (i, part) in key.chunks_mut(8).enumerate() {
            part.copy_from_slice(&words(i).to_le_bytes()[..part.len()]);
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<K: Key>(key: K) {
        let words: Vec<u64> = (0..K::WORDS).map(|i| key.word(i)).collect();
        assert_eq!(K::from_words(|i| words[i]), key);
    }

    #[test]
    fn keys_are_their_words() {
        round_trip(0xA5u8);
        round_trip(0xBEEF_u16);
        round_trip(0xDEAD_BEEF_u32);
        round_trip(0x0123_4567_89AB_CDEF_u64);
        round_trip(0x0123_4567_89AB_CDEF_FEDC_BA98_7654_3210_u128);
        round_trip([1u64, 2, u64::MAX]);
        round_trip([1u8, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255]);
    }
}
