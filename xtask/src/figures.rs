//! Measures whole commands on files, as users run them: processor time and memory of the process.
//!
//! Jobs and peers take turns, run after run, so that other load on the machine affects all of them alike. The median of each is
//! printed. A peer is any command: `--peer 'tiles cached=slidy solve FILE'` replaces `FILE` by the job's file. Jobs on public
//! collections run if `BEELINE_SUITES` names their folder. `--write` puts the table into docs/performance.md.

#![allow(unsafe_code)] // only `wait4` reports the usage of one child

use std::fmt::Write as _;
use std::fs;
use std::mem::MaybeUninit;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::step::{cargo, root, show, target};

/// Runs of each job if `--runs` is not given.
const RUNS: usize = 5;

/// A command to measure on a file.
struct Job {
    name: &'static str,
    /// The program and its arguments; `FILE` stands for the file.
    command: &'static str,
    /// The content of the file.
    file: Source,
    /// The content of the table cache before each run.
    cache: Cache,
}

/// Where the puzzles of a job come from.
#[derive(Clone, Copy)]
enum Source {
    /// The command names a shipped puzzle or reads none.
    None,
    /// The text that a function builds.
    Text(fn() -> String),
    /// The output of `beeline make` for each of these arguments, concatenated.
    Made(&'static [&'static str]),
    /// A file of the public collections.
    Suite(&'static str),
}

/// The table cache before a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cache {
    Empty,
    /// It holds these tables.
    Holds(&'static str),
}

const JOBS: &[Job] = &[
    job("start", "beeline --version", Source::None),
    job("15-puzzle, one move", "beeline solve FILE -q", Source::Text(one_move)),
    job("15-puzzle, 40 random boards", "beeline solve FILE -q --threads 1", Source::Text(fifteens)),
    job(
        "15-puzzle, 40 random boards, 6-6-3 in the cache",
        "beeline solve FILE -q --threads 1",
        Source::Text(fifteens),
    )
    .with("6-6-3"),
    job("15-puzzle, Korf's 100", "beeline solve FILE -q --threads 1", Source::Suite("tiles/korf100.tsv")),
    job(
        "15-puzzle, Korf's 100, 6-6-3 in the cache",
        "beeline solve FILE -q --threads 1",
        Source::Suite("tiles/korf100.tsv"),
    )
    .with("6-6-3"),
    job(
        "15-puzzle, Korf's 100, 7-8 in the cache",
        "beeline solve FILE -q --threads 1",
        Source::Suite("tiles/korf100.tsv"),
    )
    .with("7-8"),
    job("all boards of 3 x 4 tiles", "beeline tiles space 3x4", Source::None),
    job("flow, 4,800 levels of 5 x 5 to 14 x 14", "beeline solve FILE -q", Source::Made(LEVELS)),
    job("klotski, fewest moves", "beeline solve bricks-klotski --objective moves -q", Source::None),
    job(
        "impassable 3, IW(3) with the classic report",
        "gate -s FILE",
        Source::Suite("gate/course/impassable3"),
    ),
    job(
        "impassable 3, fewest steps",
        "beeline solve FILE -q --threads 1",
        Source::Suite("gate/course/impassable3"),
    ),
    job(
        "sokoban, 20 made levels, fewest moves",
        "beeline solve FILE -q",
        Source::Made(&["sokoban --count 20 --seed 1"]),
    ),
    job(
        "sokoban, Microban I, any plan",
        "beeline solve FILE -q --objective any --threads 1",
        Source::Suite("sokoban/collections/Microban_155.xsb"),
    ),
];

/// For each size of the app, 480 levels.
const LEVELS: &[&str] = &[
    "flow --size 5 --count 480 --seed 1",
    "flow --size 6 --count 480 --seed 1",
    "flow --size 7 --count 480 --seed 1",
    "flow --size 8 --count 480 --seed 1",
    "flow --size 9 --count 480 --seed 1",
    "flow --size 10 --count 480 --seed 1",
    "flow --size 11 --count 480 --seed 1",
    "flow --size 12 --count 480 --seed 1",
    "flow --size 13 --count 480 --seed 1",
    "flow --size 14 --count 480 --seed 1",
];

/// A job that starts with an empty cache.
const fn job(name: &'static str, command: &'static str, file: Source) -> Job {
    Job { name, command, file, cache: Cache::Empty }
}

