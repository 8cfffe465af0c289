//! Packs the glyphs of figures as PNG: here the font is read, so no program carries a reader of fonts.
//!
//! `src/figure/glyphs.rs` reads the result. All numbers are little-endian, and lengths are in units of the font:
//!
//! | part | content |
//! |---|---|
//! | header | units per em (u16), number of glyphs (u16) |
//! | records, ascending by character | character (u32), advance (u16), where its outline starts (u32) and ends (u32) |
//! | outlines | path commands as in SVG: a byte `M`, `L`, `Q` or `Z`, and its points (i16, i16) |

#[cfg(feature = "png")]
mod truetype;

fn main() {
    println!("cargo::rerun-if-changed=build");
    #[cfg(feature = "png")]
    fonts::pack();
}

#[cfg(feature = "png")]
mod fonts {
    use std::collections::BTreeMap;

    use crate::truetype::{Font, Pen, Point};

    /// miniz's usual compression level.
    const LEVEL: u8 = 6;
    /// The character under which the glyph for missing characters is stored.
    const MISSING: u32 = 0;
    /// The glyph for missing characters.
    const NOTDEF: u16 = 0;

    pub(super) fn pack() {
        let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
        for (name, font) in [("regular", dejavu::sans::regular()), ("bold", dejavu::sans::bold())] {
            let path = out.join(name);
            let packed = miniz_oxide::deflate::compress_to_vec(&glyphs(&Font::new(font)), LEVEL);
            std::fs::write(&path, packed)
                .unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
        }
    }

    fn glyphs(font: &Font<'_>) -> Vec<u8> {
        let mut glyphs: BTreeMap<u32, u16> = font.characters().collect();
        glyphs.insert(MISSING, NOTDEF);
        let (mut records, mut commands) = (Vec::new(), Commands(Vec::new()));
        for (&character, &glyph) in &glyphs {
            let first = commands.0.len() as u32;
            font.draw(glyph, &mut commands);
            let end = commands.0.len() as u32;
            records.extend(character.to_le_bytes());
            records.extend(font.advance(glyph).to_le_bytes());
            records.extend([first, end].map(u32::to_le_bytes).concat());
        }
        let mut packed = font.units_per_em().to_le_bytes().to_vec();
        packed.extend((glyphs.len() as u16).to_le_bytes());
        packed.extend(records);
        packed.extend(commands.0);
        packed
    }

    struct Commands(Vec<u8>);

    impl Pen for Commands {
        fn command(&mut self, command: u8, points: &[Point]) {
            self.0.push(command);
            let lengths = points.as_flattened().iter();
            self.0.extend(lengths.flat_map(|&length| (length.round() as i16).to_le_bytes()));
        }
    }
}
