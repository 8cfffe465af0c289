//! The small drawing: one line per row, two columns per cell (or as many as the labels need).

use beeline_boards::scene::{Cell, DOWN, Form, Ground, LEFT, RIGHT, Scene, Thing, UP};

use crate::canvas::{Canvas, Cells, Glyph};
use crate::colour::{self, Colour, Paints, Rgb};
use crate::{Style, shapes};

pub(crate) fn small(scene: &Scene, style: Style) -> Canvas {
    let labels = scene.cells.iter().filter_map(|c| c.thing.as_ref()).map(|t| t.label.chars().count());
    let wide = labels.max().unwrap_or(0).min(3);
    let span = if wide > 1 { wide + 1 } else { 2 };
    let paths = shapes::has(scene, |f| matches!(f, Form::Dot | Form::Pipe));
    let paints = Paints::of(scene);
    let cells = Cells { origin: (0, 0), pitch: (1, span), size: (1, span) };
    let mut canvas = Canvas::new(scene.width * span, scene.height).of_cells(cells);
    for row in 0..scene.height {
        for column in 0..scene.width {
            let cell = scene.at(row, column);
            let (mut text, ink, paper) = cell_glyphs(cell, span, paths, style, paints);
            if let Some(wall) = side(scene, row, column, style.ascii) {
                text.pop();
                text.push(wall);
            }
            let colours = style.colour != Colour::None;
            for (i, char) in text.chars().take(span).enumerate() {
                let glyph = Glyph { char, ink: ink.filter(|_| colours), paper: paper.filter(|_| colours) };
                canvas.put(row, column * span + i, glyph);
            }
        }
    }
    if shapes::wants_frame(scene) { canvas.framed(style.ascii) } else { canvas }
}

/// The character for thin walls to the right of a cell and below it. It takes the last column of the cell.
fn side(scene: &Scene, row: usize, column: usize, ascii: bool) -> Option<char> {
    let sides = scene.sides.get(row * scene.width + column).copied().unwrap_or(0);
    let (fine, plain) = match (sides & RIGHT != 0, sides & DOWN != 0) {
        (false, false) => return None,
        (true, false) => ('│', '|'),
        (false, true) => ('▁', '_'),
        (true, true) => ('┘', 'J'),
    };
    Some(if ascii { plain } else { fine })
}

/// The characters of a cell, and their colours.
fn cell_glyphs(
    cell: &Cell,
    span: usize,
    paths: bool,
    style: Style,
    paints: Paints,
) -> (String, Option<Rgb>, Option<Rgb>) {
    let goal = cell.ground == Ground::Goal;
    let pick = |fine: &str, plain: &str| pad(if style.ascii { plain } else { fine }, span);
    let Some(thing) = &cell.thing else {
        return match cell.ground {
            Ground::Outside => (pad("", span), None, None),
            Ground::Wall if style.colour != Colour::None => (pad("", span), None, Some(colour::WALL)),
            Ground::Wall => (if style.ascii { "#" } else { "█" }.repeat(span), None, None),
            Ground::Floor => (if paths { pick("·", ".") } else { pad("", span) }, None, None),
            Ground::Goal => (pick("◇", "."), Some(colour::GOAL), None),
        };
    };
    let paint = paints.thing(cell);
    let ink = paint.map(Rgb::ink);
    let solid = |text: String| (text, ink, paint);
    match thing.form {
        Form::Block => solid(block(thing, goal, span, style.ascii)),
        Form::Tile => solid(format!("{:>1$} ", thing.label, span - 1)),
        Form::Crate if goal => solid(pick("■", "*")),
        Form::Crate => solid(pick("□", "$")),
        Form::Player => solid(if goal { pick("@◇", "+") } else { pick("@", "@") }),
        Form::Dot | Form::Pipe => (path(thing, span, style.ascii), paint.map(Rgb::lit), None),
    }
}

fn pad(text: &str, span: usize) -> String {
    format!("{text:<span$}")
}

/// The text of a block's cell. Every cell shows the label, because no edge shows which cells belong together.
fn block(thing: &Thing, goal: bool, span: usize, ascii: bool) -> String {
    let label = match thing.label.chars().count() {
        0 => letter(thing.id).to_string().repeat(span),
        1 => thing.label.repeat(span),
        _ => thing.label.clone(),
    };
    let mut text = pad(&label, span);
    if goal {
        text.pop();
        text.push(if ascii { '.' } else { '◇' });
    }
    text
}

/// The letter of a thing without a label.
fn letter(id: u16) -> char {
    char::from(b'a' + (id % 26) as u8)
}

/// A dot or a stretch of path. It reaches to the right if the path continues there.
fn path(thing: &Thing, span: usize, ascii: bool) -> String {
    let own = thing.label.chars().next();
    let first = match thing.form {
        Form::Dot => own.unwrap_or(if ascii { 'o' } else { '●' }),
        _ if ascii => own.unwrap_or_else(|| letter(thing.id)),
        _ => elbow(thing.links),
    };
    let along = if thing.links & RIGHT == 0 {
        ' '
    } else if ascii {
        '-'
    } else {
        '━'
    };
    std::iter::once(first).chain(std::iter::repeat_n(along, span - 1)).collect()
}

/// The line character that joins these sides.
fn elbow(links: u8) -> char {
    const L: u8 = LEFT;
    const R: u8 = RIGHT;
    const U: u8 = UP;
    const D: u8 = DOWN;
    let sides = [
        (L | R, '━'),
        (U | D, '┃'),
        (R | D, '┏'),
        (L | D, '┓'),
        (R | U, '┗'),
        (L | U, '┛'),
        (L | R | D, '┳'),
        (L | R | U, '┻'),
        (R | U | D, '┣'),
        (L | U | D, '┫'),
        (L | R | U | D, '╋'),
        (L, '╸'),
        (R, '╺'),
        (U, '╹'),
        (D, '╻'),
    ];
    sides.iter().find(|(s, _)| *s == links & 15).map_or('•', |&(_, c)| c)
}
