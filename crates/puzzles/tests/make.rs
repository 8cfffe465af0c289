//! New puzzles of every kind: the seed makes them, the solver has measured them, and they are what was asked for.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use beeline_puzzles::{Hardness, KINDS, Kind, Made, NotMade, Recipe, kind};
use beeline_search::{Budget, Cancel, Limit, Verdict};

fn small(kind: &str, seed: u64) -> Recipe {
    let (size, pieces) = match kind {
        "gate" => ((7, 6), Some(3)),
        "tiles" => ((3, 3), None),
        "flow" => ((5, 5), None),
        "sokoban" => ((7, 6), Some(2)),
        _ => ((6, 5), Some(4)),
    };
    Recipe { size: Some(size), pieces, seed, ..Recipe::default() }
}

fn cost(made: &Made) -> u64 {
    made.outcome.solution().map_or(0, |s| s.cost)
}

/// The file of what was made, which must read back as the same puzzle.
fn file(kind: &dyn Kind, made: &Made) -> String {
    let text = made.puzzle.text();
    let again = kind.parse(&text).unwrap();
    assert_eq!((again.len(), again[0].text()), (1, text.clone()));
    text
}

#[test]
fn the_seed_makes_the_puzzle() {
    for kind in KINDS {
        let mut texts = Vec::new();
        for seed in 0..4 {
            let recipe = small(kind.name(), seed);
            let made = kind.make(&recipe).unwrap();
            assert!(made.outcome.solution().is_some_and(|s| s.is_optimal() && s.cost > 0), "{}", kind.name());
            let text = file(*kind, &made);
            assert_eq!(text, kind.make(&recipe).unwrap().puzzle.text(), "{} seed {seed}", kind.name());
            texts.push(text);
        }
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), 4, "{}", kind.name());
    }
}

#[test]
fn unsolvable_on_request_with_proof() {
    for kind in KINDS {
        let made = kind.make(&Recipe { unsolvable: true, ..small(kind.name(), 5) }).unwrap();
        assert_eq!(made.outcome.verdict, Verdict::Exhausted, "{}", kind.name());
        file(*kind, &made);
    }
}

#[test]
fn harder_is_not_easier() {
    for name in ["gate", "tiles", "sokoban", "bricks"] {
        let kind = kind(name).unwrap();
        let with = |hardness| cost(&kind.make(&Recipe { hardness, ..small(name, 2) }).unwrap());
        let (easy, medium, hard) = (with(Hardness::Easy), with(Hardness::Medium), with(Hardness::Hard));
        assert!(easy <= medium && easy < hard, "{name}: {easy} {medium} {hard}");
    }
}

#[test]
fn a_level_is_what_was_measured_and_what_was_asked_for() {
    for kind in KINDS {
        for (name, hardness) in Hardness::ALL {
            // Of a 15-puzzle that is not hard, or of a small one.
            let size = (kind.name() == "tiles").then_some((3, 3));
            for seed in 1..2 {
                let made = kind.make(&Recipe { hardness, size, seed, ..Recipe::default() }).unwrap();
                assert_eq!(made.level, Some(hardness), "{} seed {seed}: {} steps", kind.name(), cost(&made));
                assert!(made.candidates > 0);
                if ["gate", "bricks"].contains(&kind.name()) {
                    let least = [("easy", 1), ("medium", 10), ("hard", 20)];
                    let (_, least) = least.iter().find(|(level, _)| *level == name).unwrap();
                    assert!(cost(&made) >= *least, "{name} {} of {} steps", kind.name(), cost(&made));
                }
            }
        }
    }
}

#[test]
fn a_crowded_box_of_bricks_is_hard_too() {
    let recipe = Recipe {
        size: Some((6, 7)),
        pieces: Some(10),
        hardness: Hardness::Hard,
        seed: 3,
        ..Recipe::default()
    };
    let made = kind("bricks").unwrap().make(&recipe).unwrap();
    assert_eq!(made.level, Some(Hardness::Hard));
    assert!(cost(&made) >= 20, "{} steps", cost(&made));
}

#[test]
fn the_farthest_boards_of_a_small_size_are_found() {
    let tiles = kind("tiles").unwrap();
    let at = |size, distance, seed| Recipe {
        size: Some(size),
        distance: Some(distance),
        seed,
        ..Recipe::default()
    };
    // The 8-puzzle has two boards at its greatest distance, and none beyond.
    let mut farthest: Vec<String> =
        (0..8).map(|seed| file(tiles, &tiles.make(&at((3, 3), 31, seed)).unwrap())).collect();
    farthest.sort();
    farthest.dedup();
    assert_eq!(farthest.len(), 2);
    let refused = |recipe| tiles.make(&recipe).map(|_| ()).unwrap_err().to_string();
    assert!(refused(at((3, 3), 32, 0)).contains("farther than 31 steps"));
    assert_eq!(cost(&tiles.make(&at((2, 4), 36, 0)).unwrap()), 36);
    // Of larger boards nobody looks at all: what was found is said.
    let budget = Budget { nodes: Some(3_000_000), ..Budget::default() };
    let far = Recipe { budget, ..at((4, 4), 90, 0) };
    assert!(matches!(tiles.make(&far), Err(NotMade::Stopped(Limit::Nodes))));
    let gate = Recipe { distance: Some(500), size: Some((5, 5)), pieces: Some(2), ..Recipe::default() };
    let why = kind("gate").unwrap().make(&gate).map(|_| ()).unwrap_err().to_string();
    assert!(why.contains("the longest that was found has"), "{why}");
}

