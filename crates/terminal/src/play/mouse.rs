//! The mouse: click a thing to move it, drag it, draw paths from dot to dot, or click where the player should walk.

use std::collections::VecDeque;

use beeline_puzzle::Way;
use beeline_puzzle::scene::{Form, Ground, Scene};
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::Play;

/// The current drag.
#[derive(Clone, Debug)]
pub(crate) enum Drag {
    /// A drag of a piece: its number, and the last cell of the mouse.
    Piece { thing: u16, at: (usize, usize) },
    /// A stroke that draws a path: its cells, and whether its step has been played.
    Stroke { trail: Vec<usize>, drawn: bool },
}

impl Play {
    pub(crate) fn on_mouse(&mut self, mouse: MouseEvent) {
        let cell = self.placement.cell(mouse.column, mouse.row);
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
        let cell = row * self.scene.width + column;
        if self.game.stroke(&[cell]).is_some() {
            self.draw_stroke(vec![cell], false);
            return;
        }
        if let Some(step) = self.game.press(cell) {
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
            Some((_, id)) if self.selection.choose(id) => {
                self.dragged = Some(Drag::Piece { thing: id, at: (row, column) });
            }
            Some((Form::Crate, _)) | None => self.walk((row, column)),
            Some(_) => {}
        }
    }

    fn drag(&mut self, to: (usize, usize)) {
        match self.dragged.take() {
            Some(Drag::Piece { thing, at }) => self.drag_piece(thing, at, to),
            Some(Drag::Stroke { mut trail, drawn }) => {
                trail.push(to.0 * self.scene.width + to.1);
                self.draw_stroke(trail, drawn);
            }
            None => {}
        }
    }

    /// Moves a piece towards the mouse, cell by cell, as far as it can go.
    fn drag_piece(&mut self, thing: u16, mut at: (usize, usize), to: (usize, usize)) {
        while at != to {
            let moved = ways_towards(at, to).into_iter().find_map(|way| {
                let next = beside(&self.scene, at, way)?;
                self.pull(thing, way, next).then_some(next)
            });
            let Some(next) = moved else { return };
            at = next;
        }
        self.dragged = Some(Drag::Piece { thing, at });
    }

    /// Draws along the trail of a stroke. The new step replaces the step of the shorter trail, so a stroke is one
    /// step. Pipes that the stroke crossed and left again are restored.
    fn draw_stroke(&mut self, trail: Vec<usize>, drawn: bool) {
        if drawn {
            self.game.undo();
            self.scene = self.game.scene();
        }
        let stroke = self.game.stroke(&trail);
        let steps = self.game.history().len();
        if let Some(stroke) = stroke {
            self.selection.choose(stroke.thing);
            match stroke.step {
                Some(step) => self.play(&step),
                None => self.after_change(),
            }
            if let Some(why) = stroke.refused.filter(|_| !self.game.solved()) {
                self.refuse(why);
            }
        }
        let drawn = self.game.history().len() > steps;
        self.dragged = Some(Drag::Stroke { trail, drawn });
    }

    /// Plays a step if it moves the thing to that cell.
    fn pull(&mut self, thing: u16, way: Way, to: (usize, usize)) -> bool {
        let Some(step) = self.game.toward(Some(thing), way) else { return false };
        let steps = self.game.history().len();
        self.play(&step);
        let played = self.game.history().len() > steps;
        let followed = played && self.is_at(thing, to);
        if played && !followed {
            self.undo();
        }
        followed
    }

    fn is_at(&self, thing: u16, (row, column): (usize, usize)) -> bool {
        self.scene.at(row, column).thing.as_ref().is_some_and(|t| t.id == thing)
    }

    /// Walks the player to a cell, or pushes the clicked box if it is beside the player.
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

/// The directions from one cell towards another, the longer distance first.
fn ways_towards(from: (usize, usize), to: (usize, usize)) -> Vec<Way> {
    let vertical = (to.0 != from.0).then_some(if to.0 > from.0 { Way::Down } else { Way::Up });
    let across = (to.1 != from.1).then_some(if to.1 > from.1 { Way::Right } else { Way::Left });
    let first =
        if to.0.abs_diff(from.0) > to.1.abs_diff(from.1) { [vertical, across] } else { [across, vertical] };
    first.into_iter().flatten().collect()
}

/// The player's shortest walk to a cell, around all things. A box beside the player is the exception: the player
/// walks into it and pushes it.
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
