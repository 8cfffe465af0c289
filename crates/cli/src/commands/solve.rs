//! `beeline solve`.

use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use beeline_puzzles::{Job, Kind, Puzzle};
use beeline_search::Budget;

use super::args::{Output, Solve};
use super::input::load_all;
use super::interrupt::set_subject;
use super::run::{self, Ending, Plan};
use super::{Exit, Session, animate, certificate, keep, sokoban};
use crate::report::answer::{self, Run};
use crate::report::instance::{File, Instance};
use crate::report::{Stop, Trouble, json};

/// Solves all requested puzzles, and returns the highest exit code.
pub(super) fn solve(args: &Solve, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let puzzles = load_all(&args.source, session);
    let many = puzzles.iter().filter(|(_, puzzle)| puzzle.is_ok()).count() > 1;
    if args.output.plan.is_some() && many {
        let trouble = Trouble::new(Exit::Usage, "--plan writes one plan, and there are several puzzles");
        return Err(trouble
            .help("choose one with --level, or use --quiet, which prints a plan a line")
            .into());
    }
    if args.output.certificate.is_some() && many {
        let message = "--certificate writes one certificate, and there are several puzzles";
        return Err(Trouble::new(Exit::Usage, message).help("choose one with --level").into());
    }
    if args.keeping.checkpoint.is_some() && many {
        let trouble =
            Trouble::new(Exit::Usage, "--checkpoint saves one search, and there are several puzzles");
        return Err(trouble.help("choose one with --level").into());
    }
    session.io.screen.notes &= !args.output.quiet;
    let mut with_plans = args.out.as_deref().map(|path| Rewritten::new(path, &puzzles)).transpose()?;
    let mut worst = Exit::Done;
    let mut ended: Vec<Exit> = Vec::new();
    let several = puzzles.len() > 1;
    let budget = run::budget(&args.limits, session);
    for (source, puzzle) in puzzles {
        let instance = match puzzle {
            Ok(instance) => instance,
            Err(trouble) => {
                ended.push(fail("solve", &source, &trouble, &args.output, session)?);
                // An unreadable board counts as one without a plan, so that the lines of the output still match the
                // puzzles.
                if several && args.output.quiet && trouble.place.is_some() {
                    session.io.gap()?;
                }
                continue;
            }
        };
        if session.cancel.is_cancelled() {
            worst = Exit::Interrupted;
            break;
        }
        if !ended.is_empty() && !args.output.json && !args.output.quiet {
            session.io.gap()?;
        }
        ended.push(one(&instance, args, &budget, with_plans.as_mut(), session)?);
        // Results of a long series are read while it runs.
        session.io.out.flush()?;
    }
    if let Some(file) = with_plans {
        file.write(session)?;
    }
    if ended.len() > 1 && !args.output.json && !args.output.quiet {
        answer::summary(&ended, session.io)?;
    }
    Ok(ended.into_iter().fold(worst, Exit::max))
}

/// Reports an error; the command continues with the next puzzle.
fn fail(
    command: &'static str,
    source: &str,
    trouble: &Trouble,
    output: &Output,
    session: &mut Session<'_, '_>,
) -> Result<Exit, Stop> {
    if output.json {
        json::error(command, source, trouble, session.io)?;
    }
    Ok(session.io.report_error(trouble))
}

fn one(
    instance: &Instance,
    args: &Solve,
    budget: &Budget,
    with_plans: Option<&mut Rewritten<'_>>,
    session: &mut Session<'_, '_>,
) -> Result<Exit, Stop> {
    let posed = run::job(instance.puzzle.kind(), args.with.as_deref(), &args.search).and_then(|mut job| {
        if args.improve.is_some() {
            sokoban::can_improve(&*instance.puzzle, &job)?;
        }
        let checkpoint = keep::prepare(&args.keeping, instance, &mut job)?;
        Ok((job, Budget { checkpoint, ..budget.clone() }))
    });
    match posed {
        Ok((job, budget)) => {
            let keeps = budget.checkpoint.is_some() || job.settings.disk.is_some();
            let free = args.search.threads.is_none() && !args.search.deterministic && !keeps;
            let run = if free { run::run_alone_first } else { run::run };
            let output = (&args.output, "solve");
            let (exit, plan) = solved(instance, &job, &budget, (run, args.improve), output, session)?;
            if let (Some(file), Some(plan)) = (with_plans, plan) {
                file.plans.push((instance.level - 1, plan.steps));
            }
            Ok(exit)
        }
        Err(trouble) => fail("solve", &instance.source, &trouble, &args.output, session),
    }
}

/// A function that runs a search.
pub(super) type Runner = fn(&dyn Puzzle, &Job, &Budget, &mut Session<'_, '_>) -> Result<Run, Trouble>;

/// The puzzle file, to be rewritten with the plans found.
struct Rewritten<'a> {
    to: &'a Path,
    file: Rc<File>,
    kind: &'static dyn Kind,
    /// The plans, by index of the puzzle in the file.
    plans: Vec<(usize, Vec<String>)>,
}

