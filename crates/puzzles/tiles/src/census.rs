//! Counts all boards of a size by distance from the solved one, with two bits per board and sixty boards at a time.
//!
//! A board is the square of the blank and the order of the other tiles, row by row, as a number in the factorial number system
//! (Lehmer code). As in the rank of a board, parity determines the last two digits. The last three of the remaining digits have
//! 5 × 4 × 3 values: these sixty boards share a word, one bit each.
//!
//! A horizontal step changes only the blank's square. A vertical step moves one tile across the others of its row. It changes
//! as many digits as the board has columns, in a way that depends only on these digits. So all boards that agree in them change
//! alike, and most steps move whole words. Where the digits of a word take part, a few masks and shifts suffice.
//!
//! The search is breadth-first and *pulls*: each word of the next layer gathers the words that lead to it. Every word then has
//! one writer, so threads need no locks. The blank's square changes colour with every step, as on a chessboard. So consecutive
//! layers never hold boards with the same blank square, and share one array. (Two-bit breadth-first search: Korf 2008; the
//! word-wise form is our own.)

use beeline_search::census::{self, Census};
use beeline_search::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use beeline_search::sync::{Mutex, lock};
use beeline_search::{Budget, Limit, Meter, Ranked, Stats, team};

use super::board::{Board, Goal};
use super::{Sliding, Tiles};

/// Boards in a word: the values of the last three digits.
const PER_WORD: usize = 60;
/// Digits in a word.
const LOW_DIGITS: usize = 3;
/// Tiles whose order parity determines.
const IMPLIED: usize = 2;
/// The bits of all boards of a word.
const FULL: u64 = (1 << PER_WORD) - 1;
/// Words in a task of a thread, which takes about a millisecond.
const TASK: usize = 1 << 14;
/// Work per word, in units of [`Meter::work`].
const WORD: u64 = 50;

/// Counts the boards reachable from the solved board, by distance. The figures are valid in any case.
pub fn count(
    board: &Board,
    threads: usize,
    budget: &Budget,
    tick: &mut dyn FnMut(&Stats),
) -> (Result<Census, Limit>, Stats) {
    let space = Sliding::new(board);
    // Fewer tiles do not fill a word. More boards than a 64-bit number can index fit no memory.
    if board.squares() <= LOW_DIGITS + IMPLIED || space.states() == u64::MAX {
        return census::count(&space, budget, tick);
    }
    let mut meter = Meter::new(budget);
    let mut stats = Stats::default();
    let counted = Layers::new(board, &mut meter)
        .and_then(|mut layers| layers.count(&space, threads, &mut meter, &mut stats, tick));
    stats.close(&meter);
    (counted, stats)
}

/// The source of the words that lead to the words of one blank square.
enum Source {
    /// From the same words of this blank.
    Beside(usize),
    /// Whole words of this blank. `digits` are the changing digits of the source, above `below` words.
    Words { blank: usize, digits: Vec<u32>, below: usize },
    /// Parts of words of this blank. The changing digits of the word's number are its lowest, with `values` values. For each of
    /// these values and each parity of all digits of the number: the pieces.
    Parts { blank: usize, values: usize, pieces: Vec<Vec<Piece>> },
}

/// Boards of a word that change alike.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Piece {
    /// The offset from the number of the word to that of the source.
    offset: isize,
    /// The boards of the source.
    mask: u64,
    /// Their shift: to the left, or to the right if negative.
    shift: i32,
}

/// All boards: those that were seen, and those of the last layer with a blank of their colour.
struct Layers {
    columns: usize,
    /// By blank, then by the upper digits.
    seen: Vec<Vec<u64>>,
    front: Vec<Vec<u64>>,
    sources: Vec<Vec<Source>>,
    /// By number of a word: is the sum of its digits odd?
    odd: Vec<bool>,
}

/// A part of the words of one blank.
struct Task<'a> {
    blank: usize,
    first: usize,
    front: &'a mut [u64],
    seen: &'a mut [u64],
}

