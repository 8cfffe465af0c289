//! A person's other actions: reloading, going back, stopping a search, pasting, asking for a new puzzle.

use beeline_web::Limits;
use serde_json::json;

use crate::common::{Running, example};
use crate::webdriver::Browser;

const LEFT: &str = "\u{E012}";
const RIGHT: &str = "\u{E014}";

fn steps(browser: &Browser, count: usize) {
    let kept = format!("document.querySelector('#steps')?.dataset.steps === '{count}'");
    browser.wait("the steps", &kept);
}

fn paste(browser: &Browser, text: &str) {
    browser.script(&format!(
        "const data = new DataTransfer(); data.setData('text/plain', {}); \
         document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true }}))",
        json!(text)
    ));
}

/// A pack of boards in a corridor, each longer than the one before.
fn corridors(count: usize) -> String {
    let board = |n: usize| {
        let (wall, free) = ("#".repeat(n + 5), " ".repeat(n));
        format!("{wall}\n#@${free}.#\n{wall}\n\n")
    };
    (0..count).map(|n| board(n % 40)).collect()
}

/// Opens the page in a browser without stored data.
fn fresh(browser: &Browser, address: &str) {
    browser.script("localStorage.clear(); sessionStorage.clear()");
    browser.open("about:blank");
    browser.open(address);
    steps(browser, 0);
}

/// One browser does everything in sequence.
#[test]
fn a_person_visits() {
    let server = Running::start(Limits::default());
    let browser = Browser::start(1100, 802);
    let home = format!("http://{}/", server.address);
    browser.open(&home);
    for visit in [survives_reloads, scores, tiles_and_new_puzzles, stop_and_edit] {
        fresh(&browser, &home);
        visit(&browser, &home);
        assert_eq!(browser.errors(), [""; 0]);
    }
}

/// The address holds tab and puzzle, the browser holds the game, and Back goes back.
fn survives_reloads(browser: &Browser, _: &str) {
    paste(browser, &corridors(4));
    browser.wait("the pack", "document.querySelectorAll('.levels option').length === 4");
    browser.click("#next");
    browser.wait("the second", "document.querySelector('.levels select').selectedIndex === 1");
    browser.wait("its address", "location.hash.startsWith('#play/sokoban/~')");
    // No key is dropped, however fast they come.
    browser.keys(&[RIGHT, LEFT, RIGHT, LEFT, RIGHT, LEFT, RIGHT, LEFT, LEFT]);
    steps(browser, 8);
    browser.wait("why not", "/wall/.test(document.querySelector('#message').textContent)");
    browser.script("location.reload()");
    browser.wait("the pack again", "document.querySelectorAll('.levels option').length === 4");
    steps(browser, 8);
    browser.click("#tab-see");
    browser.wait("the tab's address", "location.hash.startsWith('#see/sokoban/~')");
    browser.wait("a demonstration", "Number(document.querySelector('#see-slider').max) > 0");
    browser.script("location.reload()");
    browser.wait(
        "the same tab",
        "document.querySelector('#tab-see[aria-selected=true]') && document.querySelector('#steps')",
    );
    browser.script("history.back()");
    browser.wait("the tab before", "document.querySelector('#tab-play[aria-selected=true]')");
    browser.script("history.back()");
    browser.wait("the puzzle before", "document.querySelector('.levels select').selectedIndex === 0");
}

