//! `beeline play`, all five kinds.

use beeline_puzzles::{Job, Puzzle, kind};
use beeline_search::Budget;
use vt100::Color;

use crate::pty::{BACKSPACE, DOWN, LEFT, Pty, RIGHT, Start, UP, places};

/// The first possible column of the panel, which shows the goal as a small picture.
const PANEL: u16 = 40;

/// The keys for each step of a shortest plan: the name of a thing and an arrow, derived from the kind's notation.
fn keys(kind_name: &str, example: &str) -> Vec<String> {
    let kind = kind(kind_name).expect("a kind");
    let example = kind.examples().iter().find(|e| e.name == example).expect("it ships");
    let puzzle: Box<dyn Puzzle> = kind.parse(example.text).expect("it is read").swap_remove(0);
    let outcome = puzzle.solve(&Job::default(), &Budget::default(), &mut ()).expect("it is searched");
    let plan = &outcome.solution().expect("it is solved").moves;
    plan.iter().map(|step| step_keys(kind_name, step)).collect()
}

fn step_keys(kind: &str, step: &str) -> String {
    let arrow = |letter: char| match letter.to_ascii_lowercase() {
        'l' => LEFT,
        'r' => RIGHT,
        'u' => UP,
        _ => DOWN,
    };
    let last = step.chars().next_back().unwrap_or_default();
    match kind {
        "sokoban" => arrow(last).to_owned(),
        // The letter is the direction of the blank; the arrow is that of the tile.
        "tiles" => match last {
            'L' => RIGHT,
            'R' => LEFT,
            'U' => DOWN,
            _ => UP,
        }
        .to_owned(),
        "bricks" => {
            let (number, way) = step.trim_matches(['(', ')']).split_once(',').expect("(2,left)");
            format!("{number}{}", arrow(way.chars().next().expect("a word")))
        }
        _ => format!("{}{}", &step[..step.len() - 1], arrow(last)),
    }
}

/// Waits until the optimum is known.
pub(crate) fn see_optimum(pty: &mut Pty) {
    pty.wait("the optimum", |screen| {
        let shown = screen.contents();
        shown.contains("fewest") || (shown.contains("shortest") && !shown.contains("still looking"))
    });
}

/// The displayed count after these keys: steps, or on boards with pipes the number of times that a colour was started.
fn count(kind: &str, keys: &[String]) -> usize {
    let name = |keys: &String| keys.chars().next();
    let same = keys.windows(2).filter(|pair| name(&pair[0]) == name(&pair[1])).count();
    if kind == "flow" { keys.len() - same } else { keys.len() }
}

/// Plays a puzzle to the last step but one, back to the start, and to the win, in windows of several sizes.
fn whole_game(kind: &str, example: &str) {
    let keys = keys(kind, example);
    let mut pty = Start::beeline(&["play", example]).open();
    see_optimum(&mut pty);
    let (fact, praise) = match kind {
        "flow" => ("moves", "moves, and that is the fewest."),
        _ => ("steps", "steps, and that is the shortest."),
    };
    let start = pty.cells();
    assert!(start.iter().any(|(_, _, paper, _)| matches!(paper, Color::Rgb(..))), "pieces have colours");
    let (last, before) = keys.split_last().expect("a plan");
    pty.press(&before.concat());
    pty.see_fact(fact, &count(kind, before).to_string());
    assert_ne!(pty.cells(), start);
    pty.press(&BACKSPACE.repeat(before.len()));
    pty.see_fact(fact, "0");
    // Clears the selection, as at the start.
    pty.press("\x1b");
    pty.see_cells("the start, undone to", &start);
    pty.resize(40, 12);
    pty.wait("the small window", |screen| {
        screen.contents().starts_with(example) && screen.contents().contains(&format!("{fact} 0"))
    });
    pty.resize(80, 24);
    pty.see_cells("the start, after two resizes", &start);
    pty.press(&"y".repeat(before.len()));
    pty.see_fact(fact, &count(kind, before).to_string());
    pty.press(last);
    pty.see(&format!("Solved in {} {praise}", count(kind, &keys)));
    pty.press("q");
    assert_eq!(pty.ends(), 0);
}

