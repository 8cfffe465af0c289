//! Formats of figures that all interfaces share.

/// Formats a count with commas: 1,234,567.
pub fn commas(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats a size with its unit: 12.3 MiB.
pub fn size(bytes: usize) -> String {
    let mut value = bytes as f64;
    for unit in ["B", "KiB", "MiB", "GiB"] {
        if value < 1024.0 {
            return if unit == "B" { format!("{bytes} B") } else { format!("{value:.1} {unit}") };
        }
        value /= 1024.0;
    }
    format!("{value:.1} TiB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_commas() {
        assert_eq!([0, 999, 1_000, 1_000_676].map(commas), ["0", "999", "1,000", "1,000,676"]);
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!([0, 1023, 2048, 5 << 20].map(size), ["0 B", "1023 B", "2.0 KiB", "5.0 MiB"]);
    }
}
