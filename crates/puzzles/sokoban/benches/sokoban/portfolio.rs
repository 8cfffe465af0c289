//! Benchmark of the portfolio for the objective any: what each member contributes.
//!
//! Levels are split into a tuned and an untouched half by a hash of their text. Settings are chosen on the
//! tuned half alone. `BEELINE_HALF=tuned` runs no other, and `BEELINE_TUNING=first_turn=250` changes constants.
//!
//! | job | runs |
//! |---|---|
//! | `halves` | the portfolio on both halves of each collection |
//! | `ablation` | the same, and each level again without the member that solved it |
//! | `orientations` | every sixth level in its eight orientations |
//! | `sensitivity` | every third level of the untouched half with half and twice each constant of the portfolio |

use std::path::Path;

use beeline_puzzle::Watcher;
use beeline_search::Verdict;
use beeline_sokoban::make::make;
use beeline_sokoban::satisficing::{self, Options, Tuning};
use beeline_sokoban::{Level, text};

use super::{COLLECTIONS, Limits, collection, cpu, pushes, seen_from};

/// The members that take part.
pub(super) fn members() -> Vec<usize> {
    let named = std::env::var("BEELINE_MEMBERS").unwrap_or_default();
    let members: Vec<usize> = named.split(',').filter_map(|n| n.trim().parse().ok()).collect();
    if members.is_empty() { Options::default().members } else { members }
}

/// Is a level in the half that settings are chosen on? FNV-1a of its text.
fn tuned(level: &Level) -> bool {
    let hash = text::draw(&level.board).bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    (hash >> 32) % 2 == 0
}

/// Small levels with few boxes and many walls, in which many positions are dead ends.
fn tight() -> Vec<Level> {
    (0..400)
        .filter_map(|seed| {
            make(9 + seed as usize % 4, 8 + seed as usize % 3, 6 + seed as usize % 5, seed).map(Level::new)
        })
        .collect()
}

/// The result of one run.
#[derive(Clone, Default)]
struct Run {
    solved: bool,
    seconds: f64,
    expanded: u64,
    moves: usize,
    pushes: usize,
    /// The index of the member whose turn was last.
    last: usize,
}

/// Records whose turn it is.
struct Turn(usize);

impl Watcher for Turn {
    fn status(&mut self, status: &str) {
        let number = status.strip_prefix("search ").and_then(|rest| rest.split(' ').next());
        self.0 = number.and_then(|number| number.parse().ok()).unwrap_or(self.0);
    }
}

/// The constants, with the values that `BEELINE_TUNING` gives: `first_turn=250,greed=2`.
fn tuning() -> Tuning {
    let mut tuning = Tuning::default();
    let given = std::env::var("BEELINE_TUNING").unwrap_or_default();
    for (name, value) in given.split(',').filter_map(|given| given.split_once('=')) {
        let constant = tuning.constants().into_iter().find(|(own, _)| *own == name);
        match (constant, value.parse()) {
            (Some((_, constant)), Ok(value)) => *constant = value,
            _ => panic!("BEELINE_TUNING: there is no constant {name}, or {value} is no number"),
        }
    }
    tuning
}

fn solve(level: &Level, members: &[usize], limits: &Limits) -> Run {
    solve_with(level, &Options { members: members.to_vec(), tuning: tuning(), ..Options::default() }, limits)
}

fn solve_with(level: &Level, options: &Options, limits: &Limits) -> Run {
    let (before, mut turn) = (cpu(), Turn(1));
    let outcome = limits.within(|budget| satisficing::solve(&level.board, options, budget, &mut turn));
    let mut run =
        Run { seconds: cpu() - before, expanded: outcome.stats.expanded, last: turn.0 - 1, ..Run::default() };
    if let Verdict::Solved(solution) = &outcome.verdict {
        run.solved = true;
        (run.moves, run.pushes) = (solution.moves.len(), pushes(&level.board, &solution.moves));
    }
    run
}

/// Sums over levels.
#[derive(Default)]
struct Sum {
    levels: usize,
    solved: usize,
    seconds: f64,
    expanded: u64,
    moves: usize,
    pushes: usize,
}

impl Sum {
    fn add(&mut self, run: &Run) {
        self.levels += 1;
        self.solved += usize::from(run.solved);
        self.seconds += run.seconds;
        self.expanded += run.expanded;
        self.moves += run.moves;
        self.pushes += run.pushes;
    }

    fn print(&self, name: &str) {
        let Self { levels, solved, seconds, expanded, moves, pushes } = self;
        println!(
            "{name:<52} {solved:>4} of {levels:<4} {seconds:>8.2} s {expanded:>9} expanded {moves:>6} moves {pushes:>6} pushes"
        );
    }
}

const HALVES: [&str; 2] = ["untouched", "tuned"];

