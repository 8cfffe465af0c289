//! The classic command `sokoban`, run as a program.

#![allow(clippy::unwrap_used)] // a test that cannot run the program should fail

use std::path::{Path, PathBuf};
use std::process::Command;

/// A new folder for one test, removed when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("beeline-sokoban-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn run(&self, words: &[&str]) -> (i32, String, String) {
        let output =
            Command::new(env!("CARGO_BIN_EXE_sokoban")).args(words).current_dir(&self.0).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    fn file(&self) -> Option<String> {
        std::fs::read_to_string(self.0.join("solution.txt")).ok()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The report without its two times.
fn steady(report: &str) -> String {
    let timed = |line: &&str| !line.contains("Expanded/seconds") && !line.contains("Time (seconds)");
    report.lines().filter(timed).flat_map(|line| [line, "\n"]).collect()
}

fn shipped(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../puzzles/sokoban/boards").join(name);
    path.to_str().unwrap().to_owned()
}

const CORRIDOR: &str = "###########\n#.$  @  $.#\n###########\n";

#[test]
fn solves_prints_and_writes_all_seven_items() {
    let folder = Folder::new("solve");
    folder.write("map", CORRIDOR);
    let (code, out, err) = folder.run(&["-s", "map"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(
        steady(&out),
        "SOLUTION:\nrrRlllllL\n\nSTATS:\n\tExpanded nodes: 19\n\tGenerated nodes: 72\n\tDuplicated nodes: 15\n\
         \tSolution Length: 9\n"
    );
    assert_eq!(folder.file().unwrap(), out);
    assert!(out.contains("\tExpanded/seconds: ") && out.contains("\tTime (seconds): 0."));
}

#[test]
fn the_reference_is_kept_to_the_digit_with_its_faults() {
    let folder = Folder::new("reference");
    let (code, out, _) = folder.run(&["--reference", "-s", &shipped("sokoban-lost.txt")]);
    assert_eq!(code, 0);
    assert_eq!(
        steady(&out),
        "STATS: \n\tExpanded nodes: 496\n\tGenerated nodes: 1984\n\tDuplicated nodes: 696\n\tSolution Length: 0\n"
    );
    assert_eq!(folder.file(), None, "the original leaves the file alone when it finds nothing");
    let (_, out, _) = folder.run(&["-s", &shipped("sokoban-lost.txt")]);
    assert!(out.contains("\tSolution Length: 20\n"), "{out}");
    let (_, out, _) = folder.run(&["-s", &shipped("sokoban-detour.txt"), "--reference"]);
    assert!(out.starts_with(&format!("\nSOLUTION:{}\n", " ".repeat(31))), "{out}");
    assert!(
        out.contains("\tExpanded nodes: 528\n\tGenerated nodes: 2108\n\tDuplicated nodes: 729\n"),
        "{out}"
    );
    assert!(out.contains("\tSolution Length: 22\n"), "{out}");
}

#[test]
fn a_push_off_a_goal_is_a_capital_unless_the_reference_is_asked_for() {
    let folder = Folder::new("capital");
    folder.write("map", "######\n#@* .#\n##$###\n##.###\n######\n");
    let letters = |words: &[&str]| {
        let (_, out, _) = folder.run(words);
        out.lines().skip_while(|line| !line.starts_with("SOLUTION")).nth(1).unwrap().to_owned()
    };
    let (ours, theirs) = (letters(&["-s", "map"]), letters(&["-s", "map", "--reference"]));
    assert_eq!(ours.to_lowercase(), theirs.to_lowercase());
    assert!(ours.starts_with('R') && theirs.starts_with('r'), "{ours} {theirs}");
}

#[test]
fn usage_and_misuse() {
    let folder = Folder::new("usage");
    let (code, out, _) = folder.run(&["-h"]);
    assert_eq!(code, 0);
    assert_eq!(
        out,
        "USAGE\n\t./sokoban <-s> map <play_solution>\n\nDESCRIPTION\n Arguments within <> are optional\n    \
         -s                 calls the AI solver\n    play_solution      animates the solution found by the AI solver\n"
    );
    assert!(folder.run(&["--help"]).1.contains("--reference"));
    for words in [&[][..], &["-x"], &["a", "b", "c", "d"], &["-s", "map", "--level"]] {
        let (code, _, err) = folder.run(words);
        assert_eq!(code, 84, "{words:?}");
        assert!(err.starts_with("Invalid use. Run \""), "{words:?}: {err}");
    }
    assert_eq!(folder.run(&["-s"]), (84, String::new(), "No such file or directory\n".into()));
    assert_eq!(folder.run(&["-s", "nothing"]), (84, String::new(), "No such file or directory\n".into()));
}

#[test]
fn bad_maps_get_a_caret() {
    let folder = Folder::new("caret");
    folder.write("map", "#####\n#@x.#\n#####\n");
    let (code, out, err) = folder.run(&["-s", "map"]);
    assert_eq!((code, out.as_str()), (84, ""));
    assert_eq!(
        err,
        "map:2:3: unknown character 'x'\n  |\n2 | #@x.#\n  |   ^ expected one of # . $ * @ + or a blank\n  \
         = comments begin with % or ;\n"
    );
}

#[test]
fn levels_of_a_collection_by_number_and_by_title() {
    let folder = Folder::new("level");
    folder.write("set", "; one\n\n#####\n#@$.#\n#####\n\n; two\n\n######\n#@$ .#\n######\n");
    let plan =
        |level: &str| folder.run(&["-s", "set", "--level", level]).1.lines().nth(1).unwrap().to_owned();
    assert_eq!((plan("1"), plan("2"), plan("two")), ("R".into(), "RR".into(), "RR".into()));
    assert_eq!(folder.run(&["-s", "set", "--level", "three"]).0, 84);
}

#[test]
fn the_animation_shows_every_state() {
    let folder = Folder::new("animation");
    folder.write("map", "#####\n#@$.#\n#####\n");
    let (code, out, _) = folder.run(&["-s", "map", "play_solution", "--pace", "1"]);
    assert_eq!(code, 0);
    assert!(out.starts_with("#####\n#@$.#\n#####\n\n#####\n# @*#\n#####\n\nSOLUTION:\nR\n"), "{out}");
}

#[test]
fn the_solver_takes_limits() {
    let folder = Folder::new("limits");
    // Eight boxes in an open room have more states than any uniform-cost search can visit.
    let room = "###########\n#@        #\n# $ $ $ $ #\n#         #\n# $ $ $ $ #\n#         #\n#.... ....#\n###########\n";
    folder.write("map", room);
    folder.write("solution.txt", "an earlier one");
    for (limit, code, word) in [(["--time", "0.2"], 20, "time"), (["--memory", "1"], 21, "memory")] {
        for words in [[&limit[..], &["-s", "map"]].concat(), [&["-s", "map"], &limit[..]].concat()] {
            let (exit, out, err) = folder.run(&words);
            assert_eq!(exit, code, "{words:?}: {out}{err}");
            assert!(
                err.contains(&format!("{word} limit")) && out.contains("Expanded nodes"),
                "{words:?}: {out}{err}"
            );
        }
    }
    assert_eq!(
        folder.file().as_deref(),
        Some("an earlier one"),
        "a search that was stopped has nothing to write"
    );
    folder.write("map", CORRIDOR);
    let plain = folder.run(&["-s", "map"]);
    let limited = folder.run(&["-s", "map", "--time", "60", "--memory", "64"]);
    assert_eq!(
        (plain.0, steady(&plain.1)),
        (limited.0, steady(&limited.1)),
        "a limit that is not met changes nothing"
    );
    for bad in
        [&["-s", "map", "--time"][..], &["-s", "map", "--time", "soon"], &["-s", "map", "--memory", "-1"]]
    {
        assert_eq!(folder.run(bad).0, 84, "{bad:?}");
    }
}
