//! The lab and the generator: surviving records, skipped runs, errors with their place, tables, figures, a report.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use beeline_cli::commands::World;

use crate::harness::{Done, Folder, Runner, beeline};

const REAL: &str = env!("CARGO_BIN_EXE_beeline");

/// Many short runs.
const QUICK: &str = "name = 'quick'\nrepeats = 8\n[limits]\ntime = '20s'\n\
    [[suite]]\nname = 's'\nkind = 'gate'\nexamples = ['gate-first', 'gate-corner']\n\
    [[strategy]]\nname = 'two'\nwith = 'classic-2'\n[[strategy]]\nname = 'three'\nwith = 'classic-3'\n";
const RUNS: usize = 32;

/// One run that takes as long as it may.
const SLOW: &str = "name = 'slow'\n[limits]\ntime = '300s'\n[[suite]]\nname = 's'\nkind = 'tiles'\n\
    examples = ['tiles-korf-88']\n[[strategy]]\nname = 'a'\nwith = 'ids'\nlimits = { memory = '64M' }\n\
    [[strategy]]\nname = 'b'\nwith = 'idastar'\nheuristic = 'blind'\n";

fn lab(folder: &Folder, args: &[&str]) -> Output {
    Command::new(REAL).arg("lab").args(args).current_dir(&folder.0).output().expect("the lab")
}

fn start(folder: &Folder, args: &[&str]) -> Child {
    let mut command = Command::new(REAL);
    command.arg("lab").args(args).current_dir(&folder.0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the lab")
}

fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Waits until something holds; fails after a long time.
fn until(what: &str, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn an_array_of_parts_makes_every_run_once() {
    let folder = Folder::new("lab-array");
    folder.file("quick.toml", QUICK);
    // Twenty seconds, five of grace and one to start, 32 times: 832 seconds in bundles of five minutes.
    let said = text(&lab(&folder, &["run", "quick.toml", "--slurm", "--bundle", "5m"]).stdout);
    assert_eq!(
        said,
        "results/quick.sbatch: 32 runs in 3 jobs\nstart them with: sbatch results/quick.sbatch\n"
    );
    let mut said = Vec::new();
    // The script is a shell script and runs without Slurm. The second part runs twice, as after a lost node.
    for part in ["1", "2", "2", "3"] {
        let mut script = Command::new("bash");
        script.arg("results/quick.sbatch").env("SLURM_ARRAY_TASK_ID", part).current_dir(&folder.0);
        let done = script.output().expect("a shell");
        assert!(done.status.success(), "{}", text(&done.stderr));
        said.push(text(&done.stdout).split_once(": ").unwrap().1.split(" ·").next().unwrap().to_owned());
    }
    let again = "0 runs made, 11 were there";
    assert_eq!(
        said,
        ["11 runs made, 0 were there", "11 runs made, 0 were there", again, "10 runs made, 0 were there"]
    );
    let summary = lab(&folder, &["table", "--summary"]);
    assert!(summary.status.success(), "parts alone are records: {}", text(&summary.stderr));
    let done = text(&lab(&folder, &["run", "quick.toml"]).stdout);
    assert!(done.contains("0 runs made, 32 were there"), "{done}");
    let table = text(&lab(&folder, &["table", "results/quick.jsonl", "--summary", "--format", "csv"]).stdout);
    assert_eq!(table.lines().count(), 3, "a line for each strategy: {table}");
    assert_eq!(lab(&folder, &["run", "quick.toml", "--part", "4/3"]).status.code(), Some(30));
}

#[test]
fn records_survive_a_kill_and_are_not_made_twice() {
    let folder = Folder::new("lab-kill");
    folder.file("quick.toml", QUICK);
    let path = folder.0.join("results/quick.jsonl");
    for wanted in [1, 9, 17] {
        let mut child = start(&folder, &["run", "quick.toml"]);
        until("some records", || lines(&path).len() >= wanted || lines(&path).len() >= RUNS);
        child.kill().expect("it runs");
        child.wait().expect("it ends");
    }
    let before: Vec<String> = {
        let raw = std::fs::read_to_string(&path).expect("records");
        let whole = raw.rfind('\n').map_or(0, |end| end + 1);
        raw[..whole].lines().map(str::to_owned).collect()
    };
    let done = lab(&folder, &["run", "quick.toml"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let said = text(&done.stdout);
    let made = RUNS - before.len();
    let runs = if made == 1 { "run" } else { "runs" };
    assert!(said.contains(&format!("{made} {runs} made, {} were there", before.len())), "{said}");
    let after = lines(&path);
    assert_eq!(after.len(), RUNS);
    assert_eq!(after[..before.len()], before, "what was there stays as it was");
    let mut keys: Vec<&str> = after.iter().filter_map(|l| l.split("\"key\":\"").nth(1)?.get(..16)).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), RUNS, "no run is there twice");
    let again = lab(&folder, &["run", "quick.toml"]);
    assert!(
        text(&again.stdout).contains(&format!("0 runs made, {RUNS} were there")),
        "{}",
        text(&again.stdout)
    );
    let fresh = lab(&folder, &["run", "quick.toml", "--fresh", "--jobs", "2"]);
    assert!(text(&fresh.stdout).contains(&format!("{RUNS} runs made")), "{}", text(&fresh.stdout));
}

/// The child processes of a process.
#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for task in std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten() {
        let list = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        found.extend(list.split_whitespace().filter_map(|n| n.parse::<u32>().ok()));
    }
    found
}

