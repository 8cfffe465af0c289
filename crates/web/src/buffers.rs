//! A memory budget for all requests being read and all answers being written, in units of a kibibyte.

use std::sync::Arc;

use hyper::body::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes per unit of the budget.
const UNIT: usize = 1 << 10;

/// The memory budget for requests and answers.
#[derive(Clone, Debug)]
pub(crate) struct Buffers {
    room: Arc<Semaphore>,
    units: usize,
}

/// A part of the budget that is reserved until this is dropped.
#[derive(Debug)]
pub(crate) struct Reservation(#[expect(dead_code, reason = "held until dropped")] OwnedSemaphorePermit);

/// Bytes together with their reservation.
struct ReservedBytes {
    bytes: Vec<u8>,
    _reservation: Reservation,
}

impl AsRef<[u8]> for ReservedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Buffers {
    pub(crate) fn new(bytes: usize) -> Self {
        let units = (bytes / UNIT).clamp(1, Semaphore::MAX_PERMITS.min(u32::MAX as usize));
        Self { room: Arc::new(Semaphore::new(units)), units }
    }

    /// Reserves this many bytes, if there is room. A request beyond the whole budget reserves all of it.
    pub(crate) fn reserve(&self, bytes: usize) -> Option<Reservation> {
        let units = bytes.div_ceil(UNIT).min(self.units) as u32;
        self.room.clone().try_acquire_many_owned(units).ok().map(Reservation)
    }

    /// Reserves the memory of these bytes until the last part of them is dropped. Without room, returns them as an
    /// error.
    pub(crate) fn hold(&self, bytes: Vec<u8>) -> Result<Bytes, Vec<u8>> {
        match self.reserve(bytes.capacity()) {
            Some(reservation) => Ok(Bytes::from_owner(ReservedBytes { bytes, _reservation: reservation })),
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
        assert!(buffers.reserve(1000 * UNIT).is_some(), "one that is too large alone takes all");
    }
}
