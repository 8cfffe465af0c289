//! The boards and the search of the classic command, with identical counters.
//!
//! A plain first-in first-out tree search without duplicate detection. Moves are counted when they enter the queue, and the
//! goal test runs when a state is generated. `nodes` are the states that ever entered the queue, including the start (even if
//! it is the solution). Any other solution and states dropped by a dead-end rule do not count.

use beeline_search::arena::{Arena, NO_NODE};
use beeline_search::{Budget, Limit, Meter, Prune, Ruling, Space};

use super::bits::Mask;
use super::board::{Board, Cell, Rule, Step};
use super::palette::PALETTE;
use super::prune::{Judge, Rules, dead_beside, open_cells};
use super::{Flow, Order, State};

/// Bytes of a node in the original, which states its storage limit in them.
pub const NODE_BYTES: f64 = 280.0;
/// Most rows of a board in the original.
pub const MAX_SIZE: usize = 15;

/// A board as the classic command reads it.
#[derive(Clone, Debug)]
pub struct Classic {
    /// The board; labels are the letters of the file.
    pub board: Board,
    /// The palette index of each colour.
    pub paints: Vec<usize>,
}

/// Why a file is not a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadFile {
    /// The complete message.
    Message(String),
    /// A colour with one end, and the cells with the palette index of each end's colour.
    OneEnd {
        /// The complete message.
        message: String,
        /// Rows and columns.
        size: usize,
        /// The palette entry of each cell that is an end.
        cells: Vec<Option<usize>>,
    },
}

impl Classic {
    /// Reads a file: N lines of N characters, letters are ends and everything else is free.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, BadFile> {
        let rows = rows(name, bytes).map_err(BadFile::Message)?;
        let letters = rows.iter().flat_map(|row| row.iter()).copied().filter(u8::is_ascii_alphabetic);
        let alternate = letters.max().is_none_or(|most| most <= b'P');
        let size = rows.len();
        let mut colours: Vec<(u8, usize, usize)> = Vec::new();
        let mut cells = Vec::with_capacity(size * size);
        for (i, row) in rows.iter().enumerate() {
            for &byte in *row {
                let cell = if byte.is_ascii_alphabetic() {
                    let c = colour(&mut colours, byte, alternate)
                        .map_err(|why| BadFile::Message(why.replace("F:L", &format!("{name}:{}", i + 1))))?;
                    Cell::End(c)
                } else {
                    Cell::Free
                };
                cells.push(cell);
            }
        }
        if colours.is_empty() {
            return Err(BadFile::Message("empty map!".to_owned()));
        }
        if let Some(&(letter, ..)) = colours.iter().find(|c| c.2 == 1) {
            let message = format!("{name}: color {} has start but no end", char::from(letter));
            let paint = |&cell: &Cell| match cell {
                Cell::End(c) => Some(colours[usize::from(c)].1),
                _ => None,
            };
            return Err(BadFile::OneEnd { message, size, cells: cells.iter().map(paint).collect() });
        }
        let labels = colours.iter().map(|c| char::from(c.0).to_string()).collect();
        let board = Board::new(size, cells, labels).map_err(|e| BadFile::Message(format!("{name}: {e}")))?;
        Ok(Self { board, paints: colours.into_iter().map(|c| c.1).collect() })
    }

    /// The number of rows, and of columns.
    pub fn size(&self) -> usize {
        self.board.width()
    }
}

/// Records the first or second end of a letter's colour.
fn colour(colours: &mut Vec<(u8, usize, usize)>, byte: u8, alternate: bool) -> Result<u16, String> {
    let letter = char::from(byte);
    if let Some(known) = colours.iter().position(|c| c.0 == byte) {
        if colours[known].2 == 2 {
            return Err(format!("F:L too many {letter} already!"));
        }
        colours[known].2 = 2;
        return Ok(known as u16);
    }
    if colours.len() == PALETTE.len() {
        return Err(format!("F:L: can't use color {letter}- too many colors!"));
    }
    let paint = if alternate {
        Some(usize::from(byte - b'A'))
    } else {
        PALETTE.iter().position(|p| p.letter == letter)
    };
    let paint = paint.ok_or_else(|| format!("F:L: unrecognized color {letter}"))?;
    colours.push((byte, paint, 1));
    Ok(colours.len() as u16 - 1)
}

