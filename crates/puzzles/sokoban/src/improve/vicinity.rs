//! Vicinity search: Dijkstra's algorithm among the positions close to the positions of a plan.
//!
//! The method is that of Brian Damgaard's optimisers (YASO, YASS) and Matthias Meger's `JSoko`: a complete
//! search of all positions that differ by a few boxes from some position of the plan. A box is *displaced*,
//! against a position of the plan, if that position has no box on its square. The *reference* of a position
//! is the position of the plan against which the fewest boxes are displaced, and the latest of several. A
//! position is in the vicinity if it has few displaced boxes against its reference. Its cost may exceed that
//! of its reference by at most the *slack*.
//!
//! One search covers every choice of displaced boxes along the whole plan, so it finds the best combination
//! of all such detours. Reordered pushes are detours too: a box that is pushed early is displaced until the
//! plan reaches its pushes.
//!
//! The reference is found with bit sets. Bit `i` stands for position `i` of the plan. Each square has the set
//! of positions without a box there. Adding the sets of all boxes' squares, bit by bit, counts the displaced
//! boxes against all positions at once.

use beeline_search::memory::{Ledger, OutOfMemory};
use beeline_search::{Limit, Meter, Random};

use super::super::bits::ones;
use super::super::board::{DIRS, Dir, Square};
use super::super::field::Field;
use super::super::walk::{Position, Reach};
use super::route::{Push, Route};

/// Positions of the plan that one search covers, at most. Their bit sets take eight words.
const WINDOW: usize = 512;

/// The figure that is minimised; ties are broken by the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Steps of the player, pushes included.
    Moves,
    /// Steps that push a box.
    Pushes,
}

impl Figure {
    /// Orders a cost in moves and pushes: this figure first, then the other one.
    pub(crate) fn ranked(self, (moves, pushes): (u32, u32)) -> (u32, u32) {
        match self {
            Self::Moves => (moves, pushes),
            Self::Pushes => (pushes, moves),
        }
    }
}

/// Which positions a search may visit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vicinity {
    /// Displaced boxes, at most.
    pub(crate) displaced: usize,
    /// Cost beyond that of the reference, at most, in units of the figure.
    pub(crate) slack: u32,
    /// Positions stored.
    pub(crate) states: usize,
}

/// Pushes that replace those of a plan between two of its positions.
#[derive(Debug)]
pub(crate) struct Detour {
    pub(crate) pushes: Vec<Push>,
    /// The index of the position in which the detour rejoins the plan.
    pub(crate) to: usize,
}

/// The result of a search.
#[derive(Debug)]
pub(crate) struct Searched {
    /// The best detour, if one is better than the plan.
    pub(crate) detour: Option<Detour>,
    /// The last position of the plan that was expanded.
    pub(crate) furthest: usize,
    /// Was the vicinity searched up to the end of the plan?
    pub(crate) to_the_end: bool,
    /// The limit that ended the search.
    pub(crate) stopped: Option<Limit>,
}

/// The input of a search, and its progress callback.
pub(crate) struct Task<'t> {
    pub(crate) route: &'t Route,
    /// The position of the plan from which it starts.
    pub(crate) first: usize,
    pub(crate) vicinity: Vicinity,
    pub(crate) figure: Figure,
    /// The largest value allowed for the other figure of a plan.
    pub(crate) most: u32,
    /// Called whenever the limits are checked.
    pub(crate) tick: &'t mut dyn FnMut(&Meter),
}

/// The part of a plan that a search covers.
struct Window {
    first: usize,
    last: usize,
    /// One bit for each position.
    all: Vec<u64>,
    /// The cost of each position from the first one on.
    costs: Vec<u32>,
}

impl Window {
    fn new(route: &Route, first: usize, figure: Figure) -> Self {
        let last = route.last().min(first + WINDOW - 1);
        let mut all = vec![0; (last - first + 1).div_ceil(64)];
        (0..=last - first).for_each(|bit| all[bit / 64] |= 1 << (bit % 64));
        let cost = |i: usize| figure.ranked(route.cost(i)).0;
        let costs = (first..=last).map(|i| cost(i) - cost(first)).collect();
        Self { first, last, all, costs }
    }

    /// The cost of the last position; higher costs are pruned.
    fn bound(&self) -> u32 {
        self.costs.last().copied().unwrap_or(0)
    }
}

