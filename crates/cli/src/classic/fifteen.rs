//! `15puzzle FILE`: the 15-puzzle by iterative-deepening A* with Manhattan distances, reported to the digit.
//!
//! The figures are those of the plain search. On boards where it would take longer than a moment they are computed
//! instead of counted (see the library's `tiles::count::layers`). `--plain` walks every node. Only the times differ,
//! not the figures.
//!
//! Exit codes: 0 solved, 10 the board cannot be solved, 20 time limit, 22 node limit, 254 empty file, 255 bad usage or a
//! file that is no 15-puzzle.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use beeline_puzzles::encoding;
use beeline_puzzles::file::read_file;
use beeline_puzzles::quote::shortened;
use beeline_puzzles::tiles::count::{self, Counted, Order};
use beeline_puzzles::tiles::table_free::{self, TableFreeIda};
use beeline_puzzles::tiles::{Board, Goal, text, word};
use beeline_search::{Budget, Limit};
use beeline_view::figures::commas;

use super::caret::caret;
use super::{timed, within};

const USAGE: &str = "\
usage: 15puzzle [options] FILE

FILE holds one line of sixteen numbers, upper left first, 0 for the blank.
The goal has the blank in the upper left corner, then 1 to 15.

options:
  --order NAME      classic (left, right, up, down: the default) or korf (up, left, right, down)
  --heuristic LIST  manhattan (the default), or improvements joined by '+': linear-conflict, last-moves,
                    corner-tiles, machine, walking-distance; all stands for all of them
  --solution        print the moves of the blank as well
  --limit N         stop after about N expanded nodes; Ns (60s) stops after N seconds
  --plain           walk every node of the search, in one thread
  --threads N       use so many threads (default: all processors)
";

const BAD: u8 = 255;
const EMPTY: u8 = 254;
const UNSOLVABLE: u8 = 10;

#[derive(Debug, Default)]
struct Request {
    file: String,
    order: Order,
    features: u8,
    solution: bool,
    plain: bool,
    threads: usize,
    budget: Budget,
}

/// Why there is no report: the exit code and the message.
struct Refusal(u8, String);

/// Runs the command.
pub fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|a| a == "-h" || a == "--help") {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let request = match parse(&arguments) {
        Ok(request) => request,
        Err(why) => {
            eprintln!("15puzzle: {}\n{USAGE}", shortened(&why));
            return ExitCode::from(BAD);
        }
    };
    match read(&request.file) {
        Ok(board) => report(&request, &board),
        Err(Refusal(code, why)) => {
            eprintln!("{why}");
            ExitCode::from(code)
        }
    }
}

fn parse(arguments: &[String]) -> Result<Request, String> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut request = Request { threads, ..Request::default() };
    let mut files = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().map(String::as_str).ok_or(format!("{argument} needs a value"));
        let bad = |value: &str| format!("{argument} cannot be '{value}'");
        match argument.as_str() {
            "--order" => {
                request.order = match value()? {
                    "classic" => Order::Classic,
                    "korf" => Order::Korf,
                    other => return Err(bad(other)),
                }
            }
            "--heuristic" => {
                let names = value()?;
                request.features = features(names).ok_or_else(|| bad(names))?;
            }
            "--solution" => request.solution = true,
            "--plain" => request.plain = true,
            "--limit" => {
                let limit = value()?;
                set_limit(limit, &mut request.budget).ok_or_else(|| bad(limit))?;
            }
            "--threads" => {
                let number = value()?;
                request.threads = number.parse().ok().filter(|&n| n > 0).ok_or_else(|| bad(number))?;
            }
            option if option.starts_with("--") => return Err(format!("there is no option {option}")),
            file => files.push(file.to_owned()),
        }
    }
    match <[String; 1]>::try_from(files) {
        Ok([file]) => Ok(Request { file, ..request }),
        Err(files) if files.is_empty() => Err("a file is missing".to_owned()),
        Err(files) => Err(format!("one file at a time, not {}", files.len())),
    }
}

fn set_limit(text: &str, budget: &mut Budget) -> Option<()> {
    if let Some(seconds) = text.strip_suffix('s') {
        budget.time = Some(Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?);
    } else {
        budget.nodes = Some(text.replace(',', "").parse().ok()?);
    }
    Some(())
}

fn features(names: &str) -> Option<u8> {
    names.split('+').try_fold(0, |all, name| {
        Some(
            all | match name {
                "manhattan" => 0,
                "linear-conflict" => table_free::LINEAR,
                "last-moves" => table_free::LAST,
                "corner-tiles" => table_free::CORNER,
                "machine" => table_free::MACHINE,
                "walking-distance" => table_free::WALKING,
                "all" => table_free::ALL,
                _ => return None,
            },
        )
    })
}

