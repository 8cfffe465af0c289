//! Boards in letters, solved.

use beeline_puzzle::{Job, Kind, Puzzle};
use beeline_search::Budget;
use beeline_sliding::bricks::letters::recognises;
use beeline_sliding::bricks::{Bricks, KIND};

fn steps(text: &str, objective: &str) -> u64 {
    let puzzle = &KIND.parse(text).unwrap()[0];
    let job = Job { objective: Some(objective.to_owned()), ..Job::default() };
    let outcome = puzzle.solve(&job, &Budget::default(), &mut ()).unwrap();
    let plan = outcome.solution().unwrap();
    let mut game = puzzle.game();
    assert!(plan.moves.iter().all(|step| game.play(step).is_ok()) && game.solved());
    assert!(plan.is_optimal());
    plan.cost
}

/// A truck blocks the red car and must go down two cells; a car below makes room.
const JAM: &str = "oooooooooBooAAoBooooxBooooCCoooooooo";

#[test]
fn cars_move_along_their_length_and_the_red_one_leaves_at_the_right() {
    assert!(recognises(JAM));
    assert_eq!((steps(JAM, "moves"), steps(JAM, "steps")), (3, 7));
    let grid = JAM.as_bytes().chunks(6).map(|row| String::from_utf8_lossy(row).replace('o', ".") + "\n");
    let grid: String = grid.collect::<String>().replace('x', "#");
    let puzzle = |text: &str| KIND.parse(text).unwrap()[0].text();
    assert!(recognises(&grid), "{grid}");
    assert_eq!(puzzle(&grid), puzzle(JAM));
    for other in [JAM.replace('A', "R"), JAM.replace('A', "X").replace('C', "A"), grid.replace('A', "X")] {
        assert!(recognises(&other), "{other}");
        assert_eq!(puzzle(&other), puzzle(JAM), "the red car may have another name");
    }
    assert!(puzzle(JAM).starts_with("rule: lengthwise\n6,6,\n"));
    assert_eq!(puzzle(&puzzle(JAM)), puzzle(JAM));
    let table =
        format!("moves board states\n3 {JAM} 100\n4 {} 7\n\n5,{JAM},x\n", JAM.replace("BooA", "AooA"));
    let read = KIND.parse_each(&table);
    let good: Vec<bool> = read.iter().map(Result::is_ok).collect();
    assert_eq!(good, [true, false, true]);
}

#[test]
fn grids_of_letters_are_klotski() {
    let text = "ABBC\nABBC\nDEEF\nDGHF\nI..J\n";
    assert!(recognises(text));
    let read = KIND.parse(text).unwrap();
    let klotski = KIND.examples().iter().find(|e| e.name == "bricks-klotski").unwrap();
    let facts = |puzzle: &dyn Puzzle| puzzle.facts();
    assert_eq!(facts(&*read[0])[1..3], facts(&Bricks::parse(klotski.text).unwrap())[1..3]);
    assert_eq!(steps(text, "moves"), 81);
    assert_eq!(steps(&format!("{text}\n....\n....\n....\n.BB.\n.BB.\n"), "moves"), 81);
    for text in ["A..A\nB..B\n", "A.B\nA.B\n", "hello\n", "#####\n#@$.#\n#####\n", "#0 G#\n#####\n"] {
        assert!(!recognises(text), "{text}");
    }
}

#[test]
fn a_target_may_mean_this_very_brick() {
    // Two equal bricks in a ring: one of them is there already and must make way for the other.
    let board = "3,3,\n3,0,4,\n0,1,0,\n2,0,0,\n";
    let wanted = |target: &str| format!("{board}{target},0,0,\n0,0,0,\n2,0,0,\n");
    let cost = |target: &str| steps(&wanted(target), "steps");
    assert_eq!((cost("3"), cost("4"), cost("-3")), (0, 0, 0));
    assert_eq!(cost("-4"), 3);
    let grid = "AB.\n...\n\nBA.\n...\n";
    assert_eq!(steps(grid, "steps"), 4);
}
