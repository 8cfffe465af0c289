//! Certificates of random small boards of every kind: written, verified, forged and refused.

#![allow(clippy::unwrap_used)]

mod boards;

use std::collections::{BTreeMap, BTreeSet};

use beeline_certify::{Answer, NotWritten, Subject, Written, certify, certify_by, verify};
use beeline_check::certificate::{self, Certificate, Claim, Fault, checksum, put_number, states_of};
use beeline_puzzles::{Job, KINDS, Kind, Puzzle, kind};
use beeline_search::{Budget, Cancel, Limit, Random, Verdict};

/// The answer of the strongest solver.
enum Solved {
    Plan(Vec<String>, u64),
    Unsolvable,
}

impl Solved {
    fn answer(&self) -> Answer<'_> {
        match self {
            Self::Plan(steps, cost) => Answer::Shortest(steps, *cost),
            Self::Unsolvable => Answer::Unsolvable,
        }
    }
}

fn solve(puzzle: &dyn Puzzle, objective: &str) -> Solved {
    let job = Job { objective: Some(objective.to_owned()), ..Job::default() };
    match puzzle.solve(&job, &Budget::default(), &mut ()).unwrap().verdict {
        Verdict::Solved(found) => {
            let proved = found.lower_bound >= found.cost || puzzle.kind().name() == "flow";
            assert!(proved, "{}", puzzle.text());
            Solved::Plan(found.moves, found.cost)
        }
        Verdict::Exhausted => Solved::Unsolvable,
        other => panic!("{other:?} for {}", puzzle.text()),
    }
}

fn verified(bytes: &[u8]) -> Result<u64, Fault> {
    let certificate = Certificate::read(bytes)?;
    certificate::verify(&certificate, &|_, _| true).map(|figures| figures.items)
}

fn written(subject: &Subject<'_>, answer: Answer<'_>, evidence: Option<&str>) -> Result<Written, NotWritten> {
    let (budget, mut tick) = (Budget::default(), |_, _, _| {});
    match evidence {
        Some(evidence) => certify_by(subject, answer, evidence, &budget, &mut tick),
        None => certify(subject, answer, &budget, &mut tick),
    }
}

/// The file with another claim or evidence, and a matching checksum.
fn altered(bytes: &[u8], change: impl FnOnce(&mut String)) -> Vec<u8> {
    let there = Certificate::read(bytes).unwrap();
    let length = bytes.len() - 8 - 4 - there.blocks.iter().map(|block| block.len() + 4).sum::<usize>();
    let mut header = String::from_utf8(bytes[..length].to_vec()).unwrap();
    change(&mut header);
    summed([header.as_bytes(), &bytes[length..bytes.len() - 8]].concat())
}

