//! What the page asks and what it is answered: the messages of `/api`, whatever carries them.
//!
//! The server (`beeline-web`) carries them over HTTP, the worker in the browser (`beeline-wasm`) between a page and its thread. A
//! question is JSON and so is its answer. A search tells events while it runs, to a [`Teller`]; the last event is `done` or
//! `failed`. docs/web.md describes the messages.
//!
//! Nothing here knows a puzzle's insides, and nothing is kept between two questions.

mod answer;
mod board;
pub mod catalog;
mod gesture;
mod limits;
mod lines;
pub mod make;
pub mod play;
pub mod read;
mod refusal;
pub mod solve;
mod task;
mod teller;
mod trace;
pub mod watch;

pub use limits::Limits;
pub use refusal::{Fault, Place, Refusal, Trouble};
pub use task::{Begun, Position, Search, Task};
pub use teller::Teller;

use serde::de::DeserializeOwned;

/// Reads a question.
pub fn question<Q: DeserializeOwned>(json: &[u8]) -> Result<Q, Refusal> {
    serde_json::from_slice(json).map_err(|error| Refusal::bad(format!("the request cannot be read: {error}")))
}
