//! Constraint propagation on links between neighbouring cells.
//!
//! The sweep is fast but looks only at nearby cells. On large boards a few local rules determine most links without any search.
//! They run first, and their result is passed to the sweep. The rules:
//!
//! - an end has one link, a free cell two;
//! - a turn needs an anchor or an equal turn diagonally inside it (the corner theorem), so a cell that cannot turn a certain
//!   way forbids that turn to the cell outside it;
//! - two open tips of the same path never lie side by side, tips of two colours are not linked, and tips of the same colour that
//!   lie side by side are linked (no path touches itself);
//! - a link that leads to a contradiction in one state is fixed in the other (probing).

use super::layout::Forced;
use crate::board::{Board, Cell, DIRS, Dir, Paths};

/// The constraints are unsatisfiable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contradiction;

type Deduced = Result<(), Contradiction>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Outside,
    Wall,
    Free,
    End(u16),
}

/// A change on the trail, for undoing.
#[derive(Clone, Copy, Debug)]
enum Change {
    Yes(u32, u8),
    No(u32, u8),
    Tip(u32, u32),
}

/// The known links of a board, with a border of outside cells.
#[derive(Debug)]
pub(super) struct Deduction {
    stride: usize,
    kinds: Vec<Kind>,
    yes: Vec<u8>,
    no: Vec<u8>,
    /// The other end of the path piece that ends at a cell; the cell itself if it has no links.
    tips: Vec<u32>,
    trail: Vec<Change>,
    queue: Vec<u32>,
    queued: Vec<bool>,
    /// Cells whose tips are still to be probed.
    agenda: Vec<u32>,
    waiting: Vec<bool>,
    /// Cells examined: the measure of work.
    pub(super) work: u64,
}

/// The four turns: two perpendicular directions each.
const TURNS: [(Dir, Dir); 4] =
    [(Dir::Right, Dir::Down), (Dir::Left, Dir::Down), (Dir::Right, Dir::Up), (Dir::Left, Dir::Up)];

impl Deduction {
    pub(super) fn new(board: &Board) -> Self {
        let (width, height) = (board.width(), board.height());
        let stride = width + 2;
        let size = stride * (height + 2);
        let mut kinds = vec![Kind::Outside; size];
        for (at, cell) in board.cells().iter().enumerate() {
            kinds[(at / width + 1) * stride + at % width + 1] = match *cell {
                Cell::Free => Kind::Free,
                Cell::Wall | Cell::Hole => Kind::Wall,
                Cell::End(c) => Kind::End(c),
            };
        }
        Self {
            stride,
            kinds,
            yes: vec![0; size],
            no: vec![0; size],
            tips: (0..size as u32).collect(),
            trail: Vec::new(),
            queue: Vec::new(),
            queued: vec![false; size],
            agenda: (0..size as u32).rev().collect(),
            waiting: vec![true; size],
            work: 0,
        }
    }

    fn step(&self, at: usize, dir: Dir) -> usize {
        match dir {
            Dir::Left => at - 1,
            Dir::Right => at + 1,
            Dir::Up => at - self.stride,
            Dir::Down => at + self.stride,
        }
    }

    fn usable(&self, at: usize) -> bool {
        matches!(self.kinds[at], Kind::Free | Kind::End(_))
    }

    /// Propagates the board itself and its drawn steps.
    pub(super) fn begin(&mut self, board: &Board) -> Deduced {
        for at in 0..self.kinds.len() {
            if !self.usable(at) {
                continue;
            }
            self.enqueue(at);
            for dir in DIRS {
                if !self.usable(self.step(at, dir)) {
                    self.no[at] |= Paths::bit(dir);
                }
            }
        }
        for (at, yes, no) in super::drawn(board) {
            let here = self.place(board, at);
            for dir in DIRS {
                if yes & Paths::bit(dir) != 0 {
                    self.link(here, dir)?;
                } else if no & Paths::bit(dir) != 0 {
                    self.forbid(here, dir)?;
                }
            }
        }
        self.propagate()
    }

    fn place(&self, board: &Board, at: usize) -> usize {
        (at / board.width() + 1) * self.stride + at % board.width() + 1
    }

    /// The links of a board cell that are known to exist and known not to exist.
    fn known(&self, board: &Board, at: usize) -> (u8, u8) {
        let here = self.place(board, at);
        (self.yes[here], self.no[here])
    }

