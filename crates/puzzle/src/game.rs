//! A puzzle in play: by a person, a replay, or a page.

use beeline_search::Space;

use crate::puzzle::Puzzle;
use crate::scene::Scene;

/// A direction on the board from the player's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Upwards.
    Up,
    /// Downwards.
    Down,
}

impl Way {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Up, Self::Down];

    /// The first letter of its name, small: `l`, `r`, `u` or `d`.
    pub fn letter(self) -> char {
        match self {
            Self::Left => 'l',
            Self::Right => 'r',
            Self::Up => 'u',
            Self::Down => 'd',
        }
    }

    /// Rows down and columns to the right of one step.
    pub fn delta(self) -> (isize, isize) {
        match self {
            Self::Left => (0, -1),
            Self::Right => (0, 1),
            Self::Up => (-1, 0),
            Self::Down => (1, 0),
        }
    }
}

/// The interpretation of a drag over several cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stroke {
    /// The drawn thing, by its `id` in the scene.
    pub thing: u16,
    /// The step that draws it from the current position; `None` if nothing changes.
    pub step: Option<String>,
    /// Why it does not reach the last cell, in a short sentence for the player.
    pub refused: Option<String>,
}

/// A puzzle in play. Steps are words of the puzzle's plan notation.
pub trait Game: Send {
    /// The picture of the current position.
    fn scene(&self) -> Scene;
    /// The legal steps, in the puzzle's own order.
    fn legal(&self) -> Vec<String>;
    /// Plays a step. The error says why it is illegal, in a short sentence for the player.
    fn play(&mut self, step: &str) -> Result<(), String>;
    /// The step for an arrow key or a drag: this thing of the scene (by its `id`) moves one cell this way. The step may be
    /// illegal; [`play`](Game::play) decides. `thing` is `None` for what moves without being selected: the player, or the tile
    /// beside the blank. `None` if nothing moves like that.
    fn toward(&self, thing: Option<u16>, way: Way) -> Option<String> {
        let _ = (thing, way);
        None
    }
    /// The stroke along these cells of the scene: a press on the first one, then a drag over the others, of which some may be
    /// skipped. `None` if the first cell starts no drawing.
    fn stroke(&self, trail: &[usize]) -> Option<Stroke> {
        let _ = trail;
        None
    }
    /// The step for a press on this cell of the scene, legal or not. `None` if no cell can be pressed. Cells are numbered row
    /// by row.
    fn press(&self, cell: usize) -> Option<String> {
        let _ = cell;
        None
    }
    /// Undoes the last step; `false` at the start.
    fn undo(&mut self) -> bool;
    /// Is it solved?
    fn solved(&self) -> bool;
    /// The steps played so far.
    fn history(&self) -> &[String];
    /// Counts besides the steps that are usual for this kind: ("pushes", 12).
    fn counts(&self) -> Vec<(&'static str, usize)> {
        Vec::new()
    }
    /// The puzzle that starts at the current position, for hints and solving.
    fn here(&self) -> Box<dyn Puzzle>;
}

/// A space whose moves have names and whose states have pictures.
pub trait Notation: Space {
    /// The name of a move.
    fn show(&self, state: &Self::State, mv: Self::Move) -> String;
    /// The move of this name, if it is legal. The default names the moves one by one. A space whose moves are letters compares
    /// those, without a string each.
    fn named(&self, state: &Self::State, name: &str) -> Option<Self::Move> {
        self.moves(state).find(|&mv| self.show(state, mv) == name)
    }
    /// The picture of a state.
    fn scene(&self, state: &Self::State) -> Scene;
    /// The puzzle whose start is this state.
    fn puzzle_at(&self, state: &Self::State) -> Box<dyn Puzzle>;
    /// The step that moves this thing of the scene one cell this way; see [`Game::toward`].
    fn toward(&self, state: &Self::State, thing: Option<u16>, way: Way) -> Option<String> {
        let _ = (state, thing, way);
        None
    }
    /// The step that a press on this cell means; see [`Game::press`].
    fn press(&self, state: &Self::State, cell: usize) -> Option<String> {
        let _ = (state, cell);
        None
    }
    /// The moves of this space that make up a longer step; empty if it is no such step. Plans that count a whole path as one
    /// move are played in a game of single cells.
    fn parts(&self, step: &str) -> Vec<String> {
        let _ = step;
        Vec::new()
    }
    /// Counts besides the steps; see [`Game::counts`].
    fn counts(&self, history: &[String]) -> Vec<(&'static str, usize)> {
        let _ = history;
        Vec::new()
    }
    /// Why a step is illegal. The default fits every puzzle.
    fn refusal(&self, state: &Self::State, step: &str) -> String {
        let _ = state;
        format!("{step} is not possible here")
    }
}

/// How often the moving thing changes: consecutive steps of one thing are one move.
pub fn turns<T: PartialEq>(things: impl Iterator<Item = T>) -> usize {
    let (mut count, mut last) = (0, None);
    for thing in things {
        let thing = Some(thing);
        count += usize::from(thing != last);
        last = thing;
    }
    count
}

/// The game of a space with a notation.
pub struct SpaceGame<S: Space> {
    space: S,
    state: S::State,
    /// The moves of each step, usually one.
    taken: Vec<Vec<(S::Move, S::Undo)>>,
    history: Vec<String>,
}

impl<S: Notation> SpaceGame<S> {
    /// A new game.
    pub fn new(space: S) -> Self {
        let state = space.start();
        Self { space, state, taken: Vec::new(), history: Vec::new() }
    }

    /// Makes a move of the space by its name, and returns what its undo needs.
    fn make(&mut self, name: &str) -> Option<(S::Move, S::Undo)> {
        let mv = self.space.named(&self.state, name)?;
        Some((mv, self.space.apply(&mut self.state, mv)))
    }

    fn take_back(&mut self, made: Vec<(S::Move, S::Undo)>) {
        for (mv, token) in made.into_iter().rev() {
            self.space.undo(&mut self.state, mv, token);
        }
    }
}

impl<S> Game for SpaceGame<S>
where
    S: Notation + Send,
    S::State: Send,
    S::Undo: Send,
{
    fn scene(&self) -> Scene {
        self.space.scene(&self.state)
    }

    fn legal(&self) -> Vec<String> {
        self.space.moves(&self.state).map(|mv| self.space.show(&self.state, mv)).collect()
    }

    fn play(&mut self, step: &str) -> Result<(), String> {
        let mut made: Vec<_> = self.make(step).into_iter().collect();
        if made.is_empty() {
            let parts = self.space.parts(step);
            made = parts.iter().map_while(|part| self.make(part)).collect();
            if parts.is_empty() || made.len() < parts.len() {
                self.take_back(made);
                return Err(self.space.refusal(&self.state, step));
            }
        }
        self.taken.push(made);
        self.history.push(step.to_owned());
        Ok(())
    }

    fn toward(&self, thing: Option<u16>, way: Way) -> Option<String> {
        self.space.toward(&self.state, thing, way)
    }

    fn press(&self, cell: usize) -> Option<String> {
        self.space.press(&self.state, cell)
    }

    fn undo(&mut self) -> bool {
        let Some(made) = self.taken.pop() else { return false };
        self.take_back(made);
        self.history.pop();
        true
    }

    fn solved(&self) -> bool {
        self.space.is_goal(&self.state)
    }

    fn history(&self) -> &[String] {
        &self.history
    }

    fn counts(&self) -> Vec<(&'static str, usize)> {
        self.space.counts(&self.history)
    }

    fn here(&self) -> Box<dyn Puzzle> {
        self.space.puzzle_at(&self.state)
    }
}
