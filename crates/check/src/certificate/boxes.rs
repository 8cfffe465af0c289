//! Sokoban as a graph. A state is a position just after a push, or the start.
//!
//! By steps, a move is a walk and a push, and costs both. By pushes it costs 1, and the player's square is the least reachable
//! one. A square is *live* if pushes can take a lone box from there to a goal. A box on another square never reaches a goal, so
//! such a state is a dead end and has no number.

use super::{Graph, no_bound, too_large};
use crate::Flaw;

/// The neighbour in each direction, if any.
type Near = [Option<usize>; 4];

/// The graph.
pub(crate) struct Boxes {
    by_pushes: bool,
    /// The neighbours of each square: left, right, up, down.
    near: Vec<Near>,
    /// The squares on which a box may stand. Bit i of a state's upper part is a box on the i-th.
    live: Vec<usize>,
    /// The number of each square among the live ones.
    live_number: Vec<Option<usize>>,
    goal: Vec<bool>,
    /// By goal and square: the pushes that a lone box needs, wherever the player is.
    far: Vec<Vec<Option<u32>>>,
    /// Bits of the player's square in the lower part of a state.
    bits: u32,
    start: Option<u128>,
    bounded: bool,
}

/// The opposite direction.
fn back(way: usize) -> usize {
    way ^ 1
}

impl Boxes {
    /// `squares` are the cells that the player could reach without boxes, by their neighbours. A box elsewhere never moves;
    /// `lost` says that there is one off its goal.
    pub(crate) fn new(
        near: Vec<Near>,
        goal: Vec<bool>,
        (boxes, player, lost): (&[usize], usize, bool),
        (objective, bound): (&str, &str),
    ) -> Result<Self, Flaw> {
        let by_pushes = crate::sokoban::by_pushes(Some(objective))?;
        let bounded = match bound {
            "none" => false,
            "assignment" => true,
            _ => return no_bound("sokoban", bound),
        };
        let goals = (0..near.len()).filter(|&at| goal[at]);
        let far: Vec<Vec<Option<u32>>> = goals.map(|at| pulls(&near, at)).collect();
        let live: Vec<usize> =
            (0..near.len()).filter(|&at| far.iter().any(|far| far[at].is_some())).collect();
        let live_number = (0..near.len()).map(|at| live.binary_search(&at).ok()).collect();
        let bits = usize::BITS - (near.len() - 1).leading_zeros();
        if live.len() + bits as usize > 128 {
            return too_large("its states need more than 128 bits");
        }
        let mut graph = Self { by_pushes, near, live, live_number, goal, far, bits, start: None, bounded };
        if lost {
            return Ok(graph);
        }
        let mut set = 0;
        for &at in boxes {
            let Some(number) = graph.live_number[at] else { return Ok(graph) };
            set |= 1 << number;
        }
        graph.start = Some(graph.number(set, player));
        Ok(graph)
    }

    fn boxed(&self, set: u128, at: usize) -> bool {
        self.live_number[at].is_some_and(|number| set >> number & 1 == 1)
    }

    /// The player's walking distance to each square.
    fn walk(&self, set: u128, player: usize) -> Vec<Option<u32>> {
        let mut far = vec![None; self.near.len()];
        far[player] = Some(0);
        let mut queue = vec![player];
        let mut head = 0;
        while let Some(&at) = queue.get(head) {
            head += 1;
            for to in self.near[at].into_iter().flatten() {
                if far[to].is_none() && !self.boxed(set, to) {
                    far[to] = far[at].map(|d: u32| d + 1);
                    queue.push(to);
                }
            }
        }
        far
    }

    fn number(&self, set: u128, player: usize) -> u128 {
        let player = if self.by_pushes {
            self.walk(set, player).iter().position(Option::is_some).unwrap_or(player)
        } else {
            player
        };
        set << self.bits | player as u128
    }

    /// The boxes and the player.
    fn parts(&self, state: u128) -> (u128, usize) {
        (state >> self.bits, (state & ((1 << self.bits) - 1)) as usize)
    }

    fn boxes(&self, set: u128) -> impl Iterator<Item = usize> + '_ {
        (0..self.live.len()).filter(move |&i| set >> i & 1 == 1).map(|i| self.live[i])
    }
}

impl Graph for Boxes {
    fn start(&self) -> Option<u128> {
        self.start
    }

