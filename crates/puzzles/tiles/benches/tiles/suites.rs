//! The jobs on boards of the suites. Every cost is verified.

use std::path::PathBuf;
use std::time::Instant;

use beeline_search::Budget;
use beeline_tiles::Step;
use beeline_tiles::move_fsm::MoveFsm;
use beeline_tiles::pattern::Patterns;
use beeline_tiles::pattern::database::cache_folder;
use beeline_tiles::pattern::tables::{Cache, tables};
use beeline_tiles::table_free::{self, Found, TableFreeIda};
use beeline_tiles::word::pack;

use crate::Clock;

/// The easiest of Korf's 50 24-puzzles, the easiest first.
pub(crate) const EASIEST: &[&str] =
    &["38", "40", "44", "25", "1", "32", "37", "30", "28", "5", "36", "22", "29", "16", "13", "4"];

/// A board of a suite.
struct Board {
    id: String,
    cost: usize,
    cells: Vec<u8>,
}

fn read(file: &str) -> Option<String> {
    let folder = std::env::var_os("BEELINE_SUITES").map(PathBuf::from);
    let text = folder.and_then(|f| std::fs::read_to_string(f.join("tiles").join(file)).ok());
    if text.is_none() {
        println!("{file}: set BEELINE_SUITES to the folder of the suites");
    }
    text
}

fn numbers(text: &str) -> Option<Vec<u8>> {
    text.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()
}

/// Boards in lines of fields: number, estimate, cost, …, tiles.
fn suite(file: &str) -> Vec<Board> {
    let board = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let cells = numbers(fields.last()?)?;
        Some(Board { id: (*fields.first()?).to_owned(), cost: fields.get(2)?.parse().ok()?, cells })
    };
    read(file).unwrap_or_default().lines().skip(1).filter_map(board).collect()
}

