//! The large drawings: two lines a row.
//!
//! Without colour, pieces get edges drawn in lines. With colour, a character cell is two square pixels (upper and lower
//! half), a board cell is 4 × 4 of them, and pieces are filled but for a seam of one pixel to the right and below, so that
//! what belongs together grows together and everything else stands apart.

use beeline_puzzles::scene::{DOWN, Form, Ground, LEFT, RIGHT, Scene, UP};

use crate::canvas::{Canvas, Cells, Glyph};
use crate::colour::{self, Paints, Rgb};
use crate::shapes::{self, Shape, neighbour, shape};

/// Pixels (and columns) a cell.
const CELL: usize = 4;

/// The drawing in colour.
pub(crate) fn pixels(scene: &Scene) -> Canvas {
    let paints = Paints::of(scene);
    let cells = Cells { origin: (0, 0), pitch: (CELL / 2, CELL), size: (CELL / 2, CELL) };
    let mut canvas = Canvas::new(scene.width * CELL, scene.height * CELL / 2).of_cells(cells);
    for row in 0..scene.height {
        for column in 0..scene.width {
            for line in 0..CELL / 2 {
                for x in 0..CELL {
                    let [top, bottom] = [0, 1].map(|h| pixel(scene, paints, (row, column), x, 2 * line + h));
                    canvas.put(row * CELL / 2 + line, column * CELL + x, stack(top, bottom));
                }
            }
            label(scene, paints, row, column, &mut canvas);
        }
    }
    if shapes::wants_frame(scene) { canvas.framed(false) } else { canvas }
}

/// Two pixels in one character.
fn stack(top: Option<Rgb>, bottom: Option<Rgb>) -> Glyph {
    match (top, bottom) {
        _ if top == bottom => Glyph { char: ' ', ink: None, paper: top },
        (Some(_), _) => Glyph { char: '▀', ink: top, paper: bottom },
        (None, _) => Glyph { char: '▄', ink: bottom, paper: None },
    }
}

/// The colour of one pixel of a cell.
fn pixel(scene: &Scene, paints: Paints, (row, column): (usize, usize), x: usize, y: usize) -> Option<Rgb> {
    let cell = scene.at(row, column);
    let sides = scene.sides.get(row * scene.width + column).copied().unwrap_or(0);
    if (x == CELL - 1 && sides & RIGHT != 0) || (y == CELL - 1 && sides & DOWN != 0) {
        return Some(colour::WALL);
    }
    let ground = match cell.ground {
        // Hatched, so that a bare goal does not look like a piece.
        Ground::Goal => (x + y).is_multiple_of(2).then_some(colour::GOAL),
        Ground::Wall if cell.thing.is_none() => {
            return fills(scene, row, column, x, y).then_some(colour::WALL);
        }
        _ => None,
    };
    let Some(thing) = &cell.thing else { return ground };
    let inside = match thing.form {
        Form::Block | Form::Tile => fills(scene, row, column, x, y),
        Form::Crate | Form::Player => x < CELL - 1 && y < CELL - 1,
        Form::Dot => !(matches!(x, 0 | 3) && matches!(y, 0 | 3)),
        Form::Pipe => runs(thing.links, x, y),
    };
    if inside { paints.thing(cell) } else { ground }
}

/// Does a shape cover this pixel? All but the seam, and the seam too where the neighbour is the same shape.
fn fills(scene: &Scene, row: usize, column: usize, x: usize, y: usize) -> bool {
    let own = shape(scene, row, column);
    // The outer wall reaches the edge of the board; pieces keep their seam there too.
    let joined = |dr, dc| neighbour(scene, row, column, dr, dc).map_or(own == Shape::Wall, |s| s == own);
    match (x == CELL - 1, y == CELL - 1) {
        (false, false) => true,
        (true, false) => joined(0, 1),
        (false, true) => joined(1, 0),
        (true, true) => joined(0, 1) && joined(1, 0) && joined(1, 1),
    }
}

/// Does a path with these links cover this pixel? Two pixels wide, from the middle to the sides.
fn runs(links: u8, x: usize, y: usize) -> bool {
    let (middle_x, middle_y) = (matches!(x, 1 | 2), matches!(y, 1 | 2));
    (middle_x && middle_y)
        || (middle_y && ((x == 0 && links & LEFT != 0) || (x == 3 && links & RIGHT != 0)))
        || (middle_x && ((y == 0 && links & UP != 0) || (y == 3 && links & DOWN != 0)))
}

/// Writes the label of a cell on its first line.
fn label(scene: &Scene, paints: Paints, row: usize, column: usize, canvas: &mut Canvas) {
    let cell = scene.at(row, column);
    let (Some(thing), Some(paint)) = (&cell.thing, paints.thing(cell)) else { return };
    if !shapes::is_first(scene, row, column) {
        return;
    }
    let text: String = match thing.form {
        Form::Player if thing.label.is_empty() => "@".into(),
        Form::Pipe => return,
        // Only the middle of a dot is filled on its first line.
        Form::Dot => thing.label.chars().take(2).collect(),
        _ => thing.label.chars().take(3).collect(),
    };
    let left = column * CELL + (CELL - text.chars().count()) / 2;
    canvas.write(row * CELL / 2, left, &text, Some(paint.ink()), Some(paint));
}

