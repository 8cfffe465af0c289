//! A seventh puzzle, in `beeline`: Lights Out. docs/sixth-puzzle.md walks through it.
//!
//! A move presses a cell: its light and those beside it change. Solved when all are dark. A file is a line `lights` and rows of
//! `*` (lit) and `.` (dark), at most 8 x 8; a plan is a list of cells, column letter and row number: `a1 c2`.

use std::any::Any;

use beeline_check::{Checked, Flaw};
use beeline_puzzles::scene::{Form, Scene, Thing};
use beeline_puzzles::text::{TextError, lines};
use beeline_puzzles::{Choice, Example, Game, Job, Kind, Notation, Puzzle, SpaceGame, Watcher};
use beeline_search::{Blind, Budget, Claim, Cost, Heuristic, Outcome, Space, Unsupported};

// ---- The space: what the engine searches. ----

/// A board of lights. A state has a bit for each cell, row by row.
#[derive(Clone, Debug)]
pub struct Lights {
    width: usize,
    height: usize,
    lit: u64,
}

impl Lights {
    /// The cells that change when this one is pressed.
    fn changed(&self, cell: usize) -> u64 {
        let (row, column) = (cell / self.width, cell % self.width);
        let mut changed = 1 << cell;
        if row > 0 {
            changed |= 1 << (cell - self.width);
        }
        if row + 1 < self.height {
            changed |= 1 << (cell + self.width);
        }
        if column > 0 {
            changed |= 1 << (cell - 1);
        }
        if column + 1 < self.width {
            changed |= 1 << (cell + 1);
        }
        changed
    }

    /// The name of a cell: `b3` is the second column, third row.
    fn name(&self, cell: usize) -> String {
        format!("{}{}", (b'a' + (cell % self.width) as u8) as char, cell / self.width + 1)
    }
}

impl Space for Lights {
    type State = u64;
    /// The cell that is pressed.
    type Move = u8;
    type Undo = ();
    type Moves = std::ops::Range<u8>;
    type Key = u64;

    fn start(&self) -> u64 {
        self.lit
    }
    /// Row by row.
    fn moves(&self, _: &u64) -> Self::Moves {
        0..(self.width * self.height) as u8
    }
    fn apply(&self, lit: &mut u64, cell: u8) {
        *lit ^= self.changed(cell.into());
    }
    /// Pressing a cell twice changes nothing.
    fn undo(&self, lit: &mut u64, cell: u8, (): ()) {
        self.apply(lit, cell);
    }
    fn is_goal(&self, lit: &u64) -> bool {
        *lit == 0
    }
    fn pack(&self, lit: &u64) -> u64 {
        *lit
    }
    fn unpack(&self, key: &u64) -> u64 {
        *key
    }
    fn key_width(&self) -> usize {
        (self.width * self.height).div_ceil(8)
    }
    fn reversible(&self) -> bool {
        true
    }
    fn goals(&self) -> Option<Vec<u64>> {
        Some(vec![0])
    }
}

/// A press changes five lights at most.
#[derive(Clone, Copy, Debug)]
pub struct Fifth;

impl Heuristic<Lights> for Fifth {
    type Memo = Cost;
    type Scratch = ();
    fn root(&self, _: &Lights, lit: &u64, (): &mut ()) -> Cost {
        lit.count_ones().div_ceil(5)
    }
    fn value(&self, presses: Cost) -> Cost {
        presses
    }
    fn claim(&self) -> Claim {
        Claim::Consistent
    }
}

// ---- Names and pictures: with them, the space is a game. ----

impl Notation for Lights {
    fn show(&self, _: &u64, cell: u8) -> String {
        self.name(cell.into())
    }
    fn scene(&self, lit: &u64) -> Scene {
        let mut scene = Scene::new(self.width, self.height);
        for (cell, place) in scene.cells.iter_mut().enumerate() {
            if lit >> cell & 1 == 1 {
                let label = String::new();
                place.thing = Some(Thing {
                    id: cell as u16,
                    form: Form::Tile,
                    label,
                    links: 0,
                    colour: Some(0xFF_D5_4A),
                });
            }
        }
        scene
    }
    fn puzzle_at(&self, lit: &u64) -> Box<dyn Puzzle> {
        Box::new(Self { lit: *lit, ..self.clone() })
    }
    /// A move is the press of a cell, so a click on a cell means that move; so do the arrow keys and space.
    fn press(&self, _: &u64, cell: usize) -> Option<String> {
        Some(self.name(cell))
    }
}

// ---- The kind and its puzzles: what the commands, the terminal and the page know. ----

/// The kind.
pub struct LightsKind;

/// The instance that stands in the list of kinds.
pub static KIND: LightsKind = LightsKind;

