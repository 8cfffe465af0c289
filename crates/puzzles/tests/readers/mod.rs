//! The first parser and the rules of the games, compared with the checker's reader and its rules.
#![allow(dead_code)] // each test file uses its own part

use std::collections::BTreeSet;

use beeline_check::Flaw;
use beeline_puzzles::Puzzle;
use beeline_search::Random;

/// Do both see the same board in the canonical text? The checker draws what it has read; the first parser, asked to read
/// that, must have the same picture and write the same text.
pub(crate) fn same_board(puzzle: &dyn Puzzle) {
    let (kind, text) = (puzzle.kind(), puzzle.text());
    let name = kind.name();
    let drawn = beeline_check::draw(name, &text).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
    if drawn.lines().count() == text.lines().count() {
        assert_eq!(drawn, text, "{name}");
    }
    let again = kind.parse(&drawn).unwrap_or_else(|e| panic!("{name}: {e}\n{drawn}"));
    assert_eq!(again.len(), 1, "{name}\n{drawn}");
    assert_eq!(again[0].text(), drawn, "{name}");
    assert_eq!(again[0].game().scene(), puzzle.game().scene(), "{name}\n{text}");
}

/// Do both allow the same steps and agree on when it is solved? A game is played at random; at each position, the checker is
/// asked about every step that was possible at some time.
pub(crate) fn same_rules(puzzle: &dyn Puzzle, random: &mut Random, positions: usize) {
    let (name, text) = (puzzle.kind().name(), puzzle.text());
    let mut game = puzzle.game();
    let mut known: BTreeSet<String> = BTreeSet::new();
    for _ in 0..positions {
        let mut plan = game.history().to_vec();
        assert_eq!(verdict(name, &text, &plan), Some(game.solved()), "{name}: {plan:?}\n{text}");
        let legal = game.legal();
        known.extend(legal.iter().cloned());
        for step in &known {
            plan.push(step.clone());
            let wanted = legal.contains(step).then(|| {
                game.play(step).unwrap_or_else(|e| panic!("{name}: {step} is legal: {e}\n{text}"));
                let solved = game.solved();
                assert!(game.undo());
                solved
            });
            assert_eq!(verdict(name, &text, &plan), wanted, "{name}: {plan:?}\n{text}");
            plan.pop();
        }
        let Some(step) = random.pick(&legal) else { return };
        game.play(step).unwrap_or_else(|e| panic!("{name}: {step} is legal: {e}\n{text}"));
    }
}

/// What the checker says of a plan: solved or not yet, or `None` if a step is illegal.
fn verdict(kind: &str, text: &str, plan: &[String]) -> Option<bool> {
    match beeline_check::check(kind, text, None, plan) {
        Ok(_) => Some(true),
        Err(Flaw::Goal { .. }) => Some(false),
        Err(Flaw::Step { number, .. }) => {
            assert_eq!(number, plan.len(), "{kind}: {plan:?}\n{text}");
            None
        }
        Err(flaw) => panic!("{kind}: {flaw}\n{text}"),
    }
}
