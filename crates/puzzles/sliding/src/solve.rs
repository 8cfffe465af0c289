//! The strongest solver: breadth-first search over positions with equal shapes merged.
//!
//! Positions are numbers (`rank`), stored exactly in four bytes each (`closed`) with their distance modulo 3. Only the current
//! layer and the next one are lists of positions. A plan is recovered by walking back along falling distances, and replayed to
//! name the pieces. When steps are counted, boards with several pieces of one cell use another search (`packing`).
//!
//! Why no heuristic: a sliding-block board has thousands of goal states, and almost every position lies on some path to one
//! that is hardly longer than the shortest. Estimates of piece 0's distance left 99 of 100 positions to expand.

use std::any::Any;

use beeline_search::budget::Meter;
use beeline_search::census::Census;
use beeline_search::memory::OutOfMemory;
use beeline_search::team;
use beeline_search::{Budget, Limit, Outcome, Solution, Stats, Verdict};

use super::board::{Board, STUCK};
use super::closed::Closed;
use super::layer::{Chunk, Layers};
use super::layout::Dir;
use super::mask::Mask;
use super::mirror::Mirror;
use super::packing::{self, Field};
use super::parallel;
use super::rank::{Hop, NO_MOVE, Node, Tables};
use super::space::Metric;

/// A move of a plan: a piece and its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slid {
    /// The piece.
    pub piece: usize,
    /// Its path, step by step.
    pub way: Vec<Dir>,
}

/// Successors buffered while their memory is prefetched.
pub(super) const PENDING: usize = 64;

/// The shortest plan under a metric. Further threads pay on boards with millions of positions. `None` if the board is too large
/// for this solver: see `Tables::new`.
pub fn shortest<const N: usize>(
    board: &Board<N>,
    metric: Metric,
    threads: usize,
    budget: &Budget,
    tick: &mut dyn FnMut(&Stats),
) -> Option<Outcome<Slid>> {
    if let Some(field) = over_packings(board, metric).filter(|_| Mirror::of(board).is_none()) {
        let search = |meter: &mut Meter, stats: &mut Stats| {
            let way = packing::until_goal(&field, threads, budget, meter, stats, tick)?;
            let hops = |way: Vec<_>| {
                way.into_iter().map(|(shape, from, to)| MergedMove { shape, from, to }).collect()
            };
            Ok(way.map(hops))
        };
        return Some(conclude(board, metric, budget, search));
    }
    ranked_shortest(board, metric, threads, budget, tick)
}

/// The same with the search by position.
pub(super) fn ranked_shortest<const N: usize>(
    board: &Board<N>,
    metric: Metric,
    threads: usize,
    budget: &Budget,
    tick: &mut dyn FnMut(&Stats),
) -> Option<Outcome<Slid>> {
    let tables = Tables::new(board, metric, true)?;
    // The second width fits all boards. The first is compiled for boards of at most 256 cells, where it saves copying.
    Some(if N <= 4 && tables.len() < 16 {
        run::<N, 16>(board, &tables, metric, threads, budget, tick)
    } else {
        run::<N, 64>(board, &tables, metric, threads, budget, tick)
    })
}

/// The board for a search over packings, if that is possible and preferable: a small board, enough positions per packing, and
/// the step metric. A symmetry, which halves the positions, speaks against it.
fn over_packings<const N: usize>(board: &Board<N>, metric: Metric) -> Option<Field<'_>> {
    let small = (board as &dyn Any).downcast_ref().filter(|_| metric == Metric::Steps)?;
    Field::of(small, &packing::USEFUL_SETS)
}

fn run<const N: usize, const P: usize>(
    board: &Board<N>,
    tables: &Tables<N>,
    metric: Metric,
    threads: usize,
    budget: &Budget,
    tick: &mut dyn FnMut(&Stats),
) -> Outcome<Slid> {
    conclude(board, metric, budget, |meter, stats| {
        if team::AVAILABLE && threads > 1 {
            parallel::until_goal::<N, P>(board, tables, threads, budget, meter, stats, tick)
        } else {
            Sweep::<N, P>::new(board, tables, meter)?.until_goal(meter, stats, tick)
        }
    })
}

