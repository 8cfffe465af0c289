//! The keys of the game.
//!
//! A key that names something on the board selects it: digits for pieces, letters for colours. Names have priority
//! over u, d, l and r, which have priority over the letters of commands. So a command may lose its letter to a
//! colour. Its other key always works, and the key list at the bottom of the screen shows the keys that work here.

use beeline_puzzle::Way;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// An action of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Go(Way),
    /// Press the marked cell.
    Press,
    /// Type a character of a thing's name.
    Name(char),
    NextThing,
    PreviousThing,
    Undo,
    Redo,
    Restart,
    Hint,
    Solve,
    /// Switch to the offered puzzle.
    Offer,
    NextLevel,
    PreviousLevel,
    Faster,
    Slower,
    Help,
    /// Stop whatever is running.
    Stop,
    Quit,
}

/// A command: its letter, its other key, their label and their effect.
struct Command {
    act: Act,
    letter: char,
    other: &'static [(KeyCode, KeyModifiers)],
    name: &'static str,
    does: &'static str,
}

const NONE: KeyModifiers = KeyModifiers::NONE;
const CTRL: KeyModifiers = KeyModifiers::CONTROL;

const COMMANDS: [Command; 10] = [
    Command {
        act: Act::Undo,
        letter: 'z',
        other: &[(KeyCode::Backspace, NONE), (KeyCode::Char('z'), CTRL)],
        name: "backspace",
        does: "undo",
    },
    Command {
        act: Act::Redo,
        letter: 'y',
        other: &[(KeyCode::Char('y'), CTRL), (KeyCode::Enter, NONE)],
        name: "enter",
        does: "redo",
    },
    Command {
        act: Act::Restart,
        letter: 'x',
        other: &[(KeyCode::Home, NONE)],
        name: "home",
        does: "restart",
    },
    Command { act: Act::Hint, letter: 'h', other: &[(KeyCode::F(2), NONE)], name: "F2", does: "hint" },
    Command { act: Act::Solve, letter: 's', other: &[(KeyCode::F(3), NONE)], name: "F3", does: "solve" },
    Command {
        act: Act::Offer,
        letter: 'g',
        other: &[(KeyCode::F(4), NONE)],
        name: "F4",
        does: "take the offer",
    },
    Command {
        act: Act::NextLevel,
        letter: 'n',
        other: &[(KeyCode::PageDown, NONE)],
        name: "page down",
        does: "next level",
    },
    Command {
        act: Act::PreviousLevel,
        letter: 'p',
        other: &[(KeyCode::PageUp, NONE)],
        name: "page up",
        does: "previous level",
    },
    Command {
        act: Act::Help,
        letter: '?',
        other: &[(KeyCode::F(1), NONE)],
        name: "F1",
        does: "rules, keys, mouse",
    },
    Command {
        act: Act::Quit,
        letter: 'q',
        other: &[(KeyCode::Char('q'), CTRL), (KeyCode::F(10), NONE)],
        name: "F10",
        does: "quit",
    },
];

/// The action of a key on a board whose things have these names.
pub(crate) fn act(key: KeyEvent, names: &[String]) -> Option<Act> {
    let modifiers = key.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT);
    if let KeyCode::Char(letter) = key.code
        && modifiers.is_empty()
    {
        return if names.iter().any(|name| name.contains(letter)) {
            Some(Act::Name(letter))
        } else if letter == ' ' {
            Some(Act::Press)
        } else {
            way(letter).map(Act::Go).or_else(|| by_letter(letter))
        };
    }
    let command = COMMANDS.iter().find(|c| c.other.contains(&(key.code, modifiers)));
    command.map(|c| c.act).or(match key.code {
        KeyCode::Left => Some(Act::Go(Way::Left)),
        KeyCode::Right => Some(Act::Go(Way::Right)),
        KeyCode::Up => Some(Act::Go(Way::Up)),
        KeyCode::Down => Some(Act::Go(Way::Down)),
        KeyCode::Tab => Some(Act::NextThing),
        KeyCode::BackTab => Some(Act::PreviousThing),
        KeyCode::Esc => Some(Act::Stop),
        _ => None,
    })
}

fn way(letter: char) -> Option<Way> {
    Way::ALL.into_iter().find(|way| way.letter() == letter)
}

fn by_letter(letter: char) -> Option<Act> {
    match letter {
        '+' | '=' => Some(Act::Faster),
        '-' => Some(Act::Slower),
        _ => COMMANDS.iter().find(|c| c.letter == letter).map(|c| c.act),
    }
}

/// The keys that work on a board whose things have these names. Some work only with several levels, or if another
/// puzzle is offered.
pub(crate) fn list(names: &[String], levels: bool, offer: bool) -> Vec<(String, &'static str)> {
    let mut keys = Vec::new();
    if names.is_empty() {
        keys.push(("arrows".to_owned(), "move"));
    } else {
        let shown = names.iter().filter(|name| !name.is_empty()).take(2).cloned().collect::<Vec<_>>();
        let more = if names.len() > 2 { " .." } else { "" };
        keys.push((format!("{}{more}", shown.join(" ")), "choose"));
        keys.push(("tab".to_owned(), "choose next"));
        keys.push(("arrows".to_owned(), "move it"));
    }
    let works = |act: Act| match act {
        Act::NextLevel | Act::PreviousLevel => levels,
        Act::Offer => offer,
        _ => true,
    };
    for command in COMMANDS.iter().filter(|c| works(c.act)) {
        let taken = names.iter().any(|name| name.contains(command.letter));
        let key = if taken { command.name.to_owned() } else { command.letter.to_string() };
        keys.push((key, command.does));
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(code: KeyCode, names: &[&str]) -> Option<Act> {
        let names: Vec<String> = names.iter().map(|&n| n.to_owned()).collect();
        act(KeyEvent::new(code, NONE), &names)
    }

    #[test]
    fn names_come_first_then_directions_then_commands() {
        assert_eq!(press(KeyCode::Char('r'), &[]), Some(Act::Go(Way::Right)));
        assert_eq!(press(KeyCode::Char('r'), &["r"]), Some(Act::Name('r')));
        assert_eq!(press(KeyCode::Char('r'), &["R"]), Some(Act::Go(Way::Right)));
        assert_eq!(press(KeyCode::Char('h'), &["R"]), Some(Act::Hint));
        assert_eq!(press(KeyCode::Char('h'), &["h"]), Some(Act::Name('h')));
        assert_eq!(press(KeyCode::F(2), &["h"]), Some(Act::Hint));
        assert_eq!(press(KeyCode::Char('4'), &["14"]), Some(Act::Name('4')));
        assert_eq!(press(KeyCode::Char('4'), &[]), None);
    }

    #[test]
    fn no_key_means_two_things() {
        for (i, a) in COMMANDS.iter().enumerate() {
            assert!(way(a.letter).is_none(), "{}", a.letter);
            for b in &COMMANDS[i + 1..] {
                assert_ne!(a.letter, b.letter);
                assert!(a.other.iter().all(|key| !b.other.contains(key)));
            }
        }
    }

    #[test]
    fn the_list_tells_which_keys_work() {
        let plain = list(&[], false, false);
        assert!(plain.contains(&("z".to_owned(), "undo")) && plain.iter().all(|(_, d)| *d != "next level"));
        let taken = list(&["z".to_owned()], true, false);
        assert!(taken.contains(&("backspace".to_owned(), "undo")));
        assert!(taken.contains(&("n".to_owned(), "next level")));
    }
}
