//! Features beyond the original: the strong solvers, and questions about the number of solutions.

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

/// Searches with a strong solver. Its decisions are reported in place of nodes.
pub(super) fn search(options: &Options, board: &Board) -> Searched {
    let board = ruled(options, board);
    let budget = Budget::default();
    let found = match (options.solver, board.rule) {
        (Solver::Corner, Rule::Fill) => corner::solve(&board, 1, &budget, |_| {}),
        (Solver::Corner, Rule::Touching) => solve::any(&board, &budget, |_| {}),
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

/// Answers `--unique`, `--count` and `--cross-check`; `false` if two solvers disagree. `flag` is the result of the
/// search.
pub(super) fn questions(
    options: &Options,
    classic: &Classic,
    flag: Flag,
    out: &mut dyn Write,
) -> io::Result<bool> {
    if !options.unique && options.count.is_none() && !options.cross_check {
        return Ok(true);
    }
    // The answers may take long. The user can read the result of the search meanwhile.
    out.flush()?;
    let board = ruled(options, &classic.board);
    let budget = Budget::default();
    let mut sound = true;
    if options.unique {
        let found = solve::answers(&board, 2, &budget);
        sound &= !contradicts(flag, &found);
        let text = match (found.answers.len(), found.all) {
            _ if !sound => "not decided: the search and the proof contradict each other",
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
        sound &= cross_check(options, &board, flag, out)?;
    }
    Ok(sound)
}

/// Does a completed search contradict the result of another solver?
fn contradicts(flag: Flag, found: &Found) -> bool {
    match flag {
        Flag::Solved => found.all && found.answers.is_empty(),
        Flag::Unsolvable => !found.answers.is_empty(),
        Flag::Full => false,
    }
}

/// Compares all solvers that support the rule: the search that ran, SAT, and the corner solver if cells must be filled.
fn cross_check(options: &Options, board: &Board, flag: Flag, out: &mut dyn Write) -> io::Result<bool> {
    let budget = Budget::default();
    let opinion = solve::second_opinion(board, &budget);
    let sat = opinion.as_ref().map_or_else(|| sat::solve(board, 2, &budget), |both| both.sat.clone());
    let told = |found: &Found| {
        let n = found.answers.len();
        if found.all { n.to_string() } else { format!("{n} or more") }
    };
    let said = told(&sat);
    let searched = options.solver == Solver::Classic && flag != Flag::Full;
    let agree = opinion.as_ref().is_none_or(solve::SecondOpinion::agrees);
    if searched && contradicts(flag, &sat) {
        let verdict = if flag == Flag::Solved { "solvable" } else { "unsolvable" };
        writeln!(out, "cross-check: the search says {verdict}, sat says {said} solutions")?;
        return Ok(false);
    }
    match opinion {
        Some(both) if !agree => {
            writeln!(out, "cross-check: corner says {} solutions, sat says {said}", told(&both.corner))?;
        }
        Some(_) => writeln!(out, "cross-check: corner and sat agree ({said} solutions)")?,
        None if searched => writeln!(out, "cross-check: the search and sat agree ({said} solutions)")?,
        None => writeln!(out, "cross-check: only boards that are filled have two solvers")?,
    }
    Ok(agree)
}
