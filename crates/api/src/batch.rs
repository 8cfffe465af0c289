//! Many boards that step together: one call does what a vector environment of Gymnasium needs.

use std::sync::Arc;

use beeline_puzzles::environment::PLANES;
use beeline_puzzles::{Environment, Position, Puzzle};
use beeline_search::{Budget, Cost, DEAD, Random};

use crate::oracle::{NoDistance, Oracle, shortest};

/// The reward of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reward {
    /// 1 for the step that solves the puzzle, 0 for all others.
    Sparse,
    /// −1 for every step: the return of an optimal policy is minus the distance.
    Step,
    /// [`Sparse`](Reward::Sparse) plus `gamma · Φ(after) − Φ(before)`. This changes no optimal policy (Ng, Harada & Russell
    /// 1999). Φ is minus the exact distance divided by the start's distance, and at least −2. Φ of a dead end is −3.
    Potential {
        /// The learner's discount factor.
        gamma: f64,
    },
}

/// Φ of a dead end, and the least Φ of other positions; see [`Reward::Potential`].
const DEAD_POTENTIAL: f64 = -3.0;
const LEAST_POTENTIAL: f64 = -2.0;

/// The distance of a position for which no distance was computed.
pub const UNKNOWN: i32 = -2;
/// The distance of a dead end.
pub const DEAD_END: i32 = -1;

/// A puzzle in which episodes start.
pub struct Level {
    environment: Arc<dyn Environment>,
    oracle: Arc<Oracle>,
    start: Box<dyn Position>,
    optimal: Cost,
}

/// Why a puzzle cannot be a level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLevel {
    /// Its shortest plan was not found.
    #[error(transparent)]
    Distance(#[from] NoDistance),
    /// There is no plan.
    #[error("the puzzle cannot be solved")]
    Unsolvable,
    /// Its start is nearer to the goal than the requested distance.
    #[error("the shortest plan has {0} steps, fewer than were asked for")]
    Near(Cost),
    /// The board is too large.
    #[error("the puzzle has no form in which a learner can act")]
    NoEnvironment,
}

impl Level {
    /// A level that starts where the puzzle does. With a distance, it starts on a shortest plan where exactly that many steps
    /// are left.
    pub fn new(
        puzzle: &dyn Puzzle,
        oracle: Arc<Oracle>,
        distance: Option<Cost>,
        budget: &Budget,
    ) -> Result<Self, NoLevel> {
        let environment = Arc::clone(oracle.environment());
        let (cost, plan) = shortest(puzzle, budget)?.ok_or(NoLevel::Unsolvable)?;
        let optimal = distance.unwrap_or(cost);
        let skip = cost.checked_sub(optimal).ok_or(NoLevel::Near(cost))?;
        let mut start = environment.start();
        for step in &plan[..skip as usize] {
            // The checker accepted the plan, so each of its steps is legal.
            let action = action_of(&*environment, &*start, step).ok_or(NoLevel::NoEnvironment)?;
            start.act(action);
        }
        Ok(Self { environment, oracle, start, optimal })
    }

    /// The length of a shortest plan from its start.
    pub fn optimal(&self) -> Cost {
        self.optimal
    }

    /// The exact distances of its positions.
    pub fn oracle(&self) -> &Arc<Oracle> {
        &self.oracle
    }

    /// The puzzle that starts where the level does.
    pub fn puzzle(&self) -> Box<dyn Puzzle> {
        self.start.puzzle()
    }
}

/// The legal action that corresponds to a step in plan notation.
pub fn action_of(environment: &dyn Environment, position: &dyn Position, step: &str) -> Option<usize> {
    (0..environment.actions()).find(|&action| position.step(action).is_some_and(|name| name == step))
}

/// The options of a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The reward of a step.
    pub reward: Reward,
    /// An episode is truncated after this many steps. `None` is four times its optimal length plus twenty.
    pub most_steps: Option<u32>,
    /// Compute exact distances? Rewards from the potential do so in any case.
    pub distances: bool,
    /// Does a board that has ended restart at the next step? That step's action is then ignored.
    pub restart: bool,
}

