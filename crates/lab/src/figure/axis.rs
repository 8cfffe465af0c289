//! Axes: ranges, ticks and their labels.

/// An axis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axis {
    /// What it measures, with its unit.
    pub label: String,
    /// Is it logarithmic?
    pub log: bool,
}

/// An axis with its range.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    log: bool,
    /// The range, as logarithms to base 10 where the axis is logarithmic.
    low: f64,
    high: f64,
}

/// A tick mark of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    /// Its position, from 0 to 1.
    pub(super) at: f64,
    /// Its label; minor ticks have none.
    pub(super) label: Option<String>,
}

impl Axis {
    /// The axis with a range that leaves a small margin around the data.
    pub(super) fn scale(&self, (low, high): (f64, f64)) -> Scale {
        let (low, high) = if self.log { (low.log10(), high.log10()) } else { (low, high) };
        let (mut low, mut high) = if high - low < 1e-9 * (1.0 + high.abs()) {
            let half = if self.log { 0.5 } else { (0.5 * high.abs()).max(0.5) };
            (low - half, high + half)
        } else {
            let room = 0.04 * (high - low);
            (low - room, high + room)
        };
        if !self.log {
            // An axis starts at zero if its data start near zero.
            let near = low <= 0.3 * high && low > -0.06 * high;
            low = if near { 0.0 } else { low };
        } else if high - low < 1.0 {
            let middle = f64::midpoint(low, high);
            (low, high) = (middle - 0.5, middle + 0.5);
        }
        Scale { log: self.log, low, high }
    }
}

impl Scale {
    /// The position of a value, from 0 to 1; `None` if the axis cannot show it.
    pub(super) fn at(&self, value: f64) -> Option<f64> {
        let value = if self.log { value.log10() } else { value };
        value.is_finite().then(|| (value - self.low) / (self.high - self.low))
    }

    /// The ticks; about `wanted` of them have labels.
    pub(super) fn ticks(&self, wanted: usize) -> Vec<Tick> {
        if self.log { self.log_ticks(wanted) } else { self.plain_ticks(wanted) }
    }

    fn tick(&self, value: f64, label: Option<String>) -> Option<Tick> {
        let at = (value - self.low) / (self.high - self.low);
        (-1e-9..=1.0 + 1e-9).contains(&at).then_some(Tick { at, label })
    }

    fn plain_ticks(&self, wanted: usize) -> Vec<Tick> {
        let rough = (self.high - self.low) / wanted.max(2) as f64;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= rough * 0.999);
        let step = step.unwrap_or(10.0 * power);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        let places = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
        (first..=last)
            .filter_map(|i| self.tick(i as f64 * step, Some(plain(i as f64 * step, places))))
            .collect()
    }

    fn log_ticks(&self, wanted: usize) -> Vec<Tick> {
        let (first, last) = (self.low.floor() as i32, self.high.ceil() as i32);
        let needed = (self.high.floor() - self.low.ceil()) / wanted.max(2) as f64;
        let step = [1, 2, 3, 5, 10, 20, 50, 100].into_iter().find(|&s| f64::from(s) >= needed).unwrap_or(100);
        let few = self.high - self.low < 2.2;
        let mut ticks = Vec::new();
        for power in first..=last {
            let label = (power.rem_euclid(step) == 0).then(|| decade(power));
            // Unlabelled ticks help only while a reader can count them.
            if label.is_some() || step <= 3 {
                ticks.extend(self.tick(f64::from(power), label));
            }
            if step == 1 {
                for digit in 2..10 {
                    let value = f64::from(power) + f64::from(digit).log10();
                    let label = (few && matches!(digit, 2 | 5)).then(|| small(digit, power));
                    ticks.extend(self.tick(value, label));
                }
            }
        }
        ticks
    }
}

/// Formats a number with commas and `places` decimal places.
fn plain(value: f64, places: usize) -> String {
    let text = format!("{:.places$}", value.abs());
    let (whole, rest) =
        text.split_once('.').map_or((text.as_str(), String::new()), |(w, r)| (w, format!(".{r}")));
    let sign = if value < 0.0 { "−" } else { "" };
    format!("{sign}{}{rest}", whole.parse().map_or_else(|_| whole.to_owned(), beeline_api::units::commas))
}

/// Formats a power of ten: in full while that is short.
fn decade(power: i32) -> String {
    match power {
        0..=3 => beeline_api::units::commas(10u64.pow(power as u32)),
        -3..0 => plain(10f64.powi(power), power.unsigned_abs() as usize),
        _ => format!("10{}", superscript(power)),
    }
}

/// Formats a digit times a power of ten.
fn small(digit: i32, power: i32) -> String {
    match power {
        0..=3 => beeline_api::units::commas(digit as u64 * 10u64.pow(power as u32)),
        -3..0 => plain(f64::from(digit) * 10f64.powi(power), power.unsigned_abs() as usize),
        _ => format!("{digit}·10{}", superscript(power)),
    }
}

fn superscript(n: i32) -> String {
    let sign = |c| if c == '-' { '⁻' } else { c };
    let raised = |c: char| match c.to_digit(10) {
        Some(d) => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][d as usize],
        None => sign(c),
    };
    n.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(log: bool, range: (f64, f64)) -> Vec<String> {
        let scale = Axis { label: String::new(), log }.scale(range);
        scale.ticks(6).into_iter().filter_map(|t| t.label).collect()
    }

    #[test]
    fn plain_axes_have_round_numbers() {
        assert_eq!(labels(false, (3.0, 97.0)), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(labels(false, (1200.0, 5200.0)), ["0", "1,000", "2,000", "3,000", "4,000", "5,000"]);
        assert_eq!(labels(false, (0.1, 0.42)), ["0.0", "0.1", "0.2", "0.3", "0.4"]);
    }

    #[test]
    fn log_axes_have_powers_of_ten() {
        assert_eq!(labels(true, (1.0, 1e6)), ["1", "10", "100", "1,000", "10⁴", "10⁵", "10⁶"]);
        assert_eq!(labels(true, (2.0, 30.0)), ["2", "5", "10", "20"]);
        assert_eq!(labels(true, (1e10, 1e60)).len(), 6);
        assert_eq!(labels(true, (0.001, 0.9))[0], "0.001");
    }

    #[test]
    fn one_value_has_a_range_too() {
        for log in [false, true] {
            let scale = Axis { label: String::new(), log }.scale((7.0, 7.0));
            assert!((scale.at(7.0).unwrap() - 0.5).abs() < 0.51);
        }
        assert_eq!(Axis { label: String::new(), log: true }.scale((1.0, 9.0)).at(0.0), None);
    }
}
