//! The drawing as SVG. It needs no external font or style, and looks the same on a light and on a dark page.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use beeline_boards::scene::{Cell, DOWN, Form, Ground, LEFT, RIGHT, Scene, Thing, UP};

use crate::colour::{self, Paints, Rgb};
use crate::outline::{self, Short};
use crate::shapes::{Shape, shape};

/// Width of a cell, in units of the SVG.
const CELL: f64 = 48.0;
const MARGIN: f64 = 16.0;
/// The width of a path, in units of the SVG.
const PATH: f64 = CELL * 0.34;
const PAPER: &str = "#f6f3ec";
const FLOOR: &str = "#fffdf8";
const LINE: &str = "#e7e1d3";
const WALL: &str = "#3f4756";
const GOAL: &str = "#fbe7b2";
const FONT: &str = "ui-rounded, 'SF Pro Rounded', Inter, 'Segoe UI', 'DejaVu Sans', sans-serif";

/// Draws a scene as an SVG document. `title` is the text for a screen reader.
pub fn svg(scene: &Scene, title: &str) -> String {
    let mut draw = Draw { scene, paints: Paints::of(scene), out: String::new() };
    draw.open(title);
    draw.ground();
    draw.sides();
    draw.blocks();
    draw.path_edges();
    for (row, column, cell) in cells(scene) {
        if let Some(thing) = &cell.thing {
            draw.thing(row, column, cell, thing);
        }
    }
    draw.out.push_str("</g>\n</svg>\n");
    draw.out
}

fn cells(scene: &Scene) -> impl Iterator<Item = (usize, usize, &Cell)> {
    scene.cells.iter().enumerate().map(|(i, cell)| (i / scene.width.max(1), i % scene.width.max(1), cell))
}

/// The cells for which a test holds.
fn set(scene: &Scene, test: impl Fn(&Cell) -> bool) -> BTreeSet<(usize, usize)> {
    cells(scene).filter(|(_, _, cell)| test(cell)).map(|(row, column, _)| (row, column)).collect()
}

struct Draw<'a> {
    scene: &'a Scene,
    paints: Paints,
    out: String,
}

/// Adds a line to the document. Writing to a string cannot fail.
macro_rules! put {
    ($draw:expr, $($arg:tt)*) => {{ let _ = writeln!($draw.out, $($arg)*); }};
}

