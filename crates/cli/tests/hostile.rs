//! Hostile files: huge, binary, endless. Every command refuses each of them (or solves it) with a short report, in
//! memory that is a small multiple of the file's size.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};

/// The size of a hostile file in bytes.
const SIZE: usize = 2 << 20;
/// The most resident bytes of a command: those of the program itself, plus a small multiple of the file.
const MOST_MEMORY: usize = (48 << 20) + 24 * SIZE;
/// The most bytes of a report, on both streams together.
const MOST_OUTPUT: usize = 6000;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("beeline-hostile-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> String {
        std::fs::write(self.0.join(name), bytes).unwrap();
        name.to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A text, repeated to the size of a hostile file.
fn filled(unit: &[u8]) -> Vec<u8> {
    unit.iter().copied().cycle().take(SIZE).collect()
}

/// Hostile files of no particular kind.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let mut random = beeline_search::Random::new(1);
    let bytes: Vec<u8> = (0..SIZE / 8).flat_map(|_| random.bits().to_le_bytes()).collect();
    vec![
        ("one line of walls", filled(b"#")),
        ("one line of digits", filled(b"1")),
        ("one line of numbers", filled(b"1 ")),
        ("one line of numbers and commas", filled(b"1,")),
        ("one line of letters", filled(b"a")),
        ("short lines of walls", filled(b"#\n")),
        ("short lines of digits", filled(b"1\n")),
        ("short lines of letters", filled(b"a\n")),
        ("empty lines", filled(b"\n")),
        ("NULs", filled(b"\0")),
        ("escapes", filled(b"\x1b[2J")),
        ("bytes", bytes),
        ("a row of rows", [b"#".to_vec(), b"999|".repeat(50_000)].concat()),
        ("a header and a long word", [b"5,4,\n1,x".to_vec(), filled(b"y")].concat()),
        ("two long labels", [filled(b"A"), b" . ".to_vec(), filled(b"A"), b"\n. . .\n".to_vec()].concat()),
        ("a long title", [b"# ".to_vec(), filled(b"t"), b"\n1 0\n3 2\n".to_vec()].concat()),
        ("a tall box", [b"5,60000,\n".to_vec(), filled(b"1,1,1,1,1,\n")].concat()),
    ]
}

/// Runs a program. Returns its exit code, and the number and the content of the bytes that it wrote.
fn run(folder: &Folder, program: &str, args: &[&str]) -> (Option<i32>, usize, Vec<u8>) {
    let mut command = Command::new(program);
    command.args(args).current_dir(&folder.0).stdin(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    let counted = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        out.read_to_end(&mut bytes).unwrap();
        bytes
    });
    let mut err = Vec::new();
    child.stderr.take().unwrap().read_to_end(&mut err).unwrap();
    let mut told = counted.join().unwrap();
    let code = child.wait().unwrap().code();
    told.extend(err);
    (code, told.len(), told)
}

/// Peak resident bytes of the largest child so far.
fn largest_child() -> usize {
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    usize::try_from(getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss()).unwrap() * unit
}

#[track_caller]
fn refused(folder: &Folder, program: &str, args: &[&str], codes: &[i32]) {
    let (code, written, told) = run(folder, program, args);
    let shown = String::from_utf8_lossy(&told[..told.len().min(2000)]).into_owned();
    assert!(code.is_some_and(|code| codes.contains(&code)), "{args:?}: {code:?}\n{shown}");
    assert!(written <= MOST_OUTPUT, "{program} {args:?} writes {written} bytes:\n{shown}");
    assert!(!told.contains(&0x1b) && !told.contains(&0), "{args:?} writes control characters");
    let memory = largest_child();
    assert!(memory <= MOST_MEMORY, "{program} {args:?} takes {} MiB", memory >> 20);
}

const BEELINE: &str = env!("CARGO_BIN_EXE_beeline");

#[test]
fn every_kind_and_every_command_refuses_them_shortly() {
    let (folder, files) = (Folder::new("all"), files());
    std::thread::scope(|scope| {
        for half in files.chunks(files.len().div_ceil(2)) {
            let folder = &folder;
            scope.spawn(move || half.iter().for_each(|(name, bytes)| everything(folder, name, bytes)));
        }
    });
}

