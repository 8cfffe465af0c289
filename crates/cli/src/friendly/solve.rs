//! `beeline solve`.

use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use beeline_puzzles::{Job, Kind, Puzzle, Scene};
use beeline_search::{Budget, Limit, Share, Stats};

use super::args::{Output, Solve};
use super::certificate::Certified;
use super::input::{File, Instance, load_all};
use super::interrupt::subject;
use super::layout::{boards, entry, wrap};
use super::report::{Stop, Trouble};
use super::run::{self, Ending, Plan, Promise, Run};
use super::units::{commas, plural, rate, short_rate, size, time};
use super::{Exit, Screen, Session, animate, certificate, json, keep, sokoban};

/// Solves everything that was asked for; the highest exit code of all is returned.
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
                // A board that cannot be read counts as one without a plan: lines and puzzles still match.
                if several && args.output.quiet && trouble.place.is_some() {
                    writeln!(session.io.out)?;
                }
                continue;
            }
        };
        if session.cancel.is_cancelled() {
            worst = Exit::Interrupted;
            break;
        }
        if !ended.is_empty() && !args.output.json && !args.output.quiet {
            writeln!(session.io.out)?;
        }
        ended.push(one(&instance, args, &budget, with_plans.as_mut(), session)?);
        // Long series are read while they run.
        session.io.out.flush()?;
    }
    if let Some(file) = with_plans {
        file.write(session)?;
    }
    if ended.len() > 1 && !args.output.json && !args.output.quiet {
        writeln!(session.io.out, "\n{}", summary(&ended))?;
    }
    Ok(ended.into_iter().fold(worst, Exit::max))
}

/// How many ended how: "3 puzzles: 2 solved · 1 proved unsolvable".
fn summary(ended: &[Exit]) -> String {
    let parts = Exit::ALL.iter().filter_map(|(exit, meaning)| {
        let count = ended.iter().filter(|e| *e == exit).count();
        let what = if *exit == Exit::Done { "solved" } else { meaning.trim_start_matches("no plan: ") };
        (count > 0).then(|| format!("{count} {what}"))
    });
    format!("{}: {}", plural(ended.len(), "puzzle"), parts.collect::<Vec<_>>().join(" · "))
}

/// Reports what could not be done, and goes on.
fn fail(
    command: &'static str,
    source: &str,
    trouble: &Trouble,
    output: &Output,
    session: &mut Session<'_, '_>,
) -> Result<Exit, Stop> {
    if output.json {
        json::line(session.io.out, &json::ErrorRecord::new(command, source, trouble))?;
    }
    Ok(session.tell(trouble))
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

/// How a search is run.
pub(super) type Runner = fn(&dyn Puzzle, &Job, &Budget, &mut Session<'_, '_>) -> Result<Run, Trouble>;

/// The file of the puzzles, to be written with the plans that are found.
struct Rewritten<'a> {
    to: &'a Path,
    file: Rc<File>,
    kind: &'static dyn Kind,
    /// Numbers of puzzles in the file, from 0, and their plans.
    plans: Vec<(usize, Vec<String>)>,
}

impl<'a> Rewritten<'a> {
    /// All puzzles must come from one file of a kind whose files hold plans.
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
            let message = format!("files of the kind {} hold no plans", kind.name());
            return Err(Trouble::new(Exit::Unsupported, message).help("--plan FILE writes the plan alone"));
        }
        Ok(Self { to, file: Rc::clone(&first.file), kind, plans: Vec::new() })
    }

    /// Writes the file in the encoding that it had.
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

