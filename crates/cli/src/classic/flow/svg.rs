//! The final state as a picture file, in the layout of the original.

use std::fmt::Write;

use beeline_puzzles::flow::classic::Classic;
use beeline_puzzles::flow::palette::PALETTE;
use beeline_puzzles::flow::{Dir, Step};

/// The nominal side of the picture, in units of the SVG.
const SIDE: usize = 256;

/// The file name of a board's picture: its base name up to the last dot, in the current folder.
pub(super) fn file_name(board: &str) -> String {
    let base = board.rsplit(['/', '\\']).next().unwrap_or(board);
    let stem = base.rsplit_once('.').map_or(base, |(stem, _)| stem);
    format!("{stem}.svg")
}

/// Draws the board with these steps.
pub(super) fn draw(classic: &Classic, plan: &[Step]) -> String {
    let board = &classic.board;
    let size = classic.size();
    let cell = (SIDE - (size + 1)) / size;
    let step = cell + 1;
    let whole = step * size + 1;
    let mut owner = vec![None; board.cells().len()];
    let mut trails: Vec<Vec<Dir>> = vec![Vec::new(); board.colours().len()];
    for (c, colour) in board.colours().iter().enumerate() {
        owner[colour.start] = Some(c);
        let mut head = colour.start;
        for dir in plan.iter().filter(|s| usize::from(s.colour) == c).map(|s| s.dir) {
            head = board.neighbour(head, dir).unwrap_or(head);
            owner[head] = Some(c);
            trails[c].push(dir);
        }
        // Only a joined path extends into its goal.
        let joined = [Dir::Left, Dir::Right, Dir::Up, Dir::Down]
            .into_iter()
            .find(|&d| board.neighbour(head, d) == Some(colour.goal));
        if let Some(dir) = joined {
            owner[colour.goal] = Some(c);
            trails[c].push(dir);
        }
    }
    let mut out = String::new();
    let corner = |at: usize| (1 + at % size * step, 1 + at / size * step);
    let centre = |at: usize| {
        let (x, y) = corner(at);
        (x as f64 + 0.5 * cell as f64, y as f64 + 0.5 * cell as f64)
    };
    let paint = |c: usize| PALETTE[classic.paints[c]];
    let thick = 0.35 * cell as f64;
    // Writing into a string cannot fail.
    let _ = writeln!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" \
         width=\"{whole}\" height=\"{whole}\">\n<rect width=\"{whole}\" height=\"{whole}\" fill=\"#7b7c41\" />"
    );
    for (at, owner) in owner.iter().enumerate() {
        let (x, y) = corner(at);
        let fill = owner.map_or(0, |c| paint(c).dark);
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{cell}\" height=\"{cell}\" fill=\"#{fill:06x}\" />"
        );
    }
    for (c, colour) in board.colours().iter().enumerate() {
        for at in [colour.start, colour.goal] {
            let (x, y) = centre(at);
            let _ = writeln!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{thick}\" fill=\"#{:06x}\" />",
                paint(c).bright
            );
        }
    }
    for (c, colour) in board.colours().iter().enumerate() {
        let mut at = colour.start;
        for &dir in &trails[c] {
            at = board.neighbour(at, dir).unwrap_or(at);
        }
        let (x, y) = centre(at);
        let mut path = format!("M {x} {y}");
        for dir in trails[c].iter().rev() {
            let _ = match dir {
                Dir::Left => write!(path, " h {step}"),
                Dir::Right => write!(path, " h -{step}"),
                Dir::Up => write!(path, " v {step}"),
                Dir::Down => write!(path, " v -{step}"),
            };
        }
        let _ = writeln!(
            out,
            "<path d=\"{path}\" stroke=\"#{:06x}\" stroke-width=\"{thick}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\" fill=\"none\" />",
            paint(c).bright
        );
    }
    out.push_str("</svg>\n");
    out
}
