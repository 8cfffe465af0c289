//! The 15-puzzle without large tables: iterative-deepening A* with the improvements of Korf and Taylor (1996) to the Manhattan
//! distance and with walking distance. Each feature can be selected separately.
//!
//! * *Linear conflict*: two tiles in their goal row, each in the other's way: one must leave the row, 2 moves more.
//! * *Last moves*: the last move brings tile 1 or tile 4 out of the blank's corner. The move before it brings tile 2 or 5 over
//!   the home of tile 1, or tile 5 or 8 over the home of tile 4. Each of the two tiles whose path home is different takes 2
//!   moves more; the cheapest of the four endings counts. Not added if the line that the tile would have to leave has a
//!   conflict, which may be the same 2 moves.
//! * *Corner tiles*: a corner with a wrong tile beside a right one: the wrong one leaves by one neighbour's square and the next
//!   comes by the other's. So the right neighbour must make way, 2 moves more. Not added if the neighbour's lines have a
//!   conflict, nor if the blank stands in the corner (the right tile may be about to enter). For the last moves, a tile that
//!   makes way here does not count again.
//! * *Move FSM* (Taylor & Korf 1993): forbidden strings of steps ([`super::move_fsm`]).
//! * *Walking distance* ([`super::walking`]): the maximum with the others counts.
//!
//! All tables are built in a few milliseconds, so this solver suits single easy boards.

use std::sync::{Arc, Mutex, PoisonError};

use beeline_search::{Budget, Limit, Meter, Round};

use super::board::{Board, Goal, MAX_SIDE, Step};
use super::move_fsm::{FORBIDDEN, MoveFsm};
use super::walking::Walking;
use super::word::{GOAL, Word, blank_of, manhattan, nearer, tile_on};

/// Linear conflict.
pub const LINEAR: u8 = 1;
/// Last moves.
pub const LAST: u8 = 2;
/// Corner tiles.
pub const CORNER: u8 = 4;
/// Move FSM.
pub const MACHINE: u8 = 8;
/// Walking distance.
pub const WALKING: u8 = 16;
/// Everything.
pub const ALL: u8 = 31;

/// Marks in the tables of lines: those of the tiles of the last two moves that a line holds. For rows these are tiles 4, 5 and
/// 8; for columns 1, 5 and 2.
const FIRST: u8 = 0x80;
const MIDDLE: u8 = 0x40;
const SECOND: u8 = 0x20;
/// The rest of an entry: the number of tiles that must leave the line.
const LEAVING: u8 = 0x1F;

/// The tables.
#[derive(Debug)]
pub struct TableFreeIda {
    features: u8,
    order: [Step; 4],
    machine: MoveFsm,
    /// By row, given its four tiles: the number of tiles that must leave it.
    rows: Vec<u8>,
    /// The same for columns.
    columns: Vec<u8>,
    /// By walking state: the state after the blank moves to the previous line (first four) or the next, by the tile's line.
    links: Vec<[u16; 8]>,
    walk: Vec<u8>,
    walking: Option<Walking>,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The plan, unless a limit ended the search.
    pub plan: Option<Vec<Step>>,
    /// The rounds; the last one may not be finished.
    pub rounds: Vec<Round>,
    /// Children made.
    pub generated: u64,
    /// Nodes whose children were made.
    pub expanded: u64,
}

impl Found {
    /// The bounds, round by round.
    pub fn bounds(&self) -> Vec<u32> {
        self.rounds.iter().map(|round| round.bound as u32).collect()
    }

    /// Begins a round.
    pub(super) fn begin_round(&mut self, bound: u32) {
        self.rounds.push(Round { bound: bound.into(), ..Round::default() });
    }

    /// Assigns the counts since the previous round to the last one.
    pub(super) fn end_round(&mut self) {
        let Some((last, before)) = self.rounds.split_last_mut() else { return };
        last.expanded = self.expanded - before.iter().map(|round| round.expanded).sum::<u64>();
        last.generated = self.generated - before.iter().map(|round| round.generated).sum::<u64>();
    }
}

#[derive(Clone, Copy)]
struct Node {
    board: Word,
    /// The board with rows and columns exchanged.
    turned: Word,
    distance: u32,
    conflicts: u32,
    /// Walking states of rows and columns.
    walk: [u16; 2],
    state: u16,
    blank: u8,
}

struct Walk<'a> {
    table_free: &'a TableFreeIda,
    plan: Vec<Step>,
    generated: u64,
    expanded: u64,
    left_to_check: u32,
    meter: Meter,
    nodes: u64,
    stopped: Option<Limit>,
}

/// Expansions between two looks at the meter.
const EXPANSIONS_BETWEEN_CHECKS: u32 = 1 << 12;

