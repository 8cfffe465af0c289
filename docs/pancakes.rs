//! A sixth puzzle, written against `beeline-search` alone: sorting pancakes.
//!
//! A stack of n pancakes of different sizes lies in disorder. A move flips the topmost k of them, for k from 2 to n. Solved
//! when they lie in order, the smallest on top. This file is the whole puzzle; docs/sixth-puzzle.md walks through it.

use beeline_search::{Claim, Cost, Heuristic, Ranked, Space};

/// A stack to be sorted.
#[derive(Clone, Debug)]
pub struct Pancakes {
    start: Vec<u8>,
}

impl Pancakes {
    /// A stack, topmost first: the numbers 0 to n−1 in any order, at most sixteen of them.
    pub fn new(start: &[u8]) -> Option<Self> {
        let mut sorted = start.to_vec();
        sorted.sort_unstable();
        let whole =
            (1..=16).contains(&start.len()) && sorted.iter().enumerate().all(|(i, &p)| usize::from(p) == i);
        whole.then(|| Self { start: start.to_vec() })
    }

    fn len(&self) -> usize {
        self.start.len()
    }
}

impl Space for Pancakes {
    type State = Vec<u8>;
    /// How many are flipped.
    type Move = u8;
    /// A flip is its own inverse.
    type Undo = ();
    type Moves = std::ops::RangeInclusive<u8>;
    /// Four bits a pancake.
    type Key = u64;

    fn start(&self) -> Vec<u8> {
        self.start.clone()
    }

    fn moves(&self, _: &Vec<u8>) -> Self::Moves {
        2..=self.len() as u8
    }

    fn apply(&self, stack: &mut Vec<u8>, flip: u8) {
        stack[..usize::from(flip)].reverse();
    }

    fn undo(&self, stack: &mut Vec<u8>, flip: u8, (): ()) {
        self.apply(stack, flip);
    }

    fn is_goal(&self, stack: &Vec<u8>) -> bool {
        stack.is_sorted()
    }

    fn pack(&self, stack: &Vec<u8>) -> u64 {
        stack.iter().rev().fold(0, |key, &pancake| key << 4 | u64::from(pancake))
    }

    fn unpack(&self, key: &u64) -> Vec<u8> {
        (0..self.len()).map(|i| (key >> (4 * i) & 15) as u8).collect()
    }

    // What follows is optional. Each line opens the space to more strategies.

    /// Only the bytes that this many pancakes need are stored.
    fn key_width(&self) -> usize {
        self.len().div_ceil(2)
    }

    fn reversible(&self) -> bool {
        true
    }

    /// There is one goal, so the search can also come from there.
    fn goals(&self) -> Option<Vec<Vec<u8>>> {
        Some(vec![(0..self.len() as u8).collect()])
    }

    /// A stack is n variables, one for each place: Iterated Width works on that.
    fn domains(&self) -> Option<Vec<u32>> {
        Some(vec![self.len() as u32; self.len()])
    }

    fn values(&self, stack: &Vec<u8>, values: &mut [u32]) {
        for (value, &pancake) in values.iter_mut().zip(stack) {
            *value = u32::from(pancake);
        }
    }
}

/// Stacks are permutations, so they can be numbered: a bit each is enough to remember them.
impl Ranked for Pancakes {
    fn states(&self) -> u64 {
        (1..=self.len() as u64).product()
    }

    fn rank(&self, stack: &Vec<u8>) -> u64 {
        let n = stack.len();
        (0..n).fold(0, |rank, i| {
            let smaller = stack[i + 1..].iter().filter(|&&p| p < stack[i]).count();
            rank * (n - i) as u64 + smaller as u64
        })
    }

    fn unrank(&self, mut rank: u64) -> Vec<u8> {
        let n = self.len();
        let mut digits: Vec<usize> = (1..=n as u64)
            .map(|base| {
                let digit = rank % base;
                rank /= base;
                digit as usize
            })
            .collect();
        digits.reverse();
        let mut left: Vec<u8> = (0..n as u8).collect();
        digits.into_iter().map(|d| left.remove(d)).collect()
    }
}

/// The gap heuristic (Helmert 2010): two neighbours that are not neighbours in the sorted stack must be parted by a flip,
/// and a flip parts one pair at most. The plate counts as one more pancake under the stack.
#[derive(Clone, Copy, Debug)]
pub struct Gap;

impl Heuristic<Pancakes> for Gap {
    type Memo = Cost;
    type Scratch = ();

    fn root(&self, space: &Pancakes, stack: &Vec<u8>, (): &mut ()) -> Cost {
        let plate = space.len() as u8;
        let below = stack.iter().skip(1).chain([&plate]);
        stack.iter().zip(below).filter(|(a, b)| a.abs_diff(**b) != 1).count() as Cost
    }

    fn value(&self, gaps: Cost) -> Cost {
        gaps
    }

    fn claim(&self) -> Claim {
        Claim::Consistent
    }
}
