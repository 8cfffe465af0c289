//! Play by keyboard: a piece, then a direction, with the prompts and messages of the original.
//!
//! The original had no undo, no quit and no counter. Here the first question also takes `z`, `x` and `q`. On a
//! terminal, single keys are read and the board stays in place. Elsewhere the characters of standard input are the
//! keys.

use std::io::{self, BufRead, IsTerminal, Read as _, Write};
use std::process::ExitCode;

use beeline_puzzles::gate::Gate;
use beeline_puzzles::{Game, Puzzle, Scene};
use beeline_terminal::{Dialogue, ScreenResult, run_dialogue};

use crate::classic::screen::{INTERRUPTED, terminal};

const QUESTION: &str = "Enter a piece number and a letter direction to move that piece in that direction";
const COMMANDS: &str = "z undo, x restart, q quit";

/// Plays until the goal is reached or the player quits.
pub(super) fn play(gate: &Gate) -> io::Result<ExitCode> {
    let mut keys = Keys::new(gate);
    let end = match terminal().filter(|_| io::stdin().is_terminal()) {
        None => piped(&mut keys, &mut io::stdin().lock(), &mut io::stdout().lock())?,
        Some(look) => match run_dialogue(&mut keys, look)? {
            ScreenResult::Ended(end) => end,
            ScreenResult::Interrupted => return Ok(ExitCode::from(INTERRUPTED)),
        },
    };
    if end == End::Won {
        writeln!(io::stdout(), "Solved in {}", keys.count())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads keys until the end of the input, and prints the board after each answer.
fn piped(keys: &mut Keys, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<End> {
    write!(out, "\n{}\n{QUESTION}\n", keys.game.here().text())?;
    for byte in input.bytes() {
        let key = char::from(byte?);
        if key.is_whitespace() {
            continue;
        }
        let end = keys.key(key);
        if keys.piece.is_none() {
            write!(out, "{}\n\n{}\n", keys.result, keys.game.here().text())?;
        }
        if let Some(end) = end {
            return Ok(end);
        }
    }
    Ok(End::Quit)
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Won,
    Quit,
}

/// The state of the dialogue.
struct Keys {
    game: Box<dyn Game>,
    /// The chosen piece: the answer to the first question.
    piece: Option<char>,
    /// The result of the last two answers.
    result: String,
}

impl Keys {
    fn new(gate: &Gate) -> Self {
        Self { game: gate.game(), piece: None, result: String::new() }
    }

    fn count(&self) -> String {
        let moves = self.game.history().len();
        format!("{moves} move{}", if moves == 1 { "" } else { "s" })
    }

    /// Handles the first question: a piece, or one of our own commands.
    fn first(&mut self, key: char) -> Option<End> {
        match key {
            'z' | '\u{8}' => {
                let back = self.game.undo();
                self.result = String::from(if back { "Move taken back" } else { "No move to take back" });
            }
            'x' => {
                while self.game.undo() {}
                self.result = String::from("From the start again");
            }
            'q' => return Some(End::Quit),
            piece => self.piece = Some(piece),
        }
        None
    }

    /// Makes a move once both answers are known.
    fn make(&mut self, piece: char, direction: char) -> Option<End> {
        let is_there = |scene: &Scene| {
            let labels = scene.cells.iter().filter_map(|cell| cell.thing.as_ref()).map(|thing| &thing.label);
            labels.into_iter().any(|label| label.chars().eq([piece]))
        };
        self.result = if !is_there(&self.game.scene()) {
            format!("Unable to find piece on the board: {piece}")
        } else if !"udlr".contains(direction) {
            format!("Illegal movement direction: {direction} not one of {{u, d, l, r}}")
        } else if self.game.play(&format!("{piece}{direction}")).is_err() {
            format!("Unable to move piece {piece} in direction {direction}")
        } else {
            format!("Making move: {piece}{direction}")
        };
        self.game.solved().then_some(End::Won)
    }
}

impl Dialogue for Keys {
    type End = End;

    fn scene(&self) -> Scene {
        self.game.scene()
    }

    fn lines(&self) -> Vec<String> {
        let asked = match self.piece {
            None => "Piece: ".to_owned(),
            Some(piece) => format!("Piece: {piece}  Direction: "),
        };
        let counter = format!("{} made; {COMMANDS}", self.count());
        vec![QUESTION.to_owned(), asked, self.result.clone(), counter]
    }

    fn key(&mut self, key: char) -> Option<End> {
        match self.piece.take() {
            None => self.first(key),
            // The player takes the piece back.
            Some(_) if matches!(key, '\u{8}' | '\u{1b}') => None,
            Some(piece) => self.make(piece, key),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "######\n#0  G#\n#1   #\n######\n";

    fn played(input: &str) -> (End, String) {
        let mut keys = Keys::new(&Gate::parse(BOARD).expect("a board"));
        let mut out = Vec::new();
        let end = piped(&mut keys, &mut input.as_bytes(), &mut out).expect("writing to memory");
        (end, String::from_utf8(out).expect("text"))
    }

    fn results(input: &str) -> Vec<String> {
        let told = |line: &&str| !line.is_empty() && !line.starts_with('#') && *line != QUESTION;
        played(input).1.lines().filter(told).map(str::to_owned).collect()
    }

    #[test]
    fn the_messages_are_those_of_the_original() {
        assert_eq!(
            results("0r\n0u 5u0x1 r"),
            [
                "Making move: 0r",
                "Unable to move piece 0 in direction u",
                "Unable to find piece on the board: 5",
                "Illegal movement direction: x not one of {u, d, l, r}",
                "Making move: 1r"
            ]
        );
    }

    #[test]
    fn a_game_is_won_quit_or_cut_off() {
        let (end, shown) = played("0r0r0r0l");
        assert_eq!(end, End::Won);
        assert!(shown.ends_with("Making move: 0r\n\n######\n#   H#\n#1   #\n######\n\n"), "{shown}");
        assert_eq!(played("0rq0r").0, End::Quit);
        assert_eq!(played("0").0, End::Quit);
    }

    #[test]
    fn moves_are_taken_back() {
        assert_eq!(results("0rzz"), ["Making move: 0r", "Move taken back", "No move to take back"]);
        let (_, shown) = played("0r1rx");
        assert!(shown.ends_with(&format!("From the start again\n\n{BOARD}\n")), "{shown}");
    }
}
