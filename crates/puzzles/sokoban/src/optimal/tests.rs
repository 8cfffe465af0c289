//! Tests of the bounds against true costs, on levels small enough for exhaustive search.

use std::collections::{BTreeSet, HashMap};

use super::bound::Bound;
use super::bounded_cost::{BoundedCost, BoundedFess};
use super::room::Room;
use super::store::{End, Entry, Stored, Wide};
use super::symmetry::Symmetry;
use super::tunnel::Tunnels;
use crate::Steps;
use crate::board::{Board, DIRS, Dir, NOWHERE, Square};
use crate::field::Field;
use crate::make::make;
use crate::optimal::{Cost, Objective, Prices};
use crate::walk::Position;
use beeline_search::{Budget, Meter, Stats, Verdict};

#[path = "../../tests/sokoban/maps.rs"]
mod maps;

/// A meter without limits.
fn free() -> Meter {
    Meter::new(&Budget::default())
}

/// The player and the boxes in order.
type Place = (Square, Vec<Square>);

fn step(board: &Board, (player, boxes): &Place, dir: Dir) -> Option<(Place, bool)> {
    let to = board.next(*player, dir);
    if to == NOWHERE {
        return None;
    }
    let Ok(i) = boxes.binary_search(&to) else { return Some(((to, boxes.clone()), false)) };
    let beyond = board.next(to, dir);
    if beyond == NOWHERE || boxes.contains(&beyond) {
        return None;
    }
    let mut boxes = boxes.clone();
    boxes[i] = beyond;
    boxes.sort_unstable();
    Some(((to, boxes), true))
}

/// Every position that can be reached, with its cost from the start and its cost to the nearest solved
/// position.
fn costs(board: &Board, prices: Prices) -> HashMap<Place, (Cost, Option<Cost>)> {
    let start: Place = (board.player(), board.boxes().to_vec());
    let mut edges: HashMap<Place, Vec<(Place, Cost)>> = HashMap::new();
    let mut paid: HashMap<Place, Cost> = [(start.clone(), 0)].into();
    let mut open: BTreeSet<(Cost, Place)> = [(0, start)].into();
    while let Some((cost, at)) = open.pop_first() {
        for dir in DIRS {
            let Some((next, pushed)) = step(board, &at, dir) else { continue };
            let price = if pushed { prices.push } else { prices.walk };
            edges.entry(next.clone()).or_default().push((at.clone(), price));
            if paid.get(&next).is_none_or(|&old| cost + price < old) {
                if let Some(old) = paid.insert(next.clone(), cost + price) {
                    open.remove(&(old, next.clone()));
                }
                open.insert((cost + price, next));
            }
        }
    }
    let solved = |place: &&Place| place.1.iter().all(|&b| board.is_goal(b));
    let mut left: HashMap<Place, Cost> = paid.keys().filter(solved).map(|place| (place.clone(), 0)).collect();
    let mut open: BTreeSet<(Cost, Place)> = left.keys().map(|place| (0, place.clone())).collect();
    while let Some((cost, at)) = open.pop_first() {
        for (before, price) in edges.get(&at).into_iter().flatten() {
            if left.get(before).is_none_or(|&old| cost + price < old) {
                if let Some(old) = left.insert(before.clone(), cost + price) {
                    open.remove(&(old, before.clone()));
                }
                open.insert((cost + price, before.clone()));
            }
        }
    }
    paid.into_iter().map(|(place, paid)| (place.clone(), (paid, left.get(&place).copied()))).collect()
}

