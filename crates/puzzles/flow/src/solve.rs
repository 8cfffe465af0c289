//! Selects the solver of a job, and turns its solution into a plan.

use beeline_search::strategies::Unsupported;
use beeline_search::{Budget, Limit, Outcome, Solution, Stats, Verdict};

use super::bits::Mask;
use super::board::{Board, Cell, DIRS, Paths, Rule, Step};
use super::bounds::Free;
use super::corner::{self, Found};
use super::pen::{Pen, with_drawn};
use super::prune::{Judge, Rules};
use super::space::{Flow, MAX_CELLS, MAX_COLOURS, NONE, Order, State};
use super::{plan, sat};
use beeline_puzzle::puzzle::{Choice, Job, Watcher};

/// The solvers of this puzzle.
pub const SOLVERS: &[Choice] = &[
    Choice {
        name: "best",
        about: "corner where the theorem holds, otherwise corner for a short time and then sat",
    },
    Choice {
        name: "corner",
        about: "sweeps by the corner theorem from all four corners; proves unsolvable boards so",
    },
    Choice { name: "sat", about: "colours and shapes as clauses, for a second opinion" },
];

/// The heuristics.
pub const HEURISTICS: &[Choice] = &[
    Choice { name: "free", about: "the free cells; exact wherever there is an answer" },
    Choice { name: "blind", about: "always 0" },
];

