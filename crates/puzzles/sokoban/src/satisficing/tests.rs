//! Tests of each member alone, and of the rules that only the satisficing solver uses, against exhaustive
//! search on small levels.

use std::collections::{HashMap, HashSet};

use beeline_search::memory::Ledger;
use beeline_search::{Budget, Meter, Space, Stats, Verdict};

use super::advisors::Move;
use super::context::{BoardAnalysis, Context, Status, with_context};
use super::portfolio::{PORTFOLIO, Search, of_thread};
use super::tuning::Tuning;
use super::visited::Visited;
use crate::Steps;
use crate::board::{Board, DIRS, Dir, NOWHERE, Square};
use crate::field::Field;
use crate::macro_moves::{MacroMoves, MoveKind};
use crate::make::make;
use crate::optimal::{Objective, best};
use crate::rules::deadlocks::unreachable;
use crate::satisficing::{Found, Options};
use crate::text;
use crate::walk::{Position, Reach};

/// Small levels; every third with its boxes shifted, so that it may be unsolvable.
fn levels(count: u64) -> impl Iterator<Item = Board> {
    (0..count).filter_map(|seed| {
        let (width, height) = (6 + seed % 3, 5 + seed / 3 % 3);
        let board = make(width as usize, height as usize, 2 + (seed % 3) as usize, seed)?;
        if seed % 3 != 2 {
            return Some(board);
        }
        let squares = board.squares() as Square;
        let shifted: Vec<Square> = board.boxes().iter().map(|&b| (b + 1) % squares).collect();
        let player = (0..squares).find(|s| !shifted.contains(s))?;
        Some(board.with(player, &shifted))
    })
}

fn solves(board: &Board, plan: &[Dir]) -> bool {
    let (mut player, mut boxes) = (board.player(), board.boxes().to_vec());
    for &dir in plan {
        let to = board.next(player, dir);
        if to == NOWHERE {
            return false;
        }
        if let Some(i) = boxes.iter().position(|&b| b == to) {
            let beyond = board.next(to, dir);
            if beyond == NOWHERE || boxes.contains(&beyond) {
                return false;
            }
            boxes[i] = beyond;
        }
        player = to;
    }
    boxes.iter().all(|&b| board.is_goal(b))
}

/// Runs every search alone. Returns whether the level is solvable.
fn all_agree(board: &Board) -> bool {
    let outcome = best(board, Objective::Pushes, &Budget::default(), &mut ());
    let solved = matches!(outcome.verdict, Verdict::Solved(_));
    let field = Field::new(board);
    let space = Steps::<4>::new(board).unwrap();
    let boxes = board.boxes();
    if !boxes.iter().all(|&b| field.alive(b)) || boxes.iter().all(|&b| board.is_goal(b)) {
        return solved;
    }
    for (number, search) in PORTFOLIO.iter().map(|row| row.search).enumerate() {
        // By way of open positions nothing is proved, and a plan need not be found.
        if matches!(search, Search::OpenEnds(_)) {
            continue;
        }
        let shown = text::draw(board);
        match alone(search, &space, &field, u64::MAX) {
            (Found::Met, plan) => assert!(solves(board, &plan.unwrap()), "search {number}\n{shown}"),
            (Found::Nothing, _) => assert!(!solved, "search {number} finds nothing\n{shown}"),
            (Found::NotYet, _) => panic!("search {number} ended early"),
        }
    }
    solved
}

/// Runs one search alone.
fn alone(search: Search, space: &Steps<4>, field: &Field, work: u64) -> (Found, Option<Vec<Dir>>) {
    with_context(space, field, Tuning::default(), |context| {
        context.analysis.deadlocks.make_pair_table(field, context.meter).unwrap();
        let mut member = search.on(space, field, Tuning::default());
        assert!(matches!(member.begin(context).unwrap(), Found::NotYet));
        (member.advance(context, work).unwrap(), context.visited.plan(field))
    })
}

#[test]
fn most_levels_are_solved_by_way_of_open_positions() {
    let (mut found, mut tried) = (0, 0);
    for board in levels(90) {
        let field = Field::new(&board);
        if !board.boxes().iter().all(|&b| field.alive(b)) {
            continue;
        }
        tried += 1;
        match alone(Search::OpenEnds(0), &Steps::new(&board).unwrap(), &field, 10_000) {
            (Found::Met, plan) => {
                assert!(solves(&board, &plan.unwrap()), "{}", text::draw(&board));
                found += 1;
            }
            (Found::NotYet, _) => {}
            (Found::Nothing, _) => panic!("open positions prove nothing"),
        }
    }
    assert!(2 * found > tried, "{found} of {tried}");
}

