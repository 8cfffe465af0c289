//! Whole spaces: the number of states of a board, their distances, the hardest start, and the graph itself.
//!
//! [`census`] counts millions of states. [`Graph`] keeps every state and every move, for boards small enough to be displayed.
//! Both count states in normal form (bricks of one shape are interchangeable). By default they do not expand solved states,
//! because the game ends there.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;

use beeline_search::arena::{Keys, NodeId};
use beeline_search::budget::Meter;
use beeline_search::memory::OutOfMemory;
use beeline_search::seen::Table;
use beeline_search::{Budget, Limit, Space, Stats};

use super::grid::{Grid, MASTER};
use super::{Bricks, Numbers};
use crate::on_board;
use crate::solve::{self, Positions};
use crate::{Board, Layout, Metric, Slide, State};
use beeline_puzzle::game::Notation;

/// Counts all reachable states. `None` if the board is too large.
pub fn census(
    bricks: &Bricks,
    metric: Metric,
    beyond_goals: bool,
    budget: &Budget,
    tick: &mut dyn FnMut(&Stats),
) -> Option<Result<Positions, Limit>> {
    on_board!(&bricks.board, b => solve::census(b, metric, beyond_goals, budget, tick))
}

/// The board with the bricks at these anchors, as the farthest position of [`census`] has them; in normal form.
pub fn at(bricks: &Bricks, anchors: &[u16]) -> Grid {
    let layout = on_board!(&bricks.board, b => b.layout_at(anchors));
    bricks.numbers.grid(&layout).normal()
}

/// The space of a whole board. Its keys fit every readable board.
type Whole = Slide<4, [u64; 8]>;

/// A move of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The number of the state before.
    pub from: NodeId,
    /// The number of the state after.
    pub to: NodeId,
}

/// States and moves.
pub struct Graph {
    space: Whole,
    numbers: Numbers,
    keys: Keys<[u64; 8]>,
    /// By state: its distance from the start; [`UNREACHED`] in a graph of all placements.
    distance: Vec<u32>,
    goal: Vec<bool>,
    edges: Vec<Edge>,
}

/// The distance of an unreachable state.
pub const UNREACHED: u32 = u32::MAX;

/// Collects and numbers states.
struct Collector {
    keys: Keys<[u64; 8]>,
    table: Table,
}

impl Collector {
    /// The number of a state, and whether it is new.
    fn number(&mut self, meter: &mut Meter, key: &[u64; 8]) -> Result<(NodeId, bool), OutOfMemory> {
        let hash = self.keys.hash(key);
        if let Some(id) = self.table.lookup(&self.keys, hash, key) {
            return Ok((id, false));
        }
        let id = self.keys.push(&mut meter.ledger, key)?;
        self.table.record(&mut meter.ledger, &self.keys, hash, id)?;
        Ok((id, true))
    }
}

impl Graph {
    /// All states reachable from the start of a board.
    pub fn reachable(
        bricks: &Bricks,
        metric: Metric,
        beyond_goals: bool,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let space = whole(&bricks.layout, &bricks.numbers, metric)?;
        let start = space.pack(&space.start());
        Self::grow(space, bricks.numbers.clone(), &[start], beyond_goals, budget)
    }

    /// All states that the pieces of a layout can reach. The pieces are numbered from 2 in [`grid`](Graph::grid).
    pub(crate) fn of_layout(
        layout: &Layout,
        metric: Metric,
        beyond_goals: bool,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let numbers = Numbers((MASTER..).take(layout.pieces.len()).collect());
        let space = whole(layout, &numbers, metric)?;
        let start = space.pack(&space.start());
        Self::grow(space, numbers, &[start], beyond_goals, budget)
    }

