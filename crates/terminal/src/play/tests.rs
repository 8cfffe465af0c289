//! Tests of the game without a terminal: keys go in, cells come out.

use super::*;
use beeline_puzzles::{Job, KINDS, kind};
use beeline_search::Verdict;
use beeline_view::Colour;
use crossterm::event::{KeyModifiers, MouseButton, MouseEventKind};
use ratatui_core::backend::TestBackend;
use ratatui_core::terminal::Terminal;

fn game_of(kind_name: &str, text: &str) -> Play {
    let puzzles = kind(kind_name).unwrap().parse(text).unwrap();
    let levels = puzzles.into_iter().map(|puzzle| Level { name: "level".to_owned(), puzzle }).collect();
    Play::new(levels, 0, Look::default(), Budget::default(), GameOptions::default()).unwrap()
}

fn press(play: &mut Play, code: KeyCode) -> Option<Ending> {
    play.key(KeyEvent::new(code, KeyModifiers::NONE))
}

fn type_in(play: &mut Play, text: &str) {
    for letter in text.chars() {
        assert_eq!(press(play, KeyCode::Char(letter)), None);
    }
}

/// What the screen shows, line by line.
fn shown(play: &mut Play, columns: u16, lines: u16) -> Vec<String> {
    let mut terminal = Terminal::new(TestBackend::new(columns, lines)).unwrap();
    terminal.draw(|frame| play.draw(frame)).unwrap();
    let buffer = terminal.backend().buffer();
    (0..lines)
        .map(|y| (0..columns).map(|x| buffer.cell((x, y)).unwrap().symbol()).collect::<String>())
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// Ticks the screen until this is true.
fn wait(play: &mut Play, until: impl Fn(&Play) -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !until(play) {
        assert!(Instant::now() < deadline, "{:?}", play.message);
        play.tick();
        std::thread::yield_now();
    }
}

fn message(play: &Play) -> &str {
    play.message.as_ref().map_or("", |(_, text)| text)
}

/// The keys of a step, from the notation of each kind.
fn keys_of(kind: &str, step: &str) -> String {
    let last = step.trim_end_matches(')').rsplit(',').next().unwrap_or_default();
    match kind {
        "gate" | "flow" => step.to_owned(),
        "sokoban" => step.to_lowercase(),
        // The blank moves one way, the tile the other.
        "tiles" => match step {
            "L" => "r",
            "R" => "l",
            "U" => "d",
            _ => "u",
        }
        .to_owned(),
        _ => {
            let number = step.trim_start_matches('(').split(',').next().unwrap_or_default();
            format!("{number}{}", &last[..1])
        }
    }
}

/// Names may hold the letters of the directions; the arrows are never names.
fn play_keys(play: &mut Play, kind: &str, step: &str) {
    let keys = keys_of(kind, step);
    let (name, direction) = keys.split_at(keys.len() - 1);
    type_in(play, name);
    let arrow = match direction {
        "l" => KeyCode::Left,
        "r" => KeyCode::Right,
        "u" => KeyCode::Up,
        _ => KeyCode::Down,
    };
    assert_eq!(press(play, arrow), None);
}

#[test]
fn every_kind_is_played_to_the_win_and_back() {
    for kind in KINDS {
        let example = kind.examples()[0];
        let mut play = game_of(kind.name(), example.text);
        let outcome = play.levels[0].puzzle.solve(&Job::default(), &Budget::default(), &mut ()).unwrap();
        let Verdict::Solved(plan) = outcome.verdict else { panic!("{} is solved", example.name) };
        let start = play.scene.clone();
        for (i, step) in plan.moves.iter().enumerate() {
            assert!(!play.game.solved(), "{}", example.name);
            play_keys(&mut play, kind.name(), step);
            assert_eq!(play.game.history().len(), i + 1, "{} {step}: {:?}", example.name, play.message);
        }
        assert!(play.game.solved() && message(&play).starts_with("Solved in"), "{}", example.name);
        for _ in &plan.moves {
            press(&mut play, KeyCode::Backspace);
        }
        assert_eq!((&play.scene, play.game.history().len()), (&start, 0), "{}", example.name);
        for _ in &plan.moves {
            press(&mut play, KeyCode::Enter);
        }
        assert!(play.game.solved(), "{} again", example.name);
        press(&mut play, KeyCode::Home);
        assert_eq!(play.scene, start);
    }
}

#[test]
fn every_board_is_drawn_in_every_window() {
    for kind in KINDS {
        for example in kind.examples() {
            let mut play = game_of(kind.name(), example.text);
            for colour in [Colour::None, Colour::Indexed, Colour::True] {
                for ascii in [false, true] {
                    play.look = Look { colour, ascii };
                    for (columns, lines) in [(120, 50), (80, 24), (40, 12), (24, 8), (12, 5), (7, 3), (1, 1)]
                    {
                        play.help = false;
                        press(&mut play, KeyCode::Tab);
                        let small = shown(&mut play, columns, lines).concat();
                        assert!(!ascii || small.is_ascii(), "{}: {small}", example.name);
                        press(&mut play, KeyCode::F(1));
                        shown(&mut play, columns, lines);
                    }
                }
            }
        }
    }
}

#[test]
fn hints_are_steps_of_a_shortest_plan() {
    let mut play = game_of("sokoban", "#######\n#@ $ .#\n#######\n");
    press(&mut play, KeyCode::Char('h'));
    wait(&mut play, |play| message(play).starts_with("Hint"));
    assert_eq!(message(&play), "Hint: r (3 to the goal, the shortest way; again to play it)");
    press(&mut play, KeyCode::Char('h'));
    assert_eq!(play.game.history(), ["r"]);
    // The plan continues from here, so no search is needed.
    press(&mut play, KeyCode::Char('h'));
    assert!(message(&play).starts_with("Hint: R (2 to the goal"), "{}", message(&play));
    // Any other key hides the hint, so that a second hint key does not play it.
    press(&mut play, KeyCode::Left);
    press(&mut play, KeyCode::Char('h'));
    wait(&mut play, |play| message(play).starts_with("Hint"));
    assert_eq!(play.game.history(), ["r", "l"]);
}

#[test]
fn hints_are_shown_on_the_board() {
    let boards = [
        ("sokoban", "#######\n#@$  .#\n#######\n", '→'),
        ("gate", "######\n#0  G#\n######\n", '→'),
        ("tiles", "1 0\n2 3\n", '→'),
        ("flow", "A..A\nB..B\n", '→'),
    ];
    for (kind, text, arrow) in boards {
        let mut play = game_of(kind, text);
        let before = shown(&mut play, 80, 24).concat().matches(arrow).count();
        press(&mut play, KeyCode::F(2));
        wait(&mut play, |play| message(play).starts_with("Hint"));
        let after = shown(&mut play, 80, 24).concat().matches(arrow).count();
        assert_eq!((before, after), (0, 1), "{kind}: {:?}", play.hint);
    }
}

#[test]
fn a_question_mark_shows_rules_keys_and_mouse() {
    let mut play = game_of("flow", "A.A\nB.B\n");
    press(&mut play, KeyCode::Char('?'));
    let help = shown(&mut play, 100, 30).join("\n");
    for part in ["Join each pair", "Mouse: drag from dot to dot", "undo", "hint"] {
        assert!(help.contains(part), "{part}: {help}");
    }
}

#[test]
fn tiles_show_their_goal_and_tell_of_the_other_one() {
    let mut play = game_of("tiles", "1 2 3 4 5 6 7 8 0\n");
    assert!(message(&play).contains("1 to 8, then the blank"), "{}", message(&play));
    let screen = shown(&mut play, 100, 30).join("\n");
    assert!(screen.contains("goal       the blank first"), "{screen}");
    assert!(screen.contains("│3 4 5 │"), "the goal in small: {screen}");
    press(&mut play, KeyCode::Char('g'));
    let screen = shown(&mut play, 100, 30).join("\n");
    assert!(screen.contains("goal       1 to 8, then the blank") && screen.contains("│4 5 6 │"), "{screen}");
}

#[test]
fn a_win_is_compared_with_the_optimum() {
    let mut play = game_of("sokoban", "######\n#@$ .#\n######\n");
    wait(&mut play, |play| play.plans.best().is_some());
    (0..2).for_each(|_| assert_eq!(press(&mut play, KeyCode::Right), None));
    assert_eq!(message(&play), "Solved in 2 steps, and that is the shortest.");
    let mut play = game_of("flow", "A.A\nB.B\n");
    for (row, colour) in [(0, "A"), (1, "B")] {
        mouse(&mut play, DOWN, (row, 0));
        mouse(&mut play, DRAG, (row, 2));
        assert_eq!(play.selection.name(), Some(colour));
    }
    assert_eq!(message(&play), "Solved in 2 moves, and that is the fewest.");
}

#[test]
fn the_solver_plays_from_here_until_a_key_is_pressed() {
    let mut play = game_of("sokoban", "#########\n#@ $   .#\n#########\n");
    press(&mut play, KeyCode::Right);
    press(&mut play, KeyCode::Char('s'));
    wait(&mut play, |play| play.demo.is_some());
    for _ in 0..9 {
        press(&mut play, KeyCode::Char('+'));
    }
    assert!(play.demo.is_some(), "the speed can be changed while the solver plays");
    press(&mut play, KeyCode::Esc);
    assert!(play.demo.is_none());
    press(&mut play, KeyCode::Char('s'));
    wait(&mut play, |play| play.game.solved());
    assert_eq!(play.game.history().concat(), "rRRRR");
    assert_eq!(play.own_best, [None], "what the solver did is not the person's best");
}

#[test]
fn a_dead_end_is_told_of() {
    let mut play = game_of("sokoban", "######\n#@$  #\n#   .#\n######\n");
    for _ in 0..3 {
        press(&mut play, KeyCode::Right);
    }
    press(&mut play, KeyCode::Char('h'));
    wait(&mut play, |play| play.plan_request.is_none());
    assert!(message(&play).starts_with("there is no way to the goal from here"), "{}", message(&play));
}

#[test]
fn pieces_must_be_chosen() {
    let mut play = game_of("gate", "######\n#0  G#\n#1   #\n######\n");
    press(&mut play, KeyCode::Right);
    assert!(message(&play).starts_with("choose what to move first"));
    type_in(&mut play, "1r");
    assert_eq!(play.game.history(), ["1r"]);
    // Digits and letters in one row, and the choice stays.
    type_in(&mut play, "0rr");
    assert_eq!(play.game.history(), ["1r", "0r", "0r"]);
    press(&mut play, KeyCode::Up);
    assert!(message(&play).contains("0u"), "{}", message(&play));
    press(&mut play, KeyCode::Esc);
    assert_eq!(play.selection.chosen(), None);
    assert_eq!(press(&mut play, KeyCode::Char('q')), Some(Ending::Quit));
}

#[test]
fn levels_are_turned_like_pages() {
    let mut play = game_of("sokoban", "#####\n#@$.#\n#####\n\n######\n#@$ .#\n######\n");
    press(&mut play, KeyCode::Char('p'));
    assert_eq!((play.at, message(&play)), (0, "this is the first level"));
    press(&mut play, KeyCode::Right);
    assert!(play.game.solved());
    press(&mut play, KeyCode::PageDown);
    assert_eq!((play.at, play.game.history().len()), (1, 0));
    press(&mut play, KeyCode::Char('n'));
    assert_eq!(message(&play), "this is the last level");
    press(&mut play, KeyCode::PageUp);
    assert_eq!((play.at, play.own_best[0]), (0, Some(1)), "the own best is kept");
}

#[test]
fn strict_manners_end_the_game() {
    let strict = |map: &str, keys: &[KeyCode]| {
        let mut play = game_of("sokoban", map);
        play.options = GameOptions {
            ends_when_won: true,
            is_lost: Some(|scene| scene.at(1, 1).thing.is_some()),
            space_restarts: true,
        };
        keys.iter().find_map(|&key| press(&mut play, key))
    };
    assert_eq!(strict("######\n# @$.#\n######\n", &[KeyCode::Right]), Some(Ending::Won));
    assert_eq!(strict("######\n# @$.#\n######\n", &[KeyCode::Left]), Some(Ending::Lost));
    let again = [KeyCode::Right, KeyCode::Char(' '), KeyCode::Right, KeyCode::Right];
    assert_eq!(strict("#######\n# @$ .#\n#######\n", &again), Some(Ending::Won));
}

/// The place of a cell on the screen as it was drawn last.
fn place(play: &Play, cell: (usize, usize)) -> (u16, u16) {
    let places = (0..24).flat_map(|y| (0..80).map(move |x| (x, y)));
    places.into_iter().find(|&(x, y)| play.placement.cell(x, y) == Some(cell)).expect("the cell is shown")
}

fn mouse(play: &mut Play, kind: MouseEventKind, cell: (usize, usize)) {
    shown(play, 80, 24);
    let (column, row) = place(play, cell);
    play.mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
}

const DOWN: MouseEventKind = MouseEventKind::Down(MouseButton::Left);
const DRAG: MouseEventKind = MouseEventKind::Drag(MouseButton::Left);
const UP: MouseEventKind = MouseEventKind::Up(MouseButton::Left);

#[test]
fn pieces_follow_the_mouse() {
    let mut play = game_of("gate", "######\n#0  G#\n#1   #\n######\n");
    mouse(&mut play, DOWN, (2, 1));
    assert_eq!(play.selection.name(), Some("1"));
    mouse(&mut play, DRAG, (2, 3));
    assert_eq!(play.game.history(), ["1r", "1r"]);
    mouse(&mut play, DRAG, (2, 2));
    assert_eq!(play.game.history(), ["1r", "1r", "1l"]);
    mouse(&mut play, DRAG, (0, 2));
    assert_eq!(play.game.history().len(), 4, "up once, and there is the wall");
}

#[test]
fn tiles_are_clicked() {
    let mut play = game_of("tiles", "1 0\n2 3\n");
    mouse(&mut play, DOWN, (0, 0));
    assert_eq!(play.game.history(), ["L"]);
    mouse(&mut play, DOWN, (1, 1));
    assert_eq!((play.game.history().len(), message(&play)), (1, "that tile is not beside the blank"));
}

#[test]
fn pipes_are_drawn_from_dot_to_dot_with_the_mouse() {
    // Cell by cell onto the goal, from either dot.
    for cells in [[(0, 0), (0, 1), (0, 2)], [(0, 2), (0, 1), (0, 0)]] {
        let mut play = game_of("flow", "A.A\nB.B\n");
        mouse(&mut play, DOWN, cells[0]);
        cells[1..].iter().for_each(|&cell| mouse(&mut play, DRAG, cell));
        mouse(&mut play, UP, cells[2]);
        assert_eq!((play.game.history().len(), play.selection.name()), (1, Some("A")));
        mouse(&mut play, DOWN, (1, 0));
        mouse(&mut play, DRAG, (1, 2));
        assert!(play.game.solved(), "{:?}", play.game.history());
    }
}

#[test]
fn pipes_are_shortened_cut_and_cleared_with_the_mouse() {
    let mut play = game_of("flow", "A...A\nB...B\n");
    let start = play.scene.clone();
    mouse(&mut play, DOWN, (0, 0));
    mouse(&mut play, DRAG, (0, 3));
    mouse(&mut play, DRAG, (0, 1));
    assert_eq!(play.game.history(), ["A=r"], "back along the pipe");
    mouse(&mut play, DRAG, (0, 4));
    mouse(&mut play, UP, (0, 4));
    let joined = play.scene.clone();
    mouse(&mut play, DOWN, (1, 0));
    mouse(&mut play, DRAG, (1, 1));
    mouse(&mut play, DRAG, (0, 1));
    assert!(play.scene.at(0, 2).thing.is_none(), "the pipe of A is cut");
    mouse(&mut play, DRAG, (1, 1));
    assert!(play.scene.at(0, 2).thing.is_some(), "and whole again when it is left");
    mouse(&mut play, UP, (1, 1));
    press(&mut play, KeyCode::Backspace);
    assert_eq!(play.scene, joined, "a stroke is one step");
    mouse(&mut play, DOWN, (0, 4));
    assert_eq!(play.scene, start, "a tap on a dot clears its pipe");
    mouse(&mut play, DOWN, (0, 0));
    mouse(&mut play, DRAG, (1, 0));
    assert_eq!(message(&play), "that is a dot of B");
}

#[test]
fn the_player_walks_to_where_it_is_sent() {
    let mut play = game_of("sokoban", "######\n#@#  #\n#    #\n# $ .#\n######\n");
    mouse(&mut play, DOWN, (1, 4));
    assert_eq!(play.game.history().concat(), "drrru");
    mouse(&mut play, DOWN, (0, 0));
    assert_eq!(play.game.history().len(), 5, "nobody walks into a wall");
    mouse(&mut play, DOWN, (3, 1));
    mouse(&mut play, DOWN, (3, 2));
    assert!(play.game.history().concat().ends_with('R'), "a box beside the player is pushed");
}

/// A row of lamps in which a press changes one: the smallest puzzle whose move is the press of a cell.
mod lamps {
    use beeline_puzzle::scene::{Form, Scene, Thing};
    use beeline_puzzle::{Game, Puzzle};

    #[derive(Clone)]
    pub(super) struct Lamps(pub(super) [bool; 3], pub(super) Vec<String>);

    impl Game for Lamps {
        fn scene(&self) -> Scene {
            let mut scene = Scene::new(3, 1);
            for (cell, lit) in scene.cells.iter_mut().zip(self.0) {
                let thing = Thing { id: 0, form: Form::Tile, label: "*".into(), links: 0, colour: None };
                cell.thing = lit.then_some(thing);
            }
            scene
        }
        fn legal(&self) -> Vec<String> {
            (0..3).map(|cell: usize| cell.to_string()).collect()
        }
        fn play(&mut self, step: &str) -> Result<(), String> {
            let cell: usize = step.parse().map_err(|_| "no cell".to_owned())?;
            self.0[cell] = !self.0[cell];
            self.1.push(step.to_owned());
            Ok(())
        }
        fn press(&self, cell: usize) -> Option<String> {
            Some(cell.to_string())
        }
        fn undo(&mut self) -> bool {
            self.1
                .pop()
                .and_then(|step| step.parse::<usize>().ok())
                .inspect(|&cell| self.0[cell] = !self.0[cell])
                .is_some()
        }
        fn solved(&self) -> bool {
            self.0 == [false; 3]
        }
        fn history(&self) -> &[String] {
            &self.1
        }
        fn here(&self) -> Box<dyn Puzzle> {
            beeline_puzzles::kind("tiles").unwrap().parse("1 0\n3 2\n").unwrap().remove(0)
        }
    }
}

#[test]
fn cells_are_pressed_by_keys_and_by_clicks() {
    let mut play = game_of("tiles", "1 0\n3 2\n");
    let lamps = lamps::Lamps([true, false, true], Vec::new());
    (play.scene, play.mark) = (beeline_puzzle::Game::scene(&lamps), mark::Mark::new(&lamps));
    play.game = Box::new(lamps);
    for code in [KeyCode::Right, KeyCode::Char(' '), KeyCode::Right, KeyCode::Right, KeyCode::Char(' ')] {
        assert_eq!(press(&mut play, code), None);
    }
    assert_eq!(play.game.history(), ["1", "2"], "the mark ends at the edge");
    shown(&mut play, 60, 20);
    let (column, row) = (0..60)
        .flat_map(|column| (0..20).map(move |row| (column, row)))
        .find(|&(column, row)| play.placement.cell(column, row) == Some((0, 0)))
        .unwrap();
    let click = MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column,
        row,
        modifiers: KeyModifiers::NONE,
    };
    play.on_mouse(click);
    assert_eq!(play.game.history(), ["1", "2", "0"]);
}
