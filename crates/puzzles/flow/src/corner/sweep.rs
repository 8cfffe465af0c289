//! The sweep: anti-diagonal by anti-diagonal, with decisions only at ends and walls.
//!
//! When the sweep reaches a diagonal, it knows which of its cells are entered from the left and which from above. The corner
//! theorem then leaves few decisions:
//!
//! - entered from both sides: the turn `┘`; the cell before it on the main diagonal must be an anchor or a `┘` as well;
//! - entered from neither side: the turn `┌`; the cell behind it on the main diagonal must be an anchor or a `┌`;
//! - entered from the left: `─`, or `┐` if the cell below left is an anchor or a `┐`. So the `┐` of a diagonal form runs that
//!   begin at an anchor, and only the length of each run is a decision;
//! - entered from above: `│`, or `└` in a run that begins at an anchor above right.
//!
//! All cells of a diagonal are bits of a word. So straight cells cost nothing, and the conditions on the next diagonal are
//! tested for all decided cells at once. Open path pieces cross from one diagonal to the next as *strands*. Each strand stores
//! its mate: the other open end of the same piece, or the colour at which the piece ends.

use beeline_search::memory::{Ledger, OutOfMemory};

use super::layout::{Diagonal, Layout};
use super::memo::{COLOUR, Memo};
use super::word::Word;
use crate::board::{Board, Dir, Paths};

/// The decided links of a diagonal.
#[derive(Clone, Copy, Debug, Default)]
struct Row<W> {
    /// Cells entered from the left, and from above.
    left: W,
    above: W,
    /// Turns `┘` and `┌`.
    closing: W,
    opening: W,
    /// Links to the right and downwards.
    right: W,
    down: W,
    /// Constraints from the two previous diagonals: no link to the right, no link downwards, and which cells of the next
    /// diagonal may be entered from both sides.
    no_right: W,
    no_down: W,
    may_close: W,
}

impl<W: Word> Row<W> {
    /// The rows in which these links do not fit the next diagonal.
    #[inline(always)]
    fn wrong(&self, here: &Diagonal<W>, may_open: W, right: W, down: W, above: W) -> W {
        (right & above & !self.may_close)
            | !(right | above | may_open)
            | (right & self.no_right)
            | (down & self.no_down)
            | (here.must_right & !right)
            | (here.must_down & !down)
    }
}

/// The kinds of decision at an anchor, in order.
///
/// The options of a decision are the bits of a word, so that those that fail at once are never examined one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The number of `┐` above right of it. An option is the first row of the run, the anchor's own if there is none.
    Above,
    /// The link of an end: [`TO_RIGHT`], [`TO_BELOW`]; [`NO_LINK`] if there is no choice.
    Link,
    /// The number of `└` below left of it. An option is the last row of the run, the anchor's own if there is none.
    Below,
    /// No decision: records which state was entered here.
    Mark,
}

/// Options of [`Kind::Link`], as bits.
const TO_RIGHT: u64 = 1;
const TO_BELOW: u64 = 2;
const NO_LINK: u64 = 4;

/// A decision with untried options.
#[derive(Clone, Copy, Debug)]
struct Node<W> {
    diagonal: u16,
    anchor: u8,
    kind: Kind,
    /// Length of the log to unwind to.
    log: u32,
    strands: u32,
    /// For marks: the key of the state.
    key: u32,
    /// The untried options; for marks, the number of candidates so far.
    options: W,
    /// The links before the decision.
    right: W,
    down: W,
}

/// Why a run of the sweep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    /// A candidate is complete.
    Candidate,
    /// The search space is exhausted.
    Exhausted,
    /// The step limit of this run is reached.
    Quantum,
}

/// A resumable search.
#[derive(Debug)]
pub(super) struct Sweep<W> {
    layout: Layout<W>,
    rows: Vec<Row<W>>,
    /// The strands that go right, by row; from [`Self::DOWN`] on those that go down, by column; after them the mate of each
    /// strand.
    slots: Vec<u32>,
    log: Vec<(u32, u32)>,
    strands: u32,
    stack: Vec<Node<W>>,
    memo: Memo,
    /// The open strands along a diagonal, while a state is marked.
    frontier: Vec<u32>,
    /// Decisions tried so far.
    pub(super) steps: u64,
    /// Decisions left in this run, and whether one more was needed.
    left: u64,
    refused: bool,
    /// Complete candidates, solutions or touching paths: the memo must not record their states as failed.
    pub(super) kept: u64,
    fresh: bool,
}

