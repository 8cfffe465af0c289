//! A grid of coloured characters.

use std::fmt::Write;

use crate::colour::{Colour, Rgb};

/// One character with its colours; `None` keeps the terminal's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyph {
    /// The character, one column wide.
    pub char: char,
    /// Its colour.
    pub ink: Option<Rgb>,
    /// The colour behind it.
    pub paper: Option<Rgb>,
}

impl Default for Glyph {
    fn default() -> Self {
        Self { char: ' ', ink: None, paper: None }
    }
}

/// The geometry of the board's cells on the canvas. Pairs are (down, right).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cells {
    /// The position of the first cell.
    pub origin: (usize, usize),
    /// The distance from one cell to the next.
    pub pitch: (usize, usize),
    /// The part of that distance that a cell fills. The rest is an edge between cells.
    pub size: (usize, usize),
}

impl Cells {
    /// The cell (row, column) at a position. It may lie beyond the last one.
    pub fn at(&self, line: usize, column: usize) -> Option<(usize, usize)> {
        let (down, right) = (line.checked_sub(self.origin.0)?, column.checked_sub(self.origin.1)?);
        Some((down / self.pitch.0, right / self.pitch.1))
    }

    /// The first line and column of a cell.
    pub fn place(&self, row: usize, column: usize) -> (usize, usize) {
        (self.origin.0 + row * self.pitch.0, self.origin.1 + column * self.pitch.1)
    }
}

impl Default for Cells {
    fn default() -> Self {
        Self { origin: (0, 0), pitch: (1, 1), size: (1, 1) }
    }
}

/// Rows of glyphs, all of the same length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Canvas {
    width: usize,
    rows: Vec<Vec<Glyph>>,
    cells: Cells,
}

impl Canvas {
    /// An empty canvas.
    pub fn new(width: usize, height: usize) -> Self {
        Self { width, rows: vec![vec![Glyph::default(); width]; height], cells: Cells::default() }
    }

    /// The same canvas, with the geometry of its cells.
    pub(crate) fn of_cells(self, cells: Cells) -> Self {
        Self { cells, ..self }
    }

    /// The geometry of the board's cells.
    pub fn cells(&self) -> Cells {
        self.cells
    }

    /// The width in columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The height in lines.
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// The lines, top to bottom.
    pub fn rows(&self) -> impl Iterator<Item = &[Glyph]> {
        self.rows.iter().map(Vec::as_slice)
    }

    /// Puts one character. Positions outside the canvas are ignored.
    pub(crate) fn put(&mut self, row: usize, column: usize, glyph: Glyph) {
        if let Some(place) = self.rows.get_mut(row).and_then(|r| r.get_mut(column)) {
            *place = glyph;
        }
    }

    /// Writes a text with one style.
    pub(crate) fn write(
        &mut self,
        row: usize,
        column: usize,
        text: &str,
        ink: Option<Rgb>,
        paper: Option<Rgb>,
    ) {
        for (i, char) in text.chars().enumerate() {
            self.put(row, column + i, Glyph { char, ink, paper });
        }
    }

    /// Two canvases side by side, with a text between them at half height.
    #[must_use]
    pub fn beside(&self, other: &Self, between: &str) -> Self {
        let gap = between.chars().count();
        let height = self.height().max(other.height());
        let mut out = Self::new(self.width + gap + other.width, height);
        for (sheet, left) in [(self, 0), (other, self.width + gap)] {
            for (r, row) in sheet.rows.iter().enumerate() {
                for (c, &glyph) in row.iter().enumerate() {
                    out.put(r, left + c, glyph);
                }
            }
        }
        out.write(height.saturating_sub(1) / 2, self.width, between, None, None);
        out
    }

    /// The canvas with a thin frame around it.
    pub(crate) fn framed(&self, ascii: bool) -> Self {
        let (width, height) = (self.width, self.height());
        let (top, left) = self.cells.origin;
        let cells = Cells { origin: (top + 1, left + 1), ..self.cells };
        let mut out = Self::new(width + 2, height + 2).of_cells(cells);
        let [h, v, corners] = if ascii { ["-", "|", "++++"] } else { ["─", "│", "╭╮╰╯"] };
        let corner: Vec<char> = corners.chars().collect();
        let line = |l: char, r: char| format!("{l}{}{r}", h.repeat(width));
        out.write(0, 0, &line(corner[0], corner[1]), None, None);
        out.write(height + 1, 0, &line(corner[2], corner[3]), None, None);
        for (r, row) in self.rows.iter().enumerate() {
            out.write(r + 1, 0, v, None, None);
            out.write(r + 1, width + 1, v, None, None);
            for (c, &glyph) in row.iter().enumerate() {
                out.put(r + 1, c + 1, glyph);
            }
        }
        out
    }

    /// The canvas as text with a line end after each line. Trailing blanks of a line are left out.
    pub fn to_text(&self, colour: Colour) -> String {
        let mut out = String::new();
        for row in &self.rows {
            let end = row.iter().rposition(|g| g.char != ' ' || g.paper.is_some()).map_or(0, |p| p + 1);
            let mut now = (None, None);
            for glyph in &row[..end] {
                let want = (glyph.ink, glyph.paper);
                if colour != Colour::None && want != now {
                    out.push_str(&escape(want, colour));
                    now = want;
                }
                out.push(glyph.char);
            }
            if now != (None, None) {
                out.push_str("\x1b[0m");
            }
            out.push('\n');
        }
        out
    }
}

/// The escape sequence that resets the colours and sets ink and paper.
fn escape((ink, paper): (Option<Rgb>, Option<Rgb>), colour: Colour) -> String {
    let mut out = String::from("\x1b[0");
    for (what, rgb) in [(38, ink), (48, paper)] {
        let Some(rgb) = rgb else { continue };
        let [r, g, b] = rgb.parts();
        // Writing to a string cannot fail.
        let _ = match colour {
            Colour::True => write!(out, ";{what};2;{r};{g};{b}"),
            _ => write!(out, ";{what};5;{}", rgb.indexed()),
        };
    }
    out.push('m');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(text: &str) -> Canvas {
        let mut canvas = Canvas::new(text.chars().count(), 1);
        canvas.write(0, 0, text, None, None);
        canvas
    }

    #[test]
    fn side_by_side() {
        let tall = {
            let mut c = Canvas::new(1, 3);
            (0..3).for_each(|r| c.write(r, 0, "x", None, None));
            c
        };
        assert_eq!(tall.beside(&sheet("ab"), " > ").to_text(Colour::None), "x   ab\nx >\nx\n");
    }

    #[test]
    fn frames() {
        assert_eq!(sheet("ab").framed(false).to_text(Colour::None), "╭──╮\n│ab│\n╰──╯\n");
        assert_eq!(sheet("ab").framed(true).to_text(Colour::None), "+--+\n|ab|\n+--+\n");
    }

    #[test]
    fn colours_are_set_once_and_always_reset() {
        let mut canvas = Canvas::new(4, 1);
        canvas.write(0, 0, "ab", Some(Rgb(0xff_0000)), None);
        canvas.write(0, 2, " ", None, Some(Rgb(0x00_00ff)));
        assert_eq!(canvas.to_text(Colour::True), "\x1b[0;38;2;255;0;0mab\x1b[0;48;2;0;0;255m \x1b[0m\n");
        assert_eq!(canvas.to_text(Colour::Indexed), "\x1b[0;38;5;196mab\x1b[0;48;5;21m \x1b[0m\n");
        assert_eq!(canvas.to_text(Colour::None), "ab \n");
    }
}
