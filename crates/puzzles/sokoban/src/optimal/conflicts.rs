//! Conflicts: the cost of two boxes together beyond the sum of their costs alone.
//!
//! Two boxes side by side on a wall, or one behind the other in a corridor, must make way for each other,
//! whatever goals they go to. The table has the least such extra for every pair of squares. Two boxes are
//! pulled away from every pair of goals, and the cost of each position is compared with the assignment of
//! these two boxes to these goals. The least over all pairs of goals holds for any goals. Conflicts of pairs
//! without a common box add up, because each push belongs to one box. (The linear conflicts of Junghanns and
//! Schaeffer 2001 are the case of neighbours in a line.)
//!
//! Costs are sums of the prices of pushes, so the same code serves pushes and steps.

use beeline_search::{Limit, Meter};

use super::room::Room;
use crate::board::{DIRS, Dir, Square};
use crate::field::{DistanceRows, FAR, FLOOD_WORK, Field};
use crate::walk::{Position, Reach};

/// Squares of a board, and work over all pairs of goals, beyond which there is no table.
const MOST_SQUARES: usize = 256;
const MOST_WORK: usize = 20_000_000;
/// Work per expansion of a pair of boxes, in units of [`Meter::work`].
const PULL_WORK: u64 = 64;
/// Factor by which the work grows where prices are fractions of a step.
const FINE_PRICE_FACTOR: usize = 8;
/// Regions into which two boxes can cut a board: at most one for each side of a box.
const REGIONS: usize = 8;

/// The extra cost of two boxes, for each pair of squares and each region of the player.
#[derive(Clone, Debug)]
pub(crate) struct Conflicts {
    squares: usize,
    /// `region[(a * n + b) * n + player]`, for a < b.
    region: Vec<u8>,
    extra: Vec<u16>,
}

impl Conflicts {
    /// Computes the table within the limits of a search. `None` if the board is too large or memory too
    /// small; the search then runs without it.
    pub(crate) fn new(
        field: &Field,
        room: Option<&Room>,
        rows: &DistanceRows,
        price: impl Fn(Square, Dir) -> u16,
        meter: &mut Meter,
    ) -> Result<Option<Self>, Limit> {
        let (n, goals) = (field.squares(), field.board().goals());
        let work = if room.is_some() { n * n } else { n * n * goals.len() * goals.len() / 4 };
        let booked = meter.ledger.used();
        if n > MOST_SQUARES
            || work > MOST_WORK
            || meter.ledger.claim(Pulls::<fn(Square, Dir) -> u16>::bytes(n)).is_err()
        {
            return Ok(None);
        }
        let mut pulls = Pulls::new(field, price, meter)?;
        if pulls.max_price > 1 && work > MOST_WORK / FINE_PRICE_FACTOR {
            meter.ledger.rewind(booked);
            return Ok(None);
        }
        // A box inside the goal room has no conflicts.
        let away = |square: usize| room.is_some_and(|room| room.has(square as Square));
        let mut extra: Vec<u16> = (0..n * n)
            .flat_map(|pair| [if away(pair / n) || away(pair % n) { 0 } else { FAR }; REGIONS])
            .collect();
        let mut note = |state: usize, far: u16, least: u32| {
            let more = u32::from(far).saturating_sub(least).min(u32::from(FAR)) as u16;
            extra[state] = extra[state].min(more);
        };
        if let Some(room) = room {
            // All goals cost the same amount more than the door, so any of them will do.
            let from_door = u32::from(rows.goal_distances(field.box_state(room.door, room.before))[0]);
            let far = |square: Square, player: Square| {
                u32::from(rows.goal_distances(field.box_state(square, player))[0]).saturating_sub(from_door)
            };
            pulls.away_from_door(room, far, meter, |state, (a, b, player), price| {
                note(state, price, far(a, player) + far(b, player));
            })?;
        } else {
            for one in 0..goals.len() {
                for other in one + 1..goals.len() {
                    pulls.away_from(goals[one], goals[other], meter, |state, (a, b, player), far| {
                        let [from_a, from_b] =
                            [a, b].map(|s| rows.goal_distances(field.box_state(s, player)));
                        let alone = |x: usize, y: usize| u32::from(from_a[x]) + u32::from(from_b[y]);
                        note(state, far, alone(one, other).min(alone(other, one)));
                    })?;
                }
            }
        }
        let table = Self { squares: n, region: pulls.region, extra };
        meter.ledger.rewind(booked + table.bytes());
        Ok(Some(table))
    }

    /// Bytes allocated.
    pub(crate) fn bytes(&self) -> usize {
        self.region.len() + self.extra.len() * size_of::<u16>()
    }

