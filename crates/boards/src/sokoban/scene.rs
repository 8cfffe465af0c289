//! The picture of a level.

use super::board::{Board, Square};
use crate::scene::{Form, Ground, Scene, Thing};

/// The picture of a position.
pub fn scene(board: &Board, player: Square, has_box: &dyn Fn(Square) -> bool) -> Scene {
    let mut scene = Scene::new(board.width(), board.height());
    let outside = outside(board);
    for row in 0..board.height() {
        for column in 0..board.width() {
            let cell = board.cell(row, column);
            let square = board.square(row, column);
            let place = scene.at_mut(row, column);
            place.ground = match (cell.wall, cell.goal) {
                (true, _) => Ground::Wall,
                (_, true) => Ground::Goal,
                _ if outside[row * board.width() + column] => Ground::Outside,
                _ => Ground::Floor,
            };
            let form = match square {
                Some(at) if at == player => Some(Form::Player),
                Some(at) if has_box(at) => Some(Form::Crate),
                None if cell.boxed => Some(Form::Crate),
                _ => None,
            };
            place.thing = form.map(|form| Thing {
                id: u16::from(form == Form::Crate),
                form,
                label: String::new(),
                links: 0,
                colour: None,
            });
        }
    }
    scene
}

/// The cells that are reachable from the edge of the grid without crossing a wall.
fn outside(board: &Board) -> Vec<bool> {
    let (width, height) = (board.width(), board.height());
    let mut outside = vec![false; width * height];
    let edge =
        |row: usize, column: usize| row == 0 || column == 0 || row + 1 == height || column + 1 == width;
    let mut todo: Vec<(usize, usize)> = (0..height)
        .flat_map(|row| (0..width).map(move |column| (row, column)))
        .filter(|&(row, column)| edge(row, column))
        .collect();
    while let Some((row, column)) = todo.pop() {
        if row >= height || column >= width || board.cell(row, column).wall || outside[row * width + column] {
            continue;
        }
        outside[row * width + column] = true;
        todo.extend([
            (row, column + 1),
            (row + 1, column),
            (row, column.wrapping_sub(1)),
            (row.wrapping_sub(1), column),
        ]);
    }
    outside
}
