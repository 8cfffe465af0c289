//! A board on the screen: as large as fits, with the selected thing marked. A board that does not fit is scrolled.

use beeline_puzzle::Scene;
use beeline_puzzle::scene::Form;
use beeline_view::{Canvas, Cells, Glyph, canvas};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::{Modifier, Style};

use crate::Look;
use crate::play::Pointer;

/// A scene, drawn for a window of a given size.
pub(crate) struct Picture<'a> {
    scene: &'a Scene,
    look: Look,
    canvas: Canvas,
}

/// The position of a drawn board. It converts screen positions to cells of the board.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BoardPlacement {
    window: Rect,
    /// The first visible line and column of the picture.
    first: (usize, usize),
    cells: Cells,
    /// Rows and columns of the board.
    board: (usize, usize),
}

impl<'a> Picture<'a> {
    /// Draws a scene as large as fits into this many columns and lines.
    pub(crate) fn new(scene: &'a Scene, look: Look, columns: u16, lines: u16) -> Self {
        let style = look.drawing().filling(scene, columns.into(), lines.into());
        Self { scene, look, canvas: canvas(scene, style) }
    }

    /// Draws a scene in the smallest size.
    pub(crate) fn small(scene: &'a Scene, look: Look) -> Self {
        Self { scene, look, canvas: canvas(scene, look.drawing()) }
    }

    pub(crate) fn width(&self) -> u16 {
        self.canvas.width().try_into().unwrap_or(u16::MAX)
    }

    pub(crate) fn height(&self) -> u16 {
        self.canvas.height().try_into().unwrap_or(u16::MAX)
    }

    /// Puts the picture into the middle of an area, with one selected thing and a hint. If it is too large, the part
    /// around the selected thing (or the player) is shown.
    pub(crate) fn put(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        chosen: Option<u16>,
        pointer: Option<&Pointer>,
    ) -> BoardPlacement {
        let cells = self.canvas.cells();
        let focus = self.focus(chosen).map(|(row, column)| cells.place(row, column));
        let (top, first_line, lines) = fit(area.height, self.canvas.height(), focus.map(|f| f.0));
        let (left, first_column, columns) = fit(area.width, self.canvas.width(), focus.map(|f| f.1));
        let window = Rect::new(area.x + left, area.y + top, columns, lines);
        for (line, row) in self.canvas.rows().skip(first_line).take(lines.into()).enumerate() {
            for (column, glyph) in row.iter().skip(first_column).take(columns.into()).enumerate() {
                let marked =
                    chosen.is_some_and(|id| self.is_part(id, first_line + line, first_column + column));
                let place = (window.x + column as u16, window.y + line as u16);
                if let Some(cell) = buffer.cell_mut(place) {
                    cell.set_char(glyph.char).set_style(self.style(*glyph, marked));
                }
            }
        }
        for (row, column) in pointer.iter().flat_map(|pointer| &pointer.to) {
            let (down, right) = cells.place(*row, *column);
            let middle = (down + (cells.size.0 - 1) / 2, right + (cells.size.1 - 1) / 2);
            let inside = middle.0.checked_sub(first_line).zip(middle.1.checked_sub(first_column));
            let inside = inside.filter(|&(y, x)| y < lines.into() && x < columns.into());
            let place = inside.map(|(y, x)| (window.x + x as u16, window.y + y as u16));
            if let (Some(cell), Some(pointer)) = (place.and_then(|place| buffer.cell_mut(place)), pointer) {
                cell.set_char(self.arrow(pointer.way));
                cell.set_style(self.arrow_style());
            }
        }
        let board = (self.scene.height, self.scene.width);
        BoardPlacement { window, first: (first_line, first_column), cells, board }
    }

