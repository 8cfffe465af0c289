//! Flow Free: solvers against each other and against plain counting, rules against exhaustive search.
#![allow(clippy::unwrap_used)] // a test that cannot go on should say so

mod flow_plain;

use beeline_flow::classic::{self, Flag};
use beeline_flow::corner::{self, Shares};
use beeline_flow::make;
use beeline_flow::pen::with_drawn;
use beeline_flow::prune::{Judge, RULES, Rules};
use beeline_flow::{
    Board, Cell, DIRS, Flow, FlowPuzzle, KIND, Order, Paths, Rule, Step, palette, plan, sat, solve, text,
};
use beeline_puzzle::game::Way;
use beeline_puzzle::recipe::Hardness;
use beeline_puzzle::{Game, Job, Kind, Puzzle};
use beeline_search::Random;
use beeline_search::{Budget, Meter, Prune, Ruling, Space, Verdict};
use flow_plain::{board, count_plainly, example, generated, is_answer, scattered};

/// Sorted, to compare the solutions of two solvers.
fn sorted(answers: &[Paths]) -> Vec<Vec<u8>> {
    let mut links: Vec<Vec<u8>> = answers.iter().map(|p| p.links.clone()).collect();
    links.sort();
    links
}

#[test]
fn the_solvers_agree_on_thousands_of_boards() {
    let mut random = Random::new(5);
    let budget = Budget::default();
    let (mut boards, mut solvable) = (0, 0);
    while boards < 5_200 {
        let Some(board) = generated(&mut random) else { continue };
        boards += 1;
        let found = corner::solve(&board, 4, &budget, |_| {});
        // Tiny shares exercise deduction, all corners and the memo.
        let shares = Shares {
            first: random.below(30) as u64,
            second: random.below(30) as u64,
            next: 1 + random.below(20) as u64,
        };
        let slow = corner::solve_with(&board, 4, shares, &budget, |_| {});
        let second = sat::solve(&board, 4, &budget);
        assert!(found.stopped.is_none() && slow.stopped.is_none() && second.stopped.is_none());
        assert_eq!(found.answers.len(), second.answers.len(), "{board}");
        assert_eq!(found.answers.len(), slow.answers.len(), "{board}");
        assert_eq!((found.all, slow.all), (second.all, second.all), "{board}");
        for paths in found.answers.iter().chain(&second.answers).chain(&slow.answers) {
            assert!(is_answer(&board, &paths.links), "{board}");
        }
        if found.all {
            assert_eq!(sorted(&found.answers), sorted(&second.answers), "{board}");
            assert_eq!(sorted(&found.answers), sorted(&slow.answers), "{board}");
        }
        solvable += usize::from(!found.answers.is_empty());
    }
    assert!(solvable > 1_500 && boards - solvable > 1_500, "{solvable} of {boards} have an answer");
}

#[test]
fn every_answer_of_a_small_board_is_found_once() {
    let mut random = Random::new(11);
    let mut with_answer = 0;
    for i in 0..700 {
        let board = if i % 5 == 0 {
            let (width, height) = (3 + random.below(3), 3 + random.below(3));
            make::solvable(width, height, 1 + random.below(4), random.bits())
        } else {
            scattered(&mut random).filter(|b| b.cells().len() <= 25)
        };
        let Some(board) = board else { continue };
        let found = corner::solve(&board, usize::MAX, &Budget::default(), |_| {});
        let plain = count_plainly(&board);
        assert!(found.all);
        assert_eq!(found.answers.len(), plain, "{board}");
        with_answer += usize::from(plain > 0);
    }
    assert!(with_answer > 20, "{with_answer} boards had an answer");
}

