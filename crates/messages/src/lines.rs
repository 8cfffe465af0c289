//! Maps search events to lines of a strategy's pseudocode.
//!
//! The pseudocode is that of `beeline explain`. Words in a line identify it. So if a line is reworded beyond recognition, a test
//! fails and the page does not highlight a wrong line.

use beeline_search::strategies::{Strategy, strategy};
use serde::Serialize;

/// The line for each event, counted from 0; `None` if the pseudocode has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Lines {
    /// A round begins.
    round: Option<usize>,
    /// A state is expanded.
    expand: Option<usize>,
    /// A successor is kept.
    keep: Option<usize>,
    /// A successor is a duplicate.
    duplicate: Option<usize>,
    /// A rule prunes a successor.
    prune: Option<usize>,
    /// The search ends with a plan.
    found: Option<usize>,
}

/// The lines of the pseudocode. If it only refers to another ("as A*, with …"), the lines of that one follow.
pub(crate) fn code(of: &Strategy) -> Vec<&'static str> {
    let mut code: Vec<&'static str> = of.pseudocode.trim_matches('\n').lines().collect();
    if let Some(other) = referenced_strategy(of) {
        code.extend(other.pseudocode.trim_matches('\n').lines());
    }
    code
}

/// The strategy that the pseudocode refers to.
fn referenced_strategy(of: &Strategy) -> Option<&'static Strategy> {
    of.pseudocode.starts_with("as A*").then(|| strategy("astar")).flatten()
}

/// Finds the line for each event.
pub(crate) fn of(strategy: &Strategy) -> Lines {
    let code = code(strategy);
    let line = |words: &[&str]| words.iter().find_map(|w| code.iter().position(|line| line.contains(w)));
    let keep = line(&["put t in", "depth-first", "breadth-first", "for each move m", "after one of"]);
    Lines {
        round: line(&["bound <- the least", "limit <- the least", "for w <-"]),
        expand: line(&["take the", "depth-first", "breadth-first", "for each move m", "after one of"]),
        keep,
        duplicate: line(&["if t is not in seen", "if t is new", "searched with as much", "every set of"])
            .or(keep),
        prune: line(&[
            "every set of",
            "cutting off",
            "within the limit",
            "that room allows",
            "t <- s after m",
        ])
        .or(keep),
        found: line(&["return the way"]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_search::strategies::STRATEGIES;

    #[test]
    fn every_strategy_lights_a_line_when_it_expands_keeps_and_finds() {
        for strategy in STRATEGIES {
            let lines = of(strategy);
            for (what, line) in [("expand", lines.expand), ("keep", lines.keep), ("found", lines.found)] {
                assert!(line.is_some(), "{} lights nothing on {what}", strategy.name);
            }
            let iterated = ["idastar", "ids", "iw"].contains(&strategy.name);
            assert_eq!(lines.round.is_some(), iterated, "{}", strategy.name);
        }
    }

    #[test]
    fn the_lit_lines_are_the_right_ones() {
        let text = |name: &str, pick: fn(Lines) -> Option<usize>| {
            let strategy = strategy(name).unwrap();
            code(strategy)[pick(of(strategy)).unwrap()].trim()
        };
        assert!(text("astar", |l| l.expand).starts_with("take the state s with the least f"));
        assert!(text("astar", |l| l.duplicate).starts_with("if t is new"));
        assert!(text("wastar", |l| l.expand).starts_with("take the state"));
        assert!(text("iw", |l| l.prune).starts_with("every set of at most w atoms"));
        assert!(text("idastar", |l| l.round).starts_with("bound <- the least"));
        assert!(text("bfs", |l| l.found).starts_with("if t is a goal"));
    }
}
