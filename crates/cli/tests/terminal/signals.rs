//! Signals: the terminal is always restored.

use std::process::Command;

use crate::pty::Start;

fn kill(signal: &str, args: &[&str], code: u32) {
    let mut pty = Start::beeline(args).open();
    pty.wait("the screen", |screen| screen.alternate_screen() && screen.contents().contains("quit"));
    let id = pty.child.process_id().expect("it runs").to_string();
    assert!(Command::new("kill").args([signal, &id]).status().expect("kill").success());
    assert_eq!(pty.ends(), code);
}

#[test]
fn after_sigterm() {
    kill("-TERM", &["play", "gate-first"], 23);
}

#[test]
fn after_sighup() {
    kill("-HUP", &["play", "flow-first"], 23);
}

#[test]
fn after_sigint() {
    kill("-INT", &["play", "bricks-first"], 23);
}
