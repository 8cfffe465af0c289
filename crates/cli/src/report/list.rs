//! Lists of everything that can be chosen.

use std::io::{self, Write};

use beeline_puzzles::{Choice, Kind};
use beeline_search::strategies::STRATEGIES;
use beeline_search::{Complete, Optimal};
use clap::ValueEnum;
use serde_json::json;

use super::Io;
use super::json::{self, SCHEMA};
use super::table::{Column, Table};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Listing {
    /// The kinds of puzzle
    Kinds,
    /// The puzzles that ship
    #[value(name = "puzzles", alias = "examples")]
    Examples,
    /// The strategies, and the solvers of each kind
    Strategies,
    /// The heuristics of each kind
    Heuristics,
    /// What can be minimised
    Objectives,
    /// The dead-end rules
    Rules,
}

/// Prints a list.
pub(crate) fn text(listing: Listing, kinds: &[&'static dyn Kind], io: &mut Io<'_>) -> io::Result<()> {
    let text = table(listing, kinds).text(&io.screen);
    io.out.write_all(text.as_bytes())
}

fn table(listing: Listing, kinds: &[&'static dyn Kind]) -> Table {
    match listing {
        Listing::Kinds => {
            let mut table = Table::new(&[
                Column::words("kind", 0),
                Column::words("title", 0),
                Column::sentences("objectives", 1),
            ]);
            for kind in kinds {
                let objectives: Vec<&str> = kind.objectives().iter().map(|o| o.name).collect();
                table.row([kind.name().into(), kind.title().into(), objectives.join(", ")]);
            }
            table
        }
        Listing::Examples => {
            let mut table = Table::new(&[
                Column::words("puzzle", 0),
                Column::words("kind", 0),
                Column::sentences("title", 1),
            ]);
            for kind in kinds {
                for example in kind.examples() {
                    table.row([example.name.into(), kind.name().into(), example.title.into()]);
                }
            }
            table
        }
        Listing::Strategies => strategies(kinds),
        Listing::Heuristics => choices("heuristic", kinds, |kind| kind.heuristics()),
        Listing::Objectives => choices("objective", kinds, |kind| kind.objectives()),
        Listing::Rules => choices("dead-end rule", kinds, |kind| kind.rules()),
    }
}

/// The choices of each kind, the default first.
fn choices(what: &'static str, kinds: &[&'static dyn Kind], of: fn(&dyn Kind) -> &'static [Choice]) -> Table {
    let mut table =
        Table::new(&[Column::words(what, 0), Column::words("for", 0), Column::sentences("about", 1)]);
    for kind in kinds {
        for choice in of(*kind) {
            table.row([choice.name.into(), kind.name().into(), choice.about.into()]);
        }
    }
    table
}

fn strategies(kinds: &[&'static dyn Kind]) -> Table {
    let columns = [
        Column::words("strategy", 0),
        Column::words("for", 0),
        Column::words("shortest", 1),
        Column::words("complete", 2),
        Column::sentences("about", 3),
    ];
    let mut table = Table::new(&columns);
    for kind in kinds {
        for solver in kind.solvers() {
            let about = solver.about.split_inclusive(". ").next().unwrap_or_default().trim();
            table.row([solver.name.into(), kind.name().into(), String::new(), String::new(), about.into()]);
        }
    }
    for strategy in STRATEGIES {
        table.row([
            strategy.name.into(),
            "all".into(),
            optimal(strategy.optimal).into(),
            complete(strategy.complete).into(),
            strategy.title.into(),
        ]);
    }
    table
}

/// A promise in a word or two.
fn optimal(promise: Optimal) -> &'static str {
    match promise {
        Optimal::Yes | Optimal::Admissible => "yes",
        Optimal::UnitCosts => "unit costs",
        Optimal::Bounded => "bounded",
        Optimal::No => "no",
    }
}

fn complete(promise: Complete) -> &'static str {
    match promise {
        Complete::Yes => "yes",
        Complete::Semi => "if solvable",
        Complete::No => "no",
    }
}

/// Prints a list as JSON, one object per entry.
pub(crate) fn as_json(listing: Listing, kinds: &[&'static dyn Kind], io: &mut Io<'_>) -> io::Result<()> {
    let out = &mut *io.out;
    match listing {
        Listing::Kinds => {
            for kind in kinds {
                let names =
                    |choices: &[beeline_puzzles::Choice]| choices.iter().map(|c| c.name).collect::<Vec<_>>();
                let record = json!({
                    "schema": SCHEMA, "list": "kinds", "name": kind.name(), "title": kind.title(),
                    "about": kind.about(), "solvers": names(kind.solvers()), "heuristics": names(kind.heuristics()),
                    "objectives": names(kind.objectives()), "rules": names(kind.rules()),
                });
                json::line(out, &record)?;
            }
        }
        Listing::Examples => {
            for kind in kinds {
                for example in kind.examples() {
                    let record = json!({
                        "schema": SCHEMA, "list": "examples", "name": example.name, "kind": kind.name(),
                        "title": example.title, "text": example.text,
                    });
                    json::line(out, &record)?;
                }
            }
        }
        Listing::Strategies => {
            for strategy in STRATEGIES {
                let record = json!({
                    "schema": SCHEMA, "list": "strategies", "name": strategy.name, "title": strategy.title,
                    "about": strategy.about, "optimal": optimal(strategy.optimal),
                    "complete": complete(strategy.complete), "informed": strategy.informed,
                });
                json::line(out, &record)?;
            }
        }
        Listing::Heuristics => choices_as_json("heuristics", kinds, |kind| kind.heuristics(), out)?,
        Listing::Objectives => choices_as_json("objectives", kinds, |kind| kind.objectives(), out)?,
        Listing::Rules => choices_as_json("rules", kinds, |kind| kind.rules(), out)?,
    }
    Ok(())
}

fn choices_as_json(
    list: &str,
    kinds: &[&'static dyn Kind],
    of: fn(&dyn Kind) -> &'static [Choice],
    out: &mut dyn Write,
) -> io::Result<()> {
    for kind in kinds {
        for choice in of(*kind) {
            let record = json!({
                "schema": SCHEMA, "list": list, "name": choice.name, "kind": kind.name(), "about": choice.about,
            });
            json::line(out, &record)?;
        }
    }
    Ok(())
}
