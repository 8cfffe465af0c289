//! A figure as SVG, without scripts or external files. Text stays text.

use super::axis::Scale;
use super::{Curve, Figure, Series};
use crate::task::fnv;

/// Colours that people with any kind of colour vision tell apart (Okabe and Ito).
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a7a00"];
// All sizes are in units of the SVG.
const WIDTH: f64 = 760.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 92.0;
/// Height of the plot area.
const HEIGHT: f64 = 360.0;
const LINE: f64 = 19.0;

/// An SVG document under construction.
struct Sheet(String);

impl Sheet {
    fn add(&mut self, element: &str) {
        self.0 += element;
        self.0.push('\n');
    }

    fn text(&mut self, (x, y): (f64, f64), class: &str, text: &str) {
        self.add(&format!("<text x=\"{x:.1}\" y=\"{y:.1}\"{class}>{}</text>", escape(text)));
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), style: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.add(&format!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>"));
    }
}

const SMALL: &str = " font-size=\"12\" fill=\"#555\"";
const TICK: &str = " font-size=\"11.5\" fill=\"#444\"";
const LABEL: &str = " font-size=\"13\" fill=\"#222\"";
const TITLE: &str = " font-size=\"16.5\" font-weight=\"bold\" fill=\"#111\"";

pub(super) fn draw(figure: &Figure) -> String {
    let captions = wrap(&figure.caption, WIDTH - 48.0, 12.0);
    let titles = wrap(&figure.title, WIDTH - 48.0, 17.5);
    let extra = LINE * (captions.len().max(1) + titles.len() - 2 + usize::from(titles.is_empty())) as f64;
    let top = TOP + extra;
    let bottom = top + HEIGHT;
    let legend = legend(figure);
    let rows = legend.iter().map(|entry| entry.row + 1).max().unwrap_or(0);
    let total = bottom + 58.0 + LINE * rows as f64 + 8.0;
    let mut sheet = Sheet(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {total:.0}\" width=\"{WIDTH}\" \
         height=\"{total:.0}\" font-family=\"'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif\" role=\"img\">\n"
    ));
    sheet.add(&format!("<title>{}</title>", escape(&figure.title)));
    sheet.add(&format!("<rect width=\"{WIDTH}\" height=\"{total:.0}\" fill=\"#fff\"/>"));
    let mut y = 30.0;
    for line in &titles {
        sheet.text((24.0, y), TITLE, line);
        y += LINE + 2.0;
    }
    for line in &captions {
        sheet.text((24.0, y), SMALL, line);
        y += LINE - 3.0;
    }
    sheet.text((24.0, top - 13.0), LABEL, &figure.y.label);
    let centre = f64::midpoint(LEFT, WIDTH - RIGHT);
    let anchored = format!("{LABEL} text-anchor=\"middle\"");
    sheet.text((centre, bottom + 40.0), &anchored, &figure.x.label);
    match figure.scales() {
        None => sheet.text((centre, f64::midpoint(top, bottom)), &anchored, "no data"),
        Some((x, y)) => field(&mut sheet, figure, &Field { x, y, top }),
    }
    for entry in &legend {
        entry.draw(&mut sheet, bottom + 58.0);
    }
    sheet.0 + "</svg>\n"
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
    let grid = |labelled: bool| if labelled { "stroke=\"#dcdcdc\"" } else { "stroke=\"#f2f2f2\"" };
    for tick in field.x.ticks(8) {
        let x = LEFT + tick.at * (right - LEFT);
        sheet.line((x, top), (x, bottom), grid(tick.label.is_some()));
        if let Some(label) = tick.label {
            sheet.text((x, bottom + 18.0), &format!("{TICK} text-anchor=\"middle\""), &label);
        }
    }
    for tick in field.y.ticks(7) {
        let y = top + (1.0 - tick.at) * HEIGHT;
        sheet.line((LEFT, y), (right, y), grid(tick.label.is_some()));
        if let Some(label) = tick.label {
            sheet.text((LEFT - 7.0, y + 4.0), &format!("{TICK} text-anchor=\"end\""), &label);
        }
    }
    // One page may hold several figures, so their ids must differ.
    let clip = format!("field-{:08x}", fnv(figure.title.as_bytes()) as u32);
    sheet.add(&format!(
        "<clipPath id=\"{clip}\"><rect x=\"{LEFT}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{HEIGHT}\"/></clipPath>",
        right - LEFT
    ));
    sheet.add(&format!("<g clip-path=\"url(#{clip})\">"));
    if figure.diagonal {
        let (from, to) = ((LEFT, bottom), (right, top));
        sheet.line(from, to, "stroke=\"#999\" stroke-dasharray=\"2 4\"");
    }
    for curve in &figure.curves {
        path(sheet, field, &curve.points, curve.colour, " stroke-width=\"1.8\" stroke-dasharray=\"7 4\"");
    }
    for series in figure.series.iter().filter(|s| s.joined) {
        path(sheet, field, &series.points, series.colour, " stroke-width=\"1.8\"");
    }
    sheet.add("</g>");
    sheet.line((LEFT, bottom), (right, bottom), "stroke=\"#444\"");
    sheet.line((LEFT, top), (LEFT, bottom), "stroke=\"#444\"");
    for series in &figure.series {
        for point in series.points.iter().filter_map(|&p| field.place(p)) {
            sheet.add(&sign(series, point));
        }
    }
}

