//! A resumed search ends like one that never stopped: the same plan, the same counters.

use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::pancakes::{Gap, Pancakes};
use crate::common::world::{Estimates, World};
use beeline_search::checkpoint::{Checkpoint, Damage, RESUMABLE};
use beeline_search::{
    Budget, Heuristic, Limit, Observer, Outcome, Search, Settings, Space, Stats, Unsupported, Verdict,
};

const NEVER: Duration = Duration::from_secs(100_000);

/// A file of one test, removed when the test is over.
struct Saved(PathBuf);

impl Saved {
    /// Tests run in parallel and may use the same name, so every file gets its own number.
    fn new(name: &str) -> Self {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        Self(folder.join(format!("{name}-{}-{number}", std::process::id())))
    }

    fn fresh(&self, every: Duration) -> Checkpoint {
        Checkpoint::new(&self.0, every, 7, "label".into())
    }

    fn open(&self) -> Result<Checkpoint, Damage> {
        Checkpoint::open(&self.0, None)
    }
}

impl Drop for Saved {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// One search to be interrupted.
struct Case<'a, S, H> {
    strategy: &'static str,
    space: &'a S,
    heuristic: &'a H,
}

impl<S: Space<Move: Debug + PartialEq>, H: Heuristic<S>> Case<'_, S, H> {
    fn run(&self, budget: &Budget, observer: impl Observer<S>) -> Result<Outcome<S::Move>, Unsupported> {
        let settings = Settings { depth: Some(7), weight: 1.5, ..Settings::default() };
        Search::new(self.space)
            .heuristic(self.heuristic)
            .settings(settings)
            .budget(budget.clone())
            .observer(observer)
            .run(self.strategy)
    }

    fn whole(&self) -> Outcome<S::Move> {
        self.run(&Budget::default(), ()).unwrap()
    }

    /// Resumes from the saved state and compares the end with `whole`.
    fn finish(&self, saved: &Saved, whole: &Outcome<S::Move>) {
        let budget = Budget { checkpoint: Some(saved.open().unwrap()), ..Budget::default() };
        self.same(&self.run(&budget, ()).unwrap(), whole);
    }

    fn same(&self, ended: &Outcome<S::Move>, whole: &Outcome<S::Move>) {
        assert_eq!(ended.verdict, whole.verdict, "{}", self.strategy);
        assert_eq!(counters(&ended.stats), counters(&whole.stats), "{}", self.strategy);
    }
}

/// Everything but the machine-dependent figures.
fn counters(stats: &Stats) -> Stats {
    Stats { elapsed: Duration::ZERO, bytes: 0, ..stats.clone() }
}

fn pancakes() -> Pancakes {
    Pancakes::new(&[3, 0, 6, 2, 4, 1, 5]).unwrap()
}

fn each(mut f: impl FnMut(&Case<'_, Pancakes, Gap>)) {
    let space = pancakes();
    for strategy in RESUMABLE {
        f(&Case { strategy, space: &space, heuristic: &Gap });
    }
}

/// Stops after every `stops` nodes.
fn stopped_by_nodes<S: Space<Move: Debug + PartialEq>, H: Heuristic<S>>(case: &Case<'_, S, H>, stops: u64) {
    let saved = Saved::new(&format!("nodes-{}", case.strategy));
    let whole = case.whole();
    let expanded = whole.stats.expanded;
    for nodes in (0..stops).map(|i| i * expanded / stops).chain([1, 2, expanded.saturating_sub(1)]) {
        if nodes >= expanded {
            continue;
        }
        let checkpoint = Some(saved.fresh(NEVER));
        let budget = Budget { nodes: Some(nodes), checkpoint, ..Budget::default() };
        let outcome = case.run(&budget, ()).unwrap();
        assert_eq!(outcome.verdict, Verdict::Stopped(Limit::Nodes), "{} at {nodes}", case.strategy);
        assert_eq!(outcome.stats.expanded, nodes, "{}", case.strategy);
        case.finish(&saved, &whole);
    }
}

#[test]
fn a_search_stopped_anywhere_goes_on_as_if_it_had_not_been() {
    each(|case| stopped_by_nodes(case, 50));
}

#[test]
fn costs_that_differ_and_states_that_are_taken_up_again() {
    for seed in 0..8 {
        let world = World::random(seed, 300, false, seed % 2 == 0);
        let estimates = Estimates::admissible(&world, seed);
        for strategy in ["ucs", "astar", "wastar", "greedy", "idastar", "dfs"] {
            // Blind deepening over random costs takes long where there is no goal.
            if strategy == "idastar" && world.distances()[0].is_none_or(|distance| distance > 20) {
                continue;
            }
            stopped_by_nodes(&Case { strategy, space: &world, heuristic: &estimates }, 8);
        }
    }
}

#[test]
fn again_and_again() {
    each(|case| {
        let saved = Saved::new(&format!("chain-{}", case.strategy));
        let whole = case.whole();
        let step = whole.stats.expanded / 9 + 1;
        let mut checkpoint = saved.fresh(NEVER);
        for stop in 1.. {
            let nodes = Some(stop * step);
            let budget = Budget { nodes, checkpoint: Some(checkpoint), ..Budget::default() };
            let outcome = case.run(&budget, ()).unwrap();
            if outcome.verdict != Verdict::Stopped(Limit::Nodes) {
                case.same(&outcome, &whole);
                break;
            }
            checkpoint = saved.open().unwrap();
        }
    });
}

#[test]
fn a_search_that_ran_out_of_memory_goes_on_with_more() {
    each(|case| {
        let saved = Saved::new(&format!("memory-{}", case.strategy));
        let whole = case.whole();
        let mut stops = 0;
        for part in 1..25 {
            let bytes = Some(whole.stats.bytes * part / 25);
            let budget = Budget { bytes, checkpoint: Some(saved.fresh(NEVER)), ..Budget::default() };
            let outcome = case.run(&budget, ()).unwrap();
            // A search that cannot even store its start has nothing to save.
            if outcome.verdict == Verdict::Stopped(Limit::Memory) && saved.0.exists() {
                stops += 1;
                case.finish(&saved, &whole);
            }
            drop(std::fs::remove_file(&saved.0));
        }
        assert!(stops >= 8 || whole.stats.bytes < 2000, "{}: {stops}", case.strategy);
    });
}

/// Copies the checkpoint at one tick, as a process killed then would leave it, and ends the search.
struct Killer<'a> {
    saved: &'a Saved,
    copy: &'a Saved,
    left: u32,
    budget: Budget,
}