#[test]
fn an_attempt_without_memory_is_no_reason_to_stop() {
    let board = levels(9).next().unwrap();
    let (field, space) = (Field::new(&board), Steps::<4>::new(&board).unwrap());
    let mut visited = Visited::new(&space, &field, &mut Ledger::new(None)).unwrap();
    let (mut meter, mut stats) =
        (Meter::new(&Budget { bytes: Some(64), ..Budget::default() }), Stats::default());
    let mut context = Context {
        meter: &mut meter,
        stats: &mut stats,
        analysis: &mut BoardAnalysis::new(&field, Tuning::default()),
        visited: &mut visited,
        status: &mut Status::default(),
        checkpoint: &mut |_, _, _| Ok(()),
        push_limit: None,
    };
    let mut line = Search::OpenEnds(0).on(&space, &field, Tuning::default());
    assert!(matches!(line.advance(&mut context, 10_000).unwrap(), Found::NotYet));
    assert_eq!(meter.ledger.used(), 0);
}

/// A push recorded from the start and a pull recorded from the goals make a plan when they meet.
#[test]
fn a_position_visited_from_both_ends_makes_a_plan() {
    let board = text::parse("########\n#@ $  .#\n########").unwrap().remove(0).board;
    let (field, space) = (Field::new(&board), Steps::<4>::new(&board).unwrap());
    let mut ledger = Ledger::new(None);
    let mut visited = Visited::new(&space, &field, &mut ledger).unwrap();
    let key = |player: Square, at: Square| space.pack(&space.state(player, &[at]));
    let (start, goal) = (board.boxes()[0], board.goals()[0]);
    // The player's region is represented by its first square: the left end.
    let pushed = key(0, start + 1);
    let push = Move { from: start, to: start + 1, player: start, pushes: 1 };
    assert!(!visited.record(&mut ledger, MoveKind::Push, &pushed, Some(&key(0, start)), push).unwrap());
    assert!(visited.plan(&field).is_none());
    // A pull is probed and remembered. A push that leads to the same position is recognised without being
    // made.
    let parent = visited.parent(MoveKind::Pull, &key(0, goal)).unwrap();
    let pull = Move { from: goal, to: goal - 1, player: goal - 2, pushes: 1 };
    assert!(!visited.probe(&mut ledger, &parent, pull).unwrap());
    let parent = visited.parent(MoveKind::Push, &pushed).unwrap();
    let push = Move { from: start + 1, to: start + 2, player: start + 1, pushes: 1 };
    assert_eq!((start + 2, visited.probe(&mut ledger, &parent, push).unwrap()), (goal - 1, true));
    assert!(solves(&board, &visited.plan(&field).unwrap()));
    // A position that no search has visited has no parent node.
    assert!(visited.parent(MoveKind::Pull, &key(0, start)).is_none());
}

#[test]
fn every_search_by_itself_finds_a_plan_or_proves_that_there_is_none() {
    let lost = levels(90).filter(|board| !all_agree(board)).count();
    assert!(lost > 5, "{lost} unsolvable levels: too few to mean anything");
}

#[test]
fn no_two_threads_do_the_same_search() {
    let all: Vec<String> = (0..5)
        .flat_map(|thread| of_thread(thread, &Options::default()))
        .map(|row| format!("{:?}", row.search))
        .collect();
    assert_eq!(of_thread(0, &Options::default()).len(), PORTFOLIO.len());
    assert!(all.len() > 4 * PORTFOLIO.len(), "{} searches", all.len());
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
}

#[test]
fn the_seed_changes_the_search_and_not_the_verdict() {
    let mut other = 0;
    for board in levels(120) {
        let run = |seed: u64| {
            let options = Options { seed, ..Options::default() };
            super::solve(&board, &options, &Budget::default(), &mut ())
        };
        let [first, again, second] = [0, 0, 7].map(run);
        assert_eq!(first.stats.expanded, again.stats.expanded);
        assert_eq!(first.solution().is_some(), second.solution().is_some(), "\n{}", text::draw(&board));
        other += u32::from(first.stats.expanded != second.stats.expanded);
    }
    assert!(other >= 5, "{other} levels are searched in another order");
}

