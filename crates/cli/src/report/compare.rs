//! The comparison of several strategies.

use std::io;

use beeline_api::answer::Ending;
use beeline_api::csv;
use beeline_api::units::{commas, rate, short_rate, size, time};
use beeline_search::Stats;

use super::answer::{Run, warn};
use super::instance::Instance;
use super::table::{Column, Table};
use super::{Io, Trouble};

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

/// A strategy and its result.
pub(crate) type Row = (String, Result<Run, Trouble>);

/// Prints the names of the columns.
pub(crate) fn csv_head(io: &mut Io<'_>) -> io::Result<()> {
    io.out.write_all(csv::line(CSV.map(str::to_owned)).as_bytes())
}

pub(crate) fn table(instance: &Instance, rows: &[Row], markdown: bool, io: &mut Io<'_>) -> io::Result<()> {
    let mut table = Table::new(&COLUMNS);
    for (name, made) in rows {
        table.row(cells(name, made));
    }
    let screen = io.screen;
    let name = instance.name();
    let title = instance.puzzle.kind().title();
    if markdown {
        write!(io.out, "**{name}** ({title})\n\n{}", table.markdown())
    } else {
        warn(instance, io)?;
        write!(io.out, "{} · {title}\n\n{}", screen.bold(&name), table.text(&screen))
    }
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
        // The column is wide enough for any time, so that the table always has the same shape.
        format!("{:>8}", time(stats.elapsed)),
        format!("{:>8}", rate(stats.expanded, stats.elapsed).map(short_rate).unwrap_or_default()),
    ]
}

/// Prints one run.
pub(crate) fn csv(instance: &Instance, run: &Run, io: &mut Io<'_>) -> io::Result<()> {
    let stats: &Stats = &run.stats;
    let plan = run.ending.plan();
    let number = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
    let line = csv::line([
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
    ]);
    io.out.write_all(line.as_bytes())
}
