//! The page in a real browser, for each kind: play a winning game by keys and by mouse, share it and open it again, solve, scrub the
//! plan, see the search, compare, edit. The console must stay clean.
//!
//! One browser does everything in sequence, because several at once would only slow each other down.
//! `BEELINE_PICTURES=folder` saves pictures for a person to look at.

#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
mod hand;
mod pictures;
mod tour;
mod visits;
mod webdriver;

use beeline_puzzles::KINDS;
use beeline_web::Limits;
use serde_json::json;

use common::Running;
use webdriver::Browser;

#[test]
fn every_kind_can_be_played_solved_seen_compared_and_edited() {
    let server = Running::start(Limits::default());
    let browser = Browser::start(1280, 1000);
    let home = format!("http://{}/", server.address);
    for kind in KINDS {
        tour::take(&server, &browser, &home, kind.name());
    }
}

/// Text in a board, a name or a link never becomes markup, and a malformed link does no harm.
#[test]
fn hostile_texts_stay_text() {
    let server = Running::start(Limits::default());
    let browser = Browser::start(1000, 801);
    browser.open(&format!("http://{}/#gate.AAAA", server.address));
    browser.wait("the page", "document.querySelector('#steps')?.dataset.steps === '0'");
    let level = "; <img src=x onerror=alert(1)><script>alert(2)</script>\n\n######\n#@$ .#\n######\n";
    let paste = format!(
        "const data = new DataTransfer(); data.setData('text/plain', {}); \
         document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true }}))",
        json!(level)
    );
    browser.script(&paste);
    browser
        .wait("the pasted board", "/img src=x/.test(document.querySelector('.levels select').textContent)");
    assert_eq!(browser.script("return document.querySelectorAll('.levels img, .levels script').length"), 0);
    browser.keys(&["\u{E014}", "\u{E014}"]);
    browser.wait("the win", "document.querySelector('#play.won')");
    // The policy would stop injected code.
    browser.script("const s = document.createElement('script'); s.textContent = 'window.owned = 1'; document.body.append(s)");
    assert_eq!(browser.script("return window.owned === undefined"), true);
}

/// Pictures for a person to look at; without a folder there is nothing to do.
#[test]
fn pictures() {
    if let Some(folder) = std::env::var_os("BEELINE_PICTURES") {
        let server = Running::start(Limits::default());
        pictures::take(&format!("http://{}/", server.address), std::path::Path::new(&folder));
    }
}
