//! The letters of figures as PNG: outlines packed by build.rs, which describes their format.

use miniz_oxide::inflate::decompress_to_vec;
use tiny_skia::PathBuilder;

/// The fonts `DejaVu Sans` and `DejaVu Sans Bold`.
const REGULAR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/regular"));
const BOLD: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/bold"));

/// Bytes of the head, and of a letter's record.
const HEAD: usize = 4;
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

    /// A letter; the font's box stands for one that it lacks.
    pub(super) fn letter(&self, letter: char) -> Letter<'_> {
        let (records, strokes) = self.0[HEAD..].split_at(RECORD * self.u16(2));
        let records = records.as_chunks::<RECORD>().0;
        let character = |record: &[u8; RECORD]| number(&record[..4]);
        let at = records.binary_search_by_key(&(letter as usize), character).unwrap_or(0);
        let record = &records[at];
        let strokes = &strokes[number(&record[6..10])..number(&record[10..])];
        Letter { advance: number(&record[4..6]) as f32, strokes }
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

/// A letter, in units of its font.
pub(super) struct Letter<'a> {
    /// How far the next letter stands behind it.
    pub(super) advance: f32,
    strokes: &'a [u8],
}

impl Letter<'_> {
    /// Draws it at a place on the base line. A font counts upwards, a path downwards.
    pub(super) fn draw(&self, path: &mut PathBuilder, (x, y): (f32, f32), scale: f32) {
        let mut rest = self.strokes;
        while let Some((stroke, behind)) = rest.split_first() {
            let points = match stroke {
                b'M' | b'L' => 1,
                b'Q' => 2,
                _ => 0,
            };
            let (points, behind) = behind.split_at(POINT * points);
            let point = |i: usize| {
                let length = |at: usize| scale * f32::from(i16::from_le_bytes([points[at], points[at + 1]]));
                (x + length(POINT * i), y - length(POINT * i + 2))
            };
            match stroke {
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

    /// The box around a letter of size 1, drawn at the origin: left, top, right, bottom.
    fn corners(face: &Face, letter: char) -> [f32; 4] {
        let mut path = PathBuilder::new();
        face.letter(letter).draw(&mut path, (0.0, 0.0), 1.0 / face.units_per_em());
        let corners = path.finish().unwrap().bounds();
        [corners.left(), corners.top(), corners.right(), corners.bottom()]
    }

    #[test]
    fn letters_stand_on_the_base_line() {
        for face in Face::both().unwrap() {
            let [left, top, right, bottom] = corners(&face, 'H');
            assert!(left > 0.0 && right < face.letter('H').advance / face.units_per_em());
            assert!((-0.75..-0.70).contains(&top) && bottom == 0.0, "{top} {bottom}");
            assert!(corners(&face, 'g')[3] > 0.15);
            assert!(corners(&face, 'É')[1] < top - 0.1);
        }
    }

    #[test]
    fn a_box_stands_for_a_letter_that_the_font_lacks() {
        let [regular, _] = Face::both().unwrap();
        let lacking = regular.letter('\0');
        assert!(
            ['謎', '한'].map(|letter| regular.letter(letter)).iter().all(|l| l.strokes == lacking.strokes)
        );
        assert!(!lacking.strokes.is_empty());
        assert!(['Ж', 'λ', '≤', '→', ' '].iter().all(|&l| regular.letter(l).strokes != lacking.strokes));
    }
}
