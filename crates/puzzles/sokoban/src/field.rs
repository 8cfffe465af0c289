//! Push distances of a lone box, and the dead squares that follow from them.
//!
//! A lone box stands on a square, and the player is in one of the regions into which the box cuts the board.
//! That pair is a *box state*. The player cannot change regions without pushing the box. Neither walking nor
//! pushing other boxes changes a box's state. So the distance of one box drops by at most one a push. The
//! bound built on it is consistent, and a push changes only one of its rows.

use std::convert::Infallible;

use beeline_search::{Limit, Meter};

use super::board::{Board, DIRS, Dir, NOWHERE, Square};

/// Infinite distance.
pub const FAR: u16 = u16::MAX;

/// The index of a box state: the square of a box and the player's region.
pub type BoxState = u16;

/// Distances of lone boxes on one board, towards the goals and away from the start.
#[derive(Clone, Debug)]
pub struct Field {
    board: Board,
    squares: usize,
    /// Neighbours; `squares` stands for [`NOWHERE`].
    near: Vec<[Square; 4]>,
    /// The index of the first box state of each square; the last entry is the number of box states.
    first: Vec<BoxState>,
    /// `region[square * squares + player]`: the player's region when the box is on the square.
    region: Vec<u8>,
    /// For each box state and direction, the box state after a push.
    pushes: Vec<[BoxState; 4]>,
    /// Distances of lone boxes in pushes.
    rows: DistanceRows,
    /// May the player start on any side of the boxes?
    any_side: bool,
    /// For each square: can a lone box on it reach some goal?
    alive: Vec<bool>,
    /// For each square: can some box of the start reach it, and a goal from there?
    useful: Vec<bool>,
}

const NO_BOX_STATE: BoxState = BoxState::MAX;

/// Work per square of a flood fill, and per box state of a run of Dijkstra's algorithm, in units of
/// [`Meter::work`]. Measured on open boards of 256 to 4,096 squares.
pub(crate) const FLOOD_WORK: u64 = 8;
pub(crate) const DIJKSTRA_WORK: u64 = 32;

/// Called with bytes before they are allocated, and with work before it is done.
pub(crate) type Charge<'a, E> = &'a mut dyn FnMut(usize, u64) -> Result<(), E>;

/// Claims bytes and charges work with a meter.
pub(crate) fn charge(meter: &mut Meter, bytes: usize, work: u64) -> Result<(), Limit> {
    meter.ledger.claim(bytes)?;
    meter.work(work)
}

/// Distances of a lone box from each box state to each goal, and from each box of the start to each box
/// state.
#[derive(Clone, Debug, Default)]
pub(crate) struct DistanceRows {
    goals: usize,
    boxes: usize,
    to_goal: Vec<u16>,
    from_box: Vec<u16>,
}

impl DistanceRows {
    /// Bytes allocated.
    pub(crate) fn bytes(&self) -> usize {
        (self.to_goal.len() + self.from_box.len()) * size_of::<u16>()
    }

    /// Distances from a box state to each goal.
    #[inline(always)]
    pub(crate) fn goal_distances(&self, box_state: BoxState) -> &[u16] {
        &self.to_goal[box_state as usize * self.goals..(box_state as usize + 1) * self.goals]
    }

    /// Distances to a box state from each box of the start.
    #[inline(always)]
    pub(crate) fn start_distances(&self, box_state: BoxState) -> &[u16] {
        &self.from_box[box_state as usize * self.boxes..(box_state as usize + 1) * self.boxes]
    }
}

impl Field {
    /// Computes the distances, without limits.
    pub fn new(board: &Board) -> Self {
        let Ok(field) = Self::build::<Infallible>(board, false, &mut |_, _| Ok(()));
        field
    }

    /// Like [`new`](Field::new), within the limits of a meter. With `any_side`, the player may start on any
    /// side of each box. Distances from the start are then equal for positions that are reflections of each
    /// other.
    pub(crate) fn within(board: &Board, any_side: bool, meter: &mut Meter) -> Result<Self, Limit> {
        Self::build(board, any_side, &mut |bytes, work| charge(meter, bytes, work))
    }

