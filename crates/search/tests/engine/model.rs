//! The engine's thread code under the model checker: every schedule that it tries must end, with a correct answer, within the
//! limits. Run with `cargo test -p beeline-search --features model model_`.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::common::world::{Estimates, World};
use beeline_search::sync::atomic::{AtomicBool, Ordering};
use beeline_search::sync::{Condvar, Mutex, lock, model, scope};
use beeline_search::{Budget, Cost, Limit, Outcome, Search, Settings, Space, Verdict, team};

/// Schedules for each case and each scheduler.
const SCHEDULES: usize = 300;
const STRATEGIES: [&str; 4] = ["bfs", "ucs", "astar", "idastar"];

/// A barrier for two.
#[derive(Default)]
struct Barrier {
    /// How many threads wait, and how often both have met.
    state: Mutex<(u32, u32)>,
    met: Condvar,
}

impl Barrier {
    fn wait(&self) {
        let mut state = lock(&self.state);
        state.0 += 1;
        if state.0 == 2 {
            *state = (0, state.1 + 1);
            self.met.notify_all();
        } else {
            let meeting = state.1;
            drop(self.met.wait_while(state, |state| state.1 == meeting).unwrap());
        }
    }
}

/// A faulty test program: the leader raises a flag before a round, while another thread may still read it after the previous
/// round. That thread leaves, and the leader waits for it.
fn flag_between_the_wrong_barriers() {
    let (barrier, stop) = (Barrier::default(), AtomicBool::new(false));
    let work = |leads: bool| {
        for round in 0.. {
            if leads && round == 2 {
                stop.store(true, Ordering::Relaxed);
            }
            barrier.wait();
            barrier.wait();
            if stop.load(Ordering::Relaxed) {
                return;
            }
        }
    };
    scope(|scope| {
        scope.spawn(|| work(false));
        work(true);
    });
}

/// The checker detects faults: it finds the deadlock that [`team::rounds`] excludes.
#[test]
fn model_finds_a_deadlock_that_is_there() {
    let found = model::schedules_to_deadlock(5000, flag_between_the_wrong_barriers);
    println!("random schedules, schedules with few preemptions: {found:?}");
    assert!(found.iter().all(Option::is_some), "{found:?}");
}

#[test]
fn model_rounds_end_when_the_leader_says_so() {
    for (size, last) in [(1, 2), (2, 0), (2, 3), (3, 2)] {
        model::check(10 * SCHEDULES, move || {
            let first = |_: &u32, _: usize, done: &mut u32| *done += 1;
            let second = |round: &u32, me: usize, done: &mut u32| assert!(*done == round + 1, "worker {me}");
            let mut round = 0;
            let (workers, seen) = team::rounds(vec![0; size], &[&first, &second], |workers| {
                assert!(workers.iter().all(|done| **done == round));
                if round == last {
                    return ControlFlow::Break(round);
                }
                round += 1;
                ControlFlow::Continue(round - 1)
            });
            assert_eq!((workers, seen), (vec![last; size], last));
        });
    }
}

#[test]
fn model_a_panic_in_a_round_is_passed_on() {
    for (who, when) in (0..3).flat_map(|who| (0..2).map(move |when| (who, when))) {
        model::check(5 * SCHEDULES, move || {
            let mut round = 0;
            let ended = catch_unwind(AssertUnwindSafe(|| {
                let phase = |round: &u32, me: usize, (): &mut ()| {
                    if (me, *round) == (who, when) {
                        resume_unwind(Box::new("on purpose"));
                    }
                };
                team::rounds(vec![(); 2], &[&phase, &phase], |_| -> ControlFlow<(), u32> {
                    if (2, round) == (who, when) {
                        resume_unwind(Box::new("on purpose"));
                    }
                    round += 1;
                    ControlFlow::Continue(round - 1)
                })
            }));
            assert_eq!(ended.unwrap_err().downcast_ref(), Some(&"on purpose"));
        });
    }
}

fn search(name: &str, world: &World, seed: u64, threads: usize, budget: &Budget) -> Outcome<u16> {
    let heuristic = Estimates::admissible(world, seed);
    let settings = Settings { threads, ..Settings::default() };
    Search::new(world).heuristic(heuristic).settings(settings).budget(budget.clone()).run(name).unwrap()
}

/// Small worlds: with a plan and without, of unit costs and of others.
fn worlds() -> impl Iterator<Item = (u64, World, Option<u64>)> {
    [0, 3, 4, 9, 11].into_iter().map(|seed| {
        let world = World::random(seed, 5 + seed as usize % 4, seed % 3 == 0, seed % 2 == 0);
        let truth = world.distances()[0];
        (seed, world, truth)
    })
}

