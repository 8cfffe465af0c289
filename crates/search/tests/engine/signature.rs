//! A signature of the behaviour of every strategy: its total expansions over a fixed set of problems (as Stockfish's `bench`).
//!
//! A change that is not meant to change behaviour must keep these numbers. A change that is meant to must say why.

use crate::common::pancakes::{Gap, Pancakes};
use beeline_search::strategies::STRATEGIES;
use beeline_search::{Random, Search, Settings};

#[test]
fn expansions() {
    let mut random = Random::new(1);
    let mut sums: Vec<(&str, u64)> = STRATEGIES.iter().map(|s| (s.name, 0)).collect();
    for _ in 0..20 {
        let mut stack: Vec<u8> = (0..7).collect();
        random.shuffle(&mut stack);
        let space = Pancakes::new(&stack).unwrap();
        for (name, sum) in &mut sums {
            let settings = Settings { depth: Some(9), ..Settings::default() };
            *sum += Search::new(&space).heuristic(&Gap).settings(settings).run(name).unwrap().stats.expanded;
        }
    }
    let expected = [
        ("bfs", 24_258),
        ("dfs", 44_441),
        ("dls", 69_151),
        ("ids", 125_794),
        ("ucs", 49_862),
        ("greedy", 136),
        ("astar", 135),
        ("wastar", 121),
        ("idastar", 231),
        ("iw", 34_632),
        ("bfws", 137),
        ("bidirectional", 1109),
        ("walk", 180),
    ];
    assert_eq!(sums, expected);
}
