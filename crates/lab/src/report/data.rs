//! The records of a report, and the queries that all templates share.

use crate::Record;
use std::collections::HashSet;

use crate::column::{number, unit};
use crate::fit::{Fit, Shape, fit};
use crate::spec::Published;
use crate::summary::{answered, merged, strategies};
use crate::table::{Cell, Table};

/// Records with repeats merged.
pub(super) struct Data {
    /// All merged records.
    pub all: Vec<Record>,
    /// The published results that the spec lists.
    pub published: Vec<Published>,
}

impl Data {
    /// Merges repeats.
    pub(super) fn new(records: &[Record]) -> Self {
        Self { all: merged(records), published: Vec::new() }
    }

    /// The names of the strategies that have a matching record.
    pub(super) fn strategies(&self, which: impl Fn(&Record) -> bool) -> Vec<String> {
        strategies(&self.all.iter().filter(|r| which(r)).cloned().collect::<Vec<_>>())
    }

    /// The strategies that run this search.
    pub(super) fn with(&self, with: &str) -> Vec<String> {
        self.strategies(|r| r.options.with == with)
    }

    /// The answered runs of a strategy.
    pub(super) fn of<'a>(&'a self, strategy: &'a str) -> impl Iterator<Item = &'a Record> {
        self.all.iter().filter(move |r| r.strategy == strategy && answered(r))
    }

    /// The solved runs of a strategy.
    pub(super) fn solved<'a>(&'a self, strategy: &'a str) -> impl Iterator<Item = &'a Record> {
        self.of(strategy).filter(|r| r.measured.solved())
    }

    /// The answered run of a strategy on the instance of a record.
    pub(super) fn beside(&self, record: &Record, strategy: &str) -> Option<&Record> {
        self.all.iter().find(|r| {
            r.strategy == strategy && r.suite == record.suite && r.instance == record.instance && answered(r)
        })
    }

    /// Steps of the shortest plan of an instance, if any run proved it.
    pub(super) fn shortest(&self, record: &Record) -> Option<f64> {
        let same = self.all.iter().filter(|r| r.suite == record.suite && r.instance == record.instance);
        let mut proved = same.filter(|r| r.measured.optimal);
        proved.find_map(|r| r.measured.steps).map(|n| n as f64)
    }

    /// The first record of each instance.
    pub(super) fn instances(&self) -> Vec<&Record> {
        let mut first: Vec<&Record> = Vec::new();
        let mut seen = HashSet::new();
        for record in &self.all {
            if seen.insert((&record.suite, &record.instance)) {
                first.push(record);
            }
        }
        first
    }

    /// One line an instance, one column a strategy.
    pub(super) fn matrix(&self, strategies: &[String], metric: &str, facts: &[&str]) -> Table {
        let heads = ["instance"].into_iter().chain(facts.iter().copied());
        let mut table = Table::new(heads.chain(strategies.iter().map(String::as_str)));
        for record in self.instances() {
            let mut cells = vec![Cell::words(&record.instance)];
            cells.extend(facts.iter().map(|f| Cell::maybe(number(f, record), unit(f))));
            cells.extend(strategies.iter().map(|s| self.met(record, s, metric)));
            table.row(cells);
        }
        table
    }

    /// The metric of a run, or why there is none.
    fn met(&self, record: &Record, strategy: &str, metric: &str) -> Cell {
        let same =
            |r: &&Record| r.strategy == strategy && r.suite == record.suite && r.instance == record.instance;
        match self.all.iter().find(same) {
            None => Cell::empty(),
            Some(r) if answered(r) => crate::column::cell(metric, r),
            Some(r) => Cell { right: true, ..crate::column::cell("result", r) },
        }
    }
}

/// A power law in words: its exponent with the interval.
pub(super) fn exponent(fit: &Fit) -> String {
    let (low, high) = fit.interval().unwrap_or((f64::NAN, f64::NAN));
    format!(
        "{:.2} (95 % interval {low:.2} to {high:.2}, n = {}, R² = {:.2})",
        fit.growth(),
        fit.points,
        fit.r2
    )
}

/// An exponential in words: its factor per unit of x.
pub(super) fn factor(fit: &Fit) -> String {
    let (low, high) = fit.interval().unwrap_or((f64::NAN, f64::NAN));
    format!(
        "{:.3} (95 % interval {low:.3} to {high:.3}, n = {}, R² = {:.2})",
        fit.growth(),
        fit.points,
        fit.r2
    )
}

/// Fits a power law to positive points.
pub(super) fn power(points: &[(f64, f64)]) -> Option<Fit> {
    let points: Vec<(f64, f64)> = points.iter().copied().filter(|p| p.0 > 0.0 && p.1 > 0.0).collect();
    fit(Shape::Power, &points)
}

/// Compares the shapes in words: the best, and how far behind the others are.
pub(super) fn compared(points: &[(f64, f64)]) -> Option<String> {
    let all = crate::fit::fits(points);
    let best = all.first()?;
    let others: Vec<String> =
        all[1..].iter().map(|f| format!("{} +{:.1}", f.shape.name(), f.aic - best.aic)).collect();
    let others =
        if others.is_empty() { String::new() } else { format!("; AICc behind it: {}", others.join(", ")) };
    // By custom, a difference of less than two units of the criterion means nothing.
    let clear = all.get(1).is_none_or(|second| second.aic - best.aic >= 2.0);
    let how = if clear { "" } else { ", but not clearly" };
    Some(format!(
        "best described by {} growth{how}: {} (R² = {:.3}{others})",
        best.shape.name(),
        best.equation(),
        best.r2
    ))
}
