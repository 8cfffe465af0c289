//! Conflicts: what two boxes cost together beyond what each costs alone.
//!
//! Two boxes side by side on a wall, or one behind the other in a corridor, must make way for each other, whatever goals
//! they go to. For every pair of squares the least such extra is worked out: two boxes are pulled away from every pair
//! of goals, and what each position costs is compared with what the assignment would say of these two and these goals. The
//! least over all pairs of goals holds for whatever goals they get. Pairs that have no box in common add up, because each
//! push belongs to one box. (Linear conflicts, as Junghanns and Schaeffer called the ones in a line, are the case of neighbours.)
//!
//! What is counted is what pushes are priced at, so the same serves pushes and steps.

use beeline_search::{Limit, Meter};

use super::room::Room;
use crate::board::{DIRS, Dir, Square};
use crate::field::{FAR, FLOOD, Field, Rows};
use crate::walk::{Position, Reaches, Walk};

/// Boards with more squares, or more work for the pairs of goals, get no table.
const LARGEST: usize = 256;
const MOST_WORK: usize = 20_000_000;
/// Work for each pair of boxes whose pulls are tried, in units of [`Meter::work`].
const PULL: u64 = 64;
/// What a price of several parts of a step makes dearer.
const DEARER: usize = 8;
/// Two boxes cut a board into no more parts than they have sides.
const PARTS: usize = 8;

/// The extra price of each pair of squares, with the player in each part into which two boxes there cut the board.
#[derive(Clone, Debug)]
pub(crate) struct Conflicts {
    squares: usize,
    /// `part[(a * n + b) * n + player]`, for a < b.
    part: Vec<u8>,
    extra: Vec<u16>,
}

impl Conflicts {
    /// Works the table out, within the limits of a search; `None` if the board is too large for it, or the memory too small: then
    /// the search does without.
    pub(crate) fn new(
        field: &Field,
        room: Option<&Room>,
        rows: &Rows,
        price: impl Fn(Square, Dir) -> u16,
        meter: &mut Meter,
    ) -> Result<Option<Self>, Limit> {
        let (n, goals) = (field.squares(), field.board().goals());
        let work = if room.is_some() { n * n } else { n * n * goals.len() * goals.len() / 4 };
        let booked = meter.ledger.used();
        if n > LARGEST
            || work > MOST_WORK
            || meter.ledger.claim(Pulls::<fn(Square, Dir) -> u16>::bytes(n)).is_err()
        {
            return Ok(None);
        }
        let mut pulls = Pulls::new(field, price, meter)?;
        if pulls.dearest > 1 && work > MOST_WORK / DEARER {
            meter.ledger.rewind(booked);
            return Ok(None);
        }
        // A box that was put away is in nobody's way.
        let away = |square: usize| room.is_some_and(|room| room.has(square as Square));
        let mut extra: Vec<u16> = (0..n * n)
            .flat_map(|pair| [if away(pair / n) || away(pair % n) { 0 } else { FAR }; PARTS])
            .collect();
        let mut note = |state: usize, far: u16, least: u32| {
            let more = u32::from(far).saturating_sub(least).min(u32::from(FAR)) as u16;
            extra[state] = extra[state].min(more);
        };
        if let Some(room) = room {
            // All goals cost the same more than the door, so any of them will do.
            let from_door = u32::from(rows.ahead(field.box_state(room.door, room.before))[0]);
            let far = |square: Square, player: Square| {
                u32::from(rows.ahead(field.box_state(square, player))[0]).saturating_sub(from_door)
            };
            pulls.away_from_door(room, far, meter, |state, (a, b, player), price| {
                note(state, price, far(a, player) + far(b, player));
            })?;
        } else {
            for one in 0..goals.len() {
                for other in one + 1..goals.len() {
                    pulls.away_from(goals[one], goals[other], meter, |state, (a, b, player), far| {
                        let [from_a, from_b] = [a, b].map(|s| rows.ahead(field.box_state(s, player)));
                        let alone = |x: usize, y: usize| u32::from(from_a[x]) + u32::from(from_b[y]);
                        note(state, far, alone(one, other).min(alone(other, one)));
                    })?;
                }
            }
        }
        let table = Self { squares: n, part: pulls.part, extra };
        meter.ledger.rewind(booked + table.bytes());
        Ok(Some(table))
    }