/// Gives a file to every kind and every command that reads puzzles.
fn everything(folder: &Folder, name: &str, bytes: &[u8]) {
    let file = folder.write(name, bytes);
    // Code 0: some are valid puzzles all the same. Code 10: some of those have no plan.
    for kind in ["gate", "tiles", "flow", "sokoban", "bricks"] {
        refused(folder, BEELINE, &["draw", &file, "--as", kind], &[0, 31]);
    }
    refused(folder, BEELINE, &["solve", &file, "--nodes", "100"], &[0, 10, 22, 31]);
    refused(folder, BEELINE, &["check", "gate-first", &file], &[31, 33]);
    refused(folder, env!("CARGO_BIN_EXE_gate"), &["-s", &file], &[84]);
    refused(folder, env!("CARGO_BIN_EXE_15puzzle"), &[&file], &[254, 255]);
    refused(folder, env!("CARGO_BIN_EXE_flow"), &[&file], &[0]);
    refused(folder, env!("CARGO_BIN_EXE_sokoban"), &["-s", &file], &[84]);
    refused(folder, env!("CARGO_BIN_EXE_hw1"), &["bfs", &file], &[1]);
}

#[test]
fn so_do_the_commands_that_read_something_else() {
    let folder = Folder::new("other");
    for (name, bytes) in [("letters", filled(b"a")), ("NULs", filled(b"\0")), ("lines", filled(b"L\n"))] {
        let file = folder.write(name, &bytes);
        for puzzle in ["tiles-first", "flow-first", "sokoban-first", "bricks-first"] {
            refused(&folder, BEELINE, &["check", puzzle, &file], &[31, 33]);
        }
        refused(&folder, BEELINE, &["draw", "tiles-first", "--plan", &file], &[31, 33]);
        refused(&folder, BEELINE, &["sokoban", "improve", "sokoban-first", &file], &[31, 33]);
        refused(&folder, BEELINE, &["bricks", "space", &file], &[31]);
        refused(&folder, BEELINE, &["flow", "answers", &file], &[31]);
        refused(&folder, BEELINE, &["compare", &file], &[31]);
        refused(&folder, BEELINE, &["cluster", "solve", &file, "--ranks", "2"], &[31]);
        refused(&folder, BEELINE, &["lab", "run", &file], &[31]);
        refused(&folder, BEELINE, &["resume", &file], &[31]);
    }
    // The longest possible argument.
    let long = "x\x1b".repeat(50_000);
    refused(&folder, BEELINE, &["check", "gate-first", "--steps", &long], &[31]);
    for args in [["solve", &long], ["explain", &long], ["sovle", &long], [&long, "x"]] {
        refused(&folder, BEELINE, &args, &[30, 31]);
    }
    for option in ["--with", "--heuristic", "--objective", "--rules", "--as", "--level", "--time"] {
        refused(&folder, BEELINE, &["solve", "sokoban-first", option, &long], &[30]);
    }
    let option = format!("--{long}");
    refused(&folder, env!("CARGO_BIN_EXE_gate"), &[&option], &[84]);
    refused(&folder, env!("CARGO_BIN_EXE_15puzzle"), &[&option], &[255]);
    refused(&folder, env!("CARGO_BIN_EXE_flow"), &[&option], &[1]);
    refused(&folder, env!("CARGO_BIN_EXE_hw1"), &[&long], &[2]);
}

#[test]
fn a_file_without_an_end_is_refused_everywhere() {
    let folder = Folder::new("endless");
    let endless = "/dev/zero";
    for args in [&["solve", endless][..], &["check", "gate-first", endless], &["lab", "run", endless]] {
        refused(&folder, BEELINE, args, &[31]);
    }
    for (program, args, code) in [
        (env!("CARGO_BIN_EXE_gate"), &["-s", endless][..], 84),
        (env!("CARGO_BIN_EXE_15puzzle"), &[endless], 255),
        (env!("CARGO_BIN_EXE_flow"), &[endless], 0),
        (env!("CARGO_BIN_EXE_sokoban"), &["-s", endless], 84),
        (env!("CARGO_BIN_EXE_hw1"), &["bfs", endless], 1),
    ] {
        let (exit, _, told) = run(&folder, program, args);
        let told = String::from_utf8_lossy(&told).into_owned();
        assert_eq!(exit, Some(code), "{program}: {told}");
        assert!(told.contains("16 MiB") && told.contains("split"), "{program}: {told}");
    }
}
