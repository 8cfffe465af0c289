//! Sliding tiles, measured: `cargo bench -p beeline-tiles --bench tiles -- [job ...]`.
//!
//! Jobs: `count` (the plain search against a hand-written twin and against computed figures, six known boards), `features`
//! (each improvement of Korf and Taylor), `korf100` and `korf24` (need the suites: set `BEELINE_SUITES`), `build` (the tables).
//! Without a name, `count` on the second board alone. Times are CPU seconds of the process where the system tells them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use beeline_search::Budget;
use beeline_tiles::Step;
use beeline_tiles::count::{self, Order, pack};
use beeline_tiles::light::{self, Light};
use beeline_tiles::machine::Machine;
use beeline_tiles::pattern::additive::Additive;
use beeline_tiles::pattern::database::cache_folder;
use beeline_tiles::pattern::tables::{TABLES, tables};

const BOARDS: [(u32, [u8; 16]); 6] = [
    (1, [14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3]),
    (2, [13, 5, 4, 10, 9, 12, 8, 14, 2, 3, 7, 1, 0, 15, 11, 6]),
    (3, [14, 7, 8, 2, 13, 11, 10, 4, 9, 12, 5, 0, 3, 6, 1, 15]),
    (4, [5, 12, 10, 7, 15, 11, 14, 0, 8, 2, 1, 13, 3, 4, 9, 6]),
    (14, [7, 6, 8, 1, 11, 5, 14, 10, 3, 4, 9, 13, 15, 2, 0, 12]),
    (88, [15, 2, 12, 11, 14, 13, 9, 5, 1, 3, 8, 7, 0, 10, 6, 4]),
];

/// CPU seconds of this process; wall time where the system does not tell.
fn cpu(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/self/stat").ok().and_then(|stat| {
        let fields: Vec<f64> =
            stat.rsplit(')').next()?.split_whitespace().map(|f| f.parse().unwrap_or(0.0)).collect();
        Some((fields.get(11)? + fields.get(12)?) / 100.0)
    });
    told.unwrap_or_else(|| start.elapsed().as_secs_f64())
}

fn main() {
    let start = Instant::now();
    let jobs: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    if jobs.is_empty() {
        count_jobs(&BOARDS[1..2], start);
    }
    for job in jobs {
        match job.as_str() {
            "count" => count_jobs(&BOARDS, start),
            "features" => feature_jobs(start),
            "korf100" => {
                suite_jobs("korf100.tsv", 4, &["5-5-5", "6-6-3", "7-8"], start);
            }
            "korf24" => suite_jobs("korf50_24puzzle.tsv", 5, &["6-6-6-6"], start),
            "build" => build_jobs(start),
            other => println!("there is no job {other}"),
        }
    }
}

fn count_jobs(boards: &[(u32, [u8; 16])], start: Instant) {
    println!("board          generated        expanded  twin s  plain s  computed s (wall)  M expanded/s");
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for (id, cells) in boards {
        let word = pack(cells);
        let a = cpu(start);
        let twin = Twin::search(*cells);
        let b = cpu(start);
        let (plain, _) = count::plain::search(word, Order::Classic, &Budget::default());
        let c = cpu(start);
        let wall = Instant::now();
        let moment = std::time::Duration::from_millis(60);
        let (counted, _) = count::figures(word, Order::Classic, true, threads, moment, &Budget::default());
        let wall = wall.elapsed().as_secs_f64();
        assert_eq!((plain.generated, plain.expanded), (counted.generated, counted.expanded));
        assert_eq!((plain.generated, plain.expanded), (twin.generated, twin.expanded));
        println!(
            "{id:>5} {:>18} {:>15} {:>7.2} {:>8.2} {:>18.2} {:>13.1}",
            plain.generated,
            plain.expanded,
            b - a,
            c - b,
            wall,
            plain.expanded as f64 / (c - b).max(0.01) / 1e6,
        );
    }
}

/// The same search as a careful programmer writes it by hand: a board of bytes, a table of the changes in distance, moves by
/// square, recursion.
struct Twin {
    cells: [u8; 16],
    /// By tile, square and square beside it: how its distance changes.
    change: Vec<[i8; 4]>,
    moves: [[i8; 4]; 16],
    generated: u64,
    expanded: u64,
}

impl Twin {
    fn search(cells: [u8; 16]) -> Self {
        let far = |tile: usize, s: usize| (tile / 4).abs_diff(s / 4) as i8 + (tile % 4).abs_diff(s % 4) as i8;
        let mut twin =
            Self { cells, change: vec![[0; 4]; 256], moves: [[-1; 4]; 16], generated: 0, expanded: 0 };
        for square in 0..16 {
            for step in Step::ALL {
                if let Some(from) = count::neighbour(square, step) {
                    twin.moves[square][step as usize] = from as i8;
                    for tile in 1..16 {
                        twin.change[tile * 16 + square][step as usize] = far(tile, square) - far(tile, from);
                    }
                }
            }
        }
        let first = count::manhattan(pack(&cells)) as i32;
        let blank = cells.iter().position(|&t| t == 0).unwrap_or(0);
        let mut bound = first;
        while first > 0 && !twin.below(blank, 4, first, bound) {
            bound += 2;
        }
        twin
    }

