//! A sparkline: a line of small bars.

/// The last values, as many as fit. Each bar's height is relative to the greatest value.
pub(super) fn line(values: &[f64], width: usize, ascii: bool) -> String {
    let bars: Vec<char> = if ascii { " .:-=+*#" } else { " ▂▃▄▅▆▇█" }.chars().collect();
    let shown = &values[values.len().saturating_sub(width)..];
    let most = shown.iter().copied().fold(0.0, f64::max);
    let bar = |value: f64| {
        let share = if most > 0.0 { value / most } else { 0.0 };
        bars[((share * (bars.len() - 1) as f64).ceil() as usize).min(bars.len() - 1)]
    };
    shown.iter().map(|&value| bar(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn bars_are_as_high_as_their_values() {
        assert_eq!(line(&[0.0, 1.0, 7.0], 9, false), " ▂█");
        assert_eq!(line(&[9.0, 0.0, 1.0, 7.0], 3, true), " .#");
        assert_eq!(line(&[0.0, 0.0], 9, true), "  ");
        assert_eq!(line(&[], 9, true), "");
    }
}
