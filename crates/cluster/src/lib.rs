//! The MPI transport between the ranks of a search on a cluster.
//!
//! The search itself is `beeline_search::parallel`, which knows no MPI. This crate only implements its [`Transport`] over MPI,
//! behind the feature `mpi`. Without the feature it only tells whether this process was started as a rank.
//!
//! [`Transport`]: beeline_search::parallel::transport::Transport

#[cfg(feature = "mpi")]
mod link;

#[cfg(feature = "mpi")]
pub use link::Mpi;

/// Is MPI built in?
pub const BUILT_IN: bool = cfg!(feature = "mpi");

/// Was this process started as one of several ranks, by mpirun or srun?
pub fn started_as_rank() -> bool {
    ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"].iter().any(|name| std::env::var_os(name).is_some())
}
