//! Sokoban: jobs, CPU time, rates and bytes, as a table.
//!
//! The classic search runs on a level drawn here. The collections are taken from the folder `BEELINE_SUITES` (with
//! `sokoban/collections/*.xsb` and `sokoban/boxoban/*.txt` in it); without it those jobs say so and are left out.
//! `BEELINE_SECONDS` is the limit a level, 20 unless told; `BEELINE_NODES` limits expansions, which does not depend on
//! what else the machine does. `BEELINE_JOBS=any` leaves the proving jobs out. Levels with odd and with even numbers are told
//! apart for the objective any: only the odd ones were looked at while it was made.
//!
//! `BEELINE_JOBS=levels` prints a line for each level of `BEELINE_COLLECTION` (a file's path in the folder of the suites)
//! with the objective any; `BEELINE_LEVELS` is `odd`, `even` or numbers with commas, all unless told.

use std::path::{Path, PathBuf};
use std::time::Duration;

use beeline_puzzle::puzzle::Watcher;
use beeline_search::{Budget, Cancel, Outcome, Stats, Verdict};
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
        "{name:<44} {:>4}/{:<4} {:>9.2} s {:>12} expanded {:>6.1} bytes a state at worst; not solved: {:?}",
        row.solved, row.levels, row.seconds, row.expanded, row.worst_bytes, row.failed
    );
}

/// The collections, as paths in the folder of the suites.
const COLLECTIONS: [&str; 5] = [
    "collections/Microban_155.xsb",
    "collections/Microban_II_135.xsb",
    "boxoban/hard_000.txt",
    "collections/Sasquatch_50.xsb",
    "collections/XSokoban_90.xsb",
];

/// Those whose optima are proved too.
const PROVED: [&str; 2] = [COLLECTIONS[0], COLLECTIONS[4]];

fn collection(folder: &Path, name: &str) -> Option<Vec<Level>> {
    let file = std::fs::read_to_string(folder.join("sokoban").join(name)).ok()?;
    text::parse(&file).ok()
}

/// Is a level asked for by its number?
fn asked(wanted: &str, number: usize) -> bool {
    match wanted {
        "" | "all" => true,
        "odd" => number % 2 == 1,
        "even" => number.is_multiple_of(2),
        list => list.split(',').any(|n| n.trim().parse() == Ok(number)),
    }
}

/// Ends a search after so many CPU seconds of its thread, whatever else the machine does.
struct Clock {
    end: f64,
    cancel: Cancel,
}

impl Watcher for Clock {
    fn tick(&mut self, _: &Stats) {
        if cpu() > self.end {
            self.cancel.cancel();
        }
    }
}

/// One line for each level: solved or not, CPU seconds, expansions, steps of the plan.
fn line_by_line(levels: &[Level], wanted: &str, threads: usize, seconds: f64, budget: &Budget) {
    let (mut solved, mut tried, mut total) = ([0; 2], [0; 2], 0.0);
    for (i, level) in levels.iter().enumerate().filter(|(i, _)| asked(wanted, i + 1)) {
        let before = cpu();
        let cancel = Cancel::default();
        let budget = Budget { time: None, cancel: cancel.clone(), ..budget.clone() };
        let mut clock = Clock { end: before + seconds, cancel };
        let outcome = any::solve(&level.board, threads, &budget, &mut clock);
        let seconds = cpu() - before;
        total += seconds;
        tried[i % 2] += 1;
        let said = match &outcome.verdict {
            Verdict::Solved(solution) => {
                solved[i % 2] += 1;
                format!("solved {:>5} moves", solution.moves.len())
            }
            Verdict::Exhausted | Verdict::GaveUp => "no plan".to_owned(),
            Verdict::Stopped(limit) => format!("{limit:?}"),
        };
        let rate = outcome.stats.expanded as f64 / seconds.max(1e-6);
        println!(
            "{:>4} {said:<18} {seconds:>8.2} s {:>9} expanded {rate:>8.0} a second {:>9} stored",
            i + 1,
            outcome.stats.expanded,
            outcome.stats.stored
        );
    }
    println!("odd {} of {}, even {} of {}; {total:.1} s in all", solved[0], tried[0], solved[1], tried[1]);
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
    let budget = Budget {
        nodes: std::env::var("BEELINE_NODES").ok().and_then(|n| n.parse().ok()),
        time: Some(Duration::from_secs_f64(seconds)),
        bytes: Some(4 << 30),
        ..Budget::default()
    };
    let folder = std::env::var_os("BEELINE_SUITES").map(PathBuf::from);
    let told = |name: &str| std::env::var(name).unwrap_or_default();
    if told("BEELINE_JOBS") == "levels" {
        let levels = folder.and_then(|folder| collection(&folder, &told("BEELINE_COLLECTION")));
        let threads = told("BEELINE_THREADS").parse().unwrap_or(1);
        line_by_line(&levels.unwrap_or_default(), &told("BEELINE_LEVELS"), threads, seconds, &budget);
        return;
    }
    let hall = text::parse(HALL).unwrap_or_default();
    print("classic, the reference", &run(&hall, |l| classic::solve(&l.board, Corners::Reference, &budget)));
    print("classic, sound", &run(&hall, |l| classic::solve(&l.board, Corners::Sound, &budget)));
    print("best, moves", &run(&hall, |l| best(&l.board, Objective::Moves, &budget, &mut ())));
    let Some(folder) = folder else {
        println!("collections: left out, BEELINE_SUITES is not set");
        return;
    };
    let only_any = told("BEELINE_JOBS") == "any";
    for name in COLLECTIONS {
        let Some(levels) = collection(&folder, name) else {
            println!("{name}: left out, not found");
            continue;
        };
        if !only_any && PROVED.contains(&name) {
            for (objective, title) in [(Objective::Moves, "moves"), (Objective::Pushes, "pushes")] {
                print(
                    &format!("{name} {title}"),
                    &run(&levels, |l| best(&l.board, objective, &budget, &mut ())),
                );
            }
        }
        for (first, title) in [(0, "odd"), (1, "even")] {
            let half: Vec<Level> = levels.iter().skip(first).step_by(2).cloned().collect();
            let mut row = run(&half, |l| any::solve(&l.board, 1, &budget, &mut ()));
            // The numbers that the collection gives them.
            row.failed.iter_mut().for_each(|number| *number = 2 * *number - 1 + first);
            print(&format!("{name} any, {title}"), &row);
        }
    }
}
