//! The pruning rule of Iterated Width: a state without novelty is dropped.

use super::Novelty;
use crate::core::budget::{Limit, Meter};
use crate::core::prune::{Prune, Ruling};
use crate::core::space::{Cost, Space};

/// The rule name under which states without novelty are counted.
pub const NOT_NOVEL: &str = "not novel";

/// Which tuples of a kept state are recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Record {
    /// All of them, of every size: the definition of novelty.
    #[default]
    All,
    /// Only those of the smallest new size.
    Smallest,
}

/// The rule of Iterated Width: a successor must have a new tuple of at most `width` atoms.
#[derive(Debug)]
pub struct NoveltyRule {
    width: usize,
    record: Record,
    record_start: bool,
    domains: Vec<u32>,
    novelty: Option<Novelty>,
    parent: Vec<u32>,
    values: Vec<u32>,
    changed: Vec<u32>,
    /// Was the parent of the judged successors recorded? Only then may unchanged tuples be skipped.
    parent_recorded: bool,
    entered: bool,
}

impl NoveltyRule {
    /// The rule for this width.
    pub fn new(domains: Vec<u32>, width: usize, record: Record, record_start: bool) -> Self {
        let n = domains.len();
        Self {
            width,
            record,
            record_start,
            domains,
            novelty: None,
            parent: vec![0; n],
            values: vec![0; n],
            changed: Vec::with_capacity(n),
            parent_recorded: false,
            entered: false,
        }
    }

    /// The tuples met, after a search.
    pub fn novelty(&self) -> Option<&Novelty> {
        self.novelty.as_ref()
    }
}

impl<S: Space> Prune<S> for NoveltyRule {
    fn is_sound(&self) -> bool {
        // With all variables at once, only true duplicates are dropped.
        self.width >= self.domains.len() && self.record == Record::All
    }

    fn begin(&mut self, space: &S, start: &S::State, meter: &mut Meter) -> Result<(), Limit> {
        let mut novelty = Novelty::new(&self.domains, self.width, &mut meter.ledger)?;
        if self.record_start {
            space.values(start, &mut self.values);
            novelty.record(&self.values, None, meter)?;
        }
        self.novelty = Some(novelty);
        (self.entered, self.parent_recorded) = (false, false);
        Ok(())
    }

    /// Dropped states had nothing new, so recording the kept states restores everything.
    fn recall(&mut self, space: &S, kept: &S::State, meter: &mut Meter) -> Result<(), Limit> {
        let Some(novelty) = &mut self.novelty else { return Ok(()) };
        space.values(kept, &mut self.values);
        match self.record {
            Record::All => novelty.record(&self.values, None, meter)?,
            Record::Smallest => novelty.record_smallest(&self.values, meter)?,
        };
        self.entered = true;
        Ok(())
    }

    #[inline]
    fn enter(&mut self, space: &S, parent: &S::State) {
        space.values(parent, &mut self.parent);
        // The first state to be entered is the start. Every other one was recorded when it was kept.
        self.parent_recorded = self.entered || self.record_start;
        self.entered = true;
    }

    #[inline]
    fn judge(
        &mut self,
        space: &S,
        after: &S::State,
        _: S::Move,
        _: Cost,
        meter: &mut Meter,
    ) -> Result<Ruling, Limit> {
        let Some(novelty) = &mut self.novelty else { return Ok(Ruling::Keep) };
        space.values(after, &mut self.values);
        let new = if self.record == Record::Smallest {
            novelty.record_smallest(&self.values, meter)?
        } else if self.parent_recorded {
            self.changed.clear();
            let pairs = self.values.iter().zip(&self.parent).enumerate();
            self.changed.extend(pairs.filter(|(_, (a, b))| a != b).map(|(i, _)| i as u32));
            novelty.record(&self.values, Some(&self.changed), meter)?
        } else {
            novelty.record(&self.values, None, meter)?
        };
        Ok(if new.is_some() { Ruling::Keep } else { Ruling::Drop(NOT_NOVEL) })
    }
}
