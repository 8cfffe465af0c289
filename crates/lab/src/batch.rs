//! Runs on other machines: parts of a spec, and the script of a Slurm job array that runs them.
//!
//! Each part writes its own file beside the records, so two machines never write to one file. Readers of the records read the
//! part files as well. A part that runs twice repeats no recorded run.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use crate::run::GRACE;
use crate::task::Task;

/// Time allowed for starting a process and reading its puzzle, in addition to the search.
const START: Duration = Duration::from_secs(1);
/// The most parts of one job array. By default, clusters accept no more.
const MOST: usize = 1000;

/// One part of a spec's runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    number: usize,
    of: usize,
}

impl Part {
    /// Selects the tasks of this part. Neighbouring tasks go to different parts, because they tend to be hard together.
    pub fn pick(self, tasks: Vec<Task>) -> Vec<Task> {
        let mine = |&(i, _): &(usize, Task)| i % self.of == self.number - 1;
        tasks.into_iter().enumerate().filter(mine).map(|(_, task)| task).collect()
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-of-{}", self.number, self.of)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (number, of) = text.split_once('/')?;
            Some(Self { number: number.parse().ok()?, of: of.parse().ok()? })
        };
        read()
            .filter(|part| (1..=part.of).contains(&part.number))
            .ok_or_else(|| format!("'{text}' is no part: write a number and how many there are, such as 3/8"))
    }
}

/// A job array: the number of parts, and the limits of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// The number of parts.
    pub parts: usize,
    /// The longest time of a part; `None` if a run has no time limit.
    pub time: Option<Duration>,
    /// The most memory of a run, in bytes; `None` if a run has no memory limit.
    pub bytes: Option<usize>,
}

impl Array {
    /// Bundles the runs into parts. As far as the runs have time limits, no part takes longer than `bundle`.
    pub fn new(tasks: &[Task], bundle: Duration) -> Self {
        let limit = |task: &Task| Duration::try_from_secs_f64(task.limits.seconds?).ok();
        let longest = |task: &Task| limit(task).map(|time| time + GRACE + START);
        let total: Option<Duration> = tasks.iter().map(longest).sum();
        let parts = match total {
            Some(total) => (total.as_secs_f64() / bundle.as_secs_f64().max(1.0)).ceil() as usize,
            None => tasks.len(),
        };
        let parts = parts.min(tasks.len()).clamp(1, MOST);
        let of = |number| Part { number, of: parts };
        let times =
            (1..=parts).map(|n| of(n).pick(tasks.to_vec()).iter().map(longest).sum::<Option<Duration>>());
        let time = times.max().flatten().filter(|_| total.is_some());
        let bytes = tasks.iter().map(|task| task.limits.bytes).collect::<Option<Vec<usize>>>();
        Self { parts, time, bytes: bytes.and_then(|all| all.into_iter().max()) }
    }

    /// The script for `sbatch`. It runs in the folder from which it is submitted.
    pub fn script(&self, name: &str, program: &Path, spec: &Path, out: &Path) -> String {
        let parts = self.parts;
        let mut lines = vec![
            "#!/bin/bash".to_owned(),
            format!("#SBATCH --job-name=beeline-{name}"),
            format!("#SBATCH --array=1-{parts}"),
            "#SBATCH --ntasks=1".to_owned(),
            format!("#SBATCH --output={}", quoted(&out.join(format!("{name}.%a.log")))),
        ];
        if let Some(time) = self.time {
            lines.push(format!("#SBATCH --time={}", time.as_secs().div_ceil(60)));
        }
        if let Some(bytes) = self.bytes {
            // The search keeps its limit exactly. The rest of the process needs a little more.
            lines.push(format!("#SBATCH --mem={}M", bytes.div_ceil(1 << 20) + 256));
        }
        let part = format!("\"${{SLURM_ARRAY_TASK_ID:?run this with sbatch}}/{parts}\"");
        let [program, spec, out] = [program, spec, out].map(quoted);
        lines.push(format!("exec {program} lab run {spec} --out {out} --part {part}"));
        lines.join("\n") + "\n"
    }
}

/// Quotes a path for a shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+%".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::{Caps, Options};

    fn tasks(n: usize, seconds: Option<f64>) -> Vec<Task> {
        let task = |place: usize| Task {
            suite: "s".into(),
            instance: place.to_string(),
            kind: "gate".into(),
            text: String::new(),
            strategy: "a".into(),
            options: Options::default(),
            limits: Caps { seconds, bytes: Some(1 << 30), nodes: None },
            repeat: 0,
            place,
        };
        (0..n).map(task).collect()
    }

    #[test]
    fn parts_have_every_run_once() {
        for of in 1..7 {
            let parts = (1..=of).flat_map(|number| Part { number, of }.pick(tasks(20, None)));
            let mut places: Vec<usize> = parts.map(|task| task.place).collect();
            places.sort_unstable();
            assert_eq!(places, (0..20).collect::<Vec<_>>());
        }
        assert_eq!("3/8".parse(), Ok(Part { number: 3, of: 8 }));
        for bad in ["", "3", "0/8", "9/8", "a/b", "1/0"] {
            assert!(bad.parse::<Part>().is_err(), "{bad}");
        }
    }

    #[test]
    fn short_runs_are_bundled() {
        // Four seconds, five of grace and one to start: ten a run, six a minute.
        let array = Array::new(&tasks(20, Some(4.0)), Duration::from_secs(60));
        assert_eq!((array.parts, array.time), (4, Some(Duration::from_secs(50))));
        assert_eq!(Array::new(&tasks(3, Some(4.0)), Duration::from_secs(1)).parts, 3, "no empty parts");
        let endless = Array::new(&tasks(3, None), Duration::from_secs(60));
        assert_eq!((endless.parts, endless.time), (3, None));
        assert_eq!(Array::new(&tasks(5000, None), Duration::from_secs(60)).parts, MOST);
    }

    #[test]
    fn the_script_says_what_a_part_needs() {
        let array = Array::new(&tasks(20, Some(4.0)), Duration::from_secs(60));
        let script =
            array.script("x", Path::new("/opt/beeline"), Path::new("my spec.toml"), Path::new("results"));
        let wanted = "#!/bin/bash\n#SBATCH --job-name=beeline-x\n#SBATCH --array=1-4\n#SBATCH --ntasks=1\n\
                      #SBATCH --output=results/x.%a.log\n#SBATCH --time=1\n#SBATCH --mem=1280M\n\
                      exec /opt/beeline lab run 'my spec.toml' --out results --part \
                      \"${SLURM_ARRAY_TASK_ID:?run this with sbatch}/4\"\n";
        assert_eq!(script, wanted);
        assert_eq!(quoted(Path::new("it's")), r"'it'\''s'");
    }
}
