//! Descriptions of strategies, kinds, heuristics, objectives and rules.

use beeline_puzzles::{Choice, Kind};
use beeline_search::strategies::Strategy;
use beeline_search::{Complete, Optimal};

use super::Screen;
use super::layout::{entry, hanging};

/// The choices of a kind, by category.
pub(crate) fn choices(kind: &dyn Kind) -> [(&'static str, &'static [Choice]); 4] {
    [
        ("solver", kind.solvers()),
        ("heuristic", kind.heuristics()),
        ("objective", kind.objectives()),
        ("dead-end rule", kind.rules()),
    ]
}

pub(crate) fn strategy(strategy: &Strategy, screen: &Screen) -> String {
    let mut out = format!("{} · {}\n\n", screen.bold(strategy.name), strategy.title);
    out += &entry("what", strategy.about, screen);
    out += &entry("shortest", optimal(strategy.optimal), screen);
    out += &entry("complete", complete(strategy.complete), screen);
    out += &entry("heuristic", if strategy.informed { "uses one" } else { "uses none" }, screen);
    out += &entry("cost", strategy.cost, screen);
    out += &format!("\n{}\n", screen.bold("pseudocode"));
    for line in strategy.pseudocode.trim_matches('\n').lines() {
        out += format!("    {line}").trim_end();
        out.push('\n');
    }
    out
}

fn optimal(promise: Optimal) -> &'static str {
    match promise {
        Optimal::Yes => "yes: no plan is cheaper",
        Optimal::UnitCosts => "yes where every move costs 1",
        Optimal::Admissible => "yes where the heuristic never overestimates",
        Optimal::Bounded => "at most the weight times the cheapest, where the heuristic never overestimates",
        Optimal::No => "not promised",
    }
}

fn complete(promise: Complete) -> &'static str {
    match promise {
        Complete::Yes => "yes: finds a plan or proves that there is none",
        Complete::Semi => "finds a plan where there is one; may run for ever where there is none",
        Complete::No => "no: may end without a plan where there is one",
    }
}

pub(crate) fn kind(kind: &dyn Kind, screen: &Screen) -> String {
    let mut out = format!("{} · {}\n\n", screen.bold(kind.name()), kind.title());
    out += &entry("rules", kind.about(), screen);
    for (what, choices) in choices(kind) {
        if choices.is_empty() {
            continue;
        }
        out += &format!("\n{}\n", screen.bold(&heading(what)));
        let width = choices.iter().map(|c| c.name.len()).max().unwrap_or(0);
        for choice in choices {
            out += &hanging(&format!("  {}", choice.name), width + 4, choice.about, screen);
        }
    }
    let examples: Vec<&str> = kind.examples().iter().map(|e| e.name).collect();
    out +=
        &format!("\n{}\n{}", screen.bold("puzzles that ship"), hanging("", 2, &examples.join(", "), screen));
    out
}

fn heading(what: &str) -> String {
    // Rules are used together. From the other categories, one item is chosen.
    if what == "dead-end rule" { format!("{what}s") } else { format!("{what}s, the default first") }
}

pub(crate) fn choice(kind: &dyn Kind, what: &str, choice: &Choice, screen: &Screen) -> String {
    format!(
        "{} · a {what} of {}\n\n{}",
        screen.bold(choice.name),
        kind.name(),
        entry("what", choice.about, screen)
    )
}