    /// The known links of every cell, for a sweep.
    pub(super) fn links(&self, board: &Board) -> Vec<Forced> {
        let known = |at| {
            let (yes, no) = self.known(board, at);
            Forced { at, yes, no }
        };
        (0..board.cells().len()).map(known).collect()
    }

    fn enqueue(&mut self, at: usize) {
        if !self.queued[at] && self.usable(at) {
            self.queued[at] = true;
            self.queue.push(at as u32);
        }
    }

    /// Fixes a link as present.
    fn link(&mut self, at: usize, dir: Dir) -> Deduced {
        let (bit, to) = (Paths::bit(dir), self.step(at, dir));
        if self.yes[at] & bit != 0 {
            return Ok(());
        }
        if self.no[at] & bit != 0 {
            return Err(Contradiction);
        }
        self.trail.push(Change::Yes(at as u32, self.yes[at]));
        self.trail.push(Change::Yes(to as u32, self.yes[to]));
        self.yes[at] |= bit;
        self.yes[to] |= Paths::bit(dir.back());
        let (a, b) = (self.tips[at] as usize, self.tips[to] as usize);
        if a == to {
            return Err(Contradiction);
        }
        if let (Kind::End(x), Kind::End(y)) = (self.kinds[a], self.kinds[b])
            && x != y
        {
            return Err(Contradiction);
        }
        self.trail.push(Change::Tip(a as u32, self.tips[a]));
        self.trail.push(Change::Tip(b as u32, self.tips[b]));
        self.tips[a] = b as u32;
        self.tips[b] = a as u32;
        for cell in [at, to, a, b] {
            self.enqueue(cell);
        }
        Ok(())
    }

    /// Fixes a link as absent.
    fn forbid(&mut self, at: usize, dir: Dir) -> Deduced {
        let (bit, to) = (Paths::bit(dir), self.step(at, dir));
        if self.no[at] & bit != 0 {
            return Ok(());
        }
        if self.yes[at] & bit != 0 {
            return Err(Contradiction);
        }
        self.trail.push(Change::No(at as u32, self.no[at]));
        self.trail.push(Change::No(to as u32, self.no[to]));
        self.no[at] |= bit;
        self.no[to] |= Paths::bit(dir.back());
        // Enqueues the cells outside a turn that has become impossible.
        for cell in [at, to] {
            self.enqueue(cell);
            for diagonal in [
                cell - self.stride - 1,
                cell - self.stride + 1,
                cell + self.stride - 1,
                cell + self.stride + 1,
            ] {
                self.enqueue(diagonal);
            }
        }
        Ok(())
    }

    fn propagate(&mut self) -> Deduced {
        while let Some(at) = self.queue.pop() {
            let at = at as usize;
            self.queued[at] = false;
            self.work += 1;
            let looked = self.look(at);
            if looked.is_err() {
                self.drop_queue();
                return looked;
            }
        }
        Ok(())
    }

    /// Applies every rule to one cell.
    fn look(&mut self, at: usize) -> Deduced {
        self.degree(at)?;
        if self.kinds[at] == Kind::Free {
            self.corners(at)?;
        }
        self.touch(at)
    }

    fn degree(&mut self, at: usize) -> Deduced {
        let wanted = if self.kinds[at] == Kind::Free { 2 } else { 1 };
        let (yes, no) = (self.yes[at], self.no[at]);
        let (have, left) = (yes.count_ones(), 4 - no.count_ones());
        if have > wanted || left < wanted {
            return Err(Contradiction);
        }
        if yes | no == 15 {
            return Ok(());
        }
        for dir in DIRS {
            let known = (yes | no) & Paths::bit(dir) != 0;
            if !known && have == wanted {
                self.forbid(at, dir)?;
            } else if !known && left == wanted {
                self.link(at, dir)?;
            }
        }
        Ok(())
    }

    fn corners(&mut self, at: usize) -> Deduced {
        for (a, b) in TURNS {
            let (bit_a, bit_b) = (Paths::bit(a), Paths::bit(b));
            let turn = bit_a | bit_b;
            if self.yes[at] & turn == 0 || self.no[at] & turn != 0 {
                continue;
            }
            let inside = self.step(self.step(at, a), b);
            let possible = match self.kinds[inside] {
                Kind::Outside => false,
                Kind::Wall | Kind::End(_) => true,
                Kind::Free => self.no[inside] & turn == 0,
            };
            if self.yes[at] & turn == turn {
                if !possible {
                    return Err(Contradiction);
                }
                if self.kinds[inside] == Kind::Free {
                    self.link(inside, a)?;
                    self.link(inside, b)?;
                }
            } else if !possible {
                let other = if self.yes[at] & bit_a != 0 { b } else { a };
                self.forbid(at, other)?;
            }
        }
        Ok(())
    }

