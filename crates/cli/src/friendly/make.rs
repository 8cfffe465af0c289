//! `beeline make`.

use std::path::Path;
use std::time::Instant;

use beeline_puzzles::{Hardness, Kind, Made, Measure, NotMade, Recipe};
use beeline_search::Budget;
use serde::Serialize;
use serde_json::{Map, Value};

use super::args::Make;
use super::interrupt::{Searching, subject};
use super::report::{Stop, Trouble};
use super::solve::why;
use super::units::{commas, plural, time};
use super::{Exit, Session, data, json, names, run};

/// One new puzzle.
#[derive(Serialize)]
struct Record<'a> {
    schema: &'static str,
    command: &'static str,
    kind: &'static str,
    seed: u64,
    hardness: &'static str,
    /// As measured; none for a puzzle that cannot be solved.
    level: Option<&'static str>,
    candidates: usize,
    verdict: &'static str,
    cost: Option<u64>,
    steps: Option<usize>,
    expanded: u64,
    facts: Map<String, Value>,
    file: Option<String>,
    text: &'a str,
}

/// Makes what was asked for.
pub(super) fn make(args: &Make, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let kind = names::kind(session.world, &args.kind)?;
    if args.solve {
        return data::data(args, kind, session);
    }
    if args.count > 1 && args.out.is_none() && !args.json && !several(kind) {
        let trouble = Trouble::new(Exit::Usage, format!("a file of {} holds one puzzle", kind.name()));
        return Err(trouble.help("use --out FOLDER for a file each, or --json").into());
    }
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).map_err(|error| cannot(folder, &error))?;
    }
    let started = Instant::now();
    let budget = run::budget(&args.limits, session);
    let (mut lengths, mut count, mut expanded) = (Vec::new(), 0, 0);
    let mut stopped = None;
    while count < args.count && stopped.is_none() {
        let left = budget.after(started.elapsed(), expanded);
        let recipe = recipe(args, args.seed.wrapping_add(count), left);
        match one(kind, &recipe, args.json) {
            Ok(made) => {
                check(&made, session)?;
                reached(args, &recipe, &made)?;
                expanded += made.spent;
                lengths.extend(made.outcome.solution().map(|s| s.cost));
                give(args, &recipe, &made, count, session)?;
                // What is made stays made, however the next one ends.
                session.io.out.flush()?;
                count += 1;
            }
            Err(NotMade::Stopped(limit)) => stopped = Some(limit),
            Err(NotMade::Refused(why)) => return Err(Trouble::new(Exit::Unsupported, why).into()),
        }
    }
    if args.count > 1 || args.out.is_some() {
        let line = summary(count, args.unsolvable, &mut lengths, &time(started.elapsed()));
        writeln!(session.io.err, "{line}")?;
    }
    let Some(limit) = stopped else { return Ok(Exit::Done) };
    let message = format!("{count} of {} were made: {}", plural_of(args.count), why(limit));
    Err(Trouble::new(limit.into(), message).help("allow more with --time, --memory or --nodes").into())
}

/// Makes one puzzle, watched.
fn one(kind: &dyn Kind, recipe: &Recipe, json: bool) -> Result<Made, NotMade> {
    subject("make", &format!("{} seed {}", kind.name(), recipe.seed), json);
    let _searching = Searching::begin(&recipe.budget);
    kind.make(recipe)
}

/// Can one file of this kind hold several puzzles?
fn several(kind: &dyn Kind) -> bool {
    matches!(kind.name(), "tiles" | "flow" | "sokoban")
}

pub(super) fn recipe(args: &Make, seed: u64, budget: Budget) -> Recipe {
    let asked = args.hardness.as_deref();
    let hardness = Hardness::ALL.iter().find(|(name, _)| Some(*name) == asked).map(|(_, h)| *h);
    Recipe {
        size: args.size,
        pieces: args.pieces,
        distance: args.distance,
        walk: args.walk,
        hardness: hardness.unwrap_or_default(),
        seed,
        unsolvable: args.unsolvable,
        budget,
    }
}

/// A puzzle that is easier than was asked for is no answer. A distance or a walk says itself how hard it is to be.
pub(super) fn reached(args: &Make, recipe: &Recipe, made: &Made) -> Result<(), Trouble> {
    let asked = args.hardness.is_some() && args.distance.is_none() && args.walk.is_none();
    match (made.level, Measure::of(&made.outcome)) {
        (Some(level), Some(measure)) if asked && level < recipe.hardness => {
            let message = format!(
                "no {} puzzle of this size was found with seed {}: the hardest of {} is {} ({})",
                recipe.hardness.name(),
                recipe.seed,
                plural(made.candidates, "candidate"),
                level.name(),
                figures(measure)
            );
            let help = "more pieces, a larger --size or another --seed may have one; without --hardness, the nearest is given";
            Err(Trouble::new(Exit::Unsupported, message).help(help))
        }
        _ => Ok(()),
    }
}

