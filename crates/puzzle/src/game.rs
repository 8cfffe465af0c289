//! A puzzle being played: by a person, by a replay, by a page.

use beeline_search::Space;

use crate::puzzle::Puzzle;
use crate::scene::Scene;

/// A puzzle in play. Steps are the words of the puzzle's plan notation, as they are printed and read everywhere.
pub trait Game: Send {
    /// What it looks like now.
    fn scene(&self) -> Scene;
    /// The steps that are possible now, in the puzzle's own order.
    fn legal(&self) -> Vec<String>;
    /// Plays a step; the error says why it is not possible, in a short sentence for the player.
    fn play(&mut self, step: &str) -> Result<(), String>;
    /// Takes the last step back; `false` at the start.
    fn undo(&mut self) -> bool;
    /// Is it solved?
    fn solved(&self) -> bool;
    /// The steps played so far.
    fn history(&self) -> &[String];
    /// The puzzle as it stands now, for hints and for solving from here.
    fn here(&self) -> Box<dyn Puzzle>;
}

/// A space whose moves have names and whose states have pictures.
pub trait Notation: Space {
    /// The name of a move.
    fn show(&self, state: &Self::State, mv: Self::Move) -> String;
    /// The picture of a state.
    fn scene(&self, state: &Self::State) -> Scene;
    /// The puzzle whose start is this state.
    fn puzzle_at(&self, state: &Self::State) -> Box<dyn Puzzle>;
    /// Why a step that is not legal is not; a default for all.
    fn refusal(&self, state: &Self::State, step: &str) -> String {
        let _ = state;
        format!("{step} is not possible here")
    }
}

/// Any space with a notation is a game.
pub struct SpaceGame<S: Space> {
    space: S,
    state: S::State,
    taken: Vec<(S::Move, S::Undo)>,
    history: Vec<String>,
}

impl<S: Notation> SpaceGame<S> {
    /// A new game.
    pub fn new(space: S) -> Self {
        let state = space.start();
        Self { space, state, taken: Vec::new(), history: Vec::new() }
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
        let mv = self.space.moves(&self.state).find(|&mv| self.space.show(&self.state, mv) == step);
        let mv = mv.ok_or_else(|| self.space.refusal(&self.state, step))?;
        let token = self.space.apply(&mut self.state, mv);
        self.taken.push((mv, token));
        self.history.push(step.to_owned());
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let Some((mv, token)) = self.taken.pop() else { return false };
        self.space.undo(&mut self.state, mv, token);
        self.history.pop();
        true
    }

    fn solved(&self) -> bool {
        self.space.is_goal(&self.state)
    }

    fn history(&self) -> &[String] {
        &self.history
    }

    fn here(&self) -> Box<dyn Puzzle> {
        self.space.puzzle_at(&self.state)
    }
}
