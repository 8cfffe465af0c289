//! Turns a spec into the list of its runs.

use std::path::{Path, PathBuf};

use beeline_puzzles::{Hardness, KINDS, Kind, Puzzle, Recipe, TextError};

use crate::spec::{Series, Spec, Suite, searches};
use crate::task::{Caps, Options, Task};
use beeline_api::units;

/// A puzzle of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The suite.
    pub suite: String,
    /// Its name, unique in the experiment.
    pub name: String,
    /// The kind.
    pub kind: &'static str,
    /// The puzzle as a file.
    pub text: String,
}

/// Why the puzzles of a suite cannot be provided.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// A name in the spec matches nothing.
    #[error(transparent)]
    Spec(#[from] TextError),
    /// A puzzle file cannot be read.
    #[error("{}: {}", .0.path.display(), .0.error)]
    File(Box<BadFile>),
}

/// A puzzle file with a mistake.
#[derive(Debug)]
pub struct BadFile {
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// What is wrong.
    pub error: TextError,
}

/// Every run of a spec, instance by instance, so that an interrupted experiment has complete rows. `made` gets the number of
/// new puzzles of a series so far, and their total.
pub fn tasks(spec: &Spec, made: &mut dyn FnMut(usize, usize)) -> Result<Vec<Task>, Trouble> {
    let mut tasks = Vec::new();
    for suite in &spec.suite {
        for instance in instances(suite, made)? {
            tasks.extend(of(spec, &instance)?);
        }
    }
    for (place, task) in tasks.iter_mut().enumerate() {
        task.place = place;
    }
    Ok(tasks)
}

fn of(spec: &Spec, instance: &Instance) -> Result<Vec<Task>, TextError> {
    let mut tasks = Vec::new();
    for strategy in spec.strategy.iter().filter(|s| s.runs_on(&instance.suite)) {
        let with = strategy.with.get_ref();
        let kind = beeline_puzzles::kind(instance.kind);
        if !kind.is_some_and(|k| searches(k).any(|name| name == with)) {
            continue;
        }
        let limits: Caps = strategy.limits.bounds()?.or(spec.limits.bounds()?).into();
        for repeat in 0..spec.repeats {
            tasks.push(Task {
                suite: instance.suite.clone(),
                instance: instance.name.clone(),
                kind: instance.kind.to_owned(),
                text: instance.text.clone(),
                strategy: strategy.name.get_ref().clone(),
                options: Options::new(strategy, spec.seed + u64::from(repeat)),
                limits,
                repeat,
                place: 0,
            });
        }
    }
    Ok(tasks)
}

/// The puzzles of a suite.
pub fn instances(suite: &Suite, made: &mut dyn FnMut(usize, usize)) -> Result<Vec<Instance>, Trouble> {
    let mut all = examples(suite);
    for pattern in &suite.files {
        let paths = paths(pattern.get_ref())
            .map_err(|why| TextError::new(pattern.span(), why, "a file, a folder or a pattern"))?;
        for path in paths {
            all.extend(file(suite, &path)?);
        }
    }
    if let (Some(series), Some(kind)) = (&suite.make, suite.known_kind()) {
        let found = self::made(suite.name.get_ref(), series.get_ref(), kind, made);
        all.extend(found.map_err(|why| TextError::new(series.span(), why, "a series that can be made"))?);
    }
    Ok(all)
}

fn instance(suite: &Suite, name: String, puzzle: &dyn Puzzle) -> Instance {
    Instance { suite: suite.name.get_ref().clone(), name, kind: puzzle.kind().name(), text: puzzle.text() }
}

fn examples(suite: &Suite) -> Vec<Instance> {
    let wanted = |name: &str| suite.examples.iter().any(|e| e.get_ref() == name);
    let mut all = Vec::new();
    for kind in KINDS.iter().filter(|k| suite.known_kind().is_none_or(|known| known.name() == k.name())) {
        for example in kind.examples().iter().filter(|e| wanted("*") || wanted(e.name)) {
            // A test checks that every shipped puzzle can be parsed.
            let puzzles = kind.parse(example.text).unwrap_or_default();
            all.extend(named(suite, example.name, &puzzles));
        }
    }
    all
}

