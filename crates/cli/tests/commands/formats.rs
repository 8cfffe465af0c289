//! Realistic files: encodings, collections with solutions, several boards of which one is bad.

use std::process::Command;

use beeline_cli::commands::World;

use crate::harness::{Done, Folder, Runner};

/// Runs a command with the shipped kinds.
fn beeline(args: &[&str]) -> Done {
    Runner { world: World::default(), ..Runner::default() }.run(args)
}

/// A text in every supported encoding, except UTF-8 without a byte order mark.
fn encoded(text: &str) -> [(&'static str, Vec<u8>); 4] {
    let units = |mark: u16, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        [mark].into_iter().chain(text.encode_utf16()).flat_map(bytes).collect()
    };
    [
        ("latin-1", text.chars().map(|c| u8::try_from(c).expect("Latin-1")).collect()),
        ("utf-8-mark", [b"\xef\xbb\xbf", text.as_bytes()].concat()),
        ("utf-16-little", units(0xfeff, u16::to_le_bytes)),
        ("utf-16-big", units(0xfeff, u16::to_be_bytes)),
    ]
}

const CORRIDOR: &str = "; Gar\u{e7}on\n\n#####\n#@$.#\n#####\nAuthor: Fran\u{e7}ois\n";

#[test]
fn every_encoding_is_read() {
    let folder = Folder::new("encodings");
    for (name, bytes) in encoded(CORRIDOR) {
        let file = folder.file(name, bytes);
        let done = beeline(&["solve", &file]);
        assert_eq!(done.code, 0, "{name}: {}", done.err);
        assert!(done.out.contains("\"Gar\u{e7}on\"") && done.out.contains("Fran\u{e7}ois"), "{}", done.out);
        assert_eq!(beeline(&["check", &file, "--steps", "R"]).code, 0, "{name}");
        assert_eq!(beeline(&["draw", &file]).code, 0, "{name}");
    }
    for (name, bytes) in encoded("RR\n") {
        let puzzle = folder.file("corridor", "######\n#@$ .#\n######\n");
        let plan = folder.file(name, bytes);
        assert_eq!(beeline(&["check", &puzzle, &plan]).code, 0, "a plan in {name}");
    }
}

#[test]
fn classic_commands_read_every_encoding() {
    let folder = Folder::new("classic-encodings");
    for (program, options, text, answer) in [
        (env!("CARGO_BIN_EXE_sokoban"), &["-s"][..], "% \u{e7}\n#####\n#@$.#\n#####\n", "Solution Length: 1"),
        (env!("CARGO_BIN_EXE_gate"), &["-s"], "#####\n#0 G#\n#####\n", "Solution"),
        (
            env!("CARGO_BIN_EXE_15puzzle"),
            &[],
            "# \u{e7}\n1 0 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15\n",
            "Solution = 1\n",
        ),
        (env!("CARGO_BIN_EXE_hw1"), &["bfs"], "3,1,\n2,0,-1,\n", "(2,right)"),
    ] {
        for (name, bytes) in encoded(text) {
            let file = folder.file(name, bytes);
            let output =
                Command::new(program).args(options).arg(&file).current_dir(&folder.0).output().unwrap();
            let told = String::from_utf8_lossy(&output.stdout);
            assert!(told.contains(answer), "{program} {name}: {told}\n{output:?}");
        }
    }
}

/// Three levels: a good one, one that cannot be read, and one with a wrong solution.
const COLLECTION: &str = "\
:: by Fran\u{e7}ois
Gar\u{e7}on

######
#@$ .#
######
Comment: short

Broken

#####
#@x.#
#####

Last

#####
#@$.#
#####
";

#[test]
fn collections_are_written_with_their_solutions_and_checked() {
    let folder = Folder::new("collections");
    for (name, bytes) in encoded(COLLECTION) {
        let file = folder.file(name, bytes);
        let out = folder.0.join("solved.sok");
        let out = out.to_str().unwrap();
        let done = beeline(&["solve", &file, "--out", out, "--quiet"]);
        assert_eq!((done.code, done.out.as_str()), (31, "RR\n\nR\n"), "{name}: {}", done.err);
        assert!(done.err.contains("unknown character 'x'") && done.err.contains(":12:3"), "{}", done.err);
        let expected = COLLECTION
            .replace("short\n\n", "short\n\nSolution 2/2\nRR\n\n")
            .replace("#####\n#@$.#\n#####\n", "#####\n#@$.#\n#####\n\nSolution 1/1\nR\n");
        let (_, expected) = encoded(&expected).into_iter().find(|(other, _)| *other == name).unwrap();
        assert_eq!(std::fs::read(out).unwrap(), expected, "{name}: bytes are kept");
        let done = beeline(&["check", out]);
        assert!(done.code == 31 && done.out.matches("valid").count() == 2, "{}{}", done.out, done.err);
        assert_eq!(beeline(&["check", out, "--level", "1"]).code, 0);
        let done = beeline(&["sokoban", "improve", out, "--level", "1", "--time", "1s"]);
        assert_eq!((done.code, done.out.as_str()), (0, "RR\n"), "{}", done.err);
    }
    let wrong = folder.file("wrong.sok", "######\n#@$ .#\n######\nRrl\n");
    let done = beeline(&["check", &wrong]);
    assert!(done.code == 33 && done.out.contains("step 2"), "{}", done.out);
    assert_eq!(beeline(&["check", "sokoban-first"]).code, 30, "there is no plan in the file");
    let done = beeline(&["solve", "tiles-first", "--out", "x"]);
    assert!(done.code == 32 && done.err.contains("hold no plans"), "{}", done.err);
    let done = beeline(&["solve", "sokoban-first", "sokoban-two", "--out", "x"]);
    assert!(done.code == 30 && done.err.contains("one file"), "{}", done.err);
}
