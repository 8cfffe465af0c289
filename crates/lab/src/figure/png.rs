//! A sheet as PNG, with an embedded font, so that a figure looks the same everywhere.
//!
//! Text is set glyph by glyph, left to right and without kerning. Titles, units and numbers need no text engine.

use tiny_skia::{
    Color, FillRule, Mask, Paint as Ink, Path, PathBuilder, Pixmap, Rect, Stroke as Pen, StrokeDash,
    Transform,
};

use super::glyphs::Face;
use super::sheet::{Anchor, Colour, Font, Painted, Point, Rectangle, Shape, Sheet};

/// Renders a sheet to a PNG file, with `zoom` pixels per unit.
pub(super) fn paint(sheet: &Sheet, zoom: f32) -> Result<Vec<u8>, String> {
    let pixels = |length: f64| (length as f32 * zoom).ceil() as u32;
    let canvas = Pixmap::new(pixels(sheet.width), pixels(sheet.height));
    let mut canvas = canvas.ok_or("the picture is empty or too large")?;
    let faces = Face::both()?;
    let scale = Transform::from_scale(zoom, zoom);
    for painted in &sheet.shapes {
        // A line of no length has no path.
        let Some(path) = outline(&painted.shape, &faces) else { continue };
        let mask = painted.clip.map(|clip| mask(clip, &canvas, scale)).transpose()?;
        draw(&mut canvas, painted, &path, scale, mask.as_ref());
    }
    canvas.encode_png().map_err(|error| error.to_string())
}

/// What lies inside a rectangle.
fn mask(clip: Rectangle, canvas: &Pixmap, scale: Transform) -> Result<Mask, String> {
    let mut mask = Mask::new(canvas.width(), canvas.height()).ok_or("the picture is too large")?;
    if let Some(path) = rectangle(clip) {
        mask.fill_path(&path, FillRule::Winding, true, scale);
    }
    Ok(mask)
}

fn draw(canvas: &mut Pixmap, painted: &Painted, path: &Path, scale: Transform, mask: Option<&Mask>) {
    let paint = painted.paint;
    let line = matches!(painted.shape, Shape::Line(..) | Shape::Polyline(_));
    if let Some(colour) = paint.fill.filter(|_| !line) {
        let ink = ink(colour, paint.opacity.unwrap_or(1.0));
        canvas.fill_path(path, &ink, FillRule::Winding, scale, mask);
    }
    if let Some(stroke) = paint.stroke {
        let pen = Pen {
            width: stroke.width.unwrap_or(1.0) as f32,
            dash: stroke
                .dash
                .and_then(|dash| StrokeDash::new(dash.map(|length| length as f32).to_vec(), 0.0)),
            ..Pen::default()
        };
        canvas.stroke_path(path, &ink(stroke.colour, 1.0), &pen, scale, mask);
    }
}

/// The paint of a colour; an opacity of 1 hides what lies below.
fn ink(colour: Colour, opacity: f64) -> Ink<'static> {
    let digits = colour.trim_start_matches('#');
    let wide = digits.len() == 6;
    let part = |at: usize| {
        let (at, end) = if wide { (2 * at, 2 * at + 2) } else { (at, at + 1) };
        let value = digits.get(at..end).and_then(|part| u8::from_str_radix(part, 16).ok()).unwrap_or(0);
        f32::from(if wide { value } else { value * 17 }) / 255.0
    };
    let mut ink = Ink { anti_alias: true, ..Ink::default() };
    ink.set_color(Color::from_rgba(part(0), part(1), part(2), opacity as f32).unwrap_or(Color::BLACK));
    ink
}

/// The path of a shape; `None` where there is nothing to paint.
fn outline(shape: &Shape, faces: &[Face; 2]) -> Option<Path> {
    match shape {
        Shape::Rectangle(corners) => rectangle(*corners),
        Shape::Line(from, to) => polyline(&[*from, *to], false),
        Shape::Polyline(points) => polyline(points, false),
        Shape::Polygon(points) => polyline(points, true),
        Shape::Circle((x, y), radius) => PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32),
        Shape::Text(place, font, text) => glyphs(*place, font, text, &faces[usize::from(font.bold)]),
    }
}

