//! Counters, told from the pictures alone: what moved in a step, and so how many moves and pushes a game took.

use beeline_puzzles::Scene;
use beeline_puzzles::scene::{Cell, Form, Ground};

/// What one step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Deed {
    /// The thing that moved by itself.
    thing: Option<u16>,
    /// A box was pushed.
    pushed: bool,
}

/// What the steps of a game did.
#[derive(Debug, Default)]
pub(crate) struct Tally(Vec<Deed>);

impl Tally {
    /// A step led from one picture to another.
    pub(crate) fn add(&mut self, before: &Scene, after: &Scene) {
        let changed = || before.cells.iter().zip(&after.cells).filter(|(a, b)| a.thing != b.thing);
        let is = |cell: &Cell, crates: bool| {
            cell.thing.as_ref().filter(|t| (t.form == Form::Crate) == crates).map(|t| t.id)
        };
        let pushed = changed().any(|(a, b)| is(a, true).is_some() && is(b, true).is_none());
        let thing = changed().find_map(|(_, b)| is(b, false));
        self.0.push(Deed { thing, pushed });
    }

    /// The last step was taken back.
    pub(crate) fn take_back(&mut self) {
        self.0.pop();
    }

    /// Steps that pushed a box.
    pub(crate) fn pushes(&self) -> usize {
        self.0.iter().filter(|deed| deed.pushed).count()
    }

    /// One thing any way at a time: steps of the same thing one after the other are one move.
    pub(crate) fn moves(&self) -> usize {
        let same = self.0.windows(2).filter(|pair| pair[0].thing == pair[1].thing).count();
        self.0.len() - same
    }
}

/// What is worth counting on a board like this, besides the steps.
pub(crate) fn counters(scene: &Scene, tally: &Tally) -> Vec<(&'static str, String)> {
    let has = |form: Form| scene.cells.iter().any(|c| c.thing.as_ref().is_some_and(|t| t.form == form));
    let is_crate = |cell: &&Cell| cell.thing.as_ref().is_some_and(|t| t.form == Form::Crate);
    let mut out = Vec::new();
    if has(Form::Crate) {
        out.push(("pushes", tally.pushes().to_string()));
        let boxes = scene.cells.iter().filter(is_crate).count();
        let home = scene.cells.iter().filter(is_crate).filter(|c| c.ground == Ground::Goal).count();
        out.push(("home", format!("{home} of {boxes}")));
    }
    if has(Form::Block) {
        out.push(("moves", tally.moves().to_string()));
    }
    if has(Form::Dot) {
        let open = |cell: &&Cell| matches!(cell.ground, Ground::Floor | Ground::Goal);
        let free = scene.cells.iter().filter(open).filter(|c| c.thing.is_none()).count();
        out.push(("free", format!("{free} cells")));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_puzzles::{Puzzle, kind};

    fn tally(name: &str, text: &str, plan: &str) -> Tally {
        let puzzles = kind(name).unwrap().parse(text).unwrap();
        let puzzle: &dyn Puzzle = &*puzzles[0];
        let mut game = puzzle.game();
        let mut tally = Tally::default();
        for step in puzzle.read_plan(plan).unwrap() {
            let before = game.scene();
            game.play(&step).unwrap();
            tally.add(&before, &game.scene());
        }
        tally
    }

    #[test]
    fn pushes_are_steps_that_move_a_box() {
        let tally = tally("sokoban", "########\n#@ $  .#\n########\n", "rRRlrR");
        assert_eq!(tally.pushes(), 3);
    }

    #[test]
    fn a_move_is_one_piece_any_way() {
        let mut tally = tally("gate", "######\n#0  G#\n#1   #\n######\n", "1r1r0r1r");
        assert_eq!(tally.moves(), 3);
        tally.take_back();
        assert_eq!(tally.moves(), 2);
    }
}
