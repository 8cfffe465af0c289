//! Formats an error in a file for the classic commands: the place, the line, and a caret below the error.

use beeline_puzzles::TextError;
use beeline_puzzles::quote::Excerpt;

/// The error in a few lines, without a final line end.
pub(super) fn caret(file: &str, text: &str, error: &TextError) -> String {
    let Excerpt { line, column, text: row, marked, .. } = Excerpt::new(text, &error.span);
    let margin = " ".repeat(line.to_string().len());
    let (before, carets) = (" ".repeat(marked.start), "^".repeat(marked.len().max(1)));
    let TextError { message, expected, .. } = error;
    let help = error.help.as_ref().map(|help| format!("\n{margin} = {help}")).unwrap_or_default();
    format!(
        "{file}:{line}:{column}: {message}\n{margin} |\n{line} | {row}\n{margin} | {before}{carets} expected {expected}{help}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_below_what_is_wrong() {
        let text = "ab\n\tcd?!\n";
        let error = TextError::new(6..8, "no such thing", "a letter").help("letters are a to z");
        assert_eq!(
            caret("file", text, &error),
            "file:2:4: no such thing\n  |\n2 |  cd?!\n  |    ^^ expected a letter\n  = letters are a to z"
        );
    }

    #[test]
    fn an_error_may_stand_behind_the_end() {
        let error = TextError::new(9..9, "too short", "more");
        assert_eq!(caret("f", "ab\n", &error), "f:2:1: too short\n  |\n2 | \n  | ^ expected more");
    }

    #[test]
    fn a_long_line_is_cut_around_the_caret() {
        let text = format!("{}?{}", "a".repeat(1000), "b".repeat(1000));
        let told = caret("f", &text, &TextError::new(1000..1001, "no such thing", "a letter"));
        let lines: Vec<&str> = told.lines().collect();
        assert!(lines[0].starts_with("f:1:1001: ") && told.len() < 600, "{told}");
        assert_eq!(
            lines[2].chars().position(|c| c == '?'),
            lines[3].chars().position(|c| c == '^'),
            "{told}"
        );
    }
}
