//! Random small boards, and the special tests of Flow.

use std::collections::BTreeSet;

use beeline_certify::{Answer, NotWritten, Subject, certify};
use beeline_check::certificate::{Certificate, Claim, encode, put_number, take_number};
use beeline_puzzles::flow::FlowPuzzle;
use beeline_puzzles::{Kind, Puzzle};
use beeline_search::{Budget, Random};

use super::{altered, damage, verified, written};

/// A random board of a kind; `None` if the generated file does not parse.
pub(crate) fn board(kind: &'static dyn Kind, random: &mut Random) -> Option<Box<dyn Puzzle>> {
    let text = match kind.name() {
        "gate" => gate(random),
        "bricks" => bricks(random),
        "tiles" => tiles(random),
        "sokoban" => sokoban(random),
        _ => flow(random),
    };
    kind.parse(&text).ok()?.pop()
}

/// Places pieces of one to three cells on a grid, numbered in order.
fn pieces(width: usize, height: usize, count: usize, random: &mut Random) -> Vec<Option<usize>> {
    let mut grid = vec![None; width * height];
    let shapes: [&[(usize, usize)]; 5] =
        [&[(0, 0)], &[(0, 0), (0, 1)], &[(0, 0), (1, 0)], &[(0, 0), (0, 1), (1, 0)], &[(0, 0)]];
    let mut number = 0;
    for _ in 0..20 {
        let shape = shapes[random.below(shapes.len())];
        let (row, column) = (random.below(height), random.below(width));
        let cells: Option<Vec<usize>> = shape
            .iter()
            .map(|&(r, c)| (row + r < height && column + c < width).then_some((row + r) * width + column + c))
            .collect();
        if let Some(cells) = cells.filter(|cells| cells.iter().all(|&cell| grid[cell].is_none())) {
            for cell in cells {
                grid[cell] = Some(number);
            }
            number += 1;
            if number == count {
                break;
            }
        }
    }
    grid
}

fn gate(random: &mut Random) -> String {
    let (width, height) = (2 + random.below(3), 2 + random.below(2));
    let count = 1 + random.below(5);
    let grid = pieces(width, height, count, random);
    // The goal has the shape of piece 0 at another place.
    let own: Vec<usize> = (0..grid.len()).filter(|&cell| grid[cell] == Some(0)).collect();
    let shift = random.below(grid.len());
    let goal: Vec<usize> = own.iter().map(|&cell| cell + shift).filter(|&cell| cell < grid.len()).collect();
    let mut text = "#".repeat(width + 2) + "\n";
    for row in 0..height {
        text.push('#');
        for column in 0..width {
            let cell = row * width + column;
            let first = if goal.contains(&cell) { b'H' } else { b'0' };
            text.push(match grid[cell] {
                Some(piece) => char::from(first + piece as u8),
                None if goal.contains(&cell) => 'G',
                None if random.below(8) == 0 => '#',
                None => ' ',
            });
        }
        text += "#\n";
    }
    text + &"#".repeat(width + 2) + "\n"
}

fn bricks(random: &mut Random) -> String {
    let (width, height) = (2 + random.below(3), 2 + random.below(2));
    let count = 2 + random.below(4);
    let grid = pieces(width, height, count, random);
    let own: Vec<usize> = (0..grid.len()).filter(|&cell| grid[cell] == Some(0)).collect();
    let shift = random.below(grid.len());
    let mut second = vec![0; grid.len()];
    for cell in own.iter().map(|&cell| cell + shift).filter(|&cell| cell < grid.len()) {
        second[cell] = 2;
    }
    if random.below(3) == 0 {
        let wanted = 3 + random.below(count - 1) as i32;
        second[random.below(grid.len())] = if random.below(2) == 0 { wanted } else { -wanted };
    }
    let line = |row: &[i32]| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(",") + ",\n";
    let first: Vec<i32> = grid
        .iter()
        .zip(&second)
        .map(|(piece, &wanted)| match piece {
            Some(piece) => *piece as i32 + 2,
            None if wanted == 0 && random.below(8) == 0 => [1, -2][random.below(2)],
            None => 0,
        })
        .collect();
    let rule = if random.below(3) == 0 { "rule: lengthwise\n" } else { "" };
    let rows: String = first.chunks(width).chain(second.chunks(width)).map(line).collect();
    format!("{rule}{width},{height},\n{rows}")
}