pub(super) fn run(job: &str, folder: Option<&Path>, limits: &Limits) {
    let wanted = std::env::var("BEELINE_COLLECTION").unwrap_or_default();
    let suites = COLLECTIONS.iter().map(|&name| (name, folder.and_then(|folder| collection(folder, name))));
    let suites = suites.filter_map(|(name, levels)| Some((name, levels?))).chain([("tight, made", tight())]);
    let suites: Vec<(&str, Vec<Level>)> =
        suites.filter(|(name, _)| wanted.is_empty() || wanted.split(',').any(|w| name.contains(w))).collect();
    let members = members();
    match job {
        "orientations" => {
            for (name, levels) in &suites {
                orientations(name, levels, &members, limits);
            }
        }
        "sensitivity" => sensitivity(&suites, &members, limits),
        _ => halves(&suites, &members, limits, job == "ablation"),
    }
}

fn halves(suites: &[(&str, Vec<Level>)], members: &[usize], limits: &Limits, ablation: bool) {
    let names: Vec<&str> = satisficing::members().map(|(name, _)| name).collect();
    let half = std::env::var("BEELINE_HALF").ok();
    let wanted = |level| half.as_deref().is_none_or(|half| half == HALVES[usize::from(tuned(level))]);
    // For each half and member: the levels that it solved, and the same without it.
    let mut won =
        [(); 2].map(|()| members.iter().map(|_| [Sum::default(), Sum::default()]).collect::<Vec<_>>());
    for (name, levels) in suites {
        let mut sums = [Sum::default(), Sum::default()];
        for (i, level) in levels.iter().enumerate().filter(|(_, level)| wanted(level)) {
            let half = usize::from(tuned(level));
            let with = solve(level, members, limits);
            sums[half].add(&with);
            if limits.each {
                let said = if with.solved { names[members[with.last]] } else { "not solved" };
                println!("  {:>4} {:>7.2} s {:>8} expanded  {said}", i + 1, with.seconds, with.expanded);
            }
            if ablation && with.solved && members.len() > 1 {
                let others: Vec<usize> =
                    members.iter().copied().filter(|&m| m != members[with.last]).collect();
                let without = solve(level, &others, limits);
                won[half][with.last][0].add(&with);
                won[half][with.last][1].add(&without);
            }
        }
        sums.iter().zip(HALVES).rev().for_each(|(sum, half)| sum.print(&format!("{name}, {half}")));
    }
    for (half, won) in won.iter().enumerate().rev().filter(|_| ablation) {
        for (number, [with, without]) in won.iter().enumerate().filter(|(_, won)| won[0].levels > 0) {
            let name = names[members[number]];
            with.print(&format!("{}: {name}", HALVES[half]));
            without.print("  without it");
        }
    }
}

/// Prints the results with half and twice the value of each constant.
fn sensitivity(suites: &[(&str, Vec<Level>)], members: &[usize], limits: &Limits) {
    let levels = suites.iter().flat_map(|(_, levels)| levels);
    let levels: Vec<&Level> = levels.filter(|level| !tuned(level)).step_by(3).collect();
    let print = |name: &str, tuning: Tuning| {
        let options = Options { members: members.to_vec(), tuning, ..Options::default() };
        let mut sum = Sum::default();
        for level in &levels {
            sum.add(&solve_with(level, &options, limits));
        }
        sum.print(name);
    };
    print("as it is", Tuning::default());
    for constant in 0..Tuning::default().constants().len() {
        for change in ["half", "twice"] {
            let mut tuning = Tuning::default();
            let (name, value) = &mut tuning.constants()[constant];
            **value = if change == "half" { (**value / 2).max(1) } else { 2 * **value };
            let title = format!("{name} {value}");
            print(&title, tuning);
        }
    }
}

/// The eight orientations of a board: four of them, and each transposed.
const SIDES: [[&str; 2]; 4] =
    [["plain", "plain"], ["mirrored", "plain"], ["turned", "plain"], ["turned", "mirrored"]];

/// Prints how much the expansions of a level differ between its orientations.
fn orientations(name: &str, levels: &[Level], members: &[usize], limits: &Limits) {
    let (mut all, mut spreads, mut lost) = (Sum::default(), Vec::new(), 0);
    for level in levels.iter().step_by(6) {
        let runs: Vec<Run> = SIDES
            .iter()
            .flat_map(|side| [[side[0], side[1], "plain"], [side[0], side[1], "transposed"]])
            .map(|sides| {
                let level = sides.iter().fold(level.clone(), |level, side| seen_from(side, &level));
                solve(&level, members, limits)
            })
            .collect();
        for run in &runs {
            all.add(run);
        }
        if runs.iter().all(|run| run.solved) {
            let expanded = runs.iter().map(|run| run.expanded.max(1));
            spreads.push(expanded.clone().max().unwrap_or(1) as f64 / expanded.min().unwrap_or(1) as f64);
        } else if runs.iter().any(|run| run.solved) {
            lost += 1;
        }
    }
    spreads.sort_by(f64::total_cmp);
    all.print(&format!("{name}, eight orientations"));
    let at = |part: usize| {
        spreads.get((spreads.len() * part / 10).min(spreads.len().saturating_sub(1))).copied().unwrap_or(1.0)
    };
    println!(
        "  most to fewest expansions: median {:.1}, nine of ten {:.1}, greatest {:.1}; solved in some orientations only: {lost}",
        at(5),
        at(9),
        at(10)
    );
}
