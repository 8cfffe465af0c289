//! `hw1`: the sliding bricks homework, and its parts as separate commands.
//!
//! Without arguments it does what the homework's main function does with `SBP-level0.txt` and `SBP-level1.txt` in the current
//! folder. Exit codes: 0 done (also when there is no solution), 1 a file cannot be read or written, 2 bad usage, 20 time
//! limit, 21 memory limit.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use beeline_puzzles::Puzzle;
use beeline_puzzles::bricks::classic::{Ending, Estimate, Report, Search, search};
use beeline_puzzles::bricks::{Bricks, Grid, LEVELS, Step};
use beeline_puzzles::encoding;
use beeline_puzzles::file::{ReadError, read_file};
use beeline_puzzles::quote::shortened;
use beeline_search::{Budget, Limit, Random};

use super::caret::caret;
use super::{limit, within};

const USAGE: &str = "\
USAGE
    hw1                         the homework: a random walk on SBP-level0.txt, then breadth-first search, depth-first
                                search and iterative deepening on SBP-level1.txt, both in this folder
    hw1 --make-levels           write level files of our own into this folder
    hw1 bfs|dfs|ids|astar FILE  solve a board
    hw1 walk FILE [-n N]        a random walk of N moves (3)
    hw1 print|norm|done|moves FILE
                                show a board, show its normal form, is it solved?, its moves
    hw1 apply FILE MOVE...      the board after these moves: '(2,left)'
    hw1 compare FILE FILE       are two boards the same?

OPTIONS
    --ids original|normal  number the bricks of a plan as in the file (default) or as in the normal form before each move
    --spaces               write (2, left) and 5, 4,
    --seed S               the seed of a random walk (without it, another one each time; it is told on standard error)
    --until-solved         walk until the goal is reached
    --heuristic WHICH      of astar: blockers (default), way or blind
    --rounds               after ids: how many nodes each depth took
    --time SECONDS, --memory MIB
                           stop a search there
";

/// A failure without output: the message and the exit code.
struct Failure(String, u8);

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        // If the reader has closed the pipe, this is no error.
        Self(if error.kind() == ErrorKind::BrokenPipe { String::new() } else { error.to_string() }, 1)
    }
}

/// The options and the other words of the command line.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools)] // each is a flag of the command line
struct Request {
    words: Vec<String>,
    moves: Option<usize>,
    normal: bool,
    spaces: bool,
    seed: Option<u64>,
    until_solved: bool,
    estimate: Estimate,
    rounds: bool,
    make_levels: bool,
    budget: Budget,
}

/// Runs the command.
pub fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut out = io::stdout().lock();
    match run(&arguments, &mut out).and_then(|code| Ok(out.flush().map(|()| code)?)) {
        Ok(code) => ExitCode::from(code),
        Err(Failure(message, code)) => {
            if !message.is_empty() {
                eprintln!("hw1: {message}");
            }
            ExitCode::from(code)
        }
    }
}

fn run(arguments: &[String], out: &mut impl Write) -> Result<u8, Failure> {
    if arguments.iter().any(|a| a == "-h" || a == "--help") {
        write!(out, "{USAGE}")?;
        return Ok(0);
    }
    let request = parse(arguments).map_err(|why| Failure(format!("{}\n\n{USAGE}", shortened(&why)), 2))?;
    if request.make_levels {
        return make_levels(out);
    }
    let words: Vec<&str> = request.words.iter().map(String::as_str).collect();
    let Some((&command, files)) = words.split_first() else { return homework(&request, out) };
    let one = || match files {
        [file] => load(file),
        _ => Err(Failure(format!("{command} wants one file\n\n{USAGE}"), 2)),
    };
    match command {
        "bfs" => solve(&one()?, Search::Breadth, &request, out),
        "dfs" => solve(&one()?, Search::Depth, &request, out),
        "ids" => solve(&one()?, Search::Deepening, &request, out),
        "astar" => solve(&one()?, Search::Astar, &request, out),
        "walk" => walk(one()?, &request, out),
        "print" => show(&one()?, &request, out),
        "norm" => show(&one()?.normal(), &request, out),
        "done" => {
            writeln!(out, "{}", one()?.solved())?;
            Ok(0)
        }
        "moves" => {
            for step in one()?.moves() {
                writeln!(out, "{}", named(step, &request))?;
            }
            Ok(0)
        }
        "apply" => apply(files, &request, out),
        "compare" => match files {
            [a, b] => {
                writeln!(out, "{}", load(a)?.cells() == load(b)?.cells())?;
                Ok(0)
            }
            _ => Err(Failure(format!("compare wants two files\n\n{USAGE}"), 2)),
        },
        other => Err(Failure(format!("there is no command {}\n\n{USAGE}", shortened(other)), 2)),
    }
}

