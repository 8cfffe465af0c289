//! Small random worlds with their true distances.

use beeline_search::{Claim, Cost, DEAD, Heuristic, Random, Space};

/// A directed graph with costs: states are numbers, a move is the index of an edge.
#[derive(Clone, Debug)]
pub struct World {
    pub edges: Vec<Vec<(u16, Cost)>>,
    pub goals: Vec<bool>,
    pub unit: bool,
    pub both_ways: bool,
}

impl World {
    /// A random world of `n` states; `unit` costs or 1 to 9; `both_ways` adds the way back to every edge.
    pub fn random(seed: u64, n: usize, unit: bool, both_ways: bool) -> Self {
        let mut random = Random::new(seed);
        let mut edges = vec![Vec::new(); n];
        for _ in 0..n * (1 + random.below(3)) {
            let (a, b) = (random.below(n), random.below(n));
            let cost = if unit { 1 } else { 1 + random.below(9) as Cost };
            edges[a].push((b as u16, cost));
            if both_ways {
                edges[b].push((a as u16, cost));
            }
        }
        let mut goals = vec![false; n];
        for _ in 0..random.below(3) {
            goals[random.below(n)] = true;
        }
        Self { edges, goals, unit, both_ways }
    }

    /// The true distance of every state to the nearest goal, by relaxing every edge until nothing changes.
    pub fn distances(&self) -> Vec<Option<u64>> {
        let mut distance: Vec<Option<u64>> = self.goals.iter().map(|&goal| goal.then_some(0)).collect();
        loop {
            let mut changed = false;
            for (from, edges) in self.edges.iter().enumerate() {
                for &(to, cost) in edges {
                    let through = distance[usize::from(to)].map(|d| d + u64::from(cost));
                    if through.is_some_and(|t| distance[from].is_none_or(|d| t < d)) {
                        distance[from] = through;
                        changed = true;
                    }
                }
            }
            if !changed {
                return distance;
            }
        }
    }
}

impl Space for World {
    type State = u16;
    type Move = u16;
    type Undo = u16;
    type Moves = std::ops::Range<u16>;
    type Key = u16;

    fn start(&self) -> u16 {
        0
    }
    fn moves(&self, state: &u16) -> Self::Moves {
        0..self.edges[usize::from(*state)].len() as u16
    }
    fn apply(&self, state: &mut u16, mv: u16) -> u16 {
        let before = *state;
        *state = self.edges[usize::from(before)][usize::from(mv)].0;
        before
    }
    fn undo(&self, state: &mut u16, _: u16, before: u16) {
        *state = before;
    }
    fn is_goal(&self, state: &u16) -> bool {
        self.goals[usize::from(*state)]
    }
    fn pack(&self, state: &u16) -> u16 {
        *state
    }
    fn unpack(&self, key: &u16) -> u16 {
        *key
    }
    fn cost(&self, state: &u16, mv: u16) -> Cost {
        self.edges[usize::from(*state)][usize::from(mv)].1
    }
    fn unit_cost(&self) -> bool {
        self.unit
    }
    fn reversible(&self) -> bool {
        self.both_ways
    }
    fn goals(&self) -> Option<Vec<u16>> {
        Some((0..self.goals.len() as u16).filter(|&s| self.goals[usize::from(s)]).collect())
    }
    /// Two digits of the state's number.
    fn domains(&self) -> Option<Vec<u32>> {
        Some(vec![8, self.goals.len().div_ceil(8) as u32])
    }
    fn values(&self, state: &u16, values: &mut [u32]) {
        values[0] = u32::from(*state % 8);
        values[1] = u32::from(*state / 8);
    }
}

/// A table of estimates.
#[derive(Clone, Debug)]
pub struct Estimates {
    pub values: Vec<Cost>,
    pub claim: Claim,
}

impl Estimates {
    /// Random estimates that never overestimate; mostly not consistent. States without a goal may be called dead.
    pub fn admissible(world: &World, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let values = world.distances().into_iter().map(|d| match d {
            Some(d) => random.below(d as usize + 1) as Cost,
            None => [DEAD, 3][random.below(2)],
        });
        Self { values: values.collect(), claim: Claim::Admissible }
    }
}

impl Heuristic<World> for Estimates {
    type Memo = Cost;
    type Scratch = ();
    fn root(&self, _: &World, state: &u16, (): &mut ()) -> Cost {
        self.values[usize::from(*state)]
    }
    fn value(&self, memo: Cost) -> Cost {
        memo
    }
    fn claim(&self) -> Claim {
        self.claim
    }
}
