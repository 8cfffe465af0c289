//! The spec file. Every error comes with its place in the file.

use std::ops::Range;
use std::time::Duration;

use beeline_api::units;
use beeline_puzzles::{Choice, KINDS, Kind, TextError, kind};
use beeline_search::strategies::STRATEGIES;
use serde::Deserialize;
use toml::Spanned;

use crate::{classic, report};

/// A whole spec.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// The name of the experiment and of its records.
    pub name: Spanned<String>,
    /// A title for people.
    #[serde(default)]
    pub title: String,
    /// Which questions the report answers; see [`report::templates`].
    pub report: Option<Spanned<String>>,
    /// How often each run is made; tables show the median.
    #[serde(default = "one")]
    pub repeats: u32,
    /// The base seed of random strategies; each repeat adds its number.
    #[serde(default)]
    pub seed: u64,
    /// What each run may use.
    #[serde(default)]
    pub limits: Limits,
    /// The puzzles.
    pub suite: Vec<Suite>,
    /// What is run on them.
    pub strategy: Vec<Strategy>,
    /// Published results on a suite, for reports that compare them with the runs.
    #[serde(default)]
    pub published: Vec<Published>,
}

/// A published result.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The suite.
    pub suite: String,
    /// The solver.
    pub who: String,
    /// The number of solved puzzles.
    pub solved: usize,
    /// The number of puzzles.
    pub of: usize,
    /// The limits, the machine, and where the result was published.
    #[serde(default)]
    pub conditions: String,
}

fn one() -> u32 {
    1
}

/// Limits, as people write them: `10s`, `1G`, `5M`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Wall time of the search.
    pub time: Option<Spanned<String>>,
    /// Bytes of the search.
    pub memory: Option<Spanned<String>>,
    /// Expanded states; for the classic searches, what they count.
    pub nodes: Option<Spanned<String>>,
}

/// Puzzles: shipped ones, files, or new ones.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Its name in tables.
    pub name: Spanned<String>,
    /// The kind; required for new puzzles.
    pub kind: Option<Spanned<String>>,
    /// Names of shipped puzzles; `*` stands for all of the kind.
    #[serde(default)]
    pub examples: Vec<Spanned<String>>,
    /// Files, folders and patterns (`maps/*.txt`), relative to the working directory.
    #[serde(default)]
    pub files: Vec<Spanned<String>>,
    /// A series of new puzzles.
    pub make: Option<Spanned<Series>>,
}

/// A series of new puzzles: `count` of every combination of the listed values.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// Sizes: `8x7` (columns × rows), or `9` for a square.
    #[serde(default)]
    pub size: Vec<Spanned<String>>,
    /// How many pieces, bricks, boxes or colours.
    #[serde(default)]
    pub pieces: Vec<usize>,
    /// Lengths of the shortest plan.
    #[serde(default)]
    pub distance: Vec<u64>,
    /// Lengths of random walks from the goal.
    #[serde(default)]
    pub walk: Vec<u64>,
    /// `easy`, `medium`, `hard`.
    #[serde(default)]
    pub hardness: Vec<Spanned<String>>,
    /// The number of puzzles of each combination.
    #[serde(default = "one")]
    pub count: u32,
    /// The first seed.
    #[serde(default)]
    pub seed: u64,
    /// Make puzzles that cannot be solved?
    #[serde(default)]
    pub unsolvable: bool,
}

/// A search method with its options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strategy {
    /// Its name in tables and legends.
    pub name: Spanned<String>,
    /// A strategy of the engine, a solver of the kind, or a classic search; see [`classic`].
    pub with: Spanned<String>,
    /// Run only on these suites.
    pub suites: Option<Vec<Spanned<String>>>,
    /// The heuristic.
    pub heuristic: Option<Spanned<String>>,
    /// The objective.
    pub objective: Option<Spanned<String>>,
    /// The dead-end rules.
    pub rules: Option<Vec<Spanned<String>>>,
    /// The order of moves or colours, for classic searches that have one.
    pub order: Option<Spanned<String>>,
    /// Classic bricks: compare normal forms? Default yes.
    pub normalise: Option<bool>,
    /// The width of Iterated Width.
    pub width: Option<usize>,
    /// The weight of weighted A*.
    pub weight: Option<f64>,
    /// The limit of depth-limited search; the length of random walks.
    pub depth: Option<u64>,
    /// Threads, where a solver can use them.
    pub threads: Option<usize>,
    /// Limits that replace the spec's.
    #[serde(default)]
    pub limits: Limits,
}

/// Parsed limits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// Wall time.
    pub time: Option<Duration>,
    /// Bytes.
    pub memory: Option<usize>,
    /// Nodes.
    pub nodes: Option<u64>,
}

