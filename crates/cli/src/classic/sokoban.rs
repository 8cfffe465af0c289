//! `sokoban MAP` plays, `sokoban -s MAP [play_solution]` solves.
//!
//! Uniform-cost search over single steps, with the report of the classic program. The classic program's corner test was
//! wrong and could lose plans; here it is right unless `--reference` asks for the original to the digit.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

use beeline_puzzles::sokoban::classic::{Corners, Step, solve};
use beeline_puzzles::sokoban::{Level, text};
use beeline_puzzles::{Puzzle, TextError, sokoban::Sokoban};
use beeline_search::{Budget, Outcome, Verdict};

/// What the classic program returns for every kind of failure.
const FAILURE: u8 = 84;

const USAGE: &str = "\
USAGE
\t./sokoban <-s> map <play_solution>

DESCRIPTION
 Arguments within <> are optional
    -s                 calls the AI solver
    play_solution      animates the solution found by the AI solver
";

const MORE: &str = "
OPTIONS
    --reference        the original program to the digit, its wrong corner test included
    --level N|NAME     which level of a collection, by number from 1 or by title
    --pace MS          milliseconds a step of the animation (500)
    -h                 the classic usage
    --help             this text
";

/// Runs the command.
pub fn main() -> ExitCode {
    let mut words = std::env::args();
    let program = words.next().unwrap_or_else(|| "sokoban".to_owned());
    match run(&program, words.collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(FAILURE)
        }
    }
}

/// What was asked for, besides the positional words.
struct Options {
    corners: Corners,
    level: Option<String>,
    pace: Duration,
    words: Vec<String>,
}

fn run(program: &str, words: Vec<String>) -> Result<(), String> {
    let invalid = || format!("Invalid use. Run \"{program} -h\" for help.");
    let options = read_options(words).ok_or_else(invalid)?;
    let words = &options.words;
    if words.is_empty() || words.len() > 3 {
        return Err(invalid());
    }
    match words[0].strip_prefix('-').map(|rest| rest.chars().next()) {
        Some(Some('h')) => print(USAGE),
        Some(Some('-')) if words[0] == "--help" => print(&format!("{USAGE}{MORE}")),
        Some(Some('s')) => {
            let path = words.get(1).ok_or("No such file or directory")?;
            let animate = words.get(2).is_some_and(|word| word == "play_solution");
            solve_map(path, &options, animate)
        }
        Some(_) => Err(invalid()),
        None => play(&words[0], &options),
    }
}

/// Takes our own options out of the command line; `None` if one of them is misused.
fn read_options(words: Vec<String>) -> Option<Options> {
    let mut options =
        Options { corners: Corners::Sound, level: None, pace: Duration::from_millis(500), words: Vec::new() };
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--reference" => options.corners = Corners::Reference,
            "--level" => options.level = Some(words.next()?),
            "--pace" => options.pace = Duration::from_millis(words.next()?.parse().ok()?),
            _ => options.words.push(word),
        }
    }
    Some(options)
}

fn print(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| e.to_string())
}

/// Reads the map, or the wanted level of a collection.
fn read_map(path: &str, options: &Options) -> Result<Level, String> {
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "No such file or directory".to_owned(),
        _ => format!("{path}: {error}"),
    })?;
    let file = String::from_utf8_lossy(&bytes);
    let mut levels = text::parse(&file).map_err(|error| pointed(path, &file, &error))?;
    let at = match &options.level {
        None => 0,
        Some(wanted) => {
            let by_number =
                wanted.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).filter(|&n| n < levels.len());
            let by_title = || levels.iter().position(|level| level.title.as_deref() == Some(wanted));
            by_number
                .or_else(by_title)
                .ok_or_else(|| format!("{path}: no level {wanted:?} among {}", levels.len()))?
        }
    };
    let level = levels.swap_remove(at);
    for warning in Sokoban::new(level.board.clone()).warnings() {
        eprintln!("{path}: warning: {warning}");
    }
    Ok(level)
}

