//! Plans: moves such as `(2,left)`.

use super::grid::MASTER;
use crate::sliding::Dir;
use crate::text::TextError;

/// The name of a move: the brick's number and the words of its directions.
pub fn move_name(brick: i32, way: &[Dir]) -> String {
    let mut name = format!("({brick}");
    for dir in way {
        name.push(',');
        name.push_str(dir.word());
    }
    name.push(')');
    name
}

/// Splits a plan into moves: `(brick,direction)` or `(brick,direction,direction)`, with any white space in and between.
pub fn read_plan(text: &str) -> Result<Vec<String>, TextError> {
    let mut steps = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { return Ok(steps) };
        if first != '(' {
            let span = at..at + first.len_utf8();
            return Err(TextError::new(span, format!("{first:?} does not belong here"), "a move: (2,left)"));
        }
        let Some(end) = rest.find(')') else {
            return Err(TextError::new(at..text.len(), "a bracket is not closed", "a move: (2,left)"));
        };
        let inside = &rest[1..end];
        let words: Vec<&str> = inside.split(',').map(str::trim).collect();
        let brick = words[0].parse::<i32>().is_ok_and(|n| n >= MASTER);
        let known = |w: &&str| Dir::ALL.iter().any(|d| d.word() == *w);
        if !brick || words.len() < 2 || !words[1..].iter().all(known) {
            let message = format!("({inside}) is no move");
            return Err(TextError::new(at..at + end + 1, message, "a brick and a direction: (2,left)")
                .help("directions are up, down, left and right"));
        }
        steps.push(format!("({})", words.join(",")));
        at += end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_split_at_the_brackets() {
        assert_eq!(
            read_plan("(2,left)\n(3, up , up)(4,down),").unwrap(),
            ["(2,left)", "(3,up,up)", "(4,down)"]
        );
        assert_eq!(read_plan(" \n").unwrap(), [""; 0]);
        let bad =
            [("2,left", 0), ("(2,left) x", 9), ("(2,left", 0), ("(2)", 0), ("(1,up)", 0), ("(2,north)", 0)];
        for (text, at) in bad {
            assert_eq!(read_plan(text).unwrap_err().span.start, at, "{text}");
        }
    }
}
