//! Impassable Gate: jobs, processor time, rates and bytes.
//!
//! `cargo bench --bench gate [FILTER]`. Jobs on the shipped boards always run; with `BEELINE_SUITES` set to the folder of
//! suites, those on `gate/course` and `gate/klotski` run too. Every plan is printed with its length, so that a changed result
//! shows beside a changed speed.

use std::time::Duration;

use beeline_puzzle::Kind;
use beeline_search::Budget;
use beeline_sliding::gate::Gate;
use beeline_sliding::gate::classic::{Algorithm, Options, report};
use timing::{processor, solved};

mod timing;

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
    let filter = timing::filter();
    for example in beeline_sliding::gate::KIND.examples() {
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
        let mut slowest = Duration::ZERO;
        for file in files {
            let name = format!("{folder}/{}", file.file_name().unwrap_or_default().to_string_lossy());
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            match Gate::parse(&text) {
                Ok(gate) if name.contains(&filter) => {
                    slowest = slowest.max(solved(&name, &gate, None, "steps", 1));
                    slowest = slowest.max(solved(&name, &gate, None, "moves", 1));
                    if folder == "course" {
                        solved(&name, &gate, None, "steps", 2);
                        solved(&name, &gate, None, "moves", 2);
                        solved(&name, &gate, Some("quick"), "steps", 1);
                    }
                    classic(&name, &gate, Algorithm::Width);
                }
                Ok(_) => {}
                Err(error) => println!("{name}: {error}"),
            }
        }
        println!("slowest shortest plan of {folder}: {:.2} ms cpu", slowest.as_secs_f64() * 1e3);
    }
}
