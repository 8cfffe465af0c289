//! Plans as the steps of the blank: L, R, U and D.

use super::board::Step;
use crate::text::{TextError, lines};

/// Splits a plan into steps of the blank: letters L, R, U, D or the words, with or without blanks between.
pub fn read_plan(text: &str) -> Result<Vec<String>, TextError> {
    let mut steps = Vec::new();
    for line in lines(text) {
        let mut rest = 0;
        while let Some(skip) = line.text[rest..].find(|c: char| !c.is_whitespace() && c != ',') {
            let start = rest + skip;
            let letters = line.text[start..].split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
            let words = ["left", "right", "up", "down"];
            if let Some(word) = words.iter().position(|w| w.eq_ignore_ascii_case(letters)) {
                steps.push(Step::from_index(word).letter().to_string());
                rest = start + letters.len();
                continue;
            }
            let span = line.char_span(start);
            let letter = line.text[start..].chars().next().unwrap_or(' ');
            let step = Step::from_letter(letter).ok_or_else(|| {
                TextError::new(span.clone(), format!("'{letter}' is no step"), "L, R, U or D")
                    .help("a plan says where the blank goes")
            })?;
            steps.push(step.letter().to_string());
            rest = start + letter.len_utf8();
        }
    }
    Ok(steps)
}

/// Writes a plan in groups of ten steps, six groups a line.
pub fn write_plan(steps: &[String]) -> String {
    let groups: Vec<String> = steps.chunks(10).map(<[String]>::concat).collect();
    let lines: Vec<String> = groups.chunks(6).map(|line| line.join(" ")).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_in_letters_and_words() {
        assert_eq!(read_plan("LRu d\nleft Right").unwrap().concat(), "LRUDLR");
        assert_eq!(read_plan("LX").unwrap_err().span, 1..2);
        assert_eq!(read_plan("é").unwrap_err().span, 0..2);
        let steps: Vec<String> = "LRUD".repeat(20).chars().map(String::from).collect();
        assert_eq!(read_plan(&write_plan(&steps)).unwrap(), steps);
    }
}