#[test]
fn gate() {
    whole_game("gate", "gate-first");
}

#[test]
fn tiles() {
    whole_game("tiles", "tiles-first");
}

#[test]
fn flow() {
    whole_game("flow", "flow-first");
}

#[test]
fn sokoban() {
    whole_game("sokoban", "sokoban-first");
}

#[test]
fn bricks() {
    whole_game("bricks", "bricks-first");
}

#[test]
fn without_a_puzzle_there_is_a_menu() {
    let mut pty = Start::beeline(&["play"]).open();
    pty.see("choose a puzzle");
    pty.press(DOWN);
    pty.see("tiles-toy");
    pty.press(&format!("{RIGHT}\r"));
    pty.see("steps      0");
    pty.press("q");
    pty.see("choose a puzzle");
    pty.press("q");
    assert_eq!(pty.ends(), 0);
}

#[test]
fn without_colour_nothing_is_coloured_and_the_choice_is_reversed() {
    let mut pty = Start::beeline(&["play", "gate-first"]).env("NO_COLOR", "1").open();
    see_optimum(&mut pty);
    pty.press("1");
    pty.see("chosen     1");
    let cells = pty.cells();
    assert!(cells.iter().all(|(_, ink, paper, _)| (*ink, *paper) == (Color::Default, Color::Default)));
    assert!(cells.iter().any(|(text, _, _, reversed)| *reversed && text == "1"), "piece 1 is marked");
    pty.press("q");
    assert_eq!(pty.ends(), 0);
}

#[test]
fn without_utf8_everything_is_ascii() {
    let mut pty = Start::beeline(&["play", "sokoban-first"]).env("LANG", "de_DE.ISO-8859-1").open();
    see_optimum(&mut pty);
    assert!(pty.screen().contents().is_ascii(), "{}", pty.screen().contents());
    assert!(pty.screen().contents().contains('@') && pty.screen().contents().contains('$'));
    pty.press("q");
    assert_eq!(pty.ends(), 0);
}

#[test]
fn a_tiny_window_still_plays() {
    let mut pty = Start::beeline(&["play", "sokoban-first"]).size(16, 4).env("NO_COLOR", "1").open();
    pty.see("@");
    for key in keys("sokoban", "sokoban-first") {
        pty.press(&key);
    }
    pty.see("Solved in");
    pty.press("q");
    assert_eq!(pty.ends(), 0);
}

#[test]
fn hints_and_the_solver() {
    let mut pty = Start::beeline(&["play", "tiles"]).open();
    pty.see("tiles-first");
    pty.press("h");
    pty.see("to the goal, the shortest way");
    pty.press("s");
    pty.see("plays,");
    pty.press("+++++++++");
    pty.see("Solved in");
    pty.press("n");
    pty.wait("the second level", |screen| {
        screen.contents().contains("2/") && !screen.contents().contains("first")
    });
    pty.press("?");
    pty.see("previous level");
    pty.press("q");
    assert_eq!(pty.ends(), 0);
}

#[test]
fn the_mouse_moves_a_tile() {
    let mut pty = Start::beeline(&["play", "tiles-first"]).open();
    see_optimum(&mut pty);
    // The tile to the left of the blank. The labels around a cell identify it.
    let tile = places(pty.screen()).find(|&(line, column)| {
        let cell = pty.screen().cell(line, column);
        cell.is_some_and(|cell| cell.contents() == "2" && cell.bgcolor() != Color::Default && column < PANEL)
    });
    let (line, column) = tile.expect("tile 2 stands beside the blank");
    let click = format!("\x1b[<0;{0};{1}M\x1b[<0;{0};{1}m", column + 1, line + 1);
    pty.press(&click);
    pty.see_fact("steps", "1");
    pty.press("\x03");
    assert_eq!(pty.ends(), 23, "Ctrl-C");
}