    /// The extra cost of two boxes with the player on this square; [`FAR`] if the pair is a deadlock.
    #[inline(always)]
    pub(crate) fn between(&self, one: Square, other: Square, player: Square) -> u16 {
        let pair = one.min(other) as usize * self.squares + one.max(other) as usize;
        let region = self.region[pair * self.squares + player as usize] as usize;
        // Nothing is known about a region that was not numbered.
        if region < REGIONS { self.extra[pair * REGIONS + region] } else { 0 }
    }
}

/// The conflicts of a position: the extra cost and the indices of two boxes.
#[derive(Clone, Debug, Default)]
pub(crate) struct PositionConflicts {
    all: Vec<(u16, u8, u8)>,
    updated: Vec<(u16, u8, u8)>,
}

/// Boxes that fit into a set of boxes; conflicts of further boxes are ignored.
const MOST_BOXES: usize = 128;

impl PositionConflicts {
    /// Finds the conflicts of a position. Returns their sum, or `None` if the position is a deadlock.
    pub(crate) fn set(&mut self, conflicts: &Conflicts, boxes: &[Square], player: Square) -> Option<u32> {
        self.all.clear();
        for (j, &other) in boxes.iter().enumerate().take(MOST_BOXES) {
            for (i, &one) in boxes[..j].iter().enumerate() {
                match conflicts.between(one, other, player) {
                    0 => {}
                    FAR => return None,
                    extra => self.all.push((extra, i as u8, j as u8)),
                }
            }
        }
        self.updated.clone_from(&self.all);
        Some(sum(&mut self.updated))
    }

    /// The sum after the i-th box has moved. Pairs of other boxes keep their conflicts: for them the player
    /// has only walked.
    #[inline]
    pub(crate) fn moved(
        &mut self,
        conflicts: &Conflicts,
        boxes: &[Square],
        (i, to, player): (usize, Square, Square),
    ) -> Option<u32> {
        self.updated.clear();
        let others = self.all.iter().filter(|&&(_, a, b)| a as usize != i && b as usize != i);
        self.updated.extend(others);
        for (j, &other) in boxes.iter().enumerate().take(MOST_BOXES) {
            if i == j || i >= MOST_BOXES {
                continue;
            }
            match conflicts.between(to, other, player) {
                0 => {}
                FAR => return None,
                extra => self.updated.push((extra, i as u8, j as u8)),
            }
        }
        Some(sum(&mut self.updated))
    }
}

/// Sums the conflicts of disjoint pairs, chosen greedily from the largest. Any set of disjoint pairs gives a
/// lower bound.
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

/// Dijkstra's algorithm over the positions of two boxes and the region of the player, by pulls.
struct Pulls<'a, P> {
    field: &'a Field,
    price: P,
    max_price: usize,
    /// `region[(a * n + b) * n + player]`, for a < b.
    region: Vec<u8>,
    /// A square of each region of each pair.
    representative: Vec<Square>,
    far: Vec<u16>,
    touched: Vec<u32>,
    buckets: Vec<Vec<u32>>,
}

impl<'a, P: Fn(Square, Dir) -> u16> Pulls<'a, P> {
    /// Bytes allocated while the table of a board of this size is computed, its entries included.
    fn bytes(squares: usize) -> usize {
        let pairs = squares * squares;
        pairs * squares + pairs * REGIONS * (2 * size_of::<u16>() + size_of::<Square>() + size_of::<u32>())
    }

    fn new(field: &'a Field, price: P, meter: &mut Meter) -> Result<Self, Limit> {
        let n = field.squares();
        let mut region = vec![u8::MAX; n * n * n];
        let mut representative = vec![Square::MAX; n * n * REGIONS];
        let (mut position, mut walk) = (Position::new(field), Reach::new(field));
        for a in 0..n {
            for b in a + 1..n {
                position.set_boxes([a as Square, b as Square]);
                let mut regions = 0;
                for player in 0..n {
                    let at = (a * n + b) * n + player;
                    if !position.free(player as Square) || region[at] != u8::MAX || regions == REGIONS {
                        continue;
                    }
                    meter.work(FLOOD_WORK * n as u64)?;
                    walk.flood(field, &position, player as Square);
                    for &square in walk.reached() {
                        region[(a * n + b) * n + square as usize] = regions as u8;
                    }
                    representative[(a * n + b) * REGIONS + regions] = player as Square;
                    regions += 1;
                }
            }
        }
        let squares = 0..n as Square;
        let prices = squares.flat_map(|s| DIRS.map(|dir| (s, dir)));
        let floor = |&(s, dir): &(Square, Dir)| (field.near()[s as usize][dir.back() as usize] as usize) < n;
        let max_price = prices.filter(floor).map(|(s, dir)| price(s, dir)).max().unwrap_or(1) as usize;
        Ok(Self {
            field,
            price,
            max_price,
            region,
            representative,
            far: vec![FAR; n * n * REGIONS],
            touched: Vec::new(),
            buckets: vec![Vec::new(); max_price + 1],
        })
    }

