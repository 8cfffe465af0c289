//! A figure in a terminal: one character per point, dots for curves.

use beeline_view::ascii::fold;

use super::Figure;

const SIGNS: [char; 6] = ['●', '■', '▲', '◆', '▼', '○'];
const ASCII: [char; 6] = ['o', '#', '^', '*', 'v', '@'];

pub(super) fn draw(figure: &Figure, columns: usize, rows: usize, ascii: bool) -> String {
    let figure = &if ascii { figure.in_ascii() } else { figure.clone() };
    let mut out = wrapped(&figure.title, "", columns);
    let Some((x, y)) = figure.scales() else { return out + "no data\n" };
    let rows = rows.max(5);
    let labels: Vec<(usize, String)> = y
        .ticks((rows / 3).max(3))
        .into_iter()
        .filter_map(|t| {
            t.label.map(|label| (((1.0 - t.at) * (rows - 1) as f64).round() as usize, shown(&label, ascii)))
        })
        .collect();
    let margin = labels.iter().map(|(_, l)| l.chars().count()).max().unwrap_or(0);
    let wide = columns.saturating_sub(margin + 2).max(10);
    let mut field = vec![vec![' '; wide]; rows];
    let place = |point: (f64, f64)| {
        let (column, row) = (x.at(point.0)?, 1.0 - y.at(point.1)?);
        let inside = |v: f64| (0.0..=1.0).contains(&v);
        let spot = |v: f64, n: usize| (v * (n - 1) as f64).round() as usize;
        (inside(column) && inside(row)).then(|| (spot(row, rows), spot(column, wide)))
    };
    for point in figure.curves.iter().flat_map(|c| &c.points).filter_map(|&p| place(p)) {
        field[point.0][point.1] = if ascii { '.' } else { '·' };
    }
    let signs = if ascii { ASCII } else { SIGNS };
    for series in &figure.series {
        for point in series.points.iter().filter_map(|&p| place(p)) {
            field[point.0][point.1] = signs[series.colour % signs.len()];
        }
    }
    let bar = if ascii { '|' } else { '│' };
    out += &wrapped(&figure.y.label, "", columns);
    for (r, line) in field.iter().enumerate() {
        let label = labels.iter().find(|(at, _)| *at == r).map_or("", |(_, l)| l.as_str());
        let line: String = line.iter().collect();
        out += format!("{label:>margin$} {bar}{line}").trim_end();
        out.push('\n');
    }
    out += &axis(figure, &x.ticks((wide / 10).max(2)), margin, wide, ascii);
    for series in &figure.series {
        let sign = signs[series.colour % signs.len()];
        out += &wrapped(&format!("{sign} {}", series.name), "  ", columns);
    }
    for curve in &figure.curves {
        out += &wrapped(&format!("{} {}", if ascii { '.' } else { '·' }, curve.name), "  ", columns);
    }
    out + &wrapped(&figure.caption, "", columns)
}

/// A label of an axis.
fn shown(label: &str, ascii: bool) -> String {
    if ascii { fold(label).into_owned() } else { label.to_owned() }
}

/// Wraps a text at blanks to this many columns. The lines after the first are indented.
fn wrapped(text: &str, indent: &str, columns: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let first = lines.len() == 1;
        let Some(line) = lines.last_mut() else { break };
        let fresh = line.is_empty() || (!first && line.as_str() == indent);
        if !fresh && line.chars().count() + 1 + word.chars().count() > columns {
            lines.push(format!("{indent}{word}"));
        } else {
            line.push_str(if fresh { "" } else { " " });
            line.push_str(word);
        }
    }
    lines.join("\n") + "\n"
}

/// The horizontal axis, with as many labels below it as fit.
fn axis(figure: &Figure, ticks: &[super::axis::Tick], margin: usize, wide: usize, ascii: bool) -> String {
    let (corner, bar) = if ascii { ('+', "-") } else { ('└', "─") };
    let mut labels = vec![' '; margin + 2 + wide];
    let mut free = 0;
    for tick in ticks {
        let Some(label) = &tick.label else { continue };
        let letters: Vec<char> = shown(label, ascii).chars().collect();
        let centre = margin + 2 + (tick.at * (wide - 1) as f64).round() as usize;
        let first = centre.saturating_sub(letters.len() / 2).min(labels.len().saturating_sub(letters.len()));
        if first >= free {
            labels[first..first + letters.len()].copy_from_slice(&letters);
            free = first + letters.len() + 2;
        }
    }
    let labels: String = labels.into_iter().collect();
    let label = cut(&figure.x.label, margin + 2 + wide);
    let blank = margin + 1;
    format!(
        "{:blank$}{corner}{}\n{}\n{label:>width$}\n",
        "",
        bar.repeat(wide),
        labels.trim_end(),
        width = margin + 2 + wide
    )
}

fn cut(text: &str, columns: usize) -> String {
    text.chars().take(columns).collect()
}
