//! The classic command `gate`, run as a program: its exact report (except for times), its messages, its exit codes.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::process::{Command, Output};

const CAPABILITY_6: &str = "\
########\n###GG###\n###GG###\n#   00 #\n##  00##\n#      #\n#      #\n#      #\n#      #\n########\n";

/// Writes a file with this text, named after the test.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("gate-{name}"));
    std::fs::write(&path, text).unwrap();
    path
}

fn gate(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gate")).args(arguments).output().unwrap()
}

fn solve(name: &str, text: &str, more: &[&str]) -> (String, Option<i32>) {
    let path = file(name, text);
    let mut arguments = vec!["-s", path.to_str().unwrap()];
    arguments.extend(more);
    let output = gate(&arguments);
    (without_times(&String::from_utf8(output.stdout).unwrap()), output.status.code())
}

/// The report without its two measured figures, which must be numbers with six decimals.
fn without_times(report: &str) -> String {
    let mut lines = Vec::new();
    for line in report.lines() {
        match line.split_once(": ") {
            Some((label @ ("Execution time" | "Number of nodes expanded per second"), figure)) => {
                let (_, decimals) = figure.split_once('.').unwrap();
                assert!(decimals.len() == 6 && figure.parse::<f64>().is_ok(), "{line}");
                lines.push(format!("{label}: T"));
            }
            _ => lines.push(line.to_owned()),
        }
    }
    lines.join("\n")
}

#[test]
fn the_published_report() {
    let (report, code) = solve("published", CAPABILITY_6, &[]);
    let expected = "\
Solution path: 0l0u0u
Execution time: T
Expanded nodes: 7
Generated nodes: 12
Duplicated nodes: 8
Auxiliary memory usage (bytes): 342
Number of pieces in the puzzle: 1
Number of steps in solution: 3
Number of empty spaces: 34
Solved by IW(1)
Number of nodes expanded per second: T";
    assert_eq!((report.as_str(), code), (expected, Some(0)));
}

#[test]
fn the_other_algorithms() {
    let (two, _) = solve("two", CAPABILITY_6, &["--algorithm", "2"]);
    assert!(two.contains("Expanded nodes: 7\nGenerated nodes: 12\nDuplicated nodes: 8\n"), "{two}");
    assert!(
        two.contains("Auxiliary memory usage (bytes): 342\n") && two.contains("Solved by IW(1)"),
        "{two}"
    );
    let (one, _) = solve("one", CAPABILITY_6, &["--algorithm", "1"]);
    assert!(one.contains("Expanded nodes: 7\nGenerated nodes: 20\nDuplicated nodes: 0\n"), "{one}");
    assert!(one.contains("Auxiliary memory usage (bytes): 0\n") && one.contains("Solved by IW(2)"), "{one}");
}

#[test]
fn no_solution_is_an_empty_path() {
    let (report, code) = solve("walled", "######\n#0#G #\n######\n", &[]);
    assert!(report.starts_with("Solution path: \n"), "{report}");
    assert!(report.contains("Number of steps in solution: 0\n"), "{report}");
    assert!(report.contains("\nNo solution up to IW(1)\n") && !report.contains("Solved"), "{report}");
    assert_eq!(code, Some(0));
    // The goal may have another shape than piece 0, or two pieces may block each other. Every algorithm that ends
    // reports this.
    for (i, board) in
        ["#####\n#00 #\n#GG0#\n#G  #\n#####\n", "#####\n#01G#\n#####\n", "####\n#0##\n##G#\n####\n"]
            .iter()
            .enumerate()
    {
        for algorithm in ["2", "3"] {
            let (report, code) = solve(&format!("none-{i}-{algorithm}"), board, &["--algorithm", algorithm]);
            assert!(report.starts_with("Solution path: \n") && !report.contains("Solved"), "{report}");
            assert!(report.contains("\nNo solution up to IW("), "{report}");
            assert_eq!((report.lines().count(), code), (11, Some(0)), "{report}");
        }
    }
    // A board that is solved at the start has an empty path, too.
    let (report, _) = solve("solved", "####\n#H #\n####\n", &[]);
    assert!(report.starts_with("Solution path: \n") && report.contains("\nSolved by IW(1)\n"), "{report}");
}

#[test]
fn the_solution_is_played() {
    let (report, _) = solve("played", "#####\n#0 G#\n#####\n", &["play_solution"]);
    let (_, frames) = report.split_once("T\n\n").unwrap();
    assert!(frames.starts_with("#####\n#0 G#\n#####\n"), "{frames}");
    assert!(frames.ends_with("#####\n#  H#\n#####\n2. 0r"), "{frames}");
}

#[test]
fn help_and_bad_usage() {
    let help = gate(&["-h"]);
    let text = String::from_utf8(help.stdout).unwrap();
    let start = "USAGE\n\t./gate <-s> puzzle\n\nDESCRIPTION\n Arguments within <> are optional\n    -s                 calls the AI solver\n";
    assert!(text.starts_with(start), "{text}");
    assert_eq!(help.status.code(), Some(0));
    for bad in [
        &[][..],
        &["-x", "a"],
        &["-s"],
        &["-s", "a", "b"],
        &["-s", "a", "--algorithm", "4"],
        &["-s", "a", "--time"],
    ] {
        let output = gate(bad);
        assert_eq!(output.status.code(), Some(84), "{bad:?}");
        assert!(String::from_utf8(output.stdout).unwrap().starts_with("USAGE\n"), "{bad:?}");
    }
}

#[test]
fn bad_files_are_shown_with_a_caret() {
    let path = file("bad", "####\n#0x#\n####\n");
    let output = gate(&["-s", path.to_str().unwrap()]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(84));
    assert!(
        error.contains("gate-bad:2:3: unknown character 'x'\n  |\n2 | #0x#\n  |   ^ expected one of"),
        "{error}"
    );
    let missing = gate(&["-s", "no/such/file"]);
    assert_eq!(missing.status.code(), Some(84));
    assert!(String::from_utf8(missing.stderr).unwrap().contains("No such file or directory"));
    let size = file("size", "#####\n#0G #\n#0  #\n#####\n");
    let output = gate(&["-s", size.to_str().unwrap()]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("the goal has 1 cells and piece 0 has 2"));
}

#[test]
fn limits_have_their_own_exit_codes() {
    // Ten small pieces in a wide room with a walled-in goal need too much time and memory.
    let board = "##########\n#0123    #\n#4567    #\n#89      #\n#     ####\n#     #G##\n##########\n";
    let path = file("limits", board);
    let run = |limit: &[&str]| {
        let mut arguments = vec!["-s", path.to_str().unwrap(), "--algorithm", "2"];
        arguments.extend(limit);
        let output = gate(&arguments);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, error) = run(&["--time", "0.05"]);
    assert_eq!(code, Some(20), "{error}");
    assert!(error.contains("stopped at the time limit"), "{error}");
    let (code, error) = run(&["--memory", "1"]);
    assert_eq!(code, Some(21), "{error}");
    assert!(error.contains("stopped at the memory limit"), "{error}");
}
