//! Runs the examples of the guide as a reader would: in a shell, in the project's folder.
//!
//! In a `console` block, a line that begins with `$ ` is a command, and the following lines are its output. Times and
//! rates vary and are written `[..]`. `BEELINE_BLESS=1` rewrites the outputs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The pages with examples, each a test of its own, so that they run side by side.
macro_rules! pages {
    ($($test:ident => $page:literal),* $(,)?) => {
        $(#[test]
        fn $test() {
            check($page);
        })*
    };
}

pages! {
    the_examples_of_the_guide_are_true => "docs/guide.md",
    so_are_those_about_json => "docs/json.md",
    so_are_those_about_bricks => "docs/bricks.md",
    so_are_those_about_the_lab => "docs/lab.md",
    so_are_those_about_scaling => "docs/scaling.md",
}

fn check(page: &str) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join(page);
    let text = std::fs::read_to_string(&path).expect(page);
    let fresh = renew(&text, &root);
    if std::env::var_os("BEELINE_BLESS").is_some() {
        std::fs::write(&path, &fresh).expect(page);
    } else {
        for (old, new) in text.lines().zip(fresh.lines()) {
            assert_eq!(old, new, "{page} does not tell the truth any more; BEELINE_BLESS=1 writes it anew");
        }
        assert_eq!(text.lines().count(), fresh.lines().count(), "{page}");
    }
    assert!(text.contains("\n$ "), "{page} has examples");
}

/// The page with the present output of every command.
fn renew(page: &str, root: &Path) -> String {
    let mut out = String::new();
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with("```") {
            inside = !inside && line == "```console";
        }
        match line.strip_prefix("$ ") {
            Some(command) if inside => out += &format!("{line}\n{}", shell(command, root)),
            _ if inside && line != "```console" => {}
            _ => out += &format!("{line}\n"),
        }
    }
    out
}

/// The output of a command, and its exit code if that is not 0.
fn shell(command: &str, root: &Path) -> String {
    let bin = Path::new(env!("CARGO_BIN_EXE_beeline")).parent().expect("the folder of the program");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(root)
        .env("PATH", path)
        .env("LC_ALL", "C.UTF-8")
        .env("COLUMNS", "80")
        .output();
    let output = output.expect("a shell");
    let text = [output.stdout, output.stderr].concat();
    let mut out: String = String::from_utf8_lossy(&text).lines().map(|l| mask(l) + "\n").collect();
    match output.status.code() {
        Some(0) => {}
        code => out += &format!("[exit code {}]\n", code.map_or("?".into(), |c| c.to_string())),
    }
    out
}

/// Masks what varies: a number before a unit of time or a rate, and "seconds":… in JSON.
fn mask(line: &str) -> String {
    // The line of a report that contains only the time.
    if line.starts_with("time       ") {
        return "time       [..]".into();
    }
    let words: Vec<&str> = line.split(' ').collect();
    let is_number = |w: &str| !w.is_empty() && w.chars().all(|c| c.is_ascii_digit() || c == '.');
    let mut out: Vec<String> = Vec::new();
    let mut skip = false;
    for (i, word) in words.iter().enumerate() {
        if skip {
            skip = false;
            continue;
        }
        let next = words.get(i + 1).copied().unwrap_or_default();
        if is_number(word) && ["µs", "ms", "s", "k/s", "M/s"].contains(&next) {
            // Tables align these figures, so the blanks before them vary, too.
            while out.last().is_some_and(String::is_empty) {
                out.pop();
            }
            out.push("[..]".into());
            skip = true;
        } else if word.strip_suffix("/s").is_some_and(is_number) {
            out.push("[..]".into());
        } else {
            out.push((*word).into());
        }
    }
    let line = out.join(" ");
    let Some((before, after)) = line.split_once("\"seconds\":") else { return line };
    let rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || ".e-".contains(c));
    format!("{before}\"seconds\":[..]{rest}")
}

#[test]
fn times_are_masked_and_nothing_else() {
    assert_eq!(mask("time       3 ms · 4.1 M/s expanded"), "time       [..]");
    assert_eq!(mask("astar: 12 expanded · 3 ms · 4.1 M/s"), "astar: 12 expanded · [..] · [..]");
    assert_eq!(mask("bfs    657    279 µs"), "bfs    657 [..]");
    assert_eq!(mask("99/s of 12 moves"), "[..] of 12 moves");
    assert_eq!(mask("{\"seconds\":1.5e-5,\"n\":1}"), "{\"seconds\":[..],\"n\":1}");
}
