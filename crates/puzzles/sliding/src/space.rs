//! The space of a sliding-block board, for every strategy of the engine.
//!
//! Moves come in a fixed order: by piece, then up, down, left, right. Under [`Metric::Moves`] a move takes one piece any
//! distance along any path, and moves are ordered by piece, then by the number of steps, then by direction.

use std::fmt;
use std::sync::Arc;

use beeline_search::{Key, Space};

use super::board::{Board, STUCK};
use super::layout::{Dir, Ground, Layout, MAX_PIECES};
use super::mask::Mask;
use beeline_puzzle::game::{Notation, Way, turns};
use beeline_puzzle::puzzle::Puzzle;
use beeline_puzzle::scene::{self, Form, Scene, Thing};

/// The unit of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// One piece, one cell.
    #[default]
    Steps,
    /// One piece, any distance in one direction.
    Lines,
    /// One piece, any path.
    Moves,
}

/// The puzzle-specific part of the engine: names and a file format.
pub trait Face: Send + Sync {
    /// The name of a move of this piece along these directions (at least one).
    fn show(&self, piece: usize, way: &[Dir]) -> String;
    /// The label of a piece.
    fn label(&self, piece: usize) -> String;
    /// The puzzle with this start.
    fn puzzle(&self, layout: Layout) -> Box<dyn Puzzle>;
}

/// The position of every piece.
#[derive(Clone)]
pub struct State<const N: usize> {
    /// The anchor of each piece.
    pub at: [u16; MAX_PIECES],
    /// The cells that any piece covers.
    pub occupied: Mask<N>,
}

/// A move: a piece, and a direction or a far anchor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// The piece.
    pub piece: u8,
    /// The direction of a single step; [`FAR`] if `to` gives the target.
    pub dir: u8,
    /// The target anchor of a far move.
    pub to: u16,
}

/// The `dir` of a move that is not a single step.
pub const FAR: u8 = 4;

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.dir {
            FAR => write!(f, "{}→{}", self.piece, self.to),
            dir => write!(f, "{}{}", self.piece, Dir::number(dir as usize).letter()),
        }
    }
}

/// The moves of one state: single steps as bits (four per piece), or a list of far moves.
pub enum Moves {
    /// Bit `4 * piece + direction`.
    Steps([u64; MAX_PIECES / 16]),
    /// Far moves in order, and the number already returned.
    Far(Vec<Move>, usize),
}

impl Iterator for Moves {
    type Item = Move;
    #[inline]
    fn next(&mut self) -> Option<Move> {
        match self {
            Self::Steps(words) => {
                for (i, word) in words.iter_mut().enumerate() {
                    if *word != 0 {
                        let bit = word.trailing_zeros() as u8;
                        *word &= *word - 1;
                        return Some(Move { piece: 16 * i as u8 + bit / 4, dir: bit % 4, to: 0 });
                    }
                }
                None
            }
            Self::Far(list, given) => {
                let mv = list.get(*given).copied();
                *given += usize::from(mv.is_some());
                mv
            }
        }
    }
}

/// A key that fits every board: for games, which do not pack.
pub type Roomy = [u64; KEY_WORDS];

/// A board as a space. `K` must hold the keys: see [`Slide::new`].
#[derive(Clone)]
pub struct Slide<const N: usize, K> {
    board: Arc<Board<N>>,
    pub(crate) face: Arc<dyn Face>,
    metric: Metric,
    merged: bool,
    by_place: bool,
    /// Bits per anchor of each shape.
    bits: Vec<u32>,
    key_bits: u32,
    key: std::marker::PhantomData<K>,
}

/// Most goal states that [`Space::goals`] lists.
const MOST_GOALS: usize = 100_000;
/// Most partial placements that it tries for that.
const MOST_TRIES: u32 = 4_000_000;

