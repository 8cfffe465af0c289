//! Plain rules of Flow Free: colours are painted cell by cell, and the finished board is examined as a whole.
//!
//! Canonical text: `title:`, `rule: numberlink` or `rule: touching`, `edges: warp` and `walls:` first. Then the rows
//! (characters, or words with blanks between them: `.` free, `#` wall, `*` hole, a label an end). Then `drawn:` with steps that
//! are already painted.

use std::collections::HashMap;

use crate::certificate::Graph;
use crate::{Checked, Flaw, beside, no_objective, unreadable};

pub(crate) type Place = (usize, usize);

pub(crate) struct Board<'a> {
    /// The word of each cell.
    rows: Vec<Vec<&'a str>>,
    pub(crate) colours: Vec<Colour<'a>>,
    /// The index of each label among the colours.
    names: HashMap<&'a str, usize>,
    /// The colour painted last: most steps continue it.
    last: usize,
    /// Must every cell be painted?
    pub(crate) fill: bool,
    /// May a colour touch itself, and pass beside its goal?
    pub(crate) touching: bool,
    /// Does a path that leaves the board re-enter on the opposite side?
    warp: bool,
    /// The walls between cells, as text and as pairs of places.
    walls: Vec<(&'a str, Place, Place)>,
    /// The colour of each cell that is painted or an end.
    painted: Vec<Vec<Option<usize>>>,
    drawn: Vec<&'a str>,
}

pub(crate) struct Colour<'a> {
    label: &'a str,
    pub(crate) goal: Place,
    /// The painted cells, the start first.
    pub(crate) path: Vec<Place>,
}

pub(crate) fn read(text: &str) -> Result<Board<'_>, Flaw> {
    let mut board = Board {
        rows: Vec::new(),
        colours: Vec::new(),
        names: HashMap::new(),
        last: 0,
        fill: true,
        touching: false,
        warp: false,
        walls: Vec::new(),
        painted: Vec::new(),
        drawn: Vec::new(),
    };
    for line in text.lines() {
        match line.split_once(": ") {
            Some(("title", _)) if board.rows.is_empty() => {}
            Some(("rule", "numberlink")) if board.rows.is_empty() => board.fill = false,
            Some(("rule", "touching")) if board.rows.is_empty() => board.touching = true,
            Some(("edges", "warp")) if board.rows.is_empty() => board.warp = true,
            Some(("walls", walls)) if board.rows.is_empty() && board.walls.is_empty() => {
                board.walls = walls.split_whitespace().map(wall).collect::<Result<_, _>>()?;
            }
            Some(("drawn", steps)) if !board.rows.is_empty() && board.drawn.is_empty() => {
                board.drawn = steps.split_whitespace().collect();
            }
            None if board.drawn.is_empty() => board.rows.push(words(line)),
            _ => return unreadable(format!("{line:?} is no row and no header")),
        }
    }
    let width = board.rows.first().map_or(0, Vec::len);
    if width == 0 || board.rows.iter().any(|row| row.len() != width) {
        return unreadable("rows of different lengths");
    }
    board.find_colours()?;
    if board.warp && (width < 3 || board.rows.len() < 3) {
        return unreadable("too small for edges that warp");
    }
    let walls = std::mem::take(&mut board.walls);
    if let Some((wall, ..)) = walls.iter().find(|(_, a, b)| !board.touch(*a, *b)) {
        return unreadable(format!("{wall} does not stand between neighbours"));
    }
    board.walls = walls;
    let drawn = board.drawn.clone();
    for step in drawn {
        let painted = board.paint(step);
        painted.or_else(|why| unreadable(format!("what is drawn already breaks the rules: {why}")))?;
    }
    Ok(board)
}

/// The cells of a row: words where there are blanks between them, else characters.
fn words(line: &str) -> Vec<&str> {
    let line = line.trim();
    if line.contains(char::is_whitespace) {
        line.split_whitespace().collect()
    } else {
        line.char_indices().map(|(at, letter)| &line[at..at + letter.len_utf8()]).collect()
    }
}

