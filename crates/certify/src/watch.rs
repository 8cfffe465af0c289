//! Verification under a budget, with progress.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use beeline_check::certificate::{self, Certificate, ENDED, Fault, Figures};
use beeline_search::{Budget, Limit};

/// Told now and then how much is done and how much there is (0 where nobody knows), and the bytes in use.
pub type Tick<'a> = &'a mut dyn FnMut(u64, u64, usize);

/// How often progress is shown.
const EVERY: Duration = Duration::from_millis(50);

/// Why a certificate was not verified.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unverified {
    /// A limit was reached first.
    #[error("the limit on {} was reached before the certificate was verified", .0.name())]
    Stopped(Limit),
    /// It does not hold.
    #[error("{0}")]
    Fault(#[from] Fault),
}

/// Verifies a certificate within the time of a budget; a limit on nodes counts those of a walk.
pub fn verify(bytes: &[u8], budget: &Budget, tick: Tick<'_>) -> Result<Figures, Unverified> {
    let certificate = Certificate::read(bytes)?;
    let deadline = budget.time.and_then(|time| Instant::now().checked_add(time));
    let (done, all, ended) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let limit = || match deadline {
        _ if budget.cancel.is_cancelled() => Some(Limit::Cancelled),
        Some(deadline) if Instant::now() >= deadline => Some(Limit::Time),
        _ if budget.nodes.is_some_and(|nodes| done.load(Ordering::Relaxed) > nodes) => Some(Limit::Nodes),
        _ => None,
    };
    let go_on = |now: u64, of: u64| {
        done.fetch_max(now, Ordering::Relaxed);
        all.store(of, Ordering::Relaxed);
        !ended.load(Ordering::Relaxed)
    };
    std::thread::scope(|scope| {
        let (tell, told) = mpsc::channel();
        scope.spawn(|| {
            let tell = tell;
            // Nobody is left to be told only if this thread's owner has panicked.
            let _ = tell.send(certificate::verify(&certificate, &go_on));
        });
        let mut stopped = None;
        loop {
            match told.recv_timeout(EVERY) {
                Ok(Ok(figures)) => return Ok(figures),
                Ok(Err(fault)) if fault.why == ENDED => {
                    return Err(Unverified::Stopped(stopped.unwrap_or(Limit::Cancelled)));
                }
                Ok(Err(fault)) => return Err(fault.into()),
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    return Err(Fault { place: "verification".into(), why: "it ended early".into() }.into());
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    tick(done.load(Ordering::Relaxed), all.load(Ordering::Relaxed), bytes.len());
                    stopped = stopped.or_else(limit);
                    ended.store(stopped.is_some(), Ordering::Relaxed);
                }
            }
        }
    })
}