/// A position reached, with the player where the last push left it.
#[derive(Clone, Copy, Debug)]
struct Node {
    key: u64,
    /// Moves and pushes from the first position.
    moves: u32,
    pushes: u32,
    /// The parent node, the player's square before the push, and its direction.
    parent: u32,
    from: Square,
    dir: Dir,
    expanded: bool,
}

impl Node {
    fn cost(&self) -> (u32, u32) {
        (self.moves, self.pushes)
    }
}

/// The parent of the first position.
const NO_PARENT: u32 = u32::MAX;

/// Zobrist keys of a square (Zobrist 1970). A position's key is the exclusive or of those of its boxes and
/// its player. A collision could produce an invalid detour; every detour is replayed before it is used.
#[derive(Clone, Copy, Debug)]
struct Zobrist {
    boxed: u64,
    player: u64,
}

/// The memory of the searches of one thread.
pub(crate) struct Searcher<'a> {
    field: &'a Field,
    words: usize,
    zobrist: Vec<Zobrist>,
    nodes: Vec<Node>,
    /// The boxes of each node, as sets of squares side by side.
    boxes: Vec<u64>,
    /// A hash table with open addressing. An entry holds the upper half of a key and the index of its node
    /// plus one.
    table: Vec<u64>,
    /// Open nodes by cost. A push costs at least 1, so no node is added to the bucket that is being emptied.
    buckets: Vec<Vec<u32>>,
    position: Position,
    walk: Reach,
    /// For each square, the set of positions of the plan without a box there.
    absent: Vec<u64>,
    /// Element `k` is the set of positions of the plan against which at most `k` boxes are displaced. There
    /// is one more element than the vicinity allows.
    at_most: Vec<u64>,
    /// Bytes claimed.
    booked: usize,
}

/// Initial slots of the hash table; it doubles when it is half full.
const FIRST_TABLE: usize = 1 << 12;

impl<'a> Searcher<'a> {
    pub(crate) fn new(field: &'a Field) -> Self {
        let mut random = Random::new(1);
        Self {
            field,
            words: field.squares().div_ceil(64),
            zobrist: (0..field.squares())
                .map(|_| Zobrist { boxed: random.bits(), player: random.bits() })
                .collect(),
            nodes: Vec::new(),
            boxes: Vec::new(),
            table: Vec::new(),
            buckets: Vec::new(),
            position: Position::new(field),
            walk: Reach::new(field),
            absent: Vec::new(),
            at_most: Vec::new(),
            booked: 0,
        }
    }

    /// Claims memory for up to `wanted` positions. Returns how many fit.
    pub(crate) fn book(&mut self, wanted: usize, ledger: &mut Ledger) -> Result<usize, OutOfMemory> {
        // Vectors and the table may have twice the capacity that they use.
        let each =
            2 * (size_of::<Node>() + self.words * size_of::<u64>() + size_of::<u32>()) + 4 * size_of::<u64>();
        let states = wanted.min((self.booked + ledger.available()) / each);
        let bytes = states.max(FIRST_TABLE) * each;
        ledger.claim(bytes.saturating_sub(self.booked))?;
        self.booked = self.booked.max(bytes);
        Ok(states)
    }

    /// Searches the vicinity of a plan, starting from one of its positions.
    pub(crate) fn search(&mut self, task: &mut Task<'_>, meter: &mut Meter) -> Searched {
        let Task { route, first, vicinity, figure, most, .. } = *task;
        let window = Window::new(route, first, figure);
        self.prepare(route, &window, vicinity.displaced);
        // The figures of the best plan so far, at first of the given one.
        let mut least = figure.ranked(route.total());
        let mut best: Option<(u32, usize)> = None;
        let mut searched = Searched { detour: None, furthest: first, to_the_end: false, stopped: None };
        let mut cost = 0;
        while cost <= window.bound() && self.nodes.len() < vicinity.states {
            let Some(number) = self.buckets[cost as usize].pop() else {
                cost += 1;
                continue;
            };
            let node = self.nodes[number as usize];
            if node.expanded || figure.ranked(node.cost()).0 != cost {
                continue;
            }
            if meter.due() {
                (task.tick)(meter);
                searched.stopped = meter.look().err();
                if searched.stopped.is_some() {
                    break;
                }
            }
            meter.count();
            self.nodes[number as usize].expanded = true;
            let player = self.expand(number as usize, route.player(first));
            self.count_displaced(&window.all);
            // Where the plan can be rejoined: positions with these boxes and this player, and the end if the
            // level is solved.
            let same = ones(&self.at_most[..window.all.len()]).map(|bit| first + bit);
            let solved = self.position.boxes.iter().all(|&at| self.field.board().is_goal(at));
            for i in same.filter(|&i| player == route.player(i)).chain(solved.then(|| route.last())) {
                searched.furthest = searched.furthest.max(i);
                let total = figure.ranked(route.with_detour(first, node.cost(), i));
                if total < least && total.1 <= most {
                    least = total;
                    best = Some((number, i));
                }
            }
            self.push_boxes(number, player, &vicinity, &window, figure);
        }
        searched.to_the_end = cost > window.bound() && window.last == route.last();
        searched.detour = best.map(|(number, to)| Detour { pushes: self.path(number), to });
        searched
    }

