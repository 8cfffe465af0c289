//! Packed atoms, and the memory of a radix tree over them.
//!
//! The classic report prints the size of a binary radix tree of packed atoms: 16 bytes per node, and the bits of the prefixes
//! rounded up to bytes. A tree of k different keys has 2k − 1 nodes. Its prefixes together have as many bits as the keys have
//! different non-empty prefixes. Both depend only on the set of keys, so no tree is built: the keys are sorted, and each adds
//! the bits that it does not share with its predecessor.

use beeline_search::memory::{Ledger, OutOfMemory};
use beeline_search::novelty::Novelty;

use super::Digits;
use crate::Board;

/// Bytes of a node of the tree: four 4-byte numbers.
const NODE: u64 = 16;

/// The packed form of "this piece stands at this anchor": piece, row and column, each with its lowest bit first.
pub(super) struct Atoms {
    bits: u32,
    /// By piece, then by anchor.
    codes: Vec<Vec<u16>>,
}

/// Bits that hold the numbers below `count`.
fn bits_for(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

/// The lowest `bits` bits in reverse order.
fn reversed(value: usize, bits: u32) -> u16 {
    (0..bits).fold(0, |code, i| code << 1 | (value >> i & 1) as u16)
}

impl Atoms {
    pub(super) fn new<const N: usize>(board: &Board<N>, digits: &Digits) -> Self {
        let layout = &board.layout;
        let highest = digits.0.last().copied().unwrap_or(0) as usize;
        let (piece_bits, row_bits) = (bits_for(highest + 1), bits_for(layout.height));
        let column_bits = bits_for(layout.width);
        let code = |digit: u8, cell: u16| {
            let (row, column) = (cell as usize / layout.width, cell as usize % layout.width);
            reversed(digit as usize, piece_bits) << (row_bits + column_bits)
                | reversed(row, row_bits) << column_bits
                | reversed(column, column_bits)
        };
        let codes = (0..board.pieces())
            .map(|p| board.shape(p).cells.iter().map(|&cell| code(digits.0[p], cell)).collect())
            .collect();
        Self { bits: piece_bits + row_bits + column_bits, codes }
    }

    fn key<T: TreeKey>(&self, variables: &[u32], values: &[u32]) -> T {
        variables.iter().zip(values).fold(T::default(), |key, (&piece, &anchor)| {
            key.then(self.codes[piece as usize][anchor as usize], self.bits)
        })
    }
}

/// A string of bits. All strings of one tree have the same length.
trait TreeKey: Copy + Ord + Default {
    /// The string with an atom appended.
    fn then(self, code: u16, bits: u32) -> Self;
    /// The number of trailing bits from the first difference on.
    fn unshared(self, other: Self) -> u32;
}

impl TreeKey for u64 {
    fn then(self, code: u16, bits: u32) -> Self {
        self << bits | u64::from(code)
    }
    fn unshared(self, other: Self) -> u32 {
        Self::BITS - (self ^ other).leading_zeros()
    }
}

impl TreeKey for u128 {
    fn then(self, code: u16, bits: u32) -> Self {
        self << bits | u128::from(code)
    }
    fn unshared(self, other: Self) -> u32 {
        Self::BITS - (self ^ other).leading_zeros()
    }
}

/// Up to 256 bits, the high half first.
impl TreeKey for (u128, u128) {
    fn then(self, code: u16, bits: u32) -> Self {
        let carried = if bits == 0 { 0 } else { self.1 >> (u128::BITS - bits) };
        (self.0 << bits | carried, self.1 << bits | u128::from(code))
    }
    fn unshared(self, other: Self) -> u32 {
        match self.0.unshared(other.0) {
            0 => self.1.unshared(other.1),
            high => high + u128::BITS,
        }
    }
}

/// The tree of the keys in `keys`, each `length` bits long; leaves `keys` empty.
fn bytes_of<T: TreeKey>(keys: &mut Vec<T>, length: u32) -> u64 {
    keys.sort_unstable();
    let Some(&first) = keys.first() else { return 0 };
    let (mut prefix_bits, mut last, mut count) = (u64::from(length), first, 1u64);
    for &key in &keys[1..] {
        let unshared = key.unshared(last);
        prefix_bits += u64::from(unshared);
        count += u64::from(unshared > 0);
        last = key;
    }
    keys.clear();
    NODE * (2 * count - 1) + prefix_bits.div_ceil(8)
}

/// Bytes of the radix tree of whole states. `states` passes them on one by one, as values of all variables.
pub(super) fn state_tree(
    atoms: &Atoms,
    count: usize,
    ledger: &mut Ledger,
    states: impl FnOnce(&mut dyn FnMut(&[u32])),
) -> Result<u64, OutOfMemory> {
    let pieces = atoms.codes.len() as u32;
    match pieces * atoms.bits {
        0..=64 => states_as::<u64>(atoms, count, ledger, states),
        65..=128 => states_as::<u128>(atoms, count, ledger, states),
        _ => states_as::<(u128, u128)>(atoms, count, ledger, states),
    }
}

fn states_as<T: TreeKey>(
    atoms: &Atoms,
    count: usize,
    ledger: &mut Ledger,
    states: impl FnOnce(&mut dyn FnMut(&[u32])),
) -> Result<u64, OutOfMemory> {
    let pieces: Vec<u32> = (0..atoms.codes.len() as u32).collect();
    let mut keys: Vec<T> = Vec::new();
    ledger.grow_to(&mut keys, count)?;
    states(&mut |values| keys.push(atoms.key(&pieces, values)));
    let bytes = bytes_of(&mut keys, pieces.len() as u32 * atoms.bits);
    ledger.forget(keys);
    Ok(bytes)
}

/// Bytes of the radix trees of all recorded tuples, one tree for each size.
pub(super) fn tuple_trees(
    atoms: &Atoms,
    novelty: &Novelty,
    width: usize,
    ledger: &mut Ledger,
) -> Result<u64, OutOfMemory> {
    match width as u32 * atoms.bits {
        0..=64 => tuples_as::<u64>(atoms, novelty, ledger),
        65..=128 => tuples_as::<u128>(atoms, novelty, ledger),
        _ => tuples_as::<(u128, u128)>(atoms, novelty, ledger),
    }
}

fn tuples_as<T: TreeKey>(atoms: &Atoms, novelty: &Novelty, ledger: &mut Ledger) -> Result<u64, OutOfMemory> {
    let mut keys: Vec<T> = Vec::new();
    let (mut size, mut bytes) = (0, 0);
    novelty.for_each(ledger, |variables, values, ledger| {
        if variables.len() != size {
            bytes += bytes_of(&mut keys, size as u32 * atoms.bits);
            size = variables.len();
        }
        ledger.push(&mut keys, atoms.key(variables, values))
    })?;
    bytes += bytes_of(&mut keys, size as u32 * atoms.bits);
    ledger.forget(keys);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference implementation: counts the different non-empty prefixes one by one.
    fn plain(keys: &[&str]) -> u64 {
        let mut beginnings = std::collections::BTreeSet::new();
        for key in keys {
            (1..=key.len()).for_each(|n| {
                beginnings.insert(&key[..n]);
            });
        }
        NODE * (2 * keys.len() as u64 - 1) + (beginnings.len() as u64).div_ceil(8)
    }

    #[test]
    fn sorted_neighbours_count_what_a_tree_stores() {
        for keys in
            [vec!["0110"], vec!["0110", "0111", "1000"], vec!["000", "001", "010", "011", "100", "111"]]
        {
            let length = keys[0].len() as u32;
            let bits = |k: &&str| u64::from_str_radix(k, 2).unwrap();
            let mut narrow: Vec<u64> = keys.iter().rev().map(bits).collect();
            let mut wide: Vec<(u128, u128)> = keys.iter().map(|k| (0, u128::from(bits(k)))).collect();
            assert_eq!(bytes_of(&mut narrow, length), plain(&keys));
            assert_eq!(bytes_of(&mut wide, length), plain(&keys));
        }
        assert_eq!(bytes_of::<u64>(&mut Vec::new(), 7), 0);
    }

    #[test]
    fn wide_keys_carry_over() {
        let key = (0..20).fold((0u128, 0u128), |k, i| k.then(i, 10));
        let other = (0..20).fold((0u128, 0u128), |k, i| k.then(i + u16::from(i == 1), 10));
        // Atom 1 is 0000000001 in one and 0000000010 in the other: the last two of its bits, and 18 atoms after it.
        assert_eq!(key.unshared(other), 2 + 18 * 10);
    }
}
