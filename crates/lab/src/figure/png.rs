//! A figure as PNG: `resvg` draws the SVG with an embedded font, so that it looks the same everywhere.

use std::sync::{Arc, OnceLock};

use miniz_oxide::inflate::decompress_to_vec;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

/// The font `DejaVu Sans`, deflated.
const REGULAR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/regular.ttf.deflate"));
const BOLD: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/bold.ttf.deflate"));

/// Renders an SVG to a PNG file, with `zoom` pixels per unit of the SVG. The error says what is wrong with the SVG.
pub fn draw(svg: &str, zoom: f32) -> Result<Vec<u8>, String> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let fonts = FONTS.get_or_init(|| {
        let mut fonts = fontdb::Database::new();
        for font in [REGULAR, BOLD] {
            // The build script compressed the fonts, so decompressing them cannot fail.
            fonts.load_font_data(decompress_to_vec(font).unwrap_or_default());
        }
        Arc::new(fonts)
    });
    let options =
        Options { fontdb: fonts.clone(), font_family: "DejaVu Sans".to_owned(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size().to_int_size().scale_by(zoom).ok_or("the picture has no size")?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or("the picture is too large")?;
    resvg::render(&tree, Transform::from_scale(zoom, zoom), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fonts_are_those_that_were_packed() {
        for font in [REGULAR, BOLD] {
            let font = decompress_to_vec(font).unwrap();
            assert_eq!(font[..4], [0, 1, 0, 0], "a TrueType file");
            assert!(font.len() > 700_000, "{} bytes", font.len());
        }
    }
}
