//! The pictures of screens in the documentation, made from the cells of real screens.
//!
//! `BEELINE_BLESS=1` redraws them. Otherwise they must equal the present screens.

use std::fmt::Write as _;
use std::path::PathBuf;

use vt100::{Cell, Color, Screen};

use crate::play::see_optimum;
use crate::pty::{Start, places};

/// The width and height of a character in units of the SVG. In terminal fonts, a character is half as wide as its
/// line is high.
const WIDE: usize = 8;
const HIGH: usize = 16;
const PAPER: &str = "#16181d";
const INK: &str = "#d7dae0";

#[test]
fn play() {
    let mut pty = Start::beeline(&["play", "bricks-klotski"]).size(76, 20).open();
    see_optimum(&mut pty);
    pty.press("2h");
    pty.see("Hint:");
    compare("play.svg", &draw(pty.screen(), "beeline play bricks-klotski"));
    pty.press("q");
    assert_eq!(pty.ends(), 0);
}

fn compare(name: &str, picture: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures").join(name);
    if std::env::var_os("BEELINE_BLESS").is_some() {
        std::fs::write(&path, picture).expect("the picture can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == picture,
        "docs/pictures/{name} is not what the screen shows; BEELINE_BLESS=1 draws it anew"
    );
}

/// A screen as SVG: rectangles for backgrounds and half blocks, text for the rest.
fn draw(screen: &Screen, title: &str) -> String {
    let (lines, columns) = screen.size();
    let (width, height) = (usize::from(columns.get()) * WIDE, usize::from(lines.get()) * HIGH);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-12 -12 {} {}\" role=\"img\" aria-label=\"{title}\" \
         font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"13\">\n\
         <rect x=\"-12\" y=\"-12\" width=\"{0}\" height=\"{1}\" rx=\"8\" fill=\"{PAPER}\"/>\n",
        width + 24,
        height + 24,
    );
    for (line, column) in places(screen) {
        if let Some(cell) = screen.cell(line, column) {
            let (x, y) = (usize::from(column) * WIDE, usize::from(line) * HIGH);
            draw_cell(&mut out, cell, x, y);
        }
    }
    out.push_str("</svg>\n");
    out
}

fn draw_cell(out: &mut String, cell: &Cell, x: usize, y: usize) {
    if let Some(paper) = css(cell.bgcolor()) {
        rectangle(out, x, y, HIGH, &paper);
    }
    let ink = css(cell.fgcolor()).unwrap_or_else(|| INK.to_owned());
    match cell.contents() {
        "" | " " => {}
        "▀" => rectangle(out, x, y, HIGH / 2, &ink),
        "▄" => rectangle(out, x, y + HIGH / 2, HIGH / 2, &ink),
        text => {
            let weight = if cell.bold() { " font-weight=\"bold\"" } else { "" };
            let faint = if cell.dim() { " opacity=\"0.6\"" } else { "" };
            let text = text.replace('&', "&amp;").replace('<', "&lt;");
            let y = y + 12;
            // Writing to a string cannot fail.
            let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" fill=\"{ink}\"{weight}{faint}>{text}</text>");
        }
    }
}

/// Draws a slightly enlarged rectangle, so that no seam shows between two of them.
fn rectangle(out: &mut String, x: usize, y: usize, high: usize, fill: &str) {
    let _ =
        writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{WIDE}.3\" height=\"{high}.3\" fill=\"{fill}\"/>");
}

fn css(color: Color) -> Option<String> {
    match color {
        Color::Rgb(r, g, b) => Some(format!("#{r:02x}{g:02x}{b:02x}")),
        _ => None,
    }
}
