//! The one-minute tour.

use std::io;

use beeline_api::units::{commas, size, time};

use super::answer::{Run, replay};
use super::instance::Instance;
use super::layout::{boards, entry, hanging};
use super::table::{Column, Table};
use super::{Io, Screen};

/// Prints the introduction.
pub(crate) fn hello(io: &mut Io<'_>) -> io::Result<()> {
    let hello = "Beeline finds provably shortest ways through puzzle worlds. Here is one of each kind.";
    writeln!(io.out, "{}\n", io.screen.bold(hello))
}

/// Shows one puzzle of the tour.
pub(crate) fn stop(instance: &Instance, title: &str, run: &Run, io: &mut Io<'_>) -> io::Result<()> {
    io.out.write_all(show(instance, title, run, &io.screen).as_bytes())?;
    io.out.flush()
}

/// Prints the summary, and what to try next.
pub(crate) fn summary(runs: &[(Instance, Run)], io: &mut Io<'_>) -> io::Result<()> {
    let screen = io.screen;
    io.out.write_all(table(runs).text(&screen).as_bytes())?;
    let next = [
        ("solve FILE", "solve your own puzzle; the kind is recognised"),
        ("play sokoban", "play yourself, with undo, hints and the solver at hand"),
        ("watch NAME", "see a search while it runs"),
        ("list", "the puzzles that ship, and the strategies"),
        ("compare NAME", "strategies side by side on the same puzzle"),
        ("explain astar", "what a strategy does, promises and costs"),
        ("help", "everything else"),
    ];
    writeln!(io.out, "\n{}", screen.bold("Where to go from here"))?;
    for (command, what) in next {
        writeln!(io.out, "  beeline {command:<15} {what}")?;
    }
    Ok(())
}

fn show(instance: &Instance, title: &str, run: &Run, screen: &Screen) -> String {
    let kind = instance.puzzle.kind();
    let mut out = format!("{} · {title}\n", screen.bold(kind.title()));
    out += &hanging("", 0, kind.about(), screen);
    let after = run.ending.plan().and_then(|plan| replay(instance, plan));
    out.push('\n');
    out += &boards(&instance.puzzle.game().scene(), after.as_ref(), screen);
    out.push('\n');
    if let Some(plan) = run.ending.plan() {
        out += &entry("plan", &short(&instance.puzzle.write_plan(&plan.steps), screen), screen);
    }
    out.push('\n');
    out
}

/// The first part of a long plan.
fn short(plan: &str, screen: &Screen) -> String {
    let room = 2 * screen.columns.saturating_sub(11).max(20) - 4;
    if plan.chars().count() <= room {
        return plan.to_owned();
    }
    plan.chars().take(room).chain(" ...".chars()).collect()
}

fn table(runs: &[(Instance, Run)]) -> Table {
    let columns = [
        Column::words("puzzle", 0),
        Column::words("kind", 0),
        Column::figures("steps", 0),
        Column::figures("cost", 0),
        Column::words("proved", 0),
        Column::words("checked", 0),
        Column::figures("expanded", 0),
        Column::figures("memory", 1),
        Column::figures("time", 0),
    ];
    let mut table = Table::new(&columns);
    for (instance, run) in runs {
        let plan = run.ending.plan();
        table.row([
            instance.source.clone(),
            instance.puzzle.kind().name().to_owned(),
            plan.map_or_else(|| run.ending.word().to_owned(), |p| commas(p.steps.len() as u64)),
            plan.map(|p| commas(p.cost)).unwrap_or_default(),
            plan.map(|p| p.promise().cell()).unwrap_or_default(),
            if plan.is_some() { "yes" } else { "" }.to_owned(),
            commas(run.stats.expanded),
            size(run.stats.bytes),
            format!("{:>8}", time(run.stats.elapsed)),
        ]);
    }
    table
}