/// Most steps of the move FSM's strings: a larger machine exceeds the caches.
const STRING_LENGTH: usize = 12;

impl TableFreeIda {
    /// The tables for these features and this order of steps.
    pub fn new(features: u8, order: [Step; 4]) -> Self {
        let strings = if features & MACHINE == 0 { 2 } else { STRING_LENGTH };
        Self::with(MoveFsm::new(4, 4, strings, order), features, order)
    }

    /// The same within the limits of a meter.
    pub fn within(features: u8, order: [Step; 4], meter: &mut Meter) -> Result<Self, Limit> {
        let strings = if features & MACHINE == 0 { 2 } else { STRING_LENGTH };
        let table_free = Self::with(MoveFsm::within(4, 4, strings, order, meter)?, features, order);
        meter.ledger.claim(table_free.bytes())?;
        Ok(table_free)
    }

    /// The tables for these features, in the usual order of steps. All searches of the process share the tables of all
    /// features.
    pub fn shared(features: u8, meter: &mut Meter) -> Result<Arc<Self>, Limit> {
        static SHARED: Mutex<Option<Arc<TableFreeIda>>> = Mutex::new(None);
        if features != ALL {
            return Self::within(features, Step::ALL, meter).map(Arc::new);
        }
        let known = || SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table_free) = known().as_ref() {
            meter.ledger.claim(table_free.bytes())?;
            return Ok(Arc::clone(table_free));
        }
        // Built without holding the lock: a search with more time would delay the others.
        let table_free = Arc::new(Self::within(ALL, Step::ALL, meter)?);
        *known() = Some(Arc::clone(&table_free));
        Ok(table_free)
    }

    fn with(machine: MoveFsm, features: u8, order: [Step; 4]) -> Self {
        let walking = (features & WALKING != 0).then(|| Walking::new(4, 4, 0)).flatten();
        let mut links = vec![[0; 8]];
        let mut walk = vec![0];
        if let Some(table) = &walking {
            let states = 0..table.states() as u16;
            links = states.clone().map(|s| std::array::from_fn(|i| table.after(s, i / 4, i % 4))).collect();
            walk = states.map(|s| table.distance(s) as u8).collect();
        }
        let column_tile = |place: usize, line: usize| place * 4 + line;
        let row_tile = |place: usize, line: usize| line * 4 + place;
        Self {
            features,
            order,
            machine,
            rows: lines(row_tile, [4, 5, 8]),
            columns: lines(column_tile, [1, 5, 2]),
            links,
            walk,
            walking,
        }
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> usize {
        self.machine.bytes() + self.rows.len() + self.columns.len() + 17 * self.walk.len()
    }

    fn root(&self, board: Word) -> Node {
        let turned = turn(board);
        let conflicts =
            (0..4).map(|l| conflicts(&self.rows, board, l) + conflicts(&self.columns, turned, l)).sum();
        let mut walk = [0; 2];
        let cells: Vec<u8> = (0..16).map(|s| tile_on(board, s) as u8).collect();
        let solved = Board::solved(4, 4, Goal::BlankFirst);
        if let (Some(walking), Some(solved)) = (&self.walking, solved) {
            let rows = walking.state(&solved, &cells, |s| s / 4);
            let columns = walking.state(&solved, &cells, |s| s % 4);
            walk = [rows.unwrap_or(0), columns.unwrap_or(0)];
        }
        let blank = blank_of(board);
        let distance = manhattan(board);
        Node {
            board,
            turned,
            distance,
            conflicts,
            walk,
            state: self.machine.start(blank),
            blank: blank as u8,
        }
    }

    /// The estimate of a board under these features.
    pub fn estimate(&self, board: Word) -> u32 {
        let node = self.root(board);
        let mut estimate = node.distance;
        if self.features & LINEAR != 0 {
            estimate += 2 * node.conflicts;
        }
        estimate += 2 * self.extras(&node, self.features);
        if self.features & WALKING != 0 {
            estimate = estimate.max(self.walked(&node));
        }
        estimate
    }

    #[inline(always)]
    fn walked(&self, node: &Node) -> u32 {
        u32::from(self.walk[usize::from(node.walk[0])]) + u32::from(self.walk[usize::from(node.walk[1])])
    }

    /// Last moves and corner tiles, in pairs of moves.
    #[inline(always)]
    fn extras(&self, node: &Node, features: u8) -> u32 {
        // One move from the goal there is no move before the last, so nothing is added.
        if node.distance <= 1 {
            return 0;
        }
        let row = |line: usize| self.rows[line << 16 | (node.board >> (16 * line) & 0xFFFF) as usize];
        let column = |line: usize| self.columns[line << 16 | (node.turned >> (16 * line) & 0xFFFF) as usize];
        // Without linear conflicts in the sum nothing could be counted twice.
        let free = |line: u8| features & LINEAR == 0 || line & LEAVING == 0;
        let mut extras = 0;
        // Do tiles 2 and 8 make way for a corner?
        let (mut two, mut eight) = (false, false);
        if features & CORNER != 0 {
            let at_home = |square: usize| tile_on(node.board, square) == square;
            let makes_way =
                |square: usize| at_home(square) && free(row(square / 4)) && free(column(square % 4));
            let wrong = |corner: usize| !at_home(corner) && tile_on(node.board, corner) != 0;
            if wrong(3) {
                two = makes_way(2);
                extras += u32::from(two) + u32::from(makes_way(7));
            }
            if wrong(12) {
                eight = makes_way(8);
                extras += u32::from(eight) + u32::from(makes_way(13));
            }
            if wrong(15) {
                extras += u32::from(makes_way(11)) + u32::from(makes_way(14));
            }
        }
        if features & LAST != 0 {
            let (rows, columns) = ([row(0), row(1), row(2)], [column(0), column(1), column(2)]);
            // A tile makes a detour along its row if its own column has no conflict, and vice versa.
            let ending = |lines: [u8; 3], crossing: [u8; 3], made_way: bool| {
                let last = u32::from(lines[0] & FIRST == 0 && free(lines[1]));
                let second = (lines[0] | lines[1]) & SECOND == 0 && free(lines[2]) && !made_way;
                let middle = crossing[0] & MIDDLE == 0 && free(crossing[1]);
                last + u32::from(second && middle)
            };
            extras += ending(columns, rows, two).min(ending(rows, columns, eight));
        }
        extras
    }

    /// The child by a step, if its estimate is at most `room`.
    #[inline(always)]
    fn child<const F: u8>(&self, node: &Node, step: Step, state: u16, room: u32) -> Option<Node> {
        let features = if F == CHOSEN { self.features } else { F };
        let blank = usize::from(node.blank);
        let to = [blank.wrapping_sub(1), blank + 1, blank.wrapping_sub(4), blank + 4][step as usize] & 15;
        let tile = node.board >> (4 * to) & 15;
        let mut child = *node;
        let good = NEARER[blank][step as usize] >> tile & 1;
        child.distance = node.distance + 1 - 2 * u32::from(good);
        if child.distance > room {
            return None;
        }
        let (vertical, home) = (step as usize >= 2, tile as usize);
        if features & WALKING != 0 {
            let side = 4 * (step as usize & 1);
            if vertical {
                child.walk[0] = self.links[usize::from(node.walk[0])][side + home / 4];
            } else {
                child.walk[1] = self.links[usize::from(node.walk[1])][side + home % 4];
            }
            if self.walked(&child) > room {
                return None;
            }
        }
        child.board ^= tile << (4 * to) ^ tile << (4 * blank);
        let (turned_to, turned_blank) = (to % 4 * 4 + to / 4, blank % 4 * 4 + blank / 4);
        child.turned ^= tile << (4 * turned_to) ^ tile << (4 * turned_blank);
        if features & LINEAR != 0 {
            let (table, before, after, a, b) = if vertical {
                (&self.rows, node.board, child.board, blank / 4, to / 4)
            } else {
                (&self.columns, node.turned, child.turned, blank % 4, to % 4)
            };
            child.conflicts = node.conflicts + conflicts(table, after, a) + conflicts(table, after, b)
                - conflicts(table, before, a)
                - conflicts(table, before, b);
        }
        let estimate = child.distance + if features & LINEAR == 0 { 0 } else { 2 * child.conflicts };
        if estimate > room {
            return None;
        }
        if features & (LAST | CORNER) != 0 {
            let most = if features & CORNER == 0 { 4 } else { 16 };
            if estimate + most > room && estimate + 2 * self.extras(&child, features) > room {
                return None;
            }
        }
        child.state = state;
        child.blank = to as u8;
        Some(child)
    }

    /// Searches for a shortest plan: the first one in the order of steps. The board must be solvable.
    pub fn search(&self, board: Word, budget: &Budget) -> (Found, Option<Limit>) {
        let mut walk = Walk {
            table_free: self,
            plan: Vec::new(),
            generated: 0,
            expanded: 0,
            left_to_check: EXPANSIONS_BETWEEN_CHECKS,
            meter: Meter::new(budget),
            nodes: budget.nodes.unwrap_or(u64::MAX),
            stopped: None,
        };
        let mut found = Found::default();
        let root = self.root(board);
        let mut bound = self.estimate(board);
        loop {
            found.begin_round(bound);
            let ended = board == GOAL || round(&mut walk, &root, bound, self.features);
            (found.generated, found.expanded) = (walk.generated, walk.expanded);
            found.end_round();
            if ended {
                break;
            }
            bound += 2;
        }
        walk.plan.reverse();
        found.plan = walk.stopped.is_none().then_some(walk.plan);
        (found, walk.stopped)
    }
}

