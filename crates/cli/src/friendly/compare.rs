//! `beeline compare`.

use std::time::Duration;

use beeline_api::answer::usual_strategies;
use beeline_lab::table::csv_line;
use beeline_search::{Budget, Limit, Stats};

use super::args::Compare;
use super::input::{Instance, load_all};
use super::interrupt::subject;
use super::report::{Stop, Trouble};
use super::run::{self, Ending, Run};
use super::solve::{rejected, warn};
use super::table::{Column, Table};
use super::units::{commas, rate, short_rate, size, time};
use super::{Exit, Session, json};

const USUAL_TIME: Duration = Duration::from_secs(10);

const COLUMNS: [Column; 12] = [
    Column::words("strategy", 0),
    Column::words("result", 0),
    Column::figures("steps", 4),
    Column::figures("cost", 0),
    Column::words("proved", 0),
    Column::figures("expanded", 0),
    Column::figures("generated", 2),
    Column::figures("duplicates", 3),
    Column::figures("pruned", 5),
    Column::figures("memory", 1),
    Column::figures("time", 0),
    Column::figures("rate", 3),
];

const CSV: [&str; 20] = [
    "source",
    "level",
    "kind",
    "strategy",
    "objective",
    "result",
    "reason",
    "steps",
    "cost",
    "lower_bound",
    "promise",
    "expanded",
    "generated",
    "duplicates",
    "reopened",
    "pruned",
    "depth",
    "stored",
    "bytes",
    "seconds",
];

/// A strategy, and what came of it.
type Row = (String, Result<Run, Trouble>);

/// Compares strategies on everything that was asked for.
pub(super) fn compare(args: &Compare, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    if args.csv {
        let head = csv_line(CSV.map(str::to_owned));
        session.io.out.write_all(head.as_bytes())?;
    }
    let mut limits = args.limits.clone();
    limits.time = limits.time.or(Some(USUAL_TIME));
    let budget = run::budget(&limits, session);
    let mut worst = Exit::Done;
    let mut first = true;
    for (source, puzzle) in load_all(&args.source, session) {
        let instance = match puzzle {
            Ok(instance) => instance,
            Err(trouble) => {
                if args.json {
                    json::line(session.io.out, &json::ErrorRecord::new("compare", &source, &trouble))?;
                }
                worst = worst.max(session.tell(&trouble));
                continue;
            }
        };
        if !first && !args.csv && !args.json {
            writeln!(session.io.out)?;
        }
        first = false;
        worst = worst.max(one(&instance, args, &budget, session)?);
        session.io.out.flush()?;
        if session.cancel.is_cancelled() {
            return Ok(worst.max(Exit::Interrupted));
        }
    }
    Ok(worst)
}

fn one(
    instance: &Instance,
    args: &Compare,
    budget: &Budget,
    session: &mut Session<'_, '_>,
) -> Result<Exit, Stop> {
    let rows = rows(instance, args, budget, session)?;
    let exit = rows.iter().map(|(_, made)| exit(made)).max().unwrap_or_default();
    if !args.csv && !args.json {
        write_table(instance, &rows, args.markdown, session)?;
    }
    for (_, made) in &rows {
        match made {
            Ok(run) => {
                if let Ending::Rejected(why) = &run.ending {
                    session.tell(&rejected(instance, run, why));
                }
            }
            Err(trouble) => drop(session.tell(trouble)),
        }
    }
    Ok(exit)
}