fn parse(arguments: &[String]) -> Result<Request, String> {
    let mut request = Request::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().map(String::as_str).ok_or(format!("{argument} needs a value"));
        let bad = |v: &str| format!("{argument} cannot be {v}");
        match argument.as_str() {
            "-n" => request.moves = Some(value().and_then(|v| v.parse().map_err(|_| bad(v)))?),
            "--seed" => request.seed = Some(value().and_then(|v| v.parse().map_err(|_| bad(v)))?),
            "--until-solved" => request.until_solved = true,
            "--spaces" => request.spaces = true,
            "--rounds" => request.rounds = true,
            "--make-levels" => request.make_levels = true,
            "--ids" => {
                request.normal = match value()? {
                    "original" => false,
                    "normal" => true,
                    other => return Err(bad(other)),
                }
            }
            "--heuristic" => {
                request.estimate = match value()? {
                    "blockers" => Estimate::Blockers,
                    "way" => Estimate::Way,
                    "blind" => Estimate::Blind,
                    other => return Err(bad(other)),
                }
            }
            "--time" | "--memory" => {
                let text = value()?;
                limit(&mut request.budget, argument, text).ok_or_else(|| bad(text))?;
            }
            option if option.starts_with('-') => return Err(format!("there is no option {option}")),
            word => request.words.push(word.to_owned()),
        }
    }
    Ok(request)
}

fn load(file: &str) -> Result<Grid, Failure> {
    let bytes = read_file(file).map_err(|error| match error {
        ReadError::Io(e) if e.kind() == ErrorKind::NotFound => {
            let level = LEVELS.iter().any(|(name, _)| *name == file);
            let hint = if level { "\n  = `hw1 --make-levels` writes one of our own" } else { "" };
            Failure(format!("{file}: there is no such file{hint}"), 1)
        }
        error => Failure(format!("{file}: {error}"), 1),
    })?;
    let text = encoding::text(bytes)
        .map_err(|error| Failure(format!("{file}: this is no text file: {error}"), 1))?;
    let grid = Grid::parse(&text).map_err(|error| Failure(caret(file, &text, &error), 1))?;
    if let Ok(bricks) = Bricks::new(&grid) {
        for warning in bricks.warnings() {
            eprintln!("hw1: {file}: {warning}");
        }
    }
    Ok(grid)
}

/// The main function of the homework.
fn homework(request: &Request, out: &mut impl Write) -> Result<u8, Failure> {
    let [(first, _), (second, _), ..] = LEVELS;
    walk(load(first)?, request, out)?;
    let level = load(second)?;
    for which in [Search::Breadth, Search::Depth, Search::Deepening] {
        let code = solve(&level, which, request, out)?;
        if code != 0 {
            return Ok(code);
        }
    }
    Ok(0)
}

fn make_levels(out: &mut impl Write) -> Result<u8, Failure> {
    if let Some((name, _)) = LEVELS.iter().find(|(name, _)| Path::new(name).exists()) {
        return Err(Failure(format!("{name} is already here, and nothing was written"), 1));
    }
    for (name, text) in LEVELS {
        std::fs::write(name, text).map_err(|e| Failure(format!("{name}: {e}"), 1))?;
        writeln!(out, "{name}")?;
    }
    Ok(0)
}

