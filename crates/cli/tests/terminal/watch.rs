//! `beeline watch` and `beeline solve --animate`.

use std::process::Command;

use vt100::Color;

use crate::pty::{BEELINE, LEFT, RIGHT, Start};

#[test]
fn a_search_is_paused_stepped_and_let_go() {
    let mut pty = Start::beeline(&["watch", "gate-first", "--with", "bfs"]).open();
    pty.see("frontier");
    pty.press(" ");
    pty.see("Paused");
    // From here on, each expansion needs a key press.
    let expanded = |contents: &str| -> u64 {
        let line = contents.lines().find(|line| line.contains("expanded ")).unwrap_or_default();
        line.split_whitespace().next_back().and_then(|n| n.replace(',', "").parse().ok()).unwrap_or(0)
    };
    let before = expanded(&pty.screen().contents());
    pty.press("...");
    pty.wait("three expansions", |screen| expanded(&screen.contents()) == before + 3);
    assert!(pty.cells().iter().any(|(_, _, paper, _)| matches!(paper, Color::Rgb(..))), "the state is drawn");
    pty.press(" f");
    pty.see("Solved: cost 9, proved shortest. q leaves.");
    pty.press("q");
    assert_eq!(pty.ends(), 0);
    pty.see("every step replayed by independent rules");
}

#[test]
fn rounds_and_rules_are_shown() {
    let mut pty = Start::beeline(&["watch", "gate-first", "--with", "iw"]).open();
    pty.see("width");
    pty.see("novel");
    pty.press("f");
    pty.see("q leaves.");
    pty.press("q");
    assert_eq!(pty.ends(), 0);
}

#[test]
fn a_search_that_is_left_early_is_interrupted() {
    let mut pty = Start::beeline(&["watch", "tiles-first", "--with", "bfs"]).open();
    pty.see("frontier");
    pty.press("q");
    assert_eq!(pty.ends(), 23);
    pty.see("interrupted");
}

#[test]
fn a_plan_is_stepped_forth_and_back() {
    let mut pty = Start::beeline(&["solve", "sokoban-first", "--animate"]).open();
    pty.see("steps a second");
    pty.press("\x1b[H");
    pty.see("paused");
    pty.see("step       0 of");
    let start = pty.cells();
    pty.press(RIGHT);
    pty.see("step       1 of");
    pty.press(LEFT);
    pty.see_cells("the start again", &start);
    pty.press("\x1b[F");
    pty.see("Solved.");
    pty.press("q");
    assert_eq!(pty.ends(), 0);
    pty.see("proved shortest");
}

#[test]
fn without_a_terminal_frames_are_printed_and_screens_refused() {
    let run = |args: &[&str]| {
        let output = Command::new(BEELINE).args(args).output().expect("it runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, out, _) = run(&["solve", "gate-first", "--animate"]);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("0/9\n") && out.contains("\n9/9 ") && !out.contains('\x1b'), "{out}");
    // A move over several cells is one frame.
    let (code, out, _) = run(&["solve", "gate-first", "--animate", "--objective", "moves"]);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("0/2\n") && out.contains("\n2/2 ") && out.contains("proved shortest"), "{out}");
    for command in ["play", "watch"] {
        let (code, _, err) = run(&[command, "gate-first"]);
        assert_eq!(code, Some(32));
        assert!(err.contains(&format!("'beeline {command}' needs a terminal")), "{err}");
    }
}
