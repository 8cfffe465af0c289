//! Estimates of the remaining cost.
//!
//! A heuristic carries a small `Copy` memo down the path, so that most steps cost a table look-up instead of a fresh sum:
//! [`root`](Heuristic::root) makes it, a step changes it, [`value`](Heuristic::value) reads it. Working memory, such as the
//! matrix of an assignment, is its [`Scratch`](Heuristic::Scratch), allocated once for a search.

use crate::core::space::{Cost, Space};

/// What a heuristic guarantees. Searches promise no more than it allows, and tests verify the claim.
///
/// ```
/// use beeline_search::example::{Knight, Leaps};
/// use beeline_search::{Claim, Heuristic};
///
/// assert_eq!(<Leaps as Heuristic<Knight>>::claim(&Leaps), Claim::Consistent);
/// assert!(Claim::Consistent > Claim::Admissible);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// Nothing: it may overestimate.
    Guess,
    /// It never overestimates.
    Admissible,
    /// It never overestimates, and never drops by more than a move costs.
    Consistent,
}

/// An estimate of the cost from a state to the nearest goal.
///
/// ```
/// use beeline_search::example::Knight;
/// use beeline_search::{Claim, Cost, Heuristic, Search, Space};
///
/// /// A knight changes the colour of its square with every move.
/// struct Colour;
///
/// impl Heuristic<Knight> for Colour {
///     /// 0 on a square of the goal's colour, 1 elsewhere.
///     type Memo = Cost;
///     type Scratch = ();
///
///     fn root(&self, _: &Knight, &(column, row): &(u8, u8), (): &mut ()) -> Cost {
///         Cost::from((column + row) % 2)
///     }
///     fn value(&self, memo: Cost) -> Cost {
///         memo
///     }
///     fn claim(&self) -> Claim {
///         Claim::Consistent
///     }
/// }
///
/// let space = Knight::across(8);
/// assert_eq!(Colour.estimate(&space, &(1, 2)), 1);
/// assert_eq!(Search::new(&space).heuristic(Colour).run("astar")?.solution().map(|s| s.cost), Some(6));
/// # Ok::<(), beeline_search::Unsupported>(())
/// ```
pub trait Heuristic<S: Space>: Sync {
    /// The value carried down the path.
    type Memo: Copy + Default + Send;
    /// Working memory of one search on one thread; `()` if there is none. Leftovers of one call may speed up the next one and
    /// must not change its result.
    type Scratch: Default + Send;

    /// Can the memo of a successor be computed *before* the move is played? Then a depth-first search need not play the moves
    /// that it prunes.
    const PEEKS: bool = false;

    /// The memo of a state, from scratch.
    fn root(&self, space: &S, state: &S::State, scratch: &mut Self::Scratch) -> Self::Memo;

    /// The memo after `mv`, from the state *before* it. Called only where [`PEEKS`](Heuristic::PEEKS) is `true`.
    #[inline(always)]
    fn peek(&self, space: &S, before: &S::State, mv: S::Move, memo: Self::Memo) -> Self::Memo {
        let _ = (space, before, mv);
        memo
    }

    /// The memo after `mv`, from the state *after* it.
    #[inline(always)]
    fn step(
        &self,
        space: &S,
        after: &S::State,
        mv: S::Move,
        memo: Self::Memo,
        scratch: &mut Self::Scratch,
    ) -> Self::Memo {
        let _ = (mv, memo);
        self.root(space, after, scratch)
    }

    /// The estimate; [`DEAD`](crate::DEAD) says that no goal can be reached.
    fn value(&self, memo: Self::Memo) -> Cost;

    /// What callers may rely on.
    fn claim(&self) -> Claim;

    /// The estimate of a state, from scratch.
    #[inline]
    fn estimate(&self, space: &S, state: &S::State) -> Cost {
        self.value(self.root(space, state, &mut Self::Scratch::default()))
    }
}

/// The heuristic that is always 0.
///
/// ```
/// use beeline_search::example::Knight;
/// use beeline_search::{Blind, Heuristic, Space};
///
/// let space = Knight::across(8);
/// assert_eq!(Blind.estimate(&space, &space.start()), 0);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

impl<S: Space> Heuristic<S> for Blind {
    type Memo = ();
    type Scratch = ();
    const PEEKS: bool = true;
    #[inline(always)]
    fn root(&self, _: &S, _: &S::State, (): &mut ()) {}
    #[inline(always)]
    fn step(&self, _: &S, _: &S::State, _: S::Move, (): (), (): &mut ()) {}
    #[inline(always)]
    fn value(&self, (): ()) -> Cost {
        0
    }
    fn claim(&self) -> Claim {
        Claim::Consistent
    }
}

/// A heuristic behind a reference is a heuristic.
impl<S: Space, H: Heuristic<S>> Heuristic<S> for &H {
    type Memo = H::Memo;
    type Scratch = H::Scratch;
    const PEEKS: bool = H::PEEKS;
    #[inline(always)]
    fn root(&self, space: &S, state: &S::State, scratch: &mut H::Scratch) -> Self::Memo {
        (**self).root(space, state, scratch)
    }
    #[inline(always)]
    fn peek(&self, space: &S, before: &S::State, mv: S::Move, memo: Self::Memo) -> Self::Memo {
        (**self).peek(space, before, mv, memo)
    }
    #[inline(always)]
    fn step(
        &self,
        space: &S,
        after: &S::State,
        mv: S::Move,
        memo: Self::Memo,
        scratch: &mut H::Scratch,
    ) -> Self::Memo {
        (**self).step(space, after, mv, memo, scratch)
    }
    #[inline(always)]
    fn value(&self, memo: Self::Memo) -> Cost {
        (**self).value(memo)
    }
    fn claim(&self) -> Claim {
        (**self).claim()
    }
}
