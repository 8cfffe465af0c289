//! Kinds and puzzles as the front ends see them, without puzzle-specific types.

use std::any::Any;
use std::path::Path;

use beeline_search::observer::NodeView;
use beeline_search::{Blind, Budget, Observer, Outcome, Search, Settings, Space, Stats, Unsupported};

use crate::environment::Environment;
use crate::game::{Game, Notation};
use crate::recipe::{Made, NotMade, Recipe};
use crate::scene::Scene;
use crate::text::TextError;

/// A puzzle file that ships with the program; its board is our own.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Its name on the command line, unique among all kinds: `gate-first`.
    pub name: &'static str,
    /// A description in a few words.
    pub title: &'static str,
    /// The file.
    pub text: &'static str,
}

/// A named option: a heuristic, an objective, a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The name.
    pub name: &'static str,
    /// Its effect, in a sentence.
    pub about: &'static str,
}

/// A kind of puzzle.
///
/// ```
/// use beeline_puzzle::Kind;
///
/// let tiles: &dyn Kind = &beeline_tiles::KIND;
/// assert_eq!(tiles.name(), "tiles");
/// assert!(tiles.recognises("3 1 2\n0 4 5\n6 7 8\n"));
/// let text = "3 1 2\n0 4 5\n6 7 x\n";
/// let error = tiles.parse(text).err().expect("x is no tile");
/// assert_eq!(error.position(text), (3, 5));
/// ```
pub trait Kind: Sync {
    /// The name: `gate`.
    fn name(&self) -> &'static str;
    /// The title: "Impassable Gate".
    fn title(&self) -> &'static str;
    /// The rules in two or three sentences.
    fn about(&self) -> &'static str;
    /// The controls by keys and mouse, in a sentence or two for the page.
    fn controls(&self) -> &'static str {
        "Drag a piece; or press its label (Space for the next), then arrow keys. Z undoes, Y redoes, R restarts, H hints."
    }
    /// Does this text look like a file of this kind? Called for every kind if none was named. It must be fast, may be wrong
    /// about broken files, and should reject files that are clearly of another kind.
    fn recognises(&self, text: &str) -> bool;
    /// Reads a file, which may hold several puzzles. The first error ends it.
    fn parse(&self, text: &str) -> Result<Vec<Box<dyn Puzzle>>, TextError>;
    /// Reads each puzzle of a file separately, in order: an unreadable one does not hide the others. The default suits kinds
    /// whose files hold one puzzle.
    fn parse_each(&self, text: &str) -> Vec<Result<Box<dyn Puzzle>, TextError>> {
        match self.parse(text) {
            Ok(puzzles) => puzzles.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        }
    }
    /// Reads a text of unknown kind as [`parse_each`](Kind::parse_each), if this kind [recognises](Kind::recognises) it. Kinds
    /// that must parse a text to recognise it do so once here.
    fn read(&self, text: &str) -> Option<Vec<Result<Box<dyn Puzzle>, TextError>>> {
        self.recognises(text).then(|| self.parse_each(text))
    }
    /// A file with plans inserted: for each plan, the number of its puzzle in the file, from 0, and its steps. `None` if files
    /// like this one hold no plans.
    fn with_plans(&self, text: &str, plans: &[(usize, Vec<String>)]) -> Option<String> {
        let _ = (text, plans);
        None
    }
    /// The puzzles that ship, easiest first; the first one is the tour's.
    fn examples(&self) -> &'static [Example];
    /// The available heuristics, the default first.
    fn heuristics(&self) -> &'static [Choice];
    /// The available objectives, the default first.
    fn objectives(&self) -> &'static [Choice];
    /// Strategies of this kind besides the engine's, the default first: `best` and its variants.
    fn solvers(&self) -> &'static [Choice];
    /// Dead-end rules that can be switched on by name.
    fn rules(&self) -> &'static [Choice] {
        &[]
    }
    /// The prefix of a comment line in a file of this kind.
    fn remark(&self) -> &'static str {
        ";"
    }
    /// Generates a new puzzle. The error says in a sentence what is impossible.
    fn make(&self, recipe: &Recipe) -> Result<Made, NotMade> {
        let _ = recipe;
        Err(format!("no {} can be made", self.name()).into())
    }
}

/// How to solve a puzzle. The default selects the kind's strongest way.
#[derive(Clone, Debug, Default)]
pub struct Job {
    /// A strategy of the engine or a solver of the kind; `None` is the kind's default solver.
    pub strategy: Option<String>,
    /// A heuristic of the kind; `None` is its default.
    pub heuristic: Option<String>,
    /// An objective of the kind; `None` is its default.
    pub objective: Option<String>,
    /// Dead-end rules of the kind; `None` is its default set.
    pub rules: Option<Vec<String>>,
    /// Width, weight, depth, seed, threads.
    pub settings: Settings,
}

