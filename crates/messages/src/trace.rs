//! Records a search event by event, so that the page can play it back: expansions, their successors, and pictures of the states.
//! States, events and pictures are bounded. A search that exceeds a bound ends there.

use std::collections::{HashMap, HashSet};

use beeline_puzzles::scene::{Form, Scene};
use beeline_puzzles::{Event, EventKind, Watcher};
use beeline_view::colour::Paints;
use serde::Serialize;

use crate::EventSink;
use crate::board::{Square, square};

/// The most events per state of the trace.
const EVENTS_PER_STATE: usize = 12;
/// The most numbers that all pictures together may take.
const PICTURES: usize = 2_000_000;
/// Bytes that the trace takes for each state: tables of states, of their pictures, and of atoms. There is at most one atom per
/// event.
const BYTES_PER_STATE: usize = 320;
/// Numbers in one message.
const CHUNK: usize = 16_000;

/// A part of the trace. `events` is a flat list of numbers: each event is a code and its arguments.
#[derive(Default, Serialize)]
struct Chunk {
    events: Vec<u32>,
    /// Names of rules, in the order of their numbers.
    rules: Vec<&'static str>,
    /// Cells that pictures consist of, in the order of their numbers.
    looks: Vec<Square>,
    /// Each picture is the number of a state, then pairs: a cell that differs from the start, and the number of its look.
    pictures: Vec<Vec<u32>>,
}

/// The codes of events. Each comment lists the arguments.
mod code {
    /// Bound or width.
    pub(super) const ROUND: u32 = 0;
    /// State, path cost, estimate.
    pub(super) const EXPAND: u32 = 1;
    /// Parent, state.
    pub(super) const KEEP: u32 = 2;
    /// Parent, state.
    pub(super) const DUPLICATE: u32 = 3;
    /// Parent, rule.
    pub(super) const PRUNE: u32 = 4;
    /// Thing, cell: the pair occurs for the first time in this round.
    pub(super) const ATOM: u32 = 5;
}

/// Records a search.
pub(crate) struct Trace<'a> {
    sink: &'a mut dyn EventSink,
    most_states: usize,
    events: usize,
    chunk: Chunk,
    states: HashMap<u64, u32>,
    /// The path to the state being expanded, as state and cost. Only searches that do not announce kept states need it.
    path: Vec<(u32, u32)>,
    rules: Vec<&'static str>,
    looks: HashMap<Square, u32>,
    start: Option<Scene>,
    pictured: HashSet<u32>,
    room_for_pictures: usize,
    /// The atoms seen in this round, if the strategy uses atoms.
    atoms: Option<HashSet<(u16, u32)>>,
    full: bool,
}

impl<'a> Trace<'a> {
    pub(crate) fn new(sink: &'a mut dyn EventSink, most_states: usize, about_atoms: bool) -> Self {
        Self {
            sink,
            most_states,
            events: 0,
            chunk: Chunk::default(),
            states: HashMap::new(),
            path: Vec::new(),
            rules: Vec::new(),
            looks: HashMap::new(),
            start: None,
            pictured: HashSet::new(),
            room_for_pictures: PICTURES,
            atoms: about_atoms.then(HashSet::new),
            full: false,
        }
    }

    /// The most memory that the trace of this many states takes, without messages in transit.
    pub(crate) fn bytes(most_states: usize) -> usize {
        most_states * BYTES_PER_STATE
    }

    /// Did the search exceed the bounds of the trace?
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    /// The number of a state in the trace.
    pub(crate) fn number(&self, state: u64) -> Option<u32> {
        self.states.get(&state).copied()
    }

    /// Sends the collected chunk.
    pub(crate) fn flush(&mut self) {
        let chunk = std::mem::take(&mut self.chunk);
        if !chunk.events.is_empty() {
            self.sink.emit("trace", &chunk);
        }
    }

