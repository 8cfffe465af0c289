//! Any plan, quickly.

mod carry;
mod features;
mod lost;
mod packing;
mod terrain;

use beeline_search::{Budget, Limit, Meter, Outcome, Solution, Stats, Verdict};

use super::board::{Board, Dir};
use super::field::Field;
use super::solve::Pen;
use super::walk::Position;
use super::{Steps, WIDEST, state_bits};
use beeline_puzzle::puzzle::Watcher;
use carry::Carry;
use features::{Features, Move, Step};

/// Finds some plan.
pub fn solve(board: &Board, budget: &Budget, watcher: &mut dyn Watcher) -> Outcome<Dir> {
    let field = Field::new(board);
    let mut meter = Meter::new(budget);
    let mut stats = Stats::default();
    let found = match state_bits(board) {
        0..=256 => Steps::<4>::new(board).map(|space| run(&space, &field, &mut meter, &mut stats, watcher)),
        _ => Some(run::<WIDEST>(&Steps::widest(board), &field, &mut meter, &mut stats, watcher)),
    };
    let verdict = match found {
        Some(Ok(Some(moves))) => {
            let cost = moves.len() as u64;
            Verdict::Solved(Solution { moves, cost, lower_bound: 0 })
        }
        Some(Ok(None)) => Verdict::Exhausted,
        Some(Err(limit)) => Verdict::Stopped(limit),
        None => Verdict::GaveUp,
    };
    stats.expanded = meter.expanded();
    stats.close(&meter);
    Outcome { verdict, stats }
}

fn run<const N: usize>(
    space: &Steps<N>,
    field: &Field,
    meter: &mut Meter,
    stats: &mut Stats,
    watcher: &mut dyn Watcher,
) -> Result<Option<Vec<Dir>>, Limit> {
    meter.look()?;
    let board = field.board();
    if board.lost() > 0 || !board.boxes().iter().all(|&b| field.alive(b)) {
        return Ok(None);
    }
    let mut features = Features::new(space, field);
    if features.begin(meter, stats)?.is_some() {
        return Ok(Some(Vec::new()));
    }
    loop {
        let step = features.advance(meter, 1000, stats);
        stats.stored = features.stored() as u64;
        stats.expanded = meter.expanded();
        if std::env::var_os("DBG").is_some() && step.is_err() {
            let (cells, whole) = features.cells();
            eprintln!("best {} of {whole}, {cells} cells, {:?}", features.best, stats);
        }
        watcher.tick(stats);
        match step? {
            Step::Going => {}
            Step::Exhausted => return Ok(None),
            Step::Solved(goal) => return Ok(Some(write(field, &features.line(goal)))),
        }
    }
}

/// The steps that carry the boxes so.
fn write(field: &Field, moves: &[Move]) -> Vec<Dir> {
    let mut pen = Pen::new(field);
    let mut carry = Carry::new(field);
    for mv in moves {
        let Some(i) = pen.position.boxes.iter().position(|&b| b == mv.from) else { break };
        let mut position: Position = pen.position.clone();
        carry.push(field, &mut position, i, |s| field.alive(s));
        let fits = |p: &carry::Carried| p.to == mv.to && p.sides >> mv.dir.back() as u8 & 1 == 1;
        let Some(place) = carry.places.iter().position(fits) else { break };
        let mut at = mv.from;
        for dir in carry.way(place) {
            pen.walk_to(field.near()[at as usize][dir.back() as usize]);
            pen.push(dir);
            at = field.near()[at as usize][dir as usize];
        }
    }
    pen.steps
}
