//! How things look here: which colours, which characters.
//!
//! Nothing is told by colour alone: without colours, what is chosen is shown in reverse and what matters in bold.

use beeline_view::{Colour, Rgb, Style as Drawing, colour};
use ratatui::style::{Color, Modifier, Style};

/// What the terminal can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Its colours.
    pub colour: Colour,
    /// Only characters that every terminal has.
    pub ascii: bool,
}

impl Look {
    pub(crate) fn in_colour(self) -> bool {
        self.colour != Colour::None
    }

    /// How boards are drawn.
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

    /// What matters.
    pub(crate) fn bold() -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// What matters less.
    pub(crate) fn dim(self) -> Style {
        if self.in_colour() { Style::new().add_modifier(Modifier::DIM) } else { Style::new() }
    }

    /// Good news.
    pub(crate) fn good(self) -> Style {
        self.inked(colour::HOME)
    }

    /// Bad news.
    pub(crate) fn bad(self) -> Style {
        self.inked(Rgb(0xd8_5a4a))
    }

    fn inked(self, ink: Rgb) -> Style {
        if self.in_colour() { Self::bold().fg(self.paint(ink)) } else { Self::bold() }
    }

    /// What stands between two parts of a line.
    pub(crate) fn dot(self) -> &'static str {
        if self.ascii { " | " } else { " · " }
    }

    /// "and so on".
    pub(crate) fn dots(self) -> &'static str {
        if self.ascii { "..." } else { "…" }
    }
}
