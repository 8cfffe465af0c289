//! The sixteen colours of the classic command, and labels for any number of colours.

/// One colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint {
    /// Its letter in files.
    pub letter: char,
    /// Its mark on a terminal without colour.
    pub glyph: char,
    /// Its background on a terminal with colour, as an ANSI code.
    pub ansi: u8,
    /// Its colour as 0xRRGGBB.
    pub bright: u32,
    /// The colour of a cell under it, as 0xRRGGBB.
    pub dark: u32,
}

const fn paint(letter: char, glyph: char, ansi: u8, bright: u32, dark: u32) -> Paint {
    Paint { letter, glyph, ansi, bright, dark }
}

/// The colours, in the order of the alternate file format.
pub const PALETTE: [Paint; 16] = [
    paint('R', 'o', 101, 0xff_0000, 0x72_3939),
    paint('B', '+', 104, 0x00_00ff, 0x39_3972),
    paint('Y', '@', 103, 0xee_ee00, 0x6e_6e39),
    paint('G', '*', 42, 0x00_8100, 0x39_5539),
    paint('O', 'x', 43, 0xff_8000, 0x72_5539),
    paint('C', '%', 106, 0x00_ffff, 0x39_7272),
    paint('M', '?', 105, 0xff_00ff, 0x72_3972),
    paint('m', 'v', 41, 0xa5_2a2a, 0x5f_4242),
    paint('P', '^', 45, 0x80_0080, 0x55_3955),
    paint('A', '=', 100, 0xa6_a6a6, 0x5f_5e5f),
    paint('W', '~', 107, 0xff_ffff, 0x72_7272),
    paint('g', '-', 102, 0x00_ff00, 0x39_7239),
    paint('T', '$', 47, 0xbd_b76b, 0x64_6251),
    paint('b', '"', 44, 0x00_008b, 0x39_3958),
    paint('c', '&', 46, 0x00_8180, 0x39_5555),
    paint('p', '.', 35, 0xff_1493, 0x72_415a),
];

/// The colour with this letter.
pub fn by_letter(letter: char) -> Option<&'static Paint> {
    PALETTE.iter().find(|p| p.letter == letter)
}

/// Labels for this many colours: the classic letters first, then the other letters and digits, then numbers.
pub fn labels(count: usize) -> Vec<String> {
    let classic: Vec<char> = PALETTE.iter().map(|p| p.letter).collect();
    let others = ('A'..='Z').chain('a'..='z').chain('0'..='9').filter(|c| !classic.contains(c));
    let letters: Vec<char> = classic.iter().copied().chain(others).collect();
    if count <= letters.len() {
        letters.into_iter().take(count).map(String::from).collect()
    } else {
        (1..=count).map(|n| n.to_string()).collect()
    }
}
