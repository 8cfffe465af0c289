//! The sweep: anti-diagonal by anti-diagonal, with decisions at ends and walls only.
//!
//! When a diagonal is reached, it is known which of its cells are entered from the left and which from above. The corner
//! theorem then leaves almost nothing to decide:
//!
//! - entered from both sides: the turn `┘`; the cell before it on the main diagonal must be an anchor or a `┘` as well;
//! - entered from neither side: the turn `┌`; the cell behind it on the main diagonal must be an anchor or a `┌`;
//! - entered from the left: `─`, or `┐` if the cell below left is an anchor or a `┐`. So the `┐` of a diagonal stand in runs that
//!   begin at an anchor, and the length of each run is all there is to choose;
//! - entered from above: `│`, or `└` in a run that begins at an anchor above right.
//!
//! All cells of a diagonal are bits of a word, so straight cells cost nothing, and the conditions on the next diagonal are checked
//! for all decided cells at once. What is open crosses from one diagonal to the next as *strands*; each knows its mate:
//! the other open end of the same piece of path, or the colour at which the piece ends.

use beeline_search::memory::{Ledger, OutOfMemory};

use super::layout::{Diagonal, Layout};
use super::memo::{COLOUR, Memo};
use crate::board::{Board, Dir, MAX_SIDE, Paths};

/// `slots[0..64]` are the strands that go right, by row; `slots[64..128]` those that go down, by column; behind them
/// stands the mate of each strand.
const DOWN: usize = 64;
const FIRST_STRAND: u16 = 128;

/// What is decided of a diagonal.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// Entered from the left, from above.
    left: u64,
    above: u64,
    /// Turns `┘` and `┌`.
    closing: u64,
    opening: u64,
    /// Links to the right and downwards.
    right: u64,
    down: u64,
    /// What the two diagonals before say about these links: none to the right, none downwards; which cells of the next
    /// diagonal may be entered from both sides.
    no_right: u64,
    no_down: u64,
    may_close: u64,
}

impl Row {
    /// Do these links fit the next diagonal, as far as the rows of `decided` are concerned?
    #[inline(always)]
    fn holds(&self, here: &Diagonal, may_open: u64, right: u64, down: u64, decided: u64) -> bool {
        let above = down << 1;
        let wrong = (right & above & !self.may_close)
            | !(right | above | may_open)
            | (right & self.no_right)
            | (down & self.no_down)
            | (here.must_right & !right)
            | (here.must_down & !down);
        wrong & decided == 0
    }
}

/// What there is to decide, in order, at an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// How many `┐` stand above right of it.
    Above,
    /// Where the link of an end goes.
    Link,
    /// How many `└` stand below left of it.
    Below,
    /// Nothing: remembers which state was entered here.
    Mark,
}

/// A decision that has options left.
#[derive(Clone, Copy, Debug)]
struct Node {
    diagonal: u16,
    anchor: u8,
    kind: Kind,
    /// The next option.
    option: u8,
    /// The links as they were before.
    right: u64,
    down: u64,
    /// How far to unwind.
    log: u32,
    strands: u16,
    /// For marks: how many answers there were, and where the state is kept.
    key: u32,
    refused: u64,
}

/// Why a run of the sweep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    /// A candidate is complete.
    Candidate,
    /// There is nothing more.
    Exhausted,
    /// The steps are used up.
    Quantum,
}

/// A search in progress; it can be left and taken up again.
#[derive(Debug)]
pub(super) struct Sweep {
    layout: Layout,
    rows: Vec<Row>,
    slots: Vec<u16>,
    log: Vec<(u16, u16)>,
    strands: u16,
    stack: Vec<Node>,
    memo: Memo,
    /// Decisions tried so far.
    pub(super) steps: u64,
    /// Candidates that were complete but touch themselves, and answers: neither may be forgotten as a failure.
    pub(super) kept: u64,
    fresh: bool,
}

/// Where the sweep stands between two decisions.
#[derive(Clone, Copy)]
struct Cursor {
    diagonal: usize,
    /// Anchors of the diagonal that are still to be decided.
    anchors: u64,
    right: u64,
    down: u64,
}

