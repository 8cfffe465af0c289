//! Flow as a reinforcement-learning environment: each colour's path grows by one cell, and no step is undone. Things are the
//! colours, from 1.
//!
//! The order of the colours is free, so a board has many plans of one length and too many positions to enumerate. But the
//! solver is fast on partly drawn boards, so distances are computed by solving.

use std::any::Any;
use std::sync::Arc;

use beeline_puzzle::environment::{Environment, LINKS, PLANES, Position, of_scene};
use beeline_puzzle::puzzle::Puzzle;

use super::board::{Board, DIRS, Paths, Step};
use super::kind::FlowPuzzle;
use super::pen::{Pen, with_drawn};
use super::plan;
use super::scene::scene;

/// Most colours: their numbers must fit into a byte.
const MOST_COLOURS: usize = u8::MAX as usize;

/// The rules of one board.
struct Rules {
    board: Board,
    /// The ground of the board with nothing drawn.
    ground: Vec<u8>,
}

/// The environment of a board.
pub(super) struct FlowEnvironment(Arc<Rules>);

impl FlowEnvironment {
    /// `None` if the board has too many colours.
    pub(super) fn new(board: &Board) -> Option<Self> {
        if board.colours().len() > MOST_COLOURS {
            return None;
        }
        let owner: Vec<Option<u16>> = board
            .cells()
            .iter()
            .map(|cell| if let super::Cell::End(c) = cell { Some(*c) } else { None })
            .collect();
        let mut ground = of_scene(&scene(board, &owner, &vec![0; owner.len()]));
        ground.drain(..owner.len());
        Some(Self(Arc::new(Rules { board: board.clone(), ground })))
    }
}

/// The drawing and the order of its steps.
#[derive(Clone)]
struct FlowPosition {
    rules: Arc<Rules>,
    pen: Pen,
    steps: Vec<Step>,
}

fn step(action: usize) -> Step {
    Step { colour: (action / 4) as u16, dir: DIRS[action % 4] }
}

impl Environment for FlowEnvironment {
    fn shape(&self) -> (usize, usize) {
        (self.0.board.height(), self.0.board.width())
    }

    fn actions(&self) -> usize {
        4 * self.0.board.colours().len()
    }

    fn action_name(&self, action: usize) -> String {
        plan::show_step(&self.0.board, step(action))
    }

    fn start(&self) -> Box<dyn Position> {
        let (pen, steps) = (Pen::new(&self.0.board), self.0.board.drawn().to_vec());
        Box::new(FlowPosition { rules: Arc::clone(&self.0), pen, steps })
    }

    /// Follows each path from its start.
    fn read(&self, board: &[u8]) -> Option<Box<dyn Position>> {
        let cells = self.0.ground.len();
        if board.len() != PLANES * cells {
            return None;
        }
        let empty = with_drawn(self.0.board.clone(), &[]).ok()?;
        let mut drawn = FlowPosition { rules: Arc::clone(&self.0), pen: Pen::new(&empty), steps: Vec::new() };
        for (c, colour) in empty.colours().iter().enumerate() {
            let (mut at, mut from) = (colour.start, None);
            let way_on = |at: usize, from: Option<usize>| {
                let links = board[cells + at] >> LINKS;
                DIRS.into_iter().find_map(|dir| {
                    let to = empty.neighbour(at, dir)?;
                    (links & Paths::bit(dir) != 0 && Some(to) != from).then_some((dir, to))
                })
            };
            while let Some((dir, to)) = way_on(at, from).filter(|&(_, to)| to != colour.goal) {
                if !drawn.act(4 * c + dir as usize) {
                    return None;
                }
                (at, from) = (to, Some(at));
            }
        }
        let mut again = vec![0; board.len()];
        drawn.write(&mut again);
        (again == board).then(|| Box::new(drawn) as Box<dyn Position>)
    }
}

impl Position for FlowPosition {
    fn act(&mut self, action: usize) -> bool {
        let step = step(action);
        let drawn = self.pen.draw_if_possible(&self.rules.board, step);
        if drawn {
            self.steps.push(step);
        }
        drawn
    }

    fn legal(&self, mask: &mut [u8]) {
        for (action, legal) in mask.iter_mut().enumerate() {
            *legal = u8::from(self.pen.target(&self.rules.board, step(action)).is_ok());
        }
    }

    fn step(&self, action: usize) -> Option<String> {
        let step = step(action);
        self.pen.target(&self.rules.board, step).ok().map(|_| plan::show_step(&self.rules.board, step))
    }

    fn write(&self, board: &mut [u8]) {
        let (things, ground) = board.split_at_mut(self.rules.ground.len());
        ground.copy_from_slice(&self.rules.ground);
        let (owner, links) = self.pen.picture(&self.rules.board);
        for (thing, owner) in things.iter_mut().zip(&owner) {
            *thing = owner.map_or(0, |colour| colour as u8 + 1);
        }
        for (ground, links) in ground.iter_mut().zip(&links) {
            *ground |= links << LINKS;
        }
    }

    fn solved(&self) -> bool {
        self.pen.is_solved(&self.rules.board)
    }

    fn puzzle(&self) -> Box<dyn Puzzle> {
        // Every step was drawn before, so it is legal again.
        let drawn = with_drawn(self.rules.board.clone(), &self.steps);
        Box::new(FlowPuzzle::new(drawn.unwrap_or_else(|_| self.rules.board.clone())))
    }

    fn copy(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
