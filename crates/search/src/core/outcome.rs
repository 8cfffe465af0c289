//! The result of a search.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::core::budget::{Limit, Meter};
use crate::core::space::Cost;

/// A plan and its proved lower bound.
///
/// ```
/// use beeline_search::Solution;
///
/// let plan = Solution { moves: vec!['r', 'r'], cost: 2, lower_bound: 1 };
/// assert!(!plan.is_optimal(), "a plan of cost 1 is not ruled out");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<M> {
    /// The moves, in order.
    pub moves: Vec<M>,
    /// Their total cost.
    pub cost: u64,
    /// It is proved that no plan is cheaper than this.
    pub lower_bound: u64,
}

impl<M> Solution<M> {
    /// Is it proved that no plan is cheaper?
    pub fn is_optimal(&self) -> bool {
        self.lower_bound >= self.cost
    }
}

/// How a search ended.
///
/// ```
/// use beeline_search::example::Knight;
/// use beeline_search::{Search, Verdict};
///
/// // On two by two squares a knight has no move.
/// match Search::new(&Knight::across(2)).run("bfs")?.verdict {
///     Verdict::Solved(plan) => println!("{} moves", plan.moves.len()),
///     Verdict::Exhausted => println!("there is no plan: proved"),
///     Verdict::GaveUp => println!("no plan was found, and nothing is proved"),
///     Verdict::Stopped(limit) => println!("stopped by the {} limit", limit.name()),
/// }
/// # Ok::<(), beeline_search::Unsupported>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<M> {
    /// A plan was found.
    Solved(Solution<M>),
    /// The whole space was searched: there is no plan.
    Exhausted,
    /// The strategy ran to its end without a plan, and its end proves nothing.
    GaveUp,
    /// A limit ended the search.
    Stopped(Limit),
}

/// A verdict with the figures of the run.
///
/// ```
/// use beeline_search::Search;
/// use beeline_search::example::Knight;
///
/// let outcome = Search::new(&Knight::across(8)).run("bfs")?;
/// let plan = outcome.solution().expect("a knight reaches every square");
/// assert_eq!((plan.cost, plan.lower_bound), (6, 6));
/// assert!(outcome.stats.expanded <= 64);
/// # Ok::<(), beeline_search::Unsupported>(())
/// ```
#[derive(Clone, Debug)]
pub struct Outcome<M> {
    /// How it ended.
    pub verdict: Verdict<M>,
    /// The figures.
    pub stats: Stats,
}

impl<M> Outcome<M> {
    /// The outcome of a set-up that a limit ended.
    pub fn stopped(limit: Limit, meter: &Meter) -> Self {
        let mut stats = Stats::default();
        stats.close(meter);
        Self { verdict: Verdict::Stopped(limit), stats }
    }

    /// Adds a set-up to the figures: its time until the search began, and the bytes of its tables, which are still in memory.
    #[must_use]
    pub fn after(mut self, elapsed: Duration, bytes: usize) -> Self {
        self.stats.elapsed += elapsed;
        self.stats.bytes += bytes;
        self
    }

    /// The plan, if there is one.
    pub fn solution(&self) -> Option<&Solution<M>> {
        match &self.verdict {
            Verdict::Solved(solution) => Some(solution),
            _ => None,
        }
    }

    /// The same outcome with other moves.
    pub fn map<N>(self, f: impl FnMut(M) -> N) -> Outcome<N> {
        let verdict = match self.verdict {
            Verdict::Solved(s) => Verdict::Solved(Solution {
                moves: s.moves.into_iter().map(f).collect(),
                cost: s.cost,
                lower_bound: s.lower_bound,
            }),
            Verdict::Exhausted => Verdict::Exhausted,
            Verdict::GaveUp => Verdict::GaveUp,
            Verdict::Stopped(limit) => Verdict::Stopped(limit),
        };
        Outcome { verdict, stats: self.stats }
    }
}

/// The figures of a run. docs/glossary.md defines the terms; every strategy counts the same things.
///
/// ```
/// use beeline_search::Search;
/// use beeline_search::example::{Knight, Leaps};
///
/// let space = Knight::across(8);
/// let blind = Search::new(&space).run("bfs")?.stats;
/// let informed = Search::new(&space).heuristic(Leaps).run("astar")?.stats;
/// assert!(informed.expanded < blind.expanded);
/// assert!(blind.duplicates < blind.generated);
/// # Ok::<(), beeline_search::Unsupported>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// States whose moves were enumerated.
    pub expanded: u64,
    /// Successors made, whatever became of them; the start is not one.
    pub generated: u64,
    /// Successors dropped because their state was there before at no greater cost.
    pub duplicates: u64,
    /// Known states that were reopened because a cheaper way to them was found.
    pub reopened: u64,
    /// Successors dropped by a rule, by the rule's name.
    pub pruned: Vec<(&'static str, u64)>,
    /// The rounds of an iterated strategy: bound or width, and the figures of each.
    pub rounds: Vec<Round>,
    /// The greatest path cost at which a state was expanded: the depth where every move costs 1. For a depth-first search in
    /// place: the most moves on its path.
    pub depth: u64,
    /// States held at the end.
    pub stored: u64,
    /// The most states that waited at one time.
    pub frontier_peak: u64,
    /// The most bytes that arena, tables and frontier took together.
    pub bytes: usize,
    /// Wall time.
    pub elapsed: Duration,
    /// The share of each thread or rank in a parallel search.
    pub shares: Vec<Share>,
    /// The limit that ended the search although it has a plan. With more it would have sought a cheaper plan or an optimality
    /// proof.
    pub stopped: Option<Limit>,
}