    /// `charge` is called with bytes before they are allocated, and with work (in units of [`Meter::work`])
    /// before it is done.
    fn build<E>(board: &Board, any_side: bool, charge: Charge<'_, E>) -> Result<Self, E> {
        let squares = board.squares();
        let near: Vec<[Square; 4]> = board
            .near()
            .iter()
            .map(|four| four.map(|s| if s == NOWHERE { squares as Square } else { s }))
            .collect();
        charge(squares * squares, 0)?;
        let mut field = Self {
            board: board.clone(),
            squares,
            near,
            first: Vec::with_capacity(squares + 1),
            region: vec![0; squares * squares],
            pushes: Vec::new(),
            rows: DistanceRows::default(),
            any_side,
            alive: Vec::new(),
            useful: Vec::new(),
        };
        field.find_regions(charge)?;
        field.find_pushes();
        field.find_live_squares(charge)?;
        Ok(field)
    }

    /// Numbers the regions of the player for a box on each square.
    fn find_regions<E>(&mut self, charge: Charge<'_, E>) -> Result<(), E> {
        let n = self.squares;
        let mut todo: Vec<Square> = Vec::with_capacity(n);
        let mut next = 0;
        for square in 0..n {
            charge(0, FLOOD_WORK * n as u64)?;
            self.first.push(next);
            let region = &mut self.region[square * n..(square + 1) * n];
            region.fill(u8::MAX);
            let mut count = 0;
            for from in self.near[square] {
                if from as usize == n || region[from as usize] != u8::MAX {
                    continue;
                }
                region[from as usize] = count;
                todo.push(from);
                while let Some(at) = todo.pop() {
                    for to in self.near[at as usize] {
                        if (to as usize) < n && to as usize != square && region[to as usize] == u8::MAX {
                            region[to as usize] = count;
                            todo.push(to);
                        }
                    }
                }
                count += 1;
            }
            next += BoxState::from(count.max(1));
        }
        self.first.push(next);
        Ok(())
    }

    fn find_pushes(&mut self) {
        let n = self.squares;
        self.pushes = vec![[NO_BOX_STATE; 4]; self.box_states()];
        for square in 0..n {
            for dir in DIRS {
                let from = self.near[square][dir.back() as usize];
                let to = self.near[square][dir as usize];
                if (from as usize) < n && (to as usize) < n {
                    let box_state = self.box_state(square as Square, from);
                    self.pushes[box_state as usize][dir as usize] = self.box_state(to, square as Square);
                }
            }
        }
    }

    /// Distances of lone boxes where `price` gives the price of a push, by the square of the box and the
    /// direction.
    pub(crate) fn rows_by_price<E>(
        &self,
        price: impl Fn(Square, Dir) -> u16,
        charge: Charge<'_, E>,
    ) -> Result<DistanceRows, E> {
        let box_states = self.box_states();
        let forth = self.edges(price);
        let back = reversed(&forth);
        let (goals, boxes) = (self.board.goals(), self.board.boxes());
        charge(box_states * (goals.len() + boxes.len()) * size_of::<u16>(), 0)?;
        let mut to_goal = vec![FAR; box_states * goals.len()];
        for (i, &goal) in goals.iter().enumerate() {
            charge(0, DIJKSTRA_WORK * box_states as u64)?;
            let distance = dijkstra(&back, self.box_states_on(goal), |_, _| {});
            for (box_state, &d) in distance.iter().enumerate() {
                to_goal[box_state * goals.len() + i] = d;
            }
        }
        let mut from_box = vec![FAR; box_states * boxes.len()];
        for (i, &at) in boxes.iter().enumerate() {
            charge(0, DIJKSTRA_WORK * box_states as u64)?;
            let distance = dijkstra(&forth, self.first_box_states(at), |_, _| {});
            for (box_state, &d) in distance.iter().enumerate() {
                from_box[box_state * boxes.len() + i] = d;
            }
        }
        Ok(DistanceRows { goals: goals.len(), boxes: boxes.len(), to_goal, from_box })
    }

    /// For each box state, the box states after a push and the price of that push.
    pub(crate) fn edges(&self, price: impl Fn(Square, Dir) -> u16) -> Vec<Vec<(BoxState, u16)>> {
        let mut forth = vec![Vec::new(); self.box_states()];
        for square in 0..self.squares as Square {
            for from in self.box_states_on(square) {
                for (dir, to) in DIRS.into_iter().zip(self.pushes[from as usize]) {
                    if to != NO_BOX_STATE {
                        forth[from as usize].push((to, price(square, dir)));
                    }
                }
            }
        }
        forth
    }

    /// The box states of a box on a square.
    pub(crate) fn box_states_on(&self, square: Square) -> std::ops::Range<BoxState> {
        self.first[square as usize]..self.first[square as usize + 1]
    }