#[test]
fn no_bound_says_more_than_a_position_costs() {
    let (mut tested, mut raised) = (0u64, 0u64);
    for seed in 0..200 {
        let (width, height, boxes) = (5 + seed % 3, 5 + seed / 3 % 2, 2 + seed / 6 % 2);
        let Some(board) = make(width as usize, height as usize, boxes as usize, seed) else { continue };
        let symmetry = Symmetry::new(&board);
        let field = Field::within(&board, !symmetry.is_trivial(), &mut free()).unwrap();
        for objective in [Objective::Moves, Objective::Pushes, Objective::PushesMoves] {
            let prices = objective.prices();
            let places = costs(&board, prices);
            if places.len() > 6_000 {
                continue;
            }
            let mut bound = Bound::new(&field, &symmetry, prices, &mut free()).unwrap();
            let mut position = Position::new(&field);
            let mut plain = HashMap::new();
            for conflicts in [false, true] {
                if conflicts {
                    bound.find_conflicts(&field, None, &mut free()).unwrap();
                }
                for ((player, boxes), (paid, left)) in &places {
                    position.set_boxes(boxes.iter().copied());
                    position.player = *player;
                    tested += 1;
                    let ahead = bound.set(&field, End::Front, &position).map(|e| e.full);
                    if let Some(left) = left {
                        assert!(
                            *left == 0 || ahead.is_some_and(|h| h <= *left),
                            "{ahead:?} > {left} {objective:?}"
                        );
                    }
                    if objective == Objective::Pushes {
                        let before = *plain.entry((player, boxes)).or_insert(ahead);
                        raised += u64::from(before.is_some_and(|b| ahead.is_none_or(|h| h > b)));
                    }
                    // A position before a push is a backward state, so it also has a bound from the start.
                    if boxes.len() == board.goals().len() && board.boxes() != boxes {
                        let behind = bound.set(&field, End::Back, &position).map(|e| e.full);
                        let lower = behind.is_some_and(|h| h <= *paid);
                        assert!(lower, "{behind:?} > {paid} {objective:?}");
                    }
                }
            }
        }
    }
    assert!(tested > 100_000, "{tested} positions");
    assert!(raised > 40, "{raised} positions in which boxes are in each other's way");
}

/// Levels whose goals all lie in a room with one door: random floor for the boxes on the left, a random room
/// on the right.
fn level_with_a_room(seed: u64) -> Option<Board> {
    let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut below = |sides: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 20) as usize % sides
    };
    let (place, room, height) = (4 + below(2), 1 + below(2), 4);
    let boxes = if below(5) == 0 { 3 } else { 2 };
    let width = place + room + 3;
    let mut rows = vec![vec![b'#'; width]; height + 2];
    for row in &mut rows[1..=height] {
        for (column, cell) in row.iter_mut().enumerate() {
            let inside = (1..=place).contains(&column) || (place + 2..width - 1).contains(&column);
            if inside && below(12) > 0 {
                *cell = b' ';
            }
        }
    }
    rows[1 + below(height)][place + 1] = b' ';
    // Boxes stand away from the outer wall, or they could hardly ever be moved to the door.
    let mut put = |what: u8, from: usize, to: usize, edge: usize| {
        let mut cells = (0..20).map(|_| (1 + edge + below(height - 2 * edge), from + below(to - from)));
        let cell = cells.find(|c| rows[c.0][c.1] == b' ')?;
        rows[cell.0][cell.1] = what;
        Some(())
    };
    for _ in 0..boxes {
        put(b'$', 2, place, 1)?;
        put(b'.', place + 2, width - 1, 0)?;
    }
    put(b'@', 1, place + 1, 0)?;
    let text: String = rows.iter().map(|row| String::from_utf8_lossy(row).into_owned() + "\n").collect();
    let board = crate::text::parse(&text).ok()?.pop()?.board;
    (board.lost() == 0).then_some(board)
}

/// The pushes of a plan, which must solve the board.
fn pushes(board: &Board, plan: &[Dir]) -> u64 {
    let mut at = (board.player(), board.boxes().to_vec());
    let mut pushes = 0;
    for &dir in plan {
        let (next, pushed) = step(board, &at, dir).expect("a legal step");
        pushes += u64::from(pushed);
        at = next;
    }
    assert!(at.1.iter().all(|&b| board.is_goal(b)));
    pushes
}

