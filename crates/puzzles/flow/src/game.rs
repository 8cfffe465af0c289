//! The interactive game: any colour, in any order ([`sketch`](super::sketch)).
//!
//! Slower and more general than the search space, in which one colour is finished before the next begins.

use super::board::{Board, DIRS, Dir, Step};
use super::kind::FlowPuzzle;
use super::pen::with_drawn;
use super::plan;
use super::scene::scene;
use super::sketch::{Before, Sketch};
use beeline_puzzle::game::{Game, Stroke, Way, turns};
use beeline_puzzle::puzzle::Puzzle;
use beeline_puzzle::scene::Scene;

/// A board being drawn on.
pub struct FlowGame {
    board: Board,
    sketch: Sketch,
    /// For each step, the pipes that it changed.
    before: Vec<Before>,
    history: Vec<String>,
}

impl FlowGame {
    /// A new game.
    pub fn new(board: Board) -> Self {
        let sketch = Sketch::new(&board);
        Self { board, sketch, before: Vec::new(), history: Vec::new() }
    }
}

impl Game for FlowGame {
    fn scene(&self) -> Scene {
        let (owner, links) = self.sketch.picture(&self.board);
        scene(&self.board, &owner, &links)
    }

    fn legal(&self) -> Vec<String> {
        let mut sketch = self.sketch.clone();
        let mut legal = Vec::new();
        for colour in 0..self.board.colours().len() as u16 {
            for dir in DIRS {
                let step = Step { colour, dir };
                if let Ok(before) = sketch.draw(&self.board, step) {
                    sketch.restore(&self.board, before);
                    legal.push(plan::show_step(&self.board, step));
                }
            }
        }
        legal
    }

    fn play(&mut self, step: &str) -> Result<(), String> {
        let drawn = match plan::read_step(&self.board, step) {
            Some(parsed) => self.sketch.draw(&self.board, parsed),
            None => self
                .sketch
                .draw_stroke(&self.board, step)
                .ok_or_else(|| format!("{step} is no step; a step is a colour and l, r, u or d"))?,
        };
        self.before.push(drawn?);
        self.history.push(step.to_owned());
        Ok(())
    }

    fn toward(&self, thing: Option<u16>, way: Way) -> Option<String> {
        self.sketch.toward(&self.board, thing?, Dir::from_letter(way.letter())?)
    }

    fn stroke(&self, trail: &[usize]) -> Option<Stroke> {
        self.sketch.stroke(&self.board, trail)
    }

    fn undo(&mut self) -> bool {
        let Some(before) = self.before.pop() else { return false };
        self.sketch.restore(&self.board, before);
        self.history.pop();
        true
    }

    fn solved(&self) -> bool {
        self.sketch.is_solved(&self.board)
    }

    fn history(&self) -> &[String] {
        &self.history
    }

    /// Moves as the app counts them: drawing the same colour again is no new move.
    fn counts(&self) -> Vec<(&'static str, usize)> {
        vec![(
            "moves",
            turns(self.before.iter().filter_map(|before| before.last()).map(|(colour, _)| *colour)),
        )]
    }

    fn here(&self) -> Box<dyn Puzzle> {
        // Every step was drawn before, so it is legal again.
        let drawn = with_drawn(self.board.clone(), &self.sketch.steps(&self.board));
        Box::new(FlowPuzzle::new(drawn.unwrap_or_else(|_| self.board.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    fn game(text: &str) -> FlowGame {
        FlowGame::new(text::parse(text).unwrap().remove(0))
    }

    /// Drags over cells, given by row and column, and releases.
    fn drag(game: &mut FlowGame, cells: &[(usize, usize)]) -> Option<String> {
        let trail: Vec<usize> =
            cells.iter().map(|&(row, column)| row * game.board.width() + column).collect();
        let stroke = game.stroke(&trail).expect("something is drawn");
        if let Some(step) = stroke.step {
            game.play(&step).unwrap();
        }
        stroke.refused
    }

    /// The pipes as links of each cell, row by row.
    fn links(game: &FlowGame) -> Vec<u8> {
        game.scene().cells.iter().map(|cell| cell.thing.as_ref().map_or(0, |thing| thing.links)).collect()
    }

    #[test]
    fn a_pipe_is_drawn_cell_by_cell_onto_its_dot_from_either_end() {
        for cells in [[(0, 0), (0, 1), (0, 2)], [(0, 2), (0, 1), (0, 0)]] {
            let mut game = game("A.A\nB.B\n");
            assert_eq!(drag(&mut game, &cells), None);
            assert_eq!(drag(&mut game, &[(1, 2), (1, 0)]), None, "a fast hand skips cells");
            assert!(game.solved());
            assert_eq!(links(&game), [2, 3, 1, 2, 3, 1]);
            assert_eq!(game.history().len(), 2, "one step a stroke");
        }
    }

    #[test]
    fn going_back_shortens_and_a_tap_on_a_dot_clears() {
        let mut game = game("R..\n...\n..R\n");
        drag(&mut game, &[(0, 0), (0, 2), (0, 1)]);
        assert_eq!(game.history(), ["R=r"]);
        drag(&mut game, &[(0, 1), (1, 1), (2, 1), (2, 2)]);
        assert!(game.history()[1] == "R=rddr" && game.sketch.is_joined(&game.board, 0));
        drag(&mut game, &[(0, 1)]);
        assert_eq!(game.history()[2], "R=r");
        drag(&mut game, &[(2, 2)]);
        assert_eq!((game.history()[3].as_str(), links(&game)), ("R=", vec![0; 9]));
        let tap = game.stroke(&[8]).unwrap();
        assert_eq!(tap.step, None, "there is nothing left to clear");
        (0..4).for_each(|_| assert!(game.undo()));
        assert_eq!(links(&game), [0; 9]);
    }

    #[test]
    fn a_pipe_cuts_the_pipes_that_it_runs_through_and_undo_mends_them() {
        let mut game = game("A...A\nB...B\n");
        drag(&mut game, &[(0, 0), (0, 4)]);
        let whole = links(&game);
        assert_eq!(drag(&mut game, &[(1, 0), (1, 1), (0, 1), (0, 3), (1, 3), (1, 4)]), None);
        assert_eq!(links(&game)[..5], [0, 2 | 8, 3, 1 | 8, 0], "only the dots of A are left");
        game.undo();
        assert_eq!(links(&game), whole);
        // Within one stroke, a pipe that the stroke leaves again is restored.
        let stroke = game.stroke(&[5, 6, 1, 6]).unwrap();
        assert_eq!(stroke.step.as_deref(), Some("B=r"));
    }

    #[test]
    fn what_cannot_be_drawn_is_refused_with_a_reason() {
        let mut game = game("A.#A\nB..B\n....\n");
        assert_eq!(drag(&mut game, &[(0, 0), (0, 1), (0, 2)]).as_deref(), Some("there is a wall"));
        assert_eq!(drag(&mut game, &[(0, 1), (1, 1), (1, 0)]).as_deref(), Some("that is a dot of B"));
        let touch = drag(&mut game, &[(1, 0), (2, 0), (2, 1), (1, 1)]);
        assert_eq!(touch.as_deref(), Some("B would touch itself"));
        assert!(game.stroke(&[11]).is_none(), "nothing begins on an empty cell");
        assert!(game.play("A=lr").is_err() && game.play("A=q").is_err() && game.play("C=r").is_err());
    }
}