/// The goal of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The picture.
    pub scene: Scene,
    /// The goal in a few words: "1 to 15 in rows, the blank last".
    pub words: String,
}

/// Another puzzle that the player may have meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Why it is offered, in one or two sentences.
    pub why: String,
    /// The label of accepting it, in a few words: "Play for the blank last".
    pub action: String,
    /// Its file.
    pub text: String,
}

impl Job {
    /// Configures an engine search with the settings of this job and a watcher. Every space and heuristic is compiled with all
    /// strategies, so a puzzle should use few different ones.
    pub fn search<'a, S: Notation>(
        &self,
        space: &'a S,
        budget: &Budget,
        watcher: &'a mut dyn Watcher,
    ) -> Search<'a, S, Blind, (), Relay<'a, S>> {
        let search = Search::new(space).settings(self.settings.clone()).budget(budget.clone());
        search.observer(Relay::new(space, watcher))
    }
}

/// One puzzle, parsed.
///
/// ```
/// use beeline_puzzle::{Job, Kind, Puzzle};
/// use beeline_search::{Budget, Verdict};
///
/// let puzzle = beeline_tiles::KIND.parse("3 1 2\n0 4 5\n6 7 8\n")?.remove(0);
/// let outcome = puzzle.solve(&Job::default(), &Budget::default(), &mut ())?;
/// let Verdict::Solved(plan) = outcome.verdict else { panic!("this board has a plan") };
///
/// let mut game = puzzle.game();
/// for step in &plan.moves {
///     game.play(step)?;
/// }
/// assert!(game.solved());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Puzzle: Send + Sync {
    /// Which kind it is.
    fn kind(&self) -> &'static dyn Kind;
    /// Its own title, if the file gives one.
    fn title(&self) -> Option<String> {
        None
    }
    /// The plan that the file gives with the puzzle, as steps. It is unchecked.
    fn given_plan(&self) -> Option<Vec<String>> {
        None
    }
    /// The puzzle as a file, in its canonical form. Parsing it gives the same puzzle, and the checker's own parser reads it.
    fn text(&self) -> String;
    /// Facts worth knowing before solving: ("pieces", "8").
    fn facts(&self) -> Vec<(&'static str, String)>;
    /// Oddities that are no errors.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
    /// The goal, if the board itself does not show it.
    fn goal(&self) -> Option<Goal> {
        None
    }
    /// Another puzzle that the player may have meant by the same text.
    fn offer(&self) -> Option<Offer> {
        None
    }
    /// Can this heuristic of the kind be used on this board?
    fn fits(&self, heuristic: &str) -> bool {
        let _ = heuristic;
        true
    }
    /// Solves it. Steps come back in the puzzle's notation.
    fn solve(
        &self,
        job: &Job,
        budget: &Budget,
        watcher: &mut dyn Watcher,
    ) -> Result<Outcome<String>, Unsupported>;
    /// A game from the start.
    fn game(&self) -> Box<dyn Game>;
    /// The puzzle as a reinforcement-learning environment; `None` if the kind has no such form or the board is too large for
    /// it.
    fn environment(&self) -> Option<Box<dyn Environment>> {
        None
    }
    /// Splits a written plan into steps, without checking them.
    fn read_plan(&self, text: &str) -> Result<Vec<String>, TextError>;
    /// Writes a plan in the usual notation; `read_plan` reads it.
    fn write_plan(&self, steps: &[String]) -> String;
    /// The result of a plan that solves the puzzle, in a sentence, where its length says nothing: on a board that must be
    /// filled, every plan has the same length. `None` if the length matters. May search within the budget.
    fn solved_in_words(&self, steps: &[String], budget: &Budget) -> Option<String> {
        let _ = (steps, budget);
        None
    }
    /// The puzzle as its own type, for kind-specific commands.
    fn as_any(&self) -> &dyn Any;
}

/// The type of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// Its moves are about to be enumerated.
    Expanded,
    /// A successor of it was kept.
    Generated,
    /// A successor of it is already known.
    Duplicate,
    /// A successor of it was dropped by this rule.
    Pruned(&'static str),
}

