//! Golden output of every command.

use beeline_cli::commands::{Screen, World};
use beeline_puzzles::KINDS;
use beeline_view::Colour;

use crate::harness::{Folder, Runner, beeline, golden, piped};

#[test]
fn every_command_prints_what_it_printed() {
    let all: [(&str, &[&str]); 21] = [
        ("tour.txt", &[]),
        ("help.txt", &["help"]),
        ("solve-help.txt", &["solve", "--help"]),
        ("solve.txt", &["solve", "toy-first"]),
        ("solve-ascii.txt", &["solve", "toy-first", "--ascii"]),
        ("solve-pack.txt", &["solve", "toy-pack"]),
        ("solve-level.txt", &["solve", "toy-pack", "--level", "long", "--with", "A*"]),
        ("solve-quiet.txt", &["solve", "toy-pack", "--quiet"]),
        ("solve-json.txt", &["solve", "toy-pack", "--json"]),
        ("solve-plan.txt", &["solve", "toy-first", "--plan", "-", "--quiet"]),
        ("check.txt", &["check", "toy-first", "--steps", "rrr"]),
        ("check-step.txt", &["check", "toy-first", "--steps", "rlr"]),
        ("check-goal.txt", &["check", "toy-first", "--steps", "rr"]),
        ("check-json.txt", &["check", "toy-first", "--steps", "rlr", "--json"]),
        ("compare.txt", &["compare", "toy-first", "--with", "bfs,astar,iw"]),
        ("compare-csv.txt", &["compare", "toy-pack", "--with", "bfs,iw", "--csv"]),
        ("compare-markdown.txt", &["compare", "toy-first", "--with", "bfs,iw", "--markdown"]),
        ("compare-json.txt", &["compare", "toy-first", "--with", "bfs", "--json"]),
        ("draw.txt", &["draw", "toy-pack"]),
        ("draw-svg.txt", &["draw", "toy-first", "--svg"]),
        ("explain-kind.txt", &["explain", "toy"]),
    ];
    for (name, args) in all {
        golden(name, args, &beeline(args));
    }
}

#[test]
fn standard_input_is_a_file_too() {
    let args = ["solve", "-", "--quiet"];
    assert_eq!(piped(&args, b"toy walk 2\n").out, "rr\n");
    assert_eq!(
        piped(&args, b"\xef\xbb\xbftoy walk 2\r\n").out,
        "rr\n",
        "a byte order mark and CR LF are welcome"
    );
}

#[test]
fn plans_are_written_read_and_checked() {
    let folder = Folder::new("plans");
    let (puzzle, plan) = (folder.file("p.txt", "toy walk 4\n"), folder.0.join("plan.txt"));
    let plan = plan.to_str().unwrap();
    assert_eq!(beeline(&["solve", &puzzle, "--plan", plan]).code, 0);
    assert_eq!(std::fs::read_to_string(plan).unwrap(), "rrrr\n");
    assert_eq!(beeline(&["check", &puzzle, plan]).code, 0);
    assert_eq!(piped(&["check", &puzzle, "-"], b"rrr").code, 33);
    let drawn = beeline(&["draw", &puzzle, "--plan", plan, "--step", "1"]);
    assert!(drawn.out.contains("██  @"), "{}", drawn.out);
    assert_eq!(beeline(&["draw", &puzzle, "--plan", plan, "--step", "9"]).code, 30);
    let picture = folder.0.join("p.svg");
    let named = picture.to_str().unwrap();
    for args in [&["draw", &puzzle, "--svg", "-o", named][..], &["draw", &puzzle, "-o", named]] {
        assert_eq!(beeline(args).code, 0);
        assert!(std::fs::read_to_string(&picture).unwrap().ends_with("</svg>\n"));
        std::fs::remove_file(&picture).unwrap();
    }
}

#[test]
fn answers_of_a_board_are_counted_and_two_are_shown() {
    let folder = Folder::new("answers");
    let runner = Runner { world: World::default(), ..Runner::default() };
    let one = runner.run(&["flow", "answers", "flow-first", "--cross-check"]);
    assert_eq!(
        (one.code, one.out.as_str()),
        (
            0,
            "flow-first \"First flow\": one answer, proved to be the only one\nsecond opinion: the corner and the SAT solver agree\n"
        ),
        "{}",
        one.err
    );
    // Either red or yellow goes around all others.
    let board = folder.file("two.txt", ".....\n.B...\n..R..\nY.YB.\nR....\n");
    let several = runner.run(&["flow", "answers", &board]);
    assert!(several.code == 0 && several.out.contains("2 answers or more"), "{}{}", several.out, several.err);
    assert_eq!(several.out.matches('R').count(), 4, "two boards with two ends each:\n{}", several.out);
    let all = runner.run(&["flow", "answers", &board, "--limit", "99", "--quiet"]);
    assert!(all.out.ends_with("2 answers, and no more: proved\n"), "{}", all.out);
    let none = runner.run(&["flow", "answers", "flow-crossing"]);
    assert!(none.code == 10 && none.out.contains("proved unsolvable"), "{}", none.out);
    let mixed = runner.run(&["flow", "answers", "tiles-first", "flow-first"]);
    assert!(mixed.code == 32 && mixed.err.contains("no Flow Free board"), "{}", mixed.err);
    assert!(mixed.out.contains("one answer"), "the others are answered all the same: {}", mixed.out);
    let stopped = runner.run(&["flow", "answers", "flow-wide", "--time", "0s"]);
    assert!(stopped.code == 20 && stopped.out.contains("0 answers so far"), "{}", stopped.out);
}

