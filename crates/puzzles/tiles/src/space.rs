//! The rules as a space for the engine's strategies.

use beeline_search::Space;

use super::board::{Board, MAX_SQUARES, Step, home_of_tile, tile_at_home};
use super::kind::TilesPuzzle;
use beeline_puzzle::game::{Notation, Way};
use beeline_puzzle::puzzle::Puzzle;
use beeline_puzzle::scene::{Cell, Form, Ground, Scene, Thing};

/// The rules on one board.
#[derive(Clone, Debug)]
pub struct Sliding {
    pub(super) board: Board,
    /// By square: the steps that stay on the board, as bits by [`Step`] number.
    steps: [u8; MAX_SQUARES],
    /// By [`Step`] number: the change of the blank's square.
    offsets: [i8; 4],
    /// Bits per tile in a key.
    bits: u32,
    /// The reachable half of all boards, see `rank`.
    pub(super) half: bool,
}

/// The position of every tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles {
    pub(super) cells: [u8; MAX_SQUARES],
    pub(super) blank: u8,
}

impl Tiles {
    /// The tile on a square, 0 for the blank.
    #[inline(always)]
    pub fn tile(&self, square: usize) -> u8 {
        self.cells[square]
    }

    /// Where the blank stands.
    #[inline(always)]
    pub fn blank(&self) -> usize {
        usize::from(self.blank)
    }
}

impl Sliding {
    /// The rules on this board.
    pub fn new(board: &Board) -> Self {
        let (rows, columns) = (board.rows(), board.columns());
        let mut steps = [0; MAX_SQUARES];
        for (square, steps) in steps.iter_mut().enumerate().take(rows * columns) {
            let (row, column) = (square / columns, square % columns);
            let open = [column > 0, column + 1 < columns, row > 0, row + 1 < rows];
            *steps = (0..4).map(|i| u8::from(open[i]) << i).sum();
        }
        let down = columns as i8;
        let bits = usize::BITS - (board.squares() - 1).leading_zeros();
        let offsets = [-1, 1, -down, down];
        let mut space = Self { board: board.clone(), steps, offsets, bits, half: false };
        space.half = space.half_of(&space.state(board.cells()));
        space
    }

    /// The board of these rules.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The state with these tiles row by row.
    pub fn state(&self, cells: &[u8]) -> Tiles {
        let mut state = Tiles { cells: [0; MAX_SQUARES], blank: 0 };
        for (square, &tile) in cells.iter().enumerate().take(MAX_SQUARES) {
            state.cells[square] = tile;
            if tile == 0 {
                state.blank = square as u8;
            }
        }
        state
    }

    /// The blank's square after a step.
    #[inline(always)]
    pub fn target(&self, blank: usize, step: Step) -> usize {
        blank.wrapping_add_signed(isize::from(self.offsets[step as usize]))
    }

    #[inline(always)]
    fn slide(&self, state: &mut Tiles, step: Step) {
        let (from, to) = (state.blank(), self.target(state.blank(), step));
        state.cells[from] = state.cells[to];
        state.cells[to] = 0;
        state.blank = to as u8;
    }
}

/// Steps of the blank, in the order left, right, up, down.
#[derive(Clone, Debug)]
pub struct Steps(u8);

impl Iterator for Steps {
    type Item = Step;
    #[inline(always)]
    fn next(&mut self) -> Option<Step> {
        if self.0 == 0 {
            return None;
        }
        let step = Step::from_index(self.0.trailing_zeros() as usize);
        self.0 &= self.0 - 1;
        Some(step)
    }
}

impl Space for Sliding {
    type State = Tiles;
    type Move = Step;
    type Undo = ();
    type Moves = Steps;
    type Key = [u64; 4];

    fn start(&self) -> Tiles {
        self.state(self.board.cells())
    }

    #[inline(always)]
    fn moves(&self, state: &Tiles) -> Steps {
        Steps(self.steps[state.blank()])
    }

