//! What the player must walk: the part of a plan that a bound on pushes does not see.
//!
//! Give every square a height, such that heights of neighbours differ by at most one. A step of the player climbs or falls
//! by what its two squares differ in, so the climbs and falls of a whole plan add up to the height of the last square less
//! that of the first. Call the *price* of a step 1 and what it climbs. No price is negative, and a plan takes as many
//! steps as its prices add up to, and the height at its beginning less the height at its end. Walks are priced at nothing
//! at least; and what the pushes are priced at, at the least, is again an assignment of boxes to goals: only that a push
//! now counts by where and in which direction it goes.
//!
//! With heights that fall from the goals to the boxes, a push towards the goals counts twice: once for itself, once for
//! the way back. Any heights give a lower bound, and one that is consistent. Good ones are found by climbing: the pushes of
//! the cheapest assignment begin and end the player's walks at certain squares, and raising the height where walks must
//! begin and lowering it where they must end makes the bound grow, until the cheapest assignment changes.
//! (In the language of linear programming: the dual of a flow of boxes and player, bound together by the pushes.)

use beeline_search::{Limit, Meter};

use super::store::End;
use super::symmetry::Symmetry;
use crate::board::{DIRS, Square};
use crate::field::{BoxState, FAR, Field, SPREAD, spread};
use crate::matching::{Matching, NEVER};

/// A step counts as much as this, so that heights can be finer than steps.
const STEP: i32 = 32;

/// Work for each step of the assignment of boxes to goals, which are at most cubic in the boxes, in units of [`Meter::work`].
const MATCH: u64 = 2;

/// Boards with more squares than this are searched on level ground.
const LARGEST: usize = 500;

/// A height for every square.
#[derive(Clone, Debug)]
pub(crate) struct Potentials {
    of: Vec<i32>,
    /// What a step counts.
    step: i32,
    /// The height where the player starts, and the colour of that square.
    start: (i32, u8),
    /// The greatest height where a plan can end, on squares of each colour.
    ends: [Option<i32>; 2],
    /// The colours of the squares, as on a chessboard: every step changes it.
    colours: Vec<u8>,
    /// May a position stand for its mirror image with the player on the other colour?
    either_colour: bool,
}

/// A position that the bound should be large for: where its boxes are, and its player.
pub(crate) type Sample = (Vec<Square>, Square);

impl Potentials {
    /// Level ground.
    pub(crate) fn level(field: &Field, symmetry: &Symmetry) -> Self {
        let board = field.board();
        let colour = |s: Square| {
            let (row, column) = board.place(s);
            ((row + column) % 2) as u8
        };
        let colours: Vec<u8> = (0..field.squares() as Square).map(colour).collect();
        let start = (0, colours[board.player() as usize]);
        let either_colour = symmetry.changes(&colours);
        let of = vec![0; field.squares()];
        let mut potentials = Self { of, step: 1, start, ends: [None; 2], colours, either_colour };
        potentials.settle(field);
        potentials
    }

    /// Can they be anything but level on this board, with numbers that are not too large?
    pub(crate) fn can_differ(field: &Field) -> bool {
        let boxes = field.board().goals().len().max(field.board().boxes().len());
        field.squares() <= LARGEST && 4 * STEP as usize * boxes * field.squares() < NEVER as usize
    }

    /// Looks for heights that make the bounds of some positions large, beginning with these.
    pub(crate) fn climb(
        &self,
        field: &Field,
        symmetry: &Symmetry,
        end: End,
        samples: &[Sample],
        rounds: usize,
        meter: &mut Meter,
    ) -> Result<Self, Limit> {
        let mut climber = Climber::new(self.clone(), field, end);
        let mut best = (i64::MIN, None);
        for round in 0..rounds {
            let Some(value) = climber.measure(samples, meter)? else { break };
            if value > best.0 {
                best = (value, Some(climber.potentials.clone()));
            }
            climber.step(round);
            symmetry.even_out(&mut climber.potentials.of);
            climber.potentials.settle(field);
        }
        Ok(best.1.unwrap_or_else(|| self.clone()))
    }