/// Is this the correct answer, or the only limit set?
fn hold(outcome: &Outcome<u16>, truth: Option<u64>, limit: Option<Limit>) {
    match &outcome.verdict {
        Verdict::Solved(solution) => assert_eq!(Some(solution.cost), truth),
        Verdict::Exhausted => assert_eq!(truth, None),
        Verdict::Stopped(stopped) => assert_eq!(Some(*stopped), limit),
        Verdict::GaveUp => panic!("it gave up"),
    }
}

/// Iterative deepening does not end on a world without a plan.
fn ends(name: &str, truth: Option<u64>) -> bool {
    name != "idastar" || truth.is_some()
}

#[test]
fn model_ranks_and_work_sharing_find_the_truth() {
    for (seed, world, truth) in worlds() {
        for name in STRATEGIES.into_iter().filter(|name| ends(name, truth) && (world.unit || *name != "bfs"))
        {
            let world = world.clone();
            model::check(SCHEDULES, move || {
                hold(&search(name, &world, seed, 3, &Budget::default()), truth, None);
            });
        }
    }
}

#[test]
fn model_the_node_limit_holds_at_every_expansion() {
    for (seed, world, truth) in worlds() {
        for name in STRATEGIES.into_iter().filter(|name| world.unit || *name != "bfs") {
            for nodes in 0..8 {
                let world = world.clone();
                model::check(SCHEDULES / 3, move || {
                    let budget = Budget { nodes: Some(nodes), ..Budget::default() };
                    let outcome = search(name, &world, seed, 2, &budget);
                    hold(&outcome, truth, Some(Limit::Nodes));
                    assert!(outcome.stats.expanded <= nodes, "{name}: {} of {nodes}", outcome.stats.expanded);
                });
            }
        }
    }
}

#[test]
fn model_a_cancel_ends_the_search_at_any_moment() {
    for (seed, world, truth) in worlds() {
        for name in STRATEGIES.into_iter().filter(|name| ends(name, truth) && (world.unit || *name != "bfs"))
        {
            let world = world.clone();
            model::check(2 * SCHEDULES, move || {
                let outcome = search(name, &world, seed, 2, &model::cancelled_sometime());
                hold(&outcome, truth, Some(Limit::Cancelled));
            });
        }
    }
}

/// A world in which expanding one of the states panics.
struct Mined(World, u16);

impl Space for Mined {
    type State = u16;
    type Move = u16;
    type Undo = u16;
    type Moves = std::ops::Range<u16>;
    type Key = u16;

    fn start(&self) -> u16 {
        self.0.start()
    }
    fn moves(&self, state: &u16) -> Self::Moves {
        if *state == self.1 {
            resume_unwind(Box::new("on purpose"));
        }
        self.0.moves(state)
    }
    fn apply(&self, state: &mut u16, mv: u16) -> u16 {
        self.0.apply(state, mv)
    }
    fn undo(&self, state: &mut u16, mv: u16, before: u16) {
        self.0.undo(state, mv, before);
    }
    fn is_goal(&self, state: &u16) -> bool {
        self.0.is_goal(state)
    }
    fn pack(&self, state: &u16) -> u16 {
        *state
    }
    fn unpack(&self, key: &u16) -> u16 {
        *key
    }
    fn cost(&self, state: &u16, mv: u16) -> Cost {
        self.0.cost(state, mv)
    }
}

#[test]
fn model_a_panic_of_any_thread_ends_the_search_and_is_passed_on() {
    // A chain of five states and back: every state is expanded, and only the last is a goal.
    let mut edges: Vec<Vec<(u16, Cost)>> = (0..5).map(|i| vec![(i + 1, 1), (i / 2, 1)]).collect();
    edges.push(Vec::new());
    let world = World { goals: (0..6).map(|i| i == 5).collect(), edges, unit: true, both_ways: false };
    for mine in 1..5 {
        for name in STRATEGIES {
            let world = world.clone();
            model::check(SCHEDULES, move || {
                let mined = Mined(world.clone(), mine);
                let settings = Settings { threads: 2, ..Settings::default() };
                let ended = catch_unwind(AssertUnwindSafe(|| {
                    Search::new(&mined).settings(settings).run(name).map(drop)
                }));
                assert_eq!(ended.unwrap_err().downcast_ref(), Some(&"on purpose"), "{name}");
            });
        }
    }
}