impl Spec {
    /// Parses a spec and checks every name in it.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let spec: Self = toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            TextError::new(span, error.message().trim_end().to_owned(), "a spec as docs/lab.md describes it")
        })?;
        spec.check()?;
        Ok(spec)
    }

    fn check(&self) -> Result<(), TextError> {
        let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let name = self.name.get_ref();
        if name.is_empty() || !name.chars().all(safe) {
            let message = format!("'{name}' is no name for a file");
            return Err(TextError::new(self.name.span(), message, "letters, digits, '-' and '_'"));
        }
        if let Some(wanted) = &self.report {
            look_up("report", wanted, report::templates())?;
        }
        self.limits.bounds()?;
        for (i, suite) in self.suite.iter().enumerate() {
            suite.check()?;
            if self.suite[..i].iter().any(|s| s.name.get_ref() == suite.name.get_ref()) {
                return Err(twice("suite", &suite.name));
            }
        }
        for (i, strategy) in self.strategy.iter().enumerate() {
            strategy.check(self)?;
            if self.strategy[..i].iter().any(|s| s.name.get_ref() == strategy.name.get_ref()) {
                return Err(twice("strategy", &strategy.name));
            }
        }
        Ok(())
    }

    /// The kinds on which a strategy may run.
    fn kinds(&self, strategy: &Strategy) -> Vec<&'static dyn Kind> {
        let met = self.suite.iter().filter(|s| strategy.runs_on(s.name.get_ref()));
        let kinds: Vec<Option<&Spanned<String>>> = met.map(|s| s.kind.as_ref()).collect();
        let unknown = kinds.iter().any(Option::is_none);
        let named = |k: &&dyn Kind| kinds.iter().flatten().any(|n| n.get_ref() == k.name());
        KINDS.iter().copied().filter(|k| unknown || named(k)).collect()
    }
}

impl Strategy {
    /// Does it run on this suite?
    pub fn runs_on(&self, suite: &str) -> bool {
        self.suites.as_ref().is_none_or(|all| all.iter().any(|s| s.get_ref() == suite))
    }

    fn check(&self, spec: &Spec) -> Result<(), TextError> {
        for suite in self.suites.iter().flatten() {
            look_up("suite", suite, spec.suite.iter().map(|s| s.name.get_ref().as_str()))?;
        }
        self.limits.bounds()?;
        let kinds = spec.kinds(self);
        let searches = kinds.iter().flat_map(|k| searches(*k));
        look_up("strategy", &self.with, searches)?;
        let of = |pick: fn(&dyn Kind) -> &'static [Choice]| kinds.iter().flat_map(move |k| pick(*k));
        let classic = kinds.iter().flat_map(|k| classic::heuristics(k.name(), self.with.get_ref()));
        if let Some(heuristic) = &self.heuristic {
            let names = of(|k| k.heuristics()).map(|c| c.name);
            look_up("heuristic", heuristic, names.chain(classic.clone()))?;
        }
        if let Some(objective) = &self.objective {
            look_up("objective", objective, of(|k| k.objectives()).map(|c| c.name))?;
        }
        for rule in self.rules.iter().flatten() {
            look_up("rule", rule, of(|k| k.rules()).map(|c| c.name))?;
        }
        if let Some(order) = &self.order {
            let orders = kinds.iter().flat_map(|k| classic::orders(k.name()).iter().copied());
            look_up("order", order, orders)?;
        }
        Ok(())
    }
}

/// The names of everything that can run on a kind.
pub fn searches(kind: &'static dyn Kind) -> impl Iterator<Item = &'static str> {
    let own = kind.solvers().iter().map(|c| c.name);
    own.chain(classic::names(kind.name()).iter().copied()).chain(STRATEGIES.iter().map(|s| s.name))
}

impl Suite {
    fn check(&self) -> Result<(), TextError> {
        if let Some(name) = &self.kind {
            look_up("kind", name, KINDS.iter().map(|k| k.name()))?;
        }
        let known = self.known_kind();
        for example in self.examples.iter().filter(|e| e.get_ref() != "*") {
            let of = KINDS.iter().filter(|k| known.is_none_or(|known| known.name() == k.name()));
            look_up("example", example, of.flat_map(|k| k.examples()).map(|e| e.name))?;
        }
        if let Some(star) = self.examples.iter().find(|e| e.get_ref() == "*" && known.is_none()) {
            return Err(TextError::new(star.span(), "of which kind?", "a 'kind' beside '*'"));
        }
        if let Some(series) = &self.make {
            if known.is_none() {
                return Err(TextError::new(series.span(), "of which kind?", "a 'kind' beside 'make'"));
            }
            series.get_ref().check()?;
        }
        if self.examples.is_empty() && self.files.is_empty() && self.make.is_none() {
            let message = format!("the suite '{}' names no puzzles", self.name.get_ref());
            return Err(TextError::new(self.name.span(), message, "examples, files or make"));
        }
        Ok(())
    }

    /// The kind, where it is named.
    pub fn known_kind(&self) -> Option<&'static dyn Kind> {
        self.kind.as_ref().and_then(|name| kind(name.get_ref()))
    }
}

impl Series {
    fn check(&self) -> Result<(), TextError> {
        for text in &self.size {
            units::sides(text.get_ref())
                .map_err(|why| TextError::new(text.span(), why, "a size: \"8x7\""))?;
        }
        for name in &self.hardness {
            look_up("hardness", name, beeline_puzzles::Hardness::ALL.iter().map(|h| h.0))?;
        }
        Ok(())
    }
}

