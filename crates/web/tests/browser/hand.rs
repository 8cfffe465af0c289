//! A winning game, as the keys and the strokes of the mouse that a person would make.

use beeline_puzzles::Job;
use beeline_search::Budget;
use serde_json::{Value, json};

use crate::common::{Running, example};
use crate::webdriver::Browser;

/// The steps of a shortest plan of a kind's first puzzle, each with what it moves.
pub(crate) struct Hand {
    moves: Vec<Value>,
    boards: Vec<Value>,
}

impl Hand {
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
        for (i, (mv, board)) in self.moves.iter().zip(&self.boards).enumerate() {
            let width = board["width"].as_u64().unwrap();
            let cell = |place: &str| mv[place][0].as_u64().unwrap();
            let at = |cell: u64| {
                let (x, y) = ((cell % width) as f64 + 0.5, (cell / width) as f64 + 0.5);
                let script = format!(
                    "const m = document.querySelector('#play .board').getScreenCTM(); \
                     const p = new DOMPoint({x} * 48, {y} * 48).matrixTransform(m); return [p.x, p.y]"
                );
                let found = browser.script(&script);
                (found[0].as_f64().unwrap(), found[1].as_f64().unwrap())
            };
            match mv["form"].as_str().unwrap() {
                "tile" => browser.drag(&[at(cell("from"))]),
                "player" => browser.drag(&[at(cell("to"))]),
                _ => browser.drag(&[at(cell("from")), at(cell("to"))]),
            }
            played(browser, i + 1);
        }
    }
}

fn played(browser: &Browser, steps: usize) {
    let words = if steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") };
    browser.wait("a step", &format!("document.querySelector('#steps').textContent === '{words}'"));
}
