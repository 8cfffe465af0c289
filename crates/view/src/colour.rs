//! Colours: their choice, and their escape sequences for a terminal.
//!
//! Colours are defined in OKLCH, where equal distances look equal. So any number of pieces gets distinct colours on which a
//! black or white label is readable. The drawing never uses the terminal's own palette and does not rely on a dark background:
//! pieces set their background, and the floor keeps the terminal's.

use beeline_boards::scene::{Cell, Form, Ground, Scene};

/// The colours that a terminal can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour {
    /// None: plain text.
    #[default]
    None,
    /// The 256 of xterm.
    Indexed,
    /// All of them: 24-bit colours.
    True,
}

/// The least luminance on a black background. It gives a contrast of 4, a little less than black text on the colour has.
const SEEN: f64 = 0.15;

/// A colour, as 0xRRGGBB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb(pub u32);

impl Rgb {
    /// Red, green and blue.
    pub fn parts(self) -> [u8; 3] {
        let [_, r, g, b] = self.0.to_be_bytes();
        [r, g, b]
    }

    fn from_parts([r, g, b]: [u8; 3]) -> Self {
        Self(u32::from_be_bytes([0, r, g, b]))
    }

    /// As CSS writes it: `#rrggbb`.
    pub fn css(self) -> String {
        format!("#{:06x}", self.0 & 0xff_ffff)
    }

    /// The relative luminance, from 0 to 1.
    pub fn luminance(self) -> f64 {
        let [r, g, b] = self.parts().map(linear);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// Black or white, whichever is more readable on this colour.
    #[must_use]
    pub fn ink(self) -> Self {
        // Compares the contrast ratios with black and with white, as the web guidelines define them.
        let l = self.luminance() + 0.05;
        if l / 0.05 >= 1.05 / l { Self(0x08_0808) } else { Self(0xff_ffff) }
    }

    /// The same colour, darker (`share` below 1) or nearer to white (above 1).
    #[must_use]
    pub fn shade(self, share: f64) -> Self {
        let scale = |c: u8| {
            let c = f64::from(c);
            let out = if share <= 1.0 { c * share } else { 255.0 - (255.0 - c) * (2.0 - share) };
            out.round().clamp(0.0, 255.0) as u8
        };
        Self::from_parts(self.parts().map(scale))
    }

    /// The same hue, visible on a black and on a white terminal.
    #[must_use]
    pub fn lit(self) -> Self {
        let shades = (0..20).map(|i| self.shade(1.0 + f64::from(i) / 20.0));
        shades.into_iter().find(|shade| shade.luminance() >= SEEN).unwrap_or(self)
    }

    /// The nearest of xterm's 256 colours (of its cube and its greys; the first 16 differ from terminal to terminal).
    pub fn indexed(self) -> u8 {
        let parts = self.parts();
        let level = |c: u8| match c {
            0..48 => 0,
            48..115 => 1,
            _ => (c - 35) / 40,
        };
        let value = |i: u8| if i == 0 { 0 } else { 55 + 40 * i };
        let cube = parts.map(level);
        let mean = parts.iter().map(|&c| u32::from(c)).sum::<u32>() / 3;
        let grey = (mean.saturating_sub(3) / 10).min(23) as u8;
        let far = |to: [u8; 3]| -> u32 {
            parts.iter().zip(to).map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
        };
        if far([8 + 10 * grey; 3]) < far(cube.map(value)) {
            232 + grey
        } else {
            16 + 36 * cube[0] + 6 * cube[1] + cube[2]
        }
    }
}

fn linear(c: u8) -> f64 {
    let c = f64::from(c) / 255.0;
    if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// A colour by lightness (0–1), chroma (about 0–0.3) and hue (degrees).
fn oklch(lightness: f64, chroma: f64, hue: f64) -> Rgb {
    let (sin, cos) = hue.to_radians().sin_cos();
    let (a, b) = (chroma * cos, chroma * sin);
    // First the response of the three cones of the eye, then linear red, green and blue.
    let long = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let medium = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let short = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    let gamma = |x: f64| {
        let y = if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 };
        (y * 255.0).round().clamp(0.0, 255.0) as u8
    };
    Rgb::from_parts([
        gamma(4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short),
        gamma(-1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short),
        gamma(-0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701_0 * short),
    ])
}

/// The colour of piece number `id`. Hues advance by the golden angle and lightness alternates, so pieces with neighbouring
/// numbers have very different colours.
pub fn piece(id: u16) -> Rgb {
    let (lightness, chroma) = [(0.66, 0.19), (0.68, 0.14), (0.80, 0.14), (0.58, 0.15)][usize::from(id) % 4];
    oklch(lightness, chroma, 28.0 + 222.5 * f64::from(id))
}

/// The colour of a tile at position `share` (0–1) of the goal order, on a ramp from dark to light.
pub fn tile(share: f64) -> Rgb {
    oklch(0.52 + 0.32 * share, 0.155 - 0.03 * share, 280.0 + 165.0 * share)
}

/// Walls.
pub const WALL: Rgb = Rgb(0x6b_7280);
/// Bare goal cells.
pub const GOAL: Rgb = Rgb(0xe3_b341);
/// A box that is not on a goal.
pub const CRATE: Rgb = Rgb(0xc0_8457);
/// A box on a goal.
pub const HOME: Rgb = Rgb(0x4c_a865);
/// The player of Sokoban.
pub const PLAYER: Rgb = Rgb(0x3d_7dd8);

/// The palette of one scene.
#[derive(Clone, Copy, Debug)]
pub struct Paints {
    last_tile: u16,
}

impl Paints {
    /// The palette for this scene.
    pub fn of(scene: &Scene) -> Self {
        let tiles = scene.cells.iter().filter_map(|c| c.thing.as_ref()).filter(|t| t.form == Form::Tile);
        Self { last_tile: tiles.map(|t| t.id).max().unwrap_or(0) }
    }

