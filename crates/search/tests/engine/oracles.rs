//! The sixth puzzle as a test bed: whole spaces, counted and measured.

use crate::common::pancakes::{Gap, Pancakes};
use crate::common::replayed;
use beeline_search::evaluator::Evaluator;
use beeline_search::frontier::Fifo;
use beeline_search::graph::{self, GoalTest, Parts, Policy};
use beeline_search::seen::Table;
use beeline_search::strategies::STRATEGIES;
use beeline_search::{
    Blind, Budget, Claim, Complete, Cost, Heuristic, Limit, Meter, Optimal, Prune, Ranked, Ruling, Search,
    Settings, Space, Stats, Unsupported, Verdict,
};

/// How many stacks of n need 0, 1, 2, … flips: found by hand for n ≤ 3, and the well-known diameters (0 1 3 4 5 7 8 9) beyond.
const DIAMETER: [usize; 9] = [0, 0, 1, 3, 4, 5, 7, 8, 9];

/// The distance of every stack from the sorted one, by a queue and an array independent of the engine.
fn distances(n: usize) -> Vec<u8> {
    let space = Pancakes::new(&(0..n as u8).collect::<Vec<_>>()).unwrap();
    let mut distance = vec![u8::MAX; space.states() as usize];
    let mut queue = std::collections::VecDeque::from([space.start()]);
    distance[space.rank(&space.start()) as usize] = 0;
    while let Some(stack) = queue.pop_front() {
        let here = distance[space.rank(&stack) as usize];
        for flip in 2..=n {
            let mut next = stack.clone();
            next[..flip].reverse();
            let rank = space.rank(&next) as usize;
            if distance[rank] == u8::MAX {
                distance[rank] = here + 1;
                queue.push_back(next);
            }
        }
    }
    distance
}

/// A space without a goal, so that a search must explore all of it.
struct Endless(Pancakes);

impl Space for Endless {
    type State = Vec<u8>;
    type Move = u8;
    type Undo = ();
    type Moves = std::ops::RangeInclusive<u8>;
    type Key = u64;
    fn start(&self) -> Vec<u8> {
        self.0.start()
    }
    fn moves(&self, s: &Vec<u8>) -> Self::Moves {
        self.0.moves(s)
    }
    fn apply(&self, s: &mut Vec<u8>, mv: u8) {
        self.0.apply(s, mv);
    }
    fn undo(&self, s: &mut Vec<u8>, mv: u8, (): ()) {
        self.0.undo(s, mv, ());
    }
    fn is_goal(&self, _: &Vec<u8>) -> bool {
        false
    }
    fn pack(&self, s: &Vec<u8>) -> u64 {
        self.0.pack(s)
    }
    fn unpack(&self, key: &u64) -> Vec<u8> {
        self.0.unpack(key)
    }
    fn key_width(&self) -> usize {
        self.0.key_width()
    }
}

impl Ranked for Endless {
    fn states(&self) -> u64 {
        self.0.states()
    }
    fn rank(&self, s: &Vec<u8>) -> u64 {
        self.0.rank(s)
    }
    fn unrank(&self, rank: u64) -> Vec<u8> {
        self.0.unrank(rank)
    }
}

fn sorted(n: u8) -> Pancakes {
    Pancakes::new(&(0..n).collect::<Vec<_>>()).unwrap()
}

#[test]
fn the_whole_space_has_its_known_size_and_diameter() {
    for n in 2..=8 {
        let budget = Budget::default();
        let space = Endless(sorted(n));
        let outcome = Search::new(&space).budget(budget).run("bfs").unwrap();
        assert_eq!(outcome.verdict, Verdict::Exhausted);
        assert_eq!(outcome.stats.stored, (1..=u64::from(n)).product::<u64>());
        assert_eq!(outcome.stats.depth as usize, DIAMETER[n as usize]);
        let distance = distances(n.into());
        assert_eq!(*distance.iter().max().unwrap() as usize, DIAMETER[n as usize]);
    }
}

/// Explores a whole space.
fn walked(record_start: bool) -> Stats {
    let space = Endless(sorted(7));
    let parts = Parts {
        space: &space,
        frontier: Fifo::default(),
        seen: Table::new(),
        heuristic: &Blind,
        prune: (),
        observer: (),
        evaluator: Evaluator::NONE,
        policy: Policy { goal_test: GoalTest::WhenMade, record_start, reopen: false },
    };
    graph::search(parts, &mut Meter::new(&Budget::default())).stats
}

#[test]
fn every_state_of_a_space_is_expanded_once() {
    let whole = walked(true);
    assert_eq!((whole.expanded, whole.generated, whole.duplicates), (5040, 5040 * 6, 5040 * 5 + 1));
    // A start that is not recorded is met again, kept once, and expanded twice.
    assert_eq!(walked(false).expanded, 5041);
}

#[test]
fn ranks_are_numbers_without_gaps() {
    let space = sorted(6);
    let mut seen = vec![false; space.states() as usize];
    for rank in 0..space.states() {
        let stack = space.unrank(rank);
        assert_eq!(space.rank(&stack), rank);
        assert!(!std::mem::replace(&mut seen[rank as usize], true));
    }
}

#[test]
fn moves_undo_and_keys_come_back_on_every_stack() {
    let space = sorted(6);
    for rank in 0..space.states() {
        let stack = space.unrank(rank);
        assert_eq!(space.unpack(&space.pack(&stack)), stack);
        let mut state = stack.clone();
        for mv in space.moves(&stack) {
            space.apply(&mut state, mv);
            assert_ne!(state, stack);
            space.undo(&mut state, mv, ());
            assert_eq!(state, stack);
        }
    }
}

