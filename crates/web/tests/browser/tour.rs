//! Everything that the page does with a kind's first puzzle: play a winning game by keys and by mouse, share it and open it again, solve,
//! scrub the plan, see the search, compare, edit.

use serde_json::json;

use crate::common::Running;
use crate::hand::WinningGame;
use crate::webdriver::Browser;

/// Runs the whole tour on the page at this address. `server` finds the winning moves.
pub(crate) fn take(server: &Running, browser: &Browser, home: &str, kind: &str) {
    browser.open(home);
    browser.wait("the page", "document.querySelector('#steps')?.dataset.steps === '0'");
    browser.click(&format!("[data-kind={kind}]"));
    browser.wait("the kind", &format!("document.querySelector('[data-kind={kind}][aria-pressed=true]')"));
    play(server, browser, kind);
    share(browser, home);
    solve(browser);
    see(browser);
    compare(browser);
    edit(browser, kind);
    assert_eq!(browser.errors(), [""; 0], "the console of {kind}");
}

/// Plays a winning game by keys, back to the start, and again by mouse.
fn play(server: &Running, browser: &Browser, kind: &str) {
    let game = WinningGame::new(server, kind);
    browser.wait("the start", "document.querySelector('#steps').dataset.steps === '0'");
    game.play_by_keys(browser);
    browser.wait("the win by keys", "document.querySelector('#play.won')");
    assert!(browser.text("#message").starts_with("Solved in"));
    browser.click("#undo");
    browser.wait("one back", "!document.querySelector('#play.won')");
    browser.click("#redo");
    browser.wait("one on", "document.querySelector('#play.won')");
    browser.click("#restart");
    browser.wait("the start again", "document.querySelector('#steps').dataset.steps === '0'");
    browser.click("#hint");
    browser.wait(
        "the hint",
        "document.querySelector('.hint') && /to go/.test(document.querySelector('#message').textContent)",
    );
    game.play_by_mouse(browser);
    browser.wait("the win by mouse", "document.querySelector('#play.won')");
}

/// The link of the finished game opens the finished game.
fn share(browser: &Browser, home: &str) {
    let steps = browser.script("return document.querySelector('#steps').dataset.steps");
    browser.click("#share");
    browser.wait("the link", "document.querySelector('#link').value.includes('#')");
    let link = browser.script("return document.querySelector('#link').value").as_str().unwrap().to_owned();
    assert!(link.starts_with(home), "{link}");
    browser.open("about:blank");
    browser.open(&link);
    let same = format!("document.querySelector('#steps')?.dataset.steps === {steps}");
    browser.wait("the shared game", &format!("{same} && document.querySelector('#play.won')"));
}

fn solve(browser: &Browser) {
    browser.click("#tab-solve");
    browser.click("#solve-go");
    browser.wait("the plan", "document.querySelector('#checked')");
    let steps = browser.script("return Number(document.querySelector('#slider').max)").as_u64().unwrap();
    assert!(steps > 0 && !browser.text("#plan").is_empty());
    browser.wait("the first board", "document.querySelector('#solve .board[data-step=\"0\"]')");
    let start = browser.script(&format!("return {BOARD_OF_SOLVE}")).as_str().unwrap().to_owned();
    browser.click("#slider");
    browser.keys(&[END]);
    browser.wait("the end", &format!("document.querySelector('#at').textContent === '{steps} of {steps}'"));
    browser.wait("the last board", &format!("{BOARD_OF_SOLVE} !== {}", json!(start)));
    browser.keys(&[HOME]);
    browser.wait("the first board", &format!("{BOARD_OF_SOLVE} === {}", json!(start)));
}

const END: &str = "\u{E010}";
const HOME: &str = "\u{E011}";
const BOARD_OF_SOLVE: &str = "document.querySelector('#solve .board').innerHTML";