impl Sweep {
    pub(super) fn new(layout: Layout, ledger: &mut Ledger) -> Result<Self, OutOfMemory> {
        let cells = layout.height * layout.width;
        // Every free cell may open two strands, every end one.
        let slots = ledger.filled(0, usize::from(FIRST_STRAND) + 2 * cells + 2)?;
        let rows = ledger.filled(Row::default(), layout.diagonals.len() + 2)?;
        let (mut stack, mut log) = (Vec::new(), Vec::new());
        ledger.grow_to(&mut stack, 64)?;
        ledger.grow_to(&mut log, 256)?;
        Ok(Self {
            layout,
            rows,
            slots,
            log,
            strands: FIRST_STRAND,
            stack,
            memo: Memo::default(),
            steps: 0,
            kept: 0,
            fresh: true,
        })
    }

    /// Goes on for about `quantum` steps.
    pub(super) fn run(
        &mut self,
        quantum: u64,
        remember: bool,
        ledger: &mut Ledger,
    ) -> Result<Pause, OutOfMemory> {
        let end = self.steps.saturating_add(quantum);
        let mut cursor = if self.fresh {
            self.fresh = false;
            self.enter(0, remember, ledger)?
        } else {
            self.retreat(ledger)?
        };
        loop {
            match cursor {
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
                if self.steps >= end {
                    return Ok(Pause::Quantum);
                }
                cursor = self.retreat(ledger)?;
            }
        }
    }

    #[inline]
    fn write(&mut self, slot: usize, value: u16) {
        self.log.push((slot as u16, self.slots[slot]));
        self.slots[slot] = value;
    }

    fn unwind(&mut self, length: usize) {
        while self.log.len() > length {
            if let Some((slot, old)) = self.log.pop() {
                self.slots[usize::from(slot)] = old;
            }
        }
    }

    /// Joins the pieces behind two open ends (or an open end and a colour).
    #[inline]
    fn join(&mut self, strand: u16, other: Other) -> bool {
        let mate = self.slots[usize::from(strand)];
        let far = match other {
            Other::Strand(s) => {
                if mate == s {
                    return false;
                }
                self.slots[usize::from(s)]
            }
            Other::Colour(c) => c,
        };
        if mate >= COLOUR && far >= COLOUR {
            return mate == far;
        }
        if mate < COLOUR {
            self.write(usize::from(mate), far);
        }
        if far < COLOUR {
            self.write(usize::from(far), mate);
        }
        true
    }

    /// Begins a diagonal: what enters it is known, so its joins and openings are.
    #[inline]
    fn enter(
        &mut self,
        d: usize,
        remember: bool,
        ledger: &mut Ledger,
    ) -> Result<Option<Cursor>, OutOfMemory> {
        let before = if d == 0 { Row::default() } else { self.rows[d - 1] };
        let here = self.layout.diagonals[d];
        let (left, above) = (before.right, before.down << 1);
        let closing = left & above;
        let opening = here.free & !(left | above);
        let next_free = self.layout.diagonals[d + 1].free;
        let anchors = if d == 0 { 0 } else { self.layout.diagonals[d - 1].anchors };
        let must_open = next_free & before.opening << 1;
        let row = Row {
            left,
            above,
            closing,
            opening,
            right: 0,
            down: 0,
            no_right: here.no_right | must_open,
            no_down: here.no_down | must_open >> 1,
            may_close: next_free & (before.closing | anchors) << 1,
        };
        self.rows[d] = row;
        self.steps += 1;
        if !self.settle(d, &here) {
            return Ok(None);
        }
        if remember && here.anchors != 0 && !self.mark(d, ledger)? {
            return Ok(None);
        }
        let right = here.free & left & !above | opening;
        let down = here.free & above & !left | opening;
        let anchors = here.anchors;
        if anchors == 0 && !row.holds(&here, self.layout.diagonals[d + 1].may_open, right, down, u64::MAX) {
            return Ok(None);
        }
        Ok(Some(Cursor { diagonal: d, anchors, right, down }))
    }

