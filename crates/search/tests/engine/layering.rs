//! The three parts of the engine use each other in one direction only.

use std::fs;
use std::path::{Path, PathBuf};

/// The parts in order; each may use itself and those before it.
const PARTS: [&str; 3] = ["core", "strategies", "scale"];

/// The source files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The first module of every path in a line of code that begins at the root of the crate. Comments have none.
fn from_root(line: &str) -> Vec<&str> {
    let code = line.split("//").next().unwrap_or_default();
    let module = |rest: &'_ str| rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    code.split("crate::").skip(1).map(|rest| &rest[..module(rest)]).collect()
}

/// The lines of a file that name a part they may not use.
fn violations(part: usize, depth: usize, text: &str) -> Vec<String> {
    let allowed = &PARTS[..=part];
    let wrong = |line: &&str| {
        // This many steps up lead out of the part.
        let climbs = line.split("//").next().is_some_and(|code| code.contains(&"super::".repeat(depth + 1)));
        climbs || from_root(line).iter().any(|module| !allowed.contains(module))
    };
    // A module of tests at the end of a file has one more level.
    text.lines().take_while(|line| *line != "#[cfg(test)]").filter(wrong).map(str::to_owned).collect()
}

#[test]
fn scale_uses_strategies_and_strategies_use_core() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for (part, name) in PARTS.iter().enumerate() {
        let mut files = Vec::new();
        sources(&root.join(name), &mut files);
        assert!(files.len() > 3, "{name} has its files");
        for path in files {
            let inside = path.strip_prefix(root.join(name)).unwrap();
            let is_folder = inside.file_name().is_some_and(|file| file == "mod.rs");
            let depth = inside.components().count() - usize::from(is_folder);
            for line in violations(part, depth, &fs::read_to_string(&path).unwrap()) {
                wrong.push(format!("{name}/{}: {line}", inside.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "arrows in the wrong direction: {wrong:#?}");
}

#[test]
fn an_arrow_in_the_wrong_direction_is_noticed() {
    let count = |part, depth, line| violations(part, depth, line).len();
    assert_eq!(count(0, 1, "use crate::strategies::Task;"), 1);
    assert_eq!(count(1, 1, "    crate::scale::disk::run(task)"), 1);
    assert_eq!(count(0, 2, "use super::super::super::scale;"), 1);
    assert_eq!(count(0, 1, "use crate::Search;"), 1);
    assert_eq!(count(2, 1, "use crate::strategies::Task; use crate::core::space::Space;"), 0);
    assert_eq!(count(0, 1, "//! see [`crate::strategies`]"), 0);
}
