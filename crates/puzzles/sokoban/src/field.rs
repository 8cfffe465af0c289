//! What one box alone could do: the distances behind the lower bound, and the squares where a box is lost.
//!
//! A lone box stands on a square, and the player is in one of the regions into which the box cuts the board. That pair is
//! a *stand*. The player cannot change regions without pushing the box, and neither walking nor pushing other boxes
//! changes a box's stand. So the cost of one box, taken from its stand, never drops by more than one push at a time: the
//! bound built on it is consistent, and only one row of it changes with a push.

use std::convert::Infallible;

use beeline_search::{Limit, Meter};

use super::board::{Board, DIRS, Dir, NOWHERE, Square};

/// "Cannot get there."
pub const FAR: u16 = u16::MAX;

/// The number of a stand.
pub type BoxState = u16;

/// Distances of lone boxes on one board, towards the goals and away from the start.
#[derive(Clone, Debug)]
pub struct Field {
    board: Board,
    squares: usize,
    /// Neighbours with the sentinel `squares` where the board has [`NOWHERE`].
    near: Vec<[Square; 4]>,
    /// The first stand of each square; the last entry is the number of stands.
    first: Vec<BoxState>,
    /// `region[square * squares + player]`: the player's region when the box is on the square.
    region: Vec<u8>,
    /// For each stand, the stands that one push leads to.
    pushes: Vec<[BoxState; 4]>,
    /// What lone boxes have to go, a push counting 1.
    rows: Rows,
    /// May the boxes of the start have the player on any side?
    any_side: bool,
    /// For each square, whether a box on it can get to some goal.
    alive: Vec<bool>,
    /// For each square, whether some box of the start can get there and from there to a goal.
    useful: Vec<bool>,
}

const NO_BOX_STATE: BoxState = BoxState::MAX;

/// Work for each square of a flood over the board, and for each stand of a spread of prices, in units of
/// [`Meter::work`]. Measured on open boards of 256 to 4,096 squares.
pub(crate) const FLOOD: u64 = 8;
pub(crate) const SPREAD: u64 = 32;

/// Is told bytes before they are allocated, and work before it is done.
pub(crate) type Charge<'a, E> = &'a mut dyn FnMut(usize, u64) -> Result<(), E>;

/// Books bytes and charges work with a meter.
pub(crate) fn charge(meter: &mut Meter, bytes: usize, work: u64) -> Result<(), Limit> {
    meter.ledger.claim(bytes)?;
    meter.work(work)
}

/// What a lone box has to pay from each stand to each goal, and from each box of the start to each stand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    goals: usize,
    boxes: usize,
    to_goal: Vec<u16>,
    from_box: Vec<u16>,
}

impl Rows {
    /// What they take.
    pub(crate) fn bytes(&self) -> usize {
        (self.to_goal.len() + self.from_box.len()) * size_of::<u16>()
    }

    /// From a stand to each goal.
    #[inline(always)]
    pub(crate) fn ahead(&self, box_state: BoxState) -> &[u16] {
        &self.to_goal[box_state as usize * self.goals..(box_state as usize + 1) * self.goals]
    }

    /// To a stand from each box of the start.
    #[inline(always)]
    pub(crate) fn behind(&self, box_state: BoxState) -> &[u16] {
        &self.from_box[box_state as usize * self.boxes..(box_state as usize + 1) * self.boxes]
    }
}

impl Field {
    /// Works the distances out, whatever it takes.
    pub fn new(board: &Board) -> Self {
        let Ok(field) = Self::build::<Infallible>(board, false, &mut |_, _| Ok(()));
        field
    }

    /// Like [`new`](Field::new), within the limits of a search: books the tables and looks at the clock. If `any_side`, the boxes of the
    /// start may have the player on any side. Distances from the start are then the same for positions that are reflections of each
    /// other.
    pub(crate) fn within(board: &Board, any_side: bool, meter: &mut Meter) -> Result<Self, Limit> {
        Self::build(board, any_side, &mut |bytes, work| charge(meter, bytes, work))
    }

