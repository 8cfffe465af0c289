//! Everything that is on offer: kinds × objectives × strategies and solvers × heuristics × rules, all from the registry, each
//! plan through the checker. A kind, an objective or a strategy that is added is tested without an edit here.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use beeline_puzzles::{Choice, Hardness, Job, KINDS, Kind, Puzzle, Recipe};
use beeline_search::strategies::{STRATEGIES, Settings, Unsupported};
use beeline_search::{Budget, Verdict};

/// Sizes of small boards. A kind that can make none of them must ship a small example.
const SIZES: [(usize, usize); 7] = [(2, 2), (3, 3), (4, 4), (5, 4), (5, 5), (6, 5), (7, 6)];

/// Small boards of a kind, with plans and without.
fn boards(kind: &dyn Kind, seeds: u64) -> Vec<Box<dyn Puzzle>> {
    let mut boards = Vec::new();
    for (unsolvable, wanted) in [(false, 2), (true, 1)] {
        for seed in 0..seeds {
            let make = |size, pieces, distance| {
                let hardness = Hardness::Easy;
                let (size, budget) = (Some(size), Budget::default());
                let recipe =
                    Recipe { size, pieces, distance, walk: None, hardness, seed, unsolvable, budget };
                kind.make(&recipe).ok().map(|made| made.puzzle)
            };
            // Few pieces and a near goal where that can be asked for, else whatever comes.
            let small = |size| {
                let near = if unsolvable { None } else { Some(4) };
                make(size, Some(2), near)
                    .or_else(|| make(size, None, near))
                    .or_else(|| make(size, None, None))
            };
            boards.extend(SIZES.into_iter().filter_map(small).take(wanted));
        }
    }
    if boards.is_empty() {
        let first = kind.examples().first().unwrap_or_else(|| panic!("{} has no puzzle", kind.name()));
        boards.extend(kind.parse(first.text).unwrap());
    }
    boards
}

/// The names of some choices, and `None` for the default.
fn names(choices: &[Choice]) -> Vec<Option<String>> {
    [None].into_iter().chain(choices.iter().map(|c| Some(c.name.to_owned()))).collect()
}

/// The default set of rules, none, each alone, and all together.
fn rule_sets(kind: &dyn Kind) -> Vec<Option<Vec<String>>> {
    let all: Vec<String> = kind.rules().iter().map(|rule| rule.name.to_owned()).collect();
    let mut sets = vec![None];
    if !all.is_empty() {
        sets.push(Some(Vec::new()));
        sets.extend(all.iter().map(|rule| Some(vec![rule.clone()])));
        sets.push(Some(all));
    }
    sets
}

/// What is known about one board under one objective.
#[derive(Default)]
struct Known {
    /// The cost that was proved, and by what.
    optimal: Option<(u64, String)>,
    /// The cheapest plan, and whose it is.
    cheapest: Option<(u64, String)>,
    /// What proved that there is no plan.
    exhausted: Option<String>,
    /// The greatest lower bound, and whose it is.
    bound: Option<(u64, String)>,
}

/// Runs everything on one board; what was refused, and what came to an answer, by objective and strategy.
fn run(puzzle: &dyn Puzzle, budget: &Budget, answered: &mut BTreeMap<(String, String), bool>) {
    let (kind, text) = (puzzle.kind(), puzzle.text());
    let strategies = STRATEGIES.iter().map(|s| s.name).chain(kind.solvers().iter().map(|s| s.name));
    let strategies: Vec<&str> = strategies.collect();
    for objective in names(kind.objectives()) {
        let mut known = Known::default();
        for &strategy in &strategies {
            for heuristic in names(kind.heuristics()) {
                for rules in rule_sets(kind) {
                    // How far dls may go, how long a walk may be.
                    let depth = Some(if strategy == "walk" { 5_000 } else { 40 });
                    let job = Job {
                        strategy: Some(strategy.to_owned()),
                        heuristic: heuristic.clone(),
                        objective: objective.clone(),
                        rules,
                        settings: Settings { depth, ..Settings::default() },
                    };
                    let done = judge(puzzle, &text, &job, budget, &mut known);
                    let offer = (objective.clone().unwrap_or_default(), strategy.to_owned());
                    *answered.entry(offer).or_default() |= done;
                }
            }
        }
        let Known { optimal, cheapest, exhausted, bound } = known;
        if let (Some(proof), Some((cost, who))) = (&exhausted, &cheapest) {
            panic!("{who} finds a plan of {cost}, and {proof} proves that there is none\n{text}");
        }
        if let (Some((bound, proof)), Some((cost, who))) = (&bound, &cheapest) {
            assert!(bound <= cost, "{who} finds {cost}, and {proof} proves {bound}\n{text}");
        }
        if let (Some((best, proof)), Some((cost, who))) = (&optimal, &cheapest) {
            assert!(best <= cost, "{who} finds {cost}, and {proof} proves {best}\n{text}");
        }
    }
}

