//! A board with rulers and a few lines below it, for a program that asks one question after the other.

use std::io;
use std::time::Instant;

use beeline_puzzle::Scene;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::Look;
use crate::board::Picture;
use crate::screen::{self, Left, Screen};

/// Somebody who asks, a key at a time.
pub trait Asking {
    /// What comes of it.
    type End;
    /// The board.
    fn scene(&self) -> Scene;
    /// The lines below the board.
    fn lines(&self) -> Vec<String>;
    /// A key was pressed; other keys than characters have the characters that they send.
    fn key(&mut self, key: char) -> Option<Self::End>;
}

/// Asks on the terminal until the end.
pub fn ask<A: Asking>(asking: &mut A, look: Look) -> io::Result<Left<A::End>> {
    screen::run(&mut Prompt { asking, look }, look)
}

struct Prompt<'a, A> {
    asking: &'a mut A,
    look: Look,
}

/// Lines between the board and the texts: the ruler.
const GAP: u16 = 1;

impl<A: Asking> Screen for Prompt<'_, A> {
    type End = A::End;

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let (area, scene, lines) = (frame.area(), self.asking.scene(), self.asking.lines());
        let below = (lines.len() as u16).min(area.height.saturating_sub(1));
        let rulers = if area.height >= below + GAP + 3 { GAP } else { 0 };
        let room = Rect { height: area.height - below - rulers, width: area.width.saturating_sub(4), ..area };
        let picture = Picture::new(&scene, self.look, room.width, room.height);
        let (width, height) = (picture.width().min(room.width), picture.height().min(room.height));
        let board = Rect { width, height, ..room };
        let lying = picture.put(frame.buffer_mut(), board, None, None);
        if rulers > 0 {
            // Every cell is told by the first character of it that is shown.
            let mut last = (None, None);
            for x in board.left()..board.right() {
                let column = lying.cell(x, board.bottom() - 1).map(|(_, column)| column);
                if column.is_some() && column != last.0 {
                    digit(frame.buffer_mut(), x, board.bottom(), column, self.look);
                }
                last.0 = column.or(last.0);
            }
            for y in board.top()..board.bottom() {
                let row = lying.cell(board.right() - 1, y).map(|(row, _)| row);
                if row.is_some() && row != last.1 {
                    digit(frame.buffer_mut(), board.right() + 1, y, row, self.look);
                }
                last.1 = row.or(last.1);
            }
        }
        for (i, line) in (0..below).zip(&lines) {
            let y = board.bottom() + rulers + i;
            if y < area.bottom() {
                frame.buffer_mut().set_stringn(area.x, y, line, area.width.into(), Style::new());
            }
        }
    }

    fn key(&mut self, key: KeyEvent) -> Option<A::End> {
        let key = match key.code {
            KeyCode::Char(key) => key,
            KeyCode::Enter => '\n',
            KeyCode::Backspace => '\u{8}',
            KeyCode::Esc => '\u{1b}',
            // An arrow is as good as the letter of its direction.
            KeyCode::Up => 'u',
            KeyCode::Down => 'd',
            KeyCode::Left => 'l',
            KeyCode::Right => 'r',
            _ => return None,
        };
        self.asking.key(key)
    }

    fn due(&self) -> Option<Instant> {
        None
    }

    fn tick(&mut self) -> Option<A::End> {
        None
    }
}

/// The last digit of a number on a ruler.
fn digit(buffer: &mut Buffer, x: u16, y: u16, number: Option<usize>, look: Look) {
    let digit = number.and_then(|n| char::from_digit((n % 10) as u32, 10));
    if let (Some(digit), Some(cell)) = (digit, buffer.cell_mut((x, y))) {
        cell.set_char(digit).set_style(look.dim());
    }
}
