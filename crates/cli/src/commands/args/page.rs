//! Arguments of `beeline serve`.

use std::net::IpAddr;
use std::num::NonZeroU8;
use std::time::Duration;

use beeline_api::units;

// `beeline serve`.
#[derive(Debug, clap::Args)]
pub(crate) struct Serve {
    /// The port; 0 takes any that is free
    #[arg(long, value_name = "PORT", default_value_t = 8017)]
    pub(crate) port: u16,
    /// The address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) address: IpAddr,
    /// Searches at one time, for all visitors together [default: 4]
    #[arg(long, value_name = "N", help_heading = "Limits of a search")]
    pub(crate) runs: Option<NonZeroU8>,
    #[command(flatten)]
    pub(crate) limits: ServeLimits,
}

// How much a visitor's search may take.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Limits of a search")]
pub(crate) struct ServeLimits {
    /// The longest time: 30s, 5m [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// The most memory of all searches and answers together: 512M, 2G [default: 512M]
    #[arg(long, value_name = "BYTES", value_parser = units::bytes)]
    pub(crate) memory: Option<usize>,
}