/// By blank square and step: the tiles that the step brings nearer to home.
static NEARER: [[u16; 4]; 16] = {
    let mut table = [[0; 4]; 16];
    let mut square = 0;
    while square < 16 {
        if square % 4 > 0 {
            table[square][0] = nearer(square - 1, square);
        }
        if square % 4 < 3 {
            table[square][1] = nearer(square + 1, square);
        }
        if square >= 4 {
            table[square][2] = nearer(square - 4, square);
        }
        if square < 12 {
            table[square][3] = nearer(square + 4, square);
        }
        square += 1;
    }
    table
};

#[inline(always)]
fn conflicts(table: &[u8], board: Word, line: usize) -> u32 {
    u32::from(table[line << 16 | (board >> (16 * line) & 0xFFFF) as usize] & LEAVING)
}

/// Exchanges rows and columns of the squares; the tiles keep their numbers.
fn turn(board: Word) -> Word {
    (0..16).fold(0, |word, s| word | (tile_on(board, s) as u64) << (4 * (s % 4 * 4 + s / 4)))
}

/// The table of one direction: by line and its four tiles, the number of tiles that must leave the line. `tile` names the tile
/// that belongs at a place of a line; lines are marked if they hold one of the tiles `marked`.
fn lines(tile: impl Fn(usize, usize) -> usize, marked: [usize; 3]) -> Vec<u8> {
    let mut table = vec![0; 4 << 16];
    for line in 0..4 {
        for word in 0..1 << 16 {
            let cells: [usize; 4] = std::array::from_fn(|i| word >> (4 * i) & 15);
            if (1..4).any(|i| cells[..i].contains(&cells[i])) {
                // No board has a tile twice, and most words do.
                continue;
            }
            let homes =
                cells.map(|t| (t != 0).then(|| (0..4).find(|&place| tile(place, line) == t)).flatten());
            let marks = marked.into_iter().zip([FIRST, MIDDLE, SECOND]);
            let marks =
                marks.filter(|(tile, _)| cells.contains(tile)).fold(0, |marks, (_, mark)| marks | mark);
            table[line << 16 | word] = must_leave(&homes) as u8 | marks;
        }
    }
    table
}

