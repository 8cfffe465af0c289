//! A table, and its five output formats.

use beeline_api::csv;
use serde_json::{Map, Value};

use crate::column::Unit;
use crate::summary::{Line, lines};
use crate::{Record, column};

/// A cell: the text that is shown, and the value that a program reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The text for people.
    pub shown: String,
    /// The value for programs.
    pub raw: Value,
    /// Is it aligned to the right, as numbers are?
    pub right: bool,
}

impl Cell {
    /// A cell of text.
    pub fn words(text: impl Into<String>) -> Self {
        let shown = text.into();
        Self { raw: Value::from(shown.clone()), shown, right: false }
    }

    /// A cell with a number.
    pub fn number(n: f64, unit: Unit) -> Self {
        let whole = n.fract() == 0.0 && n.abs() < 9e15;
        let raw = if whole { Value::from(n as i64) } else { Value::from(n) };
        Self { shown: unit.show(n), raw, right: true }
    }

    /// A cell with a number, or an empty one.
    pub fn maybe(n: Option<f64>, unit: Unit) -> Self {
        n.map_or_else(Self::empty, |n| Self::number(n, unit))
    }

    /// The number with full precision and without a unit: seconds, bytes, counts.
    fn plain(&self) -> String {
        match &self.raw {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }

    /// An empty cell.
    pub fn empty() -> Self {
        Self { shown: String::new(), raw: Value::Null, right: true }
    }
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The headings.
    pub heads: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
    /// Remarks below the table.
    pub notes: Vec<String>,
}

/// An output format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Aligned text for a terminal.
    Text,
    /// Markdown.
    Markdown,
    /// Comma-separated values.
    Csv,
    /// One JSON object per line.
    Json,
    /// A LaTeX `tabular` with booktabs.
    Latex,
}

