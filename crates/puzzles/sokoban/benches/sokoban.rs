//! Sokoban: jobs, CPU time, rates and bytes, as a table.
//!
//! The classic search runs on a level drawn here. The collections are taken from the folder `BEELINE_SUITES` (with
//! `sokoban/collections/*.xsb` in it); without it those jobs say so and are left out. `BEELINE_SECONDS` is the limit a
//! level, 20 unless told.

use std::path::{Path, PathBuf};
use std::time::Duration;

use beeline_search::{Budget, Outcome, Verdict};
use beeline_sokoban::classic::{self, Corners};
use beeline_sokoban::solve::{Objective, best};
use beeline_sokoban::{Level, any, text};

/// CPU seconds of this thread; wall seconds where the system does not tell.
fn cpu() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|line| line.split(' ').next().and_then(|n| n.parse::<f64>().ok()));
    nanoseconds.unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(0.0, |d| d.as_secs_f64() * 1e9)
    }) / 1e9
}

struct Row {
    solved: usize,
    levels: usize,
    seconds: f64,
    expanded: u64,
    worst_bytes: f64,
    failed: Vec<usize>,
}

fn run<M>(levels: &[Level], solve: impl Fn(&Level) -> Outcome<M>) -> Row {
    let mut row = Row {
        solved: 0,
        levels: levels.len(),
        seconds: 0.0,
        expanded: 0,
        worst_bytes: 0.0,
        failed: Vec::new(),
    };
    for (i, level) in levels.iter().enumerate() {
        let before = cpu();
        let outcome = solve(level);
        if matches!(outcome.verdict, Verdict::Solved(_)) {
            row.solved += 1;
            row.seconds += cpu() - before;
        } else {
            row.failed.push(i + 1);
        }
        row.expanded += outcome.stats.expanded;
        if outcome.stats.stored > 100_000 {
            row.worst_bytes = row.worst_bytes.max(outcome.stats.bytes_per_state().unwrap_or(0.0));
        }
    }
    row
}

fn print(name: &str, row: &Row) {
    println!(
        "{name:<34} {:>4}/{:<4} {:>9.2} s {:>12} expanded {:>6.1} bytes a state at worst; not solved: {:?}",
        row.solved, row.levels, row.seconds, row.expanded, row.worst_bytes, row.failed
    );
}

fn collection(folder: &Path, name: &str) -> Option<Vec<Level>> {
    let file = std::fs::read_to_string(folder.join("sokoban/collections").join(name)).ok()?;
    text::parse(&file).ok()
}

/// A hall like the ones that the classic search is slow on.
const HALL: &str = "\
##################
#        $      .#
#           ######
#  $  @  .  ######
#           ######
#   .    $  ######
##################
";

fn main() {
    let seconds = std::env::var("BEELINE_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(20.0);
    let budget =
        Budget { time: Some(Duration::from_secs_f64(seconds)), bytes: Some(4 << 30), ..Budget::default() };
    let hall = text::parse(HALL).unwrap_or_default();
    print("classic, the reference", &run(&hall, |l| classic::solve(&l.board, Corners::Reference, &budget)));
    print("classic, sound", &run(&hall, |l| classic::solve(&l.board, Corners::Sound, &budget)));
    print("best, moves", &run(&hall, |l| best(&l.board, Objective::Moves, &budget, &mut ())));
    let Some(folder) = std::env::var_os("BEELINE_SUITES").map(PathBuf::from) else {
        println!("collections: left out, BEELINE_SUITES is not set");
        return;
    };
    for name in ["Microban_155.xsb", "XSokoban_90.xsb"] {
        let Some(levels) = collection(&folder, name) else {
            println!("{name}: left out, not found");
            continue;
        };
        for (objective, title) in [(Objective::Moves, "moves"), (Objective::Pushes, "pushes")] {
            print(&format!("{name} {title}"), &run(&levels, |l| best(&l.board, objective, &budget, &mut ())));
        }
        print(&format!("{name} any"), &run(&levels, |l| any::solve(&l.board, &budget, &mut ())));
    }
}