#[test]
fn sokoban_plans_are_improved_and_stay_plans() {
    let folder = Folder::new("improve");
    let level = folder.file("level.txt", "#######\n#@ $ .#\n#     #\n#######\n");
    let runner = Runner { world: World::default(), ..Runner::default() };
    let long = folder.file("long.txt", "druRR\n");
    let done = runner.run(&["sokoban", "improve", &level, &long]);
    assert_eq!((done.code, done.out.as_str()), (0, "rRR\n"), "{}", done.err);
    assert_eq!(done.err, "5 moves, 2 pushes → 3 moves, 2 pushes; nothing more found\n");
    let stopped = runner.run(&["sokoban", "improve", &level, &long, "--time", "0s", "--threads", "2"]);
    assert_eq!((stopped.code, stopped.out.as_str()), (0, "rRR\n"), "walks are shortest without any search");
    assert!(stopped.err.contains("stopped by the time limit"), "{}", stopped.err);
    let broken = folder.file("broken.txt", "rR\n");
    assert_eq!(runner.run(&["sokoban", "improve", &level, &broken]).code, 33);
    let other = KINDS.iter().find(|kind| kind.name() != "sokoban").unwrap().examples()[0].name;
    assert_eq!(runner.run(&["sokoban", "improve", other, &long]).code, 32);
}

#[test]
fn any_plan_of_sokoban_is_improved_for_some_time_and_its_pushes_are_told() {
    let runner = Runner { world: World::default(), ..Runner::default() };
    let asked = ["solve", "sokoban-pantry", "--objective", "any", "--improve", "10s"];
    let done = runner.run(&asked);
    assert_eq!(done.code, 0, "{}", done.err);
    let line = done.out.lines().find(|line| line.starts_with("length")).unwrap_or_default();
    assert!(line.contains(" pushes · any plan was asked for"), "{}", done.out);
    let steps = |out: &str| out.split("length").nth(1)?.split_whitespace().next()?.parse::<u32>().ok();
    let quick = runner.run(&asked[..4]);
    assert!(steps(&done.out).is_some() && steps(&done.out) <= steps(&quick.out), "{}", done.out);
    let proved = runner.run(&["solve", "sokoban-pantry", "--improve", "1s"]);
    assert!(proved.code == 32 && proved.err.contains("--objective any"), "{}", proved.err);
}

#[test]
fn an_empty_plan_solves_a_solved_puzzle() {
    let folder = Folder::new("empty-plan");
    let (puzzle, plan) = (folder.file("p.txt", "toy walk 0\n"), folder.file("plan.txt", "\n"));
    assert_eq!(beeline(&["check", &puzzle, &plan]).code, 0);
    assert_eq!(beeline(&["check", &puzzle, "--steps", ""]).code, 0);
}

#[test]
fn promises_are_told_apart() {
    for (word, promise, told) in [
        ("walk", "optimal", "proved shortest"),
        ("bounded", "bounded", "at most 2.00 times the shortest (no plan costs less than 2)"),
        ("unproved", "none", "nothing proved"),
    ] {
        let text = format!("toy {word} 4\n");
        let human = piped(&["solve", "-"], text.as_bytes());
        assert!(human.out.replace("\n           ", " ").contains(told), "{}", human.out);
        let json = piped(&["solve", "-", "--json"], text.as_bytes()).out;
        assert!(json.contains(&format!("\"promise\":\"{promise}\"")), "{json}");
    }
}

#[test]
fn every_json_line_is_an_object_of_the_schema() {
    for args in [
        &["solve", "toy-pack", "nothing-there", "--json"][..],
        &["compare", "toy-pack", "--json"],
        &["check", "toy-first", "--steps", "r", "--json"],
        &["list", "--json"],
    ] {
        let done = beeline(args);
        assert!(done.out.lines().count() > 0);
        for line in done.out.lines() {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(value["schema"], "beeline/1", "{line}");
        }
    }
}