    /// All placements of the bricks, reachable or not; the start is state 0.
    pub fn placements(
        bricks: &Bricks,
        metric: Metric,
        beyond_goals: bool,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let space = whole(&bricks.layout, &bricks.numbers, metric)?;
        let mut roots = vec![space.pack(&space.start())];
        let mut meter = Meter::new(budget);
        place(&space, &mut meter, &mut roots)?;
        Self::grow(space, bricks.numbers.clone(), &roots, beyond_goals, budget)
    }

    /// Numbers the roots and all reachable states: breadth-first, so the first root's states come in the order of distance.
    fn grow(
        space: Whole,
        numbers: Numbers,
        roots: &[[u64; 8]],
        beyond_goals: bool,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let mut meter = Meter::new(budget);
        let mut found = Collector { keys: Keys::new(space.key_width()), table: Table::new() };
        let mut graph = Self {
            keys: Keys::new(space.key_width()),
            distance: Vec::new(),
            goal: Vec::new(),
            edges: Vec::new(),
            space,
            numbers,
        };
        let mut state = graph.space.start();
        let mut head = 0;
        for (i, root) in roots.iter().enumerate() {
            let (_, new) = found.number(&mut meter, root)?;
            if new {
                meter.ledger.push(&mut graph.distance, if i == 0 { 0 } else { UNREACHED })?;
            }
            while head < found.keys.len() {
                if meter.due() {
                    meter.look()?;
                }
                meter.count();
                let id = head as NodeId;
                head += 1;
                graph.space.unpack_into(&found.keys.get(id), &mut state);
                let goal = graph.space.is_goal(&state);
                meter.ledger.push(&mut graph.goal, goal)?;
                if goal && !beyond_goals {
                    continue;
                }
                let far = graph.distance[id as usize];
                for mv in graph.space.moves(&state) {
                    let token = graph.space.apply(&mut state, mv);
                    let key = graph.space.pack(&state);
                    graph.space.undo(&mut state, mv, token);
                    let (to, new) = found.number(&mut meter, &key)?;
                    if new {
                        let next = if far == UNREACHED { UNREACHED } else { far + 1 };
                        meter.ledger.push(&mut graph.distance, next)?;
                    }
                    meter.ledger.push(&mut graph.edges, Edge { from: id, to })?;
                }
            }
        }
        graph.keys = found.keys;
        Ok(graph)
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.goal.len()
    }

    /// Always false: the start is there.
    pub fn is_empty(&self) -> bool {
        self.goal.is_empty()
    }

    /// The number of solved states.
    pub fn goals(&self) -> usize {
        self.goal.iter().filter(|&&g| g).count()
    }

    /// The moves, each from one state to another; a move and its reverse are two.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The number of states at each distance from the start.
    pub fn layers(&self) -> Vec<u64> {
        let mut layers = Vec::new();
        for &far in self.distance.iter().filter(|&&d| d != UNREACHED) {
            let far = far as usize;
            if far >= layers.len() {
                layers.resize(far + 1, 0);
            }
            layers[far] += 1;
        }
        layers
    }

    /// The distance of each state to the nearest solved one; `None` if none is reachable.
    pub fn to_goal(&self) -> Vec<Option<u32>> {
        // The predecessors of each state, one list after the other.
        let mut ends = vec![0usize; self.len() + 1];
        for edge in &self.edges {
            ends[edge.to as usize + 1] += 1;
        }
        for s in 0..self.len() {
            ends[s + 1] += ends[s];
        }
        let (starts, mut ends) = (ends.clone(), ends);
        let mut before = vec![0 as NodeId; self.edges.len()];
        for edge in &self.edges {
            let end = &mut ends[edge.to as usize];
            before[*end] = edge.from;
            *end += 1;
        }
        let mut far = vec![None; self.len()];
        let mut queue: Vec<usize> = (0..self.len()).filter(|&s| self.goal[s]).collect();
        for &s in &queue {
            far[s] = Some(0);
        }
        let mut head = 0;
        while let Some(&s) = queue.get(head) {
            head += 1;
            for &from in &before[starts[s]..ends[s]] {
                let from = from as usize;
                if far[from].is_none() {
                    far[from] = far[s].map(|d: u32| d + 1);
                    queue.push(from);
                }
            }
        }
        far
    }

