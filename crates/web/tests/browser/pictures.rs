//! Pictures of every tab and every kind, light, dark and on a phone.

use std::path::Path;

use beeline_puzzles::KINDS;

use crate::webdriver::Browser;

/// Takes them all.
pub(crate) fn take(home: &str, folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    let browser = Browser::start(1280, 900);
    let looks = [("light", 1280, 900), ("dark", 1280, 900), ("phone", 390, 844)];
    for (look, width, height) in looks {
        browser.prefer(if look == "dark" { "dark" } else { "light" });
        browser.resize(width, height);
        for kind in KINDS {
            browser.open(home);
            browser.wait("the page", "document.querySelector('#steps')?.dataset.steps === '0'");
            browser.click(&format!("[data-kind={}]", kind.name()));
            browser.wait(
                "the kind",
                &format!("document.querySelector('[data-kind={}][aria-pressed=true]')", kind.name()),
            );
            let keep = |tab: &str| {
                std::thread::sleep(std::time::Duration::from_millis(300));
                let name = format!("{look}-{}-{tab}.png", kind.name());
                std::fs::write(folder.join(name), decode(&browser.picture())).unwrap();
            };
            keep("play");
            browser.click("#tab-solve");
            browser.click("#solve-go");
            browser.wait("the plan", "document.querySelector('#checked')");
            keep("solve");
            browser.click("#tab-see");
            browser.click("#see-go");
            browser.wait("the trace", "document.querySelector('#see-result').textContent");
            browser.script("const s = document.querySelector('#see-slider'); document.querySelector('#see-auto').click(); s.value = s.max; s.dispatchEvent(new Event('input'))");
            keep("see");
            browser.click("#tab-compare");
            browser.wait("the table", "document.querySelector('#compare-table[aria-busy=false]') && document.querySelectorAll('#compare-table tbody tr').length > 2");
            keep("compare");
            browser.click("#tab-edit");
            browser.wait("the verdict", "document.querySelector('#verdict.fine')");
            keep("edit");
        }
    }
}

/// Base64, as the driver sends pictures.
fn decode(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u32> = text.bytes().filter(|c| *c != b'=').map(|c| u32::from(value(c))).collect();
    let mut bytes = Vec::new();
    for group in digits.chunks(4) {
        let all = group.iter().enumerate().fold(0, |sum, (i, digit)| sum | digit << (18 - 6 * i));
        bytes.extend_from_slice(&all.to_be_bytes()[1..group.len()]);
    }
    bytes
}
