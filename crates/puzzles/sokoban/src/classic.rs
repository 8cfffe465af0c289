//! The uniform-cost search of the classic command, to the digit.
//!
//! It is the plain loop that students write: steps of the player, a binary heap, a table of the states met, boxes in dead
//! corners dropped. Its counters depend on details that no clean search has, so it is a loop of its own and not a
//! composition of the engine's parts:
//!
//! - every one of the four actions counts as generated, also when a wall is in the way;
//! - the start is not recorded, so it may be met and expanded a second time;
//! - the order among equal depths is that of [`Heap`].
//!
//! [`Corners::Reference`] also repeats three mistakes of the original's corner test, which lose plans;
//! [`Corners::Sound`] tests properly, and then the plan is shortest.

use beeline_search::arena::{Arena, NO_NODE, NodeId};
use beeline_search::frontier::{Frontier, Heap, Priority, Waiting};
use beeline_search::seen::Table;
use beeline_search::{Budget, Limit, Meter, Outcome, Solution, Space, Stats, Verdict};

use super::board::{Board, DIRS, Dir, NOWHERE, Square};
use super::combinations::CombinationNumbers;
use super::{State, Steps, with_words};

/// Which corner test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corners {
    /// A box off goal in a corner, at any side of the player: dead.
    Sound,
    /// The original's test with its mistakes: the coordinates of one neighbour carry over to the next, the last
    /// neighbour decides alone, and the *player's* square is tested for a goal instead of the box's.
    Reference,
}

/// A step of a classic plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where to.
    pub dir: Dir,
    /// Does it push a box?
    pub push: bool,
    /// Does it push a box that stands on a goal? The original writes these in lower case.
    pub off_goal: bool,
}

impl Step {
    /// The usual letter: capital for a push.
    pub fn letter(self) -> char {
        self.dir.letter(self.push)
    }

    /// The letter that the original writes.
    pub fn reference_letter(self) -> char {
        self.dir.letter(self.push && !self.off_goal)
    }
}

/// Searches a level the classic way. `generated` counts the actions tried, `duplicates` the states met again,
/// as in the original.
pub fn solve(board: &Board, corners: Corners, budget: &Budget) -> Outcome<Step> {
    with_words!(board, N => Steps::<N>::new(board).map(|space| Search::new(&space, corners, budget).run()))
        .unwrap_or(Outcome { verdict: Verdict::GaveUp, stats: Stats::default() })
}

struct Search<'a, const N: usize> {
    space: &'a Steps<N>,
    corners: Corners,
    /// For each cell of the grid: two walls meet here.
    corner: Vec<bool>,
    arena: Arena<[u64; N]>,
    met: Met,
    heap: Heap,
    meter: Meter,
    stats: Stats,
}

impl<'a, const N: usize> Search<'a, N> {
    fn new(space: &'a Steps<N>, corners: Corners, budget: &Budget) -> Self {
        Self {
            space,
            corners,
            corner: corner_cells(space.board()),
            arena: Arena::new(space.key_width(), false),
            met: Met::Table(Table::new()),
            heap: Heap::default(),
            meter: Meter::new(budget),
            stats: Stats::default(),
        }
    }

    fn run(mut self) -> Outcome<Step> {
        let verdict = match self.search() {
            Ok(Some(goal)) => {
                let moves = self.plan(goal);
                let cost = moves.len() as u64;
                let lower_bound = if self.corners == Corners::Sound { cost } else { 0 };
                Verdict::Solved(Solution { moves, cost, lower_bound })
            }
            Ok(None) if self.corners == Corners::Sound => Verdict::Exhausted,
            Ok(None) => Verdict::GaveUp,
            Err(limit) => Verdict::Stopped(limit),
        };
        self.stats.expanded = self.meter.expanded();
        self.stats.stored = self.arena.len() as u64;
        self.stats.close(&self.meter);
        Outcome { verdict, stats: self.stats }
    }

