//! `beeline` alone: the one-minute tour.

use std::time::Duration;

use super::args::Limits;
use super::input::{self, Instance};
use super::layout::{boards, entry, hanging};
use super::report::Stop;
use super::run::{self, Ending, Run};
use super::solve::{rejected, replay};
use super::table::{Column, Table};
use super::units::{commas, size, time};
use super::{Exit, Screen, Session};

/// A minute for all kinds together, with room to spare.
const PER_KIND: Duration = Duration::from_secs(10);

/// Solves, draws and checks the first puzzle of every kind, and sums it up.
pub(super) fn tour(session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let screen = session.io.screen;
    let hello = "Beeline finds provably shortest ways through puzzle worlds. Here is one of each kind.";
    writeln!(session.io.out, "{}\n", screen.bold(hello))?;
    let mut runs: Vec<(Instance, Run)> = Vec::new();
    let mut worst = Exit::Done;
    for kind in session.world.kinds {
        let Some(example) = kind.examples().first() else { continue };
        let instance = input::load_example(*kind, example)?;
        let limits = Limits { time: Some(PER_KIND), ..Limits::default() };
        let budget = run::budget(&limits, session);
        let run = run::run(&*instance.puzzle, &beeline_puzzles::Job::default(), &budget, session)?;
        session.io.out.write_all(show(&instance, example.title, &run, &screen).as_bytes())?;
        session.io.out.flush()?;
        if let Ending::Rejected(why) = &run.ending {
            session.tell(&rejected(&instance, &run, why));
        }
        worst = worst.max(run.exit());
        runs.push((instance, run));
        if session.cancel.is_cancelled() {
            break;
        }
    }
    session.io.out.write_all(table(&runs).text(&screen).as_bytes())?;
    let next = [
        ("solve FILE", "solve your own puzzle; the kind is recognised"),
        ("play sokoban", "play yourself, with undo, hints and the solver at hand"),
        ("watch NAME", "see a search while it runs"),
        ("list", "the puzzles that ship, and the strategies"),
        ("compare NAME", "strategies side by side on the same puzzle"),
        ("explain astar", "what a strategy does, promises and costs"),
        ("help", "everything else"),
    ];
    writeln!(session.io.out, "\n{}", screen.bold("Where to go from here"))?;
    for (command, what) in next {
        writeln!(session.io.out, "  beeline {command:<15} {what}")?;
    }
    Ok(worst)
}

/// One stop of the tour.
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

/// The beginning of a long plan.
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
