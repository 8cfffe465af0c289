//! The page of Beeline and its small server.
//!
//! The page consists of plain modules that are embedded in the binary. The server fetches nothing and reads no file
//! of the host. It keeps nothing about its visitors: a request contains the puzzle and the steps played so far, and
//! the answer is computed from them. So there are no sessions to lose, fill up or steal, and a link holds the whole
//! game.
//!
//! `beeline-messages` defines the requests and answers. This crate carries them over HTTP and limits what each
//! visitor may use. Without a server, `beeline-wasm` carries the same messages in the browser.

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