/// The position of the sweep between two decisions.
#[derive(Clone, Copy)]
struct Cursor<W> {
    diagonal: usize,
    /// Undecided anchors of the diagonal.
    anchors: W,
    right: W,
    down: W,
}

impl<W: Word> Sweep<W> {
    /// Index in `slots` of the first strand that goes down.
    const DOWN: usize = W::BITS as usize;

    pub(super) fn new(layout: Layout<W>, ledger: &mut Ledger) -> Result<Self, OutOfMemory> {
        let cells = layout.height * layout.width;
        let first_strand = Self::DOWN + layout.width;
        // Every free cell may open two strands, every end one.
        let slots = ledger.filled(0, first_strand + 2 * cells + 2)?;
        let rows = ledger.filled(Row::default(), layout.diagonals.len() + 2)?;
        let (mut stack, mut log) = (Vec::new(), Vec::new());
        ledger.grow_to(&mut stack, 64)?;
        ledger.grow_to(&mut log, 256)?;
        Ok(Self {
            layout,
            rows,
            slots,
            log,
            strands: first_strand as u32,
            stack,
            memo: Memo::default(),
            frontier: Vec::new(),
            steps: 0,
            left: 0,
            refused: false,
            kept: 0,
            fresh: true,
        })
    }

    /// Continues for about `quantum` steps and pauses at the next dead end, where it can resume. It never takes more than
    /// `most` steps. If it needs one more, it ends and cannot resume.
    pub(super) fn run(
        &mut self,
        quantum: u64,
        most: u64,
        remember: bool,
        ledger: &mut Ledger,
    ) -> Result<Pause, OutOfMemory> {
        self.left = most;
        let pause = self.go(most.saturating_sub(quantum), remember, ledger);
        self.steps += most - self.left;
        pause
    }

    /// Continues until a dead end with at most `rest` steps left.
    fn go(&mut self, rest: u64, remember: bool, ledger: &mut Ledger) -> Result<Pause, OutOfMemory> {
        let mut cursor = if self.fresh {
            self.fresh = false;
            self.enter(0, remember, ledger)?
        } else {
            self.retreat(ledger)?
        };
        loop {
            match cursor {
                None if self.refused => return Ok(Pause::Quantum),
                None => return Ok(Pause::Exhausted),
                Some(here) => match self.advance(here, ledger)? {
                    Next::Finished => {
                        let next = here.diagonal + 1;
                        if next == self.layout.len() {
                            return Ok(Pause::Candidate);
                        }
                        cursor = self.enter(next, remember, ledger)?;
                    }
                    Next::Decide(next) => cursor = Some(next),
                    Next::Fail => cursor = None,
                },
            }
            if cursor.is_none() {
                if self.left <= rest {
                    return Ok(Pause::Quantum);
                }
                cursor = self.retreat(ledger)?;
            }
        }
    }

    /// Counts a decision; `false` at the limit.
    #[inline(always)]
    fn count(&mut self) -> bool {
        let left = self.left.checked_sub(1);
        self.left = left.unwrap_or(0);
        if left.is_none() {
            self.refused = true;
        }
        left.is_some()
    }

    #[inline]
    fn write(&mut self, slot: usize, value: u32) {
        self.log.push((slot as u32, self.slots[slot]));
        self.slots[slot] = value;
    }

    fn unwind(&mut self, length: usize) {
        while self.log.len() > length {
            if let Some((slot, old)) = self.log.pop() {
                self.slots[slot as usize] = old;
            }
        }
    }

    /// Joins the pieces behind two open ends (or an open end and a colour).
    #[inline]
    fn join(&mut self, strand: u32, other: Other) -> bool {
        let mate = self.slots[strand as usize];
        let far = match other {
            Other::Strand(s) => {
                if mate == s {
                    return false;
                }
                self.slots[s as usize]
            }
            Other::Colour(c) => c,
        };
        if mate >= COLOUR && far >= COLOUR {
            return mate == far;
        }
        if mate < COLOUR {
            self.write(mate as usize, far);
        }
        if far < COLOUR {
            self.write(far as usize, mate);
        }
        true
    }

