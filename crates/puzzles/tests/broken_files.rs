//! Broken files at every parser: an error with a place, or a puzzle that can be printed and read again; never a panic.
//!
//! `BEELINE_BROKEN_FILES` sets how many are tried (`cargo xtask prove` tries many more).

use beeline_puzzles::{KINDS, Kind, Puzzle};
use beeline_search::Random;

/// Characters that files are made of, and some that they are not.
const INK: &[&str] = &[
    "#",
    " ",
    ".",
    "$",
    "@",
    "*",
    "+",
    "0",
    "1",
    "2",
    "3",
    "9",
    "15",
    "-1",
    "-2",
    ",",
    "\n",
    "\r\n",
    "G",
    "H",
    "I",
    "Q",
    "A",
    "B",
    "R",
    "Y",
    "%",
    ";",
    "_",
    "-",
    "\t",
    "é",
    "🧩",
    "\u{0}",
    "99999999999999999999",
    "4,4,\n",
    "title: x\n",
];

fn mutate(random: &mut Random, text: &str) -> String {
    let mut text = text.to_owned();
    if random.below(3) == 0 {
        // Harmless, or nearly: other line ends, none at the end, one too many.
        return match random.below(3) {
            0 => text.replace('\n', "\r\n"),
            1 => text.trim_end().to_owned(),
            _ => text + "\n",
        };
    }
    for _ in 0..=random.below(4) {
        let cuts: Vec<usize> = text.char_indices().map(|(i, _)| i).chain([text.len()]).collect();
        let from = random.below(cuts.len());
        let to = from + random.below((cuts.len() - from).min(40));
        let (a, b) = (cuts[from], cuts[to]);
        match random.below(5) {
            0 => text.replace_range(a..b, ""),
            1 => text.insert_str(a, INK[random.below(INK.len())]),
            2 => text.replace_range(a..b, INK[random.below(INK.len())]),
            3 => text.truncate(a),
            _ => {
                let part = text[a..b].to_owned();
                text.insert_str(a, &part);
            }
        }
    }
    text
}

/// What a face would do with a puzzle that was read.
fn use_it(kind: &dyn Kind, puzzle: &dyn Puzzle) {
    let name = kind.name();
    assert!(puzzle.facts().iter().all(|(what, value)| !what.is_empty() && !value.is_empty()));
    let printed = puzzle.text();
    let again = kind.parse(&printed);
    let again = again.unwrap_or_else(|e| panic!("{name}: cannot read what it printed: {e}\n{printed}"));
    assert_eq!(again.len(), 1, "{name}: printed one puzzle, read {}\n{printed}", again.len());
    assert_eq!(again[0].text(), printed, "{name}: prints differently the second time");
    let mut game = puzzle.game();
    let before = game.scene();
    assert_eq!(before.cells.len(), before.width * before.height);
    if let Some(step) = game.legal().first() {
        game.play(step).unwrap_or_else(|e| panic!("{name}: legal step {step} refused: {e}"));
        assert!(game.undo());
        assert_eq!(game.scene(), before, "{name}: undo changes the picture");
    }
    assert!(!game.undo());
}

#[test]
fn no_file_makes_a_parser_panic() {
    let rounds = std::env::var("BEELINE_BROKEN_FILES").ok().and_then(|n| n.parse().ok()).unwrap_or(4000);
    let mut random = Random::new(2026);
    let (mut read, mut refused) = (0u64, 0u64);
    let texts: Vec<&str> = KINDS.iter().flat_map(|k| k.examples()).map(|e| e.text).chain([""]).collect();
    for _ in 0..rounds {
        let whole = texts[random.below(texts.len())];
        let text = mutate(&mut random, whole);
        for kind in KINDS {
            let name = kind.name();
            let _: bool = kind.recognises(&text);
            match kind.parse(&text) {
                Ok(puzzles) => {
                    read += 1;
                    assert!(!puzzles.is_empty(), "{name}: read nothing and said nothing\n{text}");
                    if text.len() < 4000 {
                        use_it(*kind, &*puzzles[0]);
                    }
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.message.is_empty() && !error.expected.is_empty(), "{name}: {error:?}");
                    assert!(error.span.start <= error.span.end, "{name}: {error:?}");
                    assert!(error.span.end <= text.len(), "{name}: {error:?} in {text:?}");
                }
            }
        }
    }
    assert!(read > rounds / 10 && refused > rounds / 10, "too one-sided: {read} read, {refused} refused");
}

#[test]
fn no_plan_makes_a_reader_panic() {
    let mut random = Random::new(7);
    for kind in KINDS {
        for example in kind.examples() {
            let puzzles = kind.parse(example.text).unwrap_or_else(|e| panic!("{}: {e}", example.name));
            for _ in 0..300 {
                let text: String = (0..random.below(12)).map(|_| INK[random.below(INK.len())]).collect();
                if let Ok(steps) = puzzles[0].read_plan(&text) {
                    let written = puzzles[0].write_plan(&steps);
                    assert_eq!(
                        puzzles[0].read_plan(&written).as_ref(),
                        Ok(&steps),
                        "{}: {text:?}",
                        kind.name()
                    );
                }
            }
        }
    }
}

#[test]
fn every_example_is_recognised_as_its_own_kind_alone() {
    for kind in KINDS {
        for example in kind.examples() {
            let by: Vec<&str> =
                KINDS.iter().filter(|k| k.recognises(example.text)).map(|k| k.name()).collect();
            assert_eq!(by, [kind.name()], "{}", example.name);
        }
    }
}
