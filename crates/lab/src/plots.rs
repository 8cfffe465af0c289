//! Figures from records: scatter plots with fitted growth, comparisons of two strategies, quantile plots.

use beeline_api::units;

use crate::Record;
use crate::column::{self, Unit};
use crate::figure::{Axis, Curve, Figure, Series};
use crate::fit::{Fit, Shape, fit, fits};
use crate::summary::{answered, pairs, strategies};

/// The description of a scatter plot.
#[derive(Clone, Debug, Default)]
pub struct PlotSpec {
    /// The title; `None` derives one from the axes.
    pub title: Option<String>,
    /// The column of the horizontal axis.
    pub x: String,
    /// The column of the vertical axis.
    pub y: String,
    /// Are the axes x and y logarithmic?
    pub log: (bool, bool),
    /// Add fitted curves?
    pub fit: bool,
    /// Join the points in the order of x?
    pub joined: bool,
}

/// The label of a column on an axis.
pub fn label(name: &str) -> String {
    let long = match name {
        "seconds" => "time of the search",
        "cpu" => "processor time of the search",
        "wall" => "time of the process",
        "bytes" => "memory of the search",
        "rss" => "resident memory",
        "expanded" => "expanded states",
        "generated" => "generated nodes",
        "steps" => "steps of the plan",
        other => other,
    };
    match column::unit(name).symbol() {
        Some(symbol) => format!("{long} [{symbol}]"),
        None => long.to_owned(),
    }
}

/// One column over another, with one series per strategy. Runs without an answer are not shown, and the caption says so.
pub fn scatter(records: &[Record], plot: &PlotSpec) -> Figure {
    let mut figure = Figure {
        title: plot.title.clone().unwrap_or_else(|| format!("{} over {}", label(&plot.y), label(&plot.x))),
        caption: caption(records),
        x: Axis { label: label(&plot.x), log: plot.log.0 },
        y: Axis { label: label(&plot.y), log: plot.log.1 },
        ..Figure::default()
    };
    for (colour, name) in strategies(records).into_iter().enumerate() {
        let mine = records.iter().filter(|r| r.strategy == name && answered(r));
        let value = |r: &Record| Some((column::number(&plot.x, r)?, column::number(&plot.y, r)?));
        let mut points: Vec<(f64, f64)> = mine.filter_map(value).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        if plot.fit
            && let Some(found) = fits(&points).into_iter().next()
        {
            let more = if strategies(records).len() > 1 { format!("{name}: ") } else { String::new() };
            figure.curves.push(curve(&more, &found, &points, plot.log.0, colour));
        }
        figure.series.push(Series { name, points, joined: plot.joined, hollow: false, colour });
    }
    figure
}

/// A fitted curve over the range of its points, with its equation.
pub fn curve(before: &str, fit: &Fit, points: &[(f64, f64)], log: bool, colour: usize) -> Curve {
    /// Segments of the curve.
    const PARTS: u32 = 80;
    let low = points.iter().map(|p| p.0).fold(f64::INFINITY, f64::min);
    let high = points.iter().map(|p| p.0).fold(f64::NEG_INFINITY, f64::max);
    let between = |part: u32| {
        let share = f64::from(part) / f64::from(PARTS);
        if log { low * (high / low).powf(share) } else { low + share * (high - low) }
    };
    let points = (0..=PARTS).map(between).map(|x| (x, fit.at(x))).filter(|p| p.1.is_finite()).collect();
    Curve { name: format!("{before}{} (R² = {:.3})", fit.equation(), fit.r2), points, colour }
}

/// Adds the fitted power law of some points, for figures with two logarithmic axes.
pub fn power_law(figure: &mut Figure, before: &str, points: &[(f64, f64)], colour: usize) -> Option<Fit> {
    let points: Vec<(f64, f64)> = points.iter().copied().filter(|p| p.0 > 0.0 && p.1 > 0.0).collect();
    let found = fit(Shape::Power, &points)?;
    figure.curves.push(curve(before, &found, &points, true, colour));
    Some(found)
}

/// Compares two strategies, with one point per instance that both answered.
pub fn versus(records: &[Record], first: &str, second: &str, metric: &str) -> Figure {
    let found = pairs(records, (first, second), &|r| column::number(metric, r));
    let points: Vec<(f64, f64)> =
        found.iter().map(|&(_, a, b)| (a, b)).filter(|p| p.0 > 0.0 && p.1 > 0.0).collect();
    let below = points.iter().filter(|p| p.1 < p.0).count();
    let with_unit = |name: &str| format!("{name}: {}", label(metric));
    Figure {
        title: format!("\"{second}\" against \"{first}\""),
        caption: format!(
            "n = {} puzzles that both have answered; on {below} of them \"{second}\" lies below the line. {}",
            points.len(),
            limits(records)
        ),
        x: Axis { label: with_unit(first), log: true },
        y: Axis { label: with_unit(second), log: true },
        series: vec![Series { name: "a puzzle".to_owned(), points, ..Series::default() }],
        curves: Vec::new(),
        diagonal: true,
    }
}