    /// Begins a diagonal: its entering links determine its joins and openings.
    #[inline]
    fn enter(
        &mut self,
        d: usize,
        remember: bool,
        ledger: &mut Ledger,
    ) -> Result<Option<Cursor<W>>, OutOfMemory> {
        let before = if d == 0 { Row::default() } else { self.rows[d - 1] };
        let here = self.layout.diagonals[d];
        let (left, above) = (before.right, before.down << 1);
        let closing = left & above;
        let opening = here.free & !(left | above);
        let next_free = self.layout.diagonals[d + 1].free;
        let anchors = if d == 0 { W::NONE } else { self.layout.diagonals[d - 1].anchors };
        let must_open = next_free & before.opening << 1;
        let row = Row {
            left,
            above,
            closing,
            opening,
            right: W::NONE,
            down: W::NONE,
            no_right: here.no_right | must_open,
            no_down: here.no_down | must_open >> 1,
            may_close: next_free & (before.closing | anchors) << 1,
        };
        self.rows[d] = row;
        if !self.count() || !self.settle(d, &here) {
            return Ok(None);
        }
        if remember && here.anchors != W::NONE && self.memo.pays() && !self.mark(d, ledger)? {
            return Ok(None);
        }
        let right = here.free & left & !above | opening;
        let down = here.free & above & !left | opening;
        let anchors = here.anchors;
        if anchors == W::NONE
            && row.wrong(&here, self.layout.diagonals[d + 1].may_open, right, down, down << 1) != W::NONE
        {
            return Ok(None);
        }
        Ok(Some(Cursor { diagonal: d, anchors, right, down }))
    }

    /// Joins strands at `┘` and at entered ends, and opens new ones at `┌`.
    #[inline]
    fn settle(&mut self, d: usize, here: &Diagonal<W>) -> bool {
        let row = self.rows[d];
        for r in row.closing.rows() {
            let (a, b) = (self.slots[r], self.slots[Self::DOWN + d - r]);
            if !self.join(a, Other::Strand(b)) {
                return false;
            }
        }
        for r in (here.ends & (row.left | row.above)).rows() {
            let from_left = row.left.has(r);
            let strand = self.slots[if from_left { r } else { Self::DOWN + d - r }];
            let colour = u32::from(self.layout.colour(r, d));
            if !self.join(strand, Other::Colour(COLOUR | colour)) {
                return false;
            }
        }
        for r in row.opening.rows() {
            let s = self.strands;
            self.strands += 2;
            self.slots[s as usize] = s + 1;
            self.slots[s as usize + 1] = s;
            self.write(r, s);
            self.write(Self::DOWN + d - r, s + 1);
        }
        true
    }

    /// Decides the next anchor, or finishes the diagonal.
    #[inline]
    fn advance(&mut self, at: Cursor<W>, ledger: &mut Ledger) -> Result<Next<W>, OutOfMemory> {
        if at.anchors == W::NONE {
            self.finish(at);
            return Ok(Next::Finished);
        }
        let options = self.above(&at);
        self.decide(at, Kind::Above, options, ledger)
    }

    /// The possible runs of `┐` above right of an anchor, as their first rows.
    ///
    /// All rows above the anchor are decided with it. A row of the run is linked down and not right. If the row before the run
    /// is linked down as well, it enters the run's first row from above.
    #[inline(always)]
    fn above(&self, at: &Cursor<W>) -> W {
        let (row, here) = (&self.rows[at.diagonal], &self.layout.diagonals[at.diagonal]);
        let may_open = self.layout.diagonals[at.diagonal + 1].may_open;
        let anchor = at.anchors.lowest();
        let e = anchor.trailing_zeros();
        let rows = anchor.wrapping_sub(W::small(1));
        let wrong = row.wrong(here, may_open, at.right, at.down, at.down << 1);
        let wrong_turned = row.no_down | here.must_right;
        let wrong_first = wrong_turned | !(at.down << 1 | may_open);
        let turnable = here.free & row.left & !row.above & !wrong_turned & rows;
        let longest = (!turnable << 1 << (W::BITS - 1 - e)).leading_zeros().min(e);
        // The first row that is invalid when straight must turn, with all rows behind it.
        let latest = (wrong & rows | anchor).trailing_zeros();
        (W::ALL << (e - longest)) & (W::ALL >> (W::BITS - 1 - latest)) & !(wrong_first & rows)
    }

