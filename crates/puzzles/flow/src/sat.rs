//! A second opinion: the puzzle as clauses, for a SAT solver that knows nothing of corners.
//!
//! A variable a cell and colour, a variable a pair of neighbours. A path cell has two links and an end one; linked cells have
//! the same colour, and neighbours of the same colour are linked (so no path touches itself). What the clauses do not say is that a
//! ring of links is no path: rings are forbidden one by one when they turn up, which is seldom.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, lbool};
use beeline_search::{Budget, Cancel, Limit, Meter, Stats};

use super::board::{Board, Cell, DIRS, Dir, Paths, Rule};
use super::corner::Found;

/// Finds up to `limit` answers. Memory is the SAT solver's own and is not booked; time and the cancel flag are kept.
pub fn solve(board: &Board, limit: usize, budget: &Budget) -> Found {
    let mut meter = Meter::new(budget);
    let mut found = Found { answers: Vec::new(), all: false, stopped: None, stats: Stats::default() };
    let fits = size(board).filter(|&n| budget.bytes.is_none_or(|b| n <= b));
    if let Err(stop) = meter.look() {
        found.stopped = Some(stop);
    } else if fits.is_none() {
        found.stopped = Some(Limit::Memory);
    } else {
        Model::new(board, budget, &meter).enumerate(limit, &mut found);
        meter.count();
    }
    found.stats.close(&meter);
    found.stats.bytes = found.stats.bytes.max(fits.unwrap_or(0));
    found
}

/// A rough size of the clauses in bytes; `None` if it is beyond all reason.
fn size(board: &Board) -> Option<usize> {
    let clauses = board.cells().len().checked_mul(board.colours().len())?.checked_mul(6)?;
    clauses.checked_mul(24).filter(|&bytes| bytes < 4 << 30)
}

/// Stops the solver when the time is over.
struct Watch {
    deadline: Option<Instant>,
    cancel: Cancel,
    timed_out: Arc<AtomicBool>,
}

impl Callbacks for Watch {
    fn stop(&self) -> bool {
        let late = self.deadline.is_some_and(|d| Instant::now() >= d);
        if late {
            self.timed_out.store(true, Ordering::Relaxed);
        }
        late || self.cancel.is_cancelled()
    }
}

struct Model<'a> {
    board: &'a Board,
    solver: Solver<Watch>,
    /// The link to the right and the link downwards of each cell.
    links: Vec<[Option<Lit>; 2]>,
    cancel: Cancel,
    timed_out: Arc<AtomicBool>,
    clause: Vec<Lit>,
}

impl<'a> Model<'a> {
    fn new(board: &'a Board, budget: &Budget, meter: &Meter) -> Self {
        let timed_out = Arc::new(AtomicBool::new(false));
        let left = budget.after(meter.elapsed(), 0).time;
        let watch = Watch {
            deadline: left.and_then(|t| Instant::now().checked_add(t)),
            cancel: budget.cancel.clone(),
            timed_out: Arc::clone(&timed_out),
        };
        let mut model = Self {
            board,
            solver: Solver::new(SolverOpts::default(), watch),
            links: vec![[None; 2]; board.cells().len()],
            cancel: budget.cancel.clone(),
            timed_out,
            clause: Vec::new(),
        };
        model.build();
        model
    }

    fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    fn add(&mut self, lits: &[Lit]) {
        self.clause.clear();
        self.clause.extend_from_slice(lits);
        // `false` means that there is no answer; the solver remembers it.
        self.solver.add_clause_reuse(&mut self.clause);
    }

    fn link(&self, at: usize, dir: Dir) -> Option<Lit> {
        let to = self.board.neighbour(at, dir)?;
        match dir {
            Dir::Right => self.links[at][0],
            Dir::Down => self.links[at][1],
            Dir::Left => self.links[to][0],
            Dir::Up => self.links[to][1],
        }
    }

    fn build(&mut self) {
        let board = self.board;
        let colours = board.colours().len();
        let cells = board.cells().len();
        let usable = |at: usize| board.cells()[at] != Cell::Wall;
        for at in (0..cells).filter(|&at| usable(at)) {
            for (i, dir) in [Dir::Right, Dir::Down].into_iter().enumerate() {
                if board.neighbour(at, dir).is_some_and(usable) {
                    self.links[at][i] = Some(self.fresh());
                }
            }
        }
        let mut colour = vec![Vec::new(); cells];
        for at in (0..cells).filter(|&at| usable(at)) {
            colour[at] = (0..colours).map(|_| self.fresh()).collect();
        }
        for at in (0..cells).filter(|&at| usable(at)) {
            self.cell(at, &colour[at]);
            for (i, dir) in [Dir::Right, Dir::Down].into_iter().enumerate() {
                let (Some(link), Some(to)) = (self.links[at][i], board.neighbour(at, dir)) else { continue };
                for (&here, &there) in colour[at].iter().zip(&colour[to]) {
                    self.add(&[!link, !here, there]);
                    self.add(&[!link, here, !there]);
                    self.add(&[link, !here, !there]);
                }
            }
        }
        for (at, yes, no) in super::corner::drawn(board) {
            for dir in DIRS {
                let Some(link) = self.link(at, dir) else { continue };
                if yes & Paths::bit(dir) != 0 {
                    self.add(&[link]);
                } else if no & Paths::bit(dir) != 0 {
                    self.add(&[!link]);
                }
            }
        }
    }