/// Reads `row,column|row,column`, both from 1.
fn wall(word: &str) -> Result<(&str, Place, Place), Flaw> {
    let place = |text: &str| -> Option<Place> {
        let (row, column) = text.split_once(',')?;
        Some((row.parse::<usize>().ok()?.checked_sub(1)?, column.parse::<usize>().ok()?.checked_sub(1)?))
    };
    match word.split_once('|').and_then(|(a, b)| place(a).zip(place(b))) {
        Some((a, b)) => Ok((word, a, b)),
        None => unreadable(format!("{word:?} is no wall")),
    }
}

impl Colour<'_> {
    /// The cell painted last; at first the start.
    fn head(&self) -> Place {
        self.path[self.path.len() - 1]
    }
}

impl<'a> Board<'a> {
    /// The cells that are neither wall nor hole, row by row.
    pub(crate) fn cells(&self) -> Vec<Place> {
        let (height, width) = self.size();
        let all = (0..height).flat_map(|r| (0..width).map(move |c| (r, c)));
        all.filter(|&(r, c)| !matches!(self.rows[r][c], "#" | "*")).collect()
    }

    fn size(&self) -> (usize, usize) {
        (self.rows.len(), self.rows[0].len())
    }

    /// The neighbour of a cell; `None` at the edge of the board or behind a wall.
    pub(crate) fn beside(&self, from: Place, way: char) -> Option<Place> {
        let (height, width) = self.size();
        let to = match (beside(from, way, (height, width)), way) {
            (Some(to), _) => to,
            (None, _) if !self.warp => return None,
            (None, 'u') => (height - 1, from.1),
            (None, 'd') => (0, from.1),
            (None, 'l') => (from.0, width - 1),
            (None, _) => (from.0, 0),
        };
        let walled = self.walls.iter().any(|&(_, a, b)| (a, b) == (from, to) || (b, a) == (from, to));
        (!walled).then_some(to)
    }

    /// Do these cells share a side without a wall?
    fn touch(&self, a: Place, b: Place) -> bool {
        let (height, width) = self.size();
        let inside = |(r, c): Place| r < height && c < width;
        inside(a) && inside(b) && "lrud".chars().any(|way| self.beside(a, way) == Some(b))
    }

