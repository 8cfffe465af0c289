//! Small boards in PDDL. The ordinary test looks at the files; the long one has them validated by unified-planning.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use beeline_puzzles::pddl::export;
use beeline_puzzles::{Hardness, Job, KINDS, Puzzle, Recipe, kind};
use beeline_search::{Budget, Verdict};

/// Small boards of every kind: what ships first, some that `make` makes, and some with rules of their own.
fn boards() -> Vec<Box<dyn Puzzle>> {
    let mut boards = Vec::new();
    for kind in KINDS {
        boards.extend(kind.parse(kind.examples()[0].text).unwrap());
        for (seed, size) in (0..3).flat_map(|seed| [(seed, (3, 3)), (seed, (4, 4))]) {
            let recipe = Recipe {
                size: Some(size),
                pieces: Some(3),
                distance: None,
                walk: None,
                hardness: Hardness::Easy,
                seed,
                unsolvable: false,
                budget: Budget::default(),
            };
            let made = kind.make(&recipe).or_else(|_| kind.make(&Recipe { pieces: None, ..recipe }));
            boards.extend(made.ok().map(|made| made.puzzle));
        }
    }
    for (name, text) in [
        ("tiles", "3 1\n2 0\n"),
        ("tiles", "goal: blank last\n3 1\n2 0\n"),
        ("tiles", "goal: blank last\n0 1\n3 2\n"),
        ("sokoban", "######\n#@$ .#\n#  $.#\n######\n"),
        ("flow", "rule: touching\nA..\nA..\n"),
        ("flow", "rule: numberlink\nA.A\n...\n"),
        ("flow", "rule: numberlink\nedges: warp\n.A...\n.....\n...A.\n"),
        ("bricks", "3,3,\n2,3,4,\n0,0,0,\n0,0,0,\n0,0,0,\n4,0,0,\n0,0,0,\n"),
        ("bricks", "rule: lengthwise\n4,2,\n2,2,0,3,\n0,0,0,3,\n0,0,0,0,\n0,0,2,2,\n"),
        ("bricks", "4,2,\n2,0,0,-1,\n3,0,0,0,\n"),
    ] {
        boards.extend(kind(name).unwrap().parse(text).unwrap());
    }
    boards
}

/// A plan of a board, if it has one.
fn plan(puzzle: &dyn Puzzle) -> Option<Vec<String>> {
    match puzzle.solve(&Job::default(), &Budget::default(), &mut ()).unwrap().verdict {
        Verdict::Solved(found) => Some(found.moves),
        _ => None,
    }
}

#[test]
fn every_kind_has_a_form_in_pddl() {
    let mut kinds = std::collections::BTreeSet::new();
    for puzzle in boards() {
        let pddl = export(&*puzzle).unwrap();
        let Some(steps) = plan(&*puzzle) else { continue };
        let actions = pddl.plan(&steps).unwrap_or_else(|why| panic!("{why}:\n{}", puzzle.text()));
        let domain = pddl.domain();
        for line in actions.lines() {
            assert!(domain.contains(&format!("(:action {}\n", line.trim_matches(['(', ')']))), "{line}");
        }
        for text in [domain, pddl.problem()] {
            assert_eq!(text.matches('(').count(), text.matches(')').count());
        }
        kinds.insert(puzzle.kind().name());
    }
    assert_eq!(kinds.len(), KINDS.len());
    let tile = kind("tiles").unwrap().parse("1 0\n2 3\n").unwrap().remove(0);
    let pddl = export(&*tile).unwrap();
    assert_eq!(pddl.plan(&["L".to_owned()]).unwrap(), "(blank-1-L-1)\n");
    assert!(pddl.plan(&["R".to_owned()]).unwrap_err().contains("no action is the step R"));
    let drawn = kind("flow").unwrap().parse("R..\n...\n..R\ndrawn: Rr\n").unwrap().remove(0);
    assert!(export(&*drawn).is_err());
}

/// What unified-planning is asked: a folder a line in, `valid` or `invalid` a line out.
const VALIDATE: &str = "
import sys
from unified_planning.io import PDDLReader
from unified_planning.engines import SequentialPlanValidator
from unified_planning.shortcuts import get_environment
get_environment().credits_stream = None
for folder in sys.stdin.read().split():
    problem = PDDLReader().parse_problem(folder + '/domain.pddl', folder + '/problem.pddl')
    plan = PDDLReader().parse_plan(problem, folder + '/plan.txt')
    print(SequentialPlanValidator().validate(problem, plan).status.name.lower())
";

/// Runs the validator on folders; an answer for each.
fn validated(python: &str, folders: &[String]) -> Vec<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let list = folder.join("pddl.list");
    std::fs::write(&list, folders.join("\n")).unwrap();
    let input = std::fs::File::open(&list).unwrap();
    let output = Command::new(python).args(["-c", VALIDATE]).stdin(input).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Actions of a domain that is validated. The reader of unified-planning takes a twentieth of a second for each.
const MOST: usize = 64;

/// `cargo xtask prove --only pddl` names the python that has unified-planning.
#[test]
#[ignore = "long: cargo xtask prove (wants unified-planning, from the package index)"]
fn unified_planning_validates_the_plans() {
    let Ok(python) = std::env::var("BEELINE_PDDL_PYTHON") else {
        eprintln!("BEELINE_PDDL_PYTHON is not set: nothing was validated");
        return;
    };
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pddl");
    let (mut folders, mut expected) = (Vec::new(), Vec::new());
    let mut kinds = BTreeMap::new();
    // The boards with rules of their own come first.
    for (i, puzzle) in boards().iter().enumerate().rev() {
        let Some(steps) = plan(&**puzzle) else { continue };
        let pddl = export(&**puzzle).unwrap();
        let actions = pddl.domain().matches("(:action").count();
        let count = kinds.entry(puzzle.kind().name()).or_insert(0);
        if *count == 4 || actions > MOST {
            continue;
        }
        *count += 1;
        let whole = pddl.plan(&steps).unwrap();
        // A plan without its last action is none.
        let count = whole.lines().count();
        let short: Vec<&str> = whole.lines().take(count.saturating_sub(1)).collect();
        let short = short.join("\n") + "\n";
        for (name, text, verdict) in [("whole", &whole, "valid"), ("short", &short, "invalid")] {
            if count == 0 && name == "short" {
                continue;
            }
            let folder = root.join(format!("{i}-{name}"));
            std::fs::create_dir_all(&folder).unwrap();
            for (file, text) in
                [("domain.pddl", &pddl.domain()), ("problem.pddl", &pddl.problem()), ("plan.txt", text)]
            {
                std::fs::write(folder.join(file), text).unwrap();
            }
            folders.push(folder.to_str().unwrap().to_owned());
            expected.push(verdict);
        }
    }
    assert!(kinds.len() == KINDS.len() && kinds.values().all(|&count| count > 0), "{kinds:?}");
    let answers = validated(&python, &folders);
    assert_eq!(answers, expected, "{folders:?}");
    eprintln!("{} plans as expected", answers.len());
}