/// The lines of the board.
fn rows<'a>(name: &str, bytes: &'a [u8]) -> Result<Vec<&'a [u8]>, String> {
    let mut lines = bytes.split_inclusive(|&b| b == b'\n').map(|line| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        line.strip_suffix(b"\r").unwrap_or(line)
    });
    let mut rows: Vec<&[u8]> = Vec::new();
    loop {
        let number = rows.len() + 1;
        let row = lines.next().ok_or_else(|| format!("{name}:{number}: unexpected EOF"))?;
        if row.len() > MAX_SIZE + 1 {
            return Err(format!("{name}:{number} line too long"));
        }
        let size = rows.first().map_or(row.len(), |first| first.len());
        if rows.is_empty() && size < 2 {
            return Err(format!("{name}:1: expected at least 3 characters before newline"));
        }
        if rows.is_empty() && size > MAX_SIZE {
            return Err(format!("{name}:1: size too big!"));
        }
        if row.len() != size {
            let got = row.len();
            return Err(format!(
                "{name}:{number}: wrong number of characters before newline (expected {size}, but got {got})"
            ));
        }
        rows.push(row);
        if rows.len() == size {
            return Ok(rows);
        }
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// `s`
    Solved,
    /// `u`
    Unsolvable,
    /// `f`
    Full,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Searched {
    /// How it ended.
    pub flag: Flag,
    /// States that ever entered the queue.
    pub nodes: u64,
    /// The solution; empty if there is none.
    pub plan: Vec<Step>,
    /// If the storage is full: the steps to the state at the head of the queue.
    pub next: Vec<Step>,
    /// Dropped states by rule.
    pub pruned: Vec<(&'static str, u64)>,
    /// Peak bytes of the node store.
    pub bytes: usize,
}

/// Searches until a solution is found, the queue is empty, or `max_nodes` states have entered it.
pub fn search(board: &Board, order: &Order, rules: Rules, max_nodes: u64) -> Option<Searched> {
    match board.cells().len() {
        0..=64 => Some(Queue::new(Flow::<1>::new(board, order.clone())?, rules).run(max_nodes)),
        65..=128 => Some(Queue::new(Flow::<2>::new(board, order.clone())?, rules).run(max_nodes)),
        _ => Some(Queue::new(Flow::<4>::new(board, order.clone())?, rules).run(max_nodes)),
    }
}

struct Queue<const W: usize> {
    space: Flow<W>,
    rules: Rules,
    judge: Judge,
    /// Is no rule active, or only the classic one on a board that must be filled? Then the rules are tested here.
    simple: bool,
    /// The open cells of the state that is being expanded.
    open: Mask<W>,
    arena: Arena<<Flow<W> as Space>::Key>,
    meter: Meter,
    pruned: Vec<(&'static str, u64)>,
}

impl<const W: usize> Queue<W> {
    fn new(space: Flow<W>, rules: Rules) -> Self {
        let arena = Arena::new(space.key_width(), false);
        let classic = rules == Rules { deadends: rules.deadends, ..Rules::default() };
        // Where cells may stay empty, a shut-in cell is no dead end. Only `Judge` distinguishes that.
        let simple = classic && space.board().rule == Rule::Fill;
        Self {
            space,
            rules,
            judge: Judge::new(rules),
            simple,
            open: Mask::EMPTY,
            arena,
            meter: Meter::new(&Budget::default()),
            pruned: Vec::new(),
        }
    }

    fn run(mut self, max_nodes: u64) -> Searched {
        let (flag, plan, head) = match self.walk(max_nodes) {
            Ok(Some((parent, last))) => {
                let (plan, _) = self.arena.plan(&self.space, parent, last);
                (Flag::Solved, plan, 0)
            }
            Ok(None) => (Flag::Unsolvable, Vec::new(), 0),
            // The limit of the job or of the system.
            Err(head) => (Flag::Full, Vec::new(), head),
        };
        let next = if flag == Flag::Full && (head as usize) < self.arena.len() {
            self.arena.plan(&self.space, head, None).0
        } else {
            Vec::new()
        };
        let nodes = self.arena.len() as u64;
        Searched { flag, nodes, plan, next, pruned: self.pruned, bytes: self.meter.ledger.peak() }
    }

    /// The solution as a node and the move from it, if one is found. The error is the head of the queue when the storage is
    /// full. A board that is full at the start is its own solution.
    fn walk(&mut self, max_nodes: u64) -> Result<Option<(u32, Option<Step>)>, u32> {
        let start = self.space.start();
        if max_nodes == 0 {
            return Err(0);
        }
        let key = self.space.pack(&start);
        self.arena.push(&mut self.meter.ledger, &key, NO_NODE, 0, ()).map_err(|_| 0u32)?;
        if self.space.is_goal(&start) {
            return Ok(Some((0, None)));
        }
        let mut id = 0;
        while (id as usize) < self.arena.len() {
            let mut state = self.space.unpack(&self.arena.keys.get(id));
            self.enter(&state);
            for mv in self.space.moves(&state) {
                if self.arena.len() as u64 >= max_nodes {
                    return Err(id + 1);
                }
                let from = self.space.head(&state, mv.colour as u8);
                let token = self.space.apply(&mut state, mv);
                let dropped = self.dropped(&state, mv, from).map_err(|_| id + 1)?;
                if !dropped {
                    if self.space.is_goal(&state) {
                        return Ok(Some((id, Some(mv))));
                    }
                    let key = self.space.pack(&state);
                    self.arena.push(&mut self.meter.ledger, &key, id, 0, ()).map_err(|_| id + 1)?;
                }
                self.space.undo(&mut state, mv, token);
            }
            id += 1;
        }
        Ok(None)
    }

    #[inline]
    fn enter(&mut self, state: &State<W>) {
        if !self.simple {
            self.judge.enter(&self.space, state);
        } else if self.rules.deadends {
            self.open = open_cells(&self.space, state);
        }
    }

    #[inline]
    fn dropped(&mut self, after: &State<W>, mv: Step, from: usize) -> Result<bool, Limit> {
        let name = if self.simple {
            if !self.rules.deadends || !self.is_shut_in(after, mv, from) {
                return Ok(false);
            }
            "deadends"
        } else {
            match self.judge.judge(&self.space, after, mv, 0, &mut self.meter)? {
                Ruling::Keep => return Ok(false),
                Ruling::Drop(name) => name,
            }
        };
        match self.pruned.iter_mut().find(|(n, _)| *n == name) {
            Some((_, count)) => *count += 1,
            None => self.pruned.push((name, 1)),
        }
        Ok(true)
    }

    /// The classic rule, with the parent's open cells updated: the old head is closed, and a colour that was joined closes its
    /// new head and its goal.
    #[inline]
    fn is_shut_in(&self, after: &State<W>, mv: Step, from: usize) -> bool {
        let painted = self.space.neighbour(from, mv.dir);
        let mut open = self.open;
        open.remove(from);
        if after.joined >> mv.colour & 1 != 0 {
            open.remove(painted);
            open.remove(self.space.goal(mv.colour as u8));
        }
        dead_beside(&self.space, after, &open, painted)
    }
}