    fn is_state(&self, state: u128) -> bool {
        let (set, player) = self.parts(state);
        let fits = set.checked_shr(self.live.len() as u32).unwrap_or(0) == 0 && player < self.near.len();
        fits && !self.boxed(set, player) && self.number(set, player) == state
    }

    fn successors(&self, state: u128, visit: &mut dyn FnMut(u128, u32)) {
        let (set, player) = self.parts(state);
        let walk = self.walk(set, player);
        for at in self.boxes(set) {
            for way in 0..4 {
                let (Some(behind), Some(to)) = (self.near[at][back(way)], self.near[at][way]) else {
                    continue;
                };
                let (Some(steps), Some(new)) = (walk[behind], self.live_number[to]) else { continue };
                if self.boxed(set, to) {
                    continue;
                }
                let old = self.live_number[at].map_or(0, |number| 1 << number);
                let cost = if self.by_pushes { 1 } else { steps + 1 };
                visit(self.number(set & !old | 1 << new, at), cost);
            }
        }
    }

    fn is_goal(&self, state: u128) -> bool {
        self.boxes(self.parts(state).0).all(|at| self.goal[at])
    }

    /// The assignment bound: the least total pushes over all ways to give each box its own goal. A push moves one box by one
    /// square.
    fn bound(&self, state: u128) -> Option<u32> {
        if !self.bounded {
            return Some(0);
        }
        let boxes: Vec<usize> = self.boxes(self.parts(state).0).collect();
        assignment(boxes.len(), self.far.len(), |i, j| self.far[j][boxes[i]])
    }
}

/// The pushes that take a lone box from each square to this goal: a breadth-first search with pulls, so that the player has
/// room behind the box.
fn pulls(near: &[Near], goal: usize) -> Vec<Option<u32>> {
    let mut far = vec![None; near.len()];
    far[goal] = Some(0);
    let mut queue = vec![goal];
    let mut head = 0;
    while let Some(&at) = queue.get(head) {
        head += 1;
        for way in 0..4 {
            // The box comes from `from`, pushed by the player from the square behind.
            let Some(from) = near[at][back(way)] else { continue };
            if near[from][back(way)].is_some() && far[from].is_none() {
                far[from] = far[at].map(|d: u32| d + 1);
                queue.push(from);
            }
        }
    }
    far
}

/// The least cost of assigning each of `n` rows its own one of `m` columns; `None` if that is impossible. The Hungarian method
/// (Kuhn 1955) with potentials: rows are added one by one along a cheapest augmenting path.
fn assignment(n: usize, m: usize, cost: impl Fn(usize, usize) -> Option<u32>) -> Option<u32> {
    const NEVER: i64 = i64::MAX / 4;
    if n > m {
        return None;
    }
    let price = |i: usize, j: usize| cost(i, j).map_or(NEVER, i64::from);
    // Rows and columns count from 1; column 0 stands for the row that is being added.
    let (mut u, mut v) = (vec![0i64; n + 1], vec![0i64; m + 1]);
    let mut row_of = vec![0usize; m + 1];
    for i in 1..=n {
        row_of[0] = i;
        let (mut at, mut least, mut used, mut from) =
            (0, vec![NEVER; m + 1], vec![false; m + 1], vec![0; m + 1]);
        while row_of[at] != 0 {
            used[at] = true;
            let (mut delta, mut next) = (NEVER, 0);
            for j in 1..=m {
                if used[j] {
                    continue;
                }
                let here = price(row_of[at] - 1, j - 1);
                let reduced = if here == NEVER { NEVER } else { here - u[row_of[at]] - v[j] };
                if reduced < least[j] {
                    (least[j], from[j]) = (reduced, at);
                }
                if least[j] < delta {
                    (delta, next) = (least[j], j);
                }
            }
            if delta == NEVER {
                return None;
            }
            for j in 0..=m {
                if used[j] {
                    u[row_of[j]] += delta;
                    v[j] -= delta;
                } else if least[j] != NEVER {
                    least[j] -= delta;
                }
            }
            at = next;
        }
        while at != 0 {
            row_of[at] = row_of[from[at]];
            at = from[at];
        }
    }
    (1..=m).filter(|&j| row_of[j] > 0).map(|j| cost(row_of[j] - 1, j - 1)).sum()
}
