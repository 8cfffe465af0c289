//! Packs the glyphs of figures as PNG: here the font is read, so no program carries a reader of fonts.
//!
//! `src/figure/glyphs.rs` reads the result. All numbers are little-endian, and lengths are in units of the font:
//!
//! | part | content |
//! |---|---|
//! | header | units per em (u16), number of glyphs (u16) |
//! | records, ascending by character | character (u32), advance (u16), where its outline starts (u32) and ends (u32) |
//! | outlines | path commands as in SVG: a byte `M`, `L`, `Q` or `Z`, and its points (i16, i16) |

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "png")]
    fonts::pack();
}

#[cfg(feature = "png")]
mod fonts {
    use std::collections::BTreeMap;

    use skrifa::instance::{LocationRef, Size};
    use skrifa::outline::{DrawSettings, OutlinePen};
    use skrifa::{FontRef, GlyphId, MetadataProvider};

    /// miniz's usual compression level.
    const LEVEL: u8 = 6;
    /// The character under which the glyph for missing characters is stored.
    const MISSING: u32 = 0;

    pub(super) fn pack() {
        let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
        for (name, font) in [("regular", dejavu::sans::regular()), ("bold", dejavu::sans::bold())] {
            let glyphs = glyphs(font).unwrap_or_else(|error| panic!("{name}: {error}"));
            let path = out.join(name);
            let packed = miniz_oxide::deflate::compress_to_vec(&glyphs, LEVEL);
            std::fs::write(&path, packed)
                .unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
        }
    }

    fn glyphs(font: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        let font = FontRef::new(font)?;
        let mut glyphs: BTreeMap<u32, GlyphId> = font.charmap().mappings().collect();
        glyphs.insert(MISSING, GlyphId::NOTDEF);
        let (size, location) = (Size::unscaled(), LocationRef::default());
        let (metrics, outlines) = (font.glyph_metrics(size, location), font.outline_glyphs());
        let (mut records, mut commands) = (Vec::new(), Commands(Vec::new()));
        for (&character, &glyph) in &glyphs {
            let first = u32::try_from(commands.0.len())?;
            if let Some(outline) = outlines.get(glyph) {
                outline.draw(DrawSettings::unhinted(size, location), &mut commands)?;
            }
            let end = u32::try_from(commands.0.len())?;
            let advance = metrics.advance_width(glyph).unwrap_or_default() as u16;
            records.extend(character.to_le_bytes());
            records.extend(advance.to_le_bytes());
            records.extend([first, end].map(u32::to_le_bytes).concat());
        }
        let mut packed = font.metrics(size, location).units_per_em.to_le_bytes().to_vec();
        packed.extend(u16::try_from(glyphs.len())?.to_le_bytes());
        packed.extend(records);
        packed.extend(commands.0);
        Ok(packed)
    }

    struct Commands(Vec<u8>);

    impl Commands {
        fn push(&mut self, command: u8, points: &[f32]) {
            self.0.push(command);
            self.0.extend(points.iter().flat_map(|&length| (length.round() as i16).to_le_bytes()));
        }
    }

    impl OutlinePen for Commands {
        fn move_to(&mut self, x: f32, y: f32) {
            self.push(b'M', &[x, y]);
        }

        fn line_to(&mut self, x: f32, y: f32) {
            self.push(b'L', &[x, y]);
        }

        fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
            self.push(b'Q', &[x1, y1, x, y]);
        }

        fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, _: f32, _: f32) {
            unreachable!("a TrueType font has no cubic curves");
        }

        fn close(&mut self) {
            self.push(b'Z', &[]);
        }
    }
}