    /// The possible links of an anchor.
    #[inline(always)]
    fn link(&self, at: &Cursor<W>) -> W {
        let (row, here) = (&self.rows[at.diagonal], &self.layout.diagonals[at.diagonal]);
        let may_open = self.layout.diagonals[at.diagonal + 1].may_open;
        let anchor = at.anchors.lowest();
        let above = at.down << 1;
        let to_right = row.wrong(here, may_open, at.right | anchor, at.down, above) & anchor == W::NONE;
        let to_below = row.wrong(here, may_open, at.right, at.down | anchor, above) & anchor == W::NONE;
        let fixed = row.wrong(here, may_open, at.right, at.down, above) & anchor == W::NONE;
        let begins = here.ends & !(row.left | row.above) & anchor != W::NONE;
        W::small(if begins {
            (u64::from(to_right) * TO_RIGHT) | (u64::from(to_below) * TO_BELOW)
        } else {
            u64::from(fixed) * NO_LINK
        })
    }

    /// The possible runs of `└` below left of an anchor, as their last rows.
    ///
    /// A row of the run is linked right and not down. Rows below are decided as far as a run of the next anchor can reach.
    #[inline(always)]
    fn below(&self, at: &Cursor<W>) -> W {
        let (row, here) = (&self.rows[at.diagonal], &self.layout.diagonals[at.diagonal]);
        let may_open = self.layout.diagonals[at.diagonal + 1].may_open;
        let anchor = at.anchors.lowest();
        let e = anchor.trailing_zeros();
        let rest = at.anchors ^ anchor;
        let decided = if rest == W::NONE {
            W::ALL
        } else {
            let across = here.free & row.left & !row.above;
            let before = rest.lowest().wrapping_sub(W::small(1));
            // The last row before the next anchor that no run of it can reach, and all rows above.
            let beyond = before & !across;
            W::ALL >> beyond.leading_zeros()
        };
        let rows = decided & (W::ALL << e << 1);
        let above = at.down << 1;
        let wrong = row.wrong(here, may_open, at.right, at.down, above) & rows;
        let wrong_behind = row.wrong(here, may_open, at.right, at.down, W::NONE) & rows;
        let wrong_turned = row.no_right | here.must_down | (above & anchor << 1 & !row.may_close);
        let turnable = here.free & row.above & !row.left & !wrong_turned;
        let longest = (!turnable >> e >> 1).trailing_zeros().min(W::BITS - 1 - e);
        let reach = W::ALL >> (W::BITS - 1 - e - longest);
        // Straight rows behind the run must be valid. The first of them is not entered from above.
        let earliest = if wrong == W::NONE { 0 } else { W::BITS - 2 - wrong.leading_zeros() };
        let runs = reach & (W::ALL << e << 1) & (W::ALL << earliest) & !(wrong_behind >> 1);
        runs | if wrong == W::NONE { anchor } else { W::NONE }
    }

    /// Takes the first option, stores the others, and continues with the next decision at the same anchor.
    #[inline(always)]
    fn decide(
        &mut self,
        mut at: Cursor<W>,
        mut kind: Kind,
        mut options: W,
        ledger: &mut Ledger,
    ) -> Result<Next<W>, OutOfMemory> {
        let anchor = at.anchors.lowest();
        loop {
            if options == W::NONE {
                return Ok(Next::Fail);
            }
            // Short runs first.
            let option = match kind {
                Kind::Above => options.highest(),
                Kind::Link | Kind::Below | Kind::Mark => options.lowest(),
            };
            if options != option {
                if !self.count() {
                    return Ok(Next::Fail);
                }
                let node = Node {
                    diagonal: at.diagonal as u16,
                    anchor: anchor.trailing_zeros() as u8,
                    kind,
                    log: self.log.len() as u32,
                    strands: self.strands,
                    key: 0,
                    options: options ^ option,
                    right: at.right,
                    down: at.down,
                };
                ledger.push(&mut self.stack, node)?;
            }
            match kind {
                Kind::Above => {
                    let turned = anchor.wrapping_sub(option);
                    at.right &= !turned;
                    at.down |= turned;
                    (kind, options) = (Kind::Link, self.link(&at));
                }
                Kind::Link => {
                    at.right |= if option == W::small(TO_RIGHT) { anchor } else { W::NONE };
                    at.down |= if option == W::small(TO_BELOW) { anchor } else { W::NONE };
                    (kind, options) = (Kind::Below, self.below(&at));
                }
                Kind::Below | Kind::Mark => {
                    let turned = (option << 1).wrapping_sub(anchor << 1);
                    at.right |= turned;
                    at.down &= !turned;
                    at.anchors ^= anchor;
                    return Ok(Next::Decide(at));
                }
            }
        }
    }

