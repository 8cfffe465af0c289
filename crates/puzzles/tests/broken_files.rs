//! Broken files at every parser: an error with a place, or a puzzle that can be printed and read again; never a panic. The
//! checker has parsers of its own, which get the same files: where both accept a file, both see the same board.
//!
//! `BEELINE_BROKEN_FILES` sets how many are tried (`cargo xtask prove` tries many more).

mod readers;

use std::collections::BTreeMap;

use beeline_check::Flaw;
use beeline_puzzles::{KINDS, Kind, Puzzle, TextError, Unrecognised, recognise};
use beeline_search::Random;
use readers::{same_board, same_rules};

/// How many files are tried.
fn rounds() -> u64 {
    std::env::var("BEELINE_BROKEN_FILES").ok().and_then(|n| n.parse().ok()).unwrap_or(3000)
}

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
    "<L>",
    "</Level>",
    "<!--",
    "\"",
    "&#10;",
];

/// Texts in other notations than those of the puzzles that ship.
const OTHERS: [&str; 7] = [
    "",
    XML,
    "# 3\n3\n1 2 3\n4 x 5\n7 8 6\n",
    "120\n453\n786\n",
    "1234_5678\n",
    "..OO..\n...P..\nXX.P..\n...P..\nA.....\nA.....\n",
    "oooooooooBooAAoBooooxBooooCCoooooooo\n",
];

