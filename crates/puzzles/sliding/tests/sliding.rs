//! The sliding-block engine against a literal implementation of the rules: doors, several targets, all three metrics, the
//! bound.

#![allow(clippy::unwrap_used)]

mod sliding_plain;

use std::collections::HashMap;
use std::sync::Arc;

use beeline_search::random::Random;
use beeline_search::{Budget, Heuristic, Space, Verdict};
use beeline_sliding::bounds::Blockers;
use beeline_sliding::gate::{Digits, make};
use beeline_sliding::solve::{census, shortest};
use beeline_sliding::{AnyBoard, BadLayout, Board, Dir, Ground, Layout, Metric, Slide, State, Target};
use sliding_plain as plain;

const METRICS: [Metric; 3] = [Metric::Steps, Metric::Lines, Metric::Moves];

fn small(layout: &Layout) -> Arc<Board<1>> {
    match AnyBoard::new(layout) {
        AnyBoard::Small(board) => board,
        other => panic!("more than 64 open cells: {other:?}"),
    }
}

fn space(layout: &Layout, metric: Metric, merged: bool) -> Slide<1, u128> {
    let digits = Digits((0..layout.pieces.len() as u8).collect());
    Slide::new(small(layout), Arc::new(digits), metric, merged).unwrap()
}

/// A board with a door to the goal and two pieces of one shape, one of which has a target.
fn doors() -> Layout {
    // 2 is piece 1, 3 and 4 have one shape; D is a door cell. The master (0) must enter the doors, a piece of that shape the
    // corner.
    let rows = ["##DD##", "#    #", "#0044#", "#1   #", "#1 33#", "#    #", "######"];
    let width = rows[0].len();
    let text: Vec<char> = rows.iter().flat_map(|r| r.chars()).collect();
    let ground = text.iter().map(|c| match c {
        '#' => Ground::Wall,
        'D' => Ground::Door,
        _ => Ground::Floor,
    });
    let cells =
        |c: char| text.iter().enumerate().filter(|(_, x)| **x == c).map(|(i, _)| i).collect::<Vec<_>>();
    let pieces = vec![cells('0'), cells('1'), cells('3'), cells('4')];
    let targets = vec![
        Target { piece: 0, exact: false, cells: cells('D') },
        Target { piece: 2, exact: false, cells: vec![5 * width + 1, 5 * width + 2] },
    ];
    Layout::new(width, ground.collect(), pieces, targets).unwrap()
}