/// Does a job and shows what came of it.
pub(super) fn carry_out(
    instance: &Instance,
    job: &Job,
    budget: &Budget,
    run: Runner,
    output: (&Output, &'static str),
    session: &mut Session<'_, '_>,
) -> Result<Exit, Stop> {
    solved(instance, job, budget, (run, None), output, session).map(|(exit, _)| exit)
}

/// Does a job, improves the plan for some time if that is asked for, shows what came of it, and gives the plan.
fn solved(
    instance: &Instance,
    job: &Job,
    budget: &Budget,
    (run, improve): (Runner, Option<Duration>),
    (output, command): (&Output, &'static str),
    session: &mut Session<'_, '_>,
) -> Result<(Exit, Option<Plan>), Stop> {
    let puzzle = &*instance.puzzle;
    subject(command, &instance.source, output.json);
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
        json::line(session.io.out, &json::Record::new(command, instance, &run))?;
    } else if output.quiet {
        // With the plan on standard output already, there is nothing left to say.
        if output.plan.as_deref() != Some(Path::new("-")) {
            quiet(instance, &run, session)?;
        }
    } else {
        let text = describe(instance, &run, budget, &session.io.screen);
        session.io.out.write_all(text.as_bytes())?;
        warn(instance, session)?;
    }
    if let Some(checkpoint) = &budget.checkpoint {
        let ended = matches!(run.ending, Ending::Solved(_) | Ending::Unsolvable | Ending::GaveUp);
        keep::after(checkpoint, ended, session)?;
    }
    let exit = finish(instance, &run, output, session);
    Ok((exit, run.ending.into_plan()))
}

/// The exit code of a run; a rejected plan is reported first.
fn finish(instance: &Instance, run: &Run, output: &Output, session: &mut Session<'_, '_>) -> Exit {
    if output.json {
        return run.exit();
    }
    match (&run.ending, &run.certificate) {
        (Ending::Rejected(why), _) => session.tell(&rejected(instance, run, why)),
        (_, Some(there))
            if there.exit != Exit::Done && matches!(run.ending, Ending::Solved(_) | Ending::Unsolvable) =>
        {
            let why = there.reason.as_deref().unwrap_or("nothing is proved");
            session.tell(&Trouble::new(run.exit(), format!("no certificate was written: {why}")))
        }
        _ => run.exit(),
    }
}

/// A plan that failed the check: our fault, and said so.
pub(super) fn rejected(instance: &Instance, run: &Run, why: &str) -> Trouble {
    let name = instance.name();
    Trouble::new(
        Exit::Rejected,
        format!("the checker rejected the plan that {} found for {name}: {why}", run.strategy),
    )
    .help("this is a bug in Beeline, so the plan is not shown; please report it with the puzzle")
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

/// The plan alone, a line a puzzle; an empty line where there is none, so that lines and puzzles match.
fn quiet(instance: &Instance, run: &Run, session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let plan = run.ending.plan().map(|p| instance.puzzle.write_plan(&p.steps)).unwrap_or_default();
    Ok(writeln!(session.io.out, "{}", plan.trim_end_matches('\n'))?)
}

/// Prints what is odd about a puzzle.
pub(super) fn warn(instance: &Instance, session: &mut Session<'_, '_>) -> Result<(), Stop> {
    for warning in instance.puzzle.warnings() {
        session.io.out.flush()?;
        writeln!(session.io.err, "warning: {}: {warning}", instance.name())?;
    }
    Ok(())
}

/// Everything that a person wants to know, each line ended.
pub(super) fn describe(instance: &Instance, run: &Run, budget: &Budget, screen: &Screen) -> String {
    let puzzle = &*instance.puzzle;
    let mut out = heading(instance, screen);
    let game = puzzle.game();
    let after = run.ending.plan().and_then(|plan| replay(instance, plan));
    out += &boards(&game.scene(), after.as_ref(), screen);
    out.push('\n');
    for (name, text) in lines(instance, run, budget, screen) {
        out += &entry(name, &text, screen);
    }
    out
}

/// The name of a puzzle and its facts.
fn heading(instance: &Instance, screen: &Screen) -> String {
    let puzzle = &*instance.puzzle;
    let facts: Vec<String> =
        puzzle.facts().into_iter().map(|(name, value)| format!("{name} {value}")).collect();
    let mut out = format!("{} · {}\n", screen.bold(&instance.name()), puzzle.kind().title());
    if !facts.is_empty() {
        for line in wrap(&facts.join(" · "), screen.columns) {
            out += &format!("{}\n", screen.dim(&line));
        }
    }
    out.push('\n');
    out
}

/// The board after a plan.
pub(super) fn replay(instance: &Instance, plan: &Plan) -> Option<Scene> {
    let mut game = instance.puzzle.game();
    for step in &plan.steps {
        game.play(step).ok()?;
    }
    Some(game.scene())
}

/// The pushes of a plan, where the kind counts them.
fn pushes(instance: &Instance, plan: &Plan) -> Option<usize> {
    let mut game = instance.puzzle.game();
    for step in &plan.steps {
        game.play(step).ok()?;
    }
    game.counts().into_iter().find_map(|(name, count)| (name == "pushes").then_some(count))
}

/// The lines below the picture.
fn lines(instance: &Instance, run: &Run, budget: &Budget, screen: &Screen) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    let proved = run.certificate.as_ref().map(Certified::mark);
    match &run.ending {
        Ending::Solved(plan) => {
            out.push(("plan", instance.puzzle.write_plan(&plan.steps)));
            let length = || {
                let steps = plural(plan.steps.len(), "step");
                let pushes = pushes(instance, plan).map(|n| format!(" · {} pushes", commas(n as u64)));
                let pushes = pushes.unwrap_or_default();
                let mark = proved.filter(|_| plan.promise() == Promise::Shortest).unwrap_or_default();
                ("length", format!("{steps}{pushes} · {}{mark}", cost(plan, &run.objective)))
            };
            let sentence = instance.puzzle.solved_in_words(&plan.steps, budget);
            out.push(sentence.map_or_else(length, |sentence| ("result", sentence)));
            if let Some(limit) = run.stats.stopped {
                out.push(("result", format!("not proved shortest: {}", why(limit))));
            }
            let yes = if screen.ascii { "yes:" } else { "✓" };
            out.push(("checked", format!("{yes} every step replayed by independent rules, the goal is met")));
        }
        Ending::Unsolvable => {
            out.push(("result", format!("no plan: proved unsolvable{}", proved.unwrap_or_default())));
        }
        Ending::GaveUp => {
            out.push(("result", format!("no plan: {} gave up, which proves nothing", run.strategy)));
        }
        Ending::Stopped(limit) => out.push(("result", stopped(*limit, &run.stats))),
        Ending::Rejected(_) => out.push(("result", "no plan: the checker rejected what was found".into())),
    }
    out.extend(run.certificate.as_ref().map(|there| ("evidence", there.words())));
    out.push(("search", search(run)));
    if run.stats.rounds.len() > 1 {
        out.push(("rounds", rounds(&run.stats)));
    }
    if run.stats.pruned_total() > 0 {
        let rules = run.stats.pruned.iter().filter(|(_, n)| *n > 0);
        out.push((
            "pruned",
            rules.map(|(rule, n)| format!("{} {rule}", commas(*n))).collect::<Vec<_>>().join(" · "),
        ));
    }
    if run.stats.shares.len() > 1 {
        out.push(("shared", shared(&run.stats)));
    }
    out.push(("time", pace(&run.stats)));
    out
}

/// How several threads or ranks shared the work: what was sent, how even it was, how much of the time nobody had work.
fn shared(stats: &Stats) -> String {
    let shares = &stats.shares;
    let percent = |part: f64, whole: f64| if whole > 0.0 { 100.0 * part / whole } else { 0.0 };
    let sum = |of: fn(&Share) -> u64| shares.iter().map(of).sum::<u64>();
    let most = shares.iter().map(|s| s.expanded).max().unwrap_or(0) as f64;
    let idle: f64 = shares.iter().map(|s| s.idle.as_secs_f64()).sum();
    let (sent, count) = (sum(|s| s.sent), shares.len() as f64);
    let mut parts = vec![format!("by {}", shares.len())];
    if sent > 0 {
        parts.push(format!(
            "{} successors sent ({:.1} % of all) in {} batches, {}",
            commas(sent),
            percent(sent as f64, stats.generated as f64),
            commas(sum(|s| s.batches)),
            size(sum(|s| s.sent_bytes) as usize)
        ));
    }
    let even = if most > 0.0 { sum(|s| s.expanded) as f64 / count / most } else { 1.0 };
    parts.push(format!("balance {even:.2}"));
    parts.push(format!("idle {:.1} %", percent(idle, count * stats.elapsed.as_secs_f64())));
    parts.join(" · ")
}

/// What a plan costs and what is proved about it.
fn cost(plan: &Plan, objective: &str) -> String {
    let promise = plan.promise();
    let sentence = promise.sentence(plan.lower_bound);
    match (objective, promise) {
        ("any", Promise::Nothing) => "any plan was asked for".to_owned(),
        ("cost", _) => format!("cost {} · {sentence}", commas(plan.cost)),
        _ => format!("cost {} ({objective}) · {sentence}", commas(plan.cost)),
    }
}

/// Which limit it was, in words.
pub(super) fn why(limit: Limit) -> &'static str {
    match limit {
        Limit::Time => "the time limit was reached",
        Limit::Memory => "the memory limit was reached",
        Limit::Nodes => "the limit on expanded states was reached",
        Limit::Cancelled => "interrupted",
    }
}

