//! The sizes of many small subtrees without a goal, expanded in batches.
//!
//! A node-by-node search branches on whether each child's step is good, which no processor can predict: most of its time is
//! lost to mispredictions. For a sum, the order of the nodes does not matter. So boards with the same blank square and last
//! step (a *batch*) are expanded together, one step at a time. Each board is written to the end of the next batch, and the end
//! advances only if the step was within the bound. Nothing branches.
//!
//! A board carries the number of paths that lead to it, so equal subtrees of several paths count at once.

use super::super::word::{Word, nearer};

/// The largest slack of a subtree, plus one.
pub(super) const SLACKS: usize = 3;

/// Boards expanded at once.
const CHUNK: usize = 256;
/// Boards below which a batch waits for more, as long as more may come.
const MIN_BATCH: usize = 128;

/// Boards and the number of paths to each. Entries behind the first `count` are spare room.
#[derive(Clone, Debug, Default)]
struct Batch {
    boards: Vec<Word>,
    paths: Vec<u32>,
    count: usize,
}

/// Room for a chunk of boards and their paths.
type Room<'a> = (&'a mut [Word; CHUNK], &'a mut [u32; CHUNK]);

impl Batch {
    /// The room behind its boards.
    #[inline(always)]
    fn room(&mut self) -> Option<Room<'_>> {
        if self.boards.len() < self.count + CHUNK {
            self.grow();
        }
        let boards = self.boards.get_mut(self.count..)?.first_chunk_mut()?;
        Some((boards, self.paths.get_mut(self.count..)?.first_chunk_mut()?))
    }

    #[cold]
    fn grow(&mut self) {
        let length = 2 * self.count + 2 * CHUNK;
        self.boards.resize(length, 0);
        self.paths.resize(length, 0);
    }
}

/// Sends boards over one edge of the grid, from the blank's square `BLANK` to `TO`: after good steps to one batch, after bad
/// ones to the other, if there is one. At most a chunk of them.
fn cross<const BLANK: usize, const TO: usize>(
    boards: &[Word],
    paths: &[u32],
    good: &mut Batch,
    bad: Option<&mut Batch>,
) -> Option<()> {
    let step = |board: Word| {
        let tile = board >> (4 * TO) & 15;
        let moved = board ^ (tile << (4 * TO)) ^ (tile << (4 * BLANK));
        (moved, usize::from(const { nearer(TO, BLANK) } >> tile & 1))
    };
    let (good_boards, good_paths) = good.room()?;
    let mut goods = 0;
    if let Some(bad) = bad {
        let (bad_boards, bad_paths) = bad.room()?;
        let mut bads = 0;
        for (&board, &paths) in boards.iter().zip(paths).take(CHUNK) {
            let (moved, near) = step(board);
            good_boards[goods % CHUNK] = moved;
            good_paths[goods % CHUNK] = paths;
            goods += near;
            bad_boards[bads % CHUNK] = moved;
            bad_paths[bads % CHUNK] = paths;
            bads += 1 - near;
        }
        bad.count += bads;
    } else {
        for (&board, &paths) in boards.iter().zip(paths).take(CHUNK) {
            let (moved, near) = step(board);
            good_boards[goods % CHUNK] = moved;
            good_paths[goods % CHUNK] = paths;
            goods += near;
        }
    }
    good.count += goods;
    Some(())
}

/// Sends boards and their paths to a batch, or to two.
type Cross = fn(&[Word], &[u32], &mut Batch, Option<&mut Batch>) -> Option<()>;

/// An edge of the grid, its target square and the step's number.
struct Edge {
    cross: Cross,
    to: usize,
    step: usize,
}

macro_rules! edges {
    ($([$($step:literal $from:literal $to:literal),*])*) => {
        [$(&[$(Edge { cross: cross::<$from, $to>, to: $to, step: $step }),*]),*]
    };
}