    fn search(&mut self) -> Result<Option<NodeId>, Limit> {
        if let Some(ranks) = Ranks::new(self.space.board()) {
            let words = (ranks.states / 64 + 1) as usize;
            if let Ok(bits) = self.meter.ledger.filled(0, words) {
                self.met = Met::Bits(ranks, bits);
            }
        }
        let mut state = self.space.start();
        let key = self.space.pack(&state);
        let root = self.arena.push(&mut self.meter.ledger, &key, NO_NODE, 0, ())?;
        self.wait(root, 0)?;
        while let Some(Waiting { id, cost }) = self.heap.pop() {
            if self.meter.due() {
                self.meter.look()?;
            }
            self.meter.count();
            self.space.unpack_into(&self.arena.keys.get(id), &mut state);
            if self.space.is_goal(&state) {
                return Ok(Some(id));
            }
            self.stats.depth = self.stats.depth.max(u64::from(cost));
            self.stats.generated += 4;
            for dir in self.space.moves(&state) {
                let token = self.space.apply(&mut state, dir);
                if !self.dead(&state) {
                    self.meet(&state, id, cost + 1)?;
                }
                self.space.undo(&mut state, dir, token);
            }
        }
        Ok(None)
    }

    /// Handles a child: a duplicate is counted, any other child becomes a node.
    #[inline]
    fn meet(&mut self, state: &State<N>, parent: NodeId, cost: u32) -> Result<(), Limit> {
        let key = self.space.pack(state);
        let ledger = &mut self.meter.ledger;
        let child = match &mut self.met {
            Met::Bits(ranks, bits) => {
                let rank = ranks.rank(state);
                let (word, bit) = (&mut bits[(rank / 64) as usize], 1 << (rank % 64));
                if *word & bit != 0 {
                    self.stats.duplicates += 1;
                    return Ok(());
                }
                *word |= bit;
                self.arena.push(ledger, &key, parent, 0, ())?
            }
            Met::Table(table) => {
                let hash = self.arena.keys.hash(&key);
                if table.lookup(&self.arena.keys, hash, &key).is_some() {
                    self.stats.duplicates += 1;
                    return Ok(());
                }
                let child = self.arena.push(ledger, &key, parent, 0, ())?;
                table.record(ledger, &self.arena.keys, hash, child)?;
                child
            }
        };
        self.wait(child, cost)
    }

    fn wait(&mut self, id: NodeId, cost: u32) -> Result<(), Limit> {
        let priority = Priority { key: u64::from(cost), tie: 0 };
        self.heap.push(&mut self.meter.ledger, Waiting { id, cost }, priority)?;
        self.stats.frontier_peak = self.stats.frontier_peak.max(self.heap.len() as u64);
        Ok(())
    }

    #[inline]
    fn dead(&self, state: &State<N>) -> bool {
        let board = self.space.board();
        // The original's order: below, above, right, left.
        let sides = [Dir::Down, Dir::Up, Dir::Right, Dir::Left];
        let boxed = |dir: Dir| {
            let at = board.next(state.player, dir);
            (at != NOWHERE && state.boxes.has(at) && !board.is_goal(at)).then_some(at)
        };
        match self.corners {
            Corners::Sound => {
                sides.iter().any(|&dir| boxed(dir).is_some_and(|at| self.corner[self.cell(at)]))
            }
            Corners::Reference => {
                let (mut row, mut column) = board.place(state.player);
                let (up, left) = (row - 1, column - 1);
                let mut dead = false;
                for dir in sides {
                    if boxed(dir).is_some() {
                        match dir {
                            Dir::Down => row = up + 2,
                            Dir::Up => row = up,
                            Dir::Right => column = left + 2,
                            Dir::Left => column = left,
                        }
                        dead = self.corner[row * board.width() + column] && !board.is_goal(state.player);
                    }
                }
                dead
            }
        }
    }

    fn cell(&self, at: Square) -> usize {
        let (row, column) = self.space.board().place(at);
        row * self.space.board().width() + column
    }

