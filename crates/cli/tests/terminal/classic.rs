//! The keyboard modes and animations of the classic commands.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::pty::{LEFT, RIGHT, Start};

const GATE: &str = env!("CARGO_BIN_EXE_gate");
const SOKOBAN: &str = env!("CARGO_BIN_EXE_sokoban");
const FLOW: &str = env!("CARGO_BIN_EXE_flow");

/// A file for one test, in its own folder that is removed afterwards.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("beeline-screens-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("puzzle");
        std::fs::write(&path, text).expect("a file");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a plain path")
    }

    fn start<'a>(&'a self, program: &'a str, args: &[&str]) -> Start<'a> {
        Start { folder: self.0.parent(), ..Start::program(program, args) }
    }
}

impl Drop for File {
    fn drop(&mut self) {
        if let Some(folder) = self.0.parent() {
            // Files that remain in a temporary folder do no harm.
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

const BOARD: &str = "######\n#0  G#\n#1   #\n######\n";

#[test]
fn gate_asks_for_a_piece_and_a_direction() {
    let file = File::new("gate", BOARD);
    let mut pty = file.start(GATE, &[file.path()]).open();
    pty.see("Enter a piece number and a letter direction to move that piece in that direction");
    pty.see("\nPiece:");
    pty.press("0");
    pty.see("Piece: 0  Direction:");
    pty.press("r");
    pty.see("Making move: 0r");
    pty.press("0u");
    pty.see("Unable to move piece 0 in direction u");
    pty.press("5u");
    pty.see("Unable to find piece on the board: 5");
    pty.press("0x");
    pty.see("Illegal movement direction: x not one of {u, d, l, r}");
    pty.press("z");
    pty.see("0 moves made");
    pty.press("1rx");
    pty.see("From the start again");
    pty.press("0r0r0r");
    assert_eq!(pty.ends(), 0, "a win ends it at once");
    pty.see("Solved in 3 moves");
    assert!(pty.screen().contents().contains("USAGE"), "the usage comes first, and it is still there");
}

#[test]
fn gate_reads_its_keys_from_a_pipe() {
    let file = File::new("pipe", BOARD);
    let mut child = Command::new(GATE)
        .arg(file.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("gate starts");
    std::io::Write::write_all(&mut child.stdin.take().expect("its input"), b"0r\n0r 0r").expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(0));
    assert!(
        text.starts_with("USAGE\n") && text.ends_with("#   H#\n#1   #\n######\n\nSolved in 3 moves\n"),
        "{text}"
    );
}

#[test]
fn gate_shows_its_solution() {
    let file = File::new("gate-solution", BOARD);
    let mut pty = file.start(GATE, &["-s", file.path(), "play_solution"]).open();
    pty.see("step       3 of 3");
    // Without a key press, it ends by itself.
    assert_eq!(pty.ends(), 0);
    pty.see("Solution path: 0r0r0r");
}

#[test]
fn sokoban_ends_with_a_win_or_a_loss() {
    let file = File::new("sokoban", "#######\n# @$ .#\n#     #\n#######\n");
    let mut pty = file.start(SOKOBAN, &[file.path()]).open();
    pty.see("pushes     0");
    pty.press(RIGHT);
    pty.see("pushes     1");
    pty.press(" ");
    pty.see("pushes     0");
    pty.press(&RIGHT.repeat(2));
    assert_eq!(pty.ends(), 0, "won");
    let file = File::new("sokoban-lost", "#######\n# $@ .#\n#######\n");
    let mut pty = file.start(SOKOBAN, &[file.path()]).open();
    pty.see("pushes     0");
    pty.press(LEFT);
    assert_eq!(pty.ends(), 1, "lost");
}

#[test]
fn sokoban_shows_its_solution() {
    let file = File::new("sokoban-solution", "######\n#@$ .#\n######\n");
    let mut pty = file.start(SOKOBAN, &["-s", file.path(), "play_solution", "--pace", "50"]).open();
    pty.see("step       2 of 2");
    assert_eq!(pty.ends(), 0);
    pty.see("SOLUTION:");
}

#[test]
fn flow_shows_its_solution() {
    let file = File::new("flow-solution", "R.R\nG.G\nB.B\n");
    let mut pty = file.start(FLOW, &["-A", "-F", file.path()]).open();
    pty.see("step       3 of 3");
    assert_eq!(pty.ends(), 0);
    pty.see("search successful");
}
