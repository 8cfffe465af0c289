//! Plain rules of sliding pieces, for gate and bricks: a piece is the cells with its number, and moves as a whole.

use crate::{Checked, Flaw, beside, no_objective};

/// The ground of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    Wall,
    Floor,
    /// Floor for one piece only.
    Door,
}

/// A board with its pieces.
pub(crate) struct Board {
    pub(crate) width: usize,
    pub(crate) ground: Vec<Ground>,
    /// The piece on each cell.
    pub(crate) pieces: Vec<Option<i32>>,
    /// The piece that may stand on doors.
    pub(crate) master: i32,
    /// Pieces move only along their longer side; square ones move freely.
    pub(crate) lengthwise: bool,
    /// The word for a piece in messages.
    pub(crate) noun: &'static str,
}

impl Board {
    /// The cells of a piece, ascending.
    pub(crate) fn cells_of(&self, piece: i32) -> Vec<usize> {
        (0..self.pieces.len()).filter(|&c| self.pieces[c] == Some(piece)).collect()
    }

    /// The cells of a piece relative to the upper left corner of its bounding box.
    pub(crate) fn shape(&self, piece: i32) -> Vec<usize> {
        let cells = self.cells_of(piece);
        let least = |place: fn(usize, usize) -> usize| cells.iter().map(|&c| place(c, self.width)).min();
        let (row, column) = (least(|c, w| c / w).unwrap_or(0), least(|c, w| c % w).unwrap_or(0));
        cells.into_iter().map(|cell| cell - row * self.width - column).collect()
    }

    /// The cells that a piece reaches from these by one step, ignoring all other pieces.
    pub(crate) fn alone(&self, piece: i32, cells: &[usize], way: char) -> Option<Vec<usize>> {
        let mut board = Self { pieces: vec![None; self.pieces.len()], ground: self.ground.clone(), ..*self };
        for &cell in cells {
            board.pieces[cell] = Some(piece);
        }
        board.slide(piece, way).ok()?;
        Some(board.cells_of(piece))
    }

    /// Moves a piece by one cell; a direction is the first letter of its name.
    pub(crate) fn slide(&mut self, piece: i32, way: char) -> Result<(), String> {
        let size = (self.ground.len() / self.width, self.width);
        let from = self.cells_of(piece);
        if from.is_empty() {
            return Err(format!("there is no {} {piece}", self.noun));
        }
        let side = |place: fn(usize, usize) -> usize| {
            let all = || from.iter().map(|&cell| place(cell, self.width));
            all().max().unwrap_or(0) - all().min().unwrap_or(0)
        };
        let (tall, wide) = (side(|cell, width| cell / width), side(|cell, width| cell % width));
        let across = if matches!(way, 'u' | 'd') { tall < wide } else { wide < tall };
        if self.lengthwise && across {
            return Err(format!("a {} moves along its longer side only", self.noun));
        }
        let mut to = Vec::new();
        for cell in &from {
            let place = beside((cell / self.width, cell % self.width), way, size);
            let (row, column) = place.ok_or("it would leave the board")?;
            let next = row * self.width + column;
            match (self.pieces[next], self.ground[next]) {
                (Some(other), _) if other != piece => {
                    return Err(format!("{} {other} is in the way", self.noun));
                }
                (_, Ground::Wall) => return Err("a wall is in the way".to_owned()),
                (_, Ground::Door) if piece != self.master => {
                    return Err(format!("only the master {} may go there", self.noun));
                }
                _ => to.push(next),
            }
        }
        for cell in from {
            self.pieces[cell] = None;
        }
        for cell in to {
            self.pieces[cell] = Some(piece);
        }
        Ok(())
    }
}

/// The unit in which a plan is counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    /// One piece, one cell.
    Steps,
    /// One piece, any distance in one direction.
    Lines,
    /// One piece, any path.
    Moves,
}

impl Count {
    /// The unit of an objective.
    pub(crate) fn named(kind: &str, objective: Option<&str>) -> Result<Self, Flaw> {
        match objective {
            None | Some("steps") => Ok(Self::Steps),
            Some("lines") => Ok(Self::Lines),
            Some("moves") => Ok(Self::Moves),
            Some(name) => no_objective(kind, name),
        }
    }
}

/// Parses a step of a plan into a piece and the first letters of its directions. The error describes a bad word.
pub(crate) type Word = fn(&str) -> Result<(i32, Vec<char>), String>;

/// Replays a plan and counts it under an objective.
pub(crate) fn replay(
    board: &mut Board,
    (kind, objective): (&str, Option<&str>),
    read: Word,
    steps: &[String],
) -> Result<Checked, Flaw> {
    let count = Count::named(kind, objective)?;
    let (mut cost, mut last) = (0, None);
    for (i, step) in steps.iter().enumerate() {
        let flaw = |why: String| Flaw::Step { number: i + 1, step: step.clone(), why };
        let (piece, ways) = read(step).map_err(flaw)?;
        for way in ways {
            board.slide(piece, way).map_err(flaw)?;
            // A continued move counts once, however the plan is written.
            let goes_on = match count {
                Count::Steps => false,
                Count::Lines => last == Some((piece, way)),
                Count::Moves => last.is_some_and(|(before, _)| before == piece),
            };
            cost += u64::from(!goes_on);
            last = Some((piece, way));
        }
    }
    Ok(Checked { cost })
}
