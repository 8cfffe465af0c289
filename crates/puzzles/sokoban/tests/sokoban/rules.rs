//! The dead-end rules, on every position of small levels.

use std::collections::{HashMap, HashSet, VecDeque};

use beeline_sokoban::board::{Board, DIRS, Dir};
use beeline_sokoban::field::Field;
use beeline_sokoban::rules::pi_corral::PiCorral;
use beeline_sokoban::rules::prune::RULES;
use beeline_sokoban::walk::Reach;
use beeline_sokoban::{text, walk};

use super::oracle::{Position, levels, oracle, rules_of, solved, start, step};

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
    no_rule_drops(800);
}

#[test]
#[ignore = "long: cargo xtask prove (12,000 levels)"]
fn no_rule_ever_drops_a_position_of_many_levels_that_can_be_solved() {
    no_rule_drops(12_000);
}

fn no_rule_drops(seeds: u64) {
    let mut tested = 0u64;
    let mut dropped: HashMap<&str, u64> = HashMap::new();
    for board in levels(seeds) {
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
    assert!(tested >= 40 * seeds * RULES.len() as u64, "{tested} tests");
    for rule in
        RULES.iter().filter(|rule| !["diagonals", "pi-corral", "goal-room", "tunnel"].contains(&rule.name))
    {
        let often = dropped.get(rule.name).is_some_and(|&n| n > seeds / 24);
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
    pi_corral_pruning(600);
}

#[test]
#[ignore = "long: cargo xtask prove (9,000 levels)"]
fn pi_corral_pruning_costs_no_push_of_many_levels() {
    pi_corral_pruning(9_000);
}

fn pi_corral_pruning(seeds: u64) {
    let (mut tested, mut corrals) = (0, [0; 2]);
    for board in levels(seeds) {
        let (order, _) = whole_space(&board);
        if order.len() > 5_000 {
            continue;
        }
        let left = pushes_left(&board, &order);
        let field = Field::new(&board);
        let mut walk = Reach::new(&field);
        // Single corrals, and combined ones.
        let mut kinds = [PiCorral::new(&field), PiCorral::new(&field).combining()];
        let mut position = walk::Position::new(&field);
        for (number, (at, _)) in order.iter().flat_map(|place| [(0, place), (1, place)]) {
            tested += 1 - number as u64;
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
    assert!(tested >= 55 * seeds, "{tested} positions");
    assert!(
        corrals[0] >= seeds / 9 && corrals[1] > corrals[0],
        "{corrals:?} corrals: too few to mean anything"
    );
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
