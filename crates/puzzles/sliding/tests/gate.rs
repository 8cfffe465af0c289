//! Impassable Gate: the tables of the classic report, and every optimal strategy against a literal implementation of the rules.

#![allow(clippy::unwrap_used)]

mod sliding_plain;

use beeline_puzzle::{Job, Kind, Puzzle};
use beeline_search::novelty::Record;
use beeline_search::random::Random;
use beeline_search::{Budget, Limit, Verdict};
use beeline_sliding::gate::classic::{Algorithm, Ending, Options, report};
use beeline_sliding::gate::{Gate, make};
use beeline_sliding::{Dir, Metric};
use proptest::prelude::*;
use sliding_plain as plain;

const CAPABILITY_1: &str = "\
########
###GG###
###HH###
#  00  #
##    ##
#      #
#      #
#      #
#      #
########
";

const CAPABILITY_6: &str = "\
########
###GG###
###GG###
#   00 #
##  00##
#      #
#      #
#      #
#      #
########
";

/// Our own board with six pieces in five shapes: two pieces share a shape.
const TWINS: &str = "\
#######
#GG11 #
#GG1 2#
#33 22#
#3 004#
# 5004#
#######
";

fn figures(text: &str, options: Options) -> (Vec<String>, [u64; 4], usize) {
    let r = report(&Gate::parse(text).unwrap(), options, &Budget::default());
    (r.plan, [r.expanded, r.generated, r.duplicated, r.auxiliary], r.width)
}

fn with(algorithm: Algorithm) -> Options {
    Options { algorithm, ..Options::default() }
}

#[test]
fn the_published_examples_come_out_to_the_digit() {
    let (plan, counters, width) = figures(CAPABILITY_6, Options::default());
    assert_eq!((plan.concat().as_str(), counters, width), ("0l0u0u", [7, 12, 8, 342], 1));
    assert_eq!(figures(CAPABILITY_6, with(Algorithm::Duplicates)).1, [7, 12, 8, 342]);
    assert_eq!(figures(CAPABILITY_6, with(Algorithm::Plain)).1, [7, 20, 0, 0]);
    let (plan, counters, _) = figures(CAPABILITY_1, Options::default());
    assert_eq!((plan.concat().as_str(), counters), ("0u", [1, 1, 0, 0]));
    assert_eq!(figures(CAPABILITY_1, with(Algorithm::Duplicates)).1, [1, 1, 0, 0]);
    assert_eq!(report(&Gate::parse(CAPABILITY_6).unwrap(), Options::default(), &Budget::default()).empty, 34);
}

/// A literal implementation of Iterated Width: sets of atoms, a queue of grids, the counting rule of the example.
fn literal_width(gate: &Gate, width: usize, first_only: bool) -> (Option<usize>, [u64; 3]) {
    use std::collections::{HashSet, VecDeque};
    let layout = gate.layout();
    let n = layout.pieces.len();
    let mut met: Vec<HashSet<Vec<(usize, usize)>>> = vec![HashSet::new(); width + 1];
    let mut queue = VecDeque::from([(layout.owners(), 0)]);
    let mut counters = [0, 1, 0];
    while let Some((grid, depth)) = queue.pop_front() {
        counters[0] += 1;
        for child in plain::moves(layout, &grid, Metric::Steps) {
            if plain::solved(layout, &child) {
                return (Some(depth + 1), counters);
            }
            let at = |p: usize| child.iter().position(|&o| o == Some(p)).unwrap();
            let mut novel = false;
            for (size, met) in met.iter_mut().enumerate().skip(1) {
                let chosen = (0u32..1 << n).filter(|m| m.count_ones() as usize == size);
                let tuples: Vec<Vec<(usize, usize)>> = chosen
                    .map(|m| (0..n).filter(|p| m >> p & 1 == 1).map(|p| (p, at(p))).collect())
                    .collect();
                if first_only && novel {
                    break;
                }
                let any_new = tuples.iter().any(|t| !met.contains(t));
                if any_new || novel {
                    met.extend(tuples);
                }
                novel |= any_new;
            }
            counters[if novel { 1 } else { 2 }] += 1;
            if novel {
                queue.push_back((child, depth + 1));
            }
        }
    }
    (None, counters)
}

