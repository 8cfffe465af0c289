//! Iterative-deepening A* with pattern databases: many nodes at once (`batch`), on one thread or several.
//!
//! A round is split into *tasks*, subtrees in depth-first order. A thread keeps a stack of nodes, takes a batch from its top
//! and pushes the children. When the stack runs low, it takes the next task. All threads take tasks from the same list, so none
//! waits for another.
//!
//! Nodes of one task are not visited in depth-first order, but tasks are: a plan ends all tasks behind its own and none before
//! it. The first task with a plan is then searched again, one node at a time. So the plan is always the one that a plain
//! depth-first search finds first, for any batch size and any number of threads.

use beeline_search::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use beeline_search::team::{self, Allowance};
use beeline_search::{Budget, Limit, Meter};

use super::super::board::Step;
use super::super::table_free::Found;

/// Most tasks of a round.
const TASKS: u64 = 4096;
/// Desired nodes per task.
const NODES_A_TASK: u64 = 64;
/// Nodes of a round up to which the next one is not split: work behind the plan would be wasted. Under the model checker every
/// round but the first is split.
const SMALL: u64 = if cfg!(feature = "model") { 1 } else { 1 << 11 };
/// Expanded nodes between two looks at the meter.
const EXPANSIONS_BETWEEN_CHECKS: u64 = if cfg!(feature = "model") { 1 } else { 1 << 12 };

/// Nodes expanded together.
pub(super) const BATCH: usize = 64;

/// The search's part of a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Head {
    /// The slack of the bound over the Manhattan distance, in pairs of moves.
    pub(super) slack: u8,
    /// The Manhattan distance.
    pub(super) distance: u8,
    /// The step that led here.
    pub(super) step: u8,
    /// Its task.
    pub(super) task: u16,
}

/// A search tree whose nodes are within a bound.
pub(super) trait Tree: Sync {
    /// A node with all data for its children.
    type Node: Copy + Send + Sync + AsRef<Head> + AsMut<Head>;
    /// Working memory for the children of a batch.
    type Stages;

    /// Allocates working memory.
    fn stages(&self) -> Self::Stages;
    /// The node of a board, without slack.
    fn root(&self, cells: &[u8]) -> Self::Node;
    /// The slack that a node requires.
    fn needs(&self, node: &Self::Node) -> u8;
    /// Pushes the children of a batch onto the stack, the first child of the first node topmost. Returns how many children the
    /// move FSM allowed.
    fn expand(&self, batch: &[Self::Node], stages: &mut Self::Stages, stack: &mut Vec<Self::Node>) -> u64;
}

/// A subtree, and the steps to its root.
struct Task<N> {
    node: N,
    path: Vec<Step>,
}

/// A search in a tree.
pub(super) struct Search<'a, T>(pub(super) &'a T);

/// The shared state of the threads in a round.
struct Round<'a, T: Tree> {
    tree: &'a T,
    tasks: &'a [Task<T::Node>],
    next: AtomicUsize,
    /// The first task known to contain a plan.
    first: AtomicUsize,
    stop: AtomicBool,
    /// Expansions that no thread has taken yet, and whether one needed more.
    nodes: Allowance,
    spent: AtomicBool,
    threads: usize,
    expanded: AtomicU64,
    generated: AtomicU64,
}

/// The end of a search in depth-first order.
type Ended = Result<Option<Vec<Step>>, Limit>;