    /// How many links a cell has, and how many colours.
    fn cell(&mut self, at: usize, colours: &[Lit]) {
        let links: Vec<Lit> = DIRS.into_iter().filter_map(|d| self.link(at, d)).collect();
        for (i, &a) in colours.iter().enumerate() {
            for &b in &colours[i + 1..] {
                self.add(&[!a, !b]);
            }
        }
        if let Cell::End(c) = self.board.cells()[at] {
            self.add(&[colours[usize::from(c)]]);
            self.add(&links);
            for (i, &a) in links.iter().enumerate() {
                for &b in &links[i + 1..] {
                    self.add(&[!a, !b]);
                }
            }
        } else {
            self.free_cell(&links, colours);
        }
    }

    /// Two links, never three; under the Numberlink rule also none, and then no colour.
    fn free_cell(&mut self, links: &[Lit], colours: &[Lit]) {
        let may_be_empty = self.board.rule == Rule::Numberlink;
        for (i, &a) in links.iter().enumerate() {
            for (j, &b) in links.iter().enumerate().skip(i + 1) {
                for &c in &links[j + 1..] {
                    self.add(&[!a, !b, !c]);
                }
            }
            let mut others: Vec<Lit> = links.iter().copied().filter(|&l| l != a).collect();
            others.extend(may_be_empty.then_some(!a));
            self.add(&others);
        }
        if !may_be_empty {
            // Without neighbours this is the empty clause, as it should be.
            self.add(links);
            self.add(colours);
            return;
        }
        for &link in links {
            self.add(&[colours, &[!link]].concat());
        }
        for &colour in colours {
            self.add(&[links, &[!colour]].concat());
        }
    }

    fn enumerate(&mut self, limit: usize, found: &mut Found) {
        while found.answers.len() < limit {
            found.stats.expanded = self.solver.num_decisions();
            let verdict = self.solver.solve_limited(&[]);
            if verdict == lbool::FALSE {
                found.all = true;
                return;
            }
            if verdict != lbool::TRUE {
                let late = self.timed_out.load(Ordering::Relaxed) && !self.cancel.is_cancelled();
                found.stopped = Some(if late { Limit::Time } else { Limit::Cancelled });
                return;
            }
            let (paths, chosen) = self.read();
            let rings = self.rings(&paths);
            if rings.is_empty() {
                found.answers.push(paths);
                let block: Vec<Lit> = chosen.into_iter().map(|l| !l).collect();
                self.add(&block);
            }
            for ring in rings {
                self.add(&ring);
            }
        }
    }

    fn read(&self) -> (Paths, Vec<Lit>) {
        let mut paths = Paths { links: vec![0; self.board.cells().len()] };
        let mut chosen = Vec::new();
        for at in 0..paths.links.len() {
            for (i, dir) in [Dir::Right, Dir::Down].into_iter().enumerate() {
                let (Some(link), Some(to)) = (self.links[at][i], self.board.neighbour(at, dir)) else {
                    continue;
                };
                if self.solver.value_lit(link) == lbool::TRUE {
                    paths.links[at] |= Paths::bit(dir);
                    paths.links[to] |= Paths::bit(dir.back());
                    chosen.push(link);
                }
            }
        }
        (paths, chosen)
    }

    /// A clause for each ring: one of its links must go.
    fn rings(&self, paths: &Paths) -> Vec<Vec<Lit>> {
        let mut seen = paths.colours(self.board).iter().map(Option::is_some).collect::<Vec<_>>();
        let mut rings = Vec::new();
        for first in 0..seen.len() {
            if seen[first] || paths.links[first] == 0 {
                continue;
            }
            let (mut at, mut from, mut ring) = (first, None, Vec::new());
            while !seen[at] {
                seen[at] = true;
                let next = DIRS
                    .into_iter()
                    .find(|&d: &Dir| paths.links[at] & Paths::bit(d) != 0 && from != Some(d.back()));
                let Some(dir) = next else { break };
                let Some(to) = self.board.neighbour(at, dir) else { break };
                ring.extend(self.link(at, dir).map(|l| !l));
                (at, from) = (to, Some(dir));
            }
            rings.push(ring);
        }
        rings
    }
}
