//! Prints boards and numbers on the terminal.

use std::io::{self, Write};
use std::time::Duration;

use beeline_puzzles::flow::classic::Classic;
use beeline_puzzles::flow::palette::PALETTE;
use beeline_puzzles::flow::{Cell, Dir, FlowPuzzle, Step, plan};
use beeline_terminal::Look;
use beeline_view::figures::commas;

use crate::classic::screen::terminal;

/// Formats a number with commas and this many decimals.
pub(super) fn decimals(number: f64, places: usize) -> String {
    let text = format!("{number:.places$}");
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    format!("{}{rest}", commas(whole.parse().unwrap_or(u64::MAX)))
}

/// Formats seconds.
pub(super) fn seconds(time: f64) -> String {
    decimals(time, 3)
}

/// The character of a colour on a terminal without colours.
pub(super) fn glyph(board: &Classic, colour: usize) -> char {
    board.paints.get(colour).and_then(|&p| PALETTE.get(p)).map_or('?', |p| p.glyph)
}

/// Shuffles by the clock, as the original does.
pub(super) fn shuffle(list: &mut [u8]) {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let mut random = beeline_search::Random::new(now.as_nanos() as u64);
    random.shuffle(list);
}

/// Prints a frame around the path ends of an invalid file.
pub(super) fn ends_only(size: usize, cells: &[Option<usize>], out: &mut dyn Write) -> io::Result<()> {
    let edge = "#".repeat(size + 2);
    writeln!(out, "{edge}")?;
    for row in cells.chunks(size) {
        let row: String =
            row.iter().map(|c| c.and_then(|p| PALETTE.get(p)).map_or(' ', |p| p.glyph)).collect();
        writeln!(out, "#{row}#")?;
    }
    writeln!(out, "{edge}")
}

/// Draws boards.
pub(super) struct Canvas<'a> {
    pub(super) board: &'a Classic,
    pub(super) colour: bool,
}

impl Canvas<'_> {
    /// The board with these steps drawn.
    pub(super) fn draw(&self, steps: &[Step], out: &mut dyn Write) -> io::Result<()> {
        let board = &self.board.board;
        let size = board.width();
        let mut painted: Vec<Option<(usize, char)>> = vec![None; board.cells().len()];
        let mut heads: Vec<usize> = board.colours().iter().map(|c| c.start).collect();
        for step in steps {
            let c = usize::from(step.colour);
            let mark = match step.dir {
                Dir::Left => '<',
                Dir::Right => '>',
                Dir::Up => '^',
                Dir::Down => 'v',
            };
            if let Some(to) = board.neighbour(heads[c], step.dir) {
                painted[to] = Some((c, mark));
                heads[c] = to;
            }
        }
        for (at, cell) in board.cells().iter().enumerate() {
            if let Cell::End(c) = *cell {
                let c = usize::from(c);
                let start = board.colours()[c].start == at;
                painted[at] = Some((c, if start { 'o' } else { 'O' }));
            }
        }
        let edge = "#".repeat(size + 2);
        writeln!(out, "{edge}")?;
        for row in painted.chunks(size) {
            write!(out, "#")?;
            for cell in row {
                match *cell {
                    None => write!(out, " ")?,
                    Some((c, mark)) if self.colour => {
                        let ansi = PALETTE.get(self.board.paints[c]).map_or(0, |p| p.ansi);
                        write!(out, "\x1b[30;{ansi}m{mark}\x1b[0m")?;
                    }
                    Some((c, _)) => write!(out, "{}", glyph(self.board, c))?,
                }
            }
            writeln!(out, "#")?;
        }
        writeln!(out, "{edge}")
    }

    /// Shows the solved board and then the path to it from the start.
    pub(super) fn animate(
        &self,
        file: &str,
        plan: &[Step],
        fast: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let free = self.board.board.free_cells() - plan.len();
        write!(out, "Number of moves={}, Free cells={free}\n\n", plan.len())?;
        self.draw(plan, out)?;
        let frame = Duration::from_millis(if fast { 25 } else { 100 });
        if let Some(look) = terminal() {
            out.flush()?;
            return self.on_screen(file, plan, frame, look);
        }
        for shown in 0..=plan.len() {
            out.flush()?;
            std::thread::sleep(frame);
            if self.colour {
                let lines = self.board.size() + 2;
                write!(out, "\x1b[{lines}A\x1b[{lines}D")?;
            } else {
                write!(out, "{}", "\n".repeat(16))?;
            }
            self.draw(&plan[..shown], out)?;
        }
        out.flush()?;
        std::thread::sleep(frame * 10);
        Ok(())
    }

    /// Shows the plan on a screen with keys.
    fn on_screen(&self, file: &str, plan: &[Step], frame: Duration, look: Look) -> io::Result<()> {
        let board = &self.board.board;
        let steps: Vec<String> = plan.iter().map(|&step| plan::show_step(board, step)).collect();
        let puzzle = FlowPuzzle::new(board.clone());
        beeline_terminal::animate(file, &puzzle, &steps, look, frame, Some(frame * 10)).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas() {
        assert_eq!(decimals(1024.0, 2), "1,024.00");
        assert_eq!(seconds(0.0004), "0.000");
    }
}
