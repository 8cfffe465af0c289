//! Certificates and PDDL from the command line.

use beeline_check::certificate::checksum;
use beeline_cli::commands::World;

use crate::harness::{Done, Folder, Runner};

/// Runs a command with the real puzzles.
fn beeline(args: &[&str]) -> Done {
    Runner { world: World::default(), ..Runner::default() }.run(args)
}

/// The text without line breaks and indents.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A puzzle of each kind with a plan, and one without.
const PUZZLES: [(&str, &str, &str); 9] = [
    ("gate", "gate-first", "claim at least 9"),
    ("gate", "gate-never", "claim none"),
    ("tiles", "tiles-first", "claim at least "),
    ("tiles", "0 2\n1 3\n4 5\n", "claim none"),
    ("flow", "A.A\nB.B\n", "claim unique Ar Br"),
    ("flow", "A.B\nB.A\n", "claim none"),
    ("sokoban", "sokoban-first", "claim at least "),
    ("sokoban", "#####\n#@$.#\n#$ .#\n#####\n", "claim none"),
    ("bricks", "3,2,\n2,3,0,\n0,4,-1,\n", "claim at least "),
];

#[test]
fn every_kind_writes_a_certificate_that_check_verifies() {
    let folder = Folder::new("certificates");
    let path = |name: &str| folder.0.join(name).to_str().unwrap().to_owned();
    let (plan, proof) = (path("plan"), path("proof"));
    for (kind, puzzle, claim) in PUZZLES {
        let puzzle = if puzzle.contains('\n') { folder.file("puzzle", puzzle) } else { puzzle.to_owned() };
        let args = ["solve", &puzzle, "--as", kind, "--plan", &plan, "--certificate", &proof];
        let solved = beeline(&args);
        let unsolvable = claim == "claim none";
        assert_eq!(solved.code, if unsolvable { 10 } else { 0 }, "{puzzle}: {}{}", solved.out, solved.err);
        let certified = kind == "flow" && !unsolvable || solved.out.contains(" (certified)");
        assert!(certified && solved.out.contains("evidence "), "{}", solved.out);
        let bytes = std::fs::read(&proof).unwrap();
        assert!(String::from_utf8_lossy(&bytes).contains(&format!("\n{claim}")), "{puzzle}");
        let beside: &[&str] = if unsolvable { &[] } else { &[&plan] };
        let args = [&["check", &puzzle, "--as", kind][..], beside, &["--certificate", &proof]].concat();
        let checked = beeline(&args);
        assert_eq!(checked.code, 0, "{puzzle}: {}{}", checked.out, checked.err);
        assert!(checked.out.contains("certified"), "{}", checked.out);
        let json = beeline(&[&args[..], &["--json"]].concat()).out;
        assert!(json.contains("\"certificate\":{\"certified\":true,\"claim\":"), "{json}");
        // A false claim under a valid checksum.
        let forged = String::from_utf8_lossy(&bytes).contains("claim at least");
        if forged {
            let at = bytes.windows(15).position(|w| w == b"claim at least ").unwrap() + 15;
            let mut bytes = bytes[..bytes.len() - 8].to_vec();
            bytes.insert(at, b'1');
            let sum = checksum(&bytes);
            bytes.extend(sum.to_le_bytes());
            let forged = folder.file("forged", bytes);
            let refused = beeline(&["check", &puzzle, "--as", kind, "--certificate", &forged]);
            assert_eq!(refused.code, 33, "{}", refused.out);
            assert!(
                refused.out.contains("invalid") && refused.out.contains("certificate: "),
                "{}",
                refused.out
            );
            let beside = beeline(&["check", &puzzle, "--as", kind, &plan, "--certificate", &forged]);
            assert!(beside.code == 33 && words(&beside.out).contains("and this one costs"), "{}", beside.out);
        }
        let cut = folder.file("cut", &bytes[..bytes.len() - 1]);
        let refused = beeline(&["check", &puzzle, "--as", kind, "--certificate", &cut, "--json"]);
        assert!(refused.code == 33 && refused.out.contains("cut off or damaged"), "{}", refused.out);
    }
}

#[test]
fn certificates_of_other_puzzles_and_of_nothing_are_refused() {
    let folder = Folder::new("certificates-refused");
    let proof = folder.0.join("proof").to_str().unwrap().to_owned();
    assert_eq!(beeline(&["solve", "gate-first", "--certificate", &proof]).code, 0);
    let other = beeline(&["check", "gate-corner", "--certificate", &proof]);
    assert!(other.code == 33 && other.out.contains("one of another puzzle"), "{}", other.out);
    let other = beeline(&["check", "gate-first", "--objective", "moves", "--certificate", &proof]);
    assert!(
        other.code == 33 && words(&other.out).contains("is about steps, not about moves"),
        "{}",
        other.out
    );
    let missing = beeline(&["check", "gate-first", "--certificate", "/nowhere/at/all"]);
    assert_eq!(missing.code, 31);
    // Nothing is proved, so no certificate is written.
    std::fs::remove_file(&proof).unwrap();
    let two = folder.file("two", "rule: numberlink\nA.A\n...\n...\n");
    let refused = beeline(&["solve", &two, "--certificate", &proof]);
    assert!(
        refused.code == 32 && refused.err.contains("there is another solution"),
        "{}{}",
        refused.out,
        refused.err
    );
    let quick = beeline(&["solve", "gate-first", "--with", "iw", "--certificate", &proof]);
    assert!(quick.out.contains("evidence   none: nothing is proved"), "{}", quick.out);
    let toy = Runner::default().run(&["solve", "toy-first", "--certificate", &proof]);
    assert_eq!(toy.code, 32, "{}", toy.err);
    assert!(toy.out.contains("proved shortest (by the solver)"), "{}", toy.out);
    assert!(!std::path::Path::new(&proof).exists());
    let many = Runner::default().run(&["solve", "toy-pack", "--certificate", &proof]);
    assert!(many.code == 30 && many.err.contains("--level"), "{}", many.err);
}

#[test]
fn puzzles_are_exported_as_pddl() {
    let folder = Folder::new("pddl");
    let to = folder.0.join("out").to_str().unwrap().to_owned();
    let done = beeline(&["export", "gate-first", "--steps", "0l2d1r1r0u0u0u0r0r", "--pddl", &to]);
    assert_eq!(done.code, 0, "{}", done.err);
    let read = |name: &str| std::fs::read_to_string(folder.0.join("out").join(name)).unwrap();
    assert!(read("domain.pddl").starts_with("(define (domain gate)"));
    assert!(read("problem.pddl").contains("(:goal (and (by-0-"));
    assert_eq!(read("plan.txt").lines().count(), 9);
    let broken = beeline(&["export", "gate-first", "--steps", "0l0u", "--pddl", &to]);
    assert!(broken.code == 33 && broken.err.contains("no action is the step 0u"), "{}", broken.err);
}
