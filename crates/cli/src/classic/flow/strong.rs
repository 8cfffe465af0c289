//! What the original cannot do: the strong solvers, and questions about the number of solutions.

use std::io::{self, Write};

use beeline_puzzles::flow::classic::{Flag, Searched};
use beeline_puzzles::flow::corner::{self, Found};
use beeline_puzzles::flow::{Board, Rule, classic::Classic, sat, solve};
use beeline_search::Budget;
use beeline_view::figures::commas;

use super::options::{Options, Solver};
use super::show::Canvas;

fn ruled(options: &Options, board: &Board) -> Board {
    board.clone().with_rule(options.rule.unwrap_or(Rule::Fill))
}

/// Searches with a strong solver; its decisions take the place of the nodes.
pub(super) fn search(options: &Options, board: &Board) -> Searched {
    let board = ruled(options, board);
    let budget = Budget::default();
    let found = match (options.solver, board.rule) {
        (Solver::Corner, Rule::Fill) => corner::solve(&board, 1, &budget, |_| {}),
        _ => sat::solve(&board, 1, &budget),
    };
    let flag = match (found.answers.is_empty(), found.all) {
        (false, _) => Flag::Solved,
        (true, true) => Flag::Unsolvable,
        (true, false) => Flag::Full,
    };
    Searched {
        flag,
        nodes: found.stats.expanded,
        plan: found.answers.first().map(|paths| paths.steps(&board)).unwrap_or_default(),
        next: Vec::new(),
        pruned: Vec::new(),
        bytes: found.stats.bytes,
    }
}

/// Answers `--unique`, `--count` and `--cross-check`; `false` when two solvers disagree.
pub(super) fn questions(options: &Options, classic: &Classic, out: &mut dyn Write) -> io::Result<bool> {
    let board = ruled(options, &classic.board);
    let budget = Budget::default();
    if options.unique {
        let found = solve::answers(&board, 2, &budget);
        let text = match (found.answers.len(), found.all) {
            (0, true) => "no solution (proved)",
            (1, true) => "unique (proved)",
            (2.., _) => "not unique: two solutions differ",
            _ => "not decided",
        };
        writeln!(out, "{text}")?;
        if let [one, other] = &found.answers[..] {
            let canvas = Canvas { board: classic, colour: options.colour };
            for paths in [one, other] {
                canvas.draw(&paths.steps(&board), out)?;
            }
        }
    }
    if let Some(limit) = options.count {
        let found = solve::answers(&board, limit, &budget);
        let more = if found.all { "" } else { " or more" };
        writeln!(out, "solutions: {}{more}", commas(found.answers.len() as u64))?;
    }
    if options.cross_check {
        return cross_check(&board, &budget, out);
    }
    Ok(true)
}

fn cross_check(board: &Board, budget: &Budget, out: &mut dyn Write) -> io::Result<bool> {
    let Some(opinion) = solve::second_opinion(board, budget) else {
        writeln!(out, "cross-check: only boards that are filled have two solvers")?;
        return Ok(true);
    };
    let told = |found: &Found| {
        let n = found.answers.len();
        if found.all { n.to_string() } else { format!("{n} or more") }
    };
    let (corner, sat) = (told(&opinion.corner), told(&opinion.sat));
    if opinion.agrees() {
        writeln!(out, "cross-check: corner and sat agree ({corner} solutions)")?;
    } else {
        writeln!(out, "cross-check: corner says {corner} solutions, sat says {sat}")?;
    }
    Ok(opinion.agrees())
}
