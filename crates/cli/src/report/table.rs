//! A table, and its output formats.

use beeline_view::ascii::fold;

use super::layout::wrap;
use super::screen::Screen;

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    /// Its heading.
    pub(crate) name: &'static str,
    /// Is it aligned to the right, as numbers are?
    pub(crate) right: bool,
    /// The priority: 0 is always shown. On a narrow terminal, columns with higher numbers are dropped first.
    pub(crate) rank: u8,
    /// May its text be wrapped? On a narrow terminal this happens before a column is dropped.
    pub(crate) sentences: bool,
}

impl Column {
    /// A column of words.
    pub(crate) const fn words(name: &'static str, rank: u8) -> Self {
        Self { name, right: false, rank, sentences: false }
    }

    /// A column of figures.
    pub(crate) const fn figures(name: &'static str, rank: u8) -> Self {
        Self { name, right: true, rank, sentences: false }
    }

    /// A column of sentences.
    pub(crate) const fn sentences(name: &'static str, rank: u8) -> Self {
        Self { name, right: false, rank, sentences: true }
    }
}

/// A table.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

const GAP: &str = "  ";
/// The least width of a wrapped column.
const SHORTEST: usize = 20;

impl Table {
    pub(crate) fn new(columns: &[Column]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row, with one cell per column.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut cells: Vec<String> = cells.into_iter().collect();
        cells.resize(self.columns.len(), String::new());
        self.rows.push(cells);
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| row[column].chars().count());
        cells.chain([self.columns[column].name.chars().count()]).max().unwrap_or(0)
    }

    /// The table for a terminal: aligned, and narrowed to it by wrapping sentences and dropping columns.
    pub(crate) fn text(&self, screen: &Screen) -> String {
        if screen.ascii {
            let folded = |row: &Vec<String>| row.iter().map(|cell| fold(cell).into_owned()).collect();
            let table = Self { columns: self.columns.clone(), rows: self.rows.iter().map(folded).collect() };
            let mut plain = *screen;
            plain.ascii = false;
            return table.text(&plain);
        }
        let room = if screen.whole { usize::MAX - GAP.len() } else { screen.columns };
        let mut widths: Vec<usize> = (0..self.columns.len()).map(|c| self.width(c)).collect();
        let all: usize = widths.iter().map(|w| w + GAP.len()).sum();
        let over = all.saturating_sub(room + GAP.len());
        if let Some(c) = self.columns.iter().position(|c| c.sentences) {
            widths[c] = (widths[c].saturating_sub(over)).max(widths[c].min(SHORTEST));
        }
        let mut kept: Vec<usize> = (0..self.columns.len()).collect();
        let total = |kept: &[usize]| kept.iter().map(|&c| widths[c] + GAP.len()).sum::<usize>();
        while total(&kept) > room + GAP.len() {
            let worst = kept.iter().copied().enumerate().max_by_key(|&(_, c)| self.columns[c].rank);
            match worst {
                Some((at, c)) if self.columns[c].rank > 0 => drop(kept.remove(at)),
                _ => break,
            }
        }
        let line = |cells: &dyn Fn(usize) -> String| {
            let padded = kept.iter().map(|&c| {
                let (width, cell) = (widths[c], cells(c));
                if self.columns[c].right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
            });
            padded.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
        };
        let mut out = screen.bold(&line(&|c| self.columns[c].name.to_owned()));
        out.push('\n');
        for row in &self.rows {
            let wrapped: Vec<Vec<String>> =
                (0..row.len())
                    .map(|c| {
                        if self.columns[c].sentences {
                            wrap(&row[c], widths[c])
                        } else {
                            vec![row[c].clone()]
                        }
                    })
                    .collect();
            let lines = kept.iter().map(|&c| wrapped[c].len()).max().unwrap_or(1);
            for i in 0..lines {
                out += &line(&|c| wrapped[c].get(i).cloned().unwrap_or_default());
                out.push('\n');
            }
        }
        out
    }

    /// The table as Markdown.
    pub(crate) fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut out = line(self.columns.iter().map(|c| c.name.to_owned()).collect());
        out += &line(self.columns.iter().map(|c| if c.right { "---:" } else { "---" }.to_owned()).collect());
        for row in &self.rows {
            out += &line(row.iter().map(|cell| cell.trim().replace('|', "\\|")).collect());
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table =
            Table::new(&[Column::words("name", 0), Column::figures("n", 0), Column::words("note", 1)]);
        table.row(["a|b".into(), "5".into(), "x".into()]);
        table.row(["c".into(), "1,000".into()]);
        table
    }

    #[test]
    fn text_is_aligned_and_narrow_screens_leave_columns_out() {
        assert_eq!(table().text(&Screen::plain(80)), "name      n  note\na|b       5  x\nc     1,000\n");
        assert_eq!(table().text(&Screen::plain(12)), "name      n\na|b       5\nc     1,000\n");
    }

    #[test]
    fn sentences_are_wrapped_before_columns_go() {
        let mut table =
            Table::new(&[Column::words("a", 0), Column::words("b", 1), Column::sentences("about", 2)]);
        table.row(["x".into(), "y".into(), "a sentence of thirty letters!!".into()]);
        assert_eq!(
            table.text(&Screen::plain(30)),
            "a  b  about\nx  y  a sentence of thirty\n      letters!!\n"
        );
        assert_eq!(table.text(&Screen::plain(20)), "a  b\nx  y\n");
        let mut piped = Screen::plain(20);
        piped.whole = true;
        assert_eq!(table.text(&piped), "a  b  about\nx  y  a sentence of thirty letters!!\n");
    }

    #[test]
    fn markdown_is_escaped() {
        assert_eq!(
            table().markdown(),
            "| name | n | note |\n| --- | ---: | --- |\n| a\\|b | 5 | x |\n| c | 1,000 |  |\n"
        );
    }
}