#[test]
fn iterated_width_counts_what_the_text_says() {
    let mut random = Random::new(11);
    let mut compared = 0;
    while compared < 150 {
        let Some(gate) = make::scatter(5, 5, 3, &mut random) else { continue };
        for record in [Record::All, Record::Smallest] {
            let options = Options { record, ..Options::default() };
            let ours = report(&gate, options, &Budget::default());
            let pieces = gate.layout().pieces.len();
            let literal = (1..=pieces).map(|w| (w, literal_width(&gate, w, record == Record::Smallest)));
            let (width, (steps, counters)) =
                literal.into_iter().find(|(w, (steps, _))| steps.is_some() || *w == pieces).unwrap();
            assert_eq!(ours.width, width, "{}", gate.print());
            assert_eq!([ours.expanded, ours.generated, ours.duplicated], counters, "{}", gate.print());
            assert_eq!(ours.ending == Ending::Solved, steps.is_some());
            assert_eq!(ours.plan.len(), steps.unwrap_or(0));
        }
        compared += 1;
    }
}

#[test]
fn all_widths_is_the_sum() {
    let last = figures(TWINS, Options::default());
    let all = figures(TWINS, Options { all_widths: true, ..Options::default() });
    assert!(last.2 > 1, "the board must need more than one width for this test");
    assert_eq!((last.0, last.1[3]), (all.0, all.1[3]));
    let sum = (1..=last.2).map(|w| literal_width(&Gate::parse(TWINS).unwrap(), w, false).1);
    let sum = sum.fold([0; 3], |a, b| std::array::from_fn(|i| a[i] + b[i]));
    assert_eq!(all.1[..3], sum);
}

#[test]
fn limits_stop_with_figures() {
    let gate = Gate::parse(TWINS).unwrap();
    let few = Budget { nodes: Some(50), ..Budget::default() };
    let stopped = report(&gate, with(Algorithm::Duplicates), &few);
    assert_eq!((stopped.ending, stopped.expanded), (Ending::Stopped(Limit::Nodes), 50));
    let small = Budget { bytes: Some(20_000), ..Budget::default() };
    assert_eq!(report(&gate, with(Algorithm::Plain), &small).ending, Ending::Stopped(Limit::Memory));
    for strategy in [None, Some("bfs".to_owned())] {
        let job = Job { strategy, ..Job::default() };
        let outcome = gate.solve(&job, &few, &mut ()).unwrap();
        assert_eq!(outcome.verdict, Verdict::Stopped(Limit::Nodes));
    }
}

/// Paths and distinct positions by depth.
fn perft(text: &str, depth: usize) -> (Vec<u64>, Vec<usize>) {
    use std::collections::{HashMap, HashSet};
    let gate = Gate::parse(text).unwrap();
    let mut paths = vec![1];
    let mut layer = HashMap::from([(gate.print(), 1u64)]);
    let mut met: HashSet<String> = layer.keys().cloned().collect();
    let mut distinct = vec![1];
    for _ in 0..depth {
        let mut next: HashMap<String, u64> = HashMap::new();
        for (board, count) in layer {
            let mut game = Gate::parse(&board).unwrap().game();
            for step in game.legal() {
                game.play(&step).unwrap();
                *next.entry(game.here().text()).or_default() += count;
                assert!(game.undo());
            }
        }
        paths.push(next.values().sum());
        distinct.push(next.keys().filter(|b| met.insert((*b).clone())).count());
        layer = next;
    }
    (paths, distinct)
}

