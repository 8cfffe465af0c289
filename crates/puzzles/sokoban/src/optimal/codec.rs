//! Encodes box sets as keys: one bit per useful square, or the rank of the set among all sets of its size
//! (combinatorial number system) where that is shorter.

use crate::bits::Bits;
use crate::board::Square;
use crate::combinations::CombinationNumbers;
use crate::field::Field;
use crate::walk::Position;

/// Bytes that ranking a set must save, since it takes time.
const BYTES_WORTH_NUMBERING: usize = 2;

/// Maps squares to bits, and bits to keys, and back.
#[derive(Clone, Debug)]
pub(crate) struct Codec {
    bit_of: Vec<Square>,
    square_of: Vec<Square>,
    /// Bytes per key.
    width: usize,
    numbers: Option<CombinationNumbers>,
}

impl Codec {
    pub(crate) fn new(field: &Field) -> Self {
        let mut bit_of = vec![0; field.squares()];
        let mut square_of = Vec::new();
        for square in 0..field.squares() as Square {
            if field.useful(square) {
                bit_of[square as usize] = square_of.len() as Square;
                square_of.push(square);
            }
        }
        let plain = square_of.len().div_ceil(8);
        let numbers = CombinationNumbers::new(square_of.len(), field.board().boxes().len());
        let numbers = numbers.filter(|numbers| numbers.width() + BYTES_WORTH_NUMBERING <= plain);
        let width = numbers.as_ref().map_or(plain, CombinationNumbers::width);
        Self { bit_of, square_of, width, numbers }
    }

    /// Bits per set.
    pub(crate) fn bits(&self) -> usize {
        self.square_of.len()
    }

    /// Bytes per key.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The bits of a set of boxes, all of them on useful squares.
    #[inline]
    pub(crate) fn pack<const N: usize>(&self, boxes: impl Iterator<Item = Square>) -> Bits<N> {
        let mut bits = Bits::default();
        for at in boxes {
            bits.set(self.bit_of[at as usize]);
        }
        bits
    }

    /// The bits after one box has moved.
    #[inline]
    pub(crate) fn moved<const N: usize>(&self, mut bits: Bits<N>, from: Square, to: Square) -> Bits<N> {
        bits.clear(self.bit_of[from as usize]);
        bits.set(self.bit_of[to as usize]);
        bits
    }

    /// Sets up the boxes of a position.
    #[inline]
    pub(crate) fn unpack<const N: usize>(&self, bits: &Bits<N>, position: &mut Position) {
        position.set_boxes(bits.iter().map(|bit| self.square_of[bit as usize]));
    }

    /// The key under which a set is stored.
    #[inline]
    pub(crate) fn key<const N: usize>(&self, bits: &Bits<N>) -> [u64; N] {
        let Some(numbers) = &self.numbers else { return bits.0 };
        let number = numbers.of(bits.iter());
        let mut key = [0; N];
        for (word, part) in key.iter_mut().zip([number as u64, (number >> 64) as u64]) {
            *word = part;
        }
        key
    }

    /// The set that is stored under a key.
    #[inline]
    pub(crate) fn set<const N: usize>(&self, key: &[u64; N]) -> Bits<N> {
        let Some(numbers) = &self.numbers else { return Bits(*key) };
        let high = key.get(1).copied().unwrap_or(0);
        let mut bits = Bits::default();
        numbers.each(u128::from(key[0]) | u128::from(high) << 64, |bit| bits.set(bit));
        bits
    }
}
