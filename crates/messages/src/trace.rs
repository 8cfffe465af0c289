//! A search written down, event by event, for the page to play back: which state was taken up when, what became of its
//! successors, what each state looks like. States, events and pictures are bounded; a search that goes beyond ends there.

use std::collections::{HashMap, HashSet};

use beeline_puzzles::scene::{Form, Scene};
use beeline_puzzles::{Event, EventKind, Watcher};
use beeline_view::colour::Paints;
use serde::Serialize;

use crate::board::{Square, square};
use crate::teller::Teller;

/// Events for each state that may be shown.
const EVENTS_PER_STATE: usize = 12;
/// Numbers that all pictures together may take.
const PICTURES: usize = 2_000_000;
/// Bytes that the trace itself takes for each state that may be shown: tables of states, of their pictures and of atoms, of
/// which there is at most one an event.
const BYTES_PER_STATE: usize = 320;
/// Numbers in one message.
const CHUNK: usize = 16_000;

/// A part of the trace. `events` is a list of numbers: a code, then what belongs to it.
#[derive(Default, Serialize)]
struct Chunk {
    events: Vec<u32>,
    /// Names of rules, in the order of their numbers.
    rules: Vec<&'static str>,
    /// Cells that pictures are made of, in the order of their numbers.
    looks: Vec<Square>,
    /// Of a state: its number, then the cells that differ from the start's and their looks, in turn.
    pictures: Vec<Vec<u32>>,
}

/// The codes of events, with what follows each.
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
    /// Thing, cell: seen together for the first time in this round.
    pub(super) const ATOM: u32 = 5;
}

/// Writes a search down.
pub(crate) struct Trace<'a> {
    teller: &'a mut dyn Teller,
    most_states: usize,
    events: usize,
    chunk: Chunk,
    states: HashMap<u64, u32>,
    /// The way to the state that is being expanded, for searches that do not announce what they keep: state and cost.
    way: Vec<(u32, u32)>,
    rules: Vec<&'static str>,
    looks: HashMap<Square, u32>,
    start: Option<Scene>,
    pictured: HashSet<u32>,
    room_for_pictures: usize,
    /// Atoms seen in this round, where the strategy is about atoms.
    atoms: Option<HashSet<(u16, u32)>>,
    full: bool,
}

impl<'a> Trace<'a> {
    pub(crate) fn new(teller: &'a mut dyn Teller, most_states: usize, about_atoms: bool) -> Self {
        Self {
            teller,
            most_states,
            events: 0,
            chunk: Chunk::default(),
            states: HashMap::new(),
            way: Vec::new(),
            rules: Vec::new(),
            looks: HashMap::new(),
            start: None,
            pictured: HashSet::new(),
            room_for_pictures: PICTURES,
            atoms: about_atoms.then(HashSet::new),
            full: false,
        }
    }

    /// The most memory that the trace of so many states takes, without what is on its way to the visitor.
    pub(crate) fn bytes(most_states: usize) -> usize {
        most_states * BYTES_PER_STATE
    }

    /// Did the search outgrow the picture?
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    /// The number of a state that was met.
    pub(crate) fn number(&self, state: u64) -> Option<u32> {
        self.states.get(&state).copied()
    }

    /// Sends what has gathered.
    pub(crate) fn flush(&mut self) {
        let chunk = std::mem::take(&mut self.chunk);
        if !chunk.events.is_empty() {
            self.teller.tell("trace", &chunk);
        }
    }

    fn put(&mut self, event: &[u32]) {
        self.events += 1;
        self.chunk.events.extend_from_slice(event);
        if self.chunk.events.len() + self.chunk.pictures.iter().map(Vec::len).sum::<usize>() > CHUNK {
            self.flush();
        }
        if self.states.len() >= self.most_states || self.events >= self.most_states * EVENTS_PER_STATE {
            self.full = true;
            self.teller.cancel().cancel();
        }
    }

    /// The number of a state, and whether it is new.
    fn meet(&mut self, state: u64) -> (u32, bool) {
        let next = self.states.len() as u32;
        let number = *self.states.entry(state).or_insert(next);
        (number, number == next)
    }

    fn expand(&mut self, event: &Event<'_>) {
        let (state, new) = self.meet(event.state);
        while self.way.last().is_some_and(|&(_, cost)| cost >= event.cost) {
            self.way.pop();
        }
        if new && let Some(&(parent, _)) = self.way.last() {
            self.put(&[code::KEEP, parent, state]);
        }
        self.way.push((state, event.cost));
        self.put(&[code::EXPAND, state, event.cost, event.estimate]);
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

    /// What a state looks like, as what differs from the start.
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

    /// An atom is a thing in a place; a piece of several cells is where its first cell is.
    fn note_atoms(&mut self, scene: &Scene) {
        let Some(mut atoms) = self.atoms.take() else { return };
        let mut placed = HashSet::new();
        for (at, cell) in scene.cells.iter().enumerate() {
            let Some(thing) = &cell.thing else { continue };
            let first = thing.form != Form::Block || placed.insert(thing.id);
            if first && atoms.insert((thing.id, at as u32)) {
                self.put(&[code::ATOM, u32::from(thing.id), at as u32]);
            }
        }
        self.atoms = Some(atoms);
    }

    fn successor(&mut self, code: u32, event: &Event<'_>) {
        let (parent, _) = self.meet(event.state);
        if let Some(next) = (event.next)() {
            let (child, _) = self.meet(next);
            self.put(&[code, parent, child]);
        }
    }
}

impl Watcher for Trace<'_> {
    fn wants_events(&self) -> bool {
        true
    }

    fn round(&mut self, bound: u64) {
        self.way.clear();
        if let Some(atoms) = &mut self.atoms {
            atoms.clear();
        }
        self.put(&[code::ROUND, bound.min(u64::from(u32::MAX)) as u32]);
    }

    fn event(&mut self, event: &Event<'_>) {
        // A cancelled search may go on for a moment.
        if self.full {
            return;
        }
        match event.kind {
            EventKind::Expanded => self.expand(event),
            EventKind::Generated => self.successor(code::KEEP, event),
            EventKind::Duplicate => self.successor(code::DUPLICATE, event),
            EventKind::Pruned(rule) => {
                let (parent, _) = self.meet(event.state);
                let number = self.rules.iter().position(|r| *r == rule).unwrap_or_else(|| {
                    self.rules.push(rule);
                    self.chunk.rules.push(rule);
                    self.rules.len() - 1
                });
                self.put(&[code::PRUNE, parent, number as u32]);
            }
        }
    }
}
