//! The page without a server: the folder from `cargo xtask site`, behind a plain file server, in a real browser. The
//! solvers run in the browser; a server in the test gives the results of the native solvers.
//!
//! `BEELINE_SITE` names the folder. `BEELINE_PICTURES=folder` saves pictures for a person to look at. Tables in the
//! user's cache would change the figures of the native solver of tiles; `cargo xtask test` makes sure that there are
//! none.

#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../browser/hand.rs"]
mod hand;
#[path = "../browser/pictures.rs"]
mod pictures;
#[path = "../browser/tour.rs"]
mod tour;
#[path = "../browser/webdriver.rs"]
mod webdriver;

use std::path::PathBuf;

use beeline_puzzles::KINDS;
use beeline_web::Limits;
use serde_json::{Value, json};

use common::folder::Folder;
use common::{Running, example};
use webdriver::Browser;

fn site() -> Folder {
    let folder =
        std::env::var_os("BEELINE_SITE").expect("BEELINE_SITE names the folder of `cargo xtask site`");
    let folder = PathBuf::from(folder);
    assert!(folder.join("beeline.wasm").is_file(), "{} is no site", folder.display());
    Folder::serve(&folder)
}

fn home(site: &Folder) -> String {
    format!("http://{}/", site.address)
}

fn opened(browser: &Browser, address: &str) {
    browser.open("about:blank");
    browser.open(address);
    browser.wait("the page", "document.querySelector('#steps')?.dataset.steps === '0'");
}

/// Runs a search in a thread of the page and returns its last event. `limits` are those of the transport.
fn solve(browser: &Browser, limits: &Value, job: &Value) -> Value {
    browser.script(&format!(
        "return import('./local.js').then(({{ Local }}) => {{ \
           const key = JSON.stringify({limits}); window.transports ??= {{}}; \
           const transport = window.transports[key] ??= new Local({limits}); \
           return transport.search('solve', {job}, () => {{}}, new AbortController().signal) \
             .catch((refusal) => ({{ refused: refusal.message }})); }})"
    ))
}

#[test]
fn every_kind_can_be_played_solved_seen_compared_and_edited() {
    let (site, server) = (site(), Running::start(Limits::default()));
    let browser = Browser::start(1280, 1000);
    for kind in KINDS {
        tour::take(&server, &browser, &home(&site), kind.name());
    }
}

/// Figures that do not depend on the machine.
const FIGURES: [&str; 9] =
    ["expanded", "generated", "duplicates", "reopened", "pruned", "rules", "depth", "stored", "rounds"];

/// All puzzles that ship, by the kind's own solver and by strategies of the engine: the same plan, the same verdict and the same figures.
#[test]
fn the_browser_finds_what_the_native_solvers_find() {
    let (site, server) = (site(), Running::start(Limits::default()));
    let browser = Browser::start(1000, 800);
    opened(&browser, &home(&site));
    for kind in KINDS {
        for example in kind.examples() {
            for (strategy, nodes) in
                [(None, 20_000), (Some("bfs"), 4_000), (Some("idastar"), 4_000), (Some("iw"), 4_000)]
            {
                let job = json!({
                    "kind": kind.name(), "text": example.text, "strategy": strategy, "nodes": nodes, "seconds": 60, "megabytes": 200,
                });
                let there = solve(&browser, &json!({}), &job);
                let reply = server.post("/api/solve", &job);
                let what = format!("{} by {strategy:?}", example.name);
                if reply.status != 200 {
                    assert_eq!(there["refused"], reply.json()["message"], "{what}");
                    continue;
                }
                let events = reply.events();
                let here = &events.last().unwrap().1;
                for part in ["verdict", "reason", "plan", "tables"] {
                    assert_eq!(there[part], here[part], "{part} of {what}");
                }
                for figure in FIGURES {
                    assert_eq!(there["stats"][figure], here["stats"][figure], "{figure} of {what}");
                }
                assert!(there["plan"].is_null() || there["plan"]["checked"] == true, "{what}");
            }
        }
    }
}

