//! The report of a search for people.

use std::io;

use beeline_api::answer::{Ending, Plan, Promise};
use beeline_api::units::{commas, plural, rate, short_rate, size, time};
use beeline_puzzles::Scene;
use beeline_search::{Limit, Share, Stats};

use super::certificate::Certified;
use super::exit::why;
use super::instance::Instance;
use super::layout::{boards, entry, wrap};
use super::{Exit, Io, Screen, Trouble};

/// A finished search.
pub(crate) struct Run {
    /// The name of the strategy or solver.
    pub(crate) strategy: String,
    /// The heuristic, if one was chosen.
    pub(crate) heuristic: Option<String>,
    /// The objective.
    pub(crate) objective: String,
    /// The result.
    pub(crate) ending: Ending,
    /// The counters.
    pub(crate) stats: Stats,
    /// The certificate, if one was requested.
    pub(crate) certificate: Option<Certified>,
}

impl Run {
    pub(crate) fn exit(&self) -> Exit {
        self.ended().max(self.certificate.as_ref().map_or(Exit::Done, |there| there.exit))
    }

    /// The exit code of the search without its certificate.
    fn ended(&self) -> Exit {
        match &self.ending {
            Ending::Solved(_) => self.stats.stopped.map_or(Exit::Done, Exit::from),
            Ending::Unsolvable => Exit::Unsolvable,
            Ending::GaveUp => Exit::GaveUp,
            Ending::Stopped(limit) => (*limit).into(),
            Ending::Rejected(_) => Exit::Rejected,
        }
    }

    /// The limit that ended the search, with or without a plan, or why the checker rejected the plan.
    pub(crate) fn reason(&self) -> Option<String> {
        self.ending.reason(self.stats.stopped)
    }
}

/// Prints the full report.
pub(crate) fn whole(
    instance: &Instance,
    run: &Run,
    sentence: Option<String>,
    io: &mut Io<'_>,
) -> io::Result<()> {
    io.out.write_all(describe(instance, run, sentence, &io.screen).as_bytes())
}

/// The full report, each line ended. `sentence` replaces the length of the plan.
fn describe(instance: &Instance, run: &Run, sentence: Option<String>, screen: &Screen) -> String {
    let puzzle = &*instance.puzzle;
    let mut out = heading(instance, screen);
    let game = puzzle.game();
    let after = run.ending.plan().and_then(|plan| replay(instance, plan));
    out += &boards(&game.scene(), after.as_ref(), screen);
    out.push('\n');
    for (name, text) in lines(instance, run, sentence, screen) {
        out += &entry(name, &text, screen);
    }
    out
}

/// Prints only the plan, on one line. Without a plan the line is empty, so that lines and puzzles match.
pub(crate) fn quiet(instance: &Instance, run: &Run, io: &mut Io<'_>) -> io::Result<()> {
    let plan = run.ending.plan().map(|p| instance.puzzle.write_plan(&p.steps)).unwrap_or_default();
    writeln!(io.out, "{}", plan.trim_end_matches('\n'))
}

/// Prints the warnings of a puzzle.
pub(crate) fn warn(instance: &Instance, io: &mut Io<'_>) -> io::Result<()> {
    for warning in instance.puzzle.warnings() {
        io.out.flush()?;
        writeln!(io.err, "warning: {}: {warning}", instance.name())?;
    }
    Ok(())
}

/// Prints how many puzzles ended how: "3 puzzles: 2 solved · 1 proved unsolvable".
pub(crate) fn summary(ended: &[Exit], io: &mut Io<'_>) -> io::Result<()> {
    let parts = Exit::ALL.iter().filter_map(|(exit, meaning)| {
        let count = ended.iter().filter(|e| *e == exit).count();
        let what = if *exit == Exit::Done { "solved" } else { meaning.trim_start_matches("no plan: ") };
        (count > 0).then(|| format!("{count} {what}"))
    });
    writeln!(io.out, "\n{}: {}", plural(ended.len(), "puzzle"), parts.collect::<Vec<_>>().join(" · "))
}

/// The error for a plan that failed the check, which is a bug of ours.
pub(crate) fn rejected(instance: &Instance, run: &Run, why: &str) -> Trouble {
    let name = instance.name();
    Trouble::new(
        Exit::Rejected,
        format!("the checker rejected the plan that {} found for {name}: {why}", run.strategy),
    )
    .help("this is a bug in Beeline, so the plan is not shown; please report it with the puzzle")
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
pub(crate) fn replay(instance: &Instance, plan: &Plan) -> Option<Scene> {
    let mut game = instance.puzzle.game();
    for step in &plan.steps {
        game.play(step).ok()?;
    }
    Some(game.scene())
}

/// The number of pushes of a plan, if the kind counts them.
fn pushes(instance: &Instance, plan: &Plan) -> Option<usize> {
    let mut game = instance.puzzle.game();
    for step in &plan.steps {
        game.play(step).ok()?;
    }
    game.counts().into_iter().find_map(|(name, count)| (name == "pushes").then_some(count))
}

/// The lines below the picture.
fn lines(
    instance: &Instance,
    run: &Run,
    sentence: Option<String>,
    screen: &Screen,
) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    let proved = run.certificate.as_ref().map(Certified::mark);
    match &run.ending {
        Ending::Solved(plan) => {
            out.push(("plan", instance.puzzle.write_plan(&plan.steps)));
            let length = || {
                let steps = plural(plan.steps.len(), "step");
                let pushes = pushes(instance, plan).map(|n| format!(" · {}", plural(n, "push")));
                let pushes = pushes.unwrap_or_default();
                let mark = proved.filter(|_| plan.promise() == Promise::Shortest).unwrap_or_default();
                ("length", format!("{steps}{pushes} · {}{mark}", cost(plan, &run.objective)))
            };
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

/// How threads or ranks shared the work: messages, balance, and idle time.
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

/// The cost of a plan, and what is proved about it.
fn cost(plan: &Plan, objective: &str) -> String {
    let promise = plan.promise();
    let sentence = promise.sentence(plan.lower_bound);
    match (objective, promise) {
        ("any", Promise::Nothing) => "any plan was asked for".to_owned(),
        ("cost", _) => format!("cost {} · {sentence}", commas(plan.cost)),
        _ => format!("cost {} ({objective}) · {sentence}", commas(plan.cost)),
    }
}

fn stopped(limit: Limit, stats: &Stats) -> String {
    let reached = match stats.rounds.last() {
        Some(round) => format!(" in the round with bound {}", round.bound),
        None if stats.depth > 0 => format!(" at depth {}", stats.depth),
        // Not every search counts its depth.
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

/// The time of a run and its rates.
fn pace(stats: &Stats) -> String {
    let rate = rate(stats.expanded, stats.elapsed).map(|r| format!(" · {} expanded", short_rate(r)));
    format!("{}{}", time(stats.elapsed), rate.unwrap_or_default())
}

fn rounds(stats: &Stats) -> String {
    let shown = stats.rounds.iter().map(|r| format!("{}: {}", r.bound, commas(r.expanded)));
    format!("{} (bound: expanded)", shown.collect::<Vec<_>>().join(" · "))
}