fn solved(layout: &Layout, metric: Metric, threads: usize) -> Option<u64> {
    let board = small(layout);
    let outcome = shortest(&board, metric, threads, &Budget::default(), &mut |_| {}).unwrap();
    match outcome.verdict {
        Verdict::Solved(solution) => {
            let mut grid = layout.owners();
            for slid in &solution.moves {
                assert!(!slid.way.is_empty());
                assert!(metric != Metric::Steps || slid.way.len() == 1);
                assert!(metric != Metric::Lines || slid.way.iter().all(|&d| d == slid.way[0]));
                for &dir in &slid.way {
                    grid = plain::step(layout, &grid, slid.piece, dir as usize).expect("a legal step");
                }
            }
            assert!(plain::solved(layout, &grid));
            assert_eq!(solution.moves.len() as u64, solution.cost);
            Some(solution.cost)
        }
        Verdict::Exhausted => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn doors_and_several_targets() {
    let layout = doors();
    for metric in METRICS {
        let oracle = plain::shortest(&layout, metric);
        assert!(oracle.is_some());
        assert_eq!(solved(&layout, metric, 1), oracle, "{metric:?}");
        assert_eq!(solved(&layout, metric, 2), oracle, "{metric:?}");
    }
}

#[test]
fn a_census_counts_the_space() {
    let layout = doors();
    for metric in METRICS {
        let board = small(&layout);
        let census = census(&board, metric, false, &Budget::default(), &mut |_| {}).unwrap().unwrap();
        let classes = layout.classes();
        let mut far: HashMap<plain::Grid, u64> = HashMap::new();
        for (grid, distance) in plain::distances(&layout, metric) {
            // Pieces of one shape become one; positions differ only by shapes.
            let merged = grid.iter().map(|o| o.map(|p| classes[p])).collect();
            let nearest = far.entry(merged).or_insert(distance);
            *nearest = distance.min(*nearest);
        }
        let mut layers = vec![0; census.layers.len()];
        for &distance in far.values() {
            layers[distance as usize] += 1;
        }
        assert_eq!(census.layers, layers, "{metric:?}");
        assert!(census.goals > 0 && census.farthest.len() == layout.pieces.len());
    }
}

#[test]
fn only_piece_0_may_enter_a_door() {
    let mut layout = doors();
    layout.pieces.swap(0, 2);
    layout.targets = vec![Target { piece: 2, exact: false, cells: vec![2, 3] }];
    assert_eq!(layout.ground[2], Ground::Door);
    for metric in METRICS {
        assert_eq!(plain::shortest(&layout, metric), None);
        assert_eq!(solved(&layout, metric, 1), None);
    }
}

#[test]
fn all_metrics_agree_with_the_rules() {
    let mut random = Random::new(21);
    let mut boards = 0;
    while boards < 400 {
        let Some(gate) = make::scatter(6, 5, 2 + boards % 4, &mut random) else { continue };
        boards += 1;
        let metric = METRICS[boards % 3];
        let oracle = plain::shortest(gate.layout(), metric);
        assert_eq!(solved(gate.layout(), metric, 1 + boards % 2), oracle, "{metric:?}\n{}", gate.print());
    }
}

/// Every state of a space, by the exact place of each piece, with its grid.
fn states(space: &Slide<1, u128>) -> HashMap<Vec<u16>, State<1>> {
    let pieces = space.board().pieces();
    let start = space.start();
    let mut all = HashMap::from([(start.at[..pieces].to_vec(), start.clone())]);
    let mut todo = vec![start];
    while let Some(mut state) = todo.pop() {
        for mv in space.moves(&state) {
            let before = state.at;
            let token = space.apply(&mut state, mv);
            if all.insert(state.at[..pieces].to_vec(), state.clone()).is_none() {
                todo.push(state.clone());
            }
            space.undo(&mut state, mv, token);
            assert_eq!(state.at, before);
        }
    }
    all
}

#[test]
fn keys_hold_states_and_merge_only_twins() {
    let layout = doors();
    let (exact, merged) = (space(&layout, Metric::Steps, false), space(&layout, Metric::Steps, true));
    let all = states(&exact);
    let far = plain::distances(&layout, Metric::Steps);
    assert!(all.len() >= far.len());
    let mut by_key: HashMap<u128, Vec<u16>> = HashMap::new();
    for (at, state) in &all {
        let back = exact.unpack(&exact.pack(state));
        assert_eq!((&back.at[..at.len()], back.occupied), (&at[..], state.occupied));
        let key = merged.pack(state);
        let again = merged.unpack(&key);
        assert_eq!((merged.pack(&again), again.occupied), (key, state.occupied));
        assert_eq!(merged.is_goal(&again), exact.is_goal(state));
        let mut sorted = at.clone();
        sorted[2..4].sort_unstable();
        assert_eq!(by_key.entry(key).or_insert_with(|| sorted.clone()), &sorted, "one key, one position");
    }
    let different: std::collections::HashSet<_> = by_key.values().collect();
    assert_eq!(different.len(), by_key.len(), "one position, one key");
    assert!(exact.key_width() <= 16 && by_key.len() < all.len());
}

#[test]
fn the_bound_never_overestimates_and_falls_by_one_at_the_most() {
    let mut random = Random::new(33);
    let mut boards = 0;
    while boards < 120 {
        let Some(gate) = make::scatter(5, 5, 3, &mut random) else { continue };
        boards += 1;
        for metric in METRICS {
            let space = space(gate.layout(), metric, false);
            let all = states(&space);
            // Distances to the goal, backwards over the moves, which are all reversible.
            let mut far: HashMap<&[u16], u32> = HashMap::new();
            let mut layer: Vec<&State<1>> = all.values().filter(|s| space.is_goal(s)).collect();
            let pieces = space.board().pieces();
            for state in &layer {
                far.insert(&state.at[..pieces], 0);
            }
            let mut depth = 0;
            while !layer.is_empty() {
                depth += 1;
                let mut next = Vec::new();
                for state in layer {
                    let mut state = state.clone();
                    for mv in space.moves(&state) {
                        let token = space.apply(&mut state, mv);
                        let known = &all[&state.at[..pieces]];
                        space.undo(&mut state, mv, token);
                        if let std::collections::hash_map::Entry::Vacant(v) = far.entry(&known.at[..pieces]) {
                            v.insert(depth);
                            next.push(known);
                        }
                    }
                }
                layer = next;
            }
            for bound in [Blockers::new(space.board(), metric), Blockers::way_only(space.board(), metric)] {
                for (at, state) in &all {
                    let estimate = bound.estimate(&space, state);
                    if let Some(&distance) = far.get(&at[..]) {
                        assert!(estimate <= distance, "{metric:?} {estimate} > {distance}\n{}", gate.print());
                    }
                    let mut after = state.clone();
                    for mv in space.moves(state) {
                        let token = space.apply(&mut after, mv);
                        let next = bound.estimate(&space, &after);
                        assert!(estimate <= next.saturating_add(1), "{metric:?}\n{}", gate.print());
                        space.undo(&mut after, mv, token);
                    }
                }
            }
        }
    }
}

#[test]
fn goals_are_all_goal_positions() {
    let layout = doors();
    let merged = space(&layout, Metric::Steps, true);
    let goals = merged.goals().unwrap();
    assert!(goals.iter().all(|g| merged.is_goal(g)));
    let keys: std::collections::HashSet<u128> = goals.iter().map(|g| merged.pack(g)).collect();
    assert_eq!(keys.len(), goals.len(), "each once");
    for state in states(&merged).values().filter(|s| merged.is_goal(s)) {
        assert!(keys.contains(&merged.pack(state)));
    }
}

#[test]
fn bad_layouts_are_named() {
    let floor = || vec![Ground::Floor; 6];
    let target = |cells: Vec<usize>| vec![Target { piece: 0, exact: false, cells }];
    let new = |ground: Vec<Ground>, pieces: Vec<Vec<usize>>, targets| Layout::new(3, ground, pieces, targets);
    assert!(new(floor(), vec![vec![0]], target(vec![5])).is_ok());
    assert_eq!(new(vec![], vec![vec![0]], vec![]), Err(BadLayout::Size));
    assert_eq!(new(vec![Ground::Floor; 7], vec![vec![0]], vec![]), Err(BadLayout::Size));
    assert_eq!(new(floor(), vec![], vec![]), Err(BadLayout::Pieces));
    assert_eq!(new(floor(), vec![vec![0], vec![]], vec![]), Err(BadLayout::Piece(1)));
    assert_eq!(new(floor(), vec![vec![1, 0]], vec![]), Err(BadLayout::Piece(0)));
    assert_eq!(new(floor(), vec![vec![0], vec![0]], vec![]), Err(BadLayout::Piece(1)));
    assert_eq!(new(floor(), vec![vec![6]], vec![]), Err(BadLayout::Piece(0)));
    assert_eq!(new(floor(), vec![vec![0]], target(vec![6])), Err(BadLayout::Target(0)));
    let wide = Layout::new(100, vec![Ground::Floor; 5000], vec![vec![0]], vec![]);
    assert_eq!(wide, Err(BadLayout::Open));
    assert_eq!(Dir::from_letter('r'), Some(Dir::Right));
}
