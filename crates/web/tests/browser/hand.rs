//! Plays a winning game with the keys and the mouse strokes that a person would use.

use beeline_puzzles::Job;
use beeline_search::Budget;
use serde_json::{Value, json};

use crate::common::{Running, example};
use crate::webdriver::Browser;

/// The steps of a shortest plan of a kind's first puzzle, each with the thing that it moves.
pub(crate) struct WinningGame {
    moves: Vec<Value>,
    boards: Vec<Value>,
}

impl WinningGame {
    pub(crate) fn new(server: &Running, kind: &str) -> Self {
        let text = example(kind, 0);
        let puzzle = beeline_puzzles::kind(kind).unwrap().parse(text).unwrap().remove(0);
        let outcome = puzzle.solve(&Job::default(), &Budget::default(), &mut ()).unwrap();
        let steps = &outcome.solution().unwrap().moves;
        let (mut moves, mut boards) = (Vec::new(), Vec::new());
        for (i, step) in steps.iter().enumerate() {
            let position = json!({ "kind": kind, "text": text, "steps": steps[..i] });
            let view = server.post("/api/play", &position).json();
            let found = view["moves"].as_array().unwrap().iter().find(|m| m["step"] == json!(step));
            moves.push(found.unwrap_or_else(|| panic!("{step} is legal")).clone());
            boards.push(view["board"].clone());
        }
        Self { moves, boards }
    }

    pub(crate) fn play_by_keys(&self, browser: &Browser) {
        for (i, (mv, board)) in self.moves.iter().zip(&self.boards).enumerate() {
            let arrow = match (mv["way"][0].as_i64().unwrap(), mv["way"][1].as_i64().unwrap()) {
                (0, x) if x < 0 => "\u{E012}",
                (0, _) => "\u{E014}",
                (y, _) if y < 0 => "\u{E013}",
                _ => "\u{E015}",
            };
            if ["block", "dot", "pipe"].contains(&mv["form"].as_str().unwrap()) {
                let things = board["cells"].as_array().unwrap().iter().map(|cell| &cell["thing"]);
                let mut named = things.filter(|t| t["id"] == mv["id"] && t["label"] != "");
                browser.keys(&[named.next().unwrap()["label"].as_str().unwrap(), arrow]);
            } else {
                browser.keys(&[arrow]);
            }
            played(browser, i + 1);
        }
    }

    pub(crate) fn play_by_mouse(&self, browser: &Browser) {
        if self.moves.iter().any(|mv| mv["form"] == "dot" || mv["form"] == "pipe") {
            return self.draw_by_mouse(browser);
        }
        for (i, (mv, board)) in self.moves.iter().zip(&self.boards).enumerate() {
            let cell = |place: &str| mv[place][0].as_u64().unwrap();
            let at = |cell: u64| place(browser, board, cell);
            match mv["form"].as_str().unwrap() {
                "tile" => browser.drag(&[at(cell("from"))]),
                "player" => browser.drag(&[at(cell("to"))]),
                _ => browser.drag(&[at(cell("from")), at(cell("to"))]),
            }
            played(browser, i + 1);
        }
    }

    /// Makes the first move by touch.
    #[allow(dead_code, reason = "one of the two test programs uses it")]
    pub(crate) fn touch_first(&self, browser: &Browser) {
        let cell = |end: &str| place(browser, &self.boards[0], self.moves[0][end][0].as_u64().unwrap());
        browser.touch(&[cell("from"), cell("to")]);
    }

    /// Draws every pipe with one stroke over all of its cells, onto its other dot. Every second pipe starts at its
    /// other end.
    fn draw_by_mouse(&self, browser: &Browser) {
        let board = &self.boards[0];
        let mut pipes: Vec<(u64, Vec<u64>)> = Vec::new();
        for mv in &self.moves {
            let (id, from, to) = (mv["id"].as_u64().unwrap(), &mv["from"][0], &mv["to"][0]);
            if pipes.last().is_none_or(|(last, _)| *last != id) {
                pipes.push((id, vec![from.as_u64().unwrap()]));
            }
            pipes.last_mut().unwrap().1.push(to.as_u64().unwrap());
        }
        for (i, (id, mut cells)) in pipes.into_iter().enumerate() {
            let dots = board["cells"].as_array().unwrap().iter().enumerate();
            let is_far = |cell: u64| cell != cells[0];
            let mut far = dots.filter(|(_, c)| c["thing"]["id"] == json!(id)).map(|(at, _)| at as u64);
            cells.extend(far.find(|&cell| is_far(cell)));
            if i % 2 == 1 {
                cells.reverse();
            }
            let places: Vec<_> = cells.iter().map(|&cell| place(browser, board, cell)).collect();
            browser.drag(&places);
            played(browser, i + 1);
        }
    }
}

/// The position of a cell in the window.
fn place(browser: &Browser, board: &Value, cell: u64) -> (f64, f64) {
    let width = board["width"].as_u64().unwrap();
    let (x, y) = ((cell % width) as f64 + 0.5, (cell / width) as f64 + 0.5);
    let script = format!(
        "const m = document.querySelector('#play .board').getScreenCTM(); \
         const p = new DOMPoint({x} * 48, {y} * 48).matrixTransform(m); return [p.x, p.y]"
    );
    let found = browser.script(&script);
    (found[0].as_f64().unwrap(), found[1].as_f64().unwrap())
}

fn played(browser: &Browser, steps: usize) {
    browser.wait("a step", &format!("document.querySelector('#steps').dataset.steps === '{steps}'"));
}
