//! A job as JSON, for requests of the page, labels of checkpoints and records of the lab.
//!
//! Both parts are flattened into the surrounding object. Fields that are not set are left out.

use beeline_puzzles::Job;
use beeline_search::strategies::Settings;
use serde::{Deserialize, Serialize};

/// The parts of a job that are chosen by name; `None` is the kind's default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choices {
    /// The heuristic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heuristic: Option<String>,
    /// The objective.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objective: Option<String>,
    /// The dead-end rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<String>>,
}

/// The parameters of a strategy; `None` is the default of [`Settings`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    /// The width of Iterated Width.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<usize>,
    /// The weight of weighted A*.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// The limit on depth, or the length of a walk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
}

impl Choices {
    /// The choices of a job.
    pub fn of(job: &Job) -> Self {
        let Job { heuristic, objective, rules, .. } = job.clone();
        Self { heuristic, objective, rules }
    }

    /// The job that runs `strategy` with these choices.
    pub fn job(self, strategy: Option<String>, settings: Settings) -> Job {
        let Self { heuristic, objective, rules } = self;
        Job { strategy, heuristic, objective, rules, settings }
    }
}

impl Parameters {
    /// The parameters in some settings.
    pub fn of(settings: &Settings) -> Self {
        Self { width: settings.width, weight: Some(settings.weight), depth: settings.depth }
    }

    /// The default settings with these parameters and a seed.
    pub fn settings(self, seed: u64) -> Settings {
        let usual = Settings::default();
        let weight = self.weight.unwrap_or(usual.weight);
        Settings { width: self.width, weight, depth: self.depth, seed, ..usual }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Around {
        strategy: Option<String>,
        #[serde(flatten)]
        choices: Choices,
        #[serde(flatten)]
        parameters: Parameters,
    }

    #[test]
    fn a_job_comes_back_from_json() {
        let settings =
            Settings { width: Some(2), weight: 1.5, depth: Some(9), seed: 7, ..Settings::default() };
        let job = Job { objective: Some("pushes".into()), rules: Some(vec![]), settings, ..Job::default() };
        let around = Around {
            strategy: Some("iw".into()),
            choices: Choices::of(&job),
            parameters: Parameters::of(&job.settings),
        };
        let text = serde_json::to_string(&around).unwrap();
        let expected =
            r#"{"strategy":"iw","objective":"pushes","rules":[],"width":2,"weight":1.5,"depth":9}"#;
        assert_eq!(text, expected);
        let back: Around = serde_json::from_str(&text).unwrap();
        assert_eq!(back, around);
        let again = back.choices.job(back.strategy, back.parameters.settings(7));
        assert_eq!((again.objective, again.rules), (job.objective, job.rules));
        assert_eq!((again.settings.width, again.settings.depth, again.settings.seed), (Some(2), Some(9), 7));
    }

    #[test]
    fn what_is_null_or_missing_is_the_default() {
        for text in ["{}", r#"{"heuristic":null,"rules":null,"weight":null,"depth":null}"#] {
            let around: Around = serde_json::from_str(text).unwrap();
            assert_eq!(around.choices, Choices::default());
            assert_eq!(around.parameters.settings(0).weight.to_bits(), Settings::default().weight.to_bits());
        }
    }
}
