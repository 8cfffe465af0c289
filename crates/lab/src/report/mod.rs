//! Reports: set-up, tables, figures, and answers that are computed from the given records.
//!
//! An answer is a sentence with the numbers of these runs. Where there are too few points, or an interval does not decide, the
//! sentence says so instead. No sentence claims what these data could contradict.

mod all;
mod collections;
mod data;
mod document;
mod general;
mod kinds;

pub use document::{Block, Document};

use crate::table::summary;
use crate::{Record, Spec};
use beeline_api::units::plural;
use data::Data;

/// Writes the parts of a report that answer its questions.
type Template = fn(&Data) -> Vec<Block>;

/// The reports for any experiment.
const GENERAL: [(&str, Template); 3] =
    [("all", all::blocks), ("collections", collections::blocks), ("general", general::blocks)];

/// The names of reports that a spec may use: those of the kinds, then those for any experiment.
pub fn templates() -> impl Iterator<Item = &'static str> {
    kinds::REPORTS.iter().chain(&GENERAL).map(|(name, _)| *name)
}

/// The report of this name; without one, the report for any experiment.
fn template(name: &str) -> Template {
    let found = kinds::REPORTS.iter().chain(&GENERAL).find(|(known, _)| *known == name);
    found.map_or(general::blocks, |(_, blocks)| *blocks)
}

/// The description of a report, besides its records.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The title.
    pub title: String,
    /// The questions: one of [`templates`].
    pub template: String,
    /// The text of the spec, if it is known.
    pub spec: Option<String>,
}

/// Writes a report.
pub fn write(records: &[Record], about: &About) -> Document {
    let mut data = Data::new(records);
    // A spec that no longer parses is shown as it is and not used here.
    let spec = about.spec.as_deref().and_then(|text| Spec::parse(text).ok());
    data.published = spec.map(|spec| spec.published).unwrap_or_default();
    let blocks = template(&about.template);
    let mut document = Document { title: about.title.clone(), blocks: set_up(records, about) };
    document.blocks.extend(blocks(&data));
    document.blocks.push(Block::heading("All strategies in one table"));
    document.blocks.push(Block::Table(summary(&data.all)));
    if let Some(spec) = &about.spec {
        document.blocks.push(Block::heading("The spec"));
        document.blocks.push(Block::Code(spec.clone()));
    }
    document
}

/// The set-up section: what ran on which machine.
fn set_up(records: &[Record], about: &About) -> Vec<Block> {
    let distinct = |pick: &dyn Fn(&Record) -> String| {
        let mut all: Vec<String> = Vec::new();
        for text in records.iter().map(pick) {
            if !all.contains(&text) {
                all.push(text);
            }
        }
        all
    };
    let mut lines = vec![
        if about.spec.is_some() {
            "Made by `beeline lab run` from the spec at the end of this page, then `beeline lab report`.".to_owned()
        } else {
            "Made by `beeline lab report` from records alone.".to_owned()
        },
        format!(
            "{}, a process each; {}, {}. Every plan was replayed by the independent checker.",
            plural(records.len(), "run"),
            plural(distinct(&|r| format!("{}/{}", r.suite, r.instance)).len(), "puzzle"),
            plural(distinct(&|r| r.strategy.clone()).len(), "strategy")
        ),
        format!(
            "Beeline {}, revision {}.",
            distinct(&|r| r.origin.version.clone()).join(", "),
            distinct(&|r| r.origin.revision.clone()).join(", ")
        ),
        format!("Machine: {}.", distinct(&|r| r.origin.machine.clone()).join("; ")),
        crate::plots::limits(records),
        "Time is wall time of the search alone, without starting the process, reading the puzzle and checking the plan; memory is \
         counted exactly by the search itself. Repeats are merged by their median."
            .to_owned(),
    ];
    let odd =
        records.iter().filter(|r| matches!(r.measured.verdict.as_str(), "crashed" | "rejected")).count();
    if odd > 0 {
        lines.push(format!(
            "**{odd} runs crashed or had their plan rejected by the checker: do not trust this report.**"
        ));
    }
    lines.extend(crate::summary::hung_note(records).map(|note| format!("**{note}**")));
    vec![Block::heading("Set-up"), Block::List(lines)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    #[test]
    fn every_template_lives_with_little_data() {
        for name in templates() {
            for records in
                [vec![], vec![record("a", "p", "stopped", 1.0, 3)], vec![record("a", "p", "solved", 1.0, 3)]]
            {
                let about = About { title: "T".into(), template: name.into(), ..About::default() };
                let html = write(&records, &about).html();
                assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"), "{name}");
            }
        }
    }

    #[test]
    fn the_report_of_a_kind_bears_its_name() {
        for (name, _) in kinds::REPORTS {
            assert!(beeline_puzzles::kind(name).is_some(), "{name}");
        }
    }

    #[test]
    fn a_rejected_plan_is_shouted_about() {
        let html = write(&[record("a", "p", "rejected", 1.0, 3)], &About::default()).html();
        assert!(html.contains("do not trust this report"));
    }

    #[test]
    fn so_is_a_run_that_hung() {
        for name in templates() {
            let about = About { title: "T".into(), template: name.into(), ..About::default() };
            let html = write(&[record("a", "p", "hung", 0.0, 3)], &about).html();
            assert!(html.contains("<strong>1 run hung"), "{name}: {html}");
            let html = write(&[record("a", "p", "stopped", 1.0, 3)], &about).html();
            assert!(!html.contains("hung"), "{name}");
        }
    }
}
