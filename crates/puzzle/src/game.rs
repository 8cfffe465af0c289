//! A puzzle being played: by a person, by a replay, by a page.

use beeline_search::Space;

use crate::puzzle::Puzzle;
use crate::scene::Scene;

/// A direction on the board, as a player means it.
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

/// What a drag over some cells means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stroke {
    /// The thing that is drawn, by its `id` in the scene.
    pub thing: u16,
    /// The step that draws it from where the game stands; `None` if nothing changes.
    pub step: Option<String>,
    /// Why it does not reach the last cell, in a short sentence for the player.
    pub refused: Option<String>,
}

/// A puzzle in play. Steps are the words of the puzzle's plan notation, as they are printed and read everywhere.
pub trait Game: Send {
    /// What it looks like now.
    fn scene(&self) -> Scene;
    /// The steps that are possible now, in the puzzle's own order.
    fn legal(&self) -> Vec<String>;
    /// Plays a step; the error says why it is not possible, in a short sentence for the player.
    fn play(&mut self, step: &str) -> Result<(), String>;
    /// The step that an arrow key or a drag means: this thing of the scene (by its `id`), one cell this way, whether that is
    /// possible or not ([`play`](Game::play) tells). No thing stands for what moves without being chosen: the player, the
    /// tile beside the blank. `None` where nothing moves like that.
    fn toward(&self, thing: Option<u16>, way: Way) -> Option<String> {
        let _ = (thing, way);
        None
    }
    /// What drawing along these cells of the scene means: a press on the first one, then a drag over the others, of which some may
    /// be skipped. `None` where nothing is drawn from the first cell.
    fn stroke(&self, trail: &[usize]) -> Option<Stroke> {
        let _ = trail;
        None
    }
    /// The step that a press on this cell of the scene means, whether it is possible or not. `None` where no cell can be
    /// pressed. Cells are numbered row by row.
    fn press(&self, cell: usize) -> Option<String> {
        let _ = cell;
        None
    }
    /// Takes the last step back; `false` at the start.
    fn undo(&mut self) -> bool;
    /// Is it solved?
    fn solved(&self) -> bool;
    /// The steps played so far.
    fn history(&self) -> &[String];
    /// What players of this kind count beside the steps: ("pushes", 12).
    fn counts(&self) -> Vec<(&'static str, usize)> {
        Vec::new()
    }
    /// The puzzle as it stands now, for hints and for solving from here.
    fn here(&self) -> Box<dyn Puzzle>;
}

/// A space whose moves have names and whose states have pictures.
pub trait Notation: Space {
    /// The name of a move.
    fn show(&self, state: &Self::State, mv: Self::Move) -> String;
    /// The move of this name, where it is possible. The default names one move after the other; a space whose moves are letters
    /// compares those, without a string for each.
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
    /// The moves of this space that a longer step consists of; none if it is no such step. Plans that count a whole way as one
    /// move are played in a game of single cells.
    fn parts(&self, step: &str) -> Vec<String> {
        let _ = step;
        Vec::new()
    }
    /// What players count beside the steps; see [`Game::counts`].
    fn counts(&self, history: &[String]) -> Vec<(&'static str, usize)> {
        let _ = history;
        Vec::new()
    }
    /// Why a step that is not legal is not; a default for all.
    fn refusal(&self, state: &Self::State, step: &str) -> String {
        let _ = state;
        format!("{step} is not possible here")
    }
}

/// How often the thing that moves is another one than before: steps of one thing in a row are one move.
pub fn turns<T: PartialEq>(things: impl Iterator<Item = T>) -> usize {
    let (mut count, mut last) = (0, None);
    for thing in things {
        let thing = Some(thing);
        count += usize::from(thing != last);
        last = thing;
    }
    count
}

/// Any space with a notation is a game.
pub struct SpaceGame<S: Space> {
    space: S,
    state: S::State,
    /// The moves of each step, most often one.
    taken: Vec<Vec<(S::Move, S::Undo)>>,
    history: Vec<String>,
}

impl<S: Notation> SpaceGame<S> {
    /// A new game.
    pub fn new(space: S) -> Self {
        let state = space.start();
        Self { space, state, taken: Vec::new(), history: Vec::new() }
    }

    /// Makes a move of the space by its name; what it takes to take it back.
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
