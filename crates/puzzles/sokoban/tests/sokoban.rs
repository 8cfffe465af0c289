//! Sokoban against oracles: exhaustive search by independent code, on small levels.

#![allow(clippy::unwrap_used)] // a test that cannot read its own level should fail

mod maps;

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use beeline_puzzle::{Job, Kind, Watcher};
use beeline_search::{Budget, Limit, Meter, Random, Verdict};
use beeline_sokoban::board::{Board, DIRS, Dir, NOWHERE, Square};
use beeline_sokoban::field::Field;
use beeline_sokoban::improve::{Figure, Settings, improve};
use beeline_sokoban::make::make;
use beeline_sokoban::optimal::{Objective, best, best_with};
use beeline_sokoban::rules::pi_corral::PiCorral;
use beeline_sokoban::rules::prune::{RULES, Rules};
use beeline_sokoban::satisficing::{self, Options};
use beeline_sokoban::walk::{self, Reaches, Walk};
use beeline_sokoban::{KIND, text};
use proptest::prelude::*;

fn rules_of(board: &Board, names: &[String]) -> Rules {
    let on = Rules::named(Some(names)).unwrap();
    Rules::of_board(board, on, &mut Meter::new(&Budget::default())).unwrap()
}

/// The player, and the boxes in order.
type Position = (Square, Vec<Square>);

fn start(board: &Board) -> Position {
    (board.player(), board.boxes().to_vec())
}

fn step(board: &Board, (player, boxes): &Position, dir: Dir) -> Option<(Position, bool)> {
    let to = board.next(*player, dir);
    if to == NOWHERE {
        return None;
    }
    let Ok(i) = boxes.binary_search(&to) else { return Some(((to, boxes.clone()), false)) };
    let beyond = board.next(to, dir);
    if beyond == NOWHERE || boxes.binary_search(&beyond).is_ok() {
        return None;
    }
    let mut boxes = boxes.clone();
    boxes[i] = beyond;
    boxes.sort_unstable();
    Some(((to, boxes), true))
}

fn solved(board: &Board, position: &Position) -> bool {
    position.1.iter().all(|&b| board.is_goal(b))
}

/// Plays a plan; gives (moves, pushes) if it is legal and solves.
fn replay(board: &Board, plan: &[Dir]) -> Option<(u32, u32)> {
    let mut at = start(board);
    let mut pushes = 0;
    for &dir in plan {
        let (next, push) = step(board, &at, dir)?;
        pushes += u32::from(push);
        at = next;
    }
    solved(board, &at).then_some((plan.len() as u32, pushes))
}

/// The least cost over all plans, where a step costs `walk` and a push costs `push`, compared as pairs.
fn oracle(board: &Board, walk: (u32, u32), push: (u32, u32)) -> Option<(u32, u32)> {
    let mut open: BTreeSet<((u32, u32), Position)> = [((0, 0), start(board))].into();
    let mut costs: HashMap<Position, (u32, u32)> = [(start(board), (0, 0))].into();
    while let Some((cost, at)) = open.pop_first() {
        if solved(board, &at) {
            return Some(cost);
        }
        for dir in DIRS {
            let Some((next, pushed)) = step(board, &at, dir) else { continue };
            let price = if pushed { push } else { walk };
            let there = (cost.0 + price.0, cost.1 + price.1);
            if costs.get(&next).is_none_or(|&old| there < old) {
                if let Some(old) = costs.insert(next.clone(), there) {
                    open.remove(&(old, next.clone()));
                }
                open.insert((there, next));
            }
        }
    }
    None
}

/// Levels small enough for exhaustive search; every fourth with its boxes shifted, so that it may be
/// unsolvable.
fn levels(count: u64) -> impl Iterator<Item = Board> {
    (0..count).filter_map(|seed| {
        let (width, height) = (5 + seed % 3, 5 + seed / 3 % 3);
        let boxes = 1 + seed / 9 % 3;
        let board = make(width as usize, height as usize, boxes as usize, seed)?;
        if seed % 4 != 3 {
            return Some(board);
        }
        let squares = board.squares() as Square;
        let shifted: Vec<Square> = board.boxes().iter().map(|&b| (b + 1) % squares).collect();
        let player = (0..squares).find(|s| !shifted.contains(s))?;
        Some(board.with(player, &shifted))
    })
}