impl Job {
    /// The same job, with these tables in the cache.
    const fn with(self, tables: &'static str) -> Self {
        Self { cache: Cache::Holds(tables), ..self }
    }
}

impl Source {
    /// The puzzles; `None` if the collections are not available.
    fn read(self, bin: &Path) -> Result<Option<String>, String> {
        match self {
            Self::None => Ok(Some(String::new())),
            Self::Text(text) => Ok(Some(text())),
            Self::Made(each) => {
                let made: Result<Vec<String>, String> = each.iter().map(|what| made(bin, what)).collect();
                Ok(Some(made?.join(
                    "
",
                )))
            }
            Self::Suite(name) => {
                let Some(folder) = std::env::var_os("BEELINE_SUITES") else { return Ok(None) };
                let path = Path::new(&folder).join(name);
                let text = fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
                Ok(Some(String::from_utf8_lossy(&text).into_owned()))
            }
        }
    }
}

/// The costs of a run.
#[derive(Clone, Copy)]
pub(crate) struct RunCost {
    /// Wall time.
    pub(crate) wall: Duration,
    /// Processor time of the command and its children.
    pub(crate) cpu: Duration,
    /// Peak resident bytes.
    bytes: u64,
}

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let value = |name: &str| args.iter().position(|a| a == name).and_then(|i| args.get(i + 1));
    let runs = value("--runs").map_or(Ok(RUNS), |n| n.parse()).map_err(|e| format!("--runs: {e}"))?;
    let only = value("--only").map_or("", String::as_str);
    let peers: Vec<(&str, &str)> = args
        .windows(2)
        .filter(|pair| pair[0] == "--peer")
        .filter_map(|pair| pair[1].split_once('='))
        .collect();
    let bin = built()?;
    let folder = std::env::temp_dir().join(format!("beeline-figures-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    let mut table =
        String::from("| job | command | CPU | peak memory | ours / peer |\n|---|---|---|---|---|\n");
    for job in JOBS.iter().filter(|job| job.name.contains(only)) {
        let Some(puzzles) = job.file.read(&bin)? else {
            eprintln!("{}: not run, because BEELINE_SUITES is not set", job.name);
            continue;
        };
        let file = folder.join("puzzles.txt");
        fs::write(&file, puzzles).map_err(|e| format!("cannot write {}: {e}", file.display()))?;
        let mut rivals = vec![job.command];
        rivals.extend(peers.iter().filter(|(name, _)| *name == job.name).map(|(_, command)| *command));
        let mut took = vec![Vec::new(); rivals.len()];
        for _ in 0..runs.max(1) {
            for (rival, took) in rivals.iter().zip(&mut took) {
                let cache = folder.join("cache");
                prepare(job.cache, &bin, &cache)?;
                took.push(measure(rival, &bin, &file, &cache)?);
            }
        }
        let medians = took.into_iter().map(|mut took| {
            took.sort_by_key(|took| took.cpu);
            took[took.len() / 2]
        });
        let mut ours = None;
        for (rival, RunCost { cpu, bytes, .. }) in rivals.iter().zip(medians) {
            let mebibytes = bytes as f64 / f64::from(1 << 20);
            let cpu = cpu.as_secs_f64();
            let ratio = ours.map_or(String::new(), |ours: f64| format!("{:.2}", ours / cpu));
            ours = ours.or(Some(cpu));
            let line = format!(
                "| {} | `{rival}` | {:.1} ms | {mebibytes:.1} MiB | {ratio} |\n",
                job.name,
                1000.0 * cpu
            );
            eprint!("{line}");
            table.push_str(&line);
        }
    }
    fs::remove_dir_all(&folder).map_err(|e| format!("cannot remove {}: {e}", folder.display()))?;
    println!("{table}");
    if args.iter().any(|arg| arg == "--write") { write_page(&table) } else { Ok(()) }
}

/// Replaces the table in docs/performance.md.
fn write_page(table: &str) -> Result<(), String> {
    const BEGIN: &str = "<!-- cargo xtask figures -->\n";
    const END: &str = "<!-- end -->";
    let path = root().join("docs/performance.md");
    let page = fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    let places = page.find(BEGIN).zip(page.find(END)).filter(|(begin, end)| begin < end);
    let (begin, end) = places.ok_or("docs/performance.md has no place for the table")?;
    let page = format!("{}{BEGIN}{table}{}", &page[..begin], &page[end..]);
    fs::write(&path, page).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

/// The folder of the built commands.
fn built() -> Result<PathBuf, String> {
    show("build", cargo().args(["build", "--release", "--package", "beeline-cli", "--bins"]))?;
    Ok(target().join("release"))
}

/// Prepares the cache folder for a job.
fn prepare(wanted: Cache, bin: &Path, cache: &Path) -> Result<(), String> {
    match wanted {
        Cache::Empty if cache.exists() => fs::remove_dir_all(cache).map_err(|e| e.to_string()),
        Cache::Empty => Ok(()),
        Cache::Holds(tables) => {
            let mut command = Command::new(bin.join("beeline"));
            command
                .args(["tiles", "tables", "build", tables])
                .env("BEELINE_CACHE", cache)
                .stdout(Stdio::null());
            let status = command.status().map_err(|e| e.to_string())?;
            if status.success() {
                Ok(())
            } else {
                Err(format!("the tables {tables} were not built: {status}"))
            }
        }
    }
}

/// Runs a command to its end.
fn measure(command: &str, bin: &Path, file: &Path, cache: &Path) -> Result<RunCost, String> {
    let mut words = command.split_whitespace();
    let program = words.next().ok_or("an empty command")?;
    let own = bin.join(program);
    let mut process = Command::new(if own.is_file() { own.as_os_str() } else { program.as_ref() });
    process.args(words.map(|word| if word == "FILE" { file.as_os_str() } else { word.as_ref() }));
    process.env("BEELINE_CACHE", cache).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    wait(&mut process)
}

/// Runs a command and returns its costs.
pub(crate) fn wait(command: &mut Command) -> Result<RunCost, String> {
    let clock = Instant::now();
    #[allow(clippy::zombie_processes)] // `wait4` below waits for it
    let child = command.spawn().map_err(|e| format!("{command:?}: {e}"))?;
    let (mut status, mut usage) = (0, MaybeUninit::<libc::rusage>::zeroed());
    // SAFETY: the child is ours and no other thread waits for it; both pointers are valid.
    let ended = unsafe { libc::wait4(child.id() as libc::pid_t, &raw mut status, 0, usage.as_mut_ptr()) };
    if ended < 0 || status != 0 {
        return Err(format!("{command:?}: ended with {}", ExitStatus::from_raw(status)));
    }
    // SAFETY: an all-zero `rusage` is valid, and the system has filled it.
    let usage = unsafe { usage.assume_init() };
    let time = |t: libc::timeval| Duration::new(t.tv_sec as u64, 1000 * t.tv_usec as u32);
    Ok(RunCost {
        wall: clock.elapsed(),
        cpu: time(usage.ru_utime) + time(usage.ru_stime),
        bytes: 1024 * usage.ru_maxrss as u64,
    })
}

/// The output of `beeline make`.
fn made(bin: &Path, what: &str) -> Result<String, String> {
    let mut command = Command::new(bin.join("beeline"));
    command.arg("make").args(what.split(' '));
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A 15-puzzle one move from its goal.
fn one_move() -> String {
    "1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n".to_owned()
}

/// Forty solvable random boards of the 15-puzzle, one per line, always the same.
fn fifteens() -> String {
    const COUNT: usize = 40;
    let mut state = 1u64;
    let mut below = |n: usize| {
        // Knuth's linear congruential generator. Only its upper bits are random enough.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut text = String::new();
    while text.lines().count() < COUNT {
        let mut cells: Vec<usize> = (0..16).collect();
        for i in (1..16).rev() {
            cells.swap(i, below(i + 1));
        }
        let blank = cells.iter().position(|&tile| tile == 0).unwrap_or(0);
        let tiles: Vec<usize> = cells.iter().copied().filter(|&tile| tile != 0).collect();
        let inversions: usize =
            (0..15).map(|i| tiles[i + 1..].iter().filter(|&&later| later < tiles[i]).count()).sum();
        // The goal has the blank first, so each row of the blank below the top changes the parity once.
        if (inversions + blank / 4).is_multiple_of(2) {
            let words: Vec<String> = cells.iter().map(ToString::to_string).collect();
            let _ = writeln!(text, "{}", words.join(" "));
        }
    }
    text
}
