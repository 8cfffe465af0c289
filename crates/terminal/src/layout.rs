//! One way of laying a screen out for all of them: a title, a board, what is to be known, a message, the keys.
//!
//! The board is what matters: as a window gets smaller, the panel at the side becomes a line above the board, the keys become
//! one line and go, and the board itself is drawn smaller and at last cut.

use beeline_puzzle::Scene;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::Look;
use crate::board::{Lying, Picture};
use crate::play::Pointer;

/// The width of the panel at the side.
const PANEL: u16 = 32;
/// Where the values in it begin.
const INDENT: u16 = 11;

/// Everything that a screen shows.
#[derive(Default)]
pub(crate) struct Sheet<'a> {
    pub(crate) look: Look,
    /// What is shown, and where in a series it stands.
    pub(crate) title: String,
    pub(crate) place: String,
    pub(crate) scene: Option<&'a Scene>,
    /// The thing that is marked.
    pub(crate) chosen: Option<u16>,
    /// Names and values.
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) message: Option<(Style, String)>,
    /// Keys and what they do.
    pub(crate) keys: Vec<(String, &'static str)>,
    /// Shows this text and the keys, one a line, in place of the board.
    pub(crate) help: Option<String>,
    /// The goal, shown small below the facts.
    pub(crate) goal: Option<&'a Scene>,
    /// A hint to be shown on the board.
    pub(crate) pointer: Option<&'a Pointer>,
}

