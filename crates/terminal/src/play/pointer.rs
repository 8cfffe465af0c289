//! A hint on the board: the thing that moves, and an arrow to its new cells.

use beeline_puzzle::Game;
use beeline_puzzle::scene::{Form, Scene};

/// The visible effect of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pointer {
    /// The thing that moves or grows.
    pub(crate) thing: u16,
    /// The cells (row, column) that it enters.
    pub(crate) to: Vec<(usize, usize)>,
    /// Rows down and columns to the right.
    pub(crate) way: (isize, isize),
}

/// Which of several changed things acts: a player first, then pieces, then paths. A pushed box never acts.
fn rank(form: Form) -> u8 {
    match form {
        Form::Player => 0,
        Form::Block | Form::Tile => 1,
        Form::Dot | Form::Pipe => 2,
        Form::Crate => 3,
    }
}

/// The effect of a step on the board. The step is played and undone.
pub(crate) fn of(game: &mut dyn Game, before: &Scene, step: &str) -> Option<Pointer> {
    game.play(step).ok()?;
    let after = game.scene();
    game.undo();
    let came = |(old, new): (&Option<_>, &Option<beeline_puzzle::scene::Thing>)| {
        let thing = new.clone()?;
        let stayed = old.as_ref().is_some_and(|old: &beeline_puzzle::scene::Thing| {
            (rank(old.form), old.id) == (rank(thing.form), thing.id)
        });
        (!stayed).then_some(thing)
    };
    let pairs = before.cells.iter().zip(&after.cells).map(|(old, new)| came((&old.thing, &new.thing)));
    let gained: Vec<(usize, _)> = pairs.enumerate().filter_map(|(at, thing)| Some((at, thing?))).collect();
    let (_, mover) = gained.iter().min_by_key(|(_, thing)| rank(thing.form))?;
    let is_mover =
        |thing: &beeline_puzzle::scene::Thing| (rank(thing.form), thing.id) == (rank(mover.form), mover.id);
    let place = |at: usize| (at / before.width, at % before.width);
    let to: Vec<_> = gained.iter().filter(|(_, thing)| is_mover(thing)).map(|(at, _)| place(*at)).collect();
    let near = |&(dr, dc): &(isize, isize)| {
        let &(row, column) = to.first()?;
        let row = row.checked_add_signed(-dr).filter(|&r| r < before.height)?;
        let column = column.checked_add_signed(-dc).filter(|&c| c < before.width)?;
        before.at(row, column).thing.as_ref().filter(|thing| is_mover(thing))
    };
    let way =
        [(0, -1), (0, 1), (-1, 0), (1, 0)].into_iter().find(|way| near(way).is_some()).unwrap_or((0, 0));
    Some(Pointer { thing: mover.id, to, way })
}