    fn below(&mut self, blank: usize, back: usize, estimate: i32, room: i32) -> bool {
        for step in 0..4 {
            let from = self.moves[blank][step];
            if step == back || from < 0 {
                continue;
            }
            let from = from as usize;
            let tile = self.cells[from];
            self.generated += 1;
            let next = estimate + i32::from(self.change[usize::from(tile) * 16 + blank][step]);
            if next + 1 > room {
                continue;
            }
            self.expanded += 1;
            self.cells[blank] = tile;
            self.cells[from] = 0;
            if next == 0 || self.below(from, step ^ 1, next, room - 1) {
                return true;
            }
            self.cells[from] = tile;
            self.cells[blank] = 0;
        }
        false
    }
}

fn feature_jobs(start: Instant) {
    println!(
        "features                                   generated    cpu s   M generated/s   (boards 2 and 4)"
    );
    let names = ["linear", "last", "corner", "machine", "walking"];
    for features in [0, 1, 2, 4, 8, 16, 3, 5, 7, 9, 15, 17, 24, light::ALL] {
        let light = Light::new(features, Step::ALL);
        let begun = cpu(start);
        let found = [1, 3].map(|i| light.search(pack(&BOARDS[i].1), &Budget::default()).0.generated);
        let seconds = (cpu(start) - begun).max(0.01);
        let generated: u64 = found.iter().sum();
        let name: Vec<&str> = (0..5).filter(|i| features >> i & 1 == 1).map(|i| names[i]).collect();
        println!(
            "{:<40} {generated:>12} {seconds:>8.2} {:>15.1}",
            name.join("+"),
            generated as f64 / seconds / 1e6
        );
    }
}

/// Boards of a suite with their costs.
fn suite(file: &str) -> Option<Vec<(usize, Vec<u8>)>> {
    let folder = std::env::var_os("BEELINE_SUITES").map(PathBuf::from);
    let text = folder.and_then(|f| std::fs::read_to_string(f.join("tiles").join(file)).ok());
    let Some(text) = text else {
        println!("{file}: set BEELINE_SUITES to the folder of the suites");
        return None;
    };
    let board = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let cells = fields.last()?.split(' ').map(str::parse).collect::<Result<Vec<u8>, _>>().ok()?;
        Some((fields.get(2)?.parse().ok()?, cells))
    };
    Some(text.lines().skip(1).filter_map(board).collect())
}

fn suite_jobs(file: &str, side: usize, sets: &[&str], start: Instant) {
    let Some(boards) = suite(file) else { return };
    println!("tables        bytes  fetch cpu s  boards  sum of costs     generated   cpu s  M generated/s");
    let row = |name: &str, bytes: usize, fetch: f64, found: &[(usize, u64)], seconds: f64| {
        let (sum, generated) = found.iter().fold((0, 0), |(s, g), f| (s + f.0, g + f.1));
        let rate = generated as f64 / seconds.max(0.01) / 1e6;
        let boards = found.len();
        println!(
            "{name:<8} {bytes:>10} {fetch:>12.2} {boards:>7} {sum:>13} {generated:>13} {seconds:>7.2} {rate:>14.1}"
        );
    };
    if side == 4 {
        let begun = cpu(start);
        let light = Light::new(light::ALL, Step::ALL);
        let ready = cpu(start);
        let found: Vec<(usize, u64)> = boards
            .iter()
            .map(|(cost, cells)| {
                let (found, _) = light.search(pack(cells), &Budget::default());
                assert_eq!(found.plan.as_ref().map(Vec::len), Some(*cost));
                (*cost, found.generated)
            })
            .collect();
        row("none", light.bytes(), ready - begun, &found, cpu(start) - ready);
    }
    for name in sets {
        let Some(set) = tables(name, side, side) else { continue };
        let begun = cpu(start);
        let folder = cache_folder();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let fetched =
            set.get(folder.as_deref(), threads, &Budget::default(), &mut |_| {}, &mut |e| println!("{e}"));
        let Ok(databases) = fetched else { continue };
        let machine = Arc::new(Machine::new(side, side, if side == 4 { 12 } else { 10 }, Step::ALL));
        let Some(tables) = Additive::new(&databases, true, machine, Step::ALL) else { continue };
        let ready = cpu(start);
        let mut found = Vec::new();
        let limit = Budget { nodes: (side > 4).then_some(50_000_000), ..Budget::default() };
        for (cost, cells) in &boards {
            let (result, _) = tables.search(cells, &limit);
            if let Some(plan) = result.plan {
                assert_eq!(plan.len(), *cost);
                found.push((*cost, result.generated));
            }
        }
        row(name, tables.bytes(), ready - begun, &found, cpu(start) - ready);
    }
}

fn build_jobs(start: Instant) {
    println!("tables       board  bytes        cpu s   wall s");
    for set in TABLES {
        let begun = cpu(start);
        let wall = Instant::now();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        match set.get(None, threads, &Budget::default(), &mut |_| {}, &mut |_| {}) {
            Ok(databases) => {
                let bytes: usize = databases.iter().map(|d| d.bytes()).sum();
                let (spent, wall) = (cpu(start) - begun, wall.elapsed().as_secs_f64());
                println!(
                    "{:<12} {}x{} {bytes:>12} {spent:>10.2} {wall:>8.2}",
                    set.name, set.rows, set.columns
                );
            }
            Err(error) => println!("{:<12} {error}", set.name),
        }
    }
}
