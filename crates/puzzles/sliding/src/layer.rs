//! The current layer of the search and the next one.
//!
//! A position takes a byte per piece and one for how it was reached, however long the search's type is. Positions are stored in
//! chunks. An expanded chunk makes room for one of the next layer, so two layers take little more than the larger one.

use beeline_search::memory::{Ledger, OutOfMemory};

use super::rank::Node;

/// Positions per chunk.
const CHUNK: usize = 1 << 10;

/// A chunk of positions.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    bytes: Vec<u8>,
    len: usize,
}

impl Chunk {
    /// The number of its positions.
    pub(super) fn len(&self) -> usize {
        self.len
    }
}

/// Both layers.
#[derive(Debug)]
pub(super) struct Layers<const P: usize> {
    /// The number of pieces of a position.
    pieces: usize,
    /// The current layer, the number of chunks taken from it, and the number of positions not taken.
    now: Vec<Chunk>,
    taken: usize,
    left: usize,
    /// The next layer and its length.
    next: Vec<Chunk>,
    made: usize,
    /// Unused chunks.
    spare: Vec<Chunk>,
}

impl<const P: usize> Layers<P> {
    /// Two empty layers of positions with this many pieces, fewer than `P`.
    pub(super) fn new(pieces: usize) -> Self {
        let (now, next, spare) = (Vec::new(), Vec::new(), Vec::new());
        Self { pieces: pieces.min(P - 1), now, taken: 0, left: 0, next, made: 0, spare }
    }

    /// The number of positions of this layer not yet taken.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// The number of positions of the next layer.
    pub(super) fn made(&self) -> usize {
        self.made
    }

    /// Adds a position to the next layer.
    #[inline(always)]
    pub(super) fn push(&mut self, ledger: &mut Ledger, node: &Node<P>) -> Result<(), OutOfMemory> {
        if self.next.last().is_none_or(|chunk| chunk.len == CHUNK) {
            self.add_chunk(ledger)?;
        }
        if let Some(chunk) = self.next.last_mut() {
            write(chunk, self.pieces, chunk.len, node);
            chunk.len += 1;
            self.made += 1;
        }
        Ok(())
    }

    #[cold]
    fn add_chunk(&mut self, ledger: &mut Ledger) -> Result<(), OutOfMemory> {
        let chunk = match self.spare.pop() {
            Some(chunk) => chunk,
            None => Chunk { bytes: ledger.filled(0, CHUNK * (self.pieces + 1) + P)?, len: 0 },
        };
        ledger.push(&mut self.next, chunk)
    }

    /// Takes the next chunk of this layer. The caller returns it when it is done.
    pub(super) fn take(&mut self) -> Option<Chunk> {
        let chunk = std::mem::take(self.now.get_mut(self.taken)?);
        self.taken += 1;
        self.left -= chunk.len;
        Some(chunk)
    }

    /// Returns a chunk, whose memory is reused.
    pub(super) fn give_back(&mut self, ledger: &mut Ledger, mut chunk: Chunk) -> Result<(), OutOfMemory> {
        chunk.len = 0;
        ledger.push(&mut self.spare, chunk)
    }

    /// A position of a chunk.
    #[inline(always)]
    pub(super) fn get(&self, chunk: &Chunk, place: usize) -> Node<P> {
        read(chunk, self.pieces, place)
    }

    /// Advances to the next layer. This one must have been taken completely.
    pub(super) fn advance(&mut self) {
        self.now.clear();
        self.taken = 0;
        std::mem::swap(&mut self.now, &mut self.next);
        self.left = std::mem::take(&mut self.made);
    }

    /// The first position of this layer, of which nothing may have been taken.
    pub(super) fn first(&self) -> Option<Node<P>> {
        let chunk = self.now.first().filter(|chunk| chunk.len > 0)?;
        Some(self.get(chunk, 0))
    }

    /// Keeps only some positions of this layer, of which nothing may have been taken.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&Node<P>) -> bool) {
        let pieces = self.pieces;
        self.left = 0;
        for chunk in &mut self.now {
            let mut kept = 0;
            for place in 0..chunk.len {
                let node = read(chunk, pieces, place);
                if keep(&node) {
                    let row = pieces + 1;
                    chunk.bytes.copy_within(place * row..(place + 1) * row, kept * row);
                    kept += 1;
                }
            }
            chunk.len = kept;
            self.left += kept;
        }
    }
}

#[inline(always)]
fn read<const P: usize>(chunk: &Chunk, pieces: usize, place: usize) -> Node<P> {
    let at = place * (pieces + 1);
    let mut node = [0; P];
    node.copy_from_slice(&chunk.bytes[at..at + P]);
    node[P - 1] = chunk.bytes[at + pieces];
    node
}

/// Writes a position in full width. The next position overwrites the excess, for which there is always room.
#[inline(always)]
fn write<const P: usize>(chunk: &mut Chunk, pieces: usize, place: usize, node: &Node<P>) {
    let at = place * (pieces + 1);
    chunk.bytes[at..at + P].copy_from_slice(node);
    chunk.bytes[at + pieces] = node[P - 1];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pushed_comes_back_layer_by_layer() {
        for pieces in [1, 9, 15] {
            let mut ledger = Ledger::new(None);
            let mut layers = Layers::<16>::new(pieces);
            let node = |i: usize| {
                let mut node = [0; 16];
                for (place, byte) in node.iter_mut().enumerate() {
                    *byte = ((i + 1) * (place + 3) % 251) as u8;
                }
                node
            };
            let same = |a: &Node<16>, b: &Node<16>| a[..pieces] == b[..pieces] && a[15] == b[15];
            for _ in 0..3 {
                for i in 0..5_000 {
                    layers.push(&mut ledger, &node(i)).unwrap();
                }
                assert_eq!((layers.left(), layers.made()), (0, 5_000));
                layers.advance();
                assert!(same(&layers.first().unwrap(), &node(0)));
                let mut i = 0;
                layers.retain(|met| {
                    assert!(same(met, &node(i)));
                    i += 1;
                    i % 3 != 0
                });
                assert_eq!((i, layers.left()), (5_000, 3_334));
                let mut kept = (0..5_000).filter(|i| (i + 1) % 3 != 0);
                while let Some(chunk) = layers.take() {
                    for place in 0..chunk.len() {
                        assert!(same(&layers.get(&chunk, place), &node(kept.next().unwrap())));
                    }
                    layers.give_back(&mut ledger, chunk).unwrap();
                }
                assert_eq!((kept.next(), layers.left()), (None, 0));
            }
            // Five chunks of positions, used three times each.
            let bytes = 5 * CHUNK * (pieces + 1);
            assert!(ledger.used() < bytes + 1_000, "{} of {bytes}", ledger.used());
        }
    }
}
