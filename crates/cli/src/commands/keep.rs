//! Searches that outlive their process: `--checkpoint`, `--disk` and `beeline resume`.
//!
//! A checkpoint has a label: the puzzle and the job as JSON. So `beeline resume FILE` needs no other input.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use beeline_api::job::{Choices, Parameters};
use beeline_puzzles::{Job, Puzzle};
use beeline_search::checkpoint::{Checkpoint, RESUMABLE, fingerprint};
use beeline_search::strategies::Settings;
use serde::{Deserialize, Serialize};

use super::args::{Keeping, Resume};
use super::{Exit, Session, names, run, solve};
use crate::report::instance::{File, Instance};
use crate::report::{Stop, Trouble, notes};

/// Everything that is needed to repeat the search.
#[derive(Debug, Deserialize, Serialize)]
struct Label {
    source: String,
    level: usize,
    levels: usize,
    kind: String,
    text: String,
    strategy: String,
    #[serde(flatten)]
    choices: Choices,
    #[serde(flatten)]
    parameters: Parameters,
    seed: u64,
    disk: Option<PathBuf>,
}

/// A number that identifies the puzzle.
fn instance_of(puzzle: &dyn Puzzle) -> u64 {
    fingerprint(&format!("{}\n{}", puzzle.kind().name(), puzzle.text()))
}

/// Prepares a job to use the disk as the command line requests, and returns its checkpoint.
pub(super) fn prepare(
    keeping: &Keeping,
    instance: &Instance,
    job: &mut Job,
) -> Result<Option<Checkpoint>, Trouble> {
    let puzzle = &*instance.puzzle;
    if let Some(folder) = &keeping.disk {
        let job_of = format!("{:?}", (&job.objective, &job.rules));
        let name = format!("beeline-{:016x}", instance_of(puzzle) ^ fingerprint(&job_of));
        job.settings.disk = Some(folder.join(name));
        job.strategy.get_or_insert_with(|| "bfs".to_owned());
    }
    if keeping.disk.is_some() || keeping.checkpoint.is_some() {
        // The saved state must not depend on the order of threads.
        job.settings.threads = 1;
    }
    let Some(path) = &keeping.checkpoint else { return Ok(None) };
    let strategy = job.strategy.clone().unwrap_or_else(|| run::default_solver(puzzle.kind()).to_owned());
    if !RESUMABLE.contains(&strategy.as_str()) {
        let message = format!("{strategy} cannot be stopped and go on, so --checkpoint cannot be used");
        let help = format!("choose one that can with --with: {}", RESUMABLE.join(", "));
        return Err(Trouble::new(Exit::Unsupported, message).help(help));
    }
    if path.exists() {
        let message = format!("'{}' is there already", path.display());
        let help = format!("'beeline resume {0}' goes on from it; remove it to begin anew", path.display());
        return Err(Trouble::new(Exit::Usage, message).help(help));
    }
    let label = label(instance, &strategy, job);
    let checkpoint = Checkpoint::new(path, keeping.every, instance_of(puzzle), label);
    checkpoint.try_out().map_err(|error| {
        Trouble::new(Exit::Usage, format!("cannot write a checkpoint to '{}': {error}", path.display()))
    })?;
    Ok(Some(checkpoint))
}

fn label(instance: &Instance, strategy: &str, job: &Job) -> String {
    let settings = &job.settings;
    let label = Label {
        source: instance.source.clone(),
        level: instance.level,
        levels: instance.levels,
        kind: instance.puzzle.kind().name().to_owned(),
        text: instance.puzzle.text(),
        strategy: strategy.to_owned(),
        choices: Choices::of(job),
        parameters: Parameters::of(settings),
        seed: settings.seed,
        disk: settings.disk.as_deref().map(absolute),
    };
    // Serialising strings and numbers cannot fail.
    serde_json::to_string(&label).unwrap_or_default()
}

/// An absolute path, because a search may be resumed in another folder.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// `beeline resume`.
pub(super) fn resume(args: &Resume, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let shown = args.file.display();
    let bad = |why: String| Trouble::new(Exit::Input, format!("cannot go on from '{shown}': {why}"));
    let checkpoint = Checkpoint::open(&args.file, args.every).map_err(|damage| bad(damage.to_string()))?;
    let label: Label = serde_json::from_str(checkpoint.label())
        .map_err(|error| bad(format!("its label cannot be read: {error}")))?;
    let kind = names::kind(session.world, &label.kind)?;
    let puzzle = kind.parse(&label.text).ok().and_then(|puzzles| puzzles.into_iter().next());
    let puzzle = puzzle.filter(|puzzle| instance_of(&**puzzle) == checkpoint.instance());
    let puzzle = puzzle.ok_or_else(|| bad("its puzzle is not the one it was made for".into()))?;
    let settings = Settings { disk: label.disk, ..label.parameters.settings(label.seed) };
    let job = label.choices.job(Some(label.strategy), settings);
    let budget = run::budget(&args.limits, session);
    let budget = beeline_search::Budget { checkpoint: Some(checkpoint), ..budget };
    let file = Rc::new(File::utf8(&label.text));
    let instance = Instance { source: label.source, level: label.level, levels: label.levels, puzzle, file };
    solve::run_and_report(&instance, &job, &budget, run::run, (&args.output, "resume"), session)
}

/// Reports the state of the checkpoint: removed if the search has ended, else kept to resume from.
pub(super) fn after(checkpoint: &Checkpoint, ended: bool, session: &mut Session<'_, '_>) -> Result<(), Stop> {
    session.io.out.flush()?;
    let path = checkpoint.path().display();
    if let Some(problem) = checkpoint.problem() {
        notes::unsaved(&path, &problem, session.io)?;
    }
    if ended {
        checkpoint.remove().map_err(|error| {
            Trouble::new(Exit::Usage, format!("cannot remove the checkpoint '{path}': {error}"))
        })?;
    } else if checkpoint.path().exists() {
        notes::saved(&path, session.io)?;
    }
    Ok(())
}
