//! The player's selection: a thing on the board, and a name that is being typed.

use beeline_puzzle::Scene;
use beeline_puzzle::scene::Form;

/// The selectable things of a board, and the selected one.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    /// Number and name of every selectable thing, by number. Empty on boards where things move without selection.
    things: Vec<(u16, String)>,
    chosen: Option<u16>,
    /// The typed characters of a name that may be incomplete.
    typed: String,
}

impl Selection {
    /// A selection on this board without a selected thing.
    pub(crate) fn new(scene: &Scene) -> Self {
        // Pipes have the name of their dots.
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

    /// The selected thing.
    pub(crate) fn chosen(&self) -> Option<u16> {
        self.chosen
    }

    /// Must the player select something before moving it?
    pub(crate) fn must_choose(&self) -> bool {
        !self.things.is_empty() && self.chosen.is_none()
    }

    /// The names that can be typed.
    pub(crate) fn names(&self) -> Vec<String> {
        self.things.iter().map(|(_, name)| name.clone()).collect()
    }

    /// The name of the selected thing.
    pub(crate) fn name(&self) -> Option<&str> {
        let chosen = self.chosen?;
        self.things.iter().find(|(id, _)| *id == chosen).map(|(_, name)| name.as_str())
    }

    /// Selects a thing if it is selectable.
    pub(crate) fn choose(&mut self, id: u16) -> bool {
        let known = self.things.iter().any(|(thing, _)| *thing == id);
        if known {
            self.chosen = Some(id);
        }
        known
    }

    /// Clears the selection, unless there is only one thing.
    pub(crate) fn drop(&mut self) {
        if self.things.len() > 1 {
            self.chosen = None;
        }
        self.typed.clear();
    }

    /// Types a character of a name. If one name begins another (1 and 12), the shorter one is selected until the rest
    /// is typed.
    pub(crate) fn letter(&mut self, letter: char) {
        let longer = format!("{}{letter}", self.typed);
        let begins = |start: &str| self.things.iter().any(|(_, name)| name.starts_with(start));
        let typed = if begins(&longer) { longer } else { letter.to_string() };
        if let Some((id, _)) = self.things.iter().find(|(_, name)| *name == typed) {
            self.chosen = Some(*id);
        }
        self.typed = typed;
    }

    /// Ends the typed name: the next character begins a new one.
    pub(crate) fn name_ends(&mut self) {
        self.typed.clear();
    }

    /// Selects the next thing, or the one before.
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
