//! The mouse: click what should move, drag it where it should go, or click where the player should walk.

use std::collections::VecDeque;

use beeline_puzzles::Way;
use beeline_puzzles::scene::{Form, Ground, Scene};
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::Play;

/// A thing that is being dragged: which one, and the cell where the mouse was last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drag {
    thing: u16,
    at: (usize, usize),
}

impl Play {
    pub(crate) fn on_mouse(&mut self, mouse: MouseEvent) {
        let cell = self.lying.cell(mouse.column, mouse.row);
        match (mouse.kind, cell) {
            (MouseEventKind::Down(MouseButton::Left), Some(cell)) => {
                self.stop();
                self.press(cell);
            }
            (MouseEventKind::Drag(MouseButton::Left), Some(cell)) => self.drag(cell),
            (MouseEventKind::Up(_), _) => self.dragged = None,
            _ => {}
        }
    }

    fn press(&mut self, (row, column): (usize, usize)) {
        self.dragged = None;
        if let Some(step) = self.game.press(row * self.scene.width + column) {
            self.play(&step);
            return;
        }
        let thing = self.scene.at(row, column).thing.clone();
        match thing.map(|t| (t.form, t.id)) {
            Some((Form::Tile, id)) => {
                let step = Way::ALL.into_iter().find_map(|way| self.game.toward(Some(id), way));
                match step {
                    Some(step) => self.play(&step),
                    None => self.refuse("that tile is not beside the blank".to_owned()),
                }
            }
            Some((_, id)) if self.hand.choose(id) => {
                self.dragged = Some(Drag { thing: id, at: (row, column) });
            }
            Some((Form::Crate, _)) | None => self.walk((row, column)),
            Some(_) => {}
        }
    }

    /// Moves what is dragged after the mouse, a cell at a time. What does not follow (a path has two ends, and only one is
    /// drawn from) is taken back.
    fn drag(&mut self, to: (usize, usize)) {
        while let Some(Drag { thing, at }) = self.dragged.filter(|drag| drag.at != to) {
            let moved = ways_towards(at, to).into_iter().find_map(|way| {
                let next = beside(&self.scene, at, way)?;
                (self.pull(thing, way, next) || self.take_back(thing, at, next)).then_some(next)
            });
            self.dragged = moved.map(|at| Drag { thing, at });
        }
    }

    /// Plays a step if it brings the thing to that cell.
    fn pull(&mut self, thing: u16, way: Way, to: (usize, usize)) -> bool {
        let Some(step) = self.game.toward(Some(thing), way) else { return false };
        if self.is_at(thing, to) && self.is_path(to) {
            return false;
        }
        let steps = self.game.history().len();
        self.play(&step);
        let played = self.game.history().len() > steps;
        let followed = played && self.is_at(thing, to);
        if played && !followed {
            self.undo();
        }
        followed
    }

    /// Drags the end of a path back to where it came from.
    fn take_back(&mut self, thing: u16, from: (usize, usize), to: (usize, usize)) -> bool {
        if !(self.is_path(from) && self.is_at(thing, to)) || self.game.history().is_empty() {
            return false;
        }
        self.undo();
        let erased = !self.is_at(thing, from);
        if !erased {
            self.redo();
        }
        erased
    }

    fn is_at(&self, thing: u16, (row, column): (usize, usize)) -> bool {
        self.scene.at(row, column).thing.as_ref().is_some_and(|t| t.id == thing)
    }

    fn is_path(&self, (row, column): (usize, usize)) -> bool {
        let form = self.scene.at(row, column).thing.as_ref().map(|t| t.form);
        matches!(form, Some(Form::Pipe | Form::Dot))
    }

    /// Lets the player walk to a cell, or push the box beside it that was clicked.
    fn walk(&mut self, to: (usize, usize)) {
        let Some(path) = path(&self.scene, to) else { return };
        for way in path {
            let Some(step) = self.game.toward(None, way) else { return };
            self.play(&step);
        }
    }
}

/// The cell next to this one.
fn beside(scene: &Scene, (row, column): (usize, usize), way: Way) -> Option<(usize, usize)> {
    let (down, right) = way.delta();
    let row = row.checked_add_signed(down).filter(|&r| r < scene.height)?;
    let column = column.checked_add_signed(right).filter(|&c| c < scene.width)?;
    Some((row, column))
}

/// The directions that lead from one cell towards another, the longer way first.
fn ways_towards(from: (usize, usize), to: (usize, usize)) -> Vec<Way> {
    let vertical = (to.0 != from.0).then_some(if to.0 > from.0 { Way::Down } else { Way::Up });
    let across = (to.1 != from.1).then_some(if to.1 > from.1 { Way::Right } else { Way::Left });
    let first =
        if to.0.abs_diff(from.0) > to.1.abs_diff(from.1) { [vertical, across] } else { [across, vertical] };
    first.into_iter().flatten().collect()
}

/// The shortest walk of the player to a cell, around everything that stands there; a box right beside the player is walked
/// into, which pushes it.
fn path(scene: &Scene, to: (usize, usize)) -> Option<Vec<Way>> {
    let is = |cell: (usize, usize), form: Form| {
        scene.at(cell.0, cell.1).thing.as_ref().is_some_and(|t| t.form == form)
    };
    let at = scene.cells.iter().position(|c| c.thing.as_ref().is_some_and(|t| t.form == Form::Player))?;
    let start = (at / scene.width, at % scene.width);
    if is(to, Form::Crate) {
        return Way::ALL.into_iter().find(|&way| beside(scene, start, way) == Some(to)).map(|way| vec![way]);
    }
    let open = |cell: (usize, usize)| {
        let cell = scene.at(cell.0, cell.1);
        cell.thing.is_none() && matches!(cell.ground, Ground::Floor | Ground::Goal)
    };
    let mut came: Vec<Option<(Way, usize)>> = vec![None; scene.cells.len()];
    let mut queue = VecDeque::from([start]);
    while let Some(cell) = queue.pop_front() {
        if cell == to {
            let mut path = Vec::new();
            let mut at = cell.0 * scene.width + cell.1;
            while let Some((way, before)) = came[at] {
                path.push(way);
                at = before;
            }
            path.reverse();
            return Some(path);
        }
        for way in Way::ALL {
            let Some(next) = beside(scene, cell, way) else { continue };
            let place = next.0 * scene.width + next.1;
            if next != start && came[place].is_none() && open(next) {
                came[place] = Some((way, cell.0 * scene.width + cell.1));
                queue.push_back(next);
            }
        }
    }
    None
}