    /// Stores the successors of the current position.
    fn push_boxes(
        &mut self,
        parent: u32,
        player: Square,
        vicinity: &Vicinity,
        window: &Window,
        figure: Figure,
    ) {
        let node = self.nodes[parent as usize];
        let near = self.field.near();
        for i in 0..self.position.boxes.len() {
            let boxed = self.position.boxes[i];
            for dir in DIRS {
                let from = near[boxed as usize][dir.back() as usize];
                let to = near[boxed as usize][dir as usize];
                if !self.walk.reaches(from) || !self.position.free(to) || !self.field.alive(to) {
                    continue;
                }
                let moves = node.moves + u32::from(self.walk.distance(from)) + 1;
                let pushes = node.pushes + 1;
                let cost = figure.ranked((moves, pushes)).0;
                let reference = self.reference(boxed, to, window.all.len(), vicinity.displaced);
                let near_enough = |bit: usize| cost <= window.costs[bit].saturating_add(vicinity.slack);
                if cost > window.bound() || !reference.is_some_and(near_enough) {
                    continue;
                }
                let (old, new) = (self.zobrist[boxed as usize], self.zobrist[to as usize]);
                let key =
                    node.key ^ old.boxed ^ new.boxed ^ old.player ^ self.zobrist[player as usize].player;
                let child = Node { key, moves, pushes, parent, from, dir, expanded: false };
                if let Some(number) = self.insert(child, figure, (boxed, to)) {
                    self.buckets[cost as usize].push(number);
                }
            }
        }
    }

    /// Empties the tables and stores the first position.
    fn prepare(&mut self, route: &Route, window: &Window, displaced: usize) {
        let words = window.all.len();
        self.absent.clear();
        self.absent.resize(self.field.squares() * words, u64::MAX);
        for i in window.first..=window.last {
            let bit = i - window.first;
            for square in ones(route.boxes(i)) {
                self.absent[square * words + bit / 64] &= !(1 << (bit % 64));
            }
        }
        self.at_most.clear();
        self.at_most.resize((displaced + 2) * words, 0);
        self.nodes.clear();
        self.table.clear();
        self.table.resize(FIRST_TABLE, 0);
        self.buckets.iter_mut().for_each(Vec::clear);
        self.buckets.resize_with(self.buckets.len().max(window.bound() as usize + 1), Vec::new);
        let player = route.player(window.first);
        let boxes = ones(route.boxes(window.first)).map(|square| self.zobrist[square].boxed);
        let key = boxes.fold(self.zobrist[player as usize].player, |key, number| key ^ number);
        self.boxes.clear();
        self.boxes.extend_from_slice(route.boxes(window.first));
        let node = Node {
            key,
            moves: 0,
            pushes: 0,
            parent: NO_PARENT,
            from: player,
            dir: Dir::Left,
            expanded: false,
        };
        self.nodes.push(node);
        let slot = self.slot(key);
        self.table[slot] = entry(key, 0);
        self.buckets[0].push(0);
    }

    /// Sets up the position of a node and floods it; returns the player's square.
    fn expand(&mut self, number: usize, first: Square) -> Square {
        let boxes = ones(&self.boxes[number * self.words..(number + 1) * self.words]);
        self.position.set_boxes(boxes.map(|square| square as Square));
        let node = &self.nodes[number];
        let player = if node.parent == NO_PARENT {
            first
        } else {
            self.field.near()[node.from as usize][node.dir as usize]
        };
        self.walk.flood(self.field, &self.position, player);
        player
    }