/// The observations after a reset or a step, board by board.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The boards, all of one shape. Smaller boards are padded with empty rows and columns.
    pub boards: Vec<u8>,
    /// For each action, 1 if it is legal.
    pub masks: Vec<u8>,
    /// The reward of the last step.
    pub rewards: Vec<f64>,
    /// Was the puzzle solved?
    pub terminated: Vec<u8>,
    /// Was the episode truncated?
    pub truncated: Vec<u8>,
    /// The exact distance, [`DEAD_END`] or [`UNKNOWN`].
    pub distances: Vec<i32>,
    /// The length of a shortest plan from the start of the episode.
    pub optimal: Vec<i32>,
    /// The index of the level.
    pub levels: Vec<i32>,
    /// Steps since the start of the episode.
    pub steps: Vec<i32>,
}

struct Slot {
    random: Random,
    level: usize,
    position: Box<dyn Position>,
    steps: u32,
    /// The exact distance, where the potential needs it.
    distance: i32,
    ended: bool,
}

/// A number of boards that step together.
pub struct Batch {
    levels: Vec<Level>,
    slots: Vec<Slot>,
    options: Options,
    shape: (usize, usize),
    actions: usize,
    budget: Budget,
    view: View,
    scratch: Vec<u8>,
}

impl Batch {
    /// A batch of this many boards that start in these levels; `None` without a level.
    pub fn new(levels: Vec<Level>, boards: usize, options: Options, budget: Budget) -> Option<Self> {
        let first = levels.first()?;
        let shapes = || levels.iter().map(|level| level.environment.shape());
        let shape = (shapes().map(|s| s.0).max()?, shapes().map(|s| s.1).max()?);
        let actions = levels.iter().map(|level| level.environment.actions()).max()?;
        let slot = |number: usize| Slot {
            random: Random::new(number as u64),
            level: 0,
            position: first.start.copy(),
            steps: 0,
            distance: UNKNOWN,
            ended: false,
        };
        let slots: Vec<Slot> = (0..boards).map(slot).collect();
        let view = View {
            boards: vec![0; boards * PLANES * shape.0 * shape.1],
            masks: vec![0; boards * actions],
            rewards: vec![0.0; boards],
            terminated: vec![0; boards],
            truncated: vec![0; boards],
            distances: vec![UNKNOWN; boards],
            optimal: vec![0; boards],
            levels: vec![0; boards],
            steps: vec![0; boards],
        };
        Some(Self { levels, slots, options, shape, actions, budget, view, scratch: Vec::new() })
    }

    /// Rows and columns that all boards share.
    pub fn shape(&self) -> (usize, usize) {
        self.shape
    }

    /// The number of actions of the level that has most.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// The levels.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The current observations.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The position of a board.
    pub fn position(&self, board: usize) -> Option<&dyn Position> {
        self.slots.get(board).map(|slot| &*slot.position)
    }

    /// The step in plan notation of a board's action, if the action is legal.
    pub fn step_name(&self, board: usize, action: usize) -> Option<String> {
        self.slots.get(board)?.position.step(action)
    }

    /// The action of a board that corresponds to a step in plan notation, if it is legal.
    pub fn action_of(&self, board: usize, step: &str) -> Option<usize> {
        let slot = self.slots.get(board)?;
        action_of(&*self.levels[slot.level].environment, &*slot.position, step)
    }

    /// Restarts every board: in the given level, or in one that each board chooses. A seed resets a board's random numbers.
    pub fn reset(&mut self, seeds: &[Option<u64>], level: Option<usize>) -> Result<(), NoDistance> {
        for number in 0..self.slots.len() {
            if let Some(&Some(seed)) = seeds.get(number) {
                self.slots[number].random = Random::new(seed);
            }
            self.begin(number, level)?;
        }
        Ok(())
    }

