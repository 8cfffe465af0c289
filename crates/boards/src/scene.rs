//! A picture of a state, described but not drawn.
//!
//! Puzzles describe the content of each cell. The view crate and the page turn that into text, colour and SVG. So all puzzles
//! share one way of drawing, and no puzzle draws.

/// The ground of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    /// Not part of the board.
    Outside,
    /// Nothing can stand here.
    Wall,
    /// Open.
    #[default]
    Floor,
    /// Open, and part of the goal.
    Goal,
}

/// The look of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Part of a solid piece: neighbouring cells with the same `id` are one shape.
    Block,
    /// A numbered tile of its own.
    Tile,
    /// The end of a path.
    Dot,
    /// A part of a path; `Thing::links` gives the sides to which it continues.
    Pipe,
    /// A box to be pushed.
    Crate,
    /// The player who pushes.
    Player,
}

/// A thing in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thing {
    /// Its identity; also chooses its colour unless `colour` does.
    pub id: u16,
    /// Its look.
    pub form: Form,
    /// A label of at most three characters; may be empty.
    pub label: String,
    /// For pipes and dots: the sides to which the path continues, as bits [`LEFT`], [`RIGHT`], [`UP`], [`DOWN`].
    pub links: u8,
    /// A prescribed colour, as 0xRRGGBB.
    pub colour: Option<u32>,
}

/// The path continues to the left.
pub const LEFT: u8 = 1;
/// The path continues to the right.
pub const RIGHT: u8 = 2;
/// The path continues upwards.
pub const UP: u8 = 4;
/// The path continues downwards.
pub const DOWN: u8 = 8;

/// One cell of a scene.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The ground.
    pub ground: Ground,
    /// The thing in it.
    pub thing: Option<Thing>,
}

/// A board with all its things.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The cells, row by row.
    pub cells: Vec<Cell>,
    /// The sides of each cell that have a thin wall, as the bits of `Thing::links`; empty if there is none.
    pub sides: Vec<u8>,
}

impl Scene {
    /// A board of open cells.
    pub fn new(width: usize, height: usize) -> Self {
        Self { width, height, cells: vec![Cell::default(); width * height], sides: Vec::new() }
    }

    /// The cell in this row and column.
    pub fn at(&self, row: usize, column: usize) -> &Cell {
        &self.cells[row * self.width + column]
    }

    /// Mutable access to the cell in this row and column.
    pub fn at_mut(&mut self, row: usize, column: usize) -> &mut Cell {
        &mut self.cells[row * self.width + column]
    }
}