    #[inline(always)]
    fn apply(&self, state: &mut Tiles, step: Step) {
        self.slide(state, step);
    }

    #[inline(always)]
    fn undo(&self, state: &mut Tiles, step: Step, (): ()) {
        self.slide(state, step.back());
    }

    #[inline]
    fn is_goal(&self, state: &Tiles) -> bool {
        let squares = self.board.squares();
        if state.blank() != home_of_tile(0, squares, self.board.goal) {
            return false;
        }
        (0..squares).all(|s| state.cells[s] == tile_at_home(s, squares, self.board.goal))
    }

    #[inline]
    fn pack(&self, state: &Tiles) -> [u64; 4] {
        let per_word = (64 / self.bits) as usize;
        let mut key = [0; 4];
        for (word, cells) in key.iter_mut().zip(state.cells[..self.board.squares()].chunks(per_word)) {
            for &tile in cells.iter().rev() {
                *word = *word << self.bits | u64::from(tile);
            }
        }
        key
    }

    fn unpack(&self, key: &[u64; 4]) -> Tiles {
        let per_word = (64 / self.bits) as usize;
        let mut state = Tiles { cells: [0; MAX_SQUARES], blank: 0 };
        for (square, cell) in state.cells.iter_mut().enumerate().take(self.board.squares()) {
            let word = key[square / per_word] >> (self.bits as usize * (square % per_word));
            *cell = (word & ((1 << self.bits) - 1)) as u8;
            if *cell == 0 {
                state.blank = square as u8;
            }
        }
        state
    }

    fn key_width(&self) -> usize {
        let per_word = (64 / self.bits) as usize;
        let (full, rest) = (self.board.squares() / per_word, self.board.squares() % per_word);
        8 * full + (rest * self.bits as usize).div_ceil(8)
    }

    #[inline(always)]
    fn moves_after(&self, state: &Tiles, last: Step) -> Steps {
        Steps(self.steps[state.blank()] & !(1 << (last.back() as u8)))
    }

    fn reversible(&self) -> bool {
        true
    }

    fn goals(&self) -> Option<Vec<Tiles>> {
        let squares = self.board.squares();
        let cells: Vec<u8> = (0..squares).map(|s| tile_at_home(s, squares, self.board.goal)).collect();
        Some(vec![self.state(&cells)])
    }

    /// One variable per tile (the blank is tile 0): its square.
    fn domains(&self) -> Option<Vec<u32>> {
        Some(vec![self.board.squares() as u32; self.board.squares()])
    }

    fn values(&self, state: &Tiles, values: &mut [u32]) {
        for square in 0..self.board.squares() {
            if let Some(value) = values.get_mut(usize::from(state.cells[square])) {
                *value = square as u32;
            }
        }
    }
}

impl Notation for Sliding {
    fn show(&self, _: &Tiles, step: Step) -> String {
        step.letter().to_string()
    }

    fn named(&self, state: &Tiles, name: &str) -> Option<Step> {
        self.moves(state).find(|step| name.strip_prefix(step.letter()) == Some(""))
    }

    fn scene(&self, state: &Tiles) -> Scene {
        let squares = self.board.squares();
        let mut scene = Scene::new(self.board.columns(), self.board.rows());
        for (square, cell) in scene.cells.iter_mut().enumerate() {
            let tile = state.cells[square];
            let home = tile == tile_at_home(square, squares, self.board.goal);
            let ground = if home { Ground::Goal } else { Ground::Floor };
            let thing = (tile != 0).then(|| Thing {
                id: u16::from(tile),
                form: Form::Tile,
                label: tile.to_string(),
                links: 0,
                colour: None,
            });
            *cell = Cell { ground, thing };
        }
        scene
    }