fn stopped(limit: Limit, stats: &Stats) -> String {
    let reached = match stats.rounds.last() {
        Some(round) => format!(" in the round with bound {}", round.bound),
        None if stats.depth > 0 => format!(" at depth {}", stats.depth),
        // Not every search counts how deep it is.
        None => String::new(),
    };
    format!("no plan yet: {}{reached}", why(limit))
}

/// The counters of a run.
fn search(run: &Run) -> String {
    let stats = &run.stats;
    let mut parts = vec![format!("{}: {} expanded", run.strategy, commas(stats.expanded))];
    parts.push(format!("{} generated", commas(stats.generated)));
    let some = [(stats.duplicates, "duplicates"), (stats.reopened, "reopened"), (stats.stored, "stored")];
    parts.extend(some.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", commas(*n))));
    parts.push(size(stats.bytes));
    parts.join(" · ")
}

/// What it took, and how fast that was.
fn pace(stats: &Stats) -> String {
    let rate = rate(stats.expanded, stats.elapsed).map(|r| format!(" · {} expanded", short_rate(r)));
    format!("{}{}", time(stats.elapsed), rate.unwrap_or_default())
}

fn rounds(stats: &Stats) -> String {
    let shown = stats.rounds.iter().map(|r| format!("{}: {}", r.bound, commas(r.expanded)));
    format!("{} (bound: expanded)", shown.collect::<Vec<_>>().join(" · "))
}
