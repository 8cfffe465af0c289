//! How much memory a search may use.

/// The memory that a search may use, in bytes: the requested amount, or four fifths of the free memory. So our own limit stops a
/// search that grows without end, with a report, before the system kills it without one. The result never exceeds four fifths
/// of the remaining address space (`ulimit -v`). `None` if nothing was requested and the system gives no figure.
pub fn memory_to_use(asked: Option<usize>) -> Option<usize> {
    let read = |path| std::fs::read_to_string(path).ok();
    let free = || read("/proc/meminfo").as_deref().and_then(available);
    let fence = || read("/sys/fs/cgroup/memory.max").and_then(|text| text.trim().parse().ok());
    let usual = || [free(), fence()].into_iter().flatten().min().map(most_of);
    let space = address_space(read("/proc/self/limits").as_deref(), read("/proc/self/status").as_deref());
    [asked.or_else(usual), space.map(most_of)].into_iter().flatten().min()
}

fn most_of(bytes: usize) -> usize {
    bytes / 5 * 4
}

/// The remaining address space, from the texts of `/proc/self/limits` and `/proc/self/status`.
fn address_space(limits: Option<&str>, status: Option<&str>) -> Option<usize> {
    let line = limits?.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    // The first number is the soft limit, or the word "unlimited".
    let limit: usize = line.split_whitespace().next()?.parse().ok()?;
    let used = status.and_then(|status| kilobytes(status, "VmSize:")).unwrap_or(0);
    Some(limit.saturating_sub(used))
}

/// The line `MemAvailable: 12345 kB`, in bytes.
fn available(meminfo: &str) -> Option<usize> {
    kilobytes(meminfo, "MemAvailable:")
}

/// The value of a name in a file of `/proc`, converted from kB to bytes.
fn kilobytes(text: &str, name: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
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

    #[test]
    fn a_limited_address_space_is_seen() {
        let limits = "Max processes 9 9 processes\nMax address space         40960000  unlimited  bytes \n";
        let status = "VmPeak:\t 3 kB\nVmSize:\t    1000 kB\n";
        assert_eq!(super::address_space(Some(limits), Some(status)), Some(40_960_000 - 1_024_000));
        let unlimited = "Max address space         unlimited            unlimited            bytes \n";
        assert_eq!(super::address_space(Some(unlimited), Some(status)), None);
        assert_eq!(super::address_space(None, None), None);
    }
}
