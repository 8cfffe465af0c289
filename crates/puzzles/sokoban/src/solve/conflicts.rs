//! Conflicts: what two boxes cost together beyond what each costs alone.
//!
//! Two boxes side by side on a wall, or one behind the other in a corridor, must make way for each other, whatever goals
//! they go to. For every pair of squares the least such extra is worked out: two boxes are pulled away from every pair
//! of goals, and what each position costs is compared with what the assignment would say of these two and these goals. The
//! least over all pairs of goals holds for whatever goals they get. Pairs that have no box in common add up, because each
//! push belongs to one box. (Linear conflicts, as Junghanns and Schaeffer called the ones in a line, are the case of neighbours.)
//!
//! What is counted is what pushes are priced at, so the same serves pushes and steps.

use super::super::board::{DIRS, Dir, Square};
use super::super::field::{FAR, Field, Rows};
use super::super::walk::{Position, Walk};

/// Boards with more squares, or more work for the pairs of goals, get no table.
const LARGEST: usize = 160;
const MOST_WORK: usize = 6_000_000;
/// Two boxes cut a board into no more parts than they have sides.
const PARTS: usize = 8;

/// The extra price of each pair of squares.
#[derive(Clone, Debug)]
pub(crate) struct Conflicts {
    squares: usize,
    extra: Vec<u16>,
}

impl Conflicts {
    /// Works the table out; `None` if the board is too large for it.
    pub(crate) fn new(field: &Field, rows: &Rows, price: impl Fn(Square, Dir) -> u16) -> Option<Self> {
        let (n, goals) = (field.squares(), field.board().goals());
        if n > LARGEST || n * n * goals.len() * goals.len() / 4 > MOST_WORK {
            return None;
        }
        let mut pulls = Pulls::new(field, price);
        let mut extra = vec![FAR; n * n];
        for one in 0..goals.len() {
            for other in one + 1..goals.len() {
                pulls.away_from(goals[one], goals[other], |a, b, player, far| {
                    let [from_a, from_b] = [a, b].map(|s| rows.ahead(field.stand(s, player)));
                    let alone = |x: usize, y: usize| u32::from(from_a[x]) + u32::from(from_b[y]);
                    let least = alone(one, other).min(alone(other, one));
                    let more = u32::from(far).saturating_sub(least).min(u32::from(FAR)) as u16;
                    for pair in [a as usize * n + b as usize, b as usize * n + a as usize] {
                        extra[pair] = extra[pair].min(more);
                    }
                });
            }
        }
        Some(Self { squares: n, extra })
    }

    /// The extra of two boxes; [`FAR`] if they are lost together.
    #[inline(always)]
    pub(crate) fn between(&self, one: Square, other: Square) -> u16 {
        self.extra[one as usize * self.squares + other as usize]
    }
}

/// The conflicts of a position: extra, and the numbers of the boxes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    all: Vec<(u16, u8, u8)>,
    some: Vec<(u16, u8, u8)>,
}

/// So many boxes can be told apart in a set of them.
const MOST_BOXES: usize = 128;

impl Found {
    /// Finds those of a position; what they add, or `None` if the position is lost.
    pub(crate) fn set(&mut self, conflicts: &Conflicts, boxes: &[Square]) -> Option<u32> {
        self.all.clear();
        for (j, &other) in boxes.iter().enumerate().take(MOST_BOXES) {
            for (i, &one) in boxes[..j].iter().enumerate() {
                match conflicts.between(one, other) {
                    0 => {}
                    FAR => return None,
                    extra => self.all.push((extra, i as u8, j as u8)),
                }
            }
        }
        self.some.clone_from(&self.all);
        Some(sum(&mut self.some))
    }

    /// What they add when the i-th box has moved.
    #[inline]
    pub(crate) fn moved(
        &mut self,
        conflicts: &Conflicts,
        boxes: &[Square],
        (i, to): (usize, Square),
    ) -> Option<u32> {
        self.some.clear();
        let others = self.all.iter().filter(|&&(_, a, b)| a as usize != i && b as usize != i);
        self.some.extend(others);
        for (j, &other) in boxes.iter().enumerate().take(MOST_BOXES) {
            if i == j || i >= MOST_BOXES {
                continue;
            }
            match conflicts.between(to, other) {
                0 => {}
                FAR => return None,
                extra => self.some.push((extra, i as u8, j as u8)),
            }
        }
        Some(sum(&mut self.some))
    }
}

/// The sum over pairs that have no box in common, the largest first. Any such pairs would be right.
fn sum(pairs: &mut [(u16, u8, u8)]) -> u32 {
    pairs.sort_unstable_by_key(|&pair| std::cmp::Reverse(pair));
    let (mut sum, mut used) = (0, 0u128);
    for &mut (extra, one, other) in pairs {
        let both = 1 << one | 1 << other;
        if used & both == 0 {
            used |= both;
            sum += u32::from(extra);
        }
    }
    sum
}

