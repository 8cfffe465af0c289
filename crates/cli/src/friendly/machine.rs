//! How much memory there is to use.

/// Four fifths of the memory that is free, so that a search that grows without end is stopped by us, with a report, and
/// not by the system, without one. `None` where the system does not say.
pub(crate) fn memory_to_use() -> Option<usize> {
    let free = std::fs::read_to_string("/proc/meminfo").ok().as_deref().and_then(available);
    let fence = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|t| t.trim().parse().ok());
    let least = [free, fence].into_iter().flatten().min()?;
    Some(least / 5 * 4)
}

/// The line `MemAvailable: 12345 kB`, in bytes.
fn available(meminfo: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    #[test]
    fn meminfo_is_read() {
        assert_eq!(super::available("MemTotal: 9 kB\nMemAvailable:    16 kB\n"), Some(16 << 10));
        assert_eq!(super::available("MemTotal: 9 kB\n"), None);
    }
}
