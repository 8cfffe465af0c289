//! The large drawings: two lines per row of the board.
//!
//! Without colour, lines show the edges of pieces. With colour, a character cell is two square pixels (upper and lower half), and
//! a board cell is 4 × 4 pixels. Pieces are filled except for a seam of one pixel to the right and below. Cells of one piece
//! have no seam between them.

use beeline_boards::scene::{DOWN, Form, Ground, LEFT, RIGHT, Scene, UP};

use crate::canvas::{Canvas, Cells, Glyph};
use crate::colour::{self, Paints, Rgb};
use crate::shapes::{self, Shape, neighbour, shape};

/// Pixels (and columns) per cell of the usual large drawing.
pub(crate) const CELL: usize = 4;

/// The drawing in colour, with an even number `n` of pixels per cell.
pub(crate) fn pixels(scene: &Scene, n: usize) -> Canvas {
    let paints = Paints::of(scene);
    let cells = Cells { origin: (0, 0), pitch: (n / 2, n), size: (n / 2, n) };
    let mut canvas = Canvas::new(scene.width * n, scene.height * n / 2).of_cells(cells);
    for row in 0..scene.height {
        for column in 0..scene.width {
            for line in 0..n / 2 {
                for x in 0..n {
                    let [top, bottom] =
                        [0, 1].map(|h| pixel(scene, paints, (row, column), n, x, 2 * line + h));
                    canvas.put(row * n / 2 + line, column * n + x, stack(top, bottom));
                }
            }
            label(scene, paints, row, column, n, &mut canvas);
        }
    }
    if shapes::wants_frame(scene) { canvas.framed(false) } else { canvas }
}

/// One character that shows two pixels.
fn stack(top: Option<Rgb>, bottom: Option<Rgb>) -> Glyph {
    match (top, bottom) {
        _ if top == bottom => Glyph { char: ' ', ink: None, paper: top },
        (Some(_), _) => Glyph { char: '▀', ink: top, paper: bottom },
        (None, _) => Glyph { char: '▄', ink: bottom, paper: None },
    }
}

/// The colour of one pixel of a cell.
fn pixel(
    scene: &Scene,
    paints: Paints,
    (row, column): (usize, usize),
    n: usize,
    x: usize,
    y: usize,
) -> Option<Rgb> {
    let cell = scene.at(row, column);
    let sides = scene.sides.get(row * scene.width + column).copied().unwrap_or(0);
    if (x == CELL - 1 && sides & RIGHT != 0) || (y == CELL - 1 && sides & DOWN != 0) {
        return Some(colour::WALL);
    }
    let ground = match cell.ground {
        // A hatched goal does not look like a piece.
        Ground::Goal => (x + y).is_multiple_of(2).then_some(colour::GOAL),
        Ground::Wall if cell.thing.is_none() => {
            return fills(scene, row, column, n, x, y).then_some(colour::WALL);
        }
        _ => None,
    };
    let Some(thing) = &cell.thing else { return ground };
    let inside = match thing.form {
        Form::Block | Form::Tile => fills(scene, row, column, n, x, y),
        Form::Crate | Form::Player if n == CELL => x < n - 1 && y < n - 1,
        Form::Crate => (1..n - 1).contains(&x) && (1..n - 1).contains(&y),
        Form::Player => is_round(n, x, y),
        Form::Dot => is_round(n, x, y) || runs(thing.links, n, x, y),
        Form::Pipe => runs(thing.links, n, x, y),
    };
    if inside { on_terminal(thing.form, paints.thing(cell)) } else { ground }
}

/// The colour of a thing on a terminal. A path is lightened, because it has no edge that would show on a dark background.
fn on_terminal(form: Form, paint: Option<Rgb>) -> Option<Rgb> {
    if matches!(form, Form::Dot | Form::Pipe) { paint.map(Rgb::lit) } else { paint }
}

/// Is this pixel part of the largest circle in a cell?
fn is_round(n: usize, x: usize, y: usize) -> bool {
    // Distances are in half pixels, so that the middle of the cell is an integer.
    let from_middle = |at: usize| (2 * at + 1).abs_diff(n);
    from_middle(x).pow(2) + from_middle(y).pow(2) < n * n
}

/// Does a shape cover this pixel? It covers the seam only where the neighbour is the same shape.
fn fills(scene: &Scene, row: usize, column: usize, n: usize, x: usize, y: usize) -> bool {
    let own = shape(scene, row, column);
    // Only the outer wall reaches the edge of the board; pieces keep their seam there.
    let joined = |dr, dc| neighbour(scene, row, column, dr, dc).map_or(own == Shape::Wall, |s| s == own);
    match (x == n - 1, y == n - 1) {
        (false, false) => true,
        (true, false) => joined(0, 1),
        (false, true) => joined(1, 0),
        (true, true) => joined(0, 1) && joined(1, 0) && joined(1, 1),
    }
}

/// Does a path with these links cover this pixel? A path is half a cell wide and runs from the middle to the sides.
fn runs(links: u8, n: usize, x: usize, y: usize) -> bool {
    let wide = n / 4..n - n / 4;
    let (middle_x, middle_y) = (wide.contains(&x), wide.contains(&y));
    (middle_x && middle_y)
        || (middle_y && ((x < wide.start && links & LEFT != 0) || (x >= wide.end && links & RIGHT != 0)))
        || (middle_x && ((y < wide.start && links & UP != 0) || (y >= wide.end && links & DOWN != 0)))
}

/// Writes the label of a cell on its middle line.
fn label(scene: &Scene, paints: Paints, row: usize, column: usize, n: usize, canvas: &mut Canvas) {
    let cell = scene.at(row, column);
    let line = row * n / 2 + (n / 2 - 1) / 2;
    let (Some(thing), Some(paint)) = (&cell.thing, paints.thing(cell)) else {
        // Dots make large empty cells of a drawing board countable.
        if n > CELL && cell.ground == Ground::Floor && shapes::has(scene, |f| f == Form::Dot) {
            canvas.write(line, column * n + n / 2 - 1, "·", None, None);
        }
        return;
    };
    if !shapes::is_first(scene, row, column) {
        return;
    }
    let text: String = match thing.form {
        Form::Player if thing.label.is_empty() => "@".into(),
        Form::Pipe => return,
        // On the first line of a dot, only the middle is filled.
        Form::Dot => thing.label.chars().take(n - 2).collect(),
        _ => thing.label.chars().take(n - 1).collect(),
    };
    let left = column * n + (n - text.chars().count()) / 2;
    let paper = on_terminal(thing.form, Some(paint)).unwrap_or(paint);
    canvas.write(line, left, &text, Some(paper.ink()), Some(paper));
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

/// The three columns of text inside a cell.
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

/// One corner of the lattice, with the four cells around it.
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

    /// Is there a line between two neighbours? A line is where a piece or the board ends.
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
        // Four bits, from the highest: left, right, up, down.
        let bits = arms.iter().fold(0, |n, &arm| n << 1 | usize::from(arm));
        [' ', '╷', '╵', '│', '╶', '╭', '╰', '├', '╴', '╮', '╯', '┤', '─', '┬', '┴', '┼'][bits]
    }
}

/// Are all cells on the board walls?
fn all_wall(cells: &[Option<Shape>]) -> bool {
    let mut seen = cells.iter().flatten().peekable();
    seen.peek().is_some() && seen.all(|&s| s == Shape::Wall)
}
