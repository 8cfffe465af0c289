//! `beeline draw`.

use beeline_api::units::plural;
use beeline_puzzles::Scene;

use super::args::Draw;
use super::input::{self, load_all};
use super::{Exit, Session};
use crate::report::instance::Instance;
use crate::report::layout::several;
use crate::report::{Stop, Trouble};

/// Draws all requested puzzles.
pub(super) fn draw(args: &Draw, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let mut worst = Exit::Done;
    let mut pictures = Vec::new();
    for (_, puzzle) in load_all(&args.source, session) {
        match puzzle {
            Err(trouble) => worst = worst.max(session.io.report_error(&trouble)),
            Ok(instance) => pictures.push((instance.name(), scene(&instance, args, session)?)),
        }
    }
    let text = picture(&pictures, args, session)?;
    match &args.output {
        None => session.io.print(&text)?,
        Some(path) if !pictures.is_empty() => std::fs::write(path, text).map_err(|error| {
            Trouble::new(Exit::Usage, format!("cannot write the picture to '{}': {error}", path.display()))
        })?,
        Some(_) => {}
    }
    Ok(worst)
}

/// The board at the start, or along a plan.
fn scene(instance: &Instance, args: &Draw, session: &mut Session<'_, '_>) -> Result<Scene, Trouble> {
    let mut game = instance.puzzle.game();
    let Some(path) = &args.plan else { return Ok(game.scene()) };
    let (name, text) = input::read_plan(path, session)?;
    let steps = instance.puzzle.read_plan(&text).map_err(|error| Trouble::text(&name, &text, &error))?;
    let wanted = args.step.unwrap_or(steps.len());
    if wanted > steps.len() {
        let message = format!("{name} has {}, so there is no step {wanted}", plural(steps.len(), "step"));
        return Err(Trouble::new(Exit::Usage, message));
    }
    for (i, step) in steps.iter().take(wanted).enumerate() {
        game.play(step).map_err(|why| {
            Trouble::new(Exit::Rejected, format!("step {} of {name} ({step}) cannot be played: {why}", i + 1))
                .help("'beeline check' tells more")
        })?;
    }
    Ok(game.scene())
}

fn picture(pictures: &[(String, Scene)], args: &Draw, session: &Session<'_, '_>) -> Result<String, Trouble> {
    let screen = session.io.screen;
    let ends_so = args.output.as_ref().is_some_and(|path| path.extension().is_some_and(|end| end == "svg"));
    if args.svg || ends_so {
        return match pictures {
            [] => Ok(String::new()),
            [(name, scene)] => Ok(beeline_view::svg(scene, name)),
            _ => Err(Trouble::new(Exit::Usage, "an SVG holds one picture, and there are several puzzles")
                .help("choose one with --level, or draw one file at a time")),
        };
    }
    Ok(several(pictures, &screen))
}
