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

/// Checks a written plan.
pub(super) fn check(args: &Check, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let stdin = Path::new("-");
    if args.puzzle == stdin && args.plan.as_deref() == Some(stdin) {
        return Err(Trouble::new(Exit::Usage, "the puzzle and the plan cannot both be standard input").into());
    }
    let instance = input::load_one(&args.puzzle, &args.reading, session)?;
    let kind = instance.puzzle.kind();
    let objective = args.objective.as_ref();
    let objective = objective.map(|o| names::choice(kind, "objective", o, kind.objectives())).transpose()?;
    let steps = read_steps(args, &instance, session)?;
    let verdict = (session.world.check)(&*instance.puzzle, objective.as_deref(), &steps);
    let exit = if verdict.is_ok() { Exit::Done } else { Exit::Rejected };
    if args.json {
        let flaw = verdict.as_ref().err();
        let record = CheckRecord {
            origin: Origin::new("check", &instance),
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
        warn(&instance, session)?;
        let objective = objective.as_deref().unwrap_or_else(|| run::default_objective(kind));
        match verdict {
            Ok(checked) => {
                let cost =
                    format!("{} · cost {} ({objective})", plural(steps.len(), "step"), commas(checked.cost));
                writeln!(session.io.out, "{} {cost}", session.io.screen.good("valid"))?;
            }
            Err(flaw) => explain(&instance, &steps, &flaw, session)?,
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
        (Some(steps), _) => ("--steps".to_owned(), steps.clone()),
        (None, Some(path)) => input::read_plan(path, session).map_err(|trouble| {
            let is_steps = !path.exists() && instance.puzzle.read_plan(&input::shown(path)).is_ok();
            let given = input::shown(path);
            if is_steps {
                trouble.help(format!("if it is the plan itself, write --steps '{given}'"))
            } else {
                trouble
            }
        })?,
        (None, None) => return Err(Trouble::new(Exit::Usage, "there is no plan to check")),
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
