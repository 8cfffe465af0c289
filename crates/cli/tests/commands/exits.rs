//! Every exit code occurs.

use beeline_cli::commands::Exit;

use crate::harness::{Runner, beeline, piped};

#[test]
fn every_exit_code_can_be_reached() {
    let solve = |text: &str, more: &[&str]| {
        let args: Vec<&str> = ["solve", "-"].iter().chain(more).copied().collect();
        piped(&args, text.as_bytes()).code
    };
    let cases: [(Exit, u8); 12] = [
        (Exit::Done, solve("toy walk 3", &[])),
        (Exit::Unsolvable, solve("toy stuck", &[])),
        (Exit::GaveUp, solve("toy giveup", &[])),
        (Exit::Time, solve("toy endless", &["--time", "30ms"])),
        (Exit::Memory, solve("toy hungry", &["--memory", "64K"])),
        (Exit::Nodes, solve("toy endless", &["--nodes", "10"])),
        (Exit::Interrupted, interrupted()),
        (Exit::Usage, solve("toy walk", &["--wiht", "bfs"])),
        (Exit::Input, solve("toy wlak", &[])),
        (Exit::Unsupported, solve("toy walk", &["--with", "bidirectional"])),
        (Exit::Rejected, solve("toy lie", &[])),
        (Exit::Internal, solve("toy panic", &[])),
    ];
    for (exit, code) in cases {
        assert_eq!(code, exit.code(), "{exit:?}");
    }
    // No code is missing above.
    assert_eq!(cases.map(|(exit, _)| exit), Exit::ALL.map(|(exit, _)| exit));
}

fn interrupted() -> u8 {
    let runner = Runner { input: b"toy endless".to_vec(), ..Runner::default() };
    let cancel = runner.cancel.clone();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        cancel.cancel();
    });
    let done = runner.run(&["solve", "-"]);
    stopper.join().expect("the stopper does not panic");
    assert!(done.out.contains("interrupted"), "{}", done.out);
    assert!(done.out.contains("expanded"), "what was reached is told:\n{}", done.out);
    done.code
}

#[test]
fn the_highest_code_counts() {
    assert_eq!(piped(&["solve", "-"], b"toy walk 1\ntoy giveup\ntoy stuck\ntoy walk 1\n").code, 11);
    assert_eq!(piped(&["solve", "-", "toy-first"], b"toy stuck\n").code, 10);
}

#[test]
fn a_plan_that_a_limit_kept_from_being_proved_ends_with_the_limits_code() {
    let toy = b"toy anytime 4\n";
    let done = piped(&["solve", "-", "--time", "20ms"], toy);
    assert_eq!(done.code, 20, "{}", done.out);
    assert!(
        done.out.contains("rrrr") && done.out.contains("not proved shortest: the time limit"),
        "{}",
        done.out
    );
    let done = piped(&["solve", "-", "--time", "20ms", "--json"], toy);
    for part in [r#""verdict":"solved""#, r#""exit":20"#, r#""reason":"time""#, r#""promise":"bounded""#] {
        assert!(done.out.contains(part), "{part}: {}", done.out);
    }
    // A strategy without a promise has nothing left to prove.
    assert_eq!(piped(&["solve", "-"], b"toy unproved 4\n").code, 0);
    assert_eq!(piped(&["solve", "-", "--json"], b"toy bounded 4\n").code, 0);
    // Of several puzzles, the highest code counts, in any position.
    for several in [
        "toy walk 1\ntoy anytime 4\n",
        "toy anytime 4\ntoy walk 1\n",
        "toy stuck\ntoy anytime 4\ntoy giveup\n",
    ] {
        assert_eq!(piped(&["solve", "-", "--time", "20ms"], several.as_bytes()).code, 20, "{several}");
    }
    assert_eq!(piped(&["solve", "-", "no-such-file", "--time", "20ms"], toy).code, 31);
}

#[test]
fn a_rejected_plan_is_never_printed() {
    for (text, why) in [("toy lie 5", "not there yet"), ("toy miscount 5", "costs 6, the checker counts 5")] {
        for more in [&[][..], &["--quiet"], &["--json"], &["--plan", "-"]] {
            let args: Vec<&str> = ["solve", "-"].iter().chain(more).copied().collect();
            let done = piped(&args, text.as_bytes());
            assert_eq!(done.code, 33, "{args:?}");
            assert!(!done.out.contains("rrrr") && !done.out.contains("[\"r\""), "{}", done.out);
            let told = if more == ["--json"] { &done.out } else { &done.err };
            assert!(told.replace("\n  ", " ").contains(why), "{told}");
        }
        assert_eq!(piped(&["compare", "-", "--with", "bfs"], text.as_bytes()).code, 33);
    }
}

#[test]
fn a_limit_is_a_result_of_a_comparison() {
    let done = piped(&["compare", "-", "--with", "bfs", "--nodes", "5"], b"toy endless");
    assert_eq!(done.code, 0);
    assert!(done.out.contains("nodes"), "{}", done.out);
    let unsupported = beeline(&["compare", "toy-first", "--with", "bfs,bidirectional"]);
    assert_eq!(unsupported.code, 32);
    assert!(unsupported.out.contains("not run") && unsupported.err.contains("no way back"));
}

#[test]
fn the_codes_are_in_the_help_and_in_the_manual() {
    let (help, man) = (beeline(&["--help"]).out, beeline(&["man"]).out);
    for (exit, meaning) in Exit::ALL {
        assert!(help.contains(&format!("{:>2}  {meaning}", exit.code())), "{meaning}");
        assert!(man.contains(&format!("\\fB{}\\fR\n{meaning}", exit.code())), "{meaning}");
    }
}

#[test]
fn help_and_version_are_no_errors() {
    for args in [&["--help"][..], &["help"], &["solve", "-h"], &["--version"], &["help", "compare"]] {
        let done = beeline(args);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{args:?}");
    }
}
