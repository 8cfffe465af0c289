//! Parallel search: by threads of this process, or by the ranks of a cluster.
//!
//! The hash of a state's key names the rank that owns it (`shard`). Ranks send each other successors in batches
//! ([`transport`]), and a leader detects when no work is left (`termination`). Ranks share no memory and take no locks. So the
//! same code runs on two threads and on a thousand machines. Depth-first search shares work instead of states ([`deepening`]).
//!
//! The cost of the plan is the same for every number of ranks. The choice among several cheapest plans and the counters of the
//! last layer depend on timing.

pub mod deepening;
mod expand;
mod figures;
mod finish;
mod message;
mod rank;
mod saving;
mod shard;
mod termination;
pub mod transport;

use std::sync::PoisonError;

use crate::core::arena::replay;
use crate::core::budget::Budget;
use crate::core::heuristic::Heuristic;
use crate::core::observer::Observer;
use crate::core::outcome::{Outcome, Solution, Stats, Verdict};
use crate::core::prune::Prune;
pub use crate::core::ranks::{Cluster, Link, Ranks, Saving};
use crate::core::space::{Cost, Space};
use crate::core::team;
use crate::strategies::{Task, Unsupported, astar, breadth_first, idastar, trusts, uniform_cost};
use finish::Finished;
use rank::{End, Rank};
use saving::Saver;
use transport::{Channel, Lost, Transport, channels};

/// The strategies that several ranks can run.
pub const STRATEGIES: &[&str] = &[breadth_first::ABOUT.name, uniform_cost::ABOUT.name, astar::ABOUT.name];

/// The most ranks: a node keeps its parent's rank in two bytes.
pub const MOST_RANKS: usize = 1 << 16;

/// The order of expansion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    /// By the number of moves; costs and estimates are ignored.
    pub(crate) queue: bool,
    /// Is the estimate used?
    pub(crate) informed: bool,
    /// Do all ranks finish one bound before any begins the next? Then no state beyond the cheapest plan is expanded, however
    /// unevenly the ranks run. With about as many bounds as states, ranks should run free instead.
    pub(crate) layered: bool,
}

/// A heuristic without its types, so that the ranks are compiled once for a space.
pub(crate) trait Estimate<S: Space> {
    /// The estimate of a state that is about to be expanded.
    fn enter(&mut self, space: &S, state: &S::State) -> Cost;
    /// The estimate of a successor of the state entered last.
    fn step(&mut self, space: &S, after: &S::State, mv: S::Move) -> Cost;
}

struct Carried<'a, S: Space, H: Heuristic<S>> {
    heuristic: &'a H,
    memo: H::Memo,
    scratch: H::Scratch,
}

impl<S: Space, H: Heuristic<S>> Estimate<S> for Carried<'_, S, H> {
    fn enter(&mut self, space: &S, state: &S::State) -> Cost {
        self.memo = self.heuristic.root(space, state, &mut self.scratch);
        self.heuristic.value(self.memo)
    }
    fn step(&mut self, space: &S, after: &S::State, mv: S::Move) -> Cost {
        self.heuristic.value(self.heuristic.step(space, after, mv, self.memo, &mut self.scratch))
    }
}

/// What each rank gets of its own.
pub(crate) struct RankContext<'a, S: Space> {
    estimate: Box<dyn Estimate<S> + Send + 'a>,
    prune: Box<dyn Prune<S> + Send + 'a>,
}

/// The ranks, if this job needs several.
pub(crate) fn ranks_for<S: Space, H, P, O: Observer<S>>(
    name: &str,
    task: &Task<'_, S, H, P, O>,
) -> Option<Cluster> {
    if !team::AVAILABLE || !(STRATEGIES.contains(&name) || name == idastar::ABOUT.name) {
        return None;
    }
    let settings = task.settings;
    if let Some(cluster) = &settings.cluster {
        return Some(cluster.clone());
    }
    // An observer of single states needs them in order, and a search with checkpoints resumes in one order.
    let alone = settings.deterministic || task.budget.checkpoint.is_some();
    let several = settings.threads > 1 && !alone && !task.observer.watches_states();
    several.then(|| Cluster { ranks: Ranks::Threads(settings.threads), saving: None })
}

/// Runs a strategy for which [`ranks_for`] named ranks.
pub(crate) fn run<S, H, P, O>(
    name: &str,
    task: Task<'_, S, H, P, O>,
    cluster: Cluster,
) -> Result<Outcome<S::Move>, Unsupported>
where
    S: Space,
    H: Heuristic<S>,
    P: Prune<S> + Clone + Send,
    O: Observer<S>,
{
    let unit_cost = task.space.unit_cost();
    if name == breadth_first::ABOUT.name {
        let order = Order { queue: true, informed: false, layered: true };
        search(task.blind(), cluster, order, unit_cost)
    } else if name == uniform_cost::ABOUT.name {
        let order = Order { queue: false, informed: false, layered: unit_cost };
        search(task.blind(), cluster, order, true)
    } else if name == astar::ABOUT.name {
        let order = Order { queue: false, informed: true, layered: unit_cost };
        let optimal = trusts(task.heuristic);
        search(task, cluster, order, optimal)
    } else {
        Ok(deepening::search(task))
    }
}

