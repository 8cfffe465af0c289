//! The game screen: a person plays, and the solver helps on request.
//!
//! The screen knows a puzzle only through its [`Game`] and its [`Scene`]. Plans are searched in the background (see
//! [`plans`]); a game never waits for one.

mod draw;
mod keys;
mod mark;
mod mouse;
mod plans;
mod pointer;
mod selection;
mod tally;
#[cfg(test)]
mod tests;

use std::io;
use std::time::{Duration, Instant};

use beeline_puzzle::{Game, Goal, Puzzle, Scene, Way};
use beeline_search::Budget;
use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui_core::terminal::Frame;

use crate::Look;
use crate::background::Answer;
use crate::board::BoardPlacement;
use crate::pace::Pace;
use crate::screen::{self, Screen, ScreenResult};
use keys::Act;
use mark::Mark;
use mouse::Drag;
use plans::Plans;
pub(crate) use pointer::Pointer;
use selection::Selection;

/// One puzzle of a series.
pub struct Level {
    /// Its name.
    pub name: String,
    /// The puzzle.
    pub puzzle: Box<dyn Puzzle>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The player quit.
    Quit,
    /// The puzzle was solved, and that ends the game.
    Won,
    /// The position was lost, and that ends the game.
    Lost,
}

/// Options of a game. By default, the game ends only when the player quits.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameOptions {
    /// Does a solved puzzle end the game?
    pub ends_when_won: bool,
    /// Recognises lost positions, which end the game.
    pub is_lost: Option<fn(&Scene) -> bool>,
    /// Does the space bar restart the level?
    pub space_restarts: bool,
}

/// Plays a series of puzzles, beginning with number `first`. The budget limits searches in the background.
pub fn play(
    levels: Vec<Level>,
    first: usize,
    look: Look,
    budget: Budget,
    options: GameOptions,
) -> io::Result<ScreenResult<Ending>> {
    match Play::new(levels, first, look, budget, options) {
        Some(mut play) => screen::run(&mut play, look),
        None => Ok(ScreenResult::Ended(Ending::Quit)),
    }
}

/// The time per step when the solver plays.
const DEMO: Duration = Duration::from_millis(250);
/// The interval at which the screen polls the solver for an answer.
const POLL_INTERVAL: Duration = Duration::from_millis(40);

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tone {
    Plain,
    Good,
    Bad,
}

/// The use of a plan that is being searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlanRequest {
    Hint,
    Solve,
}

/// The player's score.
struct Score {
    count: usize,
    /// The unit of the count, in the singular.
    word: &'static str,
    /// The least known count, and whether it is proved.
    best: Option<(usize, bool)>,
}

/// The game screen.
pub(crate) struct Play {
    levels: Vec<Level>,
    at: usize,
    game: Box<dyn Game>,
    scene: Scene,
    /// The marked cell and the scene that shows it, if cells can be pressed.
    mark: Mark,
    marked: Option<Scene>,
    selection: Selection,
    /// Undone steps. The last one is redone first.
    undone: Vec<String>,
    plans: Plans,
    plan_request: Option<PlanRequest>,
    /// The visible hint: the step, and its effect on the board.
    hint: Option<(String, Option<Pointer>)>,
    /// The clock of the solver's play, while the solver plays.
    demo: Option<Pace>,
    /// The fewest steps in which the player solved each level in this session.
    own_best: Vec<Option<usize>>,
    /// Did the solver play any step?
    helped: bool,
    message: Option<(Tone, String)>,
    help: bool,
    dragged: Option<Drag>,
    /// The solved board, if the board itself does not show it.
    goal: Option<Goal>,
    placement: BoardPlacement,
    ending: Option<Ending>,
    look: Look,
    budget: Budget,
    options: GameOptions,
}