/// Runs a job.
pub fn solve(
    board: &Board,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<String>, Unsupported> {
    if let Some(name) = job.objective.as_deref().filter(|&o| o != "any") {
        return Err(unknown("objective", name));
    }
    match job.strategy.as_deref() {
        None | Some("best") => Ok(outcome(board, any(board, budget, |s| watcher.tick(s)))),
        Some("corner") if !corner::applies(board) => Err(Unsupported::Needs {
            strategy: "corner".to_owned(),
            why: "the corner theorem holds only where every cell is filled, no path touches itself, no wall stands between \
                  cells and no edge warps"
                .to_owned(),
        }),
        Some("corner") => Ok(outcome(board, corner::solve(board, 1, budget, |s| watcher.tick(s)))),
        Some("sat") => Ok(outcome(board, sat::solve(board, 1, budget))),
        Some(name) => by_engine(name, board, job, budget, watcher),
    }
}

/// Decisions of the corner solver before the SAT solver starts, on a board that need not be filled or whose paths may touch.
/// Not tuned: some milliseconds, against tenths of a second that the clauses take on a board of 15×15.
const TRIAL: u64 = 1 << 15;

/// Finds one solution with the strongest solvers for the board's rule.
///
/// A solution that fills the board and does not touch itself is valid under every rule, so the corner solver runs first. Its
/// failure is a proof only where the theorem holds.
pub fn any(board: &Board, budget: &Budget, tick: impl FnMut(&Stats)) -> Found {
    if corner::applies(board) {
        return corner::solve(board, 1, budget, tick);
    }
    let mut spent = Stats::default();
    if board.is_plain() {
        let nodes = Some(budget.nodes.map_or(TRIAL, |nodes| nodes.min(TRIAL)));
        let trial = Budget { nodes, ..budget.clone() };
        let mut found = corner::solve(&board.clone().with_rule(Rule::Fill), 1, &trial, tick);
        // The theorem counts only solutions that fill the board.
        found.all = false;
        let over = budget.nodes.is_some_and(|nodes| found.stats.expanded >= nodes);
        if over && found.answers.is_empty() {
            found.stopped = Some(Limit::Nodes);
        }
        if over || !found.answers.is_empty() || !matches!(found.stopped, None | Some(Limit::Nodes)) {
            return found;
        }
        spent = found.stats;
    }
    let left = Budget {
        time: budget.time.map(|time| time.saturating_sub(spent.elapsed)),
        nodes: budget.nodes.map(|nodes| nodes.saturating_sub(spent.expanded)),
        ..budget.clone()
    };
    let mut found = sat::solve(board, 1, &left);
    found.stats.expanded += spent.expanded;
    found.stats.elapsed += spent.elapsed;
    found
}

/// Finds up to `limit` different solutions with the strongest solver for the board's rule.
pub fn answers(board: &Board, limit: usize, budget: &Budget) -> Found {
    match limit {
        1 => any(board, budget, |_| {}),
        _ if corner::applies(board) => corner::solve(board, limit, budget, |_| {}),
        _ => sat::solve(board, limit, budget),
    }
}

/// Most decisions of a report's uniqueness test. Not tuned; a limit of one second applies as well.
const SECOND_ANSWER: u64 = 1 << 20;

/// Describes a board solved by this many steps: how much is filled, and whether there is another solution.
pub fn in_words(board: &Board, steps: usize, budget: &Budget) -> String {
    let all = board.cells().iter().filter(|cell| cell.is_open()).count();
    let used = steps + board.drawn().len() + 2 * board.colours().len();
    let filled =
        if used == all { format!("all {all} cells filled") } else { format!("{used} of {all} cells used") };
    let second = std::time::Duration::from_secs(1);
    let little = Budget {
        nodes: Some(budget.nodes.map_or(SECOND_ANSWER, |nodes| nodes.min(SECOND_ANSWER))),
        time: Some(budget.time.map_or(second, |time| time.min(second))),
        ..budget.clone()
    };
    let found = answers(board, 2, &little);
    let number = match found.answers.len() {
        2.. => "one of several solutions",
        1 if found.all => "the only solution",
        _ => "whether there are others is not known",
    };
    format!("solved; {filled}; {number}")
}

/// The results of two independent solvers on a board that must be filled.
#[derive(Clone, Debug)]
pub struct SecondOpinion {
    /// By the corner theorem.
    pub corner: Found,
    /// By clauses.
    pub sat: Found,
}

impl SecondOpinion {
    /// Do both find as many solutions, and the same one if it is unique?
    pub fn agrees(&self) -> bool {
        let (a, b) = (&self.corner, &self.sat);
        let same = a.answers.len() == b.answers.len() && a.all == b.all;
        same && (a.answers.len() != 1 || a.answers == b.answers)
    }
}

/// Runs both solvers for up to two solutions; `None` where the corner theorem does not hold, so that there is only one solver.
pub fn second_opinion(board: &Board, budget: &Budget) -> Option<SecondOpinion> {
    corner::applies(board).then(|| SecondOpinion {
        corner: corner::solve(board, 2, budget, |_| {}),
        sat: sat::solve(board, 2, budget),
    })
}

fn unknown(what: &'static str, name: &str) -> Unsupported {
    Unsupported::Unknown { what, name: name.to_owned() }
}

fn outcome(board: &Board, found: Found) -> Outcome<String> {
    let verdict = match (found.answers.first(), found.stopped) {
        (Some(paths), _) => {
            let steps = paths.steps(board);
            let cost = steps.len() as u64;
            // Where the board must be filled, every plan has one step per free cell.
            let lower_bound = if board.rule.fills() { cost } else { 0 };
            let moves = steps.into_iter().map(|s| plan::show_step(board, s)).collect();
            Verdict::Solved(Solution { moves, cost, lower_bound })
        }
        (None, Some(limit)) => Verdict::Stopped(limit),
        (None, None) => Verdict::Exhausted,
    };
    Outcome { verdict, stats: found.stats }
}

fn by_engine(
    name: &str,
    board: &Board,
    job: &Job,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<String>, Unsupported> {
    if board.rule.may_touch() {
        return Err(Unsupported::Needs {
            strategy: name.to_owned(),
            why: "its paths end beside their goal, which the rule 'touching' does not ask; 'best' and 'sat' know that rule"
                .to_owned(),
        });
    }
    // One width of space for all boards: every further width would be compiled for every strategy.
    let space = Flow::<4>::new(board, Order::by_edge(board, true)).ok_or_else(|| Unsupported::Needs {
        strategy: name.to_owned(),
        why: format!("it takes boards of at most {MAX_CELLS} cells and {MAX_COLOURS} colours"),
    })?;
    let bound = match job.heuristic.as_deref() {
        None | Some("free") => Free::default(),
        Some("blind") => Free { blind: true },
        Some(other) => return Err(unknown("heuristic", other)),
    };
    let mut rules = Rules::default();
    match &job.rules {
        None => rules = Rules::USUAL,
        Some(names) => {
            for rule in names {
                if !rules.add(rule) {
                    return Err(unknown("rule", rule));
                }
            }
        }
    }
    let outcome = job.search(&space, budget, watcher).heuristic(bound).prune(Judge::new(rules)).run(name)?;
    Ok(outcome.map(|mv| plan::show_step(board, mv)))
}

/// The colour and the links of each cell of a state, for pictures.
///
/// A state knows which cells the joined colours occupy, but not which colour occupies which. These paths are recomputed as the
/// solution of a smaller board. Any of several solutions serves, as in the search.
pub fn picture<const W: usize>(space: &Flow<W>, state: &State<W>) -> (Vec<Option<u16>>, Vec<u8>) {
    let board = space.board();
    let steps = redraw(space, state);
    let mut all = board.drawn().to_vec();
    all.extend(steps);
    let drawn = with_drawn(board.clone(), &all);
    let board = drawn.as_ref().unwrap_or(board);
    Pen::new(board).picture(board)
}

/// Steps from the start of the space to a state equivalent to this one.
pub fn redraw<const W: usize>(space: &Flow<W>, state: &State<W>) -> Vec<Step> {
    let mut steps = joined_paths(space, state).unwrap_or_default();
    if state.colour != NONE {
        let mut seen: Mask<W> = space.begin[usize::from(state.colour)].own;
        let mut at = usize::from(space.begin[usize::from(state.colour)].head);
        let board = space.board();
        while at != usize::from(state.head) {
            let next = DIRS.into_iter().find_map(|dir| {
                let to = board.neighbour(at, dir)?;
                (state.own.has(to) && !seen.has(to)).then_some((dir, to))
            });
            let Some((dir, to)) = next else { break };
            steps.push(Step { colour: u16::from(state.colour), dir });
            seen.add(to);
            at = to;
        }
    }
    steps
}

/// Paths for the joined colours through exactly the cells that they occupy.
fn joined_paths<const W: usize>(space: &Flow<W>, state: &State<W>) -> Option<Vec<Step>> {
    let board = space.board();
    let joined = |c: u16| state.joined >> c & 1 != 0;
    let mut other = state.own;
    for (c, begin) in space.begin.iter().enumerate() {
        if !joined(c as u16) {
            other = other.or(&begin.own);
        }
    }
    let mut names = Vec::new();
    let cells = (0..board.cells().len())
        .map(|at| match board.cells()[at] {
            Cell::End(c) if joined(c) => {
                let known = names.iter().position(|&n| n == c);
                let new = known.unwrap_or_else(|| {
                    names.push(c);
                    names.len() - 1
                });
                Cell::End(new as u16)
            }
            Cell::Free if state.taken.has(at) && !other.has(at) => Cell::Free,
            _ => Cell::Wall,
        })
        .collect();
    let labels = names.iter().map(|&c| board.colours()[usize::from(c)].label.clone()).collect();
    let part = Board::new(board.width(), cells, labels).ok()?.with_sides_of(board);
    let drawn: Vec<Step> = board
        .drawn()
        .iter()
        .filter_map(|s| {
            let colour = names.iter().position(|&n| n == s.colour)? as u16;
            Some(Step { colour, dir: s.dir })
        })
        .collect();
    let part = with_drawn(part, &drawn).ok()?;
    let found = answers(&part, 1, &Budget { nodes: Some(1 << 20), ..Budget::default() });
    let paths: &Paths = found.answers.first()?;
    let own_name = |s: Step| Step { colour: names[usize::from(s.colour)], dir: s.dir };
    Some(paths.steps(&part).into_iter().map(own_name).collect())
}

#[cfg(test)]
mod tests {
    use beeline_search::Space;

    use super::*;
    use crate::text;

    #[test]
    fn a_state_is_redrawn() {
        let board = text::parse("R.G.Y\n..B.O\n.....\n.G.Y.\n.RBO.\n").unwrap().remove(0);
        let space = Flow::<1>::new(&board, Order::by_edge(&board, true)).unwrap();
        let mut state = space.start();
        while let Some(mv) = space.moves(&state).next() {
            space.apply(&mut state, mv);
            assert_eq!(space.unpack(&space.pack(&state)), state);
            let drawn = with_drawn(board.clone(), &redraw(&space, &state)).unwrap();
            let there = Flow::<1>::new(&drawn, Order::by_edge(&board, true)).unwrap().start();
            assert_eq!((there.taken, there.joined), (state.taken, state.joined));
        }
    }
}
