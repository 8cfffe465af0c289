//! Facts about a board that follow from the scene alone, besides the counts of its game.

use beeline_puzzle::Scene;
use beeline_puzzle::scene::{Cell, Form, Ground};

fn is(cell: &Cell, form: Form) -> bool {
    cell.thing.as_ref().is_some_and(|thing| thing.form == form)
}

/// The number of pairs of dots, which is the fewest moves that draw all pipes. `None` if there are no dots.
pub(crate) fn pipes(scene: &Scene) -> Option<usize> {
    let dots = scene.cells.iter().filter(|cell| is(cell, Form::Dot)).count();
    (dots > 0).then_some(dots / 2)
}

/// Boxes on goals, cells without a pipe.
pub(crate) fn facts(scene: &Scene) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let boxes: Vec<&Cell> = scene.cells.iter().filter(|cell| is(cell, Form::Crate)).collect();
    if !boxes.is_empty() {
        let home = boxes.iter().filter(|cell| cell.ground == Ground::Goal).count();
        facts.push(("home", format!("{home} of {}", boxes.len())));
    }
    if pipes(scene).is_some() {
        let open = |cell: &&Cell| matches!(cell.ground, Ground::Floor | Ground::Goal);
        let free = scene.cells.iter().filter(open).filter(|cell| cell.thing.is_none()).count();
        facts.push(("free", format!("{free} cells")));
    }
    facts
}
