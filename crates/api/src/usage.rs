//! What this process has used, as the system counts it. Where the system does not say, nothing is claimed.

#[cfg(unix)]
use nix::sys::resource::{Usage, UsageWho, getrusage};

/// Processor seconds so far, of all threads.
#[cfg(unix)]
pub fn cpu() -> f64 {
    let seconds = |t: nix::sys::time::TimeVal| t.tv_sec() as f64 + t.tv_usec() as f64 * 1e-6;
    usage().map_or(0.0, |u| seconds(u.user_time()) + seconds(u.system_time()))
}

/// Resident bytes at their largest.
#[cfg(unix)]
pub fn rss() -> Option<u64> {
    // Linux counts kilobytes, macOS bytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    usage().and_then(|u| u64::try_from(u.max_rss()).ok()).map(|n| n * unit)
}

#[cfg(unix)]
fn usage() -> Option<Usage> {
    getrusage(UsageWho::RUSAGE_SELF).ok()
}

/// Processor seconds so far.
#[cfg(not(unix))]
pub fn cpu() -> f64 {
    0.0
}

/// Resident bytes at their largest.
#[cfg(not(unix))]
pub fn rss() -> Option<u64> {
    None
}
