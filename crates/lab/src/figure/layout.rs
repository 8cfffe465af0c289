//! The layout of a figure, the same for SVG and PNG.

use super::axis::Scale;
use super::sheet::{Anchor, Colour, Font, Paint, Point, Rectangle, Shape, Sheet};
use super::{Curve, Figure, Series};

/// Colours that people with any kind of colour vision tell apart (Okabe and Ito).
const COLOURS: [Colour; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a7a00"];
// All sizes are in units of the SVG.
const WIDTH: f64 = 760.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 92.0;
/// Height of the plot area.
const HEIGHT: f64 = 360.0;
const LINE: f64 = 19.0;

/// How a text looks.
#[derive(Clone, Copy)]
struct Style {
    size: f64,
    bold: bool,
    colour: Colour,
}

const SMALL: Style = Style { size: 12.0, bold: false, colour: "#555" };
const TICK: Style = Style { size: 11.5, bold: false, colour: "#444" };
const LABEL: Style = Style { size: 13.0, bold: false, colour: "#222" };
const NAME: Style = Style { size: 12.0, bold: false, colour: "#222" };
const TITLE: Style = Style { size: 16.5, bold: true, colour: "#111" };

pub(super) fn lay_out(figure: &Figure) -> Sheet {
    let captions = wrap(&figure.caption, WIDTH - 48.0, 12.0);
    let titles = wrap(&figure.title, WIDTH - 48.0, 17.5);
    let extra = LINE * (captions.len().max(1) + titles.len() - 2 + usize::from(titles.is_empty())) as f64;
    let top = TOP + extra;
    let bottom = top + HEIGHT;
    let legend = legend(figure);
    let rows = legend.iter().map(|entry| entry.row + 1).max().unwrap_or(0);
    let total = bottom + 58.0 + LINE * rows as f64 + 8.0;
    let mut sheet = Sheet::new(&figure.title, WIDTH, total.round());
    let whole = Rectangle { corner: (0.0, 0.0), width: WIDTH, height: total.round() };
    sheet.add(Shape::Rectangle(whole), Paint::fill("#fff"));
    let mut y = 30.0;
    for line in &titles {
        text(&mut sheet, (24.0, y), TITLE, Anchor::Start, line);
        y += LINE + 2.0;
    }
    for line in &captions {
        text(&mut sheet, (24.0, y), SMALL, Anchor::Start, line);
        y += LINE - 3.0;
    }
    text(&mut sheet, (24.0, top - 13.0), LABEL, Anchor::Start, &figure.y.label);
    let centre = f64::midpoint(LEFT, WIDTH - RIGHT);
    text(&mut sheet, (centre, bottom + 40.0), LABEL, Anchor::Middle, &figure.x.label);
    match figure.scales() {
        None => {
            text(&mut sheet, (centre, f64::midpoint(top, bottom)), LABEL, Anchor::Middle, "no data");
        }
        Some((x, y)) => field(&mut sheet, figure, &Field { x, y, top }),
    }
    for entry in &legend {
        entry.draw(&mut sheet, bottom + 58.0);
    }
    sheet
}

/// The plot area. It maps data to positions in the picture.
struct Field {
    x: Scale,
    y: Scale,
    top: f64,
}

impl Field {
    fn place(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let (x, y) = (self.x.at(x)?, self.y.at(y)?);
        Some((LEFT + x * (WIDTH - RIGHT - LEFT), self.top + (1.0 - y) * HEIGHT))
    }
}

fn field(sheet: &mut Sheet, figure: &Figure, field: &Field) {
    let (top, bottom, right) = (field.top, field.top + HEIGHT, WIDTH - RIGHT);
    let grid = |labelled: bool| Paint::stroke(if labelled { "#dcdcdc" } else { "#f2f2f2" });
    for tick in field.x.ticks(8) {
        let x = LEFT + tick.at * (right - LEFT);
        sheet.line((x, top), (x, bottom), grid(tick.label.is_some()));
        if let Some(label) = tick.label {
            text(sheet, (x, bottom + 18.0), TICK, Anchor::Middle, &label);
        }
    }
    for tick in field.y.ticks(7) {
        let y = top + (1.0 - tick.at) * HEIGHT;
        sheet.line((LEFT, y), (right, y), grid(tick.label.is_some()));
        if let Some(label) = tick.label {
            text(sheet, (LEFT - 7.0, y + 4.0), TICK, Anchor::End, &label);
        }
    }
    let clip = Rectangle { corner: (LEFT, top), width: right - LEFT, height: HEIGHT };
    sheet.clipped(clip, |sheet| {
        if figure.diagonal {
            sheet.line((LEFT, bottom), (right, top), diagonal());
        }
        for curve in &figure.curves {
            sheet.add(path(field, &curve.points), line_of(curve.colour).dashed(7.0, 4.0));
        }
        for series in figure.series.iter().filter(|s| s.joined) {
            sheet.add(path(field, &series.points), line_of(series.colour));
        }
    });
    sheet.line((LEFT, bottom), (right, bottom), Paint::stroke("#444"));
    sheet.line((LEFT, top), (LEFT, bottom), Paint::stroke("#444"));
    for series in &figure.series {
        for point in series.points.iter().filter_map(|&p| field.place(p)) {
            let (shape, paint) = sign(series, point);
            sheet.add(shape, paint);
        }
    }
}

fn text(sheet: &mut Sheet, place: Point, style: Style, anchor: Anchor, text: &str) {
    let font = Font { size: style.size, bold: style.bold, anchor };
    sheet.add(Shape::Text(place, font, text.to_owned()), Paint::fill(style.colour));
}

fn path(field: &Field, points: &[(f64, f64)]) -> Shape {
    let places = points.iter().filter_map(|&p| field.place(p));
    // The clip hides values out of range. The clamp keeps them short enough to print.
    Shape::Polyline(places.map(|(x, y)| (x, y.clamp(-4000.0, 4000.0))).collect())
}

fn colour(number: usize) -> Colour {
    COLOURS[number % COLOURS.len()]
}

/// The line of a series or a curve.
fn line_of(number: usize) -> Paint {
    Paint::default().outlined(colour(number), 1.8)
}

/// The line on which both coordinates are equal.
fn diagonal() -> Paint {
    Paint::stroke("#999").dashed(2.0, 4.0)
}

/// The marker of a series. Its shape differs from colour to colour.
fn sign(series: &Series, (x, y): Point) -> (Shape, Paint) {
    let colour = colour(series.colour);
    let paint = if series.hollow {
        Paint::fill("#fff").opacity(0.6).outlined(colour, 1.4)
    } else {
        Paint::fill(colour).opacity(0.75).outlined("#fff", 0.6)
    };
    let polygon = |points: &[Point]| Shape::Polygon(points.iter().map(|(dx, dy)| (x + dx, y + dy)).collect());
    let shape = match series.colour % 5 {
        0 => Shape::Circle((x, y), 4.3),
        1 => polygon(&[(-4.0, -4.0), (4.0, -4.0), (4.0, 4.0), (-4.0, 4.0)]),
        2 => polygon(&[(0.0, -5.2), (4.8, 3.6), (-4.8, 3.6)]),
        3 => polygon(&[(0.0, -5.6), (5.6, 0.0), (0.0, 5.6), (-5.6, 0.0)]),
        _ => polygon(&[(0.0, 5.2), (4.8, -3.6), (-4.8, -3.6)]),
    };
    (shape, paint)
}

/// One entry of the legend.
struct Entry<'a> {
    x: f64,
    row: usize,
    what: What<'a>,
}