    /// `charge` is told bytes before they are allocated, and work (in units of [`Meter::work`]) before it is done.
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
            rows: Rows::default(),
            any_side,
            alive: Vec::new(),
            useful: Vec::new(),
        };
        field.find_regions(charge)?;
        field.find_pushes();
        field.measure(charge)?;
        Ok(field)
    }

    /// For a box on each square: which squares of the player hang together.
    fn find_regions<E>(&mut self, charge: Charge<'_, E>) -> Result<(), E> {
        let n = self.squares;
        let mut todo: Vec<Square> = Vec::with_capacity(n);
        let mut next = 0;
        for square in 0..n {
            charge(0, FLOOD * n as u64)?;
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

    /// What lone boxes have to pay where a push of the box on a square in a direction has this price.
    pub(crate) fn priced<E>(
        &self,
        price: impl Fn(Square, Dir) -> u16,
        charge: Charge<'_, E>,
    ) -> Result<Rows, E> {
        let box_states = self.box_states();
        let forth = self.edges(price);
        let mut back: Vec<Vec<(BoxState, u16)>> = vec![Vec::new(); box_states];
        for (from, edges) in forth.iter().enumerate() {
            for &(to, price) in edges {
                back[to as usize].push((from as BoxState, price));
            }
        }
        let (goals, boxes) = (self.board.goals(), self.board.boxes());
        charge(box_states * (goals.len() + boxes.len()) * size_of::<u16>(), 0)?;
        let mut to_goal = vec![FAR; box_states * goals.len()];
        for (i, &goal) in goals.iter().enumerate() {
            charge(0, SPREAD * box_states as u64)?;
            let distance = spread(&back, self.box_states_on(goal), |_, _| {});
            for (box_state, &d) in distance.iter().enumerate() {
                to_goal[box_state * goals.len() + i] = d;
            }
        }
        let mut from_box = vec![FAR; box_states * boxes.len()];
        for (i, &at) in boxes.iter().enumerate() {
            charge(0, SPREAD * box_states as u64)?;
            let distance = spread(&forth, self.first_box_states(at), |_, _| {});
            for (box_state, &d) in distance.iter().enumerate() {
                from_box[box_state * boxes.len() + i] = d;
            }
        }
        Ok(Rows { goals: goals.len(), boxes: boxes.len(), to_goal, from_box })
    }

    /// The pushes from each stand: the stand after it, and the price.
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

    /// The stands of a box on a square.
    pub(crate) fn box_states_on(&self, square: Square) -> std::ops::Range<BoxState> {
        self.first[square as usize]..self.first[square as usize + 1]
    }

    /// The stands that a box of the start may have.
    pub(crate) fn first_box_states(&self, square: Square) -> std::ops::Range<BoxState> {
        if self.any_side {
            return self.box_states_on(square);
        }
        let box_state = self.box_state(square, self.board.player());
        box_state..box_state + 1
    }

    fn measure<E>(&mut self, charge: Charge<'_, E>) -> Result<(), E> {
        self.rows = self.priced(|_, _| 1, charge)?;
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

    /// How many squares there are; also the number that stands for "no square" in [`near`](Field::near).
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

    /// The stand of a box on `square` while the player is at `player` (which is another square).
    #[inline(always)]
    pub fn box_state(&self, square: Square, player: Square) -> BoxState {
        let region = self.region[square as usize * self.squares + player as usize];
        // A player in a pocket that the box does not touch cannot be: all squares hang together.
        self.first[square as usize] + if region == u8::MAX { 0 } else { BoxState::from(region) }
    }

    /// Pushes from a stand to each goal.
    #[inline(always)]
    pub fn goal_row(&self, box_state: BoxState) -> &[u16] {
        self.rows.ahead(box_state)
    }

    /// Pushes to a stand from each box of the start.
    #[inline(always)]
    pub fn box_row(&self, box_state: BoxState) -> &[u16] {
        self.rows.behind(box_state)
    }

    /// Can a box on this square get to some goal? If not, the square is dead.
    #[inline(always)]
    pub fn alive(&self, square: Square) -> bool {
        self.alive[square as usize]
    }

    /// Can some box of the start get to this square and from there to a goal?
    #[inline(always)]
    pub fn useful(&self, square: Square) -> bool {
        self.useful[square as usize]
    }
}

/// The least price of a way from some roots to each stand (Dijkstra's algorithm with a bucket for each price). `came` is told from where each was reached; what it is told last counts.
pub(crate) fn spread(
    edges: &[Vec<(BoxState, u16)>],
    roots: std::ops::Range<BoxState>,
    mut came: impl FnMut(BoxState, BoxState),
) -> Vec<u16> {
    let dearest = edges.iter().flatten().map(|&(_, price)| price).max().unwrap_or(0);
    let mut distance = vec![FAR; edges.len()];
    // No way that waits is dearer than the present one by more than an edge, so the buckets can go round.
    let mut buckets: Vec<Vec<BoxState>> = vec![Vec::new(); dearest as usize + 1];
    for root in roots {
        distance[root as usize] = 0;
        buckets[0].push(root);
    }
    let (mut far, mut empty) = (0u16, 0);
    while empty <= dearest && far < FAR {
        let bucket = far as usize % buckets.len();
        empty += 1;
        while let Some(at) = buckets[bucket].pop() {
            empty = 0;
            if distance[at as usize] != far {
                continue;
            }
            for &(to, price) in &edges[at as usize] {
                // Dearer than can be told is as dear as can be told: less than it is, so still a lower bound.
                let there = far.saturating_add(price).min(FAR - 1);
                if there < distance[to as usize] {
                    distance[to as usize] = there;
                    came(to, at);
                    buckets[there as usize % (dearest as usize + 1)].push(to);
                }
            }
        }
        far = far.saturating_add(1);
    }
    distance
}
