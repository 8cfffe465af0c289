//! Makes the runs: one process each, several at a time, each recorded when it ends.
//!
//! The program starts itself again with a hidden command, writes the task to standard input and reads one line back. The pipe
//! stays open: when the parent dies, however it dies, the child reads the end of its input and exits.

use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use beeline_search::Cancel;

use crate::one::{HUNG, Measured, measure};
use crate::record::{Origin, Record, RecordError, RecordFile};
use crate::task::Task;

/// How long a process may run after its time limit. The time covers a search that checks the clock late, reading and
/// checking. After that the process counts as hung and is killed.
pub(crate) const GRACE: Duration = Duration::from_secs(5);
/// How often a waiting parent checks whether it was cancelled.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The command line that starts the program for one run.
#[derive(Clone, Debug)]
pub struct Starter {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// How far the runs have got.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Finished runs.
    pub done: usize,
    /// All runs to make.
    pub all: usize,
    /// The run that was just recorded.
    pub last: &'a Record,
}

/// Makes the tasks that the file lacks, `jobs` at a time. Cancelling ends this early; recorded runs stay.
pub fn run(
    experiment: &str,
    tasks: &[Task],
    file: &mut RecordFile,
    starter: &Starter,
    (jobs, origin): (usize, &Origin),
    cancel: &Cancel,
    tell: &mut dyn FnMut(Progress<'_>),
) -> Result<usize, RecordError> {
    let missing: Vec<&Task> = tasks.iter().filter(|t| !file.has(t)).collect();
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    let stop = Cancel::default();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, missing.len().max(1)) {
            let (send, missing, next, stop) = (send.clone(), &missing, &next, &stop);
            scope.spawn(move || {
                while let Some(task) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if cancel.is_cancelled() || stop.is_cancelled() {
                        break;
                    }
                    let started = Instant::now();
                    let Some(measured) = spawn(task, starter, &[cancel, stop], GRACE) else { break };
                    let wall = started.elapsed().as_secs_f64();
                    let record = Record::new(experiment, (*task).clone(), measured, wall, origin);
                    if send.send(record).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut done = 0;
        for record in &receive {
            if let Err(error) = file.add(&record) {
                stop.cancel();
                return Err(error);
            }
            done += 1;
            tell(Progress { done, all: missing.len(), last: &record });
        }
        Ok(done)
    })
}

/// Runs one process; `None` if it was cancelled.
fn spawn(task: &Task, starter: &Starter, stops: &[&Cancel], grace: Duration) -> Option<Measured> {
    let child = Command::new(&starter.program)
        .args(&starter.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => return Some(Measured::failed("crashed", format!("cannot start: {error}"))),
    };
    let input = send_task(&mut child, task);
    let answer = wait_for_answer(&mut child, task, stops, grace);
    drop(input);
    let status = child.wait();
    match answer? {
        // On a terminal, Ctrl-C reaches the child as well, and its answer may arrive first.
        Answer::Line(_) if stops.iter().any(|c| c.is_cancelled()) => None,
        Answer::Line(line) => Some(serde_json::from_str(&line).unwrap_or_else(|_| {
            let how = status.map_or_else(|e| e.to_string(), |s| s.to_string());
            Measured::failed("crashed", how)
        }))
        .filter(|measured: &Measured| measured.reason.as_deref() != Some("cancelled")),
        Answer::Late => {
            let late = format!("it did not end within {} s after its time limit", grace.as_secs_f64());
            Some(Measured::failed(HUNG, late))
        }
    }
}

/// Writes the task. The caller keeps the returned pipe open.
fn send_task(child: &mut Child, task: &Task) -> Option<impl Write + use<>> {
    let mut input = child.stdin.take()?;
    let text = serde_json::to_string(task).ok()?;
    // If the child has already exited, its answer shows that.
    let _ = writeln!(input, "{text}").and_then(|()| input.flush());
    Some(input)
}

enum Answer {
    Line(String),
    Late,
}

/// Waits for the answer. Kills the process when it is late or when the whole run is cancelled.
fn wait_for_answer(child: &mut Child, task: &Task, stops: &[&Cancel], grace: Duration) -> Option<Answer> {
    let mut output = child.stdout.take()?;
    let (send, receive) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        // Unreadable output counts as an empty answer, which is a crash.
        let _ = output.read_to_string(&mut text);
        let _ = send.send(text);
    });
    let limit = task.limits.seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
    let deadline = limit.and_then(|limit| Instant::now().checked_add(limit + grace));
    let answer = loop {
        match receive.recv_timeout(POLL_INTERVAL) {
            Ok(text) => break Some(Answer::Line(text)),
            Err(RecvTimeoutError::Disconnected) => break Some(Answer::Line(String::new())),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let cancelled = stops.iter().any(|c| c.is_cancelled());
        let late = deadline.is_some_and(|d| Instant::now() > d);
        if cancelled || late {
            // The child may have exited already.
            let _ = child.kill();
            break late.then_some(Answer::Late).filter(|_| !cancelled);
        }
    };
    // The pipe closes when the child exits, so the reader ends.
    if let Err(panic) = reader.join() {
        std::panic::resume_unwind(panic);
    }
    answer
}

/// In the child: reads the task from standard input.
pub fn task(input: &mut dyn BufRead) -> io::Result<Task> {
    let mut line = String::new();
    input.read_line(&mut line)?;
    Ok(serde_json::from_str(&line)?)
}

/// In the child: makes the run and writes one line.
pub fn child(task: &Task, output: &mut dyn Write, cancel: Cancel) -> io::Result<()> {
    let measured = measure(task, cancel);
    serde_json::to_writer(&mut *output, &measured)?;
    output.write_all(b"\n")?;
    output.flush()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::task::{Caps, Options};

    fn task(seconds: f64) -> Task {
        Task {
            suite: "s".into(),
            instance: "i".into(),
            kind: "gate".into(),
            text: String::new(),
            strategy: "a".into(),
            options: Options::default(),
            limits: Caps { seconds: Some(seconds), ..Caps::default() },
            repeat: 0,
            place: 0,
        }
    }

    fn shell(script: &str) -> Starter {
        Starter { program: "/bin/sh".into(), arguments: vec!["-c".into(), script.into()] }
    }

    #[test]
    fn a_run_that_had_to_be_killed_hung_and_was_not_stopped() {
        let grace = Duration::from_millis(100);
        let hung = spawn(&task(0.1), &shell("exec sleep 600"), &[], grace).unwrap();
        assert_eq!(hung.verdict, HUNG);
        assert!(hung.reason.is_some_and(|why| why.contains("after its time limit")));
        let answers = r#"echo '{"verdict":"stopped","reason":"time","bytes":0,"seconds":0.1,"cpu":0.1}'"#;
        let stopped = spawn(&task(0.1), &shell(answers), &[], Duration::from_secs(60)).unwrap();
        assert_eq!((stopped.verdict.as_str(), stopped.reason.as_deref()), ("stopped", Some("time")));
        let crashed = spawn(&task(0.1), &shell("exit 3"), &[], Duration::from_secs(60)).unwrap();
        assert_eq!(crashed.verdict, "crashed");
    }
}
