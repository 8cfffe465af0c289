//! The rules, the text format, and the space, against small boards drawn here.

use beeline_search::Space;

use super::board::{Board, DIRS};
use super::kind::KIND;
use super::text::{self, Level};
use super::{Steps, state_bits};
use beeline_puzzle::game::Notation;
use beeline_puzzle::puzzle::Kind;

fn level(text: &str) -> Level {
    text::parse(text).unwrap().remove(0)
}

fn board(text: &str) -> Board {
    level(text).board
}

const TURN: &str = "\
#######
#  .  #
# $@  #
#     #
#######
";

#[test]
fn squares_are_what_the_player_can_reach() {
    let b = board(TURN);
    assert_eq!((b.width(), b.height(), b.squares()), (7, 5, 15));
    assert_eq!(b.place(b.player()), (2, 3));
    assert_eq!(b.boxes().len(), 1);
    assert_eq!(b.square(0, 0), None);
}

#[test]
fn reads_what_it_prints() {
    for text in
        [TURN, "####\n#+$#\n#  #\n####\n", "#####\n#@$.#\n##### \n", " ####\n##@.##\n#  $ #\n######\n"]
    {
        let one = level(text);
        assert_eq!(level(&text::print(&one)), one);
        assert_eq!(level(&text::encode(&one.board)).board, one.board);
    }
}

#[test]
fn ragged_rows_carriage_returns_and_comments() {
    let plain = board("#####\n#@$.#\n#####\n");
    assert_eq!(board("#####\r\n#@$.#\r\n#####"), plain);
    assert_eq!(board("% a level\n#####\n#@$.# % the row\n% between\n#####\n"), plain);
    assert_eq!(board("5#|#@$.#|5#"), plain);
    assert_eq!(board("#####\n#@$.#\n#####\n\n\n"), plain);
}

#[test]
fn collections_keep_titles_authors_and_remarks() {
    let text = "\
; My set
Author: Me

; first one

####
#@.#
#$ #
#  #
####

Second
#####
#@$.#
#####
Title: The second
Author: You
Comment: quite short
";
    let levels = text::parse(text).unwrap();
    assert_eq!(levels.len(), 2);
    assert_eq!(levels[0].title.as_deref(), Some("first one"));
    assert_eq!(levels[0].author.as_deref(), Some("Me"));
    assert_eq!(levels[1].title.as_deref(), Some("The second"));
    assert_eq!(levels[1].author.as_deref(), Some("You"));
    assert_eq!(levels[1].remarks, ["quite short"]);
    assert_eq!(text::parse(&text::print_all(&levels)).unwrap(), levels);
}

fn fault(text: &str) -> (String, (usize, usize)) {
    let error = text::parse(text).unwrap_err();
    (error.message.clone(), error.position(text))
}

#[test]
fn faults_name_their_place() {
    assert_eq!(fault("#####\n#@x.#\n#####\n"), ("unknown character 'x'".into(), (2, 3)));
    assert_eq!(fault("#####\n#@$.#\n#@  #\n#####\n"), ("a second player".into(), (3, 2)));
    assert_eq!(fault("#####\n# $.#\n#####\n"), ("there is no player".into(), (1, 1)));
    assert_eq!(fault("#####\n#@$. \n#####\n").0, "the board is open here: the player could walk out");
    assert_eq!(fault("###\n#@$.#\n#####\n").1, (1, 4), "behind the end of a short row");
    assert_eq!(fault("######\n#@$$.#\n######\n"), ("2 boxes and only 1 goal".into(), (2, 4)));
    assert_eq!(fault("## ##\n#@$.#\n#####\n").1, (1, 3));
    assert_eq!(fault("hello\n").0, "there is no board here");
    assert_eq!(fault("").0, "there is no board here");
}

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
    fn walk(space: &Steps<1>, state: &mut super::State<1>, left: usize) -> u64 {
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