    /// Joins strands at `┘` and at ends that are entered; opens new ones at `┌`.
    #[inline]
    fn settle(&mut self, d: usize, here: &Diagonal) -> bool {
        let row = self.rows[d];
        let mut closing = row.closing;
        while closing != 0 {
            let r = closing.trailing_zeros() as usize;
            closing &= closing - 1;
            let (a, b) = (self.slots[r], self.slots[DOWN + d - r]);
            if !self.join(a, Other::Strand(b)) {
                return false;
            }
        }
        let mut entered = here.ends & (row.left | row.above);
        while entered != 0 {
            let r = entered.trailing_zeros() as usize;
            entered &= entered - 1;
            let from_left = row.left >> r & 1 != 0;
            let strand = self.slots[if from_left { r } else { DOWN + d - r }];
            let colour = self.layout.colours[r << 6 | (d - r)];
            if !self.join(strand, Other::Colour(COLOUR | colour)) {
                return false;
            }
        }
        let mut opening = row.opening;
        while opening != 0 {
            let r = opening.trailing_zeros() as usize;
            opening &= opening - 1;
            let s = self.strands;
            self.strands += 2;
            self.slots[usize::from(s)] = s + 1;
            self.slots[usize::from(s) + 1] = s;
            self.write(r, s);
            self.write(DOWN + d - r, s + 1);
        }
        true
    }

    /// Rows above (and with) this one.
    #[inline]
    fn up_to(row: u32) -> u64 {
        u64::MAX >> (63 - row)
    }

    /// Decides the next anchor, or finishes the diagonal.
    #[inline]
    fn advance(&mut self, at: Cursor, ledger: &mut Ledger) -> Result<Next, OutOfMemory> {
        if at.anchors == 0 {
            self.finish(at);
            return Ok(Next::Finished);
        }
        let anchor = at.anchors.trailing_zeros();
        self.decide(at, anchor as u8, Kind::Above, 0, ledger)
    }

    /// Tries the options of a decision from `first` on, then goes on to the next one at the same anchor.
    fn decide(
        &mut self,
        at: Cursor,
        anchor: u8,
        kind: Kind,
        first: u8,
        ledger: &mut Ledger,
    ) -> Result<Next, OutOfMemory> {
        let mut at = at;
        let mut first = first;
        let mut kind = kind;
        let d = at.diagonal;
        let here = self.layout.diagonals[d];
        let row = self.rows[d];
        let may_open = self.layout.diagonals[d + 1].may_open;
        let e = u32::from(anchor);
        let bit = 1u64 << e;
        loop {
            // The last option, and which rows are decided after this.
            let (last, decided) = match kind {
                Kind::Above => {
                    let across = here.free & row.left & !row.above;
                    let run = if e == 0 { 0 } else { (across << (64 - e)).leading_ones() };
                    (run as u8, Self::up_to(e) & !bit)
                }
                Kind::Link => {
                    let open = here.ends & !(row.left | row.above) & bit != 0;
                    (u8::from(open), Self::up_to(e))
                }
                Kind::Below | Kind::Mark => {
                    let upright = here.free & row.above & !row.left;
                    let run = if e == 63 { 0 } else { (upright >> (e + 1)).trailing_ones() };
                    let rest = at.anchors & (at.anchors - 1);
                    (run as u8, if rest == 0 { u64::MAX } else { Self::up_to(e) })
                }
            };
            let open_end = kind == Kind::Link && last == 1;
            let mut option = first;
            let chosen = loop {
                if option > last {
                    return Ok(Next::Fail);
                }
                let (right, down) = match kind {
                    Kind::Link if !open_end => (at.right, at.down),
                    Kind::Link if option == 0 => (at.right | bit, at.down),
                    Kind::Link => (at.right, at.down | bit),
                    Kind::Above => {
                        let turned = (bit - 1) & !((bit - 1) >> option);
                        (at.right & !turned, at.down | turned)
                    }
                    Kind::Below | Kind::Mark => {
                        let turned = ((1u64 << option) - 1) << 1 << e;
                        (at.right | turned, at.down & !turned)
                    }
                };
                if row.holds(&here, may_open, right, down, decided) {
                    break (right, down);
                }
                option += 1;
            };
            if option < last {
                self.steps += 1;
                let node = Node {
                    diagonal: d as u16,
                    anchor,
                    kind,
                    option: option + 1,
                    right: at.right,
                    down: at.down,
                    log: self.log.len() as u32,
                    strands: self.strands,
                    key: 0,
                    refused: 0,
                };
                ledger.push(&mut self.stack, node)?;
            }
            (at.right, at.down) = chosen;
            first = 0;
            kind = match kind {
                Kind::Above => Kind::Link,
                Kind::Link => Kind::Below,
                Kind::Below | Kind::Mark => {
                    at.anchors &= at.anchors - 1;
                    return Ok(Next::Decide(at));
                }
            };
        }
    }

