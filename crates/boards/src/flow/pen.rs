//! A [`Pen`] draws plans: any colour, in any order, one cell at a time. It decides which drawn steps of a file are possible.

use super::board::{Board, Cell, DIRS, Paths, Step};

/// A drawn step that is not possible, by its number from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("drawn step {0} is not possible")]
pub struct NotDrawn(pub usize);

/// The same board with these steps drawn, if all are possible.
pub fn with_drawn(board: Board, steps: &[Step]) -> Result<Board, NotDrawn> {
    let board = board.holding(Vec::new());
    let mut pen = Pen::new(&board);
    for (i, &step) in steps.iter().enumerate() {
        pen.draw(&board, step).map_err(|_| NotDrawn(i + 1))?;
    }
    Ok(board.holding(steps.to_vec()))
}

/// The drawing so far.
#[derive(Clone, Debug)]
pub struct Pen {
    /// The colour of each occupied cell.
    owner: Vec<Option<u16>>,
    heads: Vec<usize>,
    links: Vec<u8>,
}

impl Pen {
    /// Starts with the steps that the board has already.
    pub fn new(board: &Board) -> Self {
        let owner =
            board.cells().iter().map(|&c| if let Cell::End(c) = c { Some(c) } else { None }).collect();
        let heads = board.colours().iter().map(|c| c.start).collect();
        let mut pen = Self { owner, heads, links: vec![0; board.cells().len()] };
        for &step in board.drawn() {
            if pen.draw(board, step).is_err() {
                break;
            }
        }
        pen
    }

    /// Is this colour joined?
    #[inline]
    pub fn joined(&self, board: &Board, colour: u16) -> bool {
        let c = usize::from(colour);
        board.adjacent(self.heads[c], board.colours()[c].goal)
    }

    /// Draws a step; the error says why it is impossible.
    #[inline]
    pub fn draw(&mut self, board: &Board, step: Step) -> Result<(), String> {
        let to = self.target(board, step).map_err(|refusal| refusal.words(board, step.colour))?;
        self.grow(step, to);
        Ok(())
    }

    /// Draws a step if it is possible, and tells whether it was.
    #[inline]
    pub fn draw_if_possible(&mut self, board: &Board, step: Step) -> bool {
        self.target(board, step).map(|to| self.grow(step, to)).is_ok()
    }

    /// Extends a path to this cell.
    fn grow(&mut self, step: Step, to: usize) {
        let head = std::mem::replace(&mut self.heads[usize::from(step.colour)], to);
        self.owner[to] = Some(step.colour);
        self.links[head] |= Paths::bit(step.dir);
        self.links[to] |= Paths::bit(step.dir.back());
    }

    /// The cell to which a step would extend its path.
    #[inline]
    pub fn target(&self, board: &Board, step: Step) -> Result<usize, Refusal> {
        let c = usize::from(step.colour);
        let colour = board.colours().get(c).ok_or(Refusal::NoColour)?;
        if !board.rule.may_touch() && self.joined(board, step.colour) {
            return Err(Refusal::Joined);
        }
        let head = self.heads[c];
        let Some(to) = board.neighbour(head, step.dir) else {
            let wall = board.closed_sides(head) & Paths::bit(step.dir) != 0;
            return Err(if wall { Refusal::Wall } else { Refusal::Edge });
        };
        match board.cells()[to] {
            Cell::Wall => return Err(Refusal::Wall),
            Cell::Hole => return Err(Refusal::Hole),
            _ if self.owner[to].is_some() => return Err(Refusal::Taken),
            _ => {}
        }
        let touches =
            board.neighbours(to).any(|n| n != head && n != colour.goal && self.owner[n] == Some(step.colour));
        if touches && !board.rule.may_touch() { Err(Refusal::Touch) } else { Ok(to) }
    }

    /// Is every pair joined, and every cell used if the rule requires it?
    pub fn is_solved(&self, board: &Board) -> bool {
        let full = || board.cells().iter().zip(&self.owner).all(|(cell, o)| !cell.is_open() || o.is_some());
        (0..self.heads.len()).all(|c| self.joined(board, c as u16)) && (!board.rule.fills() || full())
    }

    /// The colour of each cell, and the sides to which its path continues (joined colours reach into their goal).
    pub fn picture(&self, board: &Board) -> (Vec<Option<u16>>, Vec<u8>) {
        let mut links = self.links.clone();
        for (c, colour) in board.colours().iter().enumerate() {
            let head = self.heads[c];
            let dir = DIRS.into_iter().find(|&d| board.neighbour(head, d) == Some(colour.goal));
            if let Some(dir) = dir {
                links[head] |= Paths::bit(dir);
                links[colour.goal] |= Paths::bit(dir.back());
            }
        }
        (self.owner.clone(), links)
    }
}

/// Why a step is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The board has no such colour.
    NoColour,
    /// The colour is joined already.
    Joined,
    /// A wall is there, or between the cells.
    Wall,
    /// The board ends there.
    Edge,
    /// The cell is a hole.
    Hole,
    /// A path is there.
    Taken,
    /// The path would touch itself.
    Touch,
}

impl Refusal {
    /// The reason in words, for the player.
    fn words(self, board: &Board, colour: u16) -> String {
        let label = board.colours().get(usize::from(colour)).map_or("", |colour| colour.label.as_str());
        match self {
            Self::NoColour => "there is no such colour".to_owned(),
            Self::Joined => format!("{label} is joined already"),
            Self::Wall => "there is a wall".to_owned(),
            Self::Edge => "the board ends there".to_owned(),
            Self::Hole => "there is a hole".to_owned(),
            Self::Taken => "that cell is taken".to_owned(),
            Self::Touch => format!("{label} would touch itself"),
        }
    }
}
