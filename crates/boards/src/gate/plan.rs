//! Plans: moves such as `0l`, piece 0 to the left.

use crate::sliding::Dir;
use crate::text::TextError;

/// The name of a move: the piece's digit and the letters of its directions.
pub fn move_name(digit: u8, way: &[Dir]) -> String {
    let mut name = digit.to_string();
    name.extend(way.iter().map(|dir| dir.letter()));
    name
}

/// Splits a plan into moves of a digit and at least one direction each; white space and commas may separate them.
pub fn read_plan(text: &str) -> Result<Vec<String>, TextError> {
    let mut steps: Vec<String> = Vec::new();
    let mut open = false;
    for (at, c) in text.char_indices() {
        let span = at..at + c.len_utf8();
        let complete = steps.last().is_none_or(|s| s.len() > 1);
        if c.is_ascii_digit() && complete {
            steps.push(c.to_string());
            open = true;
        } else if Dir::from_letter(c).is_some() && open {
            if let Some(step) = steps.last_mut() {
                step.push(c);
            }
        } else if (c.is_whitespace() || c == ',') && complete {
            open = false;
        } else {
            let expected = if open { "a direction: u, d, l or r" } else { "a piece: 0 to 9" };
            return Err(TextError::new(span, format!("{c:?} does not belong here"), expected));
        }
    }
    if steps.last().is_some_and(|s| s.len() < 2) {
        let end = text.len();
        return Err(TextError::new(end..end, "the last move has no direction", "a direction: u, d, l or r"));
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_split_at_the_digits() {
        assert_eq!(read_plan("0l0u\n1rr, 2d").unwrap(), ["0l", "0u", "1rr", "2d"]);
        assert_eq!(read_plan("").unwrap(), [""; 0]);
        for (text, at) in [("u", 0), ("0x", 1), ("00u", 1), ("0 u", 1), ("0u u", 3), ("0", 1), ("é", 0)] {
            assert_eq!(read_plan(text).unwrap_err().span.start, at, "{text}");
        }
    }
}