/// The quantile plot: the number of puzzles that are answered within a value of the metric.
pub fn cactus(records: &[Record], metric: &str) -> Figure {
    let mut figure = Figure {
        title: format!("Puzzles answered within a given {}", plain(metric)),
        caption: caption(records),
        x: Axis { label: "puzzles answered".to_owned(), log: false },
        y: Axis { label: label(metric), log: true },
        ..Figure::default()
    };
    for (colour, name) in strategies(records).into_iter().enumerate() {
        let mine = records.iter().filter(|r| r.strategy == name && answered(r));
        let mut values: Vec<f64> =
            mine.filter_map(|r| column::number(metric, r)).filter(|v| *v > 0.0).collect();
        values.sort_by(f64::total_cmp);
        let points = values.into_iter().enumerate().map(|(i, v)| ((i + 1) as f64, v)).collect();
        figure.series.push(Series { name, points, joined: true, hollow: false, colour });
    }
    figure
}

fn plain(metric: &str) -> &str {
    match column::unit(metric) {
        Unit::Seconds => "time",
        Unit::Bytes => "memory",
        _ if metric == "expanded" => "number of expanded states",
        _ if metric == "generated" => "number of generated nodes",
        _ => metric,
    }
}

/// The caption: the number of points, the limits, and what is not shown.
pub fn caption(records: &[Record]) -> String {
    let shown = records.iter().filter(|r| answered(r)).count();
    let mut instances: Vec<(&str, &str)> =
        records.iter().map(|r| (r.suite.as_str(), r.instance.as_str())).collect();
    instances.sort_unstable();
    instances.dedup();
    let hidden = records.len() - shown;
    let without = match hidden {
        0 => String::new(),
        n => format!(" {n} without an answer are not shown."),
    };
    format!("n = {shown} runs on {} puzzles. {}{without}", instances.len(), limits(records))
}

/// The limits under which the runs were made.
pub fn limits(records: &[Record]) -> String {
    let mut all: Vec<String> = Vec::new();
    for record in records {
        let caps = record.limits;
        let parts = [
            caps.seconds.map(|s| format!("{s} s")),
            caps.bytes.map(units::size),
            caps.nodes.map(|n| format!("{} nodes", units::commas(n))),
        ];
        let text = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        if !text.is_empty() && !all.contains(&text) {
            all.push(text);
        }
    }
    if all.is_empty() { "No limits.".to_owned() } else { format!("Limits: {}.", all.join("; ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    fn records() -> Vec<Record> {
        let mut all: Vec<Record> = (1..=8u32)
            .map(|i| {
                let mut r = record(&format!("i{i}"), "p", "solved", 0.1 * f64::from(i), 3u64.pow(i));
                r.measured.figures.insert("pieces".into(), f64::from(i));
                r
            })
            .collect();
        all.push(record("i9", "p", "stopped", 10.0, 5));
        all.push(record("i1", "q", "solved", 0.05, 2));
        all
    }

    #[test]
    fn a_scatter_has_its_fit_and_leaves_out_what_is_unanswered() {
        let plot = PlotSpec {
            x: "pieces".into(),
            y: "expanded".into(),
            log: (false, true),
            fit: true,
            ..PlotSpec::default()
        };
        let figure = scatter(&records(), &plot);
        assert_eq!((figure.series.len(), figure.points()), (2, 8), "{figure:?}");
        assert!(figure.curves[0].name.starts_with("p: y = 1.00 · 3.00^x"), "{}", figure.curves[0].name);
        assert!(figure.caption.contains("1 without an answer"), "{}", figure.caption);
        assert!(figure.caption.contains("10 s"));
    }

    #[test]
    fn quantiles_go_up() {
        let figure = cactus(&records(), "seconds");
        assert_eq!(figure.series[0].points.len(), 8);
        assert!(figure.series[0].points.windows(2).all(|w| w[0].1 <= w[1].1 && w[0].0 < w[1].0));
    }

    #[test]
    fn two_strategies_meet_on_what_both_answered() {
        let figure = versus(&records(), "p", "q", "seconds");
        assert_eq!(figure.points(), 1);
        assert!(figure.diagonal && figure.caption.contains("on 1 of them"), "{}", figure.caption);
    }
}