#[cfg(target_os = "linux")]
fn alive(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // A process that has exited counts as over even if nobody has waited for it.
    stat.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.trim().starts_with('Z'))
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_ends_with_the_lab_that_started_it() {
    let folder = Folder::new("lab-orphan");
    folder.file("slow.toml", SLOW);
    let mut parent = start(&folder, &["run", "slow.toml", "--jobs", "2"]);
    until("both runs", || children(parent.id()).len() == 2);
    let started = children(parent.id());
    parent.kill().expect("it runs");
    parent.wait().expect("it ends");
    until("the runs to end", || started.iter().all(|&p| !alive(p)));
}

#[test]
fn a_mistake_in_a_spec_gets_a_caret() {
    let folder = Folder::new("lab-mistake");
    for (from, to, says) in [
        ("'classic-2'", "'clasic-2'", "did you mean 'classic-2'?"),
        ("'gate-first'", "'gate-frist'", "did you mean 'gate-first'?"),
        ("'20s'", "'20 parsecs'", "unit of time"),
        ("repeats = 8", "repeats = [", "expected"),
    ] {
        let path = folder.file("bad.toml", QUICK.replace(from, to));
        let done = beeline(&["lab", "run", &path]);
        assert_eq!(done.code, 31, "{}", done.err);
        assert!(
            done.err.contains("bad.toml:") && done.err.contains('━') && done.err.contains(says),
            "{}",
            done.err
        );
    }
    let done = beeline(&["lab", "run", "nowhere.toml"]);
    assert!(done.code == 31 && done.err.contains("nowhere.toml"), "{}", done.err);
}

