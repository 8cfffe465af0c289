//! Draws the dependencies between crates from `cargo metadata`, and checks that no forbidden one exists.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use crate::step::{cargo, root};

/// The picture, relative to the root of the workspace.
const PICTURE: &str = "docs/pictures/crates.svg";

/// The crates that ship, each with its dependencies among our crates. Dependencies of tests do not count.
type Graph = BTreeMap<String, Vec<String>>;

/// A crate, and the only crates of ours that it may depend on, directly or not. docs/architecture.md gives the reasons.
const ALLOWED: &[(&str, &[&str])] = &[
    ("boards", &[]),
    ("check", &[]),
    ("search", &[]),
    ("view", &["boards"]),
    ("puzzle", &["boards", "search"]),
    ("terminal", &["boards", "puzzle", "search", "view"]),
];

/// `cargo xtask crates`: fails on a forbidden dependency or an outdated picture; `--write` draws the picture.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let graph = graph()?;
    for (name, allowed) in ALLOWED {
        for below in reached(&graph, name) {
            if !allowed.contains(&below.as_str()) {
                return Err(format!(
                    "crates/{name} must not depend on crates/{below} (docs/architecture.md)"
                ));
            }
        }
    }
    let path = root().join(PICTURE);
    let picture = draw(&graph);
    if args.iter().any(|arg| arg == "--write") {
        return fs::write(&path, picture).map_err(|e| format!("cannot write {PICTURE}: {e}"));
    }
    let shown = fs::read_to_string(&path).map_err(|e| format!("cannot read {PICTURE}: {e}"))?;
    if shown == picture {
        Ok(())
    } else {
        Err(format!(
            "{PICTURE} shows other crates than there are; `cargo xtask crates --write` draws it anew"
        ))
    }
}

/// Reads the crates of the workspace from cargo.
fn graph() -> Result<Graph, String> {
    let mut command = cargo();
    command.args(["metadata", "--no-deps", "--format-version", "1"]);
    let output = command.output().map_err(|e| format!("cargo metadata: {e}"))?;
    let metadata: Value =
        serde_json::from_slice(&output.stdout).map_err(|e| format!("cargo metadata: {e}"))?;
    let list = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    let short = |value: &Value| value["name"].as_str()?.strip_prefix("beeline-").map(str::to_owned);
    let crates = list(&metadata, "packages").into_iter().filter_map(|package| {
        let name = short(&package).filter(|name| name != "bench")?;
        let normal = |dependency: &Value| dependency["kind"].is_null();
        let below = list(&package, "dependencies").iter().filter(|d| normal(d)).filter_map(short).collect();
        Some((name, below))
    });
    Ok(crates.collect())
}

/// All crates that `name` depends on, directly or not.
fn reached(graph: &Graph, name: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = vec![name.to_owned()];
    while let Some(next) = open.pop() {
        for below in graph.get(&next).into_iter().flatten() {
            if !found.contains(below) {
                found.push(below.clone());
                open.push(below.clone());
            }
        }
    }
    found
}

// Sizes are in units of the SVG. `WIDE` and `HIGH` are those of a box.
const WIDE: usize = 110;
const HIGH: usize = 34;
/// The distance from one box to the next, and from one row to the next.
const ACROSS: usize = 130;
const DOWN: usize = 84;
const MARGIN: usize = 20;
/// Sweeps over the rows that reduce crossings; on graphs of this size, more sweeps change nothing.
const SWEEPS: usize = 8;

/// A place in a row: a crate, or a gap that an arrow passes. A gap is stored with the crate at the arrow's start.
type Place<'a> = (&'a str, &'a str);