/// Two boxes that are pulled about, with the part of the board that the player is in.
struct Pulls<'a, P> {
    field: &'a Field,
    price: P,
    dearest: usize,
    /// `part[(a * n + b) * n + player]`, for a < b.
    part: Vec<u8>,
    /// A square of each part of each pair.
    inside: Vec<Square>,
    far: Vec<u16>,
    touched: Vec<u32>,
    buckets: Vec<Vec<u32>>,
}

impl<'a, P: Fn(Square, Dir) -> u16> Pulls<'a, P> {
    fn new(field: &'a Field, price: P) -> Self {
        let n = field.squares();
        let mut part = vec![u8::MAX; n * n * n];
        let mut inside = vec![Square::MAX; n * n * PARTS];
        let (mut position, mut walk) = (Position::new(field), Walk::new(field));
        for a in 0..n {
            for b in a + 1..n {
                position.clear();
                position.put(a as Square);
                position.put(b as Square);
                let mut parts = 0;
                for player in 0..n {
                    let at = (a * n + b) * n + player;
                    if !position.free(player as Square) || part[at] != u8::MAX || parts == PARTS {
                        continue;
                    }
                    walk.flood(field, &position, player as Square);
                    for &square in walk.reached() {
                        part[(a * n + b) * n + square as usize] = parts as u8;
                    }
                    inside[(a * n + b) * PARTS + parts] = player as Square;
                    parts += 1;
                }
            }
        }
        let squares = 0..n as Square;
        let prices = squares.flat_map(|s| DIRS.map(|dir| (s, dir)));
        let floor = |&(s, dir): &(Square, Dir)| (field.near()[s as usize][dir.back() as usize] as usize) < n;
        let dearest = prices.filter(floor).map(|(s, dir)| price(s, dir)).max().unwrap_or(1) as usize;
        Self {
            field,
            price,
            dearest,
            part,
            inside,
            far: vec![FAR; n * n * PARTS],
            touched: Vec::new(),
            buckets: vec![Vec::new(); dearest + 1],
        }
    }

    /// Notes a position at a price, if it is the least so far.
    fn note(&mut self, a: Square, b: Square, player: Square, price: usize) {
        let n = self.field.squares();
        let pair = a.min(b) as usize * n + a.max(b) as usize;
        let part = self.part[pair * n + player as usize];
        if part as usize >= PARTS || price >= FAR as usize {
            return;
        }
        let state = pair * PARTS + part as usize;
        if (price as u16) < self.far[state] {
            if self.far[state] == FAR {
                self.touched.push(state as u32);
            }
            self.far[state] = price as u16;
            self.buckets[price % (self.dearest + 1)].push(state as u32);
        }
    }

    /// Calls `met` with every position from which two boxes can get to two goals: squares, a square of the player, and the
    /// least price.
    fn away_from(&mut self, one: Square, other: Square, mut met: impl FnMut(Square, Square, Square, u16)) {
        let n = self.field.squares();
        for state in self.touched.drain(..) {
            self.far[state as usize] = FAR;
        }
        for player in (0..n as Square).filter(|&p| p != one && p != other) {
            self.note(one, other, player, 0);
        }
        let (mut price, mut empty) = (0, 0);
        while empty <= self.dearest {
            let bucket = price % (self.dearest + 1);
            empty += 1;
            while let Some(state) = self.buckets[bucket].pop() {
                empty = 0;
                let state = state as usize;
                if self.far[state] as usize != price {
                    continue;
                }
                let (pair, player) = (state / PARTS, self.inside[state]);
                let (a, b) = ((pair / n) as Square, (pair % n) as Square);
                met(a, b, player, price as u16);
                self.pull((a, b), (pair, (state % PARTS) as u8), price);
            }
            price += 1;
        }
    }

    fn pull(&mut self, (a, b): (Square, Square), (pair, part): (usize, u8), price: usize) {
        let (n, near) = (self.field.squares(), self.field.near());
        for (pulled, other) in [(a, b), (b, a)] {
            for dir in DIRS {
                // The box was pushed in this direction from `at`, by a player who stood at `from` and is at `at` now.
                let at = near[pulled as usize][dir.back() as usize];
                if at as usize >= n || at == other || self.part[pair * n + at as usize] != part {
                    continue;
                }
                let from = near[at as usize][dir.back() as usize];
                if (from as usize) < n && from != other {
                    let paid = (self.price)(at, dir) as usize;
                    self.note(at, other, from, price + paid);
                }
            }
        }
    }
}
