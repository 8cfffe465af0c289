//! The shapes of a figure, with places and colours: what `svg.rs` writes and `png.rs` paints.

/// A point of the sheet: units to the right and down.
pub(super) type Point = (f64, f64);

/// A picture of plain shapes, painted in their order.
#[derive(Debug)]
pub(super) struct Sheet {
    pub(super) title: String,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) shapes: Vec<Painted>,
}

/// A shape with its paint.
#[derive(Debug)]
pub(super) struct Painted {
    pub(super) shape: Shape,
    pub(super) paint: Paint,
    /// Nothing is painted outside this rectangle.
    pub(super) clip: Option<Rectangle>,
}

/// A shape without its paint.
#[derive(Debug)]
pub(super) enum Shape {
    Rectangle(Rectangle),
    Line(Point, Point),
    Polyline(Vec<Point>),
    Polygon(Vec<Point>),
    Circle(Point, f64),
    Text(Point, Font, String),
}

/// A rectangle by its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rectangle {
    pub(super) corner: Point,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// How a text is set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Font {
    pub(super) size: f64,
    pub(super) bold: bool,
    pub(super) anchor: Anchor,
}

/// Which point of a line of text its place names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A colour as SVG writes it: `#` and three or six hexadecimal digits.
pub(super) type Colour = &'static str;

/// Inside and outline of a shape.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Paint {
    pub(super) fill: Option<Colour>,
    /// Opacity of the fill, from 0 to 1; opaque if `None`.
    pub(super) opacity: Option<f64>,
    pub(super) stroke: Option<Stroke>,
}

/// An outline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stroke {
    pub(super) colour: Colour,
    /// 1 if `None`.
    pub(super) width: Option<f64>,
    /// Lengths of a dash and of the gap after it.
    pub(super) dash: Option<[f64; 2]>,
}

impl Paint {
    pub(super) fn fill(colour: Colour) -> Self {
        Self { fill: Some(colour), ..Self::default() }
    }

    pub(super) fn stroke(colour: Colour) -> Self {
        Self { stroke: Some(Stroke { colour, width: None, dash: None }), ..Self::default() }
    }

    pub(super) fn opacity(mut self, opacity: f64) -> Self {
        self.opacity = Some(opacity);
        self
    }

    /// With an outline of this colour and width.
    pub(super) fn outlined(mut self, colour: Colour, width: f64) -> Self {
        self.stroke = Some(Stroke { colour, width: Some(width), dash: None });
        self
    }

    pub(super) fn dashed(mut self, dash: f64, gap: f64) -> Self {
        self.stroke = self.stroke.map(|stroke| Stroke { dash: Some([dash, gap]), ..stroke });
        self
    }
}

impl Sheet {
    pub(super) fn new(title: &str, width: f64, height: f64) -> Self {
        Self { title: title.to_owned(), width, height, shapes: Vec::new() }
    }

    pub(super) fn add(&mut self, shape: Shape, paint: Paint) {
        self.shapes.push(Painted { shape, paint, clip: None });
    }

    pub(super) fn line(&mut self, from: Point, to: Point, paint: Paint) {
        self.add(Shape::Line(from, to), paint);
    }

    /// Everything that `draw` adds is cut off at the rectangle.
    pub(super) fn clipped(&mut self, clip: Rectangle, draw: impl FnOnce(&mut Self)) {
        let first = self.shapes.len();
        draw(self);
        for painted in &mut self.shapes[first..] {
            painted.clip = Some(clip);
        }
    }
}
