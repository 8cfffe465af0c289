//! What this process has used, as the system counts it. Where the system gives no figure, neither do we.

#[cfg(unix)]
use nix::sys::resource::{Usage, UsageWho, getrusage};

/// Processor seconds of all threads so far.
#[cfg(unix)]
pub fn cpu() -> f64 {
    let seconds = |t: nix::sys::time::TimeVal| t.tv_sec() as f64 + t.tv_usec() as f64 * 1e-6;
    usage().map_or(0.0, |u| seconds(u.user_time()) + seconds(u.system_time()))
}

/// Peak resident bytes.
#[cfg(unix)]
pub fn rss() -> Option<u64> {
    // Linux reports kilobytes, macOS bytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    usage().and_then(|u| u64::try_from(u.max_rss()).ok()).map(|n| n * unit)
}

#[cfg(unix)]
fn usage() -> Option<Usage> {
    getrusage(UsageWho::RUSAGE_SELF).ok()
}

/// Processor seconds of all threads so far.
#[cfg(not(unix))]
pub fn cpu() -> f64 {
    0.0
}

/// Peak resident bytes.
#[cfg(not(unix))]
pub fn rss() -> Option<u64> {
    None
}