    fn puzzle_at(&self, state: &Tiles) -> Box<dyn Puzzle> {
        let squares = self.board.squares();
        let mut cells = state.cells.to_vec();
        cells.truncate(squares);
        let (rows, columns, goal) = (self.board.rows(), self.board.columns(), self.board.goal);
        let board = Board::new(rows, columns, cells, goal);
        let board = board.unwrap_or_else(|| self.board.clone()).titled(self.board.title.clone());
        Box::new(TilesPuzzle::new(board))
    }

    /// A tile that slides one way exchanges places with the blank, which moves the other way.
    fn toward(&self, state: &Tiles, thing: Option<u16>, way: Way) -> Option<String> {
        let (rows, columns) = (self.board.rows(), self.board.columns());
        let blank = state.cells[..rows * columns].iter().position(|&tile| tile == 0)?;
        let (down, right) = way.delta();
        let row = (blank / columns).checked_add_signed(-down).filter(|&r| r < rows);
        let column = (blank % columns).checked_add_signed(-right).filter(|&c| c < columns);
        let tile = row.zip(column).map(|(r, c)| u16::from(state.cells[r * columns + c]));
        if thing.is_some() && thing != tile {
            return None;
        }
        let letter = match way {
            Way::Left => "R",
            Way::Right => "L",
            Way::Up => "D",
            Way::Down => "U",
        };
        Some(letter.to_owned())
    }

    fn refusal(&self, _: &Tiles, step: &str) -> String {
        match step {
            "L" => "the blank is at the left edge".to_owned(),
            "R" => "the blank is at the right edge".to_owned(),
            "U" => "the blank is in the top row".to_owned(),
            "D" => "the blank is in the bottom row".to_owned(),
            _ => format!("'{step}' is no step; the blank moves L, R, U or D"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Goal;

    /// Paths without taking the last step back, and distinct states, by depth from the solved board.
    fn perft(rows: usize, columns: usize, depth: usize) -> (Vec<u64>, Vec<usize>) {
        let space = Sliding::new(&Board::solved(rows, columns, Goal::BlankFirst).unwrap());
        let mut paths = Vec::new();
        let mut layer = vec![(space.start(), None)];
        let mut seen = std::collections::HashSet::from([space.pack(&space.start())]);
        let mut fresh = vec![1];
        for _ in 0..depth {
            let mut next = Vec::new();
            let mut new = 0;
            for (state, last) in &layer {
                let steps = last.map_or_else(|| space.moves(state), |l| space.moves_after(state, l));
                for step in steps {
                    let mut child = *state;
                    space.apply(&mut child, step);
                    new += usize::from(seen.insert(space.pack(&child)));
                    next.push((child, Some(step)));
                }
            }
            paths.push(next.len() as u64);
            fresh.push(new);
            layer = next;
        }
        (paths, fresh)
    }

    #[test]
    fn perft_of_the_fifteen_puzzle() {
        let (paths, states) = perft(4, 4, 14);
        assert_eq!(paths, [2, 4, 10, 24, 54, 108, 218, 472, 1030, 2204, 4666, 9880, 21046, 44972]);
        // The number of positions at each distance from the solved board with the blank in a corner.
        assert_eq!(states[..15], [1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808, 15544, 30821]);
    }

    #[test]
    fn keys_round_trip_on_all_sizes() {
        for rows in 2..=6 {
            for columns in 2..=6 {
                for goal in [Goal::BlankFirst, Goal::BlankLast] {
                    let space = Sliding::new(&Board::solved(rows, columns, goal).unwrap());
                    let mut state = space.start();
                    assert!(space.is_goal(&state));
                    for i in 0..50u32 {
                        let steps: Vec<Step> = space.moves(&state).collect();
                        let step = steps[(i.wrapping_mul(2_654_435_761) >> 16) as usize % steps.len()];
                        let before = state;
                        space.apply(&mut state, step);
                        assert_eq!(space.unpack(&space.pack(&state)), state);
                        let mut back = state;
                        space.undo(&mut back, step, ());
                        assert_eq!(back, before);
                    }
                    assert!(space.key_width() <= 32);
                }
            }
        }
    }
}