impl Table {
    /// An empty table with these headings.
    pub fn new<'a>(heads: impl IntoIterator<Item = &'a str>) -> Self {
        Self { heads: heads.into_iter().map(str::to_owned).collect(), ..Self::default() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// Does a column hold numbers?
    fn right(&self, column: usize) -> bool {
        let mut filled =
            self.rows.iter().filter_map(|r| r.get(column)).filter(|c| !c.shown.is_empty()).peekable();
        filled.peek().is_some() && filled.all(|c| c.right)
    }

    /// Writes the table in a format.
    pub fn write(&self, format: Format) -> String {
        match format {
            Format::Text => self.text(),
            Format::Markdown => self.markdown(),
            Format::Csv => self.csv(),
            Format::Json => self.json(),
            Format::Latex => self.latex(),
        }
    }

    fn text(&self) -> String {
        let width = |c: usize| {
            let cells = self.rows.iter().filter_map(|r| r.get(c)).map(|cell| cell.shown.chars().count());
            cells.chain([self.heads[c].chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.heads.len()).map(width).collect();
        let line = |texts: &mut dyn Iterator<Item = &str>| {
            let padded = texts.enumerate().map(|(c, text)| {
                let width = widths[c];
                if self.right(c) { format!("{text:>width$}") } else { format!("{text:<width$}") }
            });
            padded.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
        };
        let mut out = line(&mut self.heads.iter().map(String::as_str));
        for row in &self.rows {
            out += &line(&mut row.iter().map(|cell| cell.shown.as_str()));
        }
        self.notes.iter().fold(out, |out, note| out + note + "\n")
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let marks = (0..self.heads.len()).map(|c| if self.right(c) { "---:" } else { "---" }.to_owned());
        let mut out = line(self.heads.clone()) + &line(marks.collect());
        for row in &self.rows {
            out += &line(row.iter().map(|cell| cell.shown.replace('|', "\\|")).collect());
        }
        self.notes.iter().fold(out, |out, note| out + "\n" + note + "\n")
    }

    fn csv(&self) -> String {
        let rows = self.rows.iter().map(|row| csv::line(row.iter().map(Cell::plain)));
        csv::line(self.heads.iter().cloned()) + &rows.collect::<String>()
    }

    fn json(&self) -> String {
        let object = |row: &Vec<Cell>| {
            let pairs = self.heads.iter().cloned().zip(row.iter().map(|cell| cell.raw.clone()));
            Value::Object(pairs.collect::<Map<_, _>>()).to_string() + "\n"
        };
        self.rows.iter().map(object).collect()
    }

    fn latex(&self) -> String {
        let marks: String = (0..self.heads.len()).map(|c| if self.right(c) { 'r' } else { 'l' }).collect();
        let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
        let mut out = format!("\\begin{{tabular}}{{{marks}}}\n\\toprule\n");
        out += &line(self.heads.iter().map(|h| tex(h)).collect());
        out += "\\midrule\n";
        for row in &self.rows {
            out += &line(row.iter().map(|cell| tex(&cell.plain())).collect());
        }
        out += "\\bottomrule\n\\end{tabular}\n";
        self.notes.iter().fold(out, |out, note| out + "% " + note + "\n")
    }
}

/// Escapes a text for LaTeX.
fn tex(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out += "\\textbackslash{}",
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            '<' => out += "$<$",
            '>' => out += "$>$",
            '×' => out += "$\\times$",
            '·' => out += "$\\cdot$",
            _ => out.push(c),
        }
    }
    out
}

/// A summary with one row per strategy.
pub fn summary(records: &[Record]) -> Table {
    let heads = [
        "strategy",
        "runs",
        "answered",
        "proved",
        "sum of time",
        "PAR-2",
        "mean time",
        "sum expanded",
        "mean expanded",
        "mean generated",
        "mean bytes",
    ];
    let mut table = Table::new(heads);
    for line in lines(records) {
        let Line { strategy, runs, answered, optimal, .. } = &line;
        let count = |n: usize| Cell::number(n as f64, Unit::Count);
        let round = |n: Option<f64>| Cell::maybe(n.map(f64::round), Unit::Count);
        table.row(vec![
            Cell::words(strategy),
            count(*runs),
            count(*answered),
            count(*optimal),
            Cell::number(line.seconds, Unit::Seconds),
            Cell::maybe(line.par2, Unit::Seconds),
            Cell::maybe(line.mean_seconds, Unit::Seconds),
            round(line.expanded),
            round(line.mean_expanded),
            round(line.mean_generated),
            Cell::maybe(line.mean_bytes.map(f64::round), Unit::Bytes),
        ]);
    }
    table.notes.push(
        "Means are geometric, over answered runs. PAR-2 is the mean time in which a run without an answer counts twice its \
         limit."
            .to_owned(),
    );
    table.notes.extend(crate::summary::hung_note(records));
    table
}

/// Compares two strategies, with the ratio of their values.
pub fn versus(records: &[Record], first: &str, second: &str, metric: &str) -> Table {
    let unit = column::unit(metric);
    let mut table = Table::new(["instance", first, second, "ratio"]);
    let pairs = crate::summary::pairs(records, (first, second), &|r| column::number(metric, r));
    let mut ratios = Vec::new();
    for (name, a, b) in pairs {
        let ratio = (a > 0.0).then(|| b / a);
        ratios.extend(ratio);
        table.row(vec![
            Cell::words(name),
            Cell::number(a, unit),
            Cell::number(b, unit),
            ratio.map_or_else(Cell::empty, |r| Cell {
                shown: format!("{r:.3}"),
                raw: Value::from(r),
                right: true,
            }),
        ]);
    }
    let mean = crate::summary::geometric_mean(&ratios);
    let mean = mean.map_or_else(
        || "no instance has both".to_owned(),
        |m| format!("geometric mean of the ratios {m:.3}"),
    );
    table.notes.push(format!("{metric}; {} instances that both have answered; {mean}.", table.rows.len()));
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    fn table() -> Table {
        let mut table = Table::new(["name", "n"]);
        table.row(vec![Cell::words("a|b_c, d"), Cell::number(1234.0, Unit::Count)]);
        table.row(vec![Cell::words("e"), Cell::empty()]);
        table.notes.push("a note".into());
        table
    }

    #[test]
    fn five_formats() {
        let table = table();
        assert_eq!(table.write(Format::Text), "name          n\na|b_c, d  1,234\ne\na note\n");
        assert_eq!(
            table.write(Format::Markdown),
            "| name | n |\n| --- | ---: |\n| a\\|b_c, d | 1,234 |\n| e |  |\n\na note\n"
        );
        assert_eq!(table.write(Format::Csv), "name,n\n\"a|b_c, d\",1234\ne,\n");
        assert_eq!(
            table.write(Format::Json),
            "{\"name\":\"a|b_c, d\",\"n\":1234}\n{\"name\":\"e\",\"n\":null}\n"
        );
        assert_eq!(
            table.write(Format::Latex),
            "\\begin{tabular}{lr}\n\\toprule\nname & n \\\\\n\\midrule\na|b\\_c, d & 1234 \\\\\ne &  \\\\\n\
             \\bottomrule\n\\end{tabular}\n% a note\n"
        );
    }

    #[test]
    fn csv_json_and_latex_have_full_precision() {
        let mut table = Table::new(["seconds"]);
        table.row(vec![Cell::number(0.001_234_567_89, Unit::Seconds)]);
        assert!(table.write(Format::Text).contains("1.2 ms"));
        for format in [Format::Csv, Format::Json, Format::Latex] {
            assert!(table.write(format).contains("0.00123456789"), "{}", table.write(format));
        }
    }

    #[test]
    fn two_strategies_beside_each_other() {
        let records = [record("a", "p", "solved", 1.0, 10), record("a", "q", "solved", 1.0, 40)];
        let text = versus(&records, "p", "q", "expanded").write(Format::Text);
        assert!(text.contains("4.000") && text.contains("geometric mean of the ratios 4.000"), "{text}");
    }
}
