//! A puzzle as a reinforcement-learning environment: numbered actions, boards as byte arrays, exact distances.
//!
//! A board is [`PLANES`] planes of bytes, row by row: the thing in each cell, and its ground. [`of_scene`] defines both for
//! every puzzle. A puzzle writes the same bytes without a picture, which is faster.

use std::any::Any;
use std::sync::Arc;

use beeline_search::arena::{Keys, NodeId};
use beeline_search::seen::Table;
use beeline_search::{Budget, Cost, DEAD, Limit, Meter};

use crate::game::Notation;
use crate::puzzle::Puzzle;
use crate::scene::{Form, Ground, Scene};

/// The planes of a board: things, ground.
pub const PLANES: usize = 2;
/// Ground that is not part of the board.
pub const OUTSIDE: u8 = 0;
/// Ground on which nothing can stand.
pub const WALL: u8 = 1;
/// Open ground.
pub const FLOOR: u8 = 2;
/// Open ground that is part of the goal.
pub const GOAL: u8 = 3;
/// Added to the ground of a cell that holds the end of a path.
pub const END: u8 = 4;
/// Left shift of the sides on which a path continues (the bits of `Thing::links`), which are added to the ground.
pub const LINKS: u32 = 4;

/// The byte of a ground.
pub fn ground_byte(ground: Ground) -> u8 {
    match ground {
        Ground::Outside => OUTSIDE,
        Ground::Wall => WALL,
        Ground::Floor => FLOOR,
        Ground::Goal => GOAL,
    }
}

/// The board of a scene. Things are numbered from 1 by their `id`; a numbered tile is its own number.
pub fn of_scene(scene: &Scene) -> Vec<u8> {
    let thing = |cell: &crate::scene::Cell| {
        cell.thing.as_ref().map_or(0, |thing| thing.id as u8 + u8::from(thing.form != Form::Tile))
    };
    let ground = |cell: &crate::scene::Cell| {
        let path = cell
            .thing
            .as_ref()
            .map_or(0, |thing| thing.links << LINKS | if thing.form == Form::Dot { END } else { 0 });
        ground_byte(cell.ground) | path
    };
    scene.cells.iter().map(thing).chain(scene.cells.iter().map(ground)).collect()
}

/// The environment of one puzzle. It never changes, so any number of positions may share it.
pub trait Environment: Send + Sync {
    /// Rows and columns of a board.
    fn shape(&self) -> (usize, usize);
    /// The number of actions. Most of them are illegal in most positions.
    fn actions(&self) -> usize;
    /// The name of an action, whether it is legal or not.
    fn action_name(&self, action: usize) -> String;
    /// The start of the puzzle.
    fn start(&self) -> Box<dyn Position>;
    /// The position with this board; `None` if the board belongs to no position of this puzzle.
    fn read(&self, board: &[u8]) -> Option<Box<dyn Position>>;
    /// The exact distance of every position reachable from the start. `None` if the puzzle cannot enumerate its positions.
    fn distances(&self, budget: &Budget) -> Option<Result<Box<dyn Distances>, Limit>> {
        let _ = budget;
        None
    }
}

/// A position of an environment.
pub trait Position: Send + Sync {
    /// Takes an action; `false` if it is illegal, and then nothing changes.
    fn act(&mut self, action: usize) -> bool;
    /// Writes 1 for each legal action and 0 for the others. `mask` has room for all actions.
    fn legal(&self, mask: &mut [u8]);
    /// The step of a legal action in the plan notation.
    fn step(&self, action: usize) -> Option<String>;
    /// Writes the board.
    fn write(&self, board: &mut [u8]);
    /// Is the puzzle solved?
    fn solved(&self) -> bool;
    /// The puzzle that starts here.
    fn puzzle(&self) -> Box<dyn Puzzle>;
    /// The same position again.
    fn copy(&self) -> Box<dyn Position>;
    /// The position as its own type, for [`Distances`].
    fn as_any(&self) -> &dyn Any;
}