impl<T: Tree> Search<'_, T> {
    /// Searches for a shortest plan with threads, given that no plan is shorter than `known`. The board must be solvable; its
    /// goal has the blank first.
    pub(super) fn deepen(
        &self,
        cells: &[u8],
        known: u32,
        threads: usize,
        budget: &Budget,
    ) -> (Found, Option<Limit>) {
        let root = self.0.root(cells);
        let distance = u32::from(root.as_ref().distance);
        let mut meter = Meter::new(budget);
        let mut found = Found::default();
        let first = u32::from(self.0.needs(&root)).max(known.saturating_sub(distance).div_ceil(2));
        // A round costs several times the previous one; of the first one nothing is known.
        let mut expected = if known > 0 { u64::MAX } else { 0 };
        for slack in first.. {
            found.begin_round(distance + 2 * slack);
            let before = found.expanded;
            let root = with_slack(root, slack);
            let ended = if expected < SMALL {
                self.depth_first(&Task { node: root, path: Vec::new() }, &mut found, budget.nodes, &mut meter)
            } else {
                let wanted = (expected / NODES_A_TASK).min(TASKS) as usize;
                self.split(root, wanted, &mut found, budget.nodes)
                    .and_then(|tasks| self.round(&tasks, threads, &mut found, budget.nodes, &mut meter))
            };
            found.end_round();
            match ended {
                Ok(None) => expected = found.expanded - before,
                Ok(plan) => {
                    found.plan = plan;
                    return (found, None);
                }
                Err(limit) => return (found, Some(limit)),
            }
        }
        (found, None)
    }

    /// The first rounds, one node at a time, until one exceeds this many nodes; that one is not finished.
    pub(super) fn sample(&self, cells: &[u8], nodes: u64, budget: &Budget) -> (Found, Option<Limit>) {
        let root = self.0.root(cells);
        let mut meter = Meter::new(budget);
        let mut found = Found::default();
        for slack in u32::from(self.0.needs(&root)).. {
            found.begin_round(u32::from(root.as_ref().distance) + 2 * slack);
            let task = Task { node: with_slack(root, slack), path: Vec::new() };
            // Rounded up: the figures of a sample are part of the search's.
            let most = (found.expanded + nodes).next_multiple_of(EXPANSIONS_BETWEEN_CHECKS);
            let allowed = budget.nodes.map_or(most, |nodes| nodes.min(most));
            let ended = self.depth_first(&task, &mut found, Some(allowed), &mut meter);
            found.end_round();
            match ended {
                Ok(None) => {}
                Ok(plan) => {
                    found.plan = plan;
                    return (found, None);
                }
                Err(Limit::Nodes) if allowed == most => return (found, None),
                Err(limit) => return (found, Some(limit)),
            }
        }
        (found, None)
    }

    /// Splits the tree below a node into about this many tasks, in depth-first order. A goal ends its layer.
    fn split(
        &self,
        root: T::Node,
        wanted: usize,
        found: &mut Found,
        nodes: Option<u64>,
    ) -> Result<Vec<Task<T::Node>>, Limit> {
        let mut stages = self.0.stages();
        let mut tasks = vec![Task { node: root, path: Vec::new() }];
        let mut children = Vec::new();
        while tasks.len() < wanted && !tasks.is_empty() {
            let mut next = Vec::with_capacity(2 * tasks.len());
            for task in tasks {
                if task.node.as_ref().distance == 0 {
                    next.push(task);
                    return Ok(next);
                }
                expand_one(found, nodes)?;
                found.generated += self.0.expand(&[task.node], &mut stages, &mut children);
                while let Some(node) = children.pop() {
                    let mut path = task.path.clone();
                    path.push(Step::from_index(node.as_ref().step.into()));
                    next.push(Task { node, path });
                }
            }
            tasks = next;
        }
        for (number, task) in tasks.iter_mut().enumerate() {
            task.node.as_mut().task = number as u16;
        }
        Ok(tasks)
    }

    fn round(
        &self,
        tasks: &[Task<T::Node>],
        threads: usize,
        found: &mut Found,
        nodes: Option<u64>,
        meter: &mut Meter,
    ) -> Ended {
        let threads = team::useful(threads).min(tasks.len());
        let round = Round {
            tree: self.0,
            tasks,
            next: AtomicUsize::new(0),
            first: AtomicUsize::new(usize::MAX),
            stop: AtomicBool::new(false),
            nodes: Allowance::new(nodes.map(|nodes| nodes.saturating_sub(found.expanded))),
            spent: AtomicBool::new(false),
            threads: threads.max(1),
            expanded: AtomicU64::new(found.expanded),
            generated: AtomicU64::new(found.generated),
        };
        let mut limit = None;
        team::scope(&|| round.stop.store(true, Ordering::Relaxed), |team| {
            // All available threads share the tasks.
            let _others: Vec<_> =
                (1..threads).map_while(|_| team.spawn(|| round.work(&mut || false)).ok()).collect();
            round.work(&mut || {
                limit = meter.look().err();
                limit.is_some()
            });
        });
        found.expanded = round.expanded.into_inner();
        found.generated = round.generated.into_inner();
        if round.spent.into_inner() {
            return Err(Limit::Nodes);
        }
        if let Some(limit) = limit {
            return Err(limit);
        }
        let first = round.first.into_inner();
        tasks.get(first).map_or(Ok(None), |task| self.depth_first(task, found, nodes, meter))
    }

    /// Searches a task node by node.
    fn depth_first(
        &self,
        task: &Task<T::Node>,
        found: &mut Found,
        nodes: Option<u64>,
        meter: &mut Meter,
    ) -> Ended {
        let mut stages = self.0.stages();
        let mut stack = vec![task.node];
        let mut path = task.path.clone();
        // The cost of a node, from the rest of the bound: two for each pair of slack, and the distance.
        let spent =
            |node: &T::Node| 2 * usize::from(node.as_ref().slack) + usize::from(node.as_ref().distance);
        let bound = path.len() + spent(&task.node);
        while let Some(node) = stack.pop() {
            let cost = bound - spent(&node);
            if cost > task.path.len() {
                path.truncate(cost - 1);
                path.push(Step::from_index(node.as_ref().step.into()));
            }
            if node.as_ref().distance == 0 {
                return Ok(Some(path));
            }
            expand_one(found, nodes)?;
            found.generated += self.0.expand(&[node], &mut stages, &mut stack);
            if found.expanded.is_multiple_of(EXPANSIONS_BETWEEN_CHECKS) {
                meter.look()?;
            }
        }
        Ok(None)
    }
}

