//! `catalog`: the kinds and their choices, the shipped puzzles, the strategies, the limits.

use beeline_puzzles::{Choice, KINDS, Kind};
use beeline_search::strategies::{STRATEGIES, Strategy};
use beeline_search::{Complete, Optimal};
use serde::Serialize;

use crate::limits::Limits;
use crate::lines::{self, Lines};

/// Everything that a request can choose from.
#[derive(Serialize)]
pub struct Catalog {
    kinds: Vec<KindEntry>,
    strategies: Vec<StrategyEntry>,
    limits: LimitsEntry,
}

#[derive(Serialize)]
struct KindEntry {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    controls: &'static str,
    examples: Vec<ExampleEntry>,
    heuristics: Vec<ChoiceEntry>,
    objectives: Vec<ChoiceEntry>,
    solvers: Vec<ChoiceEntry>,
    rules: Vec<ChoiceEntry>,
}

#[derive(Serialize)]
struct ExampleEntry {
    name: &'static str,
    title: &'static str,
    text: &'static str,
}

#[derive(Serialize)]
struct ChoiceEntry {
    name: &'static str,
    about: &'static str,
}

#[derive(Serialize)]
struct StrategyEntry {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    shortest: &'static str,
    complete: &'static str,
    informed: bool,
    cost: &'static str,
    pseudocode: Vec<&'static str>,
    lines: Lines,
}

#[derive(Serialize)]
struct LimitsEntry {
    runs: usize,
    seconds: f64,
    megabytes: usize,
    states: usize,
    steps: usize,
    body: usize,
    puzzle: usize,
    cells: usize,
}

/// Builds the catalog.
pub fn catalog(limits: &Limits) -> Catalog {
    Catalog {
        kinds: KINDS.iter().map(|kind| kind_entry(*kind)).collect(),
        strategies: STRATEGIES.iter().map(|strategy| strategy_entry(strategy)).collect(),
        limits: LimitsEntry {
            runs: limits.runs,
            seconds: limits.time.as_secs_f64(),
            megabytes: limits.memory >> 20,
            states: limits.states,
            steps: limits.steps,
            body: limits.body,
            puzzle: limits.puzzle,
            cells: limits.cells,
        },
    }
}

fn kind_entry(kind: &dyn Kind) -> KindEntry {
    let choices = |all: &[Choice]| all.iter().map(|c| ChoiceEntry { name: c.name, about: c.about }).collect();
    let examples = kind.examples().iter();
    KindEntry {
        name: kind.name(),
        title: kind.title(),
        controls: kind.controls(),
        about: kind.about(),
        examples: examples.map(|e| ExampleEntry { name: e.name, title: e.title, text: e.text }).collect(),
        heuristics: choices(kind.heuristics()),
        objectives: choices(kind.objectives()),
        solvers: choices(kind.solvers()),
        rules: choices(kind.rules()),
    }
}

fn strategy_entry(strategy: &Strategy) -> StrategyEntry {
    StrategyEntry {
        name: strategy.name,
        title: strategy.title,
        about: strategy.about,
        shortest: match strategy.optimal {
            Optimal::Yes => "always",
            Optimal::UnitCosts => "where every move costs 1",
            Optimal::Admissible => "where the heuristic never overestimates",
            Optimal::Bounded => "within the weight",
            Optimal::No => "not promised",
        },
        complete: match strategy.complete {
            Complete::Yes => "finds a plan or proves that there is none",
            Complete::Semi => "finds a plan where there is one",
            Complete::No => "may end without a plan",
        },
        informed: strategy.informed,
        cost: strategy.cost,
        pseudocode: lines::code(strategy),
        lines: lines::of(strategy),
    }
}