impl<S: Space> Observer<S> for Killer<'_> {
    fn watches_states(&self) -> bool {
        false
    }
    fn tick(&mut self, _: &Stats) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        if self.left == 0 && std::fs::copy(&self.saved.0, &self.copy.0).is_ok() {
            self.budget.cancel.cancel();
        }
    }
}

#[test]
fn what_is_saved_on_the_way_is_as_good() {
    each(|case| {
        let saved = Saved::new(&format!("kill-{}", case.strategy));
        let copy = Saved::new(&format!("kill-copy-{}", case.strategy));
        let whole = case.whole();
        let mut kills = 0;
        for ticks in 2..12 {
            let checkpoint = Some(saved.fresh(Duration::ZERO));
            let budget = Budget { checkpoint, ..Budget::default() };
            let killer = Killer { saved: &saved, copy: &copy, left: ticks, budget: budget.clone() };
            let outcome = case.run(&budget, killer).unwrap();
            if outcome.verdict == Verdict::Stopped(Limit::Cancelled) {
                kills += 1;
                case.finish(&copy, &whole);
            }
        }
        assert!(kills > 0 || whole.stats.expanded < 50, "{}", case.strategy);
    });
}

/// A saved breadth-first search.
fn example(saved: &Saved) -> Vec<u8> {
    let space = pancakes();
    let checkpoint = Some(saved.fresh(NEVER));
    let budget = Budget { nodes: Some(40), checkpoint, ..Budget::default() };
    Case { strategy: "bfs", space: &space, heuristic: &Gap }.run(&budget, ()).unwrap();
    std::fs::read(&saved.0).unwrap()
}

#[test]
fn a_torn_file_is_an_error_and_stays_as_it_is() {
    let saved = Saved::new("torn");
    let whole = example(&saved);
    assert_eq!(saved.open().unwrap().label(), "label");
    for length in (0..whole.len()).filter(|n| n % 7 == 0 || *n < 64 || n + 64 > whole.len()) {
        std::fs::write(&saved.0, &whole[..length]).unwrap();
        let damage = saved.open().unwrap_err();
        assert!(matches!(damage, Damage::Torn | Damage::Foreign), "{length}: {damage:?}");
        assert_eq!(std::fs::read(&saved.0).unwrap(), whole[..length]);
    }
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        std::fs::write(&saved.0, &changed).unwrap();
        let damage = saved.open().unwrap_err();
        let expected = match at {
            0..8 => matches!(damage, Damage::Foreign),
            8..12 => matches!(damage, Damage::Version(_)),
            _ => damage == Damage::Torn,
        };
        assert!(expected, "{at}: {damage:?}");
    }
    let mut longer = whole.clone();
    longer.push(0);
    std::fs::write(&saved.0, &longer).unwrap();
    assert_eq!(saved.open().unwrap_err(), Damage::Torn);
}

#[test]
fn files_of_others_and_of_other_searches_are_refused() {
    let saved = Saved::new("foreign");
    std::fs::write(&saved.0, "a diary").unwrap();
    assert_eq!(saved.open().unwrap_err(), Damage::Foreign);
    assert!(matches!(
        Checkpoint::open("/no/such/file", None).unwrap_err(),
        Damage::Unreadable(why) if why.contains("No such file")
    ));
    example(&saved);
    let (same, other) = (pancakes(), Pancakes::new(&[0, 3, 6, 2, 4, 1, 5]).unwrap());
    let smaller = Pancakes::new(&[2, 1, 0]).unwrap();
    for (strategy, space) in [("dfs", &same), ("bfs", &other), ("bfs", &smaller)] {
        let budget = Budget { checkpoint: Some(saved.open().unwrap()), ..Budget::default() };
        let refused = Case { strategy, space, heuristic: &Gap }.run(&budget, ()).unwrap_err();
        assert!(matches!(refused, Unsupported::Saved(Damage::Misfit(_))), "{refused:?}");
    }
    let budget = Budget { checkpoint: Some(saved.fresh(NEVER)), ..Budget::default() };
    let case = Case { strategy: "walk", space: &same, heuristic: &Gap };
    assert!(matches!(case.run(&budget, ()), Err(Unsupported::Needs { .. })));
}

#[test]
fn a_save_that_fails_leaves_the_one_before_and_the_search_goes_on() {
    let space = pancakes();
    let case = Case { strategy: "bfs", space: &space, heuristic: &Gap };
    let whole = case.whole();
    let nowhere = Checkpoint::new("/no/such/folder/file", Duration::ZERO, 0, String::new());
    assert!(nowhere.try_out().is_err());
    let budget = Budget { checkpoint: Some(nowhere.clone()), ..Budget::default() };
    case.same(&case.run(&budget, ()).unwrap(), &whole);
    assert!(nowhere.problem().is_some_and(|why| why.contains("No such file")) && nowhere.saves() == 0);
}