/// Stop ends a search at once and keeps its results: the plan of an improving solver, or the bound of a round.
#[test]
fn stop_gives_what_was_found() {
    let site = site();
    let browser = Browser::start(1100, 801);
    opened(&browser, &format!("{}#solve/tiles/tiles-twenty-four", home(&site)));
    for (strategy, expected) in
        [("idastar", "^Stopped in the round with bound \\\\d+"), ("best", "stopped before the proof")]
    {
        browser.script(&format!(
            "const s = document.querySelector('#solve-strategy'); s.value = '{strategy}'; s.dispatchEvent(new Event('change'))"
        ));
        browser.click("#solve-go");
        browser.wait("some work", "/\\d/.test(document.querySelector('#figures').textContent)");
        // The solver has its first plan within a second.
        std::thread::sleep(std::time::Duration::from_secs(2));
        // The page is not frozen: it responds while the search runs.
        assert_eq!(browser.script("return document.querySelector('#solve-stop').disabled"), false);
        browser.click("#solve-stop");
        browser.wait(
            strategy,
            &format!("new RegExp('{expected}').test(document.querySelector('#result').textContent)"),
        );
    }
    assert_eq!(browser.errors(), [""; 0]);
}

/// A search that exceeds the page's memory ends with its figures, whichever allocation fails, and the page continues.
#[test]
fn a_search_that_outgrows_the_memory_is_stopped_by_it() {
    let site = site();
    let browser = Browser::start(1000, 802);
    opened(&browser, &home(&site));
    let text = beeline_puzzles::kind("tiles")
        .unwrap()
        .examples()
        .iter()
        .find(|e| e.name == "tiles-twenty-four")
        .unwrap()
        .text;
    let whole = json!({ "kind": "tiles", "text": text, "strategy": "bfs", "seconds": 120 });
    let asked = json!({ "kind": "tiles", "text": text, "strategy": "bfs", "seconds": 120, "megabytes": 16 });
    // First the requested limit ends the search. Then the browser's memory does, while the search assumes a gigabyte.
    for (limits, job) in [(json!({}), asked), (json!({ "memory": 48 << 20 }), whole)] {
        let answer = solve(&browser, &limits, &job);
        assert_eq!(
            (&answer["verdict"], &answer["reason"]),
            (&json!("stopped"), &json!("memory")),
            "{answer}"
        );
        assert!(answer["stats"]["expanded"].as_u64().unwrap() > 1000, "{answer}");
    }
    let easy = json!({ "kind": "sokoban", "text": example("sokoban", 0) });
    assert_eq!(solve(&browser, &json!({}), &easy)["verdict"], "solved");
}

/// After the first visit, the page works without a network.
#[test]
fn the_page_opens_without_a_network() {
    let site = site();
    let address = home(&site);
    let browser = Browser::start(1000, 803);
    opened(&browser, &address);
    browser.script("return navigator.serviceWorker.ready.then(() => true)");
    browser.wait("the keeper", "navigator.serviceWorker.controller");
    drop(site);
    opened(&browser, &format!("{address}#solve/sokoban/sokoban-first"));
    browser.click("#solve-go");
    browser.wait("the plan", "document.querySelector('#checked')");
    assert_eq!(browser.errors(), [""; 0]);
}