impl Play {
    pub(crate) fn new(
        levels: Vec<Level>,
        first: usize,
        look: Look,
        budget: Budget,
        options: GameOptions,
    ) -> Option<Self> {
        let game = levels.get(first)?.puzzle.game();
        let scene = game.scene();
        let mut play = Self {
            at: first,
            selection: Selection::new(&scene),
            mark: Mark::new(&*game),
            marked: None,
            undone: Vec::new(),
            plans: Plans::new(&*game, budget.clone()),
            plan_request: None,
            hint: None,
            demo: None,
            own_best: vec![None; levels.len()],
            helped: false,
            message: None,
            help: false,
            dragged: None,
            placement: BoardPlacement::default(),
            ending: None,
            goal: levels[first].puzzle.goal(),
            levels,
            game,
            scene,
            look,
            budget,
            options,
        };
        play.after_change();
        play.show_offer();
        Some(play)
    }

    /// Opens another level.
    fn open(&mut self, at: usize) {
        self.at = at;
        self.game = self.levels[at].puzzle.game();
        self.scene = self.game.scene();
        self.goal = self.levels[at].puzzle.goal();
        self.selection = Selection::new(&self.scene);
        self.mark = Mark::new(&*self.game);
        self.undone.clear();
        self.plans = Plans::new(&*self.game, self.budget.clone());
        (self.plan_request, self.hint, self.demo, self.message) = (None, None, None, None);
        self.helped = false;
        self.after_change();
        self.show_offer();
    }

    /// Shows a message if the puzzle offers another one that the player may have meant.
    fn show_offer(&mut self) {
        if let Some(offer) = self.levels[self.at].puzzle.offer() {
            self.say(&format!("{} {}: g or F4.", offer.why, offer.action));
        }
    }

    /// Replaces the puzzle by the one that it offers.
    fn take_offer(&mut self) {
        let puzzle = &self.levels[self.at].puzzle;
        let offered = puzzle.offer().and_then(|offer| puzzle.kind().parse(&offer.text).ok());
        match offered.and_then(|puzzles| puzzles.into_iter().next()) {
            Some(puzzle) => {
                self.levels[self.at].puzzle = puzzle;
                self.open(self.at);
            }
            None => self.say("nothing is offered here"),
        }
    }

    /// Ends the game, and returns the levels and the player's best result on each.
    pub(crate) fn close(self) -> (Vec<Level>, Vec<Option<usize>>) {
        (self.levels, self.own_best)
    }

    /// The index of the open level.
    pub(crate) fn level(&self) -> usize {
        self.at
    }

    /// Restores the best results of an earlier session.
    pub(crate) fn with_bests(self, own_best: Vec<Option<usize>>) -> Self {
        Self { own_best, ..self }
    }

    fn change_level(&mut self, forward: bool) {
        let next = if forward { Some(self.at + 1) } else { self.at.checked_sub(1) };
        match next.filter(|&at| at < self.levels.len()) {
            Some(at) => self.open(at),
            None if self.levels.len() == 1 => self.say("this is the only level"),
            None if forward => self.say("this is the last level"),
            None => self.say("this is the first level"),
        }
    }

    fn say(&mut self, text: &str) {
        self.message = Some((Tone::Plain, text.to_owned()));
    }

    fn refuse(&mut self, why: String) {
        self.message = Some((Tone::Bad, why));
    }

    /// Plays a step.
    fn play(&mut self, step: &str) {
        if self.game.solved() {
            self.say("this one is solved: undo, restart or go on to the next level");
            return;
        }
        if let Err(why) = self.game.play(step) {
            self.refuse(why);
            return;
        }
        // Another step discards the undone steps. The same step as the undone one keeps the rest.
        if self.undone.last().is_some_and(|undone| undone == step) {
            self.undone.pop();
        } else {
            self.undone.clear();
        }
        self.scene = self.game.scene();
        self.message = None;
        self.after_change();
    }

    /// Moves the selected thing, or what moves without selection.
    fn go(&mut self, way: Way) {
        if self.mark.go(way, &self.scene) {
            self.message = None;
            self.marked = self.mark.shown(&self.scene);
            return;
        }
        if self.selection.must_choose() {
            self.refuse("choose what to move first: type its name, press tab or click on it".to_owned());
            return;
        }
        match self.game.toward(self.selection.chosen(), way) {
            Some(step) => self.play(&step),
            None => self.refuse("nothing moves that way".to_owned()),
        }
    }

