//! Sliding pieces as a graph, for gate and bricks. A state is the places of the pieces, interchangeable pieces in ascending
//! order.
//!
//! Two pieces are interchangeable if they have one shape and neither is the master nor has an exact target. Exchanging them
//! changes no move, no cost and no goal.

use std::collections::{BTreeMap, BTreeSet};

use super::{Graph, no_bound, too_large};
use crate::Flaw;
use crate::sliding::{Board, Count, Ground};

/// A set of open cells.
type Cells = [u128; 2];

/// Cells that certain pieces must cover together.
pub(crate) struct CoverGoal {
    pub(crate) pieces: Vec<i32>,
    pub(crate) cells: Vec<usize>,
}

/// The possible places of the pieces of a class.
struct Class {
    places: Vec<Place>,
    /// The number of its pieces.
    count: usize,
    /// Bits per place in a state.
    bits: u32,
}

struct Place {
    cells: Cells,
    /// The place one step up, down, left, right, if the ground allows it.
    next: [Option<usize>; 4],
}

/// The graph. Class 0 is only the master.
pub(crate) struct Slide {
    count: Count,
    classes: Vec<Class>,
    /// Cells that the pieces of these classes must cover together.
    goals: Vec<(Vec<usize>, Cells)>,
    start: u128,
    /// By place of the master: moves until it covers its goal, ignoring all other pieces.
    way: Vec<Option<u32>>,
}

fn meets(a: Cells, b: Cells) -> bool {
    a[0] & b[0] != 0 || a[1] & b[1] != 0
}

fn union(a: Cells, b: Cells) -> Cells {
    [a[0] | b[0], a[1] | b[1]]
}

impl Slide {
    /// `alone` are pieces, besides the master, with an exact target.
    pub(crate) fn new(
        board: &Board,
        alone: &[i32],
        wanted: &[CoverGoal],
        (kind, objective, bound): (&str, &str, &str),
    ) -> Result<Self, Flaw> {
        let count = Count::named(kind, Some(objective))?;
        let open: Vec<usize> = (0..board.ground.len()).filter(|&c| board.ground[c] != Ground::Wall).collect();
        if open.len() > 256 {
            return too_large("more than 256 open cells");
        }
        let mask = |cells: &[usize]| {
            let bits = cells.iter().filter_map(|cell| open.binary_search(cell).ok());
            bits.fold([0; 2], |mut mask: Cells, bit| {
                mask[bit / 128] |= 1 << (bit % 128);
                mask
            })
        };
        let pieces: BTreeSet<i32> = board.pieces.iter().flatten().copied().collect();
        if !pieces.contains(&board.master) {
            return Err(Flaw::Unsupported("there is no piece that must reach the goal".to_owned()));
        }
        // Members of each class by a key that sorts the master first.
        let mut members: BTreeMap<(bool, Option<i32>, Vec<usize>), Vec<i32>> = BTreeMap::new();
        for &piece in &pieces {
            let own = (piece == board.master || alone.contains(&piece)).then_some(piece);
            let key = (piece != board.master, own, board.shape(piece));
            members.entry(key).or_default().push(piece);
        }
        let (mut classes, mut start, mut shift, mut class_of) = (Vec::new(), 0u128, 0, BTreeMap::new());
        for members in members.values() {
            let cells = all_places(board, members);
            let number = |at: &Vec<usize>| cells.binary_search(at).ok();
            let places = cells.iter().map(|at| Place {
                cells: mask(at),
                next: ['u', 'd', 'l', 'r'].map(|way| number(&board.alone(members[0], at, way)?)),
            });
            let places: Vec<Place> = places.collect();
            let bits = usize::BITS - (places.len() - 1).leading_zeros();
            let mut at: Vec<usize> =
                members.iter().filter_map(|&piece| number(&board.cells_of(piece))).collect();
            at.sort_unstable();
            for place in at {
                if shift + bits > 128 {
                    return too_large("its states need more than 128 bits");
                }
                start |= (place as u128).checked_shl(shift).unwrap_or(0);
                shift += bits;
            }
            class_of.extend(members.iter().map(|&piece| (piece, classes.len())));
            classes.push(Class { places, count: members.len(), bits });
        }
        let goals = wanted.iter().map(|wanted| {
            let classes: BTreeSet<usize> =
                wanted.pieces.iter().filter_map(|p| class_of.get(p).copied()).collect();
            (classes.into_iter().collect(), mask(&wanted.cells))
        });
        let goals: Vec<(Vec<usize>, Cells)> = goals.collect();
        let mut slide = Self { count, classes, goals, start, way: Vec::new() };
        slide.way = match bound {
            "none" => vec![Some(0); slide.classes[0].places.len()],
            "way" => slide.ways(),
            _ => return no_bound(kind, bound),
        };
        Ok(slide)
    }