/// "shortest plan 24 steps, 1,204 states expanded"
fn figures(measure: Measure) -> String {
    let steps = plural(usize::try_from(measure.plan).unwrap_or(usize::MAX), "step");
    format!("shortest plan {steps}, {} states expanded", commas(measure.effort))
}

/// What was measured, for the file and for the reader: "hard: shortest plan 24 steps, 1,204 states expanded; seed 3".
fn statement(made: &Made, seed: u64) -> String {
    match (made.level, Measure::of(&made.outcome)) {
        (Some(level), Some(measure)) => format!("{}: {}; seed {seed}", level.name(), figures(measure)),
        _ => format!(
            "cannot be solved: proved by {} expanded states; seed {seed}",
            commas(made.outcome.stats.expanded)
        ),
    }
}

/// Nothing is handed out that the checker does not accept.
fn check(made: &Made, session: &Session<'_, '_>) -> Result<(), Trouble> {
    let Some(plan) = made.outcome.solution() else { return Ok(()) };
    match (session.world.check)(&*made.puzzle, None, &plan.moves) {
        Ok(checked) if checked.cost == plan.cost => Ok(()),
        Ok(_) => {
            Err(Trouble::new(Exit::Rejected, "the checker counts another cost for the new puzzle's plan"))
        }
        Err(flaw) => {
            Err(Trouble::new(Exit::Rejected, format!("the checker rejects the new puzzle's plan: {flaw}")))
        }
    }
}

/// Prints a puzzle, or writes its file.
fn give(
    args: &Make,
    recipe: &Recipe,
    made: &Made,
    number: u64,
    session: &mut Session<'_, '_>,
) -> Result<(), Stop> {
    let text = made.puzzle.text();
    let (kind, remark) = (made.puzzle.kind().name(), made.puzzle.kind().remark());
    let stated = statement(made, recipe.seed);
    let file = format!("{remark} {stated}\n{text}");
    let path = args.out.as_ref().map(|folder| folder.join(format!("{kind}-{}.txt", recipe.seed)));
    if let Some(path) = &path {
        std::fs::write(path, &file).map_err(|error| cannot(path, &error))?;
    }
    if args.json {
        let plan = made.outcome.solution();
        let facts = made.puzzle.facts().into_iter().map(|(name, value)| (name.to_owned(), value.into()));
        let record = Record {
            schema: json::SCHEMA,
            command: "make",
            kind,
            seed: recipe.seed,
            hardness: recipe.hardness.name(),
            level: made.level.map(Hardness::name),
            candidates: made.candidates,
            verdict: if plan.is_some() { "solved" } else { "unsolvable" },
            cost: plan.map(|p| p.cost),
            steps: plan.map(|p| p.moves.len()),
            expanded: made.outcome.stats.expanded,
            facts: facts.collect(),
            file: path.map(|p| p.display().to_string()),
            text: &text,
        };
        return Ok(json::line(session.io.out, &record)?);
    }
    if path.is_none() {
        if number > 0 {
            writeln!(session.io.out)?;
        }
        session.io.out.write_all(file.as_bytes())?;
        if !file.ends_with('\n') {
            writeln!(session.io.out)?;
        }
    } else {
        writeln!(session.io.err, "{kind}-{}.txt: {stated}", recipe.seed)?;
    }
    Ok(())
}

pub(super) fn plural_of(count: u64) -> String {
    plural(usize::try_from(count).unwrap_or(usize::MAX), "puzzle")
}

fn summary(count: u64, unsolvable: bool, lengths: &mut [u64], time: &str) -> String {
    let made = plural_of(count);
    lengths.sort_unstable();
    match (lengths.first(), lengths.get(lengths.len() / 2), lengths.last()) {
        (Some(low), Some(middle), Some(high)) => {
            let [low, middle, high] = [low, middle, high].map(|n| commas(*n));
            format!("{made}, all solvable; shortest plans of {low} to {high} steps, median {middle} · {time}")
        }
        _ if unsolvable && count > 0 => format!("{made}, all proved unsolvable · {time}"),
        _ => format!("{made} · {time}"),
    }
}

pub(super) fn cannot(path: &Path, error: &std::io::Error) -> Trouble {
    Trouble::new(Exit::Usage, format!("cannot write '{}': {error}", path.display()))
}
