//! Files as people have them: encodings, collections with solutions, several boards of which one is bad.

use std::process::Command;

use beeline_cli::friendly::World;

use crate::harness::{Done, Folder, Runner};

/// Runs a command with the kinds that ship.
fn beeline(args: &[&str]) -> Done {
    Runner { world: World::default(), ..Runner::default() }.run(args)
}

/// A text in every encoding that is read, except UTF-8 without a mark.
fn encoded(text: &str) -> [(&'static str, Vec<u8>); 4] {
    let units = |mark: u16, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        [mark].into_iter().chain(text.encode_utf16()).flat_map(bytes).collect()
    };
    [
        ("latin-1", text.chars().map(|c| u8::try_from(c).unwrap()).collect()),
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
