//! Threading primitives: those of the standard library, or a model checker's.
//!
//! Every solver that uses threads takes its threads, locks, channels and atomics from here. With the feature `model` they are
//! those of [shuttle](https://docs.rs/shuttle). It runs all threads on one and chooses the next one at every lock and every
//! atomic access. It reports a deadlock as a failed test. Its module `model` runs such a test. Without the feature this module
//! only re-exports names from `std`.

#[cfg(feature = "model")]
pub mod model;

#[cfg(feature = "model")]
use shuttle as library;
#[cfg(not(feature = "model"))]
use std as library;

use std::io;

pub use library::sync::{
    Condvar, Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard, atomic, mpsc,
};
pub use library::thread::{Scope, ScopedJoinHandle};
#[cfg(feature = "model")]
pub use model::scope;
pub use std::sync::PoisonError;
#[cfg(not(feature = "model"))]
pub use std::thread::scope;

/// Locks a mutex, poisoned or not: the thread that poisoned it panicked, and [`team`](crate::core::team) passes its panic on.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Locks for reading, poisoned or not.
pub fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

/// Locks for writing, poisoned or not.
pub fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a thread in a scope. An error means that the system refused the thread; the model checker refuses some on purpose.
pub fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    #[cfg(feature = "model")]
    {
        if model::refuses_thread() {
            return Err(io::Error::other("the model refuses a thread"));
        }
        Ok(scope.spawn(work))
    }
    #[cfg(not(feature = "model"))]
    std::thread::Builder::new().spawn_scoped(scope, work)
}