fn optimum(board: &Board, objective: Objective) -> Option<(u32, u32)> {
    match best(board, objective, &Budget::default(), &mut ()).verdict {
        Verdict::Solved(solution) => {
            let (moves, pushes) = replay(board, &solution.moves).expect("a plan that solves");
            assert!(solution.is_optimal());
            let by_pushes = matches!(objective, Objective::Pushes | Objective::PushesMoves);
            assert_eq!(solution.cost, u64::from(if by_pushes { pushes } else { moves }));
            Some((moves, pushes))
        }
        Verdict::Exhausted => None,
        other => panic!("{other:?}"),
    }
}

/// Checks the costs of all objectives against exhaustive search. Returns whether there is a plan.
fn agrees_with_exhaustive_search(board: &Board) -> bool {
    let by_moves = oracle(board, (1, 0), (1, 1));
    let by_pushes = oracle(board, (0, 1), (1, 1));
    let shown = text::draw(board);
    assert_eq!(optimum(board, Objective::Moves).map(|o| o.0), by_moves.map(|o| o.0), "\n{shown}");
    assert_eq!(optimum(board, Objective::Pushes).map(|o| o.1), by_pushes.map(|o| o.0), "\n{shown}");
    assert_eq!(optimum(board, Objective::MovesPushes), by_moves, "\n{shown}");
    assert_eq!(optimum(board, Objective::PushesMoves), by_pushes.map(|(p, m)| (m, p)), "\n{shown}");
    by_moves.is_some()
}

/// Two boxes, two goals, and one of the goals behind walls: every search says that there is no plan.
#[test]
fn a_goal_out_of_reach_is_no_goal() {
    let puzzle = KIND.parse("#######\n#.#   #\n##@   #\n#  $$ #\n# #  .#\n#######\n").unwrap().remove(0);
    assert_eq!(puzzle.warnings(), ["1 box can never be on a goal: there is no plan"]);
    let proved = KIND.objectives().iter().map(|o| (o.name, "best"));
    let general = ["astar", "idastar", "bfs"].map(|strategy| ("pushes", strategy));
    for (objective, strategy) in proved.chain(general) {
        let job = Job {
            objective: Some(objective.to_owned()),
            strategy: Some(strategy.to_owned()),
            ..Job::default()
        };
        let outcome = puzzle.solve(&job, &Budget::default(), &mut ()).unwrap();
        assert_eq!(outcome.verdict, Verdict::Exhausted, "{objective} by {strategy}");
    }
}

#[test]
fn every_objective_agrees_with_exhaustive_search() {
    let (mut count, mut lost) = (0, 0);
    for board in levels(2600) {
        count += 1;
        lost += u32::from(!agrees_with_exhaustive_search(&board));
    }
    assert!(count >= 2000, "{count} levels");
    assert!(lost >= 50, "{lost} unsolvable levels: too few to mean anything");
}

#[test]
fn with_more_goals_than_boxes_too() {
    let more = levels(1600).filter(|board| board.boxes().len() > 1);
    let fewer = more.map(|board| board.with(board.player(), &board.boxes()[1..]));
    let solvable = fewer.filter(agrees_with_exhaustive_search).count();
    assert!(solvable >= 500, "{solvable} levels");
}