    /// A tip beside another tip.
    fn touch(&mut self, at: usize) -> Deduced {
        let wanted = |kind: Kind| if kind == Kind::Free { 2 } else { 1 };
        if self.yes[at].count_ones() >= wanted(self.kinds[at]) {
            return Ok(());
        }
        let far = self.tips[at] as usize;
        for dir in DIRS {
            let bit = Paths::bit(dir);
            if self.yes[at] & bit != 0 {
                continue;
            }
            let beside = self.step(at, dir);
            if !self.usable(beside) || self.yes[beside].count_ones() >= wanted(self.kinds[beside]) {
                continue;
            }
            if far == beside {
                return Err(Contradiction);
            }
            if self.no[at] & bit != 0 && self.kinds[at] == Kind::Free {
                continue;
            }
            if let (Kind::End(x), Kind::End(y)) = (self.kinds[far], self.kinds[self.tips[beside] as usize]) {
                if x == y {
                    self.link(at, dir)?;
                    return Ok(());
                }
                self.forbid(at, dir)?;
            }
        }
        Ok(())
    }

    /// Undoes every change on the trail.
    fn undo(&mut self) {
        while let Some(change) = self.trail.pop() {
            match change {
                Change::Yes(at, old) => self.yes[at as usize] = old,
                Change::No(at, old) => self.no[at as usize] = old,
                Change::Tip(at, old) => self.tips[at as usize] = old,
            }
        }
    }

    /// Is this link consistent under propagation? Its consequences stay on the trail.
    fn suppose(&mut self, at: usize, dir: Dir) -> bool {
        let possible = self.link(at, dir).is_ok() && self.propagate().is_ok();
        if !possible {
            self.drop_queue();
        }
        possible
    }

    fn drop_queue(&mut self) {
        for &rest in &self.queue {
            self.queued[rest as usize] = false;
        }
        self.queue.clear();
    }

    /// Probes the open tips until nothing new follows (`true`) or `work` is spent (`false`: call it again).
    ///
    /// Every newly fixed link returns the cells around it to the agenda, so that the deduction continues where it succeeded.
    pub(super) fn probe(&mut self, work: u64) -> Result<bool, Contradiction> {
        let until = self.work + work;
        self.trail.clear();
        while let Some(at) = self.agenda.pop() {
            let at = at as usize;
            self.waiting[at] = false;
            if !self.is_tip(at) {
                continue;
            }
            for dir in DIRS {
                if (self.yes[at] | self.no[at]) & Paths::bit(dir) != 0 {
                    continue;
                }
                let possible = self.suppose(at, dir);
                self.undo();
                if possible {
                    continue;
                }
                self.forbid(at, dir)?;
                self.propagate()?;
                for change in std::mem::take(&mut self.trail) {
                    let (Change::Yes(cell, _) | Change::No(cell, _) | Change::Tip(cell, _)) = change;
                    let cell = cell as usize;
                    for near in [cell, cell - 1, cell + 1, cell - self.stride, cell + self.stride] {
                        if !self.waiting[near] {
                            self.waiting[near] = true;
                            self.agenda.push(near as u32);
                        }
                    }
                }
            }
            if self.work > until {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Is this the open tip of a path whose next link is unknown?
    fn is_tip(&self, at: usize) -> bool {
        match self.kinds[at] {
            Kind::Free => self.yes[at].is_power_of_two() && self.yes[at] | self.no[at] != 15,
            Kind::End(_) => self.yes[at] == 0,
            _ => false,
        }
    }

    /// The solution, if every link is known.
    pub(super) fn answer(&self, board: &Board) -> Option<Paths> {
        let whole = (0..self.kinds.len()).all(|at| !self.usable(at) || self.yes[at] | self.no[at] == 15);
        whole.then(|| Paths { links: (0..board.cells().len()).map(|at| self.known(board, at).0).collect() })
    }
}