impl Kind for LightsKind {
    fn name(&self) -> &'static str {
        "lights"
    }
    fn title(&self) -> &'static str {
        "Lights Out"
    }
    fn about(&self) -> &'static str {
        "Press a cell: its light and those above, below, left and right of it change. Solved when all lights are out."
    }
    fn controls(&self) -> &'static str {
        "Click a cell to press it; or move the mark with the arrow keys and press with Space."
    }
    fn recognises(&self, text: &str) -> bool {
        text.starts_with("lights")
    }
    fn parse(&self, text: &str) -> Result<Vec<Box<dyn Puzzle>>, TextError> {
        let rows: Vec<_> = lines(text).skip(1).filter(|line| !line.text.is_empty()).collect();
        let whole = 0..text.len();
        let width = rows.first().map_or(0, |row| row.text.len());
        if !(1..=8).contains(&width) || rows.len() > 8 {
            return Err(TextError::new(whole, "a board of this size", "1 to 8 rows and columns"));
        }
        let mut lit = 0;
        for (r, row) in rows.iter().enumerate() {
            if row.text.len() != width {
                return Err(TextError::new(
                    row.span(),
                    "this row has another length",
                    "as many lights as above",
                ));
            }
            for (c, light) in row.text.char_indices() {
                match light {
                    '*' => lit |= 1 << (r * width + c),
                    '.' => {}
                    _ => {
                        return Err(TextError::new(
                            row.char_span(c),
                            format!("{light:?} is no light"),
                            "* or .",
                        ));
                    }
                }
            }
        }
        Ok(vec![Box::new(Lights { width, height: rows.len(), lit })])
    }
    fn examples(&self) -> &'static [Example] {
        &[Example { name: "lights-cross", title: "A cross", text: "lights\n.*.\n***\n.*.\n" }]
    }
    fn heuristics(&self) -> &'static [Choice] {
        &[
            Choice { name: "fifth", about: "a fifth of the lights: a press changes five at most" },
            Choice { name: "blind", about: "always 0" },
        ]
    }
    fn objectives(&self) -> &'static [Choice] {
        &[Choice { name: "presses", about: "fewest presses" }]
    }
    fn solvers(&self) -> &'static [Choice] {
        &[Choice { name: "best", about: "fewest presses, searched from both ends" }]
    }
}

impl Puzzle for Lights {
    fn kind(&self) -> &'static dyn Kind {
        &KIND
    }
    fn text(&self) -> String {
        let row = |r: usize| {
            let lights =
                (0..self.width).map(|c| if self.lit >> (r * self.width + c) & 1 == 1 { '*' } else { '.' });
            lights.chain(['\n']).collect::<String>()
        };
        format!("lights\n{}", (0..self.height).map(row).collect::<String>())
    }
    fn facts(&self) -> Vec<(&'static str, String)> {
        vec![
            ("size", format!("{} x {}", self.width, self.height)),
            ("lit", self.lit.count_ones().to_string()),
        ]
    }
    fn solve(
        &self,
        job: &Job,
        budget: &Budget,
        watcher: &mut dyn Watcher,
    ) -> Result<Outcome<String>, Unsupported> {
        let strategy = match job.strategy.as_deref() {
            None | Some("best") => "bidirectional",
            Some(name) => name,
        };
        let search = job.search(self, budget, watcher);
        let outcome = match job.heuristic.as_deref() {
            Some("blind") => search.heuristic(Blind).run(strategy)?,
            _ => search.heuristic(Fifth).run(strategy)?,
        };
        Ok(outcome.map(|cell| self.name(cell.into())))
    }
    fn game(&self) -> Box<dyn Game> {
        Box::new(SpaceGame::new(self.clone()))
    }
    fn read_plan(&self, text: &str) -> Result<Vec<String>, TextError> {
        Ok(text.split_whitespace().map(str::to_owned).collect())
    }
    fn write_plan(&self, steps: &[String]) -> String {
        steps.join(" ")
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

// ---- The checker: the rules once more, in plain words, sharing nothing with the above. ----

/// Replays a plan on the text of a board. In the workspace this is `crates/check/src/lights.rs`.
pub fn check(text: &str, _: Option<&str>, steps: &[String]) -> Result<Checked, Flaw> {
    let mut board: Vec<Vec<bool>> =
        text.lines().skip(1).map(|row| row.chars().map(|c| c == '*').collect()).collect();
    let (height, width) = (board.len() as i32, board.first().map_or(0, Vec::len) as i32);
    for (i, step) in steps.iter().enumerate() {
        let wrong = || Flaw::Step { number: i + 1, step: step.clone(), why: "there is no such cell".into() };
        let mut letters = step.chars();
        let column = letters.next().map_or(-1, |letter| letter as i32 - 'a' as i32);
        let row = letters.as_str().parse::<i32>().map_err(|_| wrong())? - 1;
        if !(0..width).contains(&column) || !(0..height).contains(&row) {
            return Err(wrong());
        }
        for (r, c) in
            [(row, column), (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        {
            if (0..height).contains(&r) && (0..width).contains(&c) {
                let light = &mut board[r as usize][c as usize];
                *light = !*light;
            }
        }
    }
    let lit = board.iter().flatten().filter(|&&light| light).count();
    if lit > 0 {
        return Err(Flaw::Goal { steps: steps.len(), why: format!("{lit} lights are on") });
    }
    Ok(Checked { cost: steps.len() as u64 })
}
