//! Compares the search over packings with the search by position, on shipped boards and on random ones.

use beeline_puzzle::Kind;
use beeline_search::budget::Meter;
use beeline_search::random::Random;
use beeline_search::{Budget, Limit, Outcome, Stats, Verdict};

use super::{Field, census, until_goal};
use crate::board::STUCK;
use crate::bricks::{Bricks, KIND};
use crate::solve::{Slid, ranked_census, ranked_shortest, shortest};
use crate::{AnyBoard, Board, Ground, Layout, Mask, Metric, Target};

/// Most positions of a test board.
const MOST: u64 = 60_000;

/// The length of a shortest plan over packings.
fn length(board: &Board<1>, threads: usize) -> Option<usize> {
    let field = Field::of(board, &(1..=u64::MAX)).unwrap();
    let (mut meter, mut stats) = (Meter::new(&Budget::default()), Stats::default());
    let way = until_goal(&field, threads, &Budget::default(), &mut meter, &mut stats, &mut |_| {}).unwrap();
    assert!(stats.expanded <= stats.stored && stats.bytes > 0 || way.as_ref().is_some_and(Vec::is_empty));
    // Every step must be valid: from anchor to neighbouring anchor, into free cells, by a piece that is there.
    let mut at = board.start.clone();
    for &(shape, from, to) in way.iter().flatten() {
        let shape = &board.shapes[shape];
        let piece = *shape.pieces.iter().find(|&&p| at[p] == from).unwrap();
        assert!(to != STUCK && shape.next[from as usize].contains(&to));
        at[piece] = to;
        let mut covered = Mask::EMPTY;
        for (piece, &anchor) in at.iter().enumerate() {
            let mask = &board.shape(piece).masks[anchor as usize];
            assert!(!covered.meets(mask));
            covered = covered.with(mask);
        }
    }
    if way.is_some() {
        for (shape, cells) in &board.targets {
            let shape = &board.shapes[*shape];
            let own = shape.pieces.iter().map(|&p| &shape.masks[at[p] as usize]);
            assert!(own.fold(Mask::EMPTY, Mask::with).covers(cells));
        }
    }
    way.map(|way| way.len())
}

fn cost(outcome: &Outcome<Slid>) -> Option<usize> {
    match &outcome.verdict {
        Verdict::Solved(solution) => Some(solution.cost as usize),
        Verdict::Exhausted => None,
        other => panic!("{other:?}"),
    }
}

/// Compares all results; `false` if the board does not suit packings, or is too large for a test.
fn compare(board: &Board<1>, name: &str) -> bool {
    let Some(field) = Field::of(board, &(1..=u64::MAX)) else { return false };
    let nodes = Budget { nodes: Some(MOST), ..Budget::default() };
    for beyond_goals in [false, true] {
        let Some(Ok(known)) = ranked_census(board, Metric::Steps, beyond_goals, &nodes, &mut |_| {}) else {
            return false;
        };
        let found = census(&field, beyond_goals, &Budget::default(), &mut |_| {}).unwrap();
        assert_eq!((&found.layers, found.goals), (&known.layers, known.goals), "{name}");
        if beyond_goals {
            // It is in the same space, and no position is farther from it than from the start.
            let far = Board::<1>::of(&board.layout_at(&found.farthest)).unwrap();
            let all = ranked_census(&far, Metric::Steps, true, &Budget::default(), &mut |_| {});
            let all = all.unwrap().unwrap().layers;
            let sums = (all.iter().sum::<u64>(), found.layers.iter().sum::<u64>());
            assert!(sums.0 == sums.1 && all.len() >= found.layers.len(), "{name}");
        }
    }
    let known = cost(&ranked_shortest(board, Metric::Steps, 1, &nodes, &mut |_| {}).unwrap());
    assert_eq!(cost(&shortest(board, Metric::Steps, 1, &nodes, &mut |_| {}).unwrap()), known, "{name}");
    for threads in 1..=3 {
        assert_eq!(length(board, threads), known, "{name} by {threads}");
    }
    true
}

#[test]
fn shipped_boards() {
    let mut boards = 0;
    for example in KIND.examples() {
        let bricks = Bricks::parse(example.text).unwrap();
        if let AnyBoard::Small(board) = bricks.board() {
            boards += usize::from(compare(board, example.name));
        }
    }
    assert!(boards > 3, "only {boards}");
}