/// No content is wider than a phone, touch moves pieces, and every control has an accessible name.
#[test]
fn on_a_phone_and_for_those_who_listen() {
    let site = site();
    let browser = Browser::start(500, 844);
    browser.resize(390, 844);
    opened(&browser, &format!("{}#play/sokoban/sokoban-first", home(&site)));
    for tab in ["solve", "see", "compare", "edit", "play"] {
        browser.click(&format!("#tab-{tab}"));
        browser.wait(tab, &format!("!document.querySelector('#{tab}').hidden"));
        let wide = browser.script("return [document.documentElement.scrollWidth, innerWidth]");
        assert!(wide[0].as_u64().unwrap() <= wide[1].as_u64().unwrap(), "{tab} is too wide: {wide}");
        let nameless = browser.script(
            "const named = (e) => e.getAttribute('aria-label') || e.labels?.length || e.textContent.trim() || e.title; \
             return [...document.querySelectorAll('button, input, select, textarea, [tabindex], [role=img], table')] \
               .filter((e) => e.offsetParent !== null && !named(e)).map((e) => e.outerHTML.slice(0, 200))",
        );
        assert_eq!(nameless, json!([]), "{tab}");
    }
    // The player is dragged one cell with a finger.
    browser.script("document.querySelector('#play .board').scrollIntoView({ block: 'center' })");
    let server = Running::start(Limits::default());
    hand::WinningGame::new(&server, "sokoban").touch_first(&browser);
    browser.wait("a step", "document.querySelector('#steps').dataset.steps === '1'");
}

/// Walls and moves change the displayed search; a game id restores its puzzle; progress moves to another browser as
/// text.
#[test]
fn boards_ids_and_progress() {
    let site = site();
    let browser = Browser::start(1200, 1001);
    opened(&browser, &format!("{}#see/sokoban/sokoban-first", home(&site)));
    let shown = "Number(document.querySelector('#see-slider').max) > 0 && document.querySelector('#see-result').textContent";
    browser.wait("a search", shown);
    let events = |browser: &Browser| browser.script("return document.querySelector('#see-slider').max");
    let before = events(&browser);
    browser.script("document.querySelector('#see-start').focus()");
    browser.keys(&["\u{E014}"]);
    browser.wait(
        "another search",
        &format!("document.querySelector('#see-slider').max !== {before} && {shown}"),
    );
    let moved = events(&browser);
    // The wall tool toggles a wall at the cursor, in the corner of the room, and the file changes.
    browser.click("#see-walls");
    browser.script("document.querySelector('#see-start').focus()");
    let text = "document.querySelector('#source').value";
    let file = browser.script(&format!("return {text}"));
    browser.keys(&["\u{E015}", "\u{E014}", "\u{E007}"]);
    browser.wait(
        "another board",
        &format!("{text} !== {file} || document.querySelector('#trouble').textContent"),
    );
    browser.wait("a search of it", &format!("document.querySelector('#see-slider').max !== {moved} || document.querySelector('#trouble').textContent"));
    new_puzzles(&browser);
    progress(&browser, &home(&site));
    assert_eq!(browser.errors(), [""; 0]);
}

fn new_puzzles(browser: &Browser) {
    let make = |id: &str| {
        browser.click("#tab-play");
        browser.click("#new-puzzle");
        browser.script(&format!("document.querySelector('#new-id').value = '{id}'"));
        browser.click("#new-go");
        browser.wait(
            "the puzzle",
            &format!("document.querySelector('.levels select').textContent.includes('{id}')"),
        );
        browser.wait("its text", "document.querySelector('#verdict.fine')");
        browser.script("return document.querySelector('#source').value")
    };
    let first = make("tiles-2x3-easy-7");
    assert_ne!(make("tiles-2x3-easy-8"), first);
    assert_eq!(make("tiles-2x3-easy-7"), first);
    browser.click("#today");
    browser.wait(
        "the day's",
        "/puzzle of the day \\d{4}-\\d\\d-\\d\\d/.test(document.querySelector('.levels select').textContent)",
    );
    browser.wait(
        "its id",
        "/^Game id tiles-medium-\\d{8}:/.test(document.querySelector('#notice').textContent)",
    );
}

