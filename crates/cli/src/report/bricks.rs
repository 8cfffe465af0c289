//! The report on the space of a sliding-block puzzle.

use std::io::{self, Write};

use beeline_api::units::{commas, plural};
use beeline_puzzles::bricks::space::Graph;
use beeline_puzzles::bricks::{Bricks, Grid, KIND};
use beeline_puzzles::{Kind, Puzzle};
use serde::Serialize;

use super::instance::Instance;
use super::json::{self, Origin};
use super::layout::{boards, entry};
use super::{Io, Screen};

/// The most states of a space that is kept; larger ones are only counted.
pub(crate) const SMALL: u64 = 200_000;

/// The results of exploring a space.
pub(crate) struct Found {
    pub(crate) states: u64,
    pub(crate) solved: u64,
    /// The number of states at each distance from the start.
    pub(crate) layers: Vec<u64>,
    /// A state at the greatest distance from the start.
    pub(crate) farthest: Grid,
    /// The graph of a small space.
    pub(crate) graph: Option<Graph>,
}

/// A state with the longest shortest plan, and that length.
pub(crate) type Hardest = Option<(Grid, u32)>;

/// The report of the command.
pub(crate) struct SpaceReport<'a> {
    pub(crate) instance: &'a Instance,
    pub(crate) objective: &'a str,
    pub(crate) found: &'a Found,
    pub(crate) hardest: &'a Hardest,
    pub(crate) components: Option<&'a [usize]>,
}

#[derive(Serialize)]
struct SpaceRecord<'a> {
    #[serde(flatten)]
    origin: Origin<'a>,
    objective: &'a str,
    states: u64,
    solved: u64,
    by_distance: &'a [u64],
    farthest: String,
    hardest: Option<String>,
    hardest_distance: Option<u32>,
    components: Option<&'a [usize]>,
}

impl SpaceReport<'_> {
    pub(crate) fn json(&self, io: &mut Io<'_>) -> io::Result<()> {
        let record = SpaceRecord {
            origin: Origin::new("bricks space", self.instance),
            objective: self.objective,
            states: self.found.states,
            solved: self.found.solved,
            by_distance: &self.found.layers,
            farthest: self.found.farthest.file(),
            hardest: self.hardest.as_ref().map(|(grid, _)| grid.file()),
            hardest_distance: self.hardest.as_ref().map(|(_, far)| *far),
            components: self.components,
        };
        json::line(io.out, &record)
    }

    pub(crate) fn text(&self, io: &mut Io<'_>) -> io::Result<()> {
        let screen = io.screen;
        let out = &mut *io.out;
        let (found, objective) = (self.found, self.objective);
        writeln!(out, "{} · {}\n", screen.bold(&self.instance.name()), KIND.title())?;
        let states =
            format!("{} can be reached, {} of them solved", commas(found.states), commas(found.solved));
        write!(out, "{}", entry("states", &states, &screen))?;
        let layers: Vec<String> = found.layers.iter().map(|&n| commas(n)).collect();
        write!(out, "{}", entry("at 0, 1, …", &layers.join(" "), &screen))?;
        if let Some(sizes) = self.components {
            let all = commas(sizes.iter().sum::<usize>() as u64);
            let largest =
                sizes.first().map_or(String::new(), |&n| format!(", the largest of {}", commas(n as u64)));
            let parts = format!("{all} placements in {}{largest}", plural(sizes.len(), "component"));
            write!(out, "{}", entry("parts", &parts, &screen))?;
        }
        let radius = found.layers.len().saturating_sub(1);
        board(out, &format!("farthest from the start ({radius} {objective})"), &found.farthest, &screen)?;
        match self.hardest {
            Some((grid, far)) => {
                board(out, &format!("hardest start ({far} {objective} to the goal)"), grid, &screen)?;
            }
            None if found.graph.is_some() => writeln!(out, "\nno state leads to the goal")?,
            None => {
                writeln!(out, "\nthe hardest start is told for spaces of up to {} states", commas(SMALL))?;
            }
        }
        Ok(())
    }
}

/// Prints a state: its picture and its file.
fn board(out: &mut dyn Write, title: &str, grid: &Grid, screen: &Screen) -> io::Result<()> {
    writeln!(out, "\n{}\n", screen.bold(title))?;
    if let Ok(bricks) = Bricks::new(grid) {
        writeln!(out, "{}", boards(&bricks.game().scene(), None, screen))?;
    }
    write!(out, "{}", grid.file())
}
