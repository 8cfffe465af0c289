//! An infinite space without a goal: only a limit ends a search. The limits benchmark uses it, too.

use beeline_search::Space;

/// An infinite world without a goal: every number leads to two others, all over the 64 bits.
pub(crate) struct Wild;

impl Space for Wild {
    type State = u64;
    type Move = u64;
    type Undo = u64;
    type Moves = std::ops::Range<u64>;
    type Key = u64;
    fn start(&self) -> u64 {
        1
    }
    fn moves(&self, _: &u64) -> Self::Moves {
        0..2
    }
    fn apply(&self, state: &mut u64, mv: u64) -> u64 {
        let before = *state;
        *state = (before ^ mv << 63).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        before
    }
    fn undo(&self, state: &mut u64, _: u64, before: u64) {
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
    /// Not true, but bidirectional search must run here too, and its sides never meet.
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
