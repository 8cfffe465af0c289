//! The classic command `hw1`, run as a program.
#![allow(clippy::unwrap_used, clippy::format_push_string)]

use std::path::PathBuf;
use std::process::Command;

/// A new folder for one test, removed when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("beeline-hw1-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn run(&self, words: &[&str]) -> (i32, String, String) {
        let output =
            Command::new(env!("CARGO_BIN_EXE_hw1")).args(words).current_dir(&self.0).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The output with the time of each search's last line replaced; the time must have two decimals.
fn steady(out: &str) -> String {
    let mut text = String::new();
    for line in out.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            [nodes, time, length] if time.contains('.') => {
                assert_eq!(time.split_once('.').unwrap().1.len(), 2, "{line}");
                text += &format!("{nodes} TIME {length}\n");
            }
            _ => text += &format!("{line}\n"),
        }
    }
    text
}

/// The board of the issue, which has exactly one shortest plan.
const BOARD: &str = "5,4,\n1,-1,-1,1,1,\n1,0,3,4,1,\n1,0,2,2,1,\n1,1,1,1,1,\n";

const PLAN: &str =
    "(2,left)\n(4,down)\n(3,right)\n(2,up)\n(2,up)\n5,4,\n1,2,2,1,1,\n1,0,0,3,1,\n1,0,0,4,1,\n1,1,1,1,1,\n";

#[test]
fn searches_print_moves_board_and_figures() {
    let folder = Folder::new("search");
    folder.write("b", BOARD);
    for search in ["bfs", "ids", "astar"] {
        let (code, out, err) = folder.run(&[search, "b"]);
        assert_eq!((code, err.as_str()), (0, ""));
        let lines = steady(&out);
        let last = lines.strip_prefix(PLAN).unwrap_or_else(|| panic!("{search}: {out}"));
        assert!(last.ends_with(" TIME 5\n") && last.lines().count() == 1, "{search}: {last}");
    }
    let (_, out, _) = folder.run(&["bfs", "b"]);
    assert_eq!(steady(&out), format!("{PLAN}14 TIME 5\n"));
    let (_, out, _) = folder.run(&["dfs", "b"]);
    assert!(steady(&out).ends_with("\n12 TIME 11\n"), "{out}");
    let (_, out, _) = folder.run(&["ids", "b", "--rounds"]);
    assert!(steady(&out).contains("\n56 TIME 5\ndepth 0: 1 nodes\ndepth 1: 3 nodes\n"), "{out}");
}

#[test]
fn numbers_and_spaces_can_be_chosen() {
    let folder = Folder::new("ids");
    folder.write("b", BOARD);
    let (_, out, _) = folder.run(&["bfs", "b", "--ids", "normal"]);
    let normal = "(2,left)\n(4,down)\n(3,right)\n(2,up)\n(2,up)\n5,4,\n1,2,2,1,1,\n";
    assert!(out.starts_with(normal), "{out}");
    let (_, out, _) = folder.run(&["bfs", "b", "--spaces"]);
    assert!(out.starts_with("(2, left)\n(4, down)\n") && out.contains("\n5, 4,\n1, 2, 2, 1, 1,\n"), "{out}");
    // For bricks that cross, the two numberings differ, and both can be replayed.
    folder.write("c", "4,2,\n9,7,0,-1,\n2,1,1,1,\n");
    let (_, original, _) = folder.run(&["bfs", "c"]);
    assert!(original.starts_with("no solution\n"), "{original}");
}

