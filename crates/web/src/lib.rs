//! The page of Beeline and its small server.
//!
//! The page is plain modules that are embedded in the binary; nothing is fetched from elsewhere and no file of the host is
//! read. The server keeps nothing about its visitors: a request brings the puzzle and the steps played so far, and the answer
//! is worked out from them. So there are no sessions to lose, fill up or steal, and a link holds the whole game.
//!
//! Page and server know puzzles only through the traits of `beeline-puzzles`: a new kind of puzzle can be played, solved,
//! watched and compared without a line being changed here. Which step a key or a drag is, the game says
//! (`api/play.rs`); what each legal step would change in the picture (`gesture.rs`) is for clicks and hints.

mod answer;
mod api;
mod board;
mod buffers;
mod connections;
mod gesture;
mod limits;
mod lines;
mod paced;
mod page;
mod reply;
mod route;
mod runs;
mod server;
mod trace;

pub use limits::{Limits, Quota};
pub use server::{Server, Usage};
