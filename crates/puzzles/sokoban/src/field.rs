//! What one box alone could do: the distances behind the lower bound, and the squares where a box is lost.
//!
//! A lone box stands on a square, and the player is in one of the regions into which the box cuts the board. That pair is
//! a *stand*. The player cannot change regions without pushing the box, and neither walking nor pushing other boxes
//! changes a box's stand. So the cost of one box, taken from its stand, never drops by more than one push at a time: the
//! bound built on it is consistent, and only one row of it changes with a push.

use std::collections::VecDeque;

use super::board::{Board, DIRS, NOWHERE, Square};
use super::bridges::Bridges;

/// "Cannot get there."
pub const FAR: u16 = u16::MAX;

/// The number of a stand.
pub type Stand = u16;

/// Distances of lone boxes on one board, towards the goals and away from the start.
#[derive(Clone, Debug)]
pub struct Field {
    board: Board,
    squares: usize,
    /// Neighbours with the sentinel `squares` where the board has [`NOWHERE`].
    near: Vec<[Square; 4]>,
    /// The first stand of each square; the last entry is the number of stands.
    first: Vec<Stand>,
    /// `region[square * squares + player]`: the player's region when the box is on the square.
    region: Vec<u8>,
    /// For each stand, the stands that one push leads to.
    pushes: Vec<[Stand; 4]>,
    /// `to_goal[stand * goals + goal]`: pushes to that goal.
    to_goal: Vec<u16>,
    /// `from_box[stand * boxes + i]`: pushes from the i-th box of the start.
    from_box: Vec<u16>,
    /// For each square, whether a box on it can get to some goal.
    alive: Vec<bool>,
    /// For each square, whether some box of the start can get there and from there to a goal.
    useful: Vec<bool>,
}

const NO_STAND: Stand = Stand::MAX;

impl Field {
    /// Works the distances out.
    pub fn new(board: &Board) -> Self {
        Self::build(board, false, &Bridges::default())
    }

    /// Like [`new`](Field::new), but if `any_side`, the boxes of the start may have the player on any side. Distances from the start are
    /// then the same for positions that are reflections of each other.
    ///
    /// Pushes back over the bridges count nothing: the bridges count them.
    pub(crate) fn build(board: &Board, any_side: bool, bridges: &Bridges) -> Self {
        let squares = board.squares();
        let near: Vec<[Square; 4]> = board
            .near()
            .iter()
            .map(|four| four.map(|s| if s == NOWHERE { squares as Square } else { s }))
            .collect();
        let mut field = Self {
            board: board.clone(),
            squares,
            near,
            first: Vec::with_capacity(squares + 1),
            region: vec![0; squares * squares],
            pushes: Vec::new(),
            to_goal: Vec::new(),
            from_box: Vec::new(),
            alive: Vec::new(),
            useful: Vec::new(),
        };
        field.find_regions();
        field.find_pushes();
        field.measure(any_side, bridges);
        field
    }

    /// For a box on each square: which squares of the player hang together.
    fn find_regions(&mut self) {
        let n = self.squares;
        let mut todo: Vec<Square> = Vec::with_capacity(n);
        let mut next = 0;
        for square in 0..n {
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
            next += Stand::from(count.max(1));
        }
        self.first.push(next);
    }

    fn find_pushes(&mut self) {
        let n = self.squares;
        self.pushes = vec![[NO_STAND; 4]; self.stands()];
        for square in 0..n {
            for dir in DIRS {
                let from = self.near[square][dir.back() as usize];
                let to = self.near[square][dir as usize];
                if (from as usize) < n && (to as usize) < n {
                    let stand = self.stand(square as Square, from);
                    self.pushes[stand as usize][dir as usize] = self.stand(to, square as Square);
                }
            }
        }
    }

    fn measure(&mut self, any_side: bool, bridges: &Bridges) {
        let stands = self.stands();
        let mut back: Vec<Vec<(Stand, u16)>> = vec![Vec::new(); stands];
        let mut forth = back.clone();
        for square in 0..self.squares {
            for from in self.first[square]..self.first[square + 1] {
                for (dir, to) in DIRS.into_iter().zip(self.pushes[from as usize]) {
                    if to != NO_STAND {
                        let price = u16::from(!bridges.is_return(square as Square, dir));
                        back[to as usize].push((from, price));
                        forth[from as usize].push((to, price));
                    }
                }
            }
        }
        let (goals, boxes) = (self.board.goals().to_vec(), self.board.boxes().to_vec());
        self.to_goal = vec![FAR; stands * goals.len()];
        for (i, &goal) in goals.iter().enumerate() {
            let roots: Vec<Stand> = (self.first[goal as usize]..self.first[goal as usize + 1]).collect();
            let distance = spread(&back, &roots);
            for (stand, &d) in distance.iter().enumerate() {
                self.to_goal[stand * goals.len() + i] = d;
            }
        }
        self.from_box = vec![FAR; stands * boxes.len()];
        for (i, &at) in boxes.iter().enumerate() {
            let mut roots = vec![self.stand(at, self.board.player())];
            if any_side {
                roots = (self.first[at as usize]..self.first[at as usize + 1]).collect();
            }
            let distance = spread(&forth, &roots);
            for (stand, &d) in distance.iter().enumerate() {
                self.from_box[stand * boxes.len() + i] = d;
            }
        }
        let near = |row: &[u16]| row.iter().any(|&d| d != FAR);
        let of_square = |s: usize| self.first[s] as usize..self.first[s + 1] as usize;
        self.alive = (0..self.squares)
            .map(|s| of_square(s).any(|stand| near(self.goal_row(stand as Stand))))
            .collect();
        self.useful = (0..self.squares)
            .map(|s| {
                of_square(s)
                    .any(|stand| near(self.goal_row(stand as Stand)) && near(self.box_row(stand as Stand)))
            })
            .collect();
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

    fn stands(&self) -> usize {
        self.first.last().map_or(0, |&n| n as usize)
    }

    /// The stand of a box on `square` while the player is at `player` (which is another square).
    #[inline(always)]
    pub fn stand(&self, square: Square, player: Square) -> Stand {
        let region = self.region[square as usize * self.squares + player as usize];
        // A player in a pocket that the box does not touch cannot be: all squares hang together.
        self.first[square as usize] + if region == u8::MAX { 0 } else { Stand::from(region) }
    }

    /// Pushes from a stand to each goal.
    #[inline(always)]
    pub fn goal_row(&self, stand: Stand) -> &[u16] {
        let goals = self.board.goals().len();
        &self.to_goal[stand as usize * goals..(stand as usize + 1) * goals]
    }

    /// Pushes to a stand from each box of the start.
    #[inline(always)]
    pub fn box_row(&self, stand: Stand) -> &[u16] {
        let boxes = self.board.boxes().len();
        &self.from_box[stand as usize * boxes..(stand as usize + 1) * boxes]
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

/// Distances from some roots over edges that cost 0 or 1.
fn spread(edges: &[Vec<(Stand, u16)>], roots: &[Stand]) -> Vec<u16> {
    let mut distance = vec![FAR; edges.len()];
    let mut queue: VecDeque<(Stand, u16)> = roots.iter().map(|&root| (root, 0)).collect();
    while let Some((at, far)) = queue.pop_front() {
        if distance[at as usize] != FAR {
            continue;
        }
        distance[at as usize] = far;
        for &(to, price) in &edges[at as usize] {
            match price {
                0 => queue.push_front((to, far)),
                _ => queue.push_back((to, far + 1)),
            }
        }
    }
    distance
}