    /// Takes up the last decision that has options left.
    fn retreat(&mut self, ledger: &mut Ledger) -> Result<Option<Cursor>, OutOfMemory> {
        loop {
            let Some(node) = self.stack.pop() else { return Ok(None) };
            self.unwind(node.log as usize);
            self.strands = node.strands;
            if node.kind == Kind::Mark {
                self.memo.close(node.key, node.refused == self.kept, ledger);
                continue;
            }
            let d = usize::from(node.diagonal);
            let anchors = self.layout.diagonals[d].anchors & !((1u64 << node.anchor) - 1);
            let at = Cursor { diagonal: d, anchors, right: node.right, down: node.down };
            self.steps += 1;
            match self.decide(at, node.anchor, node.kind, node.option, ledger)? {
                Next::Decide(next) => return Ok(Some(next)),
                Next::Fail | Next::Finished => {}
            }
        }
    }

    /// All links of the diagonal are known: moves the strands that turn, and begins those of ends.
    #[inline]
    fn finish(&mut self, at: Cursor) {
        let d = at.diagonal;
        let row = self.rows[d];
        let here = self.layout.diagonals[d];
        let mut down_turns = at.down & row.left & !row.above & here.free;
        while down_turns != 0 {
            let r = down_turns.trailing_zeros() as usize;
            down_turns &= down_turns - 1;
            let strand = self.slots[r];
            self.write(DOWN + d - r, strand);
        }
        let mut right_turns = at.right & row.above & !row.left & here.free;
        while right_turns != 0 {
            let r = right_turns.trailing_zeros() as usize;
            right_turns &= right_turns - 1;
            let strand = self.slots[DOWN + d - r];
            self.write(r, strand);
        }
        let mut begun = here.ends & (at.right | at.down);
        while begun != 0 {
            let r = begun.trailing_zeros() as usize;
            begun &= begun - 1;
            let s = self.strands;
            self.strands += 1;
            self.slots[usize::from(s)] = COLOUR | self.layout.colours[r << 6 | (d - r)];
            let right = at.right >> r & 1 != 0;
            self.write(if right { r } else { DOWN + d - r }, s);
        }
        self.rows[d].right = at.right;
        self.rows[d].down = at.down;
    }

    /// Notes which state is entered; `false` if it is known to fail.
    fn mark(&mut self, d: usize, ledger: &mut Ledger) -> Result<bool, OutOfMemory> {
        let row = self.rows[d];
        let before = if d == 0 { Row::default() } else { self.rows[d - 1] };
        // What closed or ended here is gone; the strands that are left, and their mates, are what matters.
        let mut rows = (row.left | row.above | row.opening) & !(row.closing | self.layout.diagonals[d].ends);
        let mut strands = [0u16; 2 * MAX_SIDE];
        let mut n = 0;
        while rows != 0 {
            let r = rows.trailing_zeros() as usize;
            rows &= rows - 1;
            if (row.opening | row.left) >> r & 1 != 0 {
                strands[n] = self.slots[r];
                n += 1;
            }
            if (row.opening | row.above) >> r & 1 != 0 {
                strands[n] = self.slots[DOWN + d - r];
                n += 1;
            }
        }
        let fixed = [d as u64, row.left, row.above, before.closing, before.opening];
        let Some(key) = self.memo.open(&fixed, &strands[..n], &self.slots, ledger)? else { return Ok(false) };
        let node = Node {
            diagonal: d as u16,
            anchor: 0,
            kind: Kind::Mark,
            option: 0,
            right: 0,
            down: 0,
            log: self.log.len() as u32,
            strands: self.strands,
            key,
            refused: self.kept,
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
                let mut mask = mask;
                while mask != 0 {
                    let r = mask.trailing_zeros() as usize;
                    mask &= mask - 1;
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
    Strand(u16),
    Colour(u16),
}

enum Next {
    Decide(Cursor),
    Finished,
    Fail,
}
