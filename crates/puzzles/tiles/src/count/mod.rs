//! The search of the classic report: iterative-deepening A* with Manhattan distances on a 4×4 board, counted exactly.
//!
//! The counting rule: steps of the blank are tried in a fixed order. The step that undoes the last one is skipped (at the root
//! none is). *Generated* counts every child made. *Expanded* counts every child within the bound, including the goal and never
//! the root. Children after the goal are not made. Both counts cover all rounds.
//!
//! [`plain`] walks the tree node by node. [`layers`] computes the same figures without walking it.

mod batch;
pub mod layers;
pub mod plain;

use beeline_search::{Budget, Limit};

use super::board::Step;
use super::table_free::{self, TableFreeIda};
use super::word::{Word, blank_of, neighbour, slide};

/// The order in which steps are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Left, right, up, down.
    #[default]
    Classic,
    /// Up, left, right, down: the order that reproduces the figures published by Korf in 1985.
    Korf,
}

impl Order {
    /// The steps in this order.
    pub fn steps(self) -> [Step; 4] {
        match self {
            Self::Classic => [Step::Left, Step::Right, Step::Up, Step::Down],
            Self::Korf => [Step::Up, Step::Left, Step::Right, Step::Down],
        }
    }
}

/// Expansions of a round above which computing the figures is faster: half a second. (The last round ends at the plan, about
/// half way.)
const WORTH_COMPUTING: u64 = 1 << 27;

/// The figures of the search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// The bounds, round by round.
    pub thresholds: Vec<u32>,
    /// Children made.
    pub generated: u64,
    /// Children within the bound.
    pub expanded: u64,
    /// The plan; `None` when a limit ended the search.
    pub plan: Option<Vec<Step>>,
    /// Were the figures computed? Then most of these nodes were never walked.
    pub computed: bool,
}

/// The plain search's figures. If computing them is expected to be faster, and shortcuts are allowed, a stronger search finds
/// the plan in the same order and the figures are computed from it. They are the same.
pub fn figures(
    board: Word,
    order: Order,
    shortcut: bool,
    threads: usize,
    budget: &Budget,
) -> (Counted, Option<Limit>) {
    if !shortcut || budget.nodes.is_some() {
        return plain::search(board, order, budget);
    }
    let started = beeline_search::clock::Instant::now();
    let (walked, limit) = plain::search_rounds(board, order, WORTH_COMPUTING, budget);
    if limit != Some(Limit::Nodes) {
        return (walked, limit);
    }
    let rest = |budget: &Budget| budget.after(started.elapsed(), 0);
    let table_free = TableFreeIda::new(table_free::ALL, order.steps());
    let (found, limit) = table_free.search(board, &rest(budget));
    let Some(plan) = found.plan else { return (walked, limit) };
    match layers::count(board, &plan, order, threads, &rest(budget)) {
        Ok(counted) => (Counted { computed: true, ..counted }, None),
        Err(limit) => (walked, Some(limit)),
    }
}

/// The children not made by a search that followed this path and then returned at once: those after the path's steps, and
/// (unless the end is the goal) those of its end.
fn unmade(board: Word, path: &[Step], order: Order, end_too: bool) -> u64 {
    let mut board = board;
    let mut children = 0;
    let mut last: Option<Step> = None;
    let open = |board, step: Step, last: Option<Step>| {
        u64::from(last != Some(step.back()) && neighbour(blank_of(board), step).is_some())
    };
    for &taken in path {
        let later = order.steps().into_iter().skip_while(|&step| step != taken).skip(1);
        children += later.map(|step| open(board, step, last)).sum::<u64>();
        board = slide(board, taken).map_or(board, |(moved, _)| moved);
        last = Some(taken);
    }
    if end_too {
        children += Step::ALL.into_iter().map(|step| open(board, step, last)).sum::<u64>();
    }
    children
}
