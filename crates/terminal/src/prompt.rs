//! A screen with a board, rulers and a few lines below it, for programs that ask one question after the other.

use std::io;
use std::time::Instant;

use beeline_puzzle::Scene;
use crossterm::event::{KeyCode, KeyEvent};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use ratatui_core::terminal::Frame;

use crate::Look;
use crate::board::Picture;
use crate::screen::{self, Screen, ScreenResult};

/// A dialogue that reads one key at a time.
pub trait Dialogue {
    /// The result of the dialogue.
    type End;
    /// The board.
    fn scene(&self) -> Scene;
    /// The lines below the board.
    fn lines(&self) -> Vec<String>;
    /// Handles a key. Keys without a character are passed as control characters, arrows as u, d, l and r.
    fn key(&mut self, key: char) -> Option<Self::End>;
}

/// Runs a dialogue on the terminal until it ends.
pub fn run_dialogue<A: Dialogue>(dialogue: &mut A, look: Look) -> io::Result<ScreenResult<A::End>> {
    screen::run(&mut Prompt { dialogue, look }, look)
}

struct Prompt<'a, A> {
    dialogue: &'a mut A,
    look: Look,
}

/// Lines between the board and the text, for the ruler.
const GAP: u16 = 1;

impl<A: Dialogue> Screen for Prompt<'_, A> {
    type End = A::End;

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let (area, scene, lines) = (frame.area(), self.dialogue.scene(), self.dialogue.lines());
        let below = (lines.len() as u16).min(area.height.saturating_sub(1));
        let rulers = if area.height >= below + GAP + 3 { GAP } else { 0 };
        let room = Rect { height: area.height - below - rulers, width: area.width.saturating_sub(4), ..area };
        let picture = Picture::new(&scene, self.look, room.width, room.height);
        let (width, height) = (picture.width().min(room.width), picture.height().min(room.height));
        let board = Rect { width, height, ..room };
        let placement = picture.put(frame.buffer_mut(), board, None, None);
        if rulers > 0 {
            // The ruler labels each cell at its first visible character.
            let mut last = (None, None);
            for x in board.left()..board.right() {
                let column = placement.cell(x, board.bottom() - 1).map(|(_, column)| column);
                if column.is_some() && column != last.0 {
                    digit(frame.buffer_mut(), x, board.bottom(), column, self.look);
                }
                last.0 = column.or(last.0);
            }
            for y in board.top()..board.bottom() {
                let row = placement.cell(board.right() - 1, y).map(|(row, _)| row);
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
            // An arrow means the letter of its direction.
            KeyCode::Up => 'u',
            KeyCode::Down => 'd',
            KeyCode::Left => 'l',
            KeyCode::Right => 'r',
            _ => return None,
        };
        self.dialogue.key(key)
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
