//! The space of pushes, for the general strategies with the objective of fewest pushes.
//!
//! A move is a push with the walk to it, and costs 1. All squares of the player's region are equivalent: a
//! state is packed with the first of them, so states that differ by a walk have the same key. This is right
//! because walking is free here; for fewest steps it would be wrong.

use beeline_search::{Cost, Heuristic, Limit, Meter, Outcome, Prune, Ruling, Solution, Space, Verdict};

use super::{State, Steps};
use crate::board::{Board, DIRS, Dir, NOWHERE, Square};
use crate::bounds::Bound;
use crate::field::Field;
use crate::matching::Matching;
use crate::optimal::PlanWriter;
use crate::rules::prune::Rules;
use beeline_puzzle::game::Notation;
use beeline_puzzle::puzzle::Puzzle;
use beeline_puzzle::scene::Scene;

/// Words per key. Larger boards need the solver `best`.
const WORDS: usize = 4;

/// The space of pushes on one board. Its states and keys are those of the steps.
#[derive(Clone, Debug)]
pub struct Pushes(Steps<WORDS>);

/// A push: where the box is before it, and its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Push {
    /// The square of the box.
    pub at: Square,
    /// The direction.
    pub dir: Dir,
}

/// The squares that the player can walk to.
struct Reach {
    reached: [bool; 64 * WORDS],
    first: Square,
}

impl Pushes {
    /// The space of a board; `None` if it is too large.
    pub fn new(board: &Board) -> Option<Self> {
        Steps::new(board).map(Self)
    }

    fn reach(&self, state: &State<WORDS>) -> Reach {
        let mut reach = Reach { reached: [false; 64 * WORDS], first: state.player };
        let mut todo = [0; 64 * WORDS];
        let mut count = 1;
        todo[0] = state.player;
        reach.reached[state.player as usize] = true;
        while count > 0 {
            count -= 1;
            let at = todo[count];
            reach.first = reach.first.min(at);
            for to in self.0.board.near()[at as usize] {
                if to != NOWHERE && !state.boxes.has(to) && !reach.reached[to as usize] {
                    reach.reached[to as usize] = true;
                    todo[count] = to;
                    count += 1;
                }
            }
        }
        reach
    }

    /// Converts an outcome in pushes to steps; its cost stays the number of pushes.
    pub(crate) fn in_steps(&self, outcome: Outcome<Push>) -> Outcome<Dir> {
        let verdict = match outcome.verdict {
            Verdict::Solved(solution) => {
                let field = Field::new(&self.0.board);
                let mut writer = PlanWriter::new(&field);
                for push in &solution.moves {
                    writer.walk_to(self.0.board.next(push.at, push.dir.back()));
                    writer.push(push.dir);
                }
                let Solution { cost, lower_bound, .. } = solution;
                Verdict::Solved(Solution { moves: writer.steps, cost, lower_bound })
            }
            Verdict::Exhausted => Verdict::Exhausted,
            Verdict::GaveUp => Verdict::GaveUp,
            Verdict::Stopped(limit) => Verdict::Stopped(limit),
        };
        Outcome { verdict, stats: outcome.stats }
    }
}

impl Space for Pushes {
    type State = State<WORDS>;
    type Move = Push;
    /// Where the player was.
    type Undo = Square;
    type Moves = std::vec::IntoIter<Push>;
    type Key = [u64; WORDS];

    fn start(&self) -> State<WORDS> {
        self.0.start()
    }

    fn moves_heap(&self, moves: &Self::Moves) -> usize {
        size_of_val(moves.as_slice())
    }

    /// Box by box in the order of squares, and left, right, up, down.
    fn moves(&self, state: &State<WORDS>) -> Self::Moves {
        let reach = self.reach(state);
        let mut pushes = Vec::new();
        for at in state.boxes.iter() {
            for dir in DIRS {
                let (from, to) = (self.0.board.next(at, dir.back()), self.0.board.next(at, dir));
                let can = from != NOWHERE && to != NOWHERE && reach.reached[from as usize];
                if can && !state.boxes.has(to) {
                    pushes.push(Push { at, dir });
                }
            }
        }
        pushes.into_iter()
    }

    fn apply(&self, state: &mut State<WORDS>, push: Push) -> Square {
        self.0.shift(state, push.at, self.0.board.next(push.at, push.dir));
        std::mem::replace(&mut state.player, push.at)
    }

    fn undo(&self, state: &mut State<WORDS>, push: Push, player: Square) {
        self.0.shift(state, self.0.board.next(push.at, push.dir), push.at);
        state.player = player;
    }

    fn is_goal(&self, state: &State<WORDS>) -> bool {
        self.0.is_goal(state)
    }

    fn pack(&self, state: &State<WORDS>) -> [u64; WORDS] {
        self.0.key(self.reach(state).first, state.boxes)
    }

    fn unpack(&self, key: &[u64; WORDS]) -> State<WORDS> {
        self.0.unpack(key)
    }

    fn key_width(&self) -> usize {
        self.0.key_width()
    }
}

impl Notation for Pushes {
    fn show(&self, _: &State<WORDS>, push: Push) -> String {
        let (row, column) = self.0.board.place(push.at);
        format!("{}{},{}", push.dir.letter(true), row + 1, column + 1)
    }

    fn scene(&self, state: &State<WORDS>) -> Scene {
        self.0.scene(state)
    }

    fn puzzle_at(&self, state: &State<WORDS>) -> Box<dyn Puzzle> {
        self.0.puzzle_at(state)
    }
}

impl Heuristic<Pushes> for Bound {
    type Memo = Cost;
    type Scratch = Matching;

    fn root(&self, _: &Pushes, state: &State<WORDS>, assignment: &mut Matching) -> Cost {
        self.pushes(state.player, state.boxes.iter(), assignment)
    }

    fn value(&self, memo: Cost) -> Cost {
        memo
    }

    fn claim(&self) -> beeline_search::Claim {
        beeline_search::Claim::Consistent
    }
}

impl Prune<Pushes> for Rules {
    fn is_sound(&self) -> bool {
        true
    }

    fn judge(
        &mut self,
        space: &Pushes,
        after: &State<WORDS>,
        push: Push,
        _: Cost,
        _: &mut Meter,
    ) -> Result<Ruling, Limit> {
        let to = space.0.board.next(push.at, push.dir);
        let verdict = self.verdict(after.player, after.boxes.iter(), to);
        Ok(verdict.map_or(Ruling::Keep, Ruling::Drop))
    }
}