impl Layers {
    /// The shorter side runs along the rows, so that few digits change.
    fn new(board: &Board, meter: &mut Meter) -> Result<Self, Limit> {
        let (rows, columns) = (board.rows().max(board.columns()), board.rows().min(board.columns()));
        let squares = rows * columns;
        let tiles = squares - 1;
        let upper = tiles - IMPLIED - LOW_DIGITS;
        let words: Option<usize> = (0..upper).try_fold(1usize, |words, i| words.checked_mul(tiles - i));
        let words = words.ok_or(Limit::Memory)?;
        let mut numbers = || -> Result<Vec<Vec<u64>>, Limit> {
            (0..squares).map(|_| Ok(meter.ledger.filled(0, words)?)).collect()
        };
        let (seen, front) = (numbers()?, numbers()?);
        let mut odd = meter.ledger.filled(false, words)?;
        for (word, odd) in odd.iter_mut().enumerate() {
            let mut rest = word;
            for i in (0..upper).rev() {
                *odd ^= rest % (tiles - i) % 2 == 1;
                rest /= tiles - i;
            }
        }
        let digits = Digits { tiles, columns };
        let sources = (0..squares).map(|blank| digits.sources(blank)).collect();
        Ok(Self { columns, seen, front, sources, odd })
    }

    fn count(
        &mut self,
        space: &Sliding,
        threads: usize,
        meter: &mut Meter,
        stats: &mut Stats,
        tick: &mut dyn FnMut(&Stats),
    ) -> Result<Census, Limit> {
        // The solved board: the blank first, all digits zero.
        (self.front[0][0], self.seen[0][0]) = (1, 1);
        let mut layers = vec![1];
        loop {
            let size = layers.last().copied().unwrap_or(0);
            if meter.allowed() < size {
                return Err(Limit::Nodes);
            }
            meter.count_many(size);
            stats.expanded += size;
            stats.stored += size;
            stats.frontier_peak = stats.frontier_peak.max(size);
            stats.depth = layers.len() as u64 - 1;
            let found = self.next_layer(layers.len() % 2, threads, meter)?;
            stats.close(meter);
            tick(stats);
            if found == 0 {
                let farthest = self.farthest(space, (layers.len() + 1) % 2);
                return Ok(Census { layers, goals: 1, farthest });
            }
            layers.push(found);
        }
    }

    /// Is the blank on a square of this colour?
    fn has_colour(&self, blank: usize, colour: usize) -> bool {
        (blank / self.columns + blank % self.columns) % 2 == colour
    }

    /// Computes the next layer, whose blanks are on squares of this colour, and returns its size.
    fn next_layer(&mut self, colour: usize, threads: usize, meter: &mut Meter) -> Result<u64, Limit> {
        let mut next: Vec<Vec<u64>> = Vec::new();
        let blanks: Vec<usize> =
            (0..self.front.len()).filter(|&blank| self.has_colour(blank, colour)).collect();
        for &blank in &blanks {
            next.push(std::mem::take(&mut self.front[blank]));
        }
        let (front, sources, odd) = (&self.front, &self.sources, &self.odd);
        let mut seen: Vec<(usize, &mut Vec<u64>)> = self.seen.iter_mut().enumerate().collect();
        seen.retain(|(blank, _)| blanks.contains(blank));
        let tasks = seen.into_iter().zip(&mut next).flat_map(|((blank, seen), next)| {
            let parts = next.chunks_mut(TASK).zip(seen.chunks_mut(TASK)).enumerate();
            parts.map(move |(i, (front, seen))| Task { blank, first: i * TASK, front, seen })
        });
        let tasks = Mutex::new(tasks.collect::<Vec<_>>().into_iter());
        let (stop, found) = (AtomicBool::new(false), AtomicU64::new(0));
        let work = |look: &mut dyn FnMut() -> bool| {
            while !stop.load(Ordering::Relaxed) {
                let task = lock(&tasks).next();
                let Some(task) = task else { break };
                let sources = &sources[task.blank];
                found.fetch_add(task.gather(front, sources, odd), Ordering::Relaxed);
                if look() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        };
        let mut limit = None;
        team::scope(&|| stop.store(true, Ordering::Relaxed), |team| {
            let others = 1..team::useful(threads);
            let _others: Vec<_> = others.map_while(|_| team.spawn(|| work(&mut || false)).ok()).collect();
            work(&mut || {
                // The limit on expansions was checked before.
                limit = meter.work(WORD * TASK as u64).err();
                limit.is_some()
            });
        });
        drop(tasks);
        for (blank, words) in blanks.into_iter().zip(next) {
            self.front[blank] = words;
        }
        limit.map_or(Ok(found.into_inner()), Err)
    }

    /// The least rank of a board in the last layer, whose blanks are on squares of this colour.
    fn farthest(&self, space: &Sliding, colour: usize) -> u64 {
        let turned = space.board.columns() != self.columns;
        let rows = self.front.len() / self.columns;
        let Some(board) = Board::solved(rows, self.columns, Goal::BlankFirst) else { return 0 };
        let own = Sliding::new(&board);
        let boards =
            (0..self.front.len()).filter(|&blank| self.has_colour(blank, colour)).flat_map(|blank| {
                let words = self.front[blank].iter().enumerate();
                words.flat_map(move |(word, &bits)| {
                    let set = (0..PER_WORD).filter(move |bit| bits >> bit & 1 == 1);
                    set.map(move |bit| ((blank * self.odd.len() + word) * PER_WORD + bit) as u64)
                })
            });
        let turn = |tiles: &Tiles| if turned { transposed(tiles, &board) } else { *tiles };
        boards.map(|rank| space.rank(&turn(&own.unrank(rank)))).min().unwrap_or(0)
    }
}

/// The board with rows and columns exchanged, and each tile renamed after its new home.
fn transposed(tiles: &Tiles, board: &Board) -> Tiles {
    let (rows, columns) = (board.rows(), board.columns());
    let to = |square: usize| square % columns * rows + square / columns;
    let mut turned = *tiles;
    for square in 0..rows * columns {
        turned.cells[to(square)] = to(usize::from(tiles.cells[square])) as u8;
    }
    turned.blank = to(tiles.blank()) as u8;
    turned
}

impl Task<'_> {
    /// Gathers its words of the next layer and returns the number of new boards.
    fn gather(self, front: &[Vec<u64>], sources: &[Source], odd: &[bool]) -> u64 {
        self.front.fill(0);
        for source in sources {
            match source {
                Source::Beside(blank) => {
                    let from = &front[*blank][self.first..];
                    self.front.iter_mut().zip(from).for_each(|(to, from)| *to |= from);
                }
                Source::Words { blank, digits, below } => {
                    copy_words(self.front, self.first, &front[*blank], digits, *below);
                }
                Source::Parts { blank, values, pieces } => {
                    let from = &front[*blank];
                    for (i, (to, seen)) in self.front.iter_mut().zip(&*self.seen).enumerate() {
                        let word = self.first + i;
                        if *seen == FULL {
                            continue;
                        }
                        for piece in &pieces[2 * (word % values) + usize::from(odd[word])] {
                            let bits = from[word.wrapping_add_signed(piece.offset)] & piece.mask;
                            *to |= if piece.shift >= 0 { bits << piece.shift } else { bits >> -piece.shift };
                        }
                    }
                }
            }
        }
        let mut found = 0;
        for (front, seen) in self.front.iter_mut().zip(self.seen) {
            *front &= !*seen;
            *seen |= *front;
            found += u64::from(front.count_ones());
        }
        found
    }
}

