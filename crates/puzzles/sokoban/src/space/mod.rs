//! The search space of the general strategies: a step of the player is a move and costs 1. In [`pushes`] a
//! push is a move.

pub mod pushes;

use beeline_search::{Cost, Space};

use super::bits::{Bits, field};
use super::board::{self, Board, DIRS, Dir, NOWHERE, Square};
use super::kind::Sokoban;
use super::scene::scene;
use beeline_puzzle::game::{Notation, Way};
use beeline_puzzle::puzzle::Puzzle;
use beeline_puzzle::scene::Scene;

/// Calls a generic function with the smallest number of words that a state of the board fits into.
macro_rules! with_words {
    ($board:expr, $n:ident => $call:expr) => {
        match $crate::state_bits($board) {
            0..=64 => {
                const $n: usize = 1;
                $call
            }
            65..=128 => {
                const $n: usize = 2;
                $call
            }
            129..=256 => {
                const $n: usize = 4;
                $call
            }
            _ => {
                const $n: usize = $crate::WIDEST;
                $call
            }
        }
    };
}
pub(crate) use with_words;

/// The space of the player's steps, for boards whose packed states fit into `N` words.
#[derive(Clone, Debug)]
pub struct Steps<const N: usize> {
    pub(crate) board: Board,
    /// Where the player's square begins in a key, and how many bits it has.
    player_at: (usize, usize),
}

/// The player and the boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State<const N: usize> {
    /// The player's square.
    pub player: Square,
    /// The number of boxes off goals.
    pub loose: u16,
    /// The squares with boxes.
    pub boxes: Bits<N>,
}

/// The steps that are possible, as bits in the order of [`DIRS`].
#[derive(Clone, Debug)]
pub struct Open(u8);

impl Iterator for Open {
    type Item = Dir;
    #[inline]
    fn next(&mut self) -> Option<Dir> {
        let dir = *DIRS.get(self.0.trailing_zeros() as usize)?;
        self.0 &= self.0.wrapping_sub(1);
        Some(dir)
    }
}

/// Bits of a packed state: one per square, and the player's square.
pub fn state_bits(board: &Board) -> usize {
    board.squares() + field(board.squares())
}

impl<const N: usize> Steps<N> {
    /// The space of a board; `None` if its states need more than `N` words.
    pub fn new(board: &Board) -> Option<Self> {
        (state_bits(board) <= 64 * N).then(|| Self { board: board.clone(), player_at: Self::fields(board) })
    }

    /// Where the player's square begins in a key, and how many bits it has.
    fn fields(board: &Board) -> (usize, usize) {
        (board.squares(), field(board.squares()))
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The state with the player and the boxes here.
    pub fn state(&self, player: Square, boxes: &[Square]) -> State<N> {
        let mut state = State { player, loose: 0, boxes: Bits::default() };
        for &at in boxes {
            state.boxes.set(at);
            state.loose += u16::from(!self.board.is_goal(at));
        }
        state
    }

    /// The key of these boxes with the player here.
    #[inline]
    pub(crate) fn key(&self, player: Square, mut boxes: Bits<N>) -> [u64; N] {
        boxes.put(self.player_at, u64::from(player));
        boxes.0
    }

    /// The player and the boxes of a key.
    #[inline]
    pub(crate) fn parts(&self, key: &[u64; N]) -> (Square, Bits<N>) {
        let mut boxes = Bits(*key);
        let player = boxes.take(self.player_at) as Square;
        (player, boxes)
    }

    /// The box that was pushed by the step that led here, if it was a push: there is a box in front of the player.
    #[inline]
    pub fn ahead(&self, state: &State<N>, last: Dir) -> Option<Square> {
        let front = self.board.next(state.player, last);
        (front != NOWHERE && state.boxes.has(front)).then_some(front)
    }

    #[inline]
    fn can(&self, state: &State<N>, dir: Dir) -> bool {
        let to = self.board.next(state.player, dir);
        if to == NOWHERE {
            return false;
        }
        if !state.boxes.has(to) {
            return true;
        }
        let beyond = self.board.next(to, dir);
        beyond != NOWHERE && !state.boxes.has(beyond)
    }

    #[inline]
    fn shift(&self, state: &mut State<N>, from: Square, to: Square) {
        state.boxes.clear(from);
        state.boxes.set(to);
        state.loose += u16::from(self.board.is_goal(from));
        state.loose -= u16::from(self.board.is_goal(to));
    }
}

/// Words enough for every board that can be read.
pub const WIDEST: usize = board::MAX_SQUARES / 64 + 1;

impl Steps<WIDEST> {
    /// The space of any board.
    pub fn widest(board: &Board) -> Self {
        Self { board: board.clone(), player_at: Self::fields(board) }
    }
}

impl<const N: usize> Space for Steps<N> {
    type State = State<N>;
    type Move = Dir;
    /// Was it a push?
    type Undo = bool;
    type Moves = Open;
    type Key = [u64; N];

