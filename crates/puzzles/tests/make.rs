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
        time: Some(Duration::from_hours(1)),
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
