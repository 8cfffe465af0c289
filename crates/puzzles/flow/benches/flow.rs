//! Benchmarks of Flow Free: the strongest solver on boards of all sizes, the generator, and the classic search.
//!
//! The public boards do not ship with us. Their jobs read the folder named by `BEELINE_SUITES` and are skipped without it.
//! Times are CPU times of the whole job where the system reports them, otherwise wall times. The worst board is by wall time.

use std::path::PathBuf;
use std::time::Instant;

use beeline_flow::classic::{self, Classic};
use beeline_flow::corner;
use beeline_flow::make::{make, make_rectangle, solvable};
use beeline_flow::prune::Rules;
use beeline_flow::{Board, Order, text};
use beeline_puzzle::recipe::Hardness;
use beeline_search::Budget;

fn main() {
    println!(
        "{:<34} {:>6} {:>10} {:>10} {:>10} {:>12}",
        "job", "boards", "total ms", "mean µs", "worst µs", "decisions"
    );
    let suite = suite();
    if suite.is_empty() {
        println!("(BEELINE_SUITES is not set: the public boards are left out)");
    } else {
        let boards: Vec<Board> = suite.iter().map(|(_, bytes)| first(bytes)).collect();
        strong("30 public boards, first answer", &boards, 1);
        strong("30 public boards, proved unique", &boards, 2);
    }
    for size in [5usize, 7, 9, 10, 12, 14, 15] {
        let boards: Vec<Board> =
            (0..100).filter_map(|seed| make(size, None, Hardness::Medium, seed).ok()).collect();
        strong(&format!("{size}×{size} made, first answer"), &boards, 1);
    }
    let rectangle = |w, h, k, n: u64| -> Vec<Board> {
        let budget = Budget::default();
        (0..n).filter_map(|s| make_rectangle(w, h, k, Hardness::Medium, s, &budget).ok()).collect()
    };
    strong("40×20 made, 50 colours", &rectangle(40, 20, Some(50), 101), 1);
    strong("40×20 made, 50 colours, unique", &rectangle(40, 20, Some(50), 101), 2);
    let large: Vec<Board> = (0..11).filter_map(|seed| solvable(50, 50, 150, seed)).collect();
    strong("50×50 covers, 150 colours", &large, 1);
    maker();
    queue(&suite);
}

fn suite() -> Vec<(String, Vec<u8>)> {
    let Some(folder) = std::env::var_os("BEELINE_SUITES").map(PathBuf::from) else { return Vec::new() };
    let mut files = Vec::new();
    for part in ["flow/mzucker", "flow/comp20003"] {
        let Ok(entries) = std::fs::read_dir(folder.join(part)) else { continue };
        for path in entries.flatten().map(|e| e.path()) {
            if let Ok(bytes) = std::fs::read(&path) {
                files.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), bytes));
            }
        }
    }
    files.sort();
    files
}

fn first(bytes: &[u8]) -> Board {
    text::parse(&String::from_utf8_lossy(bytes)).expect("a board of the suite").remove(0)
}

/// CPU seconds of this thread, so that other load counts less; wall time if the system does not report them.
fn clock(since: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|t| t.split(' ').next().and_then(|n| n.parse::<f64>().ok()));
    nanoseconds.map_or_else(|| since.elapsed().as_secs_f64(), |n| n / 1e9)
}

/// Repeats short jobs, because the clock ticks only every few milliseconds.
fn strong(job: &str, boards: &[Board], limit: usize) {
    let zero = Instant::now();
    let before = clock(zero);
    let (mut worst, mut decisions, mut runs) = (f64::MAX, 0, 0);
    while runs < 3 || clock(zero) - before < 0.3 {
        let mut slowest = 0.0f64;
        decisions = 0;
        for board in boards {
            let started = Instant::now();
            let found = corner::solve(board, limit, &Budget::default(), |_| {});
            slowest = slowest.max(started.elapsed().as_secs_f64());
            decisions += found.stats.expanded;
        }
        worst = worst.min(slowest);
        runs += 1;
    }
    let total = (clock(zero) - before) / f64::from(runs);
    let mean = total * 1e6 / boards.len().max(1) as f64;
    println!(
        "{job:<34} {:>6} {:>10.3} {mean:>10.1} {:>10.1} {decisions:>12}",
        boards.len(),
        total * 1e3,
        worst * 1e6
    );
}

fn maker() {
    let zero = Instant::now();
    let before = clock(zero);
    let made = (0..200).filter(|&seed| make(9, None, Hardness::Medium, seed).is_ok()).count();
    let rate = made as f64 / (clock(zero) - before) * 60.0;
    println!("made {made} boards of 9×9, each proved unique: {rate:.0} a minute");
}

fn queue(suite: &[(String, Vec<u8>)]) {
    for deadends in [false, true] {
        let zero = Instant::now();
        let before = clock(zero);
        let (mut nodes, mut bytes) = (0, 0);
        for (name, file) in suite.iter().filter(|(name, _)| name.starts_with("regular")) {
            let Ok(board) = Classic::read(name, file) else { continue };
            let order = Order::by_edge(&board.board, true);
            let rules = Rules { deadends, ..Rules::default() };
            if let Some(searched) = classic::search(&board.board, &order, rules, 3_834_792) {
                nodes += searched.nodes;
                bytes = bytes.max(searched.bytes);
            }
        }
        if nodes > 0 {
            let time = clock(zero) - before;
            let rate = nodes as f64 / time / 1e6;
            println!(
                "classic, deadends {deadends}: {nodes} nodes, {time:.3} s, {rate:.1} M nodes/s, {bytes} bytes at most"
            );
        }
    }
}
