//! Benchmarks that hold on a noisy machine: instruction counts, and ratios within one run.
//!
//! A benchmark is a list of jobs. `cargo bench` runs each job in this process for its time, and again under valgrind's
//! callgrind for its instructions (minus those of an empty job). Without valgrind the table says so and shows only times. Times
//! are processor times of the thread where the system reports them (Linux), elsewhere wall times.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Rounds in which each job is timed, alternating with the other jobs of its table. The best time counts: it is the least
/// disturbed.
const ROUNDS: usize = 3;

/// Set in the child process that callgrind watches.
const JOB: &str = "BEELINE_BENCH_JOB";

/// Something to measure. The work returns how many units it did: nodes, states, look-ups.
pub struct Job {
    /// Its name in the table; no two jobs of a program share one.
    pub name: &'static str,
    /// What is counted.
    pub unit: &'static str,
    /// The work, small enough for callgrind (fifty times slower than native); `None` where instructions say nothing.
    pub counted: Option<fn() -> u64>,
    /// The work at full size, for the clock.
    pub timed: fn() -> Timing,
}

/// Units done, and how long they took.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Units.
    pub units: u64,
    /// Time on the processor.
    pub took: Duration,
}

/// The figures of a job.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Units a second.
    pub rate: f64,
    /// Instructions per unit, if valgrind counted them.
    pub instructions: Option<f64>,
}

/// Times work that returns its units.
pub fn time(work: impl FnOnce() -> u64) -> Timing {
    let (wall, before) = (Instant::now(), on_processor());
    let units = std::hint::black_box(work());
    let on = before.zip(on_processor()).and_then(|(before, after)| after.checked_sub(before));
    let took = on.filter(|on| !on.is_zero()).unwrap_or_else(|| wall.elapsed());
    Timing { units, took }
}

/// Processor time of this thread so far, if the system reports it.
fn on_processor() -> Option<Duration> {
    // The system updates the count when it schedules the thread.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Measures every job and prints the table. A child process runs the one job that it was started for and exits. If that job
/// belongs to another list, it returns no results.
pub fn measure(title: &str, jobs: &[Job]) -> Vec<Measured> {
    if let Ok(name) = std::env::var(JOB) {
        if let Some(work) = jobs.iter().find(|job| job.name == name).and_then(|job| job.counted) {
            std::hint::black_box(work());
            std::process::exit(0);
        }
        return Vec::new();
    }
    println!("\n{title}");
    println!("{:<44} {:>14} {:>14} {:>12}", "job", "units", "units/s", "instr/unit");
    let idle = instructions("");
    if idle.is_none() {
        println!("(no instruction counts: valgrind is not here; on Debian: apt-get install valgrind)");
    }
    let mut best: Vec<Timing> = jobs.iter().map(|job| (job.timed)()).collect();
    for _ in 1..ROUNDS {
        for (best, job) in best.iter_mut().zip(jobs) {
            let again = (job.timed)();
            best.took = best.took.min(again.took);
        }
    }
    let mut all = Vec::new();
    for (job, Timing { units, took }) in jobs.iter().zip(best) {
        let rate = units as f64 / took.as_secs_f64();
        let instructions = idle.zip(job.counted).and_then(|(idle, counted)| {
            let count = instructions(job.name)?.saturating_sub(idle);
            Some(count as f64 / counted() as f64)
        });
        let shown = instructions.map_or("-".to_owned(), |n| format!("{n:.2}"));
        println!("{:<44} {:>14} {:>14.0} {:>12}", format!("{} ({})", job.name, job.unit), units, rate, shown);
        all.push(Measured { rate, instructions });
    }
    all
}

/// Prints the ratio of two jobs, by instructions if counted, otherwise by time.
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
