//! Benchmarks of sliding tiles: `cargo bench -p beeline-tiles --bench tiles -- [job[:name,...] ...]`.
//!
//! * `count`: the plain search beside two hand-written ones, and the computed figures; six known boards, or those named.
//! * `features`: each improvement of Korf and Taylor.
//! * `korf100`: Korf's 100 15-puzzles with each set of tables, or with those named; `none` uses no tables.
//! * `cold`: the same with 6-6-3, including the building, without the cache.
//! * `hard`: boards of 70 to 80 moves with 7-8.
//! * `korf24`: the 16 easiest of Korf's 50 24-puzzles, or those named, the easiest first; `korf24-one` with one partition.
//! * `threads`: one board on one and on two threads.
//! * `build`: every set of tables, or those named.
//!
//! The boards of `korf100`, `cold`, `hard` and `korf24` come from the suites: set `BEELINE_SUITES`. Without a job, `count:2`
//! runs. Times are CPU seconds of the process where the system reports them.

mod suites;
mod twin;

use std::time::Instant;

use beeline_search::Budget;
use beeline_tiles::Step;
use beeline_tiles::count::{self, Order};
use beeline_tiles::pattern::tables::TABLES;
use beeline_tiles::table_free::{self, TableFreeIda};
use beeline_tiles::word::pack;

const BOARDS: [(u32, [u8; 16]); 6] = [
    (1, [14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3]),
    (2, [13, 5, 4, 10, 9, 12, 8, 14, 2, 3, 7, 1, 0, 15, 11, 6]),
    (3, [14, 7, 8, 2, 13, 11, 10, 4, 9, 12, 5, 0, 3, 6, 1, 15]),
    (4, [5, 12, 10, 7, 15, 11, 14, 0, 8, 2, 1, 13, 3, 4, 9, 6]),
    (14, [7, 6, 8, 1, 11, 5, 14, 10, 3, 4, 9, 13, 15, 2, 0, 12]),
    (88, [15, 2, 12, 11, 14, 13, 9, 5, 1, 3, 8, 7, 0, 10, 6, 4]),
];

/// Measures CPU seconds of this process; wall time if the system does not report them.
pub(crate) struct Clock(Instant);

impl Clock {
    fn now(&self) -> f64 {
        let told = std::fs::read_to_string("/proc/self/stat").ok().and_then(|stat| {
            let fields: Vec<f64> =
                stat.rsplit(')').next()?.split_whitespace().map(|f| f.parse().unwrap_or(0.0)).collect();
            Some((fields.get(11)? + fields.get(12)?) / 100.0)
        });
        told.unwrap_or_else(|| self.0.elapsed().as_secs_f64())
    }

    /// The result of a job and its time.
    pub(crate) fn time<T>(&self, job: impl FnOnce() -> T) -> (T, f64) {
        let begun = self.now();
        let result = job();
        (result, (self.now() - begun).max(0.01))
    }
}

fn main() {
    let clock = Clock(Instant::now());
    let mut jobs: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    if jobs.is_empty() {
        jobs.push("count:2".to_owned());
    }
    for job in jobs {
        let (job, names) = job.split_once(':').unwrap_or((&job, ""));
        let names: Vec<&str> = names.split(',').filter(|s| !s.is_empty()).collect();
        let or = |all: &[&'static str]| if names.is_empty() { all.to_vec() } else { names.clone() };
        match job {
            "count" => count_jobs(&or(&["1", "2", "3", "4", "14", "88"]), &clock),
            "features" => feature_jobs(&clock),
            "korf100" => suites::korf100(&or(&["none", "5-5-5", "6-6-3", "7-8"]), &clock),
            "cold" => suites::cold(&clock),
            "hard" => suites::hard(&clock),
            "korf24" => suites::korf24("6-6-6-6-seven", &or(suites::EASIEST), &clock),
            "korf24-one" => suites::korf24("6-6-6-6", &or(suites::EASIEST), &clock),
            "threads" => suites::threads(),
            "build" => build_jobs(&names, &clock),
            other => println!("there is no job {other}"),
        }
    }
}

fn count_jobs(ids: &[&str], clock: &Clock) {
    println!(
        "board      generated       expanded  plain twin s  tuned twin s  ours s  tuned/ours  M exp./s  computed s (wall)"
    );
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for (id, cells) in BOARDS.iter().filter(|(id, _)| ids.contains(&id.to_string().as_str())) {
        let word = pack(cells);
        let (simple, simple_s) = clock.time(|| twin::Plain::search(*cells));
        // Alternating, the best of three each: the machine is never quiet.
        let (mut tuned_s, mut ours_s) = (f64::MAX, f64::MAX);
        let mut figures = (0, 0);
        for _ in 0..3 {
            let (tuned, seconds) = clock.time(|| twin::Tuned::search(word));
            tuned_s = tuned_s.min(seconds);
            let ((ours, _), seconds) =
                clock.time(|| count::plain::search(word, Order::Classic, &Budget::default()));
            ours_s = ours_s.min(seconds);
            figures = (ours.generated, ours.expanded);
            assert_eq!(figures, (tuned.generated, tuned.expanded));
        }
        assert_eq!(figures, (simple.generated, simple.expanded));
        let wall = Instant::now();
        let ((counted, _), computed_s) =
            clock.time(|| count::figures(word, Order::Classic, true, threads, &Budget::default()));
        let wall = wall.elapsed().as_secs_f64();
        assert_eq!(figures, (counted.generated, counted.expanded));
        println!(
            "{id:>5} {:>14} {:>14} {simple_s:>13.2} {tuned_s:>13.2} {ours_s:>7.2} {:>11.2} {:>9.1} {computed_s:>11.2} ({wall:.2})",
            figures.0,
            figures.1,
            tuned_s / ours_s,
            figures.1 as f64 / ours_s.max(0.001) / 1e6,
        );
    }
}

fn feature_jobs(clock: &Clock) {
    println!(
        "features                                   generated    cpu s   M generated/s   (boards 2 and 4)"
    );
    let names = ["linear", "last", "corner", "machine", "walking"];
    for features in [0, 1, 2, 4, 8, 16, 3, 5, 7, 9, 15, 17, 24, table_free::ALL] {
        let table_free = TableFreeIda::new(features, Step::ALL);
        let (found, seconds) = clock
            .time(|| [1, 3].map(|i| table_free.search(pack(&BOARDS[i].1), &Budget::default()).0.generated));
        let generated: u64 = found.iter().sum();
        let name: Vec<&str> = (0..5).filter(|i| features >> i & 1 == 1).map(|i| names[i]).collect();
        let rate = generated as f64 / seconds / 1e6;
        println!("{:<40} {generated:>12} {seconds:>8.2} {rate:>15.1}", name.join("+"));
    }
}

fn build_jobs(names: &[&str], clock: &Clock) {
    println!("tables        board        bytes      cpu s   wall s");
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for set in TABLES.iter().filter(|set| names.is_empty() || names.contains(&set.name)) {
        let wall = Instant::now();
        let (built, seconds) =
            clock.time(|| set.get(None, threads, &Budget::default(), &mut |_| {}, &mut |_| {}));
        match built {
            Ok(databases) => {
                let bytes: usize = databases.iter().map(|d| d.data().len()).sum();
                let (board, wall) = (format!("{}x{}", set.rows, set.columns), wall.elapsed().as_secs_f64());
                println!("{:<14} {board:<5} {bytes:>12} {seconds:>10.2} {wall:>8.2}", set.name);
            }
            Err(error) => println!("{:<14} {error}", set.name),
        }
    }
}
