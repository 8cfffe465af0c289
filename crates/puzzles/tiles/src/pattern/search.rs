//! Iterative-deepening A* with pattern databases: many subtrees at once, on one thread or several.
//!
//! A depth-first search with large tables waits for memory at every node. Therefore a round is cut into *tasks*, subtrees in
//! depth-first order, and each thread works on several of them by turns, in *lanes*: while the entries of one lane's children
//! are on their way, the others go on. Threads take their tasks from the same list, so nobody waits for anybody.
//!
//! A plan that is found ends all tasks behind its own and none before it. So the plan is always the one that a plain
//! depth-first search would find first, with any number of lanes and threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use beeline_search::{Budget, Limit, Meter};

use super::super::board::Step;
use super::super::light::Found;
use super::additive::{Additive, Child, MAX_SLOTS, Node};
use super::form::Form;

/// Lanes of a thread: enough to cover the way to memory and back.
const LANES: usize = 6;
/// The most tasks of a round.
const TASKS: u64 = 4096;
/// A task should be about this large.
const NODES_A_TASK: u64 = 256;
/// After a round smaller than this, the next one is not cut up: the lanes behind the plan would work for nothing.
const SMALL: u64 = 1 << 15;
/// Turns of all lanes between two looks at the meter.
const PATIENCE: u32 = 1 << 9;

/// A subtree, and the steps to its root.
struct Task<P, const G: usize, const S: usize> {
    node: Node<P, G, S>,
    path: Vec<Step>,
}

/// A node on the way down, and its children that are still to be looked at.
struct Frame<P, const G: usize, const S: usize> {
    node: Node<P, G, S>,
    children: [Child<P, G>; 4],
    count: u8,
    next: u8,
}

/// A depth-first search in one task.
struct Lane<P, const G: usize, const S: usize> {
    frames: Vec<Frame<P, G, S>>,
    depth: usize,
    task: usize,
}

/// What all threads of a round share.
struct Round<'a, F: Form, const G: usize, const S: usize> {
    tables: &'a Additive<F>,
    tasks: &'a [Task<F::Place, G, S>],
    next: AtomicUsize,
    /// The first task known to hold a plan.
    first: AtomicUsize,
    plan: Mutex<Option<(usize, Vec<Step>)>>,
    stop: AtomicBool,
    expanded: AtomicU64,
    generated: AtomicU64,
}

/// How a lane stands after a turn.
enum Turn {
    Busy,
    Done,
    Goal,
}

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
        match self.groups() {
            1 => self.deepen::<1, 8>(cells, known, threads, budget),
            2 => self.deepen::<2, 8>(cells, known, threads, budget),
            _ => self.deepen::<4, MAX_SLOTS>(cells, known, threads, budget),
        }
    }

    fn deepen<const G: usize, const S: usize>(
        &self,
        cells: &[u8],
        known: u32,
        threads: usize,
        budget: &Budget,
    ) -> (Found, Option<Limit>) {
        let root = self.root::<G, S>(cells);
        let distance = u32::from(root.distance);
        let mut meter = Meter::new(budget);
        let mut found = Found::default();
        let first = u32::from(root.needs()).max(known.saturating_sub(distance).div_ceil(2));
        // A round costs several times the one before it; of the first one nothing is known.
        let mut expected = if known > 0 { u64::MAX } else { 0 };
        for slack in first.. {
            found.bounds.push(distance + 2 * slack);
            let before = found.expanded;
            let wanted = if expected < SMALL { 1 } else { (expected / NODES_A_TASK).min(TASKS) as usize };
            let tasks = self.split(root.with_slack(slack), wanted, &mut found);
            let lanes = if wanted == 1 { 1 } else { LANES };
            let (plan, limit) = self.round(&tasks, lanes, threads, &mut found, budget.nodes, &mut meter);
            if plan.is_some() || limit.is_some() {
                found.plan = plan;
                return (found, limit);
            }
            expected = found.expanded - before;
        }
        (found, None)
    }

    /// Cuts the tree below a node into about so many tasks, in depth-first order. A goal ends its layer.
    fn split<const G: usize, const S: usize>(
        &self,
        root: Node<F::Place, G, S>,
        wanted: usize,
        found: &mut Found,
    ) -> Vec<Task<F::Place, G, S>> {
        let mut tasks = vec![Task { node: root, path: Vec::new() }];
        while tasks.len() < wanted && !tasks.is_empty() {
            let mut next = Vec::with_capacity(2 * tasks.len());
            for task in tasks {
                if task.node.distance == 0 {
                    next.push(task);
                    return next;
                }
                let mut children = [Child::default(); 4];
                let (count, made) = self.children(&task.node, &mut children);
                found.expanded += 1;
                found.generated += u64::from(made);
                let kept = self.keep(&task.node, &mut children, count);
                for child in &children[..usize::from(kept)] {
                    let mut node = task.node;
                    child.enter(&task.node, &mut node);
                    let mut path = task.path.clone();
                    path.push(Step::from_index(node.step.into()));
                    next.push(Task { node, path });
                }
            }
            tasks = next;
        }
        tasks
    }

    fn round<const G: usize, const S: usize>(
        &self,
        tasks: &[Task<F::Place, G, S>],
        lanes: usize,
        threads: usize,
        found: &mut Found,
        nodes: Option<u64>,
        meter: &mut Meter,
    ) -> (Option<Vec<Step>>, Option<Limit>) {
        let round = Round {
            tables: self,
            tasks,
            next: AtomicUsize::new(0),
            first: AtomicUsize::new(usize::MAX),
            plan: Mutex::new(None),
            stop: AtomicBool::new(false),
            expanded: AtomicU64::new(found.expanded),
            generated: AtomicU64::new(found.generated),
        };
        let mut limit = None;
        let threads = if tasks.len() > lanes { threads } else { 1 };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| round.work(lanes, &mut || false));
            }
            round.work(lanes, &mut || {
                limit = meter.look().err();
                if nodes.is_some_and(|nodes| round.expanded.load(Ordering::Relaxed) >= nodes) {
                    limit = Some(Limit::Nodes);
                }
                limit.is_some()
            });
        });
        found.expanded = round.expanded.into_inner();
        found.generated = round.generated.into_inner();
        let plan = round.plan.into_inner().ok().flatten().map(|(_, plan)| plan);
        (plan, limit)
    }
}