/// A win is compared with the optimum, marked and followed by the next puzzle; a plan is replayed; a pack is cut.
fn scores(browser: &Browser, _: &str) {
    paste(browser, &corridors(3));
    browser.wait("the optimum", "document.querySelector('#score').textContent === '0 pushes · shortest 1'");
    browser.keys(&[RIGHT]);
    browser.wait(
        "the praise",
        "document.querySelector('#message').textContent === 'Solved in 1 step, and that is the shortest.'",
    );
    assert_eq!(browser.text("#score"), "1 push · shortest 1 · your best 1");
    assert!(browser.text(".levels option").starts_with("✓ "));
    browser.click("#play-next");
    browser.wait("the next one", "document.querySelector('.levels select').selectedIndex === 1");
    steps(browser, 0);
    // A pasted plan is replayed step by step.
    paste(browser, "RR");
    browser.wait("the end of the plan", "document.querySelector('#play.won')");
    assert!(!browser.text("#score").contains("your best"), "that was not the player");
    // A pack that is too long is cut, and a message says so.
    paste(browser, &corridors(502));
    browser.wait("the word", "/ 2 were left out/.test(document.querySelector('#notice').textContent)");
    browser.wait("the rest", "document.querySelectorAll('.levels option').length === 500");
    // A pack that is too large for a request is cut between two puzzles.
    paste(browser, &corridors(4000));
    browser.wait("the cut", "/the rest was left out/.test(document.querySelector('#notice').textContent)");
}

/// Tiles show their goal and offer the other one; a puzzle is made.
fn tiles_and_new_puzzles(browser: &Browser, _: &str) {
    paste(browser, "1 2 3 4 5 6 7 8 0");
    browser.wait("the goal", "document.querySelectorAll('#goal .thing').length === 8");
    assert_eq!(browser.text("#goal-words"), "The goal: the blank first, then 1 to 8.");
    assert!(browser.text("#offer").contains("1 to 8, then the blank"));
    let offered = "return [...document.querySelectorAll('#solve-heuristic option')].map((o) => o.value)";
    let offered = browser.script(offered);
    assert!(offered.as_array().unwrap().contains(&json!("4-4")), "{offered}");
    assert!(!offered.as_array().unwrap().contains(&json!("7-8")), "{offered}");
    browser.click("#take-offer");
    browser.wait("the other goal", "document.querySelector('#goal-words').textContent === 'The goal: 1 to 8, then the blank.' && document.querySelector('#offer').hidden");
    // A new puzzle of a requested size.
    browser.click("#new-puzzle");
    browser.script("document.querySelector('#new-size').value = '2x3'; document.querySelector('#new-hardness').value = 'easy'");
    browser.click("#new-go");
    browser.wait("the new puzzle", "/new easy puzzle/.test(document.querySelector('.levels select').textContent) && document.querySelectorAll('#goal .thing').length === 5");
}

/// Stop keeps what was found; the editor draws as Play does and hands its board to Solve; a phone shows what matters.
fn stop_and_edit(browser: &Browser, home: &str) {
    browser.open(&format!("{home}#solve/tiles/tiles-twenty-four"));
    browser.script("location.reload()");
    browser.wait(
        "the page",
        "document.querySelector('#steps')?.dataset.steps === '0' && document.querySelector('#goal .thing')",
    );
    browser.script("document.querySelector('#solve-strategy').value = 'idastar'; document.querySelector('#solve-strategy').dispatchEvent(new Event('change'))");
    browser.click("#solve-go");
    browser.wait("some work", "/\\d/.test(document.querySelector('#figures').textContent)");
    browser.click("#solve-stop");
    browser.wait(
        "the bound",
        "/^Stopped in the round with bound \\d+/.test(document.querySelector('#result').textContent)",
    );
    browser.click("#tab-edit");
    let board = json!(example("sokoban", 0));
    browser.click("[data-kind=sokoban]");
    browser.wait("the board", &format!("document.querySelector('#source').value.trim() === {board}.trim()"));
    browser.wait("boxes as in Play", "document.querySelector('#sheet .thing .cross')");
    browser.wait("the parser", "document.querySelector('#verdict.fine')");
    browser.click("#edit-solve");
    browser.wait("the tab", "document.querySelector('#tab-solve[aria-selected=true]')");
    // On a phone, all kinds are visible, and the picture of a search comes first.
    browser.resize(390, 844);
    let inside = "[...document.querySelectorAll('.kinds button')].every((b) => { const r = b.getBoundingClientRect(); return r.left >= 0 && r.right <= innerWidth; })";
    browser.wait("all kinds", inside);
    browser.click("#tab-see");
    browser.wait("the picture first", "document.querySelector('.graph').getBoundingClientRect().top < document.querySelector('.setup').getBoundingClientRect().top");
}