    /// Backtracks to the last decision with untried options.
    fn retreat(&mut self, ledger: &mut Ledger) -> Result<Option<Cursor<W>>, OutOfMemory> {
        loop {
            let Some(node) = self.stack.pop() else { return Ok(None) };
            self.unwind(node.log as usize);
            self.strands = node.strands;
            if node.kind == Kind::Mark {
                self.memo.close(node.key, node.options == W::small(self.kept), ledger);
                continue;
            }
            let d = usize::from(node.diagonal);
            let anchors = self.layout.diagonals[d].anchors & (W::ALL << u32::from(node.anchor));
            let at = Cursor { diagonal: d, anchors, right: node.right, down: node.down };
            if !self.count() {
                return Ok(None);
            }
            match self.decide(at, node.kind, node.options, ledger)? {
                Next::Decide(next) => return Ok(Some(next)),
                Next::Fail | Next::Finished => {}
            }
        }
    }

    /// Finishes a diagonal whose links are all known: moves the strands that turn, and opens those of ends.
    #[inline]
    fn finish(&mut self, at: Cursor<W>) {
        let d = at.diagonal;
        let row = self.rows[d];
        let here = self.layout.diagonals[d];
        for r in (at.down & row.left & !row.above & here.free).rows() {
            let strand = self.slots[r];
            self.write(Self::DOWN + d - r, strand);
        }
        for r in (at.right & row.above & !row.left & here.free).rows() {
            let strand = self.slots[Self::DOWN + d - r];
            self.write(r, strand);
        }
        for r in (here.ends & (at.right | at.down)).rows() {
            let s = self.strands;
            self.strands += 1;
            self.slots[s as usize] = COLOUR | u32::from(self.layout.colour(r, d));
            let right = at.right.has(r);
            self.write(if right { r } else { Self::DOWN + d - r }, s);
        }
        self.rows[d].right = at.right;
        self.rows[d].down = at.down;
    }

    /// Marks the state that is entered; `false` if it is known to fail.
    fn mark(&mut self, d: usize, ledger: &mut Ledger) -> Result<bool, OutOfMemory> {
        let row = self.rows[d];
        let before = if d == 0 { Row::default() } else { self.rows[d - 1] };
        // Closed and ended strands are gone. Only the remaining strands and their mates matter.
        let rows = (row.left | row.above | row.opening) & !(row.closing | self.layout.diagonals[d].ends);
        self.frontier.clear();
        ledger.grow_to(&mut self.frontier, 2 * self.layout.height)?;
        for r in rows.rows() {
            if (row.opening | row.left).has(r) {
                self.frontier.push(self.slots[r]);
            }
            if (row.opening | row.above).has(r) {
                self.frontier.push(self.slots[Self::DOWN + d - r]);
            }
        }
        let masks = [row.left, row.above, before.closing, before.opening];
        let fixed = std::iter::once(d as u64).chain(masks.into_iter().flat_map(W::words));
        let Some(key) = self.memo.open(fixed, &self.frontier, &self.slots, ledger)? else { return Ok(false) };
        let node = Node {
            diagonal: d as u16,
            anchor: 0,
            kind: Kind::Mark,
            log: self.log.len() as u32,
            strands: self.strands,
            key,
            options: W::small(self.kept),
            right: W::NONE,
            down: W::NONE,
        };
        ledger.push(&mut self.stack, node)?;
        Ok(true)
    }

    /// The links of a complete candidate.
    pub(super) fn paths(&self, board: &Board) -> Paths {
        let mut links = vec![0; board.cells().len()];
        let turn = self.layout.turn;
        let (w, h) = (board.width(), board.height());
        for d in 0..self.layout.len() {
            let row = self.rows[d];
            for (mask, dir) in [(row.right, Dir::Right), (row.down, Dir::Down)] {
                for r in mask.rows() {
                    let c = d - r;
                    let to = if dir == Dir::Right { (r, c + 1) } else { (r + 1, c) };
                    let (from, to) = (turn.cell(w, h, r, c), turn.cell(w, h, to.0, to.1));
                    let dir = turn.dir(dir);
                    links[from] |= Paths::bit(dir);
                    links[to] |= Paths::bit(dir.back());
                }
            }
        }
        Paths { links }
    }
}

#[derive(Clone, Copy)]
enum Other {
    Strand(u32),
    Colour(u32),
}

enum Next<W> {
    Decide(Cursor<W>),
    Finished,
    Fail,
}
