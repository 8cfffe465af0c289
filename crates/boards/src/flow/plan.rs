//! Plans as text: reading and writing.
//!
//! A plan is a list of steps: the label of a colour and `l`, `r`, `u` or `d`. The colour's path grows by one cell from its
//! start. It is joined as soon as its last cell is beside its goal.

use super::board::{Board, Dir, Step};
use crate::text::TextError;

/// A step in the plan notation.
pub fn show_step(board: &Board, step: Step) -> String {
    let label = board.colours().get(usize::from(step.colour)).map_or("?", |c| c.label.as_str());
    let mut word = String::with_capacity(label.len() + 1);
    word.push_str(label);
    word.push(step.dir.letter());
    word
}

/// A step from the plan notation.
pub fn read_step(board: &Board, word: &str) -> Option<Step> {
    let (label, dir) = split_step(word)?;
    Some(Step { colour: board.colour(label)?, dir })
}

/// The steps of a plan that was split into words; `None` if one word is not a step.
pub fn read_words(board: &Board, words: &[String]) -> Option<Vec<Step>> {
    let mut steps: Vec<Step> = Vec::with_capacity(words.len());
    for word in words {
        let (label, dir) = split_step(word)?;
        // Most steps continue the colour of the previous step.
        let same = steps.last().map(|step| step.colour);
        let same = same.filter(|&colour| board.colours()[usize::from(colour)].label == label);
        steps.push(Step { colour: same.or_else(|| board.colour(label))?, dir });
    }
    Some(steps)
}

/// The label and the direction of a step.
fn split_step(word: &str) -> Option<(&str, Dir)> {
    let dir = Dir::from_letter(word.chars().next_back()?)?;
    Some((&word[..word.len() - 1], dir))
}

/// The steps of a plan: words separated by blanks. A word may hold several directions if its label is one character: `Rllu` for
/// `Rl Rl Ru`.
pub fn read_steps(board: &Board, text: &str) -> Result<Vec<Step>, TextError> {
    let base = text.as_ptr() as usize;
    let mut steps = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()) {
        let at = word.as_ptr() as usize - base;
        match read_word(board, word) {
            Some(more) => steps.extend(more),
            None => {
                return Err(TextError::new(
                    at..at + word.len(),
                    format!("'{word}' is not a step"),
                    "the label of a colour and l, r, u or d",
                ));
            }
        }
    }
    Ok(steps)
}

fn read_word(board: &Board, word: &str) -> Option<Vec<Step>> {
    // The longest label that leaves only directions behind it.
    let mut best = None;
    for (c, colour) in board.colours().iter().enumerate() {
        let Some(rest) = word.strip_prefix(colour.label.as_str()) else { continue };
        let dirs: Option<Vec<Dir>> = rest.chars().map(Dir::from_letter).collect();
        let longer = best.as_ref().is_none_or(|(length, _)| colour.label.len() > *length);
        if let Some(dirs) = dirs.filter(|d| !d.is_empty() && longer) {
            let steps = dirs.into_iter().map(|dir| Step { colour: c as u16, dir }).collect();
            best = Some((colour.label.len(), steps));
        }
    }
    best.map(|(_, steps)| steps)
}

/// Writes a plan, one word per run of the same colour: `Rllu Gd`. Where another label begins with the same letters it writes
/// one word per step, because `1rr` would be a step of the colour `1r`.
pub fn write_steps(board: &Board, steps: &[Step]) -> String {
    let mut out = String::new();
    let mut last = None;
    let label = |colour: u16| board.colours().get(usize::from(colour)).map_or("", |c| c.label.as_str());
    let longest = board.colours().iter().map(|c| c.label.len()).max().unwrap_or(0);
    let longer =
        |c: u16| board.colours().iter().any(|o| o.label != label(c) && o.label.starts_with(label(c)));
    let clear: Vec<bool> =
        (0..board.colours().len() as u16).map(|c| label(c).len() == longest || !longer(c)).collect();
    for &step in steps {
        if last == Some(step.colour) && clear.get(usize::from(step.colour)) == Some(&true) {
            out.push(step.dir.letter());
        } else {
            if last.is_some() {
                out.push(' ');
            }
            out.push_str(label(step.colour));
            out.push(step.dir.letter());
        }
        last = Some(step.colour);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::text::parse;
    use super::*;

    #[test]
    fn words_are_read_as_steps_are() {
        let board = parse("1 . 12 .\n. . . .\n1 . . 12\n").unwrap().remove(0);
        for plan in [&["1r", "1r", "12d", "1d"][..], &["1r", "7r"], &["1x"], &[""], &[]] {
            let words: Vec<String> = plan.iter().map(|&word| word.to_owned()).collect();
            let single: Option<Vec<Step>> = words.iter().map(|word| read_step(&board, word)).collect();
            assert_eq!(read_words(&board, &words), single, "{plan:?}");
        }
    }

    #[test]
    fn plans_come_back() {
        let board = parse("R..G\n....\nG..R\n").unwrap().remove(0);
        let steps = read_steps(&board, "Rrr Gd,Gl Rd").unwrap();
        assert_eq!(write_steps(&board, &steps), "Rrr Gdl Rd");
        assert_eq!(read_steps(&board, &write_steps(&board, &steps)).unwrap(), steps);
    }
}
