//! What the game's screen says.

use super::{Play, Tone, keys, tally};
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
            let waits = if self.wish.is_some() { self.look.dots() } else { "" };
            (style, format!("{text}{waits}"))
        });
        Sheet {
            look: self.look,
            title: format!("{}{}{}", level.name, self.look.dot(), level.puzzle.kind().title()),
            place: if many { format!("{}/{}", self.at + 1, self.levels.len()) } else { String::new() },
            scene: Some(self.marked.as_ref().unwrap_or(&self.scene)),
            chosen: self.hand.chosen(),
            facts: self.facts(),
            message,
            keys: keys::list(&self.hand.names(), many),
            help: self.help,
        }
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = vec![("steps", self.game.history().len().to_string())];
        facts.extend(tally::counters(&self.scene, &self.tally));
        facts.push(("best", self.plans.best_known(self.look.dots())));
        if let Some(own) = self.own_best[self.at] {
            facts.push(("yours", own.to_string()));
        }
        if !self.hand.names().is_empty() {
            facts.push(("chosen", self.hand.name().unwrap_or("nothing").to_owned()));
        }
        if let Some(last) = self.game.history().last() {
            facts.push(("last", last.clone()));
        }
        if let Some(pace) = &self.demo {
            facts.push(("solver", format!("plays, {} steps a second", pace.rate())));
        }
        facts
    }
}