    /// Notes the heights of the first and the last squares.
    fn settle(&mut self, field: &Field) {
        self.start.0 = self.of[field.board().player() as usize];
        self.ends = [None; 2];
        for end in ends(field) {
            let (height, colour) = (self.of[end as usize], self.colours[end as usize]);
            let best = &mut self.ends[colour as usize];
            *best = Some(best.map_or(height, |h| h.max(height)));
        }
    }

    /// What a push counts that takes the player from one square to the next.
    #[inline]
    pub(crate) fn price(&self, from: Square, to: Square) -> u16 {
        (self.step + self.of[to as usize] - self.of[from as usize]).clamp(0, i32::from(FAR) - 1) as u16
    }

    /// Steps still to take, with the player here and the boxes assigned for `least`.
    #[inline]
    pub(crate) fn ahead(&self, player: Square, least: u32) -> u32 {
        let (height, colour) = (self.of[player as usize], self.colours[player as usize]);
        let to =
            |end: u8| self.ends[end as usize].map(|there| self.steps(height - there, least, colour ^ end));
        match (to(0), to(1)) {
            (Some(one), Some(other)) => one.min(other),
            (one, other) => one.or(other).unwrap_or(0),
        }
    }

    /// Steps that were taken, with the player here and the boxes assigned for `least`.
    #[inline]
    pub(crate) fn behind(&self, player: Square, least: u32) -> u32 {
        let odd = self.start.1 ^ self.colours[player as usize];
        let fall = self.start.0 - self.of[player as usize];
        let steps = self.steps(fall, least, odd);
        // The start has a colour, and its image may have the other.
        if self.either_colour { steps.min(self.steps(fall, least, odd ^ 1)) } else { steps }
    }

    /// Whole steps, an even or an odd number of them.
    #[inline]
    fn steps(&self, fall: i32, least: u32, odd: u8) -> u32 {
        let total = (fall + least as i32).max(0) as u32;
        let steps = total.div_ceil(self.step as u32);
        steps + ((steps ^ u32::from(odd)) & 1)
    }
}

/// Where the player can stand after the last push: behind a box that has come to a goal.
fn ends(field: &Field) -> impl Iterator<Item = Square> + '_ {
    let near = field.near();
    let is_floor = |s: Square| (s as usize) < field.squares();
    let sides = field.board().goals().iter().flat_map(|&goal| DIRS.map(|dir| (goal, dir)));
    sides.filter_map(move |(goal, dir)| {
        let end = near[goal as usize][dir as usize];
        (is_floor(end) && is_floor(near[end as usize][dir as usize])).then_some(end)
    })
}

/// Looks for good heights.
struct Climber<'a> {
    field: &'a Field,
    end: End,
    potentials: Potentials,
    square_of: Vec<Square>,
    matching: Matching,
    /// What would make the bounds grow.
    pull: Vec<f32>,
}

impl<'a> Climber<'a> {
    fn new(mut potentials: Potentials, field: &'a Field, end: End) -> Self {
        let mut square_of = Vec::new();
        for square in 0..field.squares() as Square {
            square_of.extend(field.box_states_on(square).map(|_| square));
        }
        // Level ground counts in whole steps.
        if potentials.step != STEP {
            potentials.of.iter_mut().for_each(|height| *height *= STEP);
            potentials.step = STEP;
        }
        let pull = vec![0.0; field.squares()];
        Self { field, end, potentials, square_of, matching: Matching::default(), pull }
    }