    /// The steps to a node, read from the player's squares along the path.
    fn plan(&self, goal: NodeId) -> Vec<Step> {
        let board = self.space.board();
        let states: Vec<State<N>> =
            self.arena.lineage(goal).iter().map(|&id| self.space.unpack(&self.arena.keys.get(id))).collect();
        let step = |pair: &[State<N>]| {
            let (before, after) = (&pair[0], &pair[1]);
            let dir = DIRS.into_iter().find(|&d| board.next(before.player, d) == after.player)?;
            let push = before.boxes.has(after.player);
            Some(Step { dir, push, off_goal: push && board.is_goal(after.player) })
        };
        states.windows(2).filter_map(step).collect()
    }
}

/// The closed list: one bit a state where the states are few enough to number, a hash table otherwise.
enum Met {
    Bits(Ranks, Vec<u64>),
    Table(Table),
}

/// Numbers the states: the set of boxes, then the player's square.
struct Ranks {
    sets: CombinationNumbers,
    squares: u64,
    states: u64,
}

/// States that the bit set may hold: 64 MiB of bits.
const MOST_BITS: u64 = 1 << 29;

impl Ranks {
    /// `None` if there are too many states, or no boxes.
    fn new(board: &Board) -> Option<Self> {
        let sets = CombinationNumbers::new(board.squares(), board.boxes().len())?;
        let squares = board.squares() as u64;
        let states = u64::try_from(sets.count).ok()?.checked_mul(squares).filter(|&n| n <= MOST_BITS)?;
        Some(Self { sets, squares, states })
    }

    #[inline]
    fn rank<const N: usize>(&self, state: &State<N>) -> u64 {
        self.sets.low(state.boxes.iter()) * self.squares + u64::from(state.player)
    }
}

/// The cells of the grid around which two walls meet at a corner.
fn corner_cells(board: &Board) -> Vec<bool> {
    let wall = |row: usize, column: usize| {
        row < board.height() && column < board.width() && board.cell(row, column).wall
    };
    let mut corner = Vec::with_capacity(board.height() * board.width());
    for row in 0..board.height() {
        for column in 0..board.width() {
            let across = wall(row, column + 1) || wall(row, column.wrapping_sub(1));
            let along = wall(row + 1, column) || wall(row.wrapping_sub(1), column);
            corner.push(across && along);
        }
    }
    corner
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    fn figures(text: &str, corners: Corners) -> (u64, u64, u64, Option<String>) {
        let board = text::parse(text).unwrap().remove(0).board;
        let outcome = solve(&board, corners, &Budget::default());
        let plan = outcome.solution().map(|s| s.moves.iter().map(|m| m.letter()).collect());
        (outcome.stats.expanded, outcome.stats.generated, outcome.stats.duplicates, plan)
    }

    const LOST: &str = include_str!("../boards/sokoban-lost.txt");
    const DETOUR: &str = include_str!("../boards/sokoban-detour.txt");

    #[test]
    fn the_reference_loses_a_plan_and_the_sound_test_does_not() {
        assert_eq!(figures(LOST, Corners::Reference), (496, 1984, 696, None));
        assert_eq!(figures(LOST, Corners::Sound).3.unwrap().len(), 20);
    }

    #[test]
    fn the_reference_finds_a_longer_plan() {
        let (expanded, generated, duplicates, plan) = figures(DETOUR, Corners::Reference);
        assert_eq!((expanded, generated, duplicates, plan.unwrap().len()), (528, 2108, 729, 22));
        assert_eq!(figures(DETOUR, Corners::Sound).3.unwrap().len(), 19);
    }

    #[test]
    fn a_corridor_in_both_directions() {
        let text = "###########\n#.$  @  $.#\n###########\n";
        assert_eq!(figures(text, Corners::Reference), (19, 72, 15, Some("rrRlllllL".into())));
    }

    #[test]
    fn solved_at_the_start_and_never() {
        assert_eq!(figures("#####\n#@* #\n#####\n", Corners::Sound), (1, 0, 0, Some(String::new())));
        let (expanded, generated, _, plan) = figures("#####\n#@$ #\n#.  #\n#####\n", Corners::Sound);
        assert_eq!((generated, plan), (4 * expanded, None));
    }
}
