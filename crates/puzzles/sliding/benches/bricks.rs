//! Sliding bricks: jobs, processor time, rates and bytes.
//!
//! `cargo bench --bench bricks [FILTER [OBJECTIVE [THREADS]]]`. With an objective, only that job runs. Otherwise jobs on the
//! shipped boards always run; with `BEELINE_SUITES` set to the folder of suites, those on `bricks/levels` and `bricks/classics`
//! run too (the largest only if the filter names them). Every plan is printed with its length, so that a changed result shows
//! beside a changed speed.

use std::path::Path;

use beeline_puzzle::Kind;
use beeline_sliding::Metric;
use beeline_sliding::bricks::{Bricks, KIND, space};
use timing::{budget, processor, solved};

mod timing;

fn counted(name: &str, bricks: &Bricks) {
    let before = processor();
    let census = space::census(bricks, Metric::Steps, false, &budget(), &mut |_| {});
    let took = processor().saturating_sub(before);
    if let Some(Ok(census)) = census {
        println!(
            "{name:<28} space  1 {:>10} states {} solved {} deep {:.2} ms cpu",
            census.layers.iter().sum::<u64>(),
            census.goals,
            census.layers.len() - 1,
            took.as_secs_f64() * 1e3
        );
    }
}

/// One job selected by name, repeated in alternation with whatever it is compared with.
fn one(name: &str, bricks: &Bricks, objective: &str) {
    let threads = timing::argument(2).and_then(|n| n.parse().ok()).unwrap_or(1);
    match objective {
        "space" => counted(name, bricks),
        objective => {
            solved(name, bricks, None, objective, threads);
        }
    }
}

fn folder(path: &Path, filter: &str) {
    /// Boards with tens of millions of states and more.
    const LARGE: [&str; 7] =
        ["lodzianka", "pelopones", "shark", "transeuropa", "american-pie", "ithaca", "sunshine"];
    let mut files: Vec<_> = std::fs::read_dir(path)
        .map(|dir| dir.filter_map(Result::ok).map(|f| f.path()).collect())
        .unwrap_or_default();
    files.sort();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let large = LARGE.iter().any(|l| name.contains(l));
        if !name.contains(filter) || large && filter.is_empty() {
            continue;
        }
        match Bricks::parse(&std::fs::read_to_string(&file).unwrap_or_default()) {
            Ok(bricks) => {
                if let Some(objective) = timing::argument(1) {
                    one(&name, &bricks, &objective);
                    continue;
                }
                solved(&name, &bricks, None, "steps", 1);
                solved(&name, &bricks, None, "moves", 1);
                if !large {
                    solved(&name, &bricks, None, "lines", 1);
                    counted(&name, &bricks);
                }
            }
            Err(error) => println!("{name}: {error}"),
        }
    }
}

fn main() {
    let filter = timing::filter();
    for example in KIND.examples().iter().filter(|e| e.name.contains(&filter)) {
        let Ok(bricks) = Bricks::parse(example.text) else { continue };
        if let Some(objective) = timing::argument(1) {
            one(example.name, &bricks, &objective);
            continue;
        }
        for objective in ["steps", "moves", "lines"] {
            solved(example.name, &bricks, None, objective, 1);
        }
        solved(example.name, &bricks, None, "steps", 2);
        counted(example.name, &bricks);
    }
    let Some(suites) = std::env::var_os("BEELINE_SUITES").map(std::path::PathBuf::from) else {
        println!("BEELINE_SUITES is not set: the jobs on the suites are left out");
        return;
    };
    folder(&suites.join("bricks/levels"), &filter);
    folder(&suites.join("bricks/classics/ext"), &filter);
}