/// The puzzles of one file, numbered if there are several.
fn named(suite: &Suite, name: &str, puzzles: &[Box<dyn Puzzle>]) -> Vec<Instance> {
    let many = puzzles.len() > 1;
    let title = |i: usize| if many { format!("{name}#{}", i + 1) } else { name.to_owned() };
    puzzles.iter().enumerate().map(|(i, p)| instance(suite, title(i), &**p)).collect()
}

/// The files that match a pattern, in the order of their names.
fn paths(pattern: &str) -> Result<Vec<PathBuf>, String> {
    let inside = Path::new(pattern).is_dir().then(|| format!("{}/*", pattern.trim_end_matches('/')));
    let found = glob::glob(inside.as_deref().unwrap_or(pattern)).map_err(|error| error.to_string())?;
    let mut paths: Vec<PathBuf> = found.filter_map(Result::ok).filter(|p| p.is_file()).collect();
    paths.sort_by_key(|path| natural(path));
    if paths.is_empty() { Err(format!("there is no file '{pattern}'")) } else { Ok(paths) }
}

/// A sort key that puts `2.txt` before `10.txt`: runs of digits compare by value.
fn natural(path: &Path) -> Vec<(u64, String)> {
    let text = path.to_string_lossy();
    let mut parts = vec![(0u64, String::new())];
    for c in text.chars() {
        let Some((number, word)) = parts.last_mut() else { break };
        match c.to_digit(10) {
            Some(digit) if word.is_empty() => *number = number.saturating_mul(10) + u64::from(digit),
            Some(digit) => parts.push((u64::from(digit), String::new())),
            None => word.push(c),
        }
    }
    parts
}

fn file(suite: &Suite, path: &Path) -> Result<Vec<Instance>, Trouble> {
    let bad = |text: &str, error| {
        Trouble::File(Box::new(BadFile { path: path.to_owned(), text: text.to_owned(), error }))
    };
    let unreadable = |why: String| bad("", TextError::new(0..0, why, "a file that can be read"));
    let bytes = beeline_puzzles::file::read_file(path).map_err(|error| unreadable(error.to_string()))?;
    let text = beeline_puzzles::encoding::text(bytes)
        .map_err(|error| unreadable(format!("it is no text: {error}")))?;
    let kinds = KINDS.iter().copied();
    let kind: Option<&dyn Kind> = match suite.known_kind() {
        Some(kind) => Some(kind),
        None => kinds.filter(|k| k.recognises(&text)).find(|k| k.parse(&text).is_ok_and(|p| !p.is_empty())),
    };
    let kind = kind.ok_or_else(|| {
        bad(&text, TextError::new(0..0, "no kind recognises this file", "a puzzle, or a 'kind' in the suite"))
    })?;
    let puzzles = kind.parse(&text).map_err(|error| bad(&text, error))?;
    let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(named(suite, &name, &puzzles))
}

/// Every item of a list; a single `None` for an empty list.
fn listed<T: Clone>(list: &[T]) -> Vec<Option<T>> {
    if list.is_empty() { vec![None] } else { list.iter().cloned().map(Some).collect() }
}

/// Every combination of a series' values, with its name.
fn recipes(series: &Series, kind: &str) -> Result<Vec<(String, Recipe)>, String> {
    let sizes: Vec<(usize, usize)> =
        series.size.iter().map(|text| units::sides(text.get_ref())).collect::<Result<_, _>>()?;
    let level = |name: &str| Hardness::ALL.iter().find(|(n, _)| *n == name).map(|(_, h)| *h);
    let levels: Vec<Hardness> = series.hardness.iter().filter_map(|name| level(name.get_ref())).collect();
    let mut all = Vec::new();
    for size in listed(&sizes) {
        for pieces in listed(&series.pieces) {
            for distance in listed(&series.distance) {
                for walk in listed(&series.walk) {
                    for hardness in listed(&levels) {
                        let recipe = Recipe {
                            size,
                            pieces,
                            distance,
                            walk,
                            hardness: hardness.unwrap_or_default(),
                            seed: 0,
                            unsolvable: series.unsolvable,
                            ..Recipe::default()
                        };
                        all.extend((0..series.count).map(|i| {
                            let seed = series.seed + u64::from(i);
                            let recipe = Recipe { seed, ..recipe.clone() };
                            (title(kind, &recipe, hardness), recipe)
                        }));
                    }
                }
            }
        }
    }
    Ok(all)
}

