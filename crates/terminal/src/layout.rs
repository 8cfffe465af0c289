//! The common layout of all screens: a title, a board, facts, a message, the keys.
//!
//! The board has priority. As a window gets smaller, the side panel becomes a line above the board. The keys shrink
//! to one line and disappear. At last the board is drawn smaller and then cut.

use beeline_puzzle::Scene;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;

use crate::Look;
use crate::board::{BoardPlacement, Picture};
use crate::play::Pointer;

/// The width of the side panel, in columns.
const PANEL: u16 = 32;
/// The column of the panel where values begin.
const INDENT: u16 = 11;

/// The content of a screen.
#[derive(Default)]
pub(crate) struct Sheet<'a> {
    pub(crate) look: Look,
    /// The title; `place` is the position in a series.
    pub(crate) title: String,
    pub(crate) place: String,
    pub(crate) scene: Option<&'a Scene>,
    /// The selected thing.
    pub(crate) chosen: Option<u16>,
    /// Facts as names and values.
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) message: Option<(Style, String)>,
    /// Keys and their actions.
    pub(crate) keys: Vec<(String, &'static str)>,
    /// If set, this text and the keys, one per line, replace the board.
    pub(crate) help: Option<String>,
    /// The goal, shown small below the facts.
    pub(crate) goal: Option<&'a Scene>,
    /// A hint to show on the board.
    pub(crate) pointer: Option<&'a Pointer>,
}

impl Sheet<'_> {
    /// Draws the content, and returns the position of the board.
    pub(crate) fn draw(&self, buffer: &mut Buffer, area: Rect) -> BoardPlacement {
        let mut writer = TextWriter { look: self.look, buffer };
        let mut body = area;
        self.header(&mut writer, take_top(&mut body, u16::from(area.height >= 4)));
        let most = match area.height {
            0..8 => 0,
            8..16 => 1,
            _ => 3,
        };
        let keys = if self.help.is_some() { Vec::new() } else { self.key_lines(area.width, most) };
        let footer = take_bottom(&mut body, keys.len() as u16);
        for (line, row) in keys.iter().zip(footer.rows()) {
            writer.write(row, line, self.look.dim());
        }
        let message = self.message.as_ref().map(|(style, text)| (*style, wrap(text, area.width)));
        let lines = message.as_ref().map_or(0, |(_, lines)| lines.len() as u16);
        let room = u16::from(area.height >= 2) + u16::from(area.height >= 14 && lines > 1);
        let rows = take_bottom(&mut body, room);
        if let Some((style, lines)) = &message {
            for (line, row) in lines.iter().zip(rows.rows()) {
                writer.write(row, line, *style);
            }
        }
        match &self.help {
            Some(text) => self.all_keys(&mut writer, body, text),
            None => self.body(&mut writer, body),
        }
    }

    fn header(&self, writer: &mut TextWriter<'_>, row: Rect) {
        let place = self.place.chars().count() as u16;
        if place < row.width {
            let right = Rect { x: row.right() - place, width: place, ..row };
            writer.write(right, &self.place, self.look.dim());
        }
        let room = row.width.saturating_sub(place + 1);
        writer.write(Rect { width: room, ..row }, &self.title, Look::bold());
    }

    /// Draws the board with the facts beside it, or above it if there is no room at the side.
    fn body(&self, writer: &mut TextWriter<'_>, body: Rect) -> BoardPlacement {
        let Some(scene) = self.scene else {
            self.panel(writer, body);
            return BoardPlacement::default();
        };
        let side = body.width.saturating_sub(PANEL);
        let beside = Picture::new(scene, self.look, side, body.height);
        if side >= 24 && beside.width() <= side {
            let [mut board, mut panel] = [Rect { width: side, ..body }, Rect { width: PANEL, ..body }];
            panel.x += side;
            // On a wide window, the board and the panel stay close together.
            let slack = (side - beside.width()) / 3;
            board.width -= slack;
            panel.x -= slack;
            panel.width += slack;
            // The first fact is level with the first line of the board if the others have room below it.
            let margin = body.height.saturating_sub(beside.height()) / 2;
            let spare = body.height.saturating_sub(self.facts.len() as u16);
            take_top(&mut panel, margin.min(spare));
            let below = self.panel(writer, panel);
            self.small_goal(writer, below);
            return beside.put(writer.buffer, board, self.chosen, self.pointer);
        }
        let mut board = body;
        let lines = wrap(&self.facts_in_a_row(), body.width);
        let room = (body.height / 6).clamp(u16::from(body.height >= 4), lines.len() as u16);
        for (line, row) in lines.iter().zip(take_top(&mut board, room).rows()) {
            writer.write(row, line, Style::new());
        }
        Picture::new(scene, self.look, board.width, board.height).put(
            writer.buffer,
            board,
            self.chosen,
            self.pointer,
        )
    }

    /// Draws the goal as a small picture if all of it fits.
    fn small_goal(&self, writer: &mut TextWriter<'_>, mut area: Rect) {
        let Some(goal) = self.goal else { return };
        take_top(&mut area, 1);
        let picture = Picture::small(goal, self.look);
        if picture.width() <= area.width && picture.height() <= area.height {
            let place = Rect { width: picture.width(), height: picture.height(), ..area };
            picture.put(writer.buffer, place, None, None);
        }
    }

    fn facts_in_a_row(&self) -> String {
        let facts: Vec<String> = self.facts.iter().map(|(name, value)| format!("{name} {value}")).collect();
        facts.join(self.look.dot())
    }

    /// Writes the facts, and returns the rest of the area.
    fn panel(&self, writer: &mut TextWriter<'_>, mut area: Rect) -> Rect {
        for (name, value) in &self.facts {
            for (i, line) in wrap(value, area.width.saturating_sub(INDENT)).iter().enumerate() {
                let row = take_top(&mut area, 1);
                if i == 0 {
                    writer.write(Rect { width: row.width.min(INDENT - 1), ..row }, name, self.look.dim());
                }
                let indent = INDENT.min(row.width);
                writer.write(
                    Rect { x: row.x + indent, width: row.width - indent, ..row },
                    line,
                    Style::new(),
                );
            }
        }
        area
    }

    /// The keys on at most `most` lines. Keys at the end of the list are dropped first.
    fn key_lines(&self, width: u16, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for (key, does) in &self.keys {
            let part = format!("{key} {does}");
            let joined = lines.last().map(|line| format!("{line}{}{part}", self.look.dot()));
            match joined.filter(|line| line.chars().count() <= width.into()) {
                Some(line) => {
                    lines.pop();
                    lines.push(line);
                }
                None if lines.len() < most => lines.push(part),
                None => break,
            }
        }
        lines
    }

    fn all_keys(&self, writer: &mut TextWriter<'_>, mut area: Rect, text: &str) -> BoardPlacement {
        let lines = wrap(text, area.width.min(100));
        let room = (area.height as usize).saturating_sub(self.keys.len() + 2).min(lines.len());
        let top = u16::from(area.height as usize > self.keys.len());
        take_top(&mut area, top);
        for (line, row) in lines.iter().take(room).zip(take_top(&mut area, room as u16).rows()) {
            writer.write(row, line, Style::new());
        }
        take_top(&mut area, u16::from(room > 0));
        let wide = self.keys.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0);
        for ((key, does), row) in self.keys.iter().zip(area.rows()) {
            writer.write(row, &format!("  {key:<wide$}  {does}"), Style::new());
        }
        BoardPlacement::default()
    }
}