fn read(file: &str) -> Result<Board, Refusal> {
    let bytes = read_file(file).map_err(|e| Refusal(BAD, format!("15puzzle: {file}: {e}")))?;
    let text = encoding::text(bytes)
        .map_err(|error| Refusal(BAD, format!("15puzzle: {file}: this is no text file: {error}")))?;
    if text.trim().is_empty() {
        return Err(Refusal(EMPTY, format!("15puzzle: {file}: the file is empty")));
    }
    let boards = text::parse(&text)
        .map_err(|error| Refusal(BAD, format!("15puzzle: {}", caret(file, &text, &error))))?;
    let refuse = |why: &str| Refusal(BAD, format!("15puzzle: {file}: invalid initial state: {why}"));
    let [board] = <[Board; 1]>::try_from(boards).map_err(|all| refuse(&format!("{} boards", all.len())))?;
    if (board.rows(), board.columns()) != (4, 4) {
        return Err(refuse(&format!("{} by {} tiles, not 4 by 4", board.rows(), board.columns())));
    }
    if board.goal != Goal::BlankFirst {
        return Err(refuse("the goal of this command has the blank first"));
    }
    Ok(board)
}

fn report(request: &Request, board: &Board) -> ExitCode {
    let mut out = String::from("Initial State:\n");
    for row in board.cells().chunks(4) {
        let row: Vec<String> = row.iter().map(ToString::to_string).collect();
        let _ = writeln!(out, "{}", row.join(" "));
    }
    if !board.is_solvable() {
        print(&out);
        eprintln!(
            "15puzzle: {}: this board cannot be solved: an odd number of exchanges separates it from the goal",
            request.file
        );
        return ExitCode::from(UNSOLVABLE);
    }
    let word = word::pack(board.cells());
    let ((estimate, counted, limit), took) =
        timed(|| within("15puzzle", &request.budget, || solve(request, word)));
    let seconds = took.as_secs_f64();
    let thresholds: Vec<String> = counted.thresholds.iter().map(ToString::to_string).collect();
    let _ = writeln!(out, "Initial Estimate = {estimate}\nThreshold = {}", thresholds.join(" "));
    if let Some(plan) = &counted.plan {
        let _ = writeln!(out, "Solution = {}", plan.len());
    }
    let _ = writeln!(out, "Generated = {}", commas(counted.generated));
    let _ = writeln!(out, "Expanded = {}", commas(counted.expanded));
    let _ = writeln!(out, "Time (seconds) = {seconds:.2}");
    let rate = if seconds > 0.0 { counted.expanded as f64 / seconds } else { 0.0 };
    let _ = writeln!(out, "Expanded/Second = {}", commas(rate as u64));
    let computed = counted.computed;
    if let Some(plan) = counted.plan.filter(|_| request.solution) {
        let letters: String = plan.iter().map(|step| step.letter()).collect();
        let _ = writeln!(out, "Moves = {letters}");
    }
    print(&out);
    if computed {
        eprintln!(
            "15puzzle: {}: the nodes were computed, not walked one by one, and the rate counts them all; --plain walks them",
            request.file
        );
    }
    let Some(limit) = limit else { return ExitCode::SUCCESS };
    eprintln!("15puzzle: {}: stopped by the {} limit", request.file, limit.name());
    ExitCode::from(match limit {
        Limit::Time => 20,
        Limit::Memory => 21,
        Limit::Nodes => 22,
        Limit::Cancelled => 23,
    })
}

/// Writes the report. If the reader has closed the pipe, this is no error.
fn print(text: &str) {
    let _ = io::stdout().write_all(text.as_bytes());
}

/// The estimate, the figures, and the limit that ended the search early.
fn solve(request: &Request, word: word::Word) -> (u32, Counted, Option<Limit>) {
    let budget = &request.budget;
    if request.features != 0 {
        let table_free = TableFreeIda::new(request.features, request.order.steps());
        let (found, limit) = table_free.search(word, budget);
        let counted = Counted {
            thresholds: found.bounds(),
            generated: found.generated,
            expanded: found.expanded,
            plan: found.plan,
            computed: false,
        };
        return (table_free.estimate(word), counted, limit);
    }
    let estimate = word::manhattan(word);
    let (counted, limit) = count::figures(word, request.order, !request.plain, request.threads, budget);
    (estimate, counted, limit)
}
