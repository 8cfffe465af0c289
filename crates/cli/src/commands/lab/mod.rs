//! `beeline lab`: experiments. The lab crate does the work. This module handles files, the progress line and the exit
//! codes.

mod read;
mod run;

use std::path::{Path, PathBuf};

use beeline_lab::figure::Figure;
use beeline_lab::plots::{self, PlotSpec};
use beeline_lab::report::{About, templates, write};
use beeline_lab::table::{self, Format, Table};
use beeline_lab::{column, summary};

use super::args::{Lab, LabPlot, LabReport, LabTable, TableFormat};
use super::names::{self, unknown};
use super::{Exit, Session};
use crate::report::{Stop, Trouble, notes};
use read::Loaded;

/// Runs one of the lab's commands.
pub(super) fn lab(args: &Lab, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    match args {
        Lab::Run(args) => run::run(args, session),
        Lab::One => run::one(session),
        Lab::Table(args) => print_table(args, session),
        Lab::Plot(args) => plot(args, session),
        Lab::Report(args) => report(args, session),
    }
}

fn print_table(args: &LabTable, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let Loaded { records, .. } = read::load(&args.records)?;
    let records = summary::merged(&records);
    let format = match args.format {
        TableFormat::Text => Format::Text,
        TableFormat::Markdown => Format::Markdown,
        TableFormat::Csv => Format::Csv,
        TableFormat::Json => Format::Json,
        TableFormat::Latex => Format::Latex,
    };
    let made = if args.columns == ["list"] {
        columns(&records)
    } else if args.summary {
        table::summary(&records)
    } else if args.versus.is_empty() {
        let usual = || column::USUAL.map(str::to_owned).to_vec();
        let columns = if args.columns.is_empty() { usual() } else { args.columns.clone() };
        for name in &columns {
            known(name, &records)?;
        }
        column::table(&records, &columns)
    } else {
        let (first, second) = two(&args.versus, &records)?;
        known(&args.metric, &records)?;
        table::versus(&records, &first, &second, &args.metric)
    };
    session.io.print(&made.write(format))?;
    Ok(Exit::Done)
}

/// A table of the available columns.
fn columns(records: &[beeline_lab::Record]) -> Table {
    let mut table = Table::new(["column", "what it is"]);
    for name in column::known(records) {
        let about = column::COLUMNS
            .iter()
            .find(|c| c.0 == name)
            .map_or("a figure of the puzzle or the search", |c| c.1);
        table.row(vec![table::Cell::words(name), table::Cell::words(about)]);
    }
    table
}

fn known(name: &str, records: &[beeline_lab::Record]) -> Result<(), Trouble> {
    let names = column::known(records);
    if names.iter().any(|n| n == name) {
        return Ok(());
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Err(unknown("column", name, &names, Some("'beeline lab table --columns list'")))
}

/// The two strategies of --versus.
fn two(names: &[String], records: &[beeline_lab::Record]) -> Result<(String, String), Trouble> {
    let all = summary::strategies(records);
    let [first, second] = names else {
        return Err(Trouble::new(Exit::Usage, "--versus takes two strategies, separated by a comma"));
    };
    for name in [first, second] {
        if !all.contains(name) {
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            return Err(unknown("strategy in these records", name, &all, None));
        }
    }
    Ok((first.clone(), second.clone()))
}

fn plot(args: &LabPlot, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let Loaded { records, .. } = read::load(&args.records)?;
    let records = summary::merged(&records);
    known(&args.y, &records)?;
    let mut figure = if args.cactus {
        plots::cactus(&records, &args.y)
    } else if args.versus.is_empty() {
        known(&args.x, &records)?;
        let plot = PlotSpec {
            title: args.title.clone(),
            x: args.x.clone(),
            y: args.y.clone(),
            log: (matches!(args.log.as_str(), "x" | "both"), matches!(args.log.as_str(), "y" | "both")),
            fit: args.fit,
            joined: args.line,
        };
        plots::scatter(&records, &plot)
    } else {
        let (first, second) = two(&args.versus, &records)?;
        plots::versus(&records, &first, &second, &args.y)
    };
    if let Some(title) = &args.title {
        figure.title.clone_from(title);
    }
    if let Some(path) = &args.output {
        draw(path, &figure)?;
    } else {
        let screen = session.io.screen;
        let rows = screen.rows.saturating_sub(8).clamp(12, 24);
        let text = figure.text(screen.columns.min(100), rows, screen.ascii);
        session.io.print(&text)?;
    }
    Ok(Exit::Done)
}

/// Writes a figure in the format of the file name.
fn draw(path: &Path, figure: &Figure) -> Result<(), Trouble> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let bytes = match ending {
        "svg" => figure.svg().into_bytes(),
        "png" => picture(figure)?,
        _ => {
            let message = format!("'{}' is neither .svg nor .png", path.display());
            return Err(Trouble::new(Exit::Usage, message));
        }
    };
    save(path, &bytes)
}

/// Renders a figure as PNG with two pixels per unit, which is sharp in print and on high-density screens.
#[cfg(feature = "png")]
fn picture(figure: &Figure) -> Result<Vec<u8>, Trouble> {
    figure.png(2.0).map_err(|why| Trouble::new(Exit::Internal, format!("cannot draw the figure: {why}")))
}

#[cfg(not(feature = "png"))]
fn picture(_: &Figure) -> Result<Vec<u8>, Trouble> {
    Err(Trouble::without("PNG pictures", "png"))
}

fn save(path: &Path, bytes: &[u8]) -> Result<(), Trouble> {
    let cannot = |error| Trouble::unwritable(path, &error);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(cannot)?;
    }
    std::fs::write(path, bytes).map_err(cannot)
}

fn report(args: &LabReport, session: &mut Session<'_, '_>) -> Result<Exit, Stop> {
    let Loaded { records, path, spec } = read::load(&args.records)?;
    let parsed = spec.as_deref().and_then(|text| beeline_lab::Spec::parse(text).ok());
    let of_spec = parsed.as_ref().and_then(|s| s.report.as_ref()).map(|r| r.get_ref().clone());
    let template = args.questions.clone().or(of_spec).unwrap_or_else(|| "general".to_owned());
    let all: Vec<&str> = templates().collect();
    if !all.contains(&template.as_str()) {
        return Err(names::unknown("report", &template, &all, None).into());
    }
    let title = parsed.map(|s| s.title).filter(|t| !t.is_empty());
    let name = records.first().map_or("nothing", |r| r.experiment.as_str());
    let about = About { title: title.unwrap_or_else(|| format!("The experiment '{name}'")), template, spec };
    let document = write(&records, &about);
    let output: PathBuf = args.output.clone().unwrap_or_else(|| path.with_extension("html"));
    if output.extension().is_some_and(|e| e == "md") {
        let stem = output.file_stem().and_then(|s| s.to_str()).unwrap_or("report").to_owned();
        let (text, files) = document.markdown(&stem);
        save(&output, text.as_bytes())?;
        let folder = output.with_file_name(&stem);
        for (name, svg) in files {
            save(&folder.join(name), svg.as_bytes())?;
        }
    } else {
        save(&output, document.html().as_bytes())?;
    }
    if let Some(folder) = &args.png {
        for (i, figure) in document.figures().enumerate() {
            save(&folder.join(format!("figure-{:02}.png", i + 1)), &picture(figure)?)?;
        }
    }
    notes::written(&output, session.io)?;
    Ok(Exit::Done)
}