    /// The hardest start: a state whose shortest plan is longest, with that length.
    pub fn hardest(&self) -> Option<(Grid, u32)> {
        let (layout, length) = self.hardest_layout()?;
        Some((self.numbers.grid(&layout).normal(), length))
    }

    /// The hardest start as a layout.
    pub(crate) fn hardest_layout(&self) -> Option<(Layout, u32)> {
        let far = self.to_goal();
        let most = far.iter().flatten().max().copied()?;
        let state = far.iter().position(|&d| d == Some(most))?;
        Some((self.layout(state as NodeId), most))
    }

    fn layout(&self, state: NodeId) -> Layout {
        let at: State<4> = self.space.unpack(&self.keys.get(state));
        self.space.board().layout_at(&at.at)
    }

    /// The sizes of the connected components, the largest first. Two states are connected if moves lead from one to the other
    /// in either direction.
    pub fn components(&self) -> Vec<usize> {
        let mut parent: Vec<NodeId> = (0..self.len() as NodeId).collect();
        let root = |parent: &mut Vec<NodeId>, mut s: NodeId| {
            while parent[s as usize] != s {
                let above = parent[parent[s as usize] as usize];
                parent[s as usize] = above;
                s = above;
            }
            s
        };
        for edge in &self.edges {
            let (a, b) = (root(&mut parent, edge.from), root(&mut parent, edge.to));
            parent[a.max(b) as usize] = a.min(b);
        }
        let mut sizes = vec![0usize; self.len()];
        for s in 0..self.len() as NodeId {
            sizes[root(&mut parent, s) as usize] += 1;
        }
        sizes.retain(|&n| n > 0);
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes
    }

    /// A state as a board, in normal form.
    pub fn grid(&self, state: NodeId) -> Grid {
        self.numbers.grid(&self.layout(state)).normal()
    }

    /// The name of a move on the board before it.
    fn name(&self, edge: Edge) -> String {
        let mut state = self.space.unpack(&self.keys.get(edge.from));
        let wanted = self.keys.get(edge.to);
        let mut moves = self.space.moves(&state);
        let found = moves.find(|&mv| {
            let token = self.space.apply(&mut state, mv);
            let hit = self.space.pack(&state) == wanted;
            self.space.undo(&mut state, mv, token);
            hit
        });
        found.map_or(String::new(), |mv| self.space.show(&state, mv))
    }

