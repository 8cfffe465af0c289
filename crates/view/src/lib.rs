//! Pictures of states: text, ANSI colour, SVG.
//!
//! A puzzle describes a [`Scene`], and this crate draws it. One drawing serves all puzzles: it knows walls, goals, blocks, tiles,
//! dots, pipes, boxes and a player, and no puzzle. It does not write to a terminal. It makes a [`Canvas`] of coloured characters,
//! which a command prints, a terminal program places in a window and a test reads.
//!
//! ```
//! use beeline_boards::scene::{Ground, Scene};
//! use beeline_view::{Colour, Style, canvas, svg};
//!
//! let mut scene = Scene::new(3, 1);
//! scene.at_mut(0, 0).ground = Ground::Wall;
//! scene.at_mut(0, 2).ground = Ground::Goal;
//! assert_eq!(canvas(&scene, Style::default()).to_text(Colour::None), "██  ◇\n");
//! assert!(svg(&scene, "a corridor").starts_with("<svg "));
//! ```

pub mod ascii;
mod canvas;
pub mod colour;
pub mod figures;
mod large;
mod outline;
mod shapes;
mod small;
mod svg;

pub use canvas::{Canvas, Cells, Glyph};
pub use colour::{Colour, Rgb};
pub use svg::svg;

use beeline_boards::Scene;
use beeline_boards::scene::{Form, Ground};

/// The size of a cell in the drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// One line per row: for large boards and plain terminals.
    #[default]
    Small,
    /// Two lines per row: pieces with edges, or, in colour, squares made of half-character pixels.
    Large,
    /// In colour, this many pixels per cell, an even number of at least 4; without colour as [`Large`](Size::Large).
    Pixels(u8),
}

/// A drawing style for a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// The colours that may be used.
    pub colour: Colour,
    /// Use only ASCII characters?
    pub ascii: bool,
    /// The size of a cell.
    pub size: Size,
}

impl Style {
    /// The same style, with the largest size that fits into this many columns and rows.
    #[must_use]
    pub fn fitted(self, scene: &Scene, columns: usize, rows: usize) -> Self {
        let large = Self { size: Size::Large, ..self };
        let picture = canvas(scene, large);
        let size =
            if picture.width() <= columns && picture.height() <= rows { Size::Large } else { Size::Small };
        Self { size, ..self }
    }

    /// The same style, enlarged to fill this many columns and rows, for screens with nothing else to show.
    #[must_use]
    pub fn filling(self, scene: &Scene, columns: usize, rows: usize) -> Self {
        let frame = if shapes::wants_frame(scene) { 2 } else { 0 };
        let fits = |&pixels: &u8| {
            let n = usize::from(pixels);
            scene.width * n + frame <= columns && scene.height * n / 2 + frame <= rows
        };
        match LARGER.iter().find(|pixels| self.in_pixels() && fits(pixels)) {
            Some(&pixels) => Self { size: Size::Pixels(pixels), ..self },
            None => self.fitted(scene, columns, rows),
        }
    }

    fn in_pixels(self) -> bool {
        self.colour != Colour::None && !self.ascii
    }
}

/// Pixels per cell of boards that fill a screen, the largest first. Beyond 16, a cell is larger than its drawing needs.
const LARGER: [u8; 6] = [16, 14, 12, 10, 8, 6];

/// Draws a scene as coloured characters.
pub fn canvas(scene: &Scene, style: Style) -> Canvas {
    // Every cell of a tile board is the goal of one tile, so marking goals says nothing. In a drawing made of characters it
    // would only add noise.
    let tiles = shapes::has(scene, |f| f == Form::Tile);
    let plain = tiles.then(|| without_goals(scene));
    let scene = plain.as_ref().unwrap_or(scene);
    match style.size {
        Size::Large if style.in_pixels() => large::pixels(scene, large::CELL),
        Size::Pixels(pixels) if style.in_pixels() => large::pixels(scene, (pixels & !1).max(4).into()),
        Size::Large | Size::Pixels(_) if shapes::has_pieces(scene) => large::lattice(scene, style.ascii),
        _ => small::small(scene, style),
    }
}

fn without_goals(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    for cell in scene.cells.iter_mut().filter(|c| c.ground == Ground::Goal) {
        cell.ground = Ground::Floor;
    }
    scene
}
