//! Impassable Gate: jobs, processor time, rates and bytes.
//!
//! `cargo bench --bench gate [FILTER]`. Jobs on the shipped boards always run; with `BEELINE_SUITES` set to the folder of
//! suites, those on `gate/course` and `gate/klotski` run too. Every plan is printed with its length, so that a change of
//! results shows beside a change of speed.

use std::time::Duration;

use beeline_puzzle::{Job, Kind, Puzzle};
use beeline_search::{Budget, Verdict};
use beeline_sliding::gate::Gate;
use beeline_sliding::gate::classic::{Algorithm, Options, report};

/// Processor time of this thread so far (of several threads, the first one's share).
fn processor() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0))
}

fn solved(name: &str, gate: &Gate, strategy: Option<&str>, objective: &str, threads: usize) {
    let mut job = Job {
        strategy: strategy.map(str::to_owned),
        objective: Some(objective.to_owned()),
        ..Job::default()
    };
    job.settings.threads = threads;
    let before = processor();
    let wall = std::time::Instant::now();
    let outcome = match gate.solve(&job, &Budget::default(), &mut ()) {
        Ok(outcome) => outcome,
        Err(why) => return println!("{name:<22} {why}"),
    };
    let took = processor().saturating_sub(before);
    let length = match &outcome.verdict {
        Verdict::Solved(s) => s.cost.to_string(),
        other => format!("{other:?}"),
    };
    let s = &outcome.stats;
    println!(
        "{name:<22} {:<8} {objective:<6} {threads} {length:>10} {:>9} expanded {:>10} made {:>9.2} ms cpu {:>9.2} ms wall {:>6.2} M states/s {:>8.2} MB",
        strategy.unwrap_or("best"),
        s.expanded,
        s.generated,
        took.as_secs_f64() * 1e3,
        wall.elapsed().as_secs_f64() * 1e3,
        s.expanded as f64 / took.as_secs_f64() / 1e6,
        s.bytes as f64 / 1e6,
    );
}

fn classic(name: &str, gate: &Gate, algorithm: Algorithm) {
    let before = processor();
    // An unsolvable board would go through every width.
    let budget = Budget { nodes: Some(2_000_000), ..Budget::default() };
    let r = report(gate, Options { algorithm, ..Options::default() }, &budget);
    let took = processor().saturating_sub(before);
    println!(
        "{name:<22} {algorithm:?} IW({}) steps {} E {} G {} D {} aux {} {:.2} ms cpu {:.2} MB",
        r.width,
        r.plan.len(),
        r.expanded,
        r.generated,
        r.duplicated,
        r.auxiliary,
        took.as_secs_f64() * 1e3,
        r.bytes as f64 / 1e6
    );
}

fn main() {
    let filter = std::env::args().skip(1).find(|a| !a.starts_with('-')).unwrap_or_default();
    for example in beeline_sliding::gate::GateKind.examples() {
        let Ok(gate) = Gate::parse(example.text) else { continue };
        if example.name.contains(&filter) {
            solved(example.name, &gate, None, "steps", 1);
            solved(example.name, &gate, None, "moves", 1);
            classic(example.name, &gate, Algorithm::Width);
        }
    }
    let Some(suites) = std::env::var_os("BEELINE_SUITES").map(std::path::PathBuf::from) else {
        println!("BEELINE_SUITES is not set: the jobs on the suites are left out");
        return;
    };
    for folder in ["course", "klotski"] {
        let mut files: Vec<_> = std::fs::read_dir(suites.join("gate").join(folder))
            .map(|dir| dir.filter_map(Result::ok).map(|f| f.path()).collect())
            .unwrap_or_default();
        files.sort();
        for file in files {
            let name = format!("{folder}/{}", file.file_name().unwrap_or_default().to_string_lossy());
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            match Gate::parse(&text) {
                Ok(gate) if name.contains(&filter) => {
                    solved(&name, &gate, None, "steps", 1);
                    if folder == "course" {
                        solved(&name, &gate, None, "steps", 2);
                        solved(&name, &gate, None, "moves", 2);
                    }
                    solved(&name, &gate, None, "moves", 1);
                    classic(&name, &gate, Algorithm::Width);
                }
                Ok(_) => {}
                Err(error) => println!("{name}: {error}"),
            }
        }
    }
}