/// Counts an expansion, if the limit allows it.
fn expand_one(found: &mut Found, nodes: Option<u64>) -> Result<(), Limit> {
    if nodes.is_some_and(|nodes| found.expanded >= nodes) {
        return Err(Limit::Nodes);
    }
    found.expanded += 1;
    Ok(())
}

/// The same node with this slack.
fn with_slack<N: AsMut<Head>>(mut node: N, slack: u32) -> N {
    node.as_mut().slack = slack as u8;
    node
}

impl<T: Tree> Round<'_, T> {
    /// Works on tasks until none is left. `watch` tells whether to stop.
    fn work(&self, watch: &mut dyn FnMut() -> bool) {
        let mut stages = self.tree.stages();
        let mut stack: Vec<T::Node> = Vec::new();
        let mut batch: Vec<T::Node> = Vec::with_capacity(BATCH);
        let (mut expanded, mut generated) = (0, 0);
        // Expansions that this thread has taken but not made.
        let mut allowed: u64 = 0;
        while !self.stop.load(Ordering::Relaxed) {
            while stack.len() < BATCH
                && let Some(task) = self.take()
            {
                stack.insert(0, task.node);
            }
            if stack.is_empty() {
                break;
            }
            let first = self.first.load(Ordering::Relaxed);
            batch.clear();
            batch.extend(stack.drain(stack.len().saturating_sub(BATCH)..).rev());
            batch.retain(|node| {
                if node.as_ref().distance == 0 {
                    self.first.fetch_min(node.as_ref().task.into(), Ordering::Relaxed);
                }
                node.as_ref().distance > 0 && usize::from(node.as_ref().task) <= first
            });
            let wanted = batch.len() as u64;
            while allowed < wanted {
                match self.nodes.portion(EXPANSIONS_BETWEEN_CHECKS, self.threads) {
                    0 => break,
                    more => allowed += more,
                }
            }
            if allowed < wanted {
                self.spent.store(true, Ordering::Relaxed);
                self.stop.store(true, Ordering::Relaxed);
                batch.truncate(allowed as usize);
            }
            allowed = allowed.saturating_sub(wanted);
            expanded += batch.len() as u64;
            generated += self.tree.expand(&batch, &mut stages, &mut stack);
            if expanded >= EXPANSIONS_BETWEEN_CHECKS {
                self.count(&mut expanded, &mut generated);
                if watch() {
                    self.stop.store(true, Ordering::Relaxed);
                }
            }
        }
        self.count(&mut expanded, &mut generated);
    }

    fn count(&self, expanded: &mut u64, generated: &mut u64) {
        self.expanded.fetch_add(std::mem::take(expanded), Ordering::Relaxed);
        self.generated.fetch_add(std::mem::take(generated), Ordering::Relaxed);
    }

    /// The next task, unless all that are left lie behind a plan.
    fn take(&self) -> Option<&Task<T::Node>> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.tasks.get(number).filter(|_| number < self.first.load(Ordering::Relaxed))
    }
}