    /// The box states that a box of the start may have.
    pub(crate) fn first_box_states(&self, square: Square) -> std::ops::Range<BoxState> {
        if self.any_side {
            return self.box_states_on(square);
        }
        let box_state = self.box_state(square, self.board.player());
        box_state..box_state + 1
    }

    fn find_live_squares<E>(&mut self, charge: Charge<'_, E>) -> Result<(), E> {
        self.rows = self.rows_by_price(|_, _| 1, charge)?;
        let near = |row: &[u16]| row.iter().any(|&d| d != FAR);
        let all = 0..self.squares as Square;
        self.alive = all
            .clone()
            .map(|s| self.box_states_on(s).any(|box_state| near(self.goal_row(box_state))))
            .collect();
        let both = |box_state: BoxState| near(self.goal_row(box_state)) && near(self.box_row(box_state));
        self.useful = all.map(|s| self.box_states_on(s).any(both)).collect();
        Ok(())
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The number of squares. In [`near`](Field::near) it stands for "no square".
    #[inline(always)]
    pub fn squares(&self) -> usize {
        self.squares
    }

    /// Neighbours of every square; `squares()` where there is none.
    #[inline(always)]
    pub fn near(&self) -> &[[Square; 4]] {
        &self.near
    }

    fn box_states(&self) -> usize {
        self.first.last().map_or(0, |&n| n as usize)
    }

    /// The box state of a box on `square` while the player is at `player`, which is another square.
    #[inline(always)]
    pub fn box_state(&self, square: Square, player: Square) -> BoxState {
        let region = self.region[square as usize * self.squares + player as usize];
        // Cannot happen: all squares are connected, so the box touches every region of the player.
        self.first[square as usize] + if region == u8::MAX { 0 } else { BoxState::from(region) }
    }

    /// Pushes from a box state to each goal.
    #[inline(always)]
    pub fn goal_row(&self, box_state: BoxState) -> &[u16] {
        self.rows.goal_distances(box_state)
    }

    /// Pushes to a box state from each box of the start.
    #[inline(always)]
    pub fn box_row(&self, box_state: BoxState) -> &[u16] {
        self.rows.start_distances(box_state)
    }

    /// Can a lone box on this square reach some goal? If not, the square is dead.
    #[inline(always)]
    pub fn alive(&self, square: Square) -> bool {
        self.alive[square as usize]
    }

    /// Can some box of the start reach this square, and a goal from there?
    #[inline(always)]
    pub fn useful(&self, square: Square) -> bool {
        self.useful[square as usize]
    }
}

/// The same edges, reversed.
pub(crate) fn reversed(edges: &[Vec<(BoxState, u16)>]) -> Vec<Vec<(BoxState, u16)>> {
    let mut back = vec![Vec::new(); edges.len()];
    for (from, edges) in edges.iter().enumerate() {
        for &(to, price) in edges {
            back[to as usize].push((from as BoxState, price));
        }
    }
    back
}

/// Shortest distances from the roots to each box state (Dijkstra's algorithm with one bucket per distance,
/// modulo the largest price). `on_reached(to, from)` is called each time a distance improves; the last call
/// for a box state gives its predecessor.
pub(crate) fn dijkstra(
    edges: &[Vec<(BoxState, u16)>],
    roots: std::ops::Range<BoxState>,
    mut on_reached: impl FnMut(BoxState, BoxState),
) -> Vec<u16> {
    let max_price = edges.iter().flatten().map(|&(_, price)| price).max().unwrap_or(0);
    let mut distance = vec![FAR; edges.len()];
    // Open distances exceed the current one by at most one edge, so the buckets can be reused cyclically.
    let mut buckets: Vec<Vec<BoxState>> = vec![Vec::new(); max_price as usize + 1];
    for root in roots {
        distance[root as usize] = 0;
        buckets[0].push(root);
    }
    let (mut far, mut empty) = (0u16, 0);
    while empty <= max_price && far < FAR {
        let bucket = far as usize % buckets.len();
        empty += 1;
        while let Some(at) = buckets[bucket].pop() {
            empty = 0;
            if distance[at as usize] != far {
                continue;
            }
            for &(to, price) in &edges[at as usize] {
                // Distances saturate below [`FAR`]. A saturated distance is still a lower bound.
                let there = far.saturating_add(price).min(FAR - 1);
                if there < distance[to as usize] {
                    distance[to as usize] = there;
                    on_reached(to, at);
                    buckets[there as usize % (max_price as usize + 1)].push(to);
                }
            }
        }
        far = far.saturating_add(1);
    }
    distance
}
