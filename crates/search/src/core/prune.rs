//! Rules that drop a successor: dead ends and lack of novelty.
//!
//! A rule judges each successor once, after the move was played and before duplicates are looked up. Drops are counted by rule
//! name.

use crate::core::budget::{Limit, Meter};
use crate::core::space::{Cost, Space};

/// What a rule says of a successor.
///
/// ```
/// use beeline_search::Ruling;
///
/// let ruling = Ruling::Drop("corner");
/// assert_ne!(ruling, Ruling::Keep);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// Keep it.
    Keep,
    /// Drop it, under this rule's name.
    Drop(&'static str),
}

/// A rule, or several.
///
/// ```
/// use beeline_search::example::Knight;
/// use beeline_search::{Cost, Limit, Meter, Prune, Ruling, Search};
///
/// /// The knight keeps off the first row once it has left it.
/// #[derive(Clone)]
/// struct FirstRow;
///
/// impl Prune<Knight> for FirstRow {
///     fn is_sound(&self) -> bool {
///         false // a plan may lead over the first row
///     }
///     fn judge(
///         &mut self,
///         _: &Knight,
///         after: &(u8, u8),
///         _: (i8, i8),
///         _: Cost,
///         _: &mut Meter,
///     ) -> Result<Ruling, Limit> {
///         Ok(if after.1 == 0 { Ruling::Drop("first row") } else { Ruling::Keep })
///     }
/// }
///
/// let outcome = Search::new(&Knight::across(8)).prune(FirstRow).run("bfs")?;
/// assert!(outcome.stats.pruned_total() > 0);
/// assert_eq!(outcome.solution().map(|s| s.is_optimal()), Some(false), "the rule may have dropped a shorter plan");
/// # Ok::<(), beeline_search::Unsupported>(())
/// ```
pub trait Prune<S: Space> {
    /// Does this rule only drop states from which no goal can be reached? Then the strategy keeps its promises.
    fn is_sound(&self) -> bool;

    /// Called before the search, with the start state. A rule claims its tables in the meter's ledger and charges long loops
    /// with [`Meter::work`].
    fn begin(&mut self, space: &S, start: &S::State, meter: &mut Meter) -> Result<(), Limit> {
        let _ = (space, start, meter);
        Ok(())
    }

    /// Called while a search resumes, for each state that was judged and kept before, in that order. A rule with memory records
    /// the state again.
    fn recall(&mut self, space: &S, kept: &S::State, meter: &mut Meter) -> Result<(), Limit> {
        let _ = (space, kept, meter);
        Ok(())
    }

    /// Called before the successors of `parent` are judged, and again when a depth-first search returns to it.
    #[inline(always)]
    fn enter(&mut self, space: &S, parent: &S::State) {
        let _ = (space, parent);
    }

    /// Judges the successor `after`, reached by `mv` at path cost `cost`.
    fn judge(
        &mut self,
        space: &S,
        after: &S::State,
        mv: S::Move,
        cost: Cost,
        meter: &mut Meter,
    ) -> Result<Ruling, Limit>;
}

/// No rule.
impl<S: Space> Prune<S> for () {
    fn is_sound(&self) -> bool {
        true
    }
    #[inline(always)]
    fn judge(&mut self, _: &S, _: &S::State, _: S::Move, _: Cost, _: &mut Meter) -> Result<Ruling, Limit> {
        Ok(Ruling::Keep)
    }
}

/// Two rules, the second after the first.
impl<S: Space, A: Prune<S>, B: Prune<S>> Prune<S> for (A, B) {
    fn is_sound(&self) -> bool {
        self.0.is_sound() && self.1.is_sound()
    }
    fn begin(&mut self, space: &S, start: &S::State, meter: &mut Meter) -> Result<(), Limit> {
        self.0.begin(space, start, meter)?;
        self.1.begin(space, start, meter)
    }
    fn recall(&mut self, space: &S, kept: &S::State, meter: &mut Meter) -> Result<(), Limit> {
        self.0.recall(space, kept, meter)?;
        self.1.recall(space, kept, meter)
    }
    #[inline(always)]
    fn enter(&mut self, space: &S, parent: &S::State) {
        self.0.enter(space, parent);
        self.1.enter(space, parent);
    }
    #[inline(always)]
    fn judge(
        &mut self,
        space: &S,
        after: &S::State,
        mv: S::Move,
        cost: Cost,
        meter: &mut Meter,
    ) -> Result<Ruling, Limit> {
        match self.0.judge(space, after, mv, cost, meter)? {
            Ruling::Keep => self.1.judge(space, after, mv, cost, meter),
            dropped @ Ruling::Drop(_) => Ok(dropped),
        }
    }
}

/// A rule, if there is one.
impl<S: Space, P: Prune<S>> Prune<S> for Option<P> {
    fn is_sound(&self) -> bool {
        self.as_ref().is_none_or(Prune::is_sound)
    }
    fn begin(&mut self, space: &S, start: &S::State, meter: &mut Meter) -> Result<(), Limit> {
        self.iter_mut().try_for_each(|rule| rule.begin(space, start, meter))
    }
    fn recall(&mut self, space: &S, kept: &S::State, meter: &mut Meter) -> Result<(), Limit> {
        self.iter_mut().try_for_each(|rule| rule.recall(space, kept, meter))
    }
    #[inline(always)]
    fn enter(&mut self, space: &S, parent: &S::State) {
        if let Some(rule) = self {
            rule.enter(space, parent);
        }
    }
    #[inline(always)]
    fn judge(
        &mut self,
        space: &S,
        after: &S::State,
        mv: S::Move,
        cost: Cost,
        meter: &mut Meter,
    ) -> Result<Ruling, Limit> {
        match self {
            Some(rule) => rule.judge(space, after, mv, cost, meter),
            None => Ok(Ruling::Keep),
        }
    }
}

impl<S: Space, P: Prune<S> + ?Sized> Prune<S> for &mut P {
    fn is_sound(&self) -> bool {
        (**self).is_sound()
    }
    fn begin(&mut self, space: &S, start: &S::State, meter: &mut Meter) -> Result<(), Limit> {
        (**self).begin(space, start, meter)
    }
    fn recall(&mut self, space: &S, kept: &S::State, meter: &mut Meter) -> Result<(), Limit> {
        (**self).recall(space, kept, meter)
    }
    #[inline(always)]
    fn enter(&mut self, space: &S, parent: &S::State) {
        (**self).enter(space, parent);
    }
    #[inline(always)]
    fn judge(
        &mut self,
        space: &S,
        after: &S::State,
        mv: S::Move,
        cost: Cost,
        meter: &mut Meter,
    ) -> Result<Ruling, Limit> {
        (**self).judge(space, after, mv, cost, meter)
    }
}
