//! Iterative-deepening A* with pattern databases: many nodes at once (`herd`), on one thread or several.
//!
//! A round is cut into *tasks*, subtrees in depth-first order. A thread keeps a stack of nodes, takes a herd from its top and
//! puts the children there; when the stack runs low, it takes the next task. Threads take their tasks from the same list, so
//! nobody waits for anybody.
//!
//! Nodes of one task are not met in depth-first order, but tasks are: a plan that is found ends all tasks behind its own and none
//! before it. The first task with a plan is then searched again, one node at a time. So the plan is always the one that a
//! plain depth-first search would find first, with herds of any size and any number of threads.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use beeline_search::{Budget, Limit, Meter};

use super::super::board::Step;
use super::super::light::Found;
use super::additive::{Additive, MAX_LOOKUPS, MAX_SLOTS, Node, VIEWS};
use super::form::Form;
use super::herd::{HERD, Stages};

/// The most tasks of a round.
const TASKS: u64 = 4096;
/// A task should be about this large.
const NODES_A_TASK: u64 = 64;
/// After a round smaller than this, the next one is not cut up: work behind the plan would be for nothing.
const SMALL: u64 = 1 << 11;
/// Expanded nodes between two looks at the meter.
const PATIENCE: u64 = 1 << 12;

/// A subtree, and the steps to its root.
struct Task<P, const S: usize> {
    node: Node<P, S>,
    path: Vec<Step>,
}

/// What all threads of a round share.
struct Round<'a, F: Form, const S: usize> {
    tables: &'a Additive<F>,
    tasks: &'a [Task<F::Place, S>],
    next: AtomicUsize,
    /// The first task known to hold a plan.
    first: AtomicUsize,
    stop: AtomicBool,
    expanded: AtomicU64,
    generated: AtomicU64,
}

/// What ended a search in depth-first order.
type Ended = Result<Option<Vec<Step>>, Limit>;

impl<F: Form> Additive<F> {
    /// Searches for a shortest plan with threads, when it is known already that none is shorter than `known`. The board
    /// must be solvable; its goal has the blank first.
    pub fn search(
        &self,
        cells: &[u8],
        known: u32,
        threads: usize,
        budget: &Budget,
    ) -> (Found, Option<Limit>) {
        match (self.views, self.lookups, self.slots()) {
            (1, 1, 0..=8) => self.deepen::<8, 1, 1>(cells, known, threads, budget),
            (1, ..) => self.deepen::<MAX_SLOTS, MAX_LOOKUPS, 1>(cells, known, threads, budget),
            (_, 2, 0..=8) => self.deepen::<8, 2, VIEWS>(cells, known, threads, budget),
            (_, 4, 0..=16) => self.deepen::<16, 4, VIEWS>(cells, known, threads, budget),
            _ => self.deepen::<MAX_SLOTS, MAX_LOOKUPS, VIEWS>(cells, known, threads, budget),
        }
    }