/// A board of random pieces, about half of them single cells, with a few gaps, some doors and a target for piece 0, perhaps
/// also for another.
pub(crate) fn random_board(seed: u64) -> Option<Board<1>> {
    const SHAPES: [&[(usize, usize)]; 7] = [
        &[(0, 0), (0, 1)],
        &[(0, 0), (1, 0)],
        &[(0, 0), (0, 1), (1, 0), (1, 1)],
        &[(0, 0), (1, 0), (1, 1)],
        &[(0, 1), (1, 0), (1, 1), (1, 2)],
        &[(0, 0)],
        &[(0, 0), (0, 2)],
    ];
    let mut random = Random::new(seed);
    let (width, height) = (3 + random.below(3), 3 + random.below(2));
    let cells = width * height;
    let mut ground = vec![Ground::Floor; cells];
    for _ in 0..random.below(3) {
        ground[random.below(cells)] = if random.below(2) == 0 { Ground::Door } else { Ground::Wall };
    }
    let mut taken: Vec<bool> = ground.iter().map(|&g| g != Ground::Floor).collect();
    let mut pieces: Vec<Vec<usize>> = Vec::new();
    let gaps = 1 + random.below(4);
    for _ in 0..200 {
        let shape = SHAPES[random.below(if pieces.is_empty() { 6 } else { 7 })];
        let shape = if !pieces.is_empty() && random.below(2) == 0 { SHAPES[5] } else { shape };
        let (row, column) = (random.below(height), random.below(width));
        let own: Option<Vec<usize>> = shape
            .iter()
            .map(|&(r, c)| {
                let inside = row + r < height && column + c < width;
                inside.then(|| (row + r) * width + column + c).filter(|&cell| !taken[cell])
            })
            .collect();
        let free = taken.iter().filter(|t| !**t).count();
        let Some(own) = own.filter(|own| free >= gaps + own.len()) else { continue };
        for &cell in &own {
            taken[cell] = true;
        }
        pieces.push(own);
    }
    let mut targets = Vec::new();
    for piece in [Some(0), (random.below(4) == 0 && pieces.len() > 1).then_some(1)].into_iter().flatten() {
        let cells = pieces.get(piece)?;
        let open = |by: usize| cells.iter().all(|&c| ground.get(c + by).is_some_and(|&g| g == Ground::Floor));
        let by = (0..4).map(|_| random.below(cells.len().max(width * height))).find(|&by| open(by))?;
        // Excludes shapes that wrap around a row.
        let wraps = cells.iter().any(|&c| c % width + by % width >= width);
        if wraps {
            return None;
        }
        targets.push(Target { piece, exact: false, cells: cells.iter().map(|c| c + by).collect() });
    }
    Board::of(&Layout::new(width, ground, pieces, targets).ok()?)
}

#[test]
fn random_boards() {
    let mut boards = 0;
    for seed in 0..800 {
        if let Some(board) = random_board(seed) {
            boards += usize::from(compare(&board, &format!("seed {seed}")));
        }
    }
    assert!(boards > 100, "only {boards}");
}

#[test]
fn limits_are_kept() {
    let text =
        "6,6,\n1,1,1,1,1,1,\n1,2,2,3,4,1,\n1,5,6,7,8,1,\n1,9,9,10,0,1,\n1,0,0,0,0,1,\n1,1,1,-1,-1,1,\n";
    let bricks = Bricks::parse(text).unwrap();
    let AnyBoard::Small(board) = bricks.board() else { panic!("it is a small board") };
    let field = Field::of(board, &(1..=u64::MAX)).unwrap();
    for threads in [1, 2] {
        let run = |budget: &Budget| {
            let (mut meter, mut stats) = (Meter::new(budget), Stats::default());
            until_goal(&field, threads, budget, &mut meter, &mut stats, &mut |_| {})
                .map(|way| way.map(|w| w.len()))
        };
        assert_eq!(run(&Budget { bytes: Some(4000), ..Budget::default() }), Err(Limit::Memory));
        assert_eq!(run(&Budget { nodes: Some(10), ..Budget::default() }), Err(Limit::Nodes));
        let cancelled = Budget::default();
        cancelled.cancel.cancel();
        assert_eq!(run(&cancelled), Err(Limit::Cancelled));
        let known = cost(&ranked_shortest(board, Metric::Steps, 1, &Budget::default(), &mut |_| {}).unwrap());
        assert!(known.is_some_and(|steps| steps > 5));
        assert_eq!(run(&Budget::default()), Ok(known));
    }
}