/// An error with the line that it is about and a caret under the place.
fn pointed(path: &str, file: &str, error: &TextError) -> String {
    let (line, column) = error.position(file);
    let row = file.lines().nth(line - 1).unwrap_or_default();
    let end = error.span.end.min(file.len());
    let width = file
        .get(error.span.start.min(end)..end)
        .map_or(1, |s| s.lines().next().unwrap_or_default().chars().count());
    let mut text = format!("{path}:{line}:{column}: {}\n", error.message);
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    let carets = "^".repeat(width.max(1));
    let _ = writeln!(text, "{margin} |\n{number} | {row}");
    let _ = write!(text, "{margin} | {}{carets} expected {}", " ".repeat(column - 1), error.expected);
    if let Some(help) = &error.help {
        let _ = write!(text, "\n{margin} = help: {help}");
    }
    text
}

fn solve_map(path: &str, options: &Options, animate: bool) -> Result<(), String> {
    let level = read_map(path, options)?;
    let outcome = solve(&level.board, options.corners, &Budget::default());
    let reference = options.corners == Corners::Reference;
    let letters: Option<String> = outcome.solution().map(|solution| {
        let letter = if reference { Step::reference_letter } else { Step::letter };
        solution.moves.iter().map(|&step| letter(step)).collect()
    });
    if animate && let Some(letters) = &letters {
        show(&level, letters, options.pace)?;
    }
    if let Verdict::Stopped(limit) = outcome.verdict {
        eprintln!("{path}: stopped: {} limit", limit.name());
    }
    let report = report(letters.as_deref(), &outcome);
    if letters.is_some() || !reference {
        std::fs::write("solution.txt", &report).map_err(|error| format!("solution.txt: {error}"))?;
    }
    if reference { print(&reference_report(letters.as_deref(), &outcome)) } else { print(&report) }
}

/// The six figures, the same on the screen and in the file.
fn figures(letters: Option<&str>, outcome: &Outcome<Step>) -> String {
    let stats = &outcome.stats;
    let seconds = stats.elapsed.as_secs_f64();
    let rate = if seconds > 0.0 { (stats.expanded as f64 / seconds) as u64 } else { 0 };
    format!(
        "\tExpanded nodes: {}\n\tGenerated nodes: {}\n\tDuplicated nodes: {}\n\tSolution Length: {}\n\
         \tExpanded/seconds: {rate}\n\tTime (seconds): {seconds:.6}\n",
        stats.expanded,
        stats.generated,
        stats.duplicates,
        letters.map_or(0, str::len),
    )
}

fn report(letters: Option<&str>, outcome: &Outcome<Step>) -> String {
    let solution = letters.unwrap_or(match outcome.verdict {
        Verdict::Exhausted => "none: this map cannot be solved",
        _ => "none found",
    });
    format!("SOLUTION:\n{solution}\n\nSTATS:\n{}", figures(letters, outcome))
}

/// The original's own layout, with the blanks that it prints.
fn reference_report(letters: Option<&str>, outcome: &Outcome<Step>) -> String {
    let head = letters.map_or_else(String::new, |l| format!("\nSOLUTION:{}\n{l}\n\n", " ".repeat(31)));
    format!("{head}STATS: \n{}", figures(letters, outcome))
}

/// Shows the plan step by step: a frame before each step, and one at the end.
fn show(level: &Level, letters: &str, pace: Duration) -> Result<(), String> {
    let mut game = Sokoban::new(level.board.clone()).game();
    let clear = if std::io::stdout().is_terminal() { "\x1b[2J\x1b[H" } else { "" };
    let frame = |puzzle: Box<dyn Puzzle>| print(&format!("{clear}{}\n", puzzle.text()));
    for letter in letters.chars() {
        frame(game.here())?;
        let step = |letter: char| letter.to_string();
        // The original writes some pushes small.
        let played = game.play(&step(letter)).or_else(|_| game.play(&step(letter.to_ascii_uppercase())));
        played?;
        sleep(pace);
    }
    frame(game.here())?;
    sleep(3 * pace);
    Ok(())
}

fn play(path: &str, options: &Options) -> Result<(), String> {
    let level = read_map(path, options)?;
    Err(format!(
        "{path}: {} boxes; playing by keyboard is not in this build: use `beeline play sokoban`",
        level.board.boxes().len()
    ))
}