impl Draw<'_> {
    fn open(&mut self, title: &str) {
        let width = self.scene.width as f64 * CELL + 2.0 * MARGIN;
        let height = self.scene.height as f64 * CELL + 2.0 * MARGIN;
        let title = escape(title);
        put!(
            self,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{title}">"#
        );
        put!(self, "<title>{title}</title>");
        put!(self, r#"<rect width="{width}" height="{height}" rx="18" fill="{PAPER}"/>"#);
        put!(
            self,
            r#"<g transform="translate({MARGIN} {MARGIN})" font-family="{FONT}" font-weight="600" text-anchor="middle" stroke-linejoin="round">"#
        );
    }

    fn ground(&mut self) {
        let floor = set(self.scene, |c| matches!(c.ground, Ground::Floor | Ground::Goal));
        self.fill(&floor, -3.0, 7.0, FLOOR);
        self.grid(&floor);
        let walls = set(self.scene, |c| c.ground == Ground::Wall && c.thing.is_none());
        self.fill(&walls, 0.0, 7.0, WALL);
        let goals = set(self.scene, |c| c.ground == Ground::Goal);
        self.fill(&goals, 1.5, 8.0, GOAL);
        for &(row, column) in &goals {
            if self.scene.at(row, column).thing.is_none() {
                let paint = colour::GOAL.css();
                let (x, y) = centre(row, column);
                self.diamond(x, y, 7.0, &format!(r#"fill="none" stroke="{paint}" stroke-width="2.5""#));
            }
        }
    }

    fn fill(&mut self, cells: &BTreeSet<(usize, usize)>, inset: f64, radius: f64, paint: &str) {
        if !cells.is_empty() {
            let path = outline::path(cells, CELL, inset, radius);
            put!(self, r#"<path d="{path}" fill="{paint}" fill-rule="evenodd"/>"#);
        }
    }

    /// Thin lines between open cells, so that free cells can be counted.
    fn grid(&mut self, floor: &BTreeSet<(usize, usize)>) {
        let mut path = String::new();
        for &(row, column) in floor {
            let (x, y) = (column as f64 * CELL, row as f64 * CELL);
            if column > 0 && floor.contains(&(row, column - 1)) {
                let _ = write!(path, "M{x} {y}v{CELL}");
            }
            if row > 0 && floor.contains(&(row - 1, column)) {
                let _ = write!(path, "M{x} {y}h{CELL}");
            }
        }
        if !path.is_empty() {
            put!(self, r#"<path d="{path}" stroke="{LINE}" stroke-width="1.5" fill="none"/>"#);
        }
    }

    /// Thin walls between cells and along the edge.
    fn sides(&mut self) {
        let mut path = String::new();
        for (row, column, _) in cells(self.scene) {
            let sides = self.scene.sides.get(row * self.scene.width + column).copied().unwrap_or(0);
            let (x, y) = (column as f64 * CELL, row as f64 * CELL);
            // Two cells share a wall between them. The upper or left one draws it.
            for (side, drawn, line) in [
                (RIGHT, true, format!("M{} {y}v{CELL}", x + CELL)),
                (DOWN, true, format!("M{x} {}h{CELL}", y + CELL)),
                (LEFT, column == 0, format!("M{x} {y}v{CELL}")),
                (UP, row == 0, format!("M{x} {y}h{CELL}")),
            ] {
                if drawn && sides & side != 0 {
                    path += &line;
                }
            }
        }
        if !path.is_empty() {
            put!(
                self,
                r#"<path d="{path}" stroke="{WALL}" stroke-width="6" stroke-linecap="round" fill="none"/>"#
            );
        }
    }

    /// The blocks, each one shape.
    fn blocks(&mut self) {
        let mut blocks: BTreeMap<u16, BTreeSet<(usize, usize)>> = BTreeMap::new();
        for (row, column, _) in cells(self.scene) {
            if let Shape::Block(id) = shape(self.scene, row, column) {
                blocks.entry(id).or_default().insert((row, column));
            }
        }
        for cells in blocks.values() {
            let Some(&(row, column)) = cells.first() else { continue };
            let cell = self.scene.at(row, column);
            let (Some(paint), Some(thing)) = (self.paints.thing(cell), &cell.thing) else { continue };
            let path = outline::path(cells, CELL, 3.0, 10.0);
            let (fill, edge) = (paint.css(), paint.shade(0.78).css());
            put!(self, r#"<path d="{path}" fill="{fill}" stroke="{edge}" stroke-width="2"/>"#);
            let (x, y) = middle(cells);
            for &(r, c) in cells {
                if self.scene.at(r, c).ground == Ground::Goal {
                    let mark = colour::GOAL.shade(1.5).css();
                    let look = format!(r#"fill="none" stroke="{mark}" stroke-width="2.5""#);
                    let (cx, cy) = centre(r, c);
                    let free = thing.label.is_empty()
                        || (cx - x).abs() > CELL * 0.45
                        || (cy - y).abs() > CELL * 0.45;
                    if free { self.diamond(cx, cy, 7.0, &look) } else { self.corner_diamond(cx, cy, &look) }
                }
            }
            self.label(x, y, &thing.label, paint);
        }
    }

    /// The mark of a goal in a cell with a label: in the lower right corner, beside the label.
    fn corner_diamond(&mut self, x: f64, y: f64, look: &str) {
        let aside = CELL * 0.29;
        self.diamond(x + aside, y + aside, 4.5, look);
    }

    fn diamond(&mut self, x: f64, y: f64, size: f64, look: &str) {
        let corner = Short(y - size);
        let x = Short(x);
        put!(self, r#"<path d="M{x} {corner}l{size} {size}l-{size} {size}l-{size} -{size}Z" {look}/>"#);
    }

    fn label(&mut self, x: f64, y: f64, text: &str, on: Rgb) {
        if text.is_empty() {
            return;
        }
        let size = if text.chars().count() > 2 { 16 } else { 20 };
        let (x, y, ink) = (Short(x), Short(y + 0.35 * f64::from(size)), on.ink().css());
        put!(self, r#"<text x="{x}" y="{y}" font-size="{size}" fill="{ink}">{}</text>"#, escape(text));
    }

    fn thing(&mut self, row: usize, column: usize, cell: &Cell, thing: &Thing) {
        let Some(paint) = self.paints.thing(cell) else { return };
        let (fill, edge) = (paint.css(), paint.shade(0.78).css());
        let ((x, y), (left, top)) = (centre(row, column), (column as f64 * CELL, row as f64 * CELL));
        match thing.form {
            Form::Block => {}
            Form::Tile => {
                let (left, top, side) = (left + 2.5, top + 2.5, CELL - 5.0);
                put!(
                    self,
                    r#"<rect x="{left}" y="{top}" width="{side}" height="{side}" rx="10" fill="{fill}" stroke="{edge}" stroke-width="2"/>"#
                );
                self.label(x, y, &thing.label, paint);
            }
            Form::Dot => {
                self.path(x, y, thing.links, &fill, PATH);
                put!(
                    self,
                    r#"<circle cx="{x}" cy="{y}" r="{}" fill="{fill}" stroke="{edge}" stroke-width="1.5"/>"#,
                    Short(CELL * 0.36)
                );
                self.label(x, y, &thing.label, paint);
            }
            Form::Pipe => self.path(x, y, thing.links, &fill, PATH),
            Form::Crate => {
                let (a, b) = (left + 5.0, top + 5.0);
                let (side, far) = (CELL - 10.0, CELL - 26.0);
                put!(
                    self,
                    r#"<rect x="{a}" y="{b}" width="{side}" height="{side}" rx="6" fill="{fill}" stroke="{edge}" stroke-width="2.5"/>"#
                );
                let (a, b) = (left + 13.0, top + 13.0);
                put!(
                    self,
                    r#"<path d="M{a} {b}l{far} {far}m0 -{far}l-{far} {far}" stroke="{edge}" stroke-width="4" stroke-linecap="round" fill="none"/>"#
                );
            }
            Form::Player => {
                put!(
                    self,
                    r#"<circle cx="{x}" cy="{y}" r="17" fill="{fill}" stroke="{edge}" stroke-width="2.5"/>"#
                );
                let (l, r, eyes) = (x - 6.0, x + 6.0, y - 4.0);
                put!(
                    self,
                    r##"<circle cx="{l}" cy="{eyes}" r="2.6" fill="#fff"/><circle cx="{r}" cy="{eyes}" r="2.6" fill="#fff"/>"##
                );
                let (from, mouth) = (x - 6.5, y + 4.0);
                put!(
                    self,
                    r##"<path d="M{from} {mouth}q6.5 6.5 13 0" stroke="#fff" stroke-width="2.4" stroke-linecap="round" fill="none"/>"##
                );
            }
        }
    }

    /// The outlines of all paths, drawn below the paths, so that white paths are visible on a light floor.
    fn path_edges(&mut self) {
        for (row, column, cell) in cells(self.scene) {
            let Some(thing) = cell.thing.as_ref().filter(|t| matches!(t.form, Form::Dot | Form::Pipe)) else {
                continue;
            };
            let Some(paint) = self.paints.thing(cell) else { continue };
            let (x, y) = centre(row, column);
            self.path(x, y, thing.links, &paint.shade(0.78).css(), PATH + 2.5);
        }
    }

    /// A stretch of path: from the middle of the cell to each linked side.
    fn path(&mut self, x: f64, y: f64, links: u8, fill: &str, wide: f64) {
        let half = CELL / 2.0;
        let ways = [(LEFT, -half, 0.0), (RIGHT, half, 0.0), (UP, 0.0, -half), (DOWN, 0.0, half)];
        let mut path = String::new();
        for (bit, dx, dy) in ways {
            if links & bit != 0 {
                let _ = write!(path, "M{x} {y}l{dx} {dy}");
            }
        }
        if path.is_empty() {
            let _ = write!(path, "M{x} {y}h0");
        }
        put!(
            self,
            r#"<path d="{path}" stroke="{fill}" stroke-width="{}" stroke-linecap="round" fill="none"/>"#,
            Short(wide)
        );
    }
}

/// The middle of a cell.
fn centre(row: usize, column: usize) -> (f64, f64) {
    ((column as f64 + 0.5) * CELL, (row as f64 + 0.5) * CELL)
}

/// The position of a block's label: the middle if that is part of the block, else the first cell.
fn middle(cells: &BTreeSet<(usize, usize)>) -> (f64, f64) {
    let n = cells.len().max(1) as f64;
    let (mut x, mut y) = (0.0, 0.0);
    for &(row, column) in cells {
        let (cx, cy) = centre(row, column);
        x += cx / n;
        y += cy / n;
    }
    let inside = |x: f64, y: f64| cells.contains(&((y / CELL) as usize, (x / CELL) as usize));
    // A middle between cells must have cells of the block on both sides.
    let clear = [(-12.0, -8.0), (12.0, -8.0), (-12.0, 8.0), (12.0, 8.0)];
    if clear.iter().all(|(dx, dy)| inside(x + dx, y + dy)) {
        return (x, y);
    }
    cells.first().map_or((x, y), |&(row, column)| centre(row, column))
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML cannot represent these characters.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