    fn push_event(&mut self, event: &[u32]) {
        self.events += 1;
        self.chunk.events.extend_from_slice(event);
        if self.chunk.events.len() + self.chunk.pictures.iter().map(Vec::len).sum::<usize>() > CHUNK {
            self.flush();
        }
        if self.states.len() >= self.most_states || self.events >= self.most_states * EVENTS_PER_STATE {
            self.full = true;
            self.sink.cancel().cancel();
        }
    }

    /// The number of a state, and whether the state is new.
    fn intern(&mut self, state: u64) -> (u32, bool) {
        let next = self.states.len() as u32;
        let number = *self.states.entry(state).or_insert(next);
        (number, number == next)
    }

    fn expand(&mut self, event: &Event<'_>) {
        let (state, new) = self.intern(event.state);
        while self.path.last().is_some_and(|&(_, cost)| cost >= event.cost) {
            self.path.pop();
        }
        if new && let Some(&(parent, _)) = self.path.last() {
            self.push_event(&[code::KEEP, parent, state]);
        }
        self.path.push((state, event.cost));
        self.push_event(&[code::EXPAND, state, event.cost, event.estimate]);
        let pictured = self.room_for_pictures == 0 || !self.pictured.insert(state);
        if pictured && self.atoms.is_none() {
            return;
        }
        let scene = (event.scene)();
        if !pictured {
            self.picture(state, &scene);
        }
        self.note_atoms(&scene);
    }

    /// Records the picture of a state, as its difference from the start.
    fn picture(&mut self, state: u32, scene: &Scene) {
        let start = self.start.take().unwrap_or_else(|| scene.clone());
        let paints = Paints::of(scene);
        let mut picture = vec![state];
        for (at, (cell, first)) in scene.cells.iter().zip(&start.cells).enumerate() {
            if cell != first {
                let look = square(cell, paints);
                let next = self.looks.len() as u32;
                let number = *self.looks.entry(look.clone()).or_insert(next);
                if number == next {
                    self.chunk.looks.push(look);
                }
                picture.extend([at as u32, number]);
            }
        }
        self.start = Some(start);
        self.room_for_pictures = self.room_for_pictures.saturating_sub(picture.len());
        self.chunk.pictures.push(picture);
    }

    /// Records new atoms. An atom is a thing in a cell; a piece of several cells counts at its first cell.
    fn note_atoms(&mut self, scene: &Scene) {
        let Some(mut atoms) = self.atoms.take() else { return };
        let mut placed = HashSet::new();
        for (at, cell) in scene.cells.iter().enumerate() {
            let Some(thing) = &cell.thing else { continue };
            let first = thing.form != Form::Block || placed.insert(thing.id);
            if first && atoms.insert((thing.id, at as u32)) {
                self.push_event(&[code::ATOM, u32::from(thing.id), at as u32]);
            }
        }
        self.atoms = Some(atoms);
    }

    fn successor(&mut self, code: u32, event: &Event<'_>) {
        let (parent, _) = self.intern(event.state);
        if let Some(next) = (event.next)() {
            let (child, _) = self.intern(next);
            self.push_event(&[code, parent, child]);
        }
    }
}

impl Watcher for Trace<'_> {
    fn wants_events(&self) -> bool {
        true
    }

    fn round(&mut self, bound: u64) {
        self.path.clear();
        if let Some(atoms) = &mut self.atoms {
            atoms.clear();
        }
        self.push_event(&[code::ROUND, bound.min(u64::from(u32::MAX)) as u32]);
    }

    fn event(&mut self, event: &Event<'_>) {
        // A cancelled search may continue for a moment.
        if self.full {
            return;
        }
        match event.kind {
            EventKind::Expanded => self.expand(event),
            EventKind::Generated => self.successor(code::KEEP, event),
            EventKind::Duplicate => self.successor(code::DUPLICATE, event),
            EventKind::Pruned(rule) => {
                let (parent, _) = self.intern(event.state);
                let number = self.rules.iter().position(|r| *r == rule).unwrap_or_else(|| {
                    self.rules.push(rule);
                    self.chunk.rules.push(rule);
                    self.rules.len() - 1
                });
                self.push_event(&[code::PRUNE, parent, number as u32]);
            }
        }
    }
}
