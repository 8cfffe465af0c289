//! `beeline explain`.

use beeline_puzzles::{Choice, Kind};
use beeline_search::strategies::{STRATEGIES, Strategy};
use beeline_search::{Complete, Optimal};

use super::args::Explain;
use super::layout::{entry, hanging};
use super::report::Stop;
use super::{Exit, Screen, Session, names};

/// Explains whatever has this name; more than one thing may.
pub(super) fn explain(args: &Explain, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let screen = session.io.screen;
    let wanted = args.name.trim().to_lowercase().replace('*', "star");
    let mut texts = Vec::new();
    texts.extend(STRATEGIES.iter().filter(|s| s.name == wanted).map(|s| strategy(s, &screen)));
    let kinds = session.world.kinds;
    texts.extend(kinds.iter().filter(|k| k.name() == wanted).map(|k| kind(*k, &screen)));
    for kind in kinds {
        for (what, choices) in choices(*kind) {
            let same = choices.iter().filter(|c| c.name.eq_ignore_ascii_case(&wanted));
            texts.extend(same.map(|c| choice(*kind, what, c, &screen)));
        }
    }
    if texts.is_empty() {
        let mut all: Vec<&str> = STRATEGIES.iter().map(|s| s.name).collect();
        all.extend(kinds.iter().map(|k| k.name()));
        all.extend(kinds.iter().flat_map(|k| choices(*k)).flat_map(|(_, c)| c).map(|c| c.name));
        let place = Some("'beeline list'");
        return Err(
            names::unknown("strategy, kind, heuristic, objective or rule", &args.name, &all, place).into()
        );
    }
    session.io.out.write_all(texts.join("\n").as_bytes())?;
    Ok(Exit::Done)
}

/// What can be chosen for a kind, by what it is.
fn choices(kind: &dyn Kind) -> [(&'static str, &'static [Choice]); 4] {
    [
        ("solver", kind.solvers()),
        ("heuristic", kind.heuristics()),
        ("objective", kind.objectives()),
        ("dead-end rule", kind.rules()),
    ]
}

fn strategy(strategy: &Strategy, screen: &Screen) -> String {
    let mut out = format!("{} · {}\n\n", screen.bold(strategy.name), strategy.title);
    out += &entry("what", strategy.about, screen);
    out += &entry("shortest", optimal(strategy.optimal), screen);
    out += &entry("complete", complete(strategy.complete), screen);
    out += &entry("heuristic", if strategy.informed { "uses one" } else { "uses none" }, screen);
    out += &entry("cost", strategy.cost, screen);
    out += &format!("\n{}\n", screen.bold("pseudocode"));
    for line in strategy.pseudocode.trim_matches('\n').lines() {
        out += format!("    {line}").trim_end();
        out.push('\n');
    }
    out
}

fn optimal(promise: Optimal) -> &'static str {
    match promise {
        Optimal::Yes => "yes: no plan is cheaper",
        Optimal::UnitCosts => "yes where every move costs 1",
        Optimal::Admissible => "yes where the heuristic never overestimates",
        Optimal::Bounded => "at most the weight times the cheapest, where the heuristic never overestimates",
        Optimal::No => "not promised",
    }
}

fn complete(promise: Complete) -> &'static str {
    match promise {
        Complete::Yes => "yes: finds a plan or proves that there is none",
        Complete::Semi => "finds a plan where there is one; may run for ever where there is none",
        Complete::No => "no: may end without a plan where there is one",
    }
}

fn kind(kind: &dyn Kind, screen: &Screen) -> String {
    let mut out = format!("{} · {}\n\n", screen.bold(kind.name()), kind.title());
    out += &entry("rules", kind.about(), screen);
    for (what, choices) in choices(kind) {
        if choices.is_empty() {
            continue;
        }
        out += &format!("\n{}\n", screen.bold(&heading(what)));
        let width = choices.iter().map(|c| c.name.len()).max().unwrap_or(0);
        for choice in choices {
            out += &hanging(&format!("  {}", choice.name), width + 4, choice.about, screen);
        }
    }
    let examples: Vec<&str> = kind.examples().iter().map(|e| e.name).collect();
    out +=
        &format!("\n{}\n{}", screen.bold("puzzles that ship"), hanging("", 2, &examples.join(", "), screen));
    out
}

fn heading(what: &str) -> String {
    // Rules are used together; of everything else one is chosen.
    if what == "dead-end rule" { format!("{what}s") } else { format!("{what}s, the default first") }
}

fn choice(kind: &dyn Kind, what: &str, choice: &Choice, screen: &Screen) -> String {
    format!(
        "{} · a {what} of {}\n\n{}",
        screen.bold(choice.name),
        kind.name(),
        entry("what", choice.about, screen)
    )
}
