//! Pictures of states: text, ANSI colour, SVG.
//!
//! A puzzle describes a [`Scene`]; this crate draws it. There is one drawing for all puzzles and it knows none of them: it
//! knows walls, goals, blocks, tiles, dots, pipes, boxes and a player. It does not write to a terminal either: it makes a
//! [`Canvas`] of coloured characters that a command prints, a terminal program places in a window and a test reads.
//!
//! ```
//! use beeline_puzzles::scene::{Ground, Scene};
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

use beeline_puzzles::Scene;
use beeline_puzzles::scene::{Form, Ground};

/// How large a cell is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// One line a row: large boards, plain terminals.
    #[default]
    Small,
    /// Two lines a row: pieces with edges, or, in colour, squares made of half-character pixels.
    Large,
}

/// How to draw on a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Which colours.
    pub colour: Colour,
    /// Only characters that every terminal has.
    pub ascii: bool,
    /// How large.
    pub size: Size,
}

impl Style {
    /// The same style, as large as fits into this many columns and rows.
    #[must_use]
    pub fn fitted(self, scene: &Scene, columns: usize, rows: usize) -> Self {
        let large = Self { size: Size::Large, ..self };
        let picture = canvas(scene, large);
        let size =
            if picture.width() <= columns && picture.height() <= rows { Size::Large } else { Size::Small };
        Self { size, ..self }
    }
}

/// Draws a scene as coloured characters.
pub fn canvas(scene: &Scene, style: Style) -> Canvas {
    // Every square of a tile board is a goal, one for each tile, so marking them says nothing; in a picture made of
    // characters it would only be noise.
    let tiles = shapes::has(scene, |f| f == Form::Tile);
    let plain = tiles.then(|| without_goals(scene));
    let scene = plain.as_ref().unwrap_or(scene);
    let pixels = style.colour != Colour::None && !style.ascii;
    match style.size {
        Size::Large if pixels => large::pixels(scene),
        Size::Large if shapes::has_pieces(scene) => large::lattice(scene, style.ascii),
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