/// Exact distances of many positions.
pub trait Distances: Send + Sync {
    /// The cost of a shortest plan from this position, or [`DEAD`] if it is proved that none exists. `None` if the position is
    /// not in the table.
    fn get(&self, position: &dyn Position) -> Option<Cost>;
    /// The number of known positions.
    fn len(&self) -> usize;
    /// Always false: the start is known.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A space whose moves have fixed numbers and whose states are boards. Every move costs 1.
pub trait Acting: Notation {
    /// Rows and columns of a board.
    fn shape(&self) -> (usize, usize);
    /// How many actions there are.
    fn actions(&self) -> usize;
    /// The name of an action; see [`Environment::action_name`].
    fn action_name(&self, action: usize) -> String;
    /// The action of a legal move.
    fn action(&self, mv: Self::Move) -> usize;
    /// The number of states reachable from the start, if known without enumeration.
    fn states(&self) -> Option<u64> {
        None
    }
    /// Writes the things of a state. The first plane arrives empty, the second with the ground of the start.
    fn write(&self, state: &Self::State, board: &mut [u8]);
    /// A state that may have this board. The caller verifies that it does.
    fn read(&self, board: &[u8]) -> Option<Self::State>;
}

/// The environment of a space with numbered actions.
pub struct SpaceEnvironment<S>(Arc<Rules<S>>);

/// A space, and the ground of its start.
struct Rules<S> {
    space: S,
    ground: Vec<u8>,
}

impl<S: Acting> SpaceEnvironment<S> {
    /// The environment of a space.
    pub fn new(space: S) -> Self {
        let mut ground = of_scene(&space.scene(&space.start()));
        ground.drain(..ground.len() / PLANES);
        Self(Arc::new(Rules { space, ground }))
    }
}

struct SpacePosition<S: Acting> {
    rules: Arc<Rules<S>>,
    state: S::State,
}

impl<S> Environment for SpaceEnvironment<S>
where
    S: Acting + Send + 'static,
    S::State: Send + Sync + 'static,
{
    fn shape(&self) -> (usize, usize) {
        self.0.space.shape()
    }

    fn actions(&self) -> usize {
        self.0.space.actions()
    }

    fn action_name(&self, action: usize) -> String {
        self.0.space.action_name(action)
    }

    fn start(&self) -> Box<dyn Position> {
        Box::new(SpacePosition { state: self.0.space.start(), rules: Arc::clone(&self.0) })
    }

    fn read(&self, board: &[u8]) -> Option<Box<dyn Position>> {
        if board.len() != PLANES * self.0.ground.len() {
            return None;
        }
        let position = SpacePosition { state: self.0.space.read(board)?, rules: Arc::clone(&self.0) };
        let mut again = vec![0; board.len()];
        position.write(&mut again);
        (again == board).then(|| Box::new(position) as Box<dyn Position>)
    }

    fn distances(&self, budget: &Budget) -> Option<Result<Box<dyn Distances>, Limit>> {
        Some(DistanceTable::new(&self.0, budget).map(|table| Box::new(table) as Box<dyn Distances>))
    }
}

impl<S> SpacePosition<S>
where
    S: Acting,
{
    fn find(&self, action: usize) -> Option<S::Move> {
        let space = &self.rules.space;
        space.moves(&self.state).find(|&mv| space.action(mv) == action)
    }
}

impl<S> Position for SpacePosition<S>
where
    S: Acting + Send + 'static,
    S::State: Send + Sync + 'static,
{
    fn act(&mut self, action: usize) -> bool {
        let found = self.find(action);
        if let Some(mv) = found {
            self.rules.space.apply(&mut self.state, mv);
        }
        found.is_some()
    }

    fn legal(&self, mask: &mut [u8]) {
        mask.fill(0);
        for mv in self.rules.space.moves(&self.state) {
            mask[self.rules.space.action(mv)] = 1;
        }
    }

    fn step(&self, action: usize) -> Option<String> {
        self.find(action).map(|mv| self.rules.space.show(&self.state, mv))
    }

    fn write(&self, board: &mut [u8]) {
        let (things, ground) = board.split_at_mut(self.rules.ground.len());
        things.fill(0);
        ground.copy_from_slice(&self.rules.ground);
        self.rules.space.write(&self.state, board);
    }

    fn solved(&self) -> bool {
        self.rules.space.is_goal(&self.state)
    }

    fn puzzle(&self) -> Box<dyn Puzzle> {
        self.rules.space.puzzle_at(&self.state)
    }

    fn copy(&self) -> Box<dyn Position> {
        Box::new(Self { rules: Arc::clone(&self.rules), state: self.state.clone() })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Units of work per state in the search from the goals; see [`Meter::work`].
const WORK_A_STATE: u64 = 200;

/// The distance of every reachable state: states are enumerated forwards, then searched backwards from the goals.
struct DistanceTable<S: Acting> {
    rules: Arc<Rules<S>>,
    keys: Keys<S::Key>,
    table: Table,
    distance: Vec<Cost>,
}

/// The edges of a graph by target node: `edges[ends[node]..ends[node + 1]]`.
struct Incoming {
    ends: Vec<usize>,
    edges: Vec<NodeId>,
}

impl<S: Acting> DistanceTable<S> {
    fn new(rules: &Arc<Rules<S>>, budget: &Budget) -> Result<Self, Limit> {
        if rules.space.states().zip(budget.nodes).is_some_and(|(states, most)| states > most) {
            return Err(Limit::Nodes);
        }
        let mut meter = Meter::new(budget);
        let (keys, table, distance) = (Keys::new(rules.space.key_width()), Table::new(), Vec::new());
        let mut found = Self { rules: Arc::clone(rules), keys, table, distance };
        let edges = found.list(&mut meter)?;
        found.search_back(edges.as_ref(), &mut meter)?;
        Ok(found)
    }

    /// The number of a state. A new state gets the next number.
    fn number(&mut self, state: &S::State, meter: &mut Meter) -> Result<NodeId, Limit> {
        let key = self.rules.space.pack(state);
        let hash = self.keys.hash(&key);
        if let Some(id) = self.table.lookup(&self.keys, hash, &key) {
            return Ok(id);
        }
        let id = self.keys.push(&mut meter.ledger, &key)?;
        self.table.record(&mut meter.ledger, &self.keys, hash, id)?;
        Ok(id)
    }

    /// Numbers everything reachable from the start, also beyond solved states. If moves are irreversible, returns the
    /// predecessors of each state.
    fn list(&mut self, meter: &mut Meter) -> Result<Option<Incoming>, Limit> {
        let rules = Arc::clone(&self.rules);
        let space = &rules.space;
        let keep_edges = !space.reversible();
        let (mut from, mut to): (Vec<NodeId>, Vec<NodeId>) = (Vec::new(), Vec::new());
        let mut state = space.start();
        self.number(&state, meter)?;
        let mut head = 0;
        while head < self.keys.len() {
            if meter.due() {
                meter.look()?;
            }
            meter.count();
            space.unpack_into(&self.keys.get(head as NodeId), &mut state);
            let goal = space.is_goal(&state);
            meter.ledger.push(&mut self.distance, if goal { 0 } else { DEAD })?;
            for mv in space.moves(&state) {
                let token = space.apply(&mut state, mv);
                let id = self.number(&state, meter)?;
                space.undo(&mut state, mv, token);
                if keep_edges {
                    meter.ledger.push(&mut from, head as NodeId)?;
                    meter.ledger.push(&mut to, id)?;
                }
            }
            head += 1;
        }
        keep_edges.then(|| Incoming::new(self.keys.len(), &from, &to, meter)).transpose()
    }

    /// Multi-source breadth-first search from all goals against the direction of the moves.
    fn search_back(&mut self, edges: Option<&Incoming>, meter: &mut Meter) -> Result<(), Limit> {
        let rules = Arc::clone(&self.rules);
        let space = &rules.space;
        let mut layer: Vec<NodeId> = Vec::new();
        for id in 0..self.distance.len() {
            if self.distance[id] == 0 {
                meter.ledger.push(&mut layer, id as NodeId)?;
            }
        }
        let (mut next, mut before, mut far) = (Vec::new(), Vec::new(), 0);
        let mut state = space.start();
        while !layer.is_empty() {
            far += 1;
            for &id in &layer {
                meter.work(WORK_A_STATE)?;
                before.clear();
                if let Some(edges) = edges {
                    before.extend_from_slice(edges.of(id));
                } else {
                    // Every predecessor of this state is also a successor.
                    space.unpack_into(&self.keys.get(id), &mut state);
                    for mv in space.moves(&state) {
                        let token = space.apply(&mut state, mv);
                        before.push(self.number(&state, meter)?);
                        space.undo(&mut state, mv, token);
                    }
                }
                for &id in &before {
                    if self.distance[id as usize] == DEAD {
                        self.distance[id as usize] = far;
                        meter.ledger.push(&mut next, id)?;
                    }
                }
            }
            std::mem::swap(&mut layer, &mut next);
            next.clear();
        }
        Ok(())
    }
}

impl Incoming {
    /// Sorts edges by target node: a counting sort.
    fn new(nodes: usize, from: &[NodeId], to: &[NodeId], meter: &mut Meter) -> Result<Self, Limit> {
        let mut ends = meter.ledger.filled(0usize, nodes + 2)?;
        let mut edges = meter.ledger.filled(0 as NodeId, from.len())?;
        for &node in to {
            ends[node as usize + 2] += 1;
        }
        for node in 2..ends.len() {
            ends[node] += ends[node - 1];
        }
        for (&from, &to) in from.iter().zip(to) {
            let end = &mut ends[to as usize + 1];
            edges[*end] = from;
            *end += 1;
        }
        Ok(Self { ends, edges })
    }

    fn of(&self, node: NodeId) -> &[NodeId] {
        &self.edges[self.ends[node as usize]..self.ends[node as usize + 1]]
    }
}

impl<S> Distances for DistanceTable<S>
where
    S: Acting + Send + 'static,
    S::State: Send + Sync + 'static,
{
    fn get(&self, position: &dyn Position) -> Option<Cost> {
        let position = position.as_any().downcast_ref::<SpacePosition<S>>()?;
        let key = self.rules.space.pack(&position.state);
        let id = self.table.lookup(&self.keys, self.keys.hash(&key), &key)?;
        self.distance.get(id as usize).copied()
    }

    fn len(&self) -> usize {
        self.distance.len()
    }
}