/// The drawing in lines, for boards with blocks or tiles.
pub(crate) fn lattice(scene: &Scene, ascii: bool) -> Canvas {
    let cells = Cells { origin: (1, 1), pitch: (2, CELL), size: (1, CELL - 1) };
    let mut canvas = Canvas::new(scene.width * CELL + 1, scene.height * 2 + 1).of_cells(cells);
    let framed = shapes::wants_frame(scene);
    for row in 0..=scene.height {
        for column in 0..=scene.width {
            let lattice = Lattice { scene, ascii, framed, row, column };
            canvas.write(2 * row, CELL * column, &lattice.corner().to_string(), None, None);
            if column < scene.width {
                canvas.write(2 * row, CELL * column + 1, &lattice.above(), None, None);
            }
            if row < scene.height {
                canvas.write(2 * row + 1, CELL * column, &lattice.left(), None, None);
            }
            if row < scene.height && column < scene.width {
                canvas.write(2 * row + 1, CELL * column + 1, &inside(scene, row, column, ascii), None, None);
            }
        }
    }
    canvas
}

/// What is written in a cell, three columns.
fn inside(scene: &Scene, row: usize, column: usize, ascii: bool) -> String {
    let cell = scene.at(row, column);
    let mark = match (cell.ground, ascii) {
        (Ground::Goal, false) => "◇",
        (Ground::Goal, true) => ".",
        _ => "",
    };
    let Some(thing) = &cell.thing else {
        return if cell.ground == Ground::Wall {
            if ascii { "###" } else { "▒▒▒" }.into()
        } else {
            format!("{mark:^3}")
        };
    };
    let label = if shapes::is_first(scene, row, column) { thing.label.as_str() } else { "" };
    format!("{:^3}", format!("{label}{mark}")).chars().take(3).collect()
}

/// One corner of the lattice, with the cells around it.
struct Lattice<'a> {
    scene: &'a Scene,
    ascii: bool,
    framed: bool,
    row: usize,
    column: usize,
}

impl Lattice<'_> {
    /// The cell that is `up` rows above and `left` columns to the left of the corner (0 or 1 each).
    fn around(&self, up: usize, left: usize) -> Option<Shape> {
        let (row, column) = (self.row.checked_sub(up)?, self.column.checked_sub(left)?);
        (row < self.scene.height && column < self.scene.width).then(|| shape(self.scene, row, column))
    }

    /// Is there a line between two neighbours? Where a piece ends, or the board.
    fn is_edge(&self, a: Option<Shape>, b: Option<Shape>) -> bool {
        let piece = |s: Option<Shape>| s.is_some_and(Shape::is_piece);
        a != b && (piece(a) || piece(b) || (self.framed && (a.is_none() || b.is_none())))
    }

    fn fill(&self, wall: bool) -> char {
        match (wall, self.ascii) {
            (false, _) => ' ',
            (true, false) => '▒',
            (true, true) => '#',
        }
    }

    /// The edge above the cell to the lower right of the corner.
    fn above(&self) -> String {
        let (a, b) = (self.around(1, 0), self.around(0, 0));
        let dash = if self.ascii { '-' } else { '─' };
        let char = if self.is_edge(a, b) { dash } else { self.fill(all_wall(&[a, b])) };
        char.to_string().repeat(CELL - 1)
    }

    /// The edge to the left of that cell.
    fn left(&self) -> String {
        let (a, b) = (self.around(0, 1), self.around(0, 0));
        let bar = if self.ascii { '|' } else { '│' };
        if self.is_edge(a, b) { bar } else { self.fill(all_wall(&[a, b])) }.to_string()
    }

    /// The corner itself.
    fn corner(&self) -> char {
        let [ul, ur, ll, lr] = [self.around(1, 1), self.around(1, 0), self.around(0, 1), self.around(0, 0)];
        let arms = [(ul, ll), (ur, lr), (ul, ur), (ll, lr)].map(|(a, b)| self.is_edge(a, b));
        if arms == [false; 4] {
            return self.fill(all_wall(&[ul, ur, ll, lr]));
        }
        if self.ascii {
            return match arms {
                [true, true, false, false] => '-',
                [false, false, true, true] => '|',
                _ => '+',
            };
        }
        // Left, right, up, down as four bits.
        let bits = arms.iter().fold(0, |n, &arm| n << 1 | usize::from(arm));
        [' ', '╷', '╵', '│', '╶', '╭', '╰', '├', '╴', '╮', '╯', '┤', '─', '┬', '┴', '┼'][bits]
    }
}

/// Is it wall all around, as far as there is a board?
fn all_wall(cells: &[Option<Shape>]) -> bool {
    let mut seen = cells.iter().flatten().peekable();
    seen.peek().is_some() && seen.all(|&s| s == Shape::Wall)
}