    /// Presses the marked cell.
    fn press_mark(&mut self) {
        match self.mark.cell().and_then(|cell| self.game.press(cell)) {
            Some(step) => self.play(&step),
            None => self.say("no cell is pressed in this puzzle"),
        }
    }

    fn undo(&mut self) {
        let Some(step) = self.game.history().last().cloned() else {
            self.say("this is the start");
            return;
        };
        if self.game.undo() {
            self.undone.push(step);
            self.scene = self.game.scene();
            self.message = None;
            self.after_change();
        }
    }

    fn redo(&mut self) {
        match self.undone.last().cloned() {
            Some(step) => self.play(&step),
            None => self.say("nothing was taken back"),
        }
    }

    fn restart(&mut self) {
        while let Some(step) = self.game.history().last().cloned() {
            if !self.game.undo() {
                break;
            }
            self.undone.push(step);
        }
        self.scene = self.game.scene();
        (self.message, self.helped) = (None, false);
        self.after_change();
        // A plan from the start is useful, but another search may have replaced the search for it.
        if self.plans.best().is_none() {
            self.plans.start_limited_search(&*self.game);
        }
    }

    /// Updates everything that depends on the board.
    fn after_change(&mut self) {
        self.marked = self.mark.shown(&self.scene);
        (self.hint, self.plan_request) = (None, None);
        self.plans.moved();
        if self.game.solved() {
            self.demo = None;
            self.won();
        } else if self.options.is_lost.is_some_and(|is_lost| is_lost(&self.scene)) {
            self.ending = Some(Ending::Lost);
        }
    }

    fn won(&mut self) {
        if self.options.ends_when_won {
            self.ending = Some(Ending::Won);
        }
        let Score { count, word, best } = self.score();
        let own = &mut self.own_best[self.at];
        if !self.helped && count > 0 {
            *own = Some(own.map_or(count, |best| best.min(count)));
        }
        let praise = match best {
            Some((best, true)) if count <= best && word == "move" => ", and that is the fewest".to_owned(),
            Some((best, true)) if count <= best => ", and that is the shortest".to_owned(),
            Some((best, _)) if count > best => format!("; it can be done in {best}"),
            _ => String::new(),
        };
        let plural = if count == 1 { "" } else { "s" };
        let next = if self.at + 1 < self.levels.len() { " Next: n or page down." } else { "" };
        self.message = Some((Tone::Good, format!("Solved in {count} {word}{plural}{praise}.{next}")));
    }

    /// The player's score: moves on boards with pipes, steps on others.
    fn score(&self) -> Score {
        match tally::pipes(&self.scene) {
            Some(pipes) => {
                let moves = self.game.counts().into_iter().find(|(name, _)| *name == "moves");
                Score { count: moves.map_or(0, |(_, n)| n), word: "move", best: Some((pipes, true)) }
            }
            None => Score { count: self.game.history().len(), word: "step", best: self.plans.best() },
        }
    }

    /// Gives a hint or plays the plan: now, or as soon as there is a plan.
    fn request_help(&mut self, plan_request: PlanRequest) {
        if self.game.solved() {
            self.say("this one is solved already");
            return;
        }
        match (self.plans.route(self.game.history()).is_some(), plan_request) {
            (true, PlanRequest::Hint) => self.show_hint(),
            (true, PlanRequest::Solve) => {
                self.helped = true;
                self.demo = Some(Pace::new(DEMO));
                self.message = None;
            }
            (false, _) => {
                self.plan_request = Some(plan_request);
                self.plans.start_full_search(&*self.game);
                self.say("thinking");
            }
        }
    }

