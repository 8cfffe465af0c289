//! The glyphs of figures as PNG: outlines packed by the build script, which describes their format.

use miniz_oxide::inflate::decompress_to_vec;
use tiny_skia::PathBuilder;

/// The fonts `DejaVu Sans` and `DejaVu Sans Bold`.
const REGULAR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/regular"));
const BOLD: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/bold"));

/// Bytes of the header, and of a glyph's record.
const HEADER: usize = 4;
const RECORD: usize = 14;
/// Bytes of a point.
const POINT: usize = 4;

/// A font, unpacked.
pub(super) struct Face(Vec<u8>);

impl Face {
    /// The regular and the bold one.
    pub(super) fn both() -> Result<[Self; 2], String> {
        let unpack = |font| decompress_to_vec(font).map(Self).map_err(|error| error.to_string());
        Ok([unpack(REGULAR)?, unpack(BOLD)?])
    }

    /// The glyph of a character; the font's box where it has none.
    pub(super) fn glyph(&self, character: char) -> Glyph<'_> {
        let (records, outlines) = self.0[HEADER..].split_at(RECORD * self.u16(2));
        let records = records.as_chunks::<RECORD>().0;
        let key = |record: &[u8; RECORD]| number(&record[..4]);
        let at = records.binary_search_by_key(&(character as usize), key).unwrap_or(0);
        let record = &records[at];
        let outline = &outlines[number(&record[6..10])..number(&record[10..])];
        Glyph { advance: number(&record[4..6]) as f32, outline }
    }

    /// The units of the font in its size.
    pub(super) fn units_per_em(&self) -> f32 {
        self.u16(0) as f32
    }

    fn u16(&self, at: usize) -> usize {
        number(&self.0[at..at + 2])
    }
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
}

/// A glyph, in units of its font.
pub(super) struct Glyph<'a> {
    /// The distance to the origin of the next glyph.
    pub(super) advance: f32,
    /// Path commands with their points.
    outline: &'a [u8],
}

impl Glyph<'_> {
    /// Draws it at a place on the base line. A font counts upwards, a path downwards.
    pub(super) fn draw(&self, path: &mut PathBuilder, (x, y): (f32, f32), scale: f32) {
        let mut rest = self.outline;
        while let Some((command, behind)) = rest.split_first() {
            let points = match command {
                b'M' | b'L' => 1,
                b'Q' => 2,
                _ => 0,
            };
            let (points, behind) = behind.split_at(POINT * points);
            let point = |i: usize| {
                let length = |at: usize| scale * f32::from(i16::from_le_bytes([points[at], points[at + 1]]));
                (x + length(POINT * i), y - length(POINT * i + 2))
            };
            match command {
                b'M' => {
                    let (x, y) = point(0);
                    path.move_to(x, y);
                }
                b'L' => {
                    let (x, y) = point(0);
                    path.line_to(x, y);
                }
                b'Q' => {
                    let ((x1, y1), (x, y)) = (point(0), point(1));
                    path.quad_to(x1, y1, x, y);
                }
                _ => path.close(),
            }
            rest = behind;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The box around a glyph of size 1, drawn at the origin: left, top, right, bottom.
    fn corners(face: &Face, letter: char) -> [f32; 4] {
        let mut path = PathBuilder::new();
        face.glyph(letter).draw(&mut path, (0.0, 0.0), 1.0 / face.units_per_em());
        let corners = path.finish().unwrap().bounds();
        [corners.left(), corners.top(), corners.right(), corners.bottom()]
    }

    #[test]
    fn glyphs_stand_on_the_base_line() {
        for face in Face::both().unwrap() {
            let [left, top, right, bottom] = corners(&face, 'H');
            assert!(left > 0.0 && right < face.glyph('H').advance / face.units_per_em());
            assert!((-0.75..-0.70).contains(&top) && bottom == 0.0, "{top} {bottom}");
            assert!(corners(&face, 'g')[3] > 0.15);
            assert!(corners(&face, 'É')[1] < top - 0.1);
        }
    }

    #[test]
    fn a_box_stands_for_a_glyph_that_the_font_lacks() {
        let [regular, _] = Face::both().unwrap();
        let lacking = regular.glyph('\0');
        assert!(
            ['謎', '한'].map(|letter| regular.glyph(letter)).iter().all(|l| l.outline == lacking.outline)
        );
        assert!(!lacking.outline.is_empty());
        assert!(['Ж', 'λ', '≤', '→', ' '].iter().all(|&l| regular.glyph(l).outline != lacking.outline));
    }
}