    /// The bounds of the samples with the present heights, summed, and in `pull` what would make them grow.
    fn measure(&mut self, samples: &[Sample], meter: &mut Meter) -> Result<Option<i64>, Limit> {
        let (field, board) = (self.field, self.field.board());
        let near = field.near();
        let potentials = &self.potentials;
        let mut edges =
            field.edges(|square, dir| potentials.price(near[square as usize][dir.back() as usize], square));
        if self.end == End::Front {
            edges = turned(&edges);
        }
        let columns = if self.end == End::Front { board.goals() } else { board.boxes() };
        // Prices are about as many as steps are fine.
        meter.work(SPREAD * (STEP as u64 / 4) * (columns.len() * edges.len()) as u64)?;
        let ways: Vec<(Vec<u16>, Vec<BoxState>)> = columns
            .iter()
            .map(|&root| {
                let mut came = vec![BoxState::MAX; self.square_of.len()];
                let roots = if self.end == End::Front {
                    field.box_states_on(root)
                } else {
                    field.first_box_states(root)
                };
                let far = spread(&edges, roots, |to, from| came[to as usize] = from);
                (far, came)
            })
            .collect();
        let Some(last) = ends(field).max_by_key(|&e| potentials.of[e as usize]) else { return Ok(None) };
        let mut sum = 0;
        self.pull.fill(0.0);
        let mut rows: Vec<u16> = Vec::new();
        for (boxes, player) in samples {
            meter.work(MATCH * (boxes.len() * boxes.len() * columns.len()) as u64)?;
            let box_states = boxes.iter().map(|&b| field.box_state(b, *player));
            rows.clear();
            box_states.clone().for_each(|s| rows.extend(ways.iter().map(|(far, _)| far[s as usize])));
            let Some(least) = self.matching.solve(columns.len(), rows.chunks(columns.len())) else {
                continue;
            };
            let (from, to) = if self.end == End::Front { (*player, last) } else { (board.player(), *player) };
            sum += i64::from(potentials.of[from as usize] - potentials.of[to as usize]) + i64::from(least);
            self.pull[from as usize] += 1.0;
            self.pull[to as usize] -= 1.0;
            for (i, mut box_state) in box_states.enumerate() {
                let came = &ways[self.matching.column(i)].1;
                while came[box_state as usize] != BoxState::MAX {
                    let (here, next) = (self.square_of[box_state as usize], came[box_state as usize]);
                    let there = self.square_of[next as usize];
                    let (from, to) = if self.end == End::Front { (here, there) } else { (there, here) };
                    if let Some(dir) = DIRS.into_iter().find(|&d| near[from as usize][d as usize] == to) {
                        self.pull[from as usize] += 1.0;
                        self.pull[near[from as usize][dir.back() as usize] as usize] -= 1.0;
                    }
                    box_state = next;
                }
            }
        }
        Ok(Some(sum))
    }

    /// Goes a little the way of the pull.
    fn step(&mut self, round: usize) {
        let length = self.pull.iter().map(|p| p * p).sum::<f32>().max(1.0);
        let pace = 3.0 * STEP as f32 / (1.0 + round as f32 * 0.1).sqrt() / length.sqrt();
        for (height, pull) in self.potentials.of.iter_mut().zip(&self.pull) {
            *height += (pace * pull).round() as i32;
        }
        self.smooth();
    }

    /// Makes slopes gentle enough again: half way between cutting peaks off and filling hollows in.
    fn smooth(&mut self) {
        let (near, n) = (self.field.near(), self.field.squares());
        let (mut low, mut high) = (self.potentials.of.clone(), self.potentials.of.clone());
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
        for (height, (low, high)) in self.potentials.of.iter_mut().zip(low.into_iter().zip(high)) {
            *height = (low + high).div_euclid(2);
        }
    }
}

/// The same edges the other way round.
fn turned(edges: &[Vec<(BoxState, u16)>]) -> Vec<Vec<(BoxState, u16)>> {
    let mut back = vec![Vec::new(); edges.len()];
    for (from, edges) in edges.iter().enumerate() {
        for &(to, price) in edges {
            back[to as usize].push((from as BoxState, price));
        }
    }
    back
}
