//! The crates as a picture, drawn from `cargo metadata`, and the arrows that must not be there.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use crate::step::{cargo, root};

/// The picture, relative to the root of the workspace.
const PICTURE: &str = "docs/pictures/crates.svg";

/// Crates that ship and the crates of ours that each depends on, without those for tests alone.
type Graph = BTreeMap<String, Vec<String>>;

/// A crate, and the only crates of ours that it may depend on, directly or not. docs/architecture.md says why.
const ALLOWED: &[(&str, &[&str])] = &[
    ("check", &[]),
    ("search", &[]),
    ("view", &["puzzle", "search"]),
    ("terminal", &["puzzle", "search", "view"]),
];

/// `cargo xtask crates`: fails on a forbidden arrow, or on a picture that shows other crates; `--write` draws it.
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

/// Asks cargo for the crates of the workspace.
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

/// One row of boxes for each length of the longest chain of crates below; an arrow is left out where a longer way shows it.
fn draw(graph: &Graph) -> String {
    const WIDE: usize = 110;
    const HIGH: usize = 34;
    const ACROSS: usize = 134;
    const DOWN: usize = 84;
    const MARGIN: usize = 20;
    let height = |name: &str| level(graph, name);
    let top = graph.keys().map(|name| height(name)).max().unwrap_or(0);
    let rows: Vec<Vec<&String>> =
        (0..=top).rev().map(|row| graph.keys().filter(|name| height(name) == row).collect()).collect();
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let (width, tall) = (2 * MARGIN + widest * ACROSS, 2 * MARGIN + top * DOWN + HIGH);
    let mut places = BTreeMap::new();
    for (row, names) in rows.iter().enumerate() {
        let left = (width - names.len() * ACROSS) / 2 + (ACROSS - WIDE) / 2;
        for (column, name) in names.iter().enumerate() {
            places.insert(name.as_str(), (left + column * ACROSS, MARGIN + row * DOWN));
        }
    }
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {tall}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <title>The crates of Beeline; an arrow points to what a crate uses</title>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
         <path d=\"M0 0L8 4L0 8z\" fill=\"#777\"/></marker></defs>\n\
         <rect width=\"{width}\" height=\"{tall}\" fill=\"#fff\"/>\n"
    );
    for (name, below) in graph {
        let shown = below
            .iter()
            .filter(|to| !below.iter().any(|other| other != *to && reached(graph, other).contains(to)));
        for to in shown {
            let (Some((x, y)), Some((to_x, to_y))) = (places.get(name.as_str()), places.get(to.as_str()))
            else {
                continue;
            };
            let _ = writeln!(
                svg,
                "<path d=\"M{} {}L{} {}\" stroke=\"#777\" fill=\"none\" marker-end=\"url(#tip)\"/>",
                x + WIDE / 2,
                y + HIGH,
                to_x + WIDE / 2,
                to_y
            );
        }
    }
    for (name, (x, y)) in &places {
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{WIDE}\" height=\"{HIGH}\" rx=\"6\" fill=\"#fff6d6\" stroke=\"#b8860b\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
            x + WIDE / 2,
            y + HIGH / 2 + 5
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// How many crates the longest chain below `name` has.
fn level(graph: &Graph, name: &str) -> usize {
    graph.get(name).into_iter().flatten().map(|below| 1 + level(graph, below)).max().unwrap_or(0)
}
