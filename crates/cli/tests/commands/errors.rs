//! Error messages.

use crate::harness::{Folder, beeline, golden, piped};

#[test]
fn errors_show_the_place_and_the_way_out() {
    let cases: [(&str, &[&str], &[u8]); 12] = [
        ("error-word.txt", &["solve", "-"], b"toy walk 1\ntoy walk 2\ntoy walk 3\ntoy wlak 4\ntoy walk 5\n"),
        ("error-encoding.txt", &["solve", "-"], b"toy walk 1\ntoy w\xffalk\0 2\n"),
        ("error-empty.txt", &["solve", "-"], b" \n\n"),
        ("error-ambiguous.txt", &["solve", "-"], b"both walk 2\n"),
        ("error-unknown.txt", &["solve", "-"], b"what\n"),
        ("error-nearly.txt", &["solve", "-"], b"what is this?\n"),
        ("error-name.txt", &["solve", "toy-frist"], b""),
        ("error-strategy.txt", &["solve", "toy-first", "--with", "astra"], b""),
        ("error-heuristic.txt", &["solve", "toy-first", "--heuristic", "distanse"], b""),
        ("error-level.txt", &["solve", "toy-pack", "--level", "Lnog"], b""),
        ("error-plan.txt", &["check", "toy-first", "--steps", "rrx"], b""),
        ("error-usage.txt", &["solve", "toy-first", "--time", "3 weeks"], b""),
    ];
    for (name, args, input) in cases {
        golden(name, args, &piped(args, input));
    }
}

#[test]
fn the_kind_can_be_given() {
    assert_eq!(piped(&["solve", "-", "--as", "toy", "--quiet"], b"both walk 2\n").out, "rr\n");
    let done = piped(&["solve", "-", "--as", "tyo"], b"both walk 2\n");
    assert!(done.code == 30 && done.err.contains("did you mean 'toy'?"), "{}", done.err);
}

#[test]
fn folders_missing_files_and_endless_files_are_named() {
    let folder = Folder::new("errors");
    let done = beeline(&["solve", folder.0.to_str().unwrap()]);
    assert!(done.code == 31 && done.err.contains("is a folder"), "{}", done.err);
    let done = beeline(&["solve", "no/such/file.txt"]);
    assert!(done.code == 31 && done.err.contains("no/such/file.txt"), "{}", done.err);
    let empty = folder.file("empty.txt", "");
    assert!(beeline(&["solve", &empty]).err.contains("is empty"));
    if std::path::Path::new("/dev/zero").exists() {
        let done = beeline(&["solve", "/dev/zero"]);
        assert!(done.code == 31 && done.err.contains("larger than"), "{}", done.err);
    }
}

#[test]
fn usage_errors_are_plain() {
    for args in [
        &["solve"][..],
        &["sovle", "toy-first"],
        &["check", "toy-first"],
        &["compare", "toy-first", "--csv", "--json"],
        &["solve", "toy-first", "--json", "--quiet"],
        &["solve", "toy-first", "--weight", "0.5"],
        &["solve", "toy-first", "--width", "0"],
        &["solve", "toy-first", "--rules", "cornre"],
        &["solve", "toy-first", "--objective", "moevs"],
        &["solve", "toy-pack", "--plan", "x"],
        &["solve", "toy-pack", "--level", "0"],
        &["solve", "toy-pack", "--level", "4"],
        &["check", "toy-pack", "--steps", "r"],
        &["check", "-", "-"],
        &["draw", "toy-pack", "--svg"],
        &["explain", "everything"],
        &["list", "--kind", "tox"],
        &["solve", "toy-first", "--plan", "/no/such/folder/plan"],
    ] {
        let done = beeline(args);
        assert_eq!(done.code, 30, "{args:?}: {}", done.err);
        assert!(done.err.starts_with("error: "), "{args:?}: {}", done.err);
        assert!(!done.err.contains("panicked"), "{}", done.err);
    }
}

#[test]
fn no_text_makes_it_panic() {
    // Every cut of a text, and bytes that are no text at all.
    let text = "toy wälk 1\r\nboth\ttoy \u{0}\u{200b}\u{1F600} walk\n".as_bytes();
    for end in 0..=text.len() {
        for head in ["", "toy ", "both walk 1\n"] {
            let input = [head.as_bytes(), &text[..end]].concat();
            let done = piped(&["solve", "-"], &input);
            assert!(done.code == 31 || done.code == 0, "{}: {}", done.code, done.err);
        }
    }
    let long = format!("toy {}\n", "x".repeat(100_000));
    assert_eq!(piped(&["solve", "-"], long.as_bytes()).code, 31);
}

#[test]
fn warnings_go_to_standard_error() {
    let done = piped(&["solve", "-"], b"toy walk 99\n");
    assert_eq!(done.code, 0);
    assert_eq!(done.err, "warning: <stdin>: this is a long walk\n");
    assert!(!done.out.contains("warning"));
}
