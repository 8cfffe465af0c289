//! `beeline check`.

use std::path::Path;

use beeline_check::Flaw;

use super::args::Check;
use super::certificate::{self, Beside, Certified};
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
        if args.certificate.is_some() {
            return no_plan(args, session);
        }
        return given(args, session);
    }
    let instance = input::load_one(&args.puzzle, &args.reading, session)?;
    let steps = read_steps(args.steps.as_deref(), args.plan.as_deref(), &instance, session)?;
    one(&instance, &steps, args, session)
}

/// Verifies a certificate without a plan.
fn no_plan(args: &Check, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let instance = input::load_one(&args.puzzle, &args.reading, session)?;
    let objective = objective(args, &instance)?;
    let certified = verified(&instance, &objective, &Beside::Nothing, args, session)?;
    let Some(certified) = certified else { return Ok(Exit::Done) };
    let exit = certified.exit;
    if args.json {
        let record = CheckRecord {
            origin: Origin::new("check", &instance),
            objective: &objective,
            verdict: if certified.holds { "valid" } else { "invalid" },
            exit: exit.code(),
            steps: 0,
            cost: None,
            bad_step: None,
            reason: certified.reason.clone(),
            certificate: Some(certified),
        };
        json::line(session.io.out, &record)?;
    } else if !args.quiet {
        warn(&instance, session)?;
        tell_certificate(&certified, session)?;
    }
    Ok(exit)
}

/// The objective by its whole name.
fn objective(args: &Check, instance: &Instance) -> Result<String, Trouble> {
    let kind = instance.puzzle.kind();
    let named = args.objective.as_ref().map(|o| names::choice(kind, "objective", o, kind.objectives()));
    Ok(named.transpose()?.unwrap_or_else(|| run::default_objective(kind).to_owned()))
}

/// Verifies the certificate, where one was given.
fn verified(
    instance: &Instance,
    objective: &str,
    beside: &Beside<'_>,
    args: &Check,
    session: &mut Session<'_, '_>,
) -> Result<Option<Certified>, Trouble> {
    let verify = |path: &Path, session: &mut Session<'_, '_>| {
        certificate::verify(path, instance, objective, beside, args.time, session)
    };
    args.certificate.as_deref().map(|path| verify(path, session)).transpose()
}

/// Says what a certificate proves, or where it fails.
fn tell_certificate(certified: &Certified, session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let screen = session.io.screen;
    if certified.holds {
        return Ok(writeln!(session.io.out, "{} {}", screen.good("certified"), certified.words())?);
    }
    let why = certified.reason.as_deref().unwrap_or_default();
    Ok(session.io.out.write_all(entry("invalid", &format!("certificate: {why}"), &screen).as_bytes())?)
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
    let objective = objective(args, instance)?;
    let asked = args.objective.as_ref().map(|_| objective.as_str());
    let verdict = (session.world.check)(&*instance.puzzle, asked, steps);
    let certified = match &verdict {
        Ok(checked) => verified(instance, &objective, &Beside::Plan(checked.cost, steps), args, session)?,
        Err(_) => None,
    };
    let exit = if verdict.is_ok() { Exit::Done } else { Exit::Rejected };
    let exit = exit.max(certified.as_ref().map_or(Exit::Done, |there| there.exit));
    if args.json {
        let flaw = verdict.as_ref().err();
        let record = CheckRecord {
            origin: Origin::new("check", instance),
            objective: &objective,
            verdict: if exit == Exit::Rejected { "invalid" } else { "valid" },
            exit: exit.code(),
            steps: steps.len(),
            cost: verdict.as_ref().ok().map(|c| c.cost),
            bad_step: flaw.and_then(bad_step),
            reason: flaw.map(ToString::to_string).or_else(|| certified.as_ref()?.reason.clone()),
            certificate: certified,
        };
        json::line(session.io.out, &record)?;
    } else if !args.quiet {
        warn(instance, session)?;
        match verdict {
            Ok(checked) => {
                let shortest = certified.as_ref().is_some_and(|there| there.proves(checked.cost));
                let proved = if shortest { " · proved shortest (certified)" } else { "" };
                let (steps, cost) = (plural(steps.len(), "step"), commas(checked.cost));
                let good = session.io.screen.good("valid");
                writeln!(session.io.out, "{good} {steps} · cost {cost} ({objective}){proved}")?;
                if let Some(certified) = &certified {
                    tell_certificate(certified, session)?;
                }
            }
            Err(flaw) => explain(instance, steps, &flaw, session)?,
        }
    }
    Ok(exit)
}

/// The steps of the plan, from a file or from the command line.
pub(super) fn read_steps(
    steps: Option<&str>,
    plan: Option<&Path>,
    instance: &Instance,
    session: &mut Session<'_, '_>,
) -> Result<Vec<String>, Trouble> {
    let (name, text) = match (steps, plan) {
        (steps, None) => ("--steps".to_owned(), steps.unwrap_or_default().to_owned()),
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