impl Sheet<'_> {
    /// Draws it, and says where the board came to lie.
    pub(crate) fn draw(&self, buffer: &mut Buffer, area: Rect) -> Lying {
        let mut pen = Pen { look: self.look, buffer };
        let mut body = area;
        self.header(&mut pen, take_top(&mut body, u16::from(area.height >= 4)));
        let most = match area.height {
            0..8 => 0,
            8..16 => 1,
            _ => 3,
        };
        let keys = if self.help.is_some() { Vec::new() } else { self.key_lines(area.width, most) };
        let footer = take_bottom(&mut body, keys.len() as u16);
        for (line, row) in keys.iter().zip(footer.rows()) {
            pen.write(row, line, self.look.dim());
        }
        let message = self.message.as_ref().map(|(style, text)| (*style, wrap(text, area.width)));
        let lines = message.as_ref().map_or(0, |(_, lines)| lines.len() as u16);
        let room = u16::from(area.height >= 2) + u16::from(area.height >= 14 && lines > 1);
        let rows = take_bottom(&mut body, room);
        if let Some((style, lines)) = &message {
            for (line, row) in lines.iter().zip(rows.rows()) {
                pen.write(row, line, *style);
            }
        }
        match &self.help {
            Some(text) => self.all_keys(&mut pen, body, text),
            None => self.body(&mut pen, body),
        }
    }

    fn header(&self, pen: &mut Pen<'_>, row: Rect) {
        let place = self.place.chars().count() as u16;
        if place < row.width {
            let right = Rect { x: row.right() - place, width: place, ..row };
            pen.write(right, &self.place, self.look.dim());
        }
        let room = row.width.saturating_sub(place + 1);
        pen.write(Rect { width: room, ..row }, &self.title, Look::bold());
    }

    /// The board with the facts beside it, or above it where there is no room at the side.
    fn body(&self, pen: &mut Pen<'_>, body: Rect) -> Lying {
        let Some(scene) = self.scene else {
            self.panel(pen, body);
            return Lying::default();
        };
        let side = body.width.saturating_sub(PANEL);
        let beside = Picture::new(scene, self.look, side, body.height);
        if side >= 24 && beside.width() <= side {
            let [mut board, mut panel] = [Rect { width: side, ..body }, Rect { width: PANEL, ..body }];
            panel.x += side;
            // On a wide window the two stay together.
            let slack = (side - beside.width()) / 3;
            board.width -= slack;
            panel.x -= slack;
            panel.width += slack;
            // The first fact stands beside the first line of the board, if the others find room below it.
            let margin = body.height.saturating_sub(beside.height()) / 2;
            let spare = body.height.saturating_sub(self.facts.len() as u16);
            take_top(&mut panel, margin.min(spare));
            let below = self.panel(pen, panel);
            self.small_goal(pen, below);
            return beside.put(pen.buffer, board, self.chosen, self.pointer);
        }
        let mut board = body;
        let lines = wrap(&self.facts_in_a_row(), body.width);
        let room = (body.height / 6).clamp(u16::from(body.height >= 4), lines.len() as u16);
        for (line, row) in lines.iter().zip(take_top(&mut board, room).rows()) {
            pen.write(row, line, Style::new());
        }
        Picture::new(scene, self.look, board.width, board.height).put(
            pen.buffer,
            board,
            self.chosen,
            self.pointer,
        )
    }

    /// The goal as a small picture, where there is room for all of it.
    fn small_goal(&self, pen: &mut Pen<'_>, mut area: Rect) {
        let Some(goal) = self.goal else { return };
        take_top(&mut area, 1);
        let picture = Picture::small(goal, self.look);
        if picture.width() <= area.width && picture.height() <= area.height {
            let place = Rect { width: picture.width(), height: picture.height(), ..area };
            picture.put(pen.buffer, place, None, None);
        }
    }

    fn facts_in_a_row(&self) -> String {
        let facts: Vec<String> = self.facts.iter().map(|(name, value)| format!("{name} {value}")).collect();
        facts.join(self.look.dot())
    }

    /// Writes the facts, and gives what is left of the area.
    fn panel(&self, pen: &mut Pen<'_>, mut area: Rect) -> Rect {
        for (name, value) in &self.facts {
            for (i, line) in wrap(value, area.width.saturating_sub(INDENT)).iter().enumerate() {
                let row = take_top(&mut area, 1);
                if i == 0 {
                    pen.write(Rect { width: row.width.min(INDENT - 1), ..row }, name, self.look.dim());
                }
                let indent = INDENT.min(row.width);
                pen.write(Rect { x: row.x + indent, width: row.width - indent, ..row }, line, Style::new());
            }
        }
        area
    }

    /// The keys, as many lines as there may be, the first ones first.
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

    fn all_keys(&self, pen: &mut Pen<'_>, mut area: Rect, text: &str) -> Lying {
        let lines = wrap(text, area.width.min(100));
        let room = (area.height as usize).saturating_sub(self.keys.len() + 2).min(lines.len());
        let top = u16::from(area.height as usize > self.keys.len());
        take_top(&mut area, top);
        for (line, row) in lines.iter().take(room).zip(take_top(&mut area, room as u16).rows()) {
            pen.write(row, line, Style::new());
        }
        take_top(&mut area, u16::from(room > 0));
        let wide = self.keys.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0);
        for ((key, does), row) in self.keys.iter().zip(area.rows()) {
            pen.write(row, &format!("  {key:<wide$}  {does}"), Style::new());
        }
        Lying::default()
    }
}

/// Writes lines of text, in characters that the terminal has.
struct Pen<'a> {
    look: Look,
    buffer: &'a mut Buffer,
}

impl Pen<'_> {
    fn write(&mut self, row: Rect, text: &str, style: Style) {
        if row.height == 0 || row.width == 0 {
            return;
        }
        let text = if self.look.ascii { plain(text) } else { text.to_owned() };
        self.buffer.set_stringn(row.x, row.y, text, row.width.into(), style);
    }
}

/// The same text in characters that every terminal has.
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

/// Cuts lines off at the top.
fn take_top(area: &mut Rect, lines: u16) -> Rect {
    let taken = Rect { height: lines.min(area.height), ..*area };
    area.y += taken.height;
    area.height -= taken.height;
    taken
}

/// Cuts lines off at the bottom.
fn take_bottom(area: &mut Rect, lines: u16) -> Rect {
    let height = lines.min(area.height);
    area.height -= height;
    Rect { y: area.y + area.height, height, ..*area }
}

/// Breaks a text at blanks.
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