#[test]
fn positions_on_the_way_are_solved_too() {
    let mut random = Random::new(3);
    let budget = Budget::default();
    for _ in 0..150 {
        let size = 4 + random.below(4);
        let Some(board) = make::solvable(size, size, size - 1, random.bits()) else { continue };
        let mut drawn = Vec::new();
        for _ in 0..random.below(12) {
            let step = Step { colour: random.below(size - 1) as u16, dir: DIRS[random.below(4)] };
            let mut more = drawn.clone();
            more.push(step);
            if with_drawn(board.clone(), &more).is_ok() {
                drawn = more;
            }
        }
        let here = with_drawn(board, &drawn).unwrap();
        let found = corner::solve(&here, 3, &budget, |_| {});
        let slow = corner::solve_with(&here, 3, Shares { first: 5, second: 5, next: 5 }, &budget, |_| {});
        let second = sat::solve(&here, 3, &budget);
        assert_eq!((found.answers.len(), found.all), (second.answers.len(), second.all), "{here}");
        assert_eq!((slow.answers.len(), slow.all), (second.answers.len(), second.all), "{here}");
        if let Some(paths) = found.answers.first() {
            let steps = paths.steps(&here);
            assert_eq!(steps.len() + drawn.len(), here.free_cells());
            let whole: Vec<Step> = drawn.iter().copied().chain(steps).collect();
            assert!(with_drawn(here.clone(), &whole).is_ok(), "{here}");
        }
    }
}

/// Is a solution reachable from here? By plain depth-first search.
fn reachable(space: &Flow<1>, state: &mut <Flow<1> as Space>::State) -> bool {
    space.is_goal(state)
        || space.moves(state).any(|mv| {
            let token = space.apply(state, mv);
            let good = reachable(space, state);
            space.undo(state, mv, token);
            good
        })
}

/// Applies one rule to every successor of every state of a space.
fn check_rule(space: &Flow<1>, state: &mut <Flow<1> as Space>::State, judge: &mut Judge, dropped: &mut u64) {
    for mv in space.moves(state) {
        judge.enter(space, state);
        let token = space.apply(state, mv);
        let ruling = judge.judge(space, state, mv, 0, &mut Meter::new(&Budget::default())).unwrap();
        if let Ruling::Drop(rule) = ruling {
            *dropped += 1;
            assert!(!reachable(space, state), "{rule} drops a state with an answer:\n{}", space.board());
        }
        check_rule(space, state, judge, dropped);
        space.undo(state, mv, token);
    }
}

#[test]
fn no_rule_drops_a_state_from_which_an_answer_can_be_reached() {
    let mut random = Random::new(21);
    let mut boards = Vec::new();
    while boards.len() < 60 {
        let (width, height) = (3 + random.below(2), 3 + random.below(2));
        boards.extend(make::solvable(width, height, 2 + random.below(2), random.bits()));
        boards.extend(scattered(&mut random).filter(|b| b.cells().len() <= 16));
    }
    for rule in RULES {
        let mut rules = Rules::default();
        assert!(rules.add(rule.name));
        let mut dropped = 0;
        for board in &boards {
            for goal in [Rule::Fill, Rule::Numberlink] {
                let board = board.clone().with_rule(goal);
                let space = Flow::<1>::new(&board, Order::by_edge(&board, true)).unwrap();
                check_rule(&space, &mut space.start(), &mut Judge::new(rules), &mut dropped);
            }
        }
        assert!(dropped > 0, "{} never speaks", rule.name);
    }
}

#[test]
fn moves_can_be_taken_back_and_states_come_back_from_their_keys() {
    let mut random = Random::new(2);
    for _ in 0..60 {
        let size = 4 + random.below(8);
        let Some(board) = make::solvable(size, size, size, random.bits()) else { continue };
        let space = Flow::<4>::new(&board, Order::by_edge(&board, random.below(2) == 0)).unwrap();
        let mut state = space.start();
        loop {
            let moves: Vec<Step> = space.moves(&state).collect();
            if moves.is_empty() {
                break;
            }
            let before = state.clone();
            let mv = moves[random.below(moves.len())];
            let token = space.apply(&mut state, mv);
            space.undo(&mut state, mv, token);
            assert_eq!(state, before);
            space.apply(&mut state, mv);
            assert_eq!(space.unpack(&space.pack(&state)), state);
        }
    }
}

