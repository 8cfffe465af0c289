//! The classic command `15puzzle`, run as a program.
#![allow(clippy::unwrap_used, clippy::format_collect)]

use std::process::Command;

/// Runs the command on a file with this text. Returns the exit code, the report and the errors.
fn run(name: &str, text: &str, options: &[&str]) -> (i32, String, String) {
    let path = std::env::temp_dir().join(format!("beeline-15puzzle-{name}-{}", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_15puzzle")).args(options).arg(&path).output().unwrap();
    std::fs::remove_file(&path).unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let errors = text(output.stderr).replace(&*path.to_string_lossy(), "FILE");
    (output.status.code().unwrap(), text(output.stdout), errors)
}

/// The report without its two times, whose lines must exist.
fn steady(report: &str) -> String {
    let timed = |line: &&str| line.starts_with("Time (seconds) = ") || line.starts_with("Expanded/Second = ");
    assert_eq!(report.lines().filter(timed).count(), 2, "{report}");
    report.lines().filter(|line| !timed(line)).map(|line| format!("{line}\n")).collect()
}

const SECOND: &str = "13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6\n";
const SECOND_REPORT: &str = "\
Initial State:
13 5 4 10
9 12 8 14
2 3 7 1
0 15 11 6
Initial Estimate = 43
Threshold = 43 45 47 49 51 53 55
Solution = 55
Generated = 18,983,862
Expanded = 9,777,811
";

#[test]
fn the_second_instance_to_the_digit() {
    for options in [&[][..], &["--plain"], &["--threads", "1"]] {
        let (code, report, errors) = run("second", SECOND, options);
        assert_eq!((code, steady(&report).as_str()), (0, SECOND_REPORT));
        // The number of nodes that the plain search reaches in its moment depends on the machine.
        assert!(errors.is_empty() || errors.contains("computed, not walked"), "{errors}");
        assert!(errors.is_empty() || !options.contains(&"--plain"), "{errors}");
    }
}

#[test]
fn a_rate_that_counts_computed_nodes_is_told() {
    let (code, report, errors) = run("first", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n", &[]);
    assert!(code == 0 && report.contains("Solution = 57\n"), "{report}");
    assert!(errors.contains("the nodes were computed, not walked one by one"), "{errors}");
}

#[test]
fn korfs_order_gives_korfs_figure() {
    for options in [&["--order", "korf"][..], &["--order", "korf", "--plain"]] {
        let (_, report, _) = run("korf", SECOND, options);
        assert!(report.contains("Generated = 15,300,441\n"), "{report}");
    }
}

#[test]
fn improvements_give_the_same_length_with_fewer_nodes() {
    for heuristic in ["linear-conflict", "linear-conflict+last-moves", "machine+walking-distance", "all"] {
        let (code, report, _) = run("improved", SECOND, &["--heuristic", heuristic, "--solution"]);
        assert_eq!(code, 0);
        assert!(report.contains("Solution = 55\n"), "{report}");
        let moves = report.lines().find_map(|l| l.strip_prefix("Moves = ")).unwrap();
        assert_eq!(moves.len(), 55);
        let generated = report.lines().find_map(|l| l.strip_prefix("Generated = ")).unwrap().replace(',', "");
        assert!(generated.parse::<u64>().unwrap() < 18_983_862);
    }
}

#[test]
fn a_solved_board_takes_no_moves() {
    let (code, report, _) = run("goal", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15", &["--solution"]);
    assert_eq!(code, 0);
    let expected =
        "Initial Estimate = 0\nThreshold = 0\nSolution = 0\nGenerated = 0\nExpanded = 0\nMoves = \n";
    assert!(steady(&report).ends_with(expected), "{report}");
}

#[test]
fn an_unsolvable_board_is_known_at_once() {
    let (code, report, errors) = run("odd", "0 2 1 3 4 5 6 7 8 9 10 11 12 13 14 15\n", &[]);
    assert_eq!(code, 10);
    assert_eq!(report, "Initial State:\n0 2 1 3\n4 5 6 7\n8 9 10 11\n12 13 14 15\n");
    assert!(errors.contains("cannot be solved"), "{errors}");
}

#[test]
fn bad_files_get_a_caret() {
    let (code, report, errors) = run("letter", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 x 0\n", &[]);
    assert_eq!((code, report.as_str()), (255, ""));
    assert_eq!(
        errors,
        "15puzzle: FILE:1:34: 'x' is no tile\n  |\n1 | 1 2 3 4 5 6 7 8 9 10 11 12 13 14 x 0\n  |                                  ^ expected a number\n  = 0 is the blank\n"
    );
    for (name, text, part) in [
        ("twice", "1 1 3 4 5 6 7 8 9 10 11 12 13 14 15 0", "tile 1 is here twice"),
        ("few", "1 2 3 4 5 6 7", "7 numbers in a line make no square board"),
        ("large", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 16 0", "there is no tile 16"),
        ("eight", "1 2 3 4 5 6 7 8 0", "3 by 3 tiles, not 4 by 4"),
        ("last", "goal: blank last\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0", "blank first"),
    ] {
        let (code, _, errors) = run(name, text, &[]);
        assert_eq!(code, 255, "{errors}");
        assert!(errors.contains(part), "{errors}");
    }
    assert_eq!(run("empty", " \n", &[]).0, 254);
}

#[test]
fn bad_usage_and_limits() {
    assert_eq!(run("option", SECOND, &["--nonsense"]).0, 255);
    assert_eq!(run("order", SECOND, &["--order", "left"]).0, 255);
    assert_eq!(run("heuristic", SECOND, &["--heuristic", "luck"]).0, 255);
    assert_eq!(run("threads", SECOND, &["--threads", "0"]).0, 255);
    let hard = "15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4";
    let (code, report, errors) = run("nodes", hard, &["--limit", "1,000,000"]);
    assert_eq!(code, 22);
    assert!(!report.contains("Solution") && errors.contains("node"), "{report}{errors}");
    let (code, _, _) = run("time", hard, &["--limit", "0.05s", "--plain"]);
    assert_eq!(code, 20);
    let missing = Command::new(env!("CARGO_BIN_EXE_15puzzle")).arg("/no/such/file").output().unwrap();
    assert_eq!(missing.status.code(), Some(255));
    let none = Command::new(env!("CARGO_BIN_EXE_15puzzle")).output().unwrap();
    assert_eq!(none.status.code(), Some(255));
}

#[test]
#[ignore = "long: cargo xtask prove"] // Eleven billion nodes, counted: about half a minute on two cores.
fn all_six_instances_to_the_digit() {
    for (tiles, cost, generated, expanded) in [
        ("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", 57, "499,911,606", "253,079,561"),
        ("13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6", 55, "18,983,862", "9,777,811"),
        ("14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15", 59, "455,125,298", "229,658,355"),
        ("5 12 10 7 15 11 14 0 8 2 1 13 3 4 9 6", 56, "82,631,583", "41,689,054"),
        ("7 6 8 1 11 5 14 10 3 4 9 13 15 2 0 12", 59, "937,956,626", "475,109,931"),
        ("15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4", 65, "6,195,467,140", "3,176,234,869"),
    ] {
        for options in [&[][..], &["--plain"]] {
            let (_, report, _) = run("six", tiles, options);
            let part = format!("Solution = {cost}\nGenerated = {generated}\nExpanded = {expanded}\n");
            assert!(report.contains(&part), "{report}");
        }
    }
}
