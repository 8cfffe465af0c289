//! Conversion of text for terminals that show only ASCII.

use std::borrow::Cow;
use std::io::{self, Write};

/// The ASCII replacement of a character; `?` if there is none.
fn folded(c: char) -> &'static str {
    match c {
        '·' | '–' | '—' | '−' | '‐' | '‑' | '─' | '━' | '═' => "-",
        '•' | '●' | '■' | '◆' | '▪' | '★' | '⋯' => "*",
        '…' => "...",
        '→' | '⇒' | '▶' | '►' => "->",
        '←' | '◀' | '◄' => "<-",
        '↑' | '▲' => "^",
        '↓' | '▼' => "v",
        '✓' | '✔' => "ok",
        '×' | '✗' | '✘' => "x",
        '≤' => "<=",
        '≥' => ">=",
        '≠' => "!=",
        '≈' => "~",
        '±' => "+-",
        '∞' => "inf",
        '√' => "sqrt",
        '⁰' => "^0",
        '¹' => "^1",
        '²' => "^2",
        '³' => "^3",
        '⁴' => "^4",
        '⁵' => "^5",
        '⁶' => "^6",
        '⁷' => "^7",
        '⁸' => "^8",
        '⁹' => "^9",
        '⁻' => "^-",
        '½' => "1/2",
        '¼' => "1/4",
        '¾' => "3/4",
        '°' => "deg",
        '§' => "section ",
        '‘' | '’' | '′' | '‚' => "'",
        '“' | '”' | '„' | '″' | '«' | '»' => "\"",
        '\u{a0}' | '\u{2009}' | '\u{202f}' => " ",
        '│' | '┃' | '║' => "|",
        '╭' | '╮' | '╰' | '╯' | '┌' | '┐' | '└' | '┘' | '├' | '┤' | '┬' | '┴' | '┼' | '┏' | '┓' | '┗'
        | '┛' => "+",
        '█' | '▓' | '▒' | '░' | '▀' | '▄' => "#",
        'À'..='Å' => "A",
        'Æ' => "AE",
        'Ç' => "C",
        'È'..='Ë' => "E",
        'Ì'..='Ï' => "I",
        'Ñ' => "N",
        'Ò'..='Ö' | 'Ø' => "O",
        'Ù'..='Ü' => "U",
        'Ý' => "Y",
        'ß' => "ss",
        'à'..='å' => "a",
        'æ' => "ae",
        'ç' => "c",
        'è'..='ë' => "e",
        'ì'..='ï' => "i",
        'ñ' => "n",
        'ò'..='ö' | 'ø' | '○' | '◯' => "o",
        'ù'..='ü' | 'µ' | 'μ' => "u",
        'ý' | 'ÿ' => "y",
        _ => "?",
    }
}

/// The text in ASCII. A run of raised digits has one `^`: 10⁻¹² becomes 10^-12.
///
/// ```
/// use beeline_view::ascii::fold;
///
/// assert_eq!(fold("3 × 3 · 5 µs"), "3 x 3 - 5 us");
/// assert_eq!(fold("10⁻¹²"), "10^-12");
/// ```
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut raised = false;
    for c in text.chars() {
        if c.is_ascii() {
            raised = false;
            out.push(c);
            continue;
        }
        let part = folded(c);
        let power = part.len() == 2 && part.starts_with('^');
        out.push_str(if power && raised { &part[1..] } else { part });
        raised = power;
    }
    Cow::Owned(out)
}

/// How to replace a character that is not ASCII.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// By a similar text, for people.
    #[default]
    Folded,
    /// By `\u00e9`: the same text to a reader of JSON.
    Json,
    /// By `&#233;`: the same text to a reader of XML or SVG.
    Xml,
}

impl Form {
    #[allow(clippy::format_push_string)] // few characters are not ASCII
    fn of(self, text: &str) -> Cow<'_, str> {
        let escape: fn(&mut String, char) = match self {
            Self::Folded => return fold(text),
            Self::Json => |out, c| {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            },
            Self::Xml => |out, c| out.push_str(&format!("&#{};", u32::from(c))),
        };
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            if c.is_ascii() { out.push(c) } else { escape(&mut out, c) }
        }
        Cow::Owned(out)
    }
}

/// A writer that passes only ASCII on.
#[derive(Debug)]
pub struct Ascii<W> {
    inner: W,
    form: Form,
    /// The first bytes of a character whose other bytes are still to come.
    begun: Vec<u8>,
}

impl<W: Write> Ascii<W> {
    /// Wraps a writer. Everything written to it is converted to ASCII.
    pub fn new(inner: W, form: Form) -> Self {
        Self { inner, form, begun: Vec::new() }
    }
}

impl<W: Write> Write for Ascii<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.begun.is_empty() && bytes.is_ascii() {
            return self.inner.write(bytes);
        }
        self.begun.extend_from_slice(bytes);
        let mut all = self.begun.as_slice();
        loop {
            match std::str::from_utf8(all) {
                Ok(text) => {
                    self.inner.write_all(self.form.of(text).as_bytes())?;
                    all = &[];
                }
                Err(error) => {
                    let (good, rest) = all.split_at(error.valid_up_to());
                    self.inner.write_all(self.form.of(&String::from_utf8_lossy(good)).as_bytes())?;
                    all = rest;
                    // An error without a length means an incomplete character.
                    if let Some(wrong) = error.error_len() {
                        self.inner.write_all(b"?")?;
                        all = &rest[wrong..];
                        continue;
                    }
                }
            }
            break;
        }
        self.begun = all.to_vec();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_come_in_parts_are_folded() {
        let text = "a → b · \u{1F600} é";
        for size in 1..8 {
            let mut out = Vec::new();
            let mut ascii = Ascii::new(&mut out, Form::Folded);
            for part in text.as_bytes().chunks(size) {
                ascii.write_all(part).unwrap();
            }
            assert_eq!(String::from_utf8(out).unwrap(), "a -> b - ? e", "{size}");
        }
    }

    #[test]
    fn json_and_xml_lose_nothing() {
        let ascii = |form| {
            let mut out = Vec::new();
            Ascii::new(&mut out, form).write_all("é\u{1F600}".as_bytes()).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(ascii(Form::Json), "\\u00e9\\ud83d\\ude00");
        assert_eq!(ascii(Form::Xml), "&#233;&#128512;");
    }

    #[test]
    fn bytes_that_are_no_text_are_marks() {
        let mut out = Vec::new();
        Ascii::new(&mut out, Form::Folded).write_all(b"a\xffb\xc3").unwrap();
        assert_eq!(out, b"a?b");
    }
}
