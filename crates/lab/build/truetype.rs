//! Reads the outlines of a TrueType font with a character table of format 12.
//!
//! Only for a font that is known to be well-formed: a damaged one ends the build with a panic. Names of tables and fields are
//! those of the OpenType specification (ISO/IEC 14496-22).

use std::ops::Range;

/// What draws an outline: one call for each path command, lengths in units of the font.
pub(crate) trait Pen {
    /// A path command as in SVG, with its points.
    fn command(&mut self, command: u8, points: &[Point]);
}

/// Horizontally and vertically, upwards.
pub(crate) type Point = [f32; 2];

/// A point of a contour, and whether the contour passes through it or only bends towards it.
#[derive(Clone, Copy)]
struct OutlinePoint {
    at: Point,
    on_curve: bool,
}

/// Flags of a point of a simple glyph.
const ON_CURVE: u8 = 1;
const REPEAT: u8 = 8;
/// For x and for y: the coordinate takes one byte; and its sign then, or whether it is left out.
const SHORT: [u8; 2] = [2, 4];
const SAME_OR_POSITIVE: [u8; 2] = [16, 32];

/// Flags of a component of a composite glyph.
const WORDS: u16 = 1;
const XY_VALUES: u16 = 2;
const SCALE: u16 = 8;
const MORE_COMPONENTS: u16 = 32;
const X_AND_Y_SCALE: u16 = 64;
const TWO_BY_TWO: u16 = 128;

pub(crate) struct Font<'a> {
    cmap: &'a [u8],
    glyf: &'a [u8],
    head: &'a [u8],
    hhea: &'a [u8],
    hmtx: &'a [u8],
    loca: &'a [u8],
}

impl<'a> Font<'a> {
    pub(crate) fn new(font: &'a [u8]) -> Self {
        let table = |tag: &[u8]| {
            let records = font[12..].chunks(16).take(usize::from(u16_at(font, 4)));
            let record = records.into_iter().find(|record| &record[..4] == tag).expect("the table is there");
            &font[u32_at(record, 8)..][..u32_at(record, 12)]
        };
        Self {
            cmap: table(b"cmap"),
            glyf: table(b"glyf"),
            head: table(b"head"),
            hhea: table(b"hhea"),
            hmtx: table(b"hmtx"),
            loca: table(b"loca"),
        }
    }

    pub(crate) fn units_per_em(&self) -> u16 {
        u16_at(self.head, 18)
    }

    /// Every character with its glyph.
    pub(crate) fn characters(&self) -> impl Iterator<Item = (u32, u16)> {
        let records = self.cmap[4..].chunks(8).take(usize::from(u16_at(self.cmap, 2)));
        let mut tables = records.map(|record| &self.cmap[u32_at(record, 4)..]);
        let table = tables.find(|table| u16_at(table, 0) == 12).expect("a table of format 12");
        let groups = table[16..].chunks(12).take(u32_at(table, 12));
        groups.flat_map(|group| {
            let [first, last, glyph] = [0, 4, 8].map(|at| u32_at(group, at));
            (first..=last).map(move |character| (character as u32, (glyph + character - first) as u16))
        })
    }

    /// The distance to the origin of the next glyph.
    pub(crate) fn advance(&self, glyph: u16) -> u16 {
        let last = u16_at(self.hhea, 34) - 1;
        u16_at(self.hmtx, 4 * usize::from(glyph.min(last)))
    }

    /// The distance from the origin to the left end of the outline.
    fn left_side_bearing(&self, glyph: u16) -> i16 {
        let (glyph, pairs) = (usize::from(glyph), usize::from(u16_at(self.hhea, 34)));
        i16_at(self.hmtx, if glyph < pairs { 4 * glyph + 2 } else { 4 * pairs + 2 * (glyph - pairs) })
    }

    pub(crate) fn draw(&self, glyph: u16, pen: &mut impl Pen) {
        let data = &self.glyf[self.place(glyph)];
        if data.is_empty() {
            return;
        }
        let shift = f32::from(self.left_side_bearing(glyph) - i16_at(data, 2));
        for mut contour in self.contours(glyph) {
            for point in &mut contour {
                point.at[0] += shift;
            }
            draw(&contour, pen);
        }
    }

    fn contours(&self, glyph: u16) -> Vec<Vec<OutlinePoint>> {
        let data = &self.glyf[self.place(glyph)];
        if data.is_empty() {
            return Vec::new();
        }
        match i16_at(data, 0) {
            0.. => simple(data),
            _ => self.composite(&data[10..]),
        }
    }

    fn place(&self, glyph: u16) -> Range<usize> {
        let at = |glyph: usize| match u16_at(self.head, 50) {
            0 => 2 * usize::from(u16_at(self.loca, 2 * glyph)),
            _ => u32_at(self.loca, 4 * glyph),
        };
        let glyph = usize::from(glyph);
        at(glyph)..at(glyph + 1)
    }

