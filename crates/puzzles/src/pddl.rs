//! Exports puzzles as PDDL, for external planners and validators.
//!
//! The actions are ground: each step of each piece at each place is an action without parameters. So a domain describes one
//! board and suits only small ones. An action is one step (one cell), whatever the objective counts.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use beeline_puzzle::Puzzle;

use crate::flow::FlowPuzzle;
use crate::flow::board::{Cell, Dir as FlowDir};
use crate::sliding::board::STUCK;
use crate::sliding::{Board, Dir, on_board};
use crate::sokoban::Sokoban;
use crate::sokoban::board::{DIRS, NOWHERE, Square};
use crate::{bricks, gate, tiles};

/// A puzzle in PDDL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pddl {
    /// The name of the domain.
    name: &'static str,
    actions: Vec<Action>,
    start: BTreeSet<String>,
    goal: Vec<Condition>,
}

/// An atom, and whether it must hold.
type Condition = (String, bool);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Action {
    name: String,
    /// The plan step of the action; empty for an action without a step, applied when all steps are made.
    step: String,
    when: Vec<Condition>,
    adds: Vec<String>,
    deletes: Vec<String>,
}

/// Most actions: more than any small board has. A file of these has about 10 MB.
const MOST: usize = 50_000;

/// The puzzle in PDDL. The error says why it cannot be exported.
pub fn export(puzzle: &dyn Puzzle) -> Result<Pddl, String> {
    let any = puzzle.as_any();
    let pddl = if let Some(gate) = any.downcast_ref::<gate::Gate>() {
        let label = |piece: usize| gate.digits()[piece].to_string();
        let name = |piece: usize, dir: Dir| format!("{}{}", label(piece), dir.letter());
        on_board!(gate.board(), b => sliding("gate", b, &name))
    } else if let Some(bricks) = any.downcast_ref::<bricks::Bricks>() {
        let name = |piece: usize, dir: Dir| format!("({},{})", bricks.numbers()[piece], dir.word());
        on_board!(bricks.board(), b => sliding("bricks", b, &name))
    } else if let Some(tiles) = any.downcast_ref::<tiles::TilesPuzzle>() {
        slid_tiles(tiles.board())
    } else if let Some(sokoban) = any.downcast_ref::<Sokoban>() {
        pushed(sokoban.board())
    } else if let Some(flow) = any.downcast_ref::<FlowPuzzle>() {
        drawn(flow.board())?
    } else {
        return Err(format!("{} has no form in PDDL", puzzle.kind().name()));
    };
    if pddl.actions.len() > MOST {
        return Err(format!(
            "the board is too large for PDDL with ground actions: {} of them",
            pddl.actions.len()
        ));
    }
    Ok(pddl)
}

impl Pddl {
    /// The domain.
    pub fn domain(&self) -> String {
        let mut atoms: BTreeSet<&str> = self.start.iter().map(String::as_str).collect();
        for action in &self.actions {
            atoms.extend(action.when.iter().map(|(atom, _)| atom.as_str()));
            atoms.extend(action.adds.iter().chain(&action.deletes).map(String::as_str));
        }
        atoms.extend(self.goal.iter().map(|(atom, _)| atom.as_str()));
        let name = self.name;
        let mut out = format!(
            "(define (domain {name})\n  (:requirements :strips :negative-preconditions)\n  (:predicates"
        );
        for atom in atoms {
            // Writing to a string cannot fail.
            let _ = write!(out, " ({atom})");
        }
        out.push_str(")\n");
        for action in &self.actions {
            let deletes = action.deletes.iter().map(|atom| format!("(not ({atom}))"));
            let effects: Vec<String> =
                action.adds.iter().map(|atom| format!("({atom})")).chain(deletes).collect();
            let _ = writeln!(
                out,
                "  (:action {}\n    :parameters ()\n    :precondition {}\n    :effect (and {}))",
                action.name,
                all(&action.when),
                effects.join(" ")
            );
        }
        out + ")\n"
    }

    /// The problem.
    pub fn problem(&self) -> String {
        let start: Vec<String> = self.start.iter().map(|atom| format!("({atom})")).collect();
        let (name, start, goal) = (self.name, start.join(" "), all(&self.goal));
        format!("(define (problem board)\n  (:domain {name})\n  (:init {start})\n  (:goal {goal}))\n")
    }

    /// A plan in the validators' format: one action per line. The error names a step without an action.
    pub fn plan(&self, steps: &[String]) -> Result<String, String> {
        let mut state = self.start.clone();
        let mut out = String::new();
        let mut play = |step: &str| {
            let holds = |(atom, wanted): &Condition| state.contains(atom) == *wanted;
            let mut fitting = self.actions.iter().filter(|a| a.step == step && a.when.iter().all(holds));
            let action = fitting.next()?;
            // Writing to a string cannot fail.
            let _ = writeln!(out, "({})", action.name);
            action.deletes.iter().for_each(|atom| {
                state.remove(atom);
            });
            state.extend(action.adds.iter().cloned());
            Some(())
        };
        for step in steps.iter().flat_map(|step| single(step)) {
            play(&step).ok_or_else(|| format!("no action is the step {step}"))?;
        }
        while play("").is_some() {}
        Ok(out)
    }
}

