//! An independent solver: the puzzle as clauses for a SAT solver, without the corner theorem.
//!
//! There is a variable for each cell and colour, and for each pair of neighbours (their link). A path cell has two links and an
//! end one. Linked cells have the same colour, and neighbours of the same colour are linked (so no path touches itself). The
//! clauses do not exclude rings of links. Rings are forbidden one by one when they occur, which is rare.

use std::cell::Cell;
use std::rc::Rc;

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, lbool};
use beeline_search::clock::Instant;
use beeline_search::{Budget, Cancel, Limit, Meter, Stats};

use super::board::{self, Board, DIRS, Dir, Paths, Rule};
use super::corner::Found;

/// Work of adding a clause, in units of [`Meter::work`].
const CLAUSE: u64 = 64;

/// Finds up to `limit` solutions. The memory is the SAT solver's own and is estimated from its clauses.
pub fn solve(board: &Board, limit: usize, budget: &Budget) -> Found {
    let mut meter = Meter::new(budget);
    let mut found = Found { answers: Vec::new(), all: false, stopped: None, stats: Stats::default() };
    if let Err(stop) = search(board, limit, budget, &mut meter, &mut found) {
        found.stopped = Some(stop);
    }
    found.stats.close(&meter);
    found
}

fn search(
    board: &Board,
    limit: usize,
    budget: &Budget,
    meter: &mut Meter,
    found: &mut Found,
) -> Result<(), Limit> {
    meter.look()?;
    meter.ledger.claim(size(board).ok_or(Limit::Memory)?)?;
    let mut model = Model::new(board, budget, meter)?;
    if limit == 1 {
        model.canonical();
    }
    meter.count();
    model.enumerate(limit, found)
}

/// Bytes of a clause with this many literals: header and literals in an array and two watchers in lists, all of which grow
/// twofold.
fn clause_bytes(literals: usize) -> usize {
    2 * (4 * (2 + literals) + 2 * 8)
}

/// The approximate number of clauses of the model per cell. The most frequent kind stands for the longer ones.
fn clauses_of_a_cell(colours: usize) -> usize {
    colours * colours.saturating_sub(1) / 2 + 6 * colours + 16
}

/// The approximate bytes of the model; `None` above 4 GiB.
fn size(board: &Board) -> Option<usize> {
    let clauses = board.cells().len().checked_mul(clauses_of_a_cell(board.colours().len()))?;
    // 4 GiB do not fit in a 32-bit number.
    clauses.checked_mul(clause_bytes(3)).filter(|&bytes| (bytes as u64) < 4 << 30)
}

/// Stops the solver at a limit, and records which.
struct Watch {
    deadline: Option<Instant>,
    cancel: Cancel,
    /// Bytes left for learned clauses.
    room: usize,
    learnt: usize,
    stopped: Rc<Cell<Option<Limit>>>,
}

impl Callbacks for Watch {
    fn on_new_clause(&mut self, clause: &[Lit], _: batsat::ClauseKind) {
        self.learnt += clause_bytes(clause.len());
    }

    fn on_delete_clause(&mut self, clause: &[Lit]) {
        self.learnt = self.learnt.saturating_sub(clause_bytes(clause.len()));
    }

    fn stop(&self) -> bool {
        let limit = if self.cancel.is_cancelled() {
            Limit::Cancelled
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Limit::Time
        } else if self.learnt > self.room {
            Limit::Memory
        } else {
            return false;
        };
        self.stopped.set(Some(limit));
        true
    }
}

struct Model<'a> {
    board: &'a Board,
    solver: Solver<Watch>,
    /// The link to the right and the link downwards of each cell.
    links: Vec<[Option<Lit>; 2]>,
    stopped: Rc<Cell<Option<Limit>>>,
    clause: Vec<Lit>,
}

impl<'a> Model<'a> {
    fn new(board: &'a Board, budget: &Budget, meter: &mut Meter) -> Result<Self, Limit> {
        let stopped = Rc::new(Cell::new(None));
        let left = meter.rest(budget);
        let watch = Watch {
            deadline: left.time.and_then(|t| Instant::now().checked_add(t)),
            cancel: budget.cancel.clone(),
            room: left.bytes.unwrap_or(usize::MAX),
            learnt: 0,
            stopped: Rc::clone(&stopped),
        };
        let mut model = Self {
            board,
            solver: Solver::new(SolverOpts::default(), watch),
            links: vec![[None; 2]; board.cells().len()],
            stopped,
            clause: Vec::new(),
        };
        model.build(meter)?;
        Ok(model)
    }

    fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    fn add(&mut self, lits: &[Lit]) {
        self.clause.clear();
        self.clause.extend_from_slice(lits);
        // `false` means that there is no solution; the solver remembers it.
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

    fn build(&mut self, meter: &mut Meter) -> Result<(), Limit> {
        let board = self.board;
        let colours = board.colours().len();
        let cells = board.cells().len();
        let usable = |at: usize| board.cells()[at].is_open();
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
            meter.work(CLAUSE * clauses_of_a_cell(colours) as u64)?;
            self.cell(at, &colour[at]);
            for (i, dir) in [Dir::Right, Dir::Down].into_iter().enumerate() {
                let (Some(link), Some(to)) = (self.links[at][i], board.neighbour(at, dir)) else { continue };
                for (&here, &there) in colour[at].iter().zip(&colour[to]) {
                    self.add(&[!link, !here, there]);
                    self.add(&[!link, here, !there]);
                    if !board.rule.may_touch() {
                        self.add(&[link, !here, !there]);
                    }
                }
            }
        }
        if board.rule.may_touch() {
            self.no_small_rings();
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
        Ok(())
    }

    /// Forbids the smallest rings, which are frequent where a path may touch itself.
    fn no_small_rings(&mut self) {
        for at in 0..self.board.cells().len() {
            let (right, down) = (self.board.neighbour(at, Dir::Right), self.board.neighbour(at, Dir::Down));
            let (Some(right), Some(down)) = (right, down) else { continue };
            let ring = [(at, Dir::Right), (at, Dir::Down), (right, Dir::Down), (down, Dir::Right)];
            let links: Option<Vec<Lit>> = ring.iter().map(|&(at, dir)| Some(!self.link(at, dir)?)).collect();
            if let Some(links) = links {
                self.add(&links);
            }
        }
    }

    /// Constrains the number of links and colours of a cell.
    fn cell(&mut self, at: usize, colours: &[Lit]) {
        let links: Vec<Lit> = DIRS.into_iter().filter_map(|d| self.link(at, d)).collect();
        for (i, &a) in colours.iter().enumerate() {
            for &b in &colours[i + 1..] {
                self.add(&[!a, !b]);
            }
        }
        if let board::Cell::End(c) = self.board.cells()[at] {
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

    /// Exactly two links; under the Numberlink rule also none, and then no colour.
    fn free_cell(&mut self, links: &[Lit], colours: &[Lit]) {
        let may_be_empty = !self.board.rule.fills();
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

    /// On a board that need not be filled, adds properties of one particular solution: its paths have the least total length,
    /// and among those it is the lowest one.
    ///
    /// A turn whose inside is empty can be flipped into it without a change of length. So in that solution the inside of a turn
    /// that goes down is not empty. By the corner theorem it is a wall, an end or an equal turn. A piece that goes down, along
    /// and up again over empty cells can be shortened. Drawn steps need not belong to that solution.
    fn canonical(&mut self) {
        let board = self.board;
        if board.rule != Rule::Numberlink || !board.is_plain() || !board.drawn().is_empty() {
            return;
        }
        let free = |at: usize| board.cells()[at] == board::Cell::Free;
        for at in (0..board.cells().len()).filter(|&at| free(at)) {
            for a in [Dir::Left, Dir::Right] {
                for b in [Dir::Up, Dir::Down] {
                    let (Some(across), Some(along)) = (self.link(at, a), self.link(at, b)) else { continue };
                    let inside = board.neighbour(at, a).and_then(|side| board.neighbour(side, b));
                    let Some(inside) = inside.filter(|&inside| free(inside)) else { continue };
                    for dir in [a, b] {
                        // The arms of the turn are full, so the cell inside is not linked to them.
                        let arm = self.link(inside, dir.back()).map(|link| !link);
                        self.add(&[&[!across, !along][..], arm.as_slice()].concat());
                        if b == Dir::Down {
                            let on = self.link(inside, dir);
                            self.add(&[&[!across, !along][..], on.as_slice()].concat());
                        }
                    }
                }
            }
        }
        self.no_valleys();
    }

    /// Forbids pieces `└─┘` over empty cells, row by row from the left.
    fn no_valleys(&mut self) {
        let board = self.board;
        let free = |at: usize| board.cells()[at] == board::Cell::Free;
        // The path comes down at the left end of a piece of which this is the last cell so far.
        let mut before: Option<Lit> = None;
        for at in 0..board.cells().len() {
            let (left, right) = (self.link(at, Dir::Left), self.link(at, Dir::Right));
            let (valley, up) = (before.take(), self.link(at, Dir::Up));
            if !free(at) {
                continue;
            }
            if let (Some(valley), Some(left), Some(up)) = (valley, left, up) {
                self.add(&[!valley, !left, !up]);
            }
            let Some(right) = right else { continue };
            let here = self.fresh();
            before = Some(here);
            if let Some(up) = up {
                self.add(&[!up, !right, here]);
            }
            let above = board.neighbour(at, Dir::Up).filter(|&above| free(above));
            if let (Some(valley), Some(left), Some(above)) = (valley, left, above) {
                let used: Vec<Lit> = DIRS.into_iter().filter_map(|dir| self.link(above, dir)).collect();
                self.add(&[&[!valley, !left, !right, here][..], &used].concat());
            }
        }
    }

    fn enumerate(&mut self, limit: usize, found: &mut Found) -> Result<(), Limit> {
        while found.answers.len() < limit {
            found.stats.expanded = self.solver.num_decisions();
            let verdict = self.solver.solve_limited(&[]);
            if verdict == lbool::FALSE {
                found.all = true;
                return Ok(());
            }
            if verdict != lbool::TRUE {
                // Only the watch ever stops the solver.
                return Err(self.stopped.get().unwrap_or(Limit::Cancelled));
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
        Ok(())
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

    /// A clause for each ring: one of its links must be absent.
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