    /// A glyph that is made of others, each scaled or turned and then shifted.
    fn composite(&self, mut data: &[u8]) -> Vec<Vec<OutlinePoint>> {
        let mut contours = Vec::new();
        loop {
            let flags = u16_at(data, 0);
            assert!(flags & XY_VALUES != 0, "components are placed by distances");
            let component = u16_at(data, 2);
            let (shift, mut at) = if flags & WORDS != 0 {
                ([4, 6].map(|at| f32::from(i16_at(data, at))), 8)
            } else {
                ([4, 5].map(|at| f32::from(data[at] as i8)), 6)
            };
            let mut fraction = || {
                at += 2;
                f32::from(i16_at(data, at - 2)) / f32::from(1_i16 << 14)
            };
            let matrix = if flags & SCALE != 0 {
                let scale = fraction();
                [scale, 0.0, 0.0, scale]
            } else if flags & X_AND_Y_SCALE != 0 {
                [fraction(), 0.0, 0.0, fraction()]
            } else if flags & TWO_BY_TWO != 0 {
                [fraction(), fraction(), fraction(), fraction()]
            } else {
                [1.0, 0.0, 0.0, 1.0]
            };
            for mut contour in self.contours(component) {
                for OutlinePoint { at: [x, y], .. } in &mut contour {
                    let (turned_x, turned_y) =
                        (matrix[0] * *x + matrix[2] * *y, matrix[1] * *x + matrix[3] * *y);
                    (*x, *y) = (turned_x.round() + shift[0], turned_y.round() + shift[1]);
                }
                contours.push(contour);
            }
            if flags & MORE_COMPONENTS == 0 {
                return contours;
            }
            data = &data[at..];
        }
    }
}

/// The contours of a glyph that is drawn from points.
fn simple(data: &[u8]) -> Vec<Vec<OutlinePoint>> {
    let ends: Vec<usize> = (0..usize::from(u16_at(data, 0)))
        .map(|contour| 1 + usize::from(u16_at(data, 10 + 2 * contour)))
        .collect();
    let points = ends.last().copied().unwrap_or(0);
    let instructions = 10 + 2 * ends.len();
    let mut rest = data[instructions + 2 + usize::from(u16_at(data, instructions))..].iter().copied();
    let mut next = || rest.next().expect("the glyph is complete");
    let mut flags = Vec::new();
    while flags.len() < points {
        let flag = next();
        let times = if flag & REPEAT != 0 { 1 + usize::from(next()) } else { 1 };
        flags.extend(std::iter::repeat_n(flag, times));
    }
    let [xs, ys] = [0, 1].map(|axis| {
        let mut place = 0;
        let mut places = Vec::new();
        for flag in &flags {
            place += match (flag & SHORT[axis] != 0, flag & SAME_OR_POSITIVE[axis] != 0) {
                (true, true) => i16::from(next()),
                (true, false) => -i16::from(next()),
                (false, true) => 0,
                (false, false) => i16::from_be_bytes([next(), next()]),
            };
            places.push(f32::from(place));
        }
        places
    });
    let point = |i: usize| OutlinePoint { at: [xs[i], ys[i]], on_curve: flags[i] & ON_CURVE != 0 };
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(&ends).map(|(start, &end)| (start..end).map(point).collect()).collect()
}

/// Draws a closed contour: lines between points on the curve, and quadratic curves where one off it lies between them. Between
/// two points off the curve there is one on it, halfway.
fn draw(contour: &[OutlinePoint], pen: &mut impl Pen) {
    let Some((&first, &last)) = contour.first().zip(contour.last()) else { return };
    let (start, points) = if first.on_curve {
        (first.at, &contour[1..])
    } else if last.on_curve {
        (last.at, &contour[..contour.len() - 1])
    } else {
        (halfway(first.at, last.at), contour)
    };
    pen.command(b'M', &[start]);
    let mut bend = None;
    for point in points {
        match (bend, point.on_curve) {
            (None, true) => pen.command(b'L', &[point.at]),
            (None, false) => bend = Some(point.at),
            (Some(control), true) => {
                pen.command(b'Q', &[control, point.at]);
                bend = None;
            }
            (Some(control), false) => {
                pen.command(b'Q', &[control, halfway(control, point.at)]);
                bend = Some(point.at);
            }
        }
    }
    if let Some(control) = bend {
        pen.command(b'Q', &[control, start]);
    }
    pen.command(b'Z', &[]);
}

fn halfway(a: Point, b: Point) -> Point {
    [a[0].midpoint(b[0]), a[1].midpoint(b[1])]
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

fn i16_at(bytes: &[u8], at: usize) -> i16 {
    u16_at(bytes, at) as i16
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    usize::from(u16_at(bytes, at)) << 16 | usize::from(u16_at(bytes, at + 2))
}
