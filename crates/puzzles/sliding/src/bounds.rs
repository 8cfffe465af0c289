//! Lower bounds on the cost to go.

use std::convert::Infallible;

use beeline_search::{Claim, Cost, DEAD, Heuristic, Key, Limit, Meter};

use super::board::Board;
use super::mask::Mask;
use super::space::{Metric, Slide, State};

/// Work per anchor and mask word, in units of [`Meter::work`].
const ANCHOR: u64 = 4;

/// The distance of piece 0 on an otherwise empty board, plus one move for each piece on a cell that every path of piece 0 must
/// cover.
///
/// Consistent: a step of piece 0 shortens its distance by at most one and leaves the blocking pieces where they are. (A cell
/// that it no longer must cross is one that it has just covered, where no other piece can be.) A step of another piece changes
/// the number of blocking pieces by at most one. Under the move metric the whole path counts as one move. Targets of other
/// pieces are not counted.
#[derive(Clone, Debug)]
pub struct Blockers<const N: usize> {
    /// By anchor of piece 0: its distance, [`DEAD`] if there is no path.
    way: Vec<Cost>,
    /// By anchor: the cells that every path covers.
    crossed: Vec<Mask<N>>,
    count: bool,
}

impl<const N: usize> Blockers<N> {
    /// The bound of this board, without limits.
    pub fn new(board: &Board<N>, metric: Metric) -> Self {
        let Ok(bound) = Self::build::<Infallible>(board, metric, &mut |_| Ok(()));
        bound
    }

    /// The same within a time limit; it takes most of a second on a board of 4,096 cells.
    pub fn within(board: &Board<N>, metric: Metric, meter: &mut Meter) -> Result<Self, Limit> {
        Self::build(board, metric, &mut |units| meter.work(units))
    }

    /// Calls `work` before each part with its cost in units of [`Meter::work`].
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

    /// The distance alone, without blocking pieces.
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
