//! Suggestions for mistyped names.

use beeline_puzzles::{Choice, Kind};
use beeline_search::strategies::STRATEGIES;

use super::{Exit, World};
use crate::report::Trouble;

/// The names that are close to the typed one, the nearest first.
pub(super) fn near<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let typed = typed.to_lowercase();
    let score = |name: &str| {
        let name = name.to_lowercase();
        // Swapped letters count as one typing error. In a short name, the first measure alone would miss them.
        let slips = strsim::damerau_levenshtein(&typed, &name);
        let few = usize::max(1, name.chars().count() / 4);
        strsim::jaro_winkler(&typed, &name) + if slips <= few { 1.0 } else { 0.0 }
    };
    let mut scored: Vec<(f64, &str)> =
        names.into_iter().map(|name| (score(name), name)).filter(|(score, _)| *score > 0.75).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.dedup_by(|a, b| a.1 == b.1);
    // If some names differ only by typing errors, names that merely look similar are dropped.
    if scored.first().is_some_and(|(best, _)| *best > 1.0) {
        scored.retain(|(score, _)| *score > 1.0);
    }
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}

/// "did you mean 'a' or 'b'?"
pub(super) fn did_you_mean(near: &[&str]) -> Option<String> {
    let quoted: Vec<String> = near.iter().map(|n| format!("'{n}'")).collect();
    let (last, before) = quoted.split_last()?;
    let names = if before.is_empty() { last.clone() } else { format!("{} or {last}", before.join(", ")) };
    Some(format!("did you mean {names}?"))
}

/// The error for an unknown name: usage error, suggestions, and what there is.
pub(super) fn unknown(what: &str, typed: &str, names: &[&str], where_to_look: Option<&str>) -> Trouble {
    let mut trouble = Trouble::new(Exit::Usage, format!("there is no {what} called '{typed}'"));
    if let Some(hint) = did_you_mean(&near(typed, names.iter().copied())) {
        trouble = trouble.help(hint);
    }
    let there = match (names.is_empty(), where_to_look) {
        (true, _) => format!("there is no {what} to choose here"),
        (false, Some(place)) => format!("{place} shows them all"),
        (false, None) => format!("choose from: {}", names.join(", ")),
    };
    trouble.help(there)
}

/// The kind of this name.
pub(super) fn kind(world: World, name: &str) -> Result<&'static dyn Kind, Trouble> {
    let names: Vec<&str> = world.kinds.iter().map(|k| k.name()).collect();
    let found = world.kinds.iter().copied().find(|k| k.name() == name);
    found.ok_or_else(|| unknown("kind of puzzle", name, &names, None))
}

/// The name of a strategy of the engine or of a solver of the kind. It accepts `A*`, `IDA*` and capital letters.
pub(super) fn strategy(kind: &dyn Kind, typed: &str) -> Result<String, Trouble> {
    let name = typed.trim().to_lowercase().replace('*', "star").replace('-', "");
    let solvers = kind.solvers().iter().map(|c| c.name);
    let names: Vec<&str> = solvers.chain(STRATEGIES.iter().map(|s| s.name)).collect();
    let same = |n: &&&str| **n == typed || n.replace('-', "") == name;
    let found = names.iter().find(same).map(|n| (*n).to_owned());
    found.ok_or_else(|| unknown("strategy", typed, &names, Some("'beeline list strategies'")))
}

/// The name of one of a kind's choices.
pub(super) fn choice(
    kind: &dyn Kind,
    what: &str,
    typed: &str,
    choices: &[Choice],
) -> Result<String, Trouble> {
    let names: Vec<&str> = choices.iter().map(|c| c.name).collect();
    let found = names.iter().find(|n| n.eq_ignore_ascii_case(typed)).map(|n| (*n).to_owned());
    let what = format!("{what} of {}", kind.name());
    found.ok_or_else(|| unknown(&what, typed, &names, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_come_first() {
        let names = ["astar", "wastar", "idastar", "bfs", "bfws", "walk"];
        assert_eq!(near("astra", names)[0], "astar");
        assert_eq!(near("bsf", names)[0], "bfs");
        assert!(near("zzz", names).is_empty());
    }

    #[test]
    fn questions() {
        assert_eq!(did_you_mean(&[]), None);
        assert_eq!(did_you_mean(&["a"]).as_deref(), Some("did you mean 'a'?"));
        assert_eq!(did_you_mean(&["a", "b", "c"]).as_deref(), Some("did you mean 'a', 'b' or 'c'?"));
    }
}