#[test]
fn walks_have_an_empty_line_after_each_part() {
    let folder = Folder::new("walk");
    folder.write("b", BOARD);
    let (code, out, err) = folder.run(&["walk", "b", "-n", "2", "--seed", "5"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let parts: Vec<&str> = out.split("\n\n").collect();
    assert_eq!(parts.len(), 6, "{out}");
    assert_eq!((parts[0], parts[5]), (BOARD.trim_end(), ""));
    assert!(parts[1].starts_with('(') && parts[1].ends_with(')') && !parts[1].contains('\n'));
    assert_eq!(folder.run(&["walk", "b", "-n", "2", "--seed", "5"]).1, out);
    let (_, out, _) = folder.run(&["walk", "b", "--until-solved"]);
    assert!(out.ends_with("1,1,1,1,1,\n\n") && !out.rsplit("\n\n").nth(1).unwrap().contains("-1"), "{out}");
    folder.write("stuck", "2,1,\n2,1,\n");
    assert_eq!(folder.run(&["walk", "stuck", "--until-solved"]).1, "2,1,\n2,1,\n\n");
}

#[test]
fn the_main_function_walks_and_searches_three_times() {
    let folder = Folder::new("main");
    let (code, out, err) = folder.run(&[]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("SBP-level0.txt: there is no such file") && err.contains("--make-levels"), "{err}");
    let (code, out, _) = folder.run(&["--make-levels"]);
    assert_eq!((code, out.lines().count()), (0, 4));
    assert_eq!(folder.run(&["--make-levels"]).0, 1, "files are not overwritten");
    let (code, out, err) = folder.run(&[]);
    assert!(code == 0 && err.starts_with("hw1: seed ") && err.lines().count() == 1, "{err}");
    let figures: Vec<String> =
        steady(&out).lines().filter(|l| l.contains("TIME")).map(str::to_owned).collect();
    assert_eq!(figures.len(), 3, "{out}");
    let length = |i: usize| figures[i].rsplit(' ').next().unwrap().parse::<u32>().unwrap();
    assert_eq!(length(0), length(2), "breadth-first search and iterative deepening are optimal");
    assert!(length(1) >= length(0));
}

#[test]
fn the_functions_one_by_one() {
    let folder = Folder::new("functions");
    folder.write("b", &BOARD.replace(",3,4,", ",7,5,"));
    folder.write("solved", "5,4,\n1,2,2,1,1,\n1,0,0,3,1,\n1,0,0,4,1,\n1,1,1,1,1,");
    assert_eq!(folder.run(&["norm", "b"]).1, BOARD);
    assert_eq!(folder.run(&["done", "b"]).1, "false\n");
    assert_eq!(folder.run(&["done", "solved"]).1, "true\n");
    assert_eq!(folder.run(&["moves", "b"]).1, "(2,left)\n(7,left)\n");
    let after = folder.run(&["apply", "b", "(2,left)", "(7, left)"]).1;
    assert_eq!(after, "5,4,\n1,-1,-1,1,1,\n1,7,0,5,1,\n1,2,2,0,1,\n1,1,1,1,1,\n");
    assert_eq!(folder.run(&["compare", "b", "solved"]).1, "false\n");
    assert_eq!(folder.run(&["compare", "b", "b"]).1, "true\n");
    assert_eq!(steady(&folder.run(&["bfs", "solved"]).1).lines().last(), Some("1 TIME 0"));
    assert_eq!(folder.run(&["apply", "b", "(7,up)"]).0, 1);
}

#[test]
fn bad_files_and_bad_words_are_told_apart() {
    let folder = Folder::new("bad");
    folder.write("short", "5,4,\n1,-1,-1,1,1,\n1,0,3,4,\n");
    let (code, out, err) = folder.run(&["bfs", "short"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(
        err.contains("short:3:9: this row has 4 numbers") && err.contains("^ expected another number"),
        "{err}"
    );
    assert_eq!(folder.run(&["bfs", "missing"]).0, 1);
    for words in [&["bfs"][..], &["fly", "b"], &["bfs", "b", "--ids", "odd"], &["walk", "b", "-n"], &["--x"]]
    {
        let (code, out, err) = folder.run(words);
        assert_eq!((code, out.as_str()), (2, ""), "{words:?}");
        assert!(err.contains("USAGE"), "{err}");
    }
    assert_eq!(folder.run(&["--help"]).0, 0);
    folder.write("parts", "4,2,\n2,0,-1,3,\n0,0,3,0,\n");
    assert!(folder.run(&["bfs", "parts"]).2.contains("separate parts"));
}

#[test]
fn a_walk_without_a_seed_differs_from_run_to_run_and_tells_its_seed() {
    let folder = Folder::new("random-walk");
    folder.write(
        "b",
        "6,6,\n1,1,1,1,1,1,\n1,2,0,0,0,1,\n1,0,0,3,0,1,\n1,0,0,0,0,1,\n1,0,4,0,0,-1,\n1,1,1,1,1,1,\n",
    );
    let runs: Vec<_> = (0..3).map(|_| folder.run(&["walk", "b", "-n", "20"])).collect();
    assert!(runs.iter().any(|run| run.1 != runs[0].1), "three equal walks of 20 moves");
    for (_, walk, told) in &runs {
        let seed = told.trim().strip_prefix("hw1: seed ").expect(told);
        let (_, again, silent) = folder.run(&["walk", "b", "-n", "20", "--seed", seed]);
        assert_eq!((&again, silent.as_str()), (walk, ""));
    }
}