/// Levels whose walls, goals and boxes are their own mirror image, the player standing anywhere. Every other one has no middle
/// column, so that the reflection takes black squares to white ones.
fn mirrored_levels(count: u64) -> impl Iterator<Item = Board> {
    (0..count).filter_map(|seed| {
        let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut below = |sides: u64| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random >> 20) % sides
        };
        let (half, height, odd) = (2 + below(2) as usize, 3 + below(2) as usize, seed % 2 == 1);
        let width = 2 * half + usize::from(odd);
        let mut rows = vec![vec![b' '; width]; height];
        let (boxes, walls) = (1 + below(2), below(3));
        for cell in [(b'$', boxes), (b'.', boxes), (b'#', walls)] {
            for _ in 0..cell.1 {
                let (row, column) = (below(height as u64) as usize, below(half as u64) as usize);
                if rows[row][column] == b' ' {
                    rows[row][column] = cell.0;
                    rows[row][width - 1 - column] = cell.0;
                }
            }
        }
        let (row, column) = (below(height as u64) as usize, below(width as u64) as usize);
        if rows[row][column] != b' ' {
            return None;
        }
        rows[row][column] = b'@';
        let edge = "#".repeat(width + 2);
        let inside: Vec<String> =
            rows.iter().map(|row| format!("#{}#", String::from_utf8_lossy(row))).collect();
        let level = text::parse(&format!("{edge}\n{}\n{edge}\n", inside.join("\n"))).ok()?.pop()?;
        // A box that the player can never reach is not part of the board.
        Some(level.board).filter(|board| board.lost() == 0)
    })
}

#[test]
fn mirrored_levels_agree_with_exhaustive_search() {
    mirrored_levels_agree(400);
}

#[test]
#[ignore = "long: cargo xtask prove (12,000 levels)"]
fn many_mirrored_levels_agree_with_exhaustive_search() {
    mirrored_levels_agree(12_000);
}

fn mirrored_levels_agree(seeds: u64) {
    let (mut count, mut solvable) = (0, 0);
    for board in mirrored_levels(seeds) {
        count += 1;
        solvable += u64::from(agrees_with_exhaustive_search(&board));
    }
    assert!(count >= seeds * 5 / 12 && solvable >= seeds / 12, "{count} levels, {solvable} of them solvable");
}

/// Levels with long tunnels.
fn levels_with_tunnels(count: u64) -> impl Iterator<Item = Board> {
    (0..count).filter_map(|seed| {
        let (width, height) = (9 + seed as usize % 3, 6 + seed as usize / 3 % 3);
        let text = maps::with_tunnels(width, height, 1 + seed as usize / 4 % 3, seed)?;
        let board = text::parse(&text).ok()?.pop()?.board;
        (board.lost() == 0).then_some(board)
    })
}

#[test]
fn levels_with_tunnels_agree_with_exhaustive_search() {
    levels_with_tunnels_agree(1800);
}

#[test]
#[ignore = "long: cargo xtask prove (90,000 levels)"]
fn many_levels_with_tunnels_agree_with_exhaustive_search() {
    levels_with_tunnels_agree(90_000);
}

fn levels_with_tunnels_agree(seeds: u64) {
    let (mut count, mut solvable, mut passed) = (0, 0, 0);
    for board in levels_with_tunnels(seeds) {
        count += 1;
        solvable += u64::from(agrees_with_exhaustive_search(&board) && !solved(&board, &start(&board)));
        let stats = best(&board, Objective::Moves, &Budget::default(), &mut ()).stats;
        passed += u64::from(stats.pruned.iter().any(|p| p.0 == "tunnel" && p.1 > 0));
    }
    assert!(count >= seeds * 2 / 3 && solvable >= seeds / 3, "{count} levels, {solvable} of them solvable");
    assert!(passed >= seeds / 9, "{passed} levels with tunnels that boxes pass through");
}