    /// Shows the hint at the first call, and plays it at the second.
    fn show_hint(&mut self) {
        if let Some((step, _)) = self.hint.take() {
            self.helped = true;
            self.play(&step);
            return;
        }
        let Some(route) = self.plans.route(self.game.history()) else { return };
        let Some(step) = route.steps.first().cloned() else { return };
        let proved = if route.shortest { ", the shortest way" } else { "" };
        let left = route.steps.len();
        let text = format!("Hint: {step} ({left} to the goal{proved}; again to play it)");
        self.say(&text);
        let pointer = pointer::of(&mut *self.game, &self.scene, &step);
        if let Some(pointer) = &pointer {
            self.selection.choose(pointer.thing);
        }
        self.hint = Some((step, pointer));
    }

    /// Stops the solver's play and a pending request for help.
    fn stop(&mut self) {
        if self.demo.take().is_some() || self.plan_request.take().is_some() {
            self.message = None;
        }
    }

    /// Handles the solver's answer.
    fn answered(&mut self, answer: &Answer) {
        let Some(plan_request) = self.plan_request.take() else { return };
        match answer {
            Answer::Plan { .. } => self.request_help(plan_request),
            Answer::Impossible => {
                self.refuse("there is no way to the goal from here: take steps back".to_owned());
            }
            Answer::Unknown(why) => self.refuse(format!("no way was found: {why}")),
        }
    }

    fn demo_step(&mut self) {
        let step = self.plans.route(self.game.history()).and_then(|route| route.steps.first().cloned());
        match step {
            Some(step) => self.play(&step),
            None => self.demo = None,
        }
    }

    fn act(&mut self, act: Act) -> Option<Ending> {
        if !matches!(act, Act::Name(_)) {
            self.selection.name_ends();
        }
        if act != Act::Hint {
            self.hint = None;
        }
        match act {
            Act::Faster | Act::Slower => {
                if let Some(pace) = &mut self.demo {
                    if act == Act::Faster { pace.faster() } else { pace.slower() }
                }
                return None;
            }
            // Any action of the player stops the solver.
            _ => self.stop(),
        }
        if self.help {
            self.help = false;
            return (act == Act::Quit).then_some(Ending::Quit);
        }
        match act {
            Act::Go(way) => self.go(way),
            Act::Press => self.press_mark(),
            Act::Name(letter) => {
                self.selection.letter(letter);
                self.message = None;
            }
            Act::NextThing | Act::PreviousThing => {
                self.selection.turn(act == Act::NextThing);
                self.message = None;
            }
            Act::Undo => self.undo(),
            Act::Redo => self.redo(),
            Act::Restart => self.restart(),
            Act::Hint => self.request_help(PlanRequest::Hint),
            Act::Solve => self.request_help(PlanRequest::Solve),
            Act::Offer => self.take_offer(),
            Act::NextLevel | Act::PreviousLevel => self.change_level(act == Act::NextLevel),
            Act::Help => self.help = true,
            Act::Stop => self.selection.drop(),
            Act::Quit => return Some(Ending::Quit),
            Act::Faster | Act::Slower => {}
        }
        self.ending
    }
}

impl Screen for Play {
    type End = Ending;

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let placement = self.sheet().draw(frame.buffer_mut(), area);
        self.placement = placement;
    }

    fn key(&mut self, key: KeyEvent) -> Option<Ending> {
        let act = if self.options.space_restarts && key.code == KeyCode::Char(' ') {
            Some(Act::Restart)
        } else {
            keys::act(key, &self.selection.names())
        };
        act.and_then(|act| self.act(act))
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        self.on_mouse(mouse);
    }

    fn due(&self) -> Option<Instant> {
        let poll = self.plans.is_searching().then(|| Instant::now() + POLL_INTERVAL);
        [poll, self.demo.and_then(|pace| pace.due())].into_iter().flatten().min()
    }

    fn tick(&mut self) -> Option<Ending> {
        if let Some(answer) = self.plans.answer(self.game.history()) {
            self.answered(&answer);
        }
        if self.demo.as_mut().is_some_and(|pace| pace.step(Instant::now())) {
            self.demo_step();
        }
        self.ending
    }
}
