//! The memory of all requests that are being read and all answers that are being written, booked by the kibibyte.

use std::sync::Arc;

use hyper::body::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes that are booked at one time.
const UNIT: usize = 1 << 10;

/// How much memory there is for requests and answers.
#[derive(Clone, Debug)]
pub(crate) struct Buffers {
    room: Arc<Semaphore>,
    units: usize,
}

/// A part of it, until dropped.
#[derive(Debug)]
pub(crate) struct Claim(#[expect(dead_code, reason = "held until dropped")] OwnedSemaphorePermit);

/// Bytes together with what they are booked as.
struct Held {
    bytes: Vec<u8>,
    _claim: Claim,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Buffers {
    pub(crate) fn new(bytes: usize) -> Self {
        let units = (bytes / UNIT).clamp(1, Semaphore::MAX_PERMITS.min(u32::MAX as usize));
        Self { room: Arc::new(Semaphore::new(units)), units }
    }

    /// Books so many bytes, if there is room. What is larger than everything takes everything.
    pub(crate) fn claim(&self, bytes: usize) -> Option<Claim> {
        let units = bytes.div_ceil(UNIT).min(self.units) as u32;
        self.room.clone().try_acquire_many_owned(units).ok().map(Claim)
    }

    /// Bytes that are booked until the last of them is sent or dropped; without room, they are given back.
    pub(crate) fn hold(&self, bytes: Vec<u8>) -> Result<Bytes, Vec<u8>> {
        match self.claim(bytes.capacity()) {
            Some(claim) => Ok(Bytes::from_owner(Held { bytes, _claim: claim })),
            None => Err(bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_is_booked_until_its_last_part_is_gone() {
        let buffers = Buffers::new(10 * UNIT);
        let mut held = buffers.hold(vec![7; 6 * UNIT]).unwrap();
        let part = held.split_to(3);
        drop(held);
        assert!(buffers.hold(vec![7; 6 * UNIT]).is_err());
        drop(part);
        assert!(buffers.hold(vec![7; 6 * UNIT]).is_ok());
        assert!(buffers.claim(1000 * UNIT).is_some(), "one that is too large alone takes all");
    }
}