/// The outcome of a search that returns the path to a goal, or `None` if there is none.
fn conclude<const N: usize>(
    board: &Board<N>,
    metric: Metric,
    budget: &Budget,
    search: impl FnOnce(&mut Meter, &mut Stats) -> Result<Option<Vec<MergedMove>>, Limit>,
) -> Outcome<Slid> {
    let mut meter = Meter::new(budget);
    let mut stats = Stats::default();
    let hopeless =
        board.targets.iter().any(|t| t.0 == 0) && board.distances()[board.start[0] as usize].is_none();
    let end = if hopeless { Ok(None) } else { search(&mut meter, &mut stats) };
    let verdict = match end {
        Ok(None) => Verdict::Exhausted,
        Ok(Some(way)) => {
            let cost = way.len() as u64;
            Verdict::Solved(Solution { moves: named_plan(board, metric, &way), cost, lower_bound: cost })
        }
        Err(limit) => Verdict::Stopped(limit),
    };
    stats.close(&meter);
    Outcome { verdict, stats }
}

/// One move of a merged plan: some piece of this shape moves from one anchor to another.
pub(super) struct MergedMove {
    shape: usize,
    from: u16,
    to: u16,
}

/// Breadth-first search, layer by layer.
struct Sweep<'a, const N: usize, const P: usize> {
    board: &'a Board<N>,
    tables: &'a Tables<N>,
    closed: Closed,
    layers: Layers<P>,
    pending: Vec<Pending>,
    depth: u64,
    stop_at_goal: bool,
}

#[derive(Clone, Copy)]
pub(super) struct Pending {
    pub number: u64,
    pub parent: u32,
    pub hop: Hop,
}

impl<'a, const N: usize, const P: usize> Sweep<'a, N, P> {
    fn new(board: &'a Board<N>, tables: &'a Tables<N>, meter: &mut Meter) -> Result<Self, OutOfMemory> {
        let mut closed = Closed::new(tables.bits(), &mut meter.ledger)?;
        let start = tables.node(board, &board.start);
        closed.insert(&mut meter.ledger, tables.mix(tables.rank(&start)), 0)?;
        let mut layers = Layers::new(tables.len());
        layers.push(&mut meter.ledger, &start)?;
        layers.advance();
        let pending = Vec::with_capacity(2 * PENDING);
        Ok(Self { board, tables, closed, layers, pending, depth: 0, stop_at_goal: true })
    }

    /// Searches until a goal is found and returns the path to it; `None` if there is none.
    fn until_goal(
        &mut self,
        meter: &mut Meter,
        stats: &mut Stats,
        tick: &mut dyn FnMut(&Stats),
    ) -> Result<Option<Vec<MergedMove>>, Limit> {
        let start: Node<P> = self.tables.node(self.board, &self.board.start);
        if self.tables.is_goal(&start) {
            return Ok(Some(Vec::new()));
        }
        while self.layers.left() > 0 {
            let goal = self.expand_layer(meter, stats, tick)?;
            if let Some(goal) = goal {
                let age = |number| self.closed.age(number);
                return Ok(Some(trace_back(self.board, self.tables, self.depth, &goal, &age)));
            }
        }
        Ok(None)
    }

    /// Makes the next layer and advances to it; stops at the first goal in it.
    fn expand_layer(
        &mut self,
        meter: &mut Meter,
        stats: &mut Stats,
        tick: &mut dyn FnMut(&Stats),
    ) -> Result<Option<Node<P>>, Limit> {
        stats.depth = self.depth;
        let mut goal = None;
        let layer = self.layers.left();
        while let Some(chunk) = self.layers.take() {
            if goal.is_none() {
                let found = self.expand_chunk(&chunk, meter, stats, tick);
                // Also if a limit ends the search.
                stats.stored = self.closed.len() as u64;
                goal = found?;
            }
            self.layers.give_back(&mut meter.ledger, chunk)?;
        }
        stats.frontier_peak = stats.frontier_peak.max((layer + self.layers.made()) as u64);
        self.depth += 1;
        self.layers.advance();
        Ok(goal)
    }