#[test]
fn a_bad_file_among_good_ones_is_reported_and_the_others_go_on() {
    let done = beeline(&["solve", "toy-first", "no-such-puzzle", "toy-first", "--quiet"]);
    assert_eq!((done.code, done.out.as_str()), (31, "rrr\nrrr\n"));
    assert!(done.err.contains("no-such-puzzle"), "{}", done.err);
}

#[test]
fn lists_name_everything() {
    let wide = Runner { screen: Screen::plain(200), ..Runner::default() };
    let all = wide.run(&["list"]).out;
    for name in ["toy-first", "toy-pack", "Toy corridors", "best"] {
        assert!(all.contains(name), "{name} is missing:\n{all}");
    }
    for strategy in beeline_search::strategies::STRATEGIES {
        assert!(all.contains(strategy.name) && all.contains(strategy.title), "{}", strategy.name);
    }
    assert!(!beeline(&["list", "kinds"]).out.contains("toy-first"));
    assert!(!beeline(&["list", "examples", "--kind", "other"]).out.contains("toy-first"));
}

#[test]
fn lists_fit_the_screen_and_are_whole_in_a_pipe() {
    let world = World::default();
    let narrow = Runner { world, screen: Screen::plain(60), ..Runner::default() };
    for what in [&["list"][..], &["list", "puzzles"], &["list", "heuristics"], &["list", "rules"]] {
        let text = narrow.run(what).out;
        assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
        assert!(!text.contains('…'), "{text}");
    }
    let mut screen = Screen::plain(60);
    screen.whole = true;
    let piped = Runner { screen, world, ..Runner::default() }.run(&["list"]).out;
    for kind in KINDS {
        for choice in kind.heuristics().iter().chain(kind.rules()).chain(kind.objectives()) {
            let listed = piped.lines().any(|line| {
                let mut words = line.split_whitespace();
                let named = words.next() == Some(choice.name) && words.next() == Some(kind.name());
                named && line.contains(choice.about)
            });
            assert!(listed, "{} of {}", choice.name, kind.name());
        }
        for example in kind.examples() {
            assert!(piped.contains(example.title), "{}", example.name);
        }
    }
    assert_eq!(narrow.run(&["list", "puzzles"]).out, narrow.run(&["list", "examples"]).out);
    for line in narrow.run(&["list", "rules", "--json"]).out.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(value["list"], "rules");
    }
}

#[test]
fn a_puzzle_has_the_title_of_the_list_in_every_report() {
    let runner = Runner { world: World::default(), ..Runner::default() };
    for kind in KINDS {
        let example = &kind.examples()[0];
        let report = runner.run(&["solve", example.name]).out;
        let heading = format!("{} \"{}\"", example.name, example.title);
        assert!(report.starts_with(&heading), "{report}");
    }
}

#[test]
fn ascii_alone_is_printed_where_it_is_asked_for() {
    let folder = Folder::new("ascii");
    let named = folder.file("née.txt", "title: Gänge · für → alle\nR..\n...\n..R\n");
    let mut screen = Screen::plain(80);
    screen.ascii = true;
    let by_locale = Runner { world: World::default(), screen, ..Runner::default() };
    let by_flag = Runner { world: World::default(), ..Runner::default() };
    let commands: [&[&str]; 20] = [
        &[],
        &["help"],
        &["lab", "plot", "--help"],
        &["solve", "--halp"],
        &["solve", &named],
        &["solve", &named, "--json"],
        &["solve", "no-such-püzzle"],
        &["solve", "tiles-first", "--with", "ästar"],
        &["solve", "flow-first", "--animate"],
        &["compare", "tiles-first", "--with", "bfs,wastar"],
        &["compare", "bricks-klotski", "--with", "best", "--markdown"],
        &["check", "tiles-first", "--steps", "RRR"],
        &["check", "tiles-first", "--steps", "Ü"],
        &["draw", "bricks-klotski", "sokoban-first"],
        &["draw", &named, "--svg"],
        &["list"],
        &["list", "--json"],
        &["explain", "bfws"],
        &["bricks", "space", "bricks-first"],
        &["make", "tiles", "--size", "3", "--distance", "8"],
    ];
    for command in commands {
        let flagged: Vec<&str> = command.iter().copied().chain(["--ascii"]).collect();
        for done in [by_locale.run(command), by_flag.run(&flagged)] {
            assert!(done.out.is_ascii() && done.err.is_ascii(), "{command:?}:\n{}{}", done.out, done.err);
            assert!(!(done.out.is_empty() && done.err.is_empty()), "{command:?}");
        }
    }
    let json = by_locale.run(&["solve", &named, "--json"]).out;
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["title"], "Gänge · für → alle", "nothing is lost: {json}");
}

