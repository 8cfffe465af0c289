//! Decodes puzzle files from their encodings, and encodes them again.
//!
//! A byte order mark or validity identifies UTF-8 and UTF-16. Every other text is read as Windows-1252, which contains Latin-1
//! and gives every byte a character. [`Encoding::encode`] turns the decoded text back into the same bytes.

/// A text encoding of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8 without a mark.
    #[default]
    Utf8,
    /// UTF-8 behind a byte order mark.
    Utf8Marked,
    /// UTF-16, low byte first, behind a byte order mark.
    Utf16Little,
    /// UTF-16, high byte first, behind a byte order mark.
    Utf16Big,
    /// Windows-1252. Its five undefined bytes stand for the control characters of Latin-1, as in browsers.
    Windows1252,
}

/// The error for bytes that are no text in any of the encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} at byte {at}")]
pub struct NotText {
    /// The offset of the first bad byte.
    pub at: usize,
    /// A description of it.
    pub what: &'static str,
}

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";
const LITTLE_MARK: &[u8] = b"\xff\xfe";
const BIG_MARK: &[u8] = b"\xfe\xff";

/// The characters of the bytes 0x80 to 0x9f. Every other byte is the number of its character.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of a file and its encoding. A byte order mark is part of the encoding, not of the text.
pub fn decode(bytes: Vec<u8>) -> Result<(String, Encoding), NotText> {
    if bytes.starts_with(LITTLE_MARK) {
        return utf16(&bytes, u16::from_le_bytes).map(|text| (text, Encoding::Utf16Little));
    }
    if bytes.starts_with(BIG_MARK) {
        return utf16(&bytes, u16::from_be_bytes).map(|text| (text, Encoding::Utf16Big));
    }
    match String::from_utf8(bytes) {
        Ok(mut text) if text.as_bytes().starts_with(UTF8_MARK) => {
            text.drain(..UTF8_MARK.len());
            Ok((text, Encoding::Utf8Marked))
        }
        Ok(text) => Ok((text, Encoding::Utf8)),
        Err(error) => windows(error.as_bytes()).map(|text| (text, Encoding::Windows1252)),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, NotText> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(NotText { at: bytes.len() - 1, what: "half a character of UTF-16" });
    }
    let mut text = String::with_capacity(bytes.len() / 2);
    let mut at = LITTLE_MARK.len();
    for character in char::decode_utf16(pairs[1..].iter().map(|&pair| unit(pair))) {
        let character = character.map_err(|_| NotText { at, what: "half of a surrogate pair of UTF-16" })?;
        text.push(character);
        at += 2 * character.len_utf16();
    }
    Ok(text)
}

/// No text file holds the byte 0; programs and pictures do.
fn windows(bytes: &[u8]) -> Result<String, NotText> {
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return Err(NotText { at, what: "the byte 0x00" });
    }
    Ok(bytes.iter().map(|&byte| from_windows(byte)).collect())
}

fn from_windows(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

fn to_windows(character: char) -> Option<u8> {
    let special = WINDOWS.iter().position(|&known| known == character);
    let plain = || u8::try_from(character).ok().filter(|byte| !(0x80..=0x9f).contains(byte));
    special.map(|at| 0x80 + at as u8).or_else(plain)
}

impl Encoding {
    /// The bytes of a text: for a text from [`decode`], those of the file. If Windows-1252 lacks a character, the bytes are
    /// UTF-8.
    pub fn encode(self, text: &str) -> Vec<u8> {
        let units = |mark: &[u8], bytes: fn(u16) -> [u8; 2]| {
            let text = text.encode_utf16().flat_map(bytes);
            mark.iter().copied().chain(text).collect()
        };
        match self {
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::Utf8Marked => [UTF8_MARK, text.as_bytes()].concat(),
            Self::Utf16Little => units(LITTLE_MARK, u16::to_le_bytes),
            Self::Utf16Big => units(BIG_MARK, u16::to_be_bytes),
            Self::Windows1252 => {
                let bytes: Option<Vec<u8>> = text.chars().map(to_windows).collect();
                bytes.unwrap_or_else(|| text.as_bytes().to_vec())
            }
        }
    }
}

/// The text of a file, for callers that never write it back.
pub fn text(bytes: Vec<u8>) -> Result<String, NotText> {
    decode(bytes).map(|(text, _)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_is_read_and_written_back_to_the_byte() {
        let text = "Author: François – “Š”\r\n#@$.#\n";
        for encoding in [
            Encoding::Utf8,
            Encoding::Utf8Marked,
            Encoding::Utf16Little,
            Encoding::Utf16Big,
            Encoding::Windows1252,
        ] {
            let bytes = encoding.encode(text);
            assert_eq!(decode(bytes.clone()), Ok((text.to_owned(), encoding)), "{encoding:?}");
            assert_eq!(encoding.encode(text), bytes);
        }
        assert_eq!(Encoding::Windows1252.encode("ç"), b"\xe7");
        assert_eq!(Encoding::Utf16Big.encode("𝄞"), b"\xfe\xff\xd8\x34\xdd\x1e");
    }

    #[test]
    fn every_byte_but_0_is_a_character_of_windows_1252() {
        let bytes: Vec<u8> = (1..=255).collect();
        let (text, encoding) = decode(bytes.clone()).unwrap();
        assert_eq!((text.chars().count(), encoding), (255, Encoding::Windows1252));
        assert_eq!(encoding.encode(&text), bytes);
        assert_eq!(encoding.encode("ж"), "ж".as_bytes(), "not a character of Windows-1252");
    }

    #[test]
    fn what_is_no_text_is_refused_at_its_place() {
        assert_eq!(decode(b"ab\xff\0".to_vec()).unwrap_err().at, 3);
        assert_eq!(decode(b"\xff\xfea".to_vec()).unwrap_err().at, 2);
        assert_eq!(decode(b"\xff\xfea\0\0\xd8b\0".to_vec()).unwrap_err().at, 4);
        assert_eq!(decode(b"\xfe\xff".to_vec()), Ok((String::new(), Encoding::Utf16Big)));
    }
}