/// Too large for exhaustive search, and large enough for both ends of the search to grow.
#[test]
fn larger_levels_with_tunnels_cost_the_same_without_the_rule() {
    let names: Vec<String> = RULES.iter().map(|r| r.name.to_owned()).filter(|n| n != "tunnel").collect();
    let (mut solvable, mut passed) = (0, 0);
    for seed in 0..900 {
        let text = maps::with_tunnels(12, 9, 3 + seed as usize / 4 % 3, seed).unwrap_or_default();
        let Some(level) = text::parse(&text).ok().and_then(|mut levels| levels.pop()) else { continue };
        for objective in [Objective::Moves, Objective::Pushes] {
            let budget = Budget { nodes: Some(40_000), ..Budget::default() };
            let cost = |rules: Option<&Rules>| {
                let outcome = best_with(&level.board, objective, rules, &budget, &mut ());
                let passed = outcome.stats.pruned.iter().any(|p| p.0 == "tunnel" && p.1 > 0);
                match outcome.verdict {
                    Verdict::Solved(solution) => {
                        assert!(replay(&level.board, &solution.moves).is_some());
                        Some((Some(solution.cost), passed))
                    }
                    Verdict::Exhausted => Some((None, passed)),
                    _ => None,
                }
            };
            let without = cost(Some(&rules_of(&level.board, &names)));
            if let (Some(with), Some(without)) = (cost(None), without) {
                assert_eq!(with.0, without.0, "{objective:?}\n{}", text::draw(&level.board));
                solvable += u32::from(with.0.is_some());
                passed += u32::from(with.1);
            }
        }
    }
    assert!(solvable >= 400 && passed >= 400, "{solvable} solved, {passed} of them through tunnels");
}

/// Every position that can be reached, with the direction of a push that leads to it, if any; and the
/// solvable ones.
fn whole_space(board: &Board) -> (Vec<(Position, Option<Dir>)>, HashSet<Position>) {
    let mut met: HashMap<Position, usize> = HashMap::new();
    let mut order: Vec<(Position, Option<Dir>)> = Vec::new();
    let mut before: Vec<Vec<usize>> = Vec::new();
    let mut queue = VecDeque::new();
    met.insert(start(board), 0);
    order.push((start(board), None));
    before.push(Vec::new());
    queue.push_back(0);
    while let Some(id) = queue.pop_front() {
        for dir in DIRS {
            let Some((next, pushed)) = step(board, &order[id].0, dir) else { continue };
            let there = *met.entry(next.clone()).or_insert_with(|| {
                order.push((next, None));
                before.push(Vec::new());
                queue.push_back(order.len() - 1);
                order.len() - 1
            });
            if pushed {
                order[there].1 = Some(dir);
            }
            before[there].push(id);
        }
    }
    let mut good: HashSet<Position> = HashSet::new();
    let mut todo: Vec<usize> = (0..order.len()).filter(|&i| solved(board, &order[i].0)).collect();
    while let Some(id) = todo.pop() {
        if good.insert(order[id].0.clone()) {
            todo.extend(&before[id]);
        }
    }
    (order, good)
}

#[test]
fn no_rule_ever_drops_a_position_that_can_be_solved() {
    let mut tested = 0u64;
    let mut dropped: HashMap<&str, u64> = HashMap::new();
    for board in levels(2400) {
        let (order, good) = whole_space(&board);
        if order.len() > 5_000 {
            continue;
        }
        for rule in RULES {
            let mut rules = rules_of(&board, &[rule.name.to_owned()]);
            for ((player, boxes), push) in &order {
                let Some(dir) = push else { continue };
                tested += 1;
                let pushed = board.next(*player, *dir);
                let Some(name) = rules.verdict(*player, boxes.iter().copied(), pushed) else { continue };
                *dropped.entry(name).or_default() += 1;
                assert!(
                    !good.contains(&(*player, boxes.clone())),
                    "{name} drops a position that can be solved:\n{}",
                    text::draw(&board.with(*player, boxes))
                );
            }
        }
    }
    assert!(tested >= 100_000 * RULES.len() as u64, "{tested} tests");
    for rule in
        RULES.iter().filter(|rule| !["diagonals", "pi-corral", "goal-room", "tunnel"].contains(&rule.name))
    {
        let often = dropped.get(rule.name).is_some_and(|&n| n > 100);
        assert!(often, "{} hardly ever applies: {dropped:?}", rule.name);
    }
}

