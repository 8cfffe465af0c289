//! What the player has selected: a thing of the board, and a name that is being typed.

use beeline_puzzle::Scene;
use beeline_puzzle::scene::Form;

/// The choice among the things of a board.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    /// Number and name of everything that can be chosen, in order of number. Empty where things move without being chosen.
    things: Vec<(u16, String)>,
    chosen: Option<u16>,
    /// What was typed of a name that may go on.
    typed: String,
}

impl Selection {
    /// Nothing is selected on this board.
    pub(crate) fn new(scene: &Scene) -> Self {
        // Pipes take the name of their dots.
        let named = scene.cells.iter().filter_map(|cell| cell.thing.as_ref());
        let mut things: Vec<(u16, String)> = named
            .filter(|thing| matches!(thing.form, Form::Block | Form::Dot))
            .map(|thing| (thing.id, thing.label.clone()))
            .collect();
        things.sort();
        things.dedup_by_key(|(id, _)| *id);
        let chosen = if let [(only, _)] = &things[..] { Some(*only) } else { None };
        Self { things, chosen, typed: String::new() }
    }

    /// The chosen thing.
    pub(crate) fn chosen(&self) -> Option<u16> {
        self.chosen
    }

    /// Must something be chosen before it can be moved?
    pub(crate) fn must_choose(&self) -> bool {
        !self.things.is_empty() && self.chosen.is_none()
    }

    /// The names that can be typed.
    pub(crate) fn names(&self) -> Vec<String> {
        self.things.iter().map(|(_, name)| name.clone()).collect()
    }

    /// The name of the chosen thing.
    pub(crate) fn name(&self) -> Option<&str> {
        let chosen = self.chosen?;
        self.things.iter().find(|(id, _)| *id == chosen).map(|(_, name)| name.as_str())
    }

    /// Chooses a thing, if it is one that can be chosen.
    pub(crate) fn choose(&mut self, id: u16) -> bool {
        let known = self.things.iter().any(|(thing, _)| *thing == id);
        if known {
            self.chosen = Some(id);
        }
        known
    }

    /// Chooses nothing, unless there is no choice.
    pub(crate) fn drop(&mut self) {
        if self.things.len() > 1 {
            self.chosen = None;
        }
        self.typed.clear();
    }

    /// A letter of a name. Names may begin with each other (1 and 12): the shorter one is chosen until the longer one is typed.
    pub(crate) fn letter(&mut self, letter: char) {
        let longer = format!("{}{letter}", self.typed);
        let begins = |start: &str| self.things.iter().any(|(_, name)| name.starts_with(start));
        let typed = if begins(&longer) { longer } else { letter.to_string() };
        if let Some((id, _)) = self.things.iter().find(|(_, name)| *name == typed) {
            self.chosen = Some(*id);
        }
        self.typed = typed;
    }

    /// Something else was done: the next letter begins a new name.
    pub(crate) fn name_ends(&mut self) {
        self.typed.clear();
    }

    /// The next thing, or the one before.
    pub(crate) fn turn(&mut self, forward: bool) {
        let count = self.things.len();
        let at = self.chosen.and_then(|id| self.things.iter().position(|(thing, _)| *thing == id));
        let next = match (at, forward) {
            (None, true) => 0,
            (None, false) => count.saturating_sub(1),
            (Some(at), true) => (at + 1) % count,
            (Some(at), false) => (at + count - 1) % count,
        };
        self.chosen = self.things.get(next).map(|(id, _)| *id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_puzzle::scene::Thing;

    fn scene(names: &[&str]) -> Scene {
        let mut scene = Scene::new(names.len(), 1);
        for (id, name) in names.iter().enumerate() {
            let label = (*name).to_owned();
            scene.cells[id].thing =
                Some(Thing { id: id as u16, form: Form::Block, label, links: 0, colour: None });
        }
        scene
    }

    #[test]
    fn names_with_several_letters() {
        let mut selection = Selection::new(&scene(&["1", "12", "3"]));
        assert!(selection.must_choose());
        selection.letter('1');
        assert_eq!(selection.name(), Some("1"));
        selection.letter('2');
        assert_eq!(selection.name(), Some("12"));
        selection.letter('3');
        assert_eq!(selection.name(), Some("3"));
        selection.letter('1');
        selection.name_ends();
        selection.letter('2');
        assert_eq!(selection.name(), Some("1"), "no name begins with 2");
    }

    #[test]
    fn turning_goes_round() {
        let mut selection = Selection::new(&scene(&["a", "b", "c"]));
        selection.turn(false);
        assert_eq!(selection.name(), Some("c"));
        selection.turn(true);
        assert_eq!(selection.name(), Some("a"));
        selection.turn(true);
        assert_eq!(selection.name(), Some("b"));
        selection.drop();
        assert_eq!(selection.name(), None);
    }

    #[test]
    fn what_is_alone_need_not_be_chosen() {
        let mut alone = Selection::new(&scene(&["a"]));
        alone.drop();
        assert_eq!(alone.name(), Some("a"));
        let none = Selection::new(&Scene::new(3, 3));
        assert!(!none.must_choose() && none.names().is_empty());
    }
}