/// The conjunction of several conditions.
fn all(conditions: &[Condition]) -> String {
    let each = conditions
        .iter()
        .map(|(atom, wanted)| if *wanted { format!("({atom})") } else { format!("(not ({atom}))") });
    format!("(and {})", each.collect::<Vec<_>>().join(" "))
}

/// Splits a step with several directions into single steps: `0ru` is `0r` and `0u`, `(2,up,left)` is `(2,up)` and `(2,left)`.
fn single(step: &str) -> Vec<String> {
    if let Some((piece, ways)) = step.trim_matches(['(', ')']).split_once(',') {
        return ways.split(',').map(|way| format!("({piece},{way})")).collect();
    }
    match step.chars().next() {
        Some(digit) if digit.is_ascii_digit() => {
            step.chars().skip(1).map(|way| format!("{digit}{way}")).collect()
        }
        _ => vec![step.to_owned()],
    }
}

fn yes(atom: String) -> Condition {
    (atom, true)
}

fn no(atom: String) -> Condition {
    (atom, false)
}

/// Gate and bricks: `at-P-A` (piece P at place A), `busy-C` (a piece on cell C), `by-K-C` (a piece of shape K on cell C).
fn sliding<const N: usize>(
    name: &'static str,
    board: &Board<N>,
    step: &dyn Fn(usize, Dir) -> String,
) -> Pddl {
    let (mut actions, mut start) = (Vec::new(), BTreeSet::new());
    let cells = 64 * N;
    for piece in 0..board.pieces() {
        let (shape, class) = (board.shape(piece), board.shape_of[piece]);
        let covers = |at: usize| (0..cells).filter(move |&cell| shape.masks[at].has(cell));
        let on = |cells: Vec<usize>| {
            cells
                .into_iter()
                .flat_map(|c| [format!("busy-{c}"), format!("by-{class}-{c}")])
                .collect::<Vec<_>>()
        };
        let first = usize::from(board.start[piece]);
        start.insert(format!("at-{piece}-{first}"));
        start.extend(on(covers(first).collect()));
        for (from, next) in shape.next.iter().enumerate() {
            for dir in Dir::ALL {
                let to = next[dir as usize];
                if to == STUCK {
                    continue;
                }
                let to = usize::from(to);
                let entered: Vec<usize> = covers(to).filter(|&cell| !shape.masks[from].has(cell)).collect();
                let left: Vec<usize> = covers(from).filter(|&cell| !shape.masks[to].has(cell)).collect();
                let free = entered.iter().map(|cell| no(format!("busy-{cell}")));
                let mut adds = on(entered.clone());
                adds.push(format!("at-{piece}-{to}"));
                let mut deletes = on(left);
                deletes.push(format!("at-{piece}-{from}"));
                actions.push(Action {
                    name: format!("slide-{piece}-{from}-{}", dir.word()),
                    step: step(piece, dir),
                    when: [yes(format!("at-{piece}-{from}"))].into_iter().chain(free).collect(),
                    adds,
                    deletes,
                });
            }
        }
    }
    let wanted = board.targets.iter().flat_map(|(class, mask)| {
        (0..cells).filter(|&cell| mask.has(cell)).map(move |cell| yes(format!("by-{class}-{cell}")))
    });
    Pddl { name, actions, start, goal: wanted.collect() }
}

/// Tiles: `at-T-S` (tile T on square S; tile 0 is the blank).
fn slid_tiles(board: &tiles::Board) -> Pddl {
    let (rows, columns) = (board.rows(), board.columns());
    let mut actions = Vec::new();
    for blank in 0..board.squares() {
        let (row, column) = (blank / columns, blank % columns);
        let ways = [
            ("L", column > 0, blank.wrapping_sub(1)),
            ("R", column + 1 < columns, blank + 1),
            ("U", row > 0, blank.wrapping_sub(columns)),
            ("D", row + 1 < rows, blank + columns),
        ];
        for (way, open, to) in ways {
            for tile in (1..board.squares()).filter(|_| open) {
                actions.push(Action {
                    name: format!("blank-{blank}-{way}-{tile}"),
                    step: way.to_owned(),
                    when: vec![yes(format!("at-0-{blank}")), yes(format!("at-{tile}-{to}"))],
                    adds: vec![format!("at-0-{to}"), format!("at-{tile}-{blank}")],
                    deletes: vec![format!("at-0-{blank}"), format!("at-{tile}-{to}")],
                });
            }
        }
    }
    let at = |(square, tile): (usize, u8)| format!("at-{tile}-{square}");
    let home = |square: usize| (square, tiles::board::tile_at_home(square, board.squares(), board.goal));
    Pddl {
        name: "tiles",
        actions,
        start: board.cells().iter().copied().enumerate().map(at).collect(),
        goal: (0..board.squares()).map(|square| yes(at(home(square)))).collect(),
    }
}