impl<const N: usize> Slide<N, Roomy> {
    /// The space of a board for a game.
    pub fn game(board: Arc<Board<N>>, face: Arc<dyn Face>) -> Self {
        let (bits, key_bits) = key_bits(&board);
        let key = std::marker::PhantomData;
        Self { board, face, metric: Metric::Steps, merged: false, by_place: false, bits, key_bits, key }
    }
}

/// The bits of an anchor of each shape, and those of all pieces together.
fn key_bits<const N: usize>(board: &Board<N>) -> (Vec<u32>, u32) {
    let bits: Vec<u32> = board.shapes.iter().map(|s| usize::BITS - (s.len() - 1).leading_zeros()).collect();
    let all = board.shape_of.iter().map(|&k| bits[k as usize]).sum();
    (bits, all)
}

impl<const N: usize, K: Key> Slide<N, K> {
    /// The space of a board. If `merged`, states share a key if they differ only in an exchange of pieces of one shape. `None`
    /// if the keys do not fit into `K`.
    pub fn new(board: Arc<Board<N>>, face: Arc<dyn Face>, metric: Metric, merged: bool) -> Option<Self> {
        let (bits, key_bits) = key_bits(&board);
        let fits = key_bits as usize <= 8 * K::BYTES;
        let key = std::marker::PhantomData;
        fits.then_some(Self { board, face, metric, merged, by_place: false, bits, key_bits, key })
    }

    /// The same space with its single steps in another order: piece 0 first, then the others by position, row by row. If pieces
    /// are merged, all states with one key have the same order.
    #[must_use]
    pub fn by_place(mut self) -> Self {
        self.by_place = true;
        self
    }

    /// The board.
    pub fn board(&self) -> &Board<N> {
        &self.board
    }