/// The least number of pushes from each solvable position, over the whole space.
fn pushes_left(board: &Board, order: &[(Position, Option<Dir>)]) -> HashMap<Position, u32> {
    let mut before: HashMap<Position, Vec<(Position, u32)>> = HashMap::new();
    for (at, _) in order {
        for (next, pushed) in DIRS.into_iter().filter_map(|dir| step(board, at, dir)) {
            before.entry(next).or_default().push((at.clone(), u32::from(pushed)));
        }
    }
    let mut left: HashMap<Position, u32> = HashMap::new();
    let mut queue: VecDeque<(Position, u32)> =
        order.iter().filter(|(at, _)| solved(board, at)).map(|(at, _)| (at.clone(), 0)).collect();
    while let Some((at, pushes)) = queue.pop_front() {
        if left.contains_key(&at) {
            continue;
        }
        for (earlier, push) in before.get(&at).into_iter().flatten() {
            match push {
                0 => queue.push_front((earlier.clone(), pushes)),
                _ => queue.push_back((earlier.clone(), pushes + 1)),
            }
        }
        left.insert(at, pushes);
    }
    left
}

#[test]
fn pi_corral_pruning_costs_no_push() {
    let (mut tested, mut corrals) = (0, [0; 2]);
    for board in levels(1800) {
        let (order, _) = whole_space(&board);
        if order.len() > 5_000 {
            continue;
        }
        let left = pushes_left(&board, &order);
        let field = Field::new(&board);
        let mut walk = Walk::new(&field);
        // Single corrals, and combined ones.
        let mut kinds = [PiCorral::new(&field), PiCorral::new(&field).combining()];
        let mut position = walk::Position::new(&field);
        for (number, (at, _)) in order.iter().flat_map(|place| [(0, place), (1, place)]) {
            tested += 1 - number;
            position.clear();
            at.1.iter().for_each(|&b| position.put(b));
            position.player = at.0;
            walk.flood(&field, &position, at.0);
            let pi = &mut kinds[number];
            let Some(&least) = left.get(at).filter(|&&least| least > 0) else { continue };
            if !pi.find(&field, &position, &walk) {
                continue;
            }
            let boundary: Vec<_> = at.1.iter().copied().filter(|&b| pi.is_next(b)).collect();
            corrals[number] += 1;
            let after = walk.reached().iter().flat_map(|&player| {
                let (boundary, board, here) = (&boundary, &board, (player, at.1.clone()));
                DIRS.into_iter().filter_map(move |dir| {
                    let pushed = boundary.contains(&board.next(player, dir));
                    pushed.then(|| step(board, &here, dir)).flatten().map(|(next, _)| next)
                })
            });
            let first = after.filter_map(|next| left.get(&next)).min();
            let shown = text::draw(&board.with(at.0, &at.1));
            assert_eq!(first.map(|n| n + 1), Some(least), "only pushes of {boundary:?}:\n{shown}");
        }
    }
    assert!(tested >= 100_000, "{tested} positions");
    assert!(corrals[0] >= 200 && corrals[1] > corrals[0], "{corrals:?} corrals: too few to mean anything");
}

/// Two empty squares on a diagonal. A box pushed into one of them is in a corner.
const DIAGONAL: &str = "\
#########
###     #
## $  . #
# $ #   #
#. ##  @#
#       #
#########
";

#[test]
fn a_closed_diagonal_is_seen() {
    let board = text::parse(DIAGONAL).unwrap().remove(0).board;
    assert_eq!(oracle(&board, (1, 0), (1, 1)), None);
    let pushed = board.square(2, 3).unwrap();
    let verdict = |rule: &str| {
        let mut rules = rules_of(&board, &[rule.to_owned()]);
        rules.verdict(board.player(), board.boxes().iter().copied(), pushed)
    };
    assert_eq!(verdict("diagonals"), Some("diagonals"));
    for simpler in ["corners", "dead-squares", "freeze"] {
        assert_eq!(verdict(simpler), None);
    }
}