/// Runs every strategy; CSV and JSON rows are written as they come.
fn rows(
    instance: &Instance,
    args: &Compare,
    budget: &Budget,
    session: &mut Session<'_, '_>,
) -> Result<Vec<Row>, Stop> {
    let puzzle = &*instance.puzzle;
    subject("compare", &instance.source, args.json);
    let names = if args.with.is_empty() { usual_strategies(puzzle.kind()) } else { args.with.clone() };
    let mut rows: Vec<Row> = Vec::new();
    for name in names {
        if session.cancel.is_cancelled() {
            break;
        }
        let made = run::job(puzzle.kind(), Some(&name), &args.search)
            .and_then(|job| run::run(puzzle, &job, budget, session));
        match &made {
            Ok(run) if args.csv => session.io.out.write_all(csv(instance, run).as_bytes())?,
            Ok(run) if args.json => json::line(session.io.out, &json::Record::new("compare", instance, run))?,
            Err(trouble) if args.json => {
                json::line(session.io.out, &json::ErrorRecord::new("compare", &instance.source, trouble))?;
            }
            _ => {}
        }
        // What is known stays known, however the next run ends.
        session.io.out.flush()?;
        rows.push((name, made));
    }
    Ok(rows)
}

/// A limit is a result here; what could not be run at all is not.
fn exit(made: &Result<Run, Trouble>) -> Exit {
    match made {
        Err(trouble) => trouble.exit,
        Ok(Run { ending: Ending::Rejected(_), .. }) => Exit::Rejected,
        Ok(Run { ending: Ending::Stopped(Limit::Cancelled), .. }) => Exit::Interrupted,
        Ok(_) => Exit::Done,
    }
}

fn write_table(
    instance: &Instance,
    rows: &[Row],
    markdown: bool,
    session: &mut Session<'_, '_>,
) -> Result<(), Stop> {
    let mut table = Table::new(&COLUMNS);
    for (name, made) in rows {
        table.row(cells(name, made));
    }
    let screen = session.io.screen;
    let name = instance.name();
    let title = instance.puzzle.kind().title();
    if markdown {
        write!(session.io.out, "**{name}** ({title})\n\n{}", table.markdown())?;
    } else {
        warn(instance, session)?;
        write!(session.io.out, "{} · {title}\n\n{}", screen.bold(&name), table.text(&screen))?;
    }
    Ok(())
}

fn cells(name: &str, made: &Result<Run, Trouble>) -> Vec<String> {
    let Ok(run) = made else { return vec![name.to_owned(), "not run".to_owned()] };
    let stats = &run.stats;
    let plan = run.ending.plan();
    let result = match &run.ending {
        Ending::Stopped(limit) => limit.name().to_owned(),
        other => other.word().to_owned(),
    };
    vec![
        name.to_owned(),
        result,
        plan.map(|p| commas(p.steps.len() as u64)).unwrap_or_default(),
        plan.map(|p| commas(p.cost)).unwrap_or_default(),
        plan.map(|p| p.promise().cell()).unwrap_or_default(),
        commas(stats.expanded),
        commas(stats.generated),
        commas(stats.duplicates),
        commas(stats.pruned_total()),
        size(stats.bytes),
        // Wide enough for any, so that the table has the same shape whatever the times are.
        format!("{:>8}", time(stats.elapsed)),
        format!("{:>8}", rate(stats.expanded, stats.elapsed).map(short_rate).unwrap_or_default()),
    ]
}

fn csv(instance: &Instance, run: &Run) -> String {
    let stats: &Stats = &run.stats;
    let plan = run.ending.plan();
    let number = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
    csv_line([
        instance.source.clone(),
        instance.level.to_string(),
        instance.puzzle.kind().name().to_owned(),
        run.strategy.clone(),
        run.objective.clone(),
        run.ending.word().to_owned(),
        run.reason().unwrap_or_default(),
        number(plan.map(|p| p.steps.len() as u64)),
        number(plan.map(|p| p.cost)),
        number(plan.map(|p| p.lower_bound)),
        plan.map(|p| p.promise().word().to_owned()).unwrap_or_default(),
        stats.expanded.to_string(),
        stats.generated.to_string(),
        stats.duplicates.to_string(),
        stats.reopened.to_string(),
        stats.pruned_total().to_string(),
        stats.depth.to_string(),
        stats.stored.to_string(),
        stats.bytes.to_string(),
        format!("{:.6}", stats.elapsed.as_secs_f64()),
    ])
}