    /// Breadth-first search from the places at which the master covers all its own goal cells. Every move is reversible.
    fn ways(&self) -> Vec<Option<u32>> {
        let places = &self.classes[0].places;
        let covers = |place: &Place, (classes, cells): &(Vec<usize>, Cells)| {
            classes[..] != [0] || union(place.cells, *cells) == place.cells
        };
        let there = |place: &Place| self.goals.iter().all(|goal| covers(place, goal));
        let mut way: Vec<Option<u32>> = places.iter().map(|place| there(place).then_some(0)).collect();
        let mut queue: Vec<usize> = (0..places.len()).filter(|&p| way[p].is_some()).collect();
        let mut head = 0;
        while let Some(&from) = queue.get(head) {
            head += 1;
            self.reach(0, from, [0; 2], &mut |to| {
                if way[to].is_none() {
                    way[to] = way[from].map(|d| d + 1);
                    queue.push(to);
                }
            });
        }
        way
    }

    /// Every place to which one move takes a piece, with `others` as obstacles. May report a place twice.
    fn reach(&self, class: usize, from: usize, others: Cells, visit: &mut dyn FnMut(usize)) {
        let places = &self.classes[class].places;
        let step =
            |at: usize, way: usize| places[at].next[way].filter(|&to| !meets(places[to].cells, others));
        match self.count {
            Count::Steps => (0..4).filter_map(|way| step(from, way)).for_each(visit),
            Count::Lines => (0..4).for_each(|way| {
                std::iter::successors(step(from, way), |&at| step(at, way)).for_each(&mut *visit);
            }),
            Count::Moves => {
                let mut reached = vec![from];
                let mut head = 0;
                while let Some(&at) = reached.get(head) {
                    head += 1;
                    for to in (0..4).filter_map(|way| step(at, way)) {
                        if !reached.contains(&to) {
                            reached.push(to);
                            visit(to);
                        }
                    }
                }
            }
        }
    }

    /// The places of the pieces, class by class.
    fn places(&self, state: u128) -> impl Iterator<Item = (usize, usize)> + '_ {
        let mut rest = state;
        let slots = self.classes.iter().enumerate().flat_map(|(k, class)| (0..class.count).map(move |_| k));
        slots.map(move |class| {
            let bits = self.classes[class].bits;
            let place = rest & ((1 << bits) - 1);
            rest = rest.checked_shr(bits).unwrap_or(0);
            (class, place as usize)
        })
    }

    fn number(&self, places: &[(usize, usize)]) -> u128 {
        let (mut state, mut shift) = (0u128, 0);
        for &(class, place) in places {
            state |= (place as u128).checked_shl(shift).unwrap_or(0);
            shift += self.classes[class].bits;
        }
        state
    }
}

impl Graph for Slide {
    fn start(&self) -> Option<u128> {
        Some(self.start)
    }

    fn is_state(&self, state: u128) -> bool {
        let (mut before, mut covered) = (None, [0; 2]);
        for (class, place) in self.places(state) {
            let Some(there) = self.classes[class].places.get(place) else { return false };
            if meets(there.cells, covered) || before.is_some_and(|(k, p)| k == class && p >= place) {
                return false;
            }
            covered = union(covered, there.cells);
            before = Some((class, place));
        }
        self.number(&self.places(state).collect::<Vec<_>>()) == state
    }

    fn successors(&self, state: u128, visit: &mut dyn FnMut(u128, u32)) {
        let mut places: Vec<(usize, usize)> = self.places(state).collect();
        let cells = |(class, place): (usize, usize)| self.classes[class].places[place].cells;
        let covered = places.iter().fold([0; 2], |all, &at| union(all, cells(at)));
        for i in 0..places.len() {
            let (class, from) = places[i];
            let own = cells(places[i]);
            let others = [covered[0] & !own[0], covered[1] & !own[1]];
            let first = places.partition_point(|at| at.0 < class);
            let last = first + self.classes[class].count;
            let before: Vec<(usize, usize)> = places[first..last].to_vec();
            self.reach(class, from, others, &mut |to| {
                places[i].1 = to;
                places[first..last].sort_unstable();
                visit(self.number(&places), 1);
                places[first..last].copy_from_slice(&before);
            });
        }
    }

    fn is_goal(&self, state: u128) -> bool {
        let places: Vec<(usize, usize)> = self.places(state).collect();
        self.goals.iter().all(|(classes, cells)| {
            let covering = places.iter().filter(|at| classes.contains(&at.0));
            let covered = covering
                .fold([0; 2], |all, &(class, place)| union(all, self.classes[class].places[place].cells));
            union(covered, *cells) == covered
        })
    }

    fn bound(&self, state: u128) -> Option<u32> {
        self.places(state).next().and_then(|(_, place)| self.way[place])
    }
}

/// Every place that the pieces of a class can reach without other pieces, as sorted lists of cells.
fn all_places(board: &Board, members: &[i32]) -> Vec<Vec<usize>> {
    let mut found: BTreeSet<Vec<usize>> = BTreeSet::new();
    let mut todo: Vec<Vec<usize>> = members.iter().map(|&piece| board.cells_of(piece)).collect();
    while let Some(at) = todo.pop() {
        if found.insert(at.clone()) {
            todo.extend(['u', 'd', 'l', 'r'].iter().filter_map(|&way| board.alone(members[0], &at, way)));
        }
    }
    found.into_iter().collect()
}