    /// Takes an action on each board. An illegal action changes nothing and counts as a step.
    pub fn step(&mut self, actions: &[i64]) -> Result<(), NoDistance> {
        for number in 0..self.slots.len() {
            if self.slots[number].ended && self.options.restart {
                self.begin(number, None)?;
                continue;
            }
            let action = actions.get(number).and_then(|&action| usize::try_from(action).ok());
            self.act(number, action.unwrap_or(usize::MAX))?;
        }
        Ok(())
    }

    fn begin(&mut self, number: usize, level: Option<usize>) -> Result<(), NoDistance> {
        let slot = &mut self.slots[number];
        let chosen = slot.random.below(self.levels.len());
        slot.level = level.filter(|&level| level < self.levels.len()).unwrap_or(chosen);
        let level = &self.levels[slot.level];
        slot.position = level.start.copy();
        (slot.steps, slot.ended) = (0, false);
        self.view.rewards[number] = 0.0;
        self.view.optimal[number] = level.optimal as i32;
        self.view.levels[number] = slot.level as i32;
        self.measure(number)?;
        self.show(number);
        Ok(())
    }

    fn act(&mut self, number: usize, action: usize) -> Result<(), NoDistance> {
        let slot = &mut self.slots[number];
        let level = &self.levels[slot.level];
        let before = slot.distance;
        if action < level.environment.actions() {
            slot.position.act(action);
        }
        slot.steps += 1;
        self.measure(number)?;
        let slot = &self.slots[number];
        let optimal = f64::from(self.levels[slot.level].optimal.max(1));
        let potential = |distance: i32| match distance {
            DEAD_END => DEAD_POTENTIAL,
            distance => (-f64::from(distance) / optimal).max(LEAST_POTENTIAL),
        };
        let solved = f64::from(u8::from(slot.position.solved()));
        self.view.rewards[number] = match self.options.reward {
            Reward::Sparse => solved,
            Reward::Step => -1.0,
            Reward::Potential { gamma } => solved + gamma * potential(slot.distance) - potential(before),
        };
        self.show(number);
        Ok(())
    }

    /// Computes the exact distance of a board, where it is needed.
    fn measure(&mut self, number: usize) -> Result<(), NoDistance> {
        if self.options.distances || matches!(self.options.reward, Reward::Potential { .. }) {
            let slot = &mut self.slots[number];
            let distance = self.levels[slot.level].oracle.distance(&*slot.position, &self.budget)?;
            slot.distance = if distance == DEAD { DEAD_END } else { distance as i32 };
        }
        Ok(())
    }

    /// Writes a board into the view.
    fn show(&mut self, number: usize) {
        let slot = &mut self.slots[number];
        let level = &self.levels[slot.level];
        let solved = slot.position.solved();
        let most = self.options.most_steps.unwrap_or_else(|| 4 * level.optimal + 20);
        let cut = !solved && slot.steps >= most;
        slot.ended = solved || cut;
        let view = &mut self.view;
        view.terminated[number] = u8::from(solved);
        view.truncated[number] = u8::from(cut);
        view.distances[number] = slot.distance;
        view.steps[number] = slot.steps as i32;
        let mask = &mut view.masks[number * self.actions..][..self.actions];
        let (own, rest) = mask.split_at_mut(level.environment.actions());
        slot.position.legal(own);
        rest.fill(0);
        let cells = PLANES * self.shape.0 * self.shape.1;
        let board = &mut view.boards[number * cells..][..cells];
        let (rows, columns) = level.environment.shape();
        if (rows, columns) == self.shape {
            slot.position.write(board);
            return;
        }
        self.scratch.resize(PLANES * rows * columns, 0);
        slot.position.write(&mut self.scratch);
        board.fill(0);
        for (line, cells) in self.scratch.chunks(columns).enumerate() {
            let (plane, row) = (line / rows, line % rows);
            let at = (plane * self.shape.0 + row) * self.shape.1;
            board[at..at + columns].copy_from_slice(cells);
        }
    }
}
