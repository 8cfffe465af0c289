//! Dead ends: states of the classic space from which no solution is reachable.
//!
//! Every rule is sound, is selected by name and counted under its own name. All rules rely on every cell being filled, except
//! the part of `stranded` about colours. So under the Numberlink rule they drop nothing.

use beeline_search::{Cost, Limit, Meter, Prune, Ruling, Space};

use super::bits::Mask;
use super::board::{Cell, DIRS};
use super::space::{Flow, NONE, State};
use super::{Rule, Step};
use beeline_puzzle::puzzle::Choice;

/// The rules by name.
pub const RULES: &[Choice] = &[
    Choice { name: "board", about: "a free cell with fewer than two ways in and out, anywhere on the board" },
    Choice {
        name: "stranded",
        about: "a colour whose ends no free region joins, or a region that no colour can fill",
    },
    Choice {
        name: "deadends",
        about: "the same as board, but only beside the cell just painted (the classic rule)",
    },
    Choice { name: "bottleneck", about: "a free cell through which two colours would have to go" },
    Choice {
        name: "corner",
        about: "a turn whose inner diagonal reaches no end, which the corner theorem forbids",
    },
];

/// The active rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // one switch a rule
pub struct Rules {
    /// The classic dead-end rule.
    pub deadends: bool,
    /// The same rule for every free cell.
    pub board: bool,
    /// Regions and colours that are cut off.
    pub stranded: bool,
    /// Cells that two colours need.
    pub bottleneck: bool,
    /// Turns that the corner theorem forbids.
    pub corner: bool,
}

impl Rules {
    /// The default rules.
    pub const USUAL: Self =
        Self { board: true, stranded: true, deadends: false, bottleneck: false, corner: false };

    /// Activates a rule; `false` if there is none of this name.
    pub fn add(&mut self, name: &str) -> bool {
        match name {
            "deadends" => self.deadends = true,
            "board" => self.board = true,
            "stranded" => self.stranded = true,
            "bottleneck" => self.bottleneck = true,
            "corner" => self.corner = true,
            _ => return false,
        }
        true
    }
}

/// The active rules with the parent's position.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    rules: Rules,
    /// The parent's head and the cell before it, if a path was being drawn.
    parent: Option<(usize, usize)>,
    head: usize,
}

impl Judge {
    /// A judge for these rules.
    pub fn new(rules: Rules) -> Self {
        Self { rules, parent: None, head: 0 }
    }
}

/// Cells that a path may still enter, and heads and goals of unjoined colours.
pub(super) fn open_cells<const W: usize>(space: &Flow<W>, state: &State<W>) -> Mask<W> {
    let mut open = Mask([u64::MAX; W]).without(&state.taken);
    let mut colours = space.open_colours(state);
    while colours != 0 {
        let c = colours.trailing_zeros() as u8;
        colours &= colours - 1;
        open.add(space.head(state, c));
        open.add(space.goal(c));
    }
    open
}

fn shut_in<const W: usize>(space: &Flow<W>, open: &Mask<W>, at: usize) -> bool {
    space.around(at).and(open).count() <= 1
}

/// The classic rule: is one of the free neighbours of `painted` shut in?
#[inline]
pub(super) fn dead_beside<const W: usize>(
    space: &Flow<W>,
    state: &State<W>,
    open: &Mask<W>,
    painted: usize,
) -> bool {
    space.around(painted).without(&state.taken).iter().any(|at| shut_in(space, open, at))
}

/// Is any free cell shut in?
fn dead_anywhere<const W: usize>(space: &Flow<W>, state: &State<W>) -> bool {
    let open = open_cells(space, state);
    (0..space.cells()).any(|at| !state.taken.has(at) && shut_in(space, &open, at))
}

/// The free cells connected with `from`, which is free.
fn region<const W: usize>(space: &Flow<W>, blocked: &Mask<W>, from: usize) -> Mask<W> {
    let mut seen = Mask::EMPTY;
    seen.add(from);
    let mut edge = seen;
    while !edge.is_empty() {
        let mut next = Mask::EMPTY;
        for at in edge.iter() {
            next = next.or(space.around(at));
        }
        edge = next.without(blocked).without(&seen);
        seen = seen.or(&edge);
    }
    seen
}