fn path(sheet: &mut Sheet, field: &Field, points: &[(f64, f64)], colour: usize, style: &str) {
    let places = points.iter().filter_map(|&p| field.place(p));
    // The clip path hides values out of range. The clamp keeps them short enough to print.
    let list: Vec<String> = places.map(|(x, y)| format!("{x:.1},{:.1}", y.clamp(-4000.0, 4000.0))).collect();
    let stroke = COLOURS[colour % COLOURS.len()];
    sheet.add(&format!("<polyline points=\"{}\" fill=\"none\" stroke=\"{stroke}\"{style}/>", list.join(" ")));
}

/// The marker of a series. Its shape differs from colour to colour.
fn sign(series: &Series, (x, y): (f64, f64)) -> String {
    let colour = COLOURS[series.colour % COLOURS.len()];
    let style = if series.hollow {
        format!("fill=\"#fff\" fill-opacity=\"0.6\" stroke=\"{colour}\" stroke-width=\"1.4\"")
    } else {
        format!("fill=\"{colour}\" fill-opacity=\"0.75\" stroke=\"#fff\" stroke-width=\"0.6\"")
    };
    let polygon = |points: &[(f64, f64)]| {
        let list: Vec<String> =
            points.iter().map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy)).collect();
        format!("<polygon points=\"{}\" {style}/>", list.join(" "))
    };
    match series.colour % 5 {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.3\" {style}/>"),
        1 => polygon(&[(-4.0, -4.0), (4.0, -4.0), (4.0, 4.0), (-4.0, 4.0)]),
        2 => polygon(&[(0.0, -5.2), (4.8, 3.6), (-4.8, 3.6)]),
        3 => polygon(&[(0.0, -5.6), (5.6, 0.0), (0.0, 5.6), (-5.6, 0.0)]),
        _ => polygon(&[(0.0, 5.2), (4.8, -3.6), (-4.8, -3.6)]),
    }
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
        let ends = ((self.x, y), (self.x + 22.0, y));
        match self.what {
            What::Series(series) => {
                if series.joined {
                    let stroke = COLOURS[series.colour % COLOURS.len()];
                    sheet.line(ends.0, ends.1, &format!("stroke=\"{stroke}\" stroke-width=\"1.8\""));
                }
                sheet.add(&sign(series, (self.x + 11.0, y)));
            }
            What::Curve(curve) => {
                let stroke = COLOURS[curve.colour % COLOURS.len()];
                let style = format!("stroke=\"{stroke}\" stroke-width=\"1.8\" stroke-dasharray=\"7 4\"");
                sheet.line(ends.0, ends.1, &style);
            }
            What::Diagonal => sheet.line(ends.0, ends.1, "stroke=\"#999\" stroke-dasharray=\"2 4\""),
        }
        sheet.text((self.x + 28.0, y + 4.0), " font-size=\"12\" fill=\"#222\"", self.what.name());
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

/// Escapes a text for XML.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            // XML allows no other control character.
            c if c.is_control() && c != '\n' && c != '\t' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
