//! A sheet as SVG, without scripts or external files. Text stays text.

use std::fmt::Write;

use super::sheet::{Anchor, Paint, Painted, Point, Shape, Sheet};
use crate::task::fnv;

/// The SVG file.
pub(super) fn write(sheet: &Sheet) -> String {
    let (width, height) = (sheet.width, sheet.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif\" role=\"img\">\n"
    );
    let _ = writeln!(out, "<title>{}</title>", escape(&sheet.title));
    // One page may hold several figures, so their ids must differ.
    let name = format!("field-{:08x}", fnv(sheet.title.as_bytes()) as u32);
    let mut clips = 0;
    for group in sheet.shapes.chunk_by(|a, b| a.clip == b.clip) {
        let shapes: String = group.iter().map(element).collect();
        let Some(clip) = group[0].clip else {
            out += &shapes;
            continue;
        };
        let (x, y) = clip.corner;
        let name = if clips == 0 { name.clone() } else { format!("{name}-{clips}") };
        clips += 1;
        let _ = writeln!(
            out,
            "<clipPath id=\"{name}\"><rect x=\"{x}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{}\"/></clipPath>\n\
             <g clip-path=\"url(#{name})\">\n{shapes}</g>",
            clip.width, clip.height
        );
    }
    out + "</svg>\n"
}

/// A shape, as a line of its own.
fn element(painted: &Painted) -> String {
    let style = style(&painted.paint);
    let shape = match &painted.shape {
        Shape::Rectangle(r) if r.corner == (0.0, 0.0) => {
            format!("<rect width=\"{}\" height=\"{}\"{style}/>", r.width, r.height)
        }
        Shape::Rectangle(r) => {
            let (x, y) = r.corner;
            format!(
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\"{style}/>",
                r.width, r.height
            )
        }
        Shape::Line((x1, y1), (x2, y2)) => {
            format!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"{style}/>")
        }
        Shape::Polyline(points) => {
            format!("<polyline points=\"{}\" fill=\"none\"{style}/>", list(points))
        }
        Shape::Polygon(points) => format!("<polygon points=\"{}\"{style}/>", list(points)),
        Shape::Circle((x, y), radius) => {
            format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"{style}/>")
        }
        Shape::Text((x, y), font, text) => {
            let bold = if font.bold { " font-weight=\"bold\"" } else { "" };
            let anchor = match font.anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            format!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{}\"{bold}{style}{anchor}>{}</text>",
                font.size,
                escape(text)
            )
        }
    };
    shape + "\n"
}

fn list(points: &[Point]) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    points.join(" ")
}

/// The attributes of a paint.
fn style(paint: &Paint) -> String {
    let mut out = String::new();
    let mut add = |name: &str, value: &str| {
        let _ = write!(out, " {name}=\"{value}\"");
    };
    if let Some(colour) = paint.fill {
        add("fill", colour);
    }
    if let Some(opacity) = paint.opacity {
        add("fill-opacity", &opacity.to_string());
    }
    if let Some(stroke) = paint.stroke {
        add("stroke", stroke.colour);
        if let Some(width) = stroke.width {
            add("stroke-width", &width.to_string());
        }
        if let Some([dash, gap]) = stroke.dash {
            add("stroke-dasharray", &format!("{dash} {gap}"));
        }
    }
    out
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
