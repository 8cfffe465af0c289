//! A menu of kinds and levels, and the game of the chosen level. Leaving the game leads back to the menu.
//!
//! A player's best results last as long as the menu: the terminal program writes only files that the user asks for.

use std::io;
use std::time::Instant;

use beeline_search::Budget;
use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::{Modifier, Style};
use ratatui_core::terminal::Frame;

use crate::Look;
use crate::play::{Ending, GameOptions, Level, Play};
use crate::screen::{self, Screen, ScreenResult};

/// The levels of one kind.
pub struct Chapter {
    /// The title of the kind.
    pub title: String,
    /// Its levels, the easiest first.
    pub levels: Vec<Level>,
}

/// Runs the menu until the user quits. The budget limits searches in the background.
pub fn menu(chapters: Vec<Chapter>, look: Look, budget: Budget) -> io::Result<ScreenResult<()>> {
    screen::run(&mut Menu::new(chapters, look, budget), look)
}

/// The first column of the level list.
const LEVELS: u16 = 24;
/// The first line of both lists.
const TOP: u16 = 2;

struct Menu {
    chapters: Vec<Chapter>,
    /// The fewest steps in which the player solved each level.
    bests: Vec<Vec<Option<usize>>>,
    /// The index of the chosen kind, and of the chosen level of each kind.
    kind: usize,
    level: Vec<usize>,
    /// Do the arrow keys move in the level list?
    in_levels: bool,
    play: Option<Play>,
    /// The number of levels above the visible part, and the number of visible lines.
    scrolled: usize,
    lines: usize,
    look: Look,
    budget: Budget,
}

impl Menu {
    fn new(chapters: Vec<Chapter>, look: Look, budget: Budget) -> Self {
        let bests = chapters.iter().map(|chapter| vec![None; chapter.levels.len()]).collect();
        let level = vec![0; chapters.len()];
        let (kind, in_levels, play, scrolled, lines) = (0, false, None, 0, 1);
        Self { chapters, bests, kind, level, in_levels, play, scrolled, lines, look, budget }
    }

    /// Opens the chosen level.
    fn open(&mut self) {
        let (kind, first) = (self.kind, self.level.get(self.kind).copied().unwrap_or(0));
        let Some(chapter) = self.chapters.get_mut(kind) else { return };
        let levels = std::mem::take(&mut chapter.levels);
        let play = Play::new(levels, first, self.look, self.budget.clone(), GameOptions::default());
        self.play = play.map(|play| play.with_bests(self.bests[kind].clone()));
    }

    /// Leaves the game.
    fn close(&mut self) {
        let Some(play) = self.play.take() else { return };
        self.level[self.kind] = play.level();
        let (levels, bests) = play.close();
        self.chapters[self.kind].levels = levels;
        self.bests[self.kind] = bests;
    }

    fn step(&mut self, by: isize) {
        let (at, count) = if self.in_levels {
            (&mut self.level[self.kind], self.chapters[self.kind].levels.len())
        } else {
            (&mut self.kind, self.chapters.len())
        };
        *at = at.saturating_add_signed(by).min(count.saturating_sub(1));
    }

    fn draw_menu(&mut self, buffer: &mut Buffer, area: Rect) {
        let plain = Style::new();
        let chosen = |here: bool, focus: bool| match (here, focus) {
            (true, true) => plain.add_modifier(Modifier::REVERSED | Modifier::BOLD),
            (true, false) => plain.add_modifier(Modifier::BOLD),
            _ => plain,
        };
        let mut write = |x: u16, y: u16, width: u16, text: &str, style: Style| {
            if y < area.height && x < area.width {
                let width = width.min(area.width - x);
                buffer.set_stringn(area.x + x, area.y + y, text, width.into(), style);
            }
        };
        let dot = self.look.dot();
        write(0, 0, area.width, &format!("Beeline{dot}choose a puzzle"), Look::bold());
        for (i, chapter) in self.chapters.iter().enumerate() {
            let solved = self.bests[i].iter().flatten().count();
            let marks = if solved > 0 { format!(" ({solved} solved)") } else { String::new() };
            let text = format!("{}{marks}", chapter.title);
            write(1, TOP + i as u16, LEVELS - 2, &text, chosen(i == self.kind, !self.in_levels));
        }
        self.lines = usize::from(area.height.saturating_sub(TOP + 2)).max(1);
        let at = self.level[self.kind];
        self.scrolled = self.scrolled.min(at).max((at + 1).saturating_sub(self.lines));
        let levels = self.chapters[self.kind].levels.iter().zip(&self.bests[self.kind]).enumerate();
        for (i, (level, best)) in levels.skip(self.scrolled).take(self.lines) {
            let tick = match (best, self.look.ascii) {
                (None, _) => " ",
                (Some(_), true) => "x",
                (Some(_), false) => "✓",
            };
            let best = best.map_or_else(String::new, |best| format!("{dot}your best {best}"));
            let text = format!("{tick} {}{best}", level.name);
            let y = TOP + (i - self.scrolled) as u16;
            write(LEVELS, y, area.width, &text, chosen(i == at, self.in_levels));
        }
        let keys = ["arrows choose", "enter play", "q quit"].join(dot);
        write(0, area.height.saturating_sub(1), area.width, &keys, self.look.dim());
    }

