//! Finds and reads records.

use std::path::{Path, PathBuf};

use beeline_lab::{Record, record};

use super::super::Exit;
use super::super::args::LabRecords;
use super::super::names::unknown;
use crate::report::Trouble;

/// Records with their source.
pub(super) struct Loaded {
    pub(super) records: Vec<Record>,
    /// The first file.
    pub(super) path: PathBuf,
    /// The text of the spec that was run, if it is beside the records.
    pub(super) spec: Option<String>,
}

/// Reads the requested records.
pub(super) fn load(args: &LabRecords) -> Result<Loaded, Trouble> {
    let paths =
        if args.records.is_empty() { vec![newest(Path::new("results"))?] } else { args.records.clone() };
    let mut records = Vec::new();
    for path in &paths {
        let found = record::read(path).map_err(|error| Trouble::new(Exit::Input, error.to_string()))?;
        records.extend(found);
    }
    filter(&mut records, &args.strategies, "strategy", |r| &r.strategy)?;
    filter(&mut records, &args.suites, "suite", |r| &r.suite)?;
    let path = paths.into_iter().next().unwrap_or_default();
    let spec = std::fs::read_to_string(path.with_extension("toml")).ok();
    Ok(Loaded { records, path, spec })
}

/// Keeps the records with these names. A name without a record is an error.
fn filter(
    records: &mut Vec<Record>,
    wanted: &[String],
    what: &str,
    pick: fn(&Record) -> &String,
) -> Result<(), Trouble> {
    let mut there: Vec<&str> = records.iter().map(|r| pick(r).as_str()).collect();
    there.sort_unstable();
    there.dedup();
    if let Some(typed) = wanted.iter().find(|name| !there.contains(&name.as_str())) {
        return Err(unknown(&format!("{what} in these records"), typed, &there, None));
    }
    if !wanted.is_empty() {
        records.retain(|r| wanted.contains(pick(r)));
    }
    Ok(())
}

/// The most recent record file.
fn newest(folder: &Path) -> Result<PathBuf, Trouble> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let files = entries.map(|e| e.path());
    let dated = files.filter_map(|p| Some((p.metadata().ok()?.modified().ok()?, record::records_of(&p)?)));
    dated.max().map(|(_, path)| path).ok_or_else(|| {
        Trouble::new(Exit::Input, format!("there are no records in '{}'", folder.display()))
            .help("make some: beeline lab run specs/gate.toml")
    })
}