#[test]
fn every_strategy_of_the_engine_draws_the_same_length() {
    let first = KIND.parse(KIND.examples()[0].text).unwrap().remove(0);
    for name in ["bfs", "dfs", "ids", "ucs", "greedy", "astar", "wastar", "idastar", "best", "corner", "sat"]
    {
        let job = Job { strategy: Some(name.to_owned()), ..Job::default() };
        let outcome = first.solve(&job, &Budget::default(), &mut ()).unwrap();
        let solution = outcome.solution().unwrap_or_else(|| panic!("{name} finds nothing"));
        assert_eq!(solution.cost, 15, "{name}");
        let mut game = first.game();
        for step in &solution.moves {
            game.play(step).unwrap();
        }
        assert!(game.solved(), "{name}");
    }
    // A rule judges the successors of the state entered last, also when a depth-first search returns to one.
    let turns = KIND.parse("B..B\nG..R\n.YG.\nYR..\n").unwrap().remove(0);
    for name in ["bfs", "dfs", "ids", "astar", "idastar"] {
        let rules = Some(vec!["corner".to_owned()]);
        let job = Job { strategy: Some(name.to_owned()), rules, ..Job::default() };
        let outcome = turns.solve(&job, &Budget::default(), &mut ()).unwrap();
        assert_eq!(outcome.solution().map(|s| s.cost), Some(8), "{name}");
    }
    let crossing = KIND.parse("A..B\n....\n....\nB..A\n").unwrap().remove(0);
    for name in ["bfs", "dfs", "astar", "idastar", "corner", "sat"] {
        let job = Job { strategy: Some(name.to_owned()), ..Job::default() };
        let outcome = crossing.solve(&job, &Budget::default(), &mut ()).unwrap();
        assert_eq!(outcome.verdict, Verdict::Exhausted, "{name}");
    }
}

#[test]
fn numberlink_boards_may_have_empty_cells() {
    let mut random = Random::new(77);
    let mut solved = 0;
    for _ in 0..160 {
        let Some(board) = scattered(&mut random).filter(|b| b.cells().len() <= 20) else { continue };
        let board = board.with_rule(Rule::Numberlink);
        let found = solve::answers(&board, 1, &Budget::default());
        let space = Flow::<1>::new(&board, Order::by_edge(&board, true)).unwrap();
        // The classic space contains every path that does not touch itself, so it is an oracle.
        assert_eq!(!found.answers.is_empty(), reachable(&space, &mut space.start()), "{board}");
        if let Some(paths) = found.answers.first() {
            let mut game = beeline_flow::game::FlowGame::new(board.clone());
            for &step in &paths.steps(&board) {
                game.play(&plan::show_step(&board, step)).unwrap();
            }
            assert!(game.solved(), "{board}");
            solved += 1;
        }
    }
    assert!(solved > 20, "{solved} solved");
}

/// Counts the ways to join the colours from this one on, by trying every path that does not touch itself. `free` cells are
/// neither ends nor walls nor painted.
fn ways(board: &Board, colour: usize, free: &mut Vec<bool>) -> usize {
    let Some(ends) = board.colours().get(colour) else {
        let full = free.iter().all(|&free| !free);
        return usize::from(full || !board.rule.fills());
    };
    grow(board, colour, &mut vec![ends.start], free)
}

fn grow(board: &Board, colour: usize, path: &mut Vec<usize>, free: &mut Vec<bool>) -> usize {
    let (head, goal) = (path[path.len() - 1], board.colours()[colour].goal);
    let mut count = 0;
    if board.adjacent(head, goal) {
        count = ways(board, colour + 1, free);
        if !board.rule.may_touch() {
            return count;
        }
    }
    for to in board.neighbours(head).collect::<Vec<_>>() {
        let beside = path[..path.len() - 1].iter().any(|&before| board.adjacent(before, to));
        if free[to] && (board.rule.may_touch() || !beside) {
            free[to] = false;
            path.push(to);
            count += grow(board, colour, path, free);
            path.pop();
            free[to] = true;
        }
    }
    count
}

/// A tiny board: one row, one column, up to four cells a side. Often it is full, and often ends are adjacent.
fn tiny(random: &mut Random) -> Option<Board> {
    let (width, height) = match random.below(4) {
        0 => (1 + random.below(8), 1),
        1 => (1, 1 + random.below(8)),
        2 => (2, 1 + random.below(4)),
        _ => (1 + random.below(4), 1 + random.below(4)),
    };
    let mut places: Vec<usize> = (0..width * height).collect();
    random.shuffle(&mut places);
    let colours = if random.below(3) == 0 { places.len() / 2 } else { 1 + random.below(3) };
    let mut cells = vec![Cell::Free; places.len()];
    for c in 0..colours {
        let first = places.pop()?;
        // Two of three colours have adjacent ends, where there is room.
        let near = places.iter().position(|&p| random.below(3) > 0 && p.abs_diff(first) == 1);
        let second = near.map(|at| places.remove(at)).or_else(|| places.pop())?;
        cells[first] = Cell::End(c as u16);
        cells[second] = Cell::End(c as u16);
    }
    if random.below(3) == 0 {
        places.into_iter().take(2).for_each(|wall| cells[wall] = Cell::Wall);
    }
    Board::new(width, cells, palette::labels(colours)).ok()
}