    /// Each pair of neighbours once, the lower number first.
    fn pairs(&self) -> impl Iterator<Item = Edge> + '_ {
        // If solved states are not expanded, there is no move back from them.
        self.edges.iter().copied().filter(|e| e.from < e.to || self.goal[e.to as usize])
    }

    /// Writes the graph as `GraphML`: for each state its distance, whether it is solved, and its board.
    pub fn write_graphml(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(out, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
        for (id, of, kind) in [
            ("distance", "node", "int"),
            ("solved", "node", "boolean"),
            ("board", "node", "string"),
            ("move", "edge", "string"),
        ] {
            writeln!(out, "  <key id=\"{id}\" for=\"{of}\" attr.name=\"{id}\" attr.type=\"{kind}\"/>")?;
        }
        writeln!(out, "  <graph id=\"space\" edgedefault=\"undirected\">")?;
        for s in 0..self.len() {
            let board = self.grid(s as NodeId).display(false).replace('\n', " ");
            let far = self.distance_text(s);
            let solved = self.goal[s];
            writeln!(
                out,
                "    <node id=\"s{s}\">{far}<data key=\"solved\">{solved}</data><data key=\"board\">{}</data></node>",
                board.trim_end()
            )?;
        }
        for e in self.pairs() {
            let name = self.name(e);
            let (from, to) = (e.from, e.to);
            writeln!(
                out,
                "    <edge source=\"s{from}\" target=\"s{to}\"><data key=\"move\">{name}</data></edge>"
            )?;
        }
        writeln!(out, "  </graph>\n</graphml>")
    }

    fn distance_text(&self, state: usize) -> String {
        match self.distance[state] {
            UNREACHED => String::new(),
            far => format!("<data key=\"distance\">{far}</data>"),
        }
    }

    /// Writes the graph as JSON: `{"states": [{"distance", "solved", "board"}], "moves": [[from, to, "move"]]}`.
    pub fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{{\"states\": [")?;
        for s in 0..self.len() {
            let mut board = String::new();
            for row in self.grid(s as NodeId).cells().chunks(self.space.board().layout.width) {
                let comma = if board.is_empty() { "" } else { ", " };
                // Writing to a string cannot fail.
                let _ = write!(board, "{comma}{row:?}");
            }
            let far = match self.distance[s] {
                UNREACHED => "null".to_owned(),
                far => far.to_string(),
            };
            let comma = if s + 1 < self.len() { "," } else { "" };
            let solved = self.goal[s];
            writeln!(out, "  {{\"distance\": {far}, \"solved\": {solved}, \"board\": [{board}]}}{comma}")?;
        }
        writeln!(out, "], \"moves\": [")?;
        let mut pairs = self.pairs().peekable();
        while let Some(e) = pairs.next() {
            let comma = if pairs.peek().is_some() { "," } else { "" };
            writeln!(out, "  [{}, {}, \"{}\"]{comma}", e.from, e.to, self.name(e))?;
        }
        writeln!(out, "]}}")
    }
}

fn whole(layout: &Layout, numbers: &Numbers, metric: Metric) -> Result<Whole, Limit> {
    // Every readable board has at most 256 open cells and 64 bricks, and its keys fit.
    let board = Board::<4>::of(layout).ok_or(Limit::Memory)?;
    Whole::new(Arc::new(board), Arc::new(numbers.clone()), metric, true).ok_or(Limit::Memory)
}

/// Appends the keys of all placements to the roots: brick after brick in a loop that backtracks when one does not fit.
fn place(space: &Whole, meter: &mut Meter, roots: &mut Vec<[u64; 8]>) -> Result<(), Limit> {
    let board = space.board();
    let pieces = board.pieces();
    let mut state = State { at: [0; crate::MAX_PIECES], occupied: crate::Mask::EMPTY };
    // By placed brick: the cells covered before it, and the next anchor to try for the following one.
    let mut before = Vec::with_capacity(pieces);
    let mut anchor = 0;
    loop {
        if meter.due() {
            meter.look()?;
        }
        meter.count();
        let piece = before.len();
        if piece == pieces {
            let key = space.pack(&state);
            meter.ledger.push(roots, key)?;
        } else {
            let shape = board.shape(piece);
            let fits = (anchor..shape.len()).find(|&a| !shape.masks[a].meets(&state.occupied));
            if let Some(a) = fits {
                before.push(state.occupied);
                state.occupied = state.occupied.with(&shape.masks[a]);
                state.at[piece] = a as u16;
                anchor = first_anchor(board, &state, piece + 1);
                continue;
            }
        }
        let Some(occupied) = before.pop() else { return Ok(()) };
        state.occupied = occupied;
        anchor = state.at[before.len()] as usize + 1;
    }
}

/// The first anchor to try for a brick: behind the last one of its shape, so that each placement occurs once.
fn first_anchor(board: &Board<4>, state: &State<4>, piece: usize) -> usize {
    let shape = board.shape_of.get(piece).map(|&k| &board.shapes[k as usize]);
    let twin = shape.and_then(|s| s.pieces.iter().copied().rfind(|&p| p < piece));
    twin.map_or(0, |p| state.at[p] as usize + 1)
}