/// The same by the plain rules.
fn plain_perft(text: &str, depth: usize) -> (Vec<u64>, Vec<usize>) {
    use std::collections::{HashMap, HashSet};
    let gate = Gate::parse(text).unwrap();
    let layout = gate.layout();
    let mut layer = HashMap::from([(layout.owners(), 1u64)]);
    let mut met: HashSet<plain::Grid> = layer.keys().cloned().collect();
    let (mut paths, mut distinct) = (vec![1], vec![1]);
    for _ in 0..depth {
        let mut next: HashMap<plain::Grid, u64> = HashMap::new();
        for (grid, count) in layer {
            for after in plain::moves(layout, &grid, Metric::Steps) {
                *next.entry(after).or_default() += count;
            }
        }
        paths.push(next.values().sum());
        distinct.push(next.keys().filter(|g| met.insert((*g).clone())).count());
        layer = next;
    }
    (paths, distinct)
}

#[test]
fn perft_tables_hold() {
    let tables = [
        (CAPABILITY_6, vec![1, 2, 7, 20, 67], vec![1, 2, 4, 5, 4]),
        (TWINS, PERFT_TWINS.0.to_vec(), PERFT_TWINS.1.to_vec()),
    ];
    for (board, paths, distinct) in tables {
        let depth = paths.len() - 1;
        assert_eq!(perft(board, depth), (paths, distinct));
        assert_eq!(perft(board, depth), plain_perft(board, depth));
    }
}

const PERFT_TWINS: ([u64; 6], [usize; 6]) = ([1, 10, 70, 449, 3072, 20113], [1, 10, 33, 62, 110, 169]);

/// Plays a plan by the plain rules and gives its steps and its moves.
fn replay(gate: &Gate, plan: &[String]) -> (u64, u64) {
    let layout = gate.layout();
    let mut grid = layout.owners();
    let (mut steps, mut moves, mut last) = (0, 0, None);
    for part in plan {
        let digit = part[..1].parse::<u8>().unwrap();
        let piece = gate.digits().iter().position(|&d| d == digit).unwrap();
        moves += u64::from(last != Some(piece));
        last = Some(piece);
        for letter in part[1..].chars() {
            let dir = Dir::from_letter(letter).unwrap();
            grid = plain::step(layout, &grid, piece, dir as usize).expect("a legal step");
            steps += 1;
        }
    }
    assert!(plain::solved(layout, &grid), "the plan does not solve");
    (steps, moves)
}

fn cost(gate: &Gate, strategy: Option<&str>, objective: &str, heuristic: Option<&str>) -> Option<u64> {
    let job = Job {
        strategy: strategy.map(str::to_owned),
        objective: Some(objective.to_owned()),
        heuristic: heuristic.map(str::to_owned),
        ..Job::default()
    };
    let outcome = gate.solve(&job, &Budget::default(), &mut ()).unwrap();
    match outcome.verdict {
        Verdict::Solved(solution) => {
            let (steps, moves) = replay(gate, &solution.moves);
            assert_eq!(solution.cost, if objective == "steps" { steps } else { moves });
            assert_eq!(solution.lower_bound, solution.cost, "{strategy:?} must prove its plan");
            let written = gate.write_plan(&solution.moves);
            assert_eq!(gate.read_plan(&written).unwrap(), solution.moves);
            Some(solution.cost)
        }
        Verdict::Exhausted => None,
        other => panic!("{strategy:?}: {other:?}"),
    }
}