    fn click(&mut self, column: u16, line: u16) {
        let Some(at) = line.checked_sub(TOP).map(usize::from) else { return };
        if column < LEVELS - 1 {
            if at < self.chapters.len() {
                (self.kind, self.in_levels, self.scrolled) = (at, false, 0);
            }
        } else if at < self.lines && at + self.scrolled < self.chapters[self.kind].levels.len() {
            self.level[self.kind] = at + self.scrolled;
            self.in_levels = true;
            self.open();
        }
    }
}

impl Screen for Menu {
    type End = ();

    fn draw(&mut self, frame: &mut Frame<'_>) {
        match &mut self.play {
            Some(play) => play.draw(frame),
            None if self.chapters.is_empty() => {}
            None => {
                let area = frame.area();
                self.draw_menu(frame.buffer_mut(), area);
            }
        }
    }

    fn key(&mut self, key: KeyEvent) -> Option<()> {
        if let Some(play) = &mut self.play {
            if play.key(key) == Some(Ending::Quit) {
                self.close();
            }
            return None;
        }
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc | KeyCode::F(10) => return Some(()),
            _ if self.chapters.is_empty() => return Some(()),
            KeyCode::Up => self.step(-1),
            KeyCode::Down => self.step(1),
            KeyCode::PageUp => self.step(-10),
            KeyCode::PageDown => self.step(10),
            KeyCode::Left => self.in_levels = false,
            KeyCode::Enter | KeyCode::Char(' ') if self.in_levels => self.open(),
            KeyCode::Right | KeyCode::Tab | KeyCode::Enter | KeyCode::Char(' ') => self.in_levels = true,
            _ => {}
        }
        None
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        match (&mut self.play, mouse.kind) {
            (Some(play), _) => play.mouse(mouse),
            (None, MouseEventKind::Down(MouseButton::Left)) => self.click(mouse.column, mouse.row),
            (None, MouseEventKind::ScrollDown) => self.step(1),
            (None, MouseEventKind::ScrollUp) => self.step(-1),
            _ => {}
        }
    }

    fn due(&self) -> Option<Instant> {
        self.play.as_ref().and_then(Screen::due)
    }

    fn tick(&mut self) -> Option<()> {
        // A game in the menu ends only when the player leaves it.
        self.play.as_mut().and_then(Screen::tick);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_puzzles::{KINDS, Kind};
    use crossterm::event::KeyModifiers;
    use ratatui_core::backend::TestBackend;
    use ratatui_core::terminal::Terminal;

    fn chapter(kind: &'static dyn Kind) -> Chapter {
        let levels = kind.examples().iter().map(|example| Level {
            name: example.name.to_owned(),
            puzzle: kind.parse(example.text).unwrap().remove(0),
        });
        Chapter { title: kind.title().to_owned(), levels: levels.collect() }
    }

    fn shown(menu: &mut Menu) -> String {
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        terminal.draw(|frame| menu.draw(frame)).unwrap();
        terminal.backend().to_string()
    }

    fn press(menu: &mut Menu, code: KeyCode) -> Option<()> {
        menu.key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn a_level_is_chosen_played_and_left_for_the_menu() {
        let small = Budget { nodes: Some(1000), ..Budget::default() };
        let chapters = KINDS.iter().map(|kind| chapter(*kind)).collect();
        let mut menu = Menu::new(chapters, Look::default(), small);
        let first = shown(&mut menu);
        for kind in KINDS {
            assert!(first.contains(kind.title()), "{first}");
        }
        assert!(first.contains("gate-first"));
        for code in [KeyCode::Down, KeyCode::Right, KeyCode::Down, KeyCode::Enter] {
            assert_eq!(press(&mut menu, code), None);
        }
        assert!(shown(&mut menu).contains("tiles-toy"), "the second level of the second kind is played");
        assert_eq!(press(&mut menu, KeyCode::Char('q')), None);
        assert!(menu.play.is_none() && shown(&mut menu).contains("tiles-first"));
        menu.bests[1][1] = Some(7);
        assert!(shown(&mut menu).contains("✓ tiles-toy · your best 7"), "{}", shown(&mut menu));
        let down = MouseEventKind::Down(MouseButton::Left);
        let click = |column, row| MouseEvent { kind: down, column, row, modifiers: KeyModifiers::NONE };
        menu.mouse(click(3, TOP + 3));
        menu.mouse(click(LEVELS + 3, TOP));
        assert!(shown(&mut menu).contains("sokoban-first"));
        press(&mut menu, KeyCode::Char('q'));
        assert_eq!(press(&mut menu, KeyCode::Char('q')), Some(()));
    }
}