fn rectangle(r: Rectangle) -> Option<Path> {
    let (x, y) = r.corner;
    Some(PathBuilder::from_rect(Rect::from_xywh(x as f32, y as f32, r.width as f32, r.height as f32)?))
}

fn polyline(points: &[Point], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (i, &(x, y)) in points.iter().enumerate() {
        if i == 0 { path.move_to(x as f32, y as f32) } else { path.line_to(x as f32, y as f32) }
    }
    if closed {
        path.close();
    }
    path.finish()
}

/// The glyphs of a text, as one path.
fn glyphs((x, y): Point, font: &Font, text: &str, face: &Face) -> Option<Path> {
    let scale = font.size as f32 / face.units_per_em();
    let glyphs: Vec<_> = text.chars().map(|character| face.glyph(character)).collect();
    let width: f32 = glyphs.iter().map(|glyph| scale * glyph.advance).sum();
    let before = match font.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width / 2.0,
        Anchor::End => width,
    };
    let (mut path, mut x) = (PathBuilder::new(), x as f32 - before);
    for glyph in glyphs {
        glyph.draw(&mut path, (x, y as f32), scale);
        x += scale * glyph.advance;
    }
    path.finish()
}

#[cfg(test)]
mod tests {
    use super::super::sheet::Paint;
    use super::*;

    /// Pixels of the colour that are dark, by column.
    fn dark(png: &[u8]) -> Vec<usize> {
        let pixels = Pixmap::decode_png(png).unwrap();
        let is_dark = |x, y| pixels.pixel(x, y).is_some_and(|pixel| pixel.red() < 128);
        (0..pixels.width()).map(|x| (0..pixels.height()).filter(|&y| is_dark(x, y)).count()).collect()
    }

    fn sheet(shape: Shape, paint: Paint, clip: Option<Rectangle>) -> Sheet {
        let mut sheet = Sheet::new("test", 60.0, 20.0);
        let corner = (0.0, 0.0);
        sheet.add(Shape::Rectangle(Rectangle { corner, width: 60.0, height: 20.0 }), Paint::fill("#fff"));
        sheet.shapes.push(Painted { shape, paint, clip });
        sheet
    }

    #[test]
    fn letters_stand_where_their_anchor_says() {
        let text = |anchor| {
            let font = Font { size: 10.0, bold: false, anchor };
            let shape = Shape::Text((30.0, 15.0), font, "HI".into());
            let columns = dark(&paint(&sheet(shape, Paint::fill("#000"), None), 1.0).unwrap());
            let first = columns.iter().position(|&n| n > 0).unwrap();
            (first, columns.iter().rposition(|&n| n > 0).unwrap())
        };
        let (start, middle, end) = (text(Anchor::Start), text(Anchor::Middle), text(Anchor::End));
        assert!(start.0 >= 30 && end.1 <= 30, "{start:?} {end:?}");
        assert!(middle.0 < 29 && middle.1 > 31, "{middle:?}");
        assert_eq!(start.1 - start.0, end.1 - end.0);
    }

    #[test]
    fn lines_are_cut_off_at_their_clip() {
        let clip = Rectangle { corner: (10.0, 0.0), width: 20.0, height: 20.0 };
        let line = Shape::Line((0.0, 10.0), (60.0, 10.0));
        let columns =
            dark(&paint(&sheet(line, Paint::default().outlined("#000", 4.0), Some(clip)), 1.0).unwrap());
        assert!(columns[10..30].iter().all(|&n| n == 4), "{columns:?}");
        assert!(columns[..10].iter().chain(&columns[30..]).all(|&n| n == 0), "{columns:?}");
    }

    #[test]
    fn colours_are_read() {
        let red = |colour| {
            let shape = Shape::Circle((30.0, 10.0), 8.0);
            let png = paint(&sheet(shape, Paint::fill(colour), None), 1.0).unwrap();
            let pixels = Pixmap::decode_png(&png).unwrap();
            pixels.pixel(30, 10).map(|pixel| (pixel.red(), pixel.green(), pixel.blue()))
        };
        assert_eq!(red("#d55e00"), Some((0xd5, 0x5e, 0)));
        assert_eq!(red("#444"), Some((0x44, 0x44, 0x44)));
    }
}
