//! Drawing by hand: any colour, in any order, one cell at a time.
//!
//! Slower and freer than the space of the searches, in which one colour is finished before the next begins.

use super::board::{Board, Cell, DIRS, Dir, Paths, Step};
use super::puzzle::FlowPuzzle;
use super::text;
use beeline_puzzle::game::{Game, Way};
use beeline_puzzle::puzzle::Puzzle;
use beeline_puzzle::scene::Scene;

/// What is drawn so far.
#[derive(Clone, Debug)]
pub struct Pen {
    /// The colour of each cell that is taken.
    owner: Vec<Option<u16>>,
    heads: Vec<usize>,
    links: Vec<u8>,
}

impl Pen {
    /// Draws what the board has drawn already.
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
    pub fn joined(&self, board: &Board, colour: u16) -> bool {
        let c = usize::from(colour);
        board.adjacent(self.heads[c], board.colours()[c].goal)
    }

    /// Draws a step; the error says why it cannot be drawn.
    pub fn draw(&mut self, board: &Board, step: Step) -> Result<(), String> {
        let c = usize::from(step.colour);
        let Some(colour) = board.colours().get(c) else { return Err("there is no such colour".to_owned()) };
        let label = &colour.label;
        if !board.rule.may_touch() && self.joined(board, step.colour) {
            return Err(format!("{label} is joined already"));
        }
        let head = self.heads[c];
        let Some(to) = board.neighbour(head, step.dir) else {
            let wall = board.closed_sides(head) & Paths::bit(step.dir) != 0;
            return Err(if wall { "there is a wall" } else { "the board ends there" }.to_owned());
        };
        match board.cells()[to] {
            Cell::Wall => return Err("there is a wall".to_owned()),
            Cell::Hole => return Err("there is a hole".to_owned()),
            _ if self.owner[to].is_some() => return Err("that cell is taken".to_owned()),
            _ => {}
        }
        let touches =
            board.neighbours(to).any(|n| n != head && n != colour.goal && self.owner[n] == Some(step.colour));
        if touches && !board.rule.may_touch() {
            return Err(format!("{label} would touch itself"));
        }
        self.owner[to] = Some(step.colour);
        self.heads[c] = to;
        self.links[head] |= Paths::bit(step.dir);
        self.links[to] |= Paths::bit(step.dir.back());
        Ok(())
    }

    /// Takes back the step that was drawn last.
    fn erase(&mut self, board: &Board, step: Step) {
        let c = usize::from(step.colour);
        let to = self.heads[c];
        if let Some(from) = board.neighbour(to, step.dir.back()) {
            self.owner[to] = None;
            self.links[to] = 0;
            self.links[from] &= !Paths::bit(step.dir);
            self.heads[c] = from;
        }
    }

    /// Is everything joined and, where the rule asks for it, filled?
    pub fn solved(&self, board: &Board) -> bool {
        (0..board.colours().len()).all(|c| self.joined(board, c as u16))
            && (!board.rule.fills()
                || board.cells().iter().zip(&self.owner).all(|(cell, o)| !cell.is_open() || o.is_some()))
    }

    /// The colour of each cell, and the sides on which its path goes on (joined colours reach into their goal).
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

/// A board being drawn on.
pub struct FlowGame {
    board: Board,
    pen: Pen,
    taken: Vec<Step>,
    history: Vec<String>,
}

impl FlowGame {
    /// A new game.
    pub fn new(board: Board) -> Self {
        let pen = Pen::new(&board);
        Self { board, pen, taken: Vec::new(), history: Vec::new() }
    }
}

impl Game for FlowGame {
    fn scene(&self) -> Scene {
        let (owner, links) = self.pen.picture(&self.board);
        super::puzzle::scene(&self.board, &owner, &links)
    }

    fn legal(&self) -> Vec<String> {
        let mut legal = Vec::new();
        for colour in 0..self.board.colours().len() as u16 {
            for dir in DIRS {
                let step = Step { colour, dir };
                if self.pen.clone().draw(&self.board, step).is_ok() {
                    legal.push(text::show_step(&self.board, step));
                }
            }
        }
        legal
    }

    fn play(&mut self, step: &str) -> Result<(), String> {
        let parsed = text::read_step(&self.board, step)
            .ok_or_else(|| format!("{step} is no step; a step is a colour and l, r, u or d"))?;
        self.pen.draw(&self.board, parsed)?;
        self.taken.push(parsed);
        self.history.push(step.to_owned());
        Ok(())
    }

    fn toward(&self, thing: Option<u16>, way: Way) -> Option<String> {
        let colour = thing.filter(|&c| usize::from(c) < self.board.colours().len())?;
        let step = Step { colour, dir: Dir::from_letter(way.letter())? };
        Some(text::show_step(&self.board, step))
    }

    fn undo(&mut self) -> bool {
        let Some(step) = self.taken.pop() else { return false };
        self.pen.erase(&self.board, step);
        self.history.pop();
        true
    }

    fn solved(&self) -> bool {
        self.pen.solved(&self.board)
    }

    fn history(&self) -> &[String] {
        &self.history
    }

    fn here(&self) -> Box<dyn Puzzle> {
        let mut drawn = self.board.drawn().to_vec();
        drawn.extend(&self.taken);
        // Every step was drawn, so it can be drawn again.
        let board = self.board.clone().with_drawn(&drawn).unwrap_or_else(|_| self.board.clone());
        Box::new(FlowPuzzle::new(board))
    }
}