/// An event of a search, for watchers of states.
pub struct Event<'a> {
    /// The type.
    pub kind: EventKind,
    /// Path cost of the state.
    pub cost: u32,
    /// Estimate of the state.
    pub estimate: u32,
    /// Identifies the state (64 bits of a hash of its key: for pictures, not for proofs).
    pub state: u64,
    /// Identifies the successor in the same way, if the event has one; computed on demand.
    pub next: &'a dyn Fn() -> Option<u64>,
    /// The step to the successor, if the event has one; computed on demand.
    pub step: &'a dyn Fn() -> Option<String>,
    /// The picture of the state, computed on demand.
    pub scene: &'a dyn Fn() -> Scene,
}

/// Set-up of a search that takes a while, such as building a table.
#[derive(Clone, Copy, Debug)]
pub struct Preparation<'a> {
    /// The item being built.
    pub what: &'a str,
    /// Its approximate size in bytes.
    pub bytes: usize,
    /// The folder in which it will be cached.
    pub kept: Option<&'a Path>,
    /// Units of work done, out of `all`.
    pub done: u64,
    /// Units of work in total.
    pub all: u64,
}

/// Observes a search, independent of its space.
pub trait Watcher {
    /// Reports progress of the set-up at intervals.
    fn building(&mut self, preparation: &Preparation<'_>) {
        let _ = preparation;
    }

    /// A solver that supports tables begins to search, with the tables of this name; "none" without tables.
    fn tables(&mut self, name: &str) {
        let _ = name;
    }

    /// Every few milliseconds: the figures so far.
    fn tick(&mut self, stats: &Stats) {
        let _ = stats;
    }
    /// The current activity in a few words; shown beside the figures of the next [`tick`](Watcher::tick).
    fn status(&mut self, status: &str) {
        let _ = status;
    }
    /// A round of an iterated strategy begins.
    fn round(&mut self, bound: u64) {
        let _ = bound;
    }
    /// A plan of this cost was found; a better one may follow.
    fn found(&mut self, cost: u64) {
        let _ = cost;
    }
    /// Should [`event`](Watcher::event) be called? Called once, at the start.
    fn wants_events(&self) -> bool {
        false
    }
    /// Reports an event of a state.
    fn event(&mut self, event: &Event<'_>) {
        let _ = event;
    }
}

/// The watcher that ignores everything.
impl Watcher for () {}

/// An [`Observer`] that forwards to a [`Watcher`].
pub struct Relay<'a, S: Space> {
    space: &'a S,
    watcher: &'a mut dyn Watcher,
    wants_events: bool,
}

impl<'a, S: Space> Relay<'a, S> {
    /// Watches a search of this space.
    pub fn new(space: &'a S, watcher: &'a mut dyn Watcher) -> Self {
        let wants_events = watcher.wants_events();
        Self { space, watcher, wants_events }
    }
}

impl<S: Notation> Relay<'_, S> {
    #[cold]
    fn forward(&mut self, kind: EventKind, node: &NodeView<'_, S>, mv: Option<S::Move>) {
        let space = self.space;
        let digest =
            |state: &S::State| beeline_search::arena::hash_words(&space.pack(state), space.key_width());
        self.watcher.event(&Event {
            kind,
            cost: node.cost,
            estimate: node.estimate,
            state: digest(node.state),
            next: &|| {
                let mut state = node.state.clone();
                space.apply(&mut state, mv?);
                Some(digest(&state))
            },
            step: &|| mv.map(|mv| space.show(node.state, mv)),
            scene: &|| space.scene(node.state),
        });
    }
}

impl<S: Notation> Observer<S> for Relay<'_, S> {
    fn watches_states(&self) -> bool {
        self.wants_events
    }
    #[inline]
    fn expanded(&mut self, node: &NodeView<'_, S>) {
        if self.wants_events {
            self.forward(EventKind::Expanded, node, None);
        }
    }
    #[inline]
    fn generated(&mut self, parent: &NodeView<'_, S>, mv: S::Move) {
        if self.wants_events {
            self.forward(EventKind::Generated, parent, Some(mv));
        }
    }
    #[inline]
    fn duplicate(&mut self, parent: &NodeView<'_, S>, mv: S::Move) {
        if self.wants_events {
            self.forward(EventKind::Duplicate, parent, Some(mv));
        }
    }
    #[inline]
    fn pruned(&mut self, parent: &NodeView<'_, S>, mv: S::Move, rule: &'static str) {
        if self.wants_events {
            self.forward(EventKind::Pruned(rule), parent, Some(mv));
        }
    }
    fn round(&mut self, bound: u64) {
        self.watcher.round(bound);
    }
    fn found(&mut self, cost: u64) {
        self.watcher.found(cost);
    }
    fn tick(&mut self, stats: &Stats) {
        self.watcher.tick(stats);
    }
}