/// Adds the words that come from whole words. The words `first..` are split where a changing digit changes.
fn copy_words(to: &mut [u64], first: usize, from: &[u64], digits: &[u32], below: usize) {
    let mut done = 0;
    while done < to.len() {
        let word = first + done;
        let (upper, value) = (word / below / digits.len(), word / below % digits.len());
        let run = (below - word % below).min(to.len() - done);
        let source = (upper * digits.len() + digits[value] as usize) * below + word % below;
        to[done..done + run].iter_mut().zip(&from[source..source + run]).for_each(|(to, from)| *to |= from);
        done += run;
    }
}

/// The effect of a step on the digits of a board.
struct Digits {
    tiles: usize,
    columns: usize,
}

impl Digits {
    fn sources(&self, blank: usize) -> Vec<Source> {
        let (column, squares) = (blank % self.columns, self.tiles + 1);
        let mut sources = Vec::new();
        if column > 0 {
            sources.push(Source::Beside(blank - 1));
        }
        if column + 1 < self.columns {
            sources.push(Source::Beside(blank + 1));
        }
        if let Some(above) = blank.checked_sub(self.columns) {
            sources.push(self.vertical(blank, above));
        }
        if blank + self.columns < squares {
            sources.push(self.vertical(blank, blank + self.columns));
        }
        sources
    }

    /// The number of values of a digit.
    fn base(&self, digit: usize) -> usize {
        self.tiles - digit
    }

    /// The product of the bases of these digits.
    fn values(&self, digits: std::ops::Range<usize>) -> usize {
        digits.map(|digit| self.base(digit)).product()
    }

    /// A vertical step that moves the blank from one square to the other.
    fn vertical(&self, to: usize, from: usize) -> Source {
        // The tile moves between the squares. The digits of its old and new place and of all between change.
        let first = to.min(from);
        let end = first + self.columns;
        let upper = self.tiles - IMPLIED - LOW_DIGITS;
        if end <= upper {
            let values = self.values(first..end);
            let digits = (0..values).map(|value| {
                let mut digits = self.split(value, first..end);
                self.undo(&mut digits, first, from < to);
                self.join(&digits, first..end) as u32
            });
            return Source::Words { blank: from, digits: digits.collect(), below: self.values(end..upper) };
        }
        let values = self.values(first.min(upper)..upper);
        let rows_odd = to / self.columns % 2 == 1 && self.columns.is_multiple_of(2);
        let pieces = (0..2 * values).map(|i| self.pieces(i / 2, (i % 2 == 1) ^ rows_odd, first, from < to));
        Source::Parts { blank: from, values, pieces: pieces.collect() }
    }

