//! The example of the README: a knight's shortest way across a chessboard.

use beeline_search::example::Knight;
use beeline_search::{Search, Unsupported, Verdict};

fn main() -> Result<(), Unsupported> {
    let outcome = Search::new(&Knight::across(8)).run("bfs")?;
    if let Verdict::Solved(plan) = outcome.verdict {
        println!("{} moves: {:?}", plan.cost, plan.moves);
    }
    println!("{} states expanded", outcome.stats.expanded);
    Ok(())
}
