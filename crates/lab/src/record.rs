//! The record file: one line per finished run, appended and never changed.
//!
//! A process that is killed while it writes leaves an incomplete line. Opening the file again cuts that line off, so at most
//! the run in progress is lost.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::batch::Part;
use crate::one::Measured;
use crate::task::{Caps, Options, Task};

/// How the names of part files end.
const PART: &str = "part";

/// The name and version of the schema.
pub const SCHEMA: &str = "beeline-lab/1";

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: String,
    /// The key that identifies the run.
    pub key: String,
    /// The experiment.
    pub experiment: String,
    /// The suite.
    pub suite: String,
    /// The instance.
    pub instance: String,
    /// The kind.
    pub kind: String,
    /// The strategy's name.
    pub strategy: String,
    /// The strategy's options.
    pub options: Options,
    /// The limits of the run.
    pub limits: Caps,
    /// The number of the repeat.
    pub repeat: u32,
    /// Its index in the spec.
    pub place: usize,
    /// The result and the measurements.
    #[serde(flatten)]
    pub measured: Measured,
    /// Wall seconds of the whole process, from start to end.
    pub wall: f64,
    /// The program and the machine.
    #[serde(flatten)]
    pub origin: Origin,
}

/// The program and the machine that made a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Origin {
    /// The version of Beeline.
    pub version: String,
    /// The revision of its sources, where known.
    pub revision: String,
    /// Processor, cores, memory, system.
    pub machine: String,
}

impl Origin {
    /// Describes this program on this machine. `revision` is the source revision that the build knows.
    pub fn here(revision: &str) -> Self {
        let read = |path| std::fs::read_to_string(path).unwrap_or_default();
        let field = |text: &str, name: &str| {
            let line = text.lines().find(|l| l.starts_with(name));
            line.and_then(|l| l.split_once(':')).map(|(_, v)| v.trim().to_owned())
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let model = field(&read("/proc/cpuinfo"), "model name").unwrap_or_else(|| "unknown processor".into());
        let memory = field(&read("/proc/meminfo"), "MemTotal");
        let kilobytes = memory.and_then(|m| m.trim_end_matches("kB").trim().parse::<f64>().ok());
        let memory = kilobytes.map(|k| format!(", {:.0} GB", k / 1e6)).unwrap_or_default();
        let system = std::env::consts::OS;
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            revision: revision.to_owned(),
            machine: format!("{model}, {cores} cores{memory}, {system}"),
        }
    }
}

impl Record {
    /// The record of a run.
    pub fn new(experiment: &str, task: Task, measured: Measured, wall: f64, origin: &Origin) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            key: task.key(),
            experiment: experiment.to_owned(),
            suite: task.suite,
            instance: task.instance,
            kind: task.kind,
            strategy: task.strategy,
            options: task.options,
            limits: task.limits,
            repeat: task.repeat,
            place: task.place,
            measured,
            wall,
            origin: origin.clone(),
        }
    }
}

/// Why records cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot be read or written.
    #[error("cannot use the records '{}': {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Another process is writing to the file.
    #[error("another run is writing to '{}'", .0.display())]
    Busy(PathBuf),
    /// A line is not a record.
    #[error("'{}', line {line}: {why}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
}

/// Reads all records of a file and of its part files, in the order of their spec. Incomplete last lines are skipped.
pub fn read(path: &Path) -> Result<Vec<Record>, RecordError> {
    let mut files = parts(path);
    if path.exists() || files.is_empty() {
        files.insert(0, path.to_owned());
    }
    let mut records = Vec::new();
    for file in files {
        let text = std::fs::read(&file).map_err(|error| RecordError::File { path: file.clone(), error })?;
        records.extend(parse(&file, &String::from_utf8_lossy(&text))?);
    }
    let mut known = HashSet::new();
    records.retain(|record| known.insert(record.key.clone()));
    records.sort_by_key(|record| record.place);
    Ok(records)
}

/// The path of the record file of a part.
pub fn part_path(path: &Path, part: Part) -> PathBuf {
    path.with_extension(format!("{part}.{PART}"))
}

/// The main record file of a path: the file itself, or the file that a part belongs to.
pub fn records_of(path: &Path) -> Option<PathBuf> {
    match path.extension()?.to_str()? {
        "jsonl" => Some(path.to_owned()),
        PART => Some(path.with_extension("").with_extension("jsonl")),
        _ => None,
    }
}

/// The part files beside a record file.
pub fn parts(path: &Path) -> Vec<PathBuf> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned() + ".";
    let is_part = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let middle = name.strip_prefix(&stem).and_then(|rest| rest.strip_suffix(&format!(".{PART}")));
        middle.is_some_and(|middle| !middle.contains('.'))
    };
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_part).collect();
    files.sort();
    files
}

fn parse(path: &Path, text: &str) -> Result<Vec<Record>, RecordError> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines = whole.lines().enumerate().filter(|(_, l)| !l.trim().is_empty());
    lines
        .map(|(i, line)| {
            let bad = |why: String| RecordError::Line { path: path.to_owned(), line: i + 1, why };
            let record: Record = serde_json::from_str(line).map_err(|error| bad(error.to_string()))?;
            if record.schema == SCHEMA { Ok(record) } else { Err(bad(format!("schema {}", record.schema))) }
        })
        .collect()
}

