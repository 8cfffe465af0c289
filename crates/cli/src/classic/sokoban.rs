//! `sokoban MAP` plays, `sokoban -s MAP [play_solution]` solves.
//!
//! Uniform-cost search over single steps, with the report of the classic program. The classic program's corner test
//! was wrong and could lose plans. Here it is correct unless `--reference` requests the original behaviour. Exit
//! codes: 0 the report was printed (also without a solution) or the game is won, 1 the game is lost, 20 time limit,
//! 21 memory limit, 84 failure.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use beeline_puzzles::encoding;
use beeline_puzzles::file::{ReadError, read_file};
use beeline_puzzles::quote::shortened;
use beeline_puzzles::scene::{Form, Ground};
use beeline_puzzles::sokoban::classic::{Corners, Step, solve};
use beeline_puzzles::sokoban::{Level, text};
use beeline_puzzles::{Puzzle, Scene, Way, sokoban::Sokoban};
use beeline_search::{Budget, Limit, Outcome, Verdict};
use beeline_terminal::{self as terminal, Ending, GameOptions, ScreenResult};

use super::caret::caret;
use super::{limit, screen, timed, within};
use crate::commands::machine;

/// The exit code of the classic program for every failure.
const FAILURE: u8 = 84;
/// The exit code of a lost game.
const LOST: u8 = 1;
/// The exit codes of limits, as in the other commands. The classic program had no limits.
const TIME: u8 = 20;
const MEMORY: u8 = 21;

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
    --time SECONDS     stop the solver after this time: exit code 20
    --memory MIB       stop the solver at this much memory: exit code 21
    -h                 the classic usage
    --help             this text
";

/// Runs the command.
pub fn main() -> ExitCode {
    let mut words = std::env::args();
    let program = words.next().unwrap_or_else(|| "sokoban".to_owned());
    match run(&program, words.collect()) {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(FAILURE)
        }
    }
}

/// The options of the command line, without the positional words.
struct Options {
    corners: Corners,
    level: Option<String>,
    pace: Duration,
    budget: Budget,
    words: Vec<String>,
}

fn run(program: &str, words: Vec<String>) -> Result<u8, String> {
    let invalid = || format!("Invalid use. Run \"{program} -h\" for help.");
    let options = read_options(words).ok_or_else(invalid)?;
    let words = &options.words;
    if words.is_empty() || words.len() > 3 {
        return Err(invalid());
    }
    match words[0].strip_prefix('-').map(|rest| rest.chars().next()) {
        Some(Some('h')) => print(USAGE).map(|()| 0),
        Some(Some('-')) if words[0] == "--help" => print(&format!("{USAGE}{MORE}")).map(|()| 0),
        Some(Some('s')) => {
            let path = words.get(1).ok_or("No such file or directory")?;
            let animate = words.get(2).is_some_and(|word| word == "play_solution");
            solve_map(path, &options, animate)
        }
        Some(_) => Err(invalid()),
        None => play(&words[0], &options),
    }
}

/// Extracts our own options from the command line; `None` if one of them is invalid.
fn read_options(words: Vec<String>) -> Option<Options> {
    let mut options = Options {
        corners: Corners::Sound,
        level: None,
        pace: Duration::from_millis(500),
        budget: Budget::default(),
        words: Vec::new(),
    };
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--reference" => options.corners = Corners::Reference,
            "--level" => options.level = Some(words.next()?),
            "--time" | "--memory" => limit(&mut options.budget, &word, &words.next()?)?,
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

/// Reads the map, or the requested level of a collection.
fn read_map(path: &str, options: &Options) -> Result<Level, String> {
    let bytes = read_file(path).map_err(|error| match error {
        ReadError::Io(error) if error.kind() == std::io::ErrorKind::NotFound => {
            "No such file or directory".to_owned()
        }
        error => format!("{path}: {error}"),
    })?;
    let file = encoding::text(bytes).map_err(|error| format!("{path}: this is no text file: {error}"))?;
    let mut levels = text::parse_each(&file);
    let at = match &options.level {
        None => 0,
        Some(wanted) => {
            let by_number =
                wanted.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).filter(|&n| n < levels.len());
            let titled = |level: &Level| level.title.as_deref() == Some(wanted);
            let by_title = || levels.iter().position(|level| level.as_ref().is_ok_and(titled));
            by_number
                .or_else(by_title)
                .ok_or_else(|| format!("{path}: no level {:?} among {}", shortened(wanted), levels.len()))?
        }
    };
    let level = levels.swap_remove(at).map_err(|error| caret(path, &file, &error))?;
    for warning in Sokoban::new(level.board.clone()).warnings() {
        eprintln!("{path}: warning: {warning}");
    }
    Ok(level)
}

