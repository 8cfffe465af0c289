//! The messages of `/api` between the page and the solvers, independent of the transport.
//!
//! The server (`beeline-web`) carries them over HTTP, the worker in the browser (`beeline-wasm`) between a page and its thread. A
//! request is JSON and so is its answer. While a search runs, it sends events to an [`EventSink`]. The last event is `done` or
//! `failed`. docs/web.md describes the messages.
//!
//! Nothing here knows the internals of a puzzle, and nothing is kept between two requests.

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
mod trace;
pub mod watch;

pub use limits::Limits;
pub use refusal::{Fault, Place, Refusal, Trouble};
pub use task::{Begun, Position, Search, Task};

use beeline_search::Cancel;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Parses a request.
pub fn question<Q: DeserializeOwned>(json: &[u8]) -> Result<Q, Refusal> {
    serde_json::from_slice(json).map_err(|error| Refusal::bad(format!("the request cannot be read: {error}")))
}

/// Carries the events of one search to its client.
pub trait EventSink {
    /// The flag that cancels this search.
    fn cancel(&self) -> &Cancel;

    /// The number that identifies this search, for example to stop it.
    fn run(&self) -> u64;

    /// The memory limit of this search, in bytes.
    fn memory(&self) -> usize;

    /// Sends an event that must arrive.
    fn send(&mut self, event: &str, json: String);

    /// Sends an event that may be dropped, because similar ones follow.
    fn try_send(&mut self, event: &str, json: String);
}

impl dyn EventSink + '_ {
    /// Serialises and sends an event that must arrive.
    pub fn emit(&mut self, event: &str, data: &impl Serialize) {
        if let Some(json) = to_json(data) {
            self.send(event, json);
        }
    }

    /// Serialises and sends an event that may be dropped.
    pub fn try_emit(&mut self, event: &str, data: &impl Serialize) {
        if let Some(json) = to_json(data) {
            self.try_send(event, json);
        }
    }
}

/// Serialising our own plain structures cannot fail. If it did, the event would not be sent.
fn to_json(data: &impl Serialize) -> Option<String> {
    serde_json::to_string(data).ok()
}