    /// The unit of a move.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    pub(crate) fn state(&self, anchors: impl Iterator<Item = u16>) -> State<N> {
        let mut state = State { at: [0; MAX_PIECES], occupied: Mask::EMPTY };
        for (piece, a) in anchors.enumerate() {
            state.at[piece] = a;
            state.occupied = state.occupied.with(&self.board.shape(piece).masks[a as usize]);
        }
        state
    }

    #[inline(always)]
    fn target(&self, state: &State<N>, mv: Move) -> u16 {
        if mv.dir == FAR {
            return mv.to;
        }
        let piece = mv.piece as usize;
        self.board.shape(piece).next[state.at[piece] as usize][mv.dir as usize]
    }

    #[inline(always)]
    fn put(&self, state: &mut State<N>, piece: usize, to: u16) -> u16 {
        let masks = &self.board.shape(piece).masks;
        let from = std::mem::replace(&mut state.at[piece], to);
        state.occupied = state.occupied.without(&masks[from as usize]).with(&masks[to as usize]);
        from
    }

    #[inline]
    fn steps(&self, state: &State<N>) -> [u64; MAX_PIECES / 16] {
        let mut words = [0; MAX_PIECES / 16];
        for piece in 0..self.board.pieces() {
            let shape = self.board.shape(piece);
            let from = state.at[piece] as usize;
            let others = state.occupied.without(&shape.masks[from]);
            for (dir, &to) in shape.next[from].iter().enumerate() {
                let free = to != STUCK && !shape.masks[to as usize].meets(&others);
                words[piece / 16] |= u64::from(free) << (4 * (piece % 16) + dir);
            }
        }
        words
    }

    /// The single steps, ordered by position.
    fn steps_by_place(&self, state: &State<N>) -> Moves {
        let mut steps: Vec<Move> = Moves::Steps(self.steps(state)).collect();
        let first = |piece: u8| self.board.shape(piece as usize).cells[state.at[piece as usize] as usize];
        steps.sort_by_key(|step| if step.piece == 0 { 0 } else { 1 + u32::from(first(step.piece)) });
        Moves::Far(steps, 0)
    }

    /// All targets of a piece in one move of the metric, nearest first, with their paths.
    fn far(&self, state: &State<N>, piece: usize) -> Vec<(u16, Vec<Dir>)> {
        let shape = self.board.shape(piece);
        let from = state.at[piece];
        let others = state.occupied.without(&shape.masks[from as usize]);
        let mut reached: Vec<(u16, Vec<Dir>)> = vec![(from, Vec::new())];
        let mut head = 0;
        while head < reached.len() {
            let (at, way) = reached[head].clone();
            head += 1;
            for dir in Dir::ALL {
                if self.metric != Metric::Moves && way.last().is_some_and(|&last| last != dir) {
                    continue;
                }
                let to = shape.next[at as usize][dir as usize];
                let new = to != STUCK && reached.iter().all(|r| r.0 != to);
                if new && !shape.masks[to as usize].meets(&others) {
                    let mut way = way.clone();
                    way.push(dir);
                    reached.push((to, way));
                }
            }
            if self.metric == Metric::Steps {
                break;
            }
        }
        reached.remove(0);
        reached
    }

    fn far_moves(&self, state: &State<N>, skip: Option<usize>) -> Moves {
        let pieces = (0..self.board.pieces()).filter(|&p| Some(p) != skip);
        let list: Vec<Move> = pieces
            .flat_map(|piece| {
                let reached = self.far(state, piece).into_iter();
                reached.map(move |(to, _)| Move { piece: piece as u8, dir: FAR, to })
            })
            .collect();
        Moves::Far(list, 0)
    }

    /// The path of a move, step by step.
    pub fn way(&self, state: &State<N>, mv: Move) -> Vec<Dir> {
        if mv.dir != FAR {
            return vec![Dir::number(mv.dir as usize)];
        }
        let reached = self.far(state, mv.piece as usize);
        reached.into_iter().find(|r| r.0 == mv.to).map_or(Vec::new(), |r| r.1)
    }

    /// Places the pieces from `piece` on in every possible way, pieces of one shape in ascending order only. `false` if that is
    /// too much work or too many.
    fn place_rest(
        &self,
        piece: usize,
        state: &mut State<N>,
        tries: &mut u32,
        found: &mut Vec<State<N>>,
    ) -> bool {
        *tries += 1;
        if *tries > MOST_TRIES {
            return false;
        }
        if piece == self.board.pieces() {
            if self.is_goal(state) {
                found.push(state.clone());
            }
            return found.len() <= MOST_GOALS;
        }
        let shape = self.board.shape(piece);
        let twin = shape.pieces.iter().copied().rfind(|&p| p < piece && self.merged);
        let from = twin.map_or(0, |p| state.at[p] as usize + 1);
        for anchor in from..shape.len() {
            let mask = &shape.masks[anchor];
            if mask.meets(&state.occupied) {
                continue;
            }
            let before = state.occupied;
            state.occupied = before.with(mask);
            state.at[piece] = anchor as u16;
            let go_on = self.place_rest(piece + 1, state, tries, found);
            state.occupied = before;
            if !go_on {
                return false;
            }
        }
        true
    }

    /// Calls `f` with each anchor and its bits, in key order.
    #[inline(always)]
    fn in_key_order(&self, state: &State<N>, mut f: impl FnMut(u16, u32)) {
        if !self.merged {
            for piece in 0..self.board.pieces() {
                f(state.at[piece], self.bits[self.board.shape_of[piece] as usize]);
            }
            return;
        }
        for (shape, &bits) in self.board.shapes.iter().zip(&self.bits) {
            if let [piece] = shape.pieces[..] {
                f(state.at[piece], bits);
                continue;
            }
            let mut sorted = [0u16; MAX_PIECES];
            for (n, &piece) in shape.pieces.iter().enumerate() {
                let a = state.at[piece];
                let mut i = n;
                while i > 0 && sorted[i - 1] > a {
                    sorted[i] = sorted[i - 1];
                    i -= 1;
                }
                sorted[i] = a;
            }
            for &a in &sorted[..shape.pieces.len()] {
                f(a, bits);
            }
        }
    }
}

/// Enough words for [`MAX_PIECES`] anchors of 12 bits.
const KEY_WORDS: usize = MAX_PIECES * 12 / 64;

