//! Benchmarks that hold on a noisy machine: instruction counts, and ratios within one run.
//!
//! A benchmark is a list of jobs. `cargo bench` runs each job in this process for its time, and again under valgrind's
//! callgrind for its instructions (the count of an empty job is taken off). Where valgrind is missing, the table says so
//! and shows times only.

use std::process::{Command, Stdio};
use std::time::Instant;

/// Set in the child process that callgrind watches.
const JOB: &str = "BEELINE_BENCH_JOB";

/// Something to measure. The work returns how many units it did: nodes, states, look-ups.
pub struct Job {
    /// Its name in the table.
    pub name: &'static str,
    /// What is counted.
    pub unit: &'static str,
    /// The work, small enough for callgrind (fifty times slower than life).
    pub counted: fn() -> u64,
    /// The work at full size, for the clock; `None` times the same work.
    pub timed: Option<fn() -> u64>,
}

/// What a job took.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Units a second.
    pub rate: f64,
    /// Instructions a unit, where they could be counted.
    pub instructions: Option<f64>,
}

/// Measures every job and prints the table; in a child process, runs the one job that it was started for and exits.
pub fn measure(title: &str, jobs: &[Job]) -> Vec<Measured> {
    if let Ok(name) = std::env::var(JOB) {
        if let Some(job) = jobs.iter().find(|job| job.name == name) {
            std::hint::black_box((job.counted)());
        }
        std::process::exit(0);
    }
    println!("\n{title}");
    println!("{:<44} {:>14} {:>14} {:>12}", "job", "units", "units/s", "instr/unit");
    let idle = instructions("");
    if idle.is_none() {
        println!("(no instruction counts: valgrind is not here; on Debian: apt-get install valgrind)");
    }
    let mut all = Vec::new();
    for job in jobs {
        let work = job.timed.unwrap_or(job.counted);
        let clock = Instant::now();
        let units = std::hint::black_box(work());
        let rate = units as f64 / clock.elapsed().as_secs_f64();
        let count = idle.and_then(|idle| Some(instructions(job.name)?.saturating_sub(idle)));
        let instructions = count.map(|count| count as f64 / (job.counted)() as f64);
        let shown = instructions.map_or("-".to_owned(), |n| format!("{n:.2}"));
        println!("{:<44} {:>14} {:>14.0} {:>12}", format!("{} ({})", job.name, job.unit), units, rate, shown);
        all.push(Measured { rate, instructions });
    }
    all
}

/// Prints how two jobs compare, by instructions where they were counted, otherwise by time.
pub fn compare(what: &str, ours: &Measured, theirs: &Measured) {
    println!("{what}: {:.2}× the rate", ours.rate / theirs.rate);
    if let (Some(a), Some(b)) = (ours.instructions, theirs.instructions) {
        println!("{what}: {:.3}× the instructions a unit", a / b);
    }
}

/// The instructions of a whole run of this program for one job.
fn instructions(job: &str) -> Option<u64> {
    let program = std::env::current_exe().ok()?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .env(JOB, job)
        .stdout(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().find(|line| line.contains("Collected :"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}