/// The share of one thread or rank in a search.
///
/// ```
/// use beeline_search::example::Knight;
/// use beeline_search::{Search, Settings};
///
/// let settings = Settings { threads: 2, ..Settings::default() };
/// let stats = Search::new(&Knight::across(8)).settings(settings).run("ucs")?.stats;
/// assert_eq!(stats.shares.iter().map(|share| share.expanded).sum::<u64>(), stats.expanded);
/// # Ok::<(), beeline_search::Unsupported>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// States it expanded.
    pub expanded: u64,
    /// States it held at the end.
    pub stored: u64,
    /// The most bytes that it used.
    pub bytes: usize,
    /// Successors it sent to others.
    pub sent: u64,
    /// Messages that carried them.
    pub batches: u64,
    /// Bytes of these messages.
    pub sent_bytes: u64,
    /// Time without work.
    pub idle: Duration,
}

impl Stats {
    /// Successors dropped by any rule.
    pub fn pruned_total(&self) -> u64 {
        self.pruned.iter().map(|(_, n)| n).sum()
    }

    /// Bytes per stored state, if any state is stored.
    pub fn bytes_per_state(&self) -> Option<f64> {
        (self.stored > 0).then(|| self.bytes as f64 / self.stored as f64)
    }

    /// Adds the counters of another run of the same search (a round, a thread). Peaks are maxima, not sums.
    pub fn absorb(&mut self, other: &Self) {
        self.expanded += other.expanded;
        self.generated += other.generated;
        self.duplicates += other.duplicates;
        self.reopened += other.reopened;
        for &(rule, count) in &other.pruned {
            self.add_pruned(rule, count);
        }
        self.depth = self.depth.max(other.depth);
        self.stored = self.stored.max(other.stored);
        self.frontier_peak = self.frontier_peak.max(other.frontier_peak);
        self.bytes = self.bytes.max(other.bytes);
    }

    /// Adds to the count of one rule.
    pub fn add_pruned(&mut self, rule: &'static str, count: u64) {
        match self.pruned.iter_mut().find(|(name, _)| *name == rule) {
            Some((_, n)) => *n += count,
            None => self.pruned.push((rule, count)),
        }
    }

    /// Ends a round: its figures are the totals minus those of earlier rounds.
    pub(crate) fn end_round(&mut self, bound: u64) {
        let sum = |of: fn(&Round) -> u64| self.rounds.iter().map(of).fold(0, u64::saturating_add);
        self.rounds.push(Round {
            bound,
            expanded: self.expanded.saturating_sub(sum(|round| round.expanded)),
            generated: self.generated.saturating_sub(sum(|round| round.generated)),
            duplicates: self.duplicates.saturating_sub(sum(|round| round.duplicates)),
        });
    }

    /// Copies the meter's figures.
    pub fn close(&mut self, meter: &Meter) {
        self.bytes = self.bytes.max(meter.ledger.peak());
        self.elapsed = meter.elapsed();
    }
}

/// One round of an iterated strategy.
///
/// ```
/// use beeline_search::Search;
/// use beeline_search::example::{Knight, Leaps};
///
/// let stats = Search::new(&Knight::across(8)).heuristic(Leaps).run("idastar")?.stats;
/// let bounds: Vec<u64> = stats.rounds.iter().map(|round| round.bound).collect();
/// assert_eq!(bounds, [4, 5, 6]);
/// # Ok::<(), beeline_search::Unsupported>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// The bound on cost or depth, or the width.
    pub bound: u64,
    /// Expanded in this round.
    pub expanded: u64,
    /// Generated in this round.
    pub generated: u64,
    /// Duplicates in this round.
    pub duplicates: u64,
}

/// What a strategy promises of its plan beforehand. [`Solution`] says which promise was kept.
///
/// ```
/// use beeline_search::Optimal;
/// use beeline_search::strategies::strategy;
///
/// assert_eq!(strategy("astar").map(|s| s.optimal), Some(Optimal::Admissible));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimal {
    /// Always the cheapest plan.
    Yes,
    /// The cheapest plan where every move costs 1.
    UnitCosts,
    /// The cheapest plan where the heuristic never overestimates.
    Admissible,
    /// At most the weight times the cheapest, where the heuristic never overestimates.
    Bounded,
    /// Nothing is promised.
    No,
}

/// Does a strategy find a plan whenever there is one (given time and memory)?
///
/// ```
/// use beeline_search::Complete;
/// use beeline_search::strategies::strategy;
///
/// assert_eq!(strategy("walk").map(|s| s.complete), Some(Complete::No));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Complete {
    /// Yes, and it proves that there is none.
    Yes,
    /// Yes, but it may run for ever when there is none.
    Semi,
    /// No.
    No,
}

/// The estimate that stands for "no plan from here".
///
/// ```
/// use beeline_search::{Cost, DEAD};
///
/// /// The estimate of a state in which `boxes` are still to be placed, and one may be lost.
/// fn estimate(boxes: Cost, lost: bool) -> Cost {
///     if lost { DEAD } else { boxes }
/// }
/// assert_eq!(estimate(3, true), DEAD);
/// ```
pub const DEAD: Cost = Cost::MAX;

/// Interns the name of a rule: one leaked copy for each distinct name. There are few rules.
pub(crate) fn known_rule(name: &str) -> &'static str {
    static NAMES: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.iter().find(|known| **known == name) {
        return known;
    }
    let kept: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.push(kept);
    kept
}
