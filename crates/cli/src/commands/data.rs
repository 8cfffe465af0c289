//! `beeline make --solve`: writes training data.

use std::io::{BufWriter, Write};
use std::time::Instant;

use beeline_api::NoDistance;
use beeline_api::data::{File, Format, NoRow, Row, label};
use beeline_puzzles::{Kind, NotMade, Recipe};

use super::args::Make;
use super::interrupt::{SearchGuard, set_subject};
use super::make::{reached, recipe};
use super::{Exit, Session, run};
use crate::report::exit::why;
use crate::report::make::{self as report, plural_of};
use crate::report::{Stop, Trouble};

/// Writes the requested rows to a file, or as JSON lines to standard output.
pub(super) fn data(args: &Make, kind: &dyn Kind, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let Some(path) = &args.out else {
        let budget = run::budget(&args.limits, session);
        let mut file = File::new(&mut *session.io.out, Format::JsonLines)?;
        return Ok(write(args, kind, &budget, &mut file)?);
    };
    let format = Format::of(path).ok_or_else(|| {
        Trouble::new(Exit::Usage, format!("'{}' is no name for data", path.display()))
            .help("use data.jsonl or data.parquet")
    })?;
    let started = Instant::now();
    let budget = run::budget(&args.limits, session);
    let out = std::fs::File::create(path).map_err(|error| Trouble::unwritable(path, &error))?;
    let mut file =
        File::new(BufWriter::new(out), format).map_err(|error| Trouble::unwritable(path, &error))?;
    // Rows made before a limit are kept: the file is complete but shorter.
    let written = write(args, kind, &budget, &mut file);
    file.finish().map_err(|error| Trouble::unwritable(path, &error))?;
    let exit = written?;
    report::data(path, args.count, started.elapsed(), session.io)?;
    Ok(exit)
}

/// Makes, labels and writes one puzzle after the other.
fn write<W: Write>(
    args: &Make,
    kind: &dyn Kind,
    budget: &beeline_search::Budget,
    file: &mut File<W>,
) -> Result<Exit, Trouble> {
    let (started, mut expanded) = (Instant::now(), 0);
    for count in 0..args.count {
        let left = budget.after(started.elapsed(), expanded);
        let recipe = recipe(args, args.seed.wrapping_add(count), left);
        match row(args, kind, &recipe, &mut expanded)? {
            Ok(row) => file
                .push(row)
                .map_err(|error| Trouble::new(Exit::Usage, format!("cannot write the data: {error}")))?,
            Err(NoRow::NotMade(NotMade::Stopped(limit)) | NoRow::Distance(NoDistance::Stopped(limit))) => {
                let message = format!("{count} of {} were made: {}", plural_of(args.count), why(limit));
                let help = "allow more with --time, --memory or --nodes";
                return Err(Trouble::new(limit.into(), message).help(help));
            }
            Err(error @ NoRow::Rejected(_)) => return Err(Trouble::new(Exit::Rejected, error.to_string())),
            Err(error) => return Err(Trouble::new(Exit::Unsupported, error.to_string())),
        }
    }
    Ok(Exit::Done)
}

/// Makes one row under the watchdog.
fn row(
    args: &Make,
    kind: &dyn Kind,
    recipe: &Recipe,
    expanded: &mut u64,
) -> Result<Result<Row, NoRow>, Trouble> {
    set_subject("make", &format!("{} seed {}", kind.name(), recipe.seed), false);
    let _searching = SearchGuard::begin(&recipe.budget);
    let made = match kind.make(recipe) {
        Ok(made) => made,
        Err(error) => return Ok(Err(error.into())),
    };
    reached(args, recipe, &made)?;
    *expanded += made.spent;
    Ok(label(&made, recipe.seed, 0, &recipe.budget))
}
