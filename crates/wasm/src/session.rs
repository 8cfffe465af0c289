//! One request and its answer.

use std::time::Duration;

use beeline_messages::{
    EventSink, Limits, Refusal, Search, catalog, make, play, question, read, solve, watch,
};
use beeline_search::Cancel;
use serde_json::json;

/// The limits on requests. There is no other visitor to protect, so a search may take an hour and a gigabyte. What a page can
/// draw has the same bounds as on the server.
pub const LIMITS: Limits = Limits {
    // The page knows how many cores there are and sets this itself.
    runs: 1,
    body: 4 << 20,
    puzzle: 32 << 10,
    cells: 4096,
    levels: 2000,
    steps: 20_000,
    time: Duration::from_secs(3600),
    memory: 1 << 30,
    states: 50_000,
};

/// The receiver of the module's events.
pub trait Host {
    /// Sends an event of the current request, with its data as JSON.
    fn send(&mut self, event: &str, json: &str);
}

/// The requests, by the last part of their paths in `/api`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// List everything that can be chosen.
    Catalog,
    /// Turn a text into puzzles.
    Read,
    /// Give the board after some steps.
    Play,
    /// Run a search.
    Solve,
    /// Run a search and send its trace.
    Watch,
    /// Make a new puzzle.
    Make,
}

/// Answers a request. The last event is `done`, `failed` (of a search) or `refused`. `run` names a search, `cancel` ends it.
pub fn answer(asked: Question, body: &[u8], run: u64, cancel: &Cancel, host: &mut dyn Host) {
    if let Err(refusal) = try_answer(asked, body, run, cancel, host) {
        host.send("refused", &json!(refusal.trouble).to_string());
    }
}

fn try_answer(
    asked: Question,
    body: &[u8],
    run: u64,
    cancel: &Cancel,
    host: &mut dyn Host,
) -> Result<(), Refusal> {
    let done = match asked {
        Question::Catalog => json!(catalog::catalog(&LIMITS)),
        Question::Read => json!(read::read(&question(body)?, &LIMITS)?),
        Question::Play => json!(play::play(&question(body)?, &LIMITS)?),
        Question::Solve | Question::Watch => {
            let task = question::<Search>(body)?.task(&LIMITS)?;
            let mut sink = HostSink { run, memory: task.memory, cancel: cancel.clone(), host };
            let search = if asked == Question::Solve { solve::solve } else { watch::watch };
            search(&task, &mut sink);
            return Ok(());
        }
        Question::Make => {
            let order = question::<make::Question>(body)?.order(&LIMITS)?;
            make::make(order, &mut HostSink { run, memory: LIMITS.memory, cancel: cancel.clone(), host });
            return Ok(());
        }
    };
    host.send("done", &done.to_string());
    Ok(())
}

/// Sends the events of a search to the host.
struct HostSink<'a> {
    run: u64,
    memory: usize,
    cancel: Cancel,
    host: &'a mut dyn Host,
}

impl EventSink for HostSink<'_> {
    fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    fn run(&self) -> u64 {
        self.run
    }

    fn memory(&self) -> usize {
        self.memory
    }

    fn send(&mut self, event: &str, json: String) {
        self.host.send(event, &json);
    }

    fn try_send(&mut self, event: &str, json: String) {
        self.host.send(event, &json);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[derive(Default)]
    struct Recorder(Vec<(String, Value)>);

    impl Host for Recorder {
        fn send(&mut self, event: &str, json: &str) {
            self.0.push((event.to_owned(), serde_json::from_str(json).unwrap()));
        }
    }

    fn ask(asked: Question, body: &Value) -> Vec<(String, Value)> {
        let mut recorder = Recorder::default();
        answer(asked, body.to_string().as_bytes(), 7, &Cancel::default(), &mut recorder);
        recorder.0
    }

    #[test]
    fn a_search_begins_and_ends_with_a_checked_plan() {
        let body = json!({ "kind": "sokoban", "text": "######\n#@$ .#\n######\n" });
        let events = ask(Question::Solve, &body);
        assert_eq!((&*events[0].0, &events[0].1["run"]), ("begin", &json!(7)));
        let (last, answer) = events.last().unwrap();
        assert_eq!((&**last, &answer["plan"]["checked"]), ("done", &json!(true)));
    }

    #[test]
    fn a_search_says_which_tables_it_used() {
        let body = json!({ "kind": "tiles", "text": "1 0 2 3 4 5 6 7 8\n" });
        assert_eq!(ask(Question::Solve, &body).last().unwrap().1["tables"], "none");
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_its_place() {
        let events = ask(Question::Play, &json!({ "kind": "sokoban", "text": "?" }));
        assert_eq!((&*events[0].0, &events[0].1["line"]), ("refused", &json!(1)));
        let events = ask(Question::Read, &json!(3));
        assert_eq!((events.len(), &*events[0].0), (1, "refused"));
    }

    #[test]
    fn a_cancelled_search_says_so() {
        let mut recorder = Recorder::default();
        let cancel = Cancel::default();
        cancel.cancel();
        let body = json!({ "kind": "tiles", "text": "0 12 9 13 15 11 10 14 3 7 2 5 4 8 1 6\n" });
        answer(Question::Solve, body.to_string().as_bytes(), 0, &cancel, &mut recorder);
        let (last, answer) = recorder.0.last().unwrap();
        assert_eq!((&**last, &answer["reason"]), ("done", &json!("cancelled")));
    }
}