/// The tables of this name, from the cache or built, ready for a search.
fn fetch(name: &str, side: usize, cached: bool, threads: usize) -> Option<Patterns> {
    let folder = cache_folder().filter(|_| cached);
    let cache = folder.as_deref().map(|folder| Cache { folder, write: true });
    let set = tables(name, side, side)?;
    let databases =
        set.get(cache, threads, &Budget::default(), &mut |_| {}, &mut |error| println!("{error}")).ok()?;
    let machine = MoveFsm::new(side, side, 12, Step::ALL);
    Patterns::new(&databases, &Budget::default(), machine, Step::ALL).ok()
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Solves all boards and prints a line.
fn all(
    name: &str,
    bytes: usize,
    ready: f64,
    boards: &[Board],
    clock: &Clock,
    solve: &dyn Fn(&Board) -> Found,
) {
    let (found, seconds) = clock.time(|| boards.iter().map(solve).collect::<Vec<_>>());
    for (board, found) in boards.iter().zip(&found) {
        assert_eq!(found.plan.as_ref().map(Vec::len), Some(board.cost), "board {}", board.id);
    }
    let sum: usize = boards.iter().map(|b| b.cost).sum();
    let (generated, expanded) = found.iter().fold((0, 0), |(g, e), f| (g + f.generated, e + f.expanded));
    let rate = generated as f64 / seconds / 1e6;
    let count = boards.len();
    println!(
        "{name:<8} {bytes:>10} {ready:>11.2} {count:>7} {sum:>6} {generated:>12} {expanded:>12} {seconds:>7.2} {:>8.2} {rate:>8.1}",
        ready + seconds
    );
}

fn heading() {
    println!(
        "tables        bytes  ready cpu s  boards  costs    generated     expanded  search s  in all  M gen./s"
    );
}

/// Korf's 100 with these sets of tables.
pub(crate) fn korf100(sets: &[&str], clock: &Clock) {
    let boards = suite("korf100.tsv");
    if boards.is_empty() {
        return;
    }
    heading();
    for &name in sets {
        if name == "none" {
            let (table_free, ready) = clock.time(|| TableFreeIda::new(table_free::ALL, Step::ALL));
            all(name, table_free.bytes(), ready, &boards, clock, &|board| {
                table_free.search(pack(&board.cells), &Budget::default()).0
            });
            continue;
        }
        let (fetched, ready) = clock.time(|| fetch(name, 4, true, cores()));
        let Some(tables) = fetched else { continue };
        all(name, tables.bytes(), ready, &boards, clock, &|board| {
            tables.search(&board.cells, 0, 1, &Budget::default()).0
        });
    }
}

/// Korf's 100 from a cold start. On one thread: threads that wait for each other cost time on a busy machine.
pub(crate) fn cold(clock: &Clock) {
    let boards = suite("korf100.tsv");
    if boards.is_empty() {
        return;
    }
    heading();
    let (fetched, ready) = clock.time(|| fetch("6-6-3", 4, false, 1));
    let Some(tables) = fetched else { return };
    all("6-6-3", tables.bytes(), ready, &boards, clock, &|board| {
        tables.search(&board.cells, 0, 1, &Budget::default()).0
    });
}

/// Boards one by one.
fn each(boards: &[Board], tables: &Patterns, clock: &Clock) {
    println!("board   cost      expanded      generated    cpu s  M exp./s   cpu s so far");
    let mut total = 0.0;
    for Board { id, cost, cells } in boards {
        let ((found, _), seconds) = clock.time(|| tables.search(cells, 0, 1, &Budget::default()));
        assert_eq!(found.plan.as_ref().map(Vec::len), Some(*cost), "board {id}");
        total += seconds;
        let rate = found.expanded as f64 / seconds / 1e6;
        println!(
            "{id:>5} {cost:>6} {:>13} {:>14} {seconds:>8.2} {rate:>9.2} {total:>14.2}",
            found.expanded, found.generated
        );
    }
}

/// Boards of 70 to 80 moves.
pub(crate) fn hard(clock: &Clock) {
    let board = |line: &str| {
        let (cost, cells) = line.split_once(' ')?;
        Some(Board { id: cost.to_owned(), cost: cost.parse().ok()?, cells: numbers(cells)? })
    };
    let text = read("hard6_claimed_cost_first.txt").unwrap_or_default();
    let boards: Vec<Board> = text.lines().filter_map(board).collect();
    if !boards.is_empty()
        && let Some(tables) = fetch("7-8", 4, true, cores())
    {
        each(&boards, &tables, clock);
    }
}

/// Some of Korf's 50 24-puzzles.
pub(crate) fn korf24(set: &str, ids: &[&str], clock: &Clock) {
    let mut boards = suite("korf50_24puzzle.tsv");
    boards.retain(|board| ids.contains(&board.id.as_str()));
    boards.sort_by_key(|board| ids.iter().position(|id| *id == board.id));
    if boards.is_empty() {
        return;
    }
    let (fetched, seconds) = clock.time(|| fetch(set, 5, true, cores()));
    let Some(tables) = fetched else { return };
    println!("{set}: {} bytes, ready after {seconds:.2} s", tables.bytes());
    each(&boards, &tables, clock);
}

/// The same board on one thread and on two, by wall time.
pub(crate) fn threads() {
    let boards = suite("korf100.tsv");
    let Some(tables) = fetch("5-5-5", 4, true, cores()) else { return };
    println!("board  expanded/s on 1  on 2  efficiency (means something on a quiet machine only)");
    for board in boards.iter().filter(|b| ["82", "88", "60"].contains(&b.id.as_str())) {
        let rates = [1, 2].map(|threads| {
            let wall = Instant::now();
            let (found, _) = tables.search(&board.cells, 0, threads, &Budget::default());
            found.expanded as f64 / wall.elapsed().as_secs_f64() / 1e6
        });
        println!("{:>5} {:>16.1} {:>5.1} {:>11.2}", board.id, rates[0], rates[1], rates[1] / rates[0] / 2.0);
    }
}
