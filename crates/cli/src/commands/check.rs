//! `beeline check`.

use std::path::Path;

use super::args::{Check, WrittenPlan};
use super::certificate::{self, ExpectedPlan};
use super::{Exit, Session, input, names, run};
use crate::report::certificate::Certified;
use crate::report::check::{self as report, Verdict};
use crate::report::instance::Instance;
use crate::report::{Stop, Trouble};

/// Checks a written plan, or the plans in the puzzle file.
pub(super) fn check(args: &Check, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let WrittenPlan { puzzle, plan, steps, reading } = &args.source;
    input::not_both_stdin(puzzle, plan.as_deref())?;
    if steps.is_none() && plan.is_none() {
        if args.certificate.is_some() {
            return no_plan(args, session);
        }
        return given(args, session);
    }
    let instance = input::load_one(puzzle, reading, session)?;
    let steps = read_steps(&args.source, &instance, session)?;
    one(&instance, &steps, args, session)
}

/// Verifies a certificate without a plan.
fn no_plan(args: &Check, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let instance = input::load_one(&args.source.puzzle, &args.source.reading, session)?;
    let objective = objective(args, &instance)?;
    let certified = verified(&instance, &objective, &ExpectedPlan::Nothing, args, session)?;
    let verdict = Verdict { instance: &instance, objective: &objective, steps: &[], plan: None, certified };
    print_verdict(verdict, args, session)
}

/// Prints the verdict and returns the exit code.
fn print_verdict(verdict: Verdict<'_>, args: &Check, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let exit = verdict.exit();
    if args.json {
        verdict.json(session.io)?;
    } else if !args.quiet {
        verdict.text(session.io)?;
    }
    Ok(exit)
}

/// The full name of the objective.
fn objective(args: &Check, instance: &Instance) -> Result<String, Trouble> {
    let kind = instance.puzzle.kind();
    let named = args.objective.as_ref().map(|o| names::choice(kind, "objective", o, kind.objectives()));
    Ok(named.transpose()?.unwrap_or_else(|| run::default_objective(kind).to_owned()))
}

/// Verifies the certificate, if one was given.
fn verified(
    instance: &Instance,
    objective: &str,
    expected: &ExpectedPlan<'_>,
    args: &Check,
    session: &mut Session<'_, '_>,
) -> Result<Option<Certified>, Trouble> {
    let verify = |path: &Path, session: &mut Session<'_, '_>| {
        certificate::verify(path, instance, objective, expected, args.time, session)
    };
    args.certificate.as_deref().map(|path| verify(path, session)).transpose()
}

/// Checks the plans in a puzzle file, and returns the highest exit code.
fn given(args: &Check, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let puzzles = input::load(&args.source.puzzle, &args.source.reading, session)?;
    let (mut worst, mut without, mut with) = (Exit::Done, 0, 0);
    for puzzle in puzzles {
        let instance = match puzzle {
            Ok(instance) => instance,
            Err(trouble) => {
                worst = worst.max(session.io.report_error(&trouble));
                continue;
            }
        };
        let Some(steps) = instance.puzzle.given_plan() else {
            without += 1;
            continue;
        };
        with += 1;
        if instance.levels > 1 && !args.json && !args.quiet {
            report::name(&instance, session.io)?;
        }
        worst = worst.max(one(&instance, &steps, args, session)?);
    }
    if with == 0 && worst == Exit::Done {
        let message = format!("there is no plan to check: {} holds none", input::shown(&args.source.puzzle));
        return Err(Trouble::new(Exit::Usage, message)
            .help("name a file with the plan, or use --steps")
            .into());
    }
    if without > 0 && !args.json && !args.quiet {
        report::without(without, session.io)?;
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
    let plan = (session.world.check)(&*instance.puzzle, asked, steps);
    let certified = match &plan {
        Ok(checked) => {
            verified(instance, &objective, &ExpectedPlan::Plan(checked.cost, steps), args, session)?
        }
        Err(_) => None,
    };
    let plan = Some(plan);
    print_verdict(Verdict { instance, objective: &objective, steps, plan, certified }, args, session)
}

/// Reads the steps of the plan from a file or from the command line.
pub(super) fn read_steps(
    source: &WrittenPlan,
    instance: &Instance,
    session: &mut Session<'_, '_>,
) -> Result<Vec<String>, Trouble> {
    let (name, text) = match (&source.steps, &source.plan) {
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
