//! A space of your own on a cluster: `mpirun -np 4 cargo run --package beeline-cluster --features mpi --example pancakes`.
//!
//! Every rank builds the same space and starts the same search; the first one gets the plan.

#[path = "../../../docs/pancakes.rs"]
#[allow(dead_code, unreachable_pub)]
mod pancakes;

use beeline_cluster::Mpi;
use beeline_search::parallel::transport::Transport;
use beeline_search::parallel::{Cluster, Link, Ranks};
use beeline_search::{Search, Settings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let space = pancakes::Pancakes::new(&[3, 7, 1, 6, 4, 0, 5, 2, 8]).ok_or("no stack")?;
    let link = Mpi::join()?;
    let (rank, size) = (link.rank(), link.size());
    let cluster = Some(Cluster { ranks: Ranks::Link(Link::new(link)), saving: None });
    let settings = Settings { cluster, ..Settings::default() };
    let outcome = Search::new(&space).settings(settings).run("bfs")?;
    if rank == 0 {
        let cost = outcome.solution().map(|solution| solution.cost);
        println!(
            "{size} ranks: cost {cost:?}, {} expanded, {:?}",
            outcome.stats.expanded, outcome.stats.shares
        );
    }
    Ok(())
}
