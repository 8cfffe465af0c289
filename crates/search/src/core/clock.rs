//! The clock of every search.
//!
//! Natively it is [`std::time::Instant`]. In a browser the host of the WebAssembly module supplies the milliseconds since some
//! moment (`performance.now`), as the function `now` of the import module `clock`.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use browser::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod browser {
    use std::ops::{Add, Sub};
    use std::time::Duration;

    /// A moment, with the methods of [`std::time::Instant`] that searches use.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    #[allow(unsafe_code)]
    fn milliseconds() -> f64 {
        #[link(wasm_import_module = "clock")]
        unsafe extern "C" {
            fn now() -> f64;
        }
        // SAFETY: the function takes nothing and gives a number, whatever the host does.
        unsafe { now() }
    }

    impl Instant {
        /// The moment of the call.
        pub fn now() -> Self {
            Self(Duration::try_from_secs_f64(milliseconds() / 1000.0).unwrap_or_default())
        }

        /// Time since this moment.
        pub fn elapsed(&self) -> Duration {
            Self::now().saturating_duration_since(*self)
        }

        /// Time since an earlier moment; zero if that is later.
        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// A later moment, if it is representable.
        pub fn checked_add(self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;
        fn add(self, time: Duration) -> Self {
            Self(self.0.saturating_add(time))
        }
    }

    impl Sub for Instant {
        type Output = Duration;
        fn sub(self, earlier: Self) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }
}