fn see(browser: &Browser) {
    browser.click("#tab-see");
    browser.script("document.querySelector('#see-strategy').value = 'iw'; document.querySelector('#see-strategy').dispatchEvent(new Event('change'))");
    browser.click("#see-go");
    browser.wait("the trace", "Number(document.querySelector('#see-slider').max) > 3 && document.querySelector('#see-result').textContent");
    browser.wait("a lit line", "document.querySelector('#code li[aria-current]')");
    browser.wait("the atoms of each width", "document.querySelectorAll('#rounds tbody tr').length > 0");
    browser.click("#see-slider");
    browser.keys(&[END]);
    browser.wait(
        "the end",
        "document.querySelector('#see-slider').value === document.querySelector('#see-slider').max",
    );
    let painted = "const c = document.querySelector('.graph canvas'); \
                   return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v > 0)";
    assert_eq!(browser.script(painted), true, "something is painted");
}

fn compare(browser: &Browser) {
    browser.click("#tab-compare");
    browser
        .wait("a comparison on arrival", "document.querySelectorAll('#compare-table tbody tr').length > 2");
    // Two strategies that end soon on every first puzzle.
    browser.script("for (const box of document.querySelectorAll('.ticks input')) box.checked = ['best', 'greedy'].includes(box.value)");
    browser.click("#compare-go");
    browser.wait("the table", "document.querySelector('#compare-table[aria-busy=false]') && document.querySelectorAll('#compare-table tbody tr').length === 2");
    browser.wait("both searches side by side", "Number(document.querySelector('#duel-slider').max) > 0");
    let table = browser.text("#compare-table");
    assert_eq!(table.matches("solved").count(), 2, "{table}");
    assert_eq!(browser.script("return document.querySelectorAll('#bars .bar').length"), 2);
    browser.wait(
        "the exports",
        "!document.querySelector('#csv').disabled && !document.querySelector('#image').disabled",
    );
}

/// A stroke of the brush changes the file; the parser's error is shown with its place; what is right can be played.
fn edit(browser: &Browser, kind: &str) {
    browser.click("#tab-edit");
    browser.wait("a board that is right", "document.querySelector('#verdict.fine')");
    let source = "document.querySelector('#source').value";
    let before = browser.script(&format!("return {source}")).as_str().unwrap().to_owned();
    if browser.script("return document.querySelectorAll('#palette button').length") != 0 {
        browser.click("#palette button:nth-child(2)");
    }
    browser.script("document.querySelector('#sheet').scrollIntoView({ block: 'center' })");
    let place = |x: f64, y: f64| {
        let script = format!(
            "const m = document.querySelector('#sheet').getScreenCTM(); \
             const p = new DOMPoint({x} * 48, {y} * 48).matrixTransform(m); return [p.x, p.y]"
        );
        let found = browser.script(&script);
        (found[0].as_f64().unwrap(), found[1].as_f64().unwrap())
    };
    let (x, y) = if kind == "flow" { (1.5, 0.5) } else { (1.5, 1.5) };
    browser.drag(&[place(x, y)]);
    if kind == "tiles" {
        browser.drag(&[place(x + 1.0, y)]);
    }
    browser.wait("another file", &format!("{source} !== {}", json!(before)));
    let broken =
        "const s = document.querySelector('#source'); s.value = '?!'; s.dispatchEvent(new Event('input'))";
    browser.script(broken);
    browser.wait(
        "the parser's error",
        "document.querySelector('#verdict.wrong') && document.querySelector('#edit-play').disabled",
    );
    let mend = format!(
        "const s = document.querySelector('#source'); s.value = {}; s.dispatchEvent(new Event('input'))",
        json!(before)
    );
    browser.script(&mend);
    browser.wait(
        "a board that is right again",
        "document.querySelector('#verdict.fine') && !document.querySelector('#edit-play').disabled",
    );
    browser.click("#edit-play");
    browser.wait(
        "the board in play",
        "!document.querySelector('#play').hidden && document.querySelector('#steps').dataset.steps === '0'",
    );
}