fn solve_map(path: &str, options: &Options, animate: bool) -> Result<u8, String> {
    let level = read_map(path, options)?;
    let (mut outcome, took) = timed(|| {
        within("sokoban", &options.budget, || solve(&level.board, options.corners, &options.budget))
    });
    outcome.stats.elapsed = took;
    let reference = options.corners == Corners::Reference;
    let letters: Option<String> = outcome.solution().map(|solution| {
        let letter = if reference { Step::reference_letter } else { Step::letter };
        solution.moves.iter().map(|&step| letter(step)).collect()
    });
    if animate && let Some(letters) = &letters {
        show(path, &level, letters, options.pace)?;
    }
    let report = report(letters.as_deref(), &outcome);
    let stopped = match outcome.verdict {
        Verdict::Stopped(limit) => Some(limit),
        _ => None,
    };
    // If the search was stopped, there is nothing to write to the file.
    if letters.is_some() || !reference && stopped.is_none() {
        std::fs::write("solution.txt", &report).map_err(|error| format!("solution.txt: {error}"))?;
    }
    if reference {
        print(&reference_report(letters.as_deref(), &outcome))?;
    } else {
        print(&report)?;
    }
    let Some(limit) = stopped else { return Ok(0) };
    eprintln!("{path}: stopped: {} limit", limit.name());
    Ok(if limit == Limit::Time { TIME } else { MEMORY })
}

/// The six figures, identical on the screen and in the file.
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

/// The original's layout, including its blanks.
fn reference_report(letters: Option<&str>, outcome: &Outcome<Step>) -> String {
    let head = letters.map_or_else(String::new, |l| format!("\nSOLUTION:{}\n{l}\n\n", " ".repeat(31)));
    format!("{head}STATS: \n{}", figures(letters, outcome))
}

/// Shows the plan step by step: on a terminal with keys, elsewhere a frame before each step and one at the end.
fn show(path: &str, level: &Level, letters: &str, pace: Duration) -> Result<(), String> {
    let puzzle = Sokoban::new(level.board.clone());
    let mut game = puzzle.game();
    let mut boards = vec![game.here().text()];
    for letter in letters.chars() {
        // The original writes some pushes as small letters.
        let small = game.play(&letter.to_string());
        small.or_else(|_| game.play(&letter.to_ascii_uppercase().to_string()))?;
        boards.push(game.here().text());
    }
    if let Some(look) = screen::terminal() {
        let shown = beeline_terminal::animate(path, &puzzle, game.history(), look, pace, Some(3 * pace));
        return shown.map(|_| ()).map_err(|error| error.to_string());
    }
    boards.iter().try_for_each(|board| print(&format!("{board}\n")))
}

/// Plays with the arrow keys. As in the original, a solved map ends the game, and so does a box in a corner. The exit
/// code tells which of them happened.
fn play(path: &str, options: &Options) -> Result<u8, String> {
    let level = read_map(path, options)?;
    let look = screen::terminal().ok_or_else(|| format!("{path}: playing needs a terminal"))?;
    let name = level.title.clone().unwrap_or_else(|| path.to_owned());
    let levels = vec![terminal::Level { name, puzzle: Box::new(Sokoban::new(level.board)) }];
    let budget = Budget { bytes: machine::memory_to_use(None), ..Budget::default() };
    let game_options = GameOptions { ends_when_won: true, is_lost: Some(is_lost), space_restarts: true };
    let left = terminal::play(levels, 0, look, budget, game_options);
    match left.map_err(|error| error.to_string())? {
        ScreenResult::Ended(Ending::Lost) => Ok(LOST),
        ScreenResult::Ended(Ending::Won | Ending::Quit) => Ok(0),
        ScreenResult::Interrupted => Ok(screen::INTERRUPTED),
    }
}

/// The original's test for a lost game: a box off goal, next to the player, in a corner of two walls.
fn is_lost(scene: &Scene) -> bool {
    let cell = |row: usize, column: usize, (down, right): (isize, isize)| {
        let row = row.checked_add_signed(down).filter(|&r| r < scene.height)?;
        let column = column.checked_add_signed(right).filter(|&c| c < scene.width)?;
        Some((row, column))
    };
    let wall = |at: Option<(usize, usize)>| at.is_none_or(|(r, c)| scene.at(r, c).ground == Ground::Wall);
    let form = |r: usize, c: usize| scene.at(r, c).thing.as_ref().map(|thing| thing.form);
    let player = scene.cells.iter().position(|c| c.thing.as_ref().is_some_and(|t| t.form == Form::Player));
    let Some((row, column)) = player.map(|at| (at / scene.width, at % scene.width)) else { return false };
    Way::ALL.iter().filter_map(|way| cell(row, column, way.delta())).any(|(r, c)| {
        let stuck = |a: Way, b: Way| wall(cell(r, c, a.delta())) && wall(cell(r, c, b.delta()));
        let corner = [Way::Left, Way::Right].iter().any(|&a| stuck(a, Way::Up) || stuck(a, Way::Down));
        form(r, c) == Some(Form::Crate) && scene.at(r, c).ground != Ground::Goal && corner
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_in_a_corner_beside_the_player_is_lost() {
        let lost = |map: &str| {
            let level = text::parse(map).expect("a map").swap_remove(0);
            is_lost(&Sokoban::new(level.board).game().scene())
        };
        assert!(lost("#####\n#$@.#\n#####\n"));
        assert!(!lost("#####\n#*@ #\n#####\n"), "it is home");
        assert!(!lost("######\n#$ @.#\n######\n"), "the player is elsewhere");
        assert!(!lost("#####\n# $@#\n#  .#\n#####\n"), "one wall is no corner");
    }
}
