//! The content of the game's screen.

use beeline_puzzle::scene::Form;

use super::{Play, Score, Tone, keys, tally};
use crate::Look;
use crate::layout::Sheet;

impl Play {
    pub(super) fn sheet(&self) -> Sheet<'_> {
        let level = &self.levels[self.at];
        let many = self.levels.len() > 1;
        let message = self.message.as_ref().map(|(tone, text)| {
            let style = match tone {
                Tone::Plain => Look::bold(),
                Tone::Good => self.look.good(),
                Tone::Bad => self.look.bad(),
            };
            let waits = if self.plan_request.is_some() { self.look.dots() } else { "" };
            (style, format!("{text}{waits}"))
        });
        Sheet {
            look: self.look,
            title: format!("{}{}{}", level.name, self.look.dot(), level.puzzle.kind().title()),
            place: if many { format!("{}/{}", self.at + 1, self.levels.len()) } else { String::new() },
            scene: Some(self.marked.as_ref().unwrap_or(&self.scene)),
            chosen: self.selection.chosen(),
            facts: self.facts(),
            message,
            keys: keys::list(&self.selection.names(), many, level.puzzle.offer().is_some()),
            help: self.help.then(|| self.rules()),
            goal: self.goal.as_ref().map(|goal| &goal.scene),
            pointer: self.hint.as_ref().and_then(|(_, pointer)| pointer.as_ref()),
        }
    }

    /// The rules of the kind, and the mouse actions of this board.
    fn rules(&self) -> String {
        let has =
            |form: Form| self.scene.cells.iter().any(|c| c.thing.as_ref().is_some_and(|t| t.form == form));
        let mouse = if has(Form::Player) {
            "click where the player should walk, or the box beside it that should be pushed"
        } else if has(Form::Tile) {
            "click a tile beside the gap"
        } else if has(Form::Dot) {
            "drag from dot to dot, from either end; back over a pipe shortens it, through another pipe cuts it, a \
             click on a dot clears it"
        } else {
            "drag a piece"
        };
        let goal = self.goal.as_ref().map_or_else(String::new, |goal| format!(" The goal: {}.", goal.words));
        format!("{}{goal} Mouse: {mouse}.", self.levels[self.at].puzzle.kind().about())
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let Score { count, word, best } = self.score();
        let mut facts = Vec::new();
        if word == "move" {
            facts.push(("moves", count.to_string()));
            facts.extend(best.map(|(best, _)| ("fewest", best.to_string())));
        } else {
            facts.push(("steps", count.to_string()));
            facts.extend(self.game.counts().into_iter().map(|(name, n)| (name, n.to_string())));
            facts.push(("shortest", self.plans.best_known(self.look.dots())));
        }
        facts.extend(tally::facts(&self.scene));
        if let Some(own) = self.own_best[self.at] {
            facts.push(("your best", own.to_string()));
        }
        if !self.selection.names().is_empty() {
            facts.push(("chosen", self.selection.name().unwrap_or("nothing").to_owned()));
        }
        if let Some(last) = self.game.history().last() {
            facts.push(("last", last.clone()));
        }
        if let Some(pace) = &self.demo {
            facts.push(("solver", format!("plays, {} steps a second", pace.rate())));
        }
        if let Some(goal) = &self.goal {
            facts.push(("goal", goal.words.clone()));
        }
        facts
    }
}