fn summed(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// The file with these states instead.
fn with_states(bytes: &[u8], states: &BTreeMap<u128, u32>) -> Vec<u8> {
    let there = Certificate::read(bytes).unwrap();
    let subject = Subject { kind: &there.kind, text: &there.text, objective: &there.objective };
    let mut blocks = Vec::new();
    let all: Vec<(u128, u32)> = states.iter().map(|(&state, &cost)| (state, cost)).collect();
    for chunk in all.chunks(100) {
        let (mut block, mut before) = (Vec::new(), 0);
        for &(state, cost) in chunk {
            put_number(&mut block, state - before);
            put_number(&mut block, u128::from(cost));
            before = state;
        }
        blocks.push(block);
    }
    beeline_certify::assemble(&subject, &there.claim, &there.evidence, &blocks)
}

fn states(bytes: &[u8]) -> BTreeMap<u128, u32> {
    let there = Certificate::read(bytes).unwrap();
    there.blocks.iter().flat_map(|block| states_of(block)).map(Result::unwrap).collect()
}

/// Every state below the limit, including goals: the output of a writer that never tests for goals.
fn all_states(there: &Certificate<'_>, limit: u32) -> BTreeMap<u128, u32> {
    let bound = there.evidence.split_once(' ').unwrap().1;
    let graph = certificate::graph(&there.kind, &there.text, &there.objective, bound).unwrap();
    let (mut best, mut queue) = (BTreeMap::new(), BTreeSet::from([(0, graph.start().unwrap())]));
    while let Some((cost, state)) = queue.pop_first() {
        let bounded = graph.bound(state).is_none_or(|h| cost + h >= limit);
        if bounded || best.get(&state).is_some_and(|&before| before <= cost) {
            continue;
        }
        best.insert(state, cost);
        graph.successors(state, &mut |to, step| {
            if cost + step < limit {
                queue.insert((cost + step, to));
            }
        });
    }
    best
}

/// Random damage, which the checksum detects.
fn damage(bytes: &[u8], random: &mut Random) {
    for _ in 0..3 {
        assert!(verified(&bytes[..random.below(bytes.len())]).is_err());
        let mut flipped = bytes.to_vec();
        flipped[random.below(bytes.len())] ^= 1 << random.below(8);
        assert!(verified(&flipped).is_err());
    }
}

/// Changes of layers, each with a matching checksum.
fn forge_layers(bytes: &[u8], random: &mut Random) {
    let there = Certificate::read(bytes).unwrap();
    let states = states(bytes);
    let all: Vec<u128> = states.keys().copied().collect();
    if let Some(one) = random.pick(&all) {
        let mut fewer = states.clone();
        fewer.remove(one);
        let why = verified(&with_states(bytes, &fewer)).unwrap_err().why;
        assert!(why.contains("missing") || all.len() == 1, "{why}");
        if there.claim != Claim::None {
            let mut deeper = states.clone();
            *deeper.get_mut(one).unwrap() += 1;
            assert!(verified(&with_states(bytes, &deeper)).is_err(), "a state deeper than it is");
        }
    }
    if let Claim::AtLeast(cost) = there.claim {
        let line = |cost: u64| format!("claim at least {cost}\n");
        let raised = altered(bytes, |header| *header = header.replace(&line(cost), &line(cost + 1)));
        let why = verified(&raised).unwrap_err();
        assert!(why.why.contains("missing"), "claim raised by one: {why}");
        let none = altered(bytes, |header| *header = header.replace(&line(cost), "claim none\n"));
        assert!(verified(&none).is_err(), "claim raised to none");
        // All states below the raised claim, including the goal.
        let honest = all_states(&there, u32::try_from(cost).unwrap() + 1);
        let why = verified(&with_states(&raised, &honest)).unwrap_err();
        assert!(why.why.contains("a goal at cost"), "{why}");
        let bound = there.evidence.split_once(' ').unwrap().1;
        let graph = certificate::graph(&there.kind, &there.text, &there.objective, bound).unwrap();
        let hidden: BTreeMap<u128, u32> =
            honest.into_iter().filter(|(state, _)| !graph.is_goal(*state)).collect();
        assert!(verified(&with_states(&raised, &hidden)).is_err(), "goals hidden");
    }
}

/// Certifies and forges the boards of a kind. Returns how many had a plan and how many had none.
fn prove(kind: &'static dyn Kind, count: u64) -> (u64, u64) {
    let (mut solvable, mut unsolvable) = (0, 0);
    let mut seed = 0;
    while solvable + unsolvable < count {
        seed += 1;
        assert!(seed < 100 * count, "{}: {solvable} and {unsolvable}", kind.name());
        let mut random = Random::new(seed);
        let Some(puzzle) = boards::board(kind, &mut random) else { continue };
        let objectives: Vec<&str> = kind.objectives().iter().map(|o| o.name).collect();
        let proper: Vec<&str> =
            objectives.iter().copied().filter(|&o| o != "any" || objectives.len() == 1).collect();
        let objective = *random.pick(&proper).unwrap();
        let text = puzzle.text();
        let subject = Subject { kind: kind.name(), text: &text, objective };
        let solved = solve(&*puzzle, objective);
        // Boards without a plan are frequent and alike, so most are skipped.
        if matches!(solved, Solved::Unsolvable) && unsolvable > solvable {
            continue;
        }
        if kind.name() == "flow" {
            if boards::prove_flow(&*puzzle, &subject, &mut random) {
                solvable += 1;
            } else {
                unsolvable += 1;
            }
            continue;
        }
        let methods: &[Option<&str>] = match (kind.name(), &solved) {
            ("tiles", Solved::Plan(..)) => &[
                None,
                Some("layers none"),
                Some("layers linear-conflict"),
                Some("walk walking-distance"),
                Some("walk linear-conflict"),
            ],
            ("tiles", Solved::Unsolvable) => &[None],
            _ => &[None, Some("layers none")],
        };
        for method in methods {
            let certificate = written(&subject, solved.answer(), *method);
            let certificate = certificate.unwrap_or_else(|why| panic!("{why}: {objective}\n{text}"));
            verified(&certificate.bytes).unwrap_or_else(|why| panic!("{why}: {objective}\n{text}"));
            damage(&certificate.bytes, &mut random);
            if certificate.evidence.starts_with("layers") {
                forge_layers(&certificate.bytes, &mut random);
            }
            if let (true, Claim::AtLeast(cost)) =
                (certificate.evidence.starts_with("walk"), &certificate.claim)
            {
                let line = |cost: u64| format!("claim at least {cost}\n");
                let raised = altered(&certificate.bytes, |header| {
                    *header = header.replace(&line(*cost), &line(cost + 1));
                });
                assert!(verified(&raised).unwrap_err().why.contains("a goal at cost"));
            }
        }
        match solved {
            Solved::Plan(_, cost) => {
                solvable += 1;
                // A solver that missed the shortest plan, and one that missed every plan.
                let missed = written(&subject, Answer::Shortest(&[], cost + 1), None).unwrap_err();
                assert!(matches!(missed, NotWritten::Contradicted(_)), "{missed}: {text}");
                let missed = written(&subject, Answer::Unsolvable, None).unwrap_err();
                assert!(matches!(missed, NotWritten::Contradicted(_)), "{missed}: {text}");
            }
            Solved::Unsolvable => unsolvable += 1,
        }
    }
    (solvable, unsolvable)
}

/// Boards of each kind in the ordinary tests.
const FEW: u64 = 200;

fn few(name: &str) {
    let (solvable, unsolvable) = prove(kind(name).unwrap(), FEW);
    assert!(
        solvable > FEW / 4 && unsolvable > FEW / 10,
        "{name}: {solvable} with a plan, {unsolvable} without"
    );
}

#[test]
fn gates_are_certified() {
    few("gate");
}

#[test]
fn bricks_are_certified() {
    few("bricks");
}

#[test]
fn tiles_are_certified() {
    few("tiles");
}

#[test]
fn sokoban_is_certified() {
    few("sokoban");
}

#[test]
fn flow_is_certified() {
    few("flow");
}

#[test]
#[ignore = "long: cargo xtask prove (2,000 boards of each kind)"]
fn two_thousand_boards_of_each_kind_are_certified() {
    for kind in KINDS {
        let (solvable, unsolvable) = prove(*kind, 2000);
        eprintln!("{}: {solvable} with a plan, {unsolvable} without", kind.name());
    }
}

/// Tables are evidence only if they are consistent: the checker detects every increased number.
#[test]
fn tables_are_evidence() {
    let subject = Subject { kind: "tiles", text: "8 6 7\n2 5 4\n3 0 1\n", objective: "moves" };
    let turned = Subject { text: "goal: blank last\n8 6 7\n2 5 4\n3 0 1\n", ..subject };
    let mut random = Random::new(1);
    for (subject, sets) in [(subject, "tables 1,2,4,5/3,6,7,8"), (turned, "tables 3,1/8,7,4")] {
        let puzzle = kind("tiles").unwrap().parse(subject.text).unwrap().remove(0);
        let solved = solve(&*puzzle, "moves");
        let Solved::Plan(_, cost) = solved else { panic!("it has a plan") };
        let written = written(&subject, solved.answer(), Some(sets)).unwrap();
        let nodes = verified(&written.bytes).unwrap();
        assert!(nodes > 1);
        damage(&written.bytes, &mut random);
        let line = |cost: u64| format!("claim at least {cost}\n");
        let raised = altered(&written.bytes, |header| *header = header.replace(&line(cost), &line(cost + 1)));
        assert!(verified(&raised).unwrap_err().why.contains("a goal at cost"));
        let there = Certificate::read(&written.bytes).unwrap();
        let numbers = there.blocks.concat();
        for _ in 0..20 {
            let mut forged = numbers.clone();
            let at = random.below(forged.len());
            forged[at] += 2;
            let file = beeline_certify::assemble(&subject, &there.claim, &there.evidence, &[forged]);
            let why = verified(&file).unwrap_err();
            assert!(why.why.contains("more than one move above") || why.why.contains("than 0"), "{why}");
        }
        // All numbers increased by one: consistent, except at the goal.
        let higher: Vec<u8> = numbers.iter().map(|n| n + 1).collect();
        let file = beeline_certify::assemble(&subject, &there.claim, &there.evidence, &[higher]);
        assert!(verified(&file).unwrap_err().why.contains("than 0"));
        let file =
            beeline_certify::assemble(&subject, &there.claim, &there.evidence, &[numbers[1..].to_vec()]);
        assert!(verified(&file).is_err());
        let twice = there.evidence.replace('/', ",1/");
        let file = beeline_certify::assemble(&subject, &there.claim, &twice, &[numbers]);
        assert!(verified(&file).unwrap_err().why.contains("a tile twice"));
    }
}

#[test]
fn limits_and_other_puzzles_end_a_certificate() {
    let text = "0 1 2\n3 4 5\n6 8 7\n";
    let subject = Subject { kind: "tiles", text, objective: "moves" };
    let parity = written(&subject, Answer::Unsolvable, None).unwrap();
    assert!(verified(&parity.bytes).is_ok());
    let other = altered(&parity.bytes, |header| *header = header.replace("8 7", "7 8"));
    assert_eq!(verified(&other).unwrap_err().why, "the parities of start and goal are equal");
    let plan = altered(&parity.bytes, |header| *header = header.replace("claim none", "claim at least 3"));
    assert!(verified(&plan).is_err(), "parity says nothing about costs");
    let version = altered(&parity.bytes, |header| *header = header.replace("certificate 1", "certificate 2"));
    assert_eq!(
        verify(&version, &Budget::default(), &mut |_, _, _| {}).unwrap_err().to_string(),
        "header: this is no certificate, or one of another version"
    );
    let hard = Subject { text: "8 6 7\n2 5 4\n3 0 1\n", ..subject };
    let cancel = Cancel::default();
    cancel.cancel();
    let cancelled = Budget { cancel, ..Budget::default() };
    let small = Budget { bytes: Some(100_000), ..Budget::default() };
    for (budget, limit) in [(cancelled, Limit::Cancelled), (small, Limit::Memory)] {
        let stopped = certify_by(&hard, Answer::Shortest(&[], 31), "layers none", &budget, &mut |_, _, _| {});
        assert_eq!(stopped.unwrap_err(), NotWritten::Stopped(limit));
    }
}

/// An unreachable box off its goal is the whole proof, even if no other box is left.
#[test]
fn a_box_out_of_reach_is_evidence() {
    let text = "#####\n# .@#\n## ##\n#*# #\n# $.#\n#####\n";
    for objective in ["moves", "pushes", "moves-pushes"] {
        let subject = Subject { kind: "sokoban", text, objective };
        let certificate = written(&subject, Answer::Unsolvable, None).unwrap();
        assert!(verified(&certificate.bytes).is_ok());
    }
}

/// Limits the checker's lines of code, without tests, comments and blank lines, so that it can be read in an evening.
#[test]
fn the_checker_stays_small() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../check/src");
    let mut lines = 0;
    for folder in [root.clone(), root.join("certificate")] {
        for file in std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
            if file.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(file).unwrap();
                let code = text.lines().map(str::trim).take_while(|line| !line.starts_with("#[cfg(test)]"));
                lines += code.filter(|line| !line.is_empty() && !line.starts_with("//")).count();
            }
        }
    }
    assert!((1000..2500).contains(&lines), "{lines} lines");
}
