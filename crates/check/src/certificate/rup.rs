//! Proofs by reverse unit propagation (Goldberg & Novikov 2003). Each clause follows from the earlier ones, because its
//! negation and unit propagation lead to a conflict. The last clause is empty. This is the part of DRAT that solvers without
//! elimination need.

use std::collections::HashMap;

use super::file::{Certificate, Claim, take_number};
use super::pairs::{Encoding, encode};
use super::{ENDED, Fault, Figures, GoOn};

/// Step code of a learned clause, which must follow.
const LEARN: u128 = 0;
/// Step code of a deleted clause.
const DELETE: u128 = 1;
/// Step code of a ring: one of its links must be missing.
const RING: u128 = 2;

/// Verifies that a board of Flow has no solution, or none but the given one.
pub(super) fn verify(certificate: &Certificate<'_>, go_on: GoOn<'_>) -> Result<Figures, Fault> {
    let solution = match &certificate.claim {
        Claim::None => None,
        Claim::Unique(steps) => Some(&steps[..]),
        Claim::AtLeast(_) => return Err(Fault::at("claim", "clauses prove nothing about costs")),
    };
    let encoding = encode(&certificate.text, solution)?;
    let mut proof = Propagator::new(encoding.variables);
    let mut proved = encoding.clauses.iter().any(|clause| !proof.add(clause));
    let mut items = 0;
    for (i, mut block) in certificate.blocks.iter().copied().enumerate() {
        if !go_on(i as u64, certificate.blocks.len() as u64) {
            return Err(Fault::at(format!("block {}", i + 1), ENDED));
        }
        let mut count = 0;
        while !block.is_empty() {
            count += 1;
            items += 1;
            let fault = |why: &str| Fault::at(format!("block {}, step {count}", i + 1), why);
            let step = take_number(&mut block).ok_or_else(|| fault("cut off"))?;
            let length = take_number(&mut block).ok_or_else(|| fault("cut off"))?;
            let mut clause = Vec::new();
            for _ in 0..length {
                let literal = take_number(&mut block).ok_or_else(|| fault("cut off"))?;
                let literal = u32::try_from(literal).ok().filter(|literal| literal / 2 < encoding.variables);
                clause.push(literal.ok_or_else(|| fault("no such variable"))?);
            }
            match step {
                LEARN if proved || proof.follows(&clause) => {}
                LEARN => return Err(fault("the clause does not follow by unit propagation")),
                RING if is_ring(&encoding, &clause) => {}
                RING => return Err(fault("these links are no ring")),
                DELETE => {
                    proof.delete(&clause);
                    continue;
                }
                _ => return Err(fault("no such step")),
            }
            proved |= !proof.add(&clause);
        }
    }
    if proved {
        return Ok(Figures { items: items.max(1) });
    }
    Err(Fault::at(format!("block {}", certificate.blocks.len()), "the proof ends without the empty clause"))
}

/// Does the clause say that one of a set of links is missing, where every cell of the set has at least two links? Such a set
/// contains a ring, and a solution's paths contain none.
fn is_ring(encoding: &Encoding, clause: &[u32]) -> bool {
    let mut degree: HashMap<_, usize> = HashMap::new();
    let mut links = clause.to_vec();
    links.sort_unstable();
    links.dedup();
    for literal in links {
        match encoding.links.get(literal as usize / 2) {
            Some((a, b)) if literal % 2 == 1 => [a, b].map(|cell| *degree.entry(*cell).or_default() += 1),
            _ => return false,
        };
    }
    !degree.is_empty() && degree.values().all(|&links| links >= 2)
}

/// Clauses and their consequences by unit propagation. A clause watches its first two literals: it is examined only when one of
/// them becomes false.
struct Propagator {
    clauses: Vec<Vec<u32>>,
    /// By literal: the clauses that watch it.
    watched: Vec<Vec<usize>>,
    /// By literal: is it true?
    holds: Vec<bool>,
    /// The true literals, in the order in which they became true.
    trail: Vec<u32>,
    /// How many of them are propagated.
    done: usize,
    /// Clauses by their sorted literals, for deletion.
    named: HashMap<Vec<u32>, Vec<usize>>,
}