/// Runs one job; `true` if it was refused or came to an end.
fn judge(puzzle: &dyn Puzzle, text: &str, job: &Job, budget: &Budget, known: &mut Known) -> bool {
    let kind = puzzle.kind().name();
    let who = format!("{kind}: {job:?}");
    let outcome = match puzzle.solve(job, budget, &mut ()) {
        Ok(outcome) => outcome,
        Err(refusal @ Unsupported::Needs { .. }) => {
            assert!(refusal.to_string().split(' ').count() > 4, "{who}: {refusal}");
            return true;
        }
        Err(error) => panic!("{who}: {error}\n{text}"),
    };
    match outcome.verdict {
        Verdict::Solved(plan) => {
            let checked = beeline_check::check(kind, text, job.objective.as_deref(), &plan.moves);
            let checked = checked.unwrap_or_else(|flaw| panic!("{who}: {flaw}\n{:?}\n{text}", plan.moves));
            assert_eq!(checked.cost, plan.cost, "{who}\n{:?}\n{text}", plan.moves);
            let written = puzzle.write_plan(&plan.moves);
            let read = puzzle.read_plan(&written).unwrap_or_else(|e| panic!("{who}: {e}\n{written}"));
            let again = beeline_check::check(kind, text, job.objective.as_deref(), &read);
            assert_eq!(again.map(|c| c.cost), Ok(plan.cost), "{who}\n{written}\n{text}");
            if plan.is_optimal() {
                let (best, proof) = known.optimal.get_or_insert_with(|| (plan.cost, who.clone()));
                assert_eq!(*best, plan.cost, "{who}\nand {proof}\n{text}");
            }
            if known.cheapest.as_ref().is_none_or(|(cost, _)| plan.cost < *cost) {
                known.cheapest = Some((plan.cost, who.clone()));
            }
            if known.bound.as_ref().is_none_or(|(bound, _)| plan.lower_bound > *bound) {
                known.bound = Some((plan.lower_bound, who));
            }
            true
        }
        Verdict::Exhausted => {
            known.exhausted.get_or_insert(who);
            true
        }
        Verdict::GaveUp | Verdict::Stopped(_) => false,
    }
}

/// Every offer must be refused in words or come to an answer on some board.
fn sweep(kind: &dyn Kind, seeds: u64, nodes: u64) {
    let budget = Budget { nodes: Some(nodes), bytes: Some(256 << 20), ..Budget::default() };
    let mut answered = BTreeMap::new();
    for puzzle in boards(kind, seeds) {
        run(&*puzzle, &budget, &mut answered);
    }
    for ((objective, strategy), answered) in answered {
        assert!(answered, "{}: {strategy} never answers under the objective '{objective}'", kind.name());
    }
}

#[test]
fn every_offer_passes_the_checker() {
    for kind in KINDS {
        sweep(*kind, 1, 2_000);
    }
}

#[test]
#[ignore = "long: cargo xtask prove (hundreds of boards)"]
fn every_offer_passes_the_checker_on_hundreds_of_boards() {
    for kind in KINDS {
        sweep(*kind, 100, 50_000);
    }
}

#[test]
fn a_puzzle_that_ships_has_one_title() {
    for kind in KINDS {
        for example in kind.examples() {
            let puzzles = kind.parse(example.text).unwrap();
            if let [puzzle] = &puzzles[..]
                && let Some(title) = puzzle.title()
            {
                assert_eq!(title, example.title, "{}", example.name);
            }
        }
    }
}