    /// Finds both ends of each colour. Its path starts at the end nearer to the edge, of equally near ones at the first.
    fn find_colours(&mut self) -> Result<(), Flaw> {
        let mut ends: Vec<(&'a str, Vec<Place>)> = Vec::new();
        for (r, row) in self.rows.iter().enumerate() {
            for (c, &word) in row.iter().enumerate().filter(|(_, word)| !matches!(**word, "." | "#" | "*")) {
                if !word.chars().all(char::is_alphanumeric) {
                    return unreadable(format!("{word:?} is no cell"));
                }
                let colour = *self.names.entry(word).or_insert(ends.len());
                if colour == ends.len() {
                    ends.push((word, Vec::new()));
                }
                ends[colour].1.push((r, c));
            }
        }
        let (height, width) = self.size();
        self.painted = vec![vec![None; width]; height];
        let edge = |(r, c): Place| r.min(c).min(height - 1 - r).min(width - 1 - c);
        for (label, places) in ends {
            let [first, second] = places[..] else {
                return unreadable(format!("{label} is there {} times, not twice", places.len()));
            };
            let (start, goal) = if edge(second) < edge(first) { (second, first) } else { (first, second) };
            for (r, c) in [start, goal] {
                self.painted[r][c] = Some(self.colours.len());
            }
            self.colours.push(Colour { label, goal, path: vec![start] });
        }
        if self.colours.is_empty() { unreadable("there is no colour") } else { Ok(()) }
    }

    /// Paints one cell: a step is a label and one of l, r, u, d.
    pub(crate) fn paint(&mut self, step: &str) -> Result<(), String> {
        let way = step.chars().next_back().ok_or("an empty step")?;
        let label = &step[..step.len() - way.len_utf8()];
        if !"lrud".contains(way) {
            return Err("no such direction".to_owned());
        }
        let same = self.colours[self.last].label == label;
        let known = if same { Some(&self.last) } else { self.names.get(label) };
        let colour = *known.ok_or("there is no such colour")?;
        let (goal, head) = (self.colours[colour].goal, self.colours[colour].head());
        if !self.touching && self.touch(head, goal) {
            return Err("the colour is joined already".to_owned());
        }
        let to = self.beside(head, way).ok_or("it leaves the board")?;
        if self.rows[to.0][to.1] != "." {
            return Err("the cell is a wall or an end".to_owned());
        }
        if self.painted[to.0][to.1].is_some() {
            return Err("the cell is painted already".to_owned());
        }
        let own = |(r, c): Place| self.painted[r][c] == Some(colour) && (r, c) != head && (r, c) != goal;
        if !self.touching && "lrud".chars().filter_map(|way| self.beside(to, way)).any(own) {
            return Err("the colour would touch itself".to_owned());
        }
        self.painted[to.0][to.1] = Some(colour);
        self.colours[colour].path.push(to);
        self.last = colour;
        Ok(())
    }

    /// Is every pair joined, and every cell used if the rule requires it?
    fn finished(&self) -> Result<(), String> {
        if let Some(open) = self.colours.iter().find(|c| !self.touch(c.head(), c.goal)) {
            return Err(format!("{} is not joined", open.label));
        }
        let painted: usize = self.colours.iter().map(|c| c.path.len() + 1).sum();
        let cells = self.cells().len();
        if self.fill && painted < cells {
            return Err(format!("{} cells are empty", cells - painted));
        }
        Ok(())
    }
}

/// The board as this parser read it.
pub(crate) fn draw(text: &str) -> Result<String, Flaw> {
    let board = read(text)?;
    let wide = board.rows.iter().flatten().map(|word| word.chars().count()).max().unwrap_or(1);
    let line = |row: &Vec<&str>| {
        let words: Vec<String> = row.iter().map(|word| format!("{word:>wide$}")).collect();
        words.join(if wide == 1 { "" } else { " " }) + "\n"
    };
    let mut drawing = match (board.fill, board.touching) {
        (false, _) => "rule: numberlink\n".to_owned(),
        (true, true) => "rule: touching\n".to_owned(),
        (true, false) => String::new(),
    };
    if board.warp {
        drawing.push_str("edges: warp\n");
    }
    let walls: Vec<&str> = board.walls.iter().map(|&(word, ..)| word).collect();
    if !walls.is_empty() {
        drawing.extend(["walls: ", &walls.join(" "), "\n"]);
    }
    drawing += &board.rows.iter().map(line).collect::<String>();
    if !board.drawn.is_empty() {
        drawing.extend(["drawn: ", &board.drawn.join(" "), "\n"]);
    }
    Ok(drawing)
}

/// A plan has as many steps as there are cells to fill, so states by cost prove nothing here. Clauses do.
pub(crate) fn graph(_: &str, _: &str, _: &str) -> Result<Box<dyn Graph>, Flaw> {
    Err(Flaw::Unsupported("flow has no layers".to_owned()))
}

/// Checks a plan.
pub(crate) fn check(text: &str, objective: Option<&str>, steps: &[String]) -> Result<Checked, Flaw> {
    let mut board = read(text)?;
    if let Some(other) = objective.filter(|&name| name != "any") {
        return no_objective("flow", other);
    }
    for (i, step) in steps.iter().enumerate() {
        board.paint(step).map_err(|why| Flaw::Step { number: i + 1, step: step.clone(), why })?;
    }
    board.finished().map_err(|why| Flaw::Goal { steps: steps.len(), why })?;
    Ok(Checked { cost: steps.len() as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(text: &str, plan: &str) -> String {
        let steps: Vec<String> = plan.split_whitespace().map(str::to_owned).collect();
        check(text, None, &steps).unwrap_err().to_string()
    }

    #[test]
    fn good_plans_hold_and_bad_ones_do_not() {
        let goal =
            |steps: usize, why: &str| format!("all {steps} steps are legal, but the goal is not met: {why}");
        // Joined from the start: B. The rest cannot be filled.
        assert_eq!(why("R.R\nB..\nB..\n", "Rr"), goal(1, "4 cells are empty"));
        assert_eq!(why("R..\n..R\n", "Rd Rr"), goal(2, "2 cells are empty"));
        let full = "RB.\n...\nR.B\n";
        assert_eq!(why(full, "Rd Br Bd"), goal(3, "2 cells are empty"));
        assert_eq!(why(full, "Rd"), goal(1, "B is not joined"));
        let snake = why("A..\n...\n..A\n", "Ar Ad Al Ad Ar");
        assert_eq!(snake, "step 3 (Al): the colour would touch itself");
        for (step, reason) in [
            ("Ru", "it leaves the board"),
            ("Rr", "the cell is a wall or an end"),
            ("Rd Rd", "the colour is joined already"),
            ("Bd Rd Rr", "the colour is joined already"),
            ("Xr", "there is no such colour"),
            ("R\u{e9}", "no such direction"),
        ] {
            assert!(why(full, step).ends_with(reason), "{step}: {}", why(full, step));
        }
        assert!(check(full, Some("pushes"), &[]).is_err());
        assert_eq!(check("AA\nBB\n", None, &[]), Ok(Checked { cost: 0 }));
        assert_eq!(check("rule: numberlink\nA.A\n...\n", None, &["Ar".to_owned()]), Ok(Checked { cost: 1 }));
    }

    #[test]
    fn paths_that_may_touch_pass_beside_their_goal() {
        let plan = |steps: &str| steps.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let board = "rule: touching\nA.A\n...\n";
        assert_eq!(
            check(board, None, &plan("Ad Ar Ar")).unwrap_err().to_string(),
            "all 3 steps are legal, but the goal is not met: 1 cells are empty"
        );
        assert_eq!(check("rule: touching\nA..\nA..\n", None, &plan("Ar Ar Ad Al")), Ok(Checked { cost: 4 }));
        assert_eq!(why("A..\nA..\n", "Ar"), "step 1 (Ar): the colour is joined already");
    }

    #[test]
    fn walls_between_cells_and_warped_edges_are_kept() {
        let walled = "walls: 1,1|1,2\nA.A\n...\n";
        assert_eq!(why(walled, "Ar"), "step 1 (Ar): it leaves the board");
        let steps: Vec<String> = ["Ad", "Ar", "Ar"].map(str::to_owned).to_vec();
        assert!(check(&format!("rule: numberlink\n{walled}"), None, &steps).is_ok());
        let warped = "rule: numberlink\nedges: warp\n.A...\n.....\n...A.\n";
        assert_eq!(check(warped, None, &["Au".to_owned(), "Ar".to_owned()]), Ok(Checked { cost: 2 }));
        let closed = warped.replace("\n.A", "\nwalls: 1,2|3,2\n.A");
        assert!(check(&closed, None, &["Au".to_owned(), "Ar".to_owned()]).is_err());
        for broken in
            ["walls: 1,1|1,3\nA.A\n", "walls: x\nA.A\n", "edges: warp\nA.A\n", "walls: 9,9|9,8\nA.A\n"]
        {
            assert!(matches!(draw(broken), Err(Flaw::Text(_))), "{broken}");
        }
    }

    #[test]
    fn boards_are_drawn_as_they_were_read() {
        let words = "rule: numberlink\n12  . 12\n a  #  a\n";
        let sides = "rule: touching\nedges: warp\nwalls: 1,1|1,2 1,3|1,1\nA.A\n.*.\n...\n";
        for text in [sides, "R.G\n...\nRG.\n", words, "R..\n...\n..R\ndrawn: Rr\n", "AA\n"] {
            assert_eq!(draw(text).as_deref(), Ok(text));
        }
        assert_eq!(draw("title: rule: x\nA.A\n").as_deref(), Ok("A.A\n"));
    }
}
