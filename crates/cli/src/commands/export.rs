//! `beeline export`: writes a puzzle for other tools.

use beeline_puzzles::pddl;

use super::args::Export;
use super::check::read_steps;
use super::{Exit, Session, input};
use crate::report::{Stop, Trouble, notes};

/// Writes the domain, the problem and, if a plan is given, the plan.
pub(super) fn export(args: &Export, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let instance = input::load_one(&args.source.puzzle, &args.source.reading, session)?;
    let pddl = pddl::export(&*instance.puzzle).map_err(|why| Trouble::new(Exit::Unsupported, why))?;
    let plan = if args.source.steps.is_none() && args.source.plan.is_none() {
        None
    } else {
        let steps = read_steps(&args.source, &instance, session)?;
        Some(pddl.plan(&steps).map_err(|why| {
            Trouble::new(Exit::Rejected, why).help("'beeline check' shows where the plan breaks")
        })?)
    };
    let folder = &args.pddl;
    std::fs::create_dir_all(folder).map_err(|error| Trouble::unwritable(folder, &error))?;
    let files =
        [("domain.pddl", Some(pddl.domain())), ("problem.pddl", Some(pddl.problem())), ("plan.txt", plan)];
    for (name, text) in files {
        if let Some(text) = text {
            let path = folder.join(name);
            std::fs::write(&path, text).map_err(|error| Trouble::unwritable(&path, &error))?;
            notes::written(&path, session.io)?;
        }
    }
    Ok(Exit::Done)
}