#[test]
fn any_plan_is_a_plan_and_improving_it_keeps_it_one() {
    for board in levels(300) {
        let least = oracle(&board, (1, 0), (1, 1)).map(|o| o.0);
        match satisficing::solve(&board, &Options::default(), &Budget::default(), &mut ()).verdict {
            Verdict::Solved(solution) => {
                let (moves, _) = replay(&board, &solution.moves).expect("a plan that solves");
                let budget = Budget { nodes: Some(2000), ..Budget::default() };
                let shorter = improve(&board, &solution.moves, &Settings::default(), &budget, &mut ()).plan;
                let (after, _) = replay(&board, &shorter).expect("still a plan that solves");
                assert!(after <= moves && Some(after) >= least);
            }
            Verdict::Exhausted => assert_eq!(least, None, "\n{}", text::draw(&board)),
            other => panic!("{other:?}"),
        }
    }
}

/// A plan with detours: random steps, and a plan from there. `None` if the steps have made the level unsolvable.
fn long_plan(board: &Board, seed: u64) -> Option<Vec<Dir>> {
    let mut random = Random::new(seed);
    let (mut at, mut plan) = (start(board), Vec::new());
    for _ in 0..60 {
        let dir = DIRS[random.below(4)];
        if let Some((next, _)) = step(board, &at, dir) {
            (at, plan) = (next, [&plan[..], &[dir]].concat());
        }
    }
    let outcome =
        satisficing::solve(&board.with(at.0, &at.1), &Options::default(), &Budget::default(), &mut ());
    Some([&plan[..], &outcome.solution()?.moves].concat())
}

#[test]
fn improving_without_limits_ends_with_the_best_plan_of_a_small_level() {
    let mut improved = 0;
    for (seed, board) in levels(60).enumerate() {
        let Some(plan) = long_plan(&board, seed as u64) else { continue };
        let before = replay(&board, &plan).expect("a plan that solves");
        for (figure, walk) in [(Figure::Moves, (1, 0)), (Figure::Pushes, (0, 1))] {
            let best = oracle(&board, walk, (1, 1)).expect("a plan");
            for (trade, threads) in [(true, 1), (false, 2)] {
                let settings = Settings { figure, trade, threads };
                let better = improve(&board, &plan, &settings, &Budget::default(), &mut ());
                let (moves, pushes) = replay(&board, &better.plan).expect("still a plan that solves");
                assert_eq!(better.stats.stopped, None);
                if trade {
                    let found = if figure == Figure::Moves { (moves, pushes) } else { (pushes, moves) };
                    assert_eq!(found, best, "{figure:?}\n{}", text::draw(&board));
                } else {
                    assert!(moves <= before.0 && pushes <= before.1, "neither figure becomes worse");
                }
                improved += u32::from((moves, pushes) != before);
            }
        }
    }
    assert!(improved > 50, "{improved} plans became better: too few to mean anything");
}

/// The status lines of a search.
struct StatusLog(Vec<String>);

impl Watcher for StatusLog {
    fn status(&mut self, status: &str) {
        self.0.push(status.to_owned());
    }
}

#[test]
fn any_plan_tells_whose_turn_it_is_and_how_many_boxes_are_packed() {
    let first = (0..20).filter_map(|seed| make(12, 12, 16, seed)).find_map(|board| {
        let mut log = StatusLog(Vec::new());
        let budget = Budget { nodes: Some(5000), ..Budget::default() };
        satisficing::solve(&board, &Options::default(), &budget, &mut log);
        log.0.into_iter().next().filter(|status| status.starts_with("search "))
    });
    let first = first.expect("a level that takes more than a turn");
    assert!(first.starts_with("search 1 of 5 (greedy pushes), "), "{first}");
    assert!(first.ends_with(" of 16 boxes packed"), "{first}");
}

#[test]
fn improving_tells_the_figures_of_the_best_plan_and_stops_at_limits() {
    let board = text::parse(example("sokoban-hall")).unwrap().remove(0).board;
    let plan = satisficing::solve(&board, &Options::default(), &Budget::default(), &mut ())
        .solution()
        .expect("a plan")
        .moves
        .clone();
    let mut log = StatusLog(Vec::new());
    let budget = Budget { nodes: Some(20_000), ..Budget::default() };
    let better = improve(&board, &plan, &Settings::default(), &budget, &mut log);
    let (moves, pushes) = replay(&board, &better.plan).expect("still a plan that solves");
    assert_eq!(better.stats.stopped, Some(Limit::Nodes));
    assert_eq!(better.stats.expanded, 20_000);
    assert_eq!(log.0.last(), Some(&format!("{moves} moves, {pushes} pushes")));
    let little = Budget { bytes: Some(1000), ..Budget::default() };
    let unchanged = improve(&board, &plan, &Settings::default(), &little, &mut ());
    assert_eq!((unchanged.plan, unchanged.stats.stopped), (plan, Some(Limit::Memory)));
}

