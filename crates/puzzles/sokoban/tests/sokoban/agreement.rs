//! The optimal solver beside exhaustive search.

use beeline_puzzle::{Job, Kind};
use beeline_search::{Budget, Meter, Verdict};
use beeline_sokoban::board::Board;
use beeline_sokoban::optimal::{Objective, best, best_with};
use beeline_sokoban::rules::prune::{RULES, Rules};
use beeline_sokoban::{KIND, text};

use super::maps;
use super::oracle::{levels, oracle, replay, rules_of, solved, start};

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
    every_objective_agrees(800);
}

#[test]
#[ignore = "long: cargo xtask prove (13,000 levels)"]
fn every_objective_agrees_on_many_levels() {
    every_objective_agrees(13_000);
}

fn every_objective_agrees(seeds: u64) {
    let (mut count, mut lost) = (0, 0);
    for board in levels(seeds) {
        count += 1;
        lost += u64::from(!agrees_with_exhaustive_search(&board));
    }
    assert!(count >= seeds * 3 / 4, "{count} levels");
    assert!(lost >= seeds / 52, "{lost} unsolvable levels: too few to mean anything");
}

#[test]
fn with_more_goals_than_boxes_too() {
    let more = levels(600).filter(|board| board.boxes().len() > 1);
    let fewer = more.map(|board| board.with(board.player(), &board.boxes()[1..]));
    let solvable = fewer.filter(agrees_with_exhaustive_search).count();
    assert!(solvable >= 180, "{solvable} levels");
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
                let outcome =
                    best_with(&level.board, objective, rules, (&budget, Meter::new(&budget)), &mut ());
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