impl Limits {
    /// Parses the limits.
    pub fn bounds(&self) -> Result<Bounds, TextError> {
        fn read<T>(
            text: Option<&Spanned<String>>,
            read: fn(&str) -> Result<T, String>,
            like: &str,
        ) -> Result<Option<T>, TextError> {
            let bad = |span: Range<usize>, why: String| TextError::new(span, why, like);
            text.map(|t| read(t.get_ref()).map_err(|why| bad(t.span(), why))).transpose()
        }
        Ok(Bounds {
            time: read(self.time.as_ref(), units::duration, "a time: \"10s\"")?,
            memory: read(self.memory.as_ref(), units::bytes, "a size: \"512M\"")?,
            nodes: read(self.nodes.as_ref(), units::count, "a count: \"5M\"")?,
        })
    }
}

impl Bounds {
    /// These bounds; where one is not set, that of `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            time: self.time.or(other.time),
            memory: self.memory.or(other.memory),
            nodes: self.nodes.or(other.nodes),
        }
    }
}

fn twice(what: &str, name: &Spanned<String>) -> TextError {
    let message = format!("there are two of the {what} '{}'", name.get_ref());
    TextError::new(name.span(), message, "a name of its own")
}

/// Looks up a name. The error suggests the nearest one.
fn look_up<'a>(
    what: &str,
    typed: &Spanned<String>,
    names: impl Iterator<Item = &'a str>,
) -> Result<(), TextError> {
    let mut names: Vec<&str> = names.collect();
    if names.contains(&typed.get_ref().as_str()) {
        return Ok(());
    }
    names.sort_unstable();
    names.dedup();
    let near = names.iter().max_by(|a, b| {
        let score = |name: &str| strsim::jaro_winkler(typed.get_ref(), name);
        score(a).total_cmp(&score(b))
    });
    let close = near.filter(|n| strsim::jaro_winkler(typed.get_ref(), n) > 0.75);
    let message = format!("there is no {what} called '{}' here", typed.get_ref());
    let error = TextError::new(typed.span(), message, format!("the name of a {what}"));
    Err(match close {
        Some(name) => error.help(format!("did you mean '{name}'?")),
        None if names.is_empty() => error.help(format!("there is no {what} to choose here")),
        None => error.help(format!("choose from: {}", names.join(", "))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "name = 'x'\n[[suite]]\nname = 's'\nkind = 'gate'\nexamples = ['gate-first']\n\
                        [[strategy]]\nname = 'a'\nwith = 'classic-1'\n";

    #[test]
    fn a_spec_is_read() {
        let spec = Spec::parse(GOOD).unwrap();
        assert_eq!((spec.repeats, spec.suite.len(), spec.strategy.len()), (1, 1, 1));
    }

    /// Changes one thing and gives the bytes that the error points at, and its help.
    fn wrong(from: &str, to: &str) -> (String, String) {
        let text = GOOD.replace(from, to);
        assert_ne!(text, GOOD);
        let error = Spec::parse(&text).unwrap_err();
        let help = error.help.clone().unwrap_or_default();
        (text[error.span.clone()].to_owned(), format!("{} {help}", error.message))
    }

    #[test]
    fn every_mistake_has_its_place() {
        let cases = [
            ("'classic-1'", "'clasic-1'", "'clasic-1'", "did you mean 'classic-1'?"),
            ("kind = 'gate'", "kind = 'gaet'", "'gaet'", "did you mean 'gate'?"),
            ("'gate-first'", "'gate-frist'", "'gate-frist'", "did you mean 'gate-first'?"),
            ("name = 'a'", "name = 'a'\nheuristic = 'best'", "'best'", "heuristic"),
            ("name = 'a'", "name = 'a'\nwiht = 1", "wiht", "unknown field"),
            ("name = 'a'", "name = 'a'\nsuites = ['t']", "'t'", "suite"),
            ("name = 'a'", "name = 'a'\nlimits = { time = '3 parsecs' }", "'3 parsecs'", "unit of time"),
            ("name = 'x'", "name = 'x'\nreport = 'gats'", "'gats'", "did you mean 'gate'?"),
            ("name = 'x'", "name = 'x/y'", "'x/y'", "no name for a file"),
            ("name = 'x'", "name = 'x'\n[limits]\nnodes = 'few'", "'few'", "number"),
            ("examples = ['gate-first']", "", "'s'", "names no puzzles"),
            ("examples = ['gate-first']", "make = { size = ['7y7'] }", "'7y7'", "7y7"),
        ];
        for (from, to, place, says) in cases {
            let (at, told) = wrong(from, to);
            assert_eq!(at, place, "{told}");
            assert!(told.contains(says), "{told}");
        }
    }

    #[test]
    fn a_broken_file_has_a_place_too() {
        let error = Spec::parse("name = \n").unwrap_err();
        assert!(error.span.start >= 6, "{error:?}");
    }
}