#[test]
fn a_plan_that_is_no_file_leads_to_steps() {
    let done = beeline(&["check", "toy-first", "rrr"]);
    assert_eq!(done.code, 31);
    assert!(done.err.contains("no file 'rrr'") && done.err.contains("--steps 'rrr'"), "{}", done.err);
    assert!(!beeline(&["check", "toy-first", "plan.txt"]).err.contains("--steps"));
    let usage = beeline(&["check", "--help"]).out;
    assert!(usage.contains("check [OPTIONS] <FILE|NAME|-> [PLAN|--steps <TEXT>]"), "{usage}");
}

#[test]
fn make_states_what_it_measured_and_refuses_what_it_did_not_find() {
    let runner = Runner { world: World::default(), ..Runner::default() };
    let hard = runner.run(&["make", "bricks", "--hardness", "hard", "--seed", "1"]);
    assert!(hard.out.starts_with("; hard: shortest plan "), "{}{}", hard.out, hard.err);
    let solved =
        Runner { input: hard.out.clone().into_bytes(), world: World::default(), ..Runner::default() }
            .run(&["solve", "-"]);
    let length = hard.out.split_whitespace().nth(4).unwrap();
    assert!(solved.out.contains(&format!("{length} steps")), "{}", solved.out);
    let none = runner.run(&["make", "gate", "--size", "5", "--pieces", "1", "--hardness", "hard"]);
    assert_eq!(none.code, 32);
    assert!(none.err.contains("no hard puzzle of this size"), "{}", none.err);
    assert_eq!(runner.run(&["make", "gate", "--size", "5", "--pieces", "1"]).code, 0);
    let folder = Folder::new("made");
    let out = folder.0.to_str().unwrap();
    let done = runner.run(&["make", "sokoban", "--seed", "4", "--out", out]);
    let text = std::fs::read_to_string(folder.0.join("sokoban-4.txt")).unwrap();
    assert!(
        text.starts_with("; medium: ") && done.err.contains("sokoban-4.txt: medium: "),
        "{text}{}",
        done.err
    );
}

#[test]
fn every_strategy_is_explained() {
    for strategy in beeline_search::strategies::STRATEGIES {
        let done = beeline(&["explain", strategy.name]);
        assert_eq!(done.code, 0);
        let first = strategy.pseudocode.trim().lines().next().unwrap().trim();
        for part in [strategy.title, first, "shortest", "complete", "cost"] {
            assert!(done.out.contains(part), "{} lacks {part:?}:\n{}", strategy.name, done.out);
        }
    }
    assert_eq!(beeline(&["explain", "A*"]).code, 0);
    assert!(beeline(&["explain", "distance"]).out.contains("a heuristic of toy"));
}

#[test]
fn completions_and_manual_pages() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = beeline(&["completions", shell]).out;
        assert!(script.contains("beeline") && script.contains("compare"), "{shell}");
    }
    let page = beeline(&["man"]).out;
    for part in [".TH beeline 1", "EXIT STATUS", "\\fB33\\fR", "NO_COLOR", "beeline\\-solve(1)"] {
        assert!(page.contains(part), "the manual lacks {part}:\n{page}");
    }
    assert!(!page.contains("beeline\\-help"), "{page}");
    let solve = beeline(&["man", "solve"]).out;
    assert!(solve.contains("\\-\\-heuristic") && solve.contains("EXIT STATUS"), "{solve}");
    assert_eq!(beeline(&["man", "sovle"]).code, 30);
    let folder = Folder::new("man");
    assert_eq!(beeline(&["man", "--all", folder.0.to_str().unwrap()]).code, 0);
    assert!(folder.0.join("beeline.1").exists() && folder.0.join("beeline-check.1").exists());
}

#[test]
fn colour_is_used_where_it_is_wanted_and_nowhere_else() {
    let plain = beeline(&["solve", "toy-first"]).out;
    assert!(!plain.contains('\x1b'));
    let asked = beeline(&["solve", "toy-first", "--color", "always"]).out;
    assert!(asked.contains("\x1b[0;"), "{asked}");
    let mut screen = Screen::plain(80);
    screen.colour = Colour::True;
    let terminal = Runner { screen, ..Runner::default() };
    assert!(terminal.run(&["solve", "toy-first"]).out.contains('\x1b'));
    assert!(!terminal.run(&["solve", "toy-first", "--color", "never"]).out.contains('\x1b'));
}

#[test]
fn narrow_screens_are_kept() {
    for columns in [20, 40, 60, 100] {
        let narrow = Runner { screen: Screen::plain(columns), ..Runner::default() };
        for args in [&["solve", "toy-first"][..], &["compare", "toy-first"], &["explain", "toy"]] {
            let done = narrow.run(args);
            assert_eq!(done.code, 0);
            let widest = done.out.lines().map(|l| l.chars().count()).max().unwrap();
            assert!(columns < 60 || widest <= columns, "{widest} columns of {columns}:\n{}", done.out);
        }
    }
}
