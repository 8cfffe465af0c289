//! A position, and the search that a request asks for.

use std::time::Duration;

use beeline_api::job::{Choices, Parameters};
use beeline_puzzles::{Game, Job, Kind, Puzzle};
use beeline_search::strategies::{Settings, TableCache};
use beeline_search::{Budget, Cancel};
use serde::{Deserialize, Serialize};

use crate::limits::Limits;
use crate::refusal::Refusal;

/// The time limit if the request sets none, in seconds.
const USUAL_SECONDS: f64 = 20.0;

/// The kind of this name.
pub(crate) fn kind(name: &str) -> Result<&'static dyn Kind, Refusal> {
    beeline_puzzles::kind(name).ok_or_else(|| Refusal::bad("there is no kind of puzzle of that name"))
}

/// One puzzle, with the steps that were played on it.
#[derive(Debug, Deserialize)]
pub struct Position {
    kind: String,
    text: String,
    #[serde(default)]
    level: usize,
    #[serde(default)]
    steps: Vec<String>,
}

impl Position {
    /// The puzzle, if the text holds it and it is not too large.
    pub(crate) fn puzzle(&self, limits: &Limits) -> Result<Box<dyn Puzzle>, Refusal> {
        if self.text.len() > limits.puzzle {
            return Err(Refusal::unable(format!("the puzzle is larger than {} KiB", limits.puzzle >> 10)));
        }
        if self.steps.len() > limits.steps {
            return Err(Refusal::unable(format!("a game has at most {} steps here", limits.steps)));
        }
        let puzzles =
            kind(&self.kind)?.parse(&self.text).map_err(|error| Refusal::unreadable(&self.text, &error))?;
        let puzzle = puzzles.into_iter().nth(self.level);
        puzzle.ok_or_else(|| Refusal::unable("there is no puzzle of that number in the text"))
    }

    /// The game after the steps. If a step cannot be played, the second part says why and the steps before it are played.
    pub(crate) fn game(&self, limits: &Limits) -> Result<(Box<dyn Game>, Option<String>), Refusal> {
        let mut game = self.puzzle(limits)?.game();
        let scene = game.scene();
        if scene.width * scene.height > limits.cells {
            return Err(Refusal::unable(format!("the board has more than {} cells", limits.cells)));
        }
        let refused = self.steps.iter().find_map(|step| game.play(step).err());
        Ok((game, refused))
    }
}

/// A request for a search.
#[derive(Debug, Deserialize)]
pub struct Search {
    #[serde(flatten)]
    position: Position,
    strategy: Option<String>,
    #[serde(flatten)]
    choices: Choices,
    #[serde(flatten)]
    parameters: Parameters,
    seed: Option<u64>,
    seconds: Option<f64>,
    megabytes: Option<u64>,
    nodes: Option<u64>,
}

/// A checked request for a search.
pub struct Task {
    pub(crate) puzzle: Box<dyn Puzzle>,
    pub(crate) job: Job,
    pub(crate) limits: Limits,
    /// The time limit.
    pub time: Duration,
    /// The requested memory in bytes. The search may get less.
    pub memory: usize,
    nodes: Option<u64>,
}

/// The event `begin`: the limits of a search, and the number that stops it.
#[derive(Serialize)]
pub struct Begun {
    run: u64,
    seconds: f64,
    megabytes: f64,
}

impl Begun {
    pub(crate) fn new(run: u64, time: Duration, memory: usize) -> Self {
        Self { run, seconds: time.as_secs_f64(), megabytes: memory as f64 / f64::from(1 << 20) }
    }
}

/// The time limit for the requested seconds: the default without any, and never more than the limits allow.
pub(crate) fn time(seconds: Option<f64>, limits: &Limits) -> Result<Duration, Refusal> {
    let seconds = seconds.unwrap_or(USUAL_SECONDS);
    if !seconds.is_finite() || seconds <= 0.0 {
        return Err(Refusal::unable("the time must be more than 0 seconds"));
    }
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or(limits.time).min(limits.time))
}

impl Task {
    /// The budget of the search.
    pub(crate) fn budget(&self, memory: usize, cancel: &Cancel) -> Budget {
        Budget {
            nodes: self.nodes,
            bytes: Some(memory),
            time: Some(self.time),
            cancel: cancel.clone(),
            ..Budget::default()
        }
    }
}

impl Search {
    /// Checks the request. Limits beyond those allowed are reduced.
    pub fn task(&self, limits: &Limits) -> Result<Task, Refusal> {
        let (game, refused) = self.position.game(limits)?;
        if let Some(why) = refused {
            return Err(Refusal::unable(why));
        }
        let puzzle = if self.position.steps.is_empty() { self.position.puzzle(limits)? } else { game.here() };
        let width = self.parameters.width.filter(|&width| width > 0);
        let parameters = Parameters { width, ..self.parameters };
        let settings = Settings {
            // A visitor must not fill the server's disk, so the server writes no tables. A thread in the browser has no
            // files.
            tables: if beeline_search::FILES { TableCache::Read } else { TableCache::Ignore },
            ..parameters.settings(self.seed.unwrap_or(0))
        };
        if !(1.0..=1000.0).contains(&settings.weight) {
            return Err(Refusal::unable("the weight must be between 1 and 1000"));
        }
        let most = limits.memory;
        let memory = self
            .megabytes
            .map_or(most, |mib| usize::try_from(mib).unwrap_or(usize::MAX).saturating_mul(1 << 20));
        Ok(Task {
            puzzle,
            job: self.choices.clone().job(self.strategy.clone(), settings),
            limits: limits.clone(),
            time: time(self.seconds, limits)?,
            memory: memory.min(most),
            nodes: self.nodes,
        })
    }
}
