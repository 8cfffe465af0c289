//! Sorts a stack of pancakes with every strategy there is: `cargo run --release -p beeline-search --example pancakes`.

#[path = "../../../docs/pancakes.rs"]
#[allow(unreachable_pub, dead_code)] // the file is written as a library of its own
mod pancakes;

use beeline_search::strategies::STRATEGIES;
use beeline_search::{Budget, Search, Settings, Verdict};
use pancakes::{Gap, Pancakes};

fn main() {
    let stack = [3, 0, 6, 2, 7, 4, 1, 5];
    let Some(space) = Pancakes::new(&stack) else { return };
    let settings = Settings { depth: Some(20), ..Settings::default() };
    println!("{:<14} {:>6} {:>9} {:>9}  plan", "strategy", "cost", "expanded", "bytes");
    for strategy in STRATEGIES {
        let budget = Budget { nodes: Some(1_000_000), ..Budget::default() };
        let Ok(outcome) =
            Search::new(&space).heuristic(Gap).settings(settings.clone()).budget(budget).run(strategy.name)
        else {
            continue;
        };
        let stats = &outcome.stats;
        print!("{:<14} ", strategy.name);
        match &outcome.verdict {
            Verdict::Solved(plan) => {
                let proof = if plan.is_optimal() { " (proved shortest)" } else { "" };
                let shown = if plan.moves.len() > 20 { "…".into() } else { format!("{:?}", plan.moves) };
                println!("{:>6} {:>9} {:>9}  {shown}{proof}", plan.cost, stats.expanded, stats.bytes);
            }
            other => println!("{:>6} {:>9} {:>9}  {other:?}", "-", stats.expanded, stats.bytes),
        }
    }
}
