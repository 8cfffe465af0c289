//! The exit codes. Scripts may rely on them.

use std::process::ExitCode;

use beeline_search::Limit;

/// How the command ended. With several puzzles, the highest code is returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Solved and nothing left to prove, or the job is done.
    #[default]
    Done = 0,
    /// No plan exists, and that is proved.
    Unsolvable = 10,
    /// No plan was found, which proves nothing.
    GaveUp = 11,
    /// The time limit ended the search, with or without a plan. The same holds for the next three codes.
    Time = 20,
    /// The memory limit.
    Memory = 21,
    /// The limit on expanded states.
    Nodes = 22,
    /// Ctrl-C.
    Interrupted = 23,
    /// The command line is invalid.
    Usage = 30,
    /// A file is missing or cannot be understood.
    Input = 31,
    /// The requested combination is not supported.
    Unsupported = 32,
    /// The checker rejected a plan.
    Rejected = 33,
    /// An internal error.
    Internal = 39,
}

impl Exit {
    /// Every code, with its meaning for the help text and the manual.
    pub const ALL: [(Self, &'static str); 12] = [
        (Self::Done, "solved, or the job is done"),
        (Self::Unsolvable, "no plan: proved unsolvable"),
        (Self::GaveUp, "no plan: gave up, which proves nothing"),
        (Self::Time, "stopped by the time limit"),
        (Self::Memory, "stopped by the memory limit"),
        (Self::Nodes, "stopped by the node limit"),
        (Self::Interrupted, "interrupted (Ctrl-C)"),
        (Self::Usage, "bad usage"),
        (Self::Input, "bad input file"),
        (Self::Unsupported, "unsupported combination"),
        (Self::Rejected, "the checker rejected the plan"),
        (Self::Internal, "internal error"),
    ];

    /// The number that the process returns.
    pub fn code(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.code().into()
    }
}

impl From<Limit> for Exit {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Time => Self::Time,
            Limit::Memory => Self::Memory,
            Limit::Nodes => Self::Nodes,
            Limit::Cancelled => Self::Interrupted,
        }
    }
}

/// The codes as the help text shows them.
pub(crate) fn table() -> String {
    let rows = Exit::ALL.iter().map(|(exit, meaning)| format!("  {:>2}  {meaning}\n", exit.code()));
    format!(
        "Exit codes:\n{}Of several puzzles, the highest code counts. A plan that a limit kept from being proved shortest is \
         printed, and the code is the limit's.",
        rows.collect::<String>()
    )
}

/// The name of the limit.
pub(crate) fn why(limit: Limit) -> &'static str {
    match limit {
        Limit::Time => "the time limit was reached",
        Limit::Memory => "the memory limit was reached",
        Limit::Nodes => "the limit on expanded states was reached",
        Limit::Cancelled => "interrupted",
    }
}
