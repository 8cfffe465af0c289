//! Tests of the space of steps, on small boards drawn here.

use beeline_puzzle::Kind;
use beeline_puzzle::game::Notation;
use beeline_search::Space;
use beeline_sokoban::board::{Board, DIRS};
use beeline_sokoban::{KIND, State, Steps, state_bits, text};

fn board(text: &str) -> Board {
    text::parse(text).unwrap().remove(0).board
}

const TURN: &str = "\
#######
#  .  #
# $@  #
#     #
#######
";

#[test]
fn examples_are_read_and_told_apart() {
    let mut names = Vec::new();
    for example in KIND.examples() {
        assert!(KIND.recognises(example.text), "{}", example.name);
        let puzzles = KIND.parse(example.text).unwrap();
        assert_eq!(puzzles.len(), 1);
        let again = KIND.parse(&puzzles[0].text()).unwrap();
        assert_eq!(again[0].text(), puzzles[0].text());
        names.push(example.name);
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), KIND.examples().len());
}

/// Paths of each length, counted by playing them.
fn perft(space: &Steps<1>, depth: usize) -> u64 {
    fn walk(space: &Steps<1>, state: &mut State<1>, left: usize) -> u64 {
        if left == 0 {
            return 1;
        }
        let mut paths = 0;
        for dir in space.moves(state) {
            let before = *state;
            let token = space.apply(state, dir);
            assert_eq!(space.unpack(&space.pack(state)), *state);
            paths += walk(space, state, left - 1);
            space.undo(state, dir, token);
            assert_eq!(*state, before);
        }
        paths
    }
    walk(space, &mut space.start(), depth)
}

#[test]
fn perft_of_a_small_room() {
    let space = Steps::<1>::new(&board(TURN)).unwrap();
    // One step: left pushes the box against nothing but floor, so all four are possible.
    let counts: Vec<u64> = (0..7).map(|depth| perft(&space, depth)).collect();
    assert_eq!(counts, [1, 4, 13, 43, 128, 415, 1223]);
}

#[test]
fn the_first_step_may_be_a_push() {
    let space = Steps::<1>::new(&board(TURN)).unwrap();
    let start = space.start();
    let shown: Vec<String> = space.moves(&start).map(|dir| space.show(&start, dir)).collect();
    assert_eq!(shown, ["L", "r", "u", "d"]);
    assert_eq!(DIRS.map(|d| d.back().back()), DIRS);
}

#[test]
fn wide_boards_need_more_words() {
    let row = "#".repeat(80);
    let text = format!("{row}\n#@$.{}#\n{row}\n", " ".repeat(75));
    let b = board(&text);
    assert_eq!(state_bits(&b), 78 + 7);
    assert!(Steps::<1>::new(&b).is_none());
    let space = Steps::<4>::new(&b).unwrap();
    let state = space.start();
    assert_eq!(space.unpack(&space.pack(&state)), state);
}
