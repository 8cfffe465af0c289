//! The picture of a board.

use super::board::{Board, Cell};
use super::palette;
use crate::scene::{Form, Ground, Scene, Thing};

/// The picture of a board with these paths on it.
pub fn scene(board: &Board, owner: &[Option<u16>], links: &[u8]) -> Scene {
    let mut scene = Scene::new(board.width(), board.height());
    if board.walls().next().is_some() {
        scene.sides = (0..board.cells().len()).map(|at| board.closed_sides(at)).collect();
    }
    for (at, &cell) in board.cells().iter().enumerate() {
        let here = &mut scene.cells[at];
        match cell {
            Cell::Wall => here.ground = Ground::Wall,
            Cell::Hole => here.ground = Ground::Outside,
            Cell::Free | Cell::End(_) => {}
        }
        let Some(colour) = owner.get(at).copied().flatten() else { continue };
        let label = board.colours().get(usize::from(colour)).map_or("", |c| c.label.as_str());
        let end = matches!(cell, Cell::End(_));
        here.thing = Some(Thing {
            id: colour,
            form: if end { Form::Dot } else { Form::Pipe },
            label: if end { label.chars().take(3).collect() } else { String::new() },
            links: links.get(at).copied().unwrap_or(0),
            colour: label.chars().next().and_then(palette::by_letter).map(|p| p.bright),
        });
    }
    scene
}
