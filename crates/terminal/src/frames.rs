//! Writes screens: collects a frame and writes it at once, unless the terminal was restored meanwhile.

use std::io;

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::style::{Attribute, Color as Paint, Colors, Print, SetAttribute, SetColors};
use crossterm::terminal::{BeginSynchronizedUpdate, Clear, ClearType as Part, EndSynchronizedUpdate};
use crossterm::{cursor, queue, terminal};
use ratatui_core::backend::{Backend, ClearType, WindowSize};
use ratatui_core::buffer::Cell;
use ratatui_core::layout::{Position, Size};
use ratatui_core::style::{Color, Modifier};

use crate::session;

/// The modifiers that a [`Look`](crate::Look) uses.
const ATTRIBUTES: [(Modifier, Attribute); 3] = [
    (Modifier::BOLD, Attribute::Bold),
    (Modifier::DIM, Attribute::Dim),
    (Modifier::REVERSED, Attribute::Reverse),
];

/// The frame that is being collected.
#[derive(Default)]
pub(crate) struct Frames(Vec<u8>);

impl Backend for Frames {
    type Error = io::Error;

    fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, cells: I) -> io::Result<()> {
        let mut next = None;
        let mut style = (Modifier::empty(), Color::Reset, Color::Reset);
        for (x, y, cell) in cells {
            if next != Some((x, y)) {
                queue!(self.0, MoveTo(x, y))?;
            }
            next = Some((x + 1, y));
            if style != (cell.modifier, cell.fg, cell.bg) {
                style = (cell.modifier, cell.fg, cell.bg);
                queue!(self.0, SetAttribute(Attribute::Reset))?;
                // Before the attributes: without colours, this is one more reset.
                queue!(self.0, SetColors(Colors::new(paint(cell.fg), paint(cell.bg))))?;
                for (modifier, attribute) in ATTRIBUTES {
                    if cell.modifier.contains(modifier) {
                        queue!(self.0, SetAttribute(attribute))?;
                    }
                }
            }
            queue!(self.0, Print(cell.symbol()))?;
        }
        queue!(self.0, SetAttribute(Attribute::Reset))
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        queue!(self.0, Hide)
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        queue!(self.0, Show)
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        cursor::position().map(Position::from)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        let Position { x, y } = position.into();
        queue!(self.0, MoveTo(x, y))
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        let part = match region {
            ClearType::All => Part::All,
            ClearType::AfterCursor => Part::FromCursorDown,
            ClearType::BeforeCursor => Part::FromCursorUp,
            ClearType::CurrentLine => Part::CurrentLine,
            ClearType::UntilNewLine => Part::UntilNewLine,
        };
        queue!(self.0, Clear(part))
    }

    fn size(&self) -> io::Result<Size> {
        terminal::size().map(Size::from)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        let size = terminal::window_size()?;
        Ok(WindowSize {
            columns_rows: Size::new(size.columns, size.rows),
            pixels: Size::new(size.width, size.height),
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        // Terminals that know these sequences show a frame all at once. Others ignore them.
        let mut whole = Vec::with_capacity(self.0.len() + 16);
        queue!(whole, BeginSynchronizedUpdate)?;
        whole.append(&mut self.0);
        queue!(whole, EndSynchronizedUpdate)?;
        session::write(&whole)
    }
}

/// A colour of a [`Look`](crate::Look).
fn paint(colour: Color) -> Paint {
    match colour {
        Color::Indexed(index) => Paint::AnsiValue(index),
        Color::Rgb(r, g, b) => Paint::Rgb { r, g, b },
        _ => Paint::Reset,
    }
}
