//! Runs the test programs of the workspace, two at a time. Cargo runs one after the other; while the last long test of a
//! program runs alone, the other processors wait.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::step::{cargo, for_one_build, root};

/// Programs that run at a time. With more, tests that measure time limits would wait for processors and fail.
const AT_A_TIME: usize = 2;

/// A test program, and the folder of its package, in which it runs.
pub(crate) struct Program {
    path: PathBuf,
    folder: PathBuf,
    name: String,
}

/// Builds the test programs and lists them by name.
pub(crate) fn build() -> Result<(Vec<Program>, Duration), String> {
    eprintln!("\n── build of the tests");
    let clock = Instant::now();
    let mut command = cargo();
    command.args(["test", "--workspace", "--no-run", "--quiet", "--message-format=json-render-diagnostics"]);
    let output = for_one_build(&mut command)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("build of the tests: cannot start {command:?}: {e}"))?;
    if !output.status.success() {
        return Err(format!("build of the tests failed ({})", output.status));
    }
    let mut programs: Vec<_> = output.stdout.split(|&byte| byte == b'\n').filter_map(program).collect();
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok((programs, clock.elapsed()))
}

/// The program that a line of cargo's report names, if it names one.
fn program(line: &[u8]) -> Option<Program> {
    let artifact: Value = serde_json::from_slice(line).ok()?;
    if artifact["profile"]["test"] != true {
        return None;
    }
    let path = PathBuf::from(artifact["executable"].as_str()?);
    let folder = Path::new(artifact["manifest_path"].as_str()?).parent()?.to_owned();
    let package = folder.strip_prefix(root()).unwrap_or(&folder).display().to_string();
    let source = Path::new(artifact["target"]["src_path"].as_str()?);
    let source = source.strip_prefix(&folder).unwrap_or(source).display();
    Some(Program { name: format!("{package}/{source}"), path, folder })
}

/// Runs all programs, and shows the output of those that fail.
pub(crate) fn run(programs: Vec<Program>) -> Result<Duration, String> {
    eprintln!("\n── tests");
    let clock = Instant::now();
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let threads = processors.div_ceil(AT_A_TIME).to_string();
    // From the end of the list, so that the solvers, whose tests take longest, come early.
    let (waiting, failed) = (Mutex::new(programs), Mutex::new(Vec::new()));
    // A function, because a lock in the condition of a loop would be held while its body runs.
    let next = || waiting.lock().expect("no thread panics").pop();
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(program) = next() {
                    if !program.run(&threads) {
                        failed.lock().expect("no thread panics").push(program.name);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("no thread panics");
    if failed.is_empty() { Ok(clock.elapsed()) } else { Err(format!("tests failed: {}", failed.join(", "))) }
}

impl Program {
    /// Does it end with success?
    fn run(&self, threads: &str) -> bool {
        let clock = Instant::now();
        let mut command = Command::new(&self.path);
        command.current_dir(&self.folder).env("RUST_TEST_THREADS", threads).stdin(Stdio::null());
        let (success, output) = match command.output() {
            Ok(output) => {
                let told = [output.stdout, output.stderr].concat();
                (output.status.success(), String::from_utf8_lossy(&told).into_owned())
            }
            Err(error) => (false, format!("cannot start {command:?}: {error}")),
        };
        if !success {
            eprintln!("\n{output}");
        }
        let verdict = if success { "ok" } else { "FAILED" };
        eprintln!("{:>7.1} s  {verdict:6}  {}", clock.elapsed().as_secs_f64(), self.name);
        success
    }
}