fn tiles(random: &mut Random) -> String {
    let (rows, columns) = [(2, 2), (2, 3), (3, 2), (2, 3), (3, 3)][random.below(5)];
    let mut tiles: Vec<usize> = (0..rows * columns).collect();
    if rows * columns < 9 {
        random.shuffle(&mut tiles);
    } else {
        // A few random moves from the goal, so that walks are short. Sometimes two tiles are exchanged.
        let mut blank = 0usize;
        for _ in 0..random.below(14) {
            let ways = [blank.wrapping_sub(3), blank + 3, blank.wrapping_sub(1), blank + 1];
            let to = ways[random.below(4)];
            if to < 9 && (to / 3 == blank / 3 || to % 3 == blank % 3) {
                tiles.swap(blank, to);
                blank = to;
            }
        }
        if random.below(4) == 0 {
            let (a, b) = ((blank + 1) % 9, (blank + 2) % 9);
            tiles.swap(a, b);
        }
    }
    let goal = if random.below(2) == 0 { "goal: blank last\n" } else { "" };
    let line = |row: &[usize]| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ") + "\n";
    goal.to_owned() + &tiles.chunks(columns).map(line).collect::<String>()
}

fn sokoban(random: &mut Random) -> String {
    let (width, height) = (3 + random.below(3), 3 + random.below(2));
    let mut cells = vec![b' '; width * height];
    for _ in 0..random.below(4) {
        cells[random.below(width * height)] = b'#';
    }
    let boxes = 1 + random.below(3);
    for symbol in [b'$', b'.'].repeat(boxes).into_iter().chain([b'@']) {
        let at = random.below(width * height);
        cells[at] = match (cells[at], symbol) {
            (b'.', b'$') | (b'$', b'.') => b'*',
            (b'.', b'@') => b'+',
            _ => symbol,
        };
    }
    let edge = "#".repeat(width + 2);
    let line = |row: &[u8]| format!("#{}#\n", String::from_utf8_lossy(row));
    format!("{edge}\n{}{edge}\n", cells.chunks(width).map(line).collect::<String>())
}

fn flow(random: &mut Random) -> String {
    let (width, height) = (2 + random.below(3), 2 + random.below(3));
    let colours = 1 + random.below(3);
    let mut cells = vec!['.'; width * height];
    let mut free: Vec<usize> = (0..cells.len()).collect();
    random.shuffle(&mut free);
    for label in "AABBCC".chars().take(2 * colours) {
        if let Some(at) = free.pop() {
            cells[at] = label;
        }
    }
    if let (0, Some(at)) = (random.below(4), free.pop()) {
        cells[at] = '#';
    }
    let rule = ["", "", "rule: numberlink\n", "rule: touching\n"][random.below(4)];
    let warp = if random.below(8) == 0 { "edges: warp\n" } else { "" };
    let line = |row: &[char]| row.iter().collect::<String>() + "\n";
    format!("{rule}{warp}{}", cells.chunks(width).map(line).collect::<String>())
}

/// Certifies that a board of Flow has one solution or none, and that no forged proof passes where it has two. All solutions are
/// found by trying every path. Returns whether there is a solution.
pub(crate) fn prove_flow(puzzle: &dyn Puzzle, subject: &Subject<'_>, random: &mut Random) -> bool {
    let solutions = every_solution(puzzle, subject.text);
    let answer = match solutions.first() {
        Some(steps) => Answer::Shortest(steps, steps.len() as u64),
        None => Answer::Unsolvable,
    };
    let certificate = written(subject, answer, None);
    if solutions.len() > 1 {
        assert!(matches!(certificate, Err(NotWritten::Contradicted(_))), "{}", subject.text);
        return true;
    }
    let bytes = certificate.unwrap_or_else(|why| panic!("{why}:\n{}", subject.text)).bytes;
    verified(&bytes).unwrap_or_else(|why| panic!("{why}:\n{}", subject.text));
    damage(&bytes, random);
    let there = Certificate::read(&bytes).unwrap();
    forge_clauses(&there, subject, random);
    if let Claim::Unique(steps) = &there.claim {
        // A proof that there is no other solution does not prove that there is none.
        let none = altered(&bytes, |header| {
            let line = header.lines().find(|line| line.starts_with("claim")).unwrap().to_owned();
            *header = header.replace(&line, "claim none");
        });
        assert!(verified(&none).is_err(), "{}", subject.text);
        if !steps.is_empty() {
            let short = altered(&bytes, |header| {
                *header = header.replacen(&format!("claim unique {} ", steps[0]), "claim unique ", 1);
            });
            assert!(verified(&short).is_err() || steps.len() == 1, "a solution with a step less");
        }
        let refused = certify(subject, Answer::Unsolvable, &Budget::default(), &mut |_, _, _| {});
        assert!(matches!(refused, Err(NotWritten::Contradicted(_))));
    }
    !solutions.is_empty()
}