    /// Records a position at this price if that improves it.
    fn relax(&mut self, a: Square, b: Square, player: Square, price: usize) {
        let n = self.field.squares();
        let pair = a.min(b) as usize * n + a.max(b) as usize;
        let region = self.region[pair * n + player as usize];
        if region as usize >= REGIONS || price >= FAR as usize {
            return;
        }
        let state = pair * REGIONS + region as usize;
        if (price as u16) < self.far[state] {
            if self.far[state] == FAR {
                self.touched.push(state as u32);
            }
            self.far[state] = price as u16;
            self.buckets[price % (self.max_price + 1)].push(state as u32);
        }
    }

    /// Calls `met` for every position from which two boxes can reach two goals: its index, the two squares
    /// and one of the player, and the least price.
    fn away_from(
        &mut self,
        one: Square,
        other: Square,
        meter: &mut Meter,
        met: impl FnMut(usize, (Square, Square, Square), u16),
    ) -> Result<(), Limit> {
        for state in self.touched.drain(..) {
            self.far[state as usize] = FAR;
        }
        let players = (0..self.field.squares() as Square).filter(|&p| p != one && p != other);
        let roots = players.map(|player| (0, (one, other, player))).collect();
        self.spread(roots, |_| true, meter, met)
    }

    /// The same for positions from which two boxes can reach the door of a goal room, where a box is put away
    /// at once. `far` gives the distance of a lone box with the player on a square.
    fn away_from_door(
        &mut self,
        room: &Room,
        far: impl Fn(Square, Square) -> u32,
        meter: &mut Meter,
        met: impl FnMut(usize, (Square, Square, Square), u16),
    ) -> Result<(), Limit> {
        let n = self.field.squares() as Square;
        let outside = |s: &Square| !room.has(*s) && *s != room.door;
        // The last box but one is at the door. From now on the other box is alone.
        let mut roots = Vec::new();
        for boxed in (0..n).filter(outside) {
            let players = (0..n).filter(outside).filter(|&player| player != boxed);
            roots.extend(players.map(|player| (far(boxed, player), (boxed, room.door, player))));
        }
        roots.retain(|&(far, _)| far < u32::from(FAR) / 2);
        roots.sort_unstable();
        self.spread(roots, |square| !room.has(square), meter, met)
    }

    /// Runs the search from roots sorted by price. Boxes must stay on squares for which `stays` holds.
    fn spread(
        &mut self,
        roots: Vec<(u32, (Square, Square, Square))>,
        stays: impl Fn(Square) -> bool,
        meter: &mut Meter,
        mut met: impl FnMut(usize, (Square, Square, Square), u16),
    ) -> Result<(), Limit> {
        let n = self.field.squares();
        let mut roots = roots.into_iter().peekable();
        let (mut price, mut empty) = (0, 0);
        while empty <= self.max_price || roots.peek().is_some() {
            while let Some((_, (a, b, player))) = roots.next_if(|&(far, _)| far as usize == price) {
                self.relax(a, b, player, price);
            }
            let bucket = price % (self.max_price + 1);
            empty += 1;
            while let Some(state) = self.buckets[bucket].pop() {
                empty = 0;
                let state = state as usize;
                if self.far[state] as usize != price {
                    continue;
                }
                let (pair, player) = (state / REGIONS, self.representative[state]);
                let (a, b) = ((pair / n) as Square, (pair % n) as Square);
                meter.work(PULL_WORK)?;
                if stays(a) && stays(b) {
                    met(state, (a, b, player), price as u16);
                    self.pull((a, b), (pair, (state % REGIONS) as u8), price);
                }
            }
            price += 1;
        }
        Ok(())
    }

    fn pull(&mut self, (a, b): (Square, Square), (pair, region): (usize, u8), price: usize) {
        let (n, near) = (self.field.squares(), self.field.near());
        for (pulled, other) in [(a, b), (b, a)] {
            for dir in DIRS {
                // The box was pushed in this direction from `at`, by a player who stood at `from` and is at
                // `at` now.
                let at = near[pulled as usize][dir.back() as usize];
                if at as usize >= n || at == other || self.region[pair * n + at as usize] != region {
                    continue;
                }
                let from = near[at as usize][dir.back() as usize];
                if (from as usize) < n && from != other {
                    let paid = (self.price)(at, dir) as usize;
                    self.relax(at, other, from, price + paid);
                }
            }
        }
    }
}