enum What<'a> {
    Series(&'a Series),
    Curve(&'a Curve),
    Diagonal,
}

impl What<'_> {
    fn name(&self) -> &str {
        match self {
            Self::Series(series) => &series.name,
            Self::Curve(curve) => &curve.name,
            Self::Diagonal => "both equal",
        }
    }
}

impl Entry<'_> {
    fn draw(&self, sheet: &mut Sheet, top: f64) {
        let y = top + LINE * self.row as f64 + 6.0;
        let mut line = |paint| sheet.line((self.x, y), (self.x + 22.0, y), paint);
        match self.what {
            What::Series(series) => {
                if series.joined {
                    line(line_of(series.colour));
                }
                let (shape, paint) = sign(series, (self.x + 11.0, y));
                sheet.add(shape, paint);
            }
            What::Curve(curve) => line(line_of(curve.colour).dashed(7.0, 4.0)),
            What::Diagonal => line(diagonal()),
        }
        text(sheet, (self.x + 28.0, y + 4.0), NAME, Anchor::Start, self.what.name());
    }
}

/// The legend, in rows below the axis: each series with its curves.
fn legend(figure: &Figure) -> Vec<Entry<'_>> {
    let mut whats: Vec<What<'_>> = Vec::new();
    for series in &figure.series {
        whats.push(What::Series(series));
    }
    whats.extend(figure.curves.iter().map(What::Curve));
    whats.extend(figure.diagonal.then_some(What::Diagonal));
    let (mut x, mut row) = (LEFT, 0);
    let mut entries = Vec::new();
    for what in whats {
        let wide = 28.0 + width(what.name(), 12.0) + 24.0;
        if x > LEFT && x + wide - 24.0 > WIDTH - RIGHT {
            (x, row) = (LEFT, row + 1);
        }
        entries.push(Entry { x, row, what });
        x += wide;
    }
    entries
}

/// The approximate width of a text, from the mean widths of the font's letters.
fn width(text: &str, size: f64) -> f64 {
    let of = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '\'' | '!' | ' ' | '·' => 0.32,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' => 0.4,
        'm' | 'w' | 'M' | 'W' | '%' => 0.93,
        'A'..='Z' => 0.68,
        _ => 0.61,
    };
    size * text.chars().map(of).sum::<f64>()
}

/// Breaks a text into lines no wider than `room`.
fn wrap(text: &str, room: f64, size: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size) <= room => *line += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