/// A record file that is open for appending.
#[derive(Debug)]
pub struct RecordFile {
    file: File,
    path: PathBuf,
    /// The keys of the known runs.
    known: HashSet<String>,
    /// The number of records from other source revisions.
    pub stale: usize,
}

impl RecordFile {
    /// Opens or creates the file, and locks it against other writers. Runs in `others` count as known, too.
    pub fn open(path: &Path, others: &[Record], origin: &Origin) -> Result<Self, RecordError> {
        let failed = |error| RecordError::File { path: path.to_owned(), error };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = options.map_err(failed)?;
        // If a run is killed while it starts a child, that child keeps the lock for a moment.
        let mut tries = 0..20;
        while file.try_lock().is_err() {
            if tries.next().is_none() {
                return Err(RecordError::Busy(path.to_owned()));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        // Only the end of the file can hold an incomplete line or an incomplete character.
        let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |end| end + 1);
        bytes.truncate(whole);
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let records = parse(path, &String::from_utf8_lossy(&bytes))?;
        let stale = records.iter().filter(|r| r.origin.revision != origin.revision).count();
        let known = records.into_iter().map(|r| r.key).chain(others.iter().map(|r| r.key.clone())).collect();
        Ok(Self { file, path: path.to_owned(), known, stale })
    }

    /// Is this run recorded?
    pub fn has(&self, task: &Task) -> bool {
        self.known.contains(&task.key())
    }

    /// Appends a whole line in one write.
    pub fn add(&mut self, record: &Record) -> Result<(), RecordError> {
        let failed = |error| RecordError::File { path: self.path.clone(), error };
        let mut line = serde_json::to_string(record).map_err(|error| failed(error.into()))?;
        line.push('\n');
        self.file.write_all(line.as_bytes()).map_err(failed)?;
        self.known.insert(record.key.clone());
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A record for tests.
    pub(crate) fn record(
        instance: &str,
        strategy: &str,
        verdict: &str,
        seconds: f64,
        expanded: u64,
    ) -> Record {
        let task = Task {
            suite: "s".into(),
            instance: instance.into(),
            kind: "gate".into(),
            text: instance.into(),
            strategy: strategy.into(),
            options: Options { with: strategy.into(), ..Options::default() },
            limits: Caps { seconds: Some(10.0), ..Caps::default() },
            repeat: 0,
            place: 0,
        };
        let measured = Measured {
            verdict: verdict.into(),
            seconds,
            cpu: seconds,
            expanded: Some(expanded),
            steps: (verdict == "solved").then_some(5),
            ..Measured::default()
        };
        Record::new("x", task, measured, seconds, &Origin::default())
    }

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("beeline-lab-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn records_come_back_as_they_were() {
        let path = folder("back").join("r.jsonl");
        let origin = Origin::default();
        let all = [record("a", "p", "solved", 0.5, 10), record("b", "q", "stopped", 1.0, 20)];
        let mut records = RecordFile::open(&path, &[], &origin).unwrap();
        for r in &all {
            records.add(r).unwrap();
        }
        assert!(matches!(RecordFile::open(&path, &[], &origin), Err(RecordError::Busy(_))));
        drop(records);
        assert_eq!(read(&path).unwrap(), all);
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }

    #[test]
    fn parts_are_read_with_the_records_and_nothing_twice() {
        let path = folder("parts").join("r.jsonl");
        let all = ["a", "b", "c"].map(|name| record(name, "p", "solved", 0.5, 10));
        let origin = Origin::default();
        for (number, records) in [("1/2", &all[..2]), ("2/2", &all[1..])] {
            let part = part_path(&path, number.parse().unwrap());
            let mut file = RecordFile::open(&part, &[], &origin).unwrap();
            for r in records {
                file.add(r).unwrap();
            }
        }
        std::fs::write(path.with_file_name("r.other.1-of-2.part"), "of another experiment").unwrap();
        assert_eq!(read(&path).unwrap(), all);
        assert!(parts(&path).iter().all(|part| records_of(part).as_ref() == Some(&path)));
        let records = RecordFile::open(&path, &read(&path).unwrap(), &origin).unwrap();
        assert_eq!(records.known.len(), 3);
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }

    #[test]
    fn a_line_cut_anywhere_costs_that_line_only() {
        let path = folder("cut").join("r.jsonl");
        let (a, b) = (record("ä", "p", "solved", 0.5, 10), record("ö", "p", "solved", 0.5, 11));
        let text = |r: &Record| serde_json::to_string(r).unwrap() + "\n";
        let (first, second) = (text(&a), text(&b));
        for cut in (0..second.len()).step_by(7) {
            let bytes = [first.as_bytes(), &second.as_bytes()[..cut]].concat();
            std::fs::write(&path, bytes).unwrap();
            let mut records = RecordFile::open(&path, &[], &Origin::default()).unwrap();
            assert_eq!(records.known.len(), 1, "cut at {cut}");
            records.add(&b).unwrap();
            drop(records);
            assert_eq!(read(&path).unwrap(), [a.clone(), b.clone()]);
        }
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }

    #[test]
    fn a_strange_line_is_told() {
        let error = parse(Path::new("r"), "{}\n").unwrap_err();
        assert!(error.to_string().contains("line 1"), "{error}");
    }
}