/// A folder with records in it.
fn recorded(name: &str) -> (Folder, PathBuf) {
    let folder = Folder::new(name);
    folder.file("quick.toml", QUICK.replace("repeats = 8\n", "report = 'gate'\n"));
    let done = lab(&folder, &["run", "quick.toml", "--jobs", "2"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let records = folder.0.join("results/quick.jsonl");
    (folder, records)
}

#[test]
fn records_become_tables_figures_and_a_report() {
    let (folder, records) = recorded("lab-tables");
    let file = records.to_str().expect("a plain path");
    let table = |more: &[&str]| beeline(&[&["lab", "table", file], more].concat());
    let csv = table(&[
        "--columns",
        "instance,strategy,steps,expanded,generated,auxiliary,width",
        "--format",
        "csv",
    ]);
    assert_eq!(
        csv.out,
        "instance,strategy,steps,expanded,generated,auxiliary,width\n\
         gate-first,two,9,658,886,28829,\ngate-first,three,10,463,516,20161,2\n\
         gate-corner,two,10,1142,1468,48190,\ngate-corner,three,13,480,535,23611,2\n"
    );
    assert!(table(&["--summary", "--format", "latex"]).out.contains("\\begin{tabular}"));
    assert!(table(&["--versus", "two,three", "--metric", "generated"]).out.contains("geometric mean"));
    assert!(table(&["--columns", "list"]).out.contains("auxiliary"));
    let unknown = table(&["--columns", "expandet"]);
    assert!(unknown.code == 30 && unknown.err.contains("did you mean 'expanded'"), "{}", unknown.err);
    let plot = |more: &[&str]| beeline(&[&["lab", "plot", file], more].concat());
    assert!(plot(&["--x", "steps", "--y", "generated"]).out.contains("generated nodes"));
    assert!(plot(&["--cactus", "--y", "seconds"]).out.contains("puzzles answered"));
    for name in ["f.svg", "f.png"] {
        let path = folder.0.join(name);
        let done = plot(&["--versus", "two,three", "-o", path.to_str().expect("plain")]);
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(std::fs::metadata(path).expect("the figure").len() > 1000);
    }
    assert_eq!(plot(&["-o", "f.gif"]).code, 30);
    for name in ["r.html", "r.md"] {
        let path = folder.0.join(name);
        let done = beeline(&["lab", "report", file, "-o", path.to_str().expect("plain")]);
        assert_eq!(done.code, 0, "{}", done.err);
        let report = std::fs::read_to_string(path).expect("the report");
        assert!(
            report.contains("Which time growth do the data show") && report.contains("too few for a fit")
        );
    }
    assert!(folder.0.join("r/figure-07.svg").exists());
}

#[test]
fn no_records_is_told() {
    let folder = Folder::new("lab-none");
    let done = lab(&folder, &["report"]);
    assert_eq!(done.status.code(), Some(31));
    assert!(text(&done.stderr).contains("there are no records"), "{}", text(&done.stderr));
}

/// Runs `make` with the real puzzles.
fn make(args: &[&str]) -> Done {
    Runner { world: World::default(), ..Runner::default() }.run(&[&["make"], args].concat())
}

#[test]
fn puzzles_are_made_and_can_be_piped() {
    let made = make(&["flow", "--size", "5", "--seed", "3"]);
    assert_eq!(made.code, 0, "{}", made.err);
    assert_eq!(made.out, make(&["flow", "--size", "5", "--seed", "3"]).out);
    let solved = Runner { world: World::default(), input: made.out.into_bytes(), ..Runner::default() };
    assert_eq!(solved.run(&["solve", "-", "--quiet"]).code, 0);
    let json = make(&["tiles", "--size", "3", "--distance", "12", "--json"]);
    assert!(json.out.contains("\"verdict\":\"solved\",\"cost\":12,\"steps\":12"), "{}", json.out);
    let never = make(&["gate", "--unsolvable", "--size", "7x6", "--pieces", "3", "--json"]);
    assert!(never.out.contains("\"verdict\":\"unsolvable\",\"cost\":null"), "{}", never.out);
    let folder = Folder::new("make");
    let out = folder.0.to_str().expect("plain");
    let many = make(&["bricks", "--count", "3", "--size", "6x5", "--pieces", "4", "--out", out]);
    assert!(many.code == 0 && many.err.contains("3 puzzles, all solvable"), "{}", many.err);
    assert_eq!(std::fs::read_dir(&folder.0).expect("the folder").count(), 3);
}

#[test]
fn what_cannot_be_made_is_told() {
    assert!(make(&["gate", "--count", "2"]).err.contains("--out FOLDER"));
    assert_eq!(make(&["flow", "--distance", "3"]).code, 32);
    assert!(make(&["flwo"]).err.contains("did you mean 'flow'"));
    let toy = beeline(&["make", "toy"]);
    assert!(toy.code == 32 && toy.err.contains("no toy can be made"), "{}", toy.err);
}

/// The same seed makes the same bytes. Rows made before a limit are in the file.
#[test]
fn data_to_learn_from_is_the_same_for_the_same_seed() {
    let folder = Folder::new("data");
    let recipe = ["tiles", "--size", "3", "--distance", "6", "--count", "2", "--seed", "4", "--solve"];
    let printed = make(&recipe);
    assert_eq!((printed.code, printed.out.lines().count()), (0, 2), "{}", printed.err);
    for line in printed.out.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!((&row["schema"], &row["cost"]), (&"beeline-data/1".into(), &6.into()));
        assert_eq!(row["distances"], serde_json::json!([6, 5, 4, 3, 2, 1, 0]));
        assert_eq!(row["tried"].as_array().map(Vec::len), row["tried_distance"].as_array().map(Vec::len));
    }
    let file = |name: &str| {
        let path = folder.0.join(name);
        let done = make(&[&recipe[..], &["--out", path.to_str().unwrap()]].concat());
        assert_eq!((done.code, done.out.as_str()), (0, ""), "{}", done.err);
        std::fs::read(path).unwrap()
    };
    assert_eq!(file("a.jsonl"), printed.out.as_bytes());
    assert_eq!(file("a.parquet"), file("b.parquet"));
    let wrong = make(&[&recipe[..], &["--out", "data.csv"]].concat());
    assert!(wrong.code == 30 && wrong.err.contains("data.jsonl or data.parquet"), "{}", wrong.err);
    let path = folder.0.join("short.jsonl");
    let limited = ["tiles", "--size", "3", "--count", "1000000", "--nodes", "3000", "--solve", "--out"];
    let limited = make(&[&limited[..], &[path.to_str().unwrap()]].concat());
    assert_eq!(limited.code, 22, "{}", limited.err);
    assert!(std::fs::read_to_string(path).unwrap().ends_with("}\n"), "the rows before the limit are there");
}

#[test]
fn making_takes_limits_and_keeps_what_was_made() {
    let real = |args: &[&str]| Runner { world: World::default(), ..Runner::default() }.run(args);
    let make = ["make", "gate", "--size", "7x6", "--pieces", "3", "--json"];
    let first = real(&make);
    assert_eq!((first.code, first.out.lines().count()), (0, 1), "{}", first.err);
    for (limit, code) in [("--time=0ms", 20), ("--memory=1", 21), ("--nodes=1", 22)] {
        let done = real(&[&make[..], &[limit]].concat());
        assert_eq!((done.code, done.out.as_str()), (code, ""), "{limit}: {}", done.err);
        assert!(done.err.contains("0 of 1 puzzle were made"), "{limit}: {}", done.err);
    }
    // No machine makes this many within the limit. The finished ones are in the file and the same as without a limit.
    let some = real(&[&make[..], &["--count", "1000000", "--nodes", "30k"]].concat());
    assert_eq!(some.code, 22, "{}", some.err);
    let made = some.out.lines().count();
    assert!(made > 1 && some.out.starts_with(&first.out), "{made}");
    assert!(some.err.contains(&format!("{made} of 1,000,000 puzzles were made")), "{}", some.err);
}