fn named(step: Step, request: &Request) -> String {
    if request.spaces { format!("{step:#}") } else { step.to_string() }
}

fn show(grid: &Grid, request: &Request, out: &mut impl Write) -> Result<u8, Failure> {
    write!(out, "{}", grid.display(request.spaces))?;
    Ok(0)
}

/// An unpredictable seed, from the key of a new hasher. It is short enough to type again.
fn any_seed() -> u64 {
    RandomState::new().hash_one(0) >> 32
}

/// Prints a random walk: the board, then each move and its board, with an empty line after each.
fn walk(mut grid: Grid, request: &Request, out: &mut impl Write) -> Result<u8, Failure> {
    let most = request.moves.unwrap_or(if request.until_solved { usize::MAX } else { 3 });
    let deadline = request.budget.time.and_then(|t| Instant::now().checked_add(t));
    let seed = request.seed.unwrap_or_else(|| {
        let seed = any_seed();
        eprintln!("hw1: seed {seed}");
        seed
    });
    let mut random = Random::new(seed);
    writeln!(out, "{}", grid.display(request.spaces))?;
    let mut made = 0;
    while made < most {
        let mut failed = Ok(());
        let moved = grid.walk(
            1,
            |moves| random.pick(moves).copied(),
            |step, after| {
                failed = write!(out, "{}\n\n{}\n", named(step, request), after.display(request.spaces));
            },
        );
        failed?;
        if moved == 0 {
            break;
        }
        made += 1;
        if deadline.is_some_and(|d| Instant::now() >= d) {
            return Err(Failure(format!("stopped at the time limit after {made} moves"), 20));
        }
    }
    Ok(0)
}

/// Runs a search and prints its moves, the final board, and nodes, time and length.
fn solve(grid: &Grid, which: Search, request: &Request, out: &mut impl Write) -> Result<u8, Failure> {
    let bricks = Bricks::new(grid).map_err(|why| Failure(why.to_string(), 1))?;
    let report = within("hw1", &request.budget, || search(&bricks, which, request.estimate, &request.budget));
    let report = report.map_err(|why| Failure(why.to_string(), 1))?;
    let Report { ending, steps, normal_steps, end, nodes, rounds, elapsed, .. } = report;
    let seconds = elapsed.as_secs_f64();
    match ending {
        Ending::Solved => {
            for step in if request.normal { &normal_steps } else { &steps } {
                writeln!(out, "{}", named(*step, request))?;
            }
            show(&if request.normal { end.normal() } else { end }, request, out)?;
        }
        Ending::NoSolution => writeln!(out, "no solution")?,
        Ending::Stopped(limit) => {
            out.flush()?;
            let message =
                format!("stopped at the {} limit after {nodes} nodes, {seconds:.2} s", limit.name());
            return Err(Failure(message, if limit == Limit::Memory { 21 } else { 20 }));
        }
    }
    writeln!(out, "{nodes} {seconds:.2} {}", steps.len())?;
    if request.rounds {
        for round in rounds {
            writeln!(out, "depth {}: {} nodes", round.bound, round.expanded)?;
        }
    }
    Ok(0)
}

fn apply(words: &[&str], request: &Request, out: &mut impl Write) -> Result<u8, Failure> {
    let Some((file, moves)) = words.split_first() else {
        return Err(Failure(format!("apply wants a file and moves\n\n{USAGE}"), 2));
    };
    let mut grid = load(file)?;
    for text in moves {
        let step = read_step(text).ok_or_else(|| {
            let message = format!("{} is no move like (2,left)", shortened(text));
            Failure(message, 2)
        })?;
        grid.apply(step).map_err(|why| Failure(why.to_string(), 1))?;
    }
    show(&grid, request, out)
}

fn read_step(text: &str) -> Option<Step> {
    let (brick, dir) = text.trim().strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    let dir = beeline_puzzles::sliding::Dir::ALL.into_iter().find(|d| d.word() == dir.trim())?;
    Some(Step { brick: brick.trim().parse().ok()?, dir })
}