/// By the blank's square: the edges from it. Steps are numbered left, right, up, down.
static EDGES: [&[Edge]; 16] = edges! {
    [1 0 1, 3 0 4]
    [0 1 0, 1 1 2, 3 1 5]
    [0 2 1, 1 2 3, 3 2 6]
    [0 3 2, 3 3 7]
    [1 4 5, 2 4 0, 3 4 8]
    [0 5 4, 1 5 6, 2 5 1, 3 5 9]
    [0 6 5, 1 6 7, 2 6 2, 3 6 10]
    [0 7 6, 2 7 3, 3 7 11]
    [1 8 9, 2 8 4, 3 8 12]
    [0 9 8, 1 9 10, 2 9 5, 3 9 13]
    [0 10 9, 1 10 11, 2 10 6, 3 10 14]
    [0 11 10, 2 11 7, 3 11 15]
    [1 12 13, 2 12 8]
    [0 13 12, 1 13 14, 2 13 9]
    [0 14 13, 1 14 15, 2 14 10]
    [0 15 14, 2 15 11]
};

/// All batches, and the counts so far.
#[derive(Debug)]
pub(super) struct Batches {
    /// By slack, blank square and last step.
    kinds: Vec<Batch>,
    pub(super) generated: u64,
    pub(super) expanded: u64,
}

fn number(slack: usize, blank: usize, last: usize) -> usize {
    (slack * 16 + blank) * 4 + last
}

impl Default for Batches {
    fn default() -> Self {
        Self { kinds: vec![Batch::default(); SLACKS * 64], generated: 0, expanded: 0 }
    }
}

impl Batches {
    /// Adds the root of a subtree.
    #[inline(always)]
    pub(super) fn add(&mut self, board: Word, blank: usize, last: usize, slack: usize, paths: u32) {
        let Some(batch) = self.kinds.get_mut(number(slack, blank, last)) else { return };
        if let Some((boards, weights)) = batch.room() {
            boards[0] = board;
            weights[0] = paths;
            batch.count += 1;
        }
    }

    /// Expands all batches that are large enough; at the `end`, all boards.
    pub(super) fn expand_ready(&mut self, end: bool) {
        for slack in (0..SLACKS).rev() {
            self.expand_slack(slack, if end { 1 } else { MIN_BATCH });
        }
    }

    /// Expands the batches of one slack and of all below it, so that those never grow large.
    fn expand_slack(&mut self, slack: usize, min_batch: usize) {
        loop {
            let mut idle = true;
            for kind in 0..64 {
                if self.kinds[slack * 64 + kind].count >= min_batch {
                    idle = false;
                    self.expand(slack, kind / 4, kind % 4);
                }
            }
            if slack > 0 {
                self.expand_slack(slack - 1, MIN_BATCH);
            }
            if idle {
                return;
            }
        }
    }

    /// Expands a batch.
    fn expand(&mut self, slack: usize, blank: usize, last: usize) {
        let mut batch = std::mem::take(&mut self.kinds[number(slack, blank, last)]);
        let (boards, paths) = (&batch.boards[..batch.count], &batch.paths[..batch.count]);
        // A node counts once for its slack and once for each smaller one: that many rounds visit it.
        let nodes = (slack as u64 + 1) * paths.iter().map(|&p| u64::from(p)).sum::<u64>();
        self.expanded += nodes;
        for edge in EDGES[blank].iter().filter(|edge| edge.step != last ^ 1) {
            self.generated += nodes;
            let (lower, same) = self.kinds.split_at_mut(slack * 64);
            let kind = number(0, edge.to, edge.step);
            let mut bad = lower.get_mut((slack * 64 + kind).wrapping_sub(64));
            for (boards, paths) in boards.chunks(CHUNK).zip(paths.chunks(CHUNK)) {
                (edge.cross)(boards, paths, &mut same[kind], bad.as_deref_mut());
            }
        }
        batch.count = 0;
        self.kinds[number(slack, blank, last)] = batch;
    }
}