/// A win in one browser is known in another one after import.
fn progress(browser: &Browser, home: &str) {
    let board = json!("######\n#@$ .#\n######\n");
    let paste = format!(
        "const data = new DataTransfer(); data.setData('text/plain', {board}); \
         document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true }}))"
    );
    browser.script(&paste);
    browser.wait("the board", "document.querySelector('#play .board .cross')");
    browser.keys(&["\u{E014}", "\u{E014}"]);
    browser.wait("the win", "document.querySelector('#play.won')");
    browser.click("#progress summary");
    browser.click("#progress-export");
    let text = browser.script("return document.querySelector('#progress-text').value");
    assert!(text.as_str().unwrap().starts_with("Beeline progress 1\n{\"puzzle\":\""), "{text}");
    browser.script("localStorage.clear()");
    opened(browser, home);
    browser.click("#progress summary");
    browser.script(&format!("document.querySelector('#progress-text').value = {text}"));
    browser.click("#progress-import");
    browser.wait("the word", "/read/.test(document.querySelector('#progress-said').textContent)");
    browser.script(&paste);
    browser.wait("the best", "/your best 2/.test(document.querySelector('#score').textContent)");
    browser.click("#replay-best");
    browser.wait("the replay", "document.querySelector('#play.won')");
}

/// Pictures for a person to look at; without a folder there is nothing to do.
#[test]
fn pictures() {
    if let Some(folder) = std::env::var_os("BEELINE_PICTURES") {
        let site = site();
        pictures::take(&home(&site), std::path::Path::new(&folder));
    }
}

/// Puzzles whose solvers are timed: the tour's, and one of each kind that takes a while.
const TIMED: &[&str] = &[
    "gate-hooks",
    "tiles-first",
    "tiles-fifteen",
    "tiles-korf-1",
    "flow-nine",
    "flow-wide",
    "sokoban-first",
    "sokoban-pantry",
    "sokoban-cellar",
    "bricks-klotski",
    "bricks-super-century",
];

/// The speed of the browser's solvers relative to the release build, `BEELINE_PROGRAM`, without tables. It gives the
/// seconds of the search itself: the first run of a thread, the median of the next four, and the time of the first
/// plan.
#[test]
#[ignore = "a bench: cargo xtask site --speed"]
fn speed() {
    let program = std::env::var_os("BEELINE_PROGRAM").expect("BEELINE_PROGRAM names the release build");
    let site = site();
    let browser = Browser::start(1000, 804);
    let clock = std::time::Instant::now();
    browser.open(&format!("{}#solve/sokoban/sokoban-first", home(&site)));
    browser.wait("the page", "document.querySelector('#solve-go')?.offsetParent");
    browser.click("#solve-go");
    browser.wait("the plan", "document.querySelector('#checked')");
    println!("first plan {:.2} s after opening the page\n", clock.elapsed().as_secs_f64());
    println!("| puzzle | browser, first | browser | native | ratio |\n|---|---|---|---|---|");
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    for name in TIMED {
        let kind = KINDS.iter().find(|kind| kind.examples().iter().any(|e| e.name == *name)).unwrap();
        let text = kind.examples().iter().find(|e| e.name == *name).unwrap().text;
        let job = json!({ "kind": kind.name(), "text": text });
        // Each puzzle has its own thread. After its fifth 15-puzzle, a thread would build tables.
        let thread = json!({ "puzzle": name });
        let mut there: Vec<f64> =
            (0..5).map(|_| solve(&browser, &thread, &job)["stats"]["seconds"].as_f64().unwrap()).collect();
        let first = there.remove(0);
        let native = || {
            let arguments = ["solve", name, "--threads", "1", "--no-cache", "--json"];
            let said = std::process::Command::new(&program).args(arguments).output().unwrap().stdout;
            let answer: Value = serde_json::from_slice(&said).unwrap();
            answer["stats"]["seconds"].as_f64().unwrap()
        };
        let (there, here) = (median(there), median((0..5).map(|_| native()).collect()));
        let ms = |seconds: f64| format!("{:.1} ms", 1e3 * seconds);
        // A page's clock has a resolution of tenths of a millisecond.
        let ratio = if there < 5e-4 { String::new() } else { format!("{:.2}", here / there) };
        println!("| {name} | {} | {} | {} | {ratio} |", ms(first), ms(there), ms(here));
    }
}
