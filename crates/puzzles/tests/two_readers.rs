//! The checker has a parser and rules of its own: on shipped and on made puzzles both parsers see the same board, both sets
//! of rules allow the same steps, and reading what was written changes nothing. (Mutated texts: `broken_files.rs`.)

#![allow(clippy::unwrap_used)]

mod readers;

use beeline_puzzles::{KINDS, Kind, Puzzle, Recipe};
use beeline_search::Random;
use readers::{same_board, same_rules};

/// Compares the two sides on a puzzle, and on the puzzles that begin a few steps further on.
fn compare(kind: &dyn Kind, puzzle: &dyn Puzzle, random: &mut Random, positions: usize) {
    let text = puzzle.text();
    let again = kind.parse(&text).unwrap();
    assert_eq!((again.len(), again[0].text()), (1, text), "{}", kind.name());
    same_board(puzzle);
    same_rules(puzzle, random, positions);
    let mut game = puzzle.game();
    for _ in 0..positions {
        let legal = game.legal();
        let Some(step) = random.pick(&legal) else { break };
        game.play(step).unwrap();
        same_board(&*game.here());
    }
    same_rules(&*game.here(), random, positions);
}

#[test]
fn shipped_puzzles() {
    let mut random = Random::new(11);
    for kind in KINDS {
        for example in kind.examples() {
            for puzzle in kind.parse(example.text).unwrap() {
                compare(*kind, &*puzzle, &mut random, 4);
            }
        }
    }
}

/// What other notations say that the canonical text must say too.
#[test]
fn other_notations() {
    let mut random = Random::new(14);
    for (kind, text) in [
        ("bricks", "oooooooooBooAAoBooooxBooooCCoooooooo\n"),
        ("bricks", "ABBC\nABBC\nDEEF\nDGHF\nI..J\n"),
        ("bricks", "AB.\nCC.\n\nBA.\n...\n"),
        ("bricks", "3,3,\n3,0,4,\n0,1,0,\n2,0,0,\n-4,0,0,\n0,0,0,\n2,0,0,\n"),
        ("tiles", "[[1,2,3],[4,5,6],[7,8,0]]\n"),
        ("tiles", "3\n1 2 3\n4 x 5\n7 8 6\n"),
        ("tiles", "1234_5678\n"),
        ("tiles", "7\t1 2 3 4 5 6 7 8 0\t22\n"),
        ("sokoban", ":: x\nOne\n6#|#@$-.#|6#\nRR\nSaved game\nR\n"),
        ("sokoban", "<Level Id='One'><L>######</L>\n<L>#@$ .#</L>\n<L>######</L></Level>\n"),
    ] {
        let kind = beeline_puzzles::kind(kind).unwrap();
        assert!(kind.recognises(text), "{text}");
        for puzzle in kind.parse(text).unwrap() {
            compare(kind, &*puzzle, &mut random, 12);
        }
    }
}

/// Recipes of small boards; what a kind cannot make is passed over, but each must make some.
fn made(kind: &dyn Kind, seeds: u64) -> Vec<Box<dyn Puzzle>> {
    let mut puzzles = Vec::new();
    for seed in 0..seeds {
        let size = [(5, 5), (6, 5), (7, 6), (3, 3), (4, 6)][seed as usize % 5];
        let pieces = if seed % 3 == 0 { None } else { Some(1 + seed as usize % 4) };
        for unsolvable in [false, true] {
            let recipe = Recipe { size: Some(size), pieces, seed, unsolvable, ..Recipe::default() };
            puzzles.extend(kind.make(&recipe).ok().map(|made| made.puzzle));
        }
    }
    assert!(puzzles.len() as u64 >= seeds / 5, "{}: only {} could be made", kind.name(), puzzles.len());
    puzzles
}

#[test]
fn made_puzzles() {
    let mut random = Random::new(12);
    for kind in KINDS {
        for puzzle in made(*kind, 5) {
            compare(*kind, &*puzzle, &mut random, 6);
        }
    }
}

#[test]
#[ignore = "long: cargo xtask prove (500 made puzzles)"]
fn many_made_puzzles() {
    let mut random = Random::new(13);
    for kind in KINDS {
        for puzzle in made(*kind, 100) {
            compare(*kind, &*puzzle, &mut random, 12);
        }
    }
}