    /// Counts the displaced boxes of the current position against all positions of the plan.
    fn count_displaced(&mut self, all: &[u64]) {
        let words = all.len();
        for level in self.at_most.chunks_exact_mut(words) {
            level.copy_from_slice(all);
        }
        for &boxed in &self.position.boxes {
            let absent = &self.absent[boxed as usize * words..(boxed as usize + 1) * words];
            for level in (1..self.at_most.len() / words).rev() {
                let (below, here) = self.at_most[(level - 1) * words..].split_at_mut(words);
                for ((here, below), absent) in here.iter_mut().zip(below).zip(absent) {
                    *here = *here & !absent | *below & absent;
                }
            }
            for (here, absent) in self.at_most.iter_mut().zip(absent) {
                *here &= !absent;
            }
        }
    }

    /// The bit of the reference after a push; `None` if too many boxes are displaced against every position.
    fn reference(&self, boxed: Square, to: Square, words: usize, displaced: usize) -> Option<usize> {
        let before = &self.absent[boxed as usize * words..(boxed as usize + 1) * words];
        let after = &self.absent[to as usize * words..(to as usize + 1) * words];
        (0..=displaced).find_map(|level| {
            (0..words).rev().find_map(|word| {
                // Against these positions, the push displaces one box more or one box less.
                let (more, less) = (after[word] & !before[word], before[word] & !after[word]);
                let at = level * words + word;
                let fewer = if level == 0 { 0 } else { self.at_most[at - words] };
                let here = self.at_most[at] & !(more | less) | fewer & more | self.at_most[at + words] & less;
                (here != 0).then(|| word * 64 + 63 - here.leading_zeros() as usize)
            })
        })
    }

    /// The first slot probed for a key.
    fn slot(&self, key: u64) -> usize {
        key as usize & (self.table.len() - 1)
    }

    /// Stores a node that is new or cheaper than before. Returns its index if it must be put into a bucket.
    fn insert(&mut self, child: Node, figure: Figure, (boxed, to): (Square, Square)) -> Option<u32> {
        let mut slot = self.slot(child.key);
        let mask = self.table.len() - 1;
        while self.table[slot] != 0 {
            let found = self.table[slot];
            let number = (found as u32 - 1) as usize;
            if found >> 32 == child.key >> 32 && self.nodes[number].key == child.key {
                let old = &mut self.nodes[number];
                let (was, is) = (figure.ranked(old.cost()), figure.ranked(child.cost()));
                if old.expanded || is >= was {
                    return None;
                }
                *old = child;
                return (is.0 < was.0).then_some(number as u32);
            }
            slot = (slot + 1) & mask;
        }
        let number = self.nodes.len();
        self.table[slot] = entry(child.key, number);
        self.nodes.push(child);
        let first = self.boxes.len();
        let parent = child.parent as usize;
        self.boxes.extend_from_within(parent * self.words..(parent + 1) * self.words);
        self.boxes[first + boxed as usize / 64] &= !(1 << (boxed % 64));
        self.boxes[first + to as usize / 64] |= 1 << (to % 64);
        if self.nodes.len() * 2 > self.table.len() {
            self.grow();
        }
        Some(number as u32)
    }

    /// Doubles the hash table.
    fn grow(&mut self) {
        let size = self.table.len() * 2;
        self.table.clear();
        self.table.resize(size, 0);
        for number in 0..self.nodes.len() {
            let key = self.nodes[number].key;
            let mut slot = self.slot(key);
            while self.table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = entry(key, number);
        }
    }

    /// The pushes to a node.
    fn path(&self, number: u32) -> Vec<Push> {
        let mut pushes = Vec::new();
        let mut node = &self.nodes[number as usize];
        while node.parent != NO_PARENT {
            pushes.push((node.from, node.dir));
            node = &self.nodes[node.parent as usize];
        }
        pushes.reverse();
        pushes
    }
}

/// A slot of the hash table.
fn entry(key: u64, number: usize) -> u64 {
    key & !0xFFFF_FFFF | (number as u64 + 1)
}
