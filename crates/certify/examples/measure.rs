//! Measures certificates: for each puzzle the time of search, writing and verification, and the size.
//!
//! `cargo run --release -p beeline-certify --example measure -- KIND:OBJECTIVE:FILE[:LEVEL] ...`

use std::time::{Duration, Instant};

use beeline_certify::{Answer, Subject, certify, verify};
use beeline_puzzles::{Job, kind};
use beeline_search::{Budget, Verdict};

/// Time limit for each of search, writing and verification of a puzzle.
const LIMIT: Duration = Duration::from_secs(120);

fn main() {
    println!("| puzzle | claim | evidence | search | write | verify | items | bytes | bytes an item |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for argument in std::env::args().skip(1) {
        match measure(&argument) {
            Ok(row) => println!("{row}"),
            Err(why) => println!("| {argument} | {why} |"),
        }
    }
}

fn measure(argument: &str) -> Result<String, String> {
    let words: Vec<&str> = argument.split(':').collect();
    let [name, objective, path, ref rest @ ..] = words[..] else {
        return Err("KIND:OBJECTIVE:FILE[:LEVEL]".into());
    };
    let kind = kind(name).ok_or("no such kind")?;
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let level =
        rest.first().map_or(Ok(1), |level| level.parse::<usize>()).map_err(|error| error.to_string())?;
    let mut puzzles = kind.parse_each(&text).into_iter();
    let puzzle =
        puzzles.nth(level.saturating_sub(1)).ok_or("no such level")?.map_err(|error| error.to_string())?;
    let text = puzzle.text();
    let budget = Budget { time: Some(LIMIT), bytes: Some(8 << 30), ..Budget::default() };
    let mut job = Job { objective: Some(objective.to_owned()), ..Job::default() };
    job.settings.threads = std::thread::available_parallelism().map_or(1, usize::from);
    let begun = Instant::now();
    let outcome = puzzle.solve(&job, &budget, &mut ()).map_err(|error| error.to_string())?;
    let search = begun.elapsed();
    let answer = match &outcome.verdict {
        Verdict::Solved(found) => Answer::Shortest(&found.moves, found.lower_bound.min(found.cost)),
        Verdict::Exhausted => Answer::Unsolvable,
        other => return Err(format!("{other:?}")),
    };
    let subject = Subject { kind: name, text: &text, objective };
    let begun = Instant::now();
    let written = certify(&subject, answer, &budget, &mut |_, _, _| {}).map_err(|why| {
        format!(
            "search {:.3} s, no certificate after {:.1} s: {why}",
            search.as_secs_f64(),
            begun.elapsed().as_secs_f64()
        )
    })?;
    let write = begun.elapsed();
    let begun = Instant::now();
    verify(&written.bytes, &budget, &mut |_, _, _| {}).map_err(|why| why.to_string())?;
    let verified = begun.elapsed();
    let times = |time: Duration| {
        format!("{:.3} s ({:.1}×)", time.as_secs_f64(), time.as_secs_f64() / search.as_secs_f64())
    };
    let file = path.rsplit('/').next().unwrap_or(path);
    let claim: String = written.claim.line().chars().take(14).collect();
    Ok(format!(
        "| {file} {} {objective} | {claim} | {} | {:.3} s | {} | {} | {} | {} | {:.1} |",
        rest.first().unwrap_or(&""),
        written.evidence,
        search.as_secs_f64(),
        times(write),
        times(verified),
        written.items,
        written.bytes.len(),
        written.bytes.len() as f64 / written.items.max(1) as f64,
    ))
}