    fn start(&self) -> State<N> {
        self.state(self.board.player(), self.board.boxes())
    }

    #[inline]
    fn moves(&self, state: &State<N>) -> Open {
        let mut open = 0;
        for dir in DIRS {
            open |= u8::from(self.can(state, dir)) << dir as u8;
        }
        Open(open)
    }

    #[inline]
    fn apply(&self, state: &mut State<N>, dir: Dir) -> bool {
        let to = self.board.next(state.player, dir);
        let push = state.boxes.has(to);
        if push {
            let beyond = self.board.next(to, dir);
            self.shift(state, to, beyond);
        }
        state.player = to;
        push
    }

    #[inline]
    fn undo(&self, state: &mut State<N>, dir: Dir, push: bool) {
        if push {
            let beyond = self.board.next(state.player, dir);
            self.shift(state, beyond, state.player);
        }
        state.player = self.board.next(state.player, dir.back());
    }

    #[inline]
    fn is_goal(&self, state: &State<N>) -> bool {
        state.loose == 0 && self.board.lost() == 0
    }

    #[inline]
    fn pack(&self, state: &State<N>) -> [u64; N] {
        self.key(state.player, state.boxes)
    }

    fn unpack(&self, key: &[u64; N]) -> State<N> {
        let (player, boxes) = self.parts(key);
        let loose = boxes.iter().filter(|&at| !self.board.is_goal(at)).count() as u16;
        State { player, loose, boxes }
    }

    fn key_width(&self) -> usize {
        state_bits(&self.board).div_ceil(8)
    }

    #[inline]
    fn moves_after(&self, state: &State<N>, last: Dir) -> Open {
        let mut open = self.moves(state);
        // A step that pushed nothing is only taken back by its opposite. A box ahead may have been pushed.
        if self.ahead(state, last).is_none() {
            open.0 &= !(1 << last.back() as u8);
        }
        open
    }

    fn cost(&self, _: &State<N>, _: Dir) -> Cost {
        1
    }

    fn domains(&self) -> Option<Vec<u32>> {
        let squares = self.board.squares();
        let mut domains = vec![2; squares + 1];
        domains[squares] = squares as u32;
        Some(domains)
    }

    fn values(&self, state: &State<N>, values: &mut [u32]) {
        for (at, value) in values.iter_mut().enumerate() {
            *value = if at == self.board.squares() {
                u32::from(state.player)
            } else {
                u32::from(state.boxes.has(at as Square))
            };
        }
    }
}

impl<const N: usize> Steps<N> {
    /// The letter of a step: a capital where it pushes a box.
    fn letter(&self, state: &State<N>, dir: Dir) -> char {
        let to = self.board.next(state.player, dir);
        dir.letter(to != NOWHERE && state.boxes.has(to))
    }
}

impl<const N: usize> Notation for Steps<N> {
    fn show(&self, state: &State<N>, dir: Dir) -> String {
        self.letter(state, dir).to_string()
    }

    fn named(&self, state: &State<N>, name: &str) -> Option<Dir> {
        self.moves(state).find(|&dir| name.strip_prefix(self.letter(state, dir)) == Some(""))
    }

    fn scene(&self, state: &State<N>) -> Scene {
        scene(&self.board, state.player, &|at| state.boxes.has(at))
    }

    fn puzzle_at(&self, state: &State<N>) -> Box<dyn Puzzle> {
        let boxes: Vec<Square> = state.boxes.iter().collect();
        Box::new(Sokoban::new(self.board.with(state.player, &boxes)))
    }

    fn counts(&self, history: &[String]) -> Vec<(&'static str, usize)> {
        let is_push = |step: &&String| step.chars().all(char::is_uppercase);
        vec![("pushes", history.iter().filter(is_push).count())]
    }

    /// There is only one thing to move, the player.
    fn toward(&self, state: &State<N>, _: Option<u16>, way: Way) -> Option<String> {
        Dir::of(way.letter()).map(|dir| self.show(state, dir))
    }

    fn refusal(&self, state: &State<N>, step: &str) -> String {
        let mut letters = step.chars();
        let (Some(dir), None) = (letters.next().and_then(Dir::of), letters.next()) else {
            return format!("{step} is no step: l, r, u, d move and L, R, U, D push");
        };
        let to = self.board.next(state.player, dir);
        if to == NOWHERE {
            return "there is a wall".to_owned();
        }
        match (state.boxes.has(to), self.can(state, dir)) {
            (true, false) => "the box cannot be pushed there".to_owned(),
            (true, true) => format!("this step pushes a box: write it {}", dir.letter(true)),
            (false, _) => format!("this step pushes nothing: write it {}", dir.letter(false)),
        }
    }
}