#[test]
fn the_gap_heuristic_is_what_it_claims() {
    assert_eq!(Heuristic::<Pancakes>::claim(&Gap), Claim::Consistent);
    let space = sorted(7);
    let distance = distances(7);
    for rank in 0..space.states() {
        let mut stack = space.unrank(rank);
        let here = Gap.estimate(&space, &stack);
        assert!(here <= u32::from(distance[rank as usize]), "overestimates {stack:?}");
        for mv in space.moves(&stack) {
            space.apply(&mut stack, mv);
            assert!(here <= 1 + Gap.estimate(&space, &stack), "drops too far at {stack:?}");
            space.undo(&mut stack, mv, ());
        }
    }
}

#[test]
fn every_strategy_on_every_stack_of_five() {
    let distance = distances(5);
    let all = sorted(5);
    for rank in 0..all.states() {
        let space = Pancakes::new(&all.unrank(rank)).unwrap();
        let truth = u64::from(distance[rank as usize]);
        let settings = Settings { depth: Some(10), seed: rank, ..Settings::default() };
        for strategy in STRATEGIES {
            let outcome =
                Search::new(&space).heuristic(&Gap).settings(settings.clone()).run(strategy.name).unwrap();
            let Verdict::Solved(solution) = &outcome.verdict else {
                assert_eq!(strategy.complete, Complete::No, "{} gave up on {rank}", strategy.name);
                continue;
            };
            assert_eq!(replayed(&space, &solution.moves), solution.cost);
            assert!(solution.lower_bound <= truth && truth <= solution.cost, "{} on {rank}", strategy.name);
            if !matches!(strategy.optimal, Optimal::No | Optimal::Bounded) {
                assert_eq!(solution.cost, truth, "{} on {rank}", strategy.name);
                assert!(solution.is_optimal());
            }
        }
    }
}

#[test]
fn width_and_weight_are_used() {
    let space = Pancakes::new(&[3, 0, 6, 2, 7, 4, 1, 5]).unwrap();
    let solve = |name: &str, settings: &Settings| {
        Search::new(&space).heuristic(&Gap).settings(settings.clone()).run(name).unwrap()
    };
    let narrow = solve("iw", &Settings { width: Some(1), ..Settings::default() });
    assert_eq!(narrow.verdict, Verdict::GaveUp, "width 1 is not enough here, and proves nothing");
    let all = solve("iw", &Settings::default());
    let widths: Vec<u64> = all.stats.rounds.iter().map(|r| r.bound).collect();
    assert!(all.solution().is_some() && widths.len() > 1 && widths.is_sorted(), "{widths:?}");
    let full = solve("iw", &Settings { width: Some(8), ..Settings::default() });
    assert!(full.solution().unwrap().is_optimal(), "with all variables it is breadth-first search");
    let exact = solve("wastar", &Settings { weight: 1.0, ..Settings::default() });
    assert!(exact.solution().unwrap().is_optimal(), "weight 1 is A*");
    for (name, settings) in [
        ("wastar", Settings { weight: 0.5, ..Settings::default() }),
        ("wastar", Settings { weight: f64::NAN, ..Settings::default() }),
        ("iw", Settings { width: Some(0), ..Settings::default() }),
        ("dls", Settings::default()),
    ] {
        assert!(Search::new(&space).heuristic(&Gap).settings(settings).run(name).is_err(), "{name}");
    }
}

/// A rule that drops nothing and checks that the search announces each parent.
#[derive(Clone, Default)]
struct Attentive {
    parent: Option<Vec<u8>>,
}

impl Prune<Pancakes> for Attentive {
    fn is_sound(&self) -> bool {
        true
    }
    fn enter(&mut self, _: &Pancakes, parent: &Vec<u8>) {
        self.parent = Some(parent.clone());
    }
    fn judge(
        &mut self,
        space: &Pancakes,
        after: &Vec<u8>,
        flip: u8,
        _: Cost,
        _: &mut Meter,
    ) -> Result<Ruling, Limit> {
        let mut there = self.parent.clone().unwrap();
        space.apply(&mut there, flip);
        assert_eq!(&there, after, "not a successor of the state that was entered");
        Ok(Ruling::Keep)
    }
}

/// Rules may keep data of a state for its successors. Every strategy announces the state first, and again when it returns to it
/// from below.
#[test]
fn rules_are_asked_about_the_state_that_they_were_told_of() {
    let space = Pancakes::new(&[2, 0, 4, 1, 5, 3]).unwrap();
    for strategy in STRATEGIES {
        for threads in [1, 2] {
            let settings = Settings { depth: Some(8), threads, ..Settings::default() };
            let budget = Budget { nodes: Some(20_000), ..Budget::default() };
            let rule = Attentive::default();
            match Search::new(&space)
                .heuristic(&Gap)
                .prune(rule)
                .settings(settings)
                .budget(budget)
                .run(strategy.name)
            {
                Ok(_) | Err(Unsupported::Needs { .. }) => {}
                Err(error) => panic!("{}: {error}", strategy.name),
            }
        }
    }
}

#[test]
fn the_readme_shows_the_example_as_it_is() {
    let (readme, example) = (include_str!("../../../../README.md"), include_str!("../../examples/knight.rs"));
    let shown: Vec<&str> = readme.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    let program: Vec<&str> = example.lines().skip(2).filter(|line| !line.is_empty()).collect();
    assert!(shown.windows(program.len()).any(|lines| lines == program), "README.md shows another program");
}
