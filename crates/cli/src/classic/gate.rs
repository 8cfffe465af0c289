//! `gate [-s] PUZZLE`: plays Impassable Gate, or solves it and prints the classic report.
//!
//! The report has the lines, labels and figures of the assignment; times differ. Exit codes: 0 the report was printed
//! (also without a solution) or the game is over, 20 time limit, 21 memory limit, 84 bad usage or a file that cannot
//! be read.

mod keys;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use beeline_puzzles::Puzzle;
use beeline_puzzles::encoding;
use beeline_puzzles::file::{ReadError, read_file};
use beeline_puzzles::gate::Gate;
use beeline_puzzles::gate::classic::{Algorithm, Ending, Options, Report, report};
use beeline_puzzles::quote::shortened;
use beeline_search::novelty::Record;
use beeline_search::{Budget, Limit};

use super::caret::caret;
use super::screen::terminal;
use super::{limit, within};

const USAGE: &str = "\
USAGE
\t./gate <-s> puzzle

DESCRIPTION
 Arguments within <> are optional
    -s                 calls the AI solver
";

const MORE: &str = "
FURTHER OPTIONS
    --algorithm N      1 breadth-first, 2 with duplicate detection, 3 Iterated Width (default)
    --count WHICH      counters of Iterated Width: per-width (the last one, default) or all-widths
    --record WHICH     tuples that a kept state records: all (default) or first (the smallest new size)
    --time SECONDS     stop the search after this time
    --memory MIB       stop the search at this much memory
    play_solution      after the report, show the solution move by move
";

/// The exit code of bad usage and of bad files.
const BAD: u8 = 84;

/// The time of an animation step.
const FRAME: Duration = Duration::from_millis(250);

/// The parsed command line.
#[derive(Debug, Default)]
struct Request {
    solve: bool,
    animate: bool,
    file: String,
    options: Options,
    budget: Budget,
}

/// Runs the command.
pub fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|a| a == "-h" || a == "--help") {
        print!("{USAGE}{MORE}");
        return ExitCode::SUCCESS;
    }
    let request = match parse(&arguments) {
        Ok(request) => request,
        Err(why) => {
            print!("{USAGE}{MORE}");
            if !why.is_empty() {
                eprintln!("gate: {}", shortened(&why));
            }
            return ExitCode::from(BAD);
        }
    };
    let gate = match read(&request.file) {
        Ok(gate) => gate,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(BAD);
        }
    };
    for warning in gate.warnings() {
        eprintln!("gate: {}: {warning}", request.file);
    }
    let code = if request.solve { solve(&request, &gate) } else { play(&gate) };
    code.unwrap_or_else(|error| {
        // If the reader has closed the pipe, this is no error.
        if error.kind() != io::ErrorKind::BrokenPipe {
            eprintln!("gate: {error}");
        }
        ExitCode::from(BAD)
    })
}

fn parse(arguments: &[String]) -> Result<Request, String> {
    let mut request = Request::default();
    let mut rest = arguments.iter();
    let mut files = Vec::new();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().map(String::as_str).ok_or(format!("{argument} needs a value"));
        let bad = |v: &str| format!("{argument} cannot be {v}");
        match argument.as_str() {
            "-s" => request.solve = true,
            "play_solution" => request.animate = true,
            "--algorithm" => {
                request.options.algorithm = match value()? {
                    "1" => Algorithm::Plain,
                    "2" => Algorithm::Duplicates,
                    "3" => Algorithm::Width,
                    other => return Err(bad(other)),
                }
            }
            "--count" => {
                request.options.all_widths = match value()? {
                    "per-width" => false,
                    "all-widths" => true,
                    other => return Err(bad(other)),
                }
            }
            "--record" => {
                request.options.record = match value()? {
                    "all" => Record::All,
                    "first" => Record::Smallest,
                    other => return Err(bad(other)),
                }
            }
            "--time" | "--memory" => {
                let text = value()?;
                limit(&mut request.budget, argument, text).ok_or_else(|| bad(text))?;
            }
            option if option.starts_with('-') => return Err(format!("there is no option {option}")),
            file => files.push(file.to_owned()),
        }
    }
    match <[String; 1]>::try_from(files) {
        Ok([file]) => request.file = file,
        Err(files) if files.is_empty() => return Err(String::new()),
        Err(files) => return Err(format!("one puzzle at a time, not {}", files.len())),
    }
    Ok(request)
}

fn read(file: &str) -> Result<Gate, String> {
    let bytes = read_file(file).map_err(|error| match error {
        ReadError::Io(error) if error.kind() == io::ErrorKind::NotFound => {
            format!("{file}: No such file or directory")
        }
        error => format!("{file}: {error}"),
    })?;
    let text = encoding::text(bytes).map_err(|error| format!("{file}: not a text file: {error}"))?;
    Gate::parse(&text).map_err(|error| caret(file, &text, &error))
}

fn solve(request: &Request, gate: &Gate) -> io::Result<ExitCode> {
    let report = within("gate", &request.budget, || report(gate, request.options, &request.budget));
    if let Ending::Stopped(limit) = report.ending {
        let Report { elapsed, expanded, generated, .. } = report;
        let seconds = elapsed.as_secs_f64();
        eprintln!(
            "gate: stopped at the {} limit after {seconds:.3} s: {expanded} nodes expanded, {generated} generated",
            limit.name()
        );
        return Ok(ExitCode::from(if limit == Limit::Time { 20 } else { 21 }));
    }
    let mut out = io::stdout().lock();
    write_report(&mut out, &report)?;
    if request.animate {
        out.flush()?;
        animate(&mut out, &request.file, gate, &report.plan)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn write_report(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let seconds = report.elapsed.as_secs_f64();
    writeln!(out, "Solution path: {}", report.plan.concat())?;
    writeln!(out, "Execution time: {seconds:.6}")?;
    writeln!(out, "Expanded nodes: {}", report.expanded)?;
    writeln!(out, "Generated nodes: {}", report.generated)?;
    writeln!(out, "Duplicated nodes: {}", report.duplicated)?;
    writeln!(out, "Auxiliary memory usage (bytes): {}", report.auxiliary)?;
    writeln!(out, "Number of pieces in the puzzle: {}", report.pieces)?;
    writeln!(out, "Number of steps in solution: {}", report.plan.len())?;
    writeln!(out, "Number of empty spaces: {}", report.empty)?;
    match report.ending {
        Ending::NoSolution => writeln!(out, "No solution up to IW({})", report.width)?,
        _ => writeln!(out, "Solved by IW({})", report.width)?,
    }
    let rate = report.expanded as f64 / seconds.max(1e-9);
    writeln!(out, "Number of nodes expanded per second: {rate:.6}")
}

/// Shows the board after each move: on a terminal on a screen with keys, elsewhere one below the other.
fn animate(out: &mut impl Write, file: &str, gate: &Gate, plan: &[String]) -> io::Result<()> {
    if let Some(look) = terminal() {
        return beeline_terminal::animate(file, gate, plan, look, FRAME, Some(4 * FRAME)).map(|_| ());
    }
    let mut game = gate.game();
    writeln!(out, "\n{}", game.here().text().trim_end())?;
    for (number, step) in plan.iter().enumerate() {
        game.play(step).map_err(io::Error::other)?;
        writeln!(out, "{}{}. {step}", game.here().text(), number + 1)?;
    }
    Ok(())
}

/// Prints the usage and plays by keyboard, as the original does.
fn play(gate: &Gate) -> io::Result<ExitCode> {
    print!("{USAGE}");
    io::stdout().flush()?;
    keys::play(gate)
}