/// The fewest tiles that must leave a line so that the others are in order: those outside a longest ascending sequence. `homes`
/// gives, for each place of the line, its tile's goal place in the line, `None` for tiles of other lines.
pub(super) fn must_leave(homes: &[Option<usize>]) -> u32 {
    let mut longest = [0; MAX_SIDE];
    let (mut here, mut most) = (0, 0);
    for (i, home) in homes.iter().enumerate().take(MAX_SIDE) {
        let Some(home) = home else { continue };
        let before = (0..i).filter(|&j| homes[j].is_some_and(|other| other < *home));
        longest[i] = 1 + before.map(|j| longest[j]).max().unwrap_or(0);
        most = most.max(longest[i]);
        here += 1;
    }
    here - most
}

impl Walk<'_> {
    #[cold]
    fn look(&mut self) -> bool {
        self.left_to_check = EXPANSIONS_BETWEEN_CHECKS;
        self.stopped = self.meter.look().err();
        if self.expanded >= self.nodes {
            self.stopped = Some(Limit::Nodes);
        }
        self.stopped.is_some()
    }

    /// Searches below a node; `room` is the rest of the bound for each child.
    fn below<const F: u8>(&mut self, node: &Node, room: u32) -> bool {
        self.expanded += 1;
        self.left_to_check -= 1;
        if self.left_to_check == 0 && self.look() {
            return true;
        }
        for step in self.table_free.order {
            let state = self.table_free.machine.after(node.state, step as usize);
            if state == FORBIDDEN {
                continue;
            }
            self.generated += 1;
            let Some(child) = self.table_free.child::<F>(node, step, state, room) else { continue };
            if child.distance == 0 || self.below::<F>(&child, room - 1) {
                self.plan.push(step);
                return true;
            }
        }
        false
    }
}

/// All combinations except the full one share one form, which tests the features at run time.
const CHOSEN: u8 = u8::MAX;

fn round(walk: &mut Walk<'_>, root: &Node, bound: u32, features: u8) -> bool {
    if features == ALL { walk.below::<ALL>(root, bound - 1) } else { walk.below::<CHOSEN>(root, bound - 1) }
}
