//! The page of Beeline and its small server.
//!
//! The page is plain modules that are embedded in the binary; nothing is fetched from elsewhere and no file of the host is
//! read. The server keeps nothing about its visitors: a request brings the puzzle and the steps played so far, and the answer
//! is worked out from them. So there are no sessions to lose, fill up or steal, and a link holds the whole game.
//!
//! What can be asked, and what is answered, stands in `beeline-messages`; this crate carries it over HTTP and sees to it that no visitor
//! takes more than a share. Without a server, `beeline-wasm` carries the same messages in the browser.

mod buffers;
mod connections;
mod limits;
mod paced;
mod page;
mod reply;
mod route;
mod runs;
mod server;
mod stop;

pub use limits::{Limits, Quota};
pub use server::{Server, Usage};
