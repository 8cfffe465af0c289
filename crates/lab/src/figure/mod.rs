//! Figures as data, apart from their drawing. SVG, PNG and the terminal draw the same [`Figure`].
//!
//! The lab needs a scatter plot with log axes, a fitted curve, a legend and a caption, and nothing else. A plotting library
//! would bring ten times the code and its own fonts.

mod axis;
#[cfg(feature = "png")]
mod glyphs;
mod layout;
#[cfg(feature = "png")]
mod png;
mod sheet;
mod svg;
mod text;

pub use axis::Axis;
pub(crate) use svg::escape;

/// A self-contained figure: title, axes with units, legend, caption.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// The title.
    pub title: String,
    /// The caption: the number of points, the limits, and what is not shown.
    pub caption: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The data.
    pub series: Vec<Series>,
    /// The fitted curves.
    pub curves: Vec<Curve>,
    /// Draw the line on which both coordinates are equal?
    pub diagonal: bool,
}

/// Points of one kind, for example of one strategy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// The points.
    pub points: Vec<(f64, f64)>,
    /// Does a line join the points?
    pub joined: bool,
    /// Are the markers hollow? They show a second measure of the same thing.
    pub hollow: bool,
    /// The index of its colour. Series with the same colour belong together.
    pub colour: usize,
}

/// A curve, as points close together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Its name in the legend: the equation.
    pub name: String,
    /// The points.
    pub points: Vec<(f64, f64)>,
    /// The index of its colour.
    pub colour: usize,
}

impl Figure {
    /// The figure as an SVG file.
    pub fn svg(&self) -> String {
        svg::write(&layout::lay_out(self))
    }

    /// The PNG file, `zoom` pixels to a unit of the SVG file; the error says why there is none.
    #[cfg(feature = "png")]
    pub fn png(&self, zoom: f32) -> Result<Vec<u8>, String> {
        png::paint(&layout::lay_out(self), zoom)
    }

    /// The figure as text for a terminal of this many columns and rows.
    pub fn text(&self, columns: usize, rows: usize, ascii: bool) -> String {
        text::draw(self, columns, rows, ascii)
    }

    fn texts(&mut self) -> impl Iterator<Item = &mut String> {
        let own = [&mut self.title, &mut self.caption, &mut self.x.label, &mut self.y.label];
        let series = self.series.iter_mut().map(|s| &mut s.name);
        own.into_iter().chain(series).chain(self.curves.iter_mut().map(|c| &mut c.name))
    }

    /// The figure with all its texts in ASCII.
    fn in_ascii(&self) -> Self {
        let mut figure = self.clone();
        for text in figure.texts() {
            // In an equation, the dot is a multiplication sign.
            *text = beeline_view::ascii::fold(&text.replace('·', "*")).into_owned();
        }
        figure
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.series.iter().map(|s| s.points.len()).sum()
    }

    /// The least and the greatest coordinate that the axis can show.
    fn range(&self, pick: fn(&(f64, f64)) -> f64, log: bool) -> Option<(f64, f64)> {
        let all = self.series.iter().flat_map(|s| s.points.iter().map(pick));
        let shown = all.filter(|v| v.is_finite() && (!log || *v > 0.0));
        shown.fold(None, |range, v| match range {
            None => Some((v, v)),
            Some((low, high)) => Some((v.min(low), v.max(high))),
        })
    }

    /// Both axes, scaled to the data; `None` if there is nothing to show.
    fn scales(&self) -> Option<(axis::Scale, axis::Scale)> {
        let x = self.range(|p| p.0, self.x.log)?;
        let y = self.range(|p| p.1, self.y.log)?;
        let both = |a: (f64, f64), b: (f64, f64)| (a.0.min(b.0), a.1.max(b.1));
        let (x, y) = if self.diagonal { (both(x, y), both(x, y)) } else { (x, y) };
        Some((self.x.scale(x), self.y.scale(y)))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn figure() -> Figure {
        Figure {
            title: "Growth & decay".into(),
            caption: "n = 3".into(),
            x: Axis { label: "free cells".into(), log: false },
            y: Axis { label: "generated".into(), log: true },
            series: vec![Series {
                name: "with <dead ends>".into(),
                points: vec![(1.0, 10.0), (2.0, 100.0), (3.0, 1000.0)],
                ..Series::default()
            }],
            curves: vec![Curve {
                name: "y = 1 · 10^x".into(),
                points: vec![(1.0, 10.0), (3.0, 1000.0)],
                colour: 0,
            }],
            diagonal: false,
        }
    }

    #[test]
    fn svg_is_escaped_and_png_is_a_picture() {
        let svg = figure().svg();
        assert!(svg.contains("Growth &amp; decay") && svg.contains("with &lt;dead ends&gt;"), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 3 + 1, "three points and the legend");
        #[cfg(feature = "png")]
        assert_eq!(figure().png(1.0).unwrap()[..4], [0x89, b'P', b'N', b'G']);
    }

    #[test]
    fn nothing_to_show_is_said() {
        let empty = Figure { series: Vec::new(), ..figure() };
        assert!(empty.svg().contains("no data"));
        assert!(empty.text(60, 12, true).contains("no data"));
    }

    #[test]
    fn a_terminal_shows_axes_points_and_legend() {
        let text = figure().text(60, 14, true);
        assert!(
            text.contains("Growth & decay") && text.contains("free cells") && text.contains("n = 3"),
            "{text}"
        );
        let field: String = text.lines().filter(|l| l.contains('|')).collect();
        assert_eq!(field.matches('o').count(), 3, "{text}");
        assert!(text.lines().all(|l| l.chars().count() <= 60), "{text}");
        assert!(text.is_ascii(), "{text}");
    }

    #[test]
    fn long_texts_are_wrapped_in_a_terminal() {
        let caption =
            "solved runs only; 12 points; limits 60 s and 2 GiB; three runs were left out for their time";
        let long = Figure { caption: caption.into(), ..figure() };
        let text = long.text(40, 12, false);
        assert!(text.lines().all(|l| l.chars().count() <= 40), "{text}");
        assert!(text.replace('\n', " ").contains(caption), "{text}");
    }
}