/// A collection of levels in XML.
const XML: &str = "<Levels>\n<!-- Two. -->\n<LevelCollection Copyright='A &amp; B'>\n\
    <Level Id=\"100 % One\" Width=\"6\"><L>######</L>\n<L>#@$ .#</L>\n<L>######</L></Level>\n\
    <Level Id='#2'><L>  ####</L>\n<L>### .#</L>\n<L>#@ $ #</L>\n<L>######</L></Level>\n\
    </LevelCollection>\n</Levels>\n";

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
fn use_it(kind: &dyn Kind, puzzle: &dyn Puzzle, random: &mut Random) {
    let name = kind.name();
    assert!(puzzle.facts().iter().all(|(what, value)| !what.is_empty() && !value.is_empty()));
    let printed = puzzle.text();
    let again = kind.parse(&printed);
    let again = again.unwrap_or_else(|e| panic!("{name}: cannot read what it printed: {e}\n{printed}"));
    assert_eq!(again.len(), 1, "{name}: printed one puzzle, read {}\n{printed}", again.len());
    assert_eq!(again[0].text(), printed, "{name}: prints differently the second time");
    same_board(puzzle);
    same_rules(puzzle, random, 1);
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

/// Messages of the first parser for canonical texts that the checker reads all the same: limits of the solvers' tables, and
/// boards on which no plan could hold anyway. The checker replays plans, and no plan of these boards can come from a solver.
const ONLY_CHECKED: &[(&str, &[&str])] = &[
    ("gate", &["piece 0 is missing", "there is no goal", "the goal has", "rows are too many", "a row of"]),
    ("tiles", &["a board of", "there is no tile", "tile "]),
    ("flow", &["the row is too long", "the board has too many rows"]),
    (
        "sokoban",
        &[
            "the board is open here",
            " and only ",
            "squares of floor",
            "a row of more than",
            "there is no board",
        ],
    ),
    ("bricks", &["a side of", "cells are too many", "bricks are too many", "cells that are no wall"]),
];

/// Compares what both parsers make of one text. What only the checker accepts is counted by the first parser's message.
fn compare(
    kind: &dyn Kind,
    text: &str,
    first: &Result<Vec<Box<dyn Puzzle>>, TextError>,
    only_checked: &mut BTreeMap<(&'static str, &'static str), u64>,
) -> bool {
    let name = kind.name();
    let drawn = match beeline_check::draw(name, text) {
        Ok(drawn) => drawn,
        Err(Flaw::Text(why)) => {
            assert!(!why.is_empty());
            return false;
        }
        Err(flaw) => panic!("{name}: {flaw}\n{text}"),
    };
    match first {
        Ok(puzzles) => {
            assert_eq!(puzzles.len(), 1, "{name}: the checker sees one puzzle\n{text}");
            let canonical = beeline_check::draw(name, &puzzles[0].text());
            assert_eq!(canonical.as_ref(), Ok(&drawn), "{name}: two boards in one text\n{text}");
        }
        Err(error) => {
            let listed = ONLY_CHECKED.iter().find(|(kind, _)| *kind == name).map_or(&[][..], |(_, m)| m);
            let message = listed.iter().find(|message| error.message.contains(**message));
            let message =
                message.unwrap_or_else(|| panic!("{name}: only the checker reads this: {error}\n{text}"));
            *only_checked.entry((name, message)).or_default() += 1;
        }
    }
    true
}

#[test]
fn no_file_makes_a_parser_panic() {
    let rounds = rounds();
    let mut random = Random::new(2026);
    let (mut read, mut refused, mut both) = (0u64, 0u64, 0u64);
    let mut only_checked = BTreeMap::new();
    let texts: Vec<&str> = KINDS.iter().flat_map(|k| k.examples()).map(|e| e.text).chain(OTHERS).collect();
    for _ in 0..rounds {
        let whole = texts[random.below(texts.len())];
        let text = mutate(&mut random, whole);
        for kind in KINDS {
            let name = kind.name();
            let _: bool = kind.recognises(&text);
            let parsed = kind.parse(&text);
            both += u64::from(compare(*kind, &text, &parsed, &mut only_checked));
            match parsed {
                Ok(puzzles) => {
                    read += 1;
                    assert!(!puzzles.is_empty(), "{name}: read nothing and said nothing\n{text}");
                    if text.len() < 4000 {
                        use_it(*kind, &*puzzles[0], &mut random);
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
    assert!(both > rounds / 20, "the checker accepts {both} of {rounds}");
    for ((kind, message), count) in only_checked {
        println!("{kind}: '{message}' {count} times, and the checker reads it");
    }
}

/// Plans are read back as they were written; whatever steps a reader lets through, the checker passes or names a flaw.
#[test]
fn no_plan_makes_a_reader_panic() {
    let mut random = Random::new(7);
    let mut puzzles: Vec<Box<dyn Puzzle>> = Vec::new();
    for kind in KINDS {
        for example in kind.examples() {
            puzzles.extend(kind.parse(example.text).unwrap_or_else(|e| panic!("{}: {e}", example.name)));
        }
    }
    // Labels that begin like others, or end like steps.
    let odd = "12  1 1r  .\n 1  . 12 1r\n";
    puzzles.extend(beeline_puzzles::flow::KIND.parse(odd).unwrap_or_else(|e| panic!("{e}")));
    for _ in 0..rounds() {
        let puzzle = &puzzles[random.below(puzzles.len())];
        let (name, whole) = (puzzle.kind().name(), puzzle.text());
        let mut game = puzzle.game();
        for _ in 0..random.below(10) {
            let legal = game.legal();
            let Some(step) = random.pick(&legal) else { break };
            game.play(step).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        let plan = puzzle.write_plan(game.history());
        assert_eq!(puzzle.read_plan(&plan).as_deref(), Ok(game.history()), "{name}: {plan:?}\n{whole}");
        let text = match random.below(3) {
            0 => (0..random.below(12)).map(|_| INK[random.below(INK.len())]).collect(),
            _ => mutate(&mut random, &plan),
        };
        match puzzle.read_plan(&text) {
            Ok(steps) => {
                let written = puzzle.write_plan(&steps);
                assert_eq!(puzzle.read_plan(&written).as_ref(), Ok(&steps), "{name}: {text:?}");
                if let Err(flaw @ (Flaw::Text(_) | Flaw::Unsupported(_))) =
                    beeline_check::check(name, &whole, None, &steps)
                {
                    panic!("{name}: {flaw}\n{whole}");
                }
            }
            Err(error) => {
                assert!(!error.message.is_empty() && !error.expected.is_empty(), "{name}: {error:?}");
                assert!(
                    error.span.start <= error.span.end && error.span.end <= text.len(),
                    "{name}: {error:?}"
                );
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

#[test]
fn after_a_slip_the_kinds_that_read_the_beginning_name_it() {
    let near = |text: &str| match recognise(KINDS, text) {
        Err(Unrecognised::Nobody(near)) => {
            let place = |(kind, error): (&'static dyn Kind, TextError)| (kind.name(), error.position(text));
            near.into_iter().map(place).collect::<Vec<_>>()
        }
        _ => panic!("a kind recognises {text:?}"),
    };
    assert_eq!(near("1 2 3\n4 5 6\n7 8 8\n"), [("tiles", (3, 5))]);
    assert_eq!(near("#####\n#@X.#\n#####\n"), [("gate", (2, 2)), ("flow", (2, 2)), ("sokoban", (2, 3))]);
    assert_eq!(near("A..B\n....\nA..?\n"), [("flow", (3, 4))]);
    assert_eq!(near("hello world\n"), []);
}
