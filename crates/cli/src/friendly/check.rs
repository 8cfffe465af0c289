//! `beeline check`.

use std::path::Path;

use beeline_check::Flaw;

use super::args::Check;
use super::input::{self, Instance};
use super::json::{self, CheckRecord, Origin};
use super::layout::{boards, entry};
use super::report::{Stop, Trouble};
use super::solve::warn;
use super::units::{commas, plural};
use super::{Exit, Session, names, run};

/// Checks a written plan, or the plans that the file holds.
pub(super) fn check(args: &Check, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let stdin = Path::new("-");
    if args.puzzle == stdin && args.plan.as_deref() == Some(stdin) {
        return Err(Trouble::new(Exit::Usage, "the puzzle and the plan cannot both be standard input").into());
    }
    if args.steps.is_none() && args.plan.is_none() {
        return given(args, session);
    }
    let instance = input::load_one(&args.puzzle, &args.reading, session)?;
    let steps = read_steps(args, &instance, session)?;
    one(&instance, &steps, args, session)
}

/// Checks the plans that a file holds with its puzzles; the highest exit code of all is returned.
fn given(args: &Check, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let puzzles = input::load(&args.puzzle, &args.reading, session)?;
    let (mut worst, mut without, mut with) = (Exit::Done, 0, 0);
    for puzzle in puzzles {
        let instance = match puzzle {
            Ok(instance) => instance,
            Err(trouble) => {
                worst = worst.max(session.tell(&trouble));
                continue;
            }
        };
        let Some(steps) = instance.puzzle.given_plan() else {
            without += 1;
            continue;
        };
        with += 1;
        if instance.levels > 1 && !args.json && !args.quiet {
            writeln!(session.io.out, "{}", session.io.screen.bold(&instance.name()))?;
        }
        worst = worst.max(one(&instance, &steps, args, session)?);
    }
    if with == 0 && worst == Exit::Done {
        let message = format!("there is no plan to check: {} holds none", input::shown(&args.puzzle));
        return Err(Trouble::new(Exit::Usage, message)
            .help("name a file with the plan, or use --steps")
            .into());
    }
    if without > 0 && !args.json && !args.quiet {
        writeln!(session.io.out, "{} without a plan", plural(without, "puzzle"))?;
    }
    Ok(worst)
}

/// Checks one plan.
fn one(
    instance: &Instance,
    steps: &[String],
    args: &Check,
    session: &mut Session<'_, '_>,
) -> Result<Exit, Stop> {
    let kind = instance.puzzle.kind();
    let objective = args.objective.as_ref();
    let objective = objective.map(|o| names::choice(kind, "objective", o, kind.objectives())).transpose()?;
    let verdict = (session.world.check)(&*instance.puzzle, objective.as_deref(), steps);
    let exit = if verdict.is_ok() { Exit::Done } else { Exit::Rejected };
    if args.json {
        let flaw = verdict.as_ref().err();
        let record = CheckRecord {
            origin: Origin::new("check", instance),
            objective: objective.as_deref().unwrap_or_else(|| run::default_objective(kind)),
            verdict: if flaw.is_none() { "valid" } else { "invalid" },
            exit: exit.code(),
            steps: steps.len(),
            cost: verdict.as_ref().ok().map(|c| c.cost),
            bad_step: flaw.and_then(bad_step),
            reason: flaw.map(ToString::to_string),
        };
        json::line(session.io.out, &record)?;
    } else if !args.quiet {
        warn(instance, session)?;
        let objective = objective.as_deref().unwrap_or_else(|| run::default_objective(kind));
        match verdict {
            Ok(checked) => {
                let cost =
                    format!("{} · cost {} ({objective})", plural(steps.len(), "step"), commas(checked.cost));
                writeln!(session.io.out, "{} {cost}", session.io.screen.good("valid"))?;
            }
            Err(flaw) => explain(instance, steps, &flaw, session)?,
        }
    }
    Ok(exit)
}

/// The steps of the plan, from a file or from the command line.
fn read_steps(
    args: &Check,
    instance: &Instance,
    session: &mut Session<'_, '_>,
) -> Result<Vec<String>, Trouble> {
    let (name, text) = match (&args.steps, &args.plan) {
        (steps, None) => ("--steps".to_owned(), steps.clone().unwrap_or_default()),
        (_, Some(path)) => input::read_plan(path, session).map_err(|trouble| {
            let is_steps = !path.exists() && instance.puzzle.read_plan(&input::shown(path)).is_ok();
            let given = input::shown(path);
            if is_steps {
                trouble.help(format!("if it is the plan itself, write --steps '{given}'"))
            } else {
                trouble
            }
        })?,
    };
    instance.puzzle.read_plan(&text).map_err(|error| Trouble::text(&name, &text, &error))
}

fn bad_step(flaw: &Flaw) -> Option<usize> {
    match flaw {
        Flaw::Step { number, .. } => Some(*number),
        _ => None,
    }
}

/// Shows where a plan breaks: the board just before the step.
fn explain(
    instance: &Instance,
    steps: &[String],
    flaw: &Flaw,
    session: &mut Session<'_, '_>,
) -> Result<(), Stop> {
    let good = bad_step(flaw).map_or(steps.len(), |number| number.saturating_sub(1));
    let mut game = instance.puzzle.game();
    let played = steps.iter().take(good).take_while(|step| game.play(step).is_ok()).count();
    let screen = session.io.screen;
    let mut out = entry("invalid", &flaw.to_string(), &screen);
    if played == good {
        out += &format!("\nthe board after {}:\n\n", plural(good, "step"));
        out += &boards(&game.scene(), None, &screen);
    }
    Ok(session.io.out.write_all(out.as_bytes())?)
}