/// A step of a proof: its code and its clause.
type ProofStep = (u128, Vec<u32>);
/// Step code of a learned clause.
const LEARN: u128 = 0;
/// Step code of a deleted clause.
const DELETE: u128 = 1;

/// Proofs with a clause removed, a literal changed or dropped, or two steps exchanged. Such a proof may still be valid: a
/// second, simple propagation decides.
fn forge_clauses(there: &Certificate<'_>, subject: &Subject<'_>, random: &mut Random) {
    let solution = match &there.claim {
        Claim::Unique(steps) => Some(&steps[..]),
        _ => None,
    };
    let encoding = encode(subject.text, solution).unwrap();
    let proof: Vec<ProofStep> = there.blocks.iter().flat_map(|block| proof_steps(block)).collect();
    assert!(is_refutation(&encoding.clauses, &proof), "{}", subject.text);
    for _ in 0..8 {
        let mut forged = proof.clone();
        let at = random.below(forged.len());
        let length = forged[at].1.len();
        match random.below(4) {
            0 => drop(forged.remove(at)),
            1 if length > 0 => forged[at].1[random.below(length)] ^= 1,
            2 if length > 0 => drop(forged[at].1.remove(random.below(length))),
            _ => forged.swap(at, random.below(proof.len())),
        }
        // Propagation cannot judge whether links form a ring.
        if forged.iter().any(|(what, clause)| *what > DELETE && !proof.contains(&(*what, clause.clone()))) {
            continue;
        }
        let mut block = Vec::new();
        for (what, clause) in &forged {
            put_number(&mut block, *what);
            put_number(&mut block, clause.len() as u128);
            for &literal in clause {
                put_number(&mut block, u128::from(literal));
            }
        }
        let file = beeline_certify::assemble(subject, &there.claim, &there.evidence, &[block]);
        let still = is_refutation(&encoding.clauses, &forged);
        assert_eq!(verified(&file).is_ok(), still, "{forged:?}\n{}", subject.text);
    }
}

fn proof_steps(mut block: &[u8]) -> Vec<ProofStep> {
    let mut steps = Vec::new();
    while !block.is_empty() {
        let mut next = || take_number(&mut block).unwrap();
        let (what, length) = (next(), next());
        steps.push((what, (0..length).map(|_| u32::try_from(next()).unwrap()).collect()));
    }
    steps
}

/// Does each clause follow by unit propagation, and does the proof end in a contradiction?
fn is_refutation(clauses: &[Vec<u32>], proof: &[ProofStep]) -> bool {
    let mut clauses = clauses.to_vec();
    let mut units = BTreeSet::new();
    for (what, clause) in proof {
        if conflict(&clauses, &mut units) {
            return true;
        }
        if *what == DELETE {
            let same = |other: &Vec<u32>| {
                let sorted = |clause: &[u32]| BTreeSet::from_iter(clause.to_vec());
                sorted(clause) == sorted(other)
            };
            // Consequences of a clause stay after its deletion, and so does a unit.
            if let Some(at) = clauses.iter().position(same).filter(|_| clause.len() > 1) {
                clauses.remove(at);
            }
            continue;
        }
        let mut denied = units.clone();
        denied.extend(clause.iter().map(|literal| literal ^ 1));
        if *what == LEARN && !conflict(&clauses, &mut denied) {
            return false;
        }
        clauses.push(clause.clone());
    }
    conflict(&clauses, &mut units)
}