    fn expand_chunk(
        &mut self,
        chunk: &Chunk,
        meter: &mut Meter,
        stats: &mut Stats,
        tick: &mut dyn FnMut(&Stats),
    ) -> Result<Option<Node<P>>, Limit> {
        let len = chunk.len();
        for parent in 0..len {
            if meter.due() {
                meter.look()?;
                stats.stored = self.closed.len() as u64;
                stats.close(meter);
                tick(stats);
            }
            meter.count();
            stats.expanded += 1;
            let (closed, pending, tables) = (&self.closed, &mut self.pending, self.tables);
            let node = self.layers.get(chunk, parent);
            tables.successors(&node, |hop, rank| {
                let number = tables.mix(rank);
                closed.announce(number);
                pending.push(Pending { number, parent: parent as u32, hop });
            });
            if self.pending.len() >= PENDING || parent + 1 == len {
                let goal = self.settle(chunk, meter, stats)?;
                if goal.is_some() {
                    return Ok(goal);
                }
            }
        }
        Ok(None)
    }

    /// Looks up the pending successors and keeps the new ones; returns the first goal among them.
    fn settle(
        &mut self,
        chunk: &Chunk,
        meter: &mut Meter,
        stats: &mut Stats,
    ) -> Result<Option<Node<P>>, OutOfMemory> {
        let age = (self.depth + 1) % 3;
        let before = self.layers.made();
        let mut goal = None;
        for &Pending { number, parent, hop } in &self.pending {
            if !self.closed.insert(&mut meter.ledger, number, age)? {
                continue;
            }
            let child = self.tables.apply(&self.layers.get(chunk, parent as usize), hop);
            if self.stop_at_goal && goal.is_none() && self.tables.is_goal(&child) {
                goal = Some(child);
            }
            self.layers.push(&mut meter.ledger, &child)?;
        }
        let made = self.pending.len() as u64;
        stats.generated += made;
        stats.duplicates += made - (self.layers.made() - before) as u64;
        self.pending.clear();
        Ok(goal)
    }
}

/// The path from the start to a position at this distance, recovered backwards along falling distances. It runs once per
/// search, so one node width serves all.
pub(super) fn trace_back<const N: usize>(
    board: &Board<N>,
    tables: &Tables<N>,
    distance: u64,
    goal: &[u8],
    age: &dyn Fn(u64) -> Option<u64>,
) -> Vec<MergedMove> {
    const P: usize = 64;
    let mut here: Node<P> = [0; P];
    here[..tables.len()].copy_from_slice(&goal[..tables.len()]);
    let shapes = board.shapes.iter().enumerate();
    let shape_of: Vec<usize> = shapes.flat_map(|(i, s)| s.pieces.iter().map(move |_| i)).collect();
    let mut way = Vec::new();
    for nearer in (0..distance).rev() {
        // Any move may have led here, so none is omitted as redundant.
        here[P - 1] = NO_MOVE;
        let mut found = None;
        tables.successors(&here, |hop, rank| {
            if found.is_none() && age(tables.mix(rank)) == Some(nearer % 3) {
                found = Some(hop);
            }
        });
        let Some(hop) = found else { break };
        let slot = hop.slot as usize;
        way.push(MergedMove { shape: shape_of[slot], from: u16::from(hop.to), to: u16::from(here[slot]) });
        here = tables.apply(&here, hop);
    }
    way.reverse();
    // The path may have led to the image of the start. Then its mirror image begins at the start.
    let start: Node<P> = tables.node(board, &board.start);
    if here[..tables.len()] != start[..tables.len()] {
        for hop in &mut way {
            (hop.shape, hop.from, hop.to) = tables.image(hop.shape, hop.from, hop.to);
        }
    }
    way
}

/// A merged plan with named pieces and each piece's path.
fn named_plan<const N: usize>(board: &Board<N>, metric: Metric, hops: &[MergedMove]) -> Vec<Slid> {
    let mut at = board.start.clone();
    let mut plan = Vec::with_capacity(hops.len());
    for hop in hops {
        let shape = &board.shapes[hop.shape];
        let Some(&piece) = shape.pieces.iter().find(|&&p| at[p] == hop.from) else { break };
        let others = (0..at.len()).filter(|&p| p != piece);
        let occupied = others.fold(Mask::EMPTY, |m, p| m.with(&board.shape(p).masks[at[p] as usize]));
        plan.push(Slid { piece, way: way_of(board, metric, piece, hop.from, hop.to, &occupied) });
        at[piece] = hop.to;
    }
    plan
}

