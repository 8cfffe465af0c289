//! Times, sizes and counts: parsing what people write, and formatting what we print.

use std::time::Duration;

pub use beeline_view::figures::{commas, size};

/// Splits "1.5h" into 1.5 and "h".
fn split(text: &str) -> Result<(f64, &str), String> {
    let text = text.trim();
    let exponent = |i: usize| {
        let rest = &text.as_bytes()[i + 1..];
        i > 0 && rest.first().is_some_and(u8::is_ascii_digit)
    };
    let end = text
        .char_indices()
        .find(|&(i, c)| !(c.is_ascii_digit() || matches!(c, '.' | '_') || (c == 'e' && exponent(i))))
        .map_or(text.len(), |(i, _)| i);
    let (number, unit) = text.split_at(end);
    let number = number.replace('_', "").parse::<f64>();
    let number = number.map_err(|_| format!("'{text}' does not begin with a number"))?;
    Ok((number, unit.trim()))
}

/// Parses a duration: `500ms`, `30s`, `5m`, `1.5h`; a bare number is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "us" | "µs" => 1e-6,
        "ms" => 1e-3,
        "" | "s" | "sec" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => return Err(format!("'{unit}' is no unit of time; use ms, s, m, h or d")),
    };
    Duration::try_from_secs_f64(number * seconds).map_err(|e| e.to_string())
}

/// Parses an amount of memory: `64K`, `512M`, `2G`; a bare number is bytes, and units are powers of 1024.
pub fn bytes(text: &str) -> Result<usize, String> {
    let (number, unit) = split(text)?;
    let lower = unit.to_ascii_lowercase();
    let power = match lower.trim_end_matches('b').trim_end_matches('i') {
        "" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => return Err(format!("'{unit}' is no unit of memory; use K, M, G or T")),
    };
    whole(number * 1024f64.powi(power)).map(|n| usize::try_from(n).unwrap_or(usize::MAX))
}

/// Parses a count: `1000`, `50k`, `1M`, `2G`, `1e9`.
pub fn count(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text)?;
    let scale = match unit {
        "" => 1.0,
        "k" | "K" => 1e3,
        "m" | "M" => 1e6,
        "g" | "G" | "b" | "B" => 1e9,
        _ => return Err(format!("'{unit}' is no unit of counting; use k, M or G")),
    };
    whole(number * scale)
}

fn whole(number: f64) -> Result<u64, String> {
    if number.fract() != 0.0 || number >= u64::MAX as f64 {
        return Err(format!("{number} is no whole number that fits"));
    }
    Ok(number as u64)
}

/// Parses the sides of a board: `8x7` is columns and rows, `9` a square.
pub fn sides(text: &str) -> Result<(usize, usize), String> {
    let (first, second) = text.split_once(['x', '×']).unwrap_or((text, text));
    match (first.trim().parse(), second.trim().parse()) {
        (Ok(first), Ok(second)) => Ok((first, second)),
        _ => Err(format!("'{text}' is no size")),
    }
}

/// Parses the weight of weighted A*.
pub fn weight(text: &str) -> Result<f64, String> {
    let weight: f64 = text.parse().map_err(|_| format!("'{text}' is no number"))?;
    if weight.is_finite() && weight >= 1.0 { Ok(weight) } else { Err("a weight is at least 1".into()) }
}

/// Formats a time with its unit: 340 µs, 12 ms, 1.23 s, 4 m 05 s.
pub fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1e-3 {
        format!("{:.0} µs", seconds * 1e6)
    } else if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1e3)
    } else if seconds < 60.0 {
        format!("{seconds:.2} s")
    } else {
        format!("{} m {:02.0} s", time.as_secs() / 60, seconds % 60.0)
    }
}

/// The count per second; `None` if the time is too short to measure.
pub fn rate(count: u64, time: Duration) -> Option<u64> {
    let seconds = time.as_secs_f64();
    (seconds >= 1e-3 && count > 0).then(|| (count as f64 / seconds) as u64)
}

/// Formats a rate in few characters: 1.2 M/s.
pub fn short_rate(rate: u64) -> String {
    let value = rate as f64;
    match rate {
        0..10_000 => format!("{rate}/s"),
        10_000..1_000_000 => format!("{:.0} k/s", value / 1e3),
        _ => format!("{:.1} M/s", value / 1e6),
    }
}

/// Formats a count with its noun: "1 step", "2 steps", "3 strategies", "4 pushes".
pub fn plural(count: usize, one: &str) -> String {
    let number = commas(count as u64);
    match one.strip_suffix('y') {
        _ if count == 1 => format!("{number} {one}"),
        Some(stem) => format!("{number} {stem}ies"),
        None if one.ends_with("sh") => format!("{number} {one}es"),
        None => format!("{number} {one}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("30"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("1.5h"), Ok(Duration::from_secs_f64(5400.0)));
        assert_eq!(duration(" 250 ms "), Ok(Duration::from_millis(250)));
        for bad in ["", "s", "-1s", "3 weeks", "1e999s", "nan"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(bytes("2G"), Ok(2 << 30));
        assert_eq!(bytes("64KiB"), Ok(64 << 10));
        assert_eq!(bytes("1.5mb"), Ok(3 << 19));
        assert_eq!(bytes("100"), Ok(100));
        assert!(bytes("2 parsecs").is_err());
        assert!(bytes("0.3").is_err());
    }

    #[test]
    fn counts_are_read() {
        assert_eq!(count("1M"), Ok(1_000_000));
        assert_eq!(count("1_000"), Ok(1000));
        assert_eq!(count("2e6"), Ok(2_000_000));
        assert_eq!(count("1.5k"), Ok(1500));
        for bad in ["1.5", "many", "1e30", "-4", "e5"] {
            assert!(count(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_of_boards_are_read() {
        assert_eq!((sides("8x7"), sides("9")), (Ok((8, 7)), Ok((9, 9))));
        assert!(sides("8y7").is_err() && sides("").is_err());
    }

    #[test]
    fn weights_are_at_least_one() {
        assert_eq!(weight("1.5"), Ok(1.5));
        for bad in ["0.9", "nan", "inf", "x"] {
            assert!(weight(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn figures_are_readable() {
        assert_eq!([0, 999, 1000, 1_234_567].map(commas), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0, 1023, 1536, 5 << 30].map(size), ["0 B", "1023 B", "1.5 KiB", "5.0 GiB"]);
        assert_eq!(time(Duration::from_micros(340)), "340 µs");
        assert_eq!(time(Duration::from_millis(1234)), "1.23 s");
        assert_eq!(time(Duration::from_secs(245)), "4 m 05 s");
        assert_eq!(short_rate(12_345_678), "12.3 M/s");
        assert_eq!([plural(1, "step"), plural(2, "step")], ["1 step", "2 steps"]);
        assert_eq!([plural(1, "strategy"), plural(3, "strategy")], ["1 strategy", "3 strategies"]);
        assert_eq!([plural(1, "push"), plural(4, "push")], ["1 push", "4 pushes"]);
    }
}