/// Searches with several ranks. The plan counts as the cheapest if `optimal` and the rules are sound.
fn search<S, H, P, O>(
    task: Task<'_, S, H, P, O>,
    cluster: Cluster,
    order: Order,
    optimal: bool,
) -> Result<Outcome<S::Move>, Unsupported>
where
    S: Space,
    H: Heuristic<S>,
    P: Prune<S> + Clone + Send,
    O: Observer<S>,
{
    let Task { space, heuristic, prune, budget, mut observer, settings } = task;
    let sound = prune.is_sound();
    let contexts = || RankContext {
        estimate: Box::new(Carried { heuristic, memo: H::Memo::default(), scratch: H::Scratch::default() }),
        prune: Box::new(prune.clone()),
    };
    let mut tick = |stats: &Stats| observer.tick(stats);
    let finished = match cluster.ranks {
        Ranks::Link(link) => {
            let mut link = link.0.lock().unwrap_or_else(PoisonError::into_inner);
            let budget = share(budget, &*link, 1);
            run_rank(space, order, contexts(), &mut *link, &budget, cluster.saving, &mut tick)
        }
        // A cluster has exactly the requested ranks, each with its own memory.
        Ranks::Threads(size) if settings.cluster.is_some() => {
            let contexts = (0..size.clamp(1, MOST_RANKS)).map(|_| contexts()).collect();
            threads(space, order, contexts, 1, budget, cluster.saving.as_ref(), &mut tick)
        }
        // Threads share the memory of the job. The system limits their number.
        Ranks::Threads(size) => {
            let mut size = team::useful(size);
            loop {
                let contexts = (0..size).map(|_| contexts()).collect();
                match threads(space, order, contexts, size, budget, cluster.saving.as_ref(), &mut tick) {
                    Err(Lost::Thread { given }) => size = given,
                    finished => break finished,
                }
            }
        }
    };
    let Finished { end, keys, stats } =
        finished.map_err(|lost| Unsupported::Broken { why: lost.to_string() })?;
    let verdict = match end {
        End::Goal(..) => {
            let (moves, cost) = replay(space, &mut space.start(), keys.into_iter());
            observer.found(cost);
            Verdict::Solved(Solution { moves, cost, lower_bound: if optimal && sound { cost } else { 0 } })
        }
        End::Empty if sound => Verdict::Exhausted,
        End::Empty | End::Elsewhere => Verdict::GaveUp,
        End::Limit(limit) => Verdict::Stopped(limit),
    };
    Ok(Outcome { verdict, stats })
}

/// The budget of one rank: its share of the expansions, and of the memory if that is for all `parts` together.
fn share(budget: &Budget, link: &dyn Transport, parts: usize) -> Budget {
    let nodes = budget.nodes.map(|nodes| {
        let all = u128::from(nodes) + link.rank() as u128;
        (all / link.size() as u128) as u64
    });
    Budget { nodes, bytes: budget.bytes.map(|bytes| bytes / parts), ..budget.clone() }
}

/// Runs one rank, from its start to the sum of all figures.
fn run_rank<S: Space>(
    space: &S,
    order: Order,
    context: RankContext<'_, S>,
    link: &mut dyn Transport,
    budget: &Budget,
    saving: Option<Saving>,
    tick: &mut dyn FnMut(&Stats),
) -> Result<Finished<S::Key>, Lost> {
    let saver = saving.map(|saving| Saver::new(saving, link.rank(), link.size(), space.key_width()));
    let mut rank = Rank::new(space, order, context, &mut *link, budget, saver);
    let result = rank.run(tick).and_then(|()| rank.finish());
    if let Err(lost) = &result {
        link.abandon(lost);
    }
    result
}

/// Runs all ranks as threads; the first is this thread.
fn threads<S: Space>(
    space: &S,
    order: Order,
    contexts: Vec<RankContext<'_, S>>,
    parts: usize,
    budget: &Budget,
    saving: Option<&Saving>,
    tick: &mut dyn FnMut(&Stats),
) -> Result<Finished<S::Key>, Lost> {
    let run = |context, mut link: Channel, tick: &mut dyn FnMut(&Stats)| {
        let budget = share(budget, &link, parts);
        run_rank(space, order, context, &mut link, &budget, saving.cloned(), tick)
    };
    let links = channels(contexts.len());
    let mut rest = contexts.into_iter().zip(links);
    let Some((context, mut link)) = rest.next() else {
        return Err(Lost::Failed("there is no rank".to_owned()));
    };
    // A rank that panics tells the others: its end of the channels does, when dropped.
    team::scope(&|| (), |team| {
        let mut others = Vec::new();
        for (context, other) in rest {
            let run = &run;
            let Ok(rank) = team.spawn(move || run(context, other, &mut |_| ())) else {
                let lost = Lost::Thread { given: 1 + others.len() };
                link.abandon(&lost);
                return Err(lost);
            };
            others.push(rank);
        }
        let mut result = run(context, link, tick);
        for other in others {
            // A failure with a reason says more than the error of a rank that only lost another.
            if let Some(Err(why @ Lost::Failed(_))) = other.join() {
                result = Err(why);
            }
        }
        result
    })
}