    /// Black on white, colours that no piece has.
    fn arrow_style(&self) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        if self.look.in_colour() {
            let (ink, paper) = (beeline_view::Rgb(0x00_0000), beeline_view::Rgb(0xff_ffff));
            style.fg(self.look.paint(ink)).bg(self.look.paint(paper))
        } else {
            style.add_modifier(Modifier::REVERSED)
        }
    }

    fn arrow(&self, way: (isize, isize)) -> char {
        match (way, self.look.ascii) {
            ((0, -1), false) => '←',
            ((0, 1), false) => '→',
            ((-1, 0), false) => '↑',
            ((1, 0), false) => '↓',
            ((0, -1), true) => '<',
            ((0, 1), true) => '>',
            ((-1, 0), true) => '^',
            ((1, 0), true) => 'v',
            _ => '*',
        }
    }

    /// The cell that must be visible.
    fn focus(&self, chosen: Option<u16>) -> Option<(usize, usize)> {
        let wanted = |form: Form, id: u16| form == Form::Player || (chosen == Some(id) && is_choosable(form));
        let at = self.scene.cells.iter().position(|c| c.thing.as_ref().is_some_and(|t| wanted(t.form, t.id)));
        at.map(|at| (at / self.scene.width, at % self.scene.width))
    }

    /// Does this character belong to that thing? The edge between two cells of the thing does, too.
    fn is_part(&self, id: u16, line: usize, column: usize) -> bool {
        let cells = self.canvas.cells();
        let Some((row, col)) = cells.at(line, column) else { return false };
        let of = |row: usize, col: usize| {
            row < self.scene.height && col < self.scene.width && {
                let thing = self.scene.at(row, col).thing.as_ref();
                thing.is_some_and(|t| t.id == id && is_choosable(t.form))
            }
        };
        let (top, left) = cells.place(row, col);
        of(row, col)
            && (line - top < cells.size.0 || of(row + 1, col))
            && (column - left < cells.size.1 || of(row, col + 1))
    }

    fn style(&self, glyph: Glyph, marked: bool) -> Style {
        let mut style = Style::new();
        let light = |rgb: beeline_view::Rgb| if marked { rgb.shade(1.45) } else { rgb };
        // A label keeps its colours. Only the colours of the thing get lighter.
        if let Some(ink) = glyph.ink {
            let solid = matches!(glyph.char, '▀' | '▄') || glyph.paper.is_none();
            style = style.fg(self.look.paint(if solid { light(ink) } else { ink }));
        }
        if let Some(paper) = glyph.paper {
            style = style.bg(self.look.paint(light(paper)));
        }
        match (marked, self.look.in_colour()) {
            (true, true) => style.add_modifier(Modifier::BOLD),
            (true, false) => style.add_modifier(Modifier::REVERSED),
            (false, _) => style,
        }
    }
}

/// Can a user select a thing of this form to move it? (The player and tiles move without selection.)
pub(crate) fn is_choosable(form: Form) -> bool {
    matches!(form, Form::Block | Form::Dot | Form::Pipe)
}

/// Fits a length into the available room: the margin before it, the first visible index, and the visible length.
fn fit(room: u16, length: usize, focus: Option<usize>) -> (u16, usize, u16) {
    let shown = length.min(room.into());
    let first = focus.map_or(0, |f| f.saturating_sub(shown / 2).min(length - shown));
    ((room - shown as u16) / 2, first, shown as u16)
}

impl BoardPlacement {
    /// The cell (row, column) of the board at this position of the screen.
    pub(crate) fn cell(&self, column: u16, line: u16) -> Option<(usize, usize)> {
        if !self.window.contains((column, line).into()) {
            return None;
        }
        let down = usize::from(line - self.window.y) + self.first.0;
        let right = usize::from(column - self.window.x) + self.first.1;
        let (row, column) = self.cells.at(down, right)?;
        (row < self.board.0 && column < self.board.1).then_some((row, column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_centred_and_what_does_not_follows_the_focus() {
        assert_eq!(fit(10, 4, None), (3, 0, 4));
        assert_eq!(fit(4, 10, None), (0, 0, 4));
        assert_eq!(fit(4, 10, Some(5)), (0, 3, 4));
        assert_eq!(fit(4, 10, Some(9)), (0, 6, 4));
        assert_eq!(fit(0, 10, Some(9)), (0, 9, 0));
    }

    #[test]
    fn every_cell_is_found_where_it_was_drawn() {
        let mut scene = Scene::new(5, 4);
        scene.at_mut(0, 0).ground = beeline_puzzle::scene::Ground::Wall;
        for (columns, lines) in [(80, 24), (12, 5), (6, 2)] {
            let picture = Picture::new(&scene, Look::default(), columns, lines);
            let area = Rect::new(3, 2, columns, lines);
            let mut buffer = Buffer::empty(Rect::new(0, 0, 90, 30));
            let placement = picture.put(&mut buffer, area, None, None);
            let mut found: Vec<_> = (0..30)
                .flat_map(|line| (0..90).map(move |column| (column, line)))
                .filter_map(|(column, line)| placement.cell(column, line))
                .collect();
            found.sort_unstable();
            found.dedup();
            assert!(found.contains(&(0, 0)));
            if columns >= 12 {
                assert_eq!(found.len(), 20, "{columns}×{lines}");
            }
        }
    }
}
