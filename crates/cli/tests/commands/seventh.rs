//! The seventh puzzle of docs/sixth-puzzle.md, in the command `beeline`.

use std::time::Duration;

use beeline_cli::commands::World;
use beeline_puzzles::Kind;

use crate::harness::Runner;

#[path = "../../../../docs/lights.rs"]
#[allow(unreachable_pub, dead_code)] // the file is written as a library of its own
mod lights;

const WORLD: World = World {
    kinds: &[&lights::KIND],
    check: |puzzle, objective, steps| lights::check(&puzzle.text(), objective, steps),
    grace: Duration::from_secs(5),
};

fn runner() -> Runner {
    Runner { world: WORLD, ..Runner::default() }
}

#[test]
fn it_is_solved_checked_listed_and_explained() {
    let done = runner().run(&["solve", "lights-cross"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("lights-cross \"A cross\" · Lights Out"), "{}", done.out);
    assert!(done.out.contains("plan       b2\n") && done.out.contains("proved shortest"), "{}", done.out);
    // Every board of 3 x 3 can be solved.
    let board = b"lights\n*.*\n.*.\n**.\n";
    let piped = || Runner { input: board.to_vec(), ..runner() };
    let lengths: Vec<String> = ["best", "bfs", "astar", "idastar", "ucs"]
        .map(|with| {
            let done = piped().run(&["solve", "-", "--with", with, "--json"]);
            let record: serde_json::Value = serde_json::from_str(&done.out).unwrap();
            record["cost"].to_string()
        })
        .to_vec();
    assert!(lengths.iter().all(|length| *length == lengths[0]), "{lengths:?}");
    assert_eq!(runner().run(&["check", "lights-cross", "--steps", "b2"]).code, 0);
    assert_eq!(runner().run(&["check", "lights-cross", "--steps", "b2 d9"]).code, 33);
    assert_eq!(runner().run(&["check", "lights-cross", "--steps", "a1"]).code, 33);
    assert!(runner().run(&["list"]).out.contains("Lights Out"));
    assert!(runner().run(&["explain", "lights"]).out.contains("a fifth of the lights"));
}

#[test]
fn a_press_of_a_cell_is_a_step() {
    let mut game = lights::KIND.parse("lights\n.*.\n***\n.*.\n").unwrap()[0].game();
    let step = game.press(4).expect("every cell can be pressed");
    assert_eq!(step, "b2");
    game.play(&step).unwrap();
    assert!(game.solved());
}