    fn deepen<const S: usize, const L: usize, const V: usize>(
        &self,
        cells: &[u8],
        known: u32,
        threads: usize,
        budget: &Budget,
    ) -> (Found, Option<Limit>) {
        let root = self.root::<S>(cells);
        let distance = u32::from(root.distance);
        let mut meter = Meter::new(budget);
        let mut found = Found::default();
        let first = u32::from(root.needs()).max(known.saturating_sub(distance).div_ceil(2));
        // A round costs several times the one before it; of the first one nothing is known.
        let mut expected = if known > 0 { u64::MAX } else { 0 };
        for slack in first.. {
            found.bounds.push(distance + 2 * slack);
            let before = found.expanded;
            let root = root.with_slack(slack);
            let ended = if expected < SMALL {
                self.depth_first::<S, L, V>(
                    &Task { node: root, path: Vec::new() },
                    &mut found,
                    budget.nodes,
                    &mut meter,
                )
            } else {
                let wanted = (expected / NODES_A_TASK).min(TASKS) as usize;
                let tasks = self.split::<S, L, V>(root, wanted, &mut found);
                self.round::<S, L, V>(&tasks, threads, &mut found, budget.nodes, &mut meter)
            };
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

    /// Cuts the tree below a node into about so many tasks, in depth-first order. A goal ends its layer.
    fn split<const S: usize, const L: usize, const V: usize>(
        &self,
        root: Node<F::Place, S>,
        wanted: usize,
        found: &mut Found,
    ) -> Vec<Task<F::Place, S>> {
        let mut stages = Stages::<_, L>::new();
        let mut tasks = vec![Task { node: root, path: Vec::new() }];
        let mut children = Vec::new();
        while tasks.len() < wanted && !tasks.is_empty() {
            let mut next = Vec::with_capacity(2 * tasks.len());
            for task in tasks {
                if task.node.distance == 0 {
                    next.push(task);
                    return next;
                }
                found.expanded += 1;
                found.generated += self.expand::<S, L, V>(&[task.node], &mut stages, &mut children);
                while let Some(node) = children.pop() {
                    let mut path = task.path.clone();
                    path.push(Step::from_index(node.step.into()));
                    next.push(Task { node, path });
                }
            }
            tasks = next;
        }
        for (number, task) in tasks.iter_mut().enumerate() {
            task.node.task = number as u16;
        }
        tasks
    }

    fn round<const S: usize, const L: usize, const V: usize>(
        &self,
        tasks: &[Task<F::Place, S>],
        threads: usize,
        found: &mut Found,
        nodes: Option<u64>,
        meter: &mut Meter,
    ) -> Ended {
        let round = Round {
            tables: self,
            tasks,
            next: AtomicUsize::new(0),
            first: AtomicUsize::new(usize::MAX),
            stop: AtomicBool::new(false),
            expanded: AtomicU64::new(found.expanded),
            generated: AtomicU64::new(found.generated),
        };
        let mut limit = None;
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| round.work::<L, V>(&mut || false));
            }
            round.work::<L, V>(&mut || {
                limit = meter.look().err();
                if nodes.is_some_and(|nodes| round.expanded.load(Ordering::Relaxed) >= nodes) {
                    limit = Some(Limit::Nodes);
                }
                limit.is_some()
            });
        });
        found.expanded = round.expanded.into_inner();
        found.generated = round.generated.into_inner();
        if let Some(limit) = limit {
            return Err(limit);
        }
        let first = round.first.into_inner();
        tasks.get(first).map_or(Ok(None), |task| self.depth_first::<S, L, V>(task, found, nodes, meter))
    }

    /// Searches a task node by node.
    fn depth_first<const S: usize, const L: usize, const V: usize>(
        &self,
        task: &Task<F::Place, S>,
        found: &mut Found,
        nodes: Option<u64>,
        meter: &mut Meter,
    ) -> Ended {
        let mut stages = Stages::<_, L>::new();
        let mut stack = vec![task.node];
        let mut path = task.path.clone();
        // The cost of a node, from what is left of the bound: two for each pair of slack, and the distance.
        let spent = |node: &Node<F::Place, S>| 2 * usize::from(node.slack) + usize::from(node.distance);
        let bound = path.len() + spent(&task.node);
        while let Some(node) = stack.pop() {
            let cost = bound - spent(&node);
            if cost > task.path.len() {
                path.truncate(cost - 1);
                path.push(Step::from_index(node.step.into()));
            }
            if node.distance == 0 {
                return Ok(Some(path));
            }
            found.expanded += 1;
            found.generated += self.expand::<S, L, V>(&[node], &mut stages, &mut stack);
            if found.expanded.is_multiple_of(PATIENCE) {
                meter.look()?;
                if nodes.is_some_and(|nodes| found.expanded >= nodes) {
                    return Err(Limit::Nodes);
                }
            }
        }
        Ok(None)
    }
}

impl<F: Form, const S: usize> Round<'_, F, S> {
    /// Works on tasks until none is left. `watch` says whether to stop.
    fn work<const L: usize, const V: usize>(&self, watch: &mut dyn FnMut() -> bool) {
        let mut stages = Stages::<_, L>::new();
        let mut stack: Vec<Node<F::Place, S>> = Vec::new();
        let mut herd: Vec<Node<F::Place, S>> = Vec::with_capacity(HERD);
        let (mut expanded, mut generated) = (0, 0);
        loop {
            while stack.len() < HERD
                && let Some(task) = self.take()
            {
                stack.insert(0, task.node);
            }
            if stack.is_empty() {
                break;
            }
            let first = self.first.load(Ordering::Relaxed);
            herd.clear();
            herd.extend(stack.drain(stack.len().saturating_sub(HERD)..).rev());
            herd.retain(|node| {
                if node.distance == 0 {
                    self.first.fetch_min(node.task.into(), Ordering::Relaxed);
                }
                node.distance > 0 && usize::from(node.task) <= first
            });
            expanded += herd.len() as u64;
            generated += self.tables.expand::<S, L, V>(&herd, &mut stages, &mut stack);
            if expanded >= PATIENCE {
                self.count(&mut expanded, &mut generated);
                if watch() {
                    self.stop.store(true, Ordering::Relaxed);
                }
                if self.stop.load(Ordering::Relaxed) {
                    break;
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
    fn take(&self) -> Option<&Task<F::Place, S>> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.tasks.get(number).filter(|_| number < self.first.load(Ordering::Relaxed))
    }
}