    /// The colour of the thing in this cell.
    pub fn thing(self, cell: &Cell) -> Option<Rgb> {
        let thing = cell.thing.as_ref()?;
        Some(match (thing.colour, thing.form) {
            (Some(own), _) => Rgb(own & 0xff_ffff),
            (None, Form::Block | Form::Dot | Form::Pipe) => piece(thing.id),
            (None, Form::Tile) => tile(f64::from(thing.id) / f64::from(self.last_tile.max(1))),
            (None, Form::Crate) if cell.ground == Ground::Goal => HOME,
            (None, Form::Crate) => CRATE,
            (None, Form::Player) => PLAYER,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexed_colours_are_near() {
        assert_eq!(Rgb(0xff_0000).indexed(), 196);
        assert_eq!(Rgb(0x00_0000).indexed(), 16);
        assert_eq!(Rgb(0xff_ffff).indexed(), 231);
        assert_eq!(Rgb(0x80_8080).indexed(), 244);
        assert_eq!(Rgb(0x5f_87af).indexed(), 67);
    }

    #[test]
    fn ink_can_be_read_on_every_piece() {
        let contrast = |a: Rgb, b: Rgb| {
            let (a, b) = (a.luminance() + 0.05, b.luminance() + 0.05);
            a.max(b) / a.min(b)
        };
        let all = (0..100).map(piece).chain((0..=35).map(|t| tile(f64::from(t) / 35.0)));
        for colour in all.chain([WALL, GOAL, CRATE, HOME, PLAYER]) {
            assert!(contrast(colour, colour.ink()) > 4.2, "{} with {}", colour.css(), colour.ink().css());
        }
    }

    #[test]
    fn the_first_pieces_differ() {
        for a in 0..16 {
            for b in 0..a {
                let (p, q) = (piece(a).parts(), piece(b).parts());
                let far: u32 = p.iter().zip(q).map(|(&x, y)| u32::from(x.abs_diff(y))).sum();
                assert!(far > 40, "pieces {a} and {b} look alike: {} {}", piece(a).css(), piece(b).css());
            }
        }
    }

    #[test]
    fn paths_are_seen_on_a_black_terminal() {
        let dark = [0x00_00ff, 0x00_008b, 0x80_0080, 0xa5_2a2a, 0x00_8100, 0x00_0000];
        for colour in dark.map(Rgb) {
            let lit = colour.lit();
            assert!((lit.luminance() + 0.05) / 0.05 >= 4.0, "{} on black", lit.css());
        }
        assert_eq!(Rgb(0xff_8000).lit(), Rgb(0xff_8000), "bright colours stay as they are");
    }

    #[test]
    fn shades() {
        assert_eq!(Rgb(0x80_4020).shade(0.5), Rgb(0x40_2010));
        assert_eq!(Rgb(0x00_00ff).shade(1.5), Rgb(0x80_80ff));
    }
}
