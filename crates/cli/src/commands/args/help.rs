//! Arguments of the commands that list and explain.

use std::path::PathBuf;

use crate::report::list::Listing;

// `beeline list`.
#[derive(Debug, clap::Args)]
pub(crate) struct List {
    /// What to list; everything if left out
    #[arg(value_enum)]
    pub(crate) what: Option<Listing>,
    /// Only this kind
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// One JSON object for each entry, on a line of its own (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
}

// `beeline explain`.
#[derive(Debug, clap::Args)]
pub(crate) struct Explain {
    /// Its name: astar, iw, tiles, ...
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
}

// `beeline completions`.
#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// Which shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

// `beeline man`.
#[derive(Debug, clap::Args)]
pub(crate) struct Man {
    /// The page of this command instead of the main page
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
    /// Write all pages into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    pub(crate) all: Option<PathBuf>,
}