#[test]
fn a_plan_that_is_none_comes_back_unchanged() {
    let board = make(6, 6, 2, 1).unwrap();
    let plan = [Dir::Left; 50];
    assert_eq!(improve(&board, &plan, &Settings::default(), &Budget::default(), &mut ()).plan, plan);
}

fn example(name: &str) -> &'static str {
    KIND.examples().iter().find(|e| e.name == name).unwrap().text
}

#[test]
fn engine_strategies_and_rules_agree_with_the_solver() {
    for name in ["sokoban-first", "sokoban-two", "sokoban-lost", "sokoban-detour"] {
        let puzzle = KIND.parse(example(name)).unwrap().remove(0);
        let cost = |job: &Job| {
            let outcome = puzzle.solve(job, &Budget::default(), &mut ()).unwrap();
            outcome.solution().unwrap_or_else(|| panic!("{job:?}")).cost
        };
        let least = cost(&Job::default());
        for rule in RULES {
            let job = Job { rules: Some(vec![rule.name.to_owned()]), ..Job::default() };
            assert_eq!(cost(&job), least, "{name} with {} alone", rule.name);
        }
        let pushes = Some("pushes".to_owned());
        let fewest = cost(&Job { objective: pushes.clone(), ..Job::default() });
        for strategy in ["bfs", "ucs", "astar", "idastar"] {
            let job =
                Job { strategy: Some(strategy.to_owned()), objective: pushes.clone(), ..Job::default() };
            assert_eq!(cost(&job), fewest, "{name} by pushes: {job:?}");
        }
        for strategy in ["bfs", "ucs", "astar"] {
            for heuristic in KIND.heuristics() {
                let (strategy, heuristic) = (Some(strategy.to_owned()), Some(heuristic.name.to_owned()));
                let job = Job { strategy, heuristic, ..Job::default() };
                assert_eq!(cost(&job), least, "{name} {job:?}");
                assert_eq!(cost(&Job { rules: Some(Vec::new()), ..job }), least, "{name} without rules");
            }
        }
    }
}

#[test]
fn limits_are_kept_and_reported() {
    let board = text::parse(example("sokoban-hall")).unwrap().remove(0).board;
    let budget = Budget { nodes: Some(500), ..Budget::default() };
    let outcome = best(&board, Objective::Moves, &budget, &mut ());
    assert_eq!(outcome.verdict, Verdict::Stopped(Limit::Nodes));
    assert_eq!(outcome.stats.expanded, 500);
    let budget = Budget { bytes: Some(200_000), ..Budget::default() };
    let outcome = best(&board, Objective::Moves, &budget, &mut ());
    assert_eq!(outcome.verdict, Verdict::Stopped(Limit::Memory));
    assert!(outcome.stats.bytes <= 200_000);
}

#[test]
fn a_state_of_sixteen_boxes_stays_small() {
    let board = text::parse(example("sokoban-hall")).unwrap().remove(0).board;
    assert_eq!(board.boxes().len(), 16);
    let after = |nodes| {
        let budget = Budget { nodes: Some(nodes), ..Budget::default() };
        best(&board, Objective::Moves, &budget, &mut ()).stats
    };
    // The tables of the board are computed before the first expansion.
    let (set_up, searched) = (after(0), after(60_000));
    let bytes = (searched.bytes - set_up.bytes) as f64 / searched.stored as f64;
    assert!(bytes <= 24.0, "{bytes} bytes");
}

