//! How a search speaks while it runs.

use beeline_search::Cancel;
use serde::Serialize;

/// Carries the events of one search to whoever asked for it.
pub trait Teller {
    /// The flag that ends this search.
    fn cancel(&self) -> &Cancel;

    /// The number by which this search can be stopped.
    fn run(&self) -> u64;

    /// The memory of this search, in bytes.
    fn memory(&self) -> usize;

    /// Sends an event that must not be lost.
    fn send(&mut self, event: &str, json: String);

    /// Sends an event that may be left out, because there will be more like it.
    fn offer(&mut self, event: &str, json: String);
}

impl dyn Teller + '_ {
    /// Says something that must not be lost.
    pub fn tell(&mut self, event: &str, data: &impl Serialize) {
        if let Some(json) = written(data) {
            self.send(event, json);
        }
    }

    /// Says something that may be left out.
    pub fn mention(&mut self, event: &str, data: &impl Serialize) {
        if let Some(json) = written(data) {
            self.offer(event, json);
        }
    }
}

/// Our own plain structures can always be written; if one could not, it would not be sent.
fn written(data: &impl Serialize) -> Option<String> {
    serde_json::to_string(data).ok()
}