impl<const N: usize, K: Key> Space for Slide<N, K> {
    type State = State<N>;
    type Move = Move;
    type Undo = u16;
    type Moves = Moves;
    type Key = K;

    fn start(&self) -> State<N> {
        self.state(self.board.start.iter().copied())
    }

    #[inline]
    fn moves(&self, state: &State<N>) -> Moves {
        match self.metric {
            Metric::Steps if self.by_place => self.steps_by_place(state),
            Metric::Steps => Moves::Steps(self.steps(state)),
            _ => self.far_moves(state, None),
        }
    }

    fn moves_heap(&self, moves: &Moves) -> usize {
        match moves {
            Moves::Steps(_) => 0,
            Moves::Far(list, _) => list.capacity() * size_of::<Move>(),
        }
    }

    #[inline]
    fn moves_after(&self, state: &State<N>, last: Move) -> Moves {
        match self.metric {
            Metric::Steps => {
                let mut words = self.steps(state);
                let bit = 4 * (last.piece as usize % 16) + (last.dir as usize ^ 1);
                words[last.piece as usize / 16] &= !(1 << bit);
                Moves::Steps(words)
            }
            Metric::Lines => self.far_moves(state, None),
            // Another move of the same piece reaches nothing that one move does not.
            Metric::Moves => self.far_moves(state, Some(last.piece as usize)),
        }
    }

    #[inline]
    fn apply(&self, state: &mut State<N>, mv: Move) -> u16 {
        let to = self.target(state, mv);
        self.put(state, mv.piece as usize, to)
    }

    #[inline]
    fn undo(&self, state: &mut State<N>, mv: Move, from: u16) {
        self.put(state, mv.piece as usize, from);
    }

    #[inline]
    fn is_goal(&self, state: &State<N>) -> bool {
        self.board.targets.iter().all(|(k, cells)| {
            let shape = &self.board.shapes[*k];
            let covered =
                shape.pieces.iter().fold(Mask::EMPTY, |m, &p| m.with(&shape.masks[state.at[p] as usize]));
            covered.covers(cells)
        })
    }

    #[inline]
    fn pack(&self, state: &State<N>) -> K {
        if K::WORDS == 1 {
            let (mut word, mut shift) = (0u64, 0);
            self.in_key_order(state, |a, bits| {
                // After 64 bits a key field has no bits and would be shifted too far; it contributes nothing.
                word |= u64::from(a).checked_shl(shift).unwrap_or(0);
                shift += bits;
            });
            return K::from_words(|_| word);
        }
        let (mut words, mut at) = ([0u64; KEY_WORDS + 1], 0);
        self.in_key_order(state, |a, bits| {
            let wide = u128::from(a) << (at % 64);
            words[at as usize / 64] |= wide as u64;
            words[at as usize / 64 + 1] |= (wide >> 64) as u64;
            at += bits;
        });
        K::from_words(|i| words[i])
    }

    fn unpack(&self, key: &K) -> State<N> {
        let mut state = State { at: [0; MAX_PIECES], occupied: Mask::EMPTY };
        self.unpack_into(key, &mut state);
        state
    }

    #[inline]
    fn unpack_into(&self, key: &K, state: &mut State<N>) {
        state.occupied = Mask::EMPTY;
        let mut at = 0;
        let mut take = |bits: u32| {
            let (word, shift) = (at as usize / 64, at % 64);
            at += bits;
            let low = if word < K::WORDS { key.word(word) >> shift } else { 0 };
            let high = if shift + bits > 64 { key.word(word + 1) << (64 - shift) } else { 0 };
            ((low | high) & ((1 << bits) - 1)) as u16
        };
        let mut put = |piece: usize, shape: &super::Shape<N>, a: u16| {
            state.at[piece] = a;
            state.occupied = state.occupied.with(&shape.masks[a as usize]);
        };
        if self.merged {
            for (shape, &bits) in self.board.shapes.iter().zip(&self.bits) {
                for &piece in &shape.pieces {
                    put(piece, shape, take(bits));
                }
            }
        } else {
            for piece in 0..self.board.pieces() {
                put(piece, self.board.shape(piece), take(self.bits[self.board.shape_of[piece] as usize]));
            }
        }
    }

