//! Every strategy × every limit: the search stops, names the limit, and returns its figures.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::wild::Wild;
use beeline_search::strategies::{STRATEGIES, Strategy};
use beeline_search::{
    Budget, Claim, Cost, Heuristic, Limit, Observer, Outcome, Search, Settings, Space, Stats, Verdict,
};

/// An estimate so large that IDA*'s first round never ends and its path grows for ever.
struct Far;

impl Heuristic<Wild> for Far {
    type Memo = Cost;
    type Scratch = ();
    fn root(&self, _: &Wild, state: &u64, (): &mut ()) -> Cost {
        if *state == 1 { 1 << 30 } else { 0 }
    }
    fn value(&self, memo: Cost) -> Cost {
        memo
    }
    fn claim(&self) -> Claim {
        Claim::Guess
    }
}

fn search(strategy: &Strategy, budget: &Budget, observer: impl Observer<Wild>) -> Outcome<u64> {
    let settings = Settings { depth: Some(1 << 30), width: Some(3), ..Settings::default() };
    Search::new(&Wild)
        .heuristic(Far)
        .settings(settings)
        .budget(budget.clone())
        .observer(observer)
        .run(strategy.name)
        .unwrap()
}

fn stopped(strategy: &Strategy, outcome: &Outcome<u64>, limit: Limit) {
    assert_eq!(outcome.verdict, Verdict::Stopped(limit), "{}", strategy.name);
    let stats = &outcome.stats;
    assert!(stats.generated >= stats.expanded / 2, "{}: {stats:?}", strategy.name);
    assert!(stats.bytes > 0 || stats.expanded < 3, "{}: {stats:?}", strategy.name);
}

#[test]
fn nodes() {
    for strategy in STRATEGIES {
        for nodes in [1, 2, 1000, 54_321] {
            let outcome = search(strategy, &Budget { nodes: Some(nodes), ..Budget::default() }, ());
            stopped(strategy, &outcome, Limit::Nodes);
            assert_eq!(outcome.stats.expanded, nodes, "{}", strategy.name);
        }
    }
}

#[test]
fn bytes() {
    for strategy in STRATEGIES {
        for bytes in [10_000, 3_000_000] {
            let outcome = search(strategy, &Budget { bytes: Some(bytes), ..Budget::default() }, ());
            stopped(strategy, &outcome, Limit::Memory);
            let used = outcome.stats.bytes;
            assert!(used <= bytes, "{} took {used} of {bytes}", strategy.name);
            assert!(used > bytes / 4, "{} took only {used} of {bytes}", strategy.name);
        }
    }
}

#[test]
fn time() {
    for strategy in STRATEGIES {
        let limit = Duration::from_millis(20);
        let clock = Instant::now();
        let budget = Budget { time: Some(limit), bytes: Some(1 << 30), ..Budget::default() };
        let outcome = search(strategy, &budget, ());
        let took = clock.elapsed();
        stopped(strategy, &outcome, Limit::Time);
        assert!(took >= limit, "{} stopped early: {took:?}", strategy.name);
        // `cargo xtask prove` measures how close it comes. A busy machine may stall any process for a while.
        assert!(took < limit + Duration::from_secs(20), "{} did not stop: {took:?}", strategy.name);
    }
}

/// Cancels the search at its first tick.
struct Impatient(Budget);

impl Observer<Wild> for Impatient {
    fn watches_states(&self) -> bool {
        false
    }
    fn tick(&mut self, _: &Stats) {
        self.0.cancel.cancel();
    }
}

#[test]
fn cancel() {
    for strategy in STRATEGIES {
        let budget = Budget::default();
        let outcome = search(strategy, &budget, Impatient(budget.clone()));
        stopped(strategy, &outcome, Limit::Cancelled);

        let budget = Budget::default();
        budget.cancel.cancel();
        let outcome = search(strategy, &budget, ());
        assert_eq!(outcome.verdict, Verdict::Stopped(Limit::Cancelled), "{} before it began", strategy.name);
        assert_eq!(outcome.stats.expanded, 0, "{}", strategy.name);
    }
}

const CHILD: &str = "BEELINE_TEST_STRATEGY";

/// Runs in a process whose address space is limited to 48 MB: the system refuses memory, not the budget.
#[test]
#[cfg(target_os = "linux")]
fn address_space() {
    if let Ok(name) = std::env::var(CHILD) {
        let strategy = STRATEGIES.iter().find(|s| s.name == name).unwrap();
        let outcome = search(strategy, &Budget::default(), ());
        stopped(strategy, &outcome, Limit::Memory);
        assert!(outcome.stats.bytes > 10_000_000, "{}: {:?}", name, outcome.stats);
        return;
    }
    let this = std::env::current_exe().unwrap();
    for strategy in STRATEGIES {
        let child = Command::new("sh")
            .args(["-c", "ulimit -v 49152 && exec \"$0\" --exact limits::address_space --test-threads 1"])
            .arg(&this)
            .env(CHILD, strategy.name)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success() && said.contains("1 passed"), "{}: {child:?}", strategy.name);
    }
}

/// One node with 4,000 successors, each of which takes a millisecond to estimate.
struct Wide;

impl Space for Wide {
    type State = u64;
    type Move = u64;
    type Undo = ();
    type Moves = std::ops::Range<u64>;
    type Key = u64;
    fn start(&self) -> u64 {
        0
    }
    fn moves(&self, _: &u64) -> Self::Moves {
        1..4001
    }
    fn apply(&self, state: &mut u64, mv: u64) {
        *state += mv;
    }
    fn undo(&self, state: &mut u64, mv: u64, (): ()) {
        *state -= mv;
    }
    fn is_goal(&self, _: &u64) -> bool {
        std::thread::sleep(Duration::from_millis(1));
        false
    }
    fn pack(&self, state: &u64) -> u64 {
        *state
    }
    fn unpack(&self, key: &u64) -> u64 {
        *key
    }
}

/// The clock is looked at inside an expansion: the first one would need four seconds.
#[test]
fn one_wide_expansion_does_not_outlast_the_time() {
    for name in ["bfs", "dfs"] {
        let budget = Budget { time: Some(Duration::from_millis(50)), ..Budget::default() };
        let clock = Instant::now();
        let outcome = Search::new(&Wide).budget(budget).run(name).unwrap();
        assert_eq!(outcome.verdict, Verdict::Stopped(Limit::Time), "{name}");
        assert!(clock.elapsed() < Duration::from_secs(2), "{name}: {:?}", clock.elapsed());
    }
}
