//! One question and its answer.

use std::time::Duration;

use beeline_messages::{Limits, Refusal, Search, Teller, catalog, make, play, question, read, solve, watch};
use beeline_search::Cancel;
use serde_json::json;

/// What the page may ask for. There is no other visitor to protect, so searches have an hour and a gigabyte; what a
/// page can draw is bounded as it is by the server.
pub const LIMITS: Limits = Limits {
    // The page knows how many cores there are and says so itself.
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

/// Who hears what the module tells.
pub trait Host {
    /// An event of the question that is being answered, with its data as JSON.
    fn tell(&mut self, event: &str, json: &str);
}

/// The questions, by the last part of their paths in `/api`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// What can be chosen.
    Catalog,
    /// A text becomes puzzles.
    Read,
    /// A board after some steps.
    Play,
    /// A search.
    Solve,
    /// A search that is written down.
    Watch,
    /// A new puzzle.
    Make,
}

/// Answers a question: the last event is `done`, `failed` (of a search) or `refused`. `run` names a search, `cancel` ends it.
pub fn answer(asked: Question, body: &[u8], run: u64, cancel: &Cancel, host: &mut dyn Host) {
    if let Err(refusal) = try_answer(asked, body, run, cancel, host) {
        host.tell("refused", &json!(refusal.trouble).to_string());
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
            let mut line = Line { run, memory: task.memory, cancel: cancel.clone(), host };
            let search = if asked == Question::Solve { solve::solve } else { watch::watch };
            search(&task, &mut line);
            return Ok(());
        }
        Question::Make => {
            let order = question::<make::Question>(body)?.order(&LIMITS)?;
            make::make(order, &mut Line { run, memory: LIMITS.memory, cancel: cancel.clone(), host });
            return Ok(());
        }
    };
    host.tell("done", &done.to_string());
    Ok(())
}

/// How a search speaks to the page.
struct Line<'a> {
    run: u64,
    memory: usize,
    cancel: Cancel,
    host: &'a mut dyn Host,
}

impl Teller for Line<'_> {
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
        self.host.tell(event, &json);
    }

    fn offer(&mut self, event: &str, json: String) {
        self.host.tell(event, &json);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[derive(Default)]
    struct Heard(Vec<(String, Value)>);

    impl Host for Heard {
        fn tell(&mut self, event: &str, json: &str) {
            self.0.push((event.to_owned(), serde_json::from_str(json).unwrap()));
        }
    }

    fn ask(asked: Question, body: &Value) -> Vec<(String, Value)> {
        let mut heard = Heard::default();
        answer(asked, body.to_string().as_bytes(), 7, &Cancel::default(), &mut heard);
        heard.0
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
        let mut heard = Heard::default();
        let cancel = Cancel::default();
        cancel.cancel();
        let body = json!({ "kind": "tiles", "text": "0 12 9 13 15 11 10 14 3 7 2 5 4 8 1 6\n" });
        answer(Question::Solve, body.to_string().as_bytes(), 0, &cancel, &mut heard);
        let (last, answer) = heard.0.last().unwrap();
        assert_eq!((&**last, &answer["reason"]), ("done", &json!("cancelled")));
    }
}
