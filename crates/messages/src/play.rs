//! `play`: the board after some steps, its legal moves, and the effect of one more action of the player.

use beeline_puzzles::{Game, Puzzle, Way};
use serde::{Deserialize, Serialize};

use crate::board::Board;
use crate::gesture::{Gesture, gestures};
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::task::Position;

/// The request.
#[derive(Deserialize)]
pub struct Question {
    #[serde(flatten)]
    position: Position,
    /// The player's action after the steps.
    act: Option<Act>,
}

/// An action of the player. The game decides which step it means.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Act {
    /// An arrow key or a drag moves a thing one cell to l, r, u or d. Without a thing, the board decides what moves.
    Toward { thing: Option<u16>, way: char },
    /// A stroke: a press on the first cell and a drag over the others.
    Trail(Vec<usize>),
    /// A written plan, replayed from the start of the puzzle.
    Plan(String),
}

/// The answer.
#[derive(Serialize)]
pub struct Answer {
    board: Board,
    moves: Vec<Gesture>,
    solved: bool,
    /// How many of the steps were played.
    played: usize,
    /// Why the next step was refused, or why the action had no effect or only a part of it.
    refused: Option<String>,
    /// The step that the action means.
    step: Option<String>,
    /// The thing that the action concerns.
    thing: Option<u16>,
    /// The playable steps of a written plan.
    plan: Option<Vec<String>>,
    /// Counts besides the steps that matter to players of this kind.
    counts: Vec<(&'static str, usize)>,
    /// The solved board, if the board itself does not show it.
    goal: Option<Goal>,
    /// Another puzzle that the player may have meant.
    offer: Option<Offer>,
    /// The heuristics that can be used on this board.
    heuristics: Vec<&'static str>,
}

#[derive(Serialize)]
struct Goal {
    board: Board,
    words: String,
}

#[derive(Serialize)]
struct Offer {
    why: String,
    action: String,
    text: String,
}

/// The result of an action.
#[derive(Default)]
struct Effect {
    step: Option<String>,
    thing: Option<u16>,
    plan: Option<Vec<String>>,
    refused: Option<String>,
}

/// Replays a game and performs the action.
pub fn play(question: &Question, limits: &Limits) -> Result<Answer, Refusal> {
    let puzzle = question.position.puzzle(limits)?;
    let (mut game, mut refused) = question.position.game(limits)?;
    let mut effect = Effect::default();
    if let (Some(act), None) = (&question.act, &refused) {
        effect = perform(act, &*puzzle, &mut *game, limits)?;
        refused = effect.refused.take();
    }
    let scene = game.scene();
    let moves = gestures(&mut *game, &scene);
    let goal = puzzle.goal().map(|goal| Goal { board: Board::new(&goal.scene), words: goal.words });
    let offer = puzzle.offer().map(|offer| Offer { why: offer.why, action: offer.action, text: offer.text });
    Ok(Answer {
        board: Board::new(&scene),
        moves,
        solved: game.solved(),
        played: game.history().len(),
        refused,
        step: effect.step,
        thing: effect.thing,
        plan: effect.plan,
        counts: game.counts(),
        goal,
        offer,
        heuristics: usable_heuristics(&*puzzle),
    })
}

fn usable_heuristics(puzzle: &dyn Puzzle) -> Vec<&'static str> {
    puzzle.kind().heuristics().iter().map(|choice| choice.name).filter(|name| puzzle.fits(name)).collect()
}

fn perform(act: &Act, puzzle: &dyn Puzzle, game: &mut dyn Game, limits: &Limits) -> Result<Effect, Refusal> {
    let (thing, step, refused) = match act {
        Act::Toward { thing, way } => {
            let way = Way::ALL.into_iter().find(|known| known.letter() == *way);
            let way = way.ok_or_else(|| Refusal::unable("a way is l, r, u or d"))?;
            match game.toward(*thing, way).or_else(|| step_by_direction(game, *thing, way)) {
                Some(step) => (*thing, Some(step), None),
                None => (*thing, None, Some("nothing moves that way".to_owned())),
            }
        }
        Act::Trail(cells) if cells.len() > limits.steps => {
            return Err(Refusal::unable(format!("a stroke has at most {} cells here", limits.steps)));
        }
        Act::Trail(cells) => match game.stroke(cells) {
            Some(stroke) => (Some(stroke.thing), stroke.step, stroke.refused),
            None => (None, None, None),
        },
        Act::Plan(text) => return Ok(read_plan(puzzle, text, limits)),
    };
    let Some(step) = step else { return Ok(Effect { thing, refused, ..Effect::default() }) };
    Ok(match game.play(&step) {
        Ok(()) => Effect { step: Some(step), thing, refused, plan: None },
        Err(why) => Effect { thing, refused: Some(why), ..Effect::default() },
    })
}

/// The legal step that moves a thing this way on the board, for kinds that do not define arrows.
fn step_by_direction(game: &mut dyn Game, thing: Option<u16>, way: Way) -> Option<String> {
    let scene = game.scene();
    let meant = |gesture: &Gesture| gesture.way == way.delta() && thing.is_none_or(|id| id == gesture.id);
    gestures(game, &scene).into_iter().find(meant).map(|gesture| gesture.step)
}

/// Splits a written plan into steps, up to the first one that cannot be played.
fn read_plan(puzzle: &dyn Puzzle, text: &str, limits: &Limits) -> Effect {
    let mut steps = match puzzle.read_plan(text) {
        Ok(steps) => steps,
        Err(error) => return Effect { refused: Some(error.message), ..Effect::default() },
    };
    let mut game = puzzle.game();
    let failed = steps.iter().take(limits.steps).enumerate().find_map(|(at, step)| {
        let why = game.play(step).err()?;
        Some((at, format!("step {} of the plan, {step}: {why}", at + 1)))
    });
    steps.truncate(failed.as_ref().map_or(limits.steps, |(at, _)| *at));
    Effect { plan: Some(steps), refused: failed.map(|(_, why)| why), ..Effect::default() }
}