/// The shortest path of one piece among fixed others; straight, if the metric requires it.
fn way_of<const N: usize>(
    board: &Board<N>,
    metric: Metric,
    piece: usize,
    from: u16,
    to: u16,
    others: &Mask<N>,
) -> Vec<Dir> {
    let shape = board.shape(piece);
    let mut came: Vec<Option<Dir>> = vec![None; shape.len()];
    let mut queue = vec![from];
    let mut head = 0;
    while came[to as usize].is_none() && head < queue.len() {
        let at = queue[head];
        head += 1;
        for dir in Dir::ALL {
            let next = shape.next[at as usize][dir as usize];
            let bent = metric == Metric::Lines && came[at as usize].is_some_and(|d| d != dir);
            if next == STUCK || next == from || bent || came[next as usize].is_some() {
                continue;
            }
            if !shape.masks[next as usize].meets(others) {
                came[next as usize] = Some(dir);
                queue.push(next);
            }
        }
    }
    let mut way = Vec::new();
    let mut at = to;
    while let Some(dir) = came[at as usize].filter(|_| at != from) {
        way.push(dir);
        at = shape.next[at as usize][dir.back() as usize];
    }
    way.reverse();
    way
}

/// The whole space of a board, with pieces of one shape merged. A position is the anchor of each piece.
pub type Positions = Census<Vec<u16>>;

/// Visits all reachable positions. Solved positions are expanded only if `beyond_goals`. `None` as for [`shortest`].
pub fn census<const N: usize>(
    board: &Board<N>,
    metric: Metric,
    beyond_goals: bool,
    budget: &Budget,
    tick: &mut dyn FnMut(&Stats),
) -> Option<Result<Positions, Limit>> {
    if let Some(field) = over_packings(board, metric).filter(|_| !halved(board)) {
        return Some(packing::census(&field, beyond_goals, budget, tick));
    }
    ranked_census(board, metric, beyond_goals, budget, tick)
}

/// Does one of a position and its image suffice? They count as two. Both are equally far from a start only if it is its own
/// image.
fn halved<const N: usize>(board: &Board<N>) -> bool {
    let mut start: Vec<(usize, u16)> =
        board.shape_of.iter().map(|&k| k as usize).zip(board.start.clone()).collect();
    start.sort_unstable();
    Mirror::of(board).is_some_and(|mirror| {
        let image = |&(k, a): &(usize, u16)| (mirror.shapes[k], u16::from(mirror.anchors[k][a as usize]));
        let mut images: Vec<_> = start.iter().map(image).collect();
        images.sort_unstable();
        images == start
    })
}

/// The same with the search by position.
pub(super) fn ranked_census<const N: usize>(
    board: &Board<N>,
    metric: Metric,
    beyond_goals: bool,
    budget: &Budget,
    tick: &mut dyn FnMut(&Stats),
) -> Option<Result<Positions, Limit>> {
    let tables = Tables::new(board, metric, halved(board))?;
    Some(if N <= 4 && tables.len() < 16 {
        count::<N, 16>(board, &tables, beyond_goals, budget, tick)
    } else {
        count::<N, 64>(board, &tables, beyond_goals, budget, tick)
    })
}

fn count<const N: usize, const P: usize>(
    board: &Board<N>,
    tables: &Tables<N>,
    beyond_goals: bool,
    budget: &Budget,
    tick: &mut dyn FnMut(&Stats),
) -> Result<Positions, Limit> {
    let mut meter = Meter::new(budget);
    let mut stats = Stats::default();
    let mut sweep = Sweep::<N, P>::new(board, tables, &mut meter)?;
    sweep.stop_at_goal = false;
    let mut census = Positions::default();
    while let Some(first) = sweep.layers.first() {
        census.farthest = tables.anchors(board, &first);
        let (mut all, mut goals) = (0, 0);
        sweep.layers.retain(|node| {
            let (weight, solved) = (tables.weight(node), tables.is_goal(node));
            all += weight;
            goals += if solved { weight } else { 0 };
            beyond_goals || !solved
        });
        census.layers.push(all);
        census.goals += goals;
        sweep.expand_layer(&mut meter, &mut stats, tick)?;
    }
    Ok(census)
}