impl<'a> Rewritten<'a> {
    /// Prepares the rewriting. All puzzles must come from one file of a kind whose files hold plans.
    fn new(to: &'a Path, puzzles: &[(String, Result<Instance, Trouble>)]) -> Result<Self, Trouble> {
        let mut instances = puzzles.iter().filter_map(|(_, puzzle)| puzzle.as_ref().ok());
        let Some(first) = instances.next() else {
            return Err(Trouble::new(Exit::Input, "there is no puzzle that could be written with its plan"));
        };
        if !instances.all(|instance| Rc::ptr_eq(&instance.file, &first.file)) {
            let message = "--out writes one file, and there are several";
            return Err(Trouble::new(Exit::Usage, message).help("solve one file at a time"));
        }
        let kind = first.puzzle.kind();
        if kind.with_plans(&first.file.text, &[]).is_none() {
            let message = format!("files like {} hold no plans", first.source);
            return Err(Trouble::new(Exit::Unsupported, message).help("--plan FILE writes the plan alone"));
        }
        Ok(Self { to, file: Rc::clone(&first.file), kind, plans: Vec::new() })
    }

    /// Writes the file in its original encoding.
    fn write(self, session: &mut Session<'_, '_>) -> Result<(), Stop> {
        let text = self.kind.with_plans(&self.file.text, &self.plans).unwrap_or_default();
        let bytes = self.file.encoding.encode(&text);
        if self.to == Path::new("-") {
            return Ok(session.io.out.write_all(&bytes)?);
        }
        std::fs::write(self.to, bytes).map_err(|error| {
            Trouble::new(Exit::Usage, format!("cannot write '{}': {error}", self.to.display())).into()
        })
    }
}

/// Runs a job and shows its result.
pub(super) fn run_and_report(
    instance: &Instance,
    job: &Job,
    budget: &Budget,
    run: Runner,
    output: (&Output, &'static str),
    session: &mut Session<'_, '_>,
) -> Result<Exit, Stop> {
    solved(instance, job, budget, (run, None), output, session).map(|(exit, _)| exit)
}

/// Runs a job, improves the plan if requested, shows the result, and returns the plan.
fn solved(
    instance: &Instance,
    job: &Job,
    budget: &Budget,
    (run, improve): (Runner, Option<Duration>),
    (output, command): (&Output, &'static str),
    session: &mut Session<'_, '_>,
) -> Result<(Exit, Option<Plan>), Stop> {
    let puzzle = &*instance.puzzle;
    set_subject(command, &instance.source, output.json);
    let mut run = match run(puzzle, job, budget, session) {
        Ok(run) => run,
        Err(trouble) => return Ok((fail(command, &instance.source, &trouble, output, session)?, None)),
    };
    if let Some(time) = improve {
        run = sokoban::improve_run(run, puzzle, job, (budget, time), session);
    }
    if let Some(path) = &output.certificate {
        run.certificate = Some(certificate::write(path, instance, &run, budget, session)?);
    }
    if let (Some(plan), Some(path)) = (run.ending.plan(), &output.plan) {
        write_plan(path, &puzzle.write_plan(&plan.steps), session)?;
    }
    if let (Some(plan), true) = (run.ending.plan(), output.animate) {
        animate::animate(instance, plan, session)?;
    }
    if output.json {
        json::run(command, instance, &run, session.io)?;
    } else if output.quiet {
        // If standard output has the plan already, nothing else is printed.
        if output.plan.as_deref() != Some(Path::new("-")) {
            answer::quiet(instance, &run, session.io)?;
        }
    } else {
        answer::whole(instance, &run, run::in_words(instance, &run, budget), session.io)?;
        answer::warn(instance, session.io)?;
    }
    if let Some(checkpoint) = &budget.checkpoint {
        let ended = matches!(run.ending, Ending::Solved(_) | Ending::Unsolvable | Ending::GaveUp);
        keep::after(checkpoint, ended, session)?;
    }
    let exit = finish(instance, &run, output, session);
    Ok((exit, run.ending.into_plan()))
}

/// The exit code of a run. A rejected plan is reported first.
fn finish(instance: &Instance, run: &Run, output: &Output, session: &mut Session<'_, '_>) -> Exit {
    if output.json {
        return run.exit();
    }
    match (&run.ending, &run.certificate) {
        (Ending::Rejected(why), _) => session.io.report_error(&answer::rejected(instance, run, why)),
        (_, Some(there))
            if there.exit != Exit::Done && matches!(run.ending, Ending::Solved(_) | Ending::Unsolvable) =>
        {
            let why = there.reason.as_deref().unwrap_or("nothing is proved");
            session.io.report_error(&Trouble::new(run.exit(), format!("no certificate was written: {why}")))
        }
        _ => run.exit(),
    }
}

fn write_plan(path: &Path, plan: &str, session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let text = format!("{}\n", plan.trim_end_matches('\n'));
    if path == Path::new("-") {
        return Ok(session.io.out.write_all(text.as_bytes())?);
    }
    std::fs::write(path, text).map_err(|error| {
        Trouble::new(Exit::Usage, format!("cannot write the plan to '{}': {error}", path.display())).into()
    })
}