/// The same board with a few walls between its cells, with warped edges, or with both.
fn with_other_sides(board: Board, random: &mut Random) -> Board {
    let large = board.width() > 2 && board.height() > 2;
    let board = if large && random.below(2) == 0 { board.with_warp().unwrap() } else { board };
    let cells = board.cells().len();
    let walls: Vec<(usize, usize)> = (0..random.below(4))
        .filter_map(|_| {
            let at = random.below(cells);
            Some((at, board.neighbour(at, beeline_flow::DIRS[random.below(4)])?))
        })
        .collect();
    board.with_walls(&walls).unwrap()
}

/// Paths that may touch themselves, walls between cells and warped edges: the solvers agree with exhaustive enumeration.
#[test]
fn boards_of_other_rules_and_sides_are_solved() {
    let mut random = Random::new(11);
    let budget = Budget::default();
    let (mut solvable, mut several) = (0, 0);
    for _ in 0..1_500 {
        let Some(board) = tiny(&mut random) else { continue };
        let rule = Rule::ALL[random.below(3)];
        let board = with_other_sides(board.with_rule(rule), &mut random);
        assert_eq!(text::parse(&text::write(&board)).unwrap().remove(0), board);
        let mut free = board.cells().iter().map(|&c| c == Cell::Free).collect();
        let count = ways(&board, 0, &mut free);
        solvable += usize::from(count > 0);
        several += usize::from(count > 1);
        let found = solve::answers(&board, usize::MAX, &budget);
        assert_eq!((found.answers.len(), found.all), (count, true), "{board}");
        let one = solve::any(&board, &budget, |_| {});
        assert_eq!(one.answers.len(), count.min(1), "{board}");
        for paths in found.answers.iter().chain(&one.answers) {
            let puzzle = FlowPuzzle::new(board.clone());
            let mut game = puzzle.game();
            for &step in &paths.steps(&board) {
                game.play(&plan::show_step(&board, step)).unwrap();
            }
            assert!(game.solved(), "{board}");
        }
        if !rule.may_touch() {
            let order = Order::by_edge(&board, true);
            let searched = classic::search(&board, &order, Rules::USUAL, 100_000).unwrap();
            assert_eq!(searched.flag == Flag::Solved, count > 0, "{board}");
        }
    }
    assert!(solvable > 300 && several > 10, "{solvable} solvable, {several} several");
}

/// Pairs joined one after another by shortest paths; cells without a path stay empty.
fn routed(size: usize, pairs: u16, random: &mut Random) -> Board {
    let open = board(&format!("A{}A\n{}", ".".repeat(size - 2), (".".repeat(size) + "\n").repeat(size - 1)));
    let mut cells = vec![Cell::Free; size * size];
    let mut used = vec![false; cells.len()];
    let mut made = 0;
    while made < pairs {
        let (start, goal) = (random.below(cells.len()), random.below(cells.len()));
        if used[start] || used[goal] || start == goal {
            continue;
        }
        let mut from = vec![usize::MAX; cells.len()];
        let mut queue = std::collections::VecDeque::from([start]);
        from[start] = start;
        while let Some(at) = queue.pop_front() {
            for next in open.neighbours(at).filter(|&next| !used[next]).collect::<Vec<_>>() {
                if from[next] == usize::MAX {
                    from[next] = at;
                    queue.push_back(next);
                }
            }
        }
        if from[goal] == usize::MAX {
            continue;
        }
        let mut at = goal;
        while at != start {
            used[at] = true;
            at = from[at];
        }
        used[start] = true;
        cells[start] = Cell::End(made);
        cells[goal] = Cell::End(made);
        made += 1;
    }
    let labels = (1..=pairs).map(|number| number.to_string()).collect();
    Board::new(size, cells, labels).unwrap().with_rule(Rule::Numberlink)
}