    fn key_width(&self) -> usize {
        (self.key_bits as usize).div_ceil(8).max(1)
    }

    fn reversible(&self) -> bool {
        true
    }

    fn goals(&self) -> Option<Vec<State<N>>> {
        let mut found = Vec::new();
        let mut state = State { at: [0; MAX_PIECES], occupied: Mask::EMPTY };
        self.place_rest(0, &mut state, &mut 0, &mut found).then_some(found)
    }

    fn domains(&self) -> Option<Vec<u32>> {
        Some((0..self.board.pieces()).map(|p| self.board.shape(p).len() as u32).collect())
    }

    #[inline]
    fn values(&self, state: &State<N>, values: &mut [u32]) {
        for (value, &a) in values.iter_mut().zip(&state.at) {
            *value = u32::from(a);
        }
    }
}

impl<const N: usize, K: Key> Notation for Slide<N, K> {
    fn show(&self, state: &State<N>, mv: Move) -> String {
        self.face.show(mv.piece as usize, &self.way(state, mv))
    }

    fn scene(&self, state: &State<N>) -> Scene {
        scene_of(&self.board.layout_at(&state.at), &*self.face)
    }

    fn toward(&self, _: &State<N>, thing: Option<u16>, way: Way) -> Option<String> {
        let piece = usize::from(thing?);
        let dir = Dir::from_letter(way.letter())?;
        (piece < self.board.pieces()).then(|| self.face.show(piece, &[dir]))
    }

    fn parts(&self, step: &str) -> Vec<String> {
        let plain = step.trim_matches(['(', ')']);
        let parts = |piece: usize| {
            let rest = plain.strip_prefix(&self.face.label(piece))?;
            // Words or letters: a direction's letter is its word's first.
            let letters: Vec<char> = if rest.starts_with(',') {
                rest.split(',').filter_map(|word| word.chars().next()).collect()
            } else {
                rest.chars().collect()
            };
            let way: Vec<Dir> = letters.into_iter().map(Dir::from_letter).collect::<Option<_>>()?;
            let same = !way.is_empty() && self.face.show(piece, &way) == step;
            same.then(|| way.iter().map(|&dir| self.face.show(piece, &[dir])).collect())
        };
        (0..self.board.pieces()).find_map(parts).unwrap_or_default()
    }

    fn counts(&self, history: &[String]) -> Vec<(&'static str, usize)> {
        let piece = |step: &String| {
            let plain = step.trim_matches(['(', ')']);
            let label = plain.split(',').next().unwrap_or(plain);
            label.trim_end_matches(|c: char| Dir::from_letter(c).is_some()).to_owned()
        };
        vec![("moves", turns(history.iter().map(piece)))]
    }

    fn puzzle_at(&self, state: &State<N>) -> Box<dyn Puzzle> {
        self.face.puzzle(self.board.layout_at(&state.at))
    }
}

/// The picture of a layout.
pub fn scene_of(layout: &Layout, face: &dyn Face) -> Scene {
    let mut scene = Scene::new(layout.width, layout.height);
    for (cell, &ground) in scene.cells.iter_mut().zip(&layout.ground) {
        cell.ground = if ground == Ground::Wall { scene::Ground::Wall } else { scene::Ground::Floor };
    }
    for &c in layout.targets.iter().flat_map(|t| &t.cells) {
        scene.cells[c].ground = scene::Ground::Goal;
    }
    for (piece, cells) in layout.pieces.iter().enumerate() {
        for &c in cells {
            let label = face.label(piece);
            scene.cells[c].thing =
                Some(Thing { id: piece as u16, form: Form::Block, label, links: 0, colour: None });
        }
    }
    scene
}