/// Sokoban: `player-S` and `box-S`. An unreachable box off goal is the atom `lost`, which no action deletes.
fn pushed(board: &crate::sokoban::board::Board) -> Pddl {
    let mut actions = Vec::new();
    let (player, boxed) = (|at: Square| format!("player-{at}"), |at: Square| format!("box-{at}"));
    for from in 0..board.squares() as Square {
        for dir in DIRS {
            let to = board.next(from, dir);
            if to == NOWHERE {
                continue;
            }
            let letter = |push: bool| dir.letter(push).to_string();
            actions.push(Action {
                name: format!("walk-{from}-{to}"),
                step: letter(false),
                when: vec![yes(player(from)), no(boxed(to))],
                adds: vec![player(to)],
                deletes: vec![player(from)],
            });
            let beyond = board.next(to, dir);
            if beyond != NOWHERE {
                actions.push(Action {
                    name: format!("push-{from}-{to}"),
                    step: letter(true),
                    when: vec![yes(player(from)), yes(boxed(to)), no(boxed(beyond))],
                    adds: vec![player(to), boxed(beyond)],
                    deletes: vec![player(from), boxed(to)],
                });
            }
        }
    }
    let lost = (board.lost() > 0).then(|| "lost".to_owned());
    let boxes = board.boxes().iter().map(|&at| boxed(at));
    let bare = (0..board.squares() as Square).filter(|&at| !board.is_goal(at)).map(|at| no(boxed(at)));
    Pddl {
        name: "sokoban",
        actions,
        start: boxes.chain([player(board.player())]).chain(lost).collect(),
        goal: bare.chain([no("lost".to_owned())]).collect(),
    }
}

/// Flow: `head-K-C` (the path of colour K currently ends on cell C), `path-K-C` (it runs through C), `free-C`, `joined-K`. When
/// all steps are made, an action without a step joins each path to its goal.
fn drawn(board: &crate::flow::board::Board) -> Result<Pddl, String> {
    if !board.drawn().is_empty() {
        return Err("a board on which something is drawn already has no form in PDDL".to_owned());
    }
    let (mut actions, mut start, mut goal) = (Vec::new(), BTreeSet::new(), Vec::new());
    let free = |at: usize| board.cells()[at] == Cell::Free;
    let strict = !board.rule.may_touch();
    for (k, colour) in board.colours().iter().enumerate() {
        start.extend([format!("head-{k}-{}", colour.start), format!("path-{k}-{}", colour.start)]);
        goal.push(yes(format!("joined-{k}")));
        for from in (0..board.cells().len()).filter(|&at| free(at) || at == colour.start) {
            let joins = board.adjacent(from, colour.goal);
            if joins {
                actions.push(Action {
                    name: format!("join-{k}-{from}"),
                    step: String::new(),
                    when: vec![yes(format!("head-{k}-{from}")), no(format!("joined-{k}"))],
                    adds: vec![format!("joined-{k}")],
                    deletes: vec![format!("head-{k}-{from}")],
                });
            }
            // A path that has reached its goal ends there, unless it may touch itself.
            for dir in [FlowDir::Left, FlowDir::Right, FlowDir::Up, FlowDir::Down] {
                let Some(to) = board.neighbour(from, dir).filter(|&to| free(to) && !(strict && joins)) else {
                    continue;
                };
                let touched = board
                    .neighbours(to)
                    .filter(|&at| strict && at != from && (free(at) || at == colour.start));
                let when = [yes(format!("head-{k}-{from}")), yes(format!("free-{to}"))];
                actions.push(Action {
                    name: format!("draw-{k}-{from}-{}", dir.letter()),
                    step: format!("{}{}", colour.label, dir.letter()),
                    when: when.into_iter().chain(touched.map(|at| no(format!("path-{k}-{at}")))).collect(),
                    adds: vec![format!("head-{k}-{to}"), format!("path-{k}-{to}")],
                    deletes: vec![format!("head-{k}-{from}"), format!("free-{to}")],
                });
            }
        }
    }
    for at in (0..board.cells().len()).filter(|&at| free(at)) {
        start.insert(format!("free-{at}"));
        goal.extend(board.rule.fills().then(|| no(format!("free-{at}"))));
    }
    Ok(Pddl { name: "flow", actions, start, goal })
}