/// The name of a new puzzle, made from its recipe.
fn title(kind: &str, recipe: &Recipe, hardness: Option<Hardness>) -> String {
    let mut parts = vec![kind.to_owned()];
    parts.extend(recipe.size.map(|(first, second)| format!("{first}x{second}")));
    parts.extend(recipe.pieces.map(|n| format!("p{n}")));
    parts.extend(recipe.distance.map(|n| format!("d{n}")));
    parts.extend(recipe.walk.map(|n| format!("w{n}")));
    parts.extend(hardness.map(|h| h.name().to_owned()));
    parts.extend(recipe.unsolvable.then(|| "never".to_owned()));
    parts.push(format!("s{}", recipe.seed));
    parts.join("-")
}

fn made(
    suite: &str,
    series: &Series,
    kind: &'static dyn Kind,
    tell: &mut dyn FnMut(usize, usize),
) -> Result<Vec<Instance>, String> {
    let recipes = recipes(series, kind.name())?;
    let count = recipes.len();
    let mut all = Vec::new();
    for (done, (name, recipe)) in recipes.into_iter().enumerate() {
        tell(done, count);
        let made = kind.make(&recipe).map_err(|why| format!("{name}: {why}"))?;
        all.push(Instance { suite: suite.to_owned(), name, kind: kind.name(), text: made.puzzle.text() });
    }
    tell(count, count);
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(suite: &str) -> Spec {
        let rest = "[[strategy]]\nname = 'a'\nwith = 'bfs'\n[[strategy]]\nname = 'b'\nwith = 'classic-3'\n";
        Spec::parse(&format!("name = 'x'\nrepeats = 2\n[[suite]]\nname = 's'\n{suite}\n{rest}")).unwrap()
    }

    #[test]
    fn a_series_is_every_combination() {
        let spec =
            spec("kind = 'gate'\nmake = { size = ['6x5', '7x5'], pieces = [1, 2], count = 2, seed = 4 }");
        let all = instances(&spec.suite[0], &mut |_, _| {}).unwrap();
        let names: Vec<&str> = all.iter().map(|i| i.name.as_str()).collect();
        assert_eq!(names.len(), 8);
        assert_eq!((names[0], names[7]), ("gate-6x5-p1-s4", "gate-7x5-p2-s5"));
        let again = instances(&spec.suite[0], &mut |_, _| {}).unwrap();
        assert_eq!(all, again);
        assert_eq!(tasks(&spec, &mut |_, _| {}).unwrap().len(), 8 * 2 * 2);
    }

    #[test]
    fn a_strategy_that_a_kind_has_not_is_left_out() {
        let spec = spec("examples = ['gate-first', 'tiles-first']");
        let tasks = tasks(&spec, &mut |_, _| {}).unwrap();
        let on = |kind: &str| tasks.iter().filter(|t| t.kind == kind).count();
        assert_eq!((on("gate"), on("tiles")), (4, 2));
    }

    #[test]
    fn a_pattern_without_files_is_told_with_its_place() {
        let spec = spec("kind = 'gate'\nfiles = ['nowhere/*.gate']");
        let Err(Trouble::Spec(error)) = tasks(&spec, &mut |_, _| {}) else { panic!("there is no such file") };
        assert!(error.message.contains("nowhere") && !error.span.is_empty());
    }

    #[test]
    fn files_are_sorted_as_people_count() {
        let mut names = ["m/10.txt", "m/9.txt", "m/1.txt"].map(Path::new);
        names.sort_by_key(|p| natural(p));
        assert_eq!(names, ["m/1.txt", "m/9.txt", "m/10.txt"].map(Path::new));
    }
}
