//! Lower bounds on what a board still takes.

use std::convert::Infallible;

use beeline_search::{Claim, Cost, DEAD, Heuristic, Key, Limit, Meter};

use super::board::Board;
use super::mask::Mask;
use super::space::{Metric, Slide, State};

/// Work for each anchor and word of a mask, in units of [`Meter::work`].
const ANCHOR: u64 = 4;

/// The way of piece 0 with every other piece away, and one move for each piece that stands on a cell which piece 0 must
/// cross whatever way it takes.
///
/// Consistent: a step of piece 0 shortens its way by at most one, and leaves the pieces in its way where they are (a cell
/// that stops being one it must cross is one that it has just covered, where no other piece can be). A step of another
/// piece changes the number of pieces in the way by at most one. Under the move metric the whole way counts as one move.
/// Where several pieces have targets, the others' targets are not counted.
#[derive(Clone, Debug)]
pub struct Blockers<const N: usize> {
    /// For each anchor of piece 0: its way, [`DEAD`] where there is none.
    way: Vec<Cost>,
    /// For each anchor: the cells that every way covers.
    crossed: Vec<Mask<N>>,
    count: bool,
}

impl<const N: usize> Blockers<N> {
    /// The bound of this board, whatever it takes.
    pub fn new(board: &Board<N>, metric: Metric) -> Self {
        let Ok(bound) = Self::build::<Infallible>(board, metric, &mut |_| Ok(()));
        bound
    }

    /// The same within a limit of time; it takes most of a second on a board of 4,096 cells.
    pub fn within(board: &Board<N>, metric: Metric, meter: &mut Meter) -> Result<Self, Limit> {
        Self::build(board, metric, &mut |units| meter.work(units))
    }

    /// `work` is told what is going to be done, in units of [`Meter::work`].
    fn build<E>(
        board: &Board<N>,
        metric: Metric,
        work: &mut dyn FnMut(u64) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut bound = Self::way_only(board, metric);
        bound.count = true;
        let shape = &board.shapes[0];
        for cell in 0..board.layout.open() {
            work(ANCHOR * (shape.len() * (1 + N)) as u64)?;
            let without = board.distances_through(|a| !shape.masks[a].has(cell));
            for (a, way) in without.into_iter().enumerate() {
                if bound.way[a] != DEAD && way.is_none() && !shape.masks[a].has(cell) {
                    bound.crossed[a] = bound.crossed[a].with(&Mask::of([cell]));
                }
            }
        }
        Ok(bound)
    }

    /// The same without the pieces in the way.
    pub fn way_only(board: &Board<N>, metric: Metric) -> Self {
        let one = |d: u32| if metric == Metric::Steps { d } else { d.min(1) };
        let way: Vec<Cost> = board.distances().into_iter().map(|d| d.map_or(DEAD, one)).collect();
        let crossed = vec![Mask::EMPTY; way.len()];
        Self { way, crossed, count: false }
    }

    /// Always 0.
    pub fn blind(board: &Board<N>) -> Self {
        let anchors = board.shapes[0].len();
        Self { way: vec![0; anchors], crossed: vec![Mask::EMPTY; anchors], count: false }
    }
}

impl<const N: usize, K: Key> Heuristic<Slide<N, K>> for Blockers<N> {
    type Memo = Cost;
    type Scratch = ();

    #[inline]
    fn root(&self, space: &Slide<N, K>, state: &State<N>, (): &mut ()) -> Cost {
        let board = space.board();
        let anchor = state.at[0] as usize;
        let way = self.way[anchor];
        if !self.count || way == DEAD || way == 0 {
            return way;
        }
        let crossed = &self.crossed[anchor];
        let blocks = |p: &usize| board.shape(*p).masks[state.at[*p] as usize].meets(crossed);
        way + (1..board.pieces()).filter(blocks).count() as Cost
    }

    #[inline(always)]
    fn value(&self, memo: Cost) -> Cost {
        memo
    }

    fn claim(&self) -> Claim {
        Claim::Consistent
    }
}
