//! A picture of a state, described and not drawn.
//!
//! Puzzles say what stands where; the view crate and the page turn it into text, colour and SVG. So there is one way of
//! drawing for all puzzles, and no drawing in any of them.

/// What a cell is made of.
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

/// How a thing looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Part of a solid piece: neighbouring cells with the same `id` are one shape.
    Block,
    /// A numbered tile of its own.
    Tile,
    /// The end of a path.
    Dot,
    /// A stretch of path; `Thing::links` says where it goes on.
    Pipe,
    /// A box to be pushed.
    Crate,
    /// Who pushes.
    Player,
}

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thing {
    /// Which one it is; also chooses its colour unless `colour` does.
    pub id: u16,
    /// How it looks.
    pub form: Form,
    /// At most three characters to write on it; may be empty.
    pub label: String,
    /// For pipes and dots: the sides on which the path goes on, as bits [`LEFT`], [`RIGHT`], [`UP`], [`DOWN`].
    pub links: u8,
    /// A colour of its own, as 0xRRGGBB, where the puzzle prescribes one.
    pub colour: Option<u32>,
}

/// The path goes on to the left.
pub const LEFT: u8 = 1;
/// The path goes on to the right.
pub const RIGHT: u8 = 2;
/// The path goes on upwards.
pub const UP: u8 = 4;
/// The path goes on downwards.
pub const DOWN: u8 = 8;

/// One cell of a scene.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// What it is made of.
    pub ground: Ground,
    /// What stands in it.
    pub thing: Option<Thing>,
}

/// A board with everything on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The cells, row by row.
    pub cells: Vec<Cell>,
    /// The sides of each cell on which a thin wall stands, as the bits of `Thing::links`; empty where there is none.
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

    /// The cell in this row and column, to be changed.
    pub fn at_mut(&mut self, row: usize, column: usize) -> &mut Cell {
        &mut self.cells[row * self.width + column]
    }
}