/// The number of colours without a region that touches both their head and their goal, and whether each region has a colour.
fn stranded<const W: usize>(space: &Flow<W>, state: &State<W>, blocked: &Mask<W>) -> (u32, bool) {
    let mut lost = space.open_colours(state);
    let mut useless = false;
    let mut rest = *blocked;
    for at in 0..space.cells() {
        if rest.has(at) {
            continue;
        }
        let cells = region(space, blocked, at);
        rest = rest.or(&cells);
        let mut served = false;
        let mut colours = space.open_colours(state);
        while colours != 0 {
            let c = colours.trailing_zeros() as u8;
            colours &= colours - 1;
            let touches = |at: usize| !space.around(at).and(&cells).is_empty();
            if touches(space.head(state, c)) && touches(space.goal(c)) {
                served = true;
                lost &= !(1 << c);
            }
        }
        useless |= !served;
    }
    (lost.count_ones(), useless)
}

fn is_stranded<const W: usize>(space: &Flow<W>, state: &State<W>) -> bool {
    let (lost, useless) = stranded(space, state, &state.taken);
    lost > 0 || useless && space.board().rule == Rule::Fill
}

/// Is there a free cell without which two colours cannot be joined? Only one path can pass it.
fn has_bottleneck<const W: usize>(space: &Flow<W>, state: &State<W>) -> bool {
    (0..space.cells()).any(|at| {
        if state.taken.has(at) || space.around(at).without(&state.taken).count() > 2 {
            return false;
        }
        let mut blocked = state.taken;
        blocked.add(at);
        stranded(space, state, &blocked).0 > 1
    })
}

/// May a path turn at `at`, coming from `from` and going to `to`? Inside the turn, diagonal by diagonal, there must be cells of
/// other colours up to an end or a wall.
fn may_turn<const W: usize>(space: &Flow<W>, own: &Mask<W>, from: usize, at: usize, to: usize) -> bool {
    let board = space.board();
    let width = board.width() as isize;
    let place = |at: usize| (at as isize / width, at as isize % width);
    let ((fr, fc), (ar, ac), (tr, tc)) = (place(from), place(at), place(to));
    let (dr, dc) = (fr + tr - 2 * ar, fc + tc - 2 * ac);
    if dr == 0 || dc == 0 {
        return true;
    }
    let (mut r, mut c) = (ar + dr, ac + dc);
    while (0..board.height() as isize).contains(&r) && (0..width).contains(&c) {
        let inside = (r * width + c) as usize;
        if board.cells()[inside] != Cell::Free {
            return true;
        }
        if own.has(inside) {
            return false;
        }
        (r, c) = (r + dr, c + dc);
    }
    false
}

impl Judge {
    fn corner_forbids<const W: usize>(
        &self,
        space: &Flow<W>,
        after: &State<W>,
        to: usize,
        goal: usize,
    ) -> bool {
        let Some((before, head)) = self.parent else { return false };
        if !may_turn(space, &after.own, before, head, to) {
            return true;
        }
        // After joining, the last turn is complete as well.
        space.around(to).has(goal) && !may_turn(space, &after.own, head, to, goal)
    }
}

impl<const W: usize> Prune<Flow<W>> for Judge {
    fn is_sound(&self) -> bool {
        true
    }

    #[inline]
    fn enter(&mut self, space: &Flow<W>, parent: &State<W>) {
        self.parent = None;
        if self.rules.corner && parent.colour != NONE {
            let head = usize::from(parent.head);
            let before = space.around(head).and(&parent.own).iter().next();
            self.parent = before.map(|b| (b, head));
        }
        self.head = usize::from(parent.head);
        if let Some(mv) = space.moves(parent).next().filter(|_| parent.colour == NONE) {
            self.head = space.head(parent, mv.colour as u8);
        }
    }

    #[inline]
    fn judge(
        &mut self,
        space: &Flow<W>,
        after: &State<W>,
        mv: Step,
        _: Cost,
        _: &mut Meter,
    ) -> Result<Ruling, Limit> {
        let fill = space.board().rule == Rule::Fill;
        let to = space.board().neighbour(self.head, DIRS[mv.dir as usize]).unwrap_or(self.head);
        let rule = if fill && self.rules.deadends && dead_beside(space, after, &open_cells(space, after), to)
        {
            "deadends"
        } else if fill && self.rules.board && dead_anywhere(space, after) {
            "board"
        } else if fill
            && self.rules.corner
            && space.board().is_plain()
            && self.corner_forbids(space, after, to, space.goal(mv.colour as u8))
        {
            "corner"
        } else if self.rules.stranded && is_stranded(space, after) {
            "stranded"
        } else if self.rules.bottleneck && has_bottleneck(space, after) {
            "bottleneck"
        } else {
            return Ok(Ruling::Keep);
        };
        Ok(Ruling::Drop(rule))
    }
}