    /// The pieces of words with this value of the changing digits outside the word. `odd`: the sum of all digits outside the
    /// word, and the parity of the whole board.
    fn pieces(&self, value: usize, odd: bool, first: usize, down: bool) -> Vec<Piece> {
        let upper = self.tiles - IMPLIED - LOW_DIGITS;
        let start = first.min(upper);
        let all = start..self.tiles - IMPLIED;
        let mut pieces: Vec<Piece> = Vec::new();
        for bit in 0..PER_WORD {
            let mut digits = self.split(value * PER_WORD + bit, all.clone());
            let low: usize = digits[upper - start..].iter().sum();
            digits.extend([(low + usize::from(odd)) % 2, 0]);
            self.undo(&mut digits[first - start..], first, down);
            let source = self.join(&digits[..all.len()], all.clone());
            let piece = Piece {
                offset: (source / PER_WORD) as isize - value as isize,
                mask: 1 << (source % PER_WORD),
                shift: bit as i32 - (source % PER_WORD) as i32,
            };
            let same = |other: &&mut Piece| (other.offset, other.shift) == (piece.offset, piece.shift);
            match pieces.iter_mut().find(same) {
                Some(other) => other.mask |= piece.mask,
                None => pieces.push(piece),
            }
        }
        pieces
    }

    /// The digits of a number, the highest first.
    fn split(&self, mut number: usize, digits: std::ops::Range<usize>) -> Vec<usize> {
        let mut split: Vec<usize> = digits
            .rev()
            .map(|digit| {
                let value = number % self.base(digit);
                number /= self.base(digit);
                value
            })
            .collect();
        split.reverse();
        split
    }

    fn join(&self, split: &[usize], digits: std::ops::Range<usize>) -> usize {
        digits.zip(split).fold(0, |number, (digit, value)| number * self.base(digit) + value)
    }

    /// Undoes a step: `digits` are those from the digit `first` on. If the blank went down, the last tile of the changed ones
    /// had become the first.
    fn undo(&self, digits: &mut [usize], first: usize, down: bool) {
        let mut left: Vec<usize> = (first..self.tiles).collect();
        let mut tiles: Vec<usize> = digits.iter().map(|&digit| left.remove(digit)).collect();
        let moved = &mut tiles[..self.columns];
        if down {
            moved.rotate_left(1);
        } else {
            moved.rotate_right(1);
        }
        let mut left: Vec<usize> = (first..self.tiles).collect();
        for (digit, tile) in digits.iter_mut().zip(tiles) {
            *digit = left.iter().position(|&other| other == tile).unwrap_or(0);
            left.remove(*digit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: usize, columns: usize) -> Board {
        Board::solved(rows, columns, Goal::BlankFirst).unwrap()
    }

    #[test]
    fn counts_as_the_engine_does() {
        for (rows, columns) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)] {
            let board = board(rows, columns);
            let (plain, plain_stats) = census::count(&Sliding::new(&board), &Budget::default(), &mut |_| {});
            for threads in [1, 3] {
                let (counted, stats) = count(&board, threads, &Budget::default(), &mut |_| {});
                assert_eq!(counted, plain, "{rows} x {columns} by {threads} threads");
                assert_eq!((stats.expanded, stats.depth), (plain_stats.expanded, plain_stats.depth));
            }
        }
    }

    #[test]
    fn limits_end_it() {
        let stopped = |budget: Budget| count(&board(2, 5), 2, &budget, &mut |_| {});
        for nodes in [0, 1, 100, 1_814_399] {
            let (counted, stats) = stopped(Budget { nodes: Some(nodes), ..Budget::default() });
            assert_eq!(counted, Err(Limit::Nodes));
            assert!(stats.expanded <= nodes);
        }
        assert_eq!(stopped(Budget { bytes: Some(1 << 16), ..Budget::default() }).0, Err(Limit::Memory));
        let budget = Budget::default();
        budget.cancel.cancel();
        assert_eq!(stopped(budget).0, Err(Limit::Cancelled));
        // More boards than fit in any memory.
        assert_eq!(count(&board(6, 6), 1, &Budget::default(), &mut |_| {}).0, Err(Limit::Memory));
    }
}