/// Adds all implied literals to `holds`; is a clause false then?
fn conflict(clauses: &[Vec<u32>], holds: &mut BTreeSet<u32>) -> bool {
    loop {
        if holds.iter().any(|literal| holds.contains(&(literal ^ 1))) {
            return true;
        }
        let mut units = Vec::new();
        for clause in clauses.iter().filter(|clause| !clause.iter().any(|l| holds.contains(l))) {
            let mut open = clause.iter().filter(|&literal| !holds.contains(&(literal ^ 1)));
            match (open.next(), open.next()) {
                (None, _) => return true,
                (Some(&unit), None) => units.push(unit),
                _ => {}
            }
        }
        if units.is_empty() {
            return false;
        }
        holds.extend(units);
    }
}

/// Every solution, with its steps colour by colour: all combinations of disjoint simple paths that the checker accepts as
/// plans.
fn every_solution(puzzle: &dyn Puzzle, text: &str) -> Vec<Vec<String>> {
    let board = puzzle.as_any().downcast_ref::<FlowPuzzle>().unwrap().board();
    assert!(board.drawn().is_empty());
    // Ends by label, and the steps from each cell.
    let rows: Vec<Vec<char>> =
        text.lines().filter(|line| !line.contains(':')).map(|line| line.chars().collect()).collect();
    let mut ends: Vec<(char, Vec<(usize, usize)>)> = Vec::new();
    for (r, row) in rows.iter().enumerate() {
        for (c, &label) in row.iter().enumerate().filter(|(_, label)| label.is_alphanumeric()) {
            match ends.iter_mut().find(|(l, _)| *l == label) {
                Some((_, places)) => places.push((r, c)),
                None => ends.push((label, vec![(r, c)])),
            }
        }
    }
    let mut tried =
        Tries { rows: &rows, warp: text.contains("edges: warp"), ends: &ends, text, found: Vec::new() };
    tried.colour(0, &mut Vec::new(), &mut vec![vec![false; rows[0].len()]; rows.len()]);
    tried.found
}

struct Tries<'a> {
    rows: &'a [Vec<char>],
    warp: bool,
    ends: &'a [(char, Vec<(usize, usize)>)],
    text: &'a str,
    found: Vec<Vec<String>>,
}

impl Tries<'_> {
    fn colour(&mut self, number: usize, steps: &mut Vec<String>, used: &mut Vec<Vec<bool>>) {
        let Some((label, places)) = self.ends.get(number) else {
            if beeline_check::check("flow", self.text, None, steps).is_ok() {
                self.found.push(steps.clone());
            }
            return;
        };
        let (height, width) = (self.rows.len(), self.rows[0].len());
        let edge = |(r, c): (usize, usize)| r.min(c).min(height - 1 - r).min(width - 1 - c);
        let start = if edge(places[1]) < edge(places[0]) { places[1] } else { places[0] };
        self.path(number, *label, start, steps, used);
    }

    /// The path may end here or continue. The checker decides whether it has joined its goal.
    fn path(
        &mut self,
        number: usize,
        label: char,
        at: (usize, usize),
        steps: &mut Vec<String>,
        used: &mut Vec<Vec<bool>>,
    ) {
        let (height, width) = (self.rows.len(), self.rows[0].len());
        self.colour(number + 1, steps, used);
        for (way, down, right) in [('l', 0, width - 1), ('r', 0, 1), ('u', height - 1, 0), ('d', 1, 0)] {
            let (r, c) = (at.0 + down, at.1 + right);
            let wraps = match way {
                'l' => c < width,
                'u' => r < height,
                _ => r >= height || c >= width,
            };
            let (r, c) = (r % height, c % width);
            if (wraps && !self.warp) || used[r][c] || self.rows[r][c] != '.' {
                continue;
            }
            used[r][c] = true;
            steps.push(format!("{label}{way}"));
            // A prefix that the checker refuses begins no plan. Only an unmet goal is acceptable.
            let flaw = beeline_check::check("flow", self.text, None, steps);
            if !matches!(flaw, Err(beeline_check::Flaw::Step { .. })) {
                self.path(number, label, (r, c), steps, used);
            }
            steps.pop();
            used[r][c] = false;
        }
    }
}