impl Propagator {
    fn new(variables: u32) -> Self {
        let literals = 2 * variables as usize;
        Self {
            clauses: Vec::new(),
            watched: vec![Vec::new(); literals],
            holds: vec![false; literals],
            trail: Vec::new(),
            done: 0,
            named: HashMap::new(),
        }
    }

    fn assume(&mut self, literal: u32) {
        if !self.holds[literal as usize] {
            self.holds[literal as usize] = true;
            self.trail.push(literal);
        }
    }

    /// Adds a permanent clause; `false` if all clauses together are contradictory.
    fn add(&mut self, clause: &[u32]) -> bool {
        let mut clause = clause.to_vec();
        clause.sort_unstable();
        clause.dedup();
        let name = clause.clone();
        // Moves literals that are not false to the front, where they are watched.
        clause.sort_by_key(|literal| self.holds[(literal ^ 1) as usize]);
        let open = clause.iter().filter(|&&literal| !self.holds[(literal ^ 1) as usize]).count();
        match (open, clause.first()) {
            (0, _) | (_, None) => return false,
            (1, Some(&unit)) => self.assume(unit),
            _ => {}
        }
        if clause.len() > 1 {
            let number = self.clauses.len();
            clause[..2].iter().for_each(|&literal| self.watched[literal as usize].push(number));
            self.named.entry(name).or_default().push(number);
            self.clauses.push(clause);
        }
        self.propagate()
    }

    /// Deletes a clause. Its consequences stay. A missing clause is no fault, because deletion proves nothing.
    fn delete(&mut self, clause: &[u32]) {
        let mut name = clause.to_vec();
        name.sort_unstable();
        name.dedup();
        if let Some(number) = self.named.get_mut(&name).and_then(Vec::pop) {
            let watching = self.clauses[number][..2].to_vec();
            for literal in watching {
                self.watched[literal as usize].retain(|&clause| clause != number);
            }
            self.clauses[number] = Vec::new();
        }
    }

    /// Does the negation of the clause lead to a conflict?
    fn follows(&mut self, clause: &[u32]) -> bool {
        let (length, done) = (self.trail.len(), self.done);
        let known = clause.iter().any(|&literal| self.holds[literal as usize]);
        if !known {
            for literal in clause {
                self.assume(literal ^ 1);
            }
        }
        let conflict = known || !self.propagate();
        for literal in self.trail.drain(length..) {
            self.holds[literal as usize] = false;
        }
        self.done = done;
        conflict
    }

    /// Propagates units until nothing changes; `false` if a clause is false.
    fn propagate(&mut self) -> bool {
        while let Some(&literal) = self.trail.get(self.done) {
            self.done += 1;
            let falsified = literal ^ 1;
            if self.holds[falsified as usize] {
                return false;
            }
            let mut watching = std::mem::take(&mut self.watched[falsified as usize]);
            let mut kept = 0;
            let mut conflict = false;
            for i in 0..watching.len() {
                let number = watching[i];
                watching[kept] = number;
                kept += 1;
                if conflict {
                    continue;
                }
                let clause = &mut self.clauses[number];
                if clause[0] == falsified {
                    clause.swap(0, 1);
                }
                if self.holds[clause[0] as usize] {
                    continue;
                }
                let open = (2..clause.len()).find(|&j| !self.holds[(clause[j] ^ 1) as usize]);
                if let Some(j) = open {
                    clause.swap(1, j);
                    let literal = clause[1];
                    self.watched[literal as usize].push(number);
                    kept -= 1;
                } else {
                    let unit = clause[0];
                    conflict = self.holds[(unit ^ 1) as usize];
                    self.assume(unit);
                }
            }
            watching.truncate(kept);
            self.watched[falsified as usize] = watching;
            if conflict {
                return false;
            }
        }
        true
    }
}
