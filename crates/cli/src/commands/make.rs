//! `beeline make`.

use std::path::PathBuf;
use std::time::Instant;

use beeline_api::units::plural;
use beeline_puzzles::{Hardness, Kind, Made, Measure, NotMade, Recipe};
use beeline_search::Budget;

use super::args::Make;
use super::interrupt::{SearchGuard, set_subject};
use super::{Exit, Session, data, names, run};
use crate::report::exit::why;
use crate::report::make::{self as report, PuzzleReport, plural_of};
use crate::report::{Stop, Trouble};

/// Makes the requested puzzles.
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
        std::fs::create_dir_all(folder).map_err(|error| Trouble::unwritable(folder, &error))?;
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
                let file = write(args, &recipe, &made)?;
                let entry = PuzzleReport { recipe: &recipe, made: &made, file: file.as_deref() };
                if args.json {
                    entry.json(session.io)?;
                } else {
                    entry.text(count, session.io)?;
                }
                // Finished puzzles are kept, however the next one ends.
                session.io.out.flush()?;
                count += 1;
            }
            Err(NotMade::Stopped(limit)) => stopped = Some(limit),
            Err(NotMade::Refused(why)) => return Err(Trouble::new(Exit::Unsupported, why).into()),
        }
    }
    if args.count > 1 || args.out.is_some() {
        report::summary(count, args.unsolvable, &mut lengths, started.elapsed(), session.io)?;
    }
    let Some(limit) = stopped else { return Ok(Exit::Done) };
    let message = format!("{count} of {} were made: {}", plural_of(args.count), why(limit));
    Err(Trouble::new(limit.into(), message).help("allow more with --time, --memory or --nodes").into())
}

/// Makes one puzzle under the watchdog.
fn one(kind: &dyn Kind, recipe: &Recipe, json: bool) -> Result<Made, NotMade> {
    set_subject("make", &format!("{} seed {}", kind.name(), recipe.seed), json);
    let _searching = SearchGuard::begin(&recipe.budget);
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

/// Rejects a puzzle that is easier than requested. A distance or a walk determines the difficulty itself.
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
                report::figures(measure)
            );
            let help = "more pieces, a larger --size or another --seed may have one; without --hardness, the nearest is given";
            Err(Trouble::new(Exit::Unsupported, message).help(help))
        }
        _ => Ok(()),
    }
}

/// Checks the plan, so that no puzzle is printed whose plan the checker rejects.
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

/// Writes the file of a puzzle, if a folder was given.
fn write(args: &Make, recipe: &Recipe, made: &Made) -> Result<Option<PathBuf>, Trouble> {
    let Some(folder) = &args.out else { return Ok(None) };
    let path = folder.join(report::file_name(recipe, made));
    std::fs::write(&path, report::file(recipe, made)).map_err(|error| Trouble::unwritable(&path, &error))?;
    Ok(Some(path))
}