impl<F: Form, const G: usize, const S: usize> Round<'_, F, G, S> {
    /// Works on tasks until none is left. `watch` says whether to stop.
    fn work(&self, lanes: usize, watch: &mut dyn FnMut() -> bool) {
        let mut lanes: Vec<Lane<F::Place, G, S>> =
            (0..lanes).map(|_| Lane { frames: Vec::new(), depth: 0, task: 0 }).collect();
        let (mut expanded, mut generated) = (0, 0);
        lanes.retain_mut(|lane| self.take(lane, &mut expanded, &mut generated));
        let mut patience = PATIENCE;
        while !lanes.is_empty() {
            let first = self.first.load(Ordering::Relaxed);
            lanes.retain_mut(|lane| {
                let turn = if lane.task > first {
                    Turn::Done
                } else {
                    self.turn(lane, &mut expanded, &mut generated)
                };
                match turn {
                    Turn::Busy => true,
                    Turn::Done => self.take(lane, &mut expanded, &mut generated),
                    Turn::Goal => {
                        let steps = lane.frames[1..=lane.depth].iter().map(|frame| frame.node.step);
                        self.found(lane.task, steps);
                        false
                    }
                }
            });
            patience -= 1;
            if patience == 0 {
                patience = PATIENCE;
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

    /// Notes a plan: the steps to a task and those behind its root.
    fn found(&self, task: usize, steps: impl Iterator<Item = u8>) {
        self.first.fetch_min(task, Ordering::Relaxed);
        let Ok(mut plan) = self.plan.lock() else { return };
        if plan.as_ref().is_none_or(|(known, _)| task < *known) {
            let mut path = self.tasks[task].path.clone();
            path.extend(steps.map(|step| Step::from_index(step.into())));
            *plan = Some((task, path));
        }
    }

    /// Gives a lane the next task; `false` if there is none for it.
    fn take(&self, lane: &mut Lane<F::Place, G, S>, expanded: &mut u64, generated: &mut u64) -> bool {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let Some(task) = self.tasks.get(number).filter(|_| number < self.first.load(Ordering::Relaxed))
        else {
            return false;
        };
        if task.node.distance == 0 {
            self.found(number, std::iter::empty());
            return false;
        }
        lane.task = number;
        lane.depth = 0;
        lane.open(0);
        lane.frames[0].node = task.node;
        self.expand(&mut lane.frames[0], expanded, generated);
        true
    }

    #[inline(always)]
    fn expand(&self, frame: &mut Frame<F::Place, G, S>, expanded: &mut u64, generated: &mut u64) {
        let (count, made) = self.tables.children(&frame.node, &mut frame.children);
        frame.count = count;
        frame.next = 0;
        *expanded += 1;
        *generated += u64::from(made);
    }

    /// Expands the next node of a lane. The entries of the children of its last one should be there by now.
    #[inline(always)]
    fn turn(&self, lane: &mut Lane<F::Place, G, S>, expanded: &mut u64, generated: &mut u64) -> Turn {
        lane.open(lane.depth + 1);
        if let Some(top) = lane.frames.get_mut(lane.depth) {
            top.count = self.tables.keep(&top.node, &mut top.children, top.count);
        }
        loop {
            let Some([frame, below]) = lane.frames[lane.depth..].first_chunk_mut::<2>() else {
                return Turn::Done;
            };
            if frame.next == frame.count {
                if lane.depth == 0 {
                    return Turn::Done;
                }
                lane.depth -= 1;
                continue;
            }
            let child = &frame.children[usize::from(frame.next) & 3];
            frame.next += 1;
            child.enter(&frame.node, &mut below.node);
            lane.depth += 1;
            if below.node.distance == 0 {
                return Turn::Goal;
            }
            self.expand(below, expanded, generated);
            return Turn::Busy;
        }
    }
}

impl<P: Copy + Default, const G: usize, const S: usize> Lane<P, G, S> {
    /// Makes sure that there is a frame at this depth, which is at most the bound.
    #[inline(always)]
    fn open(&mut self, depth: usize) {
        if depth >= self.frames.len() {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let node = Node::default();
        self.frames.push(Frame { node, children: [Child::default(); 4], count: 0, next: 0 });
    }
}
