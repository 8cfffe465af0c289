//! The appearance of screens: colours and characters.
//!
//! Colour alone carries no information. Without colours, a selected thing is reversed and important text is bold.

use beeline_view::{Colour, Rgb, Style as Drawing, colour};
use ratatui_core::style::{Color, Modifier, Style};

/// The capabilities of the terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Its colours.
    pub colour: Colour,
    /// Use only ASCII characters?
    pub ascii: bool,
}

impl Look {
    pub(crate) fn in_colour(self) -> bool {
        self.colour != Colour::None
    }

    /// The style of drawn boards.
    pub(crate) fn drawing(self) -> Drawing {
        Drawing { colour: self.colour, ascii: self.ascii, ..Drawing::default() }
    }

    /// A colour as this terminal can show it.
    pub(crate) fn paint(self, rgb: Rgb) -> Color {
        let [r, g, b] = rgb.parts();
        match self.colour {
            Colour::None => Color::Reset,
            Colour::Indexed => Color::Indexed(rgb.indexed()),
            Colour::True => Color::Rgb(r, g, b),
        }
    }

    /// The style of important text.
    pub(crate) fn bold() -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// The style of less important text.
    pub(crate) fn dim(self) -> Style {
        if self.in_colour() { Style::new().add_modifier(Modifier::DIM) } else { Style::new() }
    }

    /// The style of good news.
    pub(crate) fn good(self) -> Style {
        self.inked(colour::HOME)
    }

    /// The style of bad news.
    pub(crate) fn bad(self) -> Style {
        self.inked(Rgb(0xd8_5a4a))
    }

    fn inked(self, ink: Rgb) -> Style {
        if self.in_colour() { Self::bold().fg(self.paint(ink)) } else { Self::bold() }
    }

    /// The separator between two parts of a line.
    pub(crate) fn dot(self) -> &'static str {
        if self.ascii { " | " } else { " · " }
    }

    /// An ellipsis.
    pub(crate) fn dots(self) -> &'static str {
        if self.ascii { "..." } else { "…" }
    }
}