/// Writes lines of text in characters that the terminal supports.
struct TextWriter<'a> {
    look: Look,
    buffer: &'a mut Buffer,
}

impl TextWriter<'_> {
    fn write(&mut self, row: Rect, text: &str, style: Style) {
        if row.height == 0 || row.width == 0 {
            return;
        }
        let text = if self.look.ascii { plain(text) } else { text.to_owned() };
        self.buffer.set_stringn(row.x, row.y, text, row.width.into(), style);
    }
}

/// The text in ASCII.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            ' '..='~' => c,
            '×' => 'x',
            '·' => '|',
            '–' | '—' => '-',
            '‘' | '’' => '\'',
            _ => '?',
        })
        .collect()
}

/// Cuts lines off at the top of an area and returns them.
fn take_top(area: &mut Rect, lines: u16) -> Rect {
    let taken = Rect { height: lines.min(area.height), ..*area };
    area.y += taken.height;
    area.height -= taken.height;
    taken
}

/// Cuts lines off at the bottom of an area and returns them.
fn take_bottom(area: &mut Rect, lines: u16) -> Rect {
    let height = lines.min(area.height);
    area.height -= height;
    Rect { y: area.y + area.height, height, ..*area }
}

/// Wraps a text at blanks.
fn wrap(text: &str, width: u16) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let Some(line) = lines.last_mut() else { break };
        let fits = line.chars().count() + 1 + word.chars().count() <= width.into();
        if line.is_empty() {
            line.push_str(word);
        } else if fits {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_broken_at_blanks() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("", 7), [""]);
        assert_eq!(wrap("enormous", 3), ["enormous"]);
    }

    #[test]
    fn plain_text_has_only_plain_characters() {
        assert_eq!(plain("4×4 · “a” – …"), "4x4 | ?a? - ?");
    }
}
