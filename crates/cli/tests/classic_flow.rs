//! The classic command `flow`: its layouts, messages and exit codes, run as a user would. Only times are masked.
#![allow(clippy::unwrap_used)] // a test that cannot go on should say so

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with three boards and two files that are not boards.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("flow-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    for (file, text) in [
        ("small.txt", "R..G\n....\n.RG.\n....\n"),
        ("five.txt", "Y.B..\nR...B\n.O...\n.G..Y\nR.G.O\n"),
        ("cross.txt", "R..B\n....\n....\nB..R"),
        ("short.txt", "R..R\n...\n....\n....\n"),
        ("lonely.txt", "R.R\n.Y.\n...\n"),
        ("full.txt", "AA\nBB\n"),
        ("crossed.txt", "AB\nBA\n"),
    ] {
        std::fs::write(folder.join(file), text).unwrap();
    }
    folder
}

fn flow(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flow"));
    command.current_dir(folder).env_remove("TERM").args(arguments).output().unwrap()
}

/// Masks the times, which are the numbers with three decimals.
fn masked(bytes: &[u8]) -> String {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(dot) = rest.find('.') {
        let (before, after) = rest.split_at(dot);
        let digits = after[1..].chars().take_while(char::is_ascii_digit).count();
        let number = before.len() - before.chars().rev().take_while(char::is_ascii_digit).count();
        if digits == 3 && number < before.len() {
            out.push_str(&before[..number]);
            out.push_str("0.000");
        } else {
            out.push_str(before);
            out.push_str(&after[..=digits]);
        }
        rest = &after[1 + digits..];
    }
    out + rest
}