/// Under the least number of pushes the search finds a plan with as many, and under fewer it finds none.
#[test]
fn bounded_cost_search_keeps_its_limit() {
    let (mut solved, mut missed) = (0, 0);
    for seed in 0..400 {
        let (side, boxes) = (6 + seed as usize % 3, 2 + seed as usize % 4);
        let Some(board) = make(side, side, boxes, seed) else { continue };
        let (field, space) = (Field::new(&board), Steps::<4>::new(&board).expect("a small level"));
        let Verdict::Solved(best) =
            super::best(&board, Objective::Pushes, &Budget::default(), &mut ()).verdict
        else {
            continue;
        };
        let prices = Objective::Pushes.prices();
        let mut bound = Bound::new(&field, &Symmetry::none(), prices, &mut free()).unwrap();
        bound.find_conflicts(&field, None, &mut free()).unwrap();
        let mut search = BoundedFess::new(&space, &field);
        let mut meter = free();
        let mut find = |most| {
            let mut turn = || {
                let watched = (&mut meter, &mut Stats::default());
                search.advance(most, &mut bound, watched, 100).expect("no limit")
            };
            (0..60).find_map(|_| turn())
        };
        assert_eq!(find(best.cost - 1), None, "fewer than the fewest pushes");
        match find(best.cost) {
            Some(plan) => assert_eq!(pushes(&board, &plan), best.cost),
            None => missed += 1,
        }
        solved += 1;
        assert_eq!(meter.ledger.used(), search.bytes(), "what attempts claimed is known");
    }
    assert!(solved > 200 && missed < solved / 20, "{missed} of {solved} missed");
}

#[test]
fn putting_boxes_away_costs_no_push() {
    let (mut rooms, mut solved) = (0, 0);
    for seed in 0..3000 {
        let Some(board) = level_with_a_room(seed) else { continue };
        let field = Field::new(&board);
        if Room::find(&field, &mut free()).unwrap().is_none() {
            continue;
        }
        let places = costs(&board, Objective::Pushes.prices());
        let start = (board.player(), board.boxes().to_vec());
        let least = places[&start].1;
        let found = match super::best(&board, Objective::Pushes, &Budget::default(), &mut ()).verdict {
            Verdict::Solved(solution) => {
                // The cost of the outcome must be that of its plan.
                assert_eq!(pushes(&board, &solution.moves), solution.cost);
                Some(solution.cost)
            }
            Verdict::Exhausted => None,
            other => panic!("{other:?}"),
        };
        assert_eq!(found, least, "\n{}", crate::text::draw(&board));
        rooms += 1;
        solved += u32::from(found.is_some());
    }
    assert!(rooms > 100 && solved > 50, "{rooms} rooms, {solved} of them solved");
}

/// With a goal room, conflicts are counted to its door.
#[test]
fn conflicts_before_a_door_say_no_more_than_a_position_costs() {
    let mut tested = 0;
    for seed in 0..600 {
        let Some(board) = level_with_a_room(seed) else { continue };
        let field = Field::new(&board);
        let Some(room) = Room::find(&field, &mut free()).unwrap() else { continue };
        let prices = Objective::Pushes.prices();
        let places = costs(&board, prices);
        let mut bound = Bound::new(&field, &Symmetry::new(&board), prices, &mut free()).unwrap();
        bound.find_conflicts(&field, Some(&room), &mut free()).unwrap();
        let mut position = Position::new(&field);
        for ((player, boxes), (_, left)) in &places {
            // A search with this room only meets positions with no box inside.
            if boxes.iter().any(|&b| room.has(b) || b == room.door) {
                continue;
            }
            tested += 1;
            position.set_boxes(boxes.iter().copied());
            position.player = *player;
            let ahead = bound.set(&field, End::Front, &position).map(|e| e.full);
            if let Some(left) = left {
                assert!(ahead.is_some_and(|h| h <= *left), "{ahead:?} > {left}");
            }
        }
    }
    assert!(tested > 100_000, "{tested} positions");
}

