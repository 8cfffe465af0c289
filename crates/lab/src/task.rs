//! The description of one run, for the process that makes it and for the record file.

use std::time::Duration;

use beeline_api::job::{Choices, Parameters};
use beeline_puzzles::Job;
use beeline_search::strategies::Settings;
use beeline_search::{Budget, Cancel};
use serde::{Deserialize, Serialize};

use crate::spec::{Bounds, Strategy};

/// A search method, with every option that changes its behaviour.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// A strategy, a solver or a classic search.
    pub with: String,
    /// Heuristic, objective and dead-end rules.
    #[serde(flatten)]
    pub choices: Choices,
    /// The order of moves or colours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// Classic bricks: normal forms?
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normalise: Option<bool>,
    /// Width, weight and depth.
    #[serde(flatten)]
    pub parameters: Parameters,
    /// Threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// The seed.
    pub seed: u64,
}

impl Options {
    /// The options of a spec's strategy, for one repeat.
    pub fn new(strategy: &Strategy, seed: u64) -> Self {
        let text = |t: &Option<toml::Spanned<String>>| t.as_ref().map(|t| t.get_ref().clone());
        let rules = strategy.rules.as_ref().map(|all| all.iter().map(|r| r.get_ref().clone()).collect());
        Self {
            with: strategy.with.get_ref().clone(),
            choices: Choices {
                heuristic: text(&strategy.heuristic),
                objective: text(&strategy.objective),
                rules,
            },
            order: text(&strategy.order),
            normalise: strategy.normalise,
            parameters: Parameters { width: strategy.width, weight: strategy.weight, depth: strategy.depth },
            threads: strategy.threads,
            seed,
        }
    }

    /// The job for a puzzle.
    pub fn job(&self) -> Job {
        let settings = self.parameters.settings(self.seed);
        let settings = Settings { threads: self.threads.unwrap_or(settings.threads), ..settings };
        self.choices.clone().job(Some(self.with.clone()), settings)
    }
}

/// Limits in plain numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Caps {
    /// Seconds of the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Bytes of the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<usize>,
    /// Nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

impl From<Bounds> for Caps {
    fn from(bounds: Bounds) -> Self {
        Self { seconds: bounds.time.map(|t| t.as_secs_f64()), bytes: bounds.memory, nodes: bounds.nodes }
    }
}

impl Caps {
    /// The budget of a search.
    pub fn budget(self, cancel: Cancel) -> Budget {
        let time = self.seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        Budget { nodes: self.nodes, bytes: self.bytes, time, cancel, ..Budget::default() }
    }
}

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The suite.
    pub suite: String,
    /// The instance's name.
    pub instance: String,
    /// The kind.
    pub kind: String,
    /// The puzzle as a file.
    pub text: String,
    /// The strategy's name in tables.
    pub strategy: String,
    /// The strategy's options.
    pub options: Options,
    /// The limits of the run.
    pub limits: Caps,
    /// Which repeat, from 0.
    pub repeat: u32,
    /// Its index in the spec. Tables follow the spec, whatever the order in which runs end.
    pub place: usize,
}

impl Task {
    /// Identifies a run by everything that can change its result. Names that a person chose do not count.
    pub fn key(&self) -> String {
        let parts = (&self.kind, &self.text, &self.options, &self.limits, self.repeat);
        // These types always serialise.
        let text = serde_json::to_string(&parts).unwrap_or_default();
        format!("{:016x}", fnv(text.as_bytes()))
    }
}

/// FNV-1a. It is stable for ever, which the standard hashers do not promise.
pub fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(fnv(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(fnv(b"a"), 0xAF63_DC4C_8601_EC8C);
    }

    #[test]
    fn options_are_written_as_the_records_have_them() {
        let text = concat!(
            r#"{"with":"iw","heuristic":"h","objective":"o","rules":["r"],"order":"korf","normalise":false,"#,
            r#""width":2,"weight":1.5,"depth":9,"threads":2,"seed":7}"#
        );
        let options: Options = serde_json::from_str(text).unwrap();
        assert_eq!((options.parameters.width, options.choices.heuristic.as_deref()), (Some(2), Some("h")));
        assert_eq!(serde_json::to_string(&options).unwrap(), text);
        let least = Options { with: "bfs".into(), ..Options::default() };
        assert_eq!(serde_json::to_string(&least).unwrap(), r#"{"with":"bfs","seed":0}"#);
    }

    #[test]
    fn keys_tell_runs_apart_and_ignore_names() {
        let task = Task {
            suite: "s".into(),
            instance: "i".into(),
            kind: "gate".into(),
            text: "x".into(),
            strategy: "a".into(),
            options: Options { with: "bfs".into(), ..Options::default() },
            limits: Caps::default(),
            repeat: 0,
            place: 0,
        };
        let renamed = Task { suite: "t".into(), strategy: "b".into(), place: 7, ..task.clone() };
        assert_eq!(task.key(), renamed.key());
        let other = Task { repeat: 1, ..task.clone() };
        let limited = Task { limits: Caps { nodes: Some(3), ..Caps::default() }, ..task.clone() };
        assert!(task.key() != other.key() && task.key() != limited.key());
    }
}