/// Draws rows of boxes, each crate one row below the lowest crate that uses it (Sugiyama, Tagawa & Toda 1981). An arrow is left
/// out if a longer path implies it. It passes a gap in each row between its ends.
fn draw(graph: &Graph) -> String {
    let arrows: Vec<(&str, &str)> = graph
        .iter()
        .flat_map(|(name, below)| below.iter().map(move |to| (name.as_str(), to.as_str())))
        .filter(|(from, to)| {
            !graph[*from].iter().any(|other| other != to && reached(graph, other).iter().any(|r| r == to))
        })
        .collect();
    let row = |name: &str| row_of(&arrows, name);
    let bottom = graph.keys().map(|name| row(name)).max().unwrap_or(0);
    let mut rows: Vec<Vec<Place<'_>>> = vec![Vec::new(); bottom + 1];
    for name in graph.keys() {
        rows[row(name)].push((name, name));
    }
    let mut joints: Vec<(usize, Place<'_>, Place<'_>)> = Vec::new();
    for &(from, to) in &arrows {
        let mut last = (from, from);
        for (between, places) in rows.iter_mut().enumerate().take(row(to)).skip(row(from) + 1) {
            places.push((from, to));
            joints.push((between - 1, last, (from, to)));
            last = (from, to);
        }
        joints.push((row(to) - 1, last, (to, to)));
    }
    for sweep in 0..SWEEPS {
        let order: Vec<usize> =
            if sweep % 2 == 0 { (1..=bottom).collect() } else { (0..bottom).rev().collect() };
        for at in order {
            let other = if sweep % 2 == 0 { at - 1 } else { at + 1 };
            let middle = |place: &Place<'_>| {
                let ends = joints.iter().filter_map(|(upper, a, b)| match sweep % 2 == 0 {
                    true if *upper == other && b == place => Some(a),
                    false if *upper == at && a == place => Some(b),
                    _ => None,
                });
                let offsets: Vec<usize> = ends.map(|end| offset(&rows[other], end)).collect();
                // The mean in thousandths is an integer, so the sort order is the same on every machine.
                offsets.iter().sum::<usize>() * 1000 / offsets.len().max(1)
            };
            let mut sorted: Vec<(usize, Place<'_>)> = rows[at].iter().map(|p| (middle(p), *p)).collect();
            sorted.sort_by_key(|(middle, _)| *middle);
            rows[at] = sorted.into_iter().map(|(_, place)| place).collect();
        }
    }
    let width = 2 * MARGIN + ACROSS * rows.iter().map(Vec::len).max().unwrap_or(0);
    let tall = 2 * MARGIN + bottom * DOWN + HIGH;
    let left = |at: usize, place: &Place<'_>| {
        (width - rows[at].len() * ACROSS) / 2 + offset(&rows[at], place) * ACROSS + ACROSS / 2
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {tall}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <title>The crates of Beeline; an arrow points to what a crate uses</title>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
         <path d=\"M0 0L8 4L0 8z\" fill=\"#777\"/></marker></defs>\n\
         <rect width=\"{width}\" height=\"{tall}\" fill=\"#fff\"/>\n"
    );
    for (upper, a, b) in &joints {
        let (x, y) = (left(*upper, a), MARGIN + upper * DOWN + if a.0 == a.1 { HIGH } else { HIGH / 2 });
        let ends = b.0 == b.1;
        let (to_x, to_y) =
            (left(upper + 1, b), MARGIN + (upper + 1) * DOWN + if ends { 0 } else { HIGH / 2 });
        let tip = if ends { " marker-end=\"url(#tip)\"" } else { "" };
        let _ = writeln!(svg, "<path d=\"M{x} {y}L{to_x} {to_y}\" stroke=\"#777\" fill=\"none\"{tip}/>");
    }
    for (at, places) in rows.iter().enumerate() {
        for place in places.iter().filter(|place| place.0 == place.1) {
            let (x, y) = (left(at, place), MARGIN + at * DOWN);
            let _ = writeln!(
                svg,
                "<rect x=\"{}\" y=\"{y}\" width=\"{WIDE}\" height=\"{HIGH}\" rx=\"6\" fill=\"#fff6d6\" stroke=\"#b8860b\"/>\
                 <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                x - WIDE / 2,
                y + HIGH / 2 + 5,
                place.0
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// The row of a crate: one below the lowest crate that uses it.
fn row_of(arrows: &[(&str, &str)], name: &str) -> usize {
    arrows.iter().filter(|(_, to)| *to == name).map(|(from, _)| 1 + row_of(arrows, from)).max().unwrap_or(0)
}

/// The index of a place in its row.
fn offset(row: &[Place<'_>], place: &Place<'_>) -> usize {
    row.iter().position(|other| other == place).unwrap_or(0)
}