/// Solutions found with the clauses for the lowest solution are valid, and without one there is no solution at all.
#[test]
fn boards_that_need_not_be_filled_are_solved() {
    let mut random = Random::new(5);
    for size in [8, 10, 12] {
        for _ in 0..4 {
            let board = routed(size, size as u16, &mut random);
            let found = sat::solve(&board, 1, &Budget::default());
            let drawn = with_drawn(board.clone(), &found.answers[0].steps(&board)).unwrap();
            assert!(FlowPuzzle::new(drawn).game().solved(), "{board}");
        }
    }
}

/// The uniqueness of a filling solution says nothing if the board need not be filled, or a path may touch itself.
#[test]
fn a_filled_answer_proves_nothing_under_another_rule() {
    let row = |label: usize| format!("{label} {}{label}\n", ". ".repeat(20));
    let rows: String = (1..=22).map(row).collect();
    let budget = Budget::default();
    for rule in Rule::ALL {
        let found = solve::answers(&board(&rows).with_rule(rule), 1, &budget);
        assert_eq!((found.answers.len(), found.all), (1, rule == Rule::Fill), "{}", rule.name());
        // The limit on nodes applies to both solvers together.
        for nodes in [1, 2] {
            let little = Budget { nodes: Some(nodes), ..Budget::default() };
            let found = solve::any(&board("R..G\n....\nG..R\n").with_rule(rule), &little, |_| {});
            assert!(found.stats.expanded <= nodes, "{} {}", found.stats.expanded, rule.name());
        }
    }
}

/// Boards that are full at the start, adjacent ends, one row, one column: every solver agrees with exhaustive enumeration.
#[test]
fn degenerate_boards_are_solved_by_every_solver() {
    let mut random = Random::new(6);
    let budget = Budget::default();
    let (mut full, mut solvable, mut boards) = (0, 0, 0);
    while boards < 4_000 {
        let Some(board) = tiny(&mut random) else { continue };
        boards += 1;
        let rule = if random.below(3) == 0 { Rule::Numberlink } else { Rule::Fill };
        let board = board.with_rule(rule);
        let mut free = board.cells().iter().map(|&c| c == Cell::Free).collect();
        let count = ways(&board, 0, &mut free);
        full += usize::from(count > 0 && board.free_cells() == 0);
        solvable += usize::from(count > 0);
        assert_eq!(sat::solve(&board, 1, &budget).answers.len(), count.min(1), "one by sat\n{board}");
        let by_sat = sat::solve(&board, usize::MAX, &budget);
        assert_eq!((by_sat.answers.len(), by_sat.all), (count, true), "sat, {}\n{board}", rule.name());
        if rule == Rule::Fill {
            let by_corner = corner::solve(&board, usize::MAX, &budget, |_| {});
            assert_eq!((by_corner.answers.len(), by_corner.all), (count, true), "corner\n{board}");
            assert!(solve::second_opinion(&board, &budget).unwrap().agrees(), "{board}");
        }
        for rules in [Rules::default(), Rules { deadends: true, ..Rules::default() }, Rules::USUAL] {
            for most_constrained in [false, true] {
                let order = Order::by_edge(&board, most_constrained);
                let searched = classic::search(&board, &order, rules, 100_000).unwrap();
                let flag = if count > 0 { Flag::Solved } else { Flag::Unsolvable };
                assert_eq!(searched.flag, flag, "{rules:?}, {}\n{board}", rule.name());
                let drawn = with_drawn(board.clone(), &searched.plan).unwrap();
                assert_eq!(FlowPuzzle::new(drawn).game().solved(), count > 0, "{board}");
            }
        }
        if boards % 8 == 0 {
            let puzzle = FlowPuzzle::new(board.clone());
            for strategy in ["best", "bfs", "dfs", "astar", "idastar"] {
                let job = Job { strategy: Some(strategy.to_owned()), ..Job::default() };
                let outcome = puzzle.solve(&job, &budget, &mut ()).unwrap();
                assert_eq!(outcome.solution().is_some(), count > 0, "{strategy}\n{board}");
                assert!(count > 0 || outcome.verdict == Verdict::Exhausted, "{strategy}\n{board}");
            }
        }
    }
    assert!(full > 200 && solvable > 1_000, "{full} full boards, {solvable} that can be solved");
    let search = |text: &str| {
        let board = board(text);
        let found = classic::search(&board, &Order::by_edge(&board, true), Rules::default(), 9).unwrap();
        (found.flag, found.nodes, found.plan.len())
    };
    assert_eq!(search("AA\nBB\n"), (Flag::Solved, 1, 0));
    assert_eq!(search("AB\nBA\n"), (Flag::Unsolvable, 1, 0));
}

