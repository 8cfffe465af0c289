//! Exact memory accounting, and growth that can fail.
//!
//! Every structure that grows with the search claims bytes from the [`Ledger`] and then allocates fallibly. So a search never
//! aborts for lack of memory: it returns [`OutOfMemory`], which the caller turns into `Stopped(Memory)` with complete
//! statistics.

pub use crate::core::pages::Zero;

/// The search reached its memory limit, or the system refused an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("out of memory")]
pub struct OutOfMemory;

/// What a search has allocated, and how much it may.
///
/// ```
/// use beeline_search::memory::Ledger;
///
/// let mut ledger = Ledger::new(Some(1_000));
/// ledger.claim(800)?;
/// assert!(ledger.claim(300).is_err());
/// ledger.release(800);
/// assert_eq!((ledger.used(), ledger.peak()), (0, 800));
/// # Ok::<(), beeline_search::memory::OutOfMemory>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ledger {
    used: usize,
    peak: usize,
    limit: usize,
}

impl Ledger {
    /// A ledger with this limit in bytes. With `None` only the system sets a limit.
    pub fn new(limit: Option<usize>) -> Self {
        Self { used: 0, peak: 0, limit: limit.unwrap_or(usize::MAX) }
    }

    /// Claims `bytes` before they are allocated.
    pub fn claim(&mut self, bytes: usize) -> Result<(), OutOfMemory> {
        let used = self.used.checked_add(bytes).ok_or(OutOfMemory)?;
        if used > self.limit {
            return Err(OutOfMemory);
        }
        self.used = used;
        self.peak = self.peak.max(used);
        Ok(())
    }

    /// Releases `bytes` after they were freed.
    pub fn release(&mut self, bytes: usize) {
        debug_assert!(bytes <= self.used, "more released than claimed");
        self.used = self.used.saturating_sub(bytes);
    }

    /// Releases everything claimed since `used` was the reading: the caller has dropped its owner.
    pub fn rewind(&mut self, used: usize) {
        self.used = self.used.min(used);
    }

    /// Bytes that may still be claimed.
    pub fn available(&self) -> usize {
        self.limit - self.used.min(self.limit)
    }

    /// Bytes in use.
    pub fn used(&self) -> usize {
        self.used
    }

    /// The most that was in use at once.
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// Makes room for `more` further elements and claims the bytes. Grows at least twofold, as a `Vec` does.
    #[inline]
    pub fn reserve<T>(&mut self, vec: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
        if vec.capacity() - vec.len() >= more {
            return Ok(());
        }
        self.grow(vec, more)
    }

    #[cold]
    fn grow<T>(&mut self, vec: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
        if size_of::<T>() == 0 {
            return Ok(());
        }
        let need = vec.len().checked_add(more).ok_or(OutOfMemory)?;
        let doubled = need.max(vec.capacity().saturating_mul(2)).max(8);
        // When doubling no longer fits, a smaller step may. Steps of one element would copy a large vector at every push, so
        // only small vectors take them.
        let step = if need < 4096 { 0 } else { need / 64 };
        self.grow_to(vec, doubled).or_else(|_| self.grow_to(vec, need + step))
    }

    /// Brings the capacity to exactly `capacity` elements (never less than it was).
    pub fn grow_to<T>(&mut self, vec: &mut Vec<T>, capacity: usize) -> Result<(), OutOfMemory> {
        let old = vec.capacity();
        if capacity <= old || size_of::<T>() == 0 {
            return Ok(());
        }
        let bytes = |n: usize| n.checked_mul(size_of::<T>()).ok_or(OutOfMemory);
        let (before, after) = (bytes(old)?, bytes(capacity)?);
        let peak = self.peak;
        self.claim(after - before)?;
        if vec.try_reserve_exact(capacity - vec.len()).is_err() {
            // The allocation failed, so it does not count.
            self.release(after - before);
            self.peak = peak;
            return Err(OutOfMemory);
        }
        crate::core::pages::advise(vec);
        // The allocator may hand out more than was requested. The claim must match what `forget` will release.
        let real = vec.capacity() * size_of::<T>();
        if real > after {
            self.used += real - after;
            self.peak = self.peak.max(self.used);
        }
        Ok(())
    }

    /// A vector of `len` copies of `value`, claimed and allocated fallibly.
    pub fn filled<T: Clone>(&mut self, value: T, len: usize) -> Result<Vec<T>, OutOfMemory> {
        let mut vec = Vec::new();
        self.grow_to(&mut vec, len)?;
        vec.resize(len, value);
        Ok(vec)
    }

    /// A vector of `len` zeros, claimed and allocated fallibly. The system zeroes its pages on first use.
    pub fn zeroed<T: Zero>(&mut self, len: usize) -> Result<Vec<T>, OutOfMemory> {
        let peak = self.peak;
        let bytes = len.checked_mul(size_of::<T>()).ok_or(OutOfMemory)?;
        self.claim(bytes)?;
        let Some(zeros) = crate::core::pages::zeroed(len) else {
            // The allocation failed, so it does not count.
            self.release(bytes);
            self.peak = peak;
            return Err(OutOfMemory);
        };
        crate::core::pages::advise(&zeros);
        Ok(zeros)
    }

    /// Frees a vector and releases its bytes.
    pub fn forget<T>(&mut self, vec: Vec<T>) {
        let bytes = vec.capacity() * size_of::<T>();
        drop(vec);
        self.release(bytes);
    }

    /// Pushes, growing if necessary.
    #[inline]
    pub fn push<T>(&mut self, vec: &mut Vec<T>, value: T) -> Result<(), OutOfMemory> {
        if vec.len() == vec.capacity() {
            self.grow(vec, 1)?;
        }
        vec.push(value);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_books_balance() {
        let mut ledger = Ledger::new(None);
        let mut v = Vec::new();
        for i in 0..10_000u64 {
            ledger.push(&mut v, i).unwrap();
        }
        assert_eq!(ledger.used(), v.capacity() * 8);
        ledger.forget(v);
        assert_eq!(ledger.used(), 0);
        assert!(ledger.peak() >= 80_000);
    }

    #[test]
    fn the_limit_holds_and_the_last_bytes_are_used() {
        let mut ledger = Ledger::new(Some(1000));
        let mut v = Vec::new();
        let mut n = 0u64;
        while ledger.push(&mut v, n).is_ok() {
            n += 1;
        }
        assert_eq!(n, 125, "doubling must give way to exact growth near the limit");
        assert!(ledger.peak() <= 1000);
    }

    #[test]
    fn an_impossible_request_is_an_error() {
        let mut ledger = Ledger::new(None);
        let mut v: Vec<u64> = Vec::new();
        assert_eq!(ledger.grow_to(&mut v, usize::MAX / 16), Err(OutOfMemory));
        assert_eq!((ledger.used(), ledger.peak()), (0, 0), "what was refused is not counted");
    }
}