/// The premise of the tunnel rule, checked push by push on every plan with the fewest moves.
#[test]
fn every_shortest_plan_pushes_on_in_tunnels() {
    let (mut forwards, mut backwards) = (0, 0);
    for seed in 0..4000 {
        let (width, height) = (9 + seed as usize % 3, 6 + seed as usize / 3 % 3);
        let text = maps::with_tunnels(width, height, 1 + seed as usize / 4 % 2, seed).unwrap_or_default();
        let Some(level) = crate::text::parse(&text).ok().and_then(|mut levels| levels.pop()) else {
            continue;
        };
        let board = level.board;
        let field = Field::new(&board);
        let tunnels = Tunnels::new(&field);
        let places = costs(&board, Objective::Moves.prices());
        let Some(best) = places[&(board.player(), board.boxes().to_vec())].1 else { continue };
        let best_through = |place: &Place| places[place].1.is_some_and(|left| places[place].0 + left == best);
        // The steps of optimal plans that lead to each position, and whether they push.
        let mut before: HashMap<Place, Vec<(crate::board::Dir, bool)>> = HashMap::new();
        let steps = |at: &Place| {
            let taken = |(next, _): &(Place, bool)| best_through(next) && places[next].0 == places[at].0 + 1;
            let tried = DIRS.into_iter().filter_map(|dir| Some((dir, step(&board, at, dir)?)));
            tried.filter(|(_, next)| taken(next)).collect::<Vec<_>>()
        };
        for at in places.keys().filter(|at| best_through(at)) {
            for (dir, (next, pushed)) in steps(at) {
                before.entry(next).or_default().push((dir, pushed));
            }
        }
        for at in places.keys().filter(|at| best_through(at)) {
            for (dir, (next, pushed)) in steps(at) {
                if !pushed {
                    continue;
                }
                let shown = crate::text::draw(&board.with(at.0, &at.1));
                let from = next.0;
                if tunnels.goes_on(board.next(from, dir), dir) {
                    forwards += 1;
                    let on = steps(&next).iter().all(|(way, (_, pushed))| *pushed && *way == dir);
                    assert!(on, "{dir:?} and then something else:\n{shown}");
                }
                if tunnels.through(from, dir) {
                    backwards += 1;
                    let came = before.get(at).is_some_and(|ways| ways.iter().all(|&way| way == (dir, true)));
                    assert!(came, "{dir:?}, but not before:\n{shown}");
                }
            }
        }
    }
    assert!(
        forwards > 1000 && backwards > 300,
        "{forwards} pushes that go on, {backwards} that came from afar"
    );
}

/// A store whose largest cost is only a few steps.
#[derive(Clone, Copy, Debug, Default)]
struct Tiny(u16);

impl Stored for Tiny {
    type Record = u32;
    const MOST: Cost = 3;
    fn of(cost: Cost) -> Self {
        Self(u16::of(cost))
    }
    fn get(self) -> Cost {
        self.0.get()
    }
    fn single(self, tag: u16) -> u32 {
        self.0.single(tag)
    }
    fn listed(head: u32) -> u32 {
        u16::listed(head)
    }
    fn read(record: u32) -> Result<(Self, u16), u32> {
        u16::read(record).map(|(cost, tag)| (Self(cost), tag))
    }
}

#[test]
fn a_store_that_is_too_narrow_is_replaced() {
    let mut longer = 0;
    for seed in 0..200 {
        let Some(board) = make(8, 8, 3, seed) else { continue };
        for objective in [Objective::Moves, Objective::Pushes] {
            let budget = Budget::default();
            let narrow =
                super::best_stored::<Tiny>(&board, objective, None, (&budget, Meter::new(&budget)), &mut ());
            let wide = super::best(&board, objective, &budget, &mut ());
            assert_eq!(narrow.solution().map(|s| s.cost), wide.solution().map(|s| s.cost), "{objective:?}");
            longer += u32::from(wide.solution().is_some_and(|s| s.cost > 2 * Tiny::MOST));
        }
    }
    assert!(longer > 10, "{longer} plans were long");
    let never = Budget { nodes: Some(0), ..Budget::default() };
    let board = make(8, 8, 3, 1).unwrap_or_else(|| panic!("no level"));
    let stopped =
        super::best_stored::<Tiny>(&board, Objective::Moves, None, (&never, Meter::new(&never)), &mut ());
    assert!(matches!(stopped.verdict, Verdict::Stopped(_)));
}

#[test]
fn wide_costs_come_back_and_take_no_more_room() {
    for shift in 0..crate::optimal::COST_BITS {
        for cost in [1 << shift, (1 << shift) + 1, (1 << shift) - 1, Wide::MOST - (1 << shift)] {
            assert_eq!(Wide::of(cost).get(), cost);
            let (back, tag) = Wide::read(Wide::of(cost).single(0x5a5a)).unwrap_or_else(|_| panic!("a list"));
            assert_eq!((back.get(), tag), (cost, 0x5a5a));
        }
    }
    assert_eq!(Wide::read(Wide::listed(7)).map(|_| ()), Err(7));
    assert_eq!((size_of::<Entry<Wide>>(), size_of::<Entry<u16>>()), (12, 8));
}
