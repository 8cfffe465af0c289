//! Potentials: a lower bound on steps that includes the player's walks.
//!
//! Give every square a potential, such that the potentials of neighbours differ by at most one step. The
//! *price* of a step is 1 plus the difference of potential between its two squares. No price is negative.
//! Over a plan the differences telescope: the number of steps is the sum of prices plus the potential at its
//! first square minus that at its last. Walks are priced at zero as a lower bound. The least total price of
//! the pushes is again an assignment of boxes to goals, where a push is priced by its square and direction.
//!
//! With potentials that rise towards the goals, a push towards the goals counts twice: for itself and for the
//! way back. Any potentials give a consistent lower bound. Good ones are found by subgradient ascent. In the
//! cheapest assignment, the walks between pushes begin and end at certain squares. Raising the potential
//! where walks must begin, and lowering it where they must end, increases the bound until the cheapest
//! assignment changes. (In linear programming: the dual of a flow of boxes and player, coupled by the
//! pushes.)

use beeline_search::{Limit, Meter};

use super::symmetry::Symmetry;
use crate::board::{DIRS, Dir, Square};
use crate::field::{BoxState, DIJKSTRA_WORK, FAR, Field, dijkstra, reversed};
use crate::matching::{Matching, NEVER};

/// Potential units per step, so that potentials can be fractions of a step.
const STEP: i32 = 32;

/// Work per operation of the assignment, which takes at most cubic time in the boxes, in units of
/// [`Meter::work`].
const ASSIGNMENT_WORK: u64 = 2;

/// Boards with more squares keep zero potentials.
const MOST_SQUARES: usize = 500;

/// A potential for every square.
#[derive(Clone, Debug)]
pub(crate) struct Potentials {
    values: Vec<i32>,
    /// Potential units per step: 1 or [`STEP`].
    step: i32,
    /// The potential and the colour of the player's first square.
    start: (i32, u8),
    /// The greatest potential where a plan can end, on squares of each colour.
    ends: [Option<i32>; 2],
    /// The colours of the squares, as on a chessboard. Every step changes the colour.
    colours: Vec<u8>,
    /// May a position represent a mirror image whose player is on the other colour?
    either_colour: bool,
}

impl Potentials {
    /// Potentials that are all zero.
    pub(crate) fn zero(field: &Field, symmetry: &Symmetry) -> Self {
        let board = field.board();
        let colour = |s: Square| {
            let (row, column) = board.place(s);
            ((row + column) % 2) as u8
        };
        let colours: Vec<u8> = (0..field.squares() as Square).map(colour).collect();
        let start = (0, colours[board.player() as usize]);
        let either_colour = symmetry.changes(&colours);
        let values = vec![0; field.squares()];
        let mut potentials = Self { values, step: 1, start, ends: [None; 2], colours, either_colour };
        potentials.update_ends(field);
        potentials
    }

    /// Can this board have other potentials than zero without numeric overflow?
    pub(crate) fn can_differ(field: &Field) -> bool {
        let boxes = field.board().goals().len().max(field.board().boxes().len());
        field.squares() <= MOST_SQUARES && 4 * STEP as usize * boxes * field.squares() < NEVER as usize
    }

    /// Improves these potentials by subgradient ascent so that the bound of the start is large.
    pub(crate) fn optimized(
        &self,
        field: &Field,
        symmetry: &Symmetry,
        rounds: usize,
        meter: &mut Meter,
    ) -> Result<Self, Limit> {
        let mut ascent = SubgradientAscent::new(self.clone(), field);
        let mut best = (i32::MIN, None);
        for round in 0..rounds {
            let Some(value) = ascent.measure(meter)? else { break };
            if value > best.0 {
                best = (value, Some(ascent.potentials.clone()));
            }
            ascent.step(round);
            symmetry.average_over_images(&mut ascent.potentials.values);
            ascent.potentials.update_ends(field);
        }
        Ok(best.1.unwrap_or_else(|| self.clone()))
    }

    /// Updates the potentials of the first and the last squares.
    fn update_ends(&mut self, field: &Field) {
        self.start.0 = self.values[field.board().player() as usize];
        self.ends = [None; 2];
        for end in ends(field) {
            let (height, colour) = (self.values[end as usize], self.colours[end as usize]);
            let best = &mut self.ends[colour as usize];
            *best = Some(best.map_or(height, |h| h.max(height)));
        }
    }

    /// The price of a push of the box on a square in a direction: the player comes to that square.
    #[inline]
    pub(crate) fn push_price(&self, field: &Field, to: Square, dir: Dir) -> u16 {
        let from = field.near()[to as usize][dir.back() as usize];
        (self.step + self.values[to as usize] - self.values[from as usize]).clamp(0, i32::from(FAR) - 1)
            as u16
    }

    /// Lower bound on the steps that remain, with the player here and an assignment of total `least`.
    #[inline]
    pub(crate) fn steps_to_goal(&self, player: Square, least: u32) -> u32 {
        let (height, colour) = (self.values[player as usize], self.colours[player as usize]);
        let to =
            |end: u8| self.ends[end as usize].map(|there| self.steps(height - there, least, colour ^ end));
        match (to(0), to(1)) {
            (Some(one), Some(other)) => one.min(other),
            (one, other) => one.or(other).unwrap_or(0),
        }
    }

    /// Lower bound on the steps already taken, with the player here and an assignment of total `least`.
    #[inline]
    pub(crate) fn steps_from_start(&self, player: Square, least: u32) -> u32 {
        let odd = self.start.1 ^ self.colours[player as usize];
        let fall = self.start.0 - self.values[player as usize];
        let steps = self.steps(fall, least, odd);
        // The image of the start may have the other colour.
        if self.either_colour { steps.min(self.steps(fall, least, odd ^ 1)) } else { steps }
    }