    /// What it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.part.len() + self.extra.len() * size_of::<u16>()
    }

    /// The extra of two boxes while the player is somewhere; [`FAR`] if they are lost together.
    #[inline(always)]
    pub(crate) fn between(&self, one: Square, other: Square, player: Square) -> u16 {
        let pair = one.min(other) as usize * self.squares + one.max(other) as usize;
        let part = self.part[pair * self.squares + player as usize] as usize;
        // A part that was not numbered is one that nothing is known about.
        if part < PARTS { self.extra[pair * PARTS + part] } else { 0 }
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
        self.some.clone_from(&self.all);
        Some(sum(&mut self.some))
    }

    /// What they add when the i-th box has moved. Pairs of others stay as they are: for them the player has only walked.
    #[inline]
    pub(crate) fn moved(
        &mut self,
        conflicts: &Conflicts,
        boxes: &[Square],
        (i, to, player): (usize, Square, Square),
    ) -> Option<u32> {
        self.some.clear();
        let others = self.all.iter().filter(|&&(_, a, b)| a as usize != i && b as usize != i);
        self.some.extend(others);
        for (j, &other) in boxes.iter().enumerate().take(MOST_BOXES) {
            if i == j || i >= MOST_BOXES {
                continue;
            }
            match conflicts.between(to, other, player) {
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
    /// What is allocated while the table of a board of so many squares is made, its entries included.
    fn bytes(squares: usize) -> usize {
        let pairs = squares * squares;
        pairs * squares + pairs * PARTS * (2 * size_of::<u16>() + size_of::<Square>() + size_of::<u32>())
    }

    fn new(field: &'a Field, price: P, meter: &mut Meter) -> Result<Self, Limit> {
        let n = field.squares();
        let mut part = vec![u8::MAX; n * n * n];
        let mut inside = vec![Square::MAX; n * n * PARTS];
        let (mut position, mut walk) = (Position::new(field), Walk::new(field));
        for a in 0..n {
            for b in a + 1..n {
                position.lay([a as Square, b as Square]);
                let mut parts = 0;
                for player in 0..n {
                    let at = (a * n + b) * n + player;
                    if !position.free(player as Square) || part[at] != u8::MAX || parts == PARTS {
                        continue;
                    }
                    meter.work(FLOOD * n as u64)?;
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
        Ok(Self {
            field,
            price,
            dearest,
            part,
            inside,
            far: vec![FAR; n * n * PARTS],
            touched: Vec::new(),
            buckets: vec![Vec::new(); dearest + 1],
        })
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

    /// Calls `met` with every position from which two boxes can get to two goals: its number, the squares with one of the player, and the
    /// least price.
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

    /// The same with every position from which two boxes can get to a door, where a box is gone at once. `far` tells how far it is for a
    /// lone box with the player somewhere.
    fn away_from_door(
        &mut self,
        room: &Room,
        far: impl Fn(Square, Square) -> u32,
        meter: &mut Meter,
        met: impl FnMut(usize, (Square, Square, Square), u16),
    ) -> Result<(), Limit> {
        let n = self.field.squares() as Square;
        let outside = |s: &Square| !room.has(*s) && *s != room.door;
        // The last but one box has come to the door: the other one is alone from now on.
        let mut roots = Vec::new();
        for boxed in (0..n).filter(outside) {
            let players = (0..n).filter(outside).filter(|&player| player != boxed);
            roots.extend(players.map(|player| (far(boxed, player), (boxed, room.door, player))));
        }
        roots.retain(|&(far, _)| far < u32::from(FAR) / 2);
        roots.sort_unstable();
        self.spread(roots, |square| !room.has(square), meter, met)
    }

    /// Pulls two boxes about from roots, which come with their prices in order, as long as both stay where they may be.
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
        while empty <= self.dearest || roots.peek().is_some() {
            while let Some((_, (a, b, player))) = roots.next_if(|&(far, _)| far as usize == price) {
                self.note(a, b, player, price);
            }
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
                meter.work(PULL)?;
                if stays(a) && stays(b) {
                    met(state, (a, b, player), price as u16);
                    self.pull((a, b), (pair, (state % PARTS) as u8), price);
                }
            }
            price += 1;
        }
        Ok(())
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