fn stdout(output: &Output) -> String {
    masked(&output.stdout)
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn quiet_mode_prints_a_line_a_board_and_totals() {
    let output = flow(&folder("quiet"), &["-q", "five.txt", "cross.txt", "small.txt"]);
    assert_eq!(
        stdout(&output),
        "   five.txt s        0.000           60\n\
         \x20 cross.txt u        0.000          141\n\
         \x20 small.txt u        0.000           31\n\
         \n\
         \x20   1 total s        0.000           60\n\
         \x20   2 total u        0.000          172\n\
         \n\
         \x20   3 overall        0.000          232\n"
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn normal_mode_tells_the_whole_story() {
    let output = flow(&folder("normal"), &["five.txt", "-c"]);
    let stars = |n| "*".repeat(n);
    let (s48, s49) = (stars(48), stars(49));
    let expected = format!(
        "read 5x5 board with 5 colors from five.txt\n\n\n{s48}\n\
         *               Branching Order                *\n\
         * Will choose colors in order: @+ox*\n{s49}\n\n\n{s48}\n\
         *               Initializing Search            *\n\
         * Will search up to 3,834,792 nodes (1,024.00 MB) \n\
         * Num Free cells at start is 15\n\n* Initial State:\n\
         #######\n#@ +  #\n#o   +#\n# x   #\n# *  @#\n#o * x#\n#######\n{s49}\n\n\n\
         search successful after 0.000 seconds and 60 nodes (0.02 MB)\n"
    );
    assert_eq!(stdout(&output), expected);
}

#[test]
fn the_animation_ends_with_the_solved_board() {
    let folder = folder("animation");
    let output = flow(&folder, &["-A", "-F", "-C", "five.txt"]);
    let text = stdout(&output);
    assert!(text.contains("Number of moves=15, Free cells=0\n\n#######\n"));
    assert_eq!(text.matches("\x1b[7A\x1b[7D").count(), 16);
    assert!(text.contains("#\x1b[30;103mo\x1b[0m"));
    let plain = stdout(&flow(&folder, &["-A", "-F", "five.txt"]));
    assert!(plain.contains(&"\n".repeat(16)) && !plain.contains('\x1b'));
}

#[test]
fn the_limit_ends_with_f_and_exactly_so_many_nodes() {
    let folder = folder("limit");
    let output = flow(&folder, &["-q", "-n", "20", "five.txt"]);
    assert_eq!(stdout(&output), "   five.txt f        0.000           20\n");
    assert_eq!(output.status.code(), Some(0));
    // 0.01 MB are 37 nodes of 280 bytes.
    let output = flow(&folder, &["-q", "-m", "0.01", "five.txt"]);
    assert_eq!(stdout(&output), "   five.txt f        0.000           37\n");
    let output = flow(&folder, &["-i", "-q", "-n", "20", "five.txt"]);
    let text = stdout(&output);
    assert!(text.contains("here's the lowest cost thing on the queue:\n\n"), "{text}");
    assert!(text.contains("node has cost to node ") && text.contains("last move was for color "), "{text}");
    let output = flow(&folder, &["-i", "-q", "-n", "1", "five.txt"]);
    assert!(stdout(&output).contains("no moves yet?"), "{}", stdout(&output));
}

#[test]
fn bad_files_are_named_and_passed_over() {
    let output = flow(&folder("bad"), &["-q", "short.txt", "lonely.txt", "five.txt"]);
    assert_eq!(
        stderr(&output),
        "short.txt:2: wrong number of characters before newline (expected 4, but got 3)\n\
         \n\nlonely.txt: color Y has start but no end\n"
    );
    assert_eq!(
        stdout(&output),
        "#####\n#o o#\n# @ #\n#   #\n#####\n   five.txt s        0.000           60\n"
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn bad_command_lines_are_refused() {
    let folder = folder("usage");
    let usage = "usage: flow_solver [ OPTIONS ] BOARD1.txt\n                   BOARD2.txt [ ... ] ]\n";
    for (arguments, message) in [
        (&[][..], "not enough args!\n\n"),
        (&["-x"][..], "unrecognized option: -x\n\n"),
        (&["five.txt", "-n"][..], "-n needs argument\n\n"),
        (&["-m", "-3", "five.txt"][..], "-m -3: expected a number above 0\n\n"),
    ] {
        let output = flow(&folder, arguments);
        assert!(stderr(&output).starts_with(&format!("{message}{usage}")), "{}", stderr(&output));
        assert_eq!(output.status.code(), Some(1));
    }
    let output = flow(&folder, &["-q"]);
    assert_eq!((stderr(&output).as_str(), output.status.code()), ("no input files\n", Some(1)));
    let output = flow(&folder, &["five.txt", "missing.txt"]);
    assert_eq!((stderr(&output).as_str(), output.status.code()), ("there is no file missing.txt\n", Some(1)));
    let output = flow(&folder, &["--rule", "touching", "five.txt"]);
    assert!(stderr(&output).starts_with("--rule touching needs --solver corner or --solver sat\n\n"));
    for joined in ["-qx", "-nq", "-"] {
        let output = flow(&folder, &[joined, "five.txt"]);
        assert!(
            stderr(&output).starts_with(&format!("unrecognized option: {joined}\n")),
            "{}",
            stderr(&output)
        );
    }
    let output = flow(&folder, &["-h"]);
    assert!(stdout(&output).starts_with(usage) && output.status.code() == Some(0));
}

#[test]
fn short_options_join() {
    let folder = folder("joined");
    let apart = flow(&folder, &["-q", "-d", "-c", "-n", "9", "five.txt"]);
    let joined = flow(&folder, &["-qdcn", "9", "five.txt"]);
    assert_eq!(masked(&apart.stdout), masked(&joined.stdout));
    assert_eq!(joined.status.code(), Some(0));
}

#[test]
fn a_quiet_run_writes_its_picture_too() {
    let folder = folder("quiet-svg");
    let picture = folder.join("five.svg");
    if picture.exists() {
        std::fs::remove_file(&picture).unwrap();
    }
    let quiet = flow(&folder, &["-q", "five.txt"]);
    let output = flow(&folder, &["-qS", "five.txt"]);
    assert_eq!(masked(&output.stdout), masked(&quiet.stdout));
    assert!(std::fs::read_to_string(picture).unwrap().starts_with("<?xml"));
}

#[test]
fn paths_may_touch_themselves_where_the_rule_says_so() {
    let folder = folder("touching");
    std::fs::write(folder.join("snake.txt"), "A...\nA...\n....\n....\n").unwrap();
    let flags = |rule: &str| {
        let output = flow(&folder, &["-q", "--solver", "corner", "--rule", rule, "--unique", "snake.txt"]);
        stdout(&output).split_whitespace().nth(1).map(str::to_owned)
    };
    assert_eq!(flags("fill").as_deref(), Some("u"));
    assert_eq!(flags("touching").as_deref(), Some("s"));
}

#[test]
fn a_picture_is_written() {
    let folder = folder("svg");
    let output = flow(&folder, &["-S", "five.txt"]);
    assert!(stdout(&output).ends_with("\nwrote five.svg\n"));
    let svg = std::fs::read_to_string(folder.join("five.svg")).unwrap();
    assert!(svg.contains("width=\"256\" height=\"256\" fill=\"#7b7c41\""));
    assert_eq!(svg.matches("<rect").count(), 26);
    assert_eq!(svg.matches("<circle").count(), 10);
    assert_eq!(svg.matches("<path").count(), 5);
    // A solved board has no black cell.
    assert!(!svg.contains("fill=\"#000000\""));
}

#[test]
fn strong_solvers_and_proofs() {
    let folder = folder("strong");
    let output =
        flow(&folder, &["-q", "--solver", "corner", "--unique", "--count", "9", "--cross-check", "five.txt"]);
    let text = stdout(&output);
    assert!(
        text.contains("\nunique (proved)\nsolutions: 1\ncross-check: corner and sat agree (1 solutions)\n"),
        "{text}"
    );
    let output = flow(&folder, &["-q", "--unique", "--cross-check", "cross.txt"]);
    assert!(
        stdout(&output).contains("no solution (proved)\ncross-check: corner and sat agree (0 solutions)\n")
    );
    let output =
        flow(&folder, &["-q", "--deadends=board", "--prune", "stranded", "--prune-counts", "five.txt"]);
    assert!(stdout(&output).contains("pruned by board: "), "{}", stdout(&output));
    let output = flow(&folder, &["-q", "--solver", "sat", "--rule", "numberlink", "small.txt"]);
    assert!(stdout(&output).starts_with("  small.txt s "), "{}", stdout(&output));
}

#[test]
fn full_boards_are_solved_or_not_and_nothing_contradicts_it() {
    let folder = folder("full");
    let questions = ["-q", "--unique", "--cross-check"];
    for solver in ["classic", "corner", "sat"] {
        let ask = |file: &str| {
            let output = flow(&folder, &[&questions[..], &["--solver", solver, file]].concat());
            assert_eq!(output.status.code(), Some(0));
            let text = stdout(&output);
            let (first, rest) = text.split_once('\n').unwrap();
            (first.trim_start().split(' ').nth(1).unwrap().to_owned(), rest.to_owned())
        };
        let agree = |n: u32| format!("cross-check: corner and sat agree ({n} solutions)\n");
        assert_eq!(ask("full.txt"), ("s".to_owned(), format!("unique (proved)\n{}", agree(1))), "{solver}");
        assert_eq!(
            ask("crossed.txt"),
            ("u".to_owned(), format!("no solution (proved)\n{}", agree(0))),
            "{solver}"
        );
    }
    let output = flow(&folder, &["-q", "-d", "--rule", "numberlink", "--cross-check", "small.txt"]);
    assert!(
        stdout(&output).contains("cross-check: the search and sat agree (2 or more solutions)\n"),
        "{}",
        stdout(&output)
    );
    let output = flow(&folder, &["-q", "full.txt"]);
    assert_eq!(stdout(&output), "   full.txt s        0.000            1\n");
}
