//! The embedded files of the page. The server reads only files in this list, never a path of the host.

use crate::reply::{self, Reply};

macro_rules! files {
    ($($name:literal $kind:ident),* $(,)?) => {
        &[$((concat!("/", $name), $kind, include_str!(concat!("../page/", $name)))),*]
    };
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

const FILES: &[(&str, &str, &str)] = files![
    "index.html" HTML,
    "icon.svg" PICTURE,
    "style.css" CSS,
    "boards.css" CSS,
    "panels.css" CSS,
    "address.js" SCRIPT,
    "api.js" SCRIPT,
    "board.js" SCRIPT,
    "brushes.js" SCRIPT,
    "canvas.js" SCRIPT,
    "charts.js" SCRIPT,
    "compare.js" SCRIPT,
    "dom.js" SCRIPT,
    "duel.js" SCRIPT,
    "edit.js" SCRIPT,
    "game.js" SCRIPT,
    "graph.js" SCRIPT,
    "input.js" SCRIPT,
    "press.js" SCRIPT,
    "layout.js" SCRIPT,
    "local.js" SCRIPT,
    "main.js" SCRIPT,
    "offline.js" SCRIPT,
    "optimum.js" SCRIPT,
    "outline.js" SCRIPT,
    "picker.js" SCRIPT,
    "play.js" SCRIPT,
    "progress.js" SCRIPT,
    "refusal.js" SCRIPT,
    "replay.js" SCRIPT,
    "rounds.js" SCRIPT,
    "see.js" SCRIPT,
    "server.js" SCRIPT,
    "settings.js" SCRIPT,
    "share.js" SCRIPT,
    "solve.js" SCRIPT,
    "start.js" SCRIPT,
    "store.js" SCRIPT,
    "trace.js" SCRIPT,
    "worker.js" SCRIPT,
];

/// The file of this name.
pub(crate) fn file(path: &str) -> Option<Reply> {
    let path = if path == "/" { "/index.html" } else { path };
    let (_, kind, text) = FILES.iter().find(|(name, ..)| *name == path)?;
    Some(reply::file(text, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every file that the page refers to exists, and every file is referred to.
    #[test]
    fn the_page_is_whole() {
        let mut wanted = vec!["/index.html".to_owned()];
        for (_, _, text) in FILES {
            for (before, _) in text.match_indices("\"./").chain(text.match_indices("\"/")) {
                let rest = text[before + 1..].trim_start_matches('.');
                if let Some(name) = rest.split('"').next().filter(|n| n.contains('.')) {
                    wanted.push(name.to_owned());
                }
            }
        }
        // The WebAssembly module is no part of the program. `cargo xtask site` puts it beside the page.
        wanted.retain(|name| name != "/beeline.wasm");
        for name in &wanted {
            assert!(FILES.iter().any(|(n, ..)| n == name), "{name} is missing");
        }
        for (name, ..) in FILES {
            assert!(wanted.iter().any(|n| n == name), "nothing needs {name}");
        }
    }

    #[test]
    fn nothing_is_fetched_from_elsewhere_and_nothing_becomes_markup() {
        for (name, _, text) in FILES {
            let text = text.replace("http://www.w3.org/2000/svg", "");
            for bad in [
                "http://",
                "https://",
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
            ] {
                assert!(!text.contains(bad), "{name} has {bad}");
            }
        }
    }
}