proptest! {
    #[test]
    fn boards_survive_printing_and_encoding(
        seed in 0u64..1_000_000, width in 4usize..12, height in 4usize..12, boxes in 1usize..6
    ) {
        if let Some(board) = make(width, height, boxes, seed) {
            prop_assert_eq!(&text::parse(&text::draw(&board)).unwrap()[0].board, &board);
            prop_assert_eq!(&text::parse(&text::encode(&board)).unwrap()[0].board, &board);
        }
    }

    #[test]
    fn collections_survive_printing(
        seeds in proptest::collection::vec(0u64..10_000, 1..5), title in "[a-z]{1,9}( [a-z]{1,5})?"
    ) {
        let level = |seed: u64| Some(text::Level {
            title: (seed.is_multiple_of(2)).then(|| title.clone()),
            author: (seed.is_multiple_of(3)).then(|| format!("{title} jr")),
            remarks: if seed.is_multiple_of(5) { vec![title.clone()] } else { Vec::new() },
            games: seed.is_multiple_of(7).then(|| text::Recorded { letters: "rR2l".into(), saved: seed.is_multiple_of(2) }).into_iter().collect(),
            ..text::Level::new(make(6, 6, 2, seed)?)
        });
        let levels: Vec<_> = seeds.iter().filter_map(|&seed| level(seed)).collect();
        prop_assume!(!levels.is_empty());
        prop_assert_eq!(text::parse(&text::print_all(&levels)).unwrap(), levels);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[#@$.*+ 0-9|;%a-z:\n_-]{0,200}") {
        if let Ok(levels) = text::parse(&text) {
            prop_assert!(!levels.is_empty());
        }
        KIND.recognises(&text);
    }
}

/// Boxes one below the other, each of which must go down one long shaft; the player must come up again for
/// the next.
fn long_shaft(boxes: usize, length: usize) -> Board {
    let pairs = "# $#\n#  #\n".repeat(boxes);
    let (shaft, goals) = ("## #\n".repeat(length - boxes), "##.#\n".repeat(boxes));
    let text = format!("####\n# @#\n{pairs}{shaft}{goals}####\n");
    text::parse(&text).unwrap().remove(0).board
}

#[test]
fn plans_of_many_thousand_moves_are_counted_right() {
    use Objective::{Moves, MovesPushes, Pushes, PushesMoves};
    let (boxes, short, long) = (3, 40, 3400);
    let mut lengths = Vec::new();
    // The long level is solved only for the objective whose secondary count is large: moves below pushes.
    let cases: [(usize, &[Objective]); 2] =
        [(short, &[Moves, MovesPushes, PushesMoves, Pushes]), (long, &[PushesMoves])];
    for (length, objectives) in cases {
        let board = long_shaft(boxes, length);
        // Every box goes the same way in every plan, so the plan with the fewest moves has the fewest pushes.
        let pushes = (boxes * (length + 1) + boxes * (boxes - 1) / 2) as u32;
        let mut least = None;
        for &objective in objectives {
            let outcome = best(&board, objective, &Budget::default(), &mut ());
            let plan = outcome.solution().unwrap_or_else(|| panic!("{objective:?}: {:?}", outcome.stats));
            let (moves, pushed) = replay(&board, &plan.moves).unwrap();
            assert_eq!(pushed, pushes, "{objective:?}");
            let first = matches!(objective, Moves | MovesPushes);
            assert_eq!(plan.cost, u64::from(if first { moves } else { pushed }), "{objective:?}");
            assert!(plan.is_optimal());
            if objective != Pushes {
                assert_eq!(*least.get_or_insert(moves), moves, "{objective:?}");
            }
            let bounds = outcome.stats.rounds.iter().map(|round| round.bound);
            assert!(bounds.into_iter().all(|bound| bound <= plan.cost), "{objective:?}");
        }
        lengths.extend(least);
    }
    // The shaft is passed once down for each box and up again for all but the last.
    assert_eq!(lengths[1] - lengths[0], (2 * boxes as u32 - 1) * (long - short) as u32);
    assert!(lengths[1] > 1 << 14, "{} moves fit into 14 bits", lengths[1]);
}