    /// Converts units to whole steps, rounded up to the given parity.
    #[inline]
    fn steps(&self, fall: i32, least: u32, odd: u8) -> u32 {
        let total = (fall + least as i32).max(0) as u32;
        let steps = total.div_ceil(self.step as u32);
        steps + ((steps ^ u32::from(odd)) & 1)
    }
}

/// Squares where the player can stand after the last push: behind a box on a goal.
fn ends(field: &Field) -> impl Iterator<Item = Square> + '_ {
    let near = field.near();
    let is_floor = |s: Square| (s as usize) < field.squares();
    let sides = field.board().goals().iter().flat_map(|&goal| DIRS.map(|dir| (goal, dir)));
    sides.filter_map(move |(goal, dir)| {
        let end = near[goal as usize][dir as usize];
        (is_floor(end) && is_floor(near[end as usize][dir as usize])).then_some(end)
    })
}

/// Subgradient ascent on the potentials.
struct SubgradientAscent<'a> {
    field: &'a Field,
    potentials: Potentials,
    square_of: Vec<Square>,
    matching: Matching,
    /// The subgradient of the bound.
    gradient: Vec<f32>,
}

impl<'a> SubgradientAscent<'a> {
    fn new(mut potentials: Potentials, field: &'a Field) -> Self {
        let mut square_of = Vec::new();
        for square in 0..field.squares() as Square {
            square_of.extend(field.box_states_on(square).map(|_| square));
        }
        // Zero potentials count in whole steps.
        if potentials.step != STEP {
            potentials.values.iter_mut().for_each(|height| *height *= STEP);
            potentials.step = STEP;
        }
        let gradient = vec![0.0; field.squares()];
        Self { field, potentials, square_of, matching: Matching::default(), gradient }
    }

    /// The bound of the start with the present potentials. Also computes its subgradient.
    fn measure(&mut self, meter: &mut Meter) -> Result<Option<i32>, Limit> {
        let (field, board) = (self.field, self.field.board());
        let (near, player, goals) = (field.near(), board.player(), board.goals().len());
        let potentials = &self.potentials;
        let edges = reversed(&field.edges(|square, dir| potentials.push_price(field, square, dir)));
        // There are about as many distinct prices as units per step.
        meter.work(DIJKSTRA_WORK * (STEP as u64 / 4) * (goals * edges.len()) as u64)?;
        meter.work(ASSIGNMENT_WORK * (board.boxes().len().pow(2) * goals) as u64)?;
        let ways: Vec<(Vec<u16>, Vec<BoxState>)> = board
            .goals()
            .iter()
            .map(|&goal| {
                let mut next = vec![BoxState::MAX; self.square_of.len()];
                let far = dijkstra(&edges, field.box_states_on(goal), |at, to| next[at as usize] = to);
                (far, next)
            })
            .collect();
        let Some(last) = ends(field).max_by_key(|&e| potentials.values[e as usize]) else { return Ok(None) };
        self.gradient.fill(0.0);
        let box_states = board.boxes().iter().map(|&b| field.box_state(b, player));
        let rows: Vec<u16> =
            box_states.clone().flat_map(|s| ways.iter().map(move |(far, _)| far[s as usize])).collect();
        let Some(least) = self.matching.solve(goals, rows.chunks(goals)) else { return Ok(Some(0)) };
        self.gradient[player as usize] += 1.0;
        self.gradient[last as usize] -= 1.0;
        for (i, mut box_state) in box_states.enumerate() {
            let next = &ways[self.matching.column(i)].1;
            while next[box_state as usize] != BoxState::MAX {
                let (from, to) =
                    (self.square_of[box_state as usize], self.square_of[next[box_state as usize] as usize]);
                if let Some(dir) = DIRS.into_iter().find(|&d| near[from as usize][d as usize] == to) {
                    self.gradient[from as usize] += 1.0;
                    self.gradient[near[from as usize][dir.back() as usize] as usize] -= 1.0;
                }
                box_state = next[box_state as usize];
            }
        }
        Ok(Some(potentials.values[player as usize] - potentials.values[last as usize] + least as i32))
    }

    /// Takes one step along the subgradient.
    fn step(&mut self, round: usize) {
        let length = self.gradient.iter().map(|p| p * p).sum::<f32>().max(1.0);
        let pace = 3.0 * STEP as f32 / (1.0 + round as f32 * 0.1).sqrt() / length.sqrt();
        for (height, gradient) in self.potentials.values.iter_mut().zip(&self.gradient) {
            *height += (pace * gradient).round() as i32;
        }
        self.restore_slopes();
    }

    /// Restores the limit on the difference between neighbours: the mean of the greatest valid potentials
    /// below and the least valid ones above.
    fn restore_slopes(&mut self) {
        let (near, n) = (self.field.near(), self.field.squares());
        let (mut low, mut high) = (self.potentials.values.clone(), self.potentials.values.clone());
        let mut changed = true;
        while changed {
            changed = false;
            for square in (0..n).chain((0..n).rev()) {
                for &beside in near[square].iter().filter(|&&s| (s as usize) < n) {
                    let (lower, higher) = (low[beside as usize] + STEP, high[beside as usize] - STEP);
                    changed |= lower < low[square] || higher > high[square];
                    low[square] = low[square].min(lower);
                    high[square] = high[square].max(higher);
                }
            }
        }
        for (height, (low, high)) in self.potentials.values.iter_mut().zip(low.into_iter().zip(high)) {
            *height = (low + high).div_euclid(2);
        }
    }
}
