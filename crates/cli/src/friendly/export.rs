//! `beeline export`: a puzzle for others' tools.

use std::path::Path;

use beeline_puzzles::pddl;

use super::args::Export;
use super::check::read_steps;
use super::input;
use super::report::{Stop, Trouble};
use super::{Exit, Session};

/// Writes the domain, the problem and, where a plan is given, the plan.
pub(super) fn export(args: &Export, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let instance = input::load_one(&args.puzzle, &args.reading, session)?;
    let pddl = pddl::export(&*instance.puzzle).map_err(|why| Trouble::new(Exit::Unsupported, why))?;
    let plan = if args.steps.is_none() && args.plan.is_none() {
        None
    } else {
        let steps = read_steps(args.steps.as_deref(), args.plan.as_deref(), &instance, session)?;
        Some(pddl.plan(&steps).map_err(|why| {
            Trouble::new(Exit::Rejected, why).help("'beeline check' shows where the plan breaks")
        })?)
    };
    let folder = &args.pddl;
    std::fs::create_dir_all(folder).map_err(|error| cannot(folder, &error))?;
    let files =
        [("domain.pddl", Some(pddl.domain())), ("problem.pddl", Some(pddl.problem())), ("plan.txt", plan)];
    for (name, text) in files {
        if let Some(text) = text {
            let path = folder.join(name);
            std::fs::write(&path, text).map_err(|error| cannot(&path, &error))?;
            writeln!(session.io.out, "{}", path.display())?;
        }
    }
    Ok(Exit::Done)
}

fn cannot(path: &Path, error: &std::io::Error) -> Trouble {
    Trouble::new(Exit::Usage, format!("cannot write '{}': {error}", path.display()))
}