#[test]
fn any_number_of_threads_finds_a_plan_or_proves_that_there_is_none() {
    for board in levels(12) {
        let one = super::solve(&board, &Options::default(), &Budget::default(), &mut ());
        for threads in [0, 2, 3, usize::MAX] {
            let outcome =
                super::solve(&board, &Options { threads, ..Options::default() }, &Budget::default(), &mut ());
            match outcome.verdict {
                Verdict::Solved(solution) => {
                    assert!(solves(&board, &solution.moves), "\n{}", text::draw(&board));
                }
                Verdict::Exhausted => assert!(matches!(one.verdict, Verdict::Exhausted)),
                other => panic!("{threads} threads: {other:?}"),
            }
        }
    }
}

#[test]
fn with_more_goals_than_boxes_too() {
    let fewer = levels(60).map(|board| board.with(board.player(), &board.boxes()[1..]));
    let solved = fewer.filter(all_agree).count();
    assert!(solved > 20, "{solved} levels solved");
}

#[test]
fn a_box_that_is_new_gets_where_one_gets_that_was_there() {
    let mut places = 0;
    for board in levels(120) {
        let field = Field::new(&board);
        let (mut one, mut other) = (MacroMoves::new(&field), MacroMoves::new(&field));
        for (kind, i) in [MoveKind::Push, MoveKind::Pull]
            .into_iter()
            .flat_map(|kind| (0..board.boxes().len()).map(move |i| (kind, i)))
        {
            let mut position = Position::start(&field);
            let at = position.boxes[i];
            one.survey_and_generate(kind, &field, &mut position, i, None);
            position.remove(i);
            other.survey(&field, &position);
            other.generate_for_new_box(kind, &field, &position, at);
            let all = |macro_moves: &MacroMoves| -> Vec<_> {
                macro_moves
                    .places
                    .iter()
                    .skip(1)
                    .map(|p| (p.to, p.dir, p.sides, p.connectivity, p.area))
                    .collect()
            };
            assert_eq!(all(&one), all(&other), "{kind:?} {at}\n{}", text::draw(&board));
            places += other.places.len() - 1;
        }
    }
    assert!(places > 1000, "{places} places");
}

#[test]
fn boxes_get_where_single_pushes_and_pulls_bring_them() {
    let mut places = 0;
    for board in levels(120) {
        let field = Field::new(&board);
        let mut position = Position::start(&field);
        let (mut macro_moves, mut walk) = (MacroMoves::new(&field), Reach::new(&field));
        for kind in [MoveKind::Push, MoveKind::Pull] {
            for i in 0..position.boxes.len() {
                macro_moves.survey_and_generate(kind, &field, &mut position, i, Some(board.player()));
                let at = position.boxes[i];
                walk.flood(&field, &position, board.player());
                let others = walk.connectivity(&field) - u16::from(macro_moves.places[0].connectivity);
                let mut found = HashSet::new();
                for place in &macro_moves.places.clone()[1..] {
                    position.shift(i, place.to);
                    walk.flood(&field, &position, place.player(&field, kind));
                    let connectivity = others + u16::from(place.connectivity);
                    assert_eq!(connectivity, walk.connectivity(&field), "\n{}", text::draw(&board));
                    assert_eq!(usize::from(place.area), walk.reached().len(), "\n{}", text::draw(&board));
                    found.insert((place.to, walk.reached().iter().copied().min()));
                    position.shift(i, at);
                }
                assert_eq!(
                    found,
                    step_by_step(kind, &field, &mut position, i),
                    "{kind:?}\n{}",
                    text::draw(&board)
                );
                places += found.len();
            }
        }
    }
    assert!(places > 1000, "{places} places");
}

/// The destinations of the i-th box, with the player's region, by single pushes or pulls.
fn step_by_step(
    kind: MoveKind,
    field: &Field,
    position: &mut Position,
    i: usize,
) -> HashSet<(Square, Option<Square>)> {
    let (start, mut walk) = (position.boxes[i], Reach::new(field));
    walk.flood(field, position, position.player);
    let root = (start, walk.reached().iter().copied().min());
    let mut met = HashSet::from([root]);
    let mut todo = vec![root];
    while let Some((at, Some(player))) = todo.pop() {
        position.shift(i, at);
        for dir in DIRS {
            walk.flood(field, position, player);
            let to = field.near()[at as usize][dir as usize];
            let (stand, after) = match kind {
                MoveKind::Push => (field.near()[at as usize][dir.back() as usize], at),
                MoveKind::Pull if position.free(to) => (to, field.near()[to as usize][dir as usize]),
                MoveKind::Pull => continue,
            };
            let open = if kind == MoveKind::Push { to } else { after };
            if !walk.reaches(stand) || !position.free(open) || kind == MoveKind::Push && !field.alive(to) {
                continue;
            }
            position.shift(i, to);
            walk.flood(field, position, after);
            let next = (to, walk.reached().iter().copied().min());
            position.shift(i, at);
            if met.insert(next) {
                todo.push(next);
            }
        }
    }
    position.shift(i, start);
    met.remove(&root);
    met
}