#[test]
fn a_remark_stands_in_every_file() {
    for kind in KINDS {
        let made = kind.make(&small(kind.name(), 1)).unwrap();
        let remarked =
            format!("{} hard: shortest plan 24 steps; seed 3\n{}", kind.remark(), made.puzzle.text());
        assert!(kind.recognises(&remarked), "{}", kind.name());
        let again = kind.parse(&remarked).unwrap();
        assert_eq!(again.len(), 1, "{}", kind.name());
        assert_eq!(again[0].game().scene(), made.puzzle.game().scene(), "{}", kind.name());
    }
}

#[test]
fn distances_are_exact() {
    for name in ["gate", "tiles", "sokoban", "bricks"] {
        for distance in [1, 4, 7] {
            let made =
                kind(name).unwrap().make(&Recipe { distance: Some(distance), ..small(name, 1) }).unwrap();
            assert_eq!(cost(&made), distance, "{name}");
        }
    }
    let far = Recipe { size: Some((5, 5)), distance: Some(24), ..Recipe::default() };
    assert_eq!(cost(&kind("tiles").unwrap().make(&far).unwrap()), 24);
}

#[test]
fn walks_do_not_get_farther_than_their_steps() {
    for walk in [1, 5, 12] {
        let made = kind("tiles").unwrap().make(&Recipe { walk: Some(walk), ..small("tiles", 3) }).unwrap();
        assert!(cost(&made) <= walk && cost(&made) % 2 == walk % 2);
    }
}

#[test]
fn what_cannot_be_made_is_refused_in_words() {
    let refused =
        |name: &str, recipe: Recipe| kind(name).unwrap().make(&recipe).map(|_| ()).unwrap_err().to_string();
    let base = Recipe::default();
    assert!(refused("flow", Recipe { distance: Some(3), ..base.clone() }).contains("a distance"));
    assert!(refused("gate", Recipe { walk: Some(3), ..base.clone() }).contains("a walk"));
    assert!(refused("tiles", Recipe { pieces: Some(3), ..base.clone() }).contains("a number of pieces"));
    assert!(refused("tiles", Recipe { size: Some((9, 1)), ..base.clone() }).contains("2 to 6"));
    assert!(
        refused("bricks", Recipe { size: Some((4, 4)), pieces: Some(20), ..base.clone() }).contains("room")
    );
    assert!(refused("gate", Recipe { size: Some((2, 6)), ..base.clone() }).contains("room"));
    assert!(refused("sokoban", Recipe { size: Some((1, 1)), ..base }).contains("room"));
}

#[test]
fn a_limit_ends_the_making_and_says_which() {
    let cancelled = Cancel::default();
    cancelled.cancel();
    let budgets = [
        (Limit::Time, Budget { time: Some(Duration::ZERO), ..Budget::default() }),
        (Limit::Nodes, Budget { nodes: Some(1), ..Budget::default() }),
        (Limit::Memory, Budget { bytes: Some(1), ..Budget::default() }),
        (Limit::Cancelled, Budget { cancel: cancelled, ..Budget::default() }),
    ];
    for kind in KINDS {
        for (limit, budget) in &budgets {
            let made = kind.make(&Recipe { budget: budget.clone(), ..small(kind.name(), 0) });
            // A small flow board takes no decision and no memory that is counted.
            if kind.name() == "flow" && matches!(limit, Limit::Nodes | Limit::Memory) && made.is_ok() {
                continue;
            }
            assert_eq!(made.map(|_| ()).unwrap_err(), NotMade::Stopped(*limit), "{}", kind.name());
        }
    }
}

#[test]
fn a_limit_that_is_not_met_changes_nothing() {
    let wide = Budget {
        time: Some(Duration::from_secs(3600)),
        nodes: Some(1 << 40),
        bytes: Some(1 << 33),
        ..Budget::default()
    };
    for kind in KINDS {
        let recipe = small(kind.name(), 1);
        let (free, limited) =
            (kind.make(&recipe).unwrap(), kind.make(&Recipe { budget: wide.clone(), ..recipe }).unwrap());
        assert_eq!(
            (free.puzzle.text(), free.spent),
            (limited.puzzle.text(), limited.spent),
            "{}",
            kind.name()
        );
        assert!(free.spent >= free.outcome.stats.expanded);
    }
}

#[test]
fn boards_that_are_not_square_are_as_wide_as_asked_for() {
    for (first, second) in [(2, 5), (5, 2), (3, 4)] {
        let recipe = Recipe { size: Some((first, second)), walk: Some(8), ..Recipe::default() };
        let made = kind("tiles").unwrap().make(&recipe).unwrap();
        let text = made.puzzle.text();
        // Rows and columns: as in the file's own `size:`, and in the facts.
        assert_eq!(
            (text.lines().count(), text.lines().next().unwrap().split_whitespace().count()),
            (first, second)
        );
        assert!(made.puzzle.facts().contains(&("size", format!("{first} x {second}"))));
        let line =
            format!("size: {first}x{second}\n{}\n", text.split_whitespace().collect::<Vec<_>>().join(" "));
        assert_eq!(kind("tiles").unwrap().parse(&line).unwrap()[0].text(), text, "the file says the same");
    }
    let gate = Recipe { size: Some((8, 6)), pieces: Some(2), ..Recipe::default() };
    let text = kind("gate").unwrap().make(&gate).unwrap().puzzle.text();
    assert_eq!(
        (text.lines().count(), text.lines().next().unwrap().len()),
        (6, 8),
        "the others say columns and rows"
    );
}
