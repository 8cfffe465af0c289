//! The space of pushes, for the general strategies with the objective of fewest pushes.
//!
//! A move is a push with the walk to it, and costs 1. All squares of the player's region are equivalent: a
//! state is packed with the first of them, so states that differ by a walk have the same key. This is right
//! because walking is free here; for fewest steps it would be wrong.

use beeline_search::{Cost, Heuristic, Limit, Meter, Outcome, Prune, Ruling, Solution, Space, Verdict};

use super::state_bits;
use crate::Sokoban;
use crate::bits::{Bits, field};
use crate::board::{Board, DIRS, Dir, NOWHERE, Square};
use crate::bounds::Bound;
use crate::field::Field;
use crate::matching::Matching;
use crate::optimal::PlanWriter;
use crate::rules::prune::Rules;
use crate::scene::scene;
use beeline_puzzle::game::Notation;
use beeline_puzzle::puzzle::Puzzle;
use beeline_puzzle::scene::Scene;

/// Words per key. Larger boards need the solver `best`.
const WORDS: usize = 4;
/// More squares than any board has whose states fit.
const SQUARES: usize = 64 * WORDS;

/// The space of pushes on one board.
#[derive(Clone, Debug)]
pub struct Pushes {
    board: Board,
    /// Where the player's square begins in a key, and how many bits it has.
    player_at: (usize, usize),
}

/// A push: where the box is before it, and its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Push {
    /// The square of the box.
    pub at: Square,
    /// The direction.
    pub dir: Dir,
}

/// The player and the boxes after a push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The player's square; every square of its region is equivalent.
    pub player: Square,
    /// The squares with boxes.
    pub boxes: Bits<WORDS>,
}

/// The squares that the player can walk to.
struct Reach {
    reached: [bool; SQUARES],
    first: Square,
}

impl Pushes {
    /// The space of a board; `None` if it is too large.
    pub fn new(board: &Board) -> Option<Self> {
        let player_at = (board.squares(), field(board.squares()));
        (state_bits(board) <= SQUARES).then(|| Self { board: board.clone(), player_at })
    }

    fn reach(&self, state: &State) -> Reach {
        let mut reach = Reach { reached: [false; SQUARES], first: state.player };
        let mut todo = [0; SQUARES];
        let mut count = 1;
        todo[0] = state.player;
        reach.reached[state.player as usize] = true;
        while count > 0 {
            count -= 1;
            let at = todo[count];
            reach.first = reach.first.min(at);
            for to in self.board.near()[at as usize] {
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
                let field = Field::new(&self.board);
                let mut writer = PlanWriter::new(&field);
                for push in &solution.moves {
                    writer.walk_to(self.board.next(push.at, push.dir.back()));
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
    type State = State;
    type Move = Push;
    /// Where the player was.
    type Undo = Square;
    type Moves = std::vec::IntoIter<Push>;
    type Key = [u64; WORDS];

    fn start(&self) -> State {
        let mut boxes = Bits::default();
        self.board.boxes().iter().for_each(|&at| boxes.set(at));
        State { player: self.board.player(), boxes }
    }

    fn moves_heap(&self, moves: &Self::Moves) -> usize {
        size_of_val(moves.as_slice())
    }

    /// Box by box in the order of squares, and left, right, up, down.
    fn moves(&self, state: &State) -> Self::Moves {
        let reach = self.reach(state);
        let mut pushes = Vec::new();
        for at in state.boxes.iter() {
            for dir in DIRS {
                let (from, to) = (self.board.next(at, dir.back()), self.board.next(at, dir));
                let can = from != NOWHERE && to != NOWHERE && reach.reached[from as usize];
                if can && !state.boxes.has(to) {
                    pushes.push(Push { at, dir });
                }
            }
        }
        pushes.into_iter()
    }

    fn apply(&self, state: &mut State, push: Push) -> Square {
        state.boxes.clear(push.at);
        state.boxes.set(self.board.next(push.at, push.dir));
        std::mem::replace(&mut state.player, push.at)
    }

    fn undo(&self, state: &mut State, push: Push, player: Square) {
        state.boxes.clear(self.board.next(push.at, push.dir));
        state.boxes.set(push.at);
        state.player = player;
    }

    fn is_goal(&self, state: &State) -> bool {
        self.board.lost() == 0 && state.boxes.iter().all(|at| self.board.is_goal(at))
    }

    fn pack(&self, state: &State) -> [u64; WORDS] {
        let mut key = state.boxes;
        key.put(self.player_at, u64::from(self.reach(state).first));
        key.0
    }

    fn unpack(&self, key: &[u64; WORDS]) -> State {
        let mut boxes = Bits(*key);
        let player = boxes.take(self.player_at) as Square;
        State { player, boxes }
    }

    fn key_width(&self) -> usize {
        state_bits(&self.board).div_ceil(8)
    }
}

impl Notation for Pushes {
    fn show(&self, _: &State, push: Push) -> String {
        let (row, column) = self.board.place(push.at);
        format!("{}{},{}", push.dir.letter(true), row + 1, column + 1)
    }

    fn scene(&self, state: &State) -> Scene {
        scene(&self.board, state.player, &|at| state.boxes.has(at))
    }

    fn puzzle_at(&self, state: &State) -> Box<dyn Puzzle> {
        let boxes: Vec<Square> = state.boxes.iter().collect();
        Box::new(Sokoban::new(self.board.with(state.player, &boxes)))
    }
}

impl Heuristic<Pushes> for Bound {
    type Memo = Cost;
    type Scratch = Matching;

    fn root(&self, _: &Pushes, state: &State, assignment: &mut Matching) -> Cost {
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
        after: &State,
        push: Push,
        _: Cost,
        _: &mut Meter,
    ) -> Result<Ruling, Limit> {
        let to = space.board.next(push.at, push.dir);
        let verdict = self.verdict(after.player, after.boxes.iter(), to);
        Ok(verdict.map_or(Ruling::Keep, Ruling::Drop))
    }
}
