//! Verification under a budget, with progress.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use beeline_check::certificate::{self, Certificate, ENDED, Fault, Figures};
use beeline_search::{Budget, Limit};

/// A progress report: work done, total work (0 if unknown), and bytes in use.
pub type Tick<'a> = &'a mut dyn FnMut(u64, u64, usize);

/// Time between two progress reports.
const EVERY: Duration = Duration::from_millis(50);

/// Why a verification did not succeed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unverified {
    /// A limit was reached first.
    #[error("the limit on {} was reached before the certificate was verified", .0.name())]
    Stopped(Limit),
    /// The certificate does not hold.
    #[error("{0}")]
    Fault(#[from] Fault),
}

/// Verifies a certificate within the time of a budget. A limit on nodes counts those of a walk.
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
        let (sender, receiver) = mpsc::channel();
        scope.spawn(|| {
            let sender = sender;
            // Sending fails only if the receiving thread panicked.
            let _ = sender.send(certificate::verify(&certificate, &go_on));
        });
        let mut stopped = None;
        loop {
            match receiver.recv_timeout(EVERY) {
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
