//! The effect of each legal step on the board: which thing moves where. From this the page derives which step an arrow key, a
//! click or a drag means, so no kind of puzzle has to define it.

use std::collections::BTreeMap;

use beeline_puzzles::Game;
use beeline_puzzles::scene::{Form, Scene};
use serde::Serialize;

use crate::board;

/// A legal step and its effect on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Gesture {
    /// The step, in the puzzle's notation.
    pub(crate) step: String,
    /// The thing that moves or grows; 0 if the step presses a cell.
    pub(crate) id: u16,
    /// The form of the thing; "press" if the step presses a cell.
    pub(crate) form: &'static str,
    /// The thing's cells before the step. For a path that grows, the cell from which it grows.
    pub(crate) from: Vec<usize>,
    /// The thing's cells after the step. For a path that grows, the cell into which it grows.
    pub(crate) to: Vec<usize>,
    /// The direction, in rows and columns.
    pub(crate) way: (isize, isize),
}

/// All legal steps of a game. Each step is played and undone.
pub(crate) fn gestures(game: &mut dyn Game, before: &Scene) -> Vec<Gesture> {
    let legal = game.legal();
    let mut gestures: Vec<Gesture> = (0..before.cells.len())
        .filter_map(|cell| {
            let step = game.press(cell).filter(|step| legal.contains(step))?;
            Some(Gesture { step, id: 0, form: "press", from: vec![cell], to: vec![cell], way: (0, 0) })
        })
        .collect();
    let pressed: Vec<String> = gestures.iter().map(|gesture| gesture.step.clone()).collect();
    for step in legal.into_iter().filter(|step| !pressed.contains(step)) {
        if game.play(&step).is_err() {
            continue;
        }
        let effect = effect(before, &game.scene(), &step);
        game.undo();
        if let Some((thing, from, to, way)) = effect {
            let (form, id) = thing;
            gestures.push(Gesture { step, id, form: board::form(form), from, to, way });
        }
    }
    gestures
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

type Effect = ((Form, u16), Vec<usize>, Vec<usize>, (isize, isize));

fn effect(before: &Scene, after: &Scene, step: &str) -> Option<Effect> {
    let (old, new) = (cells(before), cells(after));
    let changed = old.iter().filter(|(thing, cells)| new.get(*thing) != Some(*cells));
    let (&(rank, id), from) = changed.min_by_key(|((rank, _), _)| *rank)?;
    let to = new.get(&(rank, id))?;
    let form = before.cells.get(*from.first()?)?.thing.as_ref()?.form;
    let added: Vec<usize> = to.iter().copied().filter(|cell| !from.contains(cell)).collect();
    let (from, to) = if from.len() == to.len() {
        (from.clone(), to.clone())
    } else {
        let &grown = added.first()?;
        (vec![head(before, after, from, grown, step)?], vec![grown])
    };
    let way = way(before.width, *from.first()?, *to.first()?)?;
    Some(((form, id), from, to, way))
}

/// The cell from which a path has grown: a neighbour whose links changed. A step that joins two ends changes both. Then the
/// result is the one that was a path already, or the one from which the step's direction leads.
fn head(before: &Scene, after: &Scene, cells: &[usize], grown: usize, step: &str) -> Option<usize> {
    let toward = |cell: usize| match way(before.width, cell, grown)? {
        (0, -1) => Some('l'),
        (0, 1) => Some('r'),
        (-1, 0) => Some('u'),
        (1, 0) => Some('d'),
        _ => None,
    };
    let changed = |cell: &usize| toward(*cell).is_some() && links(before, *cell) != links(after, *cell);
    let rating = |cell: &usize| {
        let path = before.cells[*cell].thing.as_ref().is_some_and(|thing| thing.form == Form::Pipe);
        let named = toward(*cell).is_some_and(|letter| step.to_lowercase().ends_with(letter));
        (path, named)
    };
    cells.iter().copied().filter(changed).max_by_key(rating)
}

/// The cells of each thing, by rank and number. A path and its ends are one thing.
fn cells(scene: &Scene) -> BTreeMap<(u8, u16), Vec<usize>> {
    let mut all: BTreeMap<(u8, u16), Vec<usize>> = BTreeMap::new();
    for (at, cell) in scene.cells.iter().enumerate() {
        if let Some(thing) = &cell.thing {
            all.entry((rank(thing.form), thing.id)).or_default().push(at);
        }
    }
    all
}

fn links(scene: &Scene, cell: usize) -> u8 {
    scene.cells[cell].thing.as_ref().map_or(0, |thing| thing.links)
}

fn way(width: usize, from: usize, to: usize) -> Option<(isize, isize)> {
    let place = |cell: usize| Some((cell.checked_div(width)? as isize, cell.checked_rem(width)? as isize));
    let ((r0, c0), (r1, c1)) = (place(from)?, place(to)?);
    Some((r1 - r0, c1 - c0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: &str, text: &str) -> Vec<Gesture> {
        let puzzles = beeline_puzzles::kind(kind).unwrap().parse(text).unwrap();
        let mut game = puzzles[0].game();
        let scene = game.scene();
        let found = gestures(&mut *game, &scene);
        assert_eq!(found.len(), game.legal().len(), "every step has an effect");
        assert!(game.history().is_empty(), "everything was taken back");
        found
    }

    fn one(gestures: &[Gesture], step: &str) -> Gesture {
        gestures.iter().find(|g| g.step == step).unwrap().clone()
    }

    #[test]
    fn a_push_is_the_players() {
        let all = of("sokoban", "######\n#@$ .#\n######\n");
        let push = one(&all, "R");
        assert_eq!((push.form, push.from, push.to, push.way), ("player", vec![7], vec![8], (0, 1)));
    }

    #[test]
    fn a_tile_goes_where_the_blank_was() {
        let all = of("tiles", "1 0 2 3 4 5 6 7 8\n");
        let slide = one(&all, "R");
        assert_eq!((slide.id, slide.form, slide.way), (2, "tile", (0, -1)));
    }

    #[test]
    fn a_piece_moves_with_all_its_cells() {
        let all = of("gate", "######\n#00GG#\n######\n");
        let slide = one(&all, "0r");
        assert_eq!((slide.from, slide.to, slide.way), (vec![7, 8], vec![8, 9], (0, 1)));
    }

    #[test]
    fn a_path_grows_from_its_head() {
        let all = of("flow", "A.A\nB.B\n");
        let grow = &all[0];
        assert_eq!((grow.from.len(), grow.to.len()), (1, 1));
        assert_eq!(grow.way.0.abs() + grow.way.1.abs(), 1);
    }

    #[test]
    fn a_path_that_joins_its_ends_grows_the_way_it_says() {
        for text in ["A.A\nB.B\n", ".A.A.\n.B.B.\n", "A#\n.A\n##\n"] {
            for grow in of("flow", text) {
                let letter = match grow.way {
                    (0, -1) => 'l',
                    (0, _) => 'r',
                    (-1, _) => 'u',
                    _ => 'd',
                };
                assert!(grow.step.ends_with(letter), "{grow:?}");
            }
        }
    }

    #[test]
    fn every_kind_can_be_played_by_gestures() {
        for kind in beeline_puzzles::KINDS {
            for example in kind.examples().iter().take(4) {
                of(kind.name(), example.text);
            }
        }
    }

    /// Two cells. A press on one changes nothing in the picture.
    struct Cells;

    impl Game for Cells {
        fn scene(&self) -> Scene {
            Scene::new(2, 1)
        }
        fn legal(&self) -> Vec<String> {
            vec!["right".to_owned()]
        }
        fn play(&mut self, _: &str) -> Result<(), String> {
            Ok(())
        }
        fn press(&self, cell: usize) -> Option<String> {
            Some(if cell == 0 { "left" } else { "right" }.to_owned())
        }
        fn undo(&mut self) -> bool {
            true
        }
        fn solved(&self) -> bool {
            false
        }
        fn history(&self) -> &[String] {
            &[]
        }
        fn here(&self) -> Box<dyn beeline_puzzles::Puzzle> {
            beeline_puzzles::kind("tiles").unwrap().parse("1 0\n3 2\n").unwrap().remove(0)
        }
    }

    #[test]
    fn a_cell_that_can_be_pressed_is_a_gesture() {
        let all = gestures(&mut Cells, &Cells.scene());
        assert_eq!(all.len(), 1, "what is not legal is not offered");
        let Gesture { step, form, from, to, way, .. } = &all[0];
        assert_eq!((step.as_str(), *form, from, to, *way), ("right", "press", &vec![1], &vec![1], (0, 0)));
    }
}
