//! The dead-end rules by name, for the general strategies.
//!
//! Every rule only drops positions that cannot be solved, so it preserves optimal plans under every
//! objective.

use std::sync::Arc;

use beeline_search::{Cost, Limit, Meter, Prune, Ruling};

use super::corral::Corral;
use super::diagonals;
use super::freeze::frozen;
use super::pairs::Pairs;
use crate::board::{Board, Dir, NOWHERE, Square};
use crate::field::Field;
use crate::matching::Matching;
use crate::walk::Position;
use crate::{State, Steps};
use beeline_puzzle::puzzle::Choice;

/// The rules, cheapest first. By default all are on.
pub const RULES: &[Choice] = &[
    Choice { name: "corners", about: "a box off goal in a corner of two walls" },
    Choice { name: "dead-squares", about: "a box on a square from which no goal can be reached" },
    Choice {
        name: "freeze",
        about: "a box off goal that walls, dead squares and other frozen boxes hold for ever",
    },
    Choice {
        name: "pairs",
        about: "two boxes that cannot both get to goals: a table of all pairs, made for the board",
    },
    Choice { name: "matching", about: "the boxes cannot all have goals of their own" },
    Choice { name: "diagonals", about: "a closed slanting gap between boxes and walls" },
    Choice {
        name: "pi-corral",
        about: "for fewest pushes by best: pushes elsewhere, while a pocket can and must be dealt with first",
    },
    Choice {
        name: "goal-room",
        about: "for fewest pushes by best: a box that comes to the only door of the goals is put away at once",
    },
    Choice {
        name: "tunnel",
        about: "for every objective that best proves: a box that is pushed along a tunnel goes on to its end or is not pushed",
    },
    Choice { name: "corral", about: "a pocket out of the player's reach that can never be opened or filled" },
];

/// A selection of rules with their tables.
#[derive(Clone, Debug)]
pub struct Rules {
    on: Vec<&'static str>,
    field: Arc<Field>,
    corner: Vec<bool>,
    pairs: Option<Pairs>,
    corral: Corral,
    matching: Matching,
    position: Position,
}

impl Rules {
    /// Looks up rules by name; `None` selects all. An unknown name is an error.
    pub fn named(names: Option<&[String]>) -> Result<Vec<&'static str>, String> {
        let Some(names) = names else { return Ok(RULES.iter().map(|rule| rule.name).collect()) };
        let known = |name: &String| RULES.iter().map(|rule| rule.name).find(|rule| rule == name);
        names.iter().map(|name| known(name).ok_or_else(|| name.clone())).collect()
    }

    /// Computes the distances of a board and the tables of these rules, within the limits of a search.
    pub fn of_board(board: &Board, on: Vec<&'static str>, meter: &mut Meter) -> Result<Self, Limit> {
        Self::new(Arc::new(Field::within(board, false, meter)?), on, meter)
    }

    /// Computes the tables of these rules, within the limits of a search.
    pub fn new(field: Arc<Field>, on: Vec<&'static str>, meter: &mut Meter) -> Result<Self, Limit> {
        let board = field.board();
        let pairs = if on.contains(&"pairs") { Pairs::new(&field, meter)? } else { None };
        let corner = (0..board.squares() as Square).map(|s| is_corner(board, s)).collect();
        let (corral, position) = (Corral::new(&field), Position::new(&field));
        Ok(Self { on, field, corner, pairs, corral, matching: Matching::default(), position })
    }

    /// Is this rule on?
    pub(crate) fn has(&self, rule: &str) -> bool {
        self.on.contains(&rule)
    }

    /// The first rule that proves a position a deadlock, after a push of a box to `square`.
    pub fn verdict(
        &mut self,
        player: Square,
        boxes: impl Iterator<Item = Square>,
        square: Square,
    ) -> Option<&'static str> {
        self.position.set_boxes(boxes);
        self.position.player = player;
        for i in 0..self.on.len() {
            if self.applies(self.on[i], square) {
                return Some(self.on[i]);
            }
        }
        None
    }

    fn applies(&mut self, rule: &str, square: Square) -> bool {
        let field = &self.field;
        let goal = field.board().is_goal(square);
        match rule {
            "corners" => !goal && self.corner[square as usize],
            "dead-squares" => !field.alive(square),
            "freeze" => frozen(field, &mut self.position, square),
            "pairs" => self.pairs.as_ref().is_some_and(|p| p.any_lost(square, &self.position.boxes)),
            "matching" => {
                let player = self.position.player;
                let rows = self.position.boxes.iter().map(|&b| field.goal_row(field.box_state(b, player)));
                self.matching.solve(field.board().goals().len(), rows).is_none()
            }
            // These rules restrict pushes instead of rejecting positions. The optimal solver applies them
            // itself.
            "pi-corral" | "goal-room" | "tunnel" => false,
            "diagonals" => diagonals::closed(field, &self.position, square, &mut self.corral),
            _ => self.corral.lost(field, &self.position, square),
        }
    }
}

fn is_corner(board: &Board, square: Square) -> bool {
    let wall = |dir: Dir| board.next(square, dir) == NOWHERE;
    (wall(Dir::Left) || wall(Dir::Right)) && (wall(Dir::Up) || wall(Dir::Down))
}

impl<const N: usize> Prune<Steps<N>> for Rules {
    fn is_sound(&self) -> bool {
        true
    }

    #[inline]
    fn judge(
        &mut self,
        space: &Steps<N>,
        after: &State<N>,
        mv: Dir,
        _: Cost,
        _: &mut Meter,
    ) -> Result<Ruling, Limit> {
        let Some(square) = space.ahead(after, mv) else { return Ok(Ruling::Keep) };
        let verdict = self.verdict(after.player, after.boxes.iter(), square);
        Ok(verdict.map_or(Ruling::Keep, Ruling::Drop))
    }
}