type Place = (Vec<Square>, Square);

/// All positions that pushes lead to, each with the box pushed last, and those of them that can be solved.
fn whole_space(field: &Field) -> (Vec<(Place, Square)>, HashSet<Place>) {
    let (mut position, mut walk) = (Position::new(field), Reach::new(field));
    let mut set_up = |(boxes, player): &Place, walk: &mut Reach| -> Position {
        position.set_boxes(boxes.iter().copied());
        walk.flood(field, &position, *player);
        position.clone()
    };
    let start = (field.board().boxes().to_vec(), field.board().player());
    let mut order = vec![(start.clone(), NOWHERE)];
    let mut number: HashMap<Place, usize> = HashMap::from([(start, 0)]);
    let mut before: Vec<Vec<usize>> = vec![Vec::new()];
    let mut next = 0;
    while next < order.len() {
        let place = order[next].0.clone();
        let here = set_up(&place, &mut walk);
        let reached: Vec<Square> = walk.reached().to_vec();
        for (i, &at) in here.boxes.iter().enumerate() {
            for dir in DIRS {
                let (from, to) =
                    (field.near()[at as usize][dir.back() as usize], field.near()[at as usize][dir as usize]);
                if !reached.contains(&from) || !here.free(to) {
                    continue;
                }
                let mut boxes = place.0.clone();
                boxes[i] = to;
                boxes.sort_unstable();
                let mut after = (boxes, at);
                set_up(&after, &mut walk);
                after.1 = walk.reached().iter().copied().min().unwrap_or(at);
                let id = *number.entry(after.clone()).or_insert_with(|| {
                    order.push((after, to));
                    before.push(Vec::new());
                    order.len() - 1
                });
                before[id].push(next);
            }
        }
        next += 1;
    }
    let solved = |boxes: &[Square]| boxes.iter().all(|&b| field.board().is_goal(b));
    let mut good = HashSet::new();
    let mut todo: Vec<usize> = (0..order.len()).filter(|&i| solved(&order[i].0.0)).collect();
    while let Some(id) = todo.pop() {
        if good.insert(order[id].0.clone()) {
            todo.extend(&before[id]);
        }
    }
    (order, good)
}

#[test]
fn no_rule_ever_drops_a_position_that_can_be_solved() {
    let (mut tested, mut dropped) = (0u32, HashMap::<&str, u32>::new());
    for board in levels(600) {
        let field = Field::new(&board);
        let (order, good) = whole_space(&field);
        let mut analysis = BoardAnalysis::new(&field, Tuning::default());
        analysis.deadlocks.make_pair_table(&field, &mut Meter::new(&Budget::default())).unwrap();
        let mut position = Position::new(&field);
        for ((boxes, player), pushed) in order.into_iter().skip(1) {
            position.set_boxes(boxes.iter().copied());
            position.player = player;
            tested += 1;
            let walled = analysis.deadlocks.walled_off(&field, &mut position).then_some("walled-off");
            let rule = walled.or_else(|| analysis.deadlocks.quick(&field, &mut position, pushed, player));
            let rule = rule.or_else(|| {
                analysis.deadlocks.thorough(&field, &mut position, pushed, Tuning::default().corral_positions)
            });
            let unreachable = unreachable(&field, &position);
            assert!(!unreachable, "it was reached:\n{}", text::draw(&board.with(player, &boxes)));
            if let Some(rule) = rule {
                *dropped.entry(rule).or_default() += 1;
                assert!(
                    !good.contains(&(boxes.clone(), player)),
                    "{rule}\n{}",
                    text::draw(&board.with(player, &boxes))
                );
            }
        }
    }
    assert!(tested > 100_000, "{tested} positions");
    assert!(dropped.get("walled-off").is_some_and(|&n| n > 100), "{dropped:?}");
}

#[test]
fn the_page_on_sokoban_lists_the_portfolio() {
    let page = include_str!("../../../../../docs/sokoban.md");
    for (number, (name, levels)) in super::members().enumerate() {
        let row = format!("| {} | {name} | {levels} |", number + 1);
        assert!(page.contains(&row), "docs/sokoban.md lacks the row {row}");
    }
}