#[test]
fn made_boards_have_one_answer_and_the_wanted_shape() {
    for (size, colours, difficulty) in [
        (5, Some(4), Hardness::Easy),
        (7, None, Hardness::Medium),
        (9, Some(8), Hardness::Hard),
        (12, None, Hardness::Medium),
    ] {
        for seed in 0..6 {
            let board = make::make(size, colours, difficulty, seed).unwrap();
            assert_eq!((board.width(), board.height()), (size, size));
            assert_eq!(board.colours().len(), colours.unwrap_or(size));
            let second = sat::solve(&board, 2, &Budget::default());
            assert!(second.all && second.answers.len() == 1, "{board}");
            assert_eq!(board, make::make(size, colours, difficulty, seed).unwrap(), "a seed is a seed");
        }
    }
    assert!(make::make(1, None, Hardness::Easy, 0).is_err());
    assert!(make::make(5, Some(0), Hardness::Easy, 0).is_err());
    assert!(make::make(5, Some(9), Hardness::Easy, 0).is_err());
    assert!(make::make(65, None, Hardness::Easy, 0).is_err());
}

#[test]
fn limits_stop_the_solvers() {
    let wide = board(example("flow-wide"));
    let budget = Budget { nodes: Some(10), ..Budget::default() };
    let found = corner::solve_with(&wide, 2, Shares { first: 1, second: 1, next: 1 }, &budget, |_| {});
    assert!(found.stopped.is_some() && !found.all);
    let tiny = Budget { bytes: Some(100), ..Budget::default() };
    assert!(corner::solve(&wide, 1, &tiny, |_| {}).stopped.is_some());
    let cancelled = Budget::default();
    cancelled.cancel.cancel();
    assert!(corner::solve(&wide, 1, &cancelled, |_| {}).stopped.is_some());
    assert!(sat::solve(&wide, 1, &cancelled).stopped.is_some());
}

#[test]
fn the_largest_boards_are_taken() {
    let found = corner::solve(&make::solvable(64, 64, 400, 1).unwrap(), 1, &Budget::default(), |_| {});
    assert_eq!(found.answers.len(), 1);
    let line = board(&format!("A{}A\n", ".".repeat(62)));
    assert_eq!(corner::solve(&line, 2, &Budget::default(), |_| {}).answers.len(), 1);
}

#[test]
fn the_examples_are_what_they_say() {
    for example in KIND.examples() {
        let board: Board = board(example.text);
        let found = solve::answers(&board, 2, &Budget::default());
        let wanted = match example.name {
            "flow-crossing" => 0,
            "flow-numberlink" => 2,
            _ => 1,
        };
        assert_eq!(found.answers.len(), wanted, "{}", example.name);
        assert!(KIND.recognises(example.text), "{}", example.name);
    }
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in "[A-Da-d.#_:; \r\n0-9é]{0,60}") {
        if let Ok(boards) = text::parse(&text) {
            for board in boards {
                proptest::prop_assert_eq!(&text::parse(&text::write(&board)).unwrap()[0], &board);
            }
        }
        proptest::prop_assert!(!KIND.recognises("") );
        let _ = KIND.recognises(&text);
    }
}

#[test]
fn an_unfinished_pipe_from_the_goal_gives_way_to_a_plan() {
    let puzzle = FlowPuzzle::new(text::parse("A..A\nB..B\n").unwrap().remove(0));
    let goal = puzzle.board().colours()[0].goal;
    let mut game = puzzle.game();
    let beside = if goal == 0 { 1 } else { 2 };
    let step = game.stroke(&[goal, beside]).unwrap().step.unwrap();
    game.play(&step).unwrap();
    assert!(step.starts_with("A~"), "{step}");
    let back = if goal == 0 { Way::Left } else { Way::Right };
    assert_eq!(game.toward(Some(0), back).as_deref(), Some("A="), "an arrow goes back, too");
    let outcome = game.here().solve(&Job::default(), &Budget::default(), &mut ()).unwrap();
    for step in &outcome.solution().unwrap().moves {
        game.play(step).unwrap();
    }
    assert!(game.solved());
}
