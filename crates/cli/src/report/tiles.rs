//! Reports on sliding tiles: whole spaces, and the solver's tables.

use std::io;
use std::path::Path;
use std::time::Duration;

use beeline_api::units::{commas, plural, rate, short_rate, size, time};
use beeline_puzzles::Kind;
use beeline_puzzles::game::Notation;
use beeline_puzzles::tiles::pattern::tables::{Building, Tables};
use beeline_puzzles::tiles::{KIND, Sliding};
use beeline_search::census::Census;
use beeline_search::{Ranked, Stats};
use serde::Serialize;

use super::Io;
use super::json::{self, SCHEMA};
use super::layout::{boards, entry};
use super::progress::bar;
use super::table::{Column, Table};

/// The report on a counted space.
pub(crate) struct SpaceReport<'a> {
    /// Rows and columns.
    pub(crate) sides: (usize, usize),
    pub(crate) space: &'a Sliding,
    pub(crate) census: &'a Census,
    pub(crate) stats: &'a Stats,
}

#[derive(Serialize)]
struct SpaceRecord<'a> {
    schema: &'static str,
    command: &'static str,
    kind: &'static str,
    size: String,
    states: u64,
    radius: usize,
    by_distance: &'a [u64],
    farthest: String,
    bytes: usize,
    seconds: f64,
}

impl SpaceReport<'_> {
    fn radius(&self) -> usize {
        self.census.layers.len() - 1
    }

    /// Prints it as a JSON object.
    pub(crate) fn json(&self, io: &mut Io<'_>) -> io::Result<()> {
        let (rows, columns) = self.sides;
        let record = SpaceRecord {
            schema: SCHEMA,
            command: "tiles space",
            kind: KIND.name(),
            size: format!("{rows}x{columns}"),
            states: self.census.states(),
            radius: self.radius(),
            by_distance: &self.census.layers,
            farthest: self.space.puzzle_at(&self.space.unrank(self.census.farthest)).text(),
            bytes: self.stats.bytes,
            seconds: self.stats.elapsed.as_secs_f64(),
        };
        json::line(io.out, &record)
    }

    /// Prints it for a person.
    pub(crate) fn text(&self, io: &mut Io<'_>) -> io::Result<()> {
        let (rows, columns) = self.sides;
        figures(&format!("{rows} x {columns}"), self.census, self.stats, io)?;
        let (screen, radius) = (io.screen, self.radius());
        let far = self.space.unrank(self.census.farthest);
        let most = commas(self.census.layers[radius]);
        let title = format!("farthest from the solved board ({radius} moves, one of {most})");
        writeln!(io.out, "\n{}\n", screen.bold(&title))?;
        writeln!(io.out, "{}", boards(&self.space.scene(&far), None, &screen))?;
        write!(io.out, "{}", self.space.puzzle_at(&far).text())
    }
}

fn figures(name: &str, census: &Census, stats: &Stats, io: &mut Io<'_>) -> io::Result<()> {
    let screen = io.screen;
    let out = &mut *io.out;
    writeln!(out, "{} · {}\n", screen.bold(name), KIND.title())?;
    let states = format!("{} can be reached from the solved board", commas(census.states()));
    write!(out, "{}", entry("states", &states, &screen))?;
    let layers: Vec<String> = census.layers.iter().map(|&n| commas(n)).collect();
    write!(out, "{}", entry("at 0, 1, …", &layers.join(" "), &screen))?;
    write!(out, "{}", entry("memory", &format!("{}, two bits a state", size(stats.bytes)), &screen))?;
    let pace = rate(stats.expanded, stats.elapsed).map(|r| format!(" · {} expanded", short_rate(r)));
    let took = format!("{}{}", time(stats.elapsed), pace.unwrap_or_default());
    write!(out, "{}", entry("time", &took, &screen))
}

/// Lists the tables, and which of them are in the cache.
pub(crate) fn tables(sets: &[&Tables], folder: &Path, io: &mut Io<'_>) -> io::Result<()> {
    let mut table = Table::new(&[
        Column::words("tables", 0),
        Column::words("board", 1),
        Column::figures("in the cache", 0),
        Column::sentences("what for", 2),
    ]);
    for set in sets {
        let cached = set.cached(folder);
        let all = set.patterns().len();
        let there = match cached.files {
            0 => "no".to_owned(),
            files if files == all => size(cached.bytes as usize),
            files => format!("{files} of {all} files"),
        };
        let board = format!("{}x{}", set.rows, set.columns);
        table.row([set.name.to_owned(), board, there, set.about.to_owned()]);
    }
    let text = table.text(&io.screen);
    write!(io.out, "{text}\nThe cache is {}.\n", folder.display())
}

/// Prints that tables are ready.
pub(crate) fn ready(set: &Tables, bytes: u64, took: Duration, io: &mut Io<'_>) -> io::Result<()> {
    writeln!(io.out, "{}: {}, ready after {}", set.name, size(bytes as usize), time(took))?;
    io.out.flush()
}

/// Prints what was deleted.
pub(crate) fn deleted(set: &Tables, files: usize, bytes: u64, io: &mut Io<'_>) -> io::Result<()> {
    let (files, bytes) = (plural(files, "file"), size(bytes as usize));
    writeln!(io.out, "{}: {files} deleted, {bytes}", set.name)
}

/// The progress of building tables: a bar, and their name.
pub(crate) fn progress(set: &Tables, building: Building) -> String {
    let (done, all) = (building.progress.done, building.progress.all);
    format!(
        "{} {}, table {} of {}, {} moves deep",
        set.name,
        bar(done, all),
        building.pattern,
        building.patterns,
        building.progress.level
    )
}
