//! Quotations of input in error messages: a piece that fits on a line, without terminal control characters.
//!
//! Every message passes through [`shortened`] and every line with a caret through [`Excerpt`]. So no input, however large or
//! strange, makes a report longer than a screen.

use std::borrow::Cow;
use std::ops::Range;

/// Most characters of a quotation: a long line of prose on a wide terminal.
pub const WIDEST: usize = 200;

/// Characters kept at the end of a text that is cut: enough for the end of a sentence or the name of a file.
const TAIL: usize = 60;

const ELLIPSIS: char = '…';

/// A character in printable form: control characters become their one-column pictures.
fn shown(c: char) -> char {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '\u{2421}',
        // C1 control characters, and characters without width or that change the writing direction.
        '\u{80}'..='\u{9f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => {
            char::REPLACEMENT_CHARACTER
        }
        _ => c,
    }
}

/// A text for a message: at most [`WIDEST`] characters, no control characters. A longer text loses its middle.
pub fn shortened(text: &str) -> Cow<'_, str> {
    shortened_to(text, WIDEST)
}

/// [`shortened`] with another limit, for messages that contain a file name besides the quotation.
pub fn shortened_to(text: &str, most: usize) -> Cow<'_, str> {
    // Most messages. A file of a million broken lines makes a million of them.
    if text.len() <= most && text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let fits = text.chars().nth(most).is_none();
    if fits && text.chars().all(|c| shown(c) == c) {
        return Cow::Borrowed(text);
    }
    if fits {
        return text.chars().map(shown).collect::<String>().into();
    }
    let tail = TAIL.min(most / 2);
    let from = text.char_indices().rev().nth(tail.saturating_sub(1)).map_or(0, |(at, _)| at);
    let head = text.chars().take(most.saturating_sub(tail + 1)).map(shown);
    head.chain([ELLIPSIS]).chain(text[from..].chars().map(shown)).collect::<String>().into()
}

/// The line of an error, cut around the place of the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The number of the line, from 1.
    pub line: usize,
    /// The column of the place in the whole line, from 1, in characters.
    pub column: usize,
    /// The line, or a part of it between ellipses. A tab becomes a blank, other control characters become pictures.
    pub text: String,
    /// The characters of `text` that the error marks.
    pub marked: Range<usize>,
    /// Is `text` a part of the line?
    pub cut: bool,
}

/// The last boundary between characters at or before a byte.
pub fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

impl Excerpt {
    /// The line in which these bytes begin. A place beyond the end of the text counts as its end.
    pub fn new(text: &str, span: &Range<usize>) -> Self {
        let at = boundary(text, span.start.min(text.len()));
        let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let rest = &text[at..];
        let end = at + rest.find('\n').unwrap_or(rest.len());
        let end = if text[at..end].ends_with('\r') { end - 1 } else { end };
        let (before, after) = (&text[start..at], &text[at..end]);
        // Of a place that covers several lines, the part in the first line.
        let inside = boundary(text, span.end.clamp(at, end)) - at;
        let column = before.chars().count() + 1;
        let half = WIDEST / 2;
        let left = before.chars().rev().take(half).count();
        let right = after.chars().take(half).count();
        let (cut_left, cut_right) = (left + 1 < column, after.chars().nth(half).is_some());
        let plain = |c: char| if c == '\t' { ' ' } else { shown(c) };
        let mut line = String::new();
        line.extend(cut_left.then_some(ELLIPSIS));
        line.extend(before.chars().skip(column - 1 - left).map(plain));
        line.extend(after.chars().take(right).map(plain));
        line.extend(cut_right.then_some(ELLIPSIS));
        let from = usize::from(cut_left) + left;
        let marked = after[..inside].chars().take(right).count();
        Self {
            line: text[..at].matches('\n').count() + 1,
            column,
            text: line,
            marked: from..from + marked,
            cut: cut_left || cut_right,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_not_touched() {
        assert!(matches!(shortened("'five' is no tile"), Cow::Borrowed(_)));
        assert!(matches!(shortened(&"é".repeat(WIDEST)), Cow::Borrowed(_)));
    }

    #[test]
    fn long_texts_lose_their_middle_and_control_characters_become_pictures() {
        let long = format!("begin{}the end", "x".repeat(100_000));
        let short = shortened(&long);
        assert!(
            short.starts_with("beginx") && short.contains("x…x") && short.ends_with("xthe end"),
            "{short}"
        );
        assert_eq!(short.chars().count(), WIDEST);
        assert_eq!(shortened("a\x1b[2J\r\n\0\u{7f}\u{9b}\u{202e}"), "a␛[2J␍␊␀␡\u{fffd}\u{fffd}");
        for most in [0, 1, 2, 3, 50] {
            assert!(shortened_to(&long, most).chars().count() <= most.max(2), "{most}");
        }
    }

    #[test]
    fn a_short_line_is_quoted_whole() {
        let text = "ab\n\tcd?!\r\nx";
        let excerpt = Excerpt::new(text, &(6..8));
        assert_eq!(excerpt, Excerpt { line: 2, column: 4, text: " cd?!".into(), marked: 3..5, cut: false });
        assert_eq!(Excerpt::new("ab\n", &(9..9)).line, 2);
        assert_eq!(Excerpt::new("", &(0..1)).text, "");
        assert_eq!(Excerpt::new("a\nb", &(0..3)).marked, 0..1, "only the first line is marked");
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{}?!{}", "é".repeat(5000), "z".repeat(5000));
        let excerpt = Excerpt::new(&text, &(10_000..10_002));
        assert!(excerpt.cut);
        assert_eq!((excerpt.line, excerpt.column), (1, 5001));
        assert_eq!(excerpt.text.chars().count(), WIDEST + 2);
        let marked: String =
            excerpt.text.chars().skip(excerpt.marked.start).take(excerpt.marked.len()).collect();
        assert_eq!(marked, "?!");
        let whole = Excerpt::new(&text, &(0..text.len()));
        assert_eq!((whole.marked, whole.text.chars().count()), (0..100, 101));
    }

    #[test]
    fn no_text_and_no_place_panics() {
        for text in ["", "\n", "é\r\n\tx\0", "ab\u{202e}\u{1F600}\n\n", "\r\n\r\n\r", "𝄞𝄞"] {
            for start in 0..text.len() + 3 {
                for end in start..text.len() + 5 {
                    let excerpt = Excerpt::new(text, &(start..end));
                    assert!(excerpt.marked.end <= excerpt.text.chars().count(), "{text:?} {start}..{end}");
                }
                assert!(shortened_to(text, start).chars().count() <= start.max(2));
            }
        }
    }
}
