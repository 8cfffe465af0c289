//! Refutations of Flow boards: the clauses that a SAT solver learns up to the empty one.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Instant;

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};
use beeline_check::certificate::{Encoding, put_number};
use beeline_search::{Budget, Cancel, Limit};

use crate::NotWritten;
use crate::watch::Tick;

/// Step code of a learned clause.
const LEARN: u8 = 0;
/// Step code of a deleted clause.
const DELETE: u8 = 1;
/// Step code of links that form a ring.
const RING: u8 = 2;

/// Bytes of a block.
const BLOCK: usize = 1 << 16;

/// The proof so far.
#[derive(Default)]
struct Proof {
    blocks: Vec<Vec<u8>>,
    bytes: usize,
    steps: u64,
}

impl Proof {
    fn step(&mut self, what: u8, literals: impl ExactSizeIterator<Item = u32>) {
        if self.blocks.last().is_none_or(|block| block.len() >= BLOCK) {
            self.blocks.push(Vec::new());
        }
        let Some(block) = self.blocks.last_mut() else { return };
        let before = block.len();
        put_number(block, u128::from(what));
        put_number(block, literals.len() as u128);
        literals.for_each(|literal| put_number(block, u128::from(literal)));
        self.bytes += block.len() - before;
        self.steps += 1;
    }
}

/// Records the clauses that the solver learns, and stops it at a limit.
struct Recorder {
    proof: Rc<RefCell<Proof>>,
    deadline: Option<Instant>,
    cancel: Cancel,
    room: usize,
    stopped: Rc<Cell<Option<Limit>>>,
}

/// The solver's literal in the certificate's numbering: both count variables and signs from 0.
fn ours(literal: Lit) -> u32 {
    2 * literal.var().idx() + u32::from(!literal.sign())
}

impl Callbacks for Recorder {
    fn on_new_clause(&mut self, clause: &[Lit], kind: batsat::ClauseKind) {
        if kind == batsat::ClauseKind::Learnt {
            self.proof.borrow_mut().step(LEARN, clause.iter().copied().map(ours));
        }
    }

    fn on_delete_clause(&mut self, clause: &[Lit]) {
        self.proof.borrow_mut().step(DELETE, clause.iter().copied().map(ours));
    }

    fn stop(&self) -> bool {
        let limit = if self.cancel.is_cancelled() {
            Limit::Cancelled
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Limit::Time
        } else if self.proof.borrow().bytes > self.room {
            Limit::Memory
        } else {
            return false;
        };
        self.stopped.set(Some(limit));
        true
    }
}

/// The blocks of a proof that the clauses are contradictory, and the number of its steps.
pub(crate) fn refute(
    encoding: &Encoding,
    budget: &Budget,
    tick: Tick<'_>,
) -> Result<(Vec<Vec<u8>>, u64), NotWritten> {
    let proof = Rc::new(RefCell::new(Proof::default()));
    let stopped = Rc::new(Cell::new(None));
    let recorder = Recorder {
        proof: Rc::clone(&proof),
        deadline: budget.time.and_then(|time| Instant::now().checked_add(time)),
        cancel: budget.cancel.clone(),
        // The solver holds about as much as it writes, and as much again for its lists.
        room: budget.bytes.map_or(usize::MAX, |bytes| bytes / 4),
        stopped: Rc::clone(&stopped),
    };
    let mut solver = Solver::new(SolverOpts::default(), recorder);
    let variables: Vec<Var> = (0..encoding.variables).map(|_| solver.new_var_default()).collect();
    let theirs = |&literal: &u32| Lit::new(variables[literal as usize / 2], literal % 2 == 0);
    let mut clause: Vec<Lit> = Vec::new();
    let mut add = |solver: &mut Solver<Recorder>, literals: &[u32]| {
        clause.clear();
        clause.extend(literals.iter().map(theirs));
        solver.add_clause_reuse(&mut clause);
    };
    for literals in &encoding.clauses {
        add(&mut solver, literals);
    }
    loop {
        let verdict = solver.solve_limited(&[]);
        tick(proof.borrow().steps, 0, proof.borrow().bytes);
        if verdict == lbool::FALSE {
            let mut proof = proof.borrow_mut();
            proof.step(LEARN, [].into_iter());
            return Ok((std::mem::take(&mut proof.blocks), proof.steps));
        }
        if verdict != lbool::TRUE {
            return Err(stopped.get().unwrap_or(Limit::Cancelled).into());
        }
        let holds = |link: usize| solver.value_lit(theirs(&(2 * link as u32))) == lbool::TRUE;
        let used: Vec<usize> = (0..encoding.links.len()).filter(|&link| holds(link)).collect();
        let rings = rings(encoding, &used);
        if rings.is_empty() {
            let what = "the checker's rules find a solution, or another one beside the plan".to_owned();
            return Err(NotWritten::Contradicted(what));
        }
        for ring in rings {
            let literals: Vec<u32> = ring.iter().map(|&link| 2 * link as u32 + 1).collect();
            proof.borrow_mut().step(RING, literals.iter().copied());
            add(&mut solver, &literals);
        }
    }
}

/// The rings among links, of which every cell has at most two.
fn rings(encoding: &Encoding, used: &[usize]) -> Vec<Vec<usize>> {
    let mut at: HashMap<_, Vec<usize>> = HashMap::new();
    for &link in used {
        let (a, b) = encoding.links[link];
        at.entry(a).or_default().push(link);
        at.entry(b).or_default().push(link);
    }
    let mut seen = vec![false; encoding.links.len()];
    let mut rings = Vec::new();
    for &first in used {
        // All links connected with this one.
        let (mut part, mut head) = (vec![first], 0);
        if std::mem::replace(&mut seen[first], true) {
            continue;
        }
        while let Some(&link) = part.get(head) {
            head += 1;
            let (a, b) = encoding.links[link];
            for &next in at[&a].iter().chain(&at[&b]) {
                if !std::mem::replace(&mut seen[next], true) {
                    part.push(next);
                }
            }
        }
        let ends = |&link: &usize| {
            let (a, b) = encoding.links[link];
            at[&a].len() == 1 || at[&b].len() == 1
        };
        if !part.iter().any(ends) {
            rings.push(part);
        }
    }
    rings
}