#[test]
fn every_optimal_strategy_agrees_with_the_rules() {
    let mut random = Random::new(5);
    let (mut boards, mut solvable) = (0, 0);
    while boards < 2_500 {
        let pieces = 2 + random.below(3);
        let Some(gate) = make::scatter(5 + random.below(2), 5, pieces, &mut random) else { continue };
        boards += 1;
        let oracle = plain::shortest(gate.layout(), Metric::Steps);
        solvable += usize::from(oracle.is_some());
        assert_eq!(cost(&gate, None, "steps", None), oracle, "{}", gate.print());
        let strategy = [Some("bfs"), Some("astar"), Some("bidirectional"), Some("ucs")][boards % 4];
        assert_eq!(cost(&gate, strategy, "steps", None), oracle, "{strategy:?}\n{}", gate.print());
        if boards % 2 == 0 {
            let oracle = plain::shortest(gate.layout(), Metric::Moves);
            assert_eq!(cost(&gate, None, "moves", None), oracle, "{}", gate.print());
            let strategy = [Some("bfs"), Some("astar")][boards / 2 % 2];
            assert_eq!(cost(&gate, strategy, "moves", None), oracle, "{strategy:?}\n{}", gate.print());
        }
        let ours = report(&gate, with(Algorithm::Duplicates), &Budget::default());
        let steps = (ours.ending == Ending::Solved).then_some(ours.plan.len() as u64);
        let oracle = plain::shortest(gate.layout(), Metric::Steps);
        assert_eq!(steps, oracle, "{}", gate.print());
    }
    assert!(solvable > boards / 4 && solvable < boards, "{solvable} of {boards} are solvable");
}

#[test]
fn the_examples_are_solved_and_the_last_is_proved_unsolvable() {
    let examples = beeline_sliding::gate::KIND.examples();
    let (never, others) = examples.split_last().unwrap();
    for example in others {
        let gate = Gate::parse(example.text).unwrap();
        assert!(cost(&gate, None, "steps", None).is_some(), "{}", example.name);
    }
    assert_eq!(never.name, "gate-never");
    assert_eq!(cost(&Gate::parse(never.text).unwrap(), None, "steps", None), None);
}

#[test]
fn large_boards_take_wider_masks_and_agree() {
    // An open field of n × 12 cells: 60, 120, 240 and 600 open cells.
    for rows in [5, 10, 20, 50] {
        let row = |left: &str, right: &str| format!("#{left:<6}{right:>6}#\n");
        let mut text = "#".repeat(14) + "\n" + &row("00", "") + &row("0 1", "22");
        for _ in 0..rows - 4 {
            text += &row("", "");
        }
        text += &(row("", " GG") + &row("", " G ") + &"#".repeat(14));
        let gate = Gate::parse(&text).unwrap();
        let way = 10 + rows as u64 - 2;
        assert_eq!(cost(&gate, Some("astar"), "steps", Some("way")), Some(way), "{text}");
        if rows < 20 {
            assert_eq!(cost(&gate, None, "steps", None), Some(way), "{text}");
            assert_eq!(cost(&gate, None, "moves", None), Some(1));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parse_and_print_are_inverse(rows in prop::collection::vec("[ #0-9G-Q]{1,12}", 1..12)) {
        let text = rows.join("\n");
        if let Ok(gate) = Gate::parse(&text) {
            let printed = gate.print();
            let again = Gate::parse(&printed).unwrap();
            prop_assert_eq!(again.layout(), gate.layout());
            prop_assert_eq!(again.digits(), gate.digits());
            prop_assert_eq!(again.print(), printed);
        }
    }

    #[test]
    fn any_text_is_read_or_refused_inside_itself(text in "\\PC{0,60}|[ #0-9G-Qx\r\n]{0,80}") {
        if let Err(error) = Gate::parse(&text) {
            prop_assert!(error.span.end <= text.len() && !error.message.is_empty());
            prop_assert!(text.get(error.span).is_some());
        }
    }

    #[test]
    fn any_small_board_is_solved_without_a_panic(rows in prop::collection::vec("[ #0-3G]{4,5}", 3..5), goals in 1usize..3) {
        let text = rows.join("\n").replacen('G', " ", 9).replacen(' ', "G", goals);
        if let Ok(gate) = Gate::parse(&text) {
            let oracle = plain::shortest(gate.layout(), Metric::Steps);
            prop_assert_eq!(cost(&gate, None, "steps", None), oracle);
        }
    }
}
